(* The gain above Cantelli's bound: how rarely a gain by chance exceeds it, over all permutations of the labels. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs distinct null gini_null generated tie all_sizes.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

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
