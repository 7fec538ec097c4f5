(* Several p-values: corrections for their number, and a sequence of draws that stops early; by counting outcomes. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From splitcrit Require Import generated pvalues.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

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
