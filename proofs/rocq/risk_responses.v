(* Regression: variance and mean absolute deviation as least risks, of the printed code. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs risk generated concave losses risk_gains.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Responses.
Variables (R : realFieldType) (K : nat).
Implicit Types v p : 'I_K -> R.

(* Risk of the squared error = variance of the response + the squared distance of the action from the mean. *)
Theorem py_squared_error_excess v p (w : R) : \sum_k p k = 1 ->
  py_risk (py_squared_error v w) p = py_response_variance v p + (w - py_mean_response v p) ^+ 2.
Proof.
move=> p1; rewrite py_riskE /py_response_variance -/(py_mean_response v p); set m := py_mean_response v p.
have cross : \sum_k p k * (v k - m) = 0.
  rewrite (eq_bigr (fun k => p k * v k + (- m) * p k)); last by move=> k _; ring.
  by rewrite big_split /= -mulr_sumr p1 mulr1 /m /py_mean_response subrr.
rewrite (eq_bigr (fun k => p k * (v k - m) * (v k - m)
    + ((- 2%:R) * (w - m) * (p k * (v k - m)) + (w - m) ^+ 2 * p k))); last first.
  by move=> k _; rewrite /py_squared_error; ring.
by rewrite !big_split /= -!mulr_sumr cross mulr0 add0r p1 mulr1.
Qed.

(* The variance of the response is the least risk of the squared error, attained at the mean response. *)
Theorem py_variance_is_least_squared_error v :
  minimised_risk (fun=> True) (py_squared_error v) (py_response_variance v) /\
  forall p, distribution p -> py_risk (py_squared_error v (py_mean_response v p)) p = py_response_variance v p.
Proof.
have at_ p : distribution p -> py_risk (py_squared_error v (py_mean_response v p)) p = py_response_variance v p.
  by move=> d; rewrite py_squared_error_excess ?d.2 // subrr expr0n addr0.
split=> //; apply: minimised_of_attained => [p w d _|p d].
  by rewrite py_squared_error_excess ?d.2 // ler_addl sqr_ge0.
by exists (py_mean_response v p); rewrite ?at_.
Qed.

(* The mean response is the only action with the least risk of the squared error. *)
Theorem py_squared_error_minimiser_is_unique v p (w : R) : \sum_k p k = 1 ->
  py_risk (py_squared_error v w) p = py_response_variance v p -> w = py_mean_response v p.
Proof.
move=> p1; rewrite py_squared_error_excess // => /eqP; rewrite -subr_eq0 addrC addKr sqrf_eq0 subr_eq0.
by move/eqP.
Qed.

(* The reduction of variance by a split is the weighted variance of the rows' mean responses about the node's. *)
Theorem py_variance_gain_is_spread_of_means r v (t : 'I_r -> 'I_K -> R) : weights t ->
  py_decrease (py_response_variance v) t
  = (\sum_i size (t i) * (py_mean_response v (row_shares t i) - py_mean_response v (node_shares t)) ^+ 2) / whole t.
Proof.
move=> t0; pose m := py_mean_response v (node_shares t).
apply: (@gain_as_excess R r K (py_response_variance v) t t0 (py_squared_error v m)) => [nz|i nz].
  by rewrite py_squared_error_excess ?(node_distribution _ _).2 // subrr expr0n addr0.
by rewrite py_squared_error_excess ?(row_distribution _ _).2 // -sqrrN opprB.
Qed.
End Responses.

Section Median.
Variable R : realFieldType.

Definition weight_of K (p : 'I_K -> R) (s : pred 'I_K) := \sum_(k | s k) p k.

Lemma weight_split K (p : 'I_K -> R) (s : pred 'I_K) a b :
  \sum_k p k * (if s k then a else b) = a * weight_of p s + b * weight_of p (predC s).
Proof.
rewrite (bigID s) /=; congr (_ + _); rewrite mulr_sumr; apply: eq_bigr => k.
  by move=> ->; rewrite mulrC.
by move=> /negPf /= ->; rewrite mulrC.
Qed.

(* Going down from w costs no more while the responses up to w weigh as much as those above. *)
Lemma absolute_error_down K (v p : 'I_K -> R) (u w : R) : (forall k, 0 <= p k) -> u <= w ->
  (forall k, v k <= w -> v k <= u) ->
  weight_of p (fun k => w < v k) <= weight_of p (fun k => v k <= w) ->
  py_risk (py_absolute_error v u) p <= py_risk (py_absolute_error v w) p.
Proof.
move=> p0 uw gap heavy; rewrite -subr_ge0 !py_riskE -sumrB.
rewrite (eq_bigr (fun k => p k * (if v k <= w then w - u else - (w - u)))); last first.
  move=> k _; rewrite -mulrBr /py_absolute_error; congr (_ * _); case: leP => h.
    by rewrite !ger0_norm ?subr_ge0 ?gap //; ring.
  by rewrite !ltr0_norm ?subr_lt0 //; [ring|exact: le_lt_trans uw h].
rewrite weight_split mulNr -mulrBr mulr_ge0 ?subr_ge0 //; move: heavy; apply: le_trans.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigl => k /=; rewrite -ltNge.
Qed.

Lemma weight_mono K (p : 'I_K -> R) (s s' : pred 'I_K) : (forall k, 0 <= p k) -> subpred s s' ->
  weight_of p s <= weight_of p s'.
Proof.
move=> p0 sub; rewrite /weight_of [X in _ <= X](bigID s) /= (eq_bigl (fun k => s' k && s k)); last first.
  by move=> k; case e: (s k); rewrite ?andbF // (sub _ e).
by rewrite ler_addl; apply: sumr_ge0.
Qed.

Lemma weight_all K (p : 'I_K -> R) (w : R) (v : 'I_K -> R) : \sum_k p k = 1 ->
  weight_of p (fun k => v k <= w) + weight_of p (fun k => w < v k) = 1.
Proof.
move=> <-; rewrite [RHS](bigID (fun k => v k <= w)) /=; congr (_ + _).
by apply: eq_bigl => k; rewrite ltNge.
Qed.

(* some response costs no more than w, if the responses up to w weigh as much as those above *)
Lemma response_below K (v p : 'I_K -> R) (w : R) : distribution p ->
  weight_of p (fun k => w < v k) <= weight_of p (fun k => v k <= w) ->
  exists j, py_risk (py_absolute_error v (v j)) p <= py_risk (py_absolute_error v w) p.
Proof.
move=> [p0 p1] heavy; have [k0 vk0|none] := pickP (fun k => v k <= w); last first.
  move: heavy (weight_all w v p1); rewrite {2 3}/weight_of !big_pred0 // add0r => h e.
  by move: h; rewrite e ler10.
have [j vj top] := @Order.TotalTheory.arg_maxP _ _ _ k0 (fun k => v k <= w) v vk0.
by exists j; apply: absolute_error_down => // k h; exact: top.
Qed.

Lemma absolute_error_reflected K (v p : 'I_K -> R) (w : R) :
  py_risk (py_absolute_error (fun k => - v k) (- w)) p = py_risk (py_absolute_error v w) p.
Proof. by rewrite !py_riskE; apply: eq_bigr => k _; rewrite /py_absolute_error -normrN opprD !opprK. Qed.

Lemma some_response K (v p : 'I_K -> R) (w : R) : distribution p ->
  exists j, py_risk (py_absolute_error v (v j)) p <= py_risk (py_absolute_error v w) p.
Proof.
move=> d; have [p0 p1] := d.
case: (leP (weight_of p (fun k => w < v k)) (weight_of p (fun k => v k <= w))) => h; first exact: response_below.
have [|j] := @response_below K (fun k => - v k) p (- w) d; last first.
  by rewrite !absolute_error_reflected; exists j.
apply: le_trans (le_trans (ltW h) _); apply: weight_mono => // k /=; rewrite ?ltr_opp2 ?ler_opp2; exact: ltW.
Qed.

(* The deviation about the median is the least risk of the absolute error over all numbers; a response attains it. *)
Theorem py_absolute_deviation_is_least_absolute_error K (v : 'I_K.+1 -> R) :
  minimised_risk (fun=> True) (py_absolute_error v) (py_absolute_deviation v) /\
  attained (fun w => exists j, w = v j) (py_absolute_error v) (py_absolute_deviation v).
Proof.
have riskE (p : 'I_K.+1 -> R) w : py_risk (py_absolute_error v w) p = \sum_k p k * `|v k - w|.
  by rewrite py_riskE; apply: eq_bigr => k _; rewrite /py_absolute_error distrC.
have att : attained (fun w => exists j, w = v j) (py_absolute_error v) (py_absolute_deviation v).
  move=> p d; rewrite /py_absolute_deviation.
  have [j ->] := @min_is_a_member R _ _ (fun j => \sum_k p k * `|v k - v j|) ord0 erefl.
  by exists (v j); [exists j|rewrite riskE].
split=> //; apply: minimised_of_attained => [p w d _|p d]; last first.
  by have [w _ e] := att p d; exists w.
have [j h] := @some_response K.+1 v p w d; apply: le_trans h; rewrite riskE.
exact: (min_below _ (fun j => \sum_k p k * `|v k - v j|)).
Qed.

(* A median has the least risk of the absolute error: at most half the weight lies below it, at most half above. *)
Theorem py_median_has_least_absolute_error K (v p : 'I_K -> R) (u w : R) : distribution p ->
  2%:R * weight_of p (fun k => v k < u) <= 1 -> 2%:R * weight_of p (fun k => u < v k) <= 1 ->
  py_risk (py_absolute_error v u) p <= py_risk (py_absolute_error v w) p.
Proof.
suff up (v' : 'I_K -> R) (u' w' : R) : distribution p -> u' <= w' -> 2%:R * weight_of p (fun k => u' < v' k) <= 1 ->
    py_risk (py_absolute_error v' u') p <= py_risk (py_absolute_error v' w') p.
  move=> d lo hi; case: (leP u w) => h; first exact: up.
  rewrite -(absolute_error_reflected v p u) -(absolute_error_reflected v p w).
  apply: up => //; first by rewrite ler_opp2 ltW.
  by apply: le_trans lo; rewrite ler_pmul2l ?ltr0n //; apply: weight_mono d.1 _ => k /=; rewrite ltr_opp2.
move=> [p0 p1] uw light; rewrite -subr_ge0 !py_riskE -sumrB.
apply: (@le_trans _ _ (\sum_k p k * (if v' k <= u' then w' - u' else - (w' - u')))).
  rewrite weight_split mulNr -mulrBr mulr_ge0 ?subr_ge0 //.
  have -> : weight_of p (predC (fun k => v' k <= u')) = weight_of p (fun k => u' < v' k).
    by apply: eq_bigl => k; rewrite /= -ltNge.
  by move: light; rewrite mulr_natl mulr2n -{1}(weight_all u' v' p1) ler_add2r.
apply: ler_sum => k _; rewrite -mulrBr; apply: ler_wpmul2l => //.
rewrite /py_absolute_error; case: (leP (v' k) u') => h.
  rewrite !ger0_norm ?subr_ge0 ?(le_trans h) // le_eqVlt; apply/orP; left; apply/eqP; ring.
rewrite (ltr0_norm (_ : u' - v' k < 0)) ?subr_lt0 // ler_subr_addr -[X in _ <= X]normrN.
apply: le_trans (ler_norm _).
by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
Qed.

(* Two responses: the variance is half the squared difference of the responses times Gini's impurity. *)
Theorem py_variance_of_two_responses (v p : 'I_2 -> R) : p 0 + p 1 = 1 ->
  py_response_variance v p = (v 0 - v 1) ^+ 2 / 2%:R * py_gini p.
Proof.
move=> p1; rewrite /py_response_variance /py_gini !sum2.
have -> : p 1 = 1 - p 0 by rewrite -p1 addrC addKr.
by move: (p 0) (v 0) (v 1) => x a b; field.
Qed.
End Median.

(* Instances: the hypotheses can hold. *)
Section Instances.
Variable R : realFieldType.
Local Notation p := (@one_third R).
Let v : 'I_2 -> R := fun k => (k == 1)%:R.

Example responses_distribution : distribution p /\ p 0 + p 1 = 1.
Proof.
have d := one_third_is_a_distribution R; split=> //; by have := d.2; rewrite sum2.
Qed.

Example responses_table : weights (@small_table R). Proof. exact: (small_table_has_weights R).1. Qed.

Example mean_of_one_third : \sum_k p k = 1 /\
  py_risk (py_squared_error v (py_mean_response v p)) p = py_response_variance v p.
Proof.
have d := one_third_is_a_distribution R; split; first exact: d.2.
exact: (py_variance_is_least_squared_error v).2.
Qed.

Example median_of_one_third : distribution p /\ 2%:R * weight_of p (fun k => v k < 1) <= 1 /\
  2%:R * weight_of p (fun k => 1 < v k) <= 1.
Proof.
split; first exact: one_third_is_a_distribution.
have above : \sum_(k | 1 < v k) p k = 0.
  by rewrite big1 // => k; rewrite /v; case: (k == 1); rewrite ?ltxx ?ltr10.
rewrite /weight_of above mulr0 ler01 big_mkcond sum2 /v /one_third /= ltr01 ltxx addr0 mul1r.
by rewrite ler_pdivr_mulr ?ltr0n // mul1r ler_nat.
Qed.
End Instances.
