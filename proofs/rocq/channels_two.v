(* Label noise of two classes at every rate, the infinity norm, and the expected Gini gain when labels flip by
   themselves; about the library's own code. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs distinct null gini_null flips.
From splitcrit Require Import noise core generated tie evaluate channels channels_gains channels_risk.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section TwoClasses.
Variable R : realFieldType.

Lemma max_half (x y : R) : Num.max x y = (x + y + `|x - y|) / 2%:R.
Proof.
by case: (leP x y) => h; [rewrite ler0_norm ?subr_le0 // | rewrite gtr0_norm ?subr_gt0 //]; field.
Qed.
Lemma min_half (x y : R) : Num.min x y = (x + y - `|x - y|) / 2%:R.
Proof.
by case: (leP x y) => h; [rewrite ler0_norm ?subr_le0 // | rewrite gtr0_norm ?subr_gt0 //]; field.
Qed.

Lemma misclassification_of_two (p : 'I_2 -> R) : p 0 + p 1 = 1 ->
  py_misclassification p = (1 - `|p 0 - p 1|) / 2%:R.
Proof.
move=> p1; rewrite /py_misclassification !big_ord_recl big_ord0.
rewrite (_ : lift ord0 ord0 = 1); last exact: val_inj.
have -> : p ord0 = p 0 by [].
by rewrite maxCA maxxx max_half [p 1 + _]addrC p1 distrC; move: `|p 0 - p 1| => x; field.
Qed.

Lemma bayes_sum_of_two (p : 'I_2 -> R) : p 0 + p 1 = 1 -> py_bayes_sum p = 1 - `|p 0 - p 1|.
Proof.
move=> p1; rewrite /py_bayes_sum sum2 -{1}p1 [X in Num.min _ (X - _)]addrC addrK.
rewrite -{1}p1 addrK !min_half [p 1 + _]addrC p1 [`|p 1 - _|]distrC.
by move: `|p 0 - p 1| => x; field.
Qed.

Lemma difference_of_symmetric (p : 'I_2 -> R) eta : let noisy := on_distribution (py_symmetric eta) p in
  noisy 0 - noisy 1 = (1 - 2%:R * eta) * (p 0 - p 1) /\ noisy 0 + noisy 1 = p 0 + p 1.
Proof.
rewrite /on_distribution /py_symmetric !sum2 /= (_ : 2%:R - 1 = 1) ?divr1; last by ring.
by split; ring.
Qed.

Lemma symmetric_rows_of_two (eta : R) (j : 'I_2) : \sum_k py_symmetric eta j k = 1.
Proof.
rewrite sum2 /py_symmetric (_ : 2%:R - 1 = 1) ?divr1; last by ring.
by case: (class_of_two j) => -> /=; ring.
Qed.

(* With two classes symmetric noise of any rate multiplies the misclassification gain of every split by |1 - 2 eta|. *)
Theorem misclassification_gain_rescales_of_two_class_symmetric_noise r (t : 'I_r -> 'I_2 -> R) eta : counts t ->
  py_decrease_misclassification (py_expected (py_symmetric eta) t)
  = `|1 - 2%:R * eta| * py_decrease_misclassification t.
Proof.
move=> t0; pose e := (1 - `|1 - 2%:R * eta|) / 2%:R.
apply: (@gain_of_rescaled R r 2 _ (@py_misclassification R 1) _ (fun=> e)) => [|j|p _ p1|//].
- exact: misclassification_ext.
- exact: symmetric_rows_of_two.
rewrite sum2 in p1; have [d s] := difference_of_symmetric p eta.
rewrite !misclassification_of_two ?s // d normrM sum2 -mulrDr p1 /e.
by move: `|p 0 - p 1| `|1 - _| => x c; field.
Qed.

(* With two classes symmetric noise of any rate multiplies the gain of the sum of min(p, 1 - p) by |1 - 2 eta|. *)
Theorem bayes_sum_gain_rescales_of_two_class_symmetric_noise r (t : 'I_r -> 'I_2 -> R) eta : counts t ->
  py_decrease_bayes_sum (py_expected (py_symmetric eta) t) = `|1 - 2%:R * eta| * py_decrease_bayes_sum t.
Proof.
move=> t0; pose e := 1 - `|1 - 2%:R * eta|.
apply: (@gain_of_rescaled R r 2 _ (@py_bayes_sum R 2) _ (fun=> e)) => [p q pq|j|p _ p1|//].
- by apply: eq_bigr => k _; rewrite pq.
- exact: symmetric_rows_of_two.
rewrite sum2 in p1; have [d s] := difference_of_symmetric p eta.
rewrite !bayes_sum_of_two ?s // d normrM sum2 -mulrDr p1 /e.
by move: `|p 0 - p 1| `|1 - _| => x c; ring.
Qed.

(* The infinity norm is a symmetric loss: the costs of every action of the simplex sum to K - 1. *)
Theorem cost_sum_of_infinity_norm K (w : 'I_K.+1 -> R) : on_simplex w ->
  (forall k, py_infinity w k = 1 - w k) /\ \sum_k py_infinity w k = K.+1%:R - 1.
Proof.
move=> [w0 w1]; have e k : py_infinity w k = 1 - w k.
  have rest j : j != k -> w j <= 1 - w k.
    by move=> jk; rewrite -w1 (bigD1 k) //= addrC addKr (bigD1 j) //= ler_addl sumr_ge0.
  have le1 : w k <= 1 by rewrite -w1 (bigD1 k) //= ler_addl sumr_ge0.
  pose F j := if j == k then `|w j - 1| else `|w j - 0|.
  have up j : F j <= 1 - w k.
    rewrite /F; case: eqP => [->|/eqP jk]; first by rewrite distrC ger0_norm // subr_ge0.
    by rewrite subr0 ger0_norm // rest.
  rewrite /py_infinity -/(F ord0) (eq_bigr F) //; apply/eqP; rewrite eq_le; apply/andP; split.
    by elim/big_ind: _ => // x y xm ym; rewrite le_maxl xm ym.
  have -> : 1 - w k = F k by rewrite /F eqxx distrC ger0_norm // subr_ge0.
  have : k \in index_enum (ordinal_finType K.+1) by rewrite mem_index_enum.
  elim: (index_enum _) => // j s IH; rewrite big_cons inE => /orP[/eqP <-|/IH le]; first by rewrite le_maxr lexx.
  by rewrite le_maxr le orbT.
split=> //; rewrite (eq_bigr _ (fun k _ => e k)) sumrB w1 sumr_const card_ord.
by [].
Qed.
(* hypotheses that hold, closed by computation *)
Example high_rate_instance :
  let t := counts_of R 2 2 [:: [:: 3; 1]; [:: 1; 4]]%N in let noisy := py_expected (py_symmetric (3%:R / 4%:R)) t in
  [/\ counts t, 0 < py_decrease_misclassification noisy & 0 < py_decrease_bayes_sum noisy].
Proof. by split; try exact: counts_given; cbv zeta; evaluate. Qed.

Example simplex_instance : on_simplex (shares_of R 3 [:: 1; 1; 2]%N).
Proof. by apply: law_on_simplex; evaluate. Qed.
End TwoClasses.

(* If every label flips by itself under symmetric noise of rate eta, the mean of the library's noisy Gini gain is affine
   in its gain without noise, at every number n of examples: with lam = K eta/(K - 1) it is
   (1 - lam)^2 gain + (r - 1) eta (2 - lam)/n. *)
Section Flips.
Variables (R : realFieldType) (T : finType) (r K : nat) (f : T -> 'I_r) (y : T -> 'I_K).
Hypothesis rows_occur : forall i, (0 < #|[pred u | f u == i]|)%N.
Hypotheses (n2 : (1 < #|T|)%N) (K2 : (1 < K)%N).
Let split_of (labels : T -> 'I_K) (i : 'I_r) (k : 'I_K) : R := #|[pred u | (f u == i) && (labels u == k)]|%:R.
Let n : R := #|T|%:R.

Lemma gain_of_split s : gain_of R f s = py_decrease_gini (split_of s).
Proof.
rewrite /gain_of -py_decrease_giniE; apply: decrease_gini_ext => i k.
by congr (_%:R); apply: eq_card => u; rewrite !inE perm1.
Qed.

Theorem expected_gini_gain_of_symmetric_flips (eta : R) : let lam : R := K%:R * eta / (K%:R - 1) in
  expectation y (py_symmetric eta) (fun s => py_decrease_gini (split_of s))
  = (1 - lam) ^+ 2 * py_decrease_gini (split_of y) + (r%:R - 1) * eta * (2%:R - lam) / n.
Proof.
move=> lam; have := @expected_gini_gain_is_affine R T r K f y rows_occur n2 K2 eta.
rewrite [eta * _]mulrC -/lam gain_of_split => <-.
by apply: eq_bigr => s _; rewrite -gain_of_split.
Qed.

(* G-E5, ghosh2017, Section 3.3: in our words, a node without gain has none after noise. The mean noisy gain of any split without
   gain is positive at every rate between 0 and 1, as 2 eta (1 - eta)/n of two classes and two children. *)
Theorem erratum_ghosh2017_no_gain_without_noise (eta : R) : (1 < r)%N -> 0 < eta < 1 ->
  py_decrease_gini (split_of y) = 0 ->
  0 < expectation y (py_symmetric eta) (fun s => py_decrease_gini (split_of s)).
Proof.
move=> r2 /andP[e0 e1] g0; rewrite expected_gini_gain_of_symmetric_flips g0 mulr0 add0r.
have n0 : 0 < n by rewrite ltr0n ltnW.
have K1 : 0 < K%:R - 1 :> R by rewrite subr_gt0 ltr1n.
rewrite divr_gt0 // mulr_gt0 //; first by rewrite mulr_gt0 // subr_gt0 ltr1n.
rewrite subr_gt0 ltr_pdivr_mulr // mulrBr mulr1 ltr_subr_addl.
rewrite (_ : 2%:R * K%:R = K%:R + K%:R :> R); last by ring.
apply: ler_lt_add; first by rewrite ler_nat.
by rewrite -[X in _ < X]mulr1 ltr_pmul2l // ltr0n ltnW.
Qed.
End Flips.

(* two examples of class 0, one in each child: every child occurs, and the split has no gain *)
Example flips_instance (R : realFieldType) :
  [/\ forall i : 'I_2, (0 < #|[pred u : 'I_2 | u == i]|)%N, (1 < #|'I_2|)%N,
      ((0 : R) < 1 / 4%:R) && (1 / 4%:R < (1 : R)) &
      @py_decrease_gini R 2 2 (fun i k => #|[pred u : 'I_2 | (u == i) && ((0 : 'I_2) == k)]|%:R) = 0 :> R].
Proof.
split; [by move=> i; rewrite (eq_card (B := pred1 i)) ?card1 | by rewrite card_ord | |].
  by apply/andP; split; evaluate.
rewrite (decrease_gini_ext (t' := counts_of R 2 2 [:: [:: 1; 0]; [:: 1; 0]]%N)); first by evaluate.
move=> i k; case: (class_of_two k) => ->.
  rewrite (eq_card (B := pred1 i)) ?card1; last by move=> u; rewrite !inE ?eqxx ?andbT.
  by case: (class_of_two i) => ->.
rewrite (eq_card (B := pred0)) ?card0; last by move=> u; rewrite !inE ?andbF.
by case: (class_of_two i) => ->.
Qed.
