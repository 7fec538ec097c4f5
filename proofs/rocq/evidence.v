(* Evidence: a likelihood ratio, whose mean over all orders of the labels is at most 1; of cuts, by Dirichlet laws; and joined
   with another p-value, whatever their dependence. *)
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint zmodp.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Orders, each with a chance; what a cut, or a table, sees of an order; and what a rival law says of that. *)
Section Ratios.
Variables (R : realFieldType) (O S : finType) (V : S -> finType).
Variables (chance : O -> R) (view : forall s, O -> V s) (rival : forall s, V s -> R) (weight : S -> R).

Definition seen s (v : V s) : R := \sum_(o | view s o == v) chance o.
Definition ratio s o : R := rival (view s o) / seen (view s o).
Definition mean (f : O -> R) : R := \sum_o chance o * f o.
Definition evidence o : R := \sum_s weight s * ratio s o.
Definition attained s (v : V s) : bool := [exists o, view s o == v].

Hypothesis positive : forall o, 0 < chance o.
Hypothesis rivals : forall s (v : V s), 0 <= rival v.
Hypothesis weights : forall s, 0 <= weight s.
Hypothesis one : \sum_s weight s = 1.

Lemma seen_gt0 s o : 0 < seen (view s o).
Proof. by rewrite /seen (bigD1 o) //= ltr_paddr // sumr_ge0 // => i _; exact: ltW. Qed.

(* The mean of a ratio is what its rival law gives to all that can be seen. *)
Lemma mean_of_ratio s : mean (ratio s) = \sum_(v | @attained s v) rival v.
Proof.
rewrite /mean (partition_big (view s) (@attained s)) /= => [|o _]; last by apply/existsP; exists o.
apply: eq_bigr => v /existsP [o /eqP ov].
rewrite (eq_bigr (fun i => chance i * (rival v / seen v))) => [|i /eqP iv]; last by rewrite /ratio iv.
by rewrite -mulr_suml -/(seen v) mulrC divfK // gt_eqF // -ov seen_gt0.
Qed.

Lemma mean_evidence : mean evidence = \sum_s weight s * \sum_(v | @attained s v) rival v.
Proof.
rewrite /mean /evidence; under eq_bigr do rewrite mulr_sumr.
rewrite exchange_big /=; apply: eq_bigr => s _; rewrite -mean_of_ratio mulr_sumr.
by apply: eq_bigr => o _; rewrite mulrCA.
Qed.

(* Rival laws add up to at most 1, and so does the mean of evidence. *)
Lemma evidence_has_mean_at_most_one : (forall s, \sum_v rival (s := s) v <= 1) -> mean evidence <= 1.
Proof.
move=> laws; rewrite mean_evidence -one; apply: ler_sum => s _.
rewrite -[X in _ <= X]mulr1 ler_wpmul2l //; apply: le_trans (laws s).
by rewrite [X in _ <= X](bigID (@attained s)) /= ler_addl sumr_ge0.
Qed.
End Ratios.

(* Class after class: what is seen of an order so far, and with the places of one class more. *)
Section OneClassMore.
Variables (R : realFieldType) (O V W : finType) (chance : O -> R) (view : O -> W) (before : W -> V) (rival : W -> R).
Definition seen_before (v : V) : R := \sum_(o | before (view o) == v) chance o.
Definition seen_now (x : W) : R := \sum_(o | view o == x) chance o.
(* the law of the places of a class, given those of the classes before it, over that of all orders *)
Definition one_class o : R := rival (view o) / (seen_now (view o) / seen_before (before (view o))).

(* A law of what can be seen of one class more keeps the mean of all evidence of the classes before it. *)
Theorem evidence_of_one_class_more_keeps_the_mean (e : V -> R) :
  (forall o, 0 < chance o) ->
  (forall o, \sum_(x | (before x == before (view o)) && [exists i, view i == x]) rival x = 1) ->
  \sum_o chance o * (e (before (view o)) * one_class o) = \sum_o chance o * e (before (view o)).
Proof.
move=> positive laws; pose shown x := [exists i, view i == x].
have now0 o : seen_now (view o) != 0.
  by rewrite gt_eqF // /seen_now (bigD1 o) //= ltr_paddr // sumr_ge0 // => i _; exact: ltW.
rewrite (partition_big view shown) /= => [|o _]; last by apply/existsP; exists o.
rewrite (eq_bigr (fun x => e (before x) * rival x * seen_before (before x))) => [|x /existsP [o /eqP ox]]; last first.
  rewrite (eq_bigr (fun i => chance i * (e (before x) * (rival x / (seen_now x / seen_before (before x)))))).
    rewrite -mulr_suml -/(seen_now x) invf_div !mulrA [seen_now x * _]mulrC -!mulrA; congr (_ * _).
    rewrite mulrCA; congr (_ * _); rewrite mulrCA divff ?mulr1 //; rewrite -ox; exact: now0.
  by move=> i /eqP ix; rewrite /one_class ix.
rewrite (partition_big before (fun v => [exists i, before (view i) == v])) /= => [|x /existsP [o /eqP <-]]; last first.
  by apply/existsP; exists o.
rewrite [RHS](partition_big (fun o => before (view o)) (fun v => [exists i, before (view i) == v])) /= => [|o _]; last first.
  by apply/existsP; exists o.
apply: eq_bigr => v /existsP [o /eqP ov].
rewrite (eq_bigr (fun x => rival x * (e v * seen_before v))) => [|x /andP [_ /eqP xv]]; last first.
  by rewrite xv mulrAC mulrC.
rewrite -mulr_suml (eq_bigl (fun x => (before x == before (view o)) && shown x)) => [|x]; last by rewrite ov andbC.
rewrite laws mul1r /seen_before mulr_sumr; apply: eq_bigr => i /eqP iv.
by rewrite iv mulrC.
Qed.
End OneClassMore.

(* Rows have labels in K + 1 classes, so many of each; all orders of them are equally likely. *)
Section Cuts.
Variables (R : realFieldType) (n K : nat) (N : 'I_K.+1 -> nat) (S : finType).
(* the rows on a side of each cut; and the concentration about shares of the classes *)
Variables (m : S -> nat) (rows : forall s, (m s).-tuple 'I_n) (a : S -> 'I_K.+1 -> R) (weight : S -> R).

Definition orders := {o : {ffun 'I_n -> 'I_K.+1} | [forall k, #|[pred i | o i == k]| == N k]}.
Definition uniform (o : orders) : R := #|{: orders}|%:R^-1.
Definition labels s (o : orders) : (m s).-tuple 'I_K.+1 := map_tuple (val o) (rows s).
Definition rising (x : R) (k : nat) : R := \prod_(i < k) (x + i%:R).
(* the law of the labels of m rows, of shares that have a Dirichlet law *)
Definition dirichlet (b : 'I_K.+1 -> R) (w : seq 'I_K.+1) : R :=
  (\prod_k rising (b k) (count_mem k w)) / rising (\sum_k b k) (size w).

Lemma risingS x k : rising x k.+1 = rising x k * (x + k%:R).
Proof. by rewrite /rising big_ord_recr. Qed.
Lemma rising_gt0 x k : 0 < x -> 0 < rising x k.
Proof. by move=> x0; apply: prodr_gt0 => i _; rewrite ltr_paddr ?ler0n. Qed.

Section OneLaw.
Variable b : 'I_K.+1 -> R.
Hypothesis b0 : forall k, 0 < b k.

Lemma total_gt0 : 0 < \sum_k b k.
Proof. by rewrite big_ord_recl ltr_paddr // sumr_ge0 // => k _; exact: ltW. Qed.

Lemma dirichlet_ge0 w : 0 <= dirichlet b w.
Proof.
rewrite divr_ge0 //; last by apply: ltW; exact: rising_gt0 total_gt0.
by apply: prodr_ge0 => k _; apply: ltW; exact: rising_gt0.
Qed.

(* The label of one more row has the law of the shares so far. *)
Lemma dirichlet_cons k w :
  dirichlet b (k :: w) = dirichlet b w * ((b k + (count_mem k w)%:R) / (\sum_l b l + (size w)%:R)).
Proof.
rewrite /dirichlet /= risingS invfM [RHS]mulrACA; congr (_ * _).
rewrite (bigD1 k) //= [in RHS](bigD1 k) //= eqxx add1n risingS [RHS]mulrAC; congr (_ * _).
by apply: eq_bigr => l /negbTE lk; rewrite eq_sym lk add0n.
Qed.

Lemma counts_add_up (w : seq 'I_K.+1) : (\sum_k count_mem k w)%N = size w.
Proof.
elim: w => [|k w IH] /=; first by rewrite big1.
rewrite big_split /= IH (bigD1 k) //= eqxx big1 ?addn0 ?add1n // => l /negbTE lk.
by rewrite eq_sym lk.
Qed.

Lemma dirichlet_is_law t : \sum_(w : t.-tuple 'I_K.+1) dirichlet b w = 1.
Proof.
elim: t => [|t IH].
  rewrite (big_pred1 [tuple]) => [|w]; last by apply/esym/eqP; exact: tuple0.
  by rewrite /dirichlet /rising /= big_ord0 invr1 mulr1 big1 // => k _; rewrite big_ord0.
rewrite (reindex (fun p : 'I_K.+1 * t.-tuple 'I_K.+1 => [tuple of p.1 :: p.2])) /=; last first.
  exists (fun w => (thead w, [tuple of behead w])) => [[k w] _|w _] /=; last by rewrite -tuple_eta.
  by congr pair; apply: val_inj.
rewrite -(pair_big xpredT xpredT (fun k (w : t.-tuple 'I_K.+1) => dirichlet b (k :: w))) /= exchange_big /= -[RHS]IH.
apply: eq_bigr => w _; under eq_bigr do rewrite dirichlet_cons.
rewrite -mulr_sumr -mulr_suml big_split /= -natr_sum counts_add_up divff ?mulr1 //.
by rewrite gt_eqF // ltr_paddr ?ler0n ?total_gt0.
Qed.
End OneLaw.

(* Of the cuts that a column and the totals fix, by any of these laws for each and any weights: E has a mean of at most 1. *)
Theorem evidence_of_cuts_has_mean_at_most_one :
  (forall s k, 0 < a s k) -> (forall s, 0 <= weight s) -> \sum_s weight s = 1 ->
  mean uniform (evidence uniform labels (fun s (w : (m s).-tuple _) => dirichlet (a s) w) weight) <= 1.
Proof.
move=> a0 w0 one; apply: evidence_has_mean_at_most_one => //.
- by move=> o; rewrite invr_gt0 ltr0n; apply/card_gt0P; exists o.
- by move=> s w; exact: dirichlet_ge0 (a0 s) w.
by move=> s; rewrite (dirichlet_is_law (a0 s)).
Qed.
End Cuts.

(* A p-value, and a number of mean at most 1, on the same outcomes. *)
Section Joined.
Variables (R : realFieldType) (O : finType) (chance : O -> R) (p e : O -> R) (w : R).
Definition probability (P : pred O) : R := \sum_(o | P o) chance o.
Definition joined o : R := Num.min (p o / (1 - w)) (if e o == 0 then 1 else (w * e o)^-1).

(* Whatever their dependence, min(p / (1 - w), 1 / (w E)) is at most t with a chance of at most t, for every t below 1. *)
Theorem joined_pvalue_is_valid :
  (forall o, 0 <= chance o) -> (forall o, 0 <= e o) -> 0 < w < 1 ->
  (forall t, 0 <= t -> probability (fun o => p o <= t) <= t) -> \sum_o chance o * e o <= 1 ->
  forall t, 0 <= t < 1 -> probability (fun o => joined o <= t) <= t.
Proof.
move=> c0 e0 /andP [w0 w1] valid small t /andP [t0 t1].
have v0 : 0 < 1 - w by rewrite subr_gt0.
have large : probability (fun o => 1 <= w * t * e o) <= w * t.
  apply: (@le_trans _ _ (\sum_o chance o * (w * t * e o))).
    rewrite [X in _ <= X](bigID (fun o => 1 <= w * t * e o)) /= ler_paddr //.
      by apply: sumr_ge0 => o _; rewrite !mulr_ge0 // ltW.
    by apply: ler_sum => o big; rewrite -[X in X <= _]mulr1 ler_wpmul2l.
  rewrite (eq_bigr (fun o => w * t * (chance o * e o))) => [|o _]; last by rewrite mulrCA.
  by rewrite -mulr_sumr -[X in _ <= X]mulr1 ler_wpmul2l // mulr_ge0 // ltW.
apply: (@le_trans _ _ (probability (fun o => p o <= (1 - w) * t) + probability (fun o => 1 <= w * t * e o))).
  rewrite /probability [X in _ <= X + _]big_mkcond [X in _ <= _ + X]big_mkcond -big_split /= big_mkcond /=.
  apply: ler_sum => o _; rewrite /joined le_minl ler_pdivr_mulr // [t * _]mulrC.
  case: (p o <= _) => /=; first by rewrite ler_addl; case: ifP.
  rewrite add0r; case: eqP => [-> |/eqP nz]; first by rewrite leNgt t1 /=; case: ifP.
  have pos : 0 < w * e o by rewrite mulr_gt0 // lt_def nz e0.
  by rewrite -[(_)^-1]mul1r ler_pdivr_mulr // mulrA [t * w]mulrC.
have : probability (fun o => p o <= (1 - w) * t) <= (1 - w) * t by apply: valid; rewrite mulr_ge0 // ltW.
by move=> first; apply: le_trans (ler_add first large) _; rewrite -mulrDl subrK mul1r.
Qed.
End Joined.

(* Two rows of two classes, cut between them: one label on the left. *)
Example one_cut (R : realFieldType) : let a (s : 'I_1) (k : 'I_2) : R := 1 in let weight (s : 'I_1) : R := 1 in
  (forall s k, 0 < a s k) /\ (forall s, 0 <= weight s) /\ \sum_s weight s = 1.
Proof. by split=> [s k|]; [exact: ltr01|split=> [s|]; [exact: ler01|rewrite big_ord1]]. Qed.

(* Two orders, of which nothing was seen before, and all is seen now. *)
Example two_orders (R : realFieldType) : let chance (o : 'I_2) : R := 1 / 2%:R in
  (forall o, 0 < chance o) /\
  (forall o : 'I_2, \sum_(x : 'I_2 | (tt == tt) && [exists i : 'I_2, i == x]) (1 / 2%:R : R) = 1).
Proof.
split=> [o|_]; first by rewrite divr_gt0 ?ltr01 ?ltr0n.
rewrite (eq_bigl predT) => [|x]; last by rewrite eqxx; apply/existsP; exists x.
by rewrite !big_ord_recl big_ord0 addr0 -splitr.
Qed.

(* One outcome, with p = 1 and E = 1. *)
Example one_outcome (R : realFieldType) : let one (o : 'I_1) : R := 1 in
  (forall o, 0 <= one o) /\ (0 < 1 / 20%:R :> R) /\ (forall t, 0 <= t -> probability one (fun o => one o <= t) <= t) /\
  \sum_o one o * one o <= 1.
Proof.
split=> [o|]; first exact: ler01.
split; first by rewrite divr_gt0 ?ltr01 ?ltr0n.
split=> [t t0|]; last by rewrite big_ord1 mulr1.
rewrite /probability; case: (lerP 1 t) => t1; last by rewrite big_pred0_eq.
by rewrite big_ord1.
Qed.
