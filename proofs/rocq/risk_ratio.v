(* Information gain of feature and label, the gain ratio, and impurities made from losses, of the printed code. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs risk generated concave losses risk_gains risk_responses risk_concavity risk_entropy.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Ratio.
Variables (R : realFieldType) (log : R -> R).
Hypothesis ln : logarithm log.

(* the table of the label by the feature *)
Definition transposed r K (t : 'I_r -> 'I_K -> R) : 'I_K -> 'I_r -> R := fun k i => t i k.

Lemma transposed_whole r K (t : 'I_r -> 'I_K -> R) : whole (transposed t) = whole t.
Proof. by rewrite -whole_node. Qed.

Lemma joint r K (t : 'I_r -> 'I_K -> R) i : weights t ->
  size (t i) * relative_entropy log (row_shares t i) (node_shares t)
  = \sum_k (if t i k == 0 then 0 else t i k * log (t i k * whole t / (size (t i) * node t k))).
Proof.
move=> t0; have [z|nz] := eqVneq (size (t i)) 0.
  by rewrite z mul0r big1 // => k _; rewrite (size0_is0 (t0 i) z) eqxx.
have wz : whole t != 0 by apply: contraNneq nz => z; rewrite whole0_size0.
rewrite mulr_sumr; apply: eq_bigr => k _; rewrite /row_shares /node_shares /py_shares (negPf nz) (negPf wz).
rewrite mulf_eq0 invr_eq0 (negPf nz) orbF; case: eqVneq => [//|tz]; first by rewrite mulr0.
have mz : node t k != 0.
  apply: contraNneq tz => /eqP; rewrite psumr_eq0 // => /allP z.
  exact: z (mem_index_enum i).
rewrite mulrA mulrCA mulfV // mulr1; congr (_ * log _).
by move: (t i k) (size (t i)) (whole t) (node t k) nz wz mz => x a n b a0 n0 b0; field; rewrite a0 n0 b0.
Qed.

(* Information gain is symmetric: of a feature about the label as of the label about the feature. *)
Theorem py_information_gain_is_symmetric r K (t : 'I_r -> 'I_K -> R) : weights t ->
  py_decrease_entropy log (transposed t) = py_decrease_entropy log t.
Proof.
move=> t0; have t0' : weights (transposed t) by move=> k i; exact: t0.
rewrite !(py_information_gain_is_mean_relative_entropy ln) // transposed_whole; congr (_ / _).
rewrite (eq_bigr _ (fun k _ => joint k t0')) (eq_bigr _ (fun i _ => joint i t0)) exchange_big /=.
apply: eq_bigr => i _; apply: eq_bigr => k _; rewrite transposed_whole.
by rewrite [size (transposed t k) * _]mulrC.
Qed.

(* Information gain is at most the entropy of the label, and at most the entropy of the split itself. *)
Theorem py_information_gain_is_at_most_entropies r K (t : 'I_r -> 'I_K -> R) : weights t -> whole t != 0 ->
  py_decrease_entropy log t <= py_entropy log (node_shares t) /\
  py_decrease_entropy log t <= py_entropy log (fun i => size (t i) / whole t).
Proof.
have below n m (u : 'I_n -> 'I_m -> R) : weights u -> whole u != 0 ->
    py_decrease_entropy log u <= py_entropy log (node_shares u).
  move=> u0 nz; have n0 : 0 < whole u by rewrite lt_neqAle eq_sym nz whole_ge0.
  rewrite -[py_decrease_entropy log u]/(py_decrease (@py_entropy R log m) u) gainE //.
  rewrite ler_pdivr_mulr // mulrC ler_subl_addr ler_addl sumr_ge0 // => i _.
  have [->|nzi] := eqVneq (size (u i)) 0; first by rewrite mul0r.
  rewrite mulr_ge0 ?size_ge0 //; have d := row_distribution u0 nzi.
  exact: le_trans (gini_ge0 d) (py_entropy_is_at_least_gini ln d).
move=> t0 nz; split; first exact: below.
have nz' : whole (transposed t) != 0 by rewrite transposed_whole.
rewrite -py_information_gain_is_symmetric //; apply: le_trans (below _ _ _ (fun k i => t0 i k) nz') _.
rewrite (@entropy_ext R log r _ (fun i => size (t i) / whole t)) // => i.
by rewrite /node_shares /py_shares transposed_whole (negPf nz).
Qed.

(* The gain ratio lies between 0 and 1. *)
Theorem py_gain_ratio_is_at_most_one r K (t : 'I_r.+1 -> 'I_K -> R) : weights t ->
  0 <= py_gain_ratio log t /\ py_gain_ratio log t <= 1.
Proof.
move=> t0; rewrite /py_gain_ratio -/(py_decrease_entropy log t).
case: ifP => [_|alone]; first by rewrite lexx ler01.
rewrite alone.
have nz : whole t != 0.
  apply: contraFneq alone => z; rewrite -[X in X <= _]/(whole t) z.
  by apply: le_trans (max_above _ _ ord0); exact: sumr_ge0.
rewrite -[\sum_(i < r.+1) \sum_(k < K) t i k]/(whole t) (negPf nz).
have [_ top] := py_information_gain_is_at_most_entropies t0 nz.
have low := py_information_gain_is_nonnegative ln t0.
rewrite -/(py_entropy log (fun i => size (t i) / whole t)).
set g := py_decrease_entropy log t in top low *; set h := py_entropy log _ in top *.
have h0 : 0 <= h := le_trans low top.
split; first exact: divr_ge0.
have [->|hz] := eqVneq h 0; first by rewrite invr0 mulr0 ler01.
by rewrite ler_pdivr_mulr ?mul1r // lt_neqAle eq_sym hz.
Qed.
End Ratio.

Section FromLoss.
Variables (R : realFieldType) (log : R -> R).

(* The impurity made from the square loss is Gini's. *)
Theorem py_from_square_is_gini K (p : 'I_K -> R) : \sum_k p k = 1 -> py_from_square p = py_gini p.
Proof.
move=> p1; rewrite -[LHS]/(py_risk (py_square p) p) py_square_excess // big1 ?addr0 // => k _.
by rewrite subrr expr0n.
Qed.

(* The impurity made from cross-entropy is entropy. *)
Theorem py_from_cross_entropy_is_entropy K (p : 'I_K -> R) : py_from_cross_entropy log p = py_entropy log p.
Proof.
rewrite /py_entropy -sumrN; apply: eq_bigr => k _; rewrite /xlogx.
by case: eqP => [->|_]; rewrite ?mul0r ?oppr0 // mulrN.
Qed.

(* The impurity made from the squared error of responses is their variance. *)
Theorem py_from_squared_error_is_variance K (v p : 'I_K -> R) : \sum_k p k = 1 ->
  py_from_squared_error v p = py_response_variance v p.
Proof.
move=> p1; rewrite -[LHS]/(py_risk (py_squared_error v (py_mean_response v p)) p).
by rewrite py_squared_error_excess // subrr expr0n addr0.
Qed.
End FromLoss.

(* Instances: the hypotheses can hold. *)
From splitcrit Require Import risk_reals.

Example ratio_table : logarithm Rpower.ln /\ weights (@small_table real_realFieldType) /\
  whole (@small_table real_realFieldType) != 0.
Proof. exact: entropy_table. Qed.

Example ratio_distribution (R : realFieldType) : \sum_k (@one_third R) k = 1.
Proof. exact: (one_third_is_a_distribution R).2. Qed.
