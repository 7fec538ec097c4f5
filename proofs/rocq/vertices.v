(* Best splits are vertices: some best split divides no class; and impurities are largest at equal shares. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs risk vertex generated tie gains.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Vertices.
Variable R : realFieldType.

(* the shares sent left by a split that divides no class: all of the classes of the group v, none of the others *)
Definition undivided K (v : 'I_K -> bool) : 'I_K -> R := fun k => (v k)%:R.

Lemma best_of_finite (T : finType) (x0 : T) (f : T -> R) : exists x, forall y, f y <= f x.
Proof. by case: (@arg_maxP _ R T x0 xpredT f isT) => x _ h; exists x => y; exact: h. Qed.

Lemma best_vertex K (F : ('I_K -> R) -> R) : (forall v w, v =1 w -> F (undivided v) = F (undivided w)) ->
  (forall al, cube al -> exists v, F al <= F (undivided v)) ->
  exists v, forall al, cube al -> F al <= F (undivided v).
Proof.
move=> ext h; have [v best] := best_of_finite [ffun=> true] (fun v : {ffun 'I_K -> bool} => F (undivided v)).
exists v => al cal; have [w le] := h al cal; apply: le_trans le _.
rewrite (ext w (finfun w)); [exact: best|by move=> k; rewrite ffunE].
Qed.

Lemma concave_vertex K (phi : ('I_K -> R) -> R) (c : 'I_K -> R) : extensional phi -> concave phi -> nonneg c ->
  exists v, forall al, cube al -> decrease phi (split c al) <= decrease phi (split c (undivided v)).
Proof.
move=> ext conc c0; apply: (@best_vertex K (fun al => decrease phi (split c al))).
  by move=> v w e; apply: decrease_ext => // i k; rewrite /split /undivided e.
by move=> al cal; exact: best_split_is_a_vertex.
Qed.

(* For all class counts there is a group of classes such that sending it to the left, and the others to the right,
   decreases Gini's impurity at least as much as any split, which may send any share of every class to the left. *)
Theorem py_gini_best_split_divides_no_class K (c : 'I_K -> R) : nonneg c ->
  exists v, forall al, cube al -> py_decrease_gini (split c al) <= py_decrease_gini (split c (undivided v)).
Proof. exact: concave_vertex (@gini_ext R K) (@gini_concave R K). Qed.

(* The same for misclassification. *)
Theorem py_misclassification_best_split_divides_no_class K (c : 'I_K.+1 -> R) : nonneg c ->
  exists v, forall al, cube al ->
  py_decrease_misclassification (split c al) <= py_decrease_misclassification (split c (undivided v)).
Proof. exact: concave_vertex (@misclassification_ext R K) (@misclassification_concave R K). Qed.

(* The same for the sum over the classes of min(p, 1 - p). *)
Theorem py_bayes_sum_best_split_divides_no_class K (c : 'I_K -> R) : nonneg c ->
  exists v, forall al, cube al ->
  py_decrease_bayes_sum (split c al) <= py_decrease_bayes_sum (split c (undivided v)).
Proof. exact: concave_vertex (@bayes_sum_ext R K) (@bayes_sum_concave R K). Qed.

(* The same for entropy, with any logarithm for which x log x is convex. *)
Theorem py_entropy_best_split_divides_no_class log K (c : 'I_K -> R) : xlogx_convex log -> nonneg c ->
  exists v, forall al, cube al ->
  py_decrease_entropy log (split c al) <= py_decrease_entropy log (split c (undivided v)).
Proof. by move=> conv; exact: concave_vertex (@entropy_ext R log K) (entropy_concave conv). Qed.

(* an instance: x x is convex, and the counts 1, ..., 1 are not negative *)
Example convex_instance : xlogx_convex (fun x : R => x) /\ nonneg (fun _ : 'I_3 => 1 : R).
Proof.
split=> [x y a _ _ /andP[a0 a1]|k]; last exact: ler01.
have xx z : xlogx (fun x : R => x) z = z * z by rewrite /xlogx; case: eqP => [->|_] //; rewrite mul0r.
rewrite !xx -subr_ge0 (_ : _ - _ = a * (1 - a) * (x - y) ^+ 2); last by ring.
by rewrite mulr_ge0 ?sqr_ge0 // mulr_ge0 ?subr_ge0.
Qed.

(* impurities that do not depend on the order of the classes *)
Definition symmetric_in_classes K (phi : ('I_K -> R) -> R) :=
  forall (s : {perm 'I_K}) p, phi (fun k => p (s k)) = phi p.

(* A concave impurity that does not depend on the order of the classes is largest at equal shares. *)
Theorem concave_symmetric_impurity_is_largest_at_equal_shares K (phi : ('I_K.+1 -> R) -> R) p :
  extensional phi -> concave phi -> symmetric_in_classes phi -> distribution p -> phi p <= phi (fun=> K.+1%:R^-1).
Proof.
move=> ext conc sym [p0 p1].
pose turn (i : 'I_K.+1) := fun k : 'I_K.+1 => p (k + i).
have inj (i : 'I_K.+1) : injective (fun k : 'I_K.+1 => k + i) by exact: addIr.
have size1 i : defs.size (turn i) = 1.
  by rewrite -p1 /defs.size /turn [RHS](reindex_inj (inj i)).
have w1 i : weighted phi (turn i) = phi p.
  rewrite /weighted size1 mul1r -(sym (perm (inj i)) p); apply: ext => k.
  by rewrite /shares oner_eq0 divr1 permE.
have := weighted_sum ext conc (index_enum _) (f := turn) (fun i k => p0 (k + i)).
have -> : \sum_i weighted phi (turn i) = K.+1%:R * phi p.
  by rewrite (eq_bigr _ (fun i _ => w1 i)) sumr_const card_ord -mulr_natl.
have tot k : \sum_i p (k + i) = 1 by rewrite -p1 [RHS](reindex_inj (@addrI _ k)).
rewrite (weighted_ext ext tot) /weighted.
have -> : defs.size (fun _ : 'I_K.+1 => 1) = K.+1%:R :> R by rewrite /defs.size /= sumr_const card_ord.
rewrite ler_pmul2l ?ltr0Sn // => le; apply: le_trans le _; rewrite le_eqVlt; apply/orP; left; apply/eqP/ext => k.
by rewrite /shares pnatr_eq0 /= div1r.
Qed.

Lemma sum_over_permutation K (s : {perm 'I_K}) (f : 'I_K -> R) : \sum_k f (s k) = \sum_k f k.
Proof. by rewrite [RHS](reindex_inj (@perm_inj _ s)). Qed.
Lemma largest_over_permutation K (s : {perm 'I_K.+1}) (x : 'I_K.+1 -> R) : largest (fun k => x (s k)) = largest x.
Proof.
have [k ek] := largest_in x; rewrite ek; have := largest_eq (x := fun j => x (s j)) (k := (s^-1)%g k).
by rewrite permKV; apply=> j; rewrite -ek largest_ge.
Qed.

(* Gini's impurity is largest at equal shares. *)
Theorem py_gini_is_largest_at_equal_shares K (p : 'I_K.+1 -> R) : distribution p ->
  py_gini p <= py_gini (fun _ : 'I_K.+1 => K.+1%:R^-1).
Proof.
apply: concave_symmetric_impurity_is_largest_at_equal_shares => //; [exact: gini_ext|exact: gini_concave|].
by move=> s q; rewrite /py_gini (sum_over_permutation s (fun k => q k * q k)).
Qed.

(* Entropy is largest at equal shares, with any logarithm for which x log x is convex. *)
Theorem py_entropy_is_largest_at_equal_shares log K (p : 'I_K.+1 -> R) : xlogx_convex log -> distribution p ->
  py_entropy log p <= py_entropy log (fun _ : 'I_K.+1 => K.+1%:R^-1).
Proof.
move=> conv; apply: concave_symmetric_impurity_is_largest_at_equal_shares => //.
- exact: entropy_ext.
- exact: entropy_concave.
by move=> s q; rewrite /py_entropy (sum_over_permutation s (fun k => xlogx log (q k))).
Qed.

(* Misclassification is largest at equal shares. *)
Theorem py_misclassification_is_largest_at_equal_shares K (p : 'I_K.+1 -> R) : distribution p ->
  py_misclassification p <= py_misclassification (fun _ : 'I_K.+1 => K.+1%:R^-1).
Proof.
apply: concave_symmetric_impurity_is_largest_at_equal_shares => //.
- exact: misclassification_ext.
- exact: misclassification_concave.
by move=> s q; congr (1 - _); exact: largest_over_permutation.
Qed.

(* The sum of min(p, 1 - p) is largest at equal shares. *)
Theorem py_bayes_sum_is_largest_at_equal_shares K (p : 'I_K.+1 -> R) : distribution p ->
  py_bayes_sum p <= py_bayes_sum (fun _ : 'I_K.+1 => K.+1%:R^-1).
Proof.
apply: concave_symmetric_impurity_is_largest_at_equal_shares => //; [exact: bayes_sum_ext|exact: bayes_sum_concave|].
by move=> s q; rewrite /py_bayes_sum (sum_over_permutation s (fun k => Num.min (q k) (1 - q k))).
Qed.

(* an instance: the shares 1/3, 1/3, 1/3 are a distribution *)
Example distribution_instance : distribution (fun _ : 'I_3 => 3%:R^-1 : R).
Proof.
by split=> [k|]; rewrite ?invr_ge0 ?ler0n // sumr_const card_ord -[_ *+ 3]mulr_natl mulfV // pnatr_eq0.
Qed.

End Vertices.
Arguments undivided {R K} v.
