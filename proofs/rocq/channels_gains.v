(* What label noise makes of gains, about the library's own code: factors, and orders of splits that stay. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs noise core generated tie evaluate channels.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

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
