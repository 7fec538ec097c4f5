(* Label noise, where orders are lost: witnesses that are computed; and what holds of two classes alone. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs noise core generated tie evaluate channels channels_gains channels_risk.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Limits.
Variable R : realFieldType.
Local Notation table := (counts_of R).

(* Pair-flip noise of rate 1/4 on four classes reverses the order of the Gini gains of two splits of one node. *)
Theorem gini_order_is_lost_of_four_class_pair_flips :
  let one := table 2 4 [:: [:: 0; 0; 1; 0]; [:: 1; 1; 0; 2]]%N in
  let two := table 2 4 [:: [:: 0; 1; 0; 2]; [:: 1; 0; 1; 0]]%N in
  let noisy := py_expected (py_pair_flip_4 (1 / 4%:R)) (r := 2) in
  py_decrease_gini one < py_decrease_gini two /\ py_decrease_gini (noisy two) < py_decrease_gini (noisy one).
Proof. by cbv zeta; split; evaluate. Qed.

(* Pair-flip noise of rate 1/4 on three classes reverses the order of twoing, where it keeps that of the Gini gain. *)
Theorem twoing_order_is_lost_of_three_class_pair_flips :
  let one := table 2 3 [:: [:: 0; 0; 1]; [:: 1; 1; 1]]%N in
  let two := table 2 3 [:: [:: 0; 1; 1]; [:: 1; 0; 1]]%N in
  let noisy := py_expected (py_pair_flip_3 (1 / 4%:R)) (r := 2) in
  py_twoing two < py_twoing one /\ py_twoing (noisy one) < py_twoing (noisy two).
Proof. by cbv zeta; split; evaluate. Qed.

(* Class-conditional noise of rates 2/5 and 1/5 reverses the order of two misclassification gains. *)
Theorem misclassification_order_is_lost_of_class_conditional_noise :
  let one := table 2 2 [:: [:: 0; 1]; [:: 2; 2]]%N in
  let two := table 2 2 [:: [:: 1; 0]; [:: 1; 3]]%N in
  let noisy := py_expected (py_class_conditional (2%:R / 5%:R) (1 / 5%:R)) (r := 2) in
  py_decrease_misclassification one < py_decrease_misclassification two /\
  py_decrease_misclassification (noisy two) < py_decrease_misclassification (noisy one).
Proof. by cbv zeta; split; evaluate. Qed.

(* Pair-flip noise of rate 1/4 on three classes reverses the order of two one-vs-rest pairwise gains. *)
Theorem one_vs_rest_order_is_lost_of_three_class_pair_flips :
  let one := table 2 3 [:: [:: 0; 0; 3]; [:: 1; 2; 0]]%N in
  let two := table 2 3 [:: [:: 0; 2; 0]; [:: 1; 0; 3]]%N in
  let noisy := py_expected (py_pair_flip_3 (1 / 4%:R)) (r := 2) in
  py_one_vs_rest two < py_one_vs_rest one /\ py_one_vs_rest (noisy one) < py_one_vs_rest (noisy two).
Proof. by cbv zeta; split; evaluate. Qed.

(* Pair-flip noise of rate 2/5 on three classes reverses the order of two misclassification gains. *)
Theorem misclassification_order_is_lost_of_three_class_pair_flips :
  let one := table 2 3 [:: [:: 0; 1; 2]; [:: 1; 0; 1]]%N in
  let two := table 2 3 [:: [:: 0; 1; 0]; [:: 1; 0; 3]]%N in
  let noisy := py_expected (py_pair_flip_3 (2%:R / 5%:R)) (r := 2) in
  py_decrease_misclassification one < py_decrease_misclassification two /\
  py_decrease_misclassification (noisy two) < py_decrease_misclassification (noisy one).
Proof. by cbv zeta; split; evaluate. Qed.

(* Symmetric noise of rate 1/4 on three classes reverses the order of two gains of the sum of min(p, 1 - p), which it
   keeps with two classes. *)
Theorem bayes_sum_order_is_lost_of_three_class_symmetric_noise :
  let one := table 2 3 [:: [:: 0; 0; 1]; [:: 2; 3; 2]]%N in
  let two := table 2 3 [:: [:: 0; 2; 3]; [:: 2; 1; 0]]%N in
  let noisy := py_expected (py_symmetric (1 / 4%:R)) (r := 2) in
  py_decrease_bayes_sum one < py_decrease_bayes_sum two /\
  py_decrease_bayes_sum (noisy two) < py_decrease_bayes_sum (noisy one).
Proof. by cbv zeta; split; evaluate. Qed.

(* Pair-flip noise of rate 3/10 on three classes changes the majority of a leaf, where symmetric noise of a rate below
   2/3 keeps it. *)
Theorem majority_is_lost_of_three_class_pair_flips :
  let p := shares_of R 3 [:: 2; 0; 3]%N in let noisy := py_on_distribution (py_pair_flip_3 (3%:R / 10%:R)) p in
  [/\ p 1 < p 0, p 0 < p 2%:R, noisy 1 < noisy 0 & noisy 2%:R < noisy 0].
Proof. by cbv zeta; split; evaluate. Qed.

(* The square loss is not symmetric: symmetric noise of rate 2/5 makes the sure action, better without noise, worse than
   the uniform one. *)
Theorem better_action_changes_of_square :
  let p := shares_of R 2 [:: 9; 1]%N in let noisy := py_on_distribution (py_symmetric (2%:R / 5%:R)) p in
  let first := shares_of R 2 [:: 1; 0]%N in let even := shares_of R 2 [:: 1; 1]%N in
  py_risk (py_square first) p < py_risk (py_square even) p /\
  py_risk (py_square even) noisy < py_risk (py_square first) noisy.
Proof. by cbv zeta; split; evaluate. Qed.
End Limits.
