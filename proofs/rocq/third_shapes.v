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
End Cube.
