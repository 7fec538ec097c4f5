(* Where impurities vanish, where they are largest, and how they compare, of the printed code. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs risk generated concave losses risk_concavity risk_roots risk_ne risk_gce.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Bounds.
Variable R : realFieldType.

(* all examples are of one class *)
Definition pure K (p : 'I_K -> R) := exists j, p j = 1.

(* Gini's impurity lies between misclassification and twice as much. *)
Theorem py_gini_is_near_misclassification K (p : 'I_K.+1 -> R) : distribution p ->
  py_misclassification p <= py_gini p /\ py_gini p <= 2%:R * py_misclassification p.
Proof.
move=> d; have [p0 p1] := d; rewrite /py_misclassification /py_gini; have [j -> top] := largest_is_a_share p.
split.
  rewrite ler_add2l ler_opp2 -[p j]mulr1 -p1 mulr_sumr; apply: ler_sum => k _; exact: ler_wpmul2r.
apply: (@le_trans _ _ (1 - p j * p j)).
  by rewrite ler_add2l ler_opp2 (bigD1 j) //= ler_addl; apply: sumr_ge0 => k _; exact: mulr_ge0.
rewrite -subr_ge0; have -> : 2%:R * (1 - p j) - (1 - p j * p j) = (1 - p j) ^+ 2 by ring.
exact: sqr_ge0.
Qed.

(* The sum of the Bayes errors is twice misclassification, but 1 at most: flat where no class has a majority. *)
Theorem py_bayes_sum_is_flat_of_no_majority K (p : 'I_K.+1 -> R) : distribution p ->
  py_bayes_sum p = Num.min 1 (2%:R * py_misclassification p).
Proof.
move=> d; have [p0 p1] := d; rewrite /py_misclassification; have [j -> top] := largest_is_a_share p.
have others k : k != j -> p k + p j <= 1.
  by move=> ne; rewrite -p1 (bigD1 j) //= (bigD1 k) //= addrC ler_add2l ler_addl; apply: sumr_ge0.
have small k : p k + p k <= 1 -> Num.min (p k) (1 - p k) = p k.
  by move=> h; apply/min_idPl; rewrite ler_subr_addr.
have gap : 2%:R * (1 - p j) - 1 = - (p j + p j - 1) by ring.
case: (leP (p j + p j) 1) => h.
  rewrite (_ : py_bayes_sum p = 1).
    by symmetry; apply/min_idPl; rewrite -subr_ge0 gap oppr_cp0 subr_le0.
  rewrite -p1; apply: eq_bigr => k _; apply: small; apply: le_trans h.
  by apply: ler_add; exact: top.
have -> : py_bayes_sum p = 2%:R * (1 - p j).
  rewrite /py_bayes_sum (bigD1 j) //= (eq_bigr p) => [|k ne]; last first.
    by apply: small; apply: le_trans (others k ne); rewrite ler_add2l; exact: top.
  have -> : \sum_(k | k != j) p k = 1 - p j.
    by move: p1; rewrite (bigD1 j) //= => <-; rewrite [RHS]addrC addKr.
  rewrite (_ : Num.min _ _ = 1 - p j); first by ring.
  by apply/min_idPr; rewrite ler_subl_addr ltW.
by symmetry; apply/min_idPr; rewrite -subr_le0 gap oppr_cp0 subr_ge0 ltW.
Qed.

Lemma error0 K (p : 'I_K.+1 -> R) : distribution p -> py_misclassification p = 0 <-> pure p.
Proof.
move=> d; rewrite /py_misclassification; have [j -> top] := largest_is_a_share p.
split=> [/eqP|[k e]]; first by rewrite subr_eq0 eq_sym => /eqP; exists j.
by apply/eqP; rewrite subr_eq0 eq_le share_le1 // andbT -e top.
Qed.

Lemma near0 (x e : R) : e <= x /\ x <= 2%:R * e -> 0 <= e -> (x = 0 <-> e = 0).
Proof.
move=> [h1 h2] e0; split=> z; apply/eqP; rewrite eq_le.
  by rewrite e0 andbT -z.
by move: h1 h2; rewrite z mulr0 => -> ->.
Qed.

Lemma error_ge0_ K (p : 'I_K.+1 -> R) : distribution p -> 0 <= py_misclassification p.
Proof. by move=> d; have [j e _] := largest_is_a_share p; rewrite /py_misclassification e subr_ge0 share_le1. Qed.

(* Gini's impurity, misclassification and the sum of Bayes errors are 0 at pure nodes and nowhere else. *)
Theorem py_impurities_are_zero_only_at_pure_nodes K (p : 'I_K.+1 -> R) : distribution p ->
  (py_gini p = 0 <-> pure p) /\ (py_misclassification p = 0 <-> pure p) /\ (py_bayes_sum p = 0 <-> pure p).
Proof.
move=> d; have e0 := error_ge0_ d; have iff := error0 d.
have near := near0 (py_gini_is_near_misclassification d) e0.
split; first by split=> [/near/iff|/iff/near].
split=> //; rewrite py_bayes_sum_is_flat_of_no_majority //; split=> [|/iff ->]; last by rewrite mulr0 min_r ?ler01.
rewrite minEle; case: ifP => _ /eqP; first by rewrite oner_eq0.
by rewrite mulf_eq0 pnatr_eq0 => /eqP/iff.
Qed.

(* Misclassification is at most (K - 1)/K, which equal shares of the classes reach. *)
Theorem py_misclassification_is_largest_at_equal_shares K (p : 'I_K.+1 -> R) : distribution p ->
  py_misclassification p <= 1 - K.+1%:R^-1 /\
  py_misclassification (fun _ : 'I_K.+1 => K.+1%:R^-1 : R) = 1 - K.+1%:R^-1.
Proof.
move=> [p0 p1]; rewrite /py_misclassification; split; last first.
  by have [j -> _] := largest_is_a_share (fun _ : 'I_K.+1 => K.+1%:R^-1 : R).
have [j -> top] := largest_is_a_share p; rewrite ler_add2l ler_opp2 -[X in X <= _]mul1r ler_pdivr_mulr ?ltr0n //.
by rewrite mulr_natr -[X in _ *+ X]card_ord -sumr_const -p1; apply: ler_sum.
Qed.
End Bounds.

Section Roots.
Variable R : rcfType.
Local Notation sqrt := (@Num.sqrt R).

(* With two classes or more, sqrt_gini, matushita, NE and GCE at q = 1/2 are 0 at pure nodes and nowhere else. *)
Theorem py_impurities_with_roots_are_zero_only_at_pure_nodes K lam (p : 'I_K.+2 -> R) : distribution p -> 0 < lam ->
  (py_sqrt_gini sqrt p = 0 <-> pure p) /\ (py_matushita sqrt p = 0 <-> pure p) /\
  (py_ne sqrt lam p = 0 <-> pure p) /\ (py_gce_half sqrt p = 0 <-> pure p).
Proof.
move=> d l0; have e0 := error_ge0_ d; have iff := error0 d.
have gini0 : py_gini p = 0 <-> pure p := (py_impurities_are_zero_only_at_pure_nodes d).1.
have g0 := gini_ge0 d.
have root : py_sqrt_gini sqrt p = 0 <-> pure p.
  have c0 : 0 < (K.+2%:R - 1) / K.+2%:R :> R by rewrite divr_gt0 ?ltr0n // subr_gt0 ltr1n.
  rewrite /py_sqrt_gini -/(py_spread p) spreadE; split=> [/eqP|/gini0 ->]; last by rewrite mulr0 sqrtr0.
  by rewrite sqrtr_eq0 pmulr_rle0 // => h; apply/gini0/eqP; rewrite eq_le h.
split=> //; split.
  have x0 k : 0 <= p k * (1 - p k) by rewrite mulr_ge0 ?subr_ge0 ?share_le1 ?d.1.
  have giniE : py_gini p = \sum_k p k * (1 - p k).
    by rewrite /py_gini -{1}d.2 -sumrB; apply: eq_bigr => k _; ring.
  split=> [/eqP|/gini0/eqP].
    rewrite psumr_eq0 => [/allP z|k _]; last exact: sqrtr_ge0.
    apply/gini0; rewrite giniE big1 // => k _; apply/eqP; rewrite eq_le x0 andbT.
    by have := z k (mem_index_enum _); rewrite /= sqrtr_eq0.
  rewrite giniE psumr_eq0 // => /allP z; rewrite /py_matushita big1 // => k _.
  by have := z k (mem_index_enum _) => /= /eqP ->; rewrite sqrtr0.
split; last by have near := near0 (py_gce_half_is_near_misclassification d) e0; split=> [/near/iff|/iff/near].
rewrite /py_ne -/(py_misclassification p) -/(py_sqrt_gini sqrt p); split=> [|h].
  rewrite minEle; case: ifP => _; first by move/iff.
  by move/eqP; rewrite mulf_eq0 gt_eqF //= => /eqP/root.
by rewrite (iff.2 h) (root.2 h) mulr0 minxx.
Qed.

(* matushita is at most the root of K - 1, which equal shares of the classes reach. *)
Theorem py_matushita_is_largest_at_equal_shares K (p : 'I_K.+1 -> R) : distribution p ->
  py_matushita sqrt p <= sqrt K%:R /\ py_matushita sqrt (@equal_shares R K) = sqrt K%:R.
Proof.
move=> d; have [p0 p1] := d; have c0 k : 0 <= 1 - p k by rewrite subr_ge0 share_le1.
have n0 : 0 < K.+1%:R :> R by rewrite ltr0n.
split.
  have -> : py_matushita sqrt p = dot (fun k => sqrt (1 - p k)) (fun k => sqrt (p k)).
    by apply: eq_bigr => k _; rewrite sqrtrM // mulrC.
  apply: le_trans (cauchy _ (roots_of_distribution d)) _.
  rewrite (_ : dot _ _ = K%:R) //.
  rewrite /dot (eq_bigr (fun k => 1 - p k)) => [|k _]; last by rewrite -expr2 sqr_sqrtr.
  by rewrite sumrB p1 sumr_const card_ord mulrSr addrK.
rewrite /py_matushita /equal_shares sumr_const card_ord -[sqrt _ *+ _]mulr_natl.
have nE (n x : R) : 0 < n -> n * sqrt x = sqrt (n ^+ 2 * x).
  by move=> h; rewrite sqrtrM ?sqr_ge0 // sqrtr_sqr ger0_norm // ltW.
rewrite nE // one_less; congr (sqrt _).
by move: (K.+1%:R : R) n0 => n n0; field; rewrite gt_eqF.
Qed.

(* With two classes or more the NE impurity is misclassification just if lam is at least 1. *)
Theorem py_ne_is_misclassification_iff_lam_from_one K lam : 0 <= lam ->
  (forall p : 'I_K.+2 -> R, distribution p -> py_ne sqrt lam p = py_misclassification p) <-> 1 <= lam.
Proof.
move=> l0; split=> [same|l1 p d]; last exact: py_ne_is_misclassification_of_lam_from_one.
have n0 : 0 < K.+2%:R :> R by rewrite ltr0n.
have du : distribution (@equal_shares R K.+1).
  split=> [k|]; first by rewrite /equal_shares invr_ge0 ltW.
  by rewrite /equal_shares sumr_const card_ord -[_ *+ _]mulr_natr mulVf // gt_eqF.
case: (leP 1 lam) => // l1; have := same _ du.
have -> := (py_ne_is_largest_at_equal_shares du l0 (ltW l1)).2.
rewrite (py_misclassification_is_largest_at_equal_shares du).2 one_less => /eqP.
have c0 : 0 < K.+1%:R / K.+2%:R :> R by rewrite divr_gt0 ?ltr0n.
by rewrite -subr_eq0 -{2}[_ / _]mul1r -mulrBl mulf_eq0 (gt_eqF c0) orbF subr_eq0 (lt_eqF l1).
Qed.
End Roots.

(* Instances: the hypotheses can hold. *)
Section Instances.
Variable R : rcfType.

Example bounds_distribution : distribution (@one_third R) /\ 0 < 1 :> R /\ 0 <= 1 :> R.
Proof. by split; [exact: one_third_is_a_distribution|rewrite ltr01 ler01]. Qed.
End Instances.
