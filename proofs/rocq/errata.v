(* Misprints and errors of the papers, refuted by computation; where it is short, the corrected equation in general.
   Papers: breiman1996, ghosh2017, wang2024, wilton2024, yang2019; the numbers B-E1, ... are those of proofs/errata. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs noise core generated tie evaluate channels channels_gains channels_risk.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* as it is printed in breiman1996, eq. (2.2): (P_L P_R / 4) sum_k |p_kL - p_kR|^2 *)
Definition twoing_as_printed (R : realFieldType) K (t : 'I_2 -> 'I_K -> R) : R :=
  let left := \sum_k t 0 k in let right := \sum_k t 1 k in let whole := left + right in
  left / whole * (right / whole) / 4%:R * \sum_k (t 0 k / left - t 1 k / right) ^+ 2.

(* the ranking loss of two scored children: positives and negatives (a, b) on the left, (c, d) on the right *)
Definition ranking_loss (R : realFieldType) (a b c d left right : R) : R :=
  a * b * py_pairwise left left + a * d * py_pairwise left right
  + c * b * py_pairwise right left + c * d * py_pairwise right right.

(* the terms of the noisy N_L^+ N_R^- - N_L^- N_R^+, given the second factor of its second term (yang2019, Theorem 1) *)
Definition eight_terms (R : realFieldType) (t : 'I_2 -> 'I_2 -> R) (tp tn second : R) : R :=
  let a := t 0 1 in let b := t 0 0 in let c := t 1 1 in let d := t 1 0 in
  a * d * (1 - tp) * (1 - tn) + a * c * second + b * d * tn * (1 - tn) + b * c * tp * tn
  - (b * c * (1 - tp) * (1 - tn) + a * c * tp * (1 - tp) + b * d * tn * (1 - tn)) - a * d * tp * tn.

Section Errata.
Variable R : realFieldType.
Local Notation table := (counts_of R).
Local Notation law := (shares_of R).

(* breiman1996 *)
(* B-E1, Sections 1 and 2: in our words, phi is convex. Gini's impurity lies above a chord. *)
Theorem erratum_breiman1996_impurity_is_not_convex :
  let p := law 2 [:: 1; 0]%N in let q := law 2 [:: 0; 1]%N in
  (py_gini p + py_gini q) / 2%:R < py_gini (fun k => (p k + q k) / 2%:R).
Proof. by cbv zeta; evaluate. Qed.

(* B-E2, eq. (2.2): with the squares inside the sum the best vertex of class counts 2, 2, 1, 1 is not a balanced one, as
   it is of twoing. *)
Theorem erratum_breiman1996_squares_inside_twoing :
  let isolated := table 2 4 [:: [:: 2; 0; 0; 0]; [:: 0; 2; 1; 1]]%N in
  let balanced := table 2 4 [:: [:: 2; 0; 1; 0]; [:: 0; 2; 0; 1]]%N in
  twoing_as_printed balanced < twoing_as_printed isolated /\ py_twoing isolated < py_twoing balanced.
Proof. by cbv zeta; split; evaluate. Qed.

(* B-E3, Section 3: in our words, at any vertex the twoing measure is P_L P_R / 4. It is P_L P_R at every vertex. *)
Theorem erratum_breiman1996_twoing_at_a_vertex K (t : 'I_2 -> 'I_K -> R) : counts t ->
  (forall k, t 0 k * t 1 k = 0) -> 0 < \sum_k t 0 k -> 0 < \sum_k t 1 k ->
  let whole := \sum_k t 0 k + \sum_k t 1 k in
  py_twoing t = (\sum_k t 0 k) / whole * ((\sum_k t 1 k) / whole) /\
  py_twoing t != (\sum_k t 0 k) / whole * ((\sum_k t 1 k) / whole) / 4%:R.
Proof.
move=> t0 apart l0 r0 whole; rewrite /py_twoing.
have e k : `|t 0 k * (\sum_k t 1 k) - t 1 k * (\sum_k t 0 k)| = t 0 k * (\sum_k t 1 k) + t 1 k * (\sum_k t 0 k).
  have /eqP := apart k; rewrite mulf_eq0 => /orP[] /eqP ->.
    by rewrite !(mul0r, add0r, sub0r) normrN ger0_norm ?mulr_ge0 // ltW.
  by rewrite !(mul0r, addr0, subr0) ger0_norm ?mulr_ge0 // ltW.
rewrite (eq_bigr _ (fun k _ => e k)) big_split /= -!mulr_suml /whole.
move: (\sum_k t 0 k) (\sum_k t 1 k) l0 r0 => l r l0 r0.
have [ln rn wn] : [/\ l != 0, r != 0 & l + r != 0] by rewrite !gt_eqF ?addr_gt0.
have f4 : 4%:R != 0 :> R by rewrite pnatr_eq0.
rewrite ifF; last by apply: negbTE; rewrite !mulf_neq0.
split; first by field; rewrite wn rn ln.
rewrite (_ : _ / _ = l / (l + r) * (r / (l + r))); last by field; rewrite wn rn ln.
rewrite -[X in X != _]mulr1 (inj_eq (mulfI _)) ?mulf_neq0 ?invr_eq0 //.
by evaluate.
Qed.

(* B-E5, conclusion from Theorem 1: in our words, a best split divides no class, for every impurity. With class counts 2, 2, 2 a
   split that divides a class gains as much by misclassification as those that isolate a class. *)
Theorem erratum_breiman1996_best_split_may_divide_a_class :
  py_decrease_misclassification (table 2 3 [:: [:: 2; 1; 0]; [:: 0; 1; 2]]%N) = 1 / 3%:R /\
  [/\ py_decrease_misclassification (table 2 3 [:: [:: 2; 0; 0]; [:: 0; 2; 2]]%N) = 1 / 3%:R,
      py_decrease_misclassification (table 2 3 [:: [:: 0; 2; 0]; [:: 2; 0; 2]]%N) = 1 / 3%:R &
      py_decrease_misclassification (table 2 3 [:: [:: 0; 0; 2]; [:: 2; 2; 0]]%N) = 1 / 3%:R].
Proof. by split; first evaluate; split; evaluate. Qed.

(* B-E6, Section 3, Proposition: in our words, the best Gini vertex isolates the most frequent class, as if there were one. With
   class counts 1, 1, 1 the three vertices gain the same. *)
Theorem erratum_breiman1996_best_vertex_is_not_unique :
  [/\ py_decrease_gini (table 2 3 [:: [:: 1; 0; 0]; [:: 0; 1; 1]]%N) = 1 / 3%:R,
      py_decrease_gini (table 2 3 [:: [:: 0; 1; 0]; [:: 1; 0; 1]]%N) = 1 / 3%:R &
      py_decrease_gini (table 2 3 [:: [:: 0; 0; 1]; [:: 1; 1; 0]]%N) = 1 / 3%:R].
Proof. by split; evaluate. Qed.

(* ghosh2017 *)
(* G-E1, proof of Theorem 3: in our words, (1 - 2 eta)^2 G + (eta - eta^2). The last term is twice that; what is printed holds at
   eta = 0 and 1 alone. *)
Theorem erratum_ghosh2017_noisy_gini_impurity (p : 'I_2 -> R) eta : p 0 + p 1 = 1 ->
  let noisy := py_gini (py_on_distribution (py_symmetric eta) p) in
  noisy = (1 - 2%:R * eta) ^+ 2 * py_gini p + 2%:R * (eta - eta ^+ 2) /\
  (noisy == (1 - 2%:R * eta) ^+ 2 * py_gini p + (eta - eta ^+ 2)) = (eta == 0) || (eta == 1).
Proof.
move=> p1 noisy; have e : noisy = (1 - 2%:R * eta) ^+ 2 * py_gini p + 2%:R * (eta - eta ^+ 2).
  rewrite /noisy /py_gini /py_on_distribution /py_symmetric !sum2 /= (_ : 2%:R - 1 = 1) ?divr1; last by ring.
  by rewrite (_ : p 0 = 1 - p 1); [ring | rewrite -p1 addrK].
split=> //; rewrite e (inj_eq (addrI _)) mulr_natl mulr2n -[X in _ == X]addr0 (inj_eq (addrI _)).
by rewrite expr2 -[X in X - _]mulr1 -mulrBr mulf_eq0 subr_eq0 [1 == eta]eq_sym.
Qed.

(* G-E2, Definition 1: a criterion tolerates noise if the split of least value stays (argmin). Class-conditional noise
   leaves the split of least misclassification gain as it is, while the best split changes. *)
Theorem erratum_ghosh2017_least_gain_stays_while_best_changes :
  let dull := table 2 2 [:: [:: 2; 3]; [:: 0; 0]]%N in
  let one := table 2 2 [:: [:: 0; 1]; [:: 2; 2]]%N in
  let two := table 2 2 [:: [:: 1; 0]; [:: 1; 3]]%N in
  let noisy := py_expected (py_class_conditional (2%:R / 5%:R) (1 / 5%:R)) (r := 2) in
  let gain := @py_decrease_misclassification R 2 1 in
  [/\ gain dull = 0, gain one = 0 & 0 < gain two] /\
  [/\ gain (noisy dull) = 0, gain (noisy two) = 0 & 0 < gain (noisy one)].
Proof. by cbv zeta; split; split; evaluate. Qed.

(* G-E3a, proof of Lemma 8 for Gini: in our words, |p~ q~ - p q| <= |e (p - q)| where p~ = p + e. The difference is e (q - p) - e^2;
   the bound fails at p = 1/2, e = 1/10. *)
Theorem erratum_ghosh2017_product_of_shares :
  (forall p e : R, (p + e) * (1 - p - e) - p * (1 - p) = e * ((1 - p) - p) - e ^+ 2) /\
  let p : R := 1 / 2%:R in let e : R := 1 / 10%:R in
  `|e * (p - (1 - p))| < `|(p + e) * (1 - p - e) - p * (1 - p)|.
Proof. by split; [move=> p e; ring | cbv zeta; evaluate]. Qed.

(* G-E3b, proof of Lemma 8 for Gini: in our words, |noisy gain - expected gain| <= 6 (1 - 2 eta) eps, squared. Two examples of class
   0, one in each child, at rate 9/20, of which the right one flips: its share is off by 11/20, and eps^2 is half the
   square of that. *)
Theorem erratum_ghosh2017_bound_of_gini_gain :
  let clean := table 2 2 [:: [:: 1; 0]; [:: 1; 0]]%N in let flipped := table 2 2 [:: [:: 1; 0]; [:: 0; 1]]%N in
  let eta : R := 9%:R / 20%:R in let square := 1 / 2%:R * (11%:R / 20%:R) ^+ 2 in
  (6%:R * (1 - 2%:R * eta)) ^+ 2 * square
    < (py_decrease_gini flipped - py_decrease_gini (py_expected (py_symmetric eta) clean)) ^+ 2.
Proof. by cbv zeta; evaluate. Qed.

(* G-E4a, proof of Lemma 8 for twoing: in our words, |noisy - expected| <= a (1 - a) |eps_2 - eps_3| |p_l - p_r| of expected shares
   p_l and p_r; these are equal here, and twoing differs. *)
Theorem erratum_ghosh2017_step_of_twoing :
  let clean := table 2 2 [:: [:: 1; 0]; [:: 1; 0]]%N in let flipped := table 2 2 [:: [:: 1; 0]; [:: 0; 1]]%N in
  let expected := py_expected (py_symmetric (1 / 10%:R)) clean in
  expected 0 1 - expected 1 1 = 0 /\ 0 < `|py_twoing flipped - py_twoing expected|.
Proof. by cbv zeta; split; evaluate. Qed.

(* G-E4b, proof of Lemma 8 for twoing: in our words, |noisy - expected| <= (1 - 2 eta) eps, squared; as in G-E3b, at rate 3/10. *)
Theorem erratum_ghosh2017_bound_of_twoing :
  let clean := table 2 2 [:: [:: 1; 0]; [:: 1; 0]]%N in let flipped := table 2 2 [:: [:: 1; 0]; [:: 0; 1]]%N in
  let eta : R := 3%:R / 10%:R in let square := 1 / 2%:R * (7%:R / 10%:R) ^+ 2 in
  (1 - 2%:R * eta) ^+ 2 * square < (py_twoing flipped - py_twoing (py_expected (py_symmetric eta) clean)) ^+ 2.
Proof. by cbv zeta; evaluate. Qed.

(* G-E8, Remark 6: in our words, no impurity criterion keeps its order under class-conditional noise without the rates. Gini and
   twoing keep that of two-class splits; what changes is the majority of a leaf, here at rates 2/5 and 1/5. *)
Theorem erratum_ghosh2017_remark_six :
  (forall (t u : 'I_2 -> 'I_2 -> R) a b, counts t -> counts u -> a + b != 1 ->
     let noisy := py_expected (py_class_conditional a b) (r := 2) in
     (py_decrease_gini (noisy t) < py_decrease_gini (noisy u)) = (py_decrease_gini t < py_decrease_gini u) /\
     (py_twoing (noisy t) < py_twoing (noisy u)) = (py_twoing t < py_twoing u)) /\
  let p := law 2 [:: 2; 3]%N in let seen := py_on_distribution (py_class_conditional (2%:R / 5%:R) (1 / 5%:R)) p in
  p 0 < p 1 /\ seen 1 < seen 0.
Proof.
split=> [t u a b t0 u0 ne1|]; last by cbv zeta; split; evaluate.
split; first exact: gini_order_is_kept_of_class_conditional_noise.
rewrite !twoing_rescales_of_class_conditional_noise ltr_pmul2l //.
by rewrite exprn_even_gt0 //= -addrA -opprD subr_eq0 eq_sym.
Qed.

(* G-E9a, Lemma 8: noise multiplies a misclassification gain by 1 - 2 eta. By |1 - 2 eta|, at eta = 3/4. *)
Theorem erratum_ghosh2017_factor_of_misclassification :
  let t := table 2 2 [:: [:: 0; 1]; [:: 1; 0]]%N in let eta : R := 3%:R / 4%:R in
  let noisy := py_decrease_misclassification (py_expected (py_symmetric eta) t) in
  noisy = `|1 - 2%:R * eta| * py_decrease_misclassification t /\
  noisy != (1 - 2%:R * eta) * py_decrease_misclassification t.
Proof. by cbv zeta; split; evaluate. Qed.
(* hypotheses that hold, closed by computation *)
Example vertex_instance : let t := table 2 3 [:: [:: 2; 0; 1]; [:: 0; 3; 0]]%N in
  [/\ counts t, forall k, t 0 k * t 1 k = 0, 0 < \sum_k t 0 k & 0 < \sum_k t 1 k].
Proof.
split; [exact: counts_given | | by cbv zeta; evaluate | by cbv zeta; evaluate].
by move=> k; case: (class_of_three k) => ->; cbv zeta; evaluate.
Qed.

Example two_shares_instance : law 2 [:: 1; 2]%N 0 + law 2 [:: 1; 2]%N 1 = 1.
Proof. by evaluate. Qed.
Example two_tables_instance :
  let t := table 2 2 [:: [:: 3; 1]; [:: 1; 2]]%N in let u := table 2 2 [:: [:: 4; 0]; [:: 0; 3]]%N in
  [/\ counts t, counts u, 1 / 5%:R + 1 / 4%:R != 1 :> R & py_twoing t < py_twoing u].
Proof. by split; try exact: counts_given; cbv zeta; evaluate. Qed.
End Errata.
