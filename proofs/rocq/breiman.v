(* Breiman's Proposition: among all splits Gini's gain is largest where the most frequent class is alone on a side;
   entropy and twoing prefer groups of classes of equal size. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs risk vertex generated tie gains vertices.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

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
