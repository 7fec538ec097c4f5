(* Besag and Clifford's p-value: draws stop at the h-th random table that reaches the score, or after B of them. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From splitcrit Require Import generated pvalues multiple.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

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
