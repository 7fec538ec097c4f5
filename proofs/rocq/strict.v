(* Impurities that are strictly concave, at splits and where a split gains nothing. *)
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint zmodp.
From mathcomp Require Import ring.
From splitcrit Require Import defs risk vertex generated tie vertices order refinement.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* The root of Gini's impurity, and NE: where it is misclassification, and when a split gains nothing. *)
Section Stopping.
Variable R : rcfType.
Local Notation sqrt := (@Num.sqrt R).

Lemma py_decrease_sqrt_giniE r K : @py_decrease_sqrt_gini R sqrt r K = decrease (@py_sqrt_gini R sqrt K) (r := r).
Proof. by []. Qed.
Lemma py_decrease_neE lam r K : @py_decrease_ne R sqrt lam r K = decrease (@py_ne R sqrt K lam) (r := r).
Proof. by []. Qed.
Definition factor K : R := (K%:R - 1) / K%:R.
Lemma py_sqrt_giniE K (p : 'I_K -> R) : py_sqrt_gini sqrt p = Num.sqrt (py_gini p * factor K).
Proof. by rewrite /factor mulrA. Qed.
Lemma py_neE lam K (p : 'I_K.+1 -> R) :
  py_ne sqrt lam p = Num.min (py_misclassification p) (lam * py_sqrt_gini sqrt p).
Proof. by []. Qed.

Lemma sqrt_gini_ext K : extensional (@py_sqrt_gini R sqrt K).
Proof. by move=> p q e; rewrite !py_sqrt_giniE (gini_ext e). Qed.
Lemma ne_ext lam K : extensional (@py_ne R sqrt K lam).
Proof. by move=> p q e; rewrite !py_neE (sqrt_gini_ext e) (misclassification_ext e). Qed.

Lemma gini_ge0 K (p : 'I_K -> R) : distribution p -> 0 <= py_gini p.
Proof.
move=> dp; rewrite /py_gini subr_ge0 -dp.2; apply: ler_sum => k _.
by have /andP[a b] := distribution_le1 k dp; rewrite -[X in _ <= X]mulr1 ler_wpmul2l.
Qed.
Lemma factor_ge0 K : 0 <= factor K.
Proof. by rewrite /factor; case: K => [|K]; rewrite ?invr0 ?mulr0 // divr_ge0 ?ler0n // subr_ge0 ler1n. Qed.

Lemma sqrt_gini_square K (p : 'I_K -> R) : distribution p -> py_sqrt_gini sqrt p ^+ 2 = py_gini p * factor K.
Proof. by move=> dp; rewrite py_sqrt_giniE sqr_sqrtr // mulr_ge0 ?gini_ge0 ?factor_ge0. Qed.

(* the square of mixed roots: with r = sqrt(c G(p)), s = sqrt(c G(q)) it is c G of the mixture less what is not
   negative *)
Lemma roots K (p q : 'I_K -> R) a : distribution p -> distribution q ->
  (a * py_sqrt_gini sqrt p + (1 - a) * py_sqrt_gini sqrt q) ^+ 2 = py_gini (mixed a p q) * factor K
    - a * (1 - a) * ((py_sqrt_gini sqrt p - py_sqrt_gini sqrt q) ^+ 2 + factor K * \sum_k (p k - q k) ^+ 2).
Proof.
move=> dp dq; have := sqrt_gini_square dp; have := sqrt_gini_square dq; rewrite gini_chord.
move: (py_sqrt_gini sqrt p) (py_sqrt_gini sqrt q) (py_gini p) (py_gini q) (factor K) (\sum_k _) => r s g h c d es er.
rewrite [RHS](_ : _ = a * (g * c) + (1 - a) * (h * c) - a * (1 - a) * (r - s) ^+ 2); last by ring.
by rewrite -er -es; ring.
Qed.

Lemma sqrt_gini_concave K : concave (@py_sqrt_gini R sqrt K).
Proof.
move=> p q a dp dq a01; have e := roots a dp dq; case/andP: (a01) => a0 a1;
have x0 : 0 <= a * py_sqrt_gini sqrt p + (1 - a) * py_sqrt_gini sqrt q.
  by rewrite addr_ge0 // mulr_ge0 ?subr_ge0 // sqrtr_ge0.
rewrite -(ger0_norm x0) -sqrtr_sqr e [py_sqrt_gini sqrt (mixed _ _ _)]py_sqrt_giniE; apply: ler_wsqrtr.
rewrite ler_subl_addr ler_addl mulr_ge0 //.
  by rewrite mulr_ge0 // subr_ge0.
by rewrite addr_ge0 ?sqr_ge0 // mulr_ge0 ?factor_ge0 //; apply: sumr_ge0 => k _; exact: sqr_ge0.
Qed.
Lemma sqrt_gini_strictly_concave K : strictly_concave (@py_sqrt_gini R sqrt K).
Proof.
move=> p q a k dp dq /andP[a0 a1] ne; have a01 : 0 <= a <= 1 by rewrite !ltW.
have e := roots a dp dq; have b0 : 0 < 1 - a by rewrite subr_gt0.
have x0 : 0 <= a * py_sqrt_gini sqrt p + (1 - a) * py_sqrt_gini sqrt q.
  by apply: addr_ge0; apply: mulr_ge0; rewrite ?sqrtr_ge0 // ltW.
have d0 : 0 < \sum_k (p k - q k) ^+ 2.
  rewrite (bigD1 k) //=; apply: ltr_spaddl; first by rewrite exprn_even_gt0 //= subr_eq0.
  by apply: sumr_ge0 => j _; exact: sqr_ge0.
have c0 : 0 < factor K.
  move: dp dq ne; clear e x0 d0; move: p q k; case: K => [|[|K]] p q k dp dq ne; [by case: (k)| |].
    by move: dp.2 dq.2 ne; rewrite !big_ord1 (ord1 k) => -> ->; rewrite eqxx.
  by rewrite /factor divr_gt0 ?ltr0n // subr_gt0 ltr1n.
have gap : 0 < a * (1 - a) * ((py_sqrt_gini sqrt p - py_sqrt_gini sqrt q) ^+ 2 + factor K * \sum_k (p k - q k) ^+ 2).
  by rewrite mulr_gt0 ?mulr_gt0 // ltr_paddl ?sqr_ge0 // mulr_gt0.
rewrite -(ger0_norm x0) -sqrtr_sqr e [py_sqrt_gini sqrt (mixed _ _ _)]py_sqrt_giniE ltr_sqrt.
  by rewrite ltr_subl_addr ltr_addl.
have := sqr_ge0 (a * py_sqrt_gini sqrt p + (1 - a) * py_sqrt_gini sqrt q); rewrite e subr_ge0.
exact: lt_le_trans.
Qed.
Lemma ne_concave lam K : 0 <= lam -> concave (@py_ne R sqrt K lam).
Proof.
move=> l0 p q a dp dq a01; have /andP[a0 a1] := a01; have b0 : 0 <= 1 - a by rewrite subr_ge0.
rewrite !py_neE le_minr; apply/andP; split.
  apply: le_trans (misclassification_concave dp dq a01); apply: ler_add; apply: ler_wpmul2l => //.
    by rewrite le_minl lexx.
  by rewrite le_minl lexx.
apply: le_trans (ler_wpmul2l l0 (sqrt_gini_concave dp dq a01)); rewrite mulrDr !(mulrCA lam).
by apply: ler_add; apply: ler_wpmul2l => //; rewrite le_minl lexx orbT.
Qed.

(* For all class counts some split that divides no class has the largest gain of the root of Gini's impurity. *)
Theorem py_sqrt_gini_best_split_divides_no_class K (c : 'I_K -> R) : nonneg c ->
  exists v, forall al, cube al -> py_decrease_sqrt_gini sqrt (split c al) <= py_decrease_sqrt_gini sqrt (split c (undivided v)).
Proof. exact: concave_vertex (@sqrt_gini_ext K) (@sqrt_gini_concave K). Qed.

(* The same for NE with any parameter that is not negative. *)
Theorem py_ne_best_split_divides_no_class lam K (c : 'I_K.+1 -> R) : 0 <= lam -> nonneg c ->
  exists v, forall al, cube al -> py_decrease_ne sqrt lam (split c al) <= py_decrease_ne sqrt lam (split c (undivided v)).
Proof. by move=> l0; exact: concave_vertex (@ne_ext lam K) (ne_concave l0). Qed.

(* With two classes some best grouping of the categories by the gain of the root of Gini's impurity is a cut of their
   order by the share of a class. *)
Theorem py_sqrt_gini_best_grouping_is_a_cut n (c : 'I_n -> 'I_2 -> R) : (forall j, nonneg (c j)) ->
  in_order_of_share c -> exists m, forall al, cube al ->
  py_decrease_sqrt_gini sqrt (grouped c al) <= py_decrease_sqrt_gini sqrt (grouped c (cut R m)).
Proof. exact: concave_cut (@sqrt_gini_ext 2) (@sqrt_gini_concave 2) c. Qed.

(* The same for NE with any parameter that is not negative. *)
Theorem py_ne_best_grouping_is_a_cut lam n (c : 'I_n -> 'I_2 -> R) : 0 <= lam -> (forall j, nonneg (c j)) ->
  in_order_of_share c -> exists m, forall al, cube al ->
  py_decrease_ne sqrt lam (grouped c al) <= py_decrease_ne sqrt lam (grouped c (cut R m)).
Proof. by move=> l0; exact: concave_cut (@ne_ext lam 1) (ne_concave l0) c. Qed.

Lemma sqrt_gini_symmetric K : symmetric_in_classes (@py_sqrt_gini R sqrt K).
Proof.
by move=> s p; rewrite !py_sqrt_giniE /py_gini (sum_over_permutation s (fun k => p k * p k)).
Qed.

(* The root of Gini's impurity is largest at equal shares. *)
Theorem py_sqrt_gini_is_largest_at_equal_shares K (p : 'I_K.+1 -> R) : distribution p ->
  py_sqrt_gini sqrt p <= py_sqrt_gini sqrt (fun _ : 'I_K.+1 => K.+1%:R^-1).
Proof.
apply: concave_symmetric_impurity_is_largest_at_equal_shares => //.
- exact: sqrt_gini_ext.
- exact: sqrt_gini_concave.
exact: sqrt_gini_symmetric.
Qed.

(* NE is largest at equal shares, with any parameter that is not negative. *)
Theorem py_ne_is_largest_at_equal_shares lam K (p : 'I_K.+1 -> R) : 0 <= lam -> distribution p ->
  py_ne sqrt lam p <= py_ne sqrt lam (fun _ : 'I_K.+1 => K.+1%:R^-1).
Proof.
move=> l0; apply: concave_symmetric_impurity_is_largest_at_equal_shares => //.
- exact: ne_ext.
- exact: ne_concave.
move=> s q; rewrite !py_neE sqrt_gini_symmetric; congr (Num.min (1 - _) _); exact: largest_over_permutation.
Qed.

(* The gain of the root of Gini's impurity is 0 exactly if all rows have the class shares of the node. *)
Theorem py_sqrt_gini_gain_is_zero_of_equal_shares_only r K (t : 'I_r -> 'I_K -> R) : counts t ->
  py_decrease_sqrt_gini sqrt t = 0 <-> equal_shares t.
Proof.
exact: zero_gain_of_equal_shares (@sqrt_gini_ext K) (@sqrt_gini_concave K) (@sqrt_gini_strictly_concave K) _ _.
Qed.

(* class counts lie in the zone of lam, where NE is misclassification: K (n - max)^2 <= lam^2 (K - 1) (n^2 - sum n_j^2)
   with K classes, a test on integers *)
Definition in_zone lam K (n : 'I_K.+1 -> R) :=
  K.+1%:R * (defs.size n - largest n) ^+ 2 <= lam ^+ 2 * K%:R * (defs.size n ^+ 2 - \sum_j n j ^+ 2).

Lemma in_zoneE lam K (n : 'I_K.+1 -> R) : 0 <= lam -> nonneg n -> 0 < defs.size n ->
  in_zone lam n = (py_misclassification (shares n (defs.size n)) <= lam * py_sqrt_gini sqrt (shares n (defs.size n))).
Proof.
move=> l0 n0 sp; have nz : defs.size n != 0 by rewrite gt_eqF.
have dp := shares_distribution n0 nz; set p := shares n _ in dp *.
have e : py_misclassification p = (defs.size n - largest n) / defs.size n.
  have := weighted_misclassification n0; rewrite /weighted -/p => <-.
  by rewrite mulrAC mulfV // mul1r.
have e0 : 0 <= py_misclassification p.
  rewrite /py_misclassification -/(largest p) subr_ge0; have [k ->] := largest_in p.
  by have /andP[] := distribution_le1 k dp.
have s0 : 0 <= lam * py_sqrt_gini sqrt p by rewrite mulr_ge0 // sqrtr_ge0.
rewrite -(@ler_pexpn2r _ 2) ?nnegrE // exprMn sqrt_gini_square // e /factor.
have -> : py_gini p = (defs.size n ^+ 2 - \sum_j n j ^+ 2) / defs.size n ^+ 2.
  have := weighted_gini n0; rewrite /weighted -/p => h.
  have -> : py_gini p = (defs.size n * py_gini p) / defs.size n by rewrite mulrAC mulfV // mul1r.
  by rewrite h; move: (\sum_j _) (defs.size n) nz => x y y0; field.
have kp : 0 < K.+1%:R * defs.size n ^+ 2 by rewrite mulr_gt0 ?ltr0n // exprn_gt0.
rewrite -[RHS](ler_pmul2l kp) /in_zone; congr (_ <= _).
  by move: (largest n) (defs.size n) nz => x y y0; field.
have k0 : K.+1%:R != 0 :> R by rewrite pnatr_eq0.
have k1 : K.+1%:R - 1 = K%:R :> R by rewrite -addn1 natrD addrK.
rewrite k1; move: (\sum_j _) (defs.size n) (K%:R : R) (K.+1%:R : R) nz k0 => x y u v y0 v0; field.
by rewrite y0 v0.
Qed.

(* NE of class counts is misclassification exactly if the counts lie in the zone. *)
Theorem py_ne_is_misclassification_in_zone_only lam K (n : 'I_K.+1 -> R) : 0 <= lam -> nonneg n -> 0 < defs.size n ->
  py_ne sqrt lam (shares n (defs.size n)) = py_misclassification (shares n (defs.size n)) <-> in_zone lam n.
Proof.
move=> l0 n0 sp; rewrite in_zoneE // py_neE; split=> [<-|h]; last exact: min_l.
by rewrite le_minl lexx orbT.
Qed.

(* With two classes counts lie in the zone exactly if the share of the minority is at most lam^2 / (1 + lam^2). *)
Theorem zone_of_two_classes_bounds_minority lam (n : 'I_2 -> R) : 0 <= lam -> nonneg n -> 0 < defs.size n ->
  in_zone lam n <-> (defs.size n - largest n) / defs.size n <= lam ^+ 2 / (1 + lam ^+ 2).
Proof.
move=> l0 n0 sp; have d0 : 0 < 1 + lam ^+ 2 by rewrite ltr_spaddl ?sqr_ge0.
rewrite ler_pdivr_mulr // mulrAC ler_pdivl_mulr //.
have : exists m M, [/\ 0 <= m, 0 <= M, defs.size n = m + M, largest n = M & \sum_j n j ^+ 2 = m ^+ 2 + M ^+ 2].
  rewrite /defs.size !sum2; have [k ek] := largest_in n; rewrite ek; case: (two k) => ->.
    by exists (n 1), (n 0); rewrite addrC [_ ^+ 2 + _]addrC.
  by exists (n 0), (n 1).
move=> [m [M [m0 M0 sE lE qE]]]; rewrite /in_zone sE lE qE addrK mulr1.
have -> : lam ^+ 2 * ((m + M) ^+ 2 - (m ^+ 2 + M ^+ 2)) = 2%:R * (m * (lam ^+ 2 * M)) by ring.
have [->|mz] := eqVneq m 0.
  by rewrite expr0n !mul0r !mulr0 add0r; split=> // _; rewrite mulr_ge0 // sqr_ge0.
have mp : 0 < m by rewrite lt_neqAle eq_sym mz.
rewrite ler_pmul2l ?ltr0n // expr2 ler_pmul2l // mulrDr mulr1 [lam ^+ 2 * (m + M)]mulrDr [m * _]mulrC addrC ler_add2l.
by [].
Qed.

Lemma weighted_ne lam K (n : 'I_K.+1 -> R) : nonneg n ->
  weighted (@py_ne R sqrt K lam) n
  = Num.min (weighted (@py_misclassification R K) n) (lam * weighted (@py_sqrt_gini R sqrt K.+1) n).
Proof.
move=> n0; have s0 : 0 <= defs.size n by apply: sumr_ge0 => k _; exact: n0.
by rewrite /weighted py_neE minr_pmulr // mulrCA.
Qed.
Lemma in_zone_weighted lam K (n : 'I_K.+1 -> R) : 0 <= lam -> nonneg n ->
  in_zone lam n = (weighted (@py_misclassification R K) n <= lam * weighted (@py_sqrt_gini R sqrt K.+1) n).
Proof.
move=> l0 n0; have [z|nz] := eqVneq (defs.size n) 0.
  have e := size0 n0 z; rewrite /weighted z !mul0r mulr0 lexx /in_zone z; have [k ->] := largest_in n.
  by rewrite e subrr expr0n mulr0 big1 ?subrr ?mulr0 ?lexx // => j _; rewrite e expr0n.
have sp : 0 < defs.size n by rewrite lt_neqAle eq_sym nz; apply: sumr_ge0 => k _; exact: n0.
by rewrite in_zoneE // /weighted mulrCA ler_pmul2l.
Qed.

(* The NE gain of a table is 0 exactly if all rows have the class shares of the node, or they share a majority class
   and each of them lies in the zone: any number of rows and classes. *)
Theorem py_ne_gain_is_zero_in_zone_of_shared_majority lam r K (t : 'I_r -> 'I_K.+1 -> R) : 0 < lam -> counts t ->
  py_decrease_ne sqrt lam t = 0 <->
  equal_shares t \/ ((exists k, majority_in_every_row t k) /\ forall i, in_zone lam (t i)).
Proof.
move=> lp t0; have l0 := ltW lp; have n0 := node_ge0 t0; rewrite py_decrease_neE.
pose e n := weighted (@py_misclassification R K) n; pose s n := lam * weighted (@py_sqrt_gini R sqrt K.+1) n.
have neE n : nonneg n -> weighted (@py_ne R sqrt K lam) n = Num.min (e n) (s n) by exact: weighted_ne.
have sumE : \sum_i weighted (@py_ne R sqrt K lam) (t i) = \sum_i Num.min (e (t i)) (s (t i)).
  by apply: eq_bigr => i _; exact: neE.
have eC : \sum_i e (t i) <= e (node t).
  exact: (weighted_sum (@misclassification_ext R K) (@misclassification_concave R K)).
have sC : \sum_i s (t i) <= s (node t).
  rewrite /s -mulr_sumr; apply: ler_wpmul2l => //.
  exact: (weighted_sum (@sqrt_gini_ext _) (@sqrt_gini_concave _)).
have minE : \sum_i Num.min (e (t i)) (s (t i)) <= \sum_i e (t i) by apply: ler_sum => i _; rewrite le_minl lexx.
have minS : \sum_i Num.min (e (t i)) (s (t i)) <= \sum_i s (t i) by apply: ler_sum => i _; rewrite le_minl lexx orbT.
split=> [/eqP|].
  rewrite decrease_eq0 // neE // sumE; have [zone|out] := leP (e (node t)) (s (node t)) => /eqP h.
    have eqE : \sum_i e (t i) = e (node t) by apply/eqP; rewrite eq_le eC h.
    right; split.
      apply/(py_misclassification_gain_is_zero_of_shared_majority t0); rewrite py_decrease_misclassificationE.
      by apply/eqP; rewrite decrease_eq0 // -/(e _) -eqE.
    move=> i; have hi : (fun i => Num.min (e (t i)) (s (t i))) =1 (fun i => e (t i)).
      by apply: sum_eq => [j|]; [rewrite le_minl lexx|rewrite -h eqE].
    by rewrite in_zone_weighted // -/(e _) -/(s _); have := hi i => /= <-; rewrite le_minl lexx orbT.
  left; have eqS : \sum_i s (t i) = s (node t) by apply/eqP; rewrite eq_le sC h.
  apply/(py_sqrt_gini_gain_is_zero_of_equal_shares_only t0); rewrite py_decrease_sqrt_giniE; apply/eqP.
  rewrite decrease_eq0 //; apply/eqP; apply: (mulfI (lt0r_neq0 lp)); rewrite mulr_sumr; exact: esym eqS.
move=> [eq|[maj zone]]; first exact: (no_gain_of_equal_shares (@ne_ext lam K) t0 eq).
apply/eqP; rewrite decrease_eq0 // neE // sumE.
have -> : \sum_i Num.min (e (t i)) (s (t i)) = \sum_i e (t i).
  by apply: eq_bigr => i _; apply: min_l; have := zone i; rewrite in_zone_weighted.
have eqE : e (node t) = \sum_i e (t i).
  have /(py_misclassification_gain_is_zero_of_shared_majority t0) := maj; rewrite py_decrease_misclassificationE.
  by move/eqP; rewrite decrease_eq0 // => /eqP.
rewrite -eqE; apply/eqP/min_l; rewrite eqE; apply: le_trans sC; apply: ler_sum => i _.
by have := zone i; rewrite in_zone_weighted.
Qed.

(* an instance: two equal rows, one sample of each of two classes; and a parameter *)
Example ne_instance : let t : 'I_2 -> 'I_2 -> R := fun _ _ => 1 in
  [/\ 0 < 1 :> R, counts t, 0 < defs.size (t 0) & distribution (fun _ : 'I_2 => 2%:R^-1 : R)].
Proof.
split=> [|i k||]; [exact: ltr01|exact: ler01| |].
  by rewrite /defs.size sumr_const card_ord ltr0Sn.
by split=> [k|]; rewrite ?invr_ge0 ?ler0n // sumr_const card_ord -[_ *+ 2]mulr_natl mulfV // pnatr_eq0.
Qed.

(* an instance: category j of five has five samples, j of them of the second class; and a parameter *)
Example in_order_roots_instance : let c := fun (j : 'I_5) (k : 'I_2) => (if k == 0 then (5 - j)%N else j)%:R : R in
  [/\ forall j, nonneg (c j), in_order_of_share c & 0 <= 1 :> R].
Proof. by move=> c; have [c0 ord] := @in_order_instance R 5; split=> //; exact: ler01. Qed.
End Stopping.

(* With a strictly concave impurity every best split divides no class; entropy at such splits. *)
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
