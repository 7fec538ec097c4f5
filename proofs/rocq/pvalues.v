(* P-values by counting: error rates over finite sets of equally likely outcomes. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From splitcrit Require Import generated.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

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
