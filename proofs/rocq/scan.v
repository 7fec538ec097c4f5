(* What scans of thresholds evaluate in O(1) from running sums is the gain of the table, and its null variance. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs generated.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Scan.
Variables (R : realFieldType) (K : nat).
Implicit Types (left right : 'I_K -> R).

(* the table of a threshold: class counts on its left and on its right *)
Definition threshold left right : 'I_2 -> 'I_K -> R := fun i => if i == 0 then left else right.
Local Notation sum c := (\sum_k (c : 'I_K -> R) k).
Local Notation squares c := (\sum_k (c : 'I_K -> R) k ^+ 2).

Lemma gain_of_threshold left right : let m := sum left in let w := sum right in let n := m + w in
  m != 0 -> w != 0 -> n != 0 ->
  py_decrease_gini (threshold left right)
  = (squares left / m + squares right / w - squares (fun k => left k + right k) / n) / n.
Proof.
move=> m w n m0 w0 n0; rewrite /py_decrease_gini !sum2 /threshold /= -/m -/w -/n (negPf n0) (negPf m0) (negPf w0).
have e (c : 'I_K -> R) z : z != 0 -> \sum_k c k / z * (c k / z) = squares c / z ^+ 2.
  move=> z0; rewrite /= mulr_suml; apply: eq_bigr => k _.
  by field.
rewrite !e //; have [s sE] : exists s, s = squares (fun k => left k + right k) by eexists.
have -> : \sum_j (\sum_(i < 2) (if i == 0 then left else right) j) ^+ 2 = s.
  by rewrite sE; apply: eq_bigr => j _; rewrite sum2.
rewrite -sE; clear sE.
have nE : n = m + w by [].
move: (squares left) (squares right) m w n m0 w0 n0 nE => p q m w n m0 w0 n0 nE.
by rewrite nE in n0 *; field; rewrite m0 w0 n0.
Qed.

(* At a threshold with class counts left and right, the gain that the compiled scan evaluates from both sums of squares,
   less the node's own, over its size, is Gini's gain of the table. *)
Theorem py_scan_sums_is_gain left right : let m := sum left in let w := sum right in let n := m + w in
  m != 0 -> w != 0 -> n != 0 ->
  (py_scan_sums (squares left) (squares right) m w - squares (fun k => left k + right k) / n) / n
  = py_decrease_gini (threshold left right).
Proof. by move=> m w n m0 w0 n0; rewrite gain_of_threshold // /py_scan_sums !mul1r. Qed.

(* With class totals b and m observations on the left, the gain is the sum of (n l_k - m b_k)^2 over n^2 m (n - m). *)
Theorem gain_of_threshold_without_cancelling left b : let m := sum left in let n := sum b in
  m != 0 -> n != 0 -> n != m ->
  (\sum_k (n * left k - m * b k) ^+ 2) / (n ^+ 2 * m * (n - m))
  = py_decrease_gini (threshold left (fun k => b k - left k)).
Proof.
move=> m n m0 n0; rewrite -subr_eq0 => nm.
have wE : sum (fun k => b k - left k) = n - m by rewrite sumrB.
have nE : m + (n - m) = n by ring.
have := @gain_of_threshold left (fun k => b k - left k); rewrite /= wE -/m nE => -> //.
have e1 : squares (fun k => left k + (b k - left k)) = squares b.
  by apply: eq_bigr => k _; congr (_ ^+ 2); ring.
pose p := \sum_k left k * b k.
have e2 : squares (fun k => b k - left k) = squares b - 2%:R * p + squares left.
  rewrite /p mulr_sumr -sumrB -big_split; apply: eq_bigr => k _ /=; ring.
have e3 u v : \sum_k (u * left k - v * b k) ^+ 2 = u ^+ 2 * squares left - 2%:R * u * v * p + v ^+ 2 * squares b.
  rewrite /p !mulr_sumr -sumrB -big_split; apply: eq_bigr => k _ /=; ring.
rewrite e1 e2 e3; clear e1 e2 e3 wE nE; move: (squares left) (squares b) p m n m0 n0 nm => ql qb p' m' n' m0 n0 nm.
by field; rewrite nm n0 m0.
Qed.

(* The variance that the compiled scan evaluates for m observations on the left is that of two rows, m and n - m, by
   power sums, whatever the weights of the node. *)
Theorem py_scan_spread_is_variance_of_two_rows (n m first second : R) : n != 0 -> m != 0 -> n != m ->
  let uneven := py_uneven_rows n 2%:R (m^-1 + (n - m)^-1) in
  py_scan_spread n m m^-1 (n - m)^-1 first second = py_variance first uneven second (py_thick_rows n 2%:R uneven).
Proof.
move=> n0 m0; rewrite -subr_eq0 => nm /=; rewrite /py_scan_spread /py_variance /py_uneven_row /py_uneven_rows.
by rewrite /py_thick_row /py_thick_rows; field; rewrite nm n0 m0.
Qed.

(* At a threshold the two factors of the rows are (n - 2 m)^2 / (m (n - m)) and n (m - 1) (n - m - 1) / (m (n - m)),
   times n: what a scan needs per threshold beside the constants of the node. *)
Theorem row_factors_of_threshold (n m : R) : n != 0 -> m != 0 -> n != m ->
  let uneven := py_uneven_rows n 2%:R (m^-1 + (n - m)^-1) in
  uneven = n * (n - 2%:R * m) ^+ 2 / (m * (n - m))
  /\ py_thick_rows n 2%:R uneven = n ^+ 2 * (m - 1) * (n - m - 1) / (m * (n - m)).
Proof.
move=> n0 m0; rewrite -subr_eq0 => nm /=; rewrite /py_uneven_rows /py_thick_rows.
by split; field; rewrite ?n0 nm m0.
Qed.
End Scan.

(* Three observations of the first class on the left, one and six on the right: the gain is 54/175. *)
Example scan_of_3_0_and_1_6 (R : realFieldType) :
  let left := (fun k : 'I_2 => if k == 0 then 3%:R else 0) : 'I_2 -> R in
  let right := (fun k : 'I_2 => if k == 0 then 1 else 6%:R) : 'I_2 -> R in
  let m := \sum_k left k in let w := \sum_k right k in
  [/\ m != 0, w != 0, m + w != 0
    & (py_scan_sums (\sum_k left k ^+ 2) (\sum_k right k ^+ 2) m w
       - (\sum_k (left k + right k) ^+ 2) / (m + w)) / (m + w) = 54%:R / 175%:R].
Proof.
rewrite /= !sum2 /= addr0 -[1]/(1%:R) -!natrD; split; rewrite ?pnatr_eq0 //.
by rewrite /py_scan_sums; field.
Qed.
