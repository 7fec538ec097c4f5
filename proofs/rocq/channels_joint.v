(* Flips of labels that depend on each other, given only the rates of the two classes: what the mean of the pairwise
   gain is at least; about the library's own code. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs noise core generated tie evaluate channels channels_gains.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* a d - b c, half of whose absolute value is the pairwise gain *)
Definition signed_pairs (R : realFieldType) (t : 'I_2 -> 'I_2 -> R) : R := t 0 0 * t 1 1 - t 0 1 * t 1 0.

Section Joint.
(* outcomes with their probabilities, the noisy table of each, and the table without noise *)
Variables (R : realFieldType) (outcome : finType) (chance : outcome -> R).
Variables (noisy : outcome -> 'I_2 -> 'I_2 -> R) (t : 'I_2 -> 'I_2 -> R) (tau_pos tau_neg : R).

(* flips leave every example in its child, and each class has its rate on average; nothing is said of dependence *)
Definition flips_at_rates :=
  [/\ (forall w, 0 <= chance w) /\ \sum_w chance w = 1,
      forall w i, \sum_k noisy w i k = \sum_k t i k &
      forall i k, \sum_w chance w * noisy w i k = py_expected (py_class_conditional tau_pos tau_neg) t i k].

(* The mean of the signed number of pairs is 1 - tau_pos - tau_neg times that without noise, at every sample size and
   whatever the dependence between the flips. *)
Theorem signed_pairs_rescale_in_mean_of_dependent_flips : flips_at_rates ->
  \sum_w chance w * signed_pairs (noisy w) = (1 - tau_pos - tau_neg) * signed_pairs t.
Proof.
move=> [_ sz mean]; have e w : chance w * signed_pairs (noisy w)
    = chance w * noisy w 0 0 * (\sum_k t 1 k) - (\sum_k t 0 k) * (chance w * noisy w 1 0).
  by rewrite -(sz w 1) -(sz w 0) !sum2 /signed_pairs; ring.
rewrite (eq_bigr _ (fun w _ => e w)) sumrB -mulr_suml -mulr_sumr !mean.
by rewrite /signed_pairs /py_expected /py_class_conditional !sum2 /=; ring.
Qed.

(* So the mean pairwise gain of the noisy split is at least |1 - tau_pos - tau_neg| times the gain without noise. *)
Theorem mean_pairwise_gain_of_dependent_flips : flips_at_rates ->
  `|1 - tau_pos - tau_neg| * py_pairwise_gain t <= \sum_w chance w * py_pairwise_gain (noisy w).
Proof.
move=> h; have [[c0 _] _ _] := h; rewrite /py_pairwise_gain -/(signed_pairs t) mulrA -normrM.
rewrite -(signed_pairs_rescale_in_mean_of_dependent_flips h).
rewrite [X in _ <= X](eq_bigr (fun w => `|chance w * signed_pairs (noisy w)| / 2%:R)) => [|w _]; last first.
  by rewrite normrM (ger0_norm (c0 w)) mulrA.
by rewrite -mulr_suml ler_pmul2r ?invr_gt0 ?ltr0n // ler_norm_sum.
Qed.
End Joint.

(* all examples flip together, with chance 1/4, or none does *)
Example dependent_flips_instance (R : realFieldType) :
  let t := counts_of R 2 2 [:: [:: 3; 1]; [:: 1; 2]]%N in let all := counts_of R 2 2 [:: [:: 1; 3]; [:: 2; 1]]%N in
  flips_at_rates (fun w : bool => if w then 1 / 4%:R else 3%:R / 4%:R) (fun w => if w then all else t) t
    (1 / 4%:R) (1 / 4%:R).
Proof.
move=> t all; split.
- by split=> [[]|]; [evaluate | evaluate | rewrite big_bool /=; evaluate].
- by move=> [] i //; case: (class_of_two i) => ->; rewrite /t /all; evaluate.
move=> i k; rewrite big_bool /= /t /all.
by case: (class_of_two i) => ->; case: (class_of_two k) => ->; evaluate.
Qed.
