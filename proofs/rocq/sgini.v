(* The standardised Gini gain, the gain above Cantelli's bound, and the exchange of feature and label. *)
From mathcomp Require Import all_ssreflect perm ssralg ssrnum ssrint zmodp.
From mathcomp Require Import ring.
From splitcrit Require Import defs null generated tie all_sizes.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* The standardised Gini gain: mean 0 and variance 1 over all permutations of the labels; scores of a cut. *)
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

(* The gain above Cantelli's bound: how rarely a gain by chance exceeds it, over all permutations of the labels. *)
Section Cantelli.
Variables (R : realFieldType) (T : finType) (X : {perm T} -> R).
Local Notation nfact := ((#|T|`!)%:R : R).
Hypothesis centred : mean X = 0.
Let V := mean (fun s => X s ^+ 2).

Lemma square_above (t u : R) : 0 <= t -> 0 <= u ->
  #|[pred s | t <= X s]|%:R * (t + u) ^+ 2 <= nfact * (V + u ^+ 2).
Proof.
move=> t0 u0; have f0 : nfact != 0 := nfact0 R T.
have -> : nfact * (V + u ^+ 2) = \sum_s (X s + u) ^+ 2.
  have -> : V + u ^+ 2 = mean (fun s => (X s + u) ^+ 2).
    rewrite (mean_ext (G := fun s => X s ^+ 2 + (2%:R * u * X s + u ^+ 2))); last by move=> s; ring.
    by rewrite !mean_add mean_scale mean_const centred mulr0 add0r.
  by rewrite /mean mulrC mulfVK.
rewrite mulr_natl -sumr_const big_mkcond; apply: ler_sum => s _; case: ifP => [ts|_]; last exact: sqr_ge0.
by rewrite ler_pexpn2r ?nnegrE ?addr_ge0 ?ler_add2r //; exact: le_trans t0 _.
Qed.
End Cantelli.

Section AGini.
Variables (R : rcfType) (T : finType) (r K : nat) (f : T -> 'I_r) (y : T -> 'I_K).
Hypothesis rows_occur : forall i, (0 < #|[pred u | f u == i]|)%N.
Local Notation a := (total_of R f).
Local Notation b := (total_of R y).
Local Notation pygain := (fun s => py_decrease_gini (table R f y s)).
Variables alpha d : R.
Hypotheses (d0 : d != 0) (alpha0 : 0 < alpha) (alpha1 : alpha < 1).
(* the corrected gain of the table after the labels have been permuted by s *)
Definition agini_of (s : {perm T}) : R := py_agini Num.sqrt a b alpha (pygain s) d.

(* Over all permutations of the labels of any table, the gain above Cantelli's bound that the library returns (model
   permutation) is positive in a share of at most alpha. *)
Theorem py_agini_is_positive_rarely : #|[pred s | 0 < agini_of s]|%:R <= alpha * (#|T|`!)%:R.
Proof.
have [r0|r0] := eqVneq (r%:R : R) 0.
  by rewrite eq_card0 ?mulr_ge0 ?ler0n ?ltW // => s; rewrite inE /agini_of /py_agini r0 eqxx ltxx.
have EE : mean pygain = py_exact_mean a b by exact: py_exact_mean_is_mean_at_every_size.
have VE := py_exact_variance_is_variance_at_every_size y rows_occur d0.
have aE s : agini_of s = pygain s - mean pygain
    - Num.sqrt ((1 - alpha) / alpha * py_exact_variance a b d).
  by rewrite /agini_of /py_agini r0 -EE.
have odds0 : 0 < (1 - alpha) / alpha by rewrite divr_gt0 // subr_gt0.
have V_ge0 : 0 <= py_exact_variance a b d.
  rewrite -VE /mean divr_ge0 ?ler0n //; apply: sumr_ge0 => s _; exact: sqr_ge0.
case: (eqVneq (py_exact_variance a b d) 0) => [v0|v0].
  have := (py_exact_variance_eq0_iff_gain_is_constant y rows_occur d0).1 v0 => const.
  rewrite eq_card0 ?mulr_ge0 ?ler0n ?ltW // => s; rewrite inE aE v0 mulr0 sqrtr0 subr0.
  by rewrite (mean_ext const) mean_const const subrr ltxx.
have v_gt0 : 0 < py_exact_variance a b d by rewrite lt0r v0.
set v := py_exact_variance a b d in VE v_gt0 aE *.
set t := Num.sqrt _ in aE; have t_gt0 : 0 < t by rewrite sqrtr_gt0 mulr_gt0.
have tE : t ^+ 2 = (1 - alpha) / alpha * v by rewrite sqr_sqrtr // ltW // mulr_gt0.
pose X s := pygain s - mean pygain.
have centred : mean X = 0.
  rewrite (mean_ext (G := fun s => pygain s + (- mean pygain))) // mean_add mean_const subrr //.
have u_gt0 : 0 < v / t by rewrite divr_gt0.
have := square_above centred (ltW t_gt0) (ltW u_gt0).
rewrite VE; have -> : v + (v / t) ^+ 2 = alpha * (t + v / t) ^+ 2.
  have a0 : alpha != 0 by rewrite gt_eqF.
  have t0 : t != 0 by rewrite gt_eqF.
  have -> : alpha * (t + v / t) ^+ 2 = alpha * (t ^+ 2 + v) ^+ 2 / t ^+ 2 by field.
  have -> : v + (v / t) ^+ 2 = v * (t ^+ 2 + v) / t ^+ 2 by field.
  by rewrite tE; congr (_ / _); field.
have p : 0 < (t + v / t) ^+ 2 by rewrite exprn_gt0 // addr_gt0.
rewrite [_ * (alpha * _)]mulrCA [alpha * (_ * _)]mulrA (ler_pmul2r p) => h; apply: le_trans h.
rewrite ler_nat; apply: subset_leq_card; apply/subsetP => s; rewrite !inE aE subr_gt0.
exact: ltW.
Qed.
End AGini.

(* Four observations, one of each of two rows and two classes, and alpha = 1/10. *)
Example agini_of_four (R : rcfType) :
  let T := [finType of 'I_2 * 'I_2] in let row (u : T) := u.1 in let class (u : T) := u.2 in
  [/\ forall i, (0 < #|[pred u | row u == i]|)%N, (1 : R) != 0, 0 < 1 / 10%:R :> R, 1 / 10%:R < 1 :> R
    & (#|[pred s | (0 : R) < agini_of row class (1 / 10%:R) (1 : R) s]|%:R : R) <= 1 / 10%:R * (#|T|`!)%:R].
Proof.
move=> T row class; have [rows classes] := totals_of_four.
have rows_occur i : (0 < #|[pred u | row u == i]|)%N by rewrite rows.
have p : 0 < 1 / 10%:R :> R by rewrite divr_gt0 ?ltr01 ?ltr0n.
have q : 1 / 10%:R < 1 :> R by rewrite ltr_pdivr_mulr ?ltr0n // mul1r ltr1n.
split; rewrite ?oner_neq0 //.
apply: py_agini_is_positive_rarely => //; exact: oner_neq0.
Qed.

(* The standardised gain of two rows and two classes is the same if feature and label are exchanged. *)
Section Transposed.
Variable R : realFieldType.
Variables n b m : R.
Hypotheses (n0 : 0 < n) (m0 : 0 < m) (mn : m < n) (b0 : 0 < b) (bn : b < n).
Let together (z : R) : z + (n - z) = n. Proof. by ring. Qed.
Let nn : n != 0. Proof. by rewrite gt_eqF. Qed.
Let mm : m != 0. Proof. by rewrite gt_eqF. Qed.
Let bb : b != 0. Proof. by rewrite gt_eqF. Qed.
Let nm : n - m != 0. Proof. by rewrite subr_eq0 gt_eqF. Qed.
Let nb : n - b != 0. Proof. by rewrite subr_eq0 gt_eqF. Qed.
(* the ratio of the products of totals *)
Let c := m * (n - m) / (b * (n - b)).
Let c_gt0 : 0 < c. Proof. by rewrite divr_gt0 ?mulr_gt0 ?subr_gt0. Qed.

(* The Gini gain, its mean and its variance over permutations, exchanged, change by one factor, by its first and second
   power: the ratio of the products of row totals and of class totals. *)
Lemma gain_exchanged e : py_key_of_gini_gain n m b e = c * py_key_of_gini_gain n b m e.
Proof. by rewrite /py_key_of_gini_gain /c; field; rewrite nn mm bb nm nb. Qed.

Lemma mean_exchanged d e : py_exact_mean_of_two b (n - b) m (n - m) e = c * py_exact_mean_of_two m (n - m) b (n - b) d.
Proof.
rewrite /py_exact_mean_of_two !together; case: ltrP => n2; first by rewrite mulr0.
have n1 : n - 1 != 0 by rewrite subr_eq0 gt_eqF // (lt_le_trans _ n2) // ltr1n.
by rewrite /py_mean /c; field; rewrite nn n1 bb nb.
Qed.

Lemma variance_exchanged d e : d != 0 -> e != 0 ->
  py_exact_variance_of_two b (n - b) m (n - m) e = c ^+ 2 * py_exact_variance_of_two m (n - m) b (n - b) d.
Proof.
move=> d0 e0; rewrite /py_exact_variance_of_two !together.
have h (k z : R) : k != 0 -> z != 0 -> n - z != 0 -> (k / z + k / (n - z)) / k = n / (z * (n - z)).
  by move=> k0 z0 nz; field; rewrite z0 nz k0.
rewrite !h //; case: ltrP => n3; first by rewrite mulr0.
have n1 : n - 1 != 0 by rewrite subr_eq0 gt_eqF // (lt_le_trans _ n3) // ltr1n.
have n2 : n - 2%:R != 0 by rewrite subr_eq0 gt_eqF // (lt_le_trans _ n3) // ltr_nat.
rewrite /py_variance /py_uneven_weight /py_thick_weight /py_thick_classes /py_uneven_classes /py_thick_rows.
rewrite /py_uneven_rows /c; case: lerP => n4; last by field; rewrite nn n1 n2 mm bb nm nb.
have n3' : n - 3%:R != 0 by rewrite subr_eq0 gt_eqF // (lt_le_trans _ n4) // ltr_nat.
by field; rewrite nn n1 n2 n3' mm bb nm nb.
Qed.

(* At two rows and two classes the standardised gain, by its signed square, is the same with feature and label
   exchanged. *)
Theorem py_key_of_sgini_is_same_exchanged x d e : d != 0 -> e != 0 ->
  py_key_of_sgini n b m x d = py_key_of_sgini n m b x e.
Proof.
move=> d0 e0; rewrite /py_key_of_sgini gain_exchanged (mean_exchanged d) (variance_exchanged d0 e0) -mulrBr.
rewrite mulf_eq0 expf_eq0 /= (gt_eqF c_gt0) /= pmulr_rgt0 // /py_signed_square.
case: eqP => //= /eqP v0; have c0 : c != 0 by rewrite gt_eqF.
move: (py_key_of_gini_gain _ _ _ _ - _) (py_exact_variance_of_two _ _ _ _ _) v0 => z v v0.
have -> : (c * z) ^+ 2 / (c ^+ 2 * v) = z ^+ 2 / v by field; rewrite c0 v0.
by [].
Qed.
End Transposed.

(* Ten observations in rows of 3 and 7 and classes of 4 and 6. *)
Example totals_of_ten (R : realFieldType) :
  [/\ 0 < 10%:R :> R, 0 < 3%:R :> R, 3%:R < 10%:R :> R, 0 < 4%:R :> R & 4%:R < 10%:R :> R]
  /\ 21%:R != 0 :> R /\ 12%:R != 0 :> R.
Proof. by rewrite !ltr0n !ltr_nat !pnatr_eq0. Qed.
