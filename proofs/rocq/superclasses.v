(* Superclasses and pairs of classes: twoing, one-vs-rest pairwise gain, and runs along which scores are convex. *)
From mathcomp Require Import all_ssreflect perm ssralg ssrnum ssrint zmodp.
From mathcomp Require Import ring.
From splitcrit Require Import defs risk vertex generated tie core vertices refinement order.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Twoing: two superclasses, best splits, and what it has to do with Gini. *)
Section Superclasses.
Variables (R : realFieldType) (K : nat).
Implicit Types (t : 'I_2 -> 'I_K -> R) (A : 'I_K -> bool).

Lemma ord2 (i : 'I_2) : i = 0 \/ i = 1.
Proof. by case: i => [[|[|//]] h]; [left|right]; apply: val_inj. Qed.
Lemma sqr_norm (x : R) : `|x| ^+ 2 = x ^+ 2.
Proof. by rewrite -normrX ger0_norm ?sqr_ge0. Qed.

(* the table with the classes merged into two: those of the group A, and the others *)
Definition superclasses A t : 'I_2 -> 'I_2 -> R :=
  fun i g => if g == 0 then \sum_(k | A k) t i k else \sum_(k | ~~ A k) t i k.

Lemma superclasses_size A t i : defs.size (superclasses A t i) = defs.size (t i).
Proof. by rewrite /defs.size sum2 /superclasses /= [RHS](bigID A). Qed.
Lemma crossing_sum t : \sum_k py_crossing t k = 0.
Proof.
by rewrite /py_crossing big_split /= sumrN -!mulr_suml mulrC subrr.
Qed.
Lemma superclasses_determinant A t :
  superclasses A t 0 0 * superclasses A t 1 1 - superclasses A t 0 1 * superclasses A t 1 0
  = \sum_(k | A k) py_crossing t k.
Proof.
rewrite /py_crossing big_split /= sumrN -!mulr_suml /superclasses /= !(bigID A xpredT) /=.
by move: (\sum_(k | A k) t 0 k) (\sum_(k | A k) t 1 k) => x y; ring.
Qed.
Lemma crossing_group A t : 2%:R * (\sum_(k | A k) py_crossing t k)
  = \sum_k (if A k then py_crossing t k else - py_crossing t k).
Proof.
have := crossing_sum t; rewrite (bigID A) /= => /eqP; rewrite addr_eq0 => /eqP e.
rewrite [RHS](bigID A) /= [X in _ = X + _](eq_bigr (py_crossing t)) => [|k ->] //.
rewrite [X in _ = _ + X](eq_bigr (fun k => - py_crossing t k)) => [|k /negPf ->] //.
by rewrite sumrN -e mulr_natl mulr2n.
Qed.

Lemma twoingE t : defs.size (t 0) != 0 -> defs.size (t 1) != 0 -> defs.size (t 0) + defs.size (t 1) != 0 ->
  py_twoing t = (\sum_k `|py_crossing t k|) ^+ 2
    / (4%:R * (defs.size (t 0) + defs.size (t 1)) ^+ 2 * defs.size (t 0) * defs.size (t 1)).
Proof.
move=> l r n; rewrite /py_twoing -/(defs.size (t 0)) -/(defs.size (t 1)) ifF.
  by rewrite -expr2; congr (_ / _); move: (defs.size (t 0)) (defs.size (t 1)) => a b; ring.
by rewrite !mulf_eq0 (negPf l) (negPf r) (negPf n) pnatr_eq0.
Qed.

(* Twoing is half of the largest Gini gain of two superclasses: no way of merging all classes of a table of two rows
   into two has a Gini gain above twice the twoing score, and the superclass of the classes that are relatively as
   frequent in the first row as in the second, or more frequent, has just that gain. *)
Theorem py_twoing_is_half_best_gini_gain_of_superclasses t : 0 < defs.size (t 0) -> 0 < defs.size (t 1) ->
  (forall A, py_decrease_gini (superclasses A t) <= 2%:R * py_twoing t) /\
  py_decrease_gini (superclasses (fun k => 0 <= py_crossing t k) t) = 2%:R * py_twoing t.
Proof.
move=> l r; have n : 0 < defs.size (t 0) + defs.size (t 1) by exact: addr_gt0.
have nz := (gt_eqF l, gt_eqF r, gt_eqF n).
pose c := (2%:R * (defs.size (t 0) + defs.size (t 1)) ^+ 2 * defs.size (t 0) * defs.size (t 1)).
have c0 : 0 < c by rewrite !mulr_gt0 ?exprn_gt0 ?ltr0n.
have giniE A : py_decrease_gini (superclasses A t) = (2%:R * (\sum_(k | A k) py_crossing t k)) ^+ 2 / c.
  rewrite py_decrease_giniE gini_gain_by_determinant ?superclasses_size ?nz // superclasses_determinant /c.
  move: (\sum_(k | _) _) (defs.size (t 0)) (defs.size (t 1)) l r n => x a b a0 b0 n; field.
  by rewrite !gt_eqF.
have twoE : 2%:R * py_twoing t = (\sum_k `|py_crossing t k|) ^+ 2 / c.
  rewrite twoingE ?nz // /c; move: (\sum_k _) (defs.size (t 0)) (defs.size (t 1)) l r n => x a b a0 b0 n; field.
  by rewrite !gt_eqF.
split=> [A|]; rewrite giniE twoE crossing_group.
  apply: ler_wpmul2r; first by rewrite invr_ge0 ltW.
  rewrite -[X in X <= _]sqr_norm; apply: ler_expn2r; rewrite ?nnegrE ?normr_ge0 ?sumr_ge0 //.
  by apply: le_trans (ler_norm_sum _ _ _) _; apply: ler_sum => k _; case: (A k); rewrite ?normrN.
congr (_ ^+ 2 / _); apply: eq_bigr => k _; case: (lerP 0 (py_crossing t k)) => [/ger0_norm|/ltr0_norm] -> //.
Qed.

(* an instance: the table of ones *)
Example superclasses_instance : let t : 'I_2 -> 'I_3 -> R := fun _ _ => 1 in
  [/\ counts t, 0 < defs.size (t 0) & 0 < defs.size (t 1)].
Proof. by split=> [i k||]; rewrite /defs.size ?ler01 // sumr_const card_ord ltr0Sn. Qed.

(* For two rows and any number of classes Gini's gain is the sum of the squared crossings, over the sizes. *)
Theorem py_gini_gain_is_sum_of_squared_crossings t : counts t -> 0 < defs.size (t 0) -> 0 < defs.size (t 1) ->
  py_decrease_gini t = (\sum_k py_crossing t k ^+ 2)
    / ((defs.size (t 0) + defs.size (t 1)) ^+ 2 * defs.size (t 0) * defs.size (t 1)).
Proof.
move=> t0 l r; have n : 0 < defs.size (t 0) + defs.size (t 1) by exact: addr_gt0.
have wE : whole t = defs.size (t 0) + defs.size (t 1) by rewrite /whole sum2.
have n0 : nonneg (node t) by move=> k; apply: sumr_ge0 => i _; exact: t0.
rewrite py_decrease_giniE decreaseE sum2 !weighted_gini // whole_node wE gt_eqF //.
have e : \sum_k py_crossing t k ^+ 2 = (defs.size (t 0) + defs.size (t 1)) * defs.size (t 0) * defs.size (t 1) *
  ((\sum_k t 0 k ^+ 2) / defs.size (t 0) + (\sum_k t 1 k ^+ 2) / defs.size (t 1) - (\sum_k node t k ^+ 2) /
   (defs.size (t 0) + defs.size (t 1))).
  rewrite /py_crossing -/(defs.size (t 0)) -/(defs.size (t 1)).
  move: (defs.size (t 0)) (defs.size (t 1)) l r n => a b a0 b0 n.
  rewrite !mulr_suml -big_split /= -sumrB mulr_sumr; apply: eq_bigr => k _; rewrite /node sum2.
  by move: (t 0 k) (t 1 k) => x y; field; rewrite !gt_eqF.
rewrite e; move: (\sum_k t 0 k ^+ 2) (\sum_k t 1 k ^+ 2) (\sum_k node t k ^+ 2) => x y z.
by move: (defs.size (t 0)) (defs.size (t 1)) l r n => a b a0 b0 n; field; rewrite !gt_eqF.
Qed.

(* (2.2) of Breiman 1996 as printed, with the squares inside the sum *)
Definition printed_twoing t :=
  let n := defs.size (t 0) + defs.size (t 1) in
  (defs.size (t 0) / n) * (defs.size (t 1) / n) / 4%:R *
  \sum_k (t 0 k / defs.size (t 0) - t 1 k / defs.size (t 1)) ^+ 2.

(* (2.2) as printed is a quarter of Gini's gain for any number of classes: no criterion of its own. *)
Theorem printed_twoing_is_quarter_of_py_gini_gain t : counts t -> 0 < defs.size (t 0) -> 0 < defs.size (t 1) ->
  printed_twoing t = py_decrease_gini t / 4%:R.
Proof.
move=> t0 l r; rewrite py_gini_gain_is_sum_of_squared_crossings // /printed_twoing.
have n : 0 < defs.size (t 0) + defs.size (t 1) by exact: addr_gt0.
rewrite /py_crossing -/(defs.size (t 0)) -/(defs.size (t 1)) /=.
move: (defs.size (t 0)) (defs.size (t 1)) l r n => a b a0 b0 n.
rewrite !mulr_suml mulr_sumr; apply: eq_bigr => k _; move: (t 0 k) (t 1 k) => x y; field.
by rewrite !gt_eqF.
Qed.

(* At a split that divides no class, twoing is the product of the shares of the two sides. *)
Theorem py_twoing_of_undivided_classes (c : 'I_K -> R) v : nonneg c ->
  py_twoing (split c (undivided v)) = group_size c v * group_size c (fun k => ~~ v k) / defs.size c ^+ 2.
Proof.
move=> c0; rewrite /py_twoing -/(defs.size (split c (undivided v) 0)) -/(defs.size (split c (undivided v) 1)).
rewrite split_size split_size' (group_split c v); set s := group_size c v; set s' := group_size c _.
have s0 : 0 <= s by exact: group_size_ge0. have s0' : 0 <= s' by exact: group_size_ge0.
have -> : \sum_k `|split c (undivided v) 0 k * s' - split c (undivided v) 1 k * s| = 2%:R * s * s'.
  rewrite (bigID v) /= (eq_bigr (fun k => c k * s')) => [|k vk]; last first.
    by rewrite /split /undivided vk /= mul1r subrr !mul0r subr0 ger0_norm // mulr_ge0.
  rewrite -mulr_suml [X in _ + X](eq_bigr (fun k => c k * s)) => [|k vk]; last first.
    by rewrite /split /undivided (negPf vk) /= !mul0r subr0 mul1r sub0r normrN ger0_norm // mulr_ge0.
  by rewrite -mulr_suml -/(group_size c v) -/(group_size c _) -/s -/s'; ring.
have [z|nz] := eqVneq s 0; first by rewrite z !(mulr0, mul0r).
have [z|nz'] := eqVneq s' 0; first by rewrite z !(mulr0, mul0r).
have n : s + s' != 0 by rewrite paddr_eq0 // negb_and nz.
by rewrite ifF; [field; rewrite n nz nz'|rewrite !mulf_eq0 (negPf nz) (negPf nz') (negPf n) pnatr_eq0].
Qed.

(* Of two splits that divide no class, twoing prefers the one whose sides are nearer to equal size. *)
Theorem py_twoing_prefers_sides_of_equal_size (c : 'I_K -> R) v w : nonneg c ->
  `|group_size c v - group_size c (fun k => ~~ v k)| <= `|group_size c w - group_size c (fun k => ~~ w k)| ->
  py_twoing (split c (undivided w)) <= py_twoing (split c (undivided v)).
Proof.
move=> c0 le; rewrite !py_twoing_of_undivided_classes //; apply: ler_wpmul2r; first by rewrite invr_ge0 sqr_ge0.
have e u : group_size c u * group_size c (fun k => ~~ u k)
  = (defs.size c ^+ 2 - `|group_size c u - group_size c (fun k => ~~ u k)| ^+ 2) / 4%:R.
  by rewrite (group_split c u) sqr_norm; field.
rewrite !e; apply: ler_wpmul2r; first by rewrite invr_ge0 ler0n.
by rewrite ler_add2l ler_opp2; apply: ler_expn2r; rewrite ?nnegrE.
Qed.

(* For all class counts there is a group of classes such that sending it to the left, and the others to the right, has
   at least the twoing score of any split, which may send any share of every class to the left. *)
Theorem py_twoing_best_split_divides_no_class (c : 'I_K -> R) : nonneg c ->
  exists v, forall al, cube al -> py_twoing (split c al) <= py_twoing (split c (undivided v)).
Proof.
move=> c0; apply: (@best_vertex _ _ (fun al => py_twoing (split c al))) => [v w e|al cal].
  rewrite !py_twoing_of_undivided_classes // /group_size; congr (_ * _ / _); apply: eq_bigl => k; first exact: e.
  by rewrite e.
have t0 := split_counts c0 cal; have s0 i : 0 <= defs.size (split c al i) by apply: sumr_ge0 => k _; exact: t0.
have any : 0 <= py_twoing (split c (undivided xpredT)).
  by rewrite py_twoing_of_undivided_classes // divr_ge0 ?sqr_ge0 // mulr_ge0 ?group_size_ge0.
have empty i : defs.size (split c al i) = 0 -> py_twoing (split c al) = 0.
  move=> z; have zero := size0 (t0 i) z.
  have cross k : split c al 0 k * defs.size (split c al 1) - split c al 1 k * defs.size (split c al 0) = 0.
    by case: (ord2 i) zero z => -> zero z; rewrite zero z mul0r mulr0 subrr.
  by rewrite /py_twoing big1 ?mul0r // => k _; rewrite cross normr0.
have [z|l] := eqVneq (defs.size (split c al 0)) 0; first by exists xpredT; rewrite (empty 0 z).
have [z|r] := eqVneq (defs.size (split c al 1)) 0; first by exists xpredT; rewrite (empty 1 z).
have lp : 0 < defs.size (split c al 0) by rewrite lt_neqAle eq_sym l s0.
have rp : 0 < defs.size (split c al 1) by rewrite lt_neqAle eq_sym r s0.
have [_ best] := py_twoing_is_half_best_gini_gain_of_superclasses lp rp.
set A := fun k => 0 <= _ in best; exists A.
rewrite -(ler_pmul2l (ltr0Sn R 1)) -best py_twoing_of_undivided_classes //.
set u := superclasses A _ in best *.
have u0 : counts u.
  by move=> i g; rewrite /u /superclasses; case: ifP => _; apply: sumr_ge0 => k _; exact: t0.
have wE : whole u = defs.size c.
  by rewrite -(split_whole c al) /whole !sum2 !superclasses_size.
rewrite py_decrease_giniE decreaseE wE.
have n0 : 0 < defs.size c by rewrite -(split_whole c al) /whole sum2 addr_gt0.
rewrite gt_eqF // ler_pdivr_mulr //.
apply: (@le_trans _ _ (weighted (@gini R 2) (node u))).
  rewrite ler_subl_addr ler_addl; apply: sumr_ge0 => i _; rewrite weighted_gini // subr_ge0.
  have := squares_le_square xpredT (u0 i); rewrite /group_squares /group_size expr2 -/(defs.size (u i)).
  have [->|nz] := eqVneq (defs.size (u i)) 0; first by move=> _; rewrite invr0 mulr0.
  by rewrite ler_pdivr_mulr // lt_neqAle eq_sym nz; apply: sumr_ge0 => k _; exact: u0.
have nd0 : nonneg (node u) by move=> g; apply: sumr_ge0 => i _; exact: u0.
rewrite weighted_gini // whole_node wE sum2.
have -> : node u 0 = group_size c A.
  rewrite /node sum2 /u /superclasses /= -big_split /=; apply: eq_bigr => k _.
  by rewrite -[RHS](split_node c al) /node sum2.
have -> : node u 1 = group_size c (fun k => ~~ A k).
  rewrite /node sum2 /u /superclasses /= -big_split /=; apply: eq_bigr => k _.
  by rewrite -[RHS](split_node c al) /node sum2.
rewrite le_eqVlt; apply/orP; left; apply/eqP; move: n0; rewrite (group_split c A).
by move: (group_size c A) (group_size c _) => a b n0; field; rewrite gt_eqF.
Qed.

(* an instance: of three classes of one sample each, one against two is nearer to equal sizes than none against all *)
Example frequent_instance (c := fun _ : 'I_3 => 1 : R) (v := fun k : 'I_3 => k == ord0) (w := fun _ : 'I_3 => false) :
  nonneg c /\ `|group_size c v - group_size c (fun k => ~~ v k)| <= `|group_size c w - group_size c (fun k => ~~ w k)|.
Proof.
split=> [k|]; first exact: ler01.
have e u : group_size c u = \sum_(k < 3) (if u k then 1 else 0) by rewrite /group_size big_mkcond.
rewrite !e !big_ord_recl !big_ord0 /v /w /c /= !addr0 !add0r normrN opprD addrA subrr.
by rewrite add0r normrN !ger0_norm ?addr_ge0 ?ler01 // ler_addl addr_ge0 ?ler01.
Qed.
End Superclasses.

(* One-vs-rest pairwise gain: its best splits divide no class, and prefer sides of equal size. *)
Section Pairs.
Variables (R : realFieldType) (K : nat).
Implicit Types (c al : 'I_K -> R) (v w : 'I_K -> bool).

Lemma split_crossing c al k : py_crossing (split c al) k = c k * (al k * defs.size c - \sum_j al j * c j).
Proof.
rewrite /py_crossing /split /=.
have -> : \sum_j (1 - al j) * c j = defs.size c - \sum_j al j * c j.
  by rewrite /defs.size -sumrB; apply: eq_bigr => j _; ring.
by move: (\sum_j al j * c j) (defs.size c) => s n; ring.
Qed.
Lemma one_vs_restE (t : 'I_2 -> 'I_K -> R) : py_one_vs_rest t = (\sum_k `|py_crossing t k|) / 4%:R.
Proof. by []. Qed.

(* For all class counts there is a group of classes such that sending it to the left, and the others to the right, has
   at least the one-vs-rest pairwise gain of any split, which may send any share of every class to the left. *)
Theorem py_one_vs_rest_best_split_divides_no_class c :
  exists v, forall al, cube al -> py_one_vs_rest (split c al) <= py_one_vs_rest (split c (undivided v)).
Proof.
have ext al be : al =1 be -> py_one_vs_rest (split c al) = py_one_vs_rest (split c be).
  move=> e; rewrite !one_vs_restE; congr (_ / _); apply: eq_bigr => k _; rewrite !split_crossing e.
  by congr (`|_ * (_ - _)|); apply: eq_bigr => j _; rewrite e.
apply: (@best_vertex R _ (fun al => py_one_vs_rest (split c al))) => [v w e|al cal].
  by apply: ext => k; rewrite /undivided e.
have [] := @vertex_minimum R K (fun al => - py_one_vs_rest (split c al)) _ _ al cal.
- by move=> x y e; rewrite (ext x y).
- move=> a x y /andP[a0 a1] _ _; have b0 : 0 <= 1 - a by rewrite subr_ge0.
  rewrite !mulrN -opprD ler_opp2 !one_vs_restE !mulrA -mulrDl; apply: ler_wpmul2r; first by rewrite invr_ge0 ler0n.
  rewrite !mulr_sumr -big_split; apply: ler_sum => k _ /=.
  have -> : py_crossing (split c (mixed a x y)) k
      = a * py_crossing (split c x) k + (1 - a) * py_crossing (split c y) k.
    rewrite !split_crossing /mixed.
    have -> : \sum_j (a * x j + (1 - a) * y j) * c j = a * (\sum_j x j * c j) + (1 - a) * (\sum_j y j * c j).
      by rewrite !mulr_sumr -big_split; apply: eq_bigr => j _ /=; ring.
    by move: (\sum_j x j * c j) (\sum_j y j * c j) (defs.size c) => u z n; ring.
  by apply: le_trans (ler_norm_add _ _) _; rewrite !normrM (ger0_norm a0) (ger0_norm b0).
by move=> v; rewrite ler_opp2 => le; exists v.
Qed.

(* At a split that divides no class, one-vs-rest pairwise gain is half the product of the sizes of the two sides. *)
Theorem py_one_vs_rest_of_undivided_classes c v : nonneg c ->
  py_one_vs_rest (split c (undivided v)) = group_size c v * group_size c (fun k => ~~ v k) / 2%:R.
Proof.
move=> c0; rewrite one_vs_restE; set s := group_size c v; set s' := group_size c _.
have s0 : 0 <= s by exact: group_size_ge0.
have s0' : 0 <= s' by exact: group_size_ge0.
have sE : \sum_j undivided v j * c j = s by rewrite /s -split_size.
have nE : defs.size c = s + s' by rewrite (group_split c v).
have -> : \sum_k `|py_crossing (split c (undivided v)) k| = 2%:R * (s * s').
  rewrite (bigID v) /= (eq_bigr (fun k => c k * s')) => [|k vk]; last first.
    rewrite split_crossing sE nE /undivided vk /= mul1r [s + s']addrC addrK ger0_norm // mulr_ge0 //; exact: c0.
  rewrite -mulr_suml [X in _ + X](eq_bigr (fun k => c k * s)) => [|k vk]; last first.
    by rewrite split_crossing sE /undivided (negPf vk) mul0r sub0r mulrN normrN ger0_norm // mulr_ge0.
  by rewrite -mulr_suml -/(group_size c v) -/(group_size c _) -/s -/s'; ring.
by field.
Qed.

(* an instance: three classes of one sample each *)
Example counts_instance : nonneg (fun _ : 'I_3 => 1 : R).
Proof. by move=> k; exact: ler01. Qed.
End Pairs.

Section Unseen.
Variable R : realFieldType.

Lemma twoing_by_crossings J (u : 'I_2 -> 'I_J -> R) : py_twoing u =
  let l := \sum_j u 0 j in let r := \sum_j u 1 j in
  (\sum_j `|py_crossing u j|) * (\sum_j `|py_crossing u j|)
  / (if 4%:R * (l + r) * (l + r) * l * r == 0 then 1 else 4%:R * (l + r) * (l + r) * l * r).
Proof. by []. Qed.

(* Twoing and one-vs-rest pairwise gain are the same without a class of which there are no examples. *)
Theorem py_twoing_and_one_vs_rest_see_no_empty_class K k (t : 'I_2 -> 'I_K.+1 -> R) : (forall i, t i k = 0) ->
  py_twoing t = py_twoing (without_class k t) /\ py_one_vs_rest t = py_one_vs_rest (without_class k t).
Proof.
move=> z; have sz i : \sum_j t i j = \sum_j without_class k t i j by rewrite (drop_sum (z i)).
have crossE j : py_crossing t (lift k j) = py_crossing (without_class k t) j by rewrite /py_crossing !sz.
have sumE : \sum_j `|py_crossing t j| = \sum_j `|py_crossing (without_class k t) j|.
  rewrite (@drop_sum _ _ k (fun j => `|py_crossing t j|)); first by apply: eq_bigr => j _; rewrite crossE.
  by rewrite /py_crossing !z !mul0r subrr normr0.
by rewrite !twoing_by_crossings !one_vs_restE sumE !sz.
Qed.

(* Twoing and one-vs-rest pairwise gain do not depend on which row is the left one, nor on the order of the classes. *)
Theorem py_twoing_and_one_vs_rest_depend_on_no_order K (s : {perm 'I_K}) (t : 'I_2 -> 'I_K -> R) :
  let t' := fun i k => t (if i == 0 then 1 else 0) (s k) in
  py_twoing t' = py_twoing t /\ py_one_vs_rest t' = py_one_vs_rest t.
Proof.
move=> t'; have s0 : \sum_k t' 0 k = \sum_k t 1 k by exact: (sum_over_permutation s (t 1)).
have s1 : \sum_k t' 1 k = \sum_k t 0 k by exact: (sum_over_permutation s (t 0)).
have crossE k : `|py_crossing t' k| = `|py_crossing t (s k)|.
  by rewrite -normrN /py_crossing s0 s1 /t' /= opprB.
have sumE : \sum_k `|py_crossing t' k| = \sum_k `|py_crossing t k|.
  by rewrite (eq_bigr _ (fun k _ => crossE k)); exact: (sum_over_permutation s (fun k => `|py_crossing t k|)).
split; last by rewrite !one_vs_restE sumE.
rewrite !twoing_by_crossings /= sumE s0 s1; move: (\sum_k `|_|) => x; move: (\sum_k t 0 k) (\sum_k t 1 k) => a b.
by have -> : 4%:R * (b + a) * (b + a) * b * a = 4%:R * (a + b) * (a + b) * a * b by ring.
Qed.

(* an instance: no examples of the first of three classes *)
Example unseen_instance : forall i : 'I_2, (fun (_ : 'I_2) (k : 'I_3) => (k != ord0)%:R : R) i ord0 = 0.
Proof. by []. Qed.
End Unseen.

(* For two classes the sum of min(p, 1 - p) is twice misclassification. *)
Theorem py_bayes_sum_is_twice_misclassification_of_two_classes (R : realFieldType) (p : 'I_2 -> R) :
  \sum_k p k = 1 -> py_bayes_sum p = 2%:R * py_misclassification p.
Proof.
rewrite sum2 => p1; rewrite /py_bayes_sum sum2 /py_misclassification -/(largest p).
have e0 : 1 - p 0 = p 1 by rewrite -p1 addrC addKr.
have e1 : 1 - p 1 = p 0 by rewrite -p1 addrK.
rewrite e0 e1; have [le|/ltW le] := leP (p 0) (p 1).
  by rewrite (@largest_eq _ _ p 1) ?e1 ?min_l ?min_r // ?mulr_natl ?mulr2n // => j; case: (ord2 j) => ->.
by rewrite (@largest_eq _ _ p 0) ?e0 ?min_l ?min_r // ?mulr_natl ?mulr2n // => j; case: (ord2 j) => ->.
Qed.

(* an instance: shares 1/2 *)
Example half_instance (R : realFieldType) : \sum_(k < 2) 2%:R^-1 = 1 :> R.
Proof. by rewrite sum2; have := splitr (1 : R); rewrite !div1r => <-. Qed.

(* Runs of examples and orders of categories: convex along them, so that some best cut or grouping is at an end. *)
Section Runs.
Variables (R : realFieldType) (K : nat).
Implicit Types t u : 'I_2 -> 'I_K -> R.
(* two splits of one node: each class has as many examples in both *)
Definition of_one_node t u := forall k, t 0 k + t 1 k = u 0 k + u 1 k.
(* the split a part a of the way back from u to t: as many examples of each class as lie between the two *)
Definition between a t u : 'I_2 -> 'I_K -> R := fun i k => a * t i k + (1 - a) * u i k.

Lemma between_crossing a t u k : of_one_node t u ->
  py_crossing (between a t u) k = a * py_crossing t k + (1 - a) * py_crossing u k.
Proof.
move=> e; rewrite /py_crossing /between.
have sums i : \sum_j (a * t i j + (1 - a) * u i j) = a * (\sum_j t i j) + (1 - a) * (\sum_j u i j).
  by rewrite !mulr_sumr -big_split.
have whole : \sum_j t 0 j + \sum_j t 1 j = \sum_j u 0 j + \sum_j u 1 j.
  by rewrite -!big_split; apply: eq_bigr => j _ /=.
have e1 : t 1 k = u 0 k + u 1 k - t 0 k by rewrite -e addrC addKr.
have w1 : \sum_j t 1 j = \sum_j u 0 j + \sum_j u 1 j - \sum_j t 0 j by rewrite -whole addrC addKr.
rewrite !sums e1 w1; move: (\sum_j t 0 j) (\sum_j u 0 j) (\sum_j u 1 j) (t 0 k) (u 0 k) (u 1 k) => *; ring.
Qed.

(* One-vs-rest pairwise gain is convex between two splits of a node, for any number of classes: inside a run of
   examples of one class, or of one mixture of classes, it is at most a mixture of its values at the ends. *)
Theorem py_one_vs_rest_is_convex_between_splits a t u : 0 <= a <= 1 -> of_one_node t u ->
  py_one_vs_rest (between a t u) <= a * py_one_vs_rest t + (1 - a) * py_one_vs_rest u.
Proof.
move=> /andP[a0 a1] e; have b0 : 0 <= 1 - a by rewrite subr_ge0.
rewrite !one_vs_restE !mulrA -mulrDl; apply: ler_wpmul2r; first by rewrite invr_ge0 ler0n.
rewrite !mulr_sumr -big_split; apply: ler_sum => k _ /=; rewrite between_crossing //.
by apply: le_trans (ler_norm_add _ _) _; rewrite !normrM (ger0_norm a0) (ger0_norm b0).
Qed.

(* an instance: two splits of a node of ones *)
Example run_instance : of_one_node (fun _ _ => 1 : R) (fun i _ => if i == 0 then 2%:R else 0).
Proof. by move=> k /=; rewrite addr0. Qed.
End Runs.

Section Groupings.
Variables (R : realFieldType) (n : nat).

(* With two classes, of any number of categories in the order of their shares of a class, some cut of that order is as
   good as any grouping, be it one that divides categories, for every concave impurity. *)
Theorem best_grouping_of_concave_impurity_is_a_cut (phi : ('I_2 -> R) -> R) (c : 'I_n -> 'I_2 -> R) :
  extensional phi -> concave phi -> (forall j, nonneg (c j)) -> in_order_of_share c ->
  exists m, forall al, cube al -> decrease phi (grouped c al) <= decrease phi (grouped c (cut R m)).
Proof. by move=> ext conc; exact: concave_cut. Qed.
End Groupings.
