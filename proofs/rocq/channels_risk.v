(* Label noise, largest shares and risks, about the library's own code: misclassification, the sum of minorities,
   majorities, losses whose costs sum to a constant. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs noise core generated tie evaluate channels channels_gains.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* an action on the simplex, the action that is sure of class j, and losses whose costs sum to C *)
Definition on_simplex (R : realFieldType) K (w : 'I_K -> R) := (forall k, 0 <= w k) /\ \sum_k w k = 1.
Definition sure (R : realFieldType) K (j k : 'I_K) : R := (k == j)%:R.

Section Largest.
Variable R : realFieldType.

Lemma max_of_affine n (F : 'I_n -> R) x c e : 0 <= c ->
  \big[Num.max/c * x + e]_(k < n) (c * F k + e) = c * \big[Num.max/x]_(k < n) F k + e.
Proof.
move=> c0; elim/big_rec2: _ => // k y z _ ->.
by rewrite -addr_maxl maxr_pmulr.
Qed.

Lemma max_ext n (F G : 'I_n.+1 -> R) : F =1 G ->
  \big[Num.max/F ord0]_(k < n.+1) F k = \big[Num.max/G ord0]_(k < n.+1) G k.
Proof. by move=> e; rewrite e; apply: eq_bigr => k _. Qed.

Lemma on_py_symmetricE K eta (p : 'I_K -> R) k : (1 < K)%N ->
  on_distribution (py_symmetric eta) p k = shrinks K eta * p k + eta / (K%:R - 1) * \sum_j p j.
Proof.
by move=> K1; rewrite -on_symmetricE //; apply: eq_bigr => j _; rewrite py_symmetricE.
Qed.

Lemma rest_of_shrinks K (eta : R) : (1 < K)%N -> 1 - shrinks K eta - eta / (K%:R - 1) = eta.
Proof. by move=> K1; rewrite /shrinks; move: (K%:R : R) (natB1_neq0 R K1) => m m0; field. Qed.

(* Symmetric noise of a rate up to (K - 1)/K multiplies the misclassification impurity of every node by
   1 - K eta/(K - 1) and adds eta. *)
Theorem misclassification_is_affine_of_symmetric_noise K (p : 'I_K.+2 -> R) eta :
  eta <= (K.+2%:R - 1) / K.+2%:R -> \sum_k p k = 1 ->
  py_misclassification (py_on_distribution (py_symmetric eta) p)
  = shrinks K.+2 eta * py_misclassification p + eta.
Proof.
move=> le p1; have c0 : 0 <= shrinks K.+2 eta by rewrite shrinks_ge0.
rewrite /py_misclassification py_on_distributionE.
rewrite (max_ext (G := fun k => shrinks K.+2 eta * p k + eta / (K.+2%:R - 1))); last first.
  by move=> k; rewrite on_py_symmetricE // p1 mulr1.
rewrite max_of_affine // -[X in _ = _ + X](@rest_of_shrinks K.+2 eta) //.
by set c := shrinks _ _; set e := eta / _; set m := \big[_/_]_k _; ring.
Qed.

Lemma misclassification_ext K (p q : 'I_K.+1 -> R) : p =1 q -> py_misclassification p = py_misclassification q.
Proof. by move=> e; rewrite /py_misclassification (max_ext e). Qed.

(* Hence the misclassification gain of every split is multiplied by 1 - K eta/(K - 1). *)
Theorem misclassification_gain_rescales_of_symmetric_noise r K (t : 'I_r -> 'I_K.+2 -> R) eta :
  eta <= (K.+2%:R - 1) / K.+2%:R -> counts t ->
  py_decrease_misclassification (py_expected (py_symmetric eta) t)
  = shrinks K.+2 eta * py_decrease_misclassification t.
Proof.
move=> le t0; have st j : \sum_k @py_symmetric R K.+2 eta j k = 1.
  have := size_on_symmetric eta (fun k => (k == j)%:R : R) (isT : (1 < K.+2)%N).
  have one (F : 'I_K.+2 -> R) : \sum_k (k == j)%:R * F k = F j.
    by rewrite (bigD1 j) //= eqxx mul1r big1 ?addr0 // => k /negPf ->; rewrite mul0r.
  rewrite /size (_ : \sum_k (k == j)%:R = 1); last first.
    by rewrite -[RHS](one (fun=> 1)); apply: eq_bigr => k _; rewrite mulr1.
  by move=> <-; apply: eq_bigr => k _; rewrite /on_distribution one py_symmetricE.
apply: (@gain_of_rescaled R r K.+2 _ (@py_misclassification R K.+1) _ (fun=> eta)) => //.
  exact: misclassification_ext.
move=> p _ p1; rewrite -py_on_distributionE misclassification_is_affine_of_symmetric_noise //.
by rewrite -mulr_sumr p1 mulr1.
Qed.

(* The order of misclassification gains stays below the rate (K - 1)/K. *)
Theorem misclassification_order_is_kept_of_symmetric_noise r s K (t : 'I_r -> 'I_K.+2 -> R) (u : 'I_s -> 'I_K.+2 -> R)
    eta : eta < (K.+2%:R - 1) / K.+2%:R -> counts t -> counts u ->
  (py_decrease_misclassification (py_expected (py_symmetric eta) t)
    < py_decrease_misclassification (py_expected (py_symmetric eta) u))
  = (py_decrease_misclassification t < py_decrease_misclassification u).
Proof.
move=> lt t0 u0; rewrite !misclassification_gain_rescales_of_symmetric_noise ?ltW // ltr_pmul2l //.
by rewrite shrinks_gt0.
Qed.

(* The sum of minorities of a table with counts is multiplied by 1 - K eta/(K - 1), less eta. *)
Theorem sum_minority_is_affine_of_symmetric_noise r K (t : 'I_r -> 'I_K.+2 -> R) eta :
  eta <= (K.+2%:R - 1) / K.+2%:R -> \sum_i \sum_k t i k != 0 ->
  py_sum_minority (py_expected (py_symmetric eta) t) = shrinks K.+2 eta * py_sum_minority t - eta.
Proof.
move=> le n0; have c0 : 0 <= shrinks K.+2 eta by rewrite shrinks_ge0.
rewrite /py_sum_minority py_expectedE.
have sz i : \sum_k expected (py_symmetric eta) t i k = \sum_k t i k.
  rewrite -/(size (t i)) -(size_on_symmetric eta (t i) (isT : (1 < K.+2)%N)); apply: eq_bigr => k _.
  by apply: eq_bigr => j _; rewrite py_symmetricE.
rewrite (eq_bigr _ (fun i _ => sz i)) (negPf n0).
have top i : \sum_k expected (py_symmetric eta) t i k
    - \big[Num.max/expected (py_symmetric eta) t i ord0]_k expected (py_symmetric eta) t i k
    = shrinks K.+2 eta * (\sum_k t i k - \big[Num.max/t i ord0]_k t i k) + eta * \sum_k t i k.
  rewrite sz (max_ext (G := fun k => shrinks K.+2 eta * t i k + eta / (K.+2%:R - 1) * \sum_j t i j)); last first.
    by move=> k; exact: on_py_symmetricE.
  rewrite max_of_affine // -[X in _ = _ + X * _](@rest_of_shrinks K.+2 eta) //.
  by set c := shrinks _ _; set e := eta / _; set n := \sum_k _; set m := \big[_/_]_k _; ring.
rewrite (eq_bigr _ (fun i _ => top i)) big_split /= -!mulr_sumr.
by set n := \sum_i _ in n0 *; set x := \sum_i _; field.
Qed.

(* majorities *)
(* Below the rate (K - 1)/K symmetric noise keeps the order of the shares of any two classes, so the majority. *)
Theorem order_of_classes_is_kept_of_symmetric_noise K (p : 'I_K -> R) j k eta : (1 < K)%N ->
  eta < (K%:R - 1) / K%:R ->
  (py_on_distribution (py_symmetric eta) p j < py_on_distribution (py_symmetric eta) p k) = (p j < p k).
Proof.
move=> K1 lt; rewrite !py_on_distributionE !on_py_symmetricE // ltr_add2r ltr_pmul2l //.
by rewrite shrinks_gt0.
Qed.

(* Symmetric noise multiplies the difference of any two class shares by 1 - K eta/(K - 1). *)
Theorem margin_rescales_of_symmetric_noise K (p : 'I_K -> R) j k eta : (1 < K)%N ->
  py_on_distribution (py_symmetric eta) p j - py_on_distribution (py_symmetric eta) p k
  = shrinks K eta * (p j - p k).
Proof. by move=> K1; rewrite !py_on_distributionE !on_py_symmetricE //; ring. Qed.

(* Under class-conditional noise whose rates sum to less than one the true majority is class 1 exactly if the noisy
   share of class 1 exceeds (1 - tau_pos + tau_neg)/2, not 1/2. *)
Theorem majority_threshold_of_class_conditional_noise (p : 'I_2 -> R) tau_pos tau_neg :
  tau_pos + tau_neg < 1 -> p 0 + p 1 = 1 ->
  (p 0 < p 1) = ((1 - tau_pos + tau_neg) / 2%:R < py_on_distribution (py_class_conditional tau_pos tau_neg) p 1).
Proof.
move=> lt p1; have e : p 0 = 1 - p 1 by rewrite -p1 addrK.
have pos : 0 < 1 - tau_pos - tau_neg by rewrite -addrA -opprD subr_gt0.
rewrite e (majority_threshold_of_class_conditional _ pos); congr (_ < _).
by rewrite py_on_distributionE /on_distribution /py_class_conditional sum2 /= e; ring.
Qed.

(* Rates that sum to more than one exchange the children: the one with the larger share of class 1 has the smaller. *)
Theorem children_change_places_of_rates_above_one (p q : 'I_2 -> R) tau_pos tau_neg :
  1 < tau_pos + tau_neg -> p 0 + p 1 = 1 -> q 0 + q 1 = 1 ->
  (py_on_distribution (py_class_conditional tau_pos tau_neg) p 1
    < py_on_distribution (py_class_conditional tau_pos tau_neg) q 1) = (q 1 < p 1).
Proof.
move=> lt p1 q1; rewrite -subr_gt0 -[RHS]subr_gt0.
have -> : py_on_distribution (py_class_conditional tau_pos tau_neg) q 1
    - py_on_distribution (py_class_conditional tau_pos tau_neg) p 1 = (tau_pos + tau_neg - 1) * (p 1 - q 1).
  rewrite !py_on_distributionE /on_distribution /py_class_conditional !sum2 /=.
  have [-> ->] : p 0 = 1 - p 1 /\ q 0 = 1 - q 1 by rewrite -{1}p1 -q1 !addrK.
  by ring.
by rewrite pmulr_rgt0 // subr_gt0.
Qed.

(* losses *)
Lemma py_riskE K (cost p : 'I_K -> R) : py_risk cost p = \sum_k p k * cost k.
Proof. by apply: eq_bigr => k _; case: eqP => // ->; rewrite !mul0r. Qed.

(* Under symmetric noise the risk of every action, of any loss, is affine in its risk without noise: the slope is
   1 - K eta/(K - 1), and the constant eta/(K - 1) times the sum of the action's costs. *)
Theorem risk_is_affine_of_symmetric_noise K (cost p : 'I_K -> R) eta : (1 < K)%N -> \sum_k p k = 1 ->
  py_risk cost (py_on_distribution (py_symmetric eta) p)
  = shrinks K eta * py_risk cost p + eta / (K%:R - 1) * \sum_k cost k.
Proof.
move=> K1 p1; rewrite !py_riskE py_on_distributionE !mulr_sumr -big_split /=.
by apply: eq_bigr => k _; rewrite on_py_symmetricE // p1; ring.
Qed.

(* So of a loss whose costs sum to the same for two actions, symmetric noise below the rate (K - 1)/K keeps which of
   the two has the smaller risk. *)
Theorem better_action_stays_of_equal_cost_sums K (cost other p : 'I_K -> R) eta : (1 < K)%N ->
  eta < (K%:R - 1) / K%:R -> \sum_k p k = 1 -> \sum_k cost k = \sum_k other k ->
  (py_risk cost (py_on_distribution (py_symmetric eta) p) < py_risk other (py_on_distribution (py_symmetric eta) p))
  = (py_risk cost p < py_risk other p).
Proof.
move=> K1 lt p1 e; rewrite !risk_is_affine_of_symmetric_noise // e ltr_add2r ltr_pmul2l //.
by rewrite shrinks_gt0.
Qed.

Lemma mae_on_simplex K (w : 'I_K -> R) k : on_simplex w -> py_mae w k = 2%:R * (1 - w k).
Proof.
move=> [w0 w1]; rewrite /py_mae (eq_bigr w) => [|j _]; last by rewrite ger0_norm.
have le1 : w k <= 1 by rewrite -w1 (bigD1 k) //= ler_addl sumr_ge0.
by rewrite w1 !ger0_norm ?subr_ge0 //; ring.
Qed.

(* The absolute loss is symmetric: the costs of every action of the simplex sum to 2 (K - 1). *)
Theorem cost_sum_of_mae K (w : 'I_K -> R) : on_simplex w -> \sum_k py_mae w k = 2%:R * (K%:R - 1).
Proof.
move=> s; rewrite (eq_bigr _ (fun k _ => mae_on_simplex k s)) -mulr_sumr sumrB s.2.
by rewrite sumr_const card_ord.
Qed.

(* So symmetric noise below the rate (K - 1)/K leaves the order of actions by absolute loss as it is. *)
Theorem better_action_stays_of_mae K (w v p : 'I_K -> R) eta : (1 < K)%N -> eta < (K%:R - 1) / K%:R ->
  \sum_k p k = 1 -> on_simplex w -> on_simplex v ->
  (py_risk (py_mae w) (py_on_distribution (py_symmetric eta) p)
    < py_risk (py_mae v) (py_on_distribution (py_symmetric eta) p))
  = (py_risk (py_mae w) p < py_risk (py_mae v) p).
Proof. by move=> K1 lt p1 sw sv; apply: better_action_stays_of_equal_cost_sums; rewrite ?cost_sum_of_mae. Qed.

(* The 0-1 loss is symmetric at the vertices: the costs of every sure action sum to K - 1. *)
Theorem cost_sum_of_zero_one_of_sure_action K (j : 'I_K) : \sum_k py_zero_one (sure R j) k = K%:R - 1.
Proof.
rewrite (bigD1 j) //= {1}/py_zero_one /sure eqxx lexx add0r (eq_bigr (fun=> 1)); last first.
  by move=> k /negPf kj; rewrite /py_zero_one kj ler10.
by rewrite sumr_const cardC1 card_ord -subn1 natrB // (leq_trans _ (ltn_ord j)).
Qed.
(* hypotheses that hold, closed by computation *)
Lemma law_on_simplex K weights : \sum_k shares_of R K weights k = 1 -> on_simplex (shares_of R K weights).
Proof. by split=> // k; rewrite divr_ge0 ?ler0n. Qed.

Example symmetric_noise_instance :
  let t := counts_of R 2 3 [:: [:: 3; 1; 0]; [:: 1; 2; 1]]%N in
  let u := counts_of R 2 3 [:: [:: 4; 0; 0]; [:: 0; 3; 1]]%N in
  let p := shares_of R 3 [:: 3; 2; 1]%N in let eta : R := 1 / 4%:R in
  [/\ counts t, counts u, eta < (3%:R - 1) / 3%:R & eta <= (3%:R - 1) / 3%:R] /\
  [/\ \sum_k p k = 1, \sum_i \sum_k t i k != 0 & py_decrease_misclassification t < py_decrease_misclassification u].
Proof. by split; split; try exact: counts_given; cbv zeta; evaluate. Qed.

Example two_rates_instance :
  let p := shares_of R 2 [:: 2; 3]%N in let q := shares_of R 2 [:: 3; 1]%N in
  [/\ 2%:R / 5%:R + 1 / 5%:R < 1 :> R, 1 < 4%:R / 5%:R + 3%:R / 5%:R :> R, p 0 + p 1 = 1, q 0 + q 1 = 1 & q 1 < p 1].
Proof. by split; cbv zeta; evaluate. Qed.

Example losses_instance :
  let w := shares_of R 3 [:: 1; 0; 0]%N in let v := shares_of R 3 [:: 1; 1; 2]%N in
  let p := shares_of R 3 [:: 3; 2; 1]%N in
  [/\ on_simplex w, on_simplex v, \sum_k p k = 1 & 1 / 4%:R < (3%:R - 1) / 3%:R :> R] /\
  [/\ \sum_k py_mae w k = \sum_k py_mae v k & py_risk (py_mae w) p < py_risk (py_mae v) p].
Proof. by split; split; try apply: law_on_simplex; cbv zeta; evaluate. Qed.
End Largest.
