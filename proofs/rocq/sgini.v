(* The standardised Gini gain: mean 0 and variance 1 over all permutations of the labels; scores of a cut. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs distinct null gini_null generated tie all_sizes.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section SGini.
Variables (R : rcfType) (T : finType) (r K : nat) (f : T -> 'I_r) (y : T -> 'I_K).
Hypothesis rows_occur : forall i, (0 < #|[pred u | f u == i]|)%N.
Local Notation a := (total_of R f).
Local Notation b := (total_of R y).
Local Notation pygain := (fun s => py_decrease_gini (table R f y s)).
Variable d : R.
Hypothesis d0 : d != 0.
(* the standardised gain of the table after the labels have been permuted by s *)
Definition sgini_of (s : {perm T}) : R := py_sgini Num.sqrt a b (pygain s) d.

(* Over all permutations of the labels the standardised gain of the library has mean 0, whatever the margins. *)
Theorem py_sgini_has_mean_0 : mean sgini_of = 0.
Proof.
rewrite /sgini_of /py_sgini; case: eqP => v0 /=; first by rewrite mean_const.
set w := Num.sqrt _; rewrite (mean_ext (G := fun s => w^-1 * (pygain s + (- py_exact_mean a b)))).
  by rewrite mean_scale mean_add mean_const py_exact_mean_is_mean_at_every_size // subrr mulr0.
by move=> s; rewrite mulrC.
Qed.

(* Its variance over all permutations of the labels is 1 where the gain is not constant, and 0 where it is. *)
Theorem py_sgini_has_variance_1 :
  mean (fun s => sgini_of s ^+ 2) = if py_exact_variance a b d == 0 then 0 else 1.
Proof.
rewrite /sgini_of /py_sgini; case: eqP => v0 /=; first by rewrite expr0n mean_const.
have vE := py_exact_variance_is_variance_at_every_size y rows_occur d0.
have v_ge0 : 0 <= py_exact_variance a b d.
  rewrite -vE /mean divr_ge0 ?ler0n //; apply: sumr_ge0 => s _; exact: sqr_ge0.
rewrite (mean_ext (G := fun s => (py_exact_variance a b d)^-1 * (pygain s - mean pygain) ^+ 2)).
  by rewrite mean_scale vE mulVf //; apply/eqP.
by move=> s; rewrite expr_div_n sqr_sqrtr // py_exact_mean_is_mean_at_every_size // mulrC.
Qed.
End SGini.

Section Cuts.
Variable R : realFieldType.
Implicit Types n b m x d : R.

(* a cut of n observations of two classes: b of the first class in all, x of them among the m to the left *)
Definition cut_table n b m x : 'I_2 -> 'I_2 -> R := fun i k =>
  if i == 0 then (if k == 0 then x else m - x) else (if k == 0 then b - x else (n - m) - (b - x)).

(* The score by which the library compares cuts by Gini's gain is the gain of the table of the cut. *)
Theorem py_key_of_gini_gain_is_gain n b m x : n != 0 -> m != 0 -> n != m ->
  py_key_of_gini_gain n b m (n * x - m * b) = py_decrease_gini (cut_table n b m x).
Proof.
move=> n0 m0; rewrite -subr_eq0 => nm.
rewrite /py_key_of_gini_gain /py_decrease_gini !sum2 /cut_table /=.
have -> : x + (m - x) = m by ring. have -> : b - x + (n - m - (b - x)) = n - m by ring.
have -> : m + (n - m) = n by ring.
rewrite (negPf n0) (negPf m0) (negPf nm); field.
by rewrite nm n0 m0.
Qed.

(* The score by which the library compares cuts by the pairwise gain is the pairwise gain of the table of the cut. *)
Theorem py_key_of_pairwise_gain_is_gain n b m x :
  py_key_of_pairwise_gain n b m (n * x - m * b) = py_pairwise_gain (cut_table n b m x).
Proof. by rewrite /py_key_of_pairwise_gain /py_pairwise_gain /cut_table /=; congr (`|_| / _); ring. Qed.

(* At a cut the Gini gain grows with the distance |n x - m b| of a cell from its mean. *)
Theorem py_key_of_gini_gain_grows n b m d e : 0 < n -> 0 < m -> m < n ->
  (py_key_of_gini_gain n b m d <= py_key_of_gini_gain n b m e) = (`|d| <= `|e|).
Proof.
move=> n0 m0 mn; have p : 0 < n * n * m * (n - m) by rewrite !mulr_gt0 // subr_gt0.
rewrite /py_key_of_gini_gain ler_pmul2r ?invr_gt0 // -!mulrA ler_pmul2l ?ltr0n //.
by rewrite -!expr2 -(ger0_norm (sqr_ge0 d)) -(ger0_norm (sqr_ge0 e)) !normrX ler_pexpn2r ?nnegrE.
Qed.

Lemma signed_square_grows (v p q : R) : 0 < v ->
  ((if 0 < p then p ^+ 2 / v else - (p ^+ 2 / v)) <= (if 0 < q then q ^+ 2 / v else - (q ^+ 2 / v))) = (p <= q).
Proof.
move=> v0; have sq0 z : 0 <= z ^+ 2 / v by rewrite divr_ge0 ?sqr_ge0 // ltW.
case: (ltrP 0 p) => p0; case: (ltrP 0 q) => q0.
- by rewrite ler_pmul2r ?invr_gt0 // ler_pexpn2r ?nnegrE // ltW.
- rewrite [RHS]leNgt (le_lt_trans q0 p0); apply/negbTE; rewrite -ltNge.
  by apply: (@le_lt_trans _ _ 0); [rewrite oppr_le0|rewrite divr_gt0 ?exprn_gt0].
- by rewrite (ltW (le_lt_trans p0 q0)) (le_trans (y := 0)) // oppr_le0.
- by rewrite ler_opp2 ler_pmul2r ?invr_gt0 // -(sqrrN p) -(sqrrN q) ler_pexpn2r ?nnegrE ?oppr_ge0 // ler_opp2.
Qed.

(* At a cut whose gain varies, the standardised gain grows with the distance too: it orders tables as the gain does. *)
Theorem py_key_of_sgini_grows n b m d e lcm : 0 < n -> 0 < m -> m < n ->
  0 < py_exact_variance_of_two m (n - m) b (n - b) lcm ->
  (py_key_of_sgini n b m d lcm <= py_key_of_sgini n b m e lcm) = (`|d| <= `|e|).
Proof.
move=> n0 m0 mn v0; rewrite /py_key_of_sgini gt_eqF //= /py_signed_square signed_square_grows //.
by rewrite ler_add2r py_key_of_gini_gain_grows.
Qed.
End Cuts.

Section Instance.
(* Four observations, one of each of two rows and two classes: the variance of the standardised gain is 1. *)
Example sgini_of_four (R : rcfType) :
  let T := [finType of 'I_2 * 'I_2] in let row (u : T) := u.1 in let class (u : T) := u.2 in
  [/\ forall i, (0 < #|[pred u | row u == i]|)%N, (1 : R) != 0
    & mean (fun s => sgini_of row class (1 : R) s ^+ 2) = 1].
Proof.
move=> T row class; have [rows classes] := totals_of_four.
have rows_occur i : (0 < #|[pred u | row u == i]|)%N by rewrite rows.
have a2 i : total_of R row i = 2%:R by rewrite /total_of rows.
have b2 j : total_of R class j = 2%:R by rewrite /total_of classes.
split=> //; first exact: oner_neq0.
rewrite py_sgini_has_variance_1 ?oner_neq0 //.
have -> : py_exact_variance (total_of R row) (total_of R class) 1 = 1 / 18%:R.
  rewrite /py_exact_variance !sum2 !a2 !b2 -!natrD !ltr_nat !ler_nat /= /py_variance /py_uneven_weight.
  by rewrite /py_thick_weight /py_thick_classes /py_uneven_classes /py_thick_rows /py_uneven_rows; field.
by rewrite mulf_eq0 invr_eq0 oner_eq0 pnatr_eq0.
Qed.

(* Of ten observations, four of the first class, the cut with three of these alone on its left has gain 54/175. *)
Example gain_of_3_0_and_1_6 (R : realFieldType) :
  [/\ 10%:R != 0 :> R, 3%:R != 0 :> R, 10%:R != 3%:R :> R
    & py_decrease_gini (cut_table 10%:R 4%:R 3%:R 3%:R) = 54%:R / 175%:R :> R].
Proof.
have n3 : 10%:R != 3%:R :> R by rewrite eqr_nat.
split; rewrite ?pnatr_eq0 //; rewrite -py_key_of_gini_gain_is_gain ?pnatr_eq0 // /py_key_of_gini_gain; by field.
Qed.

(* The cut after three of ten observations, four of them of the first class: its gain varies. *)
Example gain_varies_at_a_cut (R : realFieldType) :
  [/\ 0 < 10%:R :> R, 0 < 3%:R :> R, 3%:R < 10%:R :> R
    & 0 < py_exact_variance_of_two 3%:R (10%:R - 3%:R) 4%:R (10%:R - 4%:R) 21%:R :> R].
Proof.
rewrite !ltr0n ltr_nat; split=> //.
have -> : 10%:R - 3%:R = 7%:R :> R by rewrite -natrB. have -> : 10%:R - 4%:R = 6%:R :> R by rewrite -natrB.
rewrite (_ : py_exact_variance_of_two _ _ _ _ _ = 1264%:R / 525%:R ^+ 2) ?divr_gt0 ?exprn_gt0 ?ltr0n //.
rewrite /py_exact_variance_of_two -!natrD !ltr_nat !ler_nat /= /py_variance /py_uneven_weight /py_thick_weight.
by rewrite /py_thick_classes /py_uneven_classes /py_thick_rows /py_uneven_rows; field.
Qed.
End Instance.
