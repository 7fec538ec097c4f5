(* The expected Gini gain of a table whose labels flip: each by itself, or a fixed number of them. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs null flips generated tie all_sizes.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* The expected Gini gain of a table whose labels flip independently: any channel, symmetric and class-conditional. *)
Section AnyTable.
Variables (R : realFieldType) (r K : nat) (t : 'I_r -> 'I_K -> R).

Lemma gain_by_squares : (forall i, defs.size (t i) != 0) -> whole t != 0 ->
  py_decrease_gini t
  = (\sum_i (\sum_k t i k ^+ 2) / defs.size (t i) - (\sum_k node t k ^+ 2) / whole t) / whole t.
Proof.
move=> a0 n0; have -> : py_decrease_gini t = decrease (@gini R K) t by [].
have e (c : 'I_K -> R) m : m != 0 -> gini (shares c m) = 1 - (\sum_k c k ^+ 2) / m ^+ 2.
  by move=> m0; rewrite /gini /shares (negPf m0) mulr_suml; congr (_ - _); apply: eq_bigr => k _; field.
rewrite /decrease (negPf n0) e //; congr (_ / _).
rewrite (eq_bigr (fun i => defs.size (t i) - (\sum_k t i k ^+ 2) / defs.size (t i))); last first.
  by move=> i _; rewrite e //; move: (a0 i); set s := \sum_k _ => ai; field.
rewrite sumrB -/(whole t); move: (\sum_i _) (\sum_k _) (whole t) n0 => p q m m0; by field.
Qed.
End AnyTable.

Section Flips.
Variables (R : realFieldType) (T : finType) (r K : nat) (f : T -> 'I_r) (y : T -> 'I_K).
Hypothesis rows_occur : forall i, (0 < #|[pred u | f u == i]|)%N.
Hypothesis n2 : (1 < #|T|)%N.
Local Notation n := (#|T|%:R : R).
Local Notation a := (total_of R f).
(* the table of a feature f and labels s *)
Definition table_of (s : T -> 'I_K) : 'I_r -> 'I_K -> R := table R f s 1%g.

Section Channel.
Variable S : 'I_K -> 'I_K -> R.
Hypothesis stochastic : forall j, \sum_l S j l = 1.
(* the expected noisy table *)
Definition expected_table : 'I_r -> 'I_K -> R := fun i => py_on_distribution S (table_of y i).
(* chance that two independent noisy labels agree *)
Let q u v := \sum_l S (y u) l * S (y v) l.

Lemma expected_tableE i k : expected_table i k = \sum_(u | f u == i) S (y u) k.
Proof.
rewrite /expected_table /py_on_distribution /table_of.
have e := @sum_cells R T r K f y 1%g (fun i' j => if i' == i then S j k else 0).
rewrite [RHS]big_mkcond /= [RHS](eq_bigr (fun u => if f u == i then S (y ((1%g : {perm T}) u)) k else 0)).
  rewrite e (bigD1 i) //= eqxx [X in _ = _ + X]big1 ?addr0 // => i' /negPf ->.
  by rewrite big1 // => j _; rewrite mulr0.
by move=> u _; rewrite perm1.
Qed.

Lemma size_expected i : defs.size (expected_table i) = a i.
Proof.
rewrite /defs.size (eq_bigr _ (fun k _ => expected_tableE i k)) exchange_big /=.
rewrite (eq_bigr (fun=> 1)); last by move=> u _; exact: stochastic.
by rewrite sumr_const.
Qed.

Lemma node_expected k : node expected_table k = \sum_u S (y u) k.
Proof.
rewrite /node (eq_bigr _ (fun i _ => expected_tableE i k)).
by rewrite [RHS](partition_big f xpredT) //.
Qed.

Lemma a_neq0 i : a i != 0. Proof. by rewrite pnatr_eq0 -lt0n. Qed.
Lemma n_neq0 : n != 0. Proof. by rewrite pnatr_eq0 -lt0n; exact: ltnW. Qed.
Local Notation W := (same f (fun i => (a i)^-1)).

Lemma whole_expected : whole expected_table = n.
Proof. by rewrite /whole (eq_bigr _ (fun i _ => size_expected i)) sum_a. Qed.

Lemma pairs_diagonal (F : T -> T -> R) : \sum_u \sum_v F u v = \sum_u F u u + D2 F.
Proof. by rewrite /D2 -big_split; apply: eq_bigr => u _; rewrite (bigD1 u). Qed.

Lemma signal_pairs : py_decrease_gini expected_table
  = (\sum_u ((a (f u))^-1 - n^-1) * q u u + D2 (fun u v => (W u v - n^-1) * q u v)) / n.
Proof.
rewrite gain_by_squares ?whole_expected ?n_neq0 //; last by move=> i; rewrite size_expected a_neq0.
congr (_ / _).
have -> : \sum_k node expected_table k ^+ 2 = \sum_u \sum_v q u v.
  transitivity (\sum_k \sum_u \sum_v S (y u) k * S (y v) k).
    apply: eq_bigr => k _; rewrite node_expected expr2 mulr_suml; apply: eq_bigr => u _.
    by rewrite mulr_sumr.
  rewrite exchange_big; apply: eq_bigr => u _; rewrite exchange_big /=; by apply: eq_bigr => v _.
have -> : \sum_i (\sum_k expected_table i k ^+ 2) / defs.size (expected_table i) = \sum_u \sum_v W u v * q u v.
  rewrite [RHS](partition_big f xpredT) //=; apply: eq_bigr => i _; rewrite size_expected.
  transitivity (\sum_k \sum_(u | f u == i) \sum_(v | f v == i) S (y u) k * S (y v) k / a i).
    rewrite mulr_suml; apply: eq_bigr => k _; rewrite expected_tableE expr2 !mulr_suml; apply: eq_bigr => u _.
    by rewrite mulr_sumr mulr_suml.
  rewrite exchange_big; apply: eq_bigr => u /eqP fu; rewrite exchange_big /= big_mkcond; apply: eq_bigr => v _.
  rewrite /same fu eq_sym; case: eqP => _; last by rewrite mul0r.
  by rewrite mulr_sumr; apply: eq_bigr => k _; rewrite mulrC.
rewrite !pairs_diagonal /same.
have -> : \sum_u ((a (f u))^-1 - n^-1) * q u u
   = \sum_u (if f u == f u then (a (f u))^-1 else 0) * q u u - n^-1 * \sum_u q u u.
  by rewrite mulr_sumr -sumrB; apply: eq_bigr => u _; rewrite eqxx mulrBl.
rewrite (D2_ext (F := fun u v => ((if f u == f v then (a (f u))^-1 else 0) - n^-1) * q u v) (G := fun u v =>
   (if f u == f v then (a (f u))^-1 else 0) * q u v + (- n^-1) * q u v)); last by move=> u v _; ring.
rewrite D2_add D2_scale; move: (\sum_u _) (\sum_u _) (D2 _) (D2 _) n n_neq0 => x1 x2 x3 x4 m m0; by field.
Qed.

(* Each label is redrawn by any channel, independently: the expected Gini gain of the noisy table is the gain of the
   expected table plus, per observation u, (1/a - 1/n)/n times the chance that two noisy copies of its label differ. *)
Theorem expected_gini_gain_of_channel :
  expectation y S (fun s => py_decrease_gini (table_of s))
  = py_decrease_gini expected_table
    + (\sum_u ((a (f u))^-1 - n^-1) * (1 - \sum_l S (y u) l ^+ 2)) / n.
Proof.
pose M u v : R := W u v - n^-1.
rewrite (expectation_ext _ _ (fun s : {ffun T -> 'I_K} => gain_of_pairs R rows_occur n2 s)) expectation_add.
rewrite (expectation_scale _ _ _ (fun s : {ffun T -> 'I_K} => D2 (fun u v => M u v * same s (fun=> 1) u v))).
rewrite (expectation_D2 _ _ (fun (s : {ffun T -> 'I_K}) u v => M u v * same s (fun=> 1) u v)).
have -> : expectation y S (fun=> (r%:R - 1) / n) = (r%:R - 1) / n.
  have -> : expectation y S (fun=> (r%:R - 1) / n) = expectation y S (fun=> (r%:R - 1) / n * 1).
    by apply: expectation_ext => s; rewrite mulr1.
  by rewrite expectation_scale expectation1 // mulr1.
rewrite (D2_ext (G := fun u v => M u v * q u v)); last first.
  by move=> u v vu; rewrite expectation_scale /same expectation_same.
rewrite signal_pairs [D2 _ in RHS](_ : _ = D2 (fun u v => M u v * q u v)) //.
have -> : r%:R - 1 = \sum_u ((a (f u))^-1 - n^-1).
  rewrite sumrB sum_const mulfV ?n_neq0 // (sum_blocks f (fun i => (a i)^-1)) (eq_bigr (fun=> 1)).
    by rewrite sumr_const card_ord.
  by move=> i _; rewrite mulfV ?a_neq0.
have -> : \sum_u ((a (f u))^-1 - n^-1) * (1 - \sum_l S (y u) l ^+ 2)
  = \sum_u ((a (f u))^-1 - n^-1) - \sum_u ((a (f u))^-1 - n^-1) * q u u.
  rewrite -sumrB; apply: eq_bigr => u _; rewrite mulrBr mulr1; congr (_ - _ * _).
have g (x1 x2 x3 m : R) : x1 / m + m^-1 * x3 = (x2 + x3) / m + (x1 - x2) / m by ring.
exact: g.
Qed.
End Channel.

(* Under symmetric noise of rate eta the expected Gini gain of the noisy table is (1 - lam)^2 times the clean gain plus
   (r - 1) eta (2 - lam)/n, lam = eta K/(K - 1): the second part is the same for all splits into r rows. *)
Theorem py_expected_gini_gain_of_symmetric (eta : R) : (1 < K)%N -> let lam : R := eta * K%:R / (K%:R - 1) in
  expectation y (py_symmetric eta) (fun s => py_decrease_gini (table_of s))
  = (1 - lam) ^+ 2 * py_decrease_gini (table_of y) + (r%:R - 1) * eta * (2%:R - lam) / n.
Proof.
move=> K2 lam; rewrite -(expected_gini_gain_is_affine y rows_occur n2 K2 eta); apply: eq_bigr => s _.
by congr (_ * _); apply: eq_bigr => u _; exact: py_symmetricE.
Qed.

(* The class-conditional channel, from its printed entries. *)
Definition channel (tau_pos tau_neg : R) : 'I_2 -> 'I_2 -> R := fun j k =>
  if j == 0 then (if k == 0 then py_class_conditional_00 tau_pos tau_neg else py_class_conditional_01 tau_pos tau_neg)
  else (if k == 0 then py_class_conditional_10 tau_pos tau_neg else py_class_conditional_11 tau_pos tau_neg).
End Flips.

Section ClassConditional.
Variables (R : realFieldType) (T : finType) (f : T -> 'I_2) (y : T -> 'I_2).
Hypothesis rows_occur : forall i, (0 < #|[pred u | f u == i]|)%N.
Hypothesis n2 : (1 < #|T|)%N.
Local Notation n := (#|T|%:R : R).
Local Notation a := (total_of R f).
Local Notation t := (table_of R f y).

(* Under class-conditional noise the expected Gini gain of a split in two is the gain of the expected table plus
   (2/n^2) (n v_neg + (v_pos - v_neg) (a_R p_L + a_L p_R)), v = tau (1 - tau) and p the shares of positives of the
   children: what the library returns as the additive part. *)
Theorem expected_gini_gain_of_class_conditional (tau_pos tau_neg : R) :
  let v_pos := tau_pos * (1 - tau_pos) in let v_neg := tau_neg * (1 - tau_neg) in
  expectation y (channel tau_pos tau_neg) (fun s => py_decrease_gini (table_of R f s))
  = py_decrease_gini (expected_table f y (channel tau_pos tau_neg))
    + 2%:R / n ^+ 2 * (n * v_neg + (v_pos - v_neg) * (a 1 * (t 0 1 / a 0) + a 0 * (t 1 1 / a 1))).
Proof.
move=> v_pos v_neg; set S := channel tau_pos tau_neg.
have st j : \sum_l S j l = 1.
  rewrite sum2 /S /channel; case: eqP => _ /=.
    by rewrite /py_class_conditional_00 /py_class_conditional_01; ring.
  by rewrite /py_class_conditional_10 /py_class_conditional_11; ring.
rewrite expected_gini_gain_of_channel //; congr (_ + _).
have vE j : 1 - \sum_l S j l ^+ 2 = if j == 0 then 2%:R * v_neg else 2%:R * v_pos.
  rewrite sum2 /S /channel /v_pos /v_neg; case: eqP => _ /=.
    by rewrite /py_class_conditional_00 /py_class_conditional_01; ring.
  by rewrite /py_class_conditional_10 /py_class_conditional_11; ring.
have := @sum_cells R T 2 2 f y 1%g (fun i j => ((a i)^-1 - n^-1)
  * (if j == 0 then 2%:R * v_neg else 2%:R * v_pos)).
rewrite (eq_bigr (fun u => ((a (f u))^-1 - n^-1) * (1 - \sum_l S (y u) l ^+ 2))); last by move=> u _; rewrite perm1 vE.
move=> ->; rewrite !sum2 /= -/t.
have e i : t i 0 = a i - t i 1.
  have := @size_table R T 2 2 f y 1%g i; rewrite /defs.size sum2 => <-.
  by rewrite addrK.
rewrite !e; have a0 : forall i, a i != 0 by move=> i; rewrite pnatr_eq0 -lt0n.
have nE : n = a 0 + a 1 by rewrite -(sum_a R f) sum2.
have n0 : a 0 + a 1 != 0 by rewrite -nE pnatr_eq0 -lt0n; exact: ltnW.
clear vE; rewrite nE; move: (a 0) (a 1) (t 0 1) (t 1 1) (a0 0) (a0 1) n0 v_pos v_neg => a0' a1' p q z0 z1 z vp vn.
by field; rewrite z z0 z1.
Qed.
End ClassConditional.

(* Four observations, one of each of two rows and two classes: a gain of 0 is expected to become
   (v_neg + v_pos)/4 more than that of the expected table, v = tau (1 - tau). *)
Example expected_gain_of_four (R : realFieldType) (tau_pos tau_neg : R) :
  let T := [finType of 'I_2 * 'I_2] in let row (u : T) := u.1 in let class (u : T) := u.2 in
  [/\ (1 < #|T|)%N, forall i, (0 < #|[pred u | row u == i]|)%N
    & expectation class (channel tau_pos tau_neg) (fun s => py_decrease_gini (table_of R row s))
      = py_decrease_gini (expected_table row class (channel tau_pos tau_neg))
        + (tau_neg * (1 - tau_neg) + tau_pos * (1 - tau_pos)) / 4%:R].
Proof.
move=> T row class; have [rows classes] := totals_of_four.
have rows_occur i : (0 < #|[pred u | row u == i]|)%N by rewrite rows.
have T4 : (1 < #|T|)%N by rewrite card_prod card_ord.
split=> //; rewrite expected_gini_gain_of_class_conditional // card_prod card_ord; congr (_ + _).
have a2 i : total_of R row i = 2%:R by rewrite /total_of rows.
have t1 i j : table_of R row class i j = 1.
  rewrite /table_of /table (eq_card (B := pred1 (i, j))) ?card1 // => - [u v].
  by rewrite !inE perm1 xpair_eqE.
by rewrite !a2 !t1; field.
Qed.

(* The expected Gini gain if exactly h labels of two classes flip, any h of them with equal chances. *)
Section FixedFlips.
Variables (R : realFieldType) (T : finType) (r : nat) (f : T -> 'I_r) (y : T -> 'I_2) (H : {set T}).
Hypothesis rows_occur : forall i, (0 < #|[pred u | f u == i]|)%N.
Hypothesis n2 : (1 < #|T|)%N.
Local Notation n := (#|T|%:R : R).
Local Notation h := (#|H|%:R : R).
Local Notation a := (total_of R f).
(* the labels after those of a random set of h observations are flipped: the set H moved by a random permutation *)
Definition flipped (s : {perm T}) : T -> 'I_2 := fun u => if s u \in H then 1 - y u else y u.

Lemma flip_inj (j k : 'I_2) : (1 - j == 1 - k) = (j == k).
Proof. by rewrite (can_eq (@subKr _ 1)). Qed.
Lemma flip_other (j k : 'I_2) : (1 - j == k) = ~~ (j == k).
Proof. by case: j k => [[|[|j]] hj] [[|[|k]] hk]. Qed.

Let agree (u v : T) : R := ((u \in H) == (v \in H))%:R.

Lemma same_flipped s u v : same (flipped s) (fun=> 1 : R) u v
  = agree (s u) (s v) * same y (fun=> 1) u v + (1 - agree (s u) (s v)) * (1 - same y (fun=> 1) u v).
Proof.
rewrite /same /flipped /agree; case: (s u \in H); case: (s v \in H); rewrite ?eqxx ?flip_inj /=.
- by case: (y u == y v); ring.
- by rewrite flip_other; case: (y u == y v) => /=; ring.
- by rewrite eq_sym flip_other eq_sym; case: (y u == y v) => /=; ring.
by case: (y u == y v); ring.
Qed.

Lemma agreeing_pairs : D2 agree = h * (h - 1) + (n - h) * (n - h - 1).
Proof.
have e u : \sum_v agree u v = (u \in H)%:R * h + (1 - (u \in H)%:R) * (n - h).
  have inH : \sum_v (v \in H)%:R = h :> R.
    by rewrite -sum1_card natr_sum [RHS]big_mkcond; apply: eq_bigr => v _; case: (v \in H).
  rewrite /agree; case: (u \in H) => /=.
    by rewrite mul1r subrr mul0r addr0 -inH; apply: eq_bigr => v _; case: (v \in H).
  rewrite mul0r add0r subr0 mul1r (eq_bigr (fun v => 1 - (v \in H)%:R)) ?sumrB ?inH ?sumr_const //.
  by move=> v _; case: (v \in H); rewrite /= ?subrr ?subr0.
rewrite /D2 (eq_bigr (fun u => (u \in H)%:R * (h - (n - h)) + (n - h - 1))); last first.
  by move=> u _; rewrite drop1 e /agree eqxx /=; ring.
rewrite big_split /= -mulr_suml sum_const.
have -> : \sum_u (u \in H)%:R = h :> R.
  by rewrite -sum1_card natr_sum [RHS]big_mkcond; apply: eq_bigr => v _; case: (v \in H).
by move: h n => k m; ring.
Qed.

(* If exactly h of n labels of two classes, chosen at random, are flipped, the expected Gini gain is
   ((n - 2 h)^2 - n)/(n (n - 1)) times the clean gain plus (r - 1) 2 h (n - h)/(n^2 (n - 1)): the order of splits into
   equally many rows is kept, lost or reversed as (n - 2 h)^2 is above, at or below n. *)
Theorem expected_gini_gain_of_fixed_number_of_flips :
  mean (fun s => py_decrease_gini (table_of R f (flipped s)))
  = ((n - 2%:R * h) ^+ 2 - n) / (n * (n - 1)) * py_decrease_gini (table_of R f y)
    + (r%:R - 1) * (2%:R * h * (n - h)) / (n ^+ 2 * (n - 1)).
Proof.
have n0 : n != 0 by rewrite pnatr_eq0 -lt0n; exact: ltnW.
have n1 : n - 1 != 0 := @natB_neq0 R T 1 n2.
pose M u v : R := same f (fun i => (a i)^-1) u v - n^-1.
have pairs (z : T -> 'I_2) : py_decrease_gini (table_of R f z)
    = (r%:R - 1) / n + n^-1 * D2 (fun u v => M u v * same z (fun=> 1) u v).
  exact: (gain_of_pairs R rows_occur n2).
have MS : D2 M = 1 - r%:R.
  rewrite /M (D2_add (same f _) (fun _ _ => - n^-1)) D2_const (XW R rows_occur).
  by move: (r%:R : R) n n0 => rr m m0; field.
pose z u v : R := same y (fun=> 1) u v.
rewrite (mean_ext (fun s => pairs (flipped s))) mean_add mean_const mean_scale pairs -/z.
rewrite (mean_ext (G := fun s => D2 (fun u v => M u v * (2%:R * z u v - 1) * agree (s u) (s v))
    + D2 (fun u v => M u v * (1 - z u v)))); last first.
  by move=> s; rewrite -D2_add; apply: D2_ext => u v _; rewrite same_flipped -/(z u v); ring.
rewrite mean_add mean_const (mean2 (fun u v => M u v * (2%:R * z u v - 1)) agree) agreeing_pairs.
rewrite (D2_ext (F := fun u v => M u v * (2%:R * z u v - 1)) (G := fun u v => 2%:R * (M u v * z u v) + (- 1) * M u v)).
  rewrite (D2_ext (F := fun u v => M u v * (1 - z u v)) (G := fun u v => M u v + (- 1) * (M u v * z u v))).
    rewrite (D2_add (fun u v => 2%:R * (M u v * z u v)) (fun u v => - 1 * M u v)).
    rewrite (D2_add M (fun u v => - 1 * (M u v * z u v))) !D2_scale MS.
    move: (D2 (fun u v => M u v * z u v)) h (r%:R : R) n n0 n1 => q k rr m m0 m1; field.
    by rewrite m0 m1.
  by move=> u v _; ring.
by move=> u v _; ring.
Qed.
End FixedFlips.

(* One of four labels flips: (n - 2 h)^2 = n, and the expected gain is the same for all splits in two, 1/8. *)
Example one_flip_of_four (R : realFieldType) :
  let T := [finType of 'I_2 * 'I_2] in let row (u : T) := u.1 in let class (u : T) := u.2 in
  [/\ forall i, (0 < #|[pred u | row u == i]|)%N, (1 < #|T|)%N
    & mean (fun s => py_decrease_gini (table_of R row (flipped class [set (0, 0)] s))) = 1 / 8%:R].
Proof.
move=> T row class; have [rows classes] := totals_of_four.
have rows_occur i : (0 < #|[pred u | row u == i]|)%N by rewrite rows.
have T4 : (1 < #|T|)%N by rewrite card_prod card_ord.
split=> //; rewrite expected_gini_gain_of_fixed_number_of_flips // cards1 card_prod card_ord.
by move: (py_decrease_gini _) => g; field.
Qed.
