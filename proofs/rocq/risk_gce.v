(* Generalised cross-entropy at q = 1/2, the entropy's relative, as a least risk, of the printed code. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs risk generated concave losses risk_concavity risk_roots risk_ne.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Gce.
Variable R : rcfType.
Local Notation sqrt := (@Num.sqrt R).

Lemma dot_ge0 K (p : 'I_K -> R) : 0 <= dot p p.
Proof. by apply: sumr_ge0 => k _; rewrite -expr2 sqr_ge0. Qed.

Lemma largest_gt0 K (p : 'I_K.+1 -> R) : distribution p -> 0 < \big[Num.max/p ord0]_k p k.
Proof.
move=> d; have [p0 p1] := d; have [j e top] := largest_is_a_share p; rewrite e lt_neqAle p0 andbT.
apply/eqP => z; move/eqP: p1; rewrite big1 ?(eq_sym 0) ?oner_eq0 // => k _.
by apply/eqP; rewrite eq_le p0 andbT z.
Qed.

Lemma py_gce_halfE K (p : 'I_K.+1 -> R) : distribution p -> py_gce_half sqrt p = 2%:R * (1 - sqrt (dot p p)).
Proof.
move=> d; rewrite /py_gce_half; have m0 := largest_gt0 d; set m := \big[_/_]_k _ in m0 *.
have -> : \sum_(k < K.+1) (p k / m) ^+ 2 = dot p p / m ^+ 2.
  by rewrite /dot mulr_suml; apply: eq_bigr => k _; rewrite exprMn exprVn expr2.
rewrite sqrtrM ?dot_ge0 // sqrtrV ?sqr_ge0 // sqrtr_sqr ger0_norm ?ltW //.
have nz : m != 0 by rewrite gt_eqF.
by move: (sqrt _) m nz {m0} => s m nz; field.
Qed.

Lemma cauchy K (x y : 'I_K -> R) : dot y y = 1 -> dot x y <= sqrt (dot x x).
Proof.
move=> y1; apply: root_of_square_below; rewrite -subr_ge0.
have -> : dot x x - dot x y ^+ 2 = \sum_k (x k - dot x y * y k) ^+ 2.
  set u := dot x y; rewrite [RHS](eq_bigr (fun k => x k * x k + ((- 2%:R * u) * (x k * y k) + u ^+ 2 * (y k * y k)))).
    by rewrite !big_split /= -!mulr_sumr -/(dot x x) -/(dot x y) -/(dot y y) -/u y1; ring.
  by move=> k _; ring.
by apply: sumr_ge0 => k _; exact: sqr_ge0.
Qed.

Lemma gce_risk K (p w : 'I_K -> R) : \sum_k p k = 1 ->
  py_risk (py_gce_loss_half sqrt w) p = 2%:R * (1 - dot p (fun k => sqrt (w k))).
Proof.
move=> p1; rewrite py_riskE -linear_risk //; apply: eq_bigr => k _; rewrite /py_gce_loss_half.
by congr (_ * _); move: (sqrt _) => s; field.
Qed.

Lemma roots_of_distribution K (w : 'I_K -> R) : distribution w ->
  dot (fun k => sqrt (w k)) (fun k => sqrt (w k)) = 1.
Proof. by move=> [w0 w1]; rewrite -w1; apply: eq_bigr => k _; rewrite -expr2 sqr_sqrtr. Qed.

(* At q = 1/2 the least risk of generalised cross-entropy is 2 (1 - |p|), attained by the action proportional to p^2. *)
Theorem py_gce_half_is_least_risk K :
  minimised_risk (@distribution R K.+1) (@py_gce_loss_half R sqrt K.+1) (@py_gce_half R sqrt K) /\
  forall p : 'I_K.+1 -> R, distribution p ->
    let w := fun k => p k ^+ 2 / (\sum_j p j ^+ 2) in
    distribution w /\ py_risk (py_gce_loss_half sqrt w) p = py_gce_half sqrt p.
Proof.
have at_ (p : 'I_K.+1 -> R) : distribution p ->
    let w := fun k => p k ^+ 2 / (\sum_j p j ^+ 2) in
    distribution w /\ py_risk (py_gce_loss_half sqrt w) p = py_gce_half sqrt p.
  move=> d; have [p0 p1] := d; have -> : \sum_j p j ^+ 2 = dot p p by apply: eq_bigr => k _; rewrite expr2.
  have s0 : 0 < dot p p.
    have m0 := largest_gt0 d; have [j e _] := largest_is_a_share p; rewrite e in m0.
    rewrite /dot (bigD1 j) //=; apply: ltr_paddr; last by rewrite mulr_gt0.
    by apply: sumr_ge0 => k _; rewrite -expr2 sqr_ge0.
  split=> /=.
    split=> [k|]; first by rewrite divr_ge0 ?sqr_ge0 ?ltW.
    by rewrite -mulr_suml (_ : \sum_k _ = dot p p) ?mulfV ?gt_eqF //; apply: eq_bigr => k _; rewrite expr2.
  rewrite gce_risk // py_gce_halfE //; congr (_ * (1 - _)).
  rewrite /dot (eq_bigr (fun k => p k * p k / sqrt (dot p p))); last first.
    by move=> k _; rewrite sqrtrM ?sqr_ge0 // sqrtr_sqr ger0_norm // sqrtrV ?ltW // mulrA.
  rewrite -mulr_suml -/(dot p p) -{1}(sqr_sqrtr (ltW s0)) expr2 mulfK //.
  by rewrite sqrtr_eq0 -ltNge.
split=> //; apply: minimised_of_attained => [p w d dw|p d]; last first.
  by have [dw e] := at_ p d; exists (fun k => p k ^+ 2 / (\sum_j p j ^+ 2)).
rewrite gce_risk ?d.2 // py_gce_halfE // ler_pmul2l ?ltr0n // ler_add2l ler_opp2.
exact: cauchy (roots_of_distribution dw).
Qed.

(* At q = 1/2 the impurity of generalised cross-entropy lies between misclassification and twice as much. *)
Theorem py_gce_half_is_near_misclassification K (p : 'I_K.+1 -> R) : distribution p ->
  py_misclassification p <= py_gce_half sqrt p /\ py_gce_half sqrt p <= 2%:R * py_misclassification p.
Proof.
move=> d; have [p0 p1] := d; rewrite py_gce_halfE // /py_misclassification.
have [j -> top] := largest_is_a_share p.
have M1 : p j <= 1 by exact: share_le1.
have up : p j <= sqrt (dot p p).
  apply: root_of_square_below; rewrite /dot (bigD1 j) //= expr2 ler_addl.
  by apply: sumr_ge0 => k _; rewrite -expr2 sqr_ge0.
have low : dot p p <= p j.
  by rewrite -[p j]mulr1 -p1 mulr_sumr; apply: ler_sum => k _; apply: ler_wpmul2r.
split; last by rewrite ler_pmul2l ?ltr0n // ler_add2l ler_opp2.
set s := sqrt _ in up *; have s2 : s ^+ 2 <= p j by rewrite sqr_sqrtr ?dot_ge0.
have h : 0 <= (1 - s) ^+ 2 by exact: sqr_ge0.
rewrite -subr_ge0; apply: le_trans h _; rewrite -subr_ge0.
have -> : 2%:R * (1 - s) - (1 - p j) - (1 - s) ^+ 2 = p j - s ^+ 2 by clearbody s; ring.
by rewrite subr_ge0.
Qed.
End Gce.

(* Instances: the hypotheses can hold. *)
Section Instances.
Variable R : rcfType.

Example gce_distribution : distribution (@one_third R). Proof. exact: one_third_is_a_distribution. Qed.
End Instances.
