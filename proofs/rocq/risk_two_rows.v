(* Scores of splits into two rows: pairwise gain, one-vs-rest and twoing, of the printed code. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs risk generated concave losses risk_gains.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section TwoRows.
Variable R : realFieldType.

(* Two classes: Gini's gain is 8 t^2 / (N^2 N_L N_R), where t is pairwise gain. *)
Theorem py_gini_gain_is_squared_pairwise_gain (t : 'I_2 -> 'I_2 -> R) : weights t ->
  py_decrease_gini t = 8%:R * py_pairwise_gain t ^+ 2 / (whole t ^+ 2 * size (t 0) * size (t 1)).
Proof.
move=> t0; rewrite py_gini_gain_by_determinant // /py_pairwise_gain exprMn real_normK ?num_real //.
by congr (_ / _); move: (_ - _) => x; field.
Qed.

(* Two classes: pairwise gain is 0 just if the shares of the two rows are equal, both rows being occupied. *)
Theorem py_pairwise_gain_is_zero_iff_equal_shares (t : 'I_2 -> 'I_2 -> R) :
  size (t 0) != 0 -> size (t 1) != 0 ->
  py_pairwise_gain t = 0 <-> row_shares t 0 =1 row_shares t 1.
Proof.
move=> n0 n1; have cross k : (row_shares t 0 k == row_shares t 1 k) = (t 0 k * size (t 1) == t 1 k * size (t 0)).
  rewrite /row_shares /py_shares (negPf n0) (negPf n1).
  by rewrite -(inj_eq (mulIf n0)) divfK // mulrAC -(inj_eq (mulIf n1)) divfK.
have det k : t 0 k * size (t 1) - t 1 k * size (t 0)
    = (if k == 0 then 1 else -1) * (t 0 0 * t 1 1 - t 0 1 * t 1 0).
  have [->|->] : (k = 0) \/ (k = 1) by case: k => [[|[|//]] h]; [left|right]; apply: val_inj.
    by rewrite /size !sum2 /=; ring.
  by rewrite /size !sum2 /=; ring.
have two : py_pairwise_gain t = 0 <-> t 0 0 * t 1 1 - t 0 1 * t 1 0 = 0.
  rewrite /py_pairwise_gain; split=> [/eqP|->]; last by rewrite normr0 mul0r.
  by rewrite mulf_eq0 invr_eq0 pnatr_eq0 orbF normr_eq0 => /eqP.
split=> [/two e k|same]; last first.
  by apply/two; have := det 0; rewrite mul1r => <-; apply/eqP; rewrite subr_eq0 -cross same.
by apply/eqP; rewrite cross -subr_eq0 det e mulr0.
Qed.

(* No split has more pairwise gain than half the pairs of a positive and a negative example of the node. *)
Theorem py_pairwise_gain_is_at_most_half_the_pairs (t : 'I_2 -> 'I_2 -> R) : weights t ->
  py_pairwise_gain t <= node t 0 * node t 1 / 2%:R.
Proof.
move=> t0; rewrite /py_pairwise_gain /node !sum2 ler_pmul2r ?invr_gt0 ?ltr0n //.
apply: le_trans (ler_norm_sub _ _) _; rewrite !ger0_norm ?mulr_ge0 //.
rewrite -subr_ge0; have -> : (t 0 0 + t 1 0) * (t 0 1 + t 1 1) - (t 0 0 * t 1 1 + t 0 1 * t 1 0)
    = t 0 0 * t 0 1 + t 1 0 * t 1 1 by ring.
by rewrite addr_ge0 ?mulr_ge0.
Qed.

(* The splits of a node of both classes with the most pairwise gain are exactly those that separate the classes. *)
Theorem py_pairwise_gain_is_largest_iff_separated (t : 'I_2 -> 'I_2 -> R) : weights t ->
  node t 0 != 0 -> node t 1 != 0 ->
  py_pairwise_gain t = node t 0 * node t 1 / 2%:R <->
  (t 0 1 = 0 /\ t 1 0 = 0) \/ (t 0 0 = 0 /\ t 1 1 = 0).
Proof.
move=> t0; rewrite /py_pairwise_gain /node !sum2.
move: (t 0 0) (t 0 1) (t 1 0) (t 1 1) (t0 0 0) (t0 0 1) (t0 1 0) (t0 1 1) => a b c d a0 b0 c0 d0 n0 n1.
have two : 2%:R^-1 != 0 :> R by rewrite invr_eq0 pnatr_eq0.
split=> [/(mulIf two) e|[[-> ->]|[-> ->]]]; last first.
- by rewrite !mul0r sub0r add0r addr0 normrN ger0_norm ?mulr_ge0 // [b * c]mulrC.
- by rewrite mul0r subr0 addr0 add0r ger0_norm ?mulr_ge0.
have cases (x y u v : R) : 0 <= x -> 0 <= y -> 0 <= u -> 0 <= v -> x + y != 0 -> u + v != 0 ->
    u * y + u * y + (x * u + y * v) = 0 -> u = 0 /\ y = 0.
  move=> x0 y0 u0 v0 xy uv /eqP; rewrite !paddr_eq0 ?addr_ge0 ?mulr_ge0 // !mulf_eq0 andbb => /andP [h1 /andP [h2 h3]].
  have uz : u = 0.
    apply/eqP; apply: contraNT xy => u1; rewrite (negPf u1) /= in h1; rewrite (negPf u1) orbF in h2.
    by rewrite (eqP h1) (eqP h2) addr0.
  split=> //; apply/eqP; apply: contraNT uv => y1; rewrite (negPf y1) /= in h3.
  by rewrite uz (eqP h3) addr0.
move: e; case: (leP (b * c) (a * d)) => h.
  rewrite ger0_norm ?subr_ge0 // => e; left; apply: (cases a c b d) => //.
  by move/eqP: e; rewrite eq_sym -subr_eq0 => /eqP <-; ring.
rewrite ltr0_norm ?subr_lt0 // => e; right.
have [] : d = 0 /\ a = 0 by apply: (cases c a d b) => //; rewrite 1?[c + a]addrC 1?[d + b]addrC //;
  move/eqP: e; rewrite eq_sym -subr_eq0 => /eqP <-; ring.
by [].
Qed.

(* Twoing is 4 s^2 / (N^2 N_L N_R), where s is the one-vs-rest pairwise gain, for any number of classes. *)
Theorem py_twoing_is_squared_one_vs_rest K (t : 'I_2 -> 'I_K -> R) : weights t ->
  py_twoing t = 4%:R * py_one_vs_rest t ^+ 2 / (whole t ^+ 2 * size (t 0) * size (t 1)).
Proof.
move=> t0; rewrite /py_twoing /py_one_vs_rest -/(size (t 0)) -/(size (t 1)) /whole sum2.
set d := \sum_k _; set l := size (t 0); set u := size (t 1).
case: eqVneq => [z|nz]; last first.
  move: nz; rewrite !mulf_eq0 !negb_or => /andP [/andP [/andP [/andP [_ n0] _] l0] r0].
  by clearbody d l u; field; rewrite l0 r0.
have d0 : d = 0.
  have [z0|z1] : l = 0 \/ u = 0.
    move/eqP: z; rewrite !mulf_eq0 pnatr_eq0 /= orbb paddr_eq0 ?size_ge0 //.
    by case/orP => [/orP [/andP [/eqP]|/eqP]|/eqP]; auto.
    by apply: big1 => k _; rewrite -/l z0 (size0_is0 (t0 0) z0) mul0r mulr0 subrr normr0.
  by apply: big1 => k _; rewrite -/u z1 (size0_is0 (t0 1) z1) mul0r mulr0 subrr normr0.
by rewrite d0 !mul0r expr0n mulr0 mul0r.
Qed.

Lemma one_vs_rest0 K (t : 'I_2 -> 'I_K -> R) : size (t 0) != 0 -> size (t 1) != 0 ->
  py_one_vs_rest t = 0 <-> row_shares t 0 =1 row_shares t 1.
Proof.
move=> n0 n1; have cross k : (row_shares t 0 k == row_shares t 1 k) = (t 0 k * size (t 1) == t 1 k * size (t 0)).
  rewrite /row_shares /py_shares (negPf n0) (negPf n1).
  by rewrite -(inj_eq (mulIf n0)) divfK // mulrAC -(inj_eq (mulIf n1)) divfK.
rewrite /py_one_vs_rest; split=> [/eqP|same].
  rewrite mulf_eq0 invr_eq0 pnatr_eq0 orbF psumr_eq0 => [/allP z k|k _]; last exact: normr_ge0.
  by have := z k (mem_index_enum _); rewrite /= normr_eq0 subr_eq0 -cross => /eqP.
rewrite big1 ?mul0r // => k _; have := cross k; rewrite same eqxx => /esym/eqP.
by rewrite /size => ->; rewrite subrr normr0.
Qed.

(* One-vs-rest pairwise gain is 0 just if the shares of the two rows are equal, both rows being occupied. *)
Theorem py_one_vs_rest_is_zero_iff_equal_shares K (t : 'I_2 -> 'I_K -> R) :
  size (t 0) != 0 -> size (t 1) != 0 -> py_one_vs_rest t = 0 <-> row_shares t 0 =1 row_shares t 1.
Proof. exact: one_vs_rest0. Qed.

(* Twoing is 0 just if the shares of the two rows are equal, both rows being occupied. *)
Theorem py_twoing_is_zero_iff_equal_shares K (t : 'I_2 -> 'I_K -> R) : weights t ->
  size (t 0) != 0 -> size (t 1) != 0 -> py_twoing t = 0 <-> row_shares t 0 =1 row_shares t 1.
Proof.
move=> t0 n0 n1; have iff := one_vs_rest0 n0 n1; rewrite py_twoing_is_squared_one_vs_rest //.
split=> [/eqP|/iff ->]; last by rewrite expr0n mulr0 mul0r.
have w0 : whole t != 0.
  by rewrite /whole sum2 paddr_eq0 ?size_ge0 // (negPf n0).
have scale : whole t ^+ 2 * size (t 0) * size (t 1) != 0 by rewrite mulf_neq0 // mulf_neq0 // sqrf_eq0.
by rewrite mulf_eq0 invr_eq0 (negPf scale) orbF mulf_eq0 pnatr_eq0 sqrf_eq0 => /eqP /iff.
Qed.

(* The hinge loss of two classes has twice misclassification as its least risk, attained at the sign of the majority. *)
Theorem py_hinge_least_risk_is_twice_misclassification :
  let cost := fun (w : R) (k : 'I_2) => if k == 0 then py_hinge_0 w else py_hinge_1 w in
  minimised_risk (fun=> True) cost (fun p => 2%:R * py_misclassification p) /\
  forall p, distribution p -> py_risk (cost (py_sign p)) p = 2%:R * py_misclassification p.
Proof.
move=> cost; have riskE w p : py_risk (cost w) p = p 0 * Num.max 0 (1 + w) + p 1 * Num.max 0 (1 - w).
  by rewrite py_riskE sum2 /cost /py_hinge_0 /py_hinge_1 /= opprK.
have errorE (p : 'I_2 -> R) : distribution p -> py_misclassification p = if p 0 <= p 1 then p 0 else p 1.
  move=> [_]; rewrite sum2 /py_misclassification => p1; have [j -> top] := largest_is_a_share p.
  have [e|e] : (j = 0) \/ (j = 1) by case: j {top} => [[|[|//]] h]; [left|right]; apply: val_inj.
    by move: (top 1); rewrite e -p1 addrC addKr => h; case: leP => // h'; apply/eqP; rewrite eq_le h h'.
  by move: (top 0); rewrite e -p1 addrK => ->.
have at_ p : distribution p -> py_risk (cost (py_sign p)) p = 2%:R * py_misclassification p.
  move=> d; rewrite errorE // riskE /py_sign; case: ifP => _.
    by rewrite subrr maxxx mulr0 addr0 max_r ?addr_ge0 ?ler01 // mulrC; congr (_ * _); ring.
  by rewrite subrr maxxx mulr0 add0r opprK max_r ?addr_ge0 ?ler01 // mulrC; congr (_ * _); ring.
split=> //; apply: minimised_of_attained => [p w d _|p d]; last by exists (py_sign p); rewrite ?at_.
have [p0 p1] := d; rewrite errorE // riskE; set m := if _ then _ else _.
have m0 : m <= p 0 by rewrite /m; case: (leP (p 0) (p 1)) => // /ltW.
have m1 : m <= p 1 by rewrite /m; case: (leP (p 0) (p 1)).
have mm : 0 <= m by rewrite /m; case: ifP => _; exact: p0.
have up (x : R) : 0 <= Num.max 0 x /\ x <= Num.max 0 x by rewrite !le_maxr !lexx orbT.
apply: (@le_trans _ _ (m * Num.max 0 (1 + w) + m * Num.max 0 (1 - w))).
  rewrite -mulrDr mulrC; apply: ler_wpmul2l => //.
  apply: le_trans (ler_add (up (1 + w)).2 (up (1 - w)).2).
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
by apply: ler_add; apply: ler_wpmul2r => //; case: (up (1 + w)) (up (1 - w)) => a _ [b _].
Qed.
End TwoRows.

(* Instances: the hypotheses can hold. *)
Section Instances.
Variable R : realFieldType.
Local Notation t := (@small_table R).

Example two_rows_table : weights t /\ size (t 0) != 0 /\ size (t 1) != 0.
Proof.
split; first exact: (small_table_has_weights R).1.
split; first by rewrite /size sum2 /small_table /= (_ : _ + _ = 3%:R) ?pnatr_eq0 //; ring.
by rewrite /size sum2 /small_table /= add0r pnatr_eq0.
Qed.

Example both_classes_occur : weights t /\ node t 0 != 0 /\ node t 1 != 0.
Proof.
split; first exact: (small_table_has_weights R).1.
split; first by rewrite /node sum2 /small_table /= addr0 pnatr_eq0.
by rewrite /node sum2 /small_table /= (_ : _ + _ = 4%:R) ?pnatr_eq0 //; ring.
Qed.
End Instances.
