(* A score made of the columns and of how many examples a node has of each class: its test in a tree of the labels. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From splitcrit Require Import tests_in_full.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Totals.
Variables (R : realFieldType) (T : finType) (L : eqType) (y : T -> L) (node : pred T).
(* the tree of each order of the labels has the node or not *)
Variable has : pred {perm T}.
(* how many examples of a label an order of the labels puts into the node *)
Definition total (s : {perm T}) (l : L) : nat := #|[pred u | node u && (y (s u) == l)]|.
(* the score of an order when columns are compared by a function of those totals *)
Variable score : (L -> nat) -> {perm T} -> R.
Hypothesis ext : forall m m', m =1 m' -> score m =1 score m'.

(* The totals are the same for all orders of the labels inside a node. *)
Lemma total_inside s s' : same_outside y node s s' -> total s =1 total s'.
Proof.
move=> /forallP e l.
have all_of x : #|[pred u | y ((x : {perm T}) u) == l]| = #|[pred u | y u == l]|.
  rewrite -(card_imset _ (@perm_inj _ x)); apply: eq_card => u; rewrite !inE.
  apply/imsetP/idP => [[v]|yu]; first by rewrite inE => ? ->.
  by exists (x^-1%g u); rewrite ?inE permKV.
have parts x : #|[pred u | y ((x : {perm T}) u) == l]|
    = (total x l + #|[pred u | ~~ node u && (y (x u) == l)]|)%N.
  rewrite /total -(cardID node); congr (_ + _)%N; apply: eq_card => u; rewrite !inE //; exact: andbC.
have out : #|[pred u | ~~ node u && (y (s u) == l)]| = #|[pred u | ~~ node u && (y (s' u) == l)]|.
  apply: eq_card => u; rewrite !inE; case: (boolP (node u)) => //= nu.
  by have := e u; rewrite (negPf nu) /= => /eqP ->.
apply: (@addIn #|[pred u | ~~ node u && (y (s u) == l)]|); rewrite -(parts s) all_of out -(parts s') all_of.
by [].
Qed.

(* of the orders inside the node in which its ancestors choose as they do, the share that score as high, where the
   function that compares columns is made once, of the totals that are observed *)
Definition share_by_totals (s : {perm T}) : R :=
  #|[pred s' | [&& same_outside y node s s', has s' & score (total s) s <= score (total s) s']]|%:R
  / #|[pred s' | same_outside y node s s' && has s']|%:R.

(* It is a valid p-value given that the tree has the node. *)
Theorem share_by_totals_is_valid_in_tree (u : R) : 0 <= u ->
  #|[pred s | has s && (share_by_totals s <= u)]|%:R <= u * #|has|%:R.
Proof.
move=> u0; have sE s : share_by_totals s = kept_share y node has (fun s' => score (total s') s') s.
  rewrite /share_by_totals /kept_share; congr (_%:R / _); apply: eq_card => s'; rewrite !inE.
  by case: (boolP (same_outside y node s s')) => //= e; rewrite (ext (total_inside e) s').
rewrite (eq_card (_ : _ =i [pred s | has s && (kept_share y node has (fun s' => score (total s') s') s <= u)])).
  exact: kept_share_is_valid_in_tree.
by move=> s; rewrite !inE sE.
Qed.
End Totals.
