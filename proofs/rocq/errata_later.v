(* Misprints and errors of wang2024, wilton2024 and yang2019, refuted by computation; see errata.v. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs noise core generated tie evaluate channels channels_gains channels_risk errata.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Errata.
Variable R : realFieldType.
Local Notation table := (counts_of R).
Local Notation law := (shares_of R).

(* wang2024 *)
(* S-E1, Table 3: gains 0.2700, 0.1200, 0.1733 of the features a, b, b'. They are 54/175, 9/50, 7/25; what is printed
   are the gains with feature and label exchanged, each to four decimals. *)
Theorem erratum_wang2024_table_three :
  let a := table 2 2 [:: [:: 3; 0]; [:: 1; 6]]%N in let b := table 2 2 [:: [:: 2; 0]; [:: 2; 6]]%N in
  let b' := table 3 2 [:: [:: 2; 0]; [:: 2; 2]; [:: 0; 4]]%N in
  let close (x y : R) := `|x - y| <= 1 / (100%:R * 200%:R) in
  [/\ py_decrease_gini a = 54%:R / 175%:R, py_decrease_gini b = 9%:R / 50%:R & py_decrease_gini b' = 7%:R / 25%:R] /\
  [/\ close (py_decrease_gini (fun k i => a i k)) (27%:R / 100%:R),
      close (py_decrease_gini (fun k i => b i k)) (12%:R / 100%:R) &
      close (py_decrease_gini (fun k i => b' i k)) (1733%:R / (100%:R * 100%:R))] /\
  [/\ ~~ close (py_decrease_gini a) (27%:R / 100%:R), ~~ close (py_decrease_gini b) (12%:R / 100%:R) &
      ~~ close (py_decrease_gini b') (1733%:R / (100%:R * 100%:R))].
Proof. by cbv zeta beta; split; [| split]; split; rewrite -?ltNge; evaluate. Qed.

(* S-E12, Section 5.4.1 against Table 6: the largest pure accuracy on all 12 data sets, and an average rank of 1.17. If
   twelve ranks sum to 14 at most eleven of them are first. *)
Theorem erratum_wang2024_average_rank (ranks : 'I_12 -> nat) : (forall i, 0 < ranks i)%N ->
  (\sum_i ranks i = 14)%N -> exists i, ranks i != 1%N.
Proof.
move=> pos e; apply/existsP; rewrite -negb_forall; apply/negP => /forallP all1.
by move: e; rewrite (eq_bigr (fun=> 1%N)) ?sum_nat_const ?card_ord // => i _; apply/eqP.
Qed.

(* S-E13, Section 4: in our words, P(A != Y) = p when a share p of the values is drawn again from all K. It is p (1 - 1/K): to draw
   again is symmetric noise of that rate. *)
Theorem erratum_wang2024_redrawn_values K (p : R) (j k : 'I_K) : (1 < K)%N ->
  (1 - p) * (j == k)%:R + p / K%:R = py_symmetric (p * (1 - K%:R^-1)) j k /\
  (p != 0 -> p * (1 - K%:R^-1) != p).
Proof.
move=> K1; have K0 : K%:R != 0 :> R by rewrite pnatr_eq0; case: K K1 {j k}.
split; last first.
  move=> p0; rewrite -[X in _ != X]mulr1 (inj_eq (mulfI p0)) -[X in _ != X]subr0 (inj_eq (addrI _)) eqr_opp.
  by rewrite invr_eq0.
rewrite /py_symmetric; move: (K%:R : R) K0 (natB1_neq0 R K1) => m m0 m1.
by case: eqP => _ /=; field; rewrite ?m0 ?m1.
Qed.

(* S-E14, Section 3.2: eq. (12) as the mean over permutations. It is that of independent draws, (N - 1)/N times the mean
   over permutations. *)
Theorem erratum_wang2024_mean_of_independent_draws (n r unlike : R) : n != 0 -> n - 1 != 0 ->
  py_independent_mean n r unlike = (n - 1) / n * py_mean n r unlike /\
  (r - 1 != 0 -> unlike != 0 -> py_independent_mean n r unlike != py_mean n r unlike).
Proof.
move=> n0 n1; have e : py_independent_mean n r unlike = (n - 1) / n * py_mean n r unlike.
  by rewrite /py_independent_mean /py_mean; field; rewrite n0 n1.
split=> // r1 u0; rewrite e -[X in _ != X]mul1r (inj_eq (mulIf _)); last first.
  by rewrite /py_mean !mulf_neq0 ?invr_eq0 // !mulf_neq0.
rewrite -[X in _ != X](divff n0) (inj_eq (mulIf _)) ?invr_eq0 // -[X in _ != X]subr0.
by rewrite (inj_eq (addrI _)) eqr_opp oner_eq0.
Qed.

(* S-E15, Section 3.1: in our words, the gain grows with the number of values. A feature of three values gains less than one of two
   on the same labels. *)
Theorem erratum_wang2024_more_values_may_gain_less :
  py_decrease_gini (table 3 2 [:: [:: 1; 1]; [:: 1; 0]; [:: 1; 0]]%N)
    < py_decrease_gini (table 2 2 [:: [:: 3; 0]; [:: 0; 1]]%N).
Proof. by evaluate. Qed.

(* S-E16, Definition 1 with eqs. (3) and (5): in our words, the sum of min(p, 1 - p) is largest at the uniform distribution alone,
   and is the Bayes error. At (1/2, 1/2, 0) it is as large as there, and twice the Bayes error 1 - max p. *)
Theorem erratum_wang2024_sum_of_minima :
  let uniform := law 3 [:: 1; 1; 1]%N in let half := law 3 [:: 1; 1; 0]%N in
  py_bayes_sum half = py_bayes_sum uniform /\ py_bayes_sum half = 2%:R * py_misclassification half.
Proof. by cbv zeta; split; evaluate. Qed.

(* wilton2024 *)
(* R-E1, Section 2: in our words, the 0-1 loss is symmetric on the simplex. The costs of an action that is sure of no class sum to
   K, those of a sure one to K - 1. *)
Theorem erratum_wilton2024_zero_one_loss_is_not_symmetric K (w : 'I_K -> R) (j : 'I_K) : (forall k, w k < 1) ->
  \sum_k py_zero_one w k = K%:R /\ \sum_k py_zero_one (sure R j) k = K%:R - 1.
Proof.
move=> w1; split; last exact: cost_sum_of_zero_one_of_sure_action.
rewrite (eq_bigr (fun=> 1)) ?sumr_const ?card_ord // => k _.
by rewrite /py_zero_one leNgt w1.
Qed.

(* R-E2, Section 2: in our words, a diagonally dominant transition matrix suffices, equality included. At rate 1/2 of two classes
   all actions of a symmetric loss have one noisy risk. *)
Theorem erratum_wilton2024_equality_on_the_diagonal (cost other p : 'I_2 -> R) : p 0 + p 1 = 1 ->
  \sum_k cost k = \sum_k other k ->
  let noisy := py_on_distribution (py_symmetric (1 / 2%:R)) p in py_risk cost noisy = py_risk other noisy.
Proof.
move=> p1 e noisy; rewrite /noisy !risk_is_affine_of_symmetric_noise ?sum2 // -!sum2 e /shrinks.
have -> : 1 - 2%:R * (1 / 2%:R) / (2%:R - 1) = 0 :> R by evaluate.
by rewrite !mul0r.
Qed.

(* R-E3, Section 2: in our words, generalised cross-entropy at q = 1 is the absolute loss. It is 1 - w_k, half of it. *)
Theorem erratum_wilton2024_absolute_loss_is_twice_linear K (w : 'I_K -> R) k : on_simplex w ->
  py_mae w k = 2%:R * (1 - w k) /\ (w k != 1 -> py_mae w k != 1 - w k).
Proof.
move=> s; rewrite mae_on_simplex //; split=> // w1.
rewrite -subr_eq0 (_ : _ - _ = 1 - w k); last by ring.
by rewrite subr_eq0 eq_sym.
Qed.

(* R-E5a, Theorem 3: in our words, the optimal action is the one-hot vector of the majority class. If two classes tie every action
   has the same absolute loss. *)
Theorem erratum_wilton2024_tied_majority (w : 'I_2 -> R) : on_simplex w -> py_risk (py_mae w) (law 2 [:: 1; 1]%N) = 1.
Proof.
move=> s; rewrite py_riskE sum2 !mae_on_simplex //.
have -> : law 2 [:: 1; 1]%N 0 = 1 / 2%:R by []; have -> : law 2 [:: 1; 1]%N 1 = 1 / 2%:R by [].
have e : w 1 = 1 - w 0 by rewrite -s.2 sum2 [w 0 + _]addrC addrK.
by rewrite e; field.
Qed.

(* R-E6a, Appendix E: the margin of the bound on the clean labels. It is that of the noisy shares: of a pure node at
   rate 2/5 it is 1/5 and not 1. *)
Theorem erratum_wilton2024_margin_of_noisy_shares :
  let p := law 2 [:: 3; 0]%N in let noisy := py_on_distribution (py_symmetric (2%:R / 5%:R)) p in
  p 0 - p 1 = 1 /\ noisy 0 - noisy 1 = 1 / 5%:R.
Proof. by cbv zeta; split; evaluate. Qed.

(* R-E10a, Algorithm 1: in our words, eta_ij = s_ij / (1 - s_ii) of similarities s_ij beside the diagonal s_ii. That exceeds 1 at
   s_ij = 1, s_ii = 9/10; with (1 - s_ii) s_ij over the sum of the similarities rows sum to 1. *)
Theorem erratum_wilton2024_transition_probabilities :
  1 < 1 / (1 - 9%:R / 10%:R) :> R /\
  forall K (s : 'I_K -> R) (stay : R) (i : 'I_K), \sum_(k | k != i) s k != 0 ->
    stay + \sum_(j | j != i) (1 - stay) * s j / (\sum_(k | k != i) s k) = 1.
Proof.
split; first by evaluate.
by move=> K s stay i s0; rewrite -mulr_suml -mulr_sumr mulfK // addrC subrK.
Qed.

(* R-E15, Theorem 5 (a): in our words, the majority classes of the node are those of both children where the gain is 0. They are
   among them: here class 1 is a majority class of the right child and not of the node. *)
Theorem erratum_wilton2024_shared_majority :
  let t := table 2 2 [:: [:: 1; 0]; [:: 1; 1]]%N in
  [/\ py_decrease_misclassification t = 0, t 1 0 = t 1 1 & t 0 1 + t 1 1 < t 0 0 + t 1 0].
Proof. by cbv zeta; split; evaluate. Qed.

(* yang2019 *)
(* Y-E1, Section V: in our words, w_L < w_R saves (N_L^+ N_R^- - N_L^- N_R^+)/2, w_L > w_R the negative. The signs are exchanged;
   the saving is half the pairs of the node less the ranking loss of the scored children. *)
Theorem erratum_yang2019_saving_of_scored_children (a b c d left right : R) :
  let saving := (a + c) * (b + d) / 2%:R - ranking_loss a b c d left right in
  (left < right -> saving = - ((a * d - b * c) / 2%:R)) /\ (right < left -> saving = (a * d - b * c) / 2%:R).
Proof.
by split=> lt; rewrite /ranking_loss /py_pairwise !ltxx lt (lt_gtF lt); field.
Qed.

(* Y-E2, proof of Theorem 1: the second term N_L^+ N_R^+ tau_pos (1 - tau_neg). With tau_pos (1 - tau_pos) the eight
   terms sum to the noisy determinant; as printed they do not at the counts 3, 1, 2, 3 and rates 3/11, 2/9. *)
Theorem erratum_yang2019_second_term :
  (forall (t : 'I_2 -> 'I_2 -> R) tp tn, let noisy := py_expected (py_class_conditional tp tn) t in
     noisy 0 1 * noisy 1 0 - noisy 0 0 * noisy 1 1 = eight_terms t tp tn (tp * (1 - tp))) /\
  let t := table 2 2 [:: [:: 1; 3]; [:: 3; 2]]%N in let tp : R := 3%:R / 11%:R in let tn : R := 2%:R / 9%:R in
  let noisy := py_expected (py_class_conditional tp tn) t in
  noisy 0 1 * noisy 1 0 - noisy 0 0 * noisy 1 1 != eight_terms t tp tn (tp * (1 - tn)).
Proof.
split=> [t tp tn|]; last by cbv zeta; evaluate.
by rewrite /eight_terms /py_expected /py_class_conditional !sum2 /=; ring.
Qed.

(* Y-E3, Table I: in our words, labels are the numbers 1, ..., K, and their square loss gives Gini. From three classes on it gives
   the variance of the class number, which orders splits differently. *)
Theorem erratum_yang2019_square_loss_of_class_numbers :
  let number (k : 'I_3) : R := k.+1%:R in
  let one := table 2 3 [:: [:: 0; 1; 0]; [:: 2; 0; 1]]%N in let two := table 2 3 [:: [:: 1; 0; 0]; [:: 1; 1; 1]]%N in
  py_decrease_gini two < py_decrease_gini one /\
  py_decrease_variance number one < py_decrease_variance number two.
Proof. by cbv zeta; split; evaluate. Qed.

(* Y-E4a, Theorem 1: in our words, the best split is the same after noise of any rates. At rates that sum to one all tie. *)
Theorem erratum_yang2019_rates_that_sum_to_one :
  let one := table 2 2 [:: [:: 0; 1]; [:: 2; 0]]%N in let two := table 2 2 [:: [:: 1; 0]; [:: 1; 1]]%N in
  let noisy := py_expected (py_class_conditional (1 / 2%:R) (1 / 2%:R)) (r := 2) in
  [/\ py_pairwise_gain two < py_pairwise_gain one, py_pairwise_gain (noisy one) = 0 & py_pairwise_gain (noisy two) = 0].
Proof. by cbv zeta; split; evaluate. Qed.

(* Y-E4d, Table I: in our words, the absolute loss is least for the node's mean output. About the mean 1/3 the outputs 0, 0, 1 cost
   4/3, about the median 0 they cost 1. *)
Theorem erratum_yang2019_absolute_loss_of_the_mean :
  let cost (c : R) := `|0 - c| + `|0 - c| + `|1 - c| in cost 0 = 1 /\ cost ((0 + 0 + 1) / 3%:R) = 4%:R / 3%:R.
Proof. by cbv zeta beta; split; evaluate. Qed.

(* Y-E6, Table III, gisette, rates (0.2, 0.4), Gini 86.21 +- 1.86 against 87.94 +- 2.06 without a mark. Over 50 runs the
   paired difference is significant at 95% (the t quantile is below 2.01) whatever the correlation rho. *)
Theorem erratum_yang2019_unmarked_cell (rho : R) : -1 <= rho ->
  (201%:R / 100%:R) ^+ 2 * (186%:R ^+ 2 + 206%:R ^+ 2 - 2%:R * rho * (186%:R * 206%:R)) / 50%:R
    < (8794%:R - 8621%:R) ^+ 2.
Proof.
move=> r1; apply: (@le_lt_trans _ _ ((201%:R / 100%:R) ^+ 2 * (186%:R + 206%:R) ^+ 2 / 50%:R)); last by evaluate.
rewrite ler_pmul2r ?invr_gt0 ?ltr0n // ler_pmul2l; last by evaluate.
have step (x y : R) : 0 <= x * y -> x ^+ 2 + y ^+ 2 - 2%:R * rho * (x * y) <= (x + y) ^+ 2.
  move=> xy; rewrite -subr_ge0.
  have -> : (x + y) ^+ 2 - (x ^+ 2 + y ^+ 2 - 2%:R * rho * (x * y)) = 2%:R * (x * y) * (rho - -1) by ring.
  by rewrite mulr_ge0 ?subr_ge0 // mulr_ge0 ?ler0n.
by apply: step; rewrite mulr_ge0 ?ler0n.
Qed.

(* Y-E8, abstract: in our words, pairwise gain is a new splitting criterion. It is N_pos N_neg / 2 times the Kolmogorov-Smirnov
   distance |TPR - FPR|, so that it chooses the same split of a node. *)
Theorem erratum_yang2019_pairwise_gain_is_kolmogorov_smirnov_distance (t : 'I_2 -> 'I_2 -> R) : counts t ->
  let positives := t 0 1 + t 1 1 in let negatives := t 0 0 + t 1 0 in positives != 0 -> negatives != 0 ->
  py_pairwise_gain t = positives * negatives / 2%:R * `|t 0 1 / positives - t 0 0 / negatives|.
Proof.
move=> t0 P N P0 N0; rewrite /py_pairwise_gain -[X in X * `|_|]ger0_norm; last first.
  by rewrite mulr_ge0 ?invr_ge0 ?ler0n // mulr_ge0 // addr_ge0.
rewrite -normrM -[X in _ / X]ger0_norm ?ler0n // -normrV ?unitfE ?pnatr_eq0 // -normrM -normrN; congr (`|_|).
by rewrite /P /N in P0 N0 *; field; rewrite P0 N0.
Qed.

(* Y-E9, Section VI-B: in our words, pairwise gain is robust to arbitrary label noise. Rates that depend on the example, 0 for some
   and 1/3 for the others, reverse the order of two splits of one node. *)
Theorem erratum_yang2019_noise_that_depends_on_the_example :
  let spared := table 2 2 [:: [:: 0; 0]; [:: 2; 0]]%N in
  let one := table 2 2 [:: [:: 0; 1]; [:: 1; 0]]%N in
  let spared' := table 2 2 [:: [:: 0; 0]; [:: 2; 0]]%N in
  let two := table 2 2 [:: [:: 1; 1]; [:: 0; 0]]%N in
  let noisy := py_expected (py_symmetric (1 / 3%:R)) (r := 2) in
  py_pairwise_gain (fun i k => spared' i k + two i k) < py_pairwise_gain (fun i k => spared i k + one i k) /\
  py_pairwise_gain (fun i k => spared i k + noisy one i k) < py_pairwise_gain (fun i k => spared' i k + noisy two i k).
Proof. by cbv zeta; split; evaluate. Qed.
(* Y-E4b, Theorem 1: in our words, flipping given proportions of both classes leaves the choice of a threshold as it is. Of six
   examples, three of each class, a third of each is flipped: the middle was the best threshold, and is worse than the
   one before it. *)
Theorem erratum_yang2019_equal_proportions :
  let middle := table 2 2 [:: [:: 3; 0]; [:: 0; 3]]%N in let before := table 2 2 [:: [:: 2; 0]; [:: 1; 3]]%N in
  let noisy_middle := table 2 2 [:: [:: 2; 1]; [:: 1; 2]]%N in
  let noisy_before := table 2 2 [:: [:: 2; 0]; [:: 1; 3]]%N in
  py_pairwise_gain before < py_pairwise_gain middle /\ py_pairwise_gain noisy_middle < py_pairwise_gain noisy_before.
Proof. by cbv zeta; split; evaluate. Qed.

(* R-E10b, Appendix J: in our words, classes of larger total similarity have smaller diagonal entries. The diagonal follows the sums
   of distances: of classes at 0, 1, 2, 4 those at 1 and 2 have equal sums, and unequal sums of reciprocals. *)
Theorem erratum_wilton2024_diagonal_of_similarities :
  let place (k : 'I_4) : R := (nth 0%N [:: 0; 1; 2; 4]%N k)%:R in
  let distances (j : 'I_4) := \sum_k `|place j - place k| in
  let similarities (j : 'I_4) := \sum_k (if j == k then 0 else `|place j - place k|^-1) in
  distances 1 = distances 2%:R /\ similarities 2%:R < similarities 1.
Proof. by cbv zeta; split; evaluate. Qed.

(* hypotheses that hold, closed by computation *)
Example ranks_instance : let ranks (i : 'I_12) := if (i < 10)%N then 1%N else 2%N in
  (forall i, 0 < ranks i)%N /\ (\sum_i ranks i = 14)%N.
Proof. by split; [move=> i; case: ifP | rewrite !big_ord_recl big_ord0]. Qed.

Example draws_instance : let n : R := 10%:R in let r : R := 3%:R in
  [/\ n != 0, n - 1 != 0 & r - 1 != 0] /\ py_independent_mean n r 60%:R = 3%:R / 25%:R.
Proof. by split; [split |]; cbv zeta; evaluate. Qed.

Example unsure_instance : let w := law 3 [:: 1; 1; 2]%N in (forall k, w k < 1) /\ on_simplex w.
Proof.
split; last by apply: law_on_simplex; evaluate.
by move=> k; case: (class_of_three k) => ->; cbv zeta; evaluate.
Qed.

Example costs_instance : let w := law 2 [:: 1; 2]%N in let v := law 2 [:: 1; 0]%N in
  [/\ w 0 + w 1 = 1, \sum_k py_mae w k = \sum_k py_mae v k & py_mae w 0 != py_mae v 0].
Proof. by split; cbv zeta; evaluate. Qed.

Example tied_instance : on_simplex (law 2 [:: 1; 2]%N).
Proof. by apply: law_on_simplex; evaluate. Qed.

Example scores_instance : 0 < 1 :> R /\ ranking_loss 0 1 1 0 0 1 = 0 :> R.
Proof. by split; cbv zeta; evaluate. Qed.

Example classes_instance : let t := table 2 2 [:: [:: 3; 1]; [:: 1; 2]]%N in
  [/\ counts t, t 0 1 + t 1 1 != 0 & t 0 0 + t 1 0 != 0].
Proof. by split; try exact: counts_given; cbv zeta; evaluate. Qed.
Example redrawn_instance : 1 / 2%:R != 0 :> R /\ py_symmetric (1 / 2%:R * (1 - 3%:R^-1)) (0 : 'I_3) 1 = 1 / 6%:R :> R.
Proof. by split; evaluate. Qed.

Example correlation_instance : -1 <= 1 / 2%:R :> R.
Proof. by evaluate. Qed.

Example similarities_instance : \sum_(k < 3 | k != 0 :> 'I_3) (k%:R : R) != 0.
Proof. by rewrite big_mkcond !big_ord_recl big_ord0 /=; evaluate. Qed.
End Errata.
