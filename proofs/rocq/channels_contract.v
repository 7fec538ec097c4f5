(* Which channels can raise a Gini gain; about the library's own code. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs noise core generated tie evaluate channels channels_gains.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

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
