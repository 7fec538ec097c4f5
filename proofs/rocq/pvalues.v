(* P-values by counting equally likely outcomes: one, several, those of draws that stop early, and e-values. *)
From mathcomp Require Import all_ssreflect fingroup perm ssralg ssrnum ssrint zmodp.
From mathcomp Require Import ring.
From splitcrit Require Import generated.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* P-values by counting: error rates over finite sets of equally likely outcomes. *)
Section Ranks.
Variable R : realFieldType.

(* how many of the scores reach that of i, its own included *)
Definition reaching (I : finType) (x : I -> R) (i : I) : nat := #|[pred j | x i <= x j]|.

(* the share of equally likely outcomes that score at least as high: an exact p-value *)
Definition tail (I : finType) (x : I -> R) (i : I) : R := (reaching x i)%:R / #|I|%:R.

(* Of equally likely outcomes, a share of at most u has an exact p-value of at most u, for every u >= 0. *)
Theorem exact_pvalue_is_valid (I : finType) (x : I -> R) (u : R) : 0 <= u ->
  #|[pred i | tail x i <= u]|%:R <= u * #|I|%:R.
Proof.
move=> u0; case: (pickP [pred i | tail x i <= u]) => [i0 i0u|no]; last by rewrite eq_card0 // mulr_ge0 ?ler0n.
have I0 : 0 < #|I|%:R :> R by rewrite ltr0n; apply/card_gt0P; exists i0.
case: (arg_minP x i0u) => i iu least; rewrite -ler_pdivr_mulr //; apply: le_trans iu.
rewrite ler_pmul2r ?invr_gt0 // ler_nat; apply: subset_leq_card; apply/subsetP => j; rewrite !inE; exact: least.
Qed.

(* At each value that it takes an exact p-value is uniform: the share of outcomes at or below it is that value. *)
Theorem exact_pvalue_is_uniform_on_its_values (I : finType) (x : I -> R) (i : I) :
  #|[pred j | tail x j <= tail x i]|%:R = tail x i * #|I|%:R.
Proof.
have I0 : #|I|%:R != 0 :> R by rewrite pnatr_eq0 -lt0n; apply/card_gt0P; exists i.
rewrite mulfVK //; congr (_%:R); apply: eq_card => j; rewrite !inE /tail.
rewrite ler_pmul2r ?invr_gt0 ?lt0r ?I0 ?ler0n // ler_nat /reaching.
case: (lerP (x i) (x j)) => ij.
  apply: subset_leq_card; apply/subsetP => l; rewrite !inE; exact: le_trans.
apply/negbTE; rewrite -ltnNge; apply: proper_card; apply/properP; split.
  by apply/subsetP => l; rewrite !inE; apply: le_trans; exact: ltW.
by exists j; rewrite !inE ?lexx // -ltNge.
Qed.

(* The mid p-value, ties counted half, is 1/2 on average over equally likely outcomes. *)
Theorem mid_pvalue_is_half_on_average (I : finType) (x : I -> R) : (0 < #|I|)%N ->
  (\sum_i (tail x i + #|[pred j | x i < x j]|%:R / #|I|%:R) / 2%:R) / #|I|%:R = 1 / 2%:R.
Proof.
move=> I0; have n0 : #|I|%:R != 0 :> R by rewrite pnatr_eq0 -lt0n.
have e : \sum_i ((reaching x i)%:R + #|[pred j | x i < x j]|%:R) = #|I|%:R ^+ 2 :> R.
  have count (P : rel I) : \sum_i #|[pred j | P i j]|%:R = \sum_i \sum_j (P i j)%:R :> R.
    by apply: eq_bigr => i _; rewrite -sum1_card natr_sum big_mkcond; apply: eq_bigr => j _; rewrite inE; case: P.
  rewrite big_split /= /reaching (count (fun i j => x i <= x j)) (count (fun i j => x i < x j)).
  rewrite [X in _ + X]exchange_big -big_split /= (eq_bigr (fun=> #|I|%:R)); last first.
    move=> i _; rewrite -big_split /= (eq_bigr (fun=> 1)) ?sumr_const // => j _.
    by case: lerP; rewrite ?addr0 ?add0r.
  by rewrite sumr_const expr2 -mulr_natl.
rewrite -mulr_suml (eq_bigr (fun i => ((reaching x i)%:R + #|[pred j | x i < x j]|%:R) / #|I|%:R)); last first.
  by move=> i _; rewrite mulrDl.
rewrite -mulr_suml e expr2 mulfK //; rewrite mulrC mulrA mulVf //.
Qed.
End Ranks.

Section MonteCarlo.
Variables (R : realFieldType) (B : nat).

(* The first of B + 1 scores is the observed one, the others belong to random tables. Scores are exchangeable if every
   reordering of the B + 1 leaves the number of outcomes in which they meet any condition as it is. *)
Definition exchangeable (O : finType) (x : O -> 'I_B.+1 -> R) : Prop :=
  forall (s : {perm 'I_B.+1}) (P : ('I_B.+1 -> R) -> bool), (forall v w, v =1 w -> P v = P w) ->
  #|[pred o | P (fun i => x o (s i))]| = #|[pred o | P (x o)]|.
(* the p-value that the library reports when the table observed and B random ones score x *)
Definition drawn_pvalue (x : 'I_B.+1 -> R) : R :=
  py_estimated #|[pred j : 'I_B.+1 | (j != ord0) && (x ord0 <= x j)]|%:R B%:R.

Lemma drawn_pvalueE x : drawn_pvalue x = (reaching x ord0)%:R / B.+1%:R.
Proof.
rewrite /drawn_pvalue /py_estimated /reaching [B.+1%:R]mulrS.
have -> : #|[pred j | x ord0 <= x j]| = (#|[pred j | (j != ord0) && (x ord0 <= x j)]|).+1.
  by rewrite (cardD1 ord0) inE lexx; congr (_.+1); apply: eq_card => j; rewrite !inE.
by rewrite [X in _ = X / _]mulrS.
Qed.

(* If the B + 1 scores are exchangeable, as under the null hypothesis, the p-value (1 + c)/(1 + B) that the library
   reports is at most u in a share of at most u of the outcomes, for every u >= 0 and every B. *)
Theorem py_estimated_is_valid (O : finType) (x : O -> 'I_B.+1 -> R) (u : R) : exchangeable x -> 0 <= u ->
  #|[pred o | drawn_pvalue (x o) <= u]|%:R <= u * #|O|%:R.
Proof.
move=> ex u0; have B0 : 0 < B.+1%:R :> R by rewrite ltr0n.
pose small (i : 'I_B.+1) (v : 'I_B.+1 -> R) := (reaching v i)%:R / B.+1%:R <= u.
have ext i v w : v =1 w -> small i v = small i w.
  by move=> e; rewrite /small; congr (_%:R / _ <= _); apply: eq_card => j; rewrite !inE !e.
have same i : #|[pred o | small i (x o)]| = #|[pred o | drawn_pvalue (x o) <= u]|.
  rewrite -(ex (tperm ord0 i) (small i) (ext i)); apply: eq_card => o; rewrite !inE drawn_pvalueE /small /reaching.
  congr (_%:R / _ <= _); rewrite tpermR -!sum1_card [RHS](reindex_inj (@perm_inj _ (tperm ord0 i))).
  by apply: eq_bigl => j; rewrite !inE.
have few v : #|[pred i | small i v]|%:R <= u * B.+1%:R.
  have := @exact_pvalue_is_valid R [finType of 'I_B.+1] v u u0; rewrite card_ord; apply: le_trans.
  by rewrite ler_nat subset_leq_card //; apply/subsetP => i; rewrite !inE /tail card_ord.
rewrite -(ler_pmul2l B0).
have -> : B.+1%:R * #|[pred o | drawn_pvalue (x o) <= u]|%:R = \sum_o #|[pred i | small i (x o)]|%:R :> R.
  transitivity (\sum_(i < B.+1) #|[pred o | small i (x o)]|%:R : R).
    by rewrite (eq_bigr _ (fun i _ => congr1 _ (same i))) sumr_const card_ord mulr_natl.
  have count (I : finType) (P : pred I) : #|P|%:R = \sum_i (P i)%:R :> R.
    by rewrite -sum1_card natr_sum big_mkcond; apply: eq_bigr => j _; rewrite unfold_in; case: P.
  rewrite (eq_bigr _ (fun i _ => count _ _)) exchange_big /=; apply: eq_bigr => o _.
  by rewrite count.
apply: le_trans (ler_sum _ (fun o _ => few (x o))) _.
by rewrite sumr_const -[X in X <= _]mulr_natr mulrAC [X in X <= _]mulrC lexx.
Qed.

Lemma scores_of_arrangements_are_exchangeable (A : finType) (score : A -> R) :
  exchangeable (fun (o : {ffun 'I_B.+1 -> A}) i => score (o i)).
Proof.
move=> s P ext; pose g (o : {ffun 'I_B.+1 -> A}) : {ffun 'I_B.+1 -> A} := [ffun i => o (s i)].
have g_inj : injective g.
  move=> o o' e; apply/ffunP => i; have /ffunP/(_ ((s^-1)%g i)) := e.
  by rewrite !ffunE permKV.
rewrite -!sum1_card [RHS](reindex_inj g_inj); apply: eq_bigl => o; rewrite !inE.
by apply: ext => i; rewrite ffunE.
Qed.

(* If the null hypothesis holds and the observed arrangement of the labels, like the B random ones, is any of a finite
   set of arrangements with equal chances, independently, then P(p <= u) <= u for the p-value the library reports. *)
Theorem py_estimated_is_valid_of_random_arrangements (A : finType) (score : A -> R) (u : R) : 0 <= u ->
  #|[pred o : {ffun 'I_B.+1 -> A} | drawn_pvalue (fun i => score (o i)) <= u]|%:R
  <= u * #|{: {ffun 'I_B.+1 -> A}}|%:R.
Proof.
move=> u0; apply: (py_estimated_is_valid (x := fun (o : {ffun 'I_B.+1 -> A}) i => score (o i))) => //.
exact: scores_of_arrangements_are_exchangeable.
Qed.
End MonteCarlo.

(* Scores of one observed and nineteen random arrangements of two are exchangeable. *)
Example exchangeable_scores_of_two (R : realFieldType) :
  exchangeable (fun (o : {ffun 'I_20 -> bool}) i => (o i)%:R : R) /\ (0 : R) <= 1 / 20%:R.
Proof.
split; last by rewrite divr_ge0 ?ler0n ?ler01.
exact: (@scores_of_arrangements_are_exchangeable R 19 _ (fun c : bool => c%:R)).
Qed.

(* Moves of labels: whole groups that change places, say. *)
Section Moves.
Variables (R : realFieldType) (gT : finGroupType) (A : finType) (move : A -> gT -> A) (score : A -> R).
Hypothesis move1 : forall a, move a 1%g = a.
Hypothesis moveM : forall a g h, move a (g * h)%g = move (move a g) h.

(* the share of all moves of an arrangement that score at least as high *)
Definition share_of_moves (a : A) : R := #|[pred g | score a <= score (move a g)]|%:R / #|gT|%:R.

Lemma share_after_a_move a g : share_of_moves (move a g) = tail (fun h => score (move a h)) g.
Proof.
rewrite /share_of_moves /tail /reaching; congr (_%:R / _).
rewrite -!sum1_card [RHS](reindex_inj (mulgI g)); apply: eq_bigl => h; by rewrite !inE moveM.
Qed.

(* If moves leave every chance as it is, here by equally likely arrangements, the share is valid, whatever the score. *)
Theorem share_of_moves_is_valid (u : R) : 0 <= u ->
  #|[pred a | share_of_moves a <= u]|%:R <= u * #|A|%:R.
Proof.
move=> u0; have G0 : 0 < #|gT|%:R :> R by rewrite ltr0n; apply/card_gt0P; exists 1%g.
have same g : #|[pred a | share_of_moves (move a g) <= u]| = #|[pred a | share_of_moves a <= u]|.
  have inj : injective (move^~ g).
    by move=> a b e; rewrite -(move1 a) -(mulgV g) moveM e -moveM mulgV move1.
  by rewrite -!sum1_card [RHS](reindex_inj inj); apply: eq_bigl => a; rewrite !inE.
have few a : #|[pred g | share_of_moves (move a g) <= u]|%:R <= u * #|gT|%:R.
  have := @exact_pvalue_is_valid R [finType of gT] (fun h => score (move a h)) u u0.
  by apply: le_trans; rewrite ler_nat subset_leq_card //; apply/subsetP => g; rewrite !inE share_after_a_move.
rewrite -(ler_pmul2l G0).
have count (I : finType) (P : pred I) : #|P|%:R = \sum_i (P i)%:R :> R.
  by rewrite -sum1_card natr_sum big_mkcond; apply: eq_bigr => j _; rewrite unfold_in; case: P.
have -> : #|gT|%:R * #|[pred a | share_of_moves a <= u]|%:R = \sum_a #|[pred g | share_of_moves (move a g) <= u]|%:R :> R.
  transitivity (\sum_(g : gT) #|[pred a | share_of_moves (move a g) <= u]|%:R : R).
    by rewrite (eq_bigr _ (fun g _ => congr1 _ (same g))) sumr_const cardT -cardE mulr_natl.
  rewrite (eq_bigr _ (fun g _ => count _ _)) exchange_big /=; apply: eq_bigr => a _.
  by rewrite count.
apply: le_trans (ler_sum _ (fun a _ => few a)) _.
by rewrite sumr_const -[X in X <= _]mulr_natr mulrAC [X in X <= _]mulrC lexx.
Qed.

Variable B : nat.
(* The same of B random moves of the observed arrangement: it is one of B + 1 that are equally likely. *)
Theorem drawn_moves_are_valid (u : R) : 0 <= u ->
  #|[pred o : A * {ffun 'I_B.+1 -> gT} | drawn_pvalue (fun i => score (move o.1 (o.2 i))) <= u]|%:R
  <= u * #|{: A * {ffun 'I_B.+1 -> gT}}|%:R.
Proof.
move=> u0; apply: (py_estimated_is_valid (x := fun (o : A * {ffun 'I_B.+1 -> gT}) i => score (move o.1 (o.2 i)))) => //.
move=> s P ext; pose f (o : A * {ffun 'I_B.+1 -> gT}) := (o.1, [ffun i => o.2 (s i)]).
have f_inj : injective f.
  move=> [a o] [b o'] [-> e]; congr (_, _); apply/ffunP => i; have /ffunP/(_ ((s^-1)%g i)) := e.
  by rewrite !ffunE permKV.
rewrite -!sum1_card [RHS](reindex_inj f_inj); apply: eq_bigl => o; rewrite !inE.
by apply: ext => i; rewrite ffunE.
Qed.
End Moves.

(* Two groups that change places: there are such moves. *)
Example moves_of_two (R : realFieldType) :
  (forall a : bool, (fun (a : bool) (g : {perm bool}) => g a) a 1%g = a)
  /\ (forall (a : bool) (g h : {perm bool}), (g * h)%g a = h (g a)) /\ (0 : R) <= 1 / 20%:R.
Proof. by split=> [a|]; [rewrite perm1|split=> [a g h|]; [rewrite permM|rewrite divr_ge0 ?ler0n ?ler01]]. Qed.

(* Several p-values: corrections for their number, and a sequence of draws that stops early; by counting outcomes. *)
Section Several.
Variables (R : realFieldType) (O : finType) (d : nat).
(* a p-value is valid if of the equally likely outcomes a share of at most u has one of at most u, for all u >= 0 *)
Definition valid (p : O -> R) : Prop := forall u, 0 <= u -> #|[pred o | p o <= u]|%:R <= u * #|O|%:R.
Variable p : 'I_d.+1 -> O -> R.
Hypothesis each : forall j, valid (p j).

Lemma any_of (P : 'I_d.+1 -> pred O) : (#|[pred o | [exists j, P j o]]| <= \sum_j #|P j|)%N.
Proof.
rewrite -sum1_card (eq_bigr (fun j => \sum_(o | P j o) 1)%N) => [|j _]; last by rewrite sum1_card.
rewrite (exchange_big_dep xpredT) //= [in X in (X <= _)%N]big_mkcond; apply: leq_sum => o _; rewrite inE.
case: existsP => // -[j Pj]; by rewrite (bigD1 j).
Qed.

(* If the splits of d features are tested at alpha/d each, a share of at most alpha of the outcomes under the null
   hypothesis has any p-value at or below: Bonferroni, whatever the dependence between features. *)
Theorem bonferroni_is_valid (alpha : R) : 0 <= alpha ->
  #|[pred o | [exists j, p j o <= alpha / d.+1%:R]]|%:R <= alpha * #|O|%:R.
Proof.
move=> a0; have d0 : d.+1%:R != 0 :> R by rewrite pnatr_eq0.
apply: (@le_trans _ _ (\sum_j #|[pred o | p j o <= alpha / d.+1%:R]|%:R)).
  by rewrite -natr_sum ler_nat; exact: any_of.
apply: (@le_trans _ _ (\sum_(j < d.+1) alpha / d.+1%:R * #|O|%:R)).
  by apply: ler_sum => j _; apply: each; rewrite divr_ge0 ?ler0n.
by rewrite sumr_const card_ord -[X in X <= _]mulr_natr mulrAC mulfVK.
Qed.

Lemma max_ge (I : finType) (P : pred I) (F : I -> R) x0 i : P i -> F i <= \big[Num.max/x0]_(o | P o) F o.
Proof.
move=> Pi; have : i \in index_enum I by rewrite mem_index_enum.
elim: (index_enum I) => // o s IH; rewrite inE big_cons => /orP[/eqP <-|/IH h]; first by rewrite Pi le_maxr lexx.
by case: ifP => _; rewrite ?le_maxr h ?orbT.
Qed.
Lemma min_le (I : finType) (F : I -> R) x0 i : \big[Num.min/x0]_o F o <= F i.
Proof.
have : i \in index_enum I by rewrite mem_index_enum.
elim: (index_enum I) => // o s IH; rewrite inE big_cons => /orP[/eqP <-|/IH h]; first by rewrite le_minl lexx.
by rewrite le_minl h orbT.
Qed.

(* the smallest p-value of an outcome, and the largest p-value of feature j that is attainable at or below t *)
Definition least_pvalue (o : O) : R := \big[Num.min/p ord0 o]_j p j o.
Definition attainable (j : 'I_d.+1) (t : R) : R := \big[Num.max/0]_(o | p j o <= t) p j o.

Lemma least_le o t : (least_pvalue o <= t) = [exists j, p j o <= t].
Proof.
apply/idP/existsP => [|[j jt]]; last first.
  by apply: le_trans jt; exact: min_le.
rewrite /least_pvalue; elim/big_ind: _ => [h|x y IHx IHy|j _ h]; first by exists ord0.
  by rewrite le_minl => /orP[/IHx|/IHy].
by exists j.
Qed.
Lemma attained j t o : p j o <= t -> p j o <= attainable j t.
Proof. move=> ot; exact: (@max_ge _ (fun o' => p j o' <= t) (p j) 0 o ot). Qed.
Lemma attainable_ge0 j t : 0 <= attainable j t.
Proof. by rewrite /attainable; elim/big_rec: _ => // o x _ x0; rewrite le_maxr x0 orbT. Qed.

(* The smallest of several p-values, corrected by the sum over features of the largest p-value that is attainable at or
   below it, is a valid p-value: discrete Bonferroni. *)
Theorem discrete_bonferroni_is_valid : valid (fun o => \sum_j attainable j (least_pvalue o)).
Proof.
move=> u u0; set E := [pred o | _]; case: (pickP E) => [o0 o0E|no]; last first.
  by rewrite eq_card0 // mulr_ge0 ?ler0n.
case: (@arg_maxP _ R O o0 E least_pvalue o0E) => o oE most.
apply: (@le_trans _ _ (\sum_j attainable j (least_pvalue o) * #|O|%:R)); last first.
  by rewrite -mulr_suml ler_wpmul2r ?ler0n.
apply: (@le_trans _ _ (\sum_j #|[pred o' | p j o' <= attainable j (least_pvalue o)]|%:R)); last first.
  by apply: ler_sum => j _; apply: each; exact: attainable_ge0.
rewrite -natr_sum ler_nat; apply: leq_trans (any_of _); apply: subset_leq_card; apply/subsetP => o' o'E.
have : least_pvalue o' <= least_pvalue o by exact: most.
rewrite least_le => /existsP[j jo]; rewrite inE; apply/existsP; exists j; exact: attained.
Qed.
End Several.

(* Exact p-values of any two scores of three outcomes are valid, each by itself. *)
Example exact_pvalues_are_valid (R : realFieldType) (x : 'I_2 -> 'I_3 -> R) :
  (forall j, valid (tail (x j))) /\ (0 : R) <= 1 / 20%:R.
Proof. by split=> [j u u0|]; [exact: exact_pvalue_is_valid|rewrite divr_ge0 ?ler01 ?ler0n]. Qed.

(* Besag and Clifford's p-value: draws stop at the h-th random table that reaches the score, or after B of them. *)
Section Sequential.
Variables (R : realFieldType) (B h : nat).
Hypothesis h0 : (0 < h)%N.
Implicit Type v : 'I_B.+1 -> R.

(* how many of the first l random tables reach the score observed, which stands first *)
Definition reached v (l : nat) : nat := #|[pred j : 'I_B.+1 | (0 < j <= l)%N && (v ord0 <= v j)]|.
(* h/L if the h-th table that reaches it is the L-th drawn, else (1 + c)/(1 + B) of the c < h that do *)
Definition sequential_pvalue v : R :=
  if [pick l : 'I_B.+1 | (reached v l == h) && (reached v l.-1 < h)%N] is Some l then h%:R / l%:R
  else py_estimated (reached v B)%:R B%:R.

(* the rank of a score among the first l + 1 *)
Definition rank v (l : nat) (i : 'I_B.+1) : nat := #|[pred j : 'I_B.+1 | (j <= l)%N && (v i <= v j)]|.

Lemma rank_first v l : rank v l ord0 = (reached v l).+1.
Proof.
rewrite /rank /reached (cardD1 ord0) !inE lexx; congr (_.+1); apply: eq_card => j.
by rewrite !inE -lt0n andbA.
Qed.

Lemma few_ranks v l c : (#|[pred i : 'I_B.+1 | (i <= l)%N && (rank v l i <= c)%N]| <= c)%N.
Proof.
case: (pickP [pred i : 'I_B.+1 | (i <= l)%N && (rank v l i <= c)%N]) => [i0 i0c|no]; last by rewrite eq_card0.
case: (arg_minP v i0c) => i /andP[il ic] least; apply: leq_trans ic.
by apply: subset_leq_card; apply/subsetP => j jc; rewrite !inE least // andbT; case/andP: jc.
Qed.

Variables (O : finType) (x : O -> 'I_B.+1 -> R).
Hypothesis ex : exchangeable x.

Lemma rank_is_uniform l c : (l <= B)%N ->
  (l.+1 * #|[pred o | (rank (x o) l ord0 <= c)%N]| <= c * #|O|)%N.
Proof.
move=> lB; have same (i : 'I_B.+1) : (i <= l)%N ->
    #|[pred o | (rank (x o) l i <= c)%N]| = #|[pred o | (rank (x o) l ord0 <= c)%N]|.
  move=> il; pose t := tperm ord0 i.
  rewrite -(ex t (P := fun v => (rank v l i <= c)%N)); last first.
    by move=> v w e; congr (_ <= _)%N; apply: eq_card => j; rewrite !inE !e.
  apply: eq_card => o; rewrite !inE; congr (_ <= _)%N.
  rewrite /rank tpermR -!sum1_card [RHS](reindex_inj (@perm_inj _ t)); apply: eq_bigl => j; rewrite !inE.
  by congr (_ && _); rewrite /t; case: tpermP => // ->.
have -> : (l.+1 * #|[pred o | (rank (x o) l ord0 <= c)%N]|
    = \sum_(i : 'I_B.+1 | (i <= l)%N) #|[pred o | (rank (x o) l i <= c)%N]|)%N.
  rewrite (eq_bigr _ same) sum_nat_const; congr (_ * _)%N.
  have w_inj : injective (widen_ord (lB : (l < B.+1)%N)) by move=> i j /(congr1 val) /= /val_inj.
  rewrite -[LHS](card_ord l.+1) -(card_imset _ w_inj).
  apply: eq_card => i; apply/imsetP/idP => [[k _ ->]|il]; first by rewrite unfold_in; exact: (leq_ord k).
  by rewrite unfold_in in il; exists (Ordinal (il : (i < l.+1)%N)) => //; apply: val_inj.
have count (P : pred O) : (#|P| = \sum_o P o)%N.
  by rewrite -sum1_card big_mkcond; apply: eq_bigr => o _; rewrite unfold_in; case: P.
rewrite (eq_bigr _ (fun i _ => count _)) exchange_big /=.
apply: (@leq_trans (\sum_(o : O) c)%N); last by rewrite sum_nat_const mulnC.
apply: leq_sum => o _.
apply: leq_trans (few_ranks (x o) l c); rewrite -sum1_card big_mkcond [X in (_ <= X)%N]big_mkcond.
by apply: leq_sum => i _; rewrite !inE; case: (_ <= l)%N; case: (_ <= c)%N.
Qed.

Lemma reached_le v l k : (l <= k)%N -> (reached v l <= reached v k)%N.
Proof.
move=> lk; apply: subset_leq_card; apply/subsetP => j; rewrite !inE => /andP[/andP[-> jl] ->].
by rewrite (leq_trans jl lk).
Qed.

(* the bound for events that ask for a small rank among the first l + 1 scores *)
Lemma valid_of_rank (E : pred O) (u : R) l c : (l <= B)%N -> (forall o, E o -> (rank (x o) l ord0 <= c)%N) ->
  c%:R <= u * l.+1%:R -> #|E|%:R <= u * #|O|%:R.
Proof.
move=> lB Ec cu; have l0 : 0 < l.+1%:R :> R by rewrite ltr0n.
rewrite -(ler_pmul2l l0); apply: (@le_trans _ _ (c * #|O|)%N%:R).
  rewrite -natrM ler_nat; apply: leq_trans (rank_is_uniform c lB).
  by rewrite leq_pmul2l //; apply: subset_leq_card; apply/subsetP => o; rewrite inE; exact: Ec.
by rewrite natrM mulrA [l.+1%:R * u]mulrC ler_wpmul2r ?ler0n.
Qed.

Lemma reachedS v l : (reached v l.+1 <= (reached v l).+1)%N.
Proof.
case: (ltnP l.+1 B.+1) => lB; last first.
  apply: leq_trans (leqnSn _); apply: subset_leq_card; apply/subsetP => j; rewrite !inE => /andP[/andP[-> _] ->].
  by rewrite -ltnS (leq_trans (ltn_ord j)).
rewrite /reached [X in (X <= _)%N](cardD1 (Ordinal lB)) -[X in (_ <= X)%N]add1n; apply: leq_add; first by case: (_ \in _).
apply: subset_leq_card; apply/subsetP => j; rewrite !inE.
move=> /andP[jl /andP[/andP[-> jl'] ->]]; rewrite !andbT /=.
by move: jl'; rewrite leq_eqVlt => /orP[/eqP e|//]; case/eqP: jl; apply: val_inj.
Qed.

Lemma never_stopped v l : (fun k : 'I_B.+1 => (reached v k == h) && (reached v k.-1 < h)%N) =1 xpred0 ->
  (l <= B)%N -> (reached v l < h)%N.
Proof.
move=> none; elim: l => [_|l IH lB].
  by rewrite /reached eq_card0 // => j; rewrite !inE; case: (posnP j) => // j0; rewrite leqNgt j0.
have lt := IH (ltnW lB); have := reachedS v l; rewrite leq_eqVlt => /orP[/eqP e|]; last first.
  by move=> h'; apply: leq_trans h' _.
move: lt; rewrite leq_eqVlt => /orP[/eqP eh|]; last by rewrite e.
have := none (Ordinal (lB : (l.+1 < B.+1)%N)); rewrite /= e eh eqxx /=.
by rewrite -eh ltnSn.
Qed.

(* If the B + 1 scores are exchangeable, the sequential p-value is valid: at most u in a share of at most u. *)
Theorem sequential_pvalue_is_valid : valid (fun o => sequential_pvalue (x o)).
Proof.
move=> u u0; have [hB|Bh] := lerP h%:R (u * B%:R).
  have ex_l : exists l, h%:R <= u * l%:R by exists B.
  case: (ex_minnP ex_l) => l hl least; have lB : (l <= B)%N by exact: least.
  have l0 : (0 < l)%N by rewrite lt0n; apply: contraL hl => /eqP ->; rewrite mulr0 -ltNge ltr0n.
  apply: (@valid_of_rank _ u l.-1 h); [exact: leq_trans (leq_pred l) lB| |by rewrite prednK].
  move=> o; rewrite /= rank_first /sequential_pvalue; case: pickP => [k /andP[/eqP kE kh]|none] pu; last first.
    by apply: never_stopped => //; exact: leq_trans (leq_pred l) lB.
  have k0 : (0 < k)%N by rewrite lt0n; apply: contraTneq kh => k0; rewrite k0 /= -k0 kE ltnn.
  apply: leq_ltn_trans kh; apply: reached_le; rewrite -!subn1 leq_sub2r //; apply: least.
  by rewrite -ler_pdivr_mulr ?ltr0n.
case: (pickP [pred o | sequential_pvalue (x o) <= u]) => [o0 o0E|no]; last by rewrite eq_card0 // mulr_ge0 ?ler0n.
have stopped o : sequential_pvalue (x o) <= u -> (rank (x o) B ord0)%:R <= u * B.+1%:R.
  rewrite rank_first /sequential_pvalue; case: pickP => [k /andP[/eqP kE kh]|none] pu; last first.
    move: pu; rewrite /py_estimated ler_pdivr_mulr; last by rewrite ltr_paddr ?ler0n ?ltr01.
    by rewrite [B.+1%:R]mulrS [(reached _ _).+1%:R]mulrS.
  have k0 : (0 < k)%N by rewrite lt0n; apply: contraTneq kh => k0; rewrite k0 /= -k0 kE ltnn.
  move: pu; rewrite ler_pdivr_mulr ?ltr0n // => hk; have : h%:R <= u * B%:R.
    by apply: le_trans hk _; rewrite ler_wpmul2l // ler_nat -ltnS.
  by rewrite leNgt Bh.
case: (@arg_maxnP _ o0 [pred o | sequential_pvalue (x o) <= u] (fun o => rank (x o) B ord0) o0E) => o oE most.
apply: (@valid_of_rank _ u B (rank (x o) B ord0)) => //.
exact: stopped.
Qed.
End Sequential.

(* Nineteen random arrangements of two, and h = 4. *)
Example sequential_draws_of_two (R : realFieldType) :
  (0 < 4)%N /\ exchangeable (fun (o : {ffun 'I_20 -> bool}) i => (o i)%:R : R).
Proof. by split=> //; have [] := exchangeable_scores_of_two R. Qed.

(* The false discovery rate of the largest e-values; by counting outcomes. *)
Section Discoveries.
Variables (R : realFieldType) (O : finType) (d : nat) (e : 'I_d.+1 -> O -> R) (null : pred 'I_d.+1).
Hypothesis evalue : forall j, null j -> \sum_o e j o <= #|O|%:R.
Hypothesis nonnegative : forall j o, 0 <= e j o.

(* the features whose e-value is at least d/(alpha k); the largest k for which there are k of them; those that pass *)
Definition large (alpha : R) (o : O) (k : nat) : pred 'I_d.+1 := fun j => d.+1%:R <= alpha * k%:R * e j o.
Definition most (alpha : R) (o : O) : nat := \max_(k < d.+2 | (k <= #|large alpha o k|)%N) k.
Definition passes (alpha : R) (o : O) : pred 'I_d.+1 := large alpha o (most alpha o).

Lemma most_pass alpha o : (most alpha o <= #|passes alpha o|)%N.
Proof.
set A := [pred k : 'I_d.+2 | (k <= #|large alpha o k|)%N].
have [|k Ak kE] := @eq_bigmax_cond _ A (fun k => k : nat); first by apply/card_gt0P; exists ord0.
by have mE : most alpha o = k by []; rewrite /passes mE.
Qed.

(* Of d features those pass whose e-values are the largest; the mean share of true nulls among them is at most
   alpha m/d, m the number of true nulls, whatever the dependence. *)
Theorem evalues_err_at_most_alpha (alpha : R) : 0 <= alpha ->
  \sum_o #|[pred j | passes alpha o j && null j]|%:R / #|passes alpha o|%:R
    <= alpha * #|null|%:R / d.+1%:R * #|O|%:R.
Proof.
move=> a0; have d0 : 0 < d.+1%:R :> R by rewrite ltr0n.
apply: (@le_trans _ _ (\sum_o \sum_(j | null j) alpha / d.+1%:R * e j o)); last first.
  rewrite exchange_big /=; apply: (@le_trans _ _ (\sum_(j | null j) alpha / d.+1%:R * #|O|%:R)).
    by apply: ler_sum => j nj; rewrite -mulr_sumr ler_wpmul2l ?evalue // divr_ge0 // ltW.
  rewrite sumr_const -[X in X <= _]mulr_natr -!mulrA ler_wpmul2l //.
  by rewrite mulrA [X in X <= _]mulrC.
apply: ler_sum => o _; rewrite -sum1_card natr_sum mulr_suml.
rewrite [X in X <= _](eq_bigl (fun j => null j && passes alpha o j)) => [|j]; last by rewrite inE andbC.
rewrite big_mkcondr; apply: ler_sum => j nj; case: ifP => [pj|_]; last first.
  by rewrite mulr_ge0 ?nonnegative // divr_ge0 // ltW.
have k0 : 0 < #|passes alpha o|%:R :> R by rewrite ltr0n; apply/card_gt0P; exists j.
rewrite ler_pdivr_mulr // mulrAC [alpha / _ * _]mulrAC [X in _ <= X]mulrAC ler_pdivl_mulr // mul1r.
apply: le_trans (_ : alpha * (most alpha o)%:R * e j o <= _); first exact: pj.
rewrite ler_wpmul2r ?nonnegative // ler_wpmul2l // ler_nat; exact: most_pass.
Qed.
End Discoveries.

(* A coin: the e-value of each of three features is 2 on one side and 0 on the other. *)
Example evalues_of_a_coin (R : realFieldType) : let e (j : 'I_3) (o : 'I_2) : R := (2 * (o == ord0))%:R in
  (forall j : 'I_3, xpredT j -> \sum_o e j o <= #|'I_2|%:R) /\ (forall j o, 0 <= e j o) /\ (0 : R) <= 1 / 20%:R.
Proof.
split=> [j _|]; first by rewrite !big_ord_recl big_ord0 card_ord muln1 muln0 !addr0.
by split=> [j o|]; rewrite ?ler0n // divr_ge0 ?ler01 ?ler0n.
Qed.
