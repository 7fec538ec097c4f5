(* The false discovery rate of printed corrections, by counting outcomes: Benjamini and Yekutieli's whatever the
   dependence, Benjamini and Hochberg's where each p-value is valid given the others. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ring zify.
From splitcrit Require Import python loops pvalues multiple cut_loop corrections discoveries.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Weights.
Variables (R : realFieldType) (d : nat).
Definition below (k : nat) : R := if (k <= d)%N then k%:R^-1 else 0.
Definition weight (k : nat) : R := below k - below k.+1.
Lemma weight_ge0 k : (0 < k)%N -> 0 <= weight k.
Proof.
move=> k0; rewrite /weight /below subr_ge0; case: (ltnP k d) => kd.
  by rewrite ltnW // lef_pinv ?posrE ?ltr0n // ler_nat.
by case: ifP; rewrite ?invr_ge0 ?ler0n.
Qed.
Lemma sum_weight r : (0 < r <= d)%N -> \sum_(r <= k < d.+1) weight k = r%:R^-1.
Proof.
move=> /andP[r0 rd]; have e k : weight k = - (below k.+1 - below k) by rewrite /weight opprB.
rewrite (eq_bigr _ (fun k _ => e k)) sumrN telescope_sumr ?leqW //.
by rewrite /below ltnn rd sub0r opprK.
Qed.
Lemma sum_weighed : \sum_(1 <= k < d.+1) weight k * k%:R = harmonic R d.
Proof.
have e k : weight k * k%:R = below k.+1 - (k.+1%:R * below k.+1 - k%:R * below k) by rewrite /weight [k.+1%:R]mulrSr; ring.
rewrite (eq_bigr _ (fun k _ => e k)) sumrB telescope_sumr //; have last0 : below d.+1 = 0 by rewrite /below ltnn.
rewrite last0 mulr0 sub0r opprK /harmonic; case: (posnP d) => [d0|d0].
  by rewrite !big_geq ?d0 // add0r /below d0 mulr0.
rewrite big_nat_recr //= last0 addr0 [RHS]big_nat_recl //= addrC; congr (_ + _).
  by rewrite /below d0 mul1r.
by apply: eq_big_nat => k /andP[_ kd]; rewrite /below kd.
Qed.
(* the share of r of d, in terms of whether x is at most k c for each k *)
Lemma share_of_steps (c x : R) r : 0 <= c -> (0 < r <= d)%N -> x <= r%:R * c ->
  r%:R^-1 <= \sum_(1 <= k < d.+1) weight k * (x <= k%:R * c)%R%:R.
Proof.
move=> c0 /andP[r0 rd] xr; rewrite -(sum_weight (r := r)) ?r0 // [X in _ <= X](big_cat_nat _ (n := r)) ?leqW //=.
rewrite -[X in X <= _]add0r ler_add //.
  rewrite big_nat_cond sumr_ge0 // => k /andP[/andP[k0 _] _]; by rewrite mulr_ge0 ?weight_ge0 ?ler0n.
rewrite big_nat_cond [X in _ <= X]big_nat_cond ler_sum // => k /andP[/andP[rk _] _].
by rewrite (le_trans xr) ?mulr1 // ler_wpmul2r // ler_nat.
Qed.
End Weights.

Section Rate.
Variables (R : realFieldType) (O : finType) (d : nat) (p : 'I_d -> O -> R) (null : pred 'I_d).
(* the share of rejected features that the labels do not depend on, 0 where none is rejected *)
Definition false_share (rejected : pred 'I_d) : R := #|[pred j | null j && rejected j]|%:R / #|rejected|%:R.
Variable rejected : O -> pred 'I_d.
Local Notation number o := #|rejected o|.

Lemma false_shareE o : false_share (rejected o) = \sum_(j | null j) (rejected o j)%:R / (number o)%:R.
Proof.
rewrite /false_share -mulr_suml -sum1_card natr_sum; congr (_ / _); rewrite big_mkcond [RHS]big_mkcond.
by apply: eq_bigr => j _; rewrite inE; case: (null j) => //=; case: (rejected o j).
Qed.

Lemma number_gt0 o j : rejected o j -> (0 < number o <= d)%N.
Proof.
move=> oj; apply/andP; split; last by rewrite -[X in (_ <= X)%N]card_ord max_card.
by apply/card_gt0P; exists j.
Qed.

Lemma rate_whatever_dependence c : 0 <= c -> (forall j, null j -> valid (p j)) ->
  (forall o j, rejected o j -> p j o <= (number o)%:R * c) ->
  \sum_o false_share (rejected o) <= #|null|%:R * (c * harmonic R d * #|O|%:R).
Proof.
move=> c0 each small; rewrite (eq_bigr _ (fun o _ => false_shareE o)) exchange_big /=; set X := c * _ * _.
have -> : #|null|%:R * X = \sum_(j | null j) X by rewrite sumr_const mulr_natl.
apply: ler_sum => j jn; rewrite /X -sum_weighed mulr_sumr mulr_suml.
apply: (@le_trans _ _ (\sum_o \sum_(1 <= k < d.+1) weight R d k * (p j o <= k%:R * c)%R%:R)).
  apply: ler_sum => o _; case oj : (rejected o j); last first.
    rewrite mul0r big_nat_cond sumr_ge0 // => k /andP[/andP[k0 _] _]; by rewrite mulr_ge0 ?weight_ge0 ?ler0n.
  by rewrite mul1r share_of_steps ?(number_gt0 oj) // small.
rewrite exchange_big /= big_nat_cond [X in _ <= X]big_nat_cond; apply: ler_sum => k /andP[/andP[k0 _] _].
have -> : c * (weight R d k * k%:R) * #|O|%:R = weight R d k * (k%:R * c * #|O|%:R) by ring.
rewrite -mulr_sumr ler_wpmul2l ?weight_ge0 //.
have -> : \sum_o (p j o <= k%:R * c)%R%:R = #|[pred o | p j o <= k%:R * c]|%:R :> R.
  rewrite -sum1_card natr_sum [RHS]big_mkcond; apply: eq_bigr => o _; rewrite inE; by case: (_ <= _).
by apply: each => //; rewrite mulr_ge0 ?ler0n.
Qed.
End Rate.

Section Corrections.
Variables (R : realFieldType) (O : finType) (d : nat) (p : 'I_d -> O -> R) (null : pred 'I_d) (alpha : R).
Hypothesis a01 : 0 <= alpha < 1.
(* the features that are rejected at alpha, from the p-values of an outcome *)
Definition discovered (correct : seq R -> seq R) (level : R) (o : O) : pred 'I_d := fun j =>
  nth 0 (correct (listed p o)) j <= level.
Local Notation hochberg := (discovered (py_benjamini_hochberg R)).
Local Notation yekutieli := (discovered (py_benjamini_yekutieli R)).

Lemma count_listed o P : count P (listed p o) = #|[pred j | P (p j o)]|.
Proof. by rewrite /listed count_map cardE [in RHS]/enum_mem size_filter enumT; apply: eq_count. Qed.

Lemma hochberg_small level o j : 0 <= level < 1 -> hochberg level o j ->
  p j o <= #|hochberg level o|%:R * (level / d%:R).
Proof.
move=> l01; have jd : (j < size (listed p o))%N by rewrite size_listed.
rewrite /discovered py_benjamini_hochberg_rejects_by_step_up // => /hasP[r]; rewrite mem_iota size_listed => /andP[r1 rd].
rewrite nth_listed count_listed => /andP[many own]; apply: (le_trans own).
rewrite /bound size_listed -mulrA ler_wpmul2r ?divr_ge0 ?ler0n //; first by case/andP: l01.
rewrite ler_nat (leq_trans many) //; apply: subset_leq_card; apply/subsetP => i; rewrite !inE /bound size_listed => small.
rewrite unfold_in py_benjamini_hochberg_rejects_by_step_up ?size_listed //; apply/hasP; exists r; first by rewrite mem_iota r1.
by rewrite nth_listed count_listed many /bound size_listed.
Qed.

(* Benjamini and Yekutieli's rule: where each p-value of a feature that the labels do not depend on is valid by itself,
   the mean share of false ones among the features with an adjusted p-value of at most alpha is at most alpha times the
   share of such features, whatever the dependence. *)
Theorem py_benjamini_yekutieli_discovers_falsely_at_most_alpha : (forall j, null j -> valid (p j)) ->
  \sum_o false_share R null (yekutieli alpha o) <= alpha * (#|null|%:R / d%:R) * #|O|%:R.
Proof.
move=> each; case: (posnP d) => [d0|d0].
  rewrite big1 => [|o _]; first by rewrite !mulr_ge0 ?invr_ge0 ?ler0n //; case/andP: a01.
  by rewrite /false_share (eq_card0 (A := [pred _ | _])) ?mul0r // => j; have := ltn_ord j; rewrite {2}d0.
have h0 : 0 < harmonic R d := harmonic_gt0 R d0; have /andP[a0 a1] := a01.
have dN : d%:R != 0 :> R by rewrite pnatr_eq0 -lt0n.
pose level := alpha / harmonic R d.
have h1 : 1 <= harmonic R d.
  by rewrite /harmonic big_nat_recl //= invr1 ler_addl sumr_ge0 // => k _; rewrite invr_ge0 ler0n.
have l01 : 0 <= level < 1.
  by rewrite divr_ge0 ?(ltW h0) //= ltr_pdivr_mulr // mul1r (lt_le_trans a1).
have same o : yekutieli alpha o =1 hochberg level o.
  move=> j; rewrite /discovered py_benjamini_yekutieli_is_harmonic ?size_listed // le_minl leNgt a1 /=.
  by rewrite /level ler_pdivl_mulr // mulrC.
have -> : alpha * (#|null|%:R / d%:R) * #|O|%:R = #|null|%:R * (level / d%:R * harmonic R d * #|O|%:R).
  by rewrite /level; move: (gt_eqF h0) dN => /negbT hN dN; field; rewrite hN dN.
rewrite (eq_bigr (fun o => false_share R null (hochberg level o))); last first.
  by move=> o _; rewrite /false_share (eq_card (same o)); congr (_%:R / _); apply: eq_card => j; rewrite !inE same.
apply: (@rate_whatever_dependence _ _ _ p) => //; first by case/andP: l01 => l0 _; rewrite divr_ge0 ?ler0n.
by move=> o j oj; exact: hochberg_small.
Qed.
(* Benjamini and Hochberg's rule: if each p-value of a feature that the labels do not depend on is valid given the others,
   as that of a feature that is independent of them, the mean share of false ones among the features with an adjusted
   p-value of at most alpha is at most alpha times the share of such features. *)
Theorem py_benjamini_hochberg_discovers_falsely_at_most_alpha :
  (forall j (E : pred O), null j -> (forall o o', (forall k, k != j -> p k o = p k o') -> E o = E o') ->
     forall u, 0 <= u -> #|[pred o | E o && (p j o <= u)]|%:R <= u * #|E|%:R) ->
  \sum_o false_share R null (hochberg alpha o) <= alpha * (#|null|%:R / d%:R) * #|O|%:R.
Proof.
move=> given; have /andP[a0 a1] := a01; pose c := alpha / d%:R; have c0 : 0 <= c by rewrite divr_ge0 ?ler0n.
rewrite (eq_bigr _ (fun o _ => false_shareE R null (hochberg alpha) o)) exchange_big /=.
have -> : alpha * (#|null|%:R / d%:R) * #|O|%:R = \sum_(j | null j) c * #|O|%:R.
  by rewrite sumr_const -[RHS]mulr_natl /c; move: (d%:R^-1 : R) (#|null|%:R : R) (#|O|%:R : R) => x y z; ring.
apply: ler_sum => j jn; pose others o (r : nat) := #|[pred i | (i != j) && (p i o <= r%:R * c)]|.
pose E (r : nat) o := (r <= (others o r).+1)%N && [forall t : 'I_d.+1, (r < t)%N ==> ~~ (t <= (others o t).+1)%N].
have number_of o r : #|[pred i | (p i o <= r%:R * c)%R]| = (others o r + (p j o <= r%:R * c)%R)%N.
  rewrite (cardD1 j) addnC; congr (_ + _)%N.
have reaches o r : (r <= d)%N -> (r <= #|[pred i | (p i o <= r%:R * c)%R]|)%N -> (0 < r)%N ->
    (#|[pred i | (p i o <= r%:R * c)%R]| <= #|hochberg alpha o|)%N.
  move=> rd many r0; apply: subset_leq_card; apply/subsetP => i; rewrite inE => small.
  rewrite unfold_in /discovered py_benjamini_hochberg_rejects_by_step_up ?size_listed //; apply/hasP; exists r.
    by rewrite mem_iota r0 add1n ltnS.
  by rewrite nth_listed count_listed /bound size_listed -mulrA small andbT.
have own o : hochberg alpha o j -> E #|hochberg alpha o| o && (p j o <= #|hochberg alpha o|%:R * c).
  move=> oj; set r := #|hochberg alpha o|; have small i : hochberg alpha o i -> p i o <= r%:R * c := hochberg_small a01.
  have jr := small j oj; have /andP[r0 rd] := number_gt0 oj.
  have many : (r <= #|[pred i | (p i o <= r%:R * c)%R]|)%N.
    by apply: subset_leq_card; apply/subsetP => i; rewrite !inE; exact: small.
  rewrite jr andbT /E; apply/andP; split; first by move: many; rewrite number_of jr addn1.
  apply/forallP => t; apply/implyP => rt; apply/negP => tt.
  have jt : p j o <= t%:R * c by apply: le_trans jr _; rewrite ler_wpmul2r // ler_nat ltnW.
  have more : (t <= #|[pred i | (p i o <= t%:R * c)%R]|)%N by rewrite number_of jt addn1.
  have td : (t <= d)%N by rewrite -ltnS ltn_ord.
  have := leq_trans more (reaches o t td more (leq_ltn_trans (leq0n _) rt)).
  by rewrite leqNgt rt.
apply: (@le_trans _ _ (\sum_o \sum_(r < d.+1 | (0 < r)%N) (E r o && (p j o <= r%:R * c))%R%:R / r%:R)).
  apply: ler_sum => o _; case oj : (hochberg alpha o j); last first.
    by rewrite mul0r sumr_ge0 // => r _; rewrite divr_ge0 ?ler0n.
  have /andP[r0 rd] := number_gt0 oj; rewrite (bigD1 (Ordinal (rd : (_ < d.+1)%N))) //= own // ler_addl.
  by rewrite sumr_ge0 // => r _; rewrite divr_ge0 ?ler0n.
rewrite exchange_big /=; apply: (@le_trans _ _ (\sum_(r < d.+1 | (0 < r)%N) c * #|E r|%:R)).
  apply: ler_sum => r r0; rewrite -mulr_suml ler_pdivr_mulr ?ltr0n // mulrAC [c * _]mulrC.
  have -> : \sum_o (E r o && (p j o <= r%:R * c))%R%:R = #|[pred o | E r o && (p j o <= r%:R * c)]|%:R :> R.
    by rewrite -sum1_card natr_sum [RHS]big_mkcond; apply: eq_bigr => o _; rewrite inE; case: (_ && _).
  apply: given => //; last by rewrite mulr_ge0 ?ler0n.
  move=> o o' same; have e t : others o t = others o' t.
    by apply: eq_card => i; rewrite !inE; case: eqP => //= /eqP ij; rewrite same.
  by rewrite /E e; congr (_ && _); apply: eq_forallb => t; rewrite e.
rewrite -mulr_sumr ler_wpmul2l // -natr_sum ler_nat.
have -> : (\sum_(r < d.+1 | (0 < r)%N) #|E r| = \sum_o \sum_(r < d.+1 | (0 < r)%N) E r o)%N.
  rewrite exchange_big /=; apply: eq_bigr => r _; rewrite -sum1_card big_mkcond; apply: eq_bigr => o _.
  by have -> : (o \in E r) = E r o by []; case: (E r o).
rewrite -[X in (_ <= X)%N]sum1_card; apply: leq_sum => o _.
case: (pickP (fun r : 'I_d.+1 => E r o)) => [r0 r0E|none]; last by rewrite big1 // => r _; rewrite none.
apply: (@leq_trans (\sum_(r < d.+1) E r o)%N); first by rewrite [X in (_ <= X)%N](bigID (fun r : 'I_d.+1 => 0 < r)%N) leq_addr.
rewrite (bigD1 r0) //= r0E big1 // => r rr0; case rE : (E r o) => //; exfalso.
have lt (a b : 'I_d.+1) : E a o -> E b o -> (a < b)%N -> False.
  by move=> /andP[_ /forallP /(_ b)]; move=> h /andP[bb _] ab; move: h; rewrite ab bb.
case: (ltngtP r r0) => [h|h|h]; [exact: lt rE r0E h|exact: lt r0E rE h|by case/eqP: rr0; exact: val_inj].
Qed.
End Corrections.

(* Exact p-values of two features are valid, each by itself. *)
Example two_pvalues (R : realFieldType) (x : 'I_2 -> 'I_5 -> R) :
  (forall j, predT j -> valid (tail (x j))) /\ 0 <= (1 / 20%:R : R) < 1.
Proof.
split=> [j _ u u0|]; first exact: exact_pvalue_is_valid.
apply/andP; split; first by rewrite divr_ge0 ?ler01 ?ler0n.
by rewrite ltr_pdivr_mulr ?mul1r ?ltr1n ?ltr0n.
Qed.
