(* Label noise, about the library's own code: what channels do to tables, gains, majorities. Every py_... is printed. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs noise core generated tie evaluate.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

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
