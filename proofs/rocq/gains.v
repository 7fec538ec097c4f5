(* What is common to decreases of impurities: weighted impurities, concavity, the largest of some numbers. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs risk vertex generated tie.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

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
