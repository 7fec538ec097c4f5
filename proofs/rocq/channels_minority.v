(* The sum of minorities and the misclassification gain, about the library's own code. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs noise core generated tie evaluate channels channels_gains channels_risk.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Minority.
Variable R : realFieldType.

Lemma errors_of_counts K (c : 'I_K.+1 -> R) : (forall k, 0 <= c k) ->
  size c * py_misclassification (shares c (size c)) = size c - \big[Num.max/c ord0]_k c k.
Proof.
move=> c0; have [z|nz] := eqVneq (size c) 0.
  have all0 k : c k = 0 by apply: (psumr_eq0P _ z) => // j _; exact: c0.
  rewrite z mul0r sub0r (max_ext (G := fun=> 0)) //; elim/big_ind: _; rewrite ?oppr0 //.
  by move=> x y x0 y0; case: leP; rewrite -?x0 -?y0.
rewrite /py_misclassification (max_ext (G := fun k => (size c)^-1 * c k + 0)); last first.
  by move=> k; rewrite /shares (negPf nz) addr0 mulrC.
rewrite max_of_affine; last by rewrite invr_ge0 sumr_ge0.
by rewrite addr0 mulrBr mulr1 mulrA mulfV // mul1r.
Qed.

(* The sum of minorities of a split is its misclassification gain less the misclassification of the node: both rank the
   splits of one node alike. *)
Theorem sum_minority_is_gain_less_impurity r K (t : 'I_r -> 'I_K.+1 -> R) : counts t -> whole t != 0 ->
  py_sum_minority t = py_decrease_misclassification t - py_misclassification (shares (node t) (whole t)).
Proof.
move=> t0 n0; rewrite py_decrease_misclassificationE /decrease /py_sum_minority -/(whole t) (negPf n0).
rewrite [in RHS](eq_bigr (fun i => size (t i) - \big[Num.max/t i ord0]_k t i k)); last first.
  by move=> i _; exact: errors_of_counts.
by set A := \sum_i _; set p := py_misclassification _; move: A p (whole t) n0 => A p n m0; field.
Qed.

(* R-E16, wilton2024, Appendix M: in our words, the risk reduction is the gap between curve and chord. Of n among N examples the
   errors that a split saves, over N, are n/N times that gap, the misclassification gain. *)
Theorem erratum_wilton2024_risk_reduction r K (t : 'I_r -> 'I_K.+1 -> R) N : counts t -> whole t != 0 ->
  let errors (c : 'I_K.+1 -> R) := size c - \big[Num.max/c ord0]_k c k in
  (errors (node t) - \sum_i errors (t i)) / N = whole t / N * py_decrease_misclassification t.
Proof.
move=> t0 n0 errors; rewrite py_decrease_misclassificationE /decrease (negPf n0).
have e i : size (t i) * py_misclassification (shares (t i) (size (t i))) = errors (t i) by exact: errors_of_counts.
have top : whole t * py_misclassification (shares (node t) (whole t)) = errors (node t).
  by rewrite -whole_node; apply: errors_of_counts => k; exact: sumr_ge0.
rewrite (eq_bigr _ (fun i _ => e i)) top; set A := errors (node t) - _.
by move: A (whole t) n0 => A n m0; rewrite mulrAC [n * _]mulrC mulfVK.
Qed.

(* hypotheses that hold, closed by computation *)
Example minority_instance : let t := counts_of R 2 3 [:: [:: 0; 1; 0]; [:: 1; 0; 0]]%N in
  [/\ counts t, whole t != 0, py_sum_minority t = 0 & py_decrease_misclassification t = 1 / 2%:R].
Proof. by split; try exact: counts_given; cbv zeta; evaluate. Qed.
End Minority.
