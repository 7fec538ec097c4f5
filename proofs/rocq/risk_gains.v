(* Gains as excess risks: of classes, of splits into two rows, and of responses. *)
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint zmodp.
From mathcomp Require Import ring.
From splitcrit Require Import defs risk core generated losses.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Gains as the excess risk of the node's best action in the rows, and when they are zero, of the printed code. *)
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

(* Scores of splits into two rows: pairwise gain, one-vs-rest and twoing, of the printed code. *)
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

(* Regression: variance and mean absolute deviation as least risks, of the printed code. *)
Section Responses.
Variables (R : realFieldType) (K : nat).
Implicit Types v p : 'I_K -> R.

(* Risk of the squared error = variance of the response + the squared distance of the action from the mean. *)
Theorem py_squared_error_excess v p (w : R) : \sum_k p k = 1 ->
  py_risk (py_squared_error v w) p = py_response_variance v p + (w - py_mean_response v p) ^+ 2.
Proof.
move=> p1; rewrite py_riskE /py_response_variance -/(py_mean_response v p); set m := py_mean_response v p.
have cross : \sum_k p k * (v k - m) = 0.
  rewrite (eq_bigr (fun k => p k * v k + (- m) * p k)); last by move=> k _; ring.
  by rewrite big_split /= -mulr_sumr p1 mulr1 /m /py_mean_response subrr.
rewrite (eq_bigr (fun k => p k * (v k - m) * (v k - m)
    + ((- 2%:R) * (w - m) * (p k * (v k - m)) + (w - m) ^+ 2 * p k))); last first.
  by move=> k _; rewrite /py_squared_error; ring.
by rewrite !big_split /= -!mulr_sumr cross mulr0 add0r p1 mulr1.
Qed.

(* The variance of the response is the least risk of the squared error, attained at the mean response. *)
Theorem py_variance_is_least_squared_error v :
  minimised_risk (fun=> True) (py_squared_error v) (py_response_variance v) /\
  forall p, distribution p -> py_risk (py_squared_error v (py_mean_response v p)) p = py_response_variance v p.
Proof.
have at_ p : distribution p -> py_risk (py_squared_error v (py_mean_response v p)) p = py_response_variance v p.
  by move=> d; rewrite py_squared_error_excess ?d.2 // subrr expr0n addr0.
split=> //; apply: minimised_of_attained => [p w d _|p d].
  by rewrite py_squared_error_excess ?d.2 // ler_addl sqr_ge0.
by exists (py_mean_response v p); rewrite ?at_.
Qed.

(* The mean response is the only action with the least risk of the squared error. *)
Theorem py_squared_error_minimiser_is_unique v p (w : R) : \sum_k p k = 1 ->
  py_risk (py_squared_error v w) p = py_response_variance v p -> w = py_mean_response v p.
Proof.
move=> p1; rewrite py_squared_error_excess // => /eqP; rewrite -subr_eq0 addrC addKr sqrf_eq0 subr_eq0.
by move/eqP.
Qed.

(* The reduction of variance by a split is the weighted variance of the rows' mean responses about the node's. *)
Theorem py_variance_gain_is_spread_of_means r v (t : 'I_r -> 'I_K -> R) : weights t ->
  py_decrease (py_response_variance v) t
  = (\sum_i size (t i) * (py_mean_response v (row_shares t i) - py_mean_response v (node_shares t)) ^+ 2) / whole t.
Proof.
move=> t0; pose m := py_mean_response v (node_shares t).
apply: (@gain_as_excess R r K (py_response_variance v) t t0 (py_squared_error v m)) => [nz|i nz].
  by rewrite py_squared_error_excess ?(node_distribution _ _).2 // subrr expr0n addr0.
by rewrite py_squared_error_excess ?(row_distribution _ _).2 // -sqrrN opprB.
Qed.
End Responses.

Section Median.
Variable R : realFieldType.

Definition weight_of K (p : 'I_K -> R) (s : pred 'I_K) := \sum_(k | s k) p k.

Lemma weight_split K (p : 'I_K -> R) (s : pred 'I_K) a b :
  \sum_k p k * (if s k then a else b) = a * weight_of p s + b * weight_of p (predC s).
Proof.
rewrite (bigID s) /=; congr (_ + _); rewrite mulr_sumr; apply: eq_bigr => k.
  by move=> ->; rewrite mulrC.
by move=> /negPf /= ->; rewrite mulrC.
Qed.

(* Going down from w costs no more while the responses up to w weigh as much as those above. *)
Lemma absolute_error_down K (v p : 'I_K -> R) (u w : R) : (forall k, 0 <= p k) -> u <= w ->
  (forall k, v k <= w -> v k <= u) ->
  weight_of p (fun k => w < v k) <= weight_of p (fun k => v k <= w) ->
  py_risk (py_absolute_error v u) p <= py_risk (py_absolute_error v w) p.
Proof.
move=> p0 uw gap heavy; rewrite -subr_ge0 !py_riskE -sumrB.
rewrite (eq_bigr (fun k => p k * (if v k <= w then w - u else - (w - u)))); last first.
  move=> k _; rewrite -mulrBr /py_absolute_error; congr (_ * _); case: leP => h.
    by rewrite !ger0_norm ?subr_ge0 ?gap //; ring.
  by rewrite !ltr0_norm ?subr_lt0 //; [ring|exact: le_lt_trans uw h].
rewrite weight_split mulNr -mulrBr mulr_ge0 ?subr_ge0 //; move: heavy; apply: le_trans.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigl => k /=; rewrite -ltNge.
Qed.

Lemma weight_mono K (p : 'I_K -> R) (s s' : pred 'I_K) : (forall k, 0 <= p k) -> subpred s s' ->
  weight_of p s <= weight_of p s'.
Proof.
move=> p0 sub; rewrite /weight_of [X in _ <= X](bigID s) /= (eq_bigl (fun k => s' k && s k)); last first.
  by move=> k; case e: (s k); rewrite ?andbF // (sub _ e).
by rewrite ler_addl; apply: sumr_ge0.
Qed.

Lemma weight_all K (p : 'I_K -> R) (w : R) (v : 'I_K -> R) : \sum_k p k = 1 ->
  weight_of p (fun k => v k <= w) + weight_of p (fun k => w < v k) = 1.
Proof.
move=> <-; rewrite [RHS](bigID (fun k => v k <= w)) /=; congr (_ + _).
by apply: eq_bigl => k; rewrite ltNge.
Qed.

(* some response costs no more than w, if the responses up to w weigh as much as those above *)
Lemma response_below K (v p : 'I_K -> R) (w : R) : distribution p ->
  weight_of p (fun k => w < v k) <= weight_of p (fun k => v k <= w) ->
  exists j, py_risk (py_absolute_error v (v j)) p <= py_risk (py_absolute_error v w) p.
Proof.
move=> [p0 p1] heavy; have [k0 vk0|none] := pickP (fun k => v k <= w); last first.
  move: heavy (weight_all w v p1); rewrite {2 3}/weight_of !big_pred0 // add0r => h e.
  by move: h; rewrite e ler10.
have [j vj top] := @Order.TotalTheory.arg_maxP _ _ _ k0 (fun k => v k <= w) v vk0.
by exists j; apply: absolute_error_down => // k h; exact: top.
Qed.

Lemma absolute_error_reflected K (v p : 'I_K -> R) (w : R) :
  py_risk (py_absolute_error (fun k => - v k) (- w)) p = py_risk (py_absolute_error v w) p.
Proof. by rewrite !py_riskE; apply: eq_bigr => k _; rewrite /py_absolute_error -normrN opprD !opprK. Qed.

Lemma some_response K (v p : 'I_K -> R) (w : R) : distribution p ->
  exists j, py_risk (py_absolute_error v (v j)) p <= py_risk (py_absolute_error v w) p.
Proof.
move=> d; have [p0 p1] := d.
case: (leP (weight_of p (fun k => w < v k)) (weight_of p (fun k => v k <= w))) => h; first exact: response_below.
have [|j] := @response_below K (fun k => - v k) p (- w) d; last first.
  by rewrite !absolute_error_reflected; exists j.
apply: le_trans (le_trans (ltW h) _); apply: weight_mono => // k /=; rewrite ?ltr_opp2 ?ler_opp2; exact: ltW.
Qed.

(* The deviation about the median is the least risk of the absolute error over all numbers; a response attains it. *)
Theorem py_absolute_deviation_is_least_absolute_error K (v : 'I_K.+1 -> R) :
  minimised_risk (fun=> True) (py_absolute_error v) (py_absolute_deviation v) /\
  attained (fun w => exists j, w = v j) (py_absolute_error v) (py_absolute_deviation v).
Proof.
have riskE (p : 'I_K.+1 -> R) w : py_risk (py_absolute_error v w) p = \sum_k p k * `|v k - w|.
  by rewrite py_riskE; apply: eq_bigr => k _; rewrite /py_absolute_error distrC.
have att : attained (fun w => exists j, w = v j) (py_absolute_error v) (py_absolute_deviation v).
  move=> p d; rewrite /py_absolute_deviation.
  have [j ->] := @min_is_a_member R _ _ (fun j => \sum_k p k * `|v k - v j|) ord0 erefl.
  by exists (v j); [exists j|rewrite riskE].
split=> //; apply: minimised_of_attained => [p w d _|p d]; last first.
  by have [w _ e] := att p d; exists w.
have [j h] := @some_response K.+1 v p w d; apply: le_trans h; rewrite riskE.
exact: (min_below _ (fun j => \sum_k p k * `|v k - v j|)).
Qed.

(* A median has the least risk of the absolute error: at most half the weight lies below it, at most half above. *)
Theorem py_median_has_least_absolute_error K (v p : 'I_K -> R) (u w : R) : distribution p ->
  2%:R * weight_of p (fun k => v k < u) <= 1 -> 2%:R * weight_of p (fun k => u < v k) <= 1 ->
  py_risk (py_absolute_error v u) p <= py_risk (py_absolute_error v w) p.
Proof.
suff up (v' : 'I_K -> R) (u' w' : R) : distribution p -> u' <= w' -> 2%:R * weight_of p (fun k => u' < v' k) <= 1 ->
    py_risk (py_absolute_error v' u') p <= py_risk (py_absolute_error v' w') p.
  move=> d lo hi; case: (leP u w) => h; first exact: up.
  rewrite -(absolute_error_reflected v p u) -(absolute_error_reflected v p w).
  apply: up => //; first by rewrite ler_opp2 ltW.
  by apply: le_trans lo; rewrite ler_pmul2l ?ltr0n //; apply: weight_mono d.1 _ => k /=; rewrite ltr_opp2.
move=> [p0 p1] uw light; rewrite -subr_ge0 !py_riskE -sumrB.
apply: (@le_trans _ _ (\sum_k p k * (if v' k <= u' then w' - u' else - (w' - u')))).
  rewrite weight_split mulNr -mulrBr mulr_ge0 ?subr_ge0 //.
  have -> : weight_of p (predC (fun k => v' k <= u')) = weight_of p (fun k => u' < v' k).
    by apply: eq_bigl => k; rewrite /= -ltNge.
  by move: light; rewrite mulr_natl mulr2n -{1}(weight_all u' v' p1) ler_add2r.
apply: ler_sum => k _; rewrite -mulrBr; apply: ler_wpmul2l => //.
rewrite /py_absolute_error; case: (leP (v' k) u') => h.
  rewrite !ger0_norm ?subr_ge0 ?(le_trans h) // le_eqVlt; apply/orP; left; apply/eqP; ring.
rewrite (ltr0_norm (_ : u' - v' k < 0)) ?subr_lt0 // ler_subr_addr -[X in _ <= X]normrN.
apply: le_trans (ler_norm _).
by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
Qed.

(* Two responses: the variance is half the squared difference of the responses times Gini's impurity. *)
Theorem py_variance_of_two_responses (v p : 'I_2 -> R) : p 0 + p 1 = 1 ->
  py_response_variance v p = (v 0 - v 1) ^+ 2 / 2%:R * py_gini p.
Proof.
move=> p1; rewrite /py_response_variance /py_gini !sum2.
have -> : p 1 = 1 - p 0 by rewrite -p1 addrC addKr.
by move: (p 0) (v 0) (v 1) => x a b; field.
Qed.
End Median.

(* Instances: the hypotheses can hold. *)
Section Instances.
Variable R : realFieldType.
Local Notation p := (@one_third R).
Let v : 'I_2 -> R := fun k => (k == 1)%:R.

Example responses_distribution : distribution p /\ p 0 + p 1 = 1.
Proof.
have d := one_third_is_a_distribution R; split=> //; by have := d.2; rewrite sum2.
Qed.

Example responses_table : weights (@small_table R). Proof. exact: (small_table_has_weights R).1. Qed.

Example mean_of_one_third : \sum_k p k = 1 /\
  py_risk (py_squared_error v (py_mean_response v p)) p = py_response_variance v p.
Proof.
have d := one_third_is_a_distribution R; split; first exact: d.2.
exact: (py_variance_is_least_squared_error v).2.
Qed.

Example median_of_one_third : distribution p /\ 2%:R * weight_of p (fun k => v k < 1) <= 1 /\
  2%:R * weight_of p (fun k => 1 < v k) <= 1.
Proof.
split; first exact: one_third_is_a_distribution.
have above : \sum_(k | 1 < v k) p k = 0.
  by rewrite big1 // => k; rewrite /v; case: (k == 1); rewrite ?ltxx ?ltr10.
rewrite /weight_of above mulr0 ler01 big_mkcond sum2 /v /one_third /= ltr01 ltxx addr0 mul1r.
by rewrite ler_pdivr_mulr ?ltr0n // mul1r ler_nat.
Qed.
End Instances.
