(* Concave impurities over every ordered field, and their gains, of the printed code. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs risk generated concave losses risk_gains risk_responses.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Concavity.
Variable R : realFieldType.

Definition mixture K (a : R) (p q : 'I_K -> R) : 'I_K -> R := fun k => a * p k + (1 - a) * q k.

Lemma mixture_is_distribution K a (p q : 'I_K -> R) : distribution p -> distribution q -> 0 <= a -> a <= 1 ->
  distribution (mixture a p q).
Proof.
move=> [p0 p1] [q0 q1] a0 a1; have b0 : 0 <= 1 - a by rewrite subr_ge0.
split=> [k|]; first by rewrite addr_ge0 // mulr_ge0.
by rewrite big_split /= -!mulr_sumr p1 q1; ring.
Qed.

Lemma chord_ge0 (a x : R) : 0 <= a -> a <= 1 -> 0 <= x -> 0 <= a * (1 - a) * x.
Proof. by move=> a0 a1 x0; rewrite mulr_ge0 // mulr_ge0 // subr_ge0. Qed.

(* Gini's impurity of a mixture exceeds the mixture of the impurities by a (1 - a) times the squared distance. *)
Theorem py_gini_excess_over_chord K a (p q : 'I_K -> R) :
  \sum_k p k = 1 -> \sum_k q k = 1 ->
  py_gini (fun k => a * p k + (1 - a) * q k)
  = a * py_gini p + (1 - a) * py_gini q + a * (1 - a) * (\sum_k (p k - q k) ^+ 2).
Proof.
move=> p1 q1; rewrite /py_gini.
rewrite (eq_bigr (fun k => a * a * (p k * p k) + (2%:R * a * (1 - a) * (p k * q k)
  + (1 - a) * (1 - a) * (q k * q k)))); last by move=> k _; ring.
rewrite [\sum_k (_ - _) ^+ 2](eq_bigr (fun k => p k * p k + ((- 2%:R) * (p k * q k) + q k * q k))); last first.
  by move=> k _; ring.
rewrite !big_split /= -!mulr_sumr.
by move: (\sum_k p k * p k) (\sum_k p k * q k) (\sum_k q k * q k) => x y z; ring.
Qed.

Lemma gini_ge0 K (p : 'I_K -> R) : distribution p -> 0 <= py_gini p.
Proof.
move=> d; have [p0 p1] := d; rewrite /py_gini subr_ge0 -p1; apply: ler_sum => k _.
by rewrite -[X in _ <= X]mulr1; apply: ler_wpmul2l => //; exact: share_le1.
Qed.

(* Gini's impurity is concave on the simplex. *)
Theorem py_gini_is_concave K : concave (@py_gini R K).
Proof.
move=> p q a [p0 p1] [q0 q1] a0 a1; rewrite py_gini_excess_over_chord // ler_addl.
by rewrite chord_ge0 // sumr_ge0 // => k _; exact: sqr_ge0.
Qed.

Lemma gini_ext K : extensional (@py_gini R K).
Proof. by move=> p q e; rewrite /py_gini (eq_bigr (fun k => q k * q k)) // => k _; rewrite e. Qed.

Lemma no_class (p : 'I_0 -> R) : ~ distribution p.
Proof. by move=> [_ /eqP]; rewrite big_ord0 eq_sym oner_eq0. Qed.

Lemma spread_factor K : 0 <= (K.+1%:R - 1) / K.+1%:R :> R.
Proof. by rewrite divr_ge0 ?ler0n // subr_ge0 ler1n. Qed.

Lemma spreadE K (p : 'I_K -> R) : py_spread p = (K%:R - 1) / K%:R * py_gini p.
Proof. by rewrite /py_spread -/(py_gini p) [RHS]mulrC mulrA. Qed.

(* Misclassification is concave on the simplex. *)
Theorem py_misclassification_is_concave K : concave (@py_misclassification R K).
Proof. exact: py_minimised_risk_is_concave (py_misclassification_is_least_zero_one_risk R K).1. Qed.

Lemma misclassification_ext K : extensional (@py_misclassification R K).
Proof. by move=> p q e; rewrite /py_misclassification e (eq_bigr q). Qed.

Lemma min_of_concave K (phi psi : ('I_K -> R) -> R) : concave phi -> concave psi ->
  concave (fun p => Num.min (phi p) (psi p)).
Proof.
move=> cphi cpsi p q a dp dq a0 a1; have b0 : 0 <= 1 - a by rewrite subr_ge0.
rewrite le_minr; apply/andP; split; [apply: le_trans (cphi _ _ _ dp dq a0 a1)|apply: le_trans (cpsi _ _ _ dp dq a0 a1)].
  by apply: ler_add; apply: ler_wpmul2l => //; rewrite le_minl lexx.
by apply: ler_add; apply: ler_wpmul2l => //; rewrite le_minl lexx orbT.
Qed.


(* The sum of the Bayes errors of the classes is concave on the simplex. *)
Theorem py_bayes_sum_is_concave K : concave (@py_bayes_sum R K).
Proof. exact: py_minimised_risk_is_concave (py_bayes_sum_is_least_risk_of_yes_no_answers R K).1. Qed.

(* The variance of a response exceeds that of a chord by a (1 - a) times the squared difference of the means. *)
Theorem py_variance_excess_over_chord K a (v p q : 'I_K -> R) : \sum_k p k = 1 -> \sum_k q k = 1 ->
  py_response_variance v (fun k => a * p k + (1 - a) * q k)
  = a * py_response_variance v p + (1 - a) * py_response_variance v q
    + a * (1 - a) * (py_mean_response v p - py_mean_response v q) ^+ 2.
Proof.
move=> p1 q1; set m := fun k => _; have m1 : \sum_k m k = 1 by rewrite big_split /= -!mulr_sumr p1 q1; ring.
have mE : py_mean_response v m = a * py_mean_response v p + (1 - a) * py_mean_response v q.
  by rewrite /py_mean_response !mulr_sumr -big_split /=; apply: eq_bigr => k _; rewrite /m; ring.
have varE (u : 'I_K -> R) : \sum_k u k = 1 ->
    py_response_variance v u = py_risk (py_squared_error v 0) u - py_mean_response v u ^+ 2.
  by move=> u1; rewrite py_squared_error_excess // sub0r sqrrN addrK.
rewrite !varE // mE.
have -> : py_risk (py_squared_error v 0) m
    = a * py_risk (py_squared_error v 0) p + (1 - a) * py_risk (py_squared_error v 0) q.
  by rewrite !py_riskE !mulr_sumr -big_split /=; apply: eq_bigr => k _; rewrite /m; ring.
by move: (py_risk _ p) (py_risk _ q) (py_mean_response v p) (py_mean_response v q) => x y b c; ring.
Qed.

(* The mean absolute deviation about the median is concave on the simplex. *)
Theorem py_absolute_deviation_is_concave K (v : 'I_K.+1 -> R) : concave (py_absolute_deviation v).
Proof. exact: py_minimised_risk_is_concave (py_absolute_deviation_is_least_absolute_error v).1. Qed.

(* Gini's gain is never negative. *)
Theorem py_gini_gain_is_nonnegative r K (t : 'I_r -> 'I_K -> R) : weights t -> 0 <= py_decrease_gini t.
Proof.
exact: (@py_gain_of_concave_impurity_is_nonnegative R r K (@py_gini R K) t (@gini_ext K) (@py_gini_is_concave K)).
Qed.

(* No split makes more errors: the gain of misclassification is never negative. *)
Theorem py_misclassification_gain_is_nonnegative r K (t : 'I_r -> 'I_K.+1 -> R) : weights t ->
  0 <= py_decrease (@py_misclassification R K) t.
Proof. exact: py_gain_of_minimised_risk_is_nonnegative (py_misclassification_is_least_zero_one_risk R K).1. Qed.

(* The gain of the sum of Bayes errors is never negative. *)
Theorem py_bayes_sum_gain_is_nonnegative r K (t : 'I_r -> 'I_K -> R) : weights t ->
  0 <= py_decrease (@py_bayes_sum R K) t.
Proof. exact: py_gain_of_minimised_risk_is_nonnegative (py_bayes_sum_is_least_risk_of_yes_no_answers R K).1. Qed.

(* The reduction of variance is never negative. *)
Theorem py_variance_gain_is_nonnegative r K v (t : 'I_r -> 'I_K -> R) : weights t ->
  0 <= py_decrease (py_response_variance v) t.
Proof. exact: py_gain_of_minimised_risk_is_nonnegative (py_variance_is_least_squared_error v).1. Qed.

(* The reduction of the deviation about the median is never negative. *)
Theorem py_absolute_deviation_gain_is_nonnegative r K v (t : 'I_r -> 'I_K.+1 -> R) : weights t ->
  0 <= py_decrease (py_absolute_deviation v) t.
Proof. exact: py_gain_of_minimised_risk_is_nonnegative (py_absolute_deviation_is_least_absolute_error v).1. Qed.

End Concavity.

(* Instances: the hypotheses can hold. *)
Section Instances.
Variable R : realFieldType.

Example concavity_distributions : \sum_k (@one_third R) k = 1 /\ \sum_k (@vertex R 2 0) k = 1.
Proof. by split; [exact: (one_third_is_a_distribution R).2|exact: (vertex_is_distribution R 0).2]. Qed.

Example concavity_table : weights (@small_table R). Proof. exact: (small_table_has_weights R).1. Qed.
End Instances.
