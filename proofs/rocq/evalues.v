(* E-values: of p-values, their weighted means, and the false discovery rate of the largest; by counting outcomes. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ring.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Discoveries.
Variables (R : realFieldType) (O : finType) (d : nat) (e : 'I_d.+1 -> O -> R) (null : pred 'I_d.+1).
Hypothesis evalue : forall j, null j -> \sum_o e j o <= #|O|%:R.
Hypothesis nonnegative : forall j o, 0 <= e j o.

(* the features whose e-value is at least d/(alpha k); the largest k for which there are k of them; those that pass *)
Definition large (alpha : R) (o : O) (k : nat) : pred 'I_d.+1 := fun j => d.+1%:R <= alpha * k%:R * e j o.
Definition most (alpha : R) (o : O) : nat := \max_(k < d.+2 | (k <= #|large alpha o k|)%N) k.
Definition passes (alpha : R) (o : O) : pred 'I_d.+1 := large alpha o (most alpha o).

Lemma most_pass alpha o : (most alpha o <= #|passes alpha o|)%N.
Proof.
set A := [pred k : 'I_d.+2 | (k <= #|large alpha o k|)%N].
have [|k Ak kE] := @eq_bigmax_cond _ A (fun k => k : nat); first by apply/card_gt0P; exists ord0.
by have mE : most alpha o = k by []; rewrite /passes mE.
Qed.

(* Of d features those pass whose e-values are the largest; the mean share of true nulls among them is at most
   alpha m/d, m the number of true nulls, whatever the dependence. *)
Theorem evalues_err_at_most_alpha (alpha : R) : 0 <= alpha ->
  \sum_o #|[pred j | passes alpha o j && null j]|%:R / #|passes alpha o|%:R
    <= alpha * #|null|%:R / d.+1%:R * #|O|%:R.
Proof.
move=> a0; have d0 : 0 < d.+1%:R :> R by rewrite ltr0n.
apply: (@le_trans _ _ (\sum_o \sum_(j | null j) alpha / d.+1%:R * e j o)); last first.
  rewrite exchange_big /=; apply: (@le_trans _ _ (\sum_(j | null j) alpha / d.+1%:R * #|O|%:R)).
    by apply: ler_sum => j nj; rewrite -mulr_sumr ler_wpmul2l ?evalue // divr_ge0 // ltW.
  rewrite sumr_const -[X in X <= _]mulr_natr -!mulrA ler_wpmul2l //.
  by rewrite mulrA [X in X <= _]mulrC.
apply: ler_sum => o _; rewrite -sum1_card natr_sum mulr_suml.
rewrite [X in X <= _](eq_bigl (fun j => null j && passes alpha o j)) => [|j]; last by rewrite inE andbC.
rewrite big_mkcondr; apply: ler_sum => j nj; case: ifP => [pj|_]; last first.
  by rewrite mulr_ge0 ?nonnegative // divr_ge0 // ltW.
have k0 : 0 < #|passes alpha o|%:R :> R by rewrite ltr0n; apply/card_gt0P; exists j.
rewrite ler_pdivr_mulr // mulrAC [alpha / _ * _]mulrAC [X in _ <= X]mulrAC ler_pdivl_mulr // mul1r.
apply: le_trans (_ : alpha * (most alpha o)%:R * e j o <= _); first exact: pj.
rewrite ler_wpmul2r ?nonnegative // ler_wpmul2l // ler_nat; exact: most_pass.
Qed.
End Discoveries.

Section Calibrated.
Variables (R : rcfType) (O : finType).

(* the square of r is a p-value: of the equally likely outcomes a share of at most t^2 has one of at most t^2 *)
Definition root_of_valid (r : O -> R) : Prop :=
  (forall o, 0 < r o) /\ forall t, 0 <= t -> #|[pred o | r o <= t]|%:R <= t ^+ 2 * #|O|%:R.

Lemma step (a : nat) : (Num.sqrt a.+1%:R)^-1 <= 2%:R * (Num.sqrt a.+1%:R - Num.sqrt a%:R) :> R.
Proof.
set s := Num.sqrt a.+1%:R; set r := Num.sqrt a%:R.
have s0 : 0 < s by rewrite sqrtr_gt0 ltr0n.
have sq : s ^+ 2 = r ^+ 2 + 1 by rewrite !sqr_sqrtr ?ler0n // -addn1 natrD.
rewrite -div1r ler_pdivr_mulr // -subr_ge0.
have -> : 2%:R * (s - r) * s - 1 = (s - r) ^+ 2.
  rewrite [X in _ - X = _](_ : 1 = s ^+ 2 - r ^+ 2); last by rewrite sq addrC addKr.
  by ring.
exact: sqr_ge0.
Qed.

Lemma roots_sum (r : O -> R) (A : {set O}) : root_of_valid r ->
  \sum_(o in A) (r o)^-1 <= 2%:R * Num.sqrt #|A|%:R * Num.sqrt #|O|%:R.
Proof.
move=> [r0 valid]; move: {2}#|A| (erefl #|A|) => a; elim: a A => [|a IH] A cA.
  by move/eqP: cA; rewrite cards_eq0 => /eqP ->; rewrite big_set0 cards0 sqrtr0 mulr0 mul0r.
have /card_gt0P[o1 o1A] : (0 < #|A|)%N by rewrite cA.
have [o oA most] := @arg_maxP _ R O o1 (mem A) r o1A.
have n0 : 0 < #|O|%:R :> R by rewrite ltr0n; apply/card_gt0P; exists o.
rewrite (big_setD1 o) //= cA.
have cD : #|A :\ o| = a by move: (cardsD1 o A); rewrite (_ : o \in A = true) ?cA => [[]|]; last exact: oA.
have := IH _ cD; rewrite cD => le.
have few : a.+1%:R <= r o ^+ 2 * #|O|%:R.
  apply: le_trans (valid _ (ltW (r0 o))); rewrite -cA ler_nat; apply: subset_leq_card.
  by apply/subsetP => x xA; rewrite inE; apply: most.
have inv : (r o)^-1 <= Num.sqrt #|O|%:R / Num.sqrt a.+1%:R.
  rewrite ler_pdivl_mulr ?sqrtr_gt0 ?ltr0n // mulrC ler_pdivr_mulr //.
  rewrite -(ger0_norm (ltW (r0 o))) -sqrtr_sqr mulrC -sqrtrM ?sqr_ge0 //.
  by rewrite ler_wsqrtr.
apply: le_trans (ler_add inv le) _.
have : Num.sqrt #|O|%:R * (Num.sqrt a.+1%:R)^-1 <= Num.sqrt #|O|%:R * (2%:R * (Num.sqrt a.+1%:R - Num.sqrt a%:R)) :> R.
  by rewrite ler_wpmul2l ?sqrtr_ge0 // step.
move=> h; apply: le_trans (ler_add h (lexx _)) _.
move: (Num.sqrt #|O|%:R) (Num.sqrt a.+1%:R) (Num.sqrt a%:R) => x y z.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
Qed.

(* If the square of r is a valid p-value, 1/r - 1 has a mean of at most 1; so have weighted means, whatever the
   dependence of the p-values, with weights that do not depend on the outcome. *)
Theorem calibrated_pvalues_are_evalues (s : nat) (r : 'I_s -> O -> R) (w : 'I_s -> R) :
  (forall t, root_of_valid (r t)) -> (forall t, 0 <= w t) ->
  \sum_o \sum_t w t * ((r t o)^-1 - 1) <= (\sum_t w t) * #|O|%:R.
Proof.
move=> valid w0; rewrite exchange_big /= mulr_suml; apply: ler_sum => t _.
rewrite -mulr_sumr ler_wpmul2l //.
rewrite sumrB sumr_const -[X in _ - X]mulr_natr mul1r ler_subl_addr.
have := @roots_sum (r t) setT (valid t); rewrite cardsT -mulrA -expr2 sqr_sqrtr ?ler0n //.
rewrite (eq_bigl predT) => [|o]; last by rewrite inE.
by rewrite mulr_natl mulr2n.
Qed.
End Calibrated.

(* A coin: the e-value of each of three features is 2 on one side and 0 on the other. *)
Example evalues_of_a_coin (R : realFieldType) : let e (j : 'I_3) (o : 'I_2) : R := (2 * (o == ord0))%:R in
  (forall j : 'I_3, xpredT j -> \sum_o e j o <= #|'I_2|%:R) /\ (forall j o, 0 <= e j o) /\ (0 : R) <= 1 / 20%:R.
Proof.
split=> [j _|]; first by rewrite !big_ord_recl big_ord0 card_ord muln1 muln0 !addr0.
by split=> [j o|]; rewrite ?ler0n // divr_ge0 ?ler01 ?ler0n.
Qed.

(* One outcome, and the p-value 1. *)
Example root_of_one (R : rcfType) : (forall t : 'I_2, root_of_valid (fun _ : 'I_1 => 1 : R)) /\
  forall t : 'I_2, 0 <= (1 : R).
Proof.
split=> [_|_]; last exact: ler01.
split=> [_|t t0]; first exact: ltr01.
rewrite card_ord mulr1; case: (lerP 1 t) => [t1|t1].
  apply: (@le_trans _ _ 1); last by rewrite exprn_ege1.
  by rewrite lern1 -[X in (_ <= X)%N](card_ord 1) max_card.
by rewrite eq_card0 ?exprn_ge0.
Qed.
