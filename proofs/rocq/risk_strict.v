(* Where gains vanish for equal class shares only, and losses whose least risk is a multiple of misclassification. *)
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint zmodp.
From mathcomp Require Import ring.
From splitcrit Require Import defs risk generated losses risk_gains risk_roots.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Merged rows, and gains that vanish for equal class shares only, of the printed code. *)
Section Merged.
Variable R : realFieldType.

(* the table in which the rows with one value of f are one row *)
Definition merged r s K (f : 'I_r -> 'I_s) (t : 'I_r -> 'I_K -> R) : 'I_s -> 'I_K -> R :=
  fun j k => \sum_(i | f i == j) t i k.

(* strictly concave on the simplex: a chord lies below, unless its ends are one distribution *)
Definition strictly_concave K (phi : ('I_K -> R) -> R) := concave phi /\ forall p q a,
  distribution p -> distribution q -> 0 < a -> a < 1 ->
  phi (fun k => a * p k + (1 - a) * q k) = a * phi p + (1 - a) * phi q -> p =1 q.

Lemma scaled_up_of_part (I : finType) K (phi : ('I_K -> R) -> R) (s : pred I) (t : I -> 'I_K -> R) :
  extensional phi -> concave phi -> (forall i k, 0 <= t i k) ->
  \sum_(i | s i) scaled_up phi (t i) <= scaled_up phi (fun k => \sum_(i | s i) t i k).
Proof.
move=> ext cc t0; rewrite -big_filter.
have e : (fun k => \sum_(i | s i) t i k) =1 (fun k => \sum_(i <- filter s (index_enum I)) t i k).
  by move=> k; rewrite big_filter.
by rewrite (scaled_up_ext ext e); exact: scaled_up_of_sum.
Qed.

Lemma gain_of_scaled_up r K (phi : ('I_K -> R) -> R) (t : 'I_r -> 'I_K -> R) : weights t ->
  py_decrease phi t = (scaled_up phi (node t) - \sum_i scaled_up phi (t i)) / whole t.
Proof. by move=> t0; rewrite gainE // /scaled_up whole_node. Qed.

(* Merging rows of a table never raises the gain of a concave impurity; so a finer split never has a smaller one. *)
Theorem py_merging_rows_never_raises_the_gain r s K (phi : ('I_K -> R) -> R) (f : 'I_r -> 'I_s)
    (t : 'I_r -> 'I_K -> R) :
  extensional phi -> concave phi -> weights t -> py_decrease phi (merged f t) <= py_decrease phi t.
Proof.
move=> ext cc t0; have m0 : weights (merged f t) by move=> j k; apply: sumr_ge0.
have nodeE : node (merged f t) =1 node t.
  by move=> k; rewrite /node /merged [RHS](partition_big f xpredT).
have wholeE : whole (merged f t) = whole t by rewrite -!whole_node; exact: size_ext.
rewrite !gain_of_scaled_up // wholeE (scaled_up_ext ext nodeE).
apply: ler_wpmul2r; first by rewrite invr_ge0 whole_ge0.
rewrite ler_add2l ler_opp2 (partition_big f xpredT) //=; apply: ler_sum => j _.
exact: scaled_up_of_part.
Qed.

Lemma strict_superadditive K (phi : ('I_K -> R) -> R) (c d : 'I_K -> R) :
  extensional phi -> strictly_concave phi -> (forall k, 0 <= c k) -> (forall k, 0 <= d k) ->
  size c != 0 -> size d != 0 ->
  scaled_up phi (fun k => c k + d k) = scaled_up phi c + scaled_up phi d ->
  shares c (size c) =1 shares d (size d).
Proof.
move=> ext [cc strict] c0 d0 nz nz' e.
have sE : size (fun k => c k + d k) = size c + size d by rewrite /size big_split.
have n0 : 0 < size c by rewrite lt_neqAle eq_sym nz sumr_ge0.
have m0 : 0 < size d by rewrite lt_neqAle eq_sym nz' sumr_ge0.
have s0 : 0 < size c + size d by rewrite addr_gt0.
have sn : size c + size d != 0 by rewrite gt_eqF.
pose a := size c / (size c + size d).
have a0 : 0 < a by rewrite divr_gt0.
have a1 : a < 1 by rewrite ltr_pdivr_mulr // mul1r ltr_addl.
have b : 1 - a = size d / (size c + size d).
  by rewrite /a; move: (size c) (size d) sn => x y xy; field.
apply: (strict _ _ a) => //; try exact: shares_distribution.
rewrite (@ext (fun k => a * _ + _) (shares (fun k => c k + d k) (size c + size d))); last first.
  move=> k; rewrite b /a /shares (negPf nz) (negPf nz') (negPf sn).
  by move: (c k) (d k) (size c) (size d) sn nz nz' => u v x y xy x0 y0; field; rewrite xy x0 y0.
apply: (mulfI sn); move: e; rewrite {1}/scaled_up sE => ->; rewrite b /a /scaled_up.
set u := phi _; set v := phi _.
by move: u v (size c) (size d) sn {s0 sE n0 m0 a0 a1 b a nz nz'} => u v x y xy; field.
Qed.

(* The gain of a strictly concave impurity is 0 just if every row that is not empty has the node's class shares. *)
Theorem py_strictly_concave_gain_is_zero_iff_equal_shares r K (phi : ('I_K -> R) -> R) (t : 'I_r -> 'I_K -> R) :
  extensional phi -> strictly_concave phi -> weights t -> whole t != 0 ->
  py_decrease phi t = 0 <-> forall i, size (t i) != 0 -> row_shares t i =1 node_shares t.
Proof.
move=> ext strict t0 nz; split=> [g i nzi|same]; last first.
  rewrite gainE // (eq_bigr (fun i => size (t i) * phi (node_shares t))).
    by rewrite -mulr_suml subrr mul0r.
  by move=> i _; have [->|nzi] := eqVneq (size (t i)) 0; [rewrite !mul0r|rewrite (ext _ _ (same i nzi))].
have {g} top : scaled_up phi (node t) = \sum_j scaled_up phi (t j).
  apply/eqP; rewrite -subr_eq0; apply/eqP; move: g; rewrite gain_of_scaled_up //.
  by move/(congr1 ( *%R^~ (whole t))); rewrite divfK // mul0r.
pose rest k := \sum_(j | j != i) t j k.
have rest0 k : 0 <= rest k by exact: sumr_ge0.
have nodeE : node t =1 (fun k => t i k + rest k) by move=> k; rewrite /node (bigD1 i).
have wholeE : whole t = size (t i) + size rest.
  by rewrite -whole_node (size_ext nodeE) /size big_split.
have parts : scaled_up phi (fun k => t i k + rest k) = scaled_up phi (t i) + scaled_up phi rest.
  apply/eqP; rewrite eq_le scaled_up_superadditive // ?andbT; [|exact: strict.1].
  rewrite -(scaled_up_ext ext nodeE) top (bigD1 i) //= ler_add2l.
  by apply: scaled_up_of_part => //; exact: strict.1.
move=> k; rewrite /row_shares /node_shares /py_shares -/(node t k) nodeE wholeE.
have [z|nzr] := eqVneq (size rest) 0; first by rewrite z addr0 (size0_is0 rest0 z) addr0.
have n0 : 0 < size (t i) by rewrite lt_neqAle eq_sym nzi size_ge0.
have m0 : 0 < size rest by rewrite lt_neqAle eq_sym nzr sumr_ge0.
have sn : size (t i) + size rest != 0 by rewrite gt_eqF // addr_gt0.
have := strict_superadditive ext strict (t0 i) rest0 nzi nzr parts k.
rewrite /shares (negPf nzi) (negPf nzr) (negPf sn) => e.
have -> : rest k = t i k / size (t i) * size rest by rewrite e divfK.
by move: (t i k) (size (t i)) (size rest) nzi sn => x n m n0' s0; field; rewrite n0' s0.
Qed.
End Merged.

Section Strict.
Variable R : rcfType.
Local Notation sqrt := (@Num.sqrt R).

Lemma sqrt_gini_ext K : extensional (@py_sqrt_gini R sqrt K).
Proof. by move=> p q e; rewrite /py_sqrt_gini; congr (sqrt (_ * _ / _)); exact: gini_ext. Qed.

Lemma sqrt_gini_strict K : strictly_concave (@py_sqrt_gini R sqrt K).
Proof.
by split; [exact: py_sqrt_gini_is_concave|move=> p q a dp dq a0 a1; exact: py_sqrt_gini_is_strictly_concave].
Qed.

(* The gain of sqrt_gini is never negative, and 0 just if every row that is not empty has the node's class shares. *)
Theorem py_sqrt_gini_gain_is_zero_iff_equal_shares r K (t : 'I_r -> 'I_K -> R) : weights t -> whole t != 0 ->
  0 <= py_decrease (@py_sqrt_gini R sqrt K) t /\
  (py_decrease (@py_sqrt_gini R sqrt K) t = 0 <-> forall i, size (t i) != 0 -> row_shares t i =1 node_shares t).
Proof.
move=> t0 nz; split.
  by apply: py_gain_of_concave_impurity_is_nonnegative => //; [exact: sqrt_gini_ext|exact: py_sqrt_gini_is_concave].
by apply: py_strictly_concave_gain_is_zero_iff_equal_shares => //; [exact: sqrt_gini_ext|exact: sqrt_gini_strict].
Qed.

Lemma matushita_ext K : extensional (@py_matushita R sqrt K).
Proof. by move=> p q e; apply: eq_bigr => k _; rewrite e. Qed.

(* matushita is strictly concave: on a chord it exceeds the mixture of the ends, unless these are one distribution. *)
Theorem py_matushita_is_strictly_concave K : strictly_concave (@py_matushita R sqrt K).
Proof.
split=> [|p q a dp dq a0 a1]; first exact: py_matushita_is_concave.
rewrite /py_matushita !mulr_sumr -big_split /= => /eqP; rewrite -subr_eq0 -sumrB.
pose x k := p k * (1 - p k); pose y k := q k * (1 - q k).
have x0 k : 0 <= x k by rewrite mulr_ge0 ?subr_ge0 ?share_le1 ?dp.1.
have y0 k : 0 <= y k by rewrite mulr_ge0 ?subr_ge0 ?share_le1 ?dq.1.
pose m k := a * p k + (1 - a) * q k.
have mE k : m k * (1 - m k) = a * x k + (1 - a) * y k + a * (1 - a) * (p k - q k) ^+ 2.
  by rewrite /m /x /y; ring.
have ab : 0 < a * (1 - a) by rewrite mulr_gt0 // subr_gt0.
have b0 : 0 <= 1 - a by rewrite subr_ge0 ltW.
have m0 k : 0 <= m k * (1 - m k).
  rewrite mE; apply: addr_ge0; last by rewrite mulr_ge0 ?sqr_ge0 ?ltW.
  by apply: addr_ge0; apply: mulr_ge0; rewrite // ltW.
rewrite psumr_eq0 => [/allP z k|k _]; last first.
  rewrite subr_ge0 -/(x k) -/(y k) -/(m k); apply: root_of_concave; rewrite ?(ltW a0) ?(ltW a1) //.
  by rewrite mE ler_addl mulr_ge0 ?sqr_ge0 ?ltW.
have := z k (mem_index_enum _); rewrite /= -/(x k) -/(y k) -/(m k) subr_eq0 => /eqP e.
have : (a * sqrt (x k) + (1 - a) * sqrt (y k)) ^+ 2 = a * x k + (1 - a) * y k + a * (1 - a) * (p k - q k) ^+ 2.
  by rewrite -e sqr_sqrtr.
rewrite -{2}(sqr_sqrtr (x0 k)) -{2}(sqr_sqrtr (y0 k)); move: (sqrt _) (sqrt _) => s u e2.
have : a * (1 - a) * ((u - s) ^+ 2 + (p k - q k) ^+ 2) = 0.
  rewrite (_ : _ * _ = a * u ^+ 2 + (1 - a) * s ^+ 2 + a * (1 - a) * (p k - q k) ^+ 2 - (a * u + (1 - a) * s) ^+ 2).
    by rewrite e2 subrr.
  by ring.
move/eqP; rewrite mulf_eq0 gt_eqF //= paddr_eq0 ?sqr_ge0 // => /andP [_].
by rewrite sqrf_eq0 subr_eq0 => /eqP.
Qed.

(* The gain of matushita is never negative, and 0 just if every row that is not empty has the node's class shares. *)
Theorem py_matushita_gain_is_zero_iff_equal_shares r K (t : 'I_r -> 'I_K -> R) : weights t -> whole t != 0 ->
  0 <= py_decrease (@py_matushita R sqrt K) t /\
  (py_decrease (@py_matushita R sqrt K) t = 0 <-> forall i, size (t i) != 0 -> row_shares t i =1 node_shares t).
Proof.
move=> t0 nz; split.
  by apply: py_gain_of_concave_impurity_is_nonnegative => //; [exact: matushita_ext|exact: py_matushita_is_concave].
apply: py_strictly_concave_gain_is_zero_iff_equal_shares => //; first exact: matushita_ext.
exact: py_matushita_is_strictly_concave.
Qed.

Lemma ne_ext K lam : extensional (@py_ne R sqrt K lam).
Proof.
by move=> p q e; rewrite /py_ne; congr (Num.min _ (lam * _)); [exact: misclassification_ext|exact: sqrt_gini_ext].
Qed.

(* The gain of the negative exponential impurity is never negative. *)
Theorem py_ne_gain_is_nonnegative r K lam (t : 'I_r -> 'I_K.+1 -> R) : 0 <= lam -> weights t ->
  0 <= py_decrease (@py_ne R sqrt K lam) t.
Proof.
move=> l0 t0; apply: py_gain_of_concave_impurity_is_nonnegative => //; first exact: ne_ext.
exact: py_ne_is_concave.
Qed.

(* The gain of generalised cross-entropy at q = 1/2 is never negative. *)
Theorem py_gce_half_gain_is_nonnegative r K (t : 'I_r -> 'I_K.+1 -> R) : weights t ->
  0 <= py_decrease (@py_gce_half R sqrt K) t.
Proof. exact: py_gain_of_minimised_risk_is_nonnegative (py_gce_half_is_least_risk R K).1. Qed.
End Strict.

(* Instances: the hypotheses can hold. *)
Section Instances.
Variable R : rcfType.

Example strict_table : weights (@small_table R) /\ whole (@small_table R) != 0 /\ 0 <= 1 :> R.
Proof. by have [h1 h2] := small_table_has_weights R; rewrite h2 ler01. Qed.

Example strictly_concave_impurity :
  extensional (@py_matushita R (@Num.sqrt R) 2) /\ strictly_concave (@py_matushita R (@Num.sqrt R) 2) /\
  concave (@py_matushita R (@Num.sqrt R) 2) /\ weights (@small_table R) /\ whole (@small_table R) != 0.
Proof.
split; first exact: matushita_ext.
split; first exact: py_matushita_is_strictly_concave.
by split; [exact: py_matushita_is_concave|exact: small_table_has_weights].
Qed.
End Instances.

(* Losses whose least risk is a multiple of misclassification, and strict concavity of GCE at q = 1/2. *)
Section Conservative.
Variable R : realFieldType.

(* no cost is above C, those of an action sum to C (K - 1) at least, and each class has an action that costs 0 there *)
Definition conservative K C W (ok : W -> Prop) (cost : W -> 'I_K.+1 -> R) :=
  (forall w, ok w -> (forall k, cost w k <= C) /\ C * K%:R <= \sum_k cost w k) /\
  (forall j, exists2 w, ok w & cost w j <= 0).

(* A C-conservative loss has C times misclassification as its least risk, attained by the action for a majority class. *)
Theorem py_conservative_loss_has_misclassification_as_least_risk K C W (ok : W -> Prop) (cost : W -> 'I_K.+1 -> R) :
  conservative C ok cost ->
  minimised_risk ok cost (fun p => C * py_misclassification p) /\
  attained ok cost (fun p => C * py_misclassification p).
Proof.
move=> [bounds own]; have below p w : distribution p -> ok w -> C * py_misclassification p <= py_risk (cost w) p.
  by move=> d okw; have [cap total] := bounds w okw; exact: py_risk_of_capped_costs_is_at_least_error.
have att : attained ok cost (fun p => C * py_misclassification p).
  move=> p d; have [p0 p1] := d; have [j e top] := largest_is_a_share p; have [w okw free] := own j.
  exists w => //; apply/eqP; rewrite eq_le below // andbT py_riskE /py_misclassification e.
  have -> : C * (1 - p j) = \sum_(k | k != j) p k * C.
    rewrite -mulr_suml mulrC; congr (_ * _); move: p1; rewrite (bigD1 j) //= => <-.
    by rewrite [LHS]addrC addKr.
  rewrite (bigD1 j) //= -[X in _ <= X]add0r; apply: ler_add; first by rewrite mulr_ge0_le0.
  by apply: ler_sum => k _; apply: ler_wpmul2l => //; exact: (bounds w okw).1.
by split=> //; exact: minimised_of_attained.
Qed.

(* Conversely, if the least risk is C times misclassification, the costs of every action sum to C (K - 1) at least. *)
Theorem py_costs_sum_to_conservative_bound K C W (ok : W -> Prop) (cost : W -> 'I_K.+1 -> R) :
  minimised_risk ok cost (fun p => C * py_misclassification p) ->
  forall w, ok w -> C * K%:R <= \sum_k cost w k.
Proof.
move=> least w okw; have n0 : 0 < K.+1%:R :> R by rewrite ltr0n.
have nz : K.+1%:R != 0 :> R by rewrite gt_eqF.
pose u := fun _ : 'I_K.+1 => K.+1%:R^-1 : R.
have du : distribution u.
  split=> [k|]; first by rewrite /u invr_ge0 ltW.
  by rewrite /u sumr_const card_ord -[_ *+ _]mulr_natr mulVf.
have := (least u du).1 w okw; rewrite py_riskE -mulr_sumr /py_misclassification.
have [j -> _] := largest_is_a_share u; rewrite /u.
have -> : 1 - K.+1%:R^-1 = K%:R / K.+1%:R :> R.
  by apply: (mulIf nz); rewrite divfK // mulrBl mul1r mulVf // -addn1 natrD addrK.
by rewrite [C * _]mulrA [_^-1 * _]mulrC ler_pmul2r ?invr_gt0.
Qed.
End Conservative.

Section Gce.
Variable R : rcfType.
Local Notation sqrt := (@Num.sqrt R).

Lemma gce_half_ext K : extensional (@py_gce_half R sqrt K).
Proof.
move=> p q e; rewrite /py_gce_half; have -> : \big[Num.max/p ord0]_k p k = \big[Num.max/q ord0]_k q k.
  by rewrite e (eq_bigr q).
by congr ((1 - _ * sqrt _) / _); apply: eq_bigr => k _; rewrite e.
Qed.

(* GCE at q = 1/2 is strictly concave: on a chord it exceeds the mixture of the ends, unless these are the same. *)
Theorem py_gce_half_is_strictly_concave K : strictly_concave (@py_gce_half R sqrt K).
Proof.
split=> [|p q a dp dq a0 a1]; first exact: py_minimised_risk_is_concave (py_gce_half_is_least_risk R K).1.
have dm := mixture_is_distribution dp dq (ltW a0) (ltW a1); rewrite -/(mixture a p q) !py_gce_halfE //.
have s0 := dot_ge0 p; have x0 := dot_ge0 q; have m0 := dot_ge0 (mixture a p q).
set n := sqrt (dot (mixture a p q) _); set r := sqrt (dot p p); set s := sqrt (dot q q) => e.
have {e} nE : n = a * r + (1 - a) * s.
  apply/eqP; rewrite -subr_eq0; have two : 2%:R != 0 :> R by rewrite pnatr_eq0.
  rewrite -(mulrI_eq0 _ (mulfI two)) -oppr_eq0; apply/eqP.
  have -> : - (2%:R * (n - (a * r + (1 - a) * s)))
    = 2%:R * (1 - n) - (a * (2%:R * (1 - r)) + (1 - a) * (2%:R * (1 - s))) by ring.
  by rewrite e subrr.
have mixE : dot (mixture a p q) (mixture a p q)
    = a ^+ 2 * dot p p + (2%:R * a * (1 - a) * dot p q + (1 - a) ^+ 2 * dot q q).
  rewrite /dot (eq_bigr (fun k => a ^+ 2 * (p k * p k) + (2%:R * a * (1 - a) * (p k * q k)
    + (1 - a) ^+ 2 * (q k * q k)))); last by move=> k _; rewrite /mixture; ring.
  by rewrite !big_split /= -!mulr_sumr.
have r2 : r ^+ 2 = dot p p by rewrite sqr_sqrtr.
have s2 : s ^+ 2 = dot q q by rewrite sqr_sqrtr.
have ab : a * (1 - a) != 0 by rewrite gt_eqF // mulr_gt0 // subr_gt0.
have inner : dot p q = r * s.
  have : n ^+ 2 = dot (mixture a p q) (mixture a p q) by rewrite sqr_sqrtr.
  rewrite mixE nE -r2 -s2 => h; apply: (mulfI ab); apply: (@mulfI _ 2%:R); first by rewrite pnatr_eq0.
  move/eqP: h; rewrite -subr_eq0 => /eqP h; apply/eqP; rewrite -subr_eq0 -oppr_eq0 -h; apply/eqP; ring.
have : \sum_k (s * p k - r * q k) ^+ 2 = 0.
  rewrite (eq_bigr (fun k => s ^+ 2 * (p k * p k) + ((- 2%:R * (r * s)) * (p k * q k) + r ^+ 2 * (q k * q k)))).
    rewrite !big_split /= -!mulr_sumr -/(dot p p) -/(dot p q) -/(dot q q) inner -r2 -s2; ring.
  by move=> k _; ring.
move/eqP; rewrite psumr_eq0 => [/allP z|k _]; last exact: sqr_ge0.
have same k : s * p k = r * q k.
  by have := z k (mem_index_enum _); rewrite /= sqrf_eq0 subr_eq0 => /eqP.
have rs : s = r.
  rewrite -[s]mulr1 -dp.2 mulr_sumr -[r]mulr1 -dq.2 mulr_sumr; apply: eq_bigr => k _; exact: same.
have sn : s != 0.
  rewrite sqrtr_eq0 -ltNge; have [j _ top] := largest_is_a_share q.
  have q0 := largest_gt0 dq; have [i e _] := largest_is_a_share q; rewrite e in q0.
  rewrite /dot (bigD1 i) //=; apply: ltr_paddr; last by rewrite mulr_gt0.
  by apply: sumr_ge0 => k _; rewrite -expr2 sqr_ge0.
by move=> k; apply: (mulfI sn); rewrite same rs.
Qed.

(* The gain of GCE at q = 1/2 is 0 just if every row that is not empty has the node's class shares. *)
Theorem py_gce_half_gain_is_zero_iff_equal_shares r K (t : 'I_r -> 'I_K.+1 -> R) : weights t -> whole t != 0 ->
  py_decrease (@py_gce_half R sqrt K) t = 0 <-> forall i, size (t i) != 0 -> row_shares t i =1 node_shares t.
Proof.
move=> t0 nz; apply: py_strictly_concave_gain_is_zero_iff_equal_shares => //; first exact: gce_half_ext.
exact: py_gce_half_is_strictly_concave.
Qed.
End Gce.

(* Instances: the hypotheses can hold. *)
Section Instances.
Variable R : rcfType.

Example zero_one_is_conservative :
  conservative 1 (fun=> True) (fun w k : 'I_2 => if w == k then 0 else 1 : R) /\
  minimised_risk (fun=> True) (fun w k : 'I_2 => if w == k then 0 else 1 : R) (fun p => 1 * py_misclassification p).
Proof.
have c : conservative 1 (fun=> True) (fun w k : 'I_2 => if w == k then 0 else 1 : R).
  split=> [w _|j]; last by exists j; rewrite // eqxx.
  split=> [k|]; first by case: ifP => _; rewrite ?ler01.
  rewrite sum2 mulr1; have [->|->] : (w = 0) \/ (w = 1) by case: w => [[|[|//]] h]; [left|right]; apply: val_inj.
    by rewrite /= add0r.
  by rewrite /= addr0.
by split=> //; exact: (py_conservative_loss_has_misclassification_as_least_risk c).1.
Qed.

Example conservative_table : weights (@small_table R) /\ whole (@small_table R) != 0.
Proof. exact: small_table_has_weights. Qed.
End Instances.
