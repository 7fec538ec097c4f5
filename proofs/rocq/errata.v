(* Misprints and errors of the papers, refuted by computation: the four sums of wang2024, then all others by paper. *)
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint zmodp.
From mathcomp Require Import ring.
From splitcrit Require Import defs generated evaluate core tie channels channels_risk.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* wang2024, eqs. (23) to (26): the mean of the squared Gini gain as four sums over pairs of cells, as printed and with
   the indices put right. *)
Section FourSums.
Variable R : realFieldType.

(* the mean of C2 x^2 + C3 x^3 + C4 x^4 of a cell x of row total a and class total b among n examples (Lemma 2) *)
Definition mean_of_powers (C2 C3 C4 : R) (a b n : nat) : R :=
  let over x : R := (a ^_ x * b ^_ x)%:R / (n ^_ x)%:R in
  (C2 + C3 + C4) * over 1%N + (C2 + 3%:R * C3 + 7%:R * C4) * over 2%N + (C3 + 6%:R * C4) * over 3%N + C4 * over 4%N.

(* C1 and C4: x/m and (x)_2/(m)_2 of a total x among the m examples that are left *)
Definition first_quotient (x m : nat) : R := x%:R / m%:R.
Definition second_quotient (x m : nat) : R := (x ^_ 2)%:R / (m ^_ 2)%:R.
Definition given_one (C1 C4 : R) (left a b n : nat) : R :=
  mean_of_powers ((C1 - C4) * left%:R + C4 * left%:R ^+ 2) (- 2%:R * left%:R * C4 + C4 - C1) C4 a b n.

(* eq. (23), the same cell of row total a and class total b *)
Definition same_cell (a b n : nat) : R := mean_of_powers 0 0 1 a b n / (n * a)%:R ^+ 2.
(* eq. (24), the same class, in rows of totals a and a'; C1 and C4 are those of the total [row] *)
Definition same_class (row a b n a' : nat) : R :=
  given_one (first_quotient row (n - a)) (second_quotient row (n - a)) b a b n / (n * n * a * a')%:R.
(* eq. (25), the same row; C1 and C4 of the total [class], falling factorials of the total [factorial] *)
Definition same_row (class factorial a b n : nat) : R :=
  given_one (first_quotient class (n - b)) (second_quotient class (n - b)) a a factorial n / (n * n * a * a)%:R.
(* eq. (26), different rows and classes; constants of the totals [row] and [class] *)
Definition neither (row class factorial a b n a' : nat) : R :=
  let r1 := first_quotient row (n - a) in let r2 := second_quotient row (n - a) in
  let c1 := first_quotient class (n - b) in let c2 := second_quotient class (n - b) in let k : R := class%:R in
  let two := r2 * c2 in let one := (2%:R * r2 * (1 - k) - r1) * c1 in let none := k * (r1 - r2) + r2 * k ^+ 2 in
  mean_of_powers (none + (one - two) * a%:R + two * a%:R ^+ 2) (two - one - 2%:R * two * a%:R) two a factorial n
  / (n * n * a * a')%:R.

(* the four sums over all pairs of cells, and the variance by eqs. (19) and (21) *)
Definition four_sums (printed : bool) r K (a : 'I_r -> nat) (b : 'I_K -> nat) (n : nat) : R :=
  \sum_i \sum_j \sum_i' \sum_j'
    if i == i' then if j == j' then same_cell (a i) (b j) n
      else (if printed then same_row (b j) (b j') (a i) (b j) n else same_row (b j') (b j) (a i) (b j) n)
    else if j == j' then
      (if printed then same_class (a i) (a i) (b j) n (a i') else same_class (a i') (a i) (b j) n (a i'))
    else (if printed then neither (a i) (b j) (b j') (a i) (b j) n (a i')
      else neither (a i') (b j') (b j) (a i) (b j) n (a i')).
Definition variance_by_four_sums (printed : bool) r K (a : 'I_r -> nat) (b : 'I_K -> nat) (n : nat) : R :=
  let mean := py_exact_mean (fun i => (a i)%:R : R) (fun k => (b k)%:R) in
  let share := (\sum_k (b k)%:R ^+ 2) / n%:R ^+ 2 in
  - share ^+ 2 - 2%:R * share * mean + four_sums printed a b n - mean ^+ 2.

(* S-E3, S-E4, S-E5: with the constants and falling factorials of the printed totals the variance is negative, -1/144,
   at the margins (2, 2) and (2, 1, 1). With the other row and the other class it is the library's 1/72. *)
Theorem erratum_wang2024_four_sums :
  let a (i : 'I_2) := nth 0%N [:: 2; 2]%N i in let b (k : 'I_3) := nth 0%N [:: 2; 1; 1]%N k in
  [/\ variance_by_four_sums true a b 4 = - (1 / 144%:R), variance_by_four_sums false a b 4 = 1 / 72%:R &
      py_exact_variance (fun i => (a i)%:R) (fun k => (b k)%:R) 2%:R = 1 / 72%:R :> R].
Proof. by cbv zeta; split; evaluate. Qed.

(* S-E6: what is printed has no value where a row leaves fewer than two examples, as every split that cuts off one does:
   the quotient (x)_2/(m)_2 is then 0/0. With it read as 0 the four sums give the variance there too. *)
Theorem erratum_wang2024_quotients_without_value :
  let a (i : 'I_2) := nth 0%N [:: 1; 3]%N i in let b (k : 'I_2) := nth 0%N [:: 2; 2]%N k in
  [/\ ((4 - 3) ^_ 2 = 0)%N, ((1 ^_ 2) = 0)%N &
      variance_by_four_sums false a b 4 = py_exact_variance (fun i => (a i)%:R) (fun k => (b k)%:R) 3%:R :> R].
Proof. by cbv zeta; split; [| | evaluate]. Qed.

(* S-E2, eq. (20), first line: in our words, the cell of the other row and the other class has the hypergeometric law of a_i' draws
   among N - a_i with b_j - n_ij marked. That is the law of the other row and the same class: with all margins 1 and
   n_ij = 0 the one mean is that of n_i'j, 1, and n_i'j' is 0. *)
Theorem erratum_wang2024_conditional_cell (cell : 'I_2 -> 'I_2 -> nat) : (forall i, \sum_k cell i k = 1)%N ->
  (forall k, \sum_i cell i k = 1)%N -> cell 0 0 = 0%N ->
  let mean : R := 1 * (1 - (cell 0 0)%:R) / (2%:R - 1) in (cell 1 0)%:R = mean /\ (cell 1 1)%:R != mean.
Proof.
move=> rows columns z; have := columns 0; have := rows 1; rewrite !big_ord_recl !big_ord0 !addn0.
rewrite (_ : lift ord0 ord0 = 1); last exact: val_inj.
rewrite [cell ord0 0]z add0n => r c; move: r; rewrite [cell 1 ord0]c => /eqP; rewrite eqSS => /eqP z1.
by cbv zeta; rewrite z1; split; evaluate.
Qed.

Example cells_instance : let cell (i k : 'I_2) : nat := (i != k) in
  [/\ forall i, (\sum_k cell i k = 1)%N, forall k, (\sum_i cell i k = 1)%N & cell 0 0 = 0%N].
Proof.
by split=> [i|k|] //; rewrite !big_ord_recl big_ord0; [case: i | case: k]; case=> [|[]].
Qed.
End FourSums.

(* Misprints and errors of the papers, refuted by computation; where it is short, the corrected equation in general.
   Papers: breiman1996, ghosh2017, wang2024, wilton2024, yang2019; the numbers B-E1, ... are those of proofs/errata. *)
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

(* Misprints and errors of wang2024, wilton2024 and yang2019, refuted by computation. *)
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
