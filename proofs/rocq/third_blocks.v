(* The sums of the shapes over points in blocks: every connected shape is a falling factorial per block. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra all_solvable.
From mathcomp Require Import ring.
From splitcrit Require Import defs distinct null gini_null factorial distinct6 third_shapes third_mean.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma ffact_next (R : realFieldType) n m : (n ^_ m.+1)%:R = (n ^_ m)%:R * (n%:R - m%:R) :> R.
Proof.
case: (leqP m n) => h; first by rewrite ffactnSr natrM natrB.
by rewrite !ffact_small ?mul0r // ltnW.
Qed.
Lemma ffact_first (R : realFieldType) n : (n ^_ 1)%:R = n%:R :> R.
Proof. by rewrite ffactn1. Qed.

Section Blocks.
Variables (R : realFieldType) (T : finType) (r : nat) (f : T -> 'I_r) (c : 'I_r -> R).
Local Notation size_of i := #|[pred u | f u == i]|.
Local Notation M := (same f c).

(* sum over the blocks of (a)_m times c^e *)
Definition block_sum m e : R := \sum_i (size_of i ^_ m)%:R * c i ^+ e.

Definition together (h : 'I_r -> R) (t : seq T) : R :=
  if t is u :: l then (all (fun v => f u == f v) l)%:R * h (f u) else 0.

Lemma sum_together m (h : 'I_r -> R) :
  \sum_(t : m.+1.-tuple T | uniq t) together h t = \sum_i (size_of i ^_ m.+1)%:R * h i.
Proof.
have count i : (size_of i ^_ m.+1)%:R = \sum_(t : m.+1.-tuple T | uniq t) (all (fun u => f u == i) t)%:R :> R.
  rewrite -card_uniq_tuples -sum1_card natr_sum big_mkcond [RHS]big_mkcond /=.
  by apply: eq_bigr => t _; rewrite inE andbC; case: uniq => //=; case: all.
rewrite (eq_bigr (fun i => \sum_(t : m.+1.-tuple T | uniq t) (all (fun u => f u == i) t)%:R * h i)); last first.
  by move=> i _; rewrite count mulr_suml.
rewrite exchange_big /=; apply: eq_bigr => [[[|u l] // sz]] _ /=.
rewrite [RHS](bigD1 (f u)) //= eqxx /= [X in _ = _ + X]big1 ?addr0; last first.
  by move=> i /negPf iu; rewrite eq_sym iu mul0r.
by congr (_%:R * _); congr nat_of_bool; apply: eq_all => v; rewrite eq_sym.
Qed.

Ltac same_cases :=
  rewrite /= /same; repeat (let e := fresh in case: eqP => [e|_]; rewrite -?e);
  rewrite /= ?eqxx /= ?expr0n /=; try ring.

Lemma edge_block : edge_sum M = block_sum 2 1.
Proof.
rewrite /block_sum -(sum_together 1 (fun i => c i ^+ 1)); apply: eq_bigr => [[[|u [|v []]] // sz]] _.
by same_cases.
Qed.
Lemma double_block : double_sum M = block_sum 2 2.
Proof.
rewrite /block_sum -(sum_together 1 (fun i => c i ^+ 2)); apply: eq_bigr => [[[|u [|v []]] // sz]] _.
by same_cases.
Qed.
Lemma triple_block : triple_sum M = block_sum 2 3.
Proof.
rewrite /block_sum -(sum_together 1 (fun i => c i ^+ 3)); apply: eq_bigr => [[[|u [|v []]] // sz]] _.
by same_cases.
Qed.
Lemma cherry_block : cherry_sum M = block_sum 3 2.
Proof.
rewrite /block_sum -(sum_together 2 (fun i => c i ^+ 2)); apply: eq_bigr => [[[|u [|v [|w []]]] // sz]] _.
by same_cases.
Qed.
Lemma double_adjacent_block : double_adjacent_sum M = block_sum 3 3.
Proof.
rewrite /block_sum -(sum_together 2 (fun i => c i ^+ 3)); apply: eq_bigr => [[[|u [|v [|w []]]] // sz]] _.
by same_cases.
Qed.
Lemma triangle_block : triangle_sum M = block_sum 3 3.
Proof.
rewrite /block_sum -(sum_together 2 (fun i => c i ^+ 3)); apply: eq_bigr => [[[|u [|v [|w []]]] // sz]] _.
by same_cases.
Qed.
Lemma path_block : path_sum M = block_sum 4 3.
Proof.
rewrite /block_sum -(sum_together 3 (fun i => c i ^+ 3)); apply: eq_bigr => [[[|u [|v [|w [|x []]]]] // sz]] _.
by same_cases.
Qed.
Lemma star_block : star_sum M = block_sum 4 3.
Proof.
rewrite /block_sum -(sum_together 3 (fun i => c i ^+ 3)); apply: eq_bigr => [[[|u [|v [|w [|x []]]]] // sz]] _.
by same_cases.
Qed.
End Blocks.
