(* Impurities that are concave, over ordered fields and with square roots: their losses, where they vanish, where they
   are largest, and how they compare. *)
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint zmodp.
From mathcomp Require Import ring.
From splitcrit Require Import defs risk generated losses risk_gains.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Concave impurities over every ordered field, and their gains, of the printed code. *)
Section Concavity.
Variable R : realFieldType.

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

(* Gini's impurity is concave on the simplex. *)
Theorem py_gini_is_concave K : concave (@py_gini R K).
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

(* Misclassification is concave on the simplex. *)
Theorem py_misclassification_is_concave K : concave (@py_misclassification R K).
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


(* The sum of the Bayes errors of the classes is concave on the simplex. *)
Theorem py_bayes_sum_is_concave K : concave (@py_bayes_sum R K).
Proof. exact: py_minimised_risk_is_concave (py_bayes_sum_is_least_risk_of_yes_no_answers R K).1. Qed.

(* The variance of a response exceeds that of a chord by a (1 - a) times the squared difference of the means. *)
Theorem py_variance_excess_over_chord K a (v p q : 'I_K -> R) : \sum_k p k = 1 -> \sum_k q k = 1 ->
  py_response_variance v (fun k => a * p k + (1 - a) * q k)
  = a * py_response_variance v p + (1 - a) * py_response_variance v q
    + a * (1 - a) * (py_mean_response v p - py_mean_response v q) ^+ 2.
Proof.
move=> p1 q1; set m := fun k => _; have m1 : \sum_k m k = 1 by rewrite big_split /= -!mulr_sumr p1 q1; ring.
have mE : py_mean_response v m = a * py_mean_response v p + (1 - a) * py_mean_response v q.
  by rewrite /py_mean_response !mulr_sumr -big_split /=; apply: eq_bigr => k _; rewrite /m; ring.
have varE (u : 'I_K -> R) : \sum_k u k = 1 ->
    py_response_variance v u = py_risk (py_squared_error v 0) u - py_mean_response v u ^+ 2.
  by move=> u1; rewrite py_squared_error_excess // sub0r sqrrN addrK.
rewrite !varE // mE.
have -> : py_risk (py_squared_error v 0) m
    = a * py_risk (py_squared_error v 0) p + (1 - a) * py_risk (py_squared_error v 0) q.
  by rewrite !py_riskE !mulr_sumr -big_split /=; apply: eq_bigr => k _; rewrite /m; ring.
by move: (py_risk _ p) (py_risk _ q) (py_mean_response v p) (py_mean_response v q) => x y b c; ring.
Qed.

(* The mean absolute deviation about the median is concave on the simplex. *)
Theorem py_absolute_deviation_is_concave K (v : 'I_K.+1 -> R) : concave (py_absolute_deviation v).
Proof. exact: py_minimised_risk_is_concave (py_absolute_deviation_is_least_absolute_error v).1. Qed.

(* Gini's gain is never negative. *)
Theorem py_gini_gain_is_nonnegative r K (t : 'I_r -> 'I_K -> R) : weights t -> 0 <= py_decrease_gini t.
Proof.
exact: (@py_gain_of_concave_impurity_is_nonnegative R r K (@py_gini R K) t (@gini_ext K) (@py_gini_is_concave K)).
Qed.

(* No split makes more errors: the gain of misclassification is never negative. *)
Theorem py_misclassification_gain_is_nonnegative r K (t : 'I_r -> 'I_K.+1 -> R) : weights t ->
  0 <= py_decrease (@py_misclassification R K) t.
Proof. exact: py_gain_of_minimised_risk_is_nonnegative (py_misclassification_is_least_zero_one_risk R K).1. Qed.

(* The gain of the sum of Bayes errors is never negative. *)
Theorem py_bayes_sum_gain_is_nonnegative r K (t : 'I_r -> 'I_K -> R) : weights t ->
  0 <= py_decrease (@py_bayes_sum R K) t.
Proof. exact: py_gain_of_minimised_risk_is_nonnegative (py_bayes_sum_is_least_risk_of_yes_no_answers R K).1. Qed.

(* The reduction of variance is never negative. *)
Theorem py_variance_gain_is_nonnegative r K v (t : 'I_r -> 'I_K -> R) : weights t ->
  0 <= py_decrease (py_response_variance v) t.
Proof. exact: py_gain_of_minimised_risk_is_nonnegative (py_variance_is_least_squared_error v).1. Qed.

(* The reduction of the deviation about the median is never negative. *)
Theorem py_absolute_deviation_gain_is_nonnegative r K v (t : 'I_r -> 'I_K.+1 -> R) : weights t ->
  0 <= py_decrease (py_absolute_deviation v) t.
Proof. exact: py_gain_of_minimised_risk_is_nonnegative (py_absolute_deviation_is_least_absolute_error v).1. Qed.

End Concavity.

(* Instances: the hypotheses can hold. *)
Section Instances.
Variable R : realFieldType.

Example concavity_distributions : \sum_k (@one_third R) k = 1 /\ \sum_k (@vertex R 2 0) k = 1.
Proof. by split; [exact: (one_third_is_a_distribution R).2|exact: (vertex_is_distribution R 0).2]. Qed.

Example concavity_table : weights (@small_table R). Proof. exact: (small_table_has_weights R).1. Qed.
End Instances.

(* Impurities with square roots, over every real closed field: concave, and the least risks of their losses. *)
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

(* The negative exponential impurity and generalised cross-entropy at q = 1/2 as least risks, of the printed code. *)
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

(* Generalised cross-entropy at q = 1/2, the entropy's relative, as a least risk, of the printed code. *)
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

(* Where impurities vanish, where they are largest, and how they compare, of the printed code. *)
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
