(* Gains as they are printed in shares, of tables of any size, and what a division of rows adds to any of them. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs risk generated vertex gains tie refinement.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Shares.
Variables (R : realFieldType) (r K : nat) (t : 'I_r -> 'I_K -> R).
Local Notation a i := (defs.size (t i)).
Local Notation n := (whole t).
Hypotheses (a0 : forall i, a i != 0) (n0 : n != 0).

Lemma decrease_in_shares (phi : ('I_K -> R) -> R) : extensional phi ->
  decrease phi t = phi (fun k => node t k / n) - \sum_i a i / n * phi (fun k => t i k / a i).
Proof.
move=> ext; rewrite /decrease (negPf n0) mulrBl mulr_suml; congr (_ - _).
  by rewrite mulrAC mulfV // mul1r; apply: ext => k; rewrite /shares (negPf n0).
apply: eq_bigr => i _; rewrite mulrAC; congr (_ * _).
by apply: ext => k; rewrite /shares (negPf (a0 i)).
Qed.

(* Gini's gain in the shares of the classes in the node and in the rows, as it is printed. *)
Theorem py_gini_gain_in_shares : py_decrease_gini t = 1 - \sum_k (node t k / n) ^+ 2
  - \sum_i a i / n * \sum_k t i k / a i * (1 - t i k / a i).
Proof.
rewrite py_decrease_giniE decrease_in_shares; last exact: gini_ext.
have row i : gini (fun k => t i k / a i) = \sum_k t i k / a i * (1 - t i k / a i).
  have one : 1 = \sum_k t i k / a i by rewrite -mulr_suml -/(a i) mulfV.
  by rewrite /gini {1}one -sumrB; apply: eq_bigr => k _; ring.
have whole_of : gini (fun k => node t k / n) = 1 - \sum_k (node t k / n) ^+ 2.
  by rewrite /gini; congr (_ - _); apply: eq_bigr => k _; rewrite expr2.
by rewrite whole_of; congr (_ + - _); apply: eq_bigr => i _; rewrite row.
Qed.

(* The information gain in the same shares, with any logarithm. *)
Theorem py_entropy_gain_in_shares log : py_decrease_entropy log t =
  \sum_i a i / n * (\sum_k xlogx log (t i k / a i)) - \sum_k xlogx log (node t k / n).
Proof.
rewrite py_decrease_entropyE decrease_in_shares; last exact: entropy_ext.
rewrite addrC -sumrN; congr (_ + _); apply: eq_bigr => i _.
by rewrite -mulrN opprK.
Qed.
End Shares.

Section Refined.
Variables (R : realFieldType) (K r s : nat) (phi : ('I_K -> R) -> R).

(* What a division of rows in parts adds to the gain of any impurity is the gain inside the rows, each times its share. *)
Theorem gain_adds_of_refinement (f : 'I_s -> 'I_r) (u : 'I_s -> 'I_K -> R) : extensional phi -> counts u ->
  0 < whole u ->
  decrease phi u = decrease phi (merged f u)
    + \sum_i defs.size (merged f u i) / whole u * decrease phi (parts f u i).
Proof. by move=> ext u0; exact: refinement. Qed.
End Refined.

(* an instance: the table of ones *)
Example table_of_ones (R : realFieldType) : let t : 'I_2 -> 'I_3 -> R := fun _ _ => 1 in
  (forall i, defs.size (t i) != 0) /\ whole t != 0.
Proof.
by rewrite /= /whole /defs.size; split=> [i|]; rewrite !sumr_const !card_ord -?mulrnA pnatr_eq0.
Qed.
