(* The scale of scores: what they are where another score is defined too. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs generated.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* For two classes the one-vs-rest pairwise gain of every table of two rows is the pairwise gain. *)
Theorem py_one_vs_rest_is_pairwise_gain_of_two_classes (R : realFieldType) (t : 'I_2 -> 'I_2 -> R) :
  py_one_vs_rest t = py_pairwise_gain t.
Proof.
rewrite /py_one_vs_rest /py_pairwise_gain !sum2.
have -> : t 0 0 * (t 1 0 + t 1 1) - t 1 0 * (t 0 0 + t 0 1) = t 0 0 * t 1 1 - t 0 1 * t 1 0 by ring.
have -> : t 0 1 * (t 1 0 + t 1 1) - t 1 1 * (t 0 0 + t 0 1) = - (t 0 0 * t 1 1 - t 0 1 * t 1 0) by ring.
by rewrite normrN; field.
Qed.
