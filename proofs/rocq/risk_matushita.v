(* Matushita's impurity is the least risk of one-vs-rest exponential losses, of the printed code. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs risk generated concave losses.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Matushita.
Variables (R : realFieldType) (log sqrt exp : R -> R).

(* what is used of the root, and of the exponential function and its inverse *)
Definition square_root := forall x, 0 <= x -> 0 <= sqrt x /\ sqrt x ^+ 2 = x.
Definition exponential := (forall x y, exp (x + y) = exp x * exp y) /\ (forall x, 0 < exp x) /\
  (forall x, 0 < x -> exp (log x) = x).

Hypotheses (root : square_root) (power : exponential).

Lemma root_le x y : 0 <= x -> 0 <= y -> x <= y ^+ 2 -> sqrt x <= y.
Proof.
move=> x0 y0 h; have [s0 s2] := root x0; rewrite -(@ler_pexpn2r _ 2) ?nnegrE // s2 //.
Qed.

Lemma root_unique x y : 0 <= y -> y ^+ 2 = x -> sqrt x = y.
Proof.
move=> y0 e; have x0 : 0 <= x by rewrite -e sqr_ge0.
have [s0 s2] := root x0; apply/eqP; rewrite -(@eqr_expn2 _ 2) // s2 e //.
Qed.

Lemma exp0 : exp 0 = 1.
Proof.
have [add [pos _]] := power; have := add 0 0; rewrite addr0 -{1}[exp 0]mulr1.
by move/mulfI => -> //; rewrite gt_eqF.
Qed.

Lemma expN x : exp (- x) * exp x = 1.
Proof. by rewrite -power.1 addNr exp0. Qed.

Lemma risk_of_exponentials K (w p : 'I_K -> R) : \sum_k p k = 1 ->
  py_risk (py_one_vs_rest_exponential exp w) p
  = \sum_j (p j * exp (- w j) + (1 - p j) * exp (w j)) / 2%:R.
Proof.
move=> p1; rewrite py_riskE /py_one_vs_rest_exponential.
rewrite (eq_bigr (fun k => \sum_j p k * (if j == k then exp (- w j) else exp (w j)) / 2%:R)); last first.
  by move=> k _; rewrite mulrA mulr_sumr mulr_suml.
rewrite exchange_big /=; apply: eq_bigr => j _; rewrite -mulr_suml; congr (_ / _).
rewrite (bigD1 j) //= eqxx; congr (_ + _).
rewrite (eq_bigr (fun k => p k * exp (w j))); last by move=> k /negPf ne; rewrite eq_sym ne.
rewrite -mulr_suml; congr (_ * _); move: p1; rewrite (bigD1 j) //= => <-.
by rewrite [RHS]addrC addKr.
Qed.

(* No scores, one a class, have a smaller risk of the exponential losses, each class against the rest, than matushita. *)
Theorem py_matushita_is_at_most_exponential_risk K (w p : 'I_K -> R) : distribution p ->
  py_matushita sqrt p <= py_risk (py_one_vs_rest_exponential exp w) p.
Proof.
move=> d; have [p0 p1] := d; rewrite risk_of_exponentials //; apply: ler_sum => j _.
have q0 : 0 <= 1 - p j by rewrite subr_ge0 share_le1.
have [_ [pos _]] := power; have a0 := pos (- w j); have b0 := pos (w j).
apply: root_le; first by rewrite mulr_ge0.
  by rewrite divr_ge0 ?ler0n // addr_ge0 ?mulr_ge0 // ltW.
have ab := expN (w j); rewrite -subr_ge0.
have -> : ((p j * exp (- w j) + (1 - p j) * exp (w j)) / 2%:R) ^+ 2 - p j * (1 - p j)
    = ((p j * exp (- w j) - (1 - p j) * exp (w j)) / 2%:R) ^+ 2
      + p j * (1 - p j) * (exp (- w j) * exp (w j) - 1).
  by move: (exp _) (exp _) (p j) => b a x; field.
by rewrite ab subrr mulr0 addr0 sqr_ge0.
Qed.

(* Half the log odds of the classes attain matushita, where every class has a share between 0 and 1. *)
Theorem py_half_log_odds_attain_matushita K (p : 'I_K -> R) : distribution p -> (forall k, 0 < p k /\ p k < 1) ->
  py_risk (py_one_vs_rest_exponential exp (py_half_log_odds log p)) p = py_matushita sqrt p.
Proof.
move=> [p0 p1] inside; rewrite risk_of_exponentials //; apply: eq_bigr => j _.
have [x0 x1] := inside j; have y0 : 0 < 1 - p j by rewrite subr_gt0.
have [add [pos inv]] := power; set w := py_half_log_odds log p j; have ab := expN w.
have a0 := pos (- w); have b0 := pos w.
have bb : exp w * exp w * (1 - p j) = p j.
  rewrite -{1}(inv _ y0) -2!add -[RHS](inv _ x0); congr exp; rewrite /w /py_half_log_odds.
  by move: (log _) (log _) => y x; field.
have e : p j * exp (- w) = (1 - p j) * exp w.
  by rewrite -{1}bb -[RHS]mulr1 -ab; ring.
rewrite e; have -> : ((1 - p j) * exp w + (1 - p j) * exp w) / 2%:R = (1 - p j) * exp w.
  by move: (exp w) (p j) => b x; field.
symmetry; apply: root_unique; first by rewrite mulr_ge0 ?ltW.
by rewrite -{2}bb; ring.
Qed.
End Matushita.

(* Instances: the hypotheses hold of the root, the exponential function and the logarithm of the real numbers. *)
From Coq Require Import Reals.
From splitcrit Require Import risk_reals.

Example roots_and_powers_of_reals :
  @square_root real_realFieldType R_sqrt.sqrt /\ @exponential real_realFieldType Rpower.ln Rtrigo_def.exp /\
  distribution (@one_third real_realFieldType) /\
  (forall k, 0 < @one_third real_realFieldType k /\ @one_third real_realFieldType k < 1).
Proof.
split.
  by move=> x /rleP x0; split; [apply/rleP; exact: sqrt_pos|rewrite expr2; exact: sqrt_sqrt].
split.
  split; first exact: exp_plus.
  by split=> x; [apply/rltP; exact: exp_pos|move=> /rltP; exact: exp_ln].
split; first exact: one_third_is_a_distribution.
move=> k; rewrite /one_third; case: ifP => _; rewrite divr_gt0 ?ltr01 ?ltr0n //.
  by rewrite ltr_pdivr_mulr ?ltr0n // mul1r ltr1n.
by rewrite ltr_pdivr_mulr ?ltr0n // mul1r ltr_nat.
Qed.
