(* Evidence that is looked at after every label is seldom large; levels of leaves that divide add up to that of the root. *)
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint zmodp.
From mathcomp Require Import ring.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Evidence.
Variables (R : realFieldType) (K : nat) (J S : finType).
(* the side on which the next row falls, of each split; it may depend on the labels so far *)
Variable side : S -> seq 'I_K.+1 -> J.
Variable weight : S -> R.

(* how many labels of class k lie on side j of a split *)
Definition cell s (w : seq 'I_K.+1) j k : nat :=
  \sum_(i < size w) ((side s (take i w) == j) && (nth ord0 w i == k)).
Definition rising (a : R) (n : nat) : R := \prod_(i < n) (i%:R + a).
(* the mixture of Krichevsky and Trofimov of all laws of labels, of counts *)
Definition kt (c : 'I_K.+1 -> nat) : R :=
  (\prod_k rising (1 / 2%:R) (c k)) / rising (K.+1%:R / 2%:R) (\sum_k c k).
Definition mixture s w : R := \prod_j kt (cell s w j).
(* the largest likelihood of one law for all labels *)
Definition largest (w : seq 'I_K.+1) : R := \prod_k ((count_mem k w)%:R / (size w)%:R) ^+ count_mem k w.
(* the mean evidence of several splits *)
Definition mean_evidence w : R := \sum_s weight s * (mixture s w / largest w).

Variable q : 'I_K.+1 -> R.
(* the chance that labels that begin with w, and n more of law q, have a property *)
Fixpoint chance (n : nat) (P : pred (seq 'I_K.+1)) w : R :=
  if n is m.+1 then \sum_k q k * chance m P (rcons w k) else (P w)%:R.
(* the mean evidence is at least e at one of the looks, of which there is one after every label *)
Definition ever (e : R) w : bool := has (fun m => e <= mean_evidence (take m w)) (iota 0 (size w).+1).

Hypothesis nonnegative : forall k, 0 <= q k.
Hypothesis distribution : \sum_k q k = 1.
Hypothesis weights : forall s, 0 <= weight s.
Hypothesis mean : \sum_s weight s = 1.

Lemma cell_rcons s w k j l : cell s (rcons w k) j l = (cell s w j l + ((j == side s w) && (l == k)))%N.
Proof.
rewrite /cell size_rcons big_ord_recr /=; congr (_ + _)%N.
  apply: eq_bigr => i _; rewrite nth_rcons ltn_ord -cats1 takel_cat //; exact: ltnW.
by rewrite nth_rcons ltnn eqxx -cats1 takel_cat // take_size eq_sym [k == l]eq_sym.
Qed.

Lemma risingS a n : rising a n.+1 = rising a n * (n%:R + a).
Proof. by rewrite /rising big_ord_recr. Qed.

Lemma rising_gt0 a n : 0 < a -> 0 < rising a n.
Proof. by move=> a0; apply: prodr_gt0 => i _; rewrite ltr_paddl ?ler0n. Qed.

(* what the mixture predicts: the chance that it gives to a label after those so far *)
Definition predicted (c : 'I_K.+1 -> nat) k : R := ((c k)%:R + 1 / 2%:R) / ((\sum_l c l)%N%:R + K.+1%:R / 2%:R).

Lemma half_gt0 : 0 < 1 / 2%:R :> R. Proof. by rewrite divr_gt0 ?ltr01 ?ltr0n. Qed.
Lemma classes_gt0 : 0 < K.+1%:R / 2%:R :> R. Proof. by rewrite divr_gt0 ?ltr0n. Qed.

(* Predictions add up to 1. *)
Lemma predictions_add_up c : \sum_k predicted c k = 1.
Proof.
have den : (\sum_l c l)%N%:R + K.+1%:R / 2%:R != 0 :> R.
  by rewrite gt_eqF // ltr_paddl ?ler0n ?classes_gt0.
rewrite -mulr_suml big_split /= -natr_sum sumr_const card_ord -[1 / _ *+ _]mulr_natl.
by rewrite mul1r divff.
Qed.

(* A label more multiplies the mixture by what it predicted. *)
Lemma kt_step c c' k : (forall l, c' l = (c l + (l == k))%N) -> kt c' = kt c * predicted c k.
Proof.
move=> step; rewrite /kt /predicted.
have -> : (\sum_l c' l = (\sum_l c l).+1)%N.
  rewrite (eq_bigr _ (fun l _ => step l)) big_split /= -[RHS]addn1; congr (_ + _)%N.
  by rewrite (bigD1 k) //= eqxx big1 // => l /negbTE ->.
have -> : \prod_l rising (1 / 2%:R) (c' l) = (\prod_l rising (1 / 2%:R) (c l)) * ((c k)%:R + 1 / 2%:R).
  rewrite (bigD1 k) //= [in RHS](bigD1 k) //= step eqxx addn1 risingS mulrAC; congr (_ * _ * _).
  by apply: eq_bigr => l /negbTE lk; rewrite step lk addn0.
by rewrite risingS invfM mulrACA.
Qed.

Lemma mixture_rcons s w k : mixture s (rcons w k) = mixture s w * predicted (cell s w (side s w)) k.
Proof.
rewrite /mixture (bigD1 (side s w)) //= [in RHS](bigD1 (side s w)) //=.
rewrite (@kt_step (cell s w (side s w)) _ k) => [|l]; last by rewrite cell_rcons eqxx.
rewrite mulrAC; congr (_ * _ * _); apply: eq_bigr => j /negbTE jk; rewrite /kt.
by congr (_ / rising _ _); [apply: eq_bigr => l _; congr rising|apply: eq_bigr => l _]; rewrite cell_rcons jk addn0.
Qed.

(* The mixture is a fair game: of the labels that may come next, the mixtures add up to that of the labels so far. *)
Lemma mixtures_add_up s w : \sum_k mixture s (rcons w k) = mixture s w.
Proof. by rewrite (eq_bigr _ (fun k _ => mixture_rcons s w k)) -mulr_sumr predictions_add_up mulr1. Qed.

Lemma mixture_ge0 s w : 0 <= mixture s w.
Proof.
apply: prodr_ge0 => j _; rewrite divr_ge0 //; last by apply: ltW; exact: rising_gt0 classes_gt0.
by apply: prodr_ge0 => l _; apply: ltW; exact: rising_gt0 half_gt0.
Qed.

Definition likelihood (w : seq 'I_K.+1) : R := \prod_(k <- w) q k.

Lemma by_classes (F : 'I_K.+1 -> R) w : \prod_(k <- w) F k = \prod_k F k ^+ count_mem k w.
Proof.
elim: w => [|k w IH]; first by rewrite big_nil big1 // => k _; rewrite expr0.
rewrite big_cons IH [RHS](bigD1 k) //= eqxx add1n exprS -mulrA; congr (_ * _).
rewrite [LHS](bigD1 k) //=; congr (_ * _); apply: eq_bigr => l /negbTE kl.
by rewrite eq_sym kl add0n.
Qed.

(* No law makes labels more likely than their own shares do (Gibbs): by means, geometric and arithmetic. *)
Lemma likelihood_le w : likelihood w <= largest w.
Proof.
case: (posnP (size w)) => [/size0nil ->|n0].
  by rewrite /likelihood big_nil /largest big1 ?lexx // => k _; rewrite expr0.
pose n := size w; pose c k : R := (count_mem k w)%:R.
have c0 (i : 'I_n) : 0 < c (nth ord0 w i) by rewrite ltr0n -has_count has_pred1 mem_nth.
have over (F : 'I_K.+1 -> R) : \prod_(k <- w) F k = \prod_(i < n) F (nth ord0 w i) by rewrite (big_nth ord0) big_mkord.
have large : largest w = \prod_(i < n) (c (nth ord0 w i) / n%:R) by rewrite -(over (fun k => c k / n%:R)) by_classes.
have := @leif_AGM R [finType of 'I_n] xpredT (fun i => q (nth ord0 w i) / c (nth ord0 w i)) _.
rewrite card_ord => agm; have {agm}[|agm _] := agm.
  by move=> i _; rewrite divr_ge0 // ltW.
have few : \sum_(i < n) q (nth ord0 w i) / c (nth ord0 w i) <= 1.
  have -> : \sum_(i < n) q (nth ord0 w i) / c (nth ord0 w i) = \sum_(k | k \in w) q k.
    rewrite (partition_big (fun i : 'I_n => nth ord0 w i) (mem w)) /= => [|i _]; last exact: mem_nth.
    apply: eq_bigr => k kw; rewrite (eq_bigr (fun=> q k / c k)) => [|i /eqP ->] //.
    rewrite sumr_const -mulr_natr; have -> : #|[pred i : 'I_n | nth ord0 w i == k]| = count_mem k w.
      by rewrite -sum1_card -sum1_count (big_nth ord0) big_mkord.
    by rewrite divfK // /c pnatr_eq0 -lt0n -has_count has_pred1.
  rewrite -distribution [X in _ <= X](bigID (mem w)) /= ler_addl; exact: sumr_ge0.
have -> : likelihood w = (\prod_(i < n) (q (nth ord0 w i) / c (nth ord0 w i))) * \prod_(i < n) c (nth ord0 w i).
  by rewrite -big_split /likelihood over; apply: eq_bigr => i _ /=; rewrite divfK // gt_eqF.
have -> : largest w = n%:R^-1 ^+ n * \prod_(i < n) c (nth ord0 w i).
  by rewrite large big_split /= mulrC prodr_const card_ord.
rewrite ler_wpmul2r //; first by apply: prodr_ge0 => i _; exact: ltW.
apply: le_trans agm _; apply: ler_expn2r.
- by rewrite nnegrE divr_ge0 ?ler0n // sumr_ge0 // => i _; rewrite divr_ge0 // ltW.
- by rewrite nnegrE invr_ge0 ler0n.
by rewrite -[X in _ <= X]mul1r ler_wpmul2r // invr_ge0 ler0n.
Qed.

Lemma largest_gt0 w : 0 < largest w.
Proof.
apply: prodr_gt0 => k _; case: (posnP (count_mem k w)) => [->|k0]; first by rewrite expr0 ltr01.
by rewrite exprn_gt0 // divr_gt0 ?ltr0n // (leq_trans k0) // count_size.
Qed.

Lemma chance_le1 n P w : chance n P w <= 1.
Proof.
elim: n w => [|n IH] w /=; first by case: (P w); rewrite ?lexx ?ler01.
by rewrite -distribution; apply: ler_sum => k _; rewrite -[X in _ <= X]mulr1 ler_wpmul2l.
Qed.

(* the mean of the mixtures of several splits, a fair game too *)
Definition game w : R := \sum_s weight s * mixture s w.
Lemma game_adds_up w : \sum_k game (rcons w k) = game w.
Proof.
rewrite exchange_big /=; apply: eq_bigr => s _; by rewrite -mulr_sumr mixtures_add_up.
Qed.
Lemma game_ge0 w : 0 <= game w.
Proof. by apply: sumr_ge0 => s _; rewrite mulr_ge0 ?mixture_ge0. Qed.
Lemma mean_evidenceE w : mean_evidence w = game w / largest w.
Proof. by rewrite /mean_evidence /game mulr_suml; apply: eq_bigr => s _; rewrite mulrA. Qed.

Lemma ever_rcons e w k : ever e (rcons w k) = ever e w || (e <= mean_evidence (rcons w k)).
Proof.
rewrite /ever size_rcons -[(size w).+2]addn1 iotaD has_cat add0n.
have -> : iota (size w).+1 1 = [:: size (rcons w k)] by rewrite size_rcons.
rewrite has_seq1 take_size; congr (_ || _).
apply: eq_in_has => m; rewrite mem_iota /= add0n ltnS => mw; by rewrite -cats1 takel_cat.
Qed.

Lemma reached e n w : 0 <= e -> (ever e w -> e <= mean_evidence w) ->
  chance n (ever e) w * (e * likelihood w) <= game w.
Proof.
move=> e0; elim: n w => [|n IH] w last.
  rewrite /=; case E: (ever e w); last by rewrite mul0r game_ge0.
  rewrite mul1r; have := last E; rewrite mean_evidenceE ler_pdivl_mulr ?largest_gt0 //.
  by apply: le_trans; rewrite ler_wpmul2l ?likelihood_le.
case E: (ever e w).
  have := last E; rewrite mean_evidenceE ler_pdivl_mulr ?largest_gt0 //; apply: le_trans.
  apply: (@le_trans _ _ (e * likelihood w)); last by rewrite ler_wpmul2l ?likelihood_le.
  rewrite ler_pimull ?chance_le1 // mulr_ge0 //; exact: prodr_ge0.
rewrite /= mulr_suml -game_adds_up; apply: ler_sum => k _.
apply: le_trans (IH (rcons w k) _); last by rewrite ever_rcons E.
rewrite /likelihood -cats1 big_cat /= big_seq1.
by rewrite [q k * _]mulrC -mulrA [q k * _]mulrC -!mulrA.
Qed.

(* Labels have one law, whatever it is, given those before them and the sides on which they fall: the mean evidence of
   several splits is at least e after some of the first n labels with a chance of at most 1/e, for every n and e > 0. *)
Theorem evidence_is_seldom_large (e : R) n : 0 < e -> chance n (ever e) [::] <= 1 / e.
Proof.
move=> e0; rewrite ler_pdivl_mulr //; have /le_trans : chance n (ever e) [::] * (e * likelihood [::]) <= game [::].
  apply: reached; [exact: ltW|]; rewrite /ever /= orbF.
  by [].
rewrite /likelihood big_nil mulr1; apply; rewrite /game.
rewrite (eq_bigr weight) ?mean // => s _; rewrite /mixture big1 ?mulr1 // => j _.
have none l : cell s [::] j l = 0%N by rewrite /cell big_ord0.
rewrite /kt big1 => [|l _]; last by rewrite none /rising big_ord0.
by rewrite big1 ?mul1r => [|l _]; rewrite ?none // /rising big_ord0 invr1.
Qed.
End Evidence.

(* Two classes, each with a chance of a half, and one split. *)
Example fair_labels (R : realFieldType) : let q (k : 'I_2) : R := 1 / 2%:R in let weight (s : 'I_1) : R := 1 in
  (forall k, 0 <= q k) /\ \sum_k q k = 1 /\ (forall s, 0 <= weight s) /\ \sum_s weight s = 1 /\ (0 : R) < 20%:R.
Proof.
split=> [k|]; first by rewrite divr_ge0 ?ler01 ?ler0n.
split; first by rewrite !big_ord_recl big_ord0 addr0 -splitr.
by split=> [s|]; [rewrite ler01|rewrite big_ord1 ltr0n].
Qed.

(* Levels of the leaves of a tree that grows. *)
Section Levels.
Variable R : realFieldType.
(* a node has labels of one law or not, and children; a leaf has none *)
Inductive grown_node := Grown (one_law : bool) (children : seq grown_node).
(* a child has the level of its parent over the number of branches; the topmost nodes of one law spend theirs *)
Fixpoint spent (level : R) t : R :=
  let: Grown one_law cs := t in
  if one_law then level else \sum_(x <- map (spent (level / (size cs)%:R)) cs) x.

(* Whatever the tree, the levels of the topmost nodes whose labels have one law add up to at most that of the root. *)
Theorem levels_add_up_to_that_of_the_root : forall (t : grown_node) (level : R), 0 <= level -> spent level t <= level.
Proof.
fix IH 1; case=> -[] cs level l0 /=; first exact: lexx.
have each share : 0 <= share -> \sum_(x <- map (spent share) cs) x <= (size cs)%:R * share.
  by move=> s0; elim: cs => [|c cs IHcs]; rewrite ?big_nil ?mul0r //= big_cons mulrS mulrDl mul1r ler_add ?IH.
apply: le_trans (each _ _) _; first by rewrite divr_ge0 ?ler0n.
case: (posnP (size cs)) => [->|n0]; first by rewrite mul0r.
by rewrite mulrC divfK // pnatr_eq0 -lt0n.
Qed.
End Levels.

(* A root with two branches, one of which has labels of one law. *)
Example levels_of_two (R : realFieldType) : (0 : R) <= 1 / 20%:R /\
  spent (1 / 20%:R : R) (Grown false [:: Grown true [::]; Grown false [::]]) = 1 / 20%:R / 2%:R.
Proof. by rewrite /= big_cons big_cons !big_nil !addr0; split=> //; rewrite divr_ge0 ?ler01 ?ler0n. Qed.
