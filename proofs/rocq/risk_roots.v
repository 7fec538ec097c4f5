(* Impurities with square roots, over every real closed field: concave, and the least risks of their losses. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs risk generated concave losses risk_concavity.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Roots.
Variable R : rcfType.
Local Notation sqrt := (@Num.sqrt R).

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

(* sqrt_gini is concave on the simplex. *)
Theorem py_sqrt_gini_is_concave K : concave (@py_sqrt_gini R sqrt K).
Proof.
case: K => [|K] p q a dp dq a0 a1; first by case: (no_class dp).
rewrite /py_sqrt_gini -!/(py_spread _) !spreadE; move: (_ / _) (spread_factor R K) => c c0.
apply: root_of_concave; rewrite ?mulr_ge0 ?gini_ge0 //.
rewrite !(mulrCA _ c) -mulrDr; apply: ler_wpmul2l => //.
exact: py_gini_is_concave.
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

(* The negative exponential impurity is concave on the simplex, for every lam from 0. *)
Theorem py_ne_is_concave K lam : 0 <= lam -> concave (@py_ne R sqrt K lam).
Proof.
move=> l0; apply: (@min_of_concave R _ (@py_misclassification R K) (fun p => lam * py_sqrt_gini sqrt p)).
  exact: py_misclassification_is_concave.
move=> p q a dp dq a0 a1; rewrite !(mulrCA _ lam) -mulrDr; apply: ler_wpmul2l => //.
exact: py_sqrt_gini_is_concave.
Qed.

End Roots.

(* Instances: the hypotheses can hold. *)
Section Instances.
Variable R : rcfType.
Local Notation p := (@one_third R).
Local Notation half := (1 / 2%:R : R).

Example one_distribution_twice : distribution p /\ 0 < half /\ half < 1 /\
  py_sqrt_gini (@Num.sqrt R) (fun k => half * p k + (1 - half) * p k)
  = half * py_sqrt_gini (@Num.sqrt R) p + (1 - half) * py_sqrt_gini (@Num.sqrt R) p.
Proof.
split; first exact: one_third_is_a_distribution.
split; first by rewrite divr_gt0 ?ltr01 ?ltr0n.
split; first by rewrite ltr_pdivr_mulr ?ltr0n // mul1r ltr1n.
have e x : half * x + (1 - half) * x = x by rewrite [(1 - _) * x]mulrBl [1 * x]mul1r addrC subrK.
by rewrite e /py_sqrt_gini (eq_bigr (fun k => p k * p k)) // => k _; rewrite e.
Qed.

Example lam_one : 0 <= 1 :> R. Proof. exact: ler01. Qed.
End Instances.
