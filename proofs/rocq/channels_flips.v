(* Label noise of two classes at every rate, and the expected Gini gain when every label flips by itself. *)
From mathcomp Require Import all_ssreflect fingroup perm ssralg ssrnum ssrint zmodp.
From mathcomp Require Import ring.
From splitcrit Require Import defs null flips core generated tie evaluate channels channels_risk.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Label noise of two classes at every rate, the infinity norm, and the expected Gini gain when labels flip by
   themselves; about the library's own code. *)
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

(* The expected Gini gain when every label flips by itself, for any channel, about the library's own code. *)
(* the table of the children and labels of examples *)
Definition split_of (R : realFieldType) (T : finType) r K (f : T -> 'I_r) (labels : T -> 'I_K) :=
  fun (i : 'I_r) (k : 'I_K) => #|[pred u | (f u == i) && (labels u == k)]|%:R : R.

Section Flips.
Variables (R : realFieldType) (T : finType) (r K : nat) (f : T -> 'I_r) (y : T -> 'I_K) (S : 'I_K -> 'I_K -> R).
Hypothesis rows_occur : forall i, (0 < #|[pred u | f u == i]|)%N.
Hypothesis n2 : (1 < #|T|)%N.
Hypothesis S1 : forall j, \sum_k S j k = 1.
Local Notation n := (#|T|%:R : R).
Local Notation a := (total_of R f).
Local Notation split := (split_of R f).
Local Notation x := (py_expected S (split y)).

Lemma sum_of_examples (h : 'I_r -> 'I_K -> R) : \sum_u h (f u) (y u) = \sum_i \sum_k split y i k * h i k.
Proof.
have := sum_cells f y 1%g h; under eq_bigr do rewrite perm1.
move=> ->; apply: eq_bigr => i _; apply: eq_bigr => k _; congr (_%:R * _).
by apply: eq_card => u; rewrite !inE perm1.
Qed.

Lemma expected_of_examples i l : x i l = \sum_(u | f u == i) S (y u) l.
Proof.
rewrite big_mkcond /=; have /= -> := sum_of_examples (fun i' k => if i' == i then S k l else 0).
rewrite (bigD1 i) //= eqxx.
by rewrite [X in _ + X]big1 ?addr0 // => j /negPf ->; rewrite big1 // => k _; rewrite mulr0.
Qed.

Lemma size_of_expected i : \sum_l x i l = a i.
Proof.
rewrite (eq_bigr _ (fun l _ => expected_of_examples i l)) exchange_big /= (eq_bigr (fun=> 1)) //.
by rewrite sumr_const.
Qed.

Lemma a_neq0 i : a i != 0.
Proof. by rewrite pnatr_eq0 -lt0n. Qed.

Lemma sum_of_a : \sum_i a i = n.
Proof.
exact: null.sum_a.
Qed.

Lemma gain_of_expected : py_decrease_gini x
  = (\sum_l (\sum_i (a i)^-1 * x i l ^+ 2 - n^-1 * (\sum_i x i l) ^+ 2)) / n.
Proof.
have n0 : n != 0 by rewrite pnatr_eq0 -lt0n; exact: ltnW.
rewrite /py_decrease_gini; have -> : \sum_(i < r) \sum_(k < K) x i k = n.
  by rewrite (eq_bigr _ (fun i _ => size_of_expected i)) sum_of_a.
rewrite (negPf n0); congr (_ / _).
have e i : (\sum_(k < K) x i k) * (1 - \sum_(k < K)
    ((if \sum_(k < K) x i k == 0 then 1 else x i k) / (if \sum_(k < K) x i k == 0 then K%:R else \sum_(k < K) x i k))
    * ((if \sum_(k < K) x i k == 0 then 1 else x i k) / (if \sum_(k < K) x i k == 0 then K%:R else \sum_(k < K) x i k)))
    = a i - \sum_l (a i)^-1 * x i l ^+ 2.
  rewrite size_of_expected (negPf (a_neq0 i)) mulrBr mulr1 mulr_sumr; congr (_ - _); apply: eq_bigr => l _.
  by move: (a i) (x i l) (a_neq0 i) => b z b0; field.
rewrite (eq_bigr _ (fun i _ => e i)) [X in _ - X = _]sumrB sum_of_a mulrBr mulr1.
rewrite [in RHS]sumrB [X in _ = X - _]exchange_big /= -[X in _ = _ - X]mulr_sumr.
have -> : \sum_j (\sum_i x i j) / n * ((\sum_i x i j) / n) = n^-1 * n^-1 * \sum_j (\sum_i x i j) ^+ 2.
  by rewrite mulr_sumr; apply: eq_bigr => l _; move: (\sum_i x i l) => z; ring.
by set A := \sum_i _; set B := \sum_j _; move: A B n n0 => A B m m0; field.
Qed.

Let q j k := \sum_l S j l * S k l.
Let M u v : R := same f (fun i => (a i)^-1) u v - n^-1.

Lemma pairs_of_expected : \sum_u \sum_v M u v * q (y u) (y v)
  = \sum_l (\sum_i (a i)^-1 * x i l ^+ 2 - n^-1 * (\sum_i x i l) ^+ 2).
Proof.
pose g l u := S (y u) l.
have total l : \sum_i x i l = \sum_u g l u.
  by rewrite [RHS](partition_big f xpredT) //=; apply: eq_bigr => i _; exact: expected_of_examples.
have inner u l : \sum_v M u v * (g l u * g l v) = g l u * ((a (f u))^-1 * x (f u) l - n^-1 * \sum_v g l v).
  rewrite expected_of_examples [X in _ = _ * (_ * X - _)]big_mkcond /= 2!mulr_sumr -sumrB mulr_sumr.
  apply: eq_bigr => v _.
  rewrite /M /same eq_sym /g; move: (S (y u) l) (S (y v) l) ((a (f u))^-1) (n^-1) => b c d m.
  by case: eqP => _; ring.
transitivity (\sum_u \sum_l \sum_v M u v * (g l u * g l v)).
  apply: eq_bigr => u _; rewrite exchange_big /=; apply: eq_bigr => v _.
  by rewrite /q mulr_sumr.
rewrite exchange_big /=; apply: eq_bigr => l _; under eq_bigr do rewrite inner mulrBr.
rewrite sumrB total; congr (_ - _); last by rewrite -mulr_suml mulrCA -expr2.
rewrite (partition_big f xpredT) //=; apply: eq_bigr => i _.
rewrite (eq_bigr (fun u => (a i)^-1 * x i l * g l u)); last by move=> u /eqP ->; rewrite mulrC.
by rewrite -mulr_sumr -expected_of_examples -mulrA -expr2.
Qed.

Lemma expected_gain_of_pairs : expectation y S (fun s => py_decrease_gini (split s))
  = (r%:R - 1) / n + n^-1 * D2 (fun u v => M u v * q (y u) (y v)).
Proof.
have e (s : {ffun T -> 'I_K}) : py_decrease_gini (split s)
    = (r%:R - 1) / n + n^-1 * D2 (fun u v => M u v * same s (fun=> 1) u v).
  by rewrite -gain_of_pairs // (gain_of_split R f s).
rewrite (expectation_ext _ _ e) expectation_add.
rewrite (expectation_scale _ _ _ (fun s : {ffun T -> 'I_K} => D2 (fun u v => M u v * same s (fun=> 1) u v))).
have -> : expectation y S (fun=> (r%:R - 1) / n) = (r%:R - 1) / n.
  have -> : expectation y S (fun=> (r%:R - 1) / n) = expectation y S (fun=> (r%:R - 1) / n * 1).
    by apply: expectation_ext => s; rewrite mulr1.
  by rewrite expectation_scale expectation1 // mulr1.
congr (_ + _ * _); rewrite (expectation_D2 _ _ (fun (s : {ffun T -> 'I_K}) u v => M u v * same s (fun=> 1) u v)).
by apply: D2_ext => u v vu; rewrite expectation_scale /same expectation_same.
Qed.

(* If every label flips by itself through a channel, the mean of the noisy Gini gain is the gain of the expected table
   plus the mean, over all examples, of (1/size of its child - 1/n) times the Gini impurity of its noisy label. *)
Lemma expected_gini_gain_of_any_channel :
  expectation y S (fun s => py_decrease_gini (split s))
  = py_decrease_gini (py_expected S (split y)) + (\sum_u ((a (f u))^-1 - n^-1) * py_gini (S (y u))) / n.
Proof.
have n0 : n != 0 by rewrite pnatr_eq0 -lt0n; exact: ltnW.
rewrite expected_gain_of_pairs gain_of_expected -pairs_of_expected.
have D2E F : D2 F = \sum_u \sum_v F u v - \sum_u F u u :> R.
  by rewrite /D2 -sumrB; apply: eq_bigr => u _; exact: drop1.
pose w u := (a (f u))^-1 - n^-1.
rewrite D2E [\sum_u M u u * _](eq_bigr (fun u => w u - w u * py_gini (S (y u)))); last first.
  by move=> u _; rewrite /M /w /same eqxx /py_gini mulrBr mulr1 opprB [X in _ = X]addrCA subrr addr0.
rewrite [X in _ * (_ - X)]sumrB; have -> : \sum_u w u = r%:R - 1.
  rewrite sumrB sumr_const -[_^-1 *+ _]mulr_natl mulfV //; congr (_ - _).
  rewrite (sum_blocks f (fun i => (a i)^-1)) (eq_bigr (fun=> 1)); last by move=> i _; rewrite mulfV ?a_neq0.
  by rewrite sumr_const card_ord.
set A := \sum_u \sum_v _; set B := \sum_u _; move: A B n n0 => A B m m0; field.
exact: m0.
Qed.

(* So the mean noisy gain is never below the gain of the expected table. *)
Theorem expected_gini_gain_is_at_least_that_of_the_expected_table : (forall j k, 0 <= S j k) ->
  py_decrease_gini (py_expected S (split y)) <= expectation y S (fun s => py_decrease_gini (split s)).
Proof.
move=> S0; rewrite expected_gini_gain_of_any_channel ler_addl divr_ge0 ?ler0n // sumr_ge0 // => u _.
have n0 : 0 < n by rewrite ltr0n; exact: ltnW.
rewrite mulr_ge0 //.
  by rewrite subr_ge0 lef_pinv ?posrE // ?lt_neqAle ?ler0n ?(eq_sym 0) ?a_neq0 // ler_nat max_card.
rewrite /py_gini subr_ge0 -(S1 (y u)) ler_sum // => k _.
have le1 : S (y u) k <= 1 by rewrite -(S1 (y u)) (bigD1 k) //= ler_addl sumr_ge0.
by rewrite -[X in _ <= X]mulr1 ler_wpmul2l.
Qed.
End Flips.

(* With two classes and rates of their own the mean noisy gain is (1 - tau_pos - tau_neg)^2 times the gain, plus twice
   the mean over all examples of (1/size of its child - 1/n) tau (1 - tau) with tau the rate of its class. *)
Theorem expected_gini_gain_of_class_conditional_flips (R : realFieldType) (T : finType) r (f : T -> 'I_r)
    (y : T -> 'I_2) (tau_pos tau_neg : R) : (forall i, (0 < #|[pred u | f u == i]|)%N) -> (1 < #|T|)%N ->
  let gain labels : R := py_decrease_gini (split_of R f labels) in
  let tau u := if y u == 0 then tau_neg else tau_pos in
  expectation y (py_class_conditional tau_pos tau_neg) (fun s => gain s)
  = (1 - tau_pos - tau_neg) ^+ 2 * gain y
    + 2%:R * (\sum_u ((total_of R f (f u))^-1 - #|T|%:R^-1) * (tau u * (1 - tau u))) / #|T|%:R.
Proof.
move=> occur n2 gain tau; rewrite expected_gini_gain_of_any_channel //; last first.
  by move=> j; rewrite sum2 /py_class_conditional; case: (class_of_two j) => -> /=; ring.
rewrite gini_gain_rescales_of_class_conditional_noise; last by move=> i k; exact: ler0n.
congr (_ + _ / _); rewrite mulr_sumr; apply: eq_bigr => u _; rewrite mulrCA; congr (_ * _).
rewrite /py_gini sum2 /py_class_conditional /tau.
by case: (class_of_two (y u)) => -> /=; ring.
Qed.

(* So symmetric flips keep the order of the mean Gini gains of splits into equally many children, at every number of
   examples and every rate other than (K - 1)/K. *)
Theorem expected_gini_order_is_kept_of_symmetric_flips (R : realFieldType) (T : finType) r K (f g : T -> 'I_r)
    (y : T -> 'I_K) (eta : R) : (forall i, (0 < #|[pred u | f u == i]|)%N) ->
  (forall i, (0 < #|[pred u | g u == i]|)%N) -> (1 < #|T|)%N -> (1 < K)%N -> eta != (K%:R - 1) / K%:R ->
  let mean_gain h := expectation y (py_symmetric eta) (fun s => py_decrease_gini (split_of R h s)) in
  (mean_gain f < mean_gain g) = (py_decrease_gini (split_of R f y) < py_decrease_gini (split_of R g y)).
Proof.
move=> f0 g0 n2 K1 ne mean_gain; rewrite /mean_gain !expected_gini_gain_of_symmetric_flips // ltr_add2r ltr_pmul2l //.
rewrite exprn_even_gt0 //= subr_eq0 eq_sym; apply: contra ne => /eqP e.
have K0 : K%:R != 0 :> R by rewrite pnatr_eq0; case: K K1 {y mean_gain e}.
apply/eqP; have := congr1 (fun x => x * (K%:R - 1)) e.
by rewrite divfK ?natB1_neq0 // mul1r => <-; rewrite mulrAC mulfV // mul1r.
Qed.

(* the mean noisy gain of a split in two whose table is c *)
Definition mean_gain_of_table (R : realFieldType) (c : 'I_2 -> 'I_2 -> R) (tau_pos tau_neg : R) : R :=
  let n := \sum_i \sum_k c i k in let tau (k : 'I_2) := if k == 0 then tau_neg else tau_pos in
  (1 - tau_pos - tau_neg) ^+ 2 * py_decrease_gini c
  + 2%:R * (\sum_i \sum_k c i k * (((\sum_k c i k)^-1 - n^-1) * (tau k * (1 - tau k)))) / n.

Lemma mean_gain_of_splitE (R : realFieldType) (T : finType) (f : T -> 'I_2) (y : T -> 'I_2)
    (c : 'I_2 -> 'I_2 -> R) a b :
  (forall i k, split_of R f y i k = c i k) -> (forall i, 0 < \sum_k c i k) -> 1 < \sum_i \sum_k c i k ->
  expectation y (py_class_conditional a b) (fun s => py_decrease_gini (split_of R f s)) = mean_gain_of_table c a b.
Proof.
move=> e pos big; have sz i : total_of R f i = \sum_k c i k.
  rewrite -(size_table R f y 1%g i); apply: eq_bigr => k _; rewrite -e; congr (_%:R).
  by apply: eq_card => u; rewrite !inE perm1.
have n0 : #|T|%:R = \sum_i \sum_k c i k.
  by rewrite -(null.sum_a R f); apply: eq_bigr => i _; exact: sz.
rewrite expected_gini_gain_of_class_conditional_flips; first last.
- by rewrite -(ltr_nat R) n0.
- by move=> i; have := pos i; rewrite -sz ltr0n.
rewrite /mean_gain_of_table -n0 (decrease_gini_ext e); congr (_ + _ * _ / _).
pose h i (k : 'I_2) := ((total_of R f i)^-1 - #|T|%:R^-1) * ((if k == 0 then b else a) * (1 - if k == 0 then b else a)).
rewrite (sum_of_examples f y h); apply: eq_bigr => i _; apply: eq_bigr => k _.
by rewrite e /h sz.
Qed.

(* Flips of class 0 alone, at rate 1/4, can reverse the order of two mean Gini gains, where the gains of the expected
   tables keep it: five examples with the tables [0 2 | 2 1] and [1 0 | 1 3]. *)
Theorem expected_gini_order_is_lost_of_class_conditional_flips (R : realFieldType) (T : finType) (f g y : T -> 'I_2) :
  let one := counts_of R 2 2 [:: [:: 0; 2]; [:: 2; 1]]%N in let two := counts_of R 2 2 [:: [:: 1; 0]; [:: 1; 3]]%N in
  (forall i k, split_of R f y i k = one i k) -> (forall i k, split_of R g y i k = two i k) ->
  let noise := py_class_conditional 0 (1 / 4%:R) in
  [/\ py_decrease_gini two < py_decrease_gini one,
      py_decrease_gini (py_expected noise two) < py_decrease_gini (py_expected noise one) &
      expectation y noise (fun s => py_decrease_gini (split_of R f s))
        < expectation y noise (fun s => py_decrease_gini (split_of R g s))].
Proof.
move=> one two e1 e2 noise; rewrite /noise (mean_gain_of_splitE _ _ e1) ?(mean_gain_of_splitE _ _ e2).
- by rewrite /one /two; split; evaluate.
- by move=> i; case: (class_of_two i) => ->; rewrite /two; evaluate.
- by rewrite /two; evaluate.
- by move=> i; case: (class_of_two i) => ->; rewrite /one; evaluate.
by rewrite /one; evaluate.
Qed.

(* two examples, one in each child, and a channel: the hypotheses hold, and the bias is positive *)
Example channel_flips_instance (R : realFieldType) : let S := py_class_conditional (1 / 4%:R : R) (1 / 5%:R) in
  [/\ forall i : 'I_2, (0 < #|[pred u : 'I_2 | u == i]|)%N, (1 < #|'I_2|)%N, forall j, \sum_k S j k = 1 &
      forall j k, 0 <= S j k] /\ 0 < py_gini (S 0).
Proof.
have [s0 s1] : stochastic (py_class_conditional (1 / 4%:R : R) (1 / 5%:R)).
  by apply: class_conditional_is_stochastic; apply/andP; split; evaluate.
split; last by evaluate.
by split=> // [i|]; [rewrite (eq_card (B := pred1 i)) ?card1 | rewrite card_ord].
Qed.

(* five examples and two splits whose tables are those *)
Example reordered_instance (R : realFieldType) :
  let f (u : 'I_5) : 'I_2 := if (u < 2)%N then 0 else 1 in
  let g (u : 'I_5) : 'I_2 := if u == 2%N :> nat then 0 else 1 in
  let y (u : 'I_5) : 'I_2 := if (u == 2%N :> nat) || (u == 3%N :> nat) then 0 else 1 in
  (forall i k, split_of R f y i k = counts_of R 2 2 [:: [:: 0; 2]; [:: 2; 1]]%N i k) /\
  (forall i k, split_of R g y i k = counts_of R 2 2 [:: [:: 1; 0]; [:: 1; 3]]%N i k).
Proof.
by split=> i k; congr (_%:R); rewrite -sum1_card big_mkcond !big_ord_recl big_ord0;
  case: (class_of_two i) => ->; case: (class_of_two k) => ->.
Qed.

Example flips_order_instance (R : realFieldType) : let swapped (u : 'I_2) : 'I_2 := if u == 0 then 1 else 0 in
  [/\ forall i : 'I_2, (0 < #|[pred u : 'I_2 | u == i]|)%N, forall i : 'I_2, (0 < #|[pred u | swapped u == i]|)%N,
      (1 < #|'I_2|)%N & 1 / 4%:R != (2%:R - 1) / 2%:R :> R].
Proof.
by split=> [i|i||]; rewrite -?sum1_card ?big_mkcond ?big_ord_recl ?big_ord0 ?card_ord //;
  [case: (class_of_two i) => -> | case: (class_of_two i) => -> | evaluate].
Qed.
