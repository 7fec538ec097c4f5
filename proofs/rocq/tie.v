(* The theorems, of the code of the library: every py_... is printed by the code object itself. *)
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint zmodp.
From mathcomp Require Import ring.
From splitcrit Require Import defs core risk null vertex generated.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Tie.
Variable R : realFieldType.

(* printed = defined: by computation alone *)
Lemma py_giniE K : @py_gini R K = @gini R K. Proof. by []. Qed.
Lemma py_squareE K : @py_square R K = @square R K. Proof. by []. Qed.
Lemma py_entropyE log K : @py_entropy R log K = entropy log (K := K). Proof. by []. Qed.
Lemma py_decrease_giniE r K : @py_decrease_gini R r K = decrease (@gini R K) (r := r). Proof. by []. Qed.
Lemma py_decrease_entropyE log r K : @py_decrease_entropy R log r K = decrease (entropy log (K := K)) (r := r).
Proof. by []. Qed.
Lemma py_pairwise_gainE : @py_pairwise_gain R = @pairwise_gain R. Proof. by []. Qed.
Lemma py_symmetricE K (eta : R) : py_symmetric eta =2 symmetric eta (K := K).
Proof. by move=> j k; rewrite /py_symmetric /symmetric eq_sym. Qed.

Lemma expected_ext r K (S S' : 'I_K -> 'I_K -> R) (t : 'I_r -> 'I_K -> R) : S =2 S' ->
  forall i k, expected S t i k = expected S' t i k.
Proof. by move=> e i k; apply: eq_bigr => j _; rewrite e. Qed.

Lemma decrease_gini_ext r K (t t' : 'I_r -> 'I_K -> R) : (forall i k, t i k = t' i k) ->
  py_decrease_gini t = py_decrease_gini t'.
Proof.
move=> e; rewrite /py_decrease_gini.
have e1 k : \sum_(i < r) t i k = \sum_(i < r) t' i k by apply: eq_bigr.
have e2 i : \sum_(k < K) t i k = \sum_(k < K) t' i k by apply: eq_bigr.
have -> : \sum_(i < r) \sum_(k < K) t i k = \sum_(i < r) \sum_(k < K) t' i k by apply: eq_bigr.
congr ((_ * (1 - _) - _) / _); first by apply: eq_bigr => k _; rewrite e1.
apply: eq_bigr => i _; rewrite e2; congr (_ * (1 - _)).
by apply: eq_bigr => k _; rewrite e.
Qed.

(* symmetric label noise multiplies the Gini gain of every expected table, all rows and K >= 2 classes, by
   (1 - K eta / (K - 1))^2 *)
Theorem py_gini_gain_rescales_of_symmetric r K eta (t : 'I_r -> 'I_K -> R) : (1 < K)%N ->
  py_decrease_gini (expected (py_symmetric eta) t) = (1 - K%:R * eta / (K%:R - 1)) ^+ 2 * py_decrease_gini t.
Proof.
move=> K1; rewrite (decrease_gini_ext (expected_ext t (@py_symmetricE K eta))).
exact: gini_gain_rescales_of_symmetric.
Qed.

Section Null.
Variables (T : finType) (r K : nat) (f : T -> 'I_r) (y : T -> 'I_K).
Hypothesis rows_occur : forall i, (0 < #|[pred u | f u == i]|)%N.
Local Notation a := (total_of R f).
Local Notation b := (total_of R y).
Let pygain s := py_decrease_gini (table R f y s).

(* the exact mean that the library returns is the mean, over all permutations of the labels, of its own Gini gain *)
Lemma py_exact_mean_is_mean : (1 < #|T|)%N -> mean pygain = py_exact_mean a b.
Proof.
move=> T2; rewrite (@gini_mean_of_permutation R T r K f y rows_occur T2) /py_exact_mean /py_mean sum_a.
rewrite ltr_nat ltnNge T2 /=.
have -> : \sum_k b k * b k = S2 R y by apply: eq_bigr => k _; rewrite expr2.
have n1 : #|T|%:R - 1 != 0 :> R := @natB_neq0 R T 1 T2.
have n0 : #|T|%:R != 0 :> R by rewrite pnatr_eq0 -lt0n; exact: ltnW.
move: (S2 R y) (r%:R : R) (#|T|%:R : R) n0 n1 => s2 rr m m0 m1; field.
by rewrite m0 m1.
Qed.

(* the exact variance that the library returns, from O(r + K) sums, is the variance over all permutations of the labels
   of its own Gini gain, for every table of three observations or more *)
Lemma py_exact_variance_is_variance d : d != 0 -> (2 < #|T|)%N ->
  mean (fun s => (pygain s - mean pygain) ^+ 2) = py_exact_variance a b d.
Proof.
move=> d0 T3; have T2 : (1 < #|T|)%N by apply: ltn_trans T3.
rewrite -/(variance R f y) /py_exact_variance !sum_a !ltr_nat !ler_nat ltnNge T3 /=.
have -> : \sum_k b k * b k = S2 R y by apply: eq_bigr => k _; rewrite expr2.
have -> : (\sum_i d / a i) / d = H R f by rewrite -mulr_sumr mulrAC mulfV // mul1r.
rewrite -/(S3 R y) /py_variance /py_uneven_weight /py_thick_weight /py_uneven_rows /py_thick_rows.
rewrite /py_uneven_classes /py_thick_classes.
have n1 : #|T|%:R - 1 != 0 :> R := @natB_neq0 R T 1 T2.
have n0 : #|T|%:R != 0 :> R by rewrite pnatr_eq0 -lt0n; exact: ltnW.
have n2 : #|T|%:R - 2%:R != 0 :> R by apply: natB_neq0.
case: ltnP => T4.
  have n3 : #|T|%:R - 3%:R != 0 :> R by exact: natB_neq0.
  rewrite (@gini_variance_of_permutation R T r K f y rows_occur T2 T4) /uneven /null.thick_rows /thick_columns.
  move: (H R f) (S2 R y) (S3 R y) (r%:R : R) (#|T|%:R : R) n0 n1 n2 n3 => h s2 s3 rr m m0 m1 m2 m3; field.
  by rewrite m0 m1 m2 m3.
have T3' : #|T| = 3%N by apply/eqP; rewrite eqn_leq T3 T4.
rewrite (@gini_variance_of_three R T r K f y rows_occur T2 T3') /uneven T3'.
move: (H R f) (S2 R y) (S3 R y) (r%:R : R) => h s2 s3 rr; by field.
Qed.
End Null.
End Tie.
