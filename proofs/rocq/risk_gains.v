(* Gains as the excess risk of the node's best action in the rows, and when they are zero, of the printed code. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs risk core generated concave losses.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Gains.
Variable R : realFieldType.

Definition row_shares r K (t : 'I_r -> 'I_K -> R) i := py_shares (t i) (size (t i)).
Definition node_shares r K (t : 'I_r -> 'I_K -> R) := py_shares (node t) (whole t).

Lemma scaled_risk K (cost c : 'I_K -> R) : (forall k, 0 <= c k) ->
  size c * py_risk cost (py_shares c (size c)) = \sum_k c k * cost k.
Proof.
move=> c0; rewrite py_riskE; have [z|nz] := eqVneq (size c) 0.
  rewrite z mul0r big1 // => k _; by rewrite (size0_is0 c0 z) mul0r.
rewrite mulr_sumr; apply: eq_bigr => k _; rewrite /py_shares (negPf nz).
by move: (c k) (cost k) (size c) nz => x y n nz; field.
Qed.

Section Table.
Variables (r K : nat) (phi : ('I_K -> R) -> R) (t : 'I_r -> 'I_K -> R).
Hypothesis t0 : weights t.

Lemma size_ge0 i : 0 <= size (t i). Proof. exact: sumr_ge0. Qed.
Lemma whole_ge0 : 0 <= whole t. Proof. by apply: sumr_ge0 => i _; exact: size_ge0. Qed.
Lemma node_ge0 k : 0 <= node t k. Proof. exact: sumr_ge0. Qed.

Lemma whole0_size0 : whole t = 0 -> forall i, size (t i) = 0.
Proof.
move=> /eqP; rewrite psumr_eq0; last by move=> i _; exact: size_ge0.
by move=> /allP z i; apply/eqP; exact: z (mem_index_enum _).
Qed.

Lemma row_distribution i : size (t i) != 0 -> distribution (row_shares t i).
Proof. exact: shares_distribution. Qed.

Lemma node_distribution : whole t != 0 -> distribution (node_shares t).
Proof. by rewrite /node_shares -whole_node; apply: shares_distribution; exact: node_ge0. Qed.

Lemma node_risk (cost : 'I_K -> R) :
  whole t * py_risk cost (node_shares t) = \sum_i size (t i) * py_risk cost (row_shares t i).
Proof.
rewrite /node_shares -whole_node scaled_risk; last exact: node_ge0.
rewrite (eq_bigr _ (fun i _ => scaled_risk cost (t0 i))) exchange_big /=.
by apply: eq_bigr => k _; rewrite /node mulr_suml.
Qed.

Lemma gainE : py_decrease phi t
  = (whole t * phi (node_shares t) - \sum_i size (t i) * phi (row_shares t i)) / whole t.
Proof.
rewrite py_decreaseE /decrease; case: eqVneq => [z|//]; rewrite z mul0r sub0r divr1 invr0 mulr0 big1 ?oppr0 // => i _.
by rewrite whole0_size0 // mul0r.
Qed.

Lemma gain_as_excess (cost : 'I_K -> R) (e : 'I_r -> R) :
  (whole t != 0 -> py_risk cost (node_shares t) = phi (node_shares t)) ->
  (forall i, size (t i) != 0 -> py_risk cost (row_shares t i) = phi (row_shares t i) + e i) ->
  py_decrease phi t = (\sum_i size (t i) * e i) / whole t.
Proof.
move=> best excess; rewrite gainE; have [z|nz] := eqVneq (whole t) 0; first by rewrite z invr0 !mulr0.
congr (_ / _); rewrite -best // node_risk -sumrB; apply: eq_bigr => i _.
have [z|nzi] := eqVneq (size (t i)) 0; first by rewrite z !mul0r subrr.
by rewrite excess // mulrDr addrC addKr.
Qed.
End Table.

(* The gain of any loss is 0 just if one action is best in the node and in every row that is not empty. *)
Theorem py_gain_is_zero_iff_one_action_is_best r K W (ok : W -> Prop) (cost : W -> 'I_K -> R) phi
    (t : 'I_r -> 'I_K -> R) :
  minimised_risk ok cost phi -> attained ok cost phi -> weights t -> whole t != 0 ->
  py_decrease phi t = 0 <->
  exists2 w, ok w & forall i, size (t i) != 0 -> py_risk (cost w) (row_shares t i) = phi (row_shares t i).
Proof.
move=> least att t0 nz; have n0 : 0 < whole t by rewrite lt_neqAle eq_sym nz whole_ge0.
split=> [g|[w okw best]].
  have [w okw e] := att _ (node_distribution t0 nz); exists w => // i nzi.
  pose x i := py_risk (cost w) (row_shares t i) - phi (row_shares t i).
  have x0 j : size (t j) != 0 -> 0 <= x j.
    by move=> nzj; rewrite subr_ge0; exact: (least _ (row_distribution t0 nzj)).1.
  have := @gain_as_excess r K phi t t0 (cost w) x (fun=> e); rewrite g => /(_ _)/esym gE.
  have {gE}: \sum_i size (t i) * x i = 0.
    have : (\sum_i size (t i) * x i) / whole t = 0 by apply: gE => j _; rewrite /x addrC subrK.
    by move/(congr1 ( *%R^~ (whole t))); rewrite divfK // mul0r.
  move/eqP; rewrite psumr_eq0 => [/allP /(_ i (mem_index_enum _)) /=|j _].
    by rewrite mulf_eq0 (negPf nzi) /= subr_eq0 => /eqP.
  have [->|nzj] := eqVneq (size (t j)) 0; first by rewrite mul0r.
  by rewrite mulr_ge0 ?size_ge0 ?x0.
apply/eqP; rewrite eq_le (py_gain_of_minimised_risk_is_nonnegative least t0) andbT gainE //.
rewrite ler_pdivr_mulr // mul0r subr_le0.
rewrite [X in _ <= X](eq_bigr (fun i => size (t i) * py_risk (cost w) (row_shares t i))); last first.
  by move=> i _; have [->|nzi] := eqVneq (size (t i)) 0; [rewrite !mul0r|rewrite best].
by rewrite -node_risk // ler_pmul2l //; exact: (least _ (node_distribution t0 nz)).1.
Qed.

(* Gini's gain is the weighted mean squared distance of the rows' shares from the node's, empty rows included. *)
Theorem py_gini_gain_is_spread r K (t : 'I_r -> 'I_K -> R) : weights t ->
  py_decrease_gini t
  = (\sum_i size (t i) * (\sum_k (row_shares t i k - node_shares t k) ^+ 2)) / whole t.
Proof.
move=> t0; apply: (@gain_as_excess r K (@py_gini R K) t t0 (py_square (node_shares t))) => [nz|i nz].
  rewrite py_square_excess ?(node_distribution _ _).2 // big1 ?addr0 // => k _.
  by rewrite subrr expr0n.
rewrite py_square_excess ?(row_distribution _ _).2 //; congr (_ + _); apply: eq_bigr => k _.
by rewrite -sqrrN opprB.
Qed.

(* Gini's gain is 0 just if every row that is not empty has the node's class shares. *)
Theorem py_gini_gain_is_zero_iff_equal_shares r K (t : 'I_r -> 'I_K -> R) : weights t -> whole t != 0 ->
  py_decrease_gini t = 0 <-> forall i, size (t i) != 0 -> row_shares t i =1 node_shares t.
Proof.
move=> t0 nz; rewrite py_gini_gain_is_spread //; split=> [g i nzi k|same].
  have : \sum_i size (t i) * (\sum_k (row_shares t i k - node_shares t k) ^+ 2) = 0.
    by move: g => /(congr1 ( *%R^~ (whole t))); rewrite divfK // mul0r.
  move/eqP; rewrite psumr_eq0 => [/allP /(_ i (mem_index_enum _)) /=|j _].
    rewrite mulf_eq0 (negPf nzi) /= psumr_eq0 => [/allP /(_ k (mem_index_enum _)) /=|j _]; last exact: sqr_ge0.
    by rewrite sqrf_eq0 subr_eq0 => /eqP.
  by rewrite mulr_ge0 ?size_ge0 // sumr_ge0 // => l _; exact: sqr_ge0.
rewrite big1 ?mul0r // => i _; have [->|nzi] := eqVneq (size (t i)) 0; first by rewrite mul0r.
rewrite big1 ?mulr0 // => k _; by rewrite same // subrr expr0n.
Qed.

(* The gain of misclassification is 0 just if one class is a majority of every row that is not empty. *)
Theorem py_misclassification_gain_is_zero_iff_shared_majority r K (t : 'I_r -> 'I_K.+1 -> R) :
  weights t -> whole t != 0 ->
  py_decrease (@py_misclassification R K) t = 0 <-> exists j, forall i k, t i k <= t i j.
Proof.
move=> t0 nz; pose cost (j : 'I_K.+1) := py_zero_one (@vertex R K.+1 j).
have riskE (p : 'I_K.+1 -> R) j : distribution p -> py_risk (cost j) p = 1 - p j.
  move=> [p0 p1]; rewrite py_riskE -(sum_vertex j p) -[RHS]mul1r -linear_risk //.
  apply: eq_bigr => k _; rewrite /cost /py_zero_one /vertex mul1r.
  by case: (k == j); rewrite /= ?lexx ?ler10 ?subrr ?subr0.
have maxE (p : 'I_K.+1 -> R) : exists2 j, py_misclassification p = 1 - p j & forall k, p k <= p j.
  by have [j e top] := largest_is_a_share p; exists j; rewrite // /py_misclassification e.
have att : attained (fun=> True) cost (@py_misclassification R K).
  by move=> p d; have [j e _] := maxE p; exists j => //; rewrite riskE.
have least : minimised_risk (fun=> True) cost (@py_misclassification R K).
  apply: minimised_of_attained => // p j d _; rewrite riskE //; have [i -> top] := maxE p.
  by rewrite ler_add2l ler_opp2.
have bestE i j : size (t i) != 0 ->
    py_risk (cost j) (row_shares t i) = py_misclassification (row_shares t i) <-> forall k, t i k <= t i j.
  move=> nzi; rewrite riskE; last exact: row_distribution.
  have n0 : 0 < (size (t i))^-1 by rewrite invr_gt0 lt_neqAle eq_sym nzi size_ge0.
  have [m -> top] := maxE (row_shares t i); split=> [/addrI/oppr_inj e k|best].
    by move: (top k); rewrite -e /row_shares /py_shares (negPf nzi) ler_pmul2r.
  congr (_ - _); apply/eqP; rewrite eq_le top /row_shares /py_shares (negPf nzi) ler_pmul2r //= best.
have iff := py_gain_is_zero_iff_one_action_is_best least att t0 nz.
split=> [/iff [j _ best]|[j best]]; last first.
  by apply/iff; exists j => // i nzi; apply/bestE => // k; exact: best.
exists j => i; have [z k|nzi] := eqVneq (size (t i)) 0; first by rewrite !(size0_is0 (t0 i) z).
by apply/bestE => //; exact: best.
Qed.

(* The gain of misclassification is the errors of the node over its size, plus the score of sum-minority. *)
Theorem py_misclassification_gain_is_sum_minority r K (t : 'I_r -> 'I_K.+1 -> R) : weights t -> whole t != 0 ->
  py_decrease (@py_misclassification R K) t
  = py_misclassification (node_shares t) + py_sum_minority t.
Proof.
move=> t0 nz; rewrite gainE // mulrBl [whole t * _]mulrC mulfK // /py_sum_minority -/(whole t).
rewrite (negPf nz) mulNr; congr (_ - _ / _); apply: eq_bigr => i _.
have [z|nzi] := eqVneq (size (t i)) 0.
  rewrite -/(size (t i)) z mul0r; have [j -> _] := largest_is_a_share (t i).
  by rewrite (size0_is0 (t0 i) z) subrr.
rewrite -/(size (t i)) /py_misclassification; have [j e top] := largest_is_a_share (t i).
have [j' e' top'] := largest_is_a_share (row_shares t i); rewrite e e'.
have -> : row_shares t i j' = t i j / size (t i).
  have n0 : 0 < (size (t i))^-1 by rewrite invr_gt0 lt_neqAle eq_sym nzi size_ge0.
  apply/eqP; rewrite eq_le; move: (top' j) (top j'); rewrite /row_shares /py_shares (negPf nzi) !ler_pmul2r //.
  by move=> -> ->.
by rewrite mulrBr mulr1 mulrC divfK.
Qed.

(* Two classes and two rows: Gini's gain is 2 (ad - bc)^2 / (N^2 N_L N_R); rows may be empty. *)
Theorem py_gini_gain_by_determinant (t : 'I_2 -> 'I_2 -> R) : weights t ->
  py_decrease_gini t = 2%:R * (t 0 0 * t 1 1 - t 0 1 * t 1 0) ^+ 2
    / (whole t ^+ 2 * size (t 0) * size (t 1)).
Proof.
move=> t0; have gone i : size (t i) = 0 -> forall k, t i k = 0 by exact: size0_is0.
have same (p q : 'I_2 -> R) : p =1 q -> \sum_k (p k - q k) ^+ 2 = 0.
  by move=> e; rewrite big1 // => k _; rewrite e subrr expr0n.
have [z|l0] := eqVneq (size (t 0)) 0.
  rewrite py_gini_gain_is_spread // sum2 z !mulr0 mul0r invr0 mulr0 mul0r add0r same ?mulr0 ?mul0r // => k.
  by rewrite /row_shares /node_shares /node /whole !sum2 z !add0r /py_shares !sum2 (gone _ z) add0r.
have [z|r0] := eqVneq (size (t 1)) 0.
  rewrite py_gini_gain_is_spread // sum2 z !mulr0 invr0 mulr0 mul0r addr0 same ?mulr0 ?mul0r // => k.
  by rewrite /row_shares /node_shares /node /whole !sum2 z !addr0 /py_shares !sum2 (gone _ z) addr0.
have n0 : size (t 0) + size (t 1) != 0.
  by rewrite paddr_eq0 ?size_ge0 // (negPf l0).
by rewrite /whole sum2 -gini_gain_by_determinant.
Qed.

(* For two classes twoing is half of Gini's gain, whatever the rows. *)
Theorem py_twoing_is_half_gini_gain (t : 'I_2 -> 'I_2 -> R) : weights t ->
  py_twoing t = py_decrease_gini t / 2%:R.
Proof.
move=> t0; rewrite py_gini_gain_by_determinant // /py_twoing -/(size (t 0)) -/(size (t 1)) sum2 /whole sum2.
have e0 : t 0 0 * size (t 1) - t 1 0 * size (t 0) = t 0 0 * t 1 1 - t 0 1 * t 1 0.
  by rewrite /size !sum2; ring.
have e1 : t 0 1 * size (t 1) - t 1 1 * size (t 0) = - (t 0 0 * t 1 1 - t 0 1 * t 1 0).
  by rewrite /size !sum2; ring.
rewrite e0 e1 normrN; set d := `|_|; have dd : d * d = (t 0 0 * t 1 1 - t 0 1 * t 1 0) ^+ 2.
  by rewrite -expr2 real_normK ?num_real.
have -> : (d + d) * (d + d) = 4%:R * (d * d) by ring.
rewrite dd; case: eqVneq => [z|nz].
  have -> : (t 0 0 * t 1 1 - t 0 1 * t 1 0) ^+ 2 = 0; last by rewrite !(mulr0, mul0r).
  have [l0|r0] : size (t 0) = 0 \/ size (t 1) = 0.
    move/eqP: z; rewrite !mulf_eq0 pnatr_eq0 /= orbb paddr_eq0 ?size_ge0 //.
    by case/orP => [/orP [/andP [/eqP]|/eqP]|/eqP]; auto.
    by rewrite !(size0_is0 (t0 0) l0) !mul0r subrr expr0n.
  by rewrite !(size0_is0 (t0 1) r0) !mulr0 subrr expr0n.
move: nz; rewrite !mulf_eq0 !negb_or => /andP [/andP [/andP [/andP [_ n0] _] l0] r0].
by move: (_ ^+ 2) (size (t 0)) (size (t 1)) n0 l0 r0 => x l u n0 l0 r0; field; rewrite l0 r0.
Qed.

End Gains.

(* Instances: the hypotheses can hold. *)
Section Instances.
Variable R : realFieldType.
Local Notation t := (@small_table R).

Example gains_table : weights t /\ whole t != 0. Proof. exact: small_table_has_weights. Qed.

Example two_actions_attain_the_least_risk :
  let cost := fun w k : 'I_2 => if w == k then 0 else 1 : R in
  let phi := fun p : 'I_2 -> R => Num.min (p 0) (p 1) in
  minimised_risk (fun=> True) cost phi /\ attained (fun=> True) cost phi /\ weights t /\ whole t != 0.
Proof.
split; first exact: two_actions_have_a_minimised_risk.
split; last exact: small_table_has_weights.
move=> p _; rewrite minEle; case: ifP => _; [exists 1|exists 0] => //;
  by rewrite py_riskE sum2 /= !mulr0 !mulr1 ?add0r ?addr0.
Qed.
End Instances.
