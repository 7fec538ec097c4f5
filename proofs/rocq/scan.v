(* What a scan of thresholds evaluates from running sums: scores, gains, and the null variance of cuts. *)
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint zmodp.
From mathcomp Require Import ring.
From splitcrit Require Import defs generated all_sizes sgini.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* The scale of scores: what they are where another score is defined too. *)
(* For two classes the one-vs-rest pairwise gain of every table of two rows is the pairwise gain. *)
Theorem py_one_vs_rest_is_pairwise_gain_of_two_classes (R : realFieldType) (t : 'I_2 -> 'I_2 -> R) :
  py_one_vs_rest t = py_pairwise_gain t.
Proof.
rewrite /py_one_vs_rest /py_pairwise_gain !sum2.
have -> : t 0 0 * (t 1 0 + t 1 1) - t 1 0 * (t 0 0 + t 0 1) = t 0 0 * t 1 1 - t 0 1 * t 1 0 by ring.
have -> : t 0 1 * (t 1 0 + t 1 1) - t 1 1 * (t 0 0 + t 0 1) = - (t 0 0 * t 1 1 - t 0 1 * t 1 0) by ring.
by rewrite normrN; field.
Qed.

(* What scans of thresholds evaluate in O(1) from running sums is the gain of the table, and its null variance. *)
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

(* What a scan evaluates at a threshold, and the key by which cuts are compared, by the exact moments. *)
Section ScanVariance.
Variables (R : realFieldType) (K : nat) (b : 'I_K -> R) (m d : R).
Local Notation n := (\sum_k b k).
Local Notation s2 := (\sum_k b k ^+ 2).

(* With at least four observations, the variance that the scan evaluates at a threshold, from terms of both sides and
   from sums of terms of the classes that do not cancel, is the exact variance of the margins (m, n - m) and b. *)
Theorem py_scan_spread_is_exact_variance : 4%:R <= n -> 0 < m -> m < n -> d != 0 ->
  py_scan_spread n m m^-1 (n - m)^-1
    (py_uneven_weight n (\sum_k py_uneven_class (b k) (b k - s2 / n)))
    (py_thick_weight n (\sum_k py_thick_class n (b k) (others b k)))
  = py_exact_variance (two m (n - m)) b d.
Proof.
move=> n4 m0 mn d0; have n_gt0 : 0 < n by apply: lt_le_trans n4; rewrite ltr0n.
have nn : n != 0 by rewrite gt_eqF.
have mm : m != 0 by rewrite gt_eqF.
have nm : n != m by rewrite gt_eqF.
have n3 : 3%:R <= n by apply: le_trans n4; rewrite ler_nat.
rewrite sum_of_py_uneven_class // sum_of_py_thick_class //.
rewrite py_scan_spread_is_variance_of_two_rows // /py_exact_variance !(sum2 (two _ _)) /=.
rewrite [m + _]addrC subrK ltNge n3 /= n4 sum2 /two /=.
have -> : (d / m + d / (n - m)) / d = m^-1 + (n - m)^-1.
  by rewrite mulrDl ![d / _ / d]mulrAC !mulfV // !mul1r.
have -> : \sum_k b k * b k = s2 by apply: eq_bigr => k _; rewrite expr2.
by [].
Qed.
End ScanVariance.

Section Key.
Variables (R : rcfType) (n b m : nat).
Hypotheses (m0 : (0 < m)%N) (mn : (m < n)%N) (b0 : (0 < b)%N) (bn : (b < n)%N).
Let N : R := n%:R. Let B : R := b%:R. Let M : R := m%:R.

(* The key by which cuts are compared is z |z|, where z is the standardised gain of the table of the cut. *)
Theorem py_key_of_sgini_is_signed_square (x d : R) : d != 0 ->
  let z := py_sgini Num.sqrt (two M (N - M)) (two B (N - B)) (py_decrease_gini (cut_table N B M x)) d in
  py_key_of_sgini N B M (N * x - M * B) d = z * `|z|.
Proof.
move=> d0; have NM : N - M = (n - m)%:R by rewrite /N /M natrB // ltnW.
have NB : N - B = (n - b)%:R by rewrite /N /B natrB // ltnW.
have meanE : py_exact_mean (two M (N - M)) (two B (N - B)) = py_exact_mean_of_two M (N - M) B (N - B) d.
  by rewrite /py_exact_mean /py_exact_mean_of_two !sum2 /two /=.
have varE : py_exact_variance (two M (N - M)) (two B (N - B)) d = py_exact_variance_of_two M (N - M) B (N - B) d.
  by rewrite /py_exact_variance /py_exact_variance_of_two !sum2 /two /=.
have v_ge0 : 0 <= py_exact_variance_of_two M (N - M) B (N - B) d.
  rewrite -varE; have a_pos : margin (two m (n - m))%N by move=> i; rewrite /two; case: (i == 0); rewrite ?subn_gt0.
  have b_pos : margin (two b (n - b))%N by move=> i; rewrite /two; case: (i == 0); rewrite ?subn_gt0.
  have same_n : (\sum_i two m (n - m) i = \sum_i two b (n - b) i)%N.
    by rewrite !big_ord_recl !big_ord0 /two /= !addn0 !subnKC // ltnW.
  have := @py_exact_variance_ge0 R 2 2 _ _ a_pos b_pos same_n d d0; congr (0 <= _).
  rewrite varE /py_exact_variance /py_exact_variance_of_two !sum2 /two /= -/M -/B.
  by rewrite NM NB.
rewrite /py_sgini meanE varE -py_key_of_gini_gain_is_gain; first last.
- by rewrite eqr_nat neq_ltn mn orbT.
- by rewrite pnatr_eq0 -lt0n.
- by rewrite pnatr_eq0 -lt0n (leq_trans _ mn).
rewrite /py_key_of_sgini; case: eqP => /= v0; first by rewrite mul0r oppr0; case: ifP.
rewrite /py_signed_square; set z := _ - _; set v := py_exact_variance_of_two _ _ _ _ _ in v0 v_ge0 *.
have e : z ^+ 2 / v = (z / Num.sqrt v) ^+ 2 by rewrite expr_div_n sqr_sqrtr.
rewrite e normrM normfV (ger0_norm (sqrtr_ge0 v)).
case: ltrP => z0; first by rewrite (gtr0_norm z0) expr2.
by rewrite (ler0_norm z0) mulNr mulrN expr2.
Qed.
End Key.

(* Classes of 4 and 6 observations and a threshold after three of them. *)
Example threshold_after_three (R : realFieldType) :
  let n := \sum_k (two 4%:R 6%:R k : R) in [/\ 4%:R <= n, 0 < 3%:R :> R, 3%:R < n & 21%:R != 0 :> R].
Proof. by rewrite /= sum2 /two /= -natrD ler_nat ltr_nat ltr0n pnatr_eq0. Qed.
Example cut_after_three : [/\ 0 < 3, 3 < 10, 0 < 4 & 4 < 10]%N.
Proof. by []. Qed.
