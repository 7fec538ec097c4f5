(* One-vs-rest pairwise gain: its best splits divide no class, and prefer sides of equal size. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs risk vertex generated tie gains vertices breiman superclasses refinement.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Pairs.
Variables (R : realFieldType) (K : nat).
Implicit Types (c al : 'I_K -> R) (v w : 'I_K -> bool).

Lemma split_crossing c al k : py_crossing (split c al) k = c k * (al k * defs.size c - \sum_j al j * c j).
Proof.
rewrite /py_crossing /split /=.
have -> : \sum_j (1 - al j) * c j = defs.size c - \sum_j al j * c j.
  by rewrite /defs.size -sumrB; apply: eq_bigr => j _; ring.
by move: (\sum_j al j * c j) (defs.size c) => s n; ring.
Qed.
Lemma one_vs_restE (t : 'I_2 -> 'I_K -> R) : py_one_vs_rest t = (\sum_k `|py_crossing t k|) / 4%:R.
Proof. by []. Qed.

(* For all class counts there is a group of classes such that sending it to the left, and the others to the right, has
   at least the one-vs-rest pairwise gain of any split, which may send any share of every class to the left. *)
Theorem py_one_vs_rest_best_split_divides_no_class c :
  exists v, forall al, cube al -> py_one_vs_rest (split c al) <= py_one_vs_rest (split c (undivided v)).
Proof.
have ext al be : al =1 be -> py_one_vs_rest (split c al) = py_one_vs_rest (split c be).
  move=> e; rewrite !one_vs_restE; congr (_ / _); apply: eq_bigr => k _; rewrite !split_crossing e.
  by congr (`|_ * (_ - _)|); apply: eq_bigr => j _; rewrite e.
apply: (@best_vertex R _ (fun al => py_one_vs_rest (split c al))) => [v w e|al cal].
  by apply: ext => k; rewrite /undivided e.
have [] := @vertex_minimum R K (fun al => - py_one_vs_rest (split c al)) _ _ al cal.
- by move=> x y e; rewrite (ext x y).
- move=> a x y /andP[a0 a1] _ _; have b0 : 0 <= 1 - a by rewrite subr_ge0.
  rewrite !mulrN -opprD ler_opp2 !one_vs_restE !mulrA -mulrDl; apply: ler_wpmul2r; first by rewrite invr_ge0 ler0n.
  rewrite !mulr_sumr -big_split; apply: ler_sum => k _ /=.
  have -> : py_crossing (split c (mixed a x y)) k
      = a * py_crossing (split c x) k + (1 - a) * py_crossing (split c y) k.
    rewrite !split_crossing /mixed.
    have -> : \sum_j (a * x j + (1 - a) * y j) * c j = a * (\sum_j x j * c j) + (1 - a) * (\sum_j y j * c j).
      by rewrite !mulr_sumr -big_split; apply: eq_bigr => j _ /=; ring.
    by move: (\sum_j x j * c j) (\sum_j y j * c j) (defs.size c) => u z n; ring.
  by apply: le_trans (ler_norm_add _ _) _; rewrite !normrM (ger0_norm a0) (ger0_norm b0).
by move=> v; rewrite ler_opp2 => le; exists v.
Qed.

(* At a split that divides no class, one-vs-rest pairwise gain is half the product of the sizes of the two sides. *)
Theorem py_one_vs_rest_of_undivided_classes c v : nonneg c ->
  py_one_vs_rest (split c (undivided v)) = group_size c v * group_size c (fun k => ~~ v k) / 2%:R.
Proof.
move=> c0; rewrite one_vs_restE; set s := group_size c v; set s' := group_size c _.
have s0 : 0 <= s by exact: group_size_ge0.
have s0' : 0 <= s' by exact: group_size_ge0.
have sE : \sum_j undivided v j * c j = s by rewrite /s -split_size.
have nE : defs.size c = s + s' by rewrite (group_split c v).
have -> : \sum_k `|py_crossing (split c (undivided v)) k| = 2%:R * (s * s').
  rewrite (bigID v) /= (eq_bigr (fun k => c k * s')) => [|k vk]; last first.
    rewrite split_crossing sE nE /undivided vk /= mul1r [s + s']addrC addrK ger0_norm // mulr_ge0 //; exact: c0.
  rewrite -mulr_suml [X in _ + X](eq_bigr (fun k => c k * s)) => [|k vk]; last first.
    by rewrite split_crossing sE /undivided (negPf vk) mul0r sub0r mulrN normrN ger0_norm // mulr_ge0.
  by rewrite -mulr_suml -/(group_size c v) -/(group_size c _) -/s -/s'; ring.
by field.
Qed.

(* an instance: three classes of one sample each *)
Example counts_instance : nonneg (fun _ : 'I_3 => 1 : R).
Proof. by move=> k; exact: ler01. Qed.
End Pairs.

Section Unseen.
Variable R : realFieldType.

Lemma twoing_by_crossings J (u : 'I_2 -> 'I_J -> R) : py_twoing u =
  let l := \sum_j u 0 j in let r := \sum_j u 1 j in
  (\sum_j `|py_crossing u j|) * (\sum_j `|py_crossing u j|)
  / (if 4%:R * (l + r) * (l + r) * l * r == 0 then 1 else 4%:R * (l + r) * (l + r) * l * r).
Proof. by []. Qed.

(* Twoing and one-vs-rest pairwise gain are the same without a class of which there are no examples. *)
Theorem py_twoing_and_one_vs_rest_see_no_empty_class K k (t : 'I_2 -> 'I_K.+1 -> R) : (forall i, t i k = 0) ->
  py_twoing t = py_twoing (without_class k t) /\ py_one_vs_rest t = py_one_vs_rest (without_class k t).
Proof.
move=> z; have sz i : \sum_j t i j = \sum_j without_class k t i j by rewrite (drop_sum (z i)).
have crossE j : py_crossing t (lift k j) = py_crossing (without_class k t) j by rewrite /py_crossing !sz.
have sumE : \sum_j `|py_crossing t j| = \sum_j `|py_crossing (without_class k t) j|.
  rewrite (@drop_sum _ _ k (fun j => `|py_crossing t j|)); first by apply: eq_bigr => j _; rewrite crossE.
  by rewrite /py_crossing !z !mul0r subrr normr0.
by rewrite !twoing_by_crossings !one_vs_restE sumE !sz.
Qed.

(* Twoing and one-vs-rest pairwise gain do not depend on which row is the left one, nor on the order of the classes. *)
Theorem py_twoing_and_one_vs_rest_depend_on_no_order K (s : {perm 'I_K}) (t : 'I_2 -> 'I_K -> R) :
  let t' := fun i k => t (if i == 0 then 1 else 0) (s k) in
  py_twoing t' = py_twoing t /\ py_one_vs_rest t' = py_one_vs_rest t.
Proof.
move=> t'; have s0 : \sum_k t' 0 k = \sum_k t 1 k by exact: (sum_over_permutation s (t 1)).
have s1 : \sum_k t' 1 k = \sum_k t 0 k by exact: (sum_over_permutation s (t 0)).
have crossE k : `|py_crossing t' k| = `|py_crossing t (s k)|.
  by rewrite -normrN /py_crossing s0 s1 /t' /= opprB.
have sumE : \sum_k `|py_crossing t' k| = \sum_k `|py_crossing t k|.
  by rewrite (eq_bigr _ (fun k _ => crossE k)); exact: (sum_over_permutation s (fun k => `|py_crossing t k|)).
split; last by rewrite !one_vs_restE sumE.
rewrite !twoing_by_crossings /= sumE s0 s1; move: (\sum_k `|_|) => x; move: (\sum_k t 0 k) (\sum_k t 1 k) => a b.
by have -> : 4%:R * (b + a) * (b + a) * b * a = 4%:R * (a + b) * (a + b) * a * b by ring.
Qed.

(* an instance: no examples of the first of three classes *)
Example unseen_instance : forall i : 'I_2, (fun (_ : 'I_2) (k : 'I_3) => (k != ord0)%:R : R) i ord0 = 0.
Proof. by []. Qed.
End Unseen.

(* For two classes the sum of min(p, 1 - p) is twice misclassification. *)
Theorem py_bayes_sum_is_twice_misclassification_of_two_classes (R : realFieldType) (p : 'I_2 -> R) :
  \sum_k p k = 1 -> py_bayes_sum p = 2%:R * py_misclassification p.
Proof.
rewrite sum2 => p1; rewrite /py_bayes_sum sum2 /py_misclassification -/(largest p).
have e0 : 1 - p 0 = p 1 by rewrite -p1 addrC addKr.
have e1 : 1 - p 1 = p 0 by rewrite -p1 addrK.
rewrite e0 e1; have [le|/ltW le] := leP (p 0) (p 1).
  by rewrite (@largest_eq _ _ p 1) ?e1 ?min_l ?min_r // ?mulr_natl ?mulr2n // => j; case: (ord2 j) => ->.
by rewrite (@largest_eq _ _ p 0) ?e0 ?min_l ?min_r // ?mulr_natl ?mulr2n // => j; case: (ord2 j) => ->.
Qed.

(* an instance: shares 1/2 *)
Example half_instance (R : realFieldType) : \sum_(k < 2) 2%:R^-1 = 1 :> R.
Proof. by rewrite sum2; have := splitr (1 : R); rewrite !div1r => <-. Qed.
