(* Flips that have the same proportions in both children at every threshold. *)
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint zmodp.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Thresholds.
Variables (R : numFieldType) (L : eqType).
(* observations in the order of a feature with distinct values, each with its label and whether it is flipped *)
Implicit Type s : seq (L * bool).
Definition members (k : L) s : nat := count (fun z => z.1 == k) s.
Definition flips (k : L) s : nat := count (fun z => (z.1 == k) && z.2) s.
Definition proportion (k : L) s : R := (flips k s)%:R / (members k s)%:R.

(* If at every threshold both children have the same realised flip proportions of each class that both have, then each
   class of two or more members is flipped altogether or not at all. *)
Theorem equal_proportions_flip_whole_classes_of_thresholds s :
  (forall cut k, (0 < cut < size s)%N -> (0 < members k (take cut s))%N -> (0 < members k (drop cut s))%N ->
     proportion k (take cut s) = proportion k (drop cut s)) ->
  forall k, (2 <= members k s)%N -> flips k s = 0%N \/ flips k s = members k s.
Proof.
move=> equal k two; pose mine (z : (L * bool)%type) := z.1 == k.
have some : has mine s by rewrite has_count; exact: ltn_trans two.
pose cut := (find mine s).+1; have fs : (find mine s < size s)%N by rewrite -has_find.
have z0 : (L * bool)%type by case: (s) some => // z _ _; exact: z.
have first : nth z0 s (find mine s) = (k, (nth z0 s (find mine s)).2).
  by have := nth_find z0 some; rewrite /mine; case: (nth _ _ _) => l b /= /eqP ->.
set b := (nth z0 s (find mine s)).2 in first.
have before : count mine (take (find mine s) s) = 0%N.
  apply/eqP; rewrite -leqn0 leqNgt -has_count; apply/negP => /hasP[z]; move=> /(nthP z0)[i].
  by rewrite size_take fs => ib; rewrite nth_take // => <-; rewrite (before_find z0 ib).
have takeE : take cut s = rcons (take (find mine s) s) (k, b) by rewrite (take_nth z0) // first.
have none : count (fun z => (z.1 == k) && z.2) (take (find mine s) s) = 0%N.
  by apply/eqP; rewrite -leqn0 -before; apply: sub_count => z /andP[].
have mt : members k (take cut s) = 1%N by rewrite /members takeE -cats1 count_cat /= eqxx addn0 -[count _ _]/(count mine _) before.
have ft : flips k (take cut s) = b by rewrite /flips takeE -cats1 count_cat /= eqxx addn0 none.
have ms : members k s = (members k (take cut s) + members k (drop cut s))%N by rewrite /members -count_cat cat_take_drop.
have fl : flips k s = (flips k (take cut s) + flips k (drop cut s))%N by rewrite /flips -count_cat cat_take_drop.
have md : (0 < members k (drop cut s))%N by move: two; rewrite ms mt add1n ltnS.
have inside : (0 < cut < size s)%N.
  rewrite /= ltnNge; apply/negP => /drop_oversize e; by move: md; rewrite e.
have := equal cut k inside; rewrite mt md /proportion mt ft => /(_ isT isT).
have m0 : (members k (drop cut s))%:R != 0 :> R by rewrite pnatr_eq0 -lt0n.
rewrite divr1 => /(congr1 (fun x => x * (members k (drop cut s))%:R)); rewrite divfK // -natrM => /eqP.
rewrite eqr_nat => /eqP e; rewrite fl ms ft mt -e; case: (b); [right|left]; by rewrite ?mul1n ?mul0n.
Qed.
End Thresholds.

(* Two observations of a class, both of them flipped, and no threshold at which proportions differ. *)
Example flipped_altogether : members true [:: (true, true); (true, true)] = 2%N.
Proof. by []. Qed.
