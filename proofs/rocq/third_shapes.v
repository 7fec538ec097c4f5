(* The shapes of three edges, the cube of a sum over pairs as their sum, and its mean over all permutations. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra all_solvable.
From mathcomp Require Import ring.
From splitcrit Require Import defs distinct null gini_null factorial distinct6.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Shapes.
Variables (R : realFieldType) (T : finType) (M : T -> T -> R).

Definition edge_sum := @distinct_sum R T 2 (fun u v => M u v).
Definition double_sum := @distinct_sum R T 2 (fun u v => M u v ^+ 2).
Definition cherry_sum := @distinct_sum R T 3 (fun u v w => M u v * M v w).
Definition two_apart_sum := @distinct_sum R T 4 (fun u v w x => M u v * M w x).
Definition triple_sum := @distinct_sum R T 2 (fun u v => M u v ^+ 3).
Definition double_adjacent_sum := @distinct_sum R T 3 (fun u v w => M u v * M v w ^+ 2).
Definition triangle_sum := @distinct_sum R T 3 (fun u v w => M u v * M v w * M u w).
Definition path_sum := @distinct_sum R T 4 (fun u v w x => M u v * M v w * M w x).
Definition star_sum := @distinct_sum R T 4 (fun u v w x => M u v * M u w * M u x).
Definition double_apart_sum := @distinct_sum R T 4 (fun u v w x => M u v * M w x ^+ 2).
Definition cherry_apart_sum := @distinct_sum R T 5 (fun u v w x y => M u v * (M w x * M x y)).
Definition three_apart_sum := @distinct_sum R T 6 (fun u v w x y z => M u v * M w x * M y z).
End Shapes.

Lemma five_points (T : Type) (l : seq T) : seq.size l == 5%N -> exists u v w x y, l = [:: u; v; w; x; y].
Proof. by case: l => [|u [|v [|w [|x [|y []]]]]] //; exists u, v, w, x, y. Qed.

Section Cube.
Variables (R : realFieldType) (T : finType) (M : T -> T -> R).
Hypotheses (sym : forall u v, M u v = M v u) (diag : forall u, M u u = 0).
Local Notation S m F := (\sum_(t : m.-tuple T | uniq t) F t).

Lemma pairsE : \sum_u \sum_v M u v = edge_sum M.
Proof.
rewrite /edge_sum /distinct_sum (sum_cons 1) (sum_cons 0 (fun t => \sum_(x | x \notin t) at_points _ (x :: t))).
rewrite (sum_nil (fun t => \sum_(x | x \notin t) \sum_(y | y \notin x :: t) M y x)) /=.
rewrite exchange_big (eq_bigr (fun u => \sum_(v | v != u) M v u)) /=; last first.
  by move=> u _; rewrite [LHS](bigD1 u) //= diag add0r.
by apply: eq_big => [u|u _]; rewrite ?in_nil //; apply: eq_bigl => v; rewrite inE.
Qed.

Lemma edge_times_edge :
  edge_sum M * edge_sum M = 2%:R * double_sum M + 4%:R * cherry_sum M + two_apart_sum M.
Proof.
rewrite -{2}pairsE (attach sym diag); congr (_ + _ + _).
- rewrite mulr_sumr; apply: eq_bigr => [[[|u [|v []]] // sz]] _ /=.
  by rewrite !big_cons !big_nil !diag (sym v u); ring.
- rewrite -[cherry_sum M]mulr1.
  have c ks : S 3 (fun t => at_points (m := 3) (fun u v w => M u v * M v w) (reordered ks t)) = cherry_sum M.
    exact: (sum_reordered ks 3 (at_points (m := 3) (fun u v w => M u v * M v w))).
  have -> : 4%:R * (cherry_sum M * 1) = 2%:R * (cherry_sum M + cherry_sum M) by ring.
  rewrite -{1}(c [::]) -(c [:: 1%N]) -big_split /=; congr (_ * _); apply: eq_bigr => [[[|x [|u [|v []]]] // sz]] _ /=.
  by rewrite !big_cons !big_nil (sym v u); ring.
apply: eq_bigr => [[[|y [|x [|u [|v []]]]] // sz]] _ /=; ring.
Qed.

Lemma double_times_edge :
  double_sum M * edge_sum M = 2%:R * triple_sum M + 4%:R * double_adjacent_sum M + double_apart_sum M.
Proof.
rewrite -pairsE (attach sym diag); congr (_ + _ + _).
- rewrite mulr_sumr; apply: eq_bigr => [[[|u [|v []]] // sz]] _ /=.
  by rewrite !big_cons !big_nil !diag (sym v u); ring.
- have c ks := sum_reordered ks 3 (at_points (R := R) (m := 3) (fun u v w => M u v * M v w ^+ 2)).
  have -> : 4%:R * double_adjacent_sum M = 2%:R * (double_adjacent_sum M + double_adjacent_sum M) by ring.
  rewrite /double_adjacent_sum /distinct_sum -{2}(c [:: 1%N]) -big_split /=; congr (_ * _).
  apply: eq_bigr => [[[|x [|u [|v []]]] // sz]] _ /=.
  by rewrite !big_cons !big_nil (sym v u); ring.
apply: eq_bigr => [[[|y [|x [|u [|v []]]]] // sz]] _ /=; ring.
Qed.

Lemma cherry_times_edge : cherry_sum M * edge_sum M
  = 4%:R * double_adjacent_sum M + 2%:R * triangle_sum M + 4%:R * path_sum M + 2%:R * star_sum M + cherry_apart_sum M.
Proof.
rewrite -pairsE (attach sym diag); congr (_ + _).
  have -> : forall d t p s : R,
    4%:R * d + 2%:R * t + 4%:R * p + 2%:R * s = (2%:R * (d + d) + 2%:R * t) + 2%:R * (s + p + p).
    by move=> *; ring.
  congr (_ + _).
    have d ks := sum_reordered ks 3 (at_points (R := R) (m := 3) (fun u v w => M u v * M v w ^+ 2)).
    rewrite /double_adjacent_sum /triangle_sum /distinct_sum -{2}(d [:: 0%N; 1%N; 0%N]) -big_split /=.
    rewrite !mulr_sumr -big_split /=.
    apply: eq_bigr => [[[|u [|v [|w []]]] // sz]] _ /=.
    by rewrite !big_cons !big_nil !diag (sym v u) (sym w u) (sym w v); ring.
  have s ks := sum_reordered ks 4 (at_points (R := R) (m := 4) (fun u v w x => M u v * M u w * M u x)).
  have p ks := sum_reordered ks 4 (at_points (R := R) (m := 4) (fun u v w x => M u v * M v w * M w x)).
  rewrite /star_sum /path_sum /distinct_sum -(s [:: 1%N; 0%N]) -{2}(p [:: 1%N; 2%N; 1%N]) -!big_split /=; congr (_ * _).
  apply: eq_bigr => [[[|x [|u [|v [|w []]]]] // sz]] _ /=.
  by rewrite !big_cons !big_nil (sym x v) (sym w v) (sym v u); ring.
by apply: eq_bigr => [[[|y [|x [|u [|v [|w []]]]]] // sz]] _ /=; ring.
Qed.

Lemma two_apart_times_edge : two_apart_sum M * edge_sum M
  = 4%:R * double_apart_sum M + 8%:R * path_sum M + 8%:R * cherry_apart_sum M + three_apart_sum M.
Proof.
rewrite -pairsE (attach sym diag); congr (_ + _ + _).
- have d ks := sum_reordered ks 4 (at_points (R := R) (m := 4) (fun u v w x => M u v * M w x ^+ 2)).
  have p ks := sum_reordered ks 4 (at_points (R := R) (m := 4) (fun u v w x => M u v * M v w * M w x)).
  have -> : forall d p : R, 4%:R * d + 8%:R * p = 2%:R * (d + d + (p + p + (p + p))) by move=> *; ring.
  rewrite /double_apart_sum /path_sum /distinct_sum -{2}(d [:: 1; 0; 2; 1]%N).
  rewrite -{1}(p [:: 0]%N) -{1}(p [:: 0; 2]%N) -{2}(p [:: 2]%N) -!big_split mulr_sumr /=.
  apply: eq_bigr => [[[|u [|v [|w [|x []]]]] // sz]] _ /=.
  rewrite !big_cons !big_nil !diag (sym v u) (sym w u) (sym x u) (sym w v) (sym x v) (sym x w); ring.
- have c ks := sum_reordered ks 5 (at_points (R := R) (m := 5) (fun u v w x y => M u v * (M w x * M x y))).
  have -> : forall c : R, 8%:R * c = 2%:R * (c + c + (c + c)) by move=> *; ring.
  rewrite /cherry_apart_sum /distinct_sum -{1}(c [:: 2; 1; 0; 3; 2; 1]%N) -{1}(c [:: 2; 1; 0; 3; 2; 1; 3]%N).
  rewrite -{1}(c [:: 0; 1]%N) -{1}(c [:: 0; 1; 3]%N) -!big_split; congr (_ * _).
  apply: eq_bigr => t _; have [y [u [v [w [x ->]]]]] := five_points (valP t); rewrite /at_one /=.
  rewrite !big_cons big_nil (sym v u) (sym x w).
  by move: (M u v) (M w x) (M y u) (M y v) (M y w) (M y x) => *; ring.
by apply: eq_bigr => [[[|z [|y [|u [|v [|w [|x []]]]]]] // sz]] _ /=; ring.
Qed.

(* the cube of a sum over ordered pairs of distinct points, by the eight shapes of three edges *)
Theorem cube_by_shapes : edge_sum M ^+ 3
  = 4%:R * triple_sum M + 24%:R * double_adjacent_sum M + 8%:R * triangle_sum M + 24%:R * path_sum M
    + 8%:R * star_sum M + 6%:R * double_apart_sum M + 12%:R * cherry_apart_sum M + three_apart_sum M.
Proof.
have -> : edge_sum M ^+ 3 = edge_sum M * edge_sum M * edge_sum M by ring.
have := double_times_edge; have := cherry_times_edge; have := two_apart_times_edge; rewrite edge_times_edge.
move: (edge_sum M) (double_sum M) (cherry_sum M) (two_apart_sum M) => e d c a.
by rewrite 2!mulrDl -!mulrA => -> -> ->; ring.
Qed.
End Cube.
