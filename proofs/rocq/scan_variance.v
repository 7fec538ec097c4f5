(* What a scan evaluates at a threshold, and the key by which cuts are compared, by the exact moments. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs generated moments signs zero_variance scan sgini.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

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
