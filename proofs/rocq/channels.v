(* Channels of label noise: what they do to tables, gains and the order of splits; flips that depend on each other; and
   which channels can raise a Gini gain. *)
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint zmodp.
From mathcomp Require Import ring.
From splitcrit Require Import defs core generated tie evaluate.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Label noise, about the library's own code: what channels do to tables, gains, majorities. Every py_... is printed. *)
(* counts are not negative; a rate is a probability; a matrix is a channel's if its rows are distributions *)
Definition counts (R : realFieldType) r K (t : 'I_r -> 'I_K -> R) := forall i k, 0 <= t i k.
Definition rate (R : realFieldType) (x : R) := 0 <= x <= 1.
Definition stochastic (R : realFieldType) K (S : 'I_K -> 'I_K -> R) :=
  (forall j k, 0 <= S j k) /\ (forall j, \sum_k S j k = 1).
Definition shrinks (R : realFieldType) K (eta : R) : R := 1 - K%:R * eta / (K%:R - 1).

Section Channels.
Variable R : realFieldType.

Lemma py_expectedE r K : @py_expected R r K = @expected R r K. Proof. by []. Qed.
Lemma py_on_distributionE K : @py_on_distribution R K = @on_distribution R K. Proof. by []. Qed.
Lemma py_class_conditionalE : @py_class_conditional R = @class_conditional R. Proof. by []. Qed.
Lemma py_decrease_misclassificationE r K :
  @py_decrease_misclassification R r K = decrease (@py_misclassification R K) (r := r).
Proof. by []. Qed.
Lemma py_decrease_bayes_sumE r K : @py_decrease_bayes_sum R r K = decrease (@py_bayes_sum R K) (r := r).
Proof. by []. Qed.
Lemma sum2 (f : 'I_2 -> R) : \sum_i f i = f 0 + f 1. Proof. exact: defs.sum2. Qed.
Lemma sum3 (f : 'I_3 -> R) : \sum_i f i = f 0 + f 1 + f 2%:R.
Proof.
by rewrite !big_ord_recl big_ord0 addr0 addrA; congr (f _ + f _ + f _); apply: val_inj.
Qed.
Lemma class_of_two (k : 'I_2) : k = 0 \/ k = 1.
Proof. by case: k => [[|[|m]] i]; [left | right | ]; try apply: val_inj. Qed.
Lemma class_of_three (k : 'I_3) : [\/ k = 0, k = 1 | k = 2%:R].
Proof. by case: k => [[|[|[|m]]] i] //; [constructor 1|constructor 2|constructor 3]; apply: val_inj. Qed.
Lemma natB1_neq0 K : (1 < K)%N -> K%:R - 1 != 0 :> R.
Proof. by move=> K1; rewrite subr_eq0 pnatr_eq1; case: K K1 => [|[|]]. Qed.
Lemma natB1_gt0 K : (1 < K)%N -> 0 < K%:R - 1 :> R.
Proof. by move=> K1; rewrite subr_gt0 ltr1n. Qed.
Lemma shrinks_gt0 K (eta : R) : (1 < K)%N -> (0 < shrinks K eta) = (eta < (K%:R - 1) / K%:R).
Proof.
move=> K1; have K0 : 0 < K%:R :> R by rewrite ltr0n; case: K K1.
by rewrite subr_gt0 ltr_pdivr_mulr ?natB1_gt0 // mul1r ltr_pdivl_mulr // mulrC.
Qed.
Lemma shrinks_ge0 K (eta : R) : (1 < K)%N -> (0 <= shrinks K eta) = (eta <= (K%:R - 1) / K%:R).
Proof.
move=> K1; have K0 : 0 < K%:R :> R by rewrite ltr0n; case: K K1.
by rewrite subr_ge0 ler_pdivr_mulr ?natB1_gt0 // mul1r ler_pdivl_mulr // mulrC.
Qed.

(* matrices *)
(* The matrix of symmetric noise of rate eta on K >= 2 classes has rows that are distributions. *)
Theorem symmetric_is_stochastic K (eta : R) : (1 < K)%N -> rate eta -> stochastic (@py_symmetric R K eta).
Proof.
move=> K1 /andP[e0 e1]; split=> [j k|j].
  rewrite /py_symmetric; case: ifP => _; first by rewrite subr_ge0.
  by rewrite divr_ge0 // ltW // natB1_gt0.
rewrite (bigD1 j) //= /py_symmetric eqxx (eq_bigr (fun=> eta / (K%:R - 1))); last first.
  by move=> k; rewrite eq_sym => /negPf ->.
rewrite sumr_const cardC1 card_ord -[K.-1]/(K.-1) -mulr_natr -subn1 natrB; last exact: ltnW.
by rewrite divfK ?natB1_neq0 // subrK.
Qed.

(* The matrix of class-conditional noise has rows that are distributions. *)
Theorem class_conditional_is_stochastic (tau_pos tau_neg : R) :
  rate tau_pos -> rate tau_neg -> stochastic (py_class_conditional tau_pos tau_neg).
Proof.
move=> /andP[p0 p1] /andP[n0 n1]; split=> [j k|j]; rewrite /py_class_conditional.
  by do 2 (case: ifP => _); rewrite ?subr_ge0.
by rewrite sum2 /=; case: ifP => _; rewrite ?subrK // addrC subrK.
Qed.

(* The matrix of pair-flip noise on three classes has rows and columns that are distributions. *)
Lemma pair_flip_of_three_is_doubly_stochastic (eta : R) : rate eta ->
  stochastic (py_pair_flip_3 eta) /\ stochastic (fun j k => py_pair_flip_3 eta k j).
Proof.
move=> /andP[e0 e1]; have nn j k : 0 <= py_pair_flip_3 eta j k.
  by rewrite /py_pair_flip_3 mul0r; do ![case: ifP => _] => //; rewrite subr_ge0.
by split; split=> // j; rewrite sum3 /py_pair_flip_3; case: (class_of_three j) => -> /=; ring.
Qed.

(* With two classes pair-flip noise is symmetric noise, and both are class-conditional noise of equal rates. *)
Theorem pair_flip_and_symmetric_are_class_conditional (eta : R) j k :
  py_pair_flip_2 eta j k = py_class_conditional eta eta j k /\
  @py_symmetric R 2 eta j k = py_class_conditional eta eta j k.
Proof.
split=> //; rewrite /py_symmetric /py_class_conditional (_ : 2%:R - 1 = 1) ?divr1; last by ring.
by case: (class_of_two j) => ->; case: (class_of_two k) => ->.
Qed.

(* A composed channel does to a distribution what its first part and then its second do. *)
Theorem composed_acts_in_turn K (S T : 'I_K -> 'I_K -> R) (p : 'I_K -> R) k :
  py_on_distribution (py_composed S T) p k = py_on_distribution T (py_on_distribution S p) k.
Proof.
rewrite /py_on_distribution /py_composed.
under [RHS]eq_bigr do rewrite mulr_suml.
rewrite [RHS]exchange_big /=; apply: eq_bigr => j _; rewrite mulr_sumr.
by apply: eq_bigr => l _; rewrite mulrA.
Qed.

(* Composed channels have rows that are distributions. *)
Theorem composed_is_stochastic K (S T : 'I_K -> 'I_K -> R) :
  stochastic S -> stochastic T -> stochastic (py_composed S T).
Proof.
move=> [s0 s1] [t0 t1]; split=> [j k|j]; rewrite /py_composed.
  by apply: sumr_ge0 => l _; rewrite mulr_ge0.
rewrite exchange_big /= -[RHS](s1 j); apply: eq_bigr => l _.
by rewrite -mulr_sumr t1 mulr1.
Qed.

(* Two symmetric channels in turn are one: of rate a + b - K a b / (K - 1). *)
Theorem symmetric_channels_compose K (a b : R) (j k : 'I_K) : (1 < K)%N ->
  py_composed (py_symmetric a) (py_symmetric b) j k
  = py_symmetric (a + b - K%:R * (a * b) / (K%:R - 1)) j k.
Proof.
move=> K1; have K0 := natB1_neq0 K1.
have -> : py_composed (py_symmetric a) (py_symmetric b) j k
        = on_distribution (symmetric b) (py_symmetric a j) k.
  by apply: eq_bigr => l _; rewrite py_symmetricE.
rewrite on_symmetricE // (_ : \sum_l _ = 1); last first.
  rewrite (bigD1 j) //= /py_symmetric eqxx (eq_bigr (fun=> a / (K%:R - 1))); last first.
    by move=> l; rewrite eq_sym => /negPf ->.
  rewrite sumr_const cardC1 card_ord -mulr_natr -subn1 natrB; last exact: ltnW.
  by rewrite divfK // subrK.
by rewrite /py_symmetric; move: (K%:R : R) K0 => m m0; case: ifP => _; field.
Qed.

(* Expected noisy counts keep the size of every row, and are not negative. *)
Theorem expected_keeps_sizes r K (S : 'I_K -> 'I_K -> R) (t : 'I_r -> 'I_K -> R) : stochastic S -> counts t ->
  counts (py_expected S t) /\ forall i, \sum_k py_expected S t i k = \sum_k t i k.
Proof.
move=> [s0 s1] t0; split=> [i k|i]; first by apply: sumr_ge0 => j _; rewrite mulr_ge0.
by rewrite exchange_big /=; apply: eq_bigr => j _; rewrite -mulr_sumr s1 mulr1.
Qed.
(* hypotheses that hold, closed by computation *)
Lemma counts_given r K rows : counts (counts_of R r K rows). Proof. by move=> i k; apply: ler0n. Qed.

Example rate_instance : rate (1 / 4%:R : R).
Proof. by apply/andP; split; evaluate. Qed.

Example composed_instance : stochastic (@py_symmetric R 3 (1 / 4%:R)) /\
  py_composed (py_symmetric (1 / 4%:R)) (py_symmetric (1 / 4%:R)) (0 : 'I_3) 0 = 19%:R / 32%:R :> R.
Proof. by split; [exact: symmetric_is_stochastic rate_instance | evaluate]. Qed.

Example expected_instance : let t := counts_of R 2 3 [:: [:: 3; 0; 1]; [:: 0; 0; 0]]%N in
  [/\ counts t, stochastic (@py_symmetric R 3 (1 / 4%:R)) & py_expected (py_symmetric (1 / 4%:R)) t 0 0 = 19%:R / 8%:R].
Proof. by split; [exact: counts_given | exact: composed_instance.1 | evaluate]. Qed.
End Channels.

(* What label noise makes of gains, about the library's own code: factors, and orders of splits that stay. *)
Section Gains.
Variable R : realFieldType.

Lemma gain_of_rescaled r K (M : 'I_K -> 'I_K -> R) (phi : ('I_K -> R) -> R) c (l : 'I_K -> R) (t : 'I_r -> 'I_K -> R) :
  (forall p q : 'I_K -> R, p =1 q -> phi p = phi q) ->
  (forall j, \sum_k M j k = 1) ->
  (forall p : 'I_K -> R, (forall k, 0 <= p k) -> \sum_k p k = 1 ->
     phi (on_distribution M p) = c * phi p + \sum_k l k * p k) ->
  counts t -> decrease phi (expected M t) = c * decrease phi t.
Proof.
move=> ext st aff t0.
have szM u : size (on_distribution M u) = size u.
  rewrite /size /on_distribution exchange_big /=; apply: eq_bigr => j _.
  by rewrite -mulr_sumr st mulr1.
have szE i : size (expected M t i) = size (t i) by exact: szM.
have whE : whole (expected M t) = whole t by apply: eq_bigr => i _.
have ndE : node (expected M t) =1 on_distribution M (node t).
  move=> k; rewrite /node /expected /on_distribution exchange_big /=.
  by apply: eq_bigr => j _; rewrite mulr_suml.
have key (u : 'I_K -> R) : (forall k, 0 <= u k) -> size u * phi (shares (on_distribution M u) (size u))
    = c * (size u * phi (shares u (size u))) + \sum_k l k * u k.
  move=> u0; have [z|nz] := eqVneq (size u) 0.
    rewrite z !mul0r mulr0 add0r big1 // => k _.
    by have -> : u k = 0; [apply: (psumr_eq0P _ z) => // j _; exact: u0 | rewrite mulr0].
  rewrite (ext _ (on_distribution M (shares u (size u)))); last first.
    by move=> k; rewrite /shares (negPf nz) /on_distribution mulr_suml; apply: eq_bigr => j _; rewrite mulrAC.
  rewrite aff ?sum_shares //; last first.
    by move=> k; rewrite /shares (negPf nz) divr_ge0 // sumr_ge0.
  rewrite mulrDr mulrCA; congr (_ + _); rewrite mulr_sumr; apply: eq_bigr => k _.
  by rewrite /shares (negPf nz); move: (l k) (u k) (size u) nz => x z n nz; field.
have top : whole t * phi (shares (node (expected M t)) (whole t))
    = c * (whole t * phi (shares (node t) (whole t))) + \sum_k l k * node t k.
  rewrite -[in RHS]whole_node -key; last by move=> k; rewrite sumr_ge0.
  by rewrite whole_node; congr (_ * _); apply: ext => k; rewrite /shares ndE.
have low i : size (t i) * phi (shares (expected M t i) (size (t i)))
    = c * (size (t i) * phi (shares (t i) (size (t i)))) + \sum_k l k * t i k by exact: key.
rewrite /decrease whE; under [X in _ - X]eq_bigr do rewrite szE low.
rewrite top.
rewrite big_split /= -mulr_sumr exchange_big /=.
have -> : \sum_k \sum_i l k * t i k = \sum_k l k * node t k by apply: eq_bigr => k _; rewrite mulr_sumr.
set A := whole t * _; set B := \sum_i _ * _; set C := \sum_k _ * _; set D := if _ then _ else _.
by rewrite [RHS]mulrA; congr (_ / _); ring.
Qed.

Lemma gini_ext K (p q : 'I_K -> R) : p =1 q -> py_gini p = py_gini q.
Proof. by move=> e; rewrite /py_gini; congr (_ - _); apply: eq_bigr => k _; rewrite e. Qed.

(* Gini *)
(* Class-conditional noise multiplies the Gini gain of every two-class split, into any number of rows, empty ones
   included, by (1 - tau_pos - tau_neg)^2. *)
Theorem gini_gain_rescales_of_class_conditional_noise r (t : 'I_r -> 'I_2 -> R) tau_pos tau_neg : counts t ->
  py_decrease_gini (py_expected (py_class_conditional tau_pos tau_neg) t)
  = (1 - tau_pos - tau_neg) ^+ 2 * py_decrease_gini t.
Proof.
move=> t0; apply: (@gain_of_rescaled r 2 _ (@py_gini R 2) _ (fun k => if k == 0 then 2%:R * tau_neg * (1 - tau_neg)
     else 2%:R * tau_pos * (1 - tau_pos))) => [p q e|j|p _ p1|//]; first exact: gini_ext.
  by rewrite sum2 /py_class_conditional /=; case: eqP => _; ring.
move: p1; rewrite /py_gini /on_distribution /py_class_conditional !sum2 /= => p1.
have e : p 1 = 1 - p 0 by rewrite -p1 [p 0 + _]addrC addrK.
by rewrite e; move: (p 0) => x; ring.
Qed.

(* Class-conditional noise, whatever its two rates, keeps the order of the Gini gains of all two-class splits unless
   the rates sum to one: the rates need not be known. *)
Theorem gini_order_is_kept_of_class_conditional_noise r s (t : 'I_r -> 'I_2 -> R) (u : 'I_s -> 'I_2 -> R) a b :
  counts t -> counts u -> a + b != 1 ->
  (py_decrease_gini (py_expected (py_class_conditional a b) t)
    < py_decrease_gini (py_expected (py_class_conditional a b) u))
  = (py_decrease_gini t < py_decrease_gini u).
Proof.
move=> t0 u0 ne1; rewrite !gini_gain_rescales_of_class_conditional_noise // ltr_pmul2l //.
by rewrite exprn_even_gt0 //= -addrA -opprD subr_eq0 eq_sym.
Qed.

(* Rates that sum to one leave no gain to any two-class split: its expected noisy Gini gain is 0. *)
Theorem gini_gain_vanishes_of_rates_that_sum_to_one r (t : 'I_r -> 'I_2 -> R) tau_pos tau_neg : counts t ->
  tau_pos + tau_neg = 1 -> py_decrease_gini (py_expected (py_class_conditional tau_pos tau_neg) t) = 0.
Proof.
move=> t0 e; rewrite gini_gain_rescales_of_class_conditional_noise // -addrA -opprD e subrr.
by rewrite expr0n mul0r.
Qed.

(* Symmetric noise of any rate other than (K - 1)/K keeps the order of the Gini gains of all splits. *)
Theorem gini_order_is_kept_of_symmetric_noise r s K (t : 'I_r -> 'I_K -> R) (u : 'I_s -> 'I_K -> R) eta :
  (1 < K)%N -> eta != (K%:R - 1) / K%:R ->
  (py_decrease_gini (py_expected (py_symmetric eta) t) < py_decrease_gini (py_expected (py_symmetric eta) u))
  = (py_decrease_gini t < py_decrease_gini u).
Proof.
move=> K1 ne; rewrite !py_expectedE !py_gini_gain_rescales_of_symmetric // ltr_pmul2l //.
rewrite exprn_even_gt0 //= subr_eq0 eq_sym; apply: contra ne => /eqP e.
have K0 : K%:R != 0 :> R by rewrite pnatr_eq0; case: K K1 {t u e}.
apply/eqP; have := congr1 (fun x => x * (K%:R - 1)) e.
by rewrite divfK ?natB1_neq0 // mul1r => <-; rewrite mulrAC mulfV // mul1r.
Qed.

(* With two classes the factor of symmetric noise is (1 - 2 eta)^2. *)
Theorem gini_gain_rescales_of_two_class_symmetric_noise r (t : 'I_r -> 'I_2 -> R) eta :
  py_decrease_gini (py_expected (py_symmetric eta) t) = (1 - 2%:R * eta) ^+ 2 * py_decrease_gini t.
Proof.
rewrite py_expectedE py_gini_gain_rescales_of_symmetric // (_ : 2%:R - 1 = 1) ?divr1 //; by ring.
Qed.

(* Pair-flip noise on three classes multiplies the Gini gain of every split by 1 - 3 eta + 3 eta^2. *)
Theorem gini_gain_rescales_of_three_class_pair_flips r (t : 'I_r -> 'I_3 -> R) eta : counts t ->
  py_decrease_gini (py_expected (py_pair_flip_3 eta) t)
  = (1 - 3%:R * eta + 3%:R * eta ^+ 2) * py_decrease_gini t.
Proof.
move=> t0; apply: (@gain_of_rescaled r 3 _ (@py_gini R 3) _ (fun=> 2%:R * eta * (1 - eta))) => [p q e|j|p _ p1|//].
  exact: gini_ext.
  by rewrite sum3 /py_pair_flip_3; case: (class_of_three j) => -> /=; ring.
move: p1; rewrite sum3 => p1; have e : p 2%:R = 1 - p 0 - p 1 by rewrite -p1; ring.
rewrite /py_gini !sum3 /on_distribution !sum3 e /py_pair_flip_3 /=.
by move: (p 0) (p 1) => x y; ring.
Qed.

(* Pair-flip noise on three classes keeps the order of the Gini gains of all splits at every rate. *)
Theorem gini_order_is_kept_of_three_class_pair_flips r s (t : 'I_r -> 'I_3 -> R) (u : 'I_s -> 'I_3 -> R) eta :
  counts t -> counts u ->
  (py_decrease_gini (py_expected (py_pair_flip_3 eta) t) < py_decrease_gini (py_expected (py_pair_flip_3 eta) u))
  = (py_decrease_gini t < py_decrease_gini u).
Proof.
move=> t0 u0; rewrite !gini_gain_rescales_of_three_class_pair_flips // ltr_pmul2l //.
have -> : 1 - 3%:R * eta + 3%:R * eta ^+ 2 = 3%:R * (eta - 1 / 2%:R) ^+ 2 + 1 / 4%:R by field.
by apply: ltr_spaddr; first evaluate; apply: mulr_ge0; rewrite ?sqr_ge0 ?ler0n.
Qed.

(* pairs of classes *)
(* The pairwise gain of every two-class split in two is multiplied by |1 - tau_pos - tau_neg|. *)
Theorem pairwise_gain_rescales_of_class_conditional_noise (t : 'I_2 -> 'I_2 -> R) tau_pos tau_neg :
  py_pairwise_gain (py_expected (py_class_conditional tau_pos tau_neg) t)
  = `|1 - tau_pos - tau_neg| * py_pairwise_gain t.
Proof. exact: pairwise_gain_rescales_of_class_conditional. Qed.

(* The order of pairwise gains stays unless the rates sum to one. *)
Theorem pairwise_order_is_kept_of_class_conditional_noise (t u : 'I_2 -> 'I_2 -> R) a b : a + b != 1 ->
  (py_pairwise_gain (py_expected (py_class_conditional a b) t)
    < py_pairwise_gain (py_expected (py_class_conditional a b) u)) = (py_pairwise_gain t < py_pairwise_gain u).
Proof. exact: pairwise_gain_keeps_order_of_class_conditional. Qed.

(* Rates that sum to one make the expected noisy pairwise gain of every split 0. *)
Theorem pairwise_gain_vanishes_of_rates_that_sum_to_one (t : 'I_2 -> 'I_2 -> R) tau_pos tau_neg :
  tau_pos + tau_neg = 1 -> py_pairwise_gain (py_expected (py_class_conditional tau_pos tau_neg) t) = 0.
Proof.
move=> e; rewrite pairwise_gain_rescales_of_class_conditional_noise -addrA -opprD e subrr normr0.
by rewrite mul0r.
Qed.

Lemma square_out (c A D : R) : `|c| * A * (`|c| * A) / D = c ^+ 2 * (A * A / D).
Proof. by rewrite mulrACA -normrM -!expr2 [RHS]mulrA ger0_norm ?sqr_ge0. Qed.

(* l_k N_R - r_k N_L of a class k *)
Lemma crossing_of_symmetric K eta (l r : 'I_K -> R) k : (1 < K)%N ->
  on_distribution (py_symmetric eta) l k * (\sum_k on_distribution (py_symmetric eta) r k)
  - on_distribution (py_symmetric eta) r k * (\sum_k on_distribution (py_symmetric eta) l k)
  = shrinks K eta * (l k * (\sum_k r k) - r k * (\sum_k l k)).
Proof.
move=> K1; have ext (p : 'I_K -> R) j : on_distribution (py_symmetric eta) p j = on_distribution (symmetric eta) p j.
  by apply: eq_bigr => i _; rewrite py_symmetricE.
have sz (p : 'I_K -> R) : \sum_k on_distribution (py_symmetric eta) p k = \sum_k p k.
  by rewrite -/(size p) -(size_on_symmetric eta p K1); apply: eq_bigr => j _.
rewrite !sz !ext !on_symmetricE // /shrinks.
move: (\sum_k l k) (\sum_k r k) (l k) (r k) => nl nr x y.
by move: (K%:R : R) (natB1_neq0 R K1) => m m0; field.
Qed.

(* Symmetric noise on K classes multiplies twoing by (1 - K eta/(K - 1))^2. *)
Theorem twoing_rescales_of_symmetric_noise K (t : 'I_2 -> 'I_K -> R) eta : (1 < K)%N ->
  py_twoing (py_expected (py_symmetric eta) t) = shrinks K eta ^+ 2 * py_twoing t.
Proof.
move=> K1; rewrite /py_twoing !py_expectedE /expected.
have sz i : \sum_k on_distribution (py_symmetric eta) (t i) k = \sum_k t i k.
  rewrite -/(size (t i)) -(size_on_symmetric eta (t i) K1); apply: eq_bigr => k _.
  by apply: eq_bigr => j _; rewrite py_symmetricE.
under eq_bigr do rewrite crossing_of_symmetric // normrM.
by rewrite -mulr_sumr !sz square_out.
Qed.

(* Symmetric noise on K classes multiplies the one-vs-rest pairwise gain by |1 - K eta/(K - 1)|. *)
Theorem one_vs_rest_rescales_of_symmetric_noise K (t : 'I_2 -> 'I_K -> R) eta : (1 < K)%N ->
  py_one_vs_rest (py_expected (py_symmetric eta) t) = `|shrinks K eta| * py_one_vs_rest t.
Proof.
move=> K1; rewrite /py_one_vs_rest !py_expectedE /expected.
under eq_bigr do rewrite crossing_of_symmetric // normrM.
by rewrite -mulr_sumr mulrA.
Qed.

Lemma crossing_of_class_conditional a b (l r : 'I_2 -> R) k :
  on_distribution (py_class_conditional a b) l k * (\sum_k on_distribution (py_class_conditional a b) r k)
  - on_distribution (py_class_conditional a b) r k * (\sum_k on_distribution (py_class_conditional a b) l k)
  = (1 - a - b) * (l k * (\sum_k r k) - r k * (\sum_k l k)).
Proof. by rewrite /on_distribution /py_class_conditional !sum2 /=; case: (class_of_two k) => -> /=; ring. Qed.

(* Class-conditional noise multiplies twoing of a two-class split by (1 - tau_pos - tau_neg)^2. *)
Theorem twoing_rescales_of_class_conditional_noise (t : 'I_2 -> 'I_2 -> R) tau_pos tau_neg :
  py_twoing (py_expected (py_class_conditional tau_pos tau_neg) t) = (1 - tau_pos - tau_neg) ^+ 2 * py_twoing t.
Proof.
rewrite /py_twoing !py_expectedE /expected.
have sz i : \sum_k on_distribution (py_class_conditional tau_pos tau_neg) (t i) k = \sum_k t i k.
  by rewrite /expected /on_distribution /py_class_conditional !sum2 /=; ring.
under eq_bigr do rewrite crossing_of_class_conditional normrM.
by rewrite -mulr_sumr !sz square_out.
Qed.

(* Class-conditional noise multiplies the one-vs-rest pairwise gain of two classes by |1 - tau_pos - tau_neg|. *)
Theorem one_vs_rest_rescales_of_class_conditional_noise (t : 'I_2 -> 'I_2 -> R) tau_pos tau_neg :
  py_one_vs_rest (py_expected (py_class_conditional tau_pos tau_neg) t)
  = `|1 - tau_pos - tau_neg| * py_one_vs_rest t.
Proof.
rewrite /py_one_vs_rest !py_expectedE /expected.
under eq_bigr do rewrite crossing_of_class_conditional normrM.
by rewrite -mulr_sumr mulrA.
Qed.
(* hypotheses that hold, closed by computation *)
Example two_class_instance :
  let t := counts_of R 3 2 [:: [:: 3; 1]; [:: 0; 0]; [:: 1; 2]]%N in
  let u := counts_of R 2 2 [:: [:: 4; 0]; [:: 0; 3]]%N in
  let noise := py_class_conditional (1 / 5%:R) (1 / 4%:R) in
  [/\ counts t, counts u & 1 / 5%:R + 1 / 4%:R != 1 :> R] /\
  [/\ py_decrease_gini t < py_decrease_gini u, 0 < py_decrease_gini (py_expected noise t) &
      py_decrease_gini (py_expected noise t) < py_decrease_gini (py_expected noise u)].
Proof. by split; split; try exact: counts_given; cbv zeta; evaluate. Qed.

Example rates_that_sum_to_one_instance :
  let t := counts_of R 2 2 [:: [:: 3; 1]; [:: 1; 2]]%N in
  [/\ counts t, 1 / 4%:R + 3%:R / 4%:R = 1 :> R, 0 < py_decrease_gini t & 0 < py_pairwise_gain t].
Proof. by split; try exact: counts_given; cbv zeta; evaluate. Qed.

Example three_class_instance :
  let t := counts_of R 2 3 [:: [:: 3; 1; 0]; [:: 1; 2; 1]]%N in
  let u := counts_of R 2 3 [:: [:: 4; 0; 0]; [:: 0; 3; 1]]%N in let eta : R := 1 / 4%:R in
  [/\ counts t, counts u & eta != (3%:R - 1) / 3%:R] /\
  [/\ py_decrease_gini t < py_decrease_gini u, 0 < py_twoing (py_expected (py_symmetric eta) t),
      0 < py_decrease_gini (py_expected (py_symmetric eta) t),
      0 < py_decrease_gini (py_expected (py_pair_flip_3 eta) t) &
      0 < py_one_vs_rest (py_expected (py_symmetric eta) t)].
Proof. by split; split; try exact: counts_given; cbv zeta; evaluate. Qed.

Example pairwise_instance :
  let t := counts_of R 2 2 [:: [:: 3; 1]; [:: 1; 2]]%N in let u := counts_of R 2 2 [:: [:: 4; 0]; [:: 0; 3]]%N in
  1 / 5%:R + 1 / 4%:R != 1 :> R /\ py_pairwise_gain t < py_pairwise_gain u.
Proof. by split; cbv zeta; evaluate. Qed.
End Gains.

(* Flips of labels that depend on each other, given only the rates of the two classes: what the mean of the pairwise
   gain is at least; about the library's own code. *)
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

(* Which channels can raise a Gini gain; about the library's own code. *)
(* rows and columns are distributions *)
Definition doubly_stochastic (R : realFieldType) K (S : 'I_K -> 'I_K -> R) :=
  stochastic S /\ stochastic (fun j k => S k j).

Section Contract.
Variable R : realFieldType.

Lemma square_of_mean K (w x : 'I_K -> R) : (forall j, 0 <= w j) -> \sum_j w j = 1 ->
  (\sum_j x j * w j) ^+ 2 <= \sum_j x j ^+ 2 * w j.
Proof.
move=> w0 w1; set m := \sum_j x j * w j; rewrite -subr_ge0.
have -> : \sum_j x j ^+ 2 * w j - m ^+ 2 = \sum_j (x j - m) ^+ 2 * w j.
  rewrite [RHS](eq_bigr (fun j => x j ^+ 2 * w j + (- (2%:R * m) * (x j * w j) + m ^+ 2 * w j))); last first.
    by move=> j _; ring.
  by rewrite !big_split /= -!mulr_sumr w1 -/m; ring.
by apply: sumr_ge0 => j _; rewrite mulr_ge0 ?sqr_ge0.
Qed.

(* A doubly stochastic channel, such as symmetric or pair-flip noise, never raises the Gini gain of the expected
   table. *)
Theorem gini_gain_never_rises_of_doubly_stochastic_channel r K (S : 'I_K -> 'I_K -> R) (t : 'I_r -> 'I_K -> R) :
  (0 < r)%N -> doubly_stochastic S -> (forall i, 0 < \sum_k t i k) ->
  py_decrease_gini (py_expected S t) <= py_decrease_gini t.
Proof.
move=> r0 [[S0 S1] [_ C1]] pos; have szS i : size (py_expected S t i) = size (t i).
  by rewrite /size exchange_big /=; apply: eq_bigr => j _; rewrite -mulr_sumr S1 mulr1.
have whS : whole (py_expected S t) = whole t by apply: eq_bigr => i _; exact: szS.
have n0 : 0 < whole t.
  case: r r0 t pos {szS whS} => // r _ t pos; rewrite /whole (bigD1 ord0) //= ltr_spaddl ?pos // sumr_ge0 // => i _.
  exact: ltW (pos i).
rewrite !py_decrease_giniE !gini_gain_is_spread ?whS ?gt_eqF // => [|i|i]; rewrite ?szS ?gt_eqF ?pos //.
rewrite ler_pmul2r ?invr_gt0 //; apply: ler_sum => i _; rewrite szS ler_wpmul2l //; first exact: ltW (pos i).
pose x k := shares (t i) (size (t i)) k - shares (node t) (whole t) k.
rewrite [X in X <= _](eq_bigr (fun k => (\sum_j x j * S j k) ^+ 2)); last first.
  move=> k _; rewrite /x /shares (gt_eqF n0) (gt_eqF (pos i)); congr (_ ^+ 2).
  rewrite [RHS](eq_bigr (fun j => t i j * S j k / size (t i) - node t j * S j k / whole t)) => [|j _].
    rewrite sumrB -!mulr_suml; congr (_ - _ / _); rewrite /node /py_expected exchange_big /=.
    by apply: eq_bigr => j _; rewrite mulr_suml.
  by rewrite mulrBl ![_ / _ * S j k]mulrAC.
apply: (@le_trans _ _ (\sum_k \sum_j x j ^+ 2 * S j k)).
  by apply: ler_sum => k _; exact: square_of_mean.
by rewrite exchange_big /=; apply: ler_sum => j _; rewrite -mulr_sumr S1 mulr1.
Qed.

(* A channel whose columns do not sum to one can raise it: here it turns class 2 into class 1. *)
Theorem gini_gain_may_rise_of_a_channel :
  let S (j k : 'I_3) : R := if j == 2%:R then (k == 1)%:R else (k == j)%:R in
  let t := counts_of R 2 3 [:: [:: 2; 0; 0]; [:: 0; 1; 1]]%N in
  stochastic S /\ py_decrease_gini t < py_decrease_gini (py_expected S t).
Proof.
move=> S t; split; last by rewrite /S /t; evaluate.
split=> [j k|j]; first by rewrite /S; case: ifP => _; exact: ler0n.
by case: (class_of_three j) => ->; rewrite /S; evaluate.
Qed.

Lemma crossings_contract K (S : 'I_K -> 'I_K -> R) (t : 'I_2 -> 'I_K -> R) : stochastic S ->
  (forall i, \sum_k py_expected S t i k = \sum_k t i k) /\
  \sum_k `|py_expected S t 0 k * (\sum_k t 1 k) - py_expected S t 1 k * (\sum_k t 0 k)|
    <= \sum_k `|t 0 k * (\sum_k t 1 k) - t 1 k * (\sum_k t 0 k)|.
Proof.
move=> [S0 S1]; split=> [i|].
  by rewrite exchange_big /=; apply: eq_bigr => j _; rewrite -mulr_sumr S1 mulr1.
move: (\sum_k t 1 k) (\sum_k t 0 k) => nr nl.
have e k : py_expected S t 0 k * nr - py_expected S t 1 k * nl = \sum_j (t 0 j * nr - t 1 j * nl) * S j k.
  by rewrite /py_expected !mulr_suml -sumrB; apply: eq_bigr => j _; ring.
apply: (@le_trans _ _ (\sum_k \sum_j `|t 0 j * nr - t 1 j * nl| * S j k)).
  apply: ler_sum => k _; rewrite e; apply: le_trans (ler_norm_sum _ _ _) _.
  by apply: ler_sum => j _; rewrite normrM (ger0_norm (S0 j k)).
by rewrite exchange_big /=; apply: ler_sum => j _; rewrite -mulr_sumr S1 mulr1.
Qed.

(* No channel raises the one-vs-rest pairwise gain of the expected table. *)
Theorem one_vs_rest_never_rises_of_a_channel K (S : 'I_K -> 'I_K -> R) (t : 'I_2 -> 'I_K -> R) : stochastic S ->
  py_one_vs_rest (py_expected S t) <= py_one_vs_rest t.
Proof.
move=> st; have [sz le] := crossings_contract t st.
by rewrite /py_one_vs_rest !sz ler_pmul2r // invr_gt0 ltr0n.
Qed.

(* No channel raises twoing of the expected table. *)
Theorem twoing_never_rises_of_a_channel K (S : 'I_K -> 'I_K -> R) (t : 'I_2 -> 'I_K -> R) : stochastic S -> counts t ->
  py_twoing (py_expected S t) <= py_twoing t.
Proof.
move=> st t0; have [sz le] := crossings_contract t st; rewrite /py_twoing !sz.
have z i : 0 <= \sum_k t i k by apply: sumr_ge0 => k _; exact: t0.
apply: ler_wpmul2r; last by apply: ler_pmul => //; apply: sumr_ge0 => k _; rewrite normr_ge0.
rewrite invr_ge0; case: ifP => _; first exact: ler01.
have := z 0; have := z 1; move: (\sum_k t 0 k) (\sum_k t 1 k) => nl nr r0 l0.
have w0 : 0 <= nl + nr by exact: addr_ge0.
by rewrite mulr_ge0 // mulr_ge0 // mulr_ge0 // mulr_ge0 ?ler0n.
Qed.

(* hypotheses that hold, closed by computation *)
Example contract_instance : let t := counts_of R 2 3 [:: [:: 3; 1; 0]; [:: 1; 2; 1]]%N in
  [/\ doubly_stochastic (py_pair_flip_3 (1 / 4%:R : R)), forall i, 0 < \sum_k t i k &
      py_decrease_gini (py_expected (py_pair_flip_3 (1 / 4%:R)) t) < py_decrease_gini t].
Proof.
split; [exact: pair_flip_of_three_is_doubly_stochastic (rate_instance R) | | by cbv zeta; evaluate].
by move=> i; case: (class_of_two i) => ->; cbv zeta; evaluate.
Qed.

Example channel_instance : let t := counts_of R 2 3 [:: [:: 3; 1; 0]; [:: 1; 2; 1]]%N in
  let S := @py_symmetric R 3 (1 / 4%:R) in
  [/\ stochastic S, counts t, py_twoing (py_expected S t) < py_twoing t &
      py_one_vs_rest (py_expected S t) < py_one_vs_rest t].
Proof.
by split; [exact: symmetric_is_stochastic (rate_instance R) | exact: counts_given | |]; cbv zeta; evaluate.
Qed.
End Contract.
