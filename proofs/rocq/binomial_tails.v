(* The tail of a binomial law grows with its chance: what makes the ends of Clopper and Pearson's interval exact. *)
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint zmodp.
From mathcomp Require Import ring.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Tails.
Variable R : realFieldType.
(* the chance of x or more of n rows of class 1, each with chance theta by itself *)
Definition upper_tail (n x : nat) (theta : R) : R :=
  \sum_(k < n.+1 | (x <= k)%N) 'C(n, k)%:R * theta ^+ k * (1 - theta) ^+ (n - k).

Lemma tail0 n theta : upper_tail n 0 theta = 1.
Proof.
have := exprDn (1 - theta) theta n; rewrite subrK expr1n => ->.
by apply: eq_bigr => k _; rewrite -[RHS]mulr_natl [X in _ = _ * X]mulrC mulrA.
Qed.

Lemma tailS n x theta : upper_tail n.+1 x.+1 theta = theta * upper_tail n x theta + (1 - theta) * upper_tail n x.+1 theta.
Proof.
rewrite {1}/upper_tail big_mkcond big_ord_recl /= add0r -big_mkcond /=.
have -> : (1 - theta) * upper_tail n x.+1 theta
    = \sum_(k < n.+1 | (x <= k)%N) 'C(n, k.+1)%:R * theta ^+ k.+1 * (1 - theta) ^+ (n - k).
  rewrite /upper_tail big_mkcond big_ord_recl /= add0r [RHS]big_mkcond big_ord_recr /= bin_small // !mul0r if_same addr0.
  rewrite mulr_sumr; apply: eq_bigr => k _; rewrite /bump /= add1n ltnS; case: leqP => _; last by rewrite mulr0.
  have -> : (n - k = (n - k.+1).+1)%N by rewrite subnSK.
  by rewrite [(1 - theta) ^+ _.+1]exprS mulrCA.
rewrite /upper_tail mulr_sumr -big_split; apply: eq_bigr => k _ /=.
rewrite /bump /= add1n subSS binS natrD exprS; move: (theta ^+ k) ((1 - theta) ^+ _) => t u.
move: ('C(n, k.+1)%:R : R) ('C(n, k)%:R : R) => c d; ring.
Qed.

Lemma tail_falls n x theta : 0 <= theta <= 1 -> upper_tail n x.+1 theta <= upper_tail n x theta.
Proof.
move=> /andP[t0 t1]; have u0 : 0 <= 1 - theta by rewrite subr_ge0.
rewrite /upper_tail big_mkcond [X in _ <= X]big_mkcond; apply: ler_sum => k _.
case: (ltnP x k) => [/ltnW ->|_] //; by case: ifP => // _; rewrite !mulr_ge0 ?ler0n ?exprn_ge0.
Qed.

(* The chance of x or more of n rows, and that of more than x, grows with the chance of each. *)
Theorem binomial_tail_grows n x (theta theta' : R) : 0 <= theta -> theta <= theta' -> theta' <= 1 ->
  upper_tail n x theta <= upper_tail n x theta'.
Proof.
move=> t0 le t1; have t'0 := le_trans t0 le; have tt1 := le_trans le t1.
elim: n x => [|n IH] [|x]; rewrite ?tail0 //.
  by rewrite /upper_tail big_mkcond big_ord1 /= [X in _ <= X]big_mkcond big_ord1 /= lexx.
rewrite !tailS; apply: (@le_trans _ _ (theta' * upper_tail n x theta + (1 - theta') * upper_tail n x.+1 theta)).
  rewrite -subr_ge0; have -> : theta' * upper_tail n x theta + (1 - theta') * upper_tail n x.+1 theta
      - (theta * upper_tail n x theta + (1 - theta) * upper_tail n x.+1 theta)
      = (theta' - theta) * (upper_tail n x theta - upper_tail n x.+1 theta) by ring.
  by rewrite mulr_ge0 ?subr_ge0 // tail_falls ?t0.
by apply: ler_add; apply: ler_wpmul2l; rewrite ?subr_ge0.
Qed.
End Tails.

(* Of two chances, a third and a half. *)
Example two_chances (R : realFieldType) : (0 : R) <= 1 / 3%:R /\ 1 / 3%:R <= 1 / 2%:R :> R /\ 1 / 2%:R <= 1 :> R.
Proof.
split; [by rewrite divr_ge0 ?ler0n ?ler01|split].
  by rewrite !div1r ler_pinv ?ler_nat // inE ?unitfE ?pnatr_eq0 ?ltr0n.
by rewrite div1r invf_le1 ?ltr0n // ler1n.
Qed.
