(* What the functions of the library ask of their arguments, else they raise: the hypotheses of the theorems. *)
From mathcomp Require Import all_ssreflect all_algebra.
From splitcrit Require Import generated.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Symmetric noise is defined exactly from two classes on: below, the library raises an error. *)
Theorem py_symmetric_asks_two_classes (R : realFieldType) K (eta : R) (j k : 'I_K) :
  py_symmetric_asks eta j k = (1 < K)%N.
Proof. by rewrite /py_symmetric_asks ltr_nat -leqNgt. Qed.
