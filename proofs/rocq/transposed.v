(* The standardised gain of two rows and two classes is the same if feature and label are exchanged. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs generated sgini.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Transposed.
Variable R : realFieldType.
Variables n b m : R.
Hypotheses (n0 : 0 < n) (m0 : 0 < m) (mn : m < n) (b0 : 0 < b) (bn : b < n).
Let together (z : R) : z + (n - z) = n. Proof. by ring. Qed.
Let nn : n != 0. Proof. by rewrite gt_eqF. Qed.
Let mm : m != 0. Proof. by rewrite gt_eqF. Qed.
Let bb : b != 0. Proof. by rewrite gt_eqF. Qed.
Let nm : n - m != 0. Proof. by rewrite subr_eq0 gt_eqF. Qed.
Let nb : n - b != 0. Proof. by rewrite subr_eq0 gt_eqF. Qed.
(* the ratio of the products of totals *)
Let c := m * (n - m) / (b * (n - b)).
Let c_gt0 : 0 < c. Proof. by rewrite divr_gt0 ?mulr_gt0 ?subr_gt0. Qed.

(* The Gini gain, its mean and its variance over permutations, exchanged, change by one factor, by its first and second
   power: the ratio of the products of row totals and of class totals. *)
Lemma gain_exchanged e : py_key_of_gini_gain n m b e = c * py_key_of_gini_gain n b m e.
Proof. by rewrite /py_key_of_gini_gain /c; field; rewrite nn mm bb nm nb. Qed.

Lemma mean_exchanged d e : py_exact_mean_of_two b (n - b) m (n - m) e = c * py_exact_mean_of_two m (n - m) b (n - b) d.
Proof.
rewrite /py_exact_mean_of_two !together; case: ltrP => n2; first by rewrite mulr0.
have n1 : n - 1 != 0 by rewrite subr_eq0 gt_eqF // (lt_le_trans _ n2) // ltr1n.
by rewrite /py_mean /c; field; rewrite nn n1 bb nb.
Qed.

Lemma variance_exchanged d e : d != 0 -> e != 0 ->
  py_exact_variance_of_two b (n - b) m (n - m) e = c ^+ 2 * py_exact_variance_of_two m (n - m) b (n - b) d.
Proof.
move=> d0 e0; rewrite /py_exact_variance_of_two !together.
have h (k z : R) : k != 0 -> z != 0 -> n - z != 0 -> (k / z + k / (n - z)) / k = n / (z * (n - z)).
  by move=> k0 z0 nz; field; rewrite z0 nz k0.
rewrite !h //; case: ltrP => n3; first by rewrite mulr0.
have n1 : n - 1 != 0 by rewrite subr_eq0 gt_eqF // (lt_le_trans _ n3) // ltr1n.
have n2 : n - 2%:R != 0 by rewrite subr_eq0 gt_eqF // (lt_le_trans _ n3) // ltr_nat.
rewrite /py_variance /py_uneven_weight /py_thick_weight /py_thick_classes /py_uneven_classes /py_thick_rows.
rewrite /py_uneven_rows /c; case: lerP => n4; last by field; rewrite nn n1 n2 mm bb nm nb.
have n3' : n - 3%:R != 0 by rewrite subr_eq0 gt_eqF // (lt_le_trans _ n4) // ltr_nat.
by field; rewrite nn n1 n2 n3' mm bb nm nb.
Qed.

(* At two rows and two classes the standardised gain, by its signed square, is the same with feature and label
   exchanged. *)
Theorem py_key_of_sgini_is_same_exchanged x d e : d != 0 -> e != 0 ->
  py_key_of_sgini n b m x d = py_key_of_sgini n m b x e.
Proof.
move=> d0 e0; rewrite /py_key_of_sgini gain_exchanged (mean_exchanged d) (variance_exchanged d0 e0) -mulrBr.
rewrite mulf_eq0 expf_eq0 /= (gt_eqF c_gt0) /= pmulr_rgt0 // /py_signed_square.
case: eqP => //= /eqP v0; have c0 : c != 0 by rewrite gt_eqF.
move: (py_key_of_gini_gain _ _ _ _ - _) (py_exact_variance_of_two _ _ _ _ _) v0 => z v v0.
have -> : (c * z) ^+ 2 / (c ^+ 2 * v) = z ^+ 2 / v by field; rewrite c0 v0.
by [].
Qed.
End Transposed.

(* Ten observations in rows of 3 and 7 and classes of 4 and 6. *)
Example totals_of_ten (R : realFieldType) :
  [/\ 0 < 10%:R :> R, 0 < 3%:R :> R, 3%:R < 10%:R :> R, 0 < 4%:R :> R & 4%:R < 10%:R :> R]
  /\ 21%:R != 0 :> R /\ 12%:R != 0 :> R.
Proof. by rewrite !ltr0n !ltr_nat !pnatr_eq0. Qed.
