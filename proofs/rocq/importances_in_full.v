(* Importances of the nodes of a tree: they add up to what the root has and the leaves do not. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Importances.
Variable R : zmodType.
(* a node has n times its impurity, and children; a leaf has none *)
Inductive weighed_tree := Weighed (own : R) (children : seq weighed_tree).
Definition own_impurity t : R := let: Weighed x _ := t in x.
(* what a divided node adds is what it has less what its children have; the importances of all nodes *)
Fixpoint importances t : R :=
  let: Weighed x cs := t in
  (if nilp cs then 0 else x - \sum_(y <- map own_impurity cs) y) + \sum_(y <- map importances cs) y.
Fixpoint of_leaves t : R := let: Weighed x cs := t in if nilp cs then x else \sum_(y <- map of_leaves cs) y.

(* Whatever the impurity and the tree, the importances of all nodes add up to n times the impurity of the root less n
   times that of each leaf. *)
Theorem importances_add_up_to_impurity_less_that_of_leaves : forall t : weighed_tree,
  importances t = own_impurity t - of_leaves t.
Proof.
fix IH 1; case=> x cs.
have each : \sum_(y <- map importances cs) y = \sum_(y <- map own_impurity cs) y - \sum_(y <- map of_leaves cs) y.
  by elim: cs => [|c cs IHcs]; rewrite ?big_nil ?subr0 //= !big_cons IHcs IH opprD addrACA.
case: cs each => [|c cs] each; first by rewrite /= big_nil addr0 subrr.
by rewrite /= in each *; rewrite each addrA subrK.
Qed.
End Importances.

(* A root of impurity 3 with two leaves of impurity 1. *)
Example importances_of_three : importances (Weighed (3 : int) [:: Weighed 1 [::]; Weighed 1 [::]]) = 1.
Proof. by rewrite /= !big_cons !big_nil !addr0. Qed.
