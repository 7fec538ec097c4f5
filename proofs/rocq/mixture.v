(* The multinomial law of the gain is a mixture of permutation laws: means and variances. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs distinct null gini_null flips generated tie all_sizes independent multinomial.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Mixture.
Variables (R : realFieldType) (T : finType) (r K : nat) (f : T -> 'I_r) (p : 'I_K -> R).
Hypothesis rows_occur : forall i, (0 < #|[pred u | f u == i]|)%N.
Hypothesis n2 : (1 < #|T|)%N.
Hypothesis distributed : \sum_k p k = 1.
Local Notation a := (total_of R f).
Local Notation gain := (gain_of_labels R f (K := K)).
(* the class totals of labels that were drawn *)
Definition class_totals (s : {ffun T -> 'I_K}) : 'I_K -> R := total_of R s.

(* independent labels are as likely in any other order *)
Definition reordered (t : {perm T}) (s : {ffun T -> 'I_K}) : {ffun T -> 'I_K} := [ffun u => s (t u)].
Lemma reordered_inj t : injective (reordered t).
Proof.
move=> s s' /ffunP e; apply/ffunP => u; have := e ((t^-1)%g u).
by rewrite !ffunE permKV.
Qed.
Lemma drawn_reordered t (F : {ffun T -> 'I_K} -> R) : drawn p (fun s => F (reordered t s)) = drawn p F.
Proof.
rewrite /drawn [RHS](reindex_inj (@reordered_inj t)); apply: eq_bigr => s _; congr (_ * _).
by rewrite [LHS](reindex_inj (@perm_inj _ t)); apply: eq_bigr => u _; rewrite ffunE.
Qed.
Lemma drawn_mean (F : {ffun T -> 'I_K} -> R) : drawn p F = drawn p (fun s => mean (fun t => F (reordered t s))).
Proof.
have f0 := nfact0 R T; have -> : drawn p F = mean (fun t : {perm T} => drawn p (fun s => F (reordered t s))).
  by rewrite (mean_ext (fun t => drawn_reordered t F)) mean_const.
rewrite /mean mulrC -drawn_sum -drawn_scale; apply: drawn_ext => s; exact: mulrC.
Qed.

Lemma gain_reordered t s : gain (reordered t s) = py_decrease_gini (table R f s t).
Proof.
rewrite /gain_of_labels; apply: decrease_gini_ext => i k; rewrite /table; congr (_%:R); apply: eq_card => u.
by rewrite !inE perm1 ffunE.
Qed.
Lemma mean_reordered s : mean (fun t => gain (reordered t s)) = py_exact_mean a (class_totals s).
Proof.
rewrite (mean_ext (fun t => gain_reordered t s)); exact: py_exact_mean_is_mean_at_every_size.
Qed.

(* Averaged over multinomial class totals, the mean over permutations is the mean of independent labels: (r - 1)/n times
   the Gini impurity of the shares. *)
Theorem py_exact_mean_is_multinomial_mean_on_average :
  drawn p (fun s => py_exact_mean a (class_totals s)) = (r%:R - 1) * py_gini p / #|T|%:R.
Proof.
have -> : drawn p (fun s => py_exact_mean a (class_totals s)) = drawn p gain.
  by rewrite [RHS]drawn_mean; apply: drawn_ext => s; rewrite mean_reordered.
rewrite (mean_of_shares rows_occur n2 distributed) /py_gini; congr (_ * (1 - _) / _).
Qed.

(* The variance of independent labels is the average of the variance over permutations, at the class totals drawn, plus
   the variance of the mean over permutations. *)
Theorem multinomial_variance_is_mixture d : d != 0 ->
  let e := drawn p gain in
  drawn p (fun s => (gain s - e) ^+ 2)
  = drawn p (fun s => py_exact_variance a (class_totals s) d)
    + drawn p (fun s => (py_exact_mean a (class_totals s) - e) ^+ 2).
Proof.
move=> d0 e; rewrite drawn_mean -drawn_add; apply: drawn_ext => s.
have VE := py_exact_variance_is_variance_at_every_size s rows_occur d0.
have ME : mean (fun t => py_decrease_gini (table R f s t)) = py_exact_mean a (class_totals s).
  exact: py_exact_mean_is_mean_at_every_size.
rewrite -VE ME; set q := py_exact_mean _ _ in ME *.
rewrite (mean_ext (G := fun t => (py_decrease_gini (table R f s t) - q) ^+ 2
   + (2%:R * (q - e) * py_decrease_gini (table R f s t) + (q - e) * (- e - q)))); last first.
  by move=> t; rewrite gain_reordered; ring.
by rewrite mean_add mean_add mean_scale mean_const ME; ring.
Qed.
End Mixture.

(* Four observations in two rows of two, labels drawn from two equal shares. *)
Example equal_shares_of_four (R : realFieldType) :
  let T := [finType of 'I_2 * 'I_2] in let row (u : T) := u.1 in
  [/\ forall i, (0 < #|[pred u | row u == i]|)%N, (1 < #|T|)%N, \sum_(k < 2) (1 / 2%:R) = 1 :> R & (1 : R) != 0].
Proof.
move=> T row; have [rows _] := totals_of_four.
split=> [i|||]; rewrite ?oner_neq0 ?rows ?card_prod ?card_ord // sum2.
by field.
Qed.
