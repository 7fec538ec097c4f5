(* Losses whose least risk is a multiple of misclassification, and strict concavity of GCE at q = 1/2. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs risk generated concave losses risk_gains risk_concavity risk_roots risk_ne risk_gce.
From splitcrit Require Import risk_strict.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

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
