(* The four factors of the null variance of the Gini gain: printed sums, signs, and when the variance is 0. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs distinct null gini_null generated tie.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* a margin of two totals, for examples *)
Definition two (X : Type) (p q : X) : 'I_2 -> X := fun i => if i == 0 then p else q.

Section Identities.
Variables (R : realFieldType) (r K : nat) (a : 'I_r -> R) (b : 'I_K -> R).
Local Notation n := (\sum_i a i).
Local Notation N := (\sum_j b j).
Local Notation s2 := (\sum_j b j ^+ 2).
Local Notation s3 := (\sum_j b j ^+ 3).
Local Notation h := (\sum_i (a i)^-1).
(* sum of b (b - 1) over the classes other than j *)
Definition others (j : 'I_K) : R := \sum_(l | l != j) b l * (b l - 1).

(* For non-zero row totals, the terms of the rows that float64 adds up are A, the unevenness of the rows. *)
Theorem sum_of_py_uneven_row : (forall i, a i != 0) ->
  \sum_i py_uneven_row n r%:R (a i) (a i)^-1 = py_uneven_rows n r%:R h.
Proof.
move=> a0; rewrite /py_uneven_row /py_uneven_rows.
have [m mE] : exists m, m = n by exists n.
rewrite -mE (eq_bigr (fun i => m ^+ 2 * (a i)^-1 + (r%:R ^+ 2 * a i + (- (2%:R * m * r%:R)) * 1))); last first.
  by move=> i _; move: (a0 i) (r%:R : R) => ai rr; field.
rewrite !big_split /= -!mulr_sumr sumr_const card_ord -mE; move: h (r%:R : R) => x rr; ring.
Qed.

(* For non-zero row totals with a non-zero sum, the terms of U, how far rows are from thin, sum to its closed form. *)
Theorem sum_of_py_thick_row : (forall i, a i != 0) -> n != 0 ->
  \sum_i py_thick_row n r%:R (a i) (a i)^-1 = py_thick_rows n r%:R (py_uneven_rows n r%:R h).
Proof.
move=> a0; rewrite /py_thick_row /py_thick_rows /py_uneven_rows; have [m mE] : exists m, m = n by exists n.
rewrite -mE => m0.
rewrite (eq_bigr (fun i => (m ^+ 2 + r%:R - 2%:R) * 1 + (- (m * (m - 1)) * (a i)^-1 - (m + r%:R - 2%:R) * a i)));
  last by move=> i _; move: (a0 i) (r%:R : R) => ai rr; field.
rewrite big_split sumrB /= -!mulr_sumr sumr_const card_ord -mE; move: h (r%:R : R) => x rr; by field.
Qed.

(* For class totals with a non-zero sum, the terms of B, the unevenness of the classes, add up to its closed form. *)
Theorem sum_of_py_uneven_class : N != 0 ->
  \sum_j py_uneven_class (b j) (b j - s2 / N) = py_uneven_classes N s2 s3.
Proof.
rewrite /py_uneven_class /py_uneven_classes; have [m mE] : exists m, m = N by exists N.
rewrite -mE => m0; have [q qE] : exists q, q = s2 by exists s2.
rewrite -qE (eq_bigr (fun j => b j ^+ 3 + (- (2%:R * q / m) * b j ^+ 2 + (q / m) ^+ 2 * b j))); last first.
  by move=> j _; ring.
rewrite !big_split /= -!mulr_sumr -mE -qE; move: s3 => x; by field.
Qed.

(* For class totals with a non-zero sum, the terms of V, how far classes are from thin, add up to its closed form. *)
Theorem sum_of_py_thick_class : N != 0 ->
  \sum_j py_thick_class N (b j) (others j) = py_thick_classes N s2 (py_uneven_classes N s2 s3).
Proof.
move=> m0.
have oE j : others j = s2 - N - b j * (b j - 1).
  rewrite /others -sumrB; have -> : \sum_l (b l ^+ 2 - b l) = \sum_l b l * (b l - 1).
    by apply: eq_bigr => l _; ring.
  by rewrite [in RHS](bigD1 j) //= [_ + \sum_(_ | _) _]addrC addrK.
rewrite (eq_bigr _ (fun j _ => congr1 (py_thick_class N (b j)) (oE j))).
move: m0; rewrite /py_thick_class /py_thick_classes /py_uneven_classes; have [m mE] : exists m, m = N by exists N.
rewrite -mE => m0; have [q qE] : exists q, q = s2 by exists s2.
rewrite -qE (eq_bigr (fun j => (- (2%:R * (m - 1))) * b j ^+ 3 + ((m ^+ 2 - 2%:R * m + q + 2%:R * (m - 1)) * b j ^+ 2
   + (- (m ^+ 2 - 2%:R * m + q)) * b j))); last by move=> j _; ring.
rewrite !big_split /= -!mulr_sumr -mE -qE; move: s3 => x; by field.
Qed.
End Identities.

Section Instance.
Variable R : realFieldType.
Let a : 'I_2 -> R := two 3%:R 7%:R.
Let b : 'I_2 -> R := two 4%:R 6%:R.
Let ten : 3%:R + 7%:R = 10%:R :> R. Proof. by rewrite -natrD. Qed.
Let ten' : 4%:R + 6%:R = 10%:R :> R. Proof. by rewrite -natrD. Qed.

(* Rows (3, 7) and classes (4, 6): A = 160/21, U = 400/7, B = 48/5 and V = 1440. *)
Example factors_of_3_7_and_4_6 :
  [/\ forall i, a i != 0, \sum_i a i != 0, \sum_j b j != 0
    & [/\ \sum_i py_uneven_row (\sum_i a i) 2%:R (a i) (a i)^-1 = 160%:R / 21%:R,
          \sum_i py_thick_row (\sum_i a i) 2%:R (a i) (a i)^-1 = 400%:R / 7%:R,
          \sum_j py_uneven_class (b j) (b j - (\sum_j b j ^+ 2) / \sum_j b j) = 48%:R / 5%:R
        & \sum_j py_thick_class (\sum_j b j) (b j) (others b j) = 1440%:R]].
Proof.
have a_neq0 i : a i != 0 by rewrite /a /two; case: (i == 0); rewrite pnatr_eq0.
have n0 : \sum_i a i != 0 by rewrite sum2 /= ten pnatr_eq0.
have m0 : \sum_i b i != 0 by rewrite sum2 /= ten' pnatr_eq0.
split=> //; split.
- by rewrite (@sum_of_py_uneven_row R 2 a a_neq0) /py_uneven_rows !sum2 /a /b /two /=; field.
- by rewrite (@sum_of_py_thick_row R 2 a a_neq0 n0) /py_thick_rows /py_uneven_rows !sum2 /a /b /two /=; field.
- by rewrite (sum_of_py_uneven_class m0) /py_uneven_classes !sum2 /a /b /two /=; field.
- by rewrite (sum_of_py_thick_class m0) /py_thick_classes /py_uneven_classes !sum2 /a /b /two /=; field.
Qed.
End Instance.
