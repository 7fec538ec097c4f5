(* With a strictly concave impurity every best split divides no class; entropy at such splits. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs risk vertex generated tie gains vertices breiman conservative refinement stopping.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Strict.
Variables (R : realFieldType) (K : nat) (phi : ('I_K.+2 -> R) -> R).
Hypotheses (ext : extensional phi) (conc : concave phi) (strict : strictly_concave phi).

Lemma best_is_a_vertex (c al : 'I_K.+2 -> R) : (forall k, 0 < c k) -> cube al ->
  (forall be, cube be -> decrease phi (split c be) <= decrease phi (split c al)) -> forall j, al j = 0 \/ al j = 1.
Proof.
move=> cp cal best j; have c0 : nonneg c by move=> k; exact: ltW.
have /andP[a0 a1] := cal j; set a := al j in a0 a1 *.
have [->|an0] := eqVneq a 0; first by left.
have [->|an1] := eqVneq a 1; first by right.
have ap : 0 < a by rewrite lt_neqAle eq_sym an0.
have bp : 0 < 1 - a by rewrite subr_gt0 lt_neqAle an1.
have [l lj] : exists l, l != j.
  by have [->|j0] := eqVneq j ord0; [exists ord_max|exists ord0; rewrite eq_sym].
pose put (x : R) : 'I_K.+2 -> R := fun i => if i == j then x else al i.
have cput x : 0 <= x <= 1 -> cube (put x) by move=> hx i; rewrite /put; case: ifP.
have c1 : cube (put 1) by apply: cput; rewrite ler01 lexx.
have cz : cube (put 0) by apply: cput; rewrite ler01 lexx.
pose L x : 'I_K.+2 -> R := fun k => put x k * c k.
pose M x : 'I_K.+2 -> R := fun k => (1 - put x k) * c k.
have L0 x : cube (put x) -> nonneg (L x) by move=> h k; rewrite mulr_ge0 //; case/andP: (h k).
have M0 x : cube (put x) -> nonneg (M x) by move=> h k; rewrite mulr_ge0 // subr_ge0; case/andP: (h k).
have scaled t z : weighted phi (fun k => t * z k) = t * weighted phi z by exact: (weighted_scale ext).
have Lmix : (fun k => al k * c k) =1 (fun k => a * L 1 k + (1 - a) * L 0 k).
  by move=> k; rewrite /L /put; case: eqP => [->|_]; rewrite -?/a; ring.
have Mmix : (fun k => (1 - al k) * c k) =1 (fun k => a * M 1 k + (1 - a) * M 0 k).
  by move=> k; rewrite /M /put; case: eqP => [->|_]; rewrite -?/a; ring.
pose h x := weighted phi (L x) + weighted phi (M x).
have sum_al : \sum_i weighted phi (split c al i)
    = weighted phi (fun k => al k * c k) + weighted phi (fun k => (1 - al k) * c k).
  by rewrite sum2.
have above x : cube (put x) -> \sum_i weighted phi (split c al i) <= h x.
  move=> cx; have := best _ cx; rewrite !decreaseE !split_whole.
  rewrite (weighted_ext ext (split_node c al)) (weighted_ext ext (split_node c (put x))).
  have n0 : 0 < defs.size c.
    by rewrite /defs.size (bigD1 j) //= ltr_paddr ?cp //; apply: sumr_ge0 => k _; exact: c0.
  by rewrite gt_eqF // ler_pmul2r ?invr_gt0 // ler_add2l ler_opp2 [X in _ <= X -> _]sum2.
have left_le : a * weighted phi (L 1) + (1 - a) * weighted phi (L 0) <= weighted phi (fun k => al k * c k).
  rewrite (weighted_ext ext Lmix) -!scaled; apply: (weighted_superadditive ext conc) => k.
    by rewrite mulr_ge0 ?L0.
  by rewrite mulr_ge0 ?L0 // ltW.
have right_le : a * weighted phi (M 1) + (1 - a) * weighted phi (M 0) <= weighted phi (fun k => (1 - al k) * c k).
  rewrite (weighted_ext ext Mmix) -!scaled; apply: (weighted_superadditive ext conc) => k.
    by rewrite mulr_ge0 ?M0.
  by rewrite mulr_ge0 ?M0 // ltW.
have le1 := ler_wpmul2l a0 (above 1 c1); have le0 := ler_wpmul2l (ltW bp) (above 0 cz).
have total := ler_add le1 le0; rewrite -mulrDl addrCA subrr addr0 mul1r sum_al in total.
have total' : weighted phi (fun k => al k * c k) + weighted phi (fun k => (1 - al k) * c k)
    <= (a * weighted phi (L 1) + (1 - a) * weighted phi (L 0))
       + (a * weighted phi (M 1) + (1 - a) * weighted phi (M 0)).
  by apply: le_trans total _; rewrite /h !mulrDr addrACA.
have eqL : a * weighted phi (L 1) + (1 - a) * weighted phi (L 0) = weighted phi (fun k => al k * c k).
  apply/eqP; rewrite eq_le left_le -(ler_add2r (weighted phi (fun k => (1 - al k) * c k))).
  by apply: le_trans total' _; rewrite ler_add2l.
have eqM : a * weighted phi (M 1) + (1 - a) * weighted phi (M 0) = weighted phi (fun k => (1 - al k) * c k).
  apply/eqP; rewrite eq_le right_le -(ler_add2l (weighted phi (fun k => al k * c k))).
  by apply: le_trans total' _; rewrite ler_add2r.
have nn (t : R) (z : 'I_K.+2 -> R) : 0 <= t -> nonneg z -> nonneg (fun k => t * z k).
  by move=> t0 z0 k; exact: mulr_ge0.
have zeroL : defs.size (L 0) = 0.
  have := strictly_superadditive ext strict (nn a (L 1) a0 (L0 1 c1)) (nn (1 - a) (L 0) (ltW bp) (L0 0 cz)).
  rewrite !scaled eqL !size_scale => /(_ (weighted_ext ext Lmix) j).
  have -> : L 0 j = 0 by rewrite /L /put eqxx mul0r.
  have -> : L 1 j = c j by rewrite /L /put eqxx mul1r.
  rewrite mulr0 mul0r => /eqP; rewrite !mulf_eq0 (gt_eqF ap) (gt_eqF (cp j)) (gt_eqF bp) /=.
  by move/eqP.
have zeroM : defs.size (M 1) = 0.
  have := strictly_superadditive ext strict (nn a (M 1) a0 (M0 1 c1)) (nn (1 - a) (M 0) (ltW bp) (M0 0 cz)).
  rewrite !scaled eqM !size_scale => /(_ (weighted_ext ext Mmix) j).
  have -> : M 1 j = 0 by rewrite /M /put eqxx subrr mul0r.
  have -> : M 0 j = c j by rewrite /M /put eqxx subr0 mul1r.
  rewrite mulr0 mul0r => /esym/eqP; rewrite !mulf_eq0 (gt_eqF ap) (gt_eqF (cp j)) (gt_eqF bp) /=.
  by move/eqP.
have := size0 (L0 _ cz) zeroL l; have := size0 (M0 _ c1) zeroM l.
rewrite /M /L /put (negPf lj) => /eqP; rewrite mulf_eq0 (gt_eqF (cp l)) orbF subr_eq0 => /eqP <-.
by rewrite mul1r => e; have := cp l; rewrite e ltxx.
Qed.
End Strict.

Section Strictly.
Variable R : realFieldType.

(* If all of two classes or more are present, every split with the largest gain of Gini's impurity divides no class: of
   each class it sends all examples to one side. *)
Theorem every_py_gini_best_split_divides_no_class K (c al : 'I_K.+2 -> R) : (forall k, 0 < c k) -> cube al ->
  (forall be, cube be -> py_decrease_gini (split c be) <= py_decrease_gini (split c al)) ->
  forall j, al j = 0 \/ al j = 1.
Proof. exact: (best_is_a_vertex (@gini_ext R _) (@gini_concave R _) (@gini_strictly_concave R _)). Qed.

(* The same for entropy, with any logarithm for which x log x is strictly convex. *)
Theorem every_py_entropy_best_split_divides_no_class log K (c al : 'I_K.+2 -> R) :
  xlogx_convex log -> xlogx_strictly_convex log -> (forall k, 0 < c k) -> cube al ->
  (forall be, cube be -> py_decrease_entropy log (split c be) <= py_decrease_entropy log (split c al)) ->
  forall j, al j = 0 \/ al j = 1.
Proof.
move=> conv sconv.
exact: (best_is_a_vertex (@entropy_ext R log _) (entropy_concave conv) (entropy_strictly_concave sconv)).
Qed.

Section Log.
Variables (log : R -> R) (K : nat).
Hypothesis logM : forall x y, 0 < x -> 0 < y -> log (x * y) = log x + log y.

Lemma xlogx_share (y s : R) : 0 <= y -> 0 < s -> s * xlogx log (y / s) = xlogx log y - y * log s.
Proof.
move=> y0 s0; have sn : s != 0 by rewrite gt_eqF.
have [->|yn] := eqVneq y 0; first by rewrite mul0r /xlogx eqxx mulr0 mul0r subrr.
have yp : 0 < y by rewrite lt_neqAle eq_sym yn.
rewrite /xlogx mulf_eq0 invr_eq0 (negPf yn) (negPf sn) /=.
have -> : log y = log (y / s) + log s by rewrite -logM ?divr_gt0 // divfK.
by move: (log (y / s)) (log s) => l m; field.
Qed.
Lemma weighted_entropy J (x : 'I_J -> R) : nonneg x ->
  weighted (@py_entropy R log J) x = xlogx log (defs.size x) - \sum_k xlogx log (x k).
Proof.
move=> x0; have [z|nz] := eqVneq (defs.size x) 0.
  rewrite /weighted z mul0r {1}/xlogx eqxx big1 ?subrr // => k _.
  by rewrite (size0 x0 z) /xlogx eqxx.
have sp : 0 < defs.size x by rewrite lt_neqAle eq_sym nz; apply: sumr_ge0 => k _; exact: x0.
rewrite /weighted /py_entropy mulrN mulr_sumr.
rewrite (eq_bigr (fun k => xlogx log (x k) - x k * log (defs.size x))) => [|k _].
  have xs : xlogx log (defs.size x) = defs.size x * log (defs.size x) by rewrite /xlogx (negPf nz).
  by rewrite sumrB -mulr_suml -/(defs.size x) xs opprB.
by rewrite -xlogx_share // /shares (negPf nz).
Qed.

(* the sizes of the two sides of a split that divides no class *)
Definition sides (c : 'I_K -> R) v : 'I_2 -> R :=
  fun g => if g == 0 then group_size c v else group_size c (fun k => ~~ v k).

(* At a split that divides no class the gain of entropy is the entropy of the sizes of its sides: any logarithm with
   the rule of products. *)
Theorem py_entropy_gain_of_undivided_classes (c : 'I_K -> R) v : nonneg c -> 0 < defs.size c ->
  py_decrease_entropy log (split c (undivided v)) = py_entropy log (shares (sides c v) (defs.size c)).
Proof.
move=> c0 n0; have t0 := split_counts c0 (@undivided_cube _ _ v).
have s0 : nonneg (sides c v) by move=> g; rewrite /sides; case: ifP => _; exact: group_size_ge0.
have sE : defs.size (sides c v) = defs.size c by rewrite {1}/defs.size sum2 /sides /= -group_split.
rewrite py_decrease_entropyE decreaseE split_whole gt_eqF // (weighted_ext (@entropy_ext R log K) (split_node c _)).
have -> : weighted (@py_entropy R log K) c - \sum_i weighted (@py_entropy R log K) (split c (undivided v) i)
  = weighted (@py_entropy R log 2) (sides c v).
  rewrite sum2 !weighted_entropy // split_size split_size' sE sum2 /sides /=.
  have parts_of : \sum_k xlogx log (c k) = \sum_k xlogx log (split c (undivided v) 0 k)
      + \sum_k xlogx log (split c (undivided v) 1 k).
    rewrite -big_split; apply: eq_bigr => k _; rewrite /split /undivided /=.
    have z : xlogx log 0 = 0 by rewrite /xlogx eqxx.
    by case: (v k); rewrite ?subrr ?subr0 mul1r mul0r z ?addr0 ?add0r.
  rewrite parts_of; move: (\sum_k xlogx log _) (\sum_k xlogx log _) => x y.
  by move: (xlogx _ _) (xlogx _ _) (xlogx _ _) => a b d; ring.
by rewrite /weighted sE mulrAC mulfV ?gt_eqF // mul1r.
Qed.

(* Of two splits that divide no class, entropy prefers the one whose sides are nearer to equal size. *)
Theorem py_entropy_prefers_sides_of_equal_size (c : 'I_K -> R) v w : xlogx_convex log -> nonneg c ->
  0 < defs.size c ->
  `|group_size c v - group_size c (fun k => ~~ v k)| <= `|group_size c w - group_size c (fun k => ~~ w k)| ->
  py_decrease_entropy log (split c (undivided w)) <= py_decrease_entropy log (split c (undivided v)).
Proof.
move=> conv c0 n0 le; rewrite !py_entropy_gain_of_undivided_classes //; set n := defs.size c in n0 *.
pose turned (x : 'I_2 -> R) : 'I_2 -> R := fun g => if g == 0 then x 1 else x 0.
have nz : n != 0 by rewrite gt_eqF.
have dist u : distribution (shares (sides c u) n).
  split=> [g|].
    rewrite /shares (negPf nz); apply: divr_ge0; last exact: ltW.
    by rewrite /sides; case: ifP => _; exact: group_size_ge0.
  by rewrite sum2 /shares (negPf nz) /sides /= -mulrDl -group_split mulfV.
have turn_entropy x : py_entropy log (turned x) = py_entropy log x.
  by rewrite /py_entropy !sum2 /turned /= addrC.
have turn_dist x : distribution x -> distribution (turned x).
  by move=> [x0 x1]; split=> [g|]; [rewrite /turned; case: ifP|rewrite -x1 !sum2 /turned /= addrC].
have mix a x : distribution x -> 0 <= a <= 1 -> py_entropy log x <= py_entropy log (mixed a x (turned x)).
  move=> dx a01; apply: le_trans (entropy_concave conv dx (turn_dist x dx) a01).
  by rewrite turn_entropy -mulrDl addrCA subrr addr0 mul1r.
pose d u := group_size c u - group_size c (fun k => ~~ u k); rewrite -/(d v) -/(d w) in le.
have half u : group_size c u = (n + d u) / 2%:R by rewrite /n (group_split c u) /d; field.
have half' u : group_size c (fun k => ~~ u k) = (n - d u) / 2%:R by rewrite /n (group_split c u) /d; field.
have same a : d v = (2%:R * a - 1) * d w -> mixed a (shares (sides c w) n) (turned (shares (sides c w) n))
    =1 shares (sides c v) n.
  move=> e g; rewrite /mixed /turned /shares (negPf nz) /sides; case: (g == 0);
  rewrite /= (half' w) (half w) ?(half' v) ?(half v) e; by move: (d w) (n) nz => x m m0; field.
have [z|dn] := eqVneq (d w) 0.
  have dv : d v = 0 by apply/eqP; rewrite -normr_le0 (le_trans le) // z normr0.
  rewrite -(entropy_ext log (same 1 _)); last by rewrite z dv mulr0.
  by apply: mix; rewrite ?dist // ler01 lexx.
pose a := (1 + d v / d w) / 2%:R.
have : `|d v / d w| <= 1 by rewrite normrM normfV ler_pdivr_mulr ?mul1r // normr_gt0.
rewrite ler_norml => /andP[lo hi].
rewrite -(entropy_ext log (same a _)); last by rewrite /a; move: (d v) (d w) dn => x y y0; field.
apply: mix => //; rewrite /a; apply/andP; split.
  by rewrite divr_ge0 ?ler0n // -ler_subl_addl sub0r.
by rewrite ler_pdivr_mulr ?ltr0n // mul1r -[2%:R]/(1 + 1) ler_add2l.
Qed.
End Log.

(* an instance: the logarithm 0 has the rule of products and a convex x log x; three classes of one sample each *)
Example undivided_instance (log := fun _ : R => 0 : R) (c := fun _ : 'I_3 => 1 : R) :
  [/\ forall x y, 0 < x -> 0 < y -> log (x * y) = log x + log y, xlogx_convex log, nonneg c & 0 < defs.size c].
Proof.
split=> [x y _ _|x y a _ _ _|k|]; rewrite ?addr0 ?ler01 //.
  have z u : xlogx log u = 0 by rewrite /xlogx /log mulr0; case: ifP.
  by rewrite !z !mulr0 addr0 lexx.
by rewrite /defs.size sumr_const card_ord ltr0Sn.
Qed.
End Strictly.

(* Every split with the largest gain of the root of Gini's impurity divides no class, if two or more are present. *)
Theorem every_py_sqrt_gini_best_split_divides_no_class (R : rcfType) K (c al : 'I_K.+2 -> R) :
  (forall k, 0 < c k) -> cube al ->
  (forall be, cube be -> py_decrease_sqrt_gini (@Num.sqrt R) (split c be) <= py_decrease_sqrt_gini (@Num.sqrt R) (split c al)) ->
  forall j, al j = 0 \/ al j = 1.
Proof.
exact: (best_is_a_vertex (@sqrt_gini_ext R _) (@sqrt_gini_concave R _) (@sqrt_gini_strictly_concave R _)).
Qed.

(* an instance: by the theorem before, a split with the largest Gini gain exists *)
Example best_split_instance (R : realFieldType) (c := fun _ : 'I_3 => 1 : R) :
  exists al, [/\ forall k, 0 < c k, cube al &
  forall be, cube be -> py_decrease_gini (split c be) <= py_decrease_gini (split c al)].
Proof.
have [|v best] := @py_gini_best_split_divides_no_class R 3 c; first by move=> k; exact: ler01.
by exists (undivided v); split=> [k||]; [exact: ltr01|exact: undivided_cube|].
Qed.
