(* What an impurity may be made of so that a gain sees no empty class: sums over classes, and the largest share. *)
From mathcomp Require Import all_ssreflect all_algebra.
From splitcrit Require Import defs risk vertex generated gains refinement.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Empty.
Variable R : realFieldType.
(* an impurity of the largest share m and of the sum over classes of a term of m and of the share of the class *)
Definition of_sum_and_largest (F g : R -> R -> R) K (p : 'I_K.+1 -> R) : R :=
  F (largest p) (\sum_k g (largest p) (p k)).

Lemma largest_ext K (p q : 'I_K.+1 -> R) : p =1 q -> largest p = largest q.
Proof. by move=> e; rewrite /largest e; apply: eq_bigr => k _. Qed.

Lemma largest_without K k (p : 'I_K.+2 -> R) : p k = 0 -> (forall j, 0 <= p j) ->
  largest p = largest (fun j => p (lift k j)).
Proof.
move=> z p0; have [j ej] := largest_in (fun j => p (lift k j)); rewrite ej; apply: largest_eq => l.
by case: (unliftP k l) => [m|] ->; rewrite ?z // -ej; exact: (largest_ge (fun j => p (lift k j))).
Qed.

(* The gain by an impurity that is made of the largest share and of a sum over classes of terms that are 0 of an empty
   class, also over a score of the sizes of the rows, is the same without a class of which there are no examples. *)
Theorem gain_by_sums_and_largest_sees_no_empty_class F g r K k (size_score : ('I_r -> R) -> R)
    (t : 'I_r -> 'I_K.+2 -> R) :
  (forall m, g m 0 = 0) -> (forall x y, x =1 y -> size_score x = size_score y) -> counts t ->
  (forall i, t i k = 0) ->
  let gain K (u : 'I_r -> 'I_K.+1 -> R) :=
    decrease (of_sum_and_largest F g (K := K)) u / size_score (fun i => defs.size (u i)) in
  gain K.+1 t = gain K (without_class k t).
Proof.
move=> g0 ext t0 z gain; rewrite /gain; congr (_ / _); last first.
  by apply: ext => i; rewrite /defs.size (drop_sum (z i)).
apply: decrease_without_class => // [p pk p0|p q e].
  by rewrite /of_sum_and_largest -(largest_without pk p0) (@drop_sum _ _ k) // pk.
by rewrite /of_sum_and_largest (largest_ext e); congr (F _ _); apply: eq_bigr => j _; rewrite e.
Qed.

(* The sum of minorities is the same without a class of which there are no examples. *)
Theorem py_sum_minority_sees_no_empty_class r K k (t : 'I_r -> 'I_K.+2 -> R) : counts t -> (forall i, t i k = 0) ->
  py_sum_minority t = py_sum_minority (without_class k t).
Proof.
move=> t0 z; have sizes i : \sum_j t i j = \sum_j without_class k t i j by rewrite (drop_sum (z i)).
rewrite /py_sum_minority; under eq_bigr do rewrite sizes -/(largest (t _)) (largest_without (z _) (t0 _)).
by under [X in if X == 0 then _ else X]eq_bigr do rewrite sizes.
Qed.

(* Gini's impurity, entropy with any logarithm, Matushita's with any root, the sum of min(p, 1 - p), misclassification
   and generalised cross-entropy of q = 1/2 are made so, and their terms are 0 of an empty class. *)
Theorem py_impurities_are_of_sums_and_largest (log sqrt : R -> R) K (p : 'I_K.+1 -> R) : sqrt 0 = 0 ->
  let same F g x := x = of_sum_and_largest F g p /\ forall m, g m 0 = 0 in
  [/\ same (fun _ s => 1 - s) (fun _ x => x * x) (py_gini p),
      same (fun _ s => - s) (fun _ x => xlogx log x) (py_entropy log p),
      same (fun _ s => s) (fun _ x => sqrt (x * (1 - x))) (py_matushita sqrt p),
      same (fun _ s => s) (fun _ x => Num.min x (1 - x)) (py_bayes_sum p)
    & same (fun m _ => 1 - m) (fun _ _ => 0) (py_misclassification p)
      /\ same (fun m s => (1 - m * sqrt s) / (1 / 2%:R)) (fun m x => (x / m) ^+ 2) (py_gce_half sqrt p)].
Proof.
move=> s0 same; split; last by split; split=> // m; rewrite mul0r expr0n.
- by split=> // m; rewrite mul0r.
- by split=> // m; rewrite /xlogx eqxx.
- by split=> // m; rewrite mul0r.
by split=> // m; rewrite subr0 min_l ?ler01.
Qed.
End Empty.

(* an instance: the table of ones with an empty class, and the identity as a root *)
Example empty_class_of_ones (R : realFieldType) : let t : 'I_2 -> 'I_3 -> R := fun _ k => if k == 0 then 0 else 1 in
  [/\ counts t, forall i, t i 0 = 0 & (fun x : R => x) 0 = 0].
Proof. by split=> // i k /=; case: ifP => _; rewrite ?ler01. Qed.

