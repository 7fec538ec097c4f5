(* Which channels keep the Gini gain, and which noise symmetric losses bear; about the library's own code. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs noise core generated tie evaluate channels channels_gains channels_risk.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* a channel that acts on differences of distributions as an isometry times the root of c *)
Definition isometric (R : realFieldType) K (S : 'I_K -> 'I_K -> R) (c : R) :=
  forall d : 'I_K -> R, \sum_k d k = 0 -> \sum_k py_on_distribution S d k ^+ 2 = c * \sum_k d k ^+ 2.

(* in row j the diagonal exceeds every other entry *)
Definition dominant (R : realFieldType) K (S : 'I_K -> 'I_K -> R) (j : 'I_K) := forall k, k != j -> S j k < S j j.

Section Dominant.
Variable R : realFieldType.

(* Symmetric noise on K classes turns the Gini impurity G of a distribution into f^2 G + (1 - f^2)(1 - 1/K) with
   f = 1 - K eta/(K - 1). *)
Theorem gini_is_affine_of_symmetric_noise K (p : 'I_K -> R) eta : (1 < K)%N -> \sum_k p k = 1 ->
  py_gini (py_on_distribution (py_symmetric eta) p)
  = shrinks K eta ^+ 2 * py_gini p + (1 - shrinks K eta ^+ 2) * (1 - K%:R^-1).
Proof. exact: gini_on_symmetric. Qed.

(* At the rate (K - 1)/K symmetric noise makes every distribution uniform. *)
Theorem uniform_of_largest_symmetric_noise K (p : 'I_K -> R) k : (1 < K)%N -> \sum_k p k = 1 ->
  py_on_distribution (py_symmetric ((K%:R - 1) / K%:R)) p k = K%:R^-1.
Proof.
move=> K1 p1; rewrite py_on_distributionE on_py_symmetricE // p1 mulr1 /shrinks.
have K0 : K%:R != 0 :> R by rewrite pnatr_eq0; case: K K1 {p p1 k}.
by move: (K%:R : R) (p k) K0 (natB1_neq0 R K1) => m x m0 m1; field; rewrite m0 m1.
Qed.

Lemma affine_of_isometric K (S : 'I_K -> 'I_K -> R) c : (0 < K)%N -> isometric S c ->
  exists l : 'I_K -> R, forall p : 'I_K -> R, \sum_k p k = 1 ->
  py_gini (py_on_distribution S p) = c * py_gini p + \sum_k l k * p k.
Proof.
move=> K0 iso; have Kn : K%:R != 0 :> R by rewrite pnatr_eq0 -lt0n.
pose u (k : 'I_K) : R := K%:R^-1; pose m := py_on_distribution S u.
pose a := 1 - c + \sum_k m k ^+ 2 + c / K%:R.
exists (fun k => a - 2%:R * \sum_j m j * S k j) => p p1.
have u1 : \sum_k u k = 1 by rewrite sumr_const card_ord -mulr_natl mulfV.
have lin k : py_on_distribution S (fun k => p k - u k) k = py_on_distribution S p k - m k.
  by rewrite /m /py_on_distribution -sumrB; apply: eq_bigr => j _; rewrite mulrBl.
have := iso (fun k => p k - u k); rewrite sumrB p1 u1 subrr => /(_ erefl).
rewrite (eq_bigr (fun k => py_on_distribution S p k * py_on_distribution S p k
    + (- (2%:R * (m k * py_on_distribution S p k)) + m k ^+ 2))); last by move=> k _; rewrite lin; ring.
rewrite big_split big_split /= sumrN -mulr_sumr.
rewrite [\sum_k (p k - u k) ^+ 2](eq_bigr (fun k => p k * p k + (- 2%:R * K%:R^-1) * p k + K%:R^-1 * K%:R^-1)); last first.
  by move=> k _; rewrite /u; ring.
rewrite !big_split /= -mulr_sumr p1 sumr_const card_ord -mulr_natl.
have -> : \sum_k (a - 2%:R * (\sum_j m j * S k j)) * p k = a - 2%:R * \sum_k m k * py_on_distribution S p k.
  rewrite (eq_bigr (fun k => a * p k - 2%:R * (\sum_j m j * (p k * S k j)))); last first.
    move=> k _; rewrite mulrBl; congr (_ - _); rewrite -mulrA; congr (_ * _); rewrite mulr_suml.
    by apply: eq_bigr => j _; rewrite -mulrA [S k j * _]mulrC.
  rewrite sumrB -!mulr_sumr p1 mulr1 exchange_big /=; congr (_ - _ * _); apply: eq_bigr => j _.
  by rewrite -mulr_sumr.
rewrite /py_gini /a; move: (\sum_k p k * p k) (\sum_k m k * _) (\sum_k m k ^+ 2) (\sum_k _ * _) (K%:R : R) Kn.
move=> pp mp mm q n n0 e; have -> : q = c * (pp + - 2%:R * n^-1 * 1 + n * (n^-1 * n^-1)) - mm + 2%:R * mp.
  by rewrite -e; ring.
by field.
Qed.

(* Noise multiplies the Gini gain of all splits, of any number of rows, by one factor c if its channel acts on differences
   of distributions as an isometry times the root of c. *)
Theorem gini_gain_rescales_of_isometric_channel r K (S : 'I_K -> 'I_K -> R) c (t : 'I_r -> 'I_K -> R) : (0 < K)%N ->
  stochastic S -> isometric S c -> counts t -> py_decrease_gini (py_expected S t) = c * py_decrease_gini t.
Proof.
move=> K0 [_ S1] iso t0; have [l aff] := affine_of_isometric K0 iso.
apply: (@gain_of_rescaled R r K _ (@py_gini R K) _ l) => // p _ p1; exact: aff.
Qed.
End Dominant.
