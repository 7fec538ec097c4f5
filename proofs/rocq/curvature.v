(* The curvature of a child's term along a direction is that of its impurity along a direction that stays on the simplex. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Curvature.
Variables (R : realFieldType) (K : nat).
(* the second derivatives phi_lh of an impurity, the class shares x and the size of the child; u is the direction in
   which the shares of the classes that are sent there move, p are the class sizes *)
Variables (second : 'I_K -> 'I_K -> R) (x p u : 'I_K -> R) (size : R).
(* (2.1) of breiman1996 *)
Definition hessian i j : R :=
  p i * p j / size * \sum_l \sum_h second l h * ((i == l)%:R - x l) * ((j == h)%:R - x h).
Definition direction l : R := u l * p l - x l * \sum_i u i * p i.

Lemma directionE l : direction l = \sum_i u i * p i * ((i == l)%:R - x l).
Proof.
rewrite (eq_bigr (fun i => u i * p i * (i == l)%:R - x l * (u i * p i))) => [|i _]; last first.
  by rewrite mulrBr [x l * _]mulrC.
rewrite sumrB -mulr_sumr; congr (_ - _); rewrite (bigD1 l) //= eqxx mulr1 big1 ?addr0 // => i /negPf ->.
by rewrite mulr0.
Qed.

(* The sum over classes i and j of u_i u_j times the second derivatives of P phi is v' phi'' v / P, for any number of
   classes; and v sums to 0 where the shares sum to 1. *)
Theorem curvature_of_child_term_is_that_of_impurity :
  \sum_i \sum_j u i * u j * hessian i j = (\sum_l \sum_h second l h * direction l * direction h) / size
  /\ (\sum_l x l = 1 -> \sum_l direction l = 0).
Proof.
split; last by move=> one; rewrite sumrB -mulr_suml one mul1r subrr.
pose e i l : R := u i * p i * ((i == l)%:R - x l).
have -> : \sum_l \sum_h second l h * direction l * direction h
    = \sum_l \sum_h \sum_i \sum_j second l h * e i l * e j h.
  apply: eq_bigr => l _; apply: eq_bigr => h _; rewrite !directionE -mulrA mulr_suml mulr_sumr.
  by apply: eq_bigr => i _; rewrite !mulr_sumr; apply: eq_bigr => j _; rewrite mulrA.
have -> : \sum_i \sum_j u i * u j * hessian i j = \sum_i \sum_j (\sum_l \sum_h second l h * e i l * e j h) / size.
  apply: eq_bigr => i _; apply: eq_bigr => j _; rewrite /hessian !mulrA mulr_sumr mulr_suml; apply: eq_bigr => l _.
  rewrite mulr_sumr mulr_suml; apply: eq_bigr => h _; rewrite /e.
  move: ((i == l)%:R - x l) ((j == h)%:R - x h) (second l h) (u i) (u j) (p i) (p j) (size^-1) => *; ring.
under eq_bigr do rewrite -mulr_suml.
rewrite -mulr_suml; congr (_ / _).
under eq_bigr do rewrite exchange_big /=.
rewrite exchange_big /=; apply: eq_bigr => l _.
under eq_bigr do rewrite exchange_big /=.
by rewrite exchange_big.
Qed.
End Curvature.
