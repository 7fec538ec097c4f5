(* Signs and zeros of the four factors of the null variance, for row totals and class totals that are whole numbers. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs distinct null gini_null generated tie moments.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* a margin: the totals of rows, or those of classes, all positive *)
Definition margin K (a : 'I_K -> nat) : Prop := forall i, (0 < a i)%N.
(* all totals are equal *)
Definition even_totals K (a : 'I_K -> nat) : bool := [forall i, forall j, a i == a j].
(* all totals are 1, or one total leaves at most one observation to all others: {n} and {n - 1, 1} *)
Definition thin_totals K (a : 'I_K -> nat) : bool :=
  [forall i, a i == 1%N] || [exists i, (\sum_l a l <= (a i).+1)%N].

Section Signs.
Variables (R : realFieldType) (K : nat) (a : 'I_K -> nat).
Hypothesis a_pos : margin a.
Let x (i : 'I_K) : R := (a i)%:R.
Local Notation N := (\sum_i a i)%N.
Local Notation n := (\sum_i x i).

Lemma sum_totals : n = N%:R. Proof. by rewrite natr_sum. Qed.
Lemma total_neq0 i : x i != 0. Proof. by rewrite pnatr_eq0 -lt0n. Qed.
Lemma total_gt0 i : 0 < x i. Proof. by rewrite ltr0n. Qed.
Lemma total_le i : (a i <= N)%N. Proof. by rewrite (bigD1 i) //= leq_addr. Qed.
Lemma whole_gt0 : (0 < N)%N -> (0 < K)%N.
Proof. by case: K a => // a'; rewrite big_ord0. Qed.

Lemma falling2_ge0 m : 0 <= m%:R * (m%:R - 1) :> R.
Proof. by case: m => [|m]; rewrite ?mul0r // -{2}(addn1 m) natrD addrK mulr_ge0 ?ler0n. Qed.
Lemma falling2_eq0 m : (m%:R * (m%:R - 1) == 0 :> R) = (m <= 1)%N.
Proof. by rewrite mulf_eq0 subr_eq0 pnatr_eq0 -[1]/(1%:R) eqr_nat; case: m => [|[|m]]. Qed.

Lemma rest i : n - x i = (N - a i)%:R.
Proof. by rewrite sum_totals natrB // total_le. Qed.
Lemma rest_rows i : (n - K%:R) - (x i - 1) = \sum_(l | l != i) (x l - 1).
Proof.
rewrite -[K%:R](_ : \sum_(l < K) 1 = _); last by rewrite sumr_const card_ord.
by rewrite -sumrB (bigD1 i) //= [_ + \sum_(_ | _) _]addrC addrK.
Qed.
Lemma rest_rows_ge0 i : 0 <= \sum_(l | l != i) (x l - 1).
Proof. by apply: sumr_ge0 => l _; rewrite subr_ge0 -[1]/(1%:R) ler_nat; exact: a_pos. Qed.

Lemma thick_rowE i : py_thick_row n K%:R (x i) (x i)^-1
  = (x i - 1) * ((N - a i)%:R * ((N - a i)%:R - 1) / x i + \sum_(l | l != i) (x l - 1)).
Proof. by rewrite /py_thick_row -rest_rows -rest. Qed.

(* What a row of a whole total adds to U in float64, from terms that do not cancel, is never negative. *)
Theorem py_thick_row_ge0 i : 0 <= py_thick_row n K%:R (x i) (x i)^-1.
Proof.
rewrite thick_rowE mulr_ge0 //; first by rewrite subr_ge0 -[1]/(1%:R) ler_nat; exact: a_pos.
by rewrite addr_ge0 ?rest_rows_ge0 // divr_ge0 ?falling2_ge0 // ltW ?total_gt0.
Qed.
Lemma others_ge0 i : 0 <= others x i.
Proof. by apply: sumr_ge0 => l _; exact: falling2_ge0. Qed.

(* What a class of a whole total adds to V in float64, from terms that do not cancel, is never negative. *)
Theorem py_thick_class_ge0 i : 0 <= py_thick_class n (x i) (others x i).
Proof. by rewrite /py_thick_class rest mulr_ge0 ?falling2_ge0 // addr_ge0 ?falling2_ge0 ?others_ge0. Qed.

Lemma sum_eq0 (F : 'I_K -> R) : (forall i, 0 <= F i) -> \sum_i F i = 0 <-> (forall i, F i = 0).
Proof.
move=> F0; split=> [/eqP|e]; last by rewrite big1.
by rewrite psumr_eq0 // => /allP e i; apply/eqP/(e i); rewrite mem_index_enum.
Qed.

Lemma thinP : thin_totals a <-> (forall i, a i = 1%N \/ ((N - a i <= 1)%N /\ forall l, l != i -> a l = 1%N)).
Proof.
have others1 i : (N <= (a i).+1)%N -> forall l, l != i -> a l = 1%N.
  move=> h l li; apply/eqP; rewrite eqn_leq; apply/andP; split; last exact: a_pos.
  move: h; rewrite (bigD1 i) //= (bigD1 l) //= -addn1 leq_add2l => h.
  by apply: leq_trans h; exact: leq_addr.
split=> [/orP[/forallP e i|/existsP[i h] j]|e].
- by left; exact/eqP.
- have [->|ji] := eqVneq j i; first by right; split; [rewrite leq_subLR addn1|exact: others1 h].
  by left; exact: others1 h _ ji.
rewrite /thin_totals; case: forallP => //= ne; apply/existsP.
have /existsP[i ai] : [exists i, a i != 1%N].
  by apply: contraT => /existsPn no; case: ne => i; apply/negPn/(no i).
case: (e i) => [/eqP|[h _]]; first by rewrite (negPf ai).
by exists i; rewrite -addn1 -leq_subLR.
Qed.

Lemma evenP : even_totals a <-> (forall i j, a i = a j).
Proof.
split=> [/forallP e i j|e]; first by have /forallP/(_ j)/eqP := e i.
by apply/forallP => i; apply/forallP => j; apply/eqP.
Qed.

(* For positive whole row totals, A (the unevenness of the rows, in power sums) is never negative. *)
Theorem py_uneven_rows_ge0 : 0 <= py_uneven_rows n K%:R (\sum_i (x i)^-1).
Proof.
rewrite -sum_of_py_uneven_row; last exact: total_neq0.
by apply: sumr_ge0 => i _; rewrite mulr_ge0 ?sqr_ge0 // invr_ge0 ltW ?total_gt0.
Qed.

(* For positive whole row totals, U (how far the rows are from thin) is never negative. *)
Theorem py_thick_rows_ge0 : (0 < N)%N -> 0 <= py_thick_rows n K%:R (py_uneven_rows n K%:R (\sum_i (x i)^-1)).
Proof.
move=> N0; rewrite -sum_of_py_thick_row; [|exact: total_neq0|by rewrite sum_totals pnatr_eq0 -lt0n].
by apply: sumr_ge0 => i _; exact: py_thick_row_ge0.
Qed.

(* For whole class totals, B (the unevenness of the classes) is never negative. *)
Theorem py_uneven_classes_ge0 : (0 < N)%N ->
  0 <= py_uneven_classes n (\sum_i x i ^+ 2) (\sum_i x i ^+ 3).
Proof.
move=> N0; rewrite -sum_of_py_uneven_class; last by rewrite sum_totals pnatr_eq0 -lt0n.
by apply: sumr_ge0 => i _; rewrite mulr_ge0 ?sqr_ge0 // ltW ?total_gt0.
Qed.

(* For whole class totals, V (how far the classes are from thin) is never negative. *)
Theorem py_thick_classes_ge0 : (0 < N)%N ->
  0 <= py_thick_classes n (\sum_i x i ^+ 2) (py_uneven_classes n (\sum_i x i ^+ 2) (\sum_i x i ^+ 3)).
Proof.
move=> N0; rewrite -sum_of_py_thick_class; last by rewrite sum_totals pnatr_eq0 -lt0n.
by apply: sumr_ge0 => i _; exact: py_thick_class_ge0.
Qed.

(* For positive whole row totals, A is 0 exactly if all rows are equally large. *)
Theorem py_uneven_rows_eq0 : (0 < N)%N ->
  py_uneven_rows n K%:R (\sum_i (x i)^-1) = 0 <-> even_totals a.
Proof.
move=> N0; have K0 : K%:R != 0 :> R by rewrite pnatr_eq0 -lt0n whole_gt0.
rewrite -sum_of_py_uneven_row; last exact: total_neq0.
rewrite sum_eq0; last by move=> i; rewrite mulr_ge0 ?sqr_ge0 // invr_ge0 ltW ?total_gt0.
rewrite evenP; split=> [e i j|e i].
  have eq l : K%:R * x l = n.
    have /eqP := e l; rewrite /py_uneven_row mulf_eq0 invr_eq0 (negPf (total_neq0 l)) orbF expf_eq0 /= subr_eq0.
    by move/eqP.
  by apply/eqP; rewrite -(eqr_nat R) -/(x i) -/(x j); apply/eqP/(mulfI K0); rewrite !eq.
rewrite /py_uneven_row (eq_bigr (fun=> x i)); last by move=> j _; rewrite /x (e j i).
by rewrite sumr_const card_ord -[x i *+ K]mulr_natl subrr expr0n /= mul0r.
Qed.

(* For positive whole class totals, B is 0 exactly if all classes are equally large. *)
Theorem py_uneven_classes_eq0 : (0 < N)%N ->
  py_uneven_classes n (\sum_i x i ^+ 2) (\sum_i x i ^+ 3) = 0 <-> even_totals a.
Proof.
move=> N0; have n0 : n != 0 by rewrite sum_totals pnatr_eq0 -lt0n.
rewrite -sum_of_py_uneven_class // sum_eq0; last by move=> i; rewrite mulr_ge0 ?sqr_ge0 // ltW ?total_gt0.
rewrite evenP; split=> [e i j|e i].
  have eq l : x l = (\sum_i x i ^+ 2) / n.
    have /eqP := e l; rewrite /py_uneven_class mulf_eq0 (negPf (total_neq0 l)) /= expf_eq0 /= subr_eq0.
    by move/eqP.
  by apply/eqP; rewrite -(eqr_nat R) -/(x i) -/(x j) !eq.
have -> : \sum_i x i ^+ 2 = n * x i.
  by rewrite mulr_suml; apply: eq_bigr => j _; rewrite /x (e j i) expr2.
by rewrite [n * _]mulrC mulfK // /py_uneven_class subrr expr0n /= mulr0.
Qed.

(* For positive whole row totals, U is 0 exactly if the rows are thin. *)
Theorem py_thick_rows_eq0 : (0 < N)%N ->
  py_thick_rows n K%:R (py_uneven_rows n K%:R (\sum_i (x i)^-1)) = 0 <-> thin_totals a.
Proof.
move=> N0; have n0 : n != 0 by rewrite sum_totals pnatr_eq0 -lt0n.
rewrite -sum_of_py_thick_row //; last exact: total_neq0.
rewrite sum_eq0; last exact: py_thick_row_ge0.
rewrite thinP; split=> e i.
  have /eqP := e i; rewrite thick_rowE mulf_eq0 subr_eq0 -[1]/(1%:R) eqr_nat => /orP[/eqP ->|]; first by left.
  rewrite paddr_eq0 ?rest_rows_ge0 //; last by rewrite divr_ge0 ?falling2_ge0 // ltW ?total_gt0.
  rewrite mulf_eq0 invr_eq0 (negPf (total_neq0 i)) orbF falling2_eq0 => /andP[h]; right; split=> // l li.
  have : \sum_(l | l != i) (x l - 1) == 0 by [].
  rewrite psumr_eq0; last by move=> l' _; rewrite subr_ge0 -[1]/(1%:R) ler_nat; exact: a_pos.
  move=> /allP/(_ l); rewrite mem_index_enum li => /(_ isT) /=.
  by rewrite subr_eq0 -[1]/(1%:R) eqr_nat => /eqP.
rewrite thick_rowE; case: (e i) => [ai|[h o]]; first by rewrite /x ai subrr mul0r.
have /eqP -> : (N - a i)%:R * ((N - a i)%:R - 1) == 0 :> R by rewrite falling2_eq0.
by rewrite mul0r add0r big1 ?mulr0 // => l li; rewrite /x (o l li) subrr.
Qed.

(* For positive whole class totals, V is 0 exactly if the classes are thin. *)
Theorem py_thick_classes_eq0 : (0 < N)%N ->
  py_thick_classes n (\sum_i x i ^+ 2) (py_uneven_classes n (\sum_i x i ^+ 2) (\sum_i x i ^+ 3)) = 0
  <-> thin_totals a.
Proof.
move=> N0; have n0 : n != 0 by rewrite sum_totals pnatr_eq0 -lt0n.
rewrite -sum_of_py_thick_class // sum_eq0; last exact: py_thick_class_ge0.
rewrite thinP; split=> e i.
  have /eqP := e i; rewrite /py_thick_class rest mulf_eq0 falling2_eq0 => /orP[ai|].
    by left; apply/eqP; rewrite eqn_leq ai; exact: a_pos.
  rewrite paddr_eq0 ?falling2_ge0 ?others_ge0 // falling2_eq0 => /andP[h]; right; split=> // l li.
  have : others x i == 0 by [].
  rewrite /others psumr_eq0; last by move=> l' _; exact: falling2_ge0.
  move=> /allP/(_ l); rewrite mem_index_enum li => /(_ isT) /=.
  by rewrite falling2_eq0 => al; apply/eqP; rewrite eqn_leq al; exact: a_pos.
rewrite /py_thick_class rest; case: (e i) => [ai|[h o]]; first by rewrite /x ai subrr mulr0 mul0r.
have /eqP -> : (N - a i)%:R * ((N - a i)%:R - 1) == 0 :> R by rewrite falling2_eq0.
by rewrite add0r /others big1 ?mulr0 // => l li; rewrite /x (o l li) subrr mulr0.
Qed.
End Signs.

(* Rows (5, 1) are thin and not even, classes (3, 3) even and not thin. *)
Example margins_5_1_and_3_3 :
  [/\ margin (two 5 1)%N, margin (two 3 3)%N, (\sum_i two 5 1 i = \sum_i two 3 3 i)%N
    & [/\ thin_totals (two 5 1)%N, ~~ even_totals (two 5 1)%N, even_totals (two 3 3)%N & ~~ thin_totals (two 3 3)%N]].
Proof.
split; try by move=> i; rewrite /two; case: eqP.
  by rewrite !big_ord_recl !big_ord0.
split.
- by apply/orP; right; apply/existsP; exists 0; rewrite !big_ord_recl big_ord0.
- by apply/forallPn; exists 0; apply/forallPn; exists 1.
- by apply/forallP => i; apply/forallP => j; rewrite /two; case: (i == 0); case: (j == 0).
rewrite negb_or; apply/andP; split; first by apply/forallPn; exists 0.
by apply/existsPn => i; rewrite !big_ord_recl big_ord0 /two; case: (i == 0).
Qed.
