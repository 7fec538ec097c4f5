(* Impurities with square roots, over every real closed field: concave, and the least risks of their losses. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs risk generated concave losses.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Roots.
Variable R : rcfType.
Local Notation sqrt := (@Num.sqrt R).

Definition mixture K (a : R) (p q : 'I_K -> R) : 'I_K -> R := fun k => a * p k + (1 - a) * q k.

Lemma mixture_is_distribution K a (p q : 'I_K -> R) : distribution p -> distribution q -> 0 <= a -> a <= 1 ->
  distribution (mixture a p q).
Proof.
move=> [p0 p1] [q0 q1] a0 a1; have b0 : 0 <= 1 - a by rewrite subr_ge0.
split=> [k|]; first by rewrite addr_ge0 // mulr_ge0.
by rewrite big_split /= -!mulr_sumr p1 q1; ring.
Qed.

Lemma chord_ge0 (a x : R) : 0 <= a -> a <= 1 -> 0 <= x -> 0 <= a * (1 - a) * x.
Proof. by move=> a0 a1 x0; rewrite mulr_ge0 // mulr_ge0 // subr_ge0. Qed.

Lemma root_of_square_below (x z : R) : x ^+ 2 <= z -> x <= sqrt z.
Proof. by move=> h; apply: le_trans (ler_norm x) _; rewrite -sqrtr_sqr; exact: ler_wsqrtr. Qed.

Lemma root_of_concave (x y z a : R) : 0 <= x -> 0 <= y -> 0 <= a -> a <= 1 ->
  a * x + (1 - a) * y <= z -> a * sqrt x + (1 - a) * sqrt y <= sqrt z.
Proof.
move=> x0 y0 a0 a1 h; apply: root_of_square_below; apply: le_trans h.
rewrite -{2}(sqr_sqrtr x0) -{2}(sqr_sqrtr y0); move: (sqrt x) (sqrt y) => r s; rewrite -subr_ge0.
rewrite (_ : _ - _ = a * (1 - a) * (r - s) ^+ 2); last by ring.
by rewrite chord_ge0 ?sqr_ge0.
Qed.

(* Gini's impurity of a mixture exceeds the mixture of the impurities by a (1 - a) times the squared distance. *)
Theorem py_gini_excess_over_chord K a (p q : 'I_K -> R) :
  \sum_k p k = 1 -> \sum_k q k = 1 ->
  py_gini (fun k => a * p k + (1 - a) * q k)
  = a * py_gini p + (1 - a) * py_gini q + a * (1 - a) * (\sum_k (p k - q k) ^+ 2).
Proof.
move=> p1 q1; rewrite /py_gini.
rewrite (eq_bigr (fun k => a * a * (p k * p k) + (2%:R * a * (1 - a) * (p k * q k)
  + (1 - a) * (1 - a) * (q k * q k)))); last by move=> k _; ring.
rewrite [\sum_k (_ - _) ^+ 2](eq_bigr (fun k => p k * p k + ((- 2%:R) * (p k * q k) + q k * q k))); last first.
  by move=> k _; ring.
rewrite !big_split /= -!mulr_sumr.
by move: (\sum_k p k * p k) (\sum_k p k * q k) (\sum_k q k * q k) => x y z; ring.
Qed.

Lemma gini_ge0 K (p : 'I_K -> R) : distribution p -> 0 <= py_gini p.
Proof.
move=> d; have [p0 p1] := d; rewrite /py_gini subr_ge0 -p1; apply: ler_sum => k _.
by rewrite -[X in _ <= X]mulr1; apply: ler_wpmul2l => //; exact: share_le1.
Qed.

Lemma gini_concave K : concave (@py_gini R K).
Proof.
move=> p q a [p0 p1] [q0 q1] a0 a1; rewrite py_gini_excess_over_chord // ler_addl.
by rewrite chord_ge0 // sumr_ge0 // => k _; exact: sqr_ge0.
Qed.

Lemma gini_ext K : extensional (@py_gini R K).
Proof. by move=> p q e; rewrite /py_gini (eq_bigr (fun k => q k * q k)) // => k _; rewrite e. Qed.

Lemma no_class (p : 'I_0 -> R) : ~ distribution p.
Proof. by move=> [_ /eqP]; rewrite big_ord0 eq_sym oner_eq0. Qed.

Lemma spread_factor K : 0 <= (K.+1%:R - 1) / K.+1%:R :> R.
Proof. by rewrite divr_ge0 ?ler0n // subr_ge0 ler1n. Qed.

Lemma spreadE K (p : 'I_K -> R) : py_spread p = (K%:R - 1) / K%:R * py_gini p.
Proof. by rewrite /py_spread -/(py_gini p) [RHS]mulrC mulrA. Qed.

(* sqrt_gini is concave on the simplex. *)
Theorem py_sqrt_gini_is_concave K : concave (@py_sqrt_gini R sqrt K).
Proof.
case: K => [|K] p q a dp dq a0 a1; first by case: (no_class dp).
rewrite /py_sqrt_gini -!/(py_spread _) !spreadE; move: (_ / _) (spread_factor K) => c c0.
apply: root_of_concave; rewrite ?mulr_ge0 ?gini_ge0 //.
rewrite !(mulrCA _ c) -mulrDr; apply: ler_wpmul2l => //.
exact: gini_concave.
Qed.

(* sqrt_gini is strictly concave: on a chord it exceeds the mixture of the ends, unless these are one distribution. *)
Theorem py_sqrt_gini_is_strictly_concave K a (p q : 'I_K -> R) : distribution p -> distribution q -> 0 < a -> a < 1 ->
  py_sqrt_gini sqrt (fun k => a * p k + (1 - a) * q k) = a * py_sqrt_gini sqrt p + (1 - a) * py_sqrt_gini sqrt q ->
  p =1 q.
Proof.
case: K p q => [|[|K]] p q dp dq a0 a1; first by case: (no_class dp).
  move=> _ k; case: dp dq => [_ p1] [_ q1]; move: p1 q1; rewrite !big_ord_recl !big_ord0 !addr0.
  by rewrite (ord1 k) => -> ->.
have ab : 0 < a * (1 - a) by rewrite mulr_gt0 // subr_gt0.
rewrite /py_sqrt_gini -!/(py_spread _) !spreadE.
have : 0 < (K.+2%:R - 1) / K.+2%:R :> R by rewrite divr_gt0 ?ltr0n // subr_gt0 ltr1n.
move: (_ / _) => c c0.
rewrite py_gini_excess_over_chord ?dp.2 ?dq.2 //; set D := \sum_k _ => e.
have D0 : 0 <= D by apply: sumr_ge0 => k _; exact: sqr_ge0.
have x0 := gini_ge0 dp; have y0 := gini_ge0 dq.
have cx0 : 0 <= c * py_gini p by rewrite mulr_ge0 // ltW.
have cy0 : 0 <= c * py_gini q by rewrite mulr_ge0 // ltW.
have z0 : 0 <= c * (a * py_gini p + (1 - a) * py_gini q + a * (1 - a) * D).
  apply: mulr_ge0; first exact: ltW.
  by rewrite !addr_ge0 ?mulr_ge0 // ?subr_ge0 ltW.
have {e} : c * (a * py_gini p + (1 - a) * py_gini q + a * (1 - a) * D)
    = (a * sqrt (c * py_gini p) + (1 - a) * sqrt (c * py_gini q)) ^+ 2 by rewrite -e sqr_sqrtr.
have -> : c * (a * py_gini p + (1 - a) * py_gini q + a * (1 - a) * D)
    = a * (c * py_gini p) + (1 - a) * (c * py_gini q) + a * (1 - a) * (c * D).
  by move: (py_gini p) (py_gini q) => x y; ring.
rewrite -{1}(sqr_sqrtr cx0) -{1}(sqr_sqrtr cy0); move: (sqrt _) (sqrt _) => s r e.
have : a * (1 - a) * ((r - s) ^+ 2 + c * D) = 0.
  have -> : a * (1 - a) * ((r - s) ^+ 2 + c * D)
    = a * r ^+ 2 + (1 - a) * s ^+ 2 + a * (1 - a) * (c * D) - (a * r + (1 - a) * s) ^+ 2 by ring.
  by apply/eqP; rewrite subr_eq0; apply/eqP; rewrite -e; ring.
move/eqP; rewrite mulf_eq0 gt_eqF //= paddr_eq0 ?sqr_ge0 ?mulr_ge0 ?(ltW c0) // => /andP [_].
rewrite mulf_eq0 gt_eqF //= psumr_eq0 => [/allP z k|k _]; last exact: sqr_ge0.
by move: (z k (mem_index_enum _)); rewrite /= sqrf_eq0 subr_eq0 => /eqP.
Qed.

(* matushita is concave on the simplex. *)
Theorem py_matushita_is_concave K : concave (@py_matushita R sqrt K).
Proof.
move=> p q a dp dq a0 a1; rewrite /py_matushita !mulr_sumr -big_split /=; apply: ler_sum => k _.
apply: root_of_concave => //; rewrite ?mulr_ge0 ?subr_ge0 ?share_le1 ?dp.1 ?dq.1 //.
rewrite -subr_ge0 (_ : _ - _ = a * (1 - a) * (p k - q k) ^+ 2); last by ring.
by rewrite chord_ge0 ?sqr_ge0.
Qed.

Lemma misclassification_concave K : concave (@py_misclassification R K).
Proof. exact: py_minimised_risk_is_concave (py_misclassification_is_least_zero_one_risk R K).1. Qed.

Lemma misclassification_ext K : extensional (@py_misclassification R K).
Proof. by move=> p q e; rewrite /py_misclassification e (eq_bigr q). Qed.

Lemma min_of_concave K (phi psi : ('I_K -> R) -> R) : concave phi -> concave psi ->
  concave (fun p => Num.min (phi p) (psi p)).
Proof.
move=> cphi cpsi p q a dp dq a0 a1; have b0 : 0 <= 1 - a by rewrite subr_ge0.
rewrite le_minr; apply/andP; split; [apply: le_trans (cphi _ _ _ dp dq a0 a1)|apply: le_trans (cpsi _ _ _ dp dq a0 a1)].
  by apply: ler_add; apply: ler_wpmul2l => //; rewrite le_minl lexx.
by apply: ler_add; apply: ler_wpmul2l => //; rewrite le_minl lexx orbT.
Qed.

(* The negative exponential impurity is concave on the simplex, for every lam from 0. *)
Theorem py_ne_is_concave K lam : 0 <= lam -> concave (@py_ne R sqrt K lam).
Proof.
move=> l0; apply: (@min_of_concave _ (@py_misclassification R K) (fun p => lam * py_sqrt_gini sqrt p)).
  exact: misclassification_concave.
move=> p q a dp dq a0 a1; rewrite !(mulrCA _ lam) -mulrDr; apply: ler_wpmul2l => //.
exact: py_sqrt_gini_is_concave.
Qed.

End Roots.
