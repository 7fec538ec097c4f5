(* The negative exponential impurity and generalised cross-entropy at q = 1/2 as least risks, of the printed code. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs risk generated concave losses risk_concavity risk_roots.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Ne.
Variable R : rcfType.
Local Notation sqrt := (@Num.sqrt R).

(* the distribution in which every class has the same share *)
Definition equal_shares K : 'I_K.+1 -> R := fun=> K.+1%:R^-1.

Definition dot K (p q : 'I_K -> R) := \sum_k p k * q k.

Lemma dot_giniE K (p : 'I_K -> R) : py_gini p = 1 - dot p p. Proof. by []. Qed.

Lemma size_less K : (K.+1%:R - 1) / K.+1%:R = K%:R / K.+1%:R :> R.
Proof. by rewrite -addn1 natrD addrK. Qed.

Lemma one_less K : 1 - K.+1%:R^-1 = K%:R / K.+1%:R :> R.
Proof. by rewrite -size_less mulrBl mulfV ?mul1r // pnatr_eq0. Qed.

(* Gini's impurity is at most 1 - 1/K. *)
Theorem py_gini_is_largest_at_equal_shares K (p : 'I_K.+1 -> R) : \sum_k p k = 1 ->
  py_gini p <= py_gini (@equal_shares K) /\ py_gini (@equal_shares K) = 1 - K.+1%:R^-1.
Proof.
move=> p1; have n0 : K.+1%:R != 0 :> R by rewrite pnatr_eq0.
have e : py_gini (@equal_shares K) = 1 - K.+1%:R^-1.
  by rewrite /py_gini /equal_shares sumr_const card_ord -mulr_natr -mulrA mulVf // mulr1.
split=> //; rewrite e ler_add2l ler_opp2 -subr_ge0.
have -> : \sum_k p k * p k - K.+1%:R^-1 = \sum_k (p k - K.+1%:R^-1) ^+ 2.
  rewrite [RHS](eq_bigr (fun k => p k * p k + ((- 2%:R / K.+1%:R) * p k + K.+1%:R^-1 ^+ 2))); last first.
    by move=> k _; ring.
  rewrite !big_split /= -mulr_sumr p1 sumr_const card_ord -[_ ^+ 2 *+ _]mulr_natr.
  by move: (\sum_k _) (K.+1%:R : R) n0 => s n n0; field.
by apply: sumr_ge0 => k _; exact: sqr_ge0.
Qed.

(* sqrt_gini is at most (K - 1)/K, which equal shares of the classes reach. *)
Theorem py_sqrt_gini_is_largest_at_equal_shares K (p : 'I_K.+1 -> R) : \sum_k p k = 1 ->
  py_sqrt_gini sqrt p <= K%:R / K.+1%:R /\ py_sqrt_gini sqrt (@equal_shares K) = K%:R / K.+1%:R.
Proof.
move=> p1; have n0 : K.+1%:R != 0 :> R by rewrite pnatr_eq0.
have [le e] := py_gini_is_largest_at_equal_shares p1.
have c0 : 0 <= K%:R / K.+1%:R :> R by rewrite divr_ge0 ?ler0n.
have squareE : sqrt (K%:R / K.+1%:R * (K%:R / K.+1%:R)) = K%:R / K.+1%:R by rewrite -expr2 sqrtr_sqr ger0_norm.
rewrite /py_sqrt_gini -!/(py_spread _) !spreadE size_less; split; last by rewrite e one_less.
by rewrite -[X in _ <= X]squareE; apply: ler_wsqrtr; apply: ler_wpmul2l; rewrite // -one_less -e.
Qed.

Lemma error_le_root K (p : 'I_K.+1 -> R) : distribution p -> py_misclassification p <= py_sqrt_gini sqrt p.
Proof.
move=> d; have [p0 p1] := d; rewrite /py_sqrt_gini -/(py_spread p) spreadE; apply: root_of_square_below.
have n0 : 0 < K.+1%:R :> R by rewrite ltr0n.
rewrite [_ / _]mulrC -mulrA ler_pdivl_mull //.
rewrite /py_misclassification /py_gini; have [j -> top] := largest_is_a_share p.
set s := \sum_k p k * p k; set M := p j; set n := K.+1%:R.
have x0 : 0 <= M - s.
  by rewrite subr_ge0 -[M]mulr1 -p1 mulr_sumr; apply: ler_sum => k _; apply: ler_wpmul2r.
have y0 : 0 <= n * M - 1.
  by rewrite subr_ge0 -p1 /n mulr_natl -[X in _ *+ X]card_ord -sumr_const; apply: ler_sum.
have n1 : 0 <= n - 1 by rewrite subr_ge0 /n ler1n.
have M1 : 0 <= 1 - M by rewrite subr_ge0 share_le1.
have e : (n - 1) * (1 - s) - n * (1 - M) ^+ 2 = (n - 1) * (M - s) + (1 - M) * (n * M - 1).
  by clearbody n s M; ring.
by rewrite -subr_ge0 e addr_ge0 ?mulr_ge0.
Qed.

(* For every number of classes the negative exponential impurity is misclassification from lam = 1 on. *)
Theorem py_ne_is_misclassification_of_lam_from_one K lam (p : 'I_K.+1 -> R) : distribution p -> 1 <= lam ->
  py_ne sqrt lam p = py_misclassification p.
Proof.
move=> d l1; apply/min_idPl; apply: le_trans (error_le_root d) _.
by rewrite -[X in X <= _]mul1r; apply: ler_wpmul2r => //; exact: sqrtr_ge0.
Qed.

(* Up to lam = 1 the impurity is at most lam (K - 1)/K, which equal shares of the classes reach. *)
Theorem py_ne_is_largest_at_equal_shares K lam (p : 'I_K.+1 -> R) : distribution p -> 0 <= lam -> lam <= 1 ->
  py_ne sqrt lam p <= lam * (K%:R / K.+1%:R) /\
  py_ne sqrt lam (@equal_shares K) = lam * (K%:R / K.+1%:R).
Proof.
move=> d l0 l1; have [le e] := py_sqrt_gini_is_largest_at_equal_shares d.2; split.
  by rewrite /py_ne le_minl; apply/orP; right; apply: ler_wpmul2l.
rewrite /py_ne -/(py_sqrt_gini sqrt _) e; apply/min_idPr.
have [j -> _] := largest_is_a_share (@equal_shares K).
by rewrite one_less ler_pimull // divr_ge0 ?ler0n.
Qed.

Lemma inside_bound K (w p : 'I_K -> R) : distribution p ->
  py_gini p * py_gini w <= (1 - dot p w) ^+ 2.
Proof.
move=> d; rewrite -subr_ge0 !dot_giniE.
have -> : (1 - dot p w) ^+ 2 - (1 - dot p p) * (1 - dot w w)
    = (\sum_k (p k - w k) ^+ 2) * py_gini p + (dot p p - dot p w) ^+ 2.
  rewrite dot_giniE (eq_bigr (fun k => p k * p k + ((- 2%:R) * (p k * w k) + w k * w k))); last by move=> k _; ring.
  by rewrite !big_split /= -mulr_sumr -/(dot p p) -/(dot p w) -/(dot w w); ring.
rewrite addr_ge0 ?sqr_ge0 // mulr_ge0 ?gini_ge0 // sumr_ge0 // => k _; exact: sqr_ge0.
Qed.

Lemma gini_of_unsure K (w : 'I_K.+1 -> R) : distribution w -> (\big[Num.max/w ord0]_k w k < 1) -> 0 < py_gini w.
Proof.
move=> [w0 w1]; have [j -> top] := largest_is_a_share w => lt1.
rewrite /py_gini subr_gt0; apply: le_lt_trans lt1.
by rewrite -[w j]mulr1 -w1 mulr_sumr; apply: ler_sum => k _; apply: ler_wpmul2r.
Qed.

Lemma ne_inside K lam (w p : 'I_K.+1 -> R) : \sum_k p k = 1 -> \big[Num.max/w ord0]_k w k < 1 ->
  py_risk (py_ne_loss sqrt lam 1 w) p = lam * sqrt ((K.+1%:R - 1) / (K.+1%:R * py_gini w)) * (1 - dot p w).
Proof.
move=> p1 lt1; rewrite py_riskE -linear_risk //; apply: eq_bigr => k _.
by rewrite /py_ne_loss lt_geF.
Qed.

Lemma ne_at_vertex K lam (w p : 'I_K.+1 -> R) : distribution w -> 1 <= \big[Num.max/w ord0]_k w k ->
  py_risk (py_ne_loss sqrt lam 1 w) p = py_risk (py_zero_one w) p.
Proof. by move=> d h; rewrite !py_riskE; apply: eq_bigr => k _; rewrite /py_ne_loss h. Qed.

(* The negative exponential impurity is the least risk of its loss over the simplex, for any number of classes. *)
Theorem py_ne_is_least_risk_of_ne_loss K lam : 0 <= lam ->
  minimised_risk (@distribution R K.+1) (@py_ne_loss R sqrt K lam 1) (@py_ne R sqrt K lam) /\
  attained (@distribution R K.+1) (@py_ne_loss R sqrt K lam 1) (@py_ne R sqrt K lam).
Proof.
move=> l0; have n0 : 0 < K.+1%:R :> R by rewrite ltr0n.
have zo := @py_misclassification_is_least_zero_one_risk R K.
have root w : sqrt ((K.+1%:R - 1) / (K.+1%:R * py_gini w)) = sqrt ((K.+1%:R - 1) / K.+1%:R / py_gini w).
  by rewrite invfM mulrA.
have att : attained (@distribution R K.+1) (@py_ne_loss R sqrt K lam 1) (@py_ne R sqrt K lam).
  move=> p d; rewrite /py_ne -/(py_misclassification p) -/(py_sqrt_gini sqrt p) minEle; case: leP => h.
    have [j e top] := largest_is_a_share p; exists (vertex R j); first exact: vertex_is_distribution.
    rewrite ne_at_vertex; first last.
    - by apply: le_trans (max_above _ _ j); rewrite /vertex eqxx.
    - exact: vertex_is_distribution.
    rewrite py_riskE /py_misclassification e -(sum_vertex j p) -[RHS]mul1r -linear_risk ?d.2 //.
    apply: eq_bigr => k _; rewrite /py_zero_one /vertex mul1r.
    by case: (k == j); rewrite /= ?lexx ?ler10 ?subrr ?subr0.
  have lt1 : \big[Num.max/p ord0]_k p k < 1.
    rewrite -subr_gt0; apply: le_lt_trans h; rewrite mulr_ge0 //; exact: sqrtr_ge0.
  exists p => //; rewrite ne_inside ?d.2 // -dot_giniE -mulrA; congr (_ * _); rewrite root.
  have g0 := gini_of_unsure d lt1; rewrite /py_sqrt_gini -/(py_spread p) spreadE.
  have c0 := spread_factor R K; set c := (_ - _) / _ in c0 *; clearbody c.
  rewrite sqrtrM // sqrtrV ?ltW // sqrtrM // -mulrA.
  congr (_ * _).
  by rewrite -{2}(sqr_sqrtr (ltW g0)) expr2 mulKf // sqrtr_eq0 -ltNge.
split=> //; apply: minimised_of_attained => // p w d dw.
case: (leP 1 (\big[Num.max/w ord0]_k w k)) => h.
  rewrite ne_at_vertex // /py_ne le_minl; apply/orP; left; exact: (zo.1 _ d).1.
rewrite ne_inside ?d.2 // /py_ne le_minl; apply/orP; right; rewrite -/(py_sqrt_gini sqrt p) -mulrA.
apply: ler_wpmul2l => //; rewrite root /py_sqrt_gini -/(py_spread p) spreadE.
have g0 := gini_of_unsure dw h; have c0 := spread_factor R K.
have u0 : 0 <= 1 - dot p w.
  rewrite subr_ge0 -d.2; apply: ler_sum => k _; rewrite -[X in _ <= X]mulr1.
  by apply: ler_wpmul2l; [exact: d.1|exact: share_le1].
set c := (_ - _) / _ in c0 *; clearbody c; have cg0 : 0 <= c / py_gini w by rewrite divr_ge0 // ltW.
rewrite -{1}(ger0_norm u0) -sqrtr_sqr -sqrtrM //; apply: ler_wsqrtr.
rewrite -mulrA; apply: ler_wpmul2l => //; rewrite mulrC ler_pdivl_mulr //; exact: inside_bound.
Qed.
End Ne.

(* Instances: the hypotheses can hold. *)
Section Instances.
Variable R : rcfType.

Example ne_distribution : distribution (@one_third R) /\ 0 <= 1 :> R /\ 1 <= 1 :> R.
Proof. by split; [exact: one_third_is_a_distribution|rewrite ler01 lexx]. Qed.
End Instances.
