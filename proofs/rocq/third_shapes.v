(* The third moment of a sum over pairs, by the shapes of three edges: of any points, and of points in blocks. *)
From mathcomp Require Import all_ssreflect fingroup perm ssralg ssrnum ssrint zmodp.
From mathcomp Require Import ring.
From splitcrit Require Import defs null factorial.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* The shapes of three edges, the cube of a sum over pairs as their sum, and its mean over all permutations. *)
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

(* The third moment of a sum over pairs of which one side is permuted: both sides by the same eight shapes. *)
Section Diagonal.
Variables (R : realFieldType) (T : finType) (M : T -> T -> R).
Definition off_diagonal u v : R := if u == v then 0 else M u v.

Ltac off := rewrite /= /off_diagonal !inE ?negb_or;
  repeat match goal with
  | |- is_true (_ && _) -> _ => move=> /andP []
  | |- is_true (_ != _) -> _ => move=> /negPf ->
  | |- is_true _ -> _ => move=> _
  end; rewrite //.

Lemma edge_off : edge_sum off_diagonal = edge_sum M.
Proof. by apply: eq_bigr => [[[|u [|v []]] // sz]]; off. Qed.
Lemma double_off : double_sum off_diagonal = double_sum M.
Proof. by apply: eq_bigr => [[[|u [|v []]] // sz]]; off. Qed.
Lemma cherry_off : cherry_sum off_diagonal = cherry_sum M.
Proof. by apply: eq_bigr => [[[|u [|v [|w []]]] // sz]]; off. Qed.
Lemma triple_off : triple_sum off_diagonal = triple_sum M.
Proof. by apply: eq_bigr => [[[|u [|v []]] // sz]]; off. Qed.
Lemma double_adjacent_off : double_adjacent_sum off_diagonal = double_adjacent_sum M.
Proof. by apply: eq_bigr => [[[|u [|v [|w []]]] // sz]]; off. Qed.
Lemma triangle_off : triangle_sum off_diagonal = triangle_sum M.
Proof. by apply: eq_bigr => [[[|u [|v [|w []]]] // sz]]; off. Qed.
Lemma path_off : path_sum off_diagonal = path_sum M.
Proof. by apply: eq_bigr => [[[|u [|v [|w [|x []]]]] // sz]]; off. Qed.
Lemma star_off : star_sum off_diagonal = star_sum M.
Proof. by apply: eq_bigr => [[[|u [|v [|w [|x []]]]] // sz]]; off. Qed.
Lemma double_apart_off : double_apart_sum off_diagonal = double_apart_sum M.
Proof. by apply: eq_bigr => [[[|u [|v [|w [|x []]]]] // sz]]; off. Qed.
Lemma cherry_apart_off : cherry_apart_sum off_diagonal = cherry_apart_sum M.
Proof. by apply: eq_bigr => [[[|u [|v [|w [|x [|y []]]]]] // sz]]; off. Qed.
Lemma three_apart_off : three_apart_sum off_diagonal = three_apart_sum M.
Proof. by apply: eq_bigr => [[[|u [|v [|w [|x [|y [|z []]]]]]] // sz]]; off. Qed.

Lemma D2E : D2 M = edge_sum M.
Proof.
rewrite -edge_off -pairsE => [|u]; last by rewrite /off_diagonal eqxx.
apply: eq_bigr => u _; rewrite [RHS](bigD1 u) //= {1}/off_diagonal eqxx add0r.
by apply: eq_bigr => v vu; rewrite /off_diagonal eq_sym (negPf vu).
Qed.

Hypothesis sym : forall u v, M u v = M v u.
Lemma off_sym u v : off_diagonal u v = off_diagonal v u. Proof. by rewrite /off_diagonal eq_sym sym. Qed.
Lemma off_diag u : off_diagonal u u = 0. Proof. by rewrite /off_diagonal eqxx. Qed.

Lemma double_apartE :
  double_apart_sum M = double_sum M * edge_sum M - 4%:R * double_adjacent_sum M - 2%:R * triple_sum M.
Proof.
have := double_times_edge off_sym off_diag; rewrite double_off edge_off triple_off double_adjacent_off double_apart_off.
by move=> ->; ring.
Qed.
Lemma cherry_apartE : cherry_apart_sum M = cherry_sum M * edge_sum M - 4%:R * path_sum M - 2%:R * star_sum M
  - 4%:R * double_adjacent_sum M - 2%:R * triangle_sum M.
Proof.
have := cherry_times_edge off_sym off_diag; rewrite cherry_off edge_off double_adjacent_off triangle_off path_off.
by rewrite star_off cherry_apart_off => ->; ring.
Qed.

(* the cube of a sum over ordered pairs of distinct points, by the eight shapes of three edges *)
Theorem cube_of_pairs : edge_sum M ^+ 3
  = 4%:R * triple_sum M + 24%:R * double_adjacent_sum M + 8%:R * triangle_sum M + 24%:R * path_sum M
    + 8%:R * star_sum M + 6%:R * double_apart_sum M + 12%:R * cherry_apart_sum M + three_apart_sum M.
Proof.
have := cube_by_shapes off_sym off_diag; rewrite edge_off triple_off double_adjacent_off triangle_off path_off star_off.
by rewrite double_apart_off cherry_apart_off three_apart_off.
Qed.
End Diagonal.

Section Mean.
Variables (R : realFieldType) (T : finType) (W Z : T -> T -> R).
Hypotheses (Wsym : forall u v, W u v = W v u) (Zsym : forall u v, Z u v = Z v u).
Local Notation falling m := ((#|T| ^_ m)%:R : R).

(* a sum over m distinct points, the points of one factor permuted: its mean is the product of two sums over (n)_m *)
Lemma mean_of_distinct m (A B : of_points R T m) :
  mean (fun s : {perm T} => \sum_(t : m.-tuple T | uniq t) at_points A t * at_points B (map s t))
  = distinct_sum A * distinct_sum B / falling m.
Proof.
case: (leqP m #|T|) => mT; last first.
  rewrite /distinct_sum big1 => [|t ut]; last by have := card_ge ut (size_tuple t); rewrite leqNgt mT.
  rewrite !mul0r /mean big1 ?mul0r // => s _.
  by rewrite big1 // => t ut; have := card_ge ut (size_tuple t); rewrite leqNgt mT.
have N0 : falling m != 0 by rewrite pnatr_eq0 -lt0n ffact_gt0.
have := @factor R T m (fun t : m.-tuple T => at_points A t) (fun t : m.-tuple T => at_points B t).
rewrite /mean /distinct_sum /=.
move: (\sum_(s : {perm T}) _) (\sum_(t : _ | _) at_points A _) (\sum_(t : _ | _) at_points B _) => S a b.
move: N0 (nfact0 R T).
move: (falling m) (#|T|`!%:R : R) => x g x0 g0 e; apply: (mulfI x0); rewrite mulrA e; field.
by rewrite x0 g0.
Qed.


Local Notation moved s := (fun u v => W u v * Z (s u) (s v)).
Lemma mean_triple : mean (fun s : {perm T} => triple_sum (moved s)) = triple_sum W * triple_sum Z / falling 2.
Proof. by rewrite -mean_of_distinct; apply: mean_ext => s; apply: eq_bigr => [[[|u [|v []]] // sz]] _ /=; ring. Qed.
Lemma mean_double_adjacent : mean (fun s : {perm T} => double_adjacent_sum (moved s))
  = double_adjacent_sum W * double_adjacent_sum Z / falling 3.
Proof.
by rewrite -mean_of_distinct; apply: mean_ext => s; apply: eq_bigr => [[[|u [|v [|w []]]] // sz]] _ /=; ring.
Qed.
Lemma mean_triangle : mean (fun s : {perm T} => triangle_sum (moved s)) = triangle_sum W * triangle_sum Z / falling 3.
Proof.
by rewrite -mean_of_distinct; apply: mean_ext => s; apply: eq_bigr => [[[|u [|v [|w []]]] // sz]] _ /=; ring.
Qed.
Lemma mean_path : mean (fun s : {perm T} => path_sum (moved s)) = path_sum W * path_sum Z / falling 4.
Proof.
by rewrite -mean_of_distinct; apply: mean_ext => s; apply: eq_bigr => [[[|u [|v [|w [|x []]]]] // sz]] _ /=; ring.
Qed.
Lemma mean_star : mean (fun s : {perm T} => star_sum (moved s)) = star_sum W * star_sum Z / falling 4.
Proof.
by rewrite -mean_of_distinct; apply: mean_ext => s; apply: eq_bigr => [[[|u [|v [|w [|x []]]]] // sz]] _ /=; ring.
Qed.
Lemma mean_double_apart : mean (fun s : {perm T} => double_apart_sum (moved s))
  = double_apart_sum W * double_apart_sum Z / falling 4.
Proof.
by rewrite -mean_of_distinct; apply: mean_ext => s; apply: eq_bigr => [[[|u [|v [|w [|x []]]]] // sz]] _ /=; ring.
Qed.
Lemma mean_cherry_apart : mean (fun s : {perm T} => cherry_apart_sum (moved s))
  = cherry_apart_sum W * cherry_apart_sum Z / falling 5.
Proof.
rewrite -mean_of_distinct; apply: mean_ext => s.
by apply: eq_bigr => [[[|u [|v [|w [|x [|y []]]]]] // sz]] _ /=; ring.
Qed.
Lemma mean_three_apart : mean (fun s : {perm T} => three_apart_sum (moved s))
  = three_apart_sum W * three_apart_sum Z / falling 6.
Proof.
rewrite -mean_of_distinct; apply: mean_ext => s.
by apply: eq_bigr => [[[|u [|v [|w [|x [|y [|z []]]]]]] // sz]] _ /=; ring.
Qed.

(* the third moment of the sum over pairs: eight shapes, each its number of copies times the sums of both sides *)
Theorem mean_stat_cube : mean (fun s => stat W Z s ^+ 3)
  = 4%:R * (triple_sum W * triple_sum Z / falling 2)
    + 24%:R * (double_adjacent_sum W * double_adjacent_sum Z / falling 3)
    + 8%:R * (triangle_sum W * triangle_sum Z / falling 3) + 24%:R * (path_sum W * path_sum Z / falling 4)
    + 8%:R * (star_sum W * star_sum Z / falling 4) + 6%:R * (double_apart_sum W * double_apart_sum Z / falling 4)
    + 12%:R * (cherry_apart_sum W * cherry_apart_sum Z / falling 5)
    + three_apart_sum W * three_apart_sum Z / falling 6.
Proof.
rewrite -mean_triple -mean_double_adjacent -mean_triangle -mean_path -mean_star -mean_double_apart.
rewrite -mean_cherry_apart -mean_three_apart -!mean_scale -!mean_add; apply: mean_ext => s.
by rewrite /stat D2E cube_of_pairs // => u v; rewrite Wsym Zsym.
Qed.
End Mean.

(* The sums of the shapes over points in blocks: every connected shape is a falling factorial per block. *)
Lemma ffact_next (R : realFieldType) n m : (n ^_ m.+1)%:R = (n ^_ m)%:R * (n%:R - m%:R) :> R.
Proof.
case: (leqP m n) => h; first by rewrite ffactnSr natrM natrB.
by rewrite !ffact_small ?mul0r // ltnW.
Qed.
Lemma ffact_first (R : realFieldType) n : (n ^_ 1)%:R = n%:R :> R.
Proof. by rewrite ffactn1. Qed.

Section Blocks.
Variables (R : realFieldType) (T : finType) (r : nat) (f : T -> 'I_r) (c : 'I_r -> R).
Local Notation size_of i := #|[pred u | f u == i]|.
Local Notation M := (same f c).

(* sum over the blocks of (a)_m times c^e *)
Definition block_sum m e : R := \sum_i (size_of i ^_ m)%:R * c i ^+ e.

Definition together (h : 'I_r -> R) (t : seq T) : R :=
  if t is u :: l then (all (fun v => f u == f v) l)%:R * h (f u) else 0.

Lemma sum_together m (h : 'I_r -> R) :
  \sum_(t : m.+1.-tuple T | uniq t) together h t = \sum_i (size_of i ^_ m.+1)%:R * h i.
Proof.
have count i : (size_of i ^_ m.+1)%:R = \sum_(t : m.+1.-tuple T | uniq t) (all (fun u => f u == i) t)%:R :> R.
  rewrite -card_uniq_tuples -sum1_card natr_sum big_mkcond [RHS]big_mkcond /=.
  by apply: eq_bigr => t _; rewrite inE andbC; case: uniq => //=; case: all.
rewrite (eq_bigr (fun i => \sum_(t : m.+1.-tuple T | uniq t) (all (fun u => f u == i) t)%:R * h i)); last first.
  by move=> i _; rewrite count mulr_suml.
rewrite exchange_big /=; apply: eq_bigr => [[[|u l] // sz]] _ /=.
rewrite [RHS](bigD1 (f u)) //= eqxx /= [X in _ = _ + X]big1 ?addr0; last first.
  by move=> i /negPf iu; rewrite eq_sym iu mul0r.
by congr (_%:R * _); congr nat_of_bool; apply: eq_all => v; rewrite eq_sym.
Qed.

Ltac same_cases :=
  rewrite /= /same; repeat (let e := fresh in case: eqP => [e|_]; rewrite -?e);
  rewrite /= ?eqxx /= ?expr0n /=; try ring.

Lemma edge_block : edge_sum M = block_sum 2 1.
Proof.
rewrite /block_sum -(sum_together 1 (fun i => c i ^+ 1)); apply: eq_bigr => [[[|u [|v []]] // sz]] _.
by same_cases.
Qed.
Lemma double_block : double_sum M = block_sum 2 2.
Proof.
rewrite /block_sum -(sum_together 1 (fun i => c i ^+ 2)); apply: eq_bigr => [[[|u [|v []]] // sz]] _.
by same_cases.
Qed.
Lemma triple_block : triple_sum M = block_sum 2 3.
Proof.
rewrite /block_sum -(sum_together 1 (fun i => c i ^+ 3)); apply: eq_bigr => [[[|u [|v []]] // sz]] _.
by same_cases.
Qed.
Lemma cherry_block : cherry_sum M = block_sum 3 2.
Proof.
rewrite /block_sum -(sum_together 2 (fun i => c i ^+ 2)); apply: eq_bigr => [[[|u [|v [|w []]]] // sz]] _.
by same_cases.
Qed.
Lemma double_adjacent_block : double_adjacent_sum M = block_sum 3 3.
Proof.
rewrite /block_sum -(sum_together 2 (fun i => c i ^+ 3)); apply: eq_bigr => [[[|u [|v [|w []]]] // sz]] _.
by same_cases.
Qed.
Lemma triangle_block : triangle_sum M = block_sum 3 3.
Proof.
rewrite /block_sum -(sum_together 2 (fun i => c i ^+ 3)); apply: eq_bigr => [[[|u [|v [|w []]]] // sz]] _.
by same_cases.
Qed.
Lemma path_block : path_sum M = block_sum 4 3.
Proof.
rewrite /block_sum -(sum_together 3 (fun i => c i ^+ 3)); apply: eq_bigr => [[[|u [|v [|w [|x []]]]] // sz]] _.
by same_cases.
Qed.
Lemma star_block : star_sum M = block_sum 4 3.
Proof.
rewrite /block_sum -(sum_together 3 (fun i => c i ^+ 3)); apply: eq_bigr => [[[|u [|v [|w [|x []]]]] // sz]] _.
by same_cases.
Qed.
End Blocks.
