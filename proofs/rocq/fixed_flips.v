(* The expected Gini gain if exactly h labels of two classes flip, any h of them with equal chances. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs distinct null gini_null flips generated tie all_sizes expected_flips.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

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
