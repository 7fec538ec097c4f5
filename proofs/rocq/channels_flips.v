(* The expected Gini gain when every label flips by itself, for any channel, about the library's own code. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs distinct null gini_null flips.
From splitcrit Require Import noise core generated tie evaluate channels channels_gains channels_risk channels_two.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

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
exact: gini_null.sum_a.
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
