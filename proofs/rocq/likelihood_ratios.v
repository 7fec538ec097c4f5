(* Products of likelihood ratios: the evidence about a feature of a tree, as finite sums over what may happen. *)
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Likelihood ratios, one after the other: the first is of a node with none below it. Each has cells: all that it leaves
   to chance is in which order the responses that reach its node stand there, so that outcomes of a cell are equally
   likely. A ratio is its likelihood over the mean in its cell, which fixes all ratios that come later. *)
Section Products.
Variables (R : realFieldType) (O T : finType) (w : O -> R) (m : nat).
Variables (likelihood : 'I_m -> O -> R) (cell : 'I_m -> O -> T).

Definition ratio (k : 'I_m) (o : O) : R :=
  likelihood k o / ((\sum_(p | cell k p == cell k o) likelihood k p) / #|[pred p | cell k p == cell k o]|%:R).

Hypothesis positive : forall k o, 0 < likelihood k o.
Hypothesis alike : forall k o p, cell k o = cell k p -> w o = w p.
Hypothesis held : forall (j k : 'I_m) o p, (j < k)%N -> cell j o = cell j p -> ratio k o = ratio k p.

Lemma ratios_of_a_cell k c : \sum_(o | cell k o == c) ratio k o = #|[pred o | cell k o == c]|%:R.
Proof.
case: (pickP [pred o | cell k o == c]) => [o0 o0c|none]; last by rewrite big_pred0 // eq_card0.
set S := \sum_(p | cell k p == c) likelihood k p; set N := #|[pred o | cell k o == c]|%:R.
rewrite (eq_bigr (fun o => likelihood k o / (S / N))) => [|o /eqP oc]; last by rewrite /ratio oc.
have S0 : S != 0 by apply: lt0r_neq0; rewrite /S (bigD1 o0) //= ltr_paddr ?sumr_ge0 // => o _; exact: ltW.
by rewrite -mulr_suml invf_div mulrA [S * N]mulrC mulfK.
Qed.

Lemma without_a_ratio k (g : O -> R) : (forall o p, cell k o = cell k p -> g o = g p) ->
  \sum_o w o * (ratio k o * g o) = \sum_o w o * g o.
Proof.
move=> fixed; rewrite (partition_big (cell k) xpredT) //= [RHS](partition_big (cell k) xpredT) //=.
apply: eq_bigr => c _; case: (pickP [pred o | cell k o == c]) => [o0 /eqP o0c|none]; last by rewrite !big_pred0.
have at_c o : cell k o == c -> w o = w o0 /\ g o = g o0.
  by move=> /eqP oc; split; [apply: (alike (k := k))|apply: fixed]; rewrite oc o0c.
rewrite (eq_bigr (fun o => w o0 * g o0 * ratio k o)) => [|o oc]; last first.
  by have [-> ->] := at_c _ oc; rewrite [ratio k o * _]mulrC mulrA.
rewrite [RHS](eq_bigr (fun=> w o0 * g o0)) => [|o oc]; last by have [-> ->] := at_c _ oc.
by rewrite -mulr_sumr ratios_of_a_cell [RHS]sumr_const -[RHS]mulr_natr.
Qed.

(* The product of all ratios has mean 1 under any weights of outcomes that the cells do not tell apart. *)
Theorem product_of_ratios_has_mean_one : \sum_o w o * \prod_k ratio k o = \sum_o w o.
Proof.
have rest n : (n <= m)%N -> \sum_o w o * \prod_k ratio k o = \sum_o w o * \prod_(k < m | (n <= k)%N) ratio k o.
  elim: n => [|n IH] nm; first by apply: eq_bigr => o _; congr (_ * _); apply: eq_bigl => k.
  rewrite IH ?(ltnW nm) //; pose k0 := Ordinal nm.
  rewrite -(@without_a_ratio k0 (fun o => \prod_(k < m | (n < k)%N) ratio k o)) => [|o p op]; last first.
    by apply: eq_bigr => k nk; apply: (held (j := k0)).
  apply: eq_bigr => o _; congr (_ * _); rewrite (bigD1 k0) //=; congr (_ * _).
  by apply: eq_bigl => k; rewrite [RHS]ltn_neqAle andbC eq_sym.
rewrite (rest m) //; apply: eq_bigr => o _; rewrite big_pred0 ?mulr1 // => k.
by rewrite leqNgt ltn_ord.
Qed.
End Products.

(* Two coins: the second is asked first, given the first. *)
Example ratios_of_two_coins (R : realFieldType) :
  let likelihood (k : 'I_2) (o : bool * bool) : R := (1 + (if k == ord0 then o.2 else o.1))%:R in
  let cell (k : 'I_2) (o : bool * bool) := (k == ord0) && o.1 in
  (forall k o, 0 < likelihood k o) /\ (forall k o p, cell k o = cell k p -> 1 = 1 :> R) /\
  (forall (j k : 'I_2) o p, (j < k)%N -> cell j o = cell j p -> ratio likelihood cell k o = ratio likelihood cell k p).
Proof.
move=> l c; split; first by move=> k o; rewrite ltr0n.
split=> // j k o p jk; case: k jk => [[|[|k]] lk] //= jk.
have -> : j = ord0 by apply/val_inj; case: j jk => [[|j] lj].
move=> e; rewrite /ratio; have e1 : o.1 = p.1 by move: e; rewrite /c /=.
congr (_ / (_ / _)); first by rewrite /l /= e1.
Qed.
