(* The exact moments that the library returns are right for every number of observations, 0, 1 and 2 included. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs distinct null gini_null generated tie moments signs zero_variance.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section AllSizes.
Variables (R : realFieldType) (T : finType) (r K : nat) (f : T -> 'I_r) (y : T -> 'I_K).
Hypothesis rows_occur : forall i, (0 < #|[pred u | f u == i]|)%N.
Local Notation a := (total_of R f).
Local Notation b := (total_of R y).
Local Notation pygain := (fun s => py_decrease_gini (table R f y s)).

Lemma rows_at_most : (r <= #|T|)%N.
Proof.
have e : (\sum_i #|[pred u | f u == i]|)%N = #|T|.
  by apply/eqP; rewrite -(eqr_nat R) natr_sum; apply/eqP; exact: sum_a.
by rewrite -e -[X in (X <= _)%N]card_ord -sum1_card; apply: leq_sum => i _; exact: rows_occur.
Qed.

Lemma gain_of_one_row s : (r <= 1)%N -> py_decrease_gini (table R f y s) = 0.
Proof.
have -> : py_decrease_gini (table R f y s) = gain R f y s by [].
rewrite /gain /decrease; case: r f => [|[|m]] // g _.
  rewrite /whole /node big_ord0 eqxx mul0r big_ord0 subr0; exact: mul0r.
have e1 : whole (table R g y s) = defs.size (table R g y s ord0) by rewrite /whole big_ord_recl big_ord0 addr0.
rewrite big_ord_recl big_ord0 addr0 e1.
rewrite (_ : gini (shares (node _) _) = gini (shares (table R g y s ord0) (defs.size (table R g y s ord0)))).
  by rewrite subrr mul0r.
by congr (_ - _); apply: eq_bigr => k _; rewrite /shares /node big_ord_recl big_ord0 addr0.
Qed.

(* At every size, 0 and 1 included, the mean that the library returns is the mean of its own Gini gain over all
   permutations of the labels. *)
Theorem py_exact_mean_is_mean_at_every_size : mean pygain = py_exact_mean a b.
Proof.
case: (ltnP 1 #|T|) => T1; first exact: py_exact_mean_is_mean.
have r1 := leq_trans rows_at_most T1.
rewrite (mean_ext (G := fun=> 0)) ?mean_const => [|s]; last exact: gain_of_one_row.
by rewrite /py_exact_mean sum_a ltr_nat ltnS T1.
Qed.

Lemma no_three (F : T -> T -> T -> R) : #|T| = 2%N -> D3 F = 0.
Proof.
move=> T3; rewrite (D3_ext (G := fun u v w => 0 * 0)) ?D3_scale ?mul0r // => u v w vu wu wv.
by have := card_ge (uniq3 vu wu wv) erefl; rewrite T3.
Qed.
Lemma no_four' (F : T -> T -> T -> T -> R) : #|T| = 2%N -> D4 F = 0.
Proof.
move=> T3; rewrite (D4_ext (G := fun u v w x => 0 * 0)) ?D4_scale ?mul0r // => u v w x vu wu wv xu xv xw.
by have := card_ge (uniq4 vu wu wv xu xv xw) erefl; rewrite T3.
Qed.

Lemma variance_of_two : #|T| = 2%N -> variance R f y = 0.
Proof.
move=> T2; have T1 : (1 < #|T|)%N by rewrite T2.
have c0 : forall i, total_of R f i != 0 := a0 R rows_occur.
rewrite varianceE // mean_stat mean_stat_square; [|exact: same_sym..].
have eW := square_of_D2 (same_sym f (fun i => (total_of R f i)^-1)).
have eZ := square_of_D2 (same_sym y (fun=> 1 : R)).
move: eW eZ; rewrite !no_three // !no_four' // !mulr0 !addr0.
set W := D2 _; set W' := D2 _; set Z := D2 _; set Z' := D2 _ => eW eZ.
rewrite T2 subrr !mulr0 invr0 !mulr0 !mul0r !addr0.
rewrite expr_div_n exprMn eW eZ; clear eW eZ; move: W' Z' => w z.
by rewrite invr0 mulr0; field.
Qed.

(* At every size, 0, 1 and 2 included, the variance that the library returns is the variance of its own Gini gain over
   all permutations of the labels. *)
Theorem py_exact_variance_is_variance_at_every_size d : d != 0 ->
  mean (fun s => (pygain s - mean pygain) ^+ 2) = py_exact_variance a b d.
Proof.
move=> d0; case: (ltnP 2 #|T|) => T2; first exact: py_exact_variance_is_variance.
rewrite /py_exact_variance sum_a ltr_nat ltnS T2.
case: (ltnP 1 #|T|) => T1.
  by apply: variance_of_two; apply/eqP; rewrite eqn_leq T2 T1.
have r1 := leq_trans rows_at_most T1.
rewrite (mean_ext (G := fun=> 0)) ?mean_const // => s.
rewrite gain_of_one_row // (mean_ext (G := fun=> 0)) ?mean_const ?subrr ?expr0n // => t.
exact: gain_of_one_row.
Qed.

Lemma mean_eq0 (F : {perm T} -> R) : (forall s, 0 <= F s) -> mean F = 0 <-> (forall s, F s = 0).
Proof.
move=> F0; split=> [|e]; last by rewrite (mean_ext e) mean_const.
move/eqP; rewrite /mean mulf_eq0 invr_eq0 (negPf (nfact0 R T)) orbF psumr_eq0 // => /allP e s.
by apply/eqP/(e s); rewrite mem_index_enum.
Qed.

(* The variance that the library returns is 0 exactly if all permutations of the labels have one and the same gain. *)
Theorem py_exact_variance_eq0_iff_gain_is_constant d : d != 0 ->
  py_exact_variance a b d = 0 <-> forall s, pygain s = pygain 1%g.
Proof.
move=> d0; rewrite -py_exact_variance_is_variance_at_every_size // mean_eq0; last by move=> s; exact: sqr_ge0.
split=> [e|e s].
  have em s : pygain s = mean pygain by apply/eqP; rewrite -subr_eq0 -sqrf_eq0; apply/eqP/(e s).
  by move=> s; rewrite !em.
by rewrite (mean_ext e) mean_const e subrr expr0n.
Qed.

(* If every row and class occurs, all permutations have the same gain exactly if there are at most two observations, or
   one margin is even and one (the same or the other) is thin. *)
Theorem gain_is_constant_iff_even_and_thin : (forall j, (0 < #|[pred u | y u == j]|)%N) ->
  (forall s, pygain s = pygain 1%g) <->
  (#|T| <= 2)%N \/ ((even_totals (fun i => #|[pred u | f u == i]|) \/ even_totals (fun j => #|[pred u | y u == j]|))
                 /\ (thin_totals (fun i => #|[pred u | f u == i]|) \/ thin_totals (fun j => #|[pred u | y u == j]|))).
Proof.
move=> classes_occur; have d0 : (1 : R) != 0 := oner_neq0 R.
have sf : (\sum_i #|[pred u | f u == i]|)%N = #|T|.
  by apply/eqP; rewrite -(eqr_nat R) natr_sum; apply/eqP; exact: sum_a.
have sy : (\sum_j #|[pred u | y u == j]|)%N = #|T|.
  by apply/eqP; rewrite -(eqr_nat R) natr_sum; apply/eqP; exact: sum_b.
have fy : (\sum_i #|[pred u | f u == i]| = \sum_j #|[pred u | y u == j]|)%N by rewrite sf sy.
rewrite -(py_exact_variance_eq0_iff_gain_is_constant d0).
have := py_exact_variance_eq0 rows_occur classes_occur fy d0.
by rewrite sf.
Qed.
End AllSizes.

Section Instance.
Variable R : realFieldType.
(* four observations, one of each of two rows and two classes *)
Let T := [finType of 'I_2 * 'I_2].
Let row (u : T) : 'I_2 := u.1.
Let class (u : T) : 'I_2 := u.2.

Lemma totals_of_four : (forall i, #|[pred u | row u == i]| = 2%N) /\ (forall j, #|[pred u | class u == j]| = 2%N).
Proof.
split=> i.
  rewrite (eq_card (B := [predX pred1 i & predT])); first by rewrite cardX card1 card_ord.
  by move=> [u v]; rewrite !inE andbT.
rewrite (eq_card (B := [predX predT & pred1 i])); first by rewrite cardX card1 card_ord.
by move=> [u v]; rewrite !inE.
Qed.

(* Both rows and both classes occur; the mean of the gain over all permutations is 1/6, its variance 1/18. *)
Example four_observations :
  [/\ (1 < #|T|)%N, forall i, (0 < #|[pred u | row u == i]|)%N, forall j, (0 < #|[pred u | class u == j]|)%N
    & mean (fun s => py_decrease_gini (table R row class s)) = 1 / 6%:R
      /\ mean (fun s => (py_decrease_gini (table R row class s)
                         - mean (fun s => py_decrease_gini (table R row class s))) ^+ 2) = 1 / 18%:R].
Proof.
have [rows classes] := totals_of_four.
have rows_occur i : (0 < #|[pred u | row u == i]|)%N by rewrite rows.
have a2 i : total_of R row i = 2%:R by rewrite /total_of rows.
have b2 j : total_of R class j = 2%:R by rewrite /total_of classes.
split=> //; first by rewrite card_prod card_ord. by move=> j; rewrite classes.
rewrite (py_exact_variance_is_variance_at_every_size class rows_occur (oner_neq0 R)).
rewrite py_exact_mean_is_mean_at_every_size // /py_exact_mean /py_exact_variance !sum2 !a2 !b2.
rewrite -!natrD !ltr_nat !ler_nat /= /py_mean /py_variance /py_uneven_weight /py_thick_weight /py_thick_classes.
by rewrite /py_uneven_classes /py_thick_rows /py_uneven_rows; split; field.
Qed.
End Instance.
