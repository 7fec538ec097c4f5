(* Mean and variance of the Gini gain if labels are drawn independently: what the library's formulas give. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs distinct null gini_null flips generated tie moments all_sizes independent.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Multinomial.
Variables (R : realFieldType) (T : finType) (r K : nat) (f : T -> 'I_r).
Hypothesis rows_occur : forall i, (0 < #|[pred u | f u == i]|)%N.
Hypothesis n2 : (1 < #|T|)%N.
Local Notation n := (#|T|%:R : R).
Local Notation a := (total_of R f).
(* the gain of the table of the feature f and labels s *)
Definition gain_of_labels (s : {ffun T -> 'I_K}) : R := py_decrease_gini (table R f s 1%g).

Lemma row_neq0 i : a i != 0. Proof. by rewrite pnatr_eq0 -lt0n. Qed.
Lemma whole_neq0 : n != 0. Proof. by rewrite pnatr_eq0 -lt0n; exact: ltnW. Qed.
Local Notation W := (same f (fun i => (a i)^-1)).
Local Notation M := (fun u v => W u v - n^-1).
Local Notation h := (\sum_i (a i)^-1).

Lemma D3_first (F : T -> T -> R) : D3 (fun u v _ => F u v) = (n - 2%:R) * D2 F.
Proof.
rewrite -D2_scale; apply: D2_ext => u v vu; rewrite (drop (fun=> _)) // drop1 sum_const.
by ring.
Qed.
Lemma D3_second (F : T -> T -> R) : D3 (fun u _ w => F u w) = (n - 2%:R) * D2 F.
Proof.
rewrite -D3_first /D3; apply: eq_bigr => u _; rewrite (exchange_big_dep (fun w => w != u)) /=;
  last by move=> ? ? _ /andP[].
by apply: eq_bigr => v vu; apply: eq_bigl => w; rewrite vu [v == w]eq_sym.
Qed.

Lemma M_sum : D2 M = 1 - r%:R.
Proof.
rewrite (D2_add W (fun _ _ => - n^-1)) D2_const (XW R rows_occur); move: (r%:R : R) n whole_neq0 => rr m m0; by field.
Qed.
Lemma M_squares : D2 (fun u v => M u v ^+ 2) = r%:R - h - 2%:R * (n - r%:R) / n + (n - 1) / n.
Proof.
rewrite (D2_ext (G := fun u v => W u v ^+ 2 + ((- (2%:R / n)) * W u v + n^-1 ^+ 2))); last by move=> u v _; ring.
rewrite D2_add (D2_add (fun u v => - (2%:R / n) * W u v)) D2_scale D2_const (W2 R rows_occur) (XW R rows_occur) -/h.
rewrite /H; move: h (r%:R : R) n whole_neq0 => x rr m m0; by field.
Qed.
Lemma M_products : D3 (fun u v w => M u v * M u w)
  = n - 3%:R * r%:R + 2%:R * h - 2%:R / n * (n - 2%:R) * (n - r%:R) + (n - 1) * (n - 2%:R) / n.
Proof.
rewrite (D3_ext (G := fun u v w => W u v * W u w + (- n^-1 * W u v + (- n^-1 * W u w + n^-1 ^+ 2)))); last first.
  by move=> u v w _ _ _; ring.
rewrite D3_add (D3_add (fun u v w => - n^-1 * W u v)) (D3_add (fun u v w => - n^-1 * W u w)).
rewrite (D3_first (fun u v => - n^-1 * W u v)) (D3_second (fun u w => - n^-1 * W u w)) D3_const !D2_scale.
rewrite (W3 R rows_occur) (XW R rows_occur) /H; move: h (r%:R : R) n whole_neq0 => x rr m m0; by field.
Qed.

Lemma gain_pairs s : gain_of_labels s
  = (r%:R - 1) / n + n^-1 * D2 (fun u v => M u v * (if s u == s v then 1 else 0)).
Proof. exact: (gain_of_pairs R rows_occur n2). Qed.

Section Shares.
Variable p : 'I_K -> R.
Hypothesis distributed : \sum_k p k = 1.
Local Notation p2 := (\sum_k p k ^+ 2).
Local Notation p3 := (\sum_k p k ^+ 3).

Lemma mean_of_shares : drawn p gain_of_labels = (r%:R - 1) * (1 - p2) / n.
Proof.
rewrite (drawn_ext _ gain_pairs) drawn_add drawn_const // drawn_scale drawn_D2.
rewrite (D2_ext (G := fun u v => p2 * M u v)); last by move=> u v vu; rewrite drawn_scale drawn_pair // mulrC.
rewrite D2_scale M_sum; move: p2 (r%:R : R) n whole_neq0 => q rr m m0; by field.
Qed.

Lemma variance_of_shares : drawn p (fun s => (gain_of_labels s - drawn p gain_of_labels) ^+ 2)
  = (2%:R * (p2 - p2 ^+ 2) * D2 (fun u v => M u v ^+ 2) + 4%:R * (p3 - p2 ^+ 2) * D3 (fun u v w => M u v * M u w))
    / n ^+ 2.
Proof.
pose X (s : {ffun T -> 'I_K}) : R := D2 (fun u v => M u v * (if s u == s v then 1 else 0)).
have Msym u v : M u v = M v u by rewrite /= same_sym.
have := drawn_square distributed Msym; rewrite /= => <-.
have eE : drawn p gain_of_labels = (r%:R - 1) / n + n^-1 * drawn p X.
  by rewrite (drawn_ext _ gain_pairs) drawn_add drawn_const // drawn_scale.
rewrite eE -/X; set e := drawn p X.
rewrite (drawn_ext _ (G := fun s => n^-1 ^+ 2 * (X s ^+ 2 + (- (2%:R * e) * X s + e ^+ 2)))); last first.
  by move=> s; rewrite gain_pairs -/(X s); ring.
rewrite drawn_scale drawn_add drawn_add drawn_scale drawn_const // -/e.
rewrite -[drawn p (fun s => _ ^+ 2)]/(drawn p (fun s => X s ^+ 2)).
move: (drawn p (fun s => X s ^+ 2)) e n whole_neq0 => q e m m0; by field.
Qed.
End Shares.

Section Totals.
(* class totals b, in the shares of which labels are drawn *)
Variable b : 'I_K -> R.
Hypothesis total : \sum_k b k = n.
Let p k := b k / n.
Let distributed : \sum_k p k = 1. Proof. by rewrite -mulr_suml total mulfV // whole_neq0. Qed.
Local Notation s2 := (\sum_k b k ^+ 2).
Local Notation s3 := (\sum_k b k ^+ 3).
Let p2E : \sum_k p k ^+ 2 = s2 / n ^+ 2.
Proof. by rewrite mulr_suml; apply: eq_bigr => k _; rewrite expr_div_n. Qed.
Let p3E : \sum_k p k ^+ 3 = s3 / n ^+ 3.
Proof. by rewrite mulr_suml; apply: eq_bigr => k _; rewrite expr_div_n. Qed.

(* If labels are drawn independently in the proportions b of the classes, the Gini gain of fixed rows has the mean that
   the library's formula of the multinomial model gives. *)
Theorem py_independent_mean_is_mean :
  drawn p gain_of_labels = py_independent_mean n r%:R (\sum_k b k * (n - b k)).
Proof.
rewrite mean_of_shares // p2E /py_independent_mean.
have -> : \sum_k b k * (n - b k) = n ^+ 2 - s2.
  rewrite (eq_bigr (fun k => n * b k - b k ^+ 2)); last by move=> k _; ring.
  by rewrite sumrB -mulr_sumr total.
move: s2 (r%:R : R) n whole_neq0 => q rr m m0; by field.
Qed.

(* The variance of that law is the library's: weights of the classes times sums over the rows, none of them negative. *)
Theorem py_independent_variance_is_variance :
  drawn p (fun s => (gain_of_labels s - drawn p gain_of_labels) ^+ 2)
  = py_variance (py_independent_uneven_weight n (\sum_k py_uneven_class (b k) (b k - s2 / n)))
      (py_independent_uneven n r%:R (\sum_i py_uneven_row n r%:R (a i) (a i)^-1))
      (py_independent_thick_weight n (\sum_k py_independent_class n (b k) (\sum_(l | l != k) b l ^+ 2)))
      (\sum_i py_independent_row n (a i) (a i)^-1 + (r%:R - 1)).
Proof.
rewrite variance_of_shares // M_squares M_products p2E p3E.
have n0 := whole_neq0; have sa : \sum_i a i = n := sum_a R f.
have -> : \sum_k py_uneven_class (b k) (b k - s2 / n) = py_uneven_classes n s2 s3.
  by rewrite -total; apply: sum_of_py_uneven_class; rewrite total.
have -> : \sum_i py_uneven_row n r%:R (a i) (a i)^-1 = py_uneven_rows n r%:R h.
  by rewrite -sa; apply: sum_of_py_uneven_row; exact: row_neq0.
have -> : \sum_i py_independent_row n (a i) (a i)^-1 = n * r%:R - n - n * h + r%:R.
  rewrite (eq_bigr (fun i => (n + 1) * 1 + (- a i + (- n) * (a i)^-1))); last first.
    move=> i _; rewrite /py_independent_row; move: (row_neq0 i) => ai; by field.
  rewrite !big_split sumrN /= -!mulr_sumr sumr_const card_ord sa; move: h (r%:R : R) n => x rr m; ring.
have -> : \sum_k py_independent_class n (b k) (\sum_(l | l != k) b l ^+ 2)
    = n ^+ 2 * s2 - 2%:R * n * s3 + s2 ^+ 2.
  rewrite (eq_bigr (fun k => (n ^+ 2 + s2) * b k ^+ 2 + (- (2%:R * n)) * b k ^+ 3)); last first.
    by move=> k _; rewrite /py_independent_class (drop1 (fun l => b l ^+ 2)); move: s2 (b k) n => q x m; ring.
  by rewrite big_split /= -!mulr_sumr; move: s2 s3 n => q x m; ring.
rewrite /py_variance /py_independent_uneven_weight /py_independent_uneven /py_independent_thick_weight.
rewrite /py_uneven_classes /py_uneven_rows.
move: h s2 s3 (r%:R : R) n n0 => x q c rr m m0; by field.
Qed.
End Totals.
End Multinomial.

(* Four observations in two rows of two, labels drawn from two equal shares: the mean of the gain is 1/8. *)
Example drawn_gain_of_four (R : realFieldType) :
  let T := [finType of 'I_2 * 'I_2] in let row (u : T) := u.1 in let b := (fun=> 2%:R) : 'I_2 -> R in
  [/\ (1 < #|T|)%N, forall i, (0 < #|[pred u | row u == i]|)%N, \sum_k b k = #|T|%:R
    & drawn (fun k => b k / #|T|%:R) (gain_of_labels R row (K := 2)) = 1 / 8%:R].
Proof.
move=> T row b; have [rows _] := totals_of_four.
have rows_occur i : (0 < #|[pred u | row u == i]|)%N by rewrite rows.
have T4 : (1 < #|T|)%N by rewrite card_prod card_ord.
have total : \sum_k b k = #|T|%:R by rewrite sum2 card_prod card_ord -natrD.
split=> //; rewrite py_independent_mean_is_mean // /py_independent_mean sum2 card_prod card_ord /b; by field.
Qed.
