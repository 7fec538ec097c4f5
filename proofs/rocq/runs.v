(* Runs of examples and orders of categories: convex along them, so that some best cut or grouping is at an end. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs risk vertex generated tie gains vertices breiman superclasses refinement pairs order.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Runs.
Variables (R : realFieldType) (K : nat).
Implicit Types t u : 'I_2 -> 'I_K -> R.
(* two splits of one node: each class has as many examples in both *)
Definition of_one_node t u := forall k, t 0 k + t 1 k = u 0 k + u 1 k.
(* the split a part a of the way back from u to t: as many examples of each class as lie between the two *)
Definition between a t u : 'I_2 -> 'I_K -> R := fun i k => a * t i k + (1 - a) * u i k.

Lemma between_crossing a t u k : of_one_node t u ->
  py_crossing (between a t u) k = a * py_crossing t k + (1 - a) * py_crossing u k.
Proof.
move=> e; rewrite /py_crossing /between.
have sums i : \sum_j (a * t i j + (1 - a) * u i j) = a * (\sum_j t i j) + (1 - a) * (\sum_j u i j).
  by rewrite !mulr_sumr -big_split.
have whole : \sum_j t 0 j + \sum_j t 1 j = \sum_j u 0 j + \sum_j u 1 j.
  by rewrite -!big_split; apply: eq_bigr => j _ /=.
have e1 : t 1 k = u 0 k + u 1 k - t 0 k by rewrite -e addrC addKr.
have w1 : \sum_j t 1 j = \sum_j u 0 j + \sum_j u 1 j - \sum_j t 0 j by rewrite -whole addrC addKr.
rewrite !sums e1 w1; move: (\sum_j t 0 j) (\sum_j u 0 j) (\sum_j u 1 j) (t 0 k) (u 0 k) (u 1 k) => *; ring.
Qed.

(* One-vs-rest pairwise gain is convex between two splits of a node, for any number of classes: inside a run of
   examples of one class, or of one mixture of classes, it is at most a mixture of its values at the ends. *)
Theorem py_one_vs_rest_is_convex_between_splits a t u : 0 <= a <= 1 -> of_one_node t u ->
  py_one_vs_rest (between a t u) <= a * py_one_vs_rest t + (1 - a) * py_one_vs_rest u.
Proof.
move=> /andP[a0 a1] e; have b0 : 0 <= 1 - a by rewrite subr_ge0.
rewrite !one_vs_restE !mulrA -mulrDl; apply: ler_wpmul2r; first by rewrite invr_ge0 ler0n.
rewrite !mulr_sumr -big_split; apply: ler_sum => k _ /=; rewrite between_crossing //.
by apply: le_trans (ler_norm_add _ _) _; rewrite !normrM (ger0_norm a0) (ger0_norm b0).
Qed.

(* an instance: two splits of a node of ones *)
Example run_instance : of_one_node (fun _ _ => 1 : R) (fun i _ => if i == 0 then 2%:R else 0).
Proof. by move=> k /=; rewrite addr0. Qed.
End Runs.

Section Groupings.
Variables (R : realFieldType) (n : nat).

(* With two classes, of any number of categories in the order of their shares of a class, some cut of that order is as
   good as any grouping, be it one that divides categories, for every concave impurity. *)
Theorem best_grouping_of_concave_impurity_is_a_cut (phi : ('I_2 -> R) -> R) (c : 'I_n -> 'I_2 -> R) :
  extensional phi -> concave phi -> (forall j, nonneg (c j)) -> in_order_of_share c ->
  exists m, forall al, cube al -> decrease phi (grouped c al) <= decrease phi (grouped c (cut R m)).
Proof. by move=> ext conc; exact: concave_cut. Qed.
End Groupings.
