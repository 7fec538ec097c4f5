(* Label noise, largest shares and risks: majorities, minorities and losses; dominant channels; and where orders are
   lost. *)
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint zmodp.
From mathcomp Require Import ring.
From splitcrit Require Import defs core generated tie evaluate channels.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Label noise, largest shares and risks, about the library's own code: misclassification, the sum of minorities,
   majorities, losses whose costs sum to a constant. *)
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

(* The sum of minorities and the misclassification gain, about the library's own code. *)
Section Minority.
Variable R : realFieldType.

Lemma errors_of_counts K (c : 'I_K.+1 -> R) : (forall k, 0 <= c k) ->
  size c * py_misclassification (shares c (size c)) = size c - \big[Num.max/c ord0]_k c k.
Proof.
move=> c0; have [z|nz] := eqVneq (size c) 0.
  have all0 k : c k = 0 by apply: (psumr_eq0P _ z) => // j _; exact: c0.
  rewrite z mul0r sub0r (max_ext (G := fun=> 0)) //; elim/big_ind: _; rewrite ?oppr0 //.
  by move=> x y x0 y0; case: leP; rewrite -?x0 -?y0.
rewrite /py_misclassification (max_ext (G := fun k => (size c)^-1 * c k + 0)); last first.
  by move=> k; rewrite /shares (negPf nz) addr0 mulrC.
rewrite max_of_affine; last by rewrite invr_ge0 sumr_ge0.
by rewrite addr0 mulrBr mulr1 mulrA mulfV // mul1r.
Qed.

(* The sum of minorities of a split is its misclassification gain less the misclassification of the node: both rank the
   splits of one node alike. *)
Theorem sum_minority_is_gain_less_impurity r K (t : 'I_r -> 'I_K.+1 -> R) : counts t -> whole t != 0 ->
  py_sum_minority t = py_decrease_misclassification t - py_misclassification (shares (node t) (whole t)).
Proof.
move=> t0 n0; rewrite py_decrease_misclassificationE /decrease /py_sum_minority -/(whole t) (negPf n0).
rewrite [in RHS](eq_bigr (fun i => size (t i) - \big[Num.max/t i ord0]_k t i k)); last first.
  by move=> i _; exact: errors_of_counts.
by set A := \sum_i _; set p := py_misclassification _; move: A p (whole t) n0 => A p n m0; field.
Qed.

(* R-E16, wilton2024, Appendix M: in our words, the risk reduction is the gap between curve and chord. Of n among N examples the
   errors that a split saves, over N, are n/N times that gap, the misclassification gain. *)
Theorem erratum_wilton2024_risk_reduction r K (t : 'I_r -> 'I_K.+1 -> R) N : counts t -> whole t != 0 ->
  let errors (c : 'I_K.+1 -> R) := size c - \big[Num.max/c ord0]_k c k in
  (errors (node t) - \sum_i errors (t i)) / N = whole t / N * py_decrease_misclassification t.
Proof.
move=> t0 n0 errors; rewrite py_decrease_misclassificationE /decrease (negPf n0).
have e i : size (t i) * py_misclassification (shares (t i) (size (t i))) = errors (t i) by exact: errors_of_counts.
have top : whole t * py_misclassification (shares (node t) (whole t)) = errors (node t).
  by rewrite -whole_node; apply: errors_of_counts => k; exact: sumr_ge0.
rewrite (eq_bigr _ (fun i _ => e i)) top; set A := errors (node t) - _.
by move: A (whole t) n0 => A n m0; rewrite mulrAC [n * _]mulrC mulfVK.
Qed.

(* hypotheses that hold, closed by computation *)
Example minority_instance : let t := counts_of R 2 3 [:: [:: 0; 1; 0]; [:: 1; 0; 0]]%N in
  [/\ counts t, whole t != 0, py_sum_minority t = 0 & py_decrease_misclassification t = 1 / 2%:R].
Proof. by split; try exact: counts_given; cbv zeta; evaluate. Qed.
End Minority.

(* Which channels keep the Gini gain, and which noise symmetric losses bear; about the library's own code. *)
(* a channel that acts on differences of distributions as an isometry times the root of c *)
Definition isometric (R : realFieldType) K (S : 'I_K -> 'I_K -> R) (c : R) :=
  forall d : 'I_K -> R, \sum_k d k = 0 -> \sum_k py_on_distribution S d k ^+ 2 = c * \sum_k d k ^+ 2.

(* in row j the diagonal exceeds every other entry *)
Definition dominant (R : realFieldType) K (S : 'I_K -> 'I_K -> R) (j : 'I_K) := forall k, k != j -> S j k < S j j.

Section Dominant.
Variable R : realFieldType.

(* Symmetric noise on K classes turns the Gini impurity G of a distribution into f^2 G + (1 - f^2)(1 - 1/K) with
   f = 1 - K eta/(K - 1). *)
Theorem gini_is_affine_of_symmetric_noise K (p : 'I_K -> R) eta : (1 < K)%N -> \sum_k p k = 1 ->
  py_gini (py_on_distribution (py_symmetric eta) p)
  = shrinks K eta ^+ 2 * py_gini p + (1 - shrinks K eta ^+ 2) * (1 - K%:R^-1).
Proof. exact: gini_on_symmetric. Qed.

(* At the rate (K - 1)/K symmetric noise makes every distribution uniform. *)
Theorem uniform_of_largest_symmetric_noise K (p : 'I_K -> R) k : (1 < K)%N -> \sum_k p k = 1 ->
  py_on_distribution (py_symmetric ((K%:R - 1) / K%:R)) p k = K%:R^-1.
Proof.
move=> K1 p1; rewrite py_on_distributionE on_py_symmetricE // p1 mulr1 /shrinks.
have K0 : K%:R != 0 :> R by rewrite pnatr_eq0; case: K K1 {p p1 k}.
by move: (K%:R : R) (p k) K0 (natB1_neq0 R K1) => m x m0 m1; field; rewrite m0 m1.
Qed.

Lemma affine_of_isometric K (S : 'I_K -> 'I_K -> R) c : (0 < K)%N -> isometric S c ->
  exists l : 'I_K -> R, forall p : 'I_K -> R, \sum_k p k = 1 ->
  py_gini (py_on_distribution S p) = c * py_gini p + \sum_k l k * p k.
Proof.
move=> K0 iso; have Kn : K%:R != 0 :> R by rewrite pnatr_eq0 -lt0n.
pose u (k : 'I_K) : R := K%:R^-1; pose m := py_on_distribution S u.
pose a := 1 - c + \sum_k m k ^+ 2 + c / K%:R.
exists (fun k => a - 2%:R * \sum_j m j * S k j) => p p1.
have u1 : \sum_k u k = 1 by rewrite sumr_const card_ord -[_^-1 *+ _]mulr_natl mulfV.
have lin k : py_on_distribution S (fun k => p k - u k) k = py_on_distribution S p k - m k.
  by rewrite /m /py_on_distribution -sumrB; apply: eq_bigr => j _; rewrite mulrBl.
have := iso (fun k => p k - u k); rewrite sumrB p1 u1 subrr => /(_ erefl).
rewrite (eq_bigr (fun k => py_on_distribution S p k * py_on_distribution S p k
    + (- (2%:R * (m k * py_on_distribution S p k)) + m k ^+ 2))); last by move=> k _; rewrite lin; ring.
rewrite big_split big_split /= sumrN -mulr_sumr.
rewrite [\sum_k (p k - u k) ^+ 2](eq_bigr (fun k => p k * p k + (- 2%:R * K%:R^-1) * p k + K%:R^-1 * K%:R^-1)).
  2: by move=> k _; rewrite /u; ring.
rewrite !big_split /= -mulr_sumr p1 sumr_const card_ord -[_ * _ *+ _]mulr_natl.
have -> : \sum_k (a - 2%:R * (\sum_j m j * S k j)) * p k = a - 2%:R * \sum_k m k * py_on_distribution S p k.
  rewrite (eq_bigr (fun k => a * p k - 2%:R * (\sum_j m j * (p k * S k j)))); last first.
    move=> k _; rewrite mulrBl; congr (_ - _); rewrite -mulrA; congr (_ * _); rewrite mulr_suml.
    by apply: eq_bigr => j _; rewrite -mulrA [S k j * _]mulrC.
  rewrite sumrB -!mulr_sumr p1 mulr1 exchange_big /=; congr (_ - _ * _); apply: eq_bigr => j _.
  by rewrite -mulr_sumr.
rewrite /py_gini /a; set mm := \sum_k m k ^+ 2; set pp := \sum_k p k * p k.
set mp := \sum_k m k * py_on_distribution S p k.
set q := \sum_k _ * py_on_distribution S p k; move: pp mp mm q (K%:R : R) Kn => pp mp mm q n n0 e.
have -> : q = c * (pp + - 2%:R * n^-1 * 1 + n * (n^-1 * n^-1)) - mm + 2%:R * mp.
  by rewrite -e; ring.
by field.
Qed.

(* Noise multiplies the Gini gain of all splits, of any number of rows, by one factor c if its channel acts on
   differences of distributions as an isometry times the root of c. *)
Theorem gini_gain_rescales_of_isometric_channel r K (S : 'I_K -> 'I_K -> R) c (t : 'I_r -> 'I_K -> R) : (0 < K)%N ->
  stochastic S -> isometric S c -> counts t -> py_decrease_gini (py_expected S t) = c * py_decrease_gini t.
Proof.
move=> K0 [_ S1] iso t0; have [l aff] := affine_of_isometric K0 iso.
apply: (@gain_of_rescaled R r K _ (@py_gini R K) _ l) => [p q e|//|p _ p1|//]; [exact: gini_ext | exact: aff].
Qed.

Definition opposite K (u d : 'I_K -> R) (i : 'I_2) (k : 'I_K) : R := if i == 0 then u k + d k else u k - d k.

Lemma gain_of_opposite K (u d : 'I_K -> R) : \sum_k d k = 0 -> \sum_k u k != 0 ->
  py_decrease_gini (opposite u d) = (\sum_k d k ^+ 2) / (\sum_k u k) ^+ 2.
Proof.
move=> d0; set m := \sum_k u k => m0.
have sz i : size (opposite u d i) = m.
  rewrite /size /opposite; case: (class_of_two i) => -> /=; first by rewrite big_split /= d0 addr0.
  by rewrite sumrB d0 subr0.
have wh : whole (opposite u d) = 2%:R * m by rewrite /whole sum2 !sz; ring.
have w0 : whole (opposite u d) != 0 by rewrite wh mulf_neq0 // pnatr_eq0.
rewrite py_decrease_giniE gini_gain_is_spread // => [|i]; last by rewrite sz.
have e i : \sum_k (shares (opposite u d i) (size (opposite u d i)) k
    - shares (node (opposite u d)) (whole (opposite u d)) k) ^+ 2 = (\sum_k d k ^+ 2) / m ^+ 2.
  rewrite mulr_suml; apply: eq_bigr => k _; rewrite /shares (negPf w0) sz (negPf m0) wh /node sum2 /opposite /=.
  by move: (u k) (d k) => x z; case: ifP => _; field; rewrite m0.
rewrite sum2 !e !sz wh; set s := \sum_k _; by field; rewrite m0.
Qed.

(* Conversely a channel that multiplies the Gini gain of all splits in two by one factor acts on differences of
   distributions as an isometry times the root of that factor. *)
Theorem isometric_of_rescaled_gini_gain K (S : 'I_K -> 'I_K -> R) c : (0 < K)%N -> stochastic S ->
  (forall t : 'I_2 -> 'I_K -> R, counts t -> py_decrease_gini (py_expected S t) = c * py_decrease_gini t) ->
  isometric S c.
Proof.
move=> K0 [S0 S1] all d d0; pose b := 1 + \sum_k `|d k|.
have b0 : 0 < b by rewrite ltr_spaddl ?ltr01 // sumr_ge0.
have keeps (p : 'I_K -> R) : \sum_k py_on_distribution S p k = \sum_k p k.
  by rewrite exchange_big /=; apply: eq_bigr => j _; rewrite -mulr_sumr S1 mulr1.
pose u (k : 'I_K) := b; have u0 : \sum_k u k != 0.
  by rewrite sumr_const card_ord -mulr_natl mulf_neq0 ?pnatr_eq0 -?lt0n // gt_eqF.
have ok : counts (opposite u d).
  have le k : `|d k| <= b.
    by rewrite /b (bigD1 k) //= addrCA ler_addl addr_ge0 ?ler01 ?sumr_ge0.
  move=> i k; rewrite /opposite /u; have := le k; rewrite ler_norml => /andP[lo hi].
  by case: ifP => _; [rewrite -ler_subl_addl sub0r | rewrite subr_ge0].
have := all _ ok; rewrite gain_of_opposite //.
have -> : py_decrease_gini (py_expected S (opposite u d))
    = py_decrease_gini (opposite (py_on_distribution S u) (py_on_distribution S d)).
  apply: decrease_gini_ext => i k; rewrite /opposite /py_expected /py_on_distribution.
  case: ifP => _; rewrite -?sumrB -?big_split; apply: eq_bigr => j _; by rewrite ?mulrBl ?mulrDl.
rewrite gain_of_opposite ?keeps // mulrA => /(congr1 (fun z => z * (\sum_k u k) ^+ 2)).
by rewrite !mulfVK ?expf_neq0.
Qed.

(* Noise of class j under which the diagonal of row j is the largest entry: of a loss whose costs sum to C and are at
   most C/(K - 1), an action that costs 0 in class j has less noisy risk than any that costs something there. *)
Theorem zero_cost_action_stays_best_of_dominant_row K (S : 'I_K -> 'I_K -> R) (cost other : 'I_K -> R) C j :
  (1 < K)%N -> stochastic S -> dominant S j -> \sum_k cost k = C -> \sum_k other k = C ->
  (forall k, cost k <= C / (K%:R - 1)) -> (forall k, other k <= C / (K%:R - 1)) ->
  cost j = 0 -> 0 < other j -> py_risk cost (S j) < py_risk other (S j).
Proof.
move=> K1 [S0 S1] dom cC oC cm om c0 oj; rewrite !py_riskE.
have K10 := natB1_neq0 R K1; set m := C / (K%:R - 1) in cm om.
have rest (h : 'I_K -> R) : \sum_k h k = C -> \sum_(k | k != j) (m - h k) = h j.
  move=> hC; rewrite sumrB sumr_const cardC1 card_ord -[_ *+ _]mulr_natr -subn1 natrB; last exact: ltnW.
  rewrite /m divfK //; have := hC; rewrite (bigD1 j) //= => <-.
  by rewrite addrK.
have tight k : k != j -> cost k = m.
  move=> kj; apply/eqP; rewrite eq_le cm /= -subr_le0 -c0 -(rest cost cC) (bigD1 k) //= ler_addl.
  by rewrite sumr_ge0 // => i _; rewrite subr_ge0.
have form (h : 'I_K -> R) : \sum_k h k = C ->
    \sum_k S j k * h k = m * (1 - S j j) + \sum_(k | k != j) (S j j - S j k) * (m - h k).
  move=> hC; rewrite (eq_bigr (fun k => S j j * (m - h k) - S j k * (m - h k)) (P := fun k => k != j)); last first.
    by move=> k _; rewrite mulrBl.
  rewrite sumrB -mulr_sumr rest // (bigD1 j) //=.
  have -> : 1 - S j j = \sum_(k | k != j) S j k by rewrite -[X in X - _](S1 j) (bigD1 j) //= addrC addKr.
  rewrite [X in _ = _ + (_ - X)](eq_bigr (fun k => m * S j k - S j k * h k)); last by move=> k _; ring.
  by rewrite sumrB -mulr_sumr; set A := \sum_(_ | _) _; set B := \sum_(_ | _) _; ring.
rewrite !form // ltr_add2l big1 => [|k kj]; last by rewrite tight // subrr mulr0.
have ge k : k != j -> 0 <= (S j j - S j k) * (m - other k).
  by move=> kj; rewrite mulr_ge0 // subr_ge0 // ltW // dom.
rewrite lt_neqAle sumr_ge0 // andbT eq_sym; apply/negP => /eqP z.
have all0 := psumr_eq0P ge z; move: oj; rewrite -(rest other oC) big1 ?ltxx // => k kj.
by have /eqP := all0 k kj; rewrite mulf_eq0 gt_eqF ?subr_gt0 ?dom // => /eqP.
Qed.

(* hypotheses that hold, closed by computation *)
Example isometric_instance : let t := counts_of R 2 3 [:: [:: 3; 1; 0]; [:: 1; 2; 1]]%N in
  [/\ stochastic (@py_symmetric R 3 (1 / 4%:R)), isometric (@py_symmetric R 3 (1 / 4%:R)) (shrinks 3 (1 / 4%:R) ^+ 2),
      counts t & py_decrease_gini (py_expected (py_symmetric (1 / 4%:R)) t) = 25%:R / 64%:R * py_decrease_gini t].
Proof.
split; [exact: symmetric_is_stochastic (rate_instance R) | | exact: counts_given | evaluate].
move=> d d0; rewrite mulr_sumr; apply: eq_bigr => k _.
by rewrite py_on_distributionE on_py_symmetricE // d0 mulr0 addr0 exprMn.
Qed.

Example dominant_instance : let m := 2%:R / (3%:R - 1) : R in
  let cost := py_zero_one (sure R (0 : 'I_3)) in let other := py_zero_one (sure R (1 : 'I_3)) in
  [/\ dominant (@py_symmetric R 3 (1 / 4%:R)) 0, \sum_k cost k = 2%:R & \sum_k other k = 2%:R] /\
  [/\ forall k, cost k <= m, forall k, other k <= m, cost 0 = 0 & 0 < other 0].
Proof.
have two j : \sum_k py_zero_one (sure R (j : 'I_3)) k = 2%:R.
  by rewrite cost_sum_of_zero_one_of_sure_action; evaluate.
have most j k : py_zero_one (sure R (j : 'I_3)) k <= 2%:R / (3%:R - 1).
  by rewrite (_ : _ / _ = 1); [rewrite /py_zero_one; case: ifP; rewrite ?ler01 | evaluate].
split; split=> //; try by cbv zeta; rewrite /sure; evaluate.
by move=> k; case: (class_of_three k) => -> // _; evaluate.
Qed.
End Dominant.

(* Label noise, where orders are lost: witnesses that are computed; and what holds of two classes alone. *)
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
