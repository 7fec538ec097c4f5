(* Best splits are vertices: what decreases of impurities share, splits that divide no class, and Breiman's Proposition.
   *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs risk vertex generated tie.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* What is common to decreases of impurities: weighted impurities, concavity, the largest of some numbers. *)
Section Gains.
Variable R : realFieldType.

(* an impurity is concave on distributions; strictly, if it lies above every proper chord *)
Definition concave K (phi : ('I_K -> R) -> R) := forall (p q : 'I_K -> R) a,
  distribution p -> distribution q -> 0 <= a <= 1 -> a * phi p + (1 - a) * phi q <= phi (mixed a p q).
Definition strictly_concave K (phi : ('I_K -> R) -> R) := forall (p q : 'I_K -> R) a k,
  distribution p -> distribution q -> 0 < a < 1 -> p k != q k -> a * phi p + (1 - a) * phi q < phi (mixed a p q).
(* x log x is convex on [0, 1], with 0 log 0 = 0 *)
Definition xlogx_convex (log : R -> R) := forall x y a, 0 <= x <= 1 -> 0 <= y <= 1 -> 0 <= a <= 1 ->
  xlogx log (a * x + (1 - a) * y) <= a * xlogx log x + (1 - a) * xlogx log y.
Definition xlogx_strictly_convex (log : R -> R) := forall x y a, 0 <= x <= 1 -> 0 <= y <= 1 -> 0 < a < 1 ->
  x != y -> xlogx log (a * x + (1 - a) * y) < a * xlogx log x + (1 - a) * xlogx log y.
(* counts are not negative *)
Definition counts r K (t : 'I_r -> 'I_K -> R) := forall i, nonneg (t i).

Lemma distribution_le1 K (p : 'I_K -> R) k : distribution p -> 0 <= p k <= 1.
Proof.
move=> [p0 <-]; rewrite p0 (bigD1 k) //= ler_addl; apply: sumr_ge0 => j _; exact: p0.
Qed.

(* the largest of some numbers *)
Definition largest K (x : 'I_K.+1 -> R) : R := \big[Num.max/x ord0]_(k < K.+1) x k.

Lemma largest_ge K (x : 'I_K.+1 -> R) k : x k <= largest x.
Proof.
rewrite /largest; have := mem_index_enum k; move: (index_enum _) (x ord0) => s y.
elim: s => // j s IH; rewrite inE big_cons le_maxr => /orP[/eqP <-|/IH ->]; first by rewrite lexx.
by rewrite orbT.
Qed.
Lemma largest_in K (x : 'I_K.+1 -> R) : exists k, largest x = x k.
Proof.
rewrite /largest; elim/big_ind: _ => [|a b [i ->] [j ->]|k _]; [by exists ord0| |by exists k].
by case: (leP (x i) (x j)) => _; [exists j|exists i].
Qed.
Lemma largest_eq K (x : 'I_K.+1 -> R) k : (forall j, x j <= x k) -> largest x = x k.
Proof. by move=> h; apply/eqP; rewrite eq_le largest_ge andbT; have [j ->] := largest_in x. Qed.
Lemma largest_ext K (x y : 'I_K.+1 -> R) : x =1 y -> largest x = largest y.
Proof.
move=> e; have [k ek] := largest_in x; rewrite ek e; apply/esym/largest_eq => j; by rewrite -!e -ek largest_ge.
Qed.
Lemma largest_scale K (x : 'I_K.+1 -> R) c : 0 <= c -> largest (fun k => c * x k) = c * largest x.
Proof.
move=> c0; have [k ek] := largest_in x; rewrite ek; apply: largest_eq => j; apply: ler_wpmul2l => //.
by rewrite -ek largest_ge.
Qed.

(* the printed decreases are decreases of the printed impurities *)
Lemma py_decrease_misclassificationE r K :
  @py_decrease_misclassification R r K = decrease (@py_misclassification R K) (r := r).
Proof. by []. Qed.
Lemma py_decrease_bayes_sumE r K : @py_decrease_bayes_sum R r K = decrease (@py_bayes_sum R K) (r := r).
Proof. by []. Qed.

Lemma gini_ext K : extensional (@py_gini R K).
Proof. by move=> p q e; rewrite /py_gini; congr (_ - _); apply: eq_bigr => k _; rewrite e. Qed.
Lemma entropy_ext log K : extensional (@py_entropy R log K).
Proof. by move=> p q e; rewrite /py_entropy; congr (- _); apply: eq_bigr => k _; rewrite e. Qed.
Lemma bayes_sum_ext K : extensional (@py_bayes_sum R K).
Proof. by move=> p q e; rewrite /py_bayes_sum; apply: eq_bigr => k _; rewrite e. Qed.
Lemma misclassification_ext K : extensional (@py_misclassification R K).
Proof. by move=> p q e; congr (1 - _); exact: largest_ext. Qed.

(* Gini's excess over a chord is t (1 - t) |p - q|^2 *)
Lemma gini_chord K (p q : 'I_K -> R) a :
  py_gini (mixed a p q) = a * py_gini p + (1 - a) * py_gini q + a * (1 - a) * \sum_k (p k - q k) ^+ 2.
Proof.
rewrite /py_gini /mixed (eq_bigr (fun k => a * (p k * p k) + ((1 - a) * (q k * q k) +
  (- (a * (1 - a))) * (p k - q k) ^+ 2))); last by move=> k _; ring.
rewrite !big_split /= -!mulr_sumr.
by move: (\sum_k p k * p k) (\sum_k q k * q k) (\sum_k (p k - q k) ^+ 2) => x y z; ring.
Qed.
Lemma gini_concave K : concave (@py_gini R K).
Proof.
move=> p q a _ _ /andP[a0 a1]; rewrite gini_chord ler_addl mulr_ge0 ?mulr_ge0 ?subr_ge0 //.
by apply: sumr_ge0 => k _; exact: sqr_ge0.
Qed.
Lemma gini_strictly_concave K : strictly_concave (@py_gini R K).
Proof.
move=> p q a k _ _ /andP[a0 a1] ne; rewrite gini_chord ltr_addl mulr_gt0 ?mulr_gt0 ?subr_gt0 //.
rewrite (bigD1 k) //= ltr_spaddl ?exprn_even_gt0 ?subr_eq0 //.
by apply: sumr_ge0 => j _; exact: sqr_ge0.
Qed.
Lemma misclassification_concave K : concave (@py_misclassification R K).
Proof.
move=> p q a _ _ /andP[a0 a1]; rewrite /py_misclassification -/(largest p) -/(largest q) -/(largest (mixed a p q)).
have [k ->] := largest_in (mixed a p q); rewrite /mixed !mulrBr !mulr1.
have -> : a - a * largest p + (1 - a - (1 - a) * largest q) = 1 - (a * largest p + (1 - a) * largest q).
  by move: (largest p) (largest q) => x y; ring.
by rewrite ler_add2l ler_opp2; apply: ler_add; apply: ler_wpmul2l; rewrite ?subr_ge0 ?largest_ge.
Qed.
Lemma bayes_sum_concave K : concave (@py_bayes_sum R K).
Proof.
move=> p q a dp dq /andP[a0 a1]; rewrite /py_bayes_sum !mulr_sumr -big_split /=; apply: ler_sum => k _.
have b0 : 0 <= 1 - a by rewrite subr_ge0.
rewrite le_minr /mixed; apply/andP; split.
  by apply: ler_add; apply: ler_wpmul2l => //; rewrite le_minl lexx.
have -> : 1 - (a * p k + (1 - a) * q k) = a * (1 - p k) + (1 - a) * (1 - q k) by ring.
by apply: ler_add; apply: ler_wpmul2l => //; rewrite le_minl lexx orbT.
Qed.
Lemma entropy_concave log K : xlogx_convex log -> concave (@py_entropy R log K).
Proof.
move=> conv p q a dp dq a01; rewrite /py_entropy !mulrN -opprD ler_opp2 !mulr_sumr -big_split /=.
by apply: ler_sum => k _; apply: conv => //; exact: distribution_le1.
Qed.
Lemma entropy_strictly_concave log K : xlogx_strictly_convex log -> strictly_concave (@py_entropy R log K).
Proof.
move=> conv p q a k dp dq a01 ne; rewrite /py_entropy !mulrN -opprD ltr_opp2 !mulr_sumr -big_split /=.
rewrite [X in X < _](bigD1 k) // [X in _ < X](bigD1 k) //=; apply: ltr_le_add.
  by apply: conv => //; exact: distribution_le1.
apply: ler_sum => j _; rewrite /mixed; have [->|nj] := eqVneq (p j) (q j).
  have aE x : a * x + (1 - a) * x = x by ring.
  by rewrite !aE.
by apply: ltW; apply: conv => //; exact: distribution_le1.
Qed.

(* what is used of ln: the rule of products and log x <= x - 1; strictly, log x < x - 1 for x other than 1 *)
Lemma xlogx_convex_of_ln (log : R -> R) :
  (forall x y, 0 < x -> 0 < y -> log (x * y) = log x + log y) -> (forall x, 0 < x -> log x <= x - 1) ->
  xlogx_convex log.
Proof.
move=> logM log_le x y a /andP[x0 _] /andP[y0 _] /andP[a0 a1]; set z := a * x + _.
have b0 : 0 <= 1 - a by rewrite subr_ge0.
have z0 : 0 <= z by rewrite addr_ge0 // mulr_ge0.
have tangent u : 0 <= u -> z != 0 -> u * log z + (u - z) <= xlogx log u.
  move=> u0 nz; have zp : 0 < z by rewrite lt_neqAle eq_sym nz.
  rewrite /xlogx; have [->|nu] := eqVneq u 0; first by rewrite mul0r !add0r oppr_le0.
  have up : 0 < u by rewrite lt_neqAle eq_sym nu.
  have e : log z = log (z / u) + log u by rewrite -logM ?divr_gt0 // divfK.
  have h := ler_wpmul2l u0 (log_le _ (divr_gt0 zp up)).
  have d : u * (z / u - 1) = z - u by rewrite mulrBr mulr1 mulrCA mulfV // mulr1.
  rewrite d in h; rewrite e mulrDr; move: (u * log (z / u)) (u * log u) h => l1 l2.
  rewrite -(ler_add2r (l2 + (u - z))) addrA => h; apply: le_trans h _.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; clearbody z; ring.
have [e|nz] := eqVneq z 0; last first.
  rewrite {1}/xlogx (negPf nz); apply: le_trans (ler_add (ler_wpmul2l a0 (tangent x x0 nz))
    (ler_wpmul2l b0 (tangent y y0 nz))).
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /z; ring.
rewrite {1}/xlogx e eqxx; move/eqP: e; rewrite /z paddr_eq0 ?mulr_ge0 // !mulf_eq0.
have zero u c : (c == 0) || (u == 0) -> c * xlogx log u = 0.
  by case/orP=> /eqP ->; rewrite ?mul0r // /xlogx eqxx mulr0.
by move=> /andP[/zero -> /zero ->]; rewrite addr0.
Qed.

Section Phi.
Variables (K : nat) (phi : ('I_K -> R) -> R).
Hypothesis phi_ext : extensional phi.

Lemma decreaseE r (t : 'I_r -> 'I_K -> R) :
  decrease phi t = (weighted phi (node t) - \sum_i weighted phi (t i)) / (if whole t == 0 then 1 else whole t).
Proof. by rewrite /decrease /weighted whole_node. Qed.
Lemma unit_gt0 r (t : 'I_r -> 'I_K -> R) : counts t -> 0 < (if whole t == 0 then 1 else whole t).
Proof.
move=> t0; case: eqP => [_|/eqP nz]; rewrite ?ltr01 // lt_neqAle eq_sym nz.
by apply: sumr_ge0 => i _; apply: sumr_ge0 => k _; exact: t0.
Qed.
Lemma decrease_le r s (t : 'I_r -> 'I_K -> R) (u : 'I_s -> 'I_K -> R) : counts t -> node t =1 node u ->
  \sum_i weighted phi (u i) <= \sum_i weighted phi (t i) -> decrease phi t <= decrease phi u.
Proof.
move=> t0 e h; rewrite !decreaseE (weighted_ext phi_ext e).
have -> : whole u = whole t by rewrite -!whole_node; apply: eq_bigr => k _; rewrite e.
by apply: ler_wpmul2r; [rewrite invr_ge0; exact: ltW (unit_gt0 t0)|rewrite ler_add2l ler_opp2].
Qed.
Lemma decrease_eq0 r (t : 'I_r -> 'I_K -> R) : counts t ->
  (decrease phi t == 0) = (weighted phi (node t) == \sum_i weighted phi (t i)).
Proof.
by move=> t0; rewrite decreaseE mulf_eq0 invr_eq0 (gt_eqF (unit_gt0 t0)) orbF subr_eq0.
Qed.
Lemma decrease_ext r (t u : 'I_r -> 'I_K -> R) : (forall i k, t i k = u i k) -> decrease phi t = decrease phi u.
Proof.
move=> e; have n : node t =1 node u by move=> k; apply: eq_bigr.
rewrite !decreaseE (weighted_ext phi_ext n) (eq_bigr (fun i => weighted phi (u i))).
  by rewrite -!whole_node (size_ext n).
by move=> i _; apply: (weighted_ext phi_ext).
Qed.

Hypothesis phi_concave : concave phi.
Lemma weighted_sum (I : Type) (s : seq I) (f : I -> 'I_K -> R) : (forall i, nonneg (f i)) ->
  \sum_(i <- s) weighted phi (f i) <= weighted phi (fun k => \sum_(i <- s) f i k).
Proof.
move=> f0; elim: s => [|i s IH].
  by rewrite big_nil /weighted /defs.size big1 ?mul0r // => k _; rewrite big_nil.
rewrite big_cons (weighted_ext phi_ext (al := fun k => \sum_(j <- _) _)
  (be := fun k => f i k + \sum_(j <- s) f j k)); last by move=> k; rewrite big_cons.
apply: le_trans (weighted_superadditive phi_ext phi_concave (f0 i) _); first by rewrite ler_add2l.
by move=> k; apply: sumr_ge0 => j _; exact: f0.
Qed.
End Phi.
End Gains.

(* Best splits are vertices: some best split divides no class; and impurities are largest at equal shares. *)
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

(* Breiman's Proposition: among all splits Gini's gain is largest where the most frequent class is alone on a side;
   entropy and twoing prefer groups of classes of equal size. *)
Section Breiman.
Variable R : realFieldType.

Lemma isolated_is_best (x p q s t : R) : 0 < x -> 0 <= p -> 0 <= s -> 0 <= q -> q <= x * p -> 0 <= t -> t <= x * s ->
  t <= s ^+ 2 -> (x ^+ 2 + q) / (x + p) + t / s <= x + (q + t) / (p + s).
Proof.
move=> x0 p0 s0 q0 qxp t0 txs tss.
have xp0 : 0 < x + p by exact: ltr_spaddl.
have [pz|pn] := eqVneq p 0.
  have -> : q = 0 by apply/eqP; rewrite eq_le q0 andbT (le_trans qxp) // pz mulr0.
  by rewrite pz !addr0 !add0r expr2 mulfK ?gt_eqF.
have pp : 0 < p by rewrite lt_neqAle eq_sym pn.
have [sz|sn] := eqVneq s 0.
  have -> : t = 0 by apply/eqP; rewrite eq_le t0 andbT (le_trans txs) // sz mulr0.
  rewrite sz mul0r !addr0 -subr_ge0 (_ : _ - _ = (x * p ^+ 2 + q * x) / ((x + p) * p)); last first.
    by field; rewrite pn gt_eqF.
  by apply: divr_ge0; [rewrite addr_ge0 // mulr_ge0 ?sqr_ge0 // ltW|rewrite mulr_ge0 // ltW].
have sp : 0 < s by rewrite lt_neqAle eq_sym sn.
have ps : 0 < p + s by exact: addr_gt0.
rewrite -subr_ge0 (_ : _ - _ = ((x * p - q) * s * (p + s) + (q * s - p * t) * (x + p)) / ((x + p) * s * (p + s))).
  apply: divr_ge0; last by rewrite !mulr_ge0 // ltW.
  have [sx|/ltW xs] := leP s x.
    rewrite (_ : _ + _ = s * (p ^+ 2 + q) * (x - s) + p * (x + p) * (s ^+ 2 - t)); last by ring.
    by rewrite addr_ge0 // !mulr_ge0 ?subr_ge0 ?addr_ge0 ?sqr_ge0 // ltW.
  rewrite (_ : _ + _ = (x * p - q) * s * (s - x) + p * (x + p) * (x * s - t)); last by ring.
  by rewrite addr_ge0 // !mulr_ge0 ?subr_ge0 ?addr_ge0 // ltW.
by field; rewrite sn !gt_eqF.
Qed.

Variable K : nat.
Implicit Types (c al : 'I_K -> R) (v w : 'I_K -> bool).

(* how many there are of the classes of a group *)
Definition group_size c v := \sum_(k | v k) c k.
Definition group_squares c v := \sum_(k | v k) c k ^+ 2.

Lemma split_size c v : defs.size (split c (undivided v) 0) = group_size c v.
Proof.
rewrite /defs.size /group_size [RHS]big_mkcond; apply: eq_bigr => k _; rewrite /split /undivided /=.
by case: (v k); rewrite ?mul1r ?mul0r.
Qed.
Lemma split_size' c v : defs.size (split c (undivided v) 1) = group_size c (fun k => ~~ v k).
Proof.
rewrite /defs.size /group_size [RHS]big_mkcond; apply: eq_bigr => k _; rewrite /split /undivided /=.
by case: (v k); rewrite ?subrr ?subr0 ?mul1r ?mul0r.
Qed.
Lemma split_node c al : node (split c al) =1 c.
Proof. by move=> k; rewrite /node sum2 /split /=; ring. Qed.
Lemma split_whole c al : whole (split c al) = defs.size c.
Proof. by rewrite -whole_node; apply: size_ext => k; exact: split_node. Qed.
Lemma split_counts c al : nonneg c -> cube al -> counts (split c al).
Proof.
move=> c0 cal i k; have /andP[a0 a1] := cal k.
by rewrite /split; case: ifP => _; rewrite mulr_ge0 // subr_ge0.
Qed.
Lemma undivided_cube v : cube (undivided v : 'I_K -> R).
Proof. by move=> k; rewrite /undivided; case: (v k); rewrite ?ler01 ?lexx. Qed.
Lemma group_split c v : defs.size c = group_size c v + group_size c (fun k => ~~ v k).
Proof. by rewrite /defs.size (bigID v). Qed.
Lemma group_size_ge0 c v : nonneg c -> 0 <= group_size c v.
Proof. by move=> c0; apply: sumr_ge0 => k _; exact: c0. Qed.

Lemma squares_le_square c v : nonneg c -> group_squares c v <= group_size c v ^+ 2.
Proof.
move=> c0; rewrite expr2 /group_squares {1}/group_size mulr_suml; apply: ler_sum => k vk.
rewrite expr2; apply: ler_wpmul2l; first exact: c0.
by rewrite /group_size (bigD1 k) //= ler_addl; apply: sumr_ge0 => j _; exact: c0.
Qed.
Lemma squares_le_largest c v x : nonneg c -> (forall k, c k <= x) -> group_squares c v <= x * group_size c v.
Proof.
by move=> c0 cx; rewrite /group_squares /group_size mulr_sumr; apply: ler_sum => k _; rewrite expr2 ler_wpmul2r.
Qed.

Lemma weighted_gini (x : 'I_K -> R) : nonneg x ->
  weighted (@py_gini R K) x = defs.size x - (\sum_k x k ^+ 2) / defs.size x.
Proof.
move=> x0; rewrite /weighted /py_gini; have [z|nz] := eqVneq (defs.size x) 0.
  by rewrite z mul0r invr0 mulr0 subrr.
rewrite mulrBr mulr1 mulr_sumr mulr_suml; congr (_ - _); apply: eq_bigr => k _; rewrite /shares (negPf nz).
by move: (x k) (defs.size x) nz => y n nz; field.
Qed.
Lemma split_gini c v : nonneg c -> \sum_i weighted (@py_gini R K) (split c (undivided v) i)
  = defs.size c - (group_squares c v / group_size c v
                   + group_squares c (fun k => ~~ v k) / group_size c (fun k => ~~ v k)).
Proof.
move=> c0; have h := split_counts c0 (@undivided_cube v).
rewrite sum2 !weighted_gini //; rewrite split_size split_size' (group_split c v).
have -> : \sum_k split c (undivided v) 0 k ^+ 2 = group_squares c v.
  rewrite /group_squares [RHS]big_mkcond; apply: eq_bigr => k _; rewrite /split /undivided /=.
  by case: (v k); rewrite ?mul1r ?mul0r ?expr0n.
have -> : \sum_k split c (undivided v) 1 k ^+ 2 = group_squares c (fun k => ~~ v k).
  rewrite /group_squares [RHS]big_mkcond; apply: eq_bigr => k _; rewrite /split /undivided /=.
  by case: (v k); rewrite ?subrr ?subr0 ?mul1r ?mul0r ?expr0n.
by rewrite opprD !addrA; congr (_ - _); rewrite addrAC.
Qed.

Lemma isolating_group c i v : nonneg c -> (forall k, c k <= c i) -> v i ->
  group_squares c v / group_size c v + group_squares c (fun k => ~~ v k) / group_size c (fun k => ~~ v k)
  <= c i + group_squares c (fun k => k != i) / group_size c (fun k => k != i).
Proof.
move=> c0 ci vi; have [z|nz] := eqVneq (c i) 0.
  have cz k : c k = 0 by apply/eqP; rewrite eq_le -{1}z ci c0.
  by rewrite /group_squares !big1 ?mul0r ?z ?addr0 // => k _; rewrite cz expr0n.
have xp : 0 < c i by rewrite lt_neqAle eq_sym nz c0.
pose r k := v k && (k != i).
have -> : group_squares c v = c i ^+ 2 + group_squares c r by rewrite /group_squares (bigD1 i).
have -> : group_size c v = c i + group_size c r by rewrite /group_size (bigD1 i).
have rest (f : 'I_K -> R) : \sum_(k | k != i) f k = \sum_(k | r k) f k + \sum_(k | ~~ v k) f k.
  rewrite (bigID v) /=; congr (_ + _); apply: eq_bigl => k; first by rewrite /r andbC.
  by case: eqP => [->|_]; rewrite ?vi.
rewrite /(group_squares _ (fun k => k != i)) /(group_size _ (fun k => k != i)) !rest.
have q0 u : 0 <= group_squares c u by apply: sumr_ge0 => k _; exact: sqr_ge0.
by have := @isolated_is_best (c i) _ _ _ _ xp (group_size_ge0 r c0) (group_size_ge0 (fun k => ~~ v k) c0) (q0 r)
  (squares_le_largest r c0 ci) (q0 _) (squares_le_largest _ c0 ci) (squares_le_square _ c0).
Qed.

(* Breiman's Proposition: if no class of a node is more frequent than class i, then no split of the node, which may
   send any share of every class to the left, decreases Gini's impurity more than the one that isolates class i. *)
Theorem py_gini_isolates_most_frequent_class c i al : nonneg c -> (forall k, c k <= c i) -> cube al ->
  py_decrease_gini (split c al) <= py_decrease_gini (split c (undivided (fun k => k == i))).
Proof.
move=> c0 ci cal; have [v le] := py_gini_best_split_divides_no_class c0.
apply: le_trans (le al cal) _; rewrite !py_decrease_giniE.
apply: decrease_le; [exact: gini_ext|exact: (split_counts c0 (@undivided_cube v))| |].
  by move=> k; rewrite !split_node.
rewrite !split_gini // ler_add2l ler_opp2.
have -> : group_squares c (fun k => k == i) / group_size c (fun k => k == i) = c i.
  rewrite /group_squares /group_size !big_pred1_eq; have [->|nz] := eqVneq (c i) 0; first by rewrite expr0n mul0r.
  by rewrite expr2 mulfK.
case vi : (v i); first exact: isolating_group.
rewrite addrC; have := @isolating_group c i (fun k => ~~ v k) c0 ci (negbT vi).
have e f : \sum_(k < K | ~~ ~~ v k) f k = \sum_(k | v k) f k :> R by apply: eq_bigl => k; rewrite negbK.
by rewrite /group_squares /group_size !e.
Qed.

(* an instance: equal counts; no class is more frequent than the first, and no group is nearer to half *)
Example frequent_instance : let c : 'I_3 -> R := fun=> 1 in
  [/\ nonneg c, forall k, c k <= c ord0 & cube (fun _ : 'I_3 => 1 : R)].
Proof. by split=> [k|k|k]; rewrite ?lexx ?ler01. Qed.
End Breiman.
