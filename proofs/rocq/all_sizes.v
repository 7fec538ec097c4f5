(* The exact mean and variance of the Gini gain at every size: the four factors of the variance, their signs, when it is
   0, and small numbers of observations. *)
From mathcomp Require Import all_ssreflect fingroup perm ssralg ssrnum ssrint zmodp.
From mathcomp Require Import ring.
From splitcrit Require Import defs null generated tie.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* The four factors of the null variance of the Gini gain: printed sums, signs, and when the variance is 0. *)
(* a margin of two totals, for examples *)
Definition two (X : Type) (p q : X) : 'I_2 -> X := fun i => if i == 0 then p else q.

Section Identities.
Variables (R : realFieldType) (r K : nat) (a : 'I_r -> R) (b : 'I_K -> R).
Local Notation n := (\sum_i a i).
Local Notation N := (\sum_j b j).
Local Notation s2 := (\sum_j b j ^+ 2).
Local Notation s3 := (\sum_j b j ^+ 3).
Local Notation h := (\sum_i (a i)^-1).
(* sum of b (b - 1) over the classes other than j *)
Definition others (j : 'I_K) : R := \sum_(l | l != j) b l * (b l - 1).

(* For non-zero row totals, the terms of the rows that float64 adds up are A, the unevenness of the rows. *)
Theorem sum_of_py_uneven_row : (forall i, a i != 0) ->
  \sum_i py_uneven_row n r%:R (a i) (a i)^-1 = py_uneven_rows n r%:R h.
Proof.
move=> a0; rewrite /py_uneven_row /py_uneven_rows.
have [m mE] : exists m, m = n by exists n.
rewrite -mE (eq_bigr (fun i => m ^+ 2 * (a i)^-1 + (r%:R ^+ 2 * a i + (- (2%:R * m * r%:R)) * 1))); last first.
  by move=> i _; move: (a0 i) (r%:R : R) => ai rr; field.
rewrite !big_split /= -!mulr_sumr sumr_const card_ord -mE; move: h (r%:R : R) => x rr; ring.
Qed.

(* For non-zero row totals with a non-zero sum, the terms of U, how far rows are from thin, sum to its closed form. *)
Theorem sum_of_py_thick_row : (forall i, a i != 0) -> n != 0 ->
  \sum_i py_thick_row n r%:R (a i) (a i)^-1 = py_thick_rows n r%:R (py_uneven_rows n r%:R h).
Proof.
move=> a0; rewrite /py_thick_row /py_thick_rows /py_uneven_rows; have [m mE] : exists m, m = n by exists n.
rewrite -mE => m0.
rewrite (eq_bigr (fun i => (m ^+ 2 + r%:R - 2%:R) * 1 + (- (m * (m - 1)) * (a i)^-1 - (m + r%:R - 2%:R) * a i)));
  last by move=> i _; move: (a0 i) (r%:R : R) => ai rr; field.
rewrite big_split sumrB /= -!mulr_sumr sumr_const card_ord -mE; move: h (r%:R : R) => x rr; by field.
Qed.

(* For class totals with a non-zero sum, the terms of B, the unevenness of the classes, add up to its closed form. *)
Theorem sum_of_py_uneven_class : N != 0 ->
  \sum_j py_uneven_class (b j) (b j - s2 / N) = py_uneven_classes N s2 s3.
Proof.
rewrite /py_uneven_class /py_uneven_classes; have [m mE] : exists m, m = N by exists N.
rewrite -mE => m0; have [q qE] : exists q, q = s2 by exists s2.
rewrite -qE (eq_bigr (fun j => b j ^+ 3 + (- (2%:R * q / m) * b j ^+ 2 + (q / m) ^+ 2 * b j))); last first.
  by move=> j _; ring.
rewrite !big_split /= -!mulr_sumr -mE -qE; move: s3 => x; by field.
Qed.

(* For class totals with a non-zero sum, the terms of V, how far classes are from thin, add up to its closed form. *)
Theorem sum_of_py_thick_class : N != 0 ->
  \sum_j py_thick_class N (b j) (others j) = py_thick_classes N s2 (py_uneven_classes N s2 s3).
Proof.
move=> m0.
have oE j : others j = s2 - N - b j * (b j - 1).
  rewrite /others -sumrB; have -> : \sum_l (b l ^+ 2 - b l) = \sum_l b l * (b l - 1).
    by apply: eq_bigr => l _; ring.
  by rewrite [in RHS](bigD1 j) //= [_ + \sum_(_ | _) _]addrC addrK.
rewrite (eq_bigr _ (fun j _ => congr1 (py_thick_class N (b j)) (oE j))).
move: m0; rewrite /py_thick_class /py_thick_classes /py_uneven_classes; have [m mE] : exists m, m = N by exists N.
rewrite -mE => m0; have [q qE] : exists q, q = s2 by exists s2.
rewrite -qE (eq_bigr (fun j => (- (2%:R * (m - 1))) * b j ^+ 3 + ((m ^+ 2 - 2%:R * m + q + 2%:R * (m - 1)) * b j ^+ 2
   + (- (m ^+ 2 - 2%:R * m + q)) * b j))); last by move=> j _; ring.
rewrite !big_split /= -!mulr_sumr -mE -qE; move: s3 => x; by field.
Qed.
End Identities.

Section Instance.
Variable R : realFieldType.
Let a : 'I_2 -> R := two 3%:R 7%:R.
Let b : 'I_2 -> R := two 4%:R 6%:R.
Let ten : 3%:R + 7%:R = 10%:R :> R. Proof. by rewrite -natrD. Qed.
Let ten' : 4%:R + 6%:R = 10%:R :> R. Proof. by rewrite -natrD. Qed.

(* Rows (3, 7) and classes (4, 6): A = 160/21, U = 400/7, B = 48/5 and V = 1440. *)
Example factors_of_3_7_and_4_6 :
  [/\ forall i, a i != 0, \sum_i a i != 0, \sum_j b j != 0
    & [/\ \sum_i py_uneven_row (\sum_i a i) 2%:R (a i) (a i)^-1 = 160%:R / 21%:R,
          \sum_i py_thick_row (\sum_i a i) 2%:R (a i) (a i)^-1 = 400%:R / 7%:R,
          \sum_j py_uneven_class (b j) (b j - (\sum_j b j ^+ 2) / \sum_j b j) = 48%:R / 5%:R
        & \sum_j py_thick_class (\sum_j b j) (b j) (others b j) = 1440%:R]].
Proof.
have a_neq0 i : a i != 0 by rewrite /a /two; case: (i == 0); rewrite pnatr_eq0.
have n0 : \sum_i a i != 0 by rewrite sum2 /= ten pnatr_eq0.
have m0 : \sum_i b i != 0 by rewrite sum2 /= ten' pnatr_eq0.
split=> //; split.
- by rewrite (@sum_of_py_uneven_row R 2 a a_neq0) /py_uneven_rows !sum2 /a /b /two /=; field.
- by rewrite (@sum_of_py_thick_row R 2 a a_neq0 n0) /py_thick_rows /py_uneven_rows !sum2 /a /b /two /=; field.
- by rewrite (sum_of_py_uneven_class m0) /py_uneven_classes !sum2 /a /b /two /=; field.
- by rewrite (sum_of_py_thick_class m0) /py_thick_classes /py_uneven_classes !sum2 /a /b /two /=; field.
Qed.
End Instance.

(* Signs and zeros of the four factors of the null variance, for row totals and class totals that are whole numbers. *)
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

(* The null variance that the library returns: never negative, and 0 exactly for even and thin margins. *)
Section ZeroVariance.
Variables (R : realFieldType) (r K : nat) (a : 'I_r -> nat) (b : 'I_K -> nat).
Hypotheses (a_pos : margin a) (b_pos : margin b) (same_n : (\sum_i a i = \sum_j b j)%N).
Variable d : R.
Hypothesis d0 : d != 0.
Let x (i : 'I_r) : R := (a i)%:R.
Let y (j : 'I_K) : R := (b j)%:R.
Local Notation N := (\sum_i a i)%N.
Local Notation n := (N%:R : R).
Let A := py_uneven_rows (\sum_i x i) r%:R (\sum_i (x i)^-1).
Let U := py_thick_rows (\sum_i x i) r%:R A.
Let B := py_uneven_classes (\sum_j y j) (\sum_j y j ^+ 2) (\sum_j y j ^+ 3).
Let V := py_thick_classes (\sum_j y j) (\sum_j y j ^+ 2) B.

Lemma nB_gt0 k : (k < N)%N -> 0 < n - k%:R.
Proof. by move=> h; rewrite subr_gt0 ltr_nat. Qed.

Lemma nB1_gt0 : (1 < N)%N -> 0 < n - 1.
Proof. exact: (@nB_gt0 1). Qed.

Lemma exact_varianceE : py_exact_variance x y d
  = if (N < 3)%N then 0
    else 4%:R * B * A / ((n - 1) * (n - 2%:R) ^+ 2 * n ^+ 4)
         + (if (3 < N)%N then 2%:R * V * U / (n * (n - 1) * (n - 2%:R) * (n - 3%:R) * (n - 1) * (n - 2%:R) * n ^+ 2)
            else 0).
Proof.
rewrite /py_exact_variance.
have -> : (\sum_i d / x i) / d = \sum_i (x i)^-1 by rewrite -mulr_sumr mulrAC mulfV // mul1r.
have -> : \sum_k y k * y k = \sum_k y k ^+ 2 by apply: eq_bigr => k _; rewrite expr2.
rewrite -/B -/V -/A -/U.
rewrite !sum_totals -same_n !ltr_nat !ler_nat; case: ltnP => // N3.
have n0 : n != 0 by rewrite gt_eqF // ltr0n; exact: leq_trans N3.
have n1 : n - 1 != 0 by rewrite gt_eqF // nB1_gt0 //; exact: leq_trans N3.
have n2 : n - 2%:R != 0 by rewrite gt_eqF // nB_gt0.
rewrite /py_variance /py_uneven_weight /py_thick_weight.
case: ltnP => N4; last by rewrite mul0r; move: A B n n0 n1 n2 => a' b' m m0 m1 m2; field; rewrite m0 m1 m2.
have n3 : n - 3%:R != 0 by rewrite gt_eqF // nB_gt0.
by move: A B U V n n0 n1 n2 n3 => a' b' u v m m0 m1 m2 m3; field; rewrite m0 m1 m2 m3.
Qed.

Let N0b : (0 < N)%N -> (0 < \sum_j b j)%N. Proof. by rewrite same_n. Qed.
Let A0 : 0 <= A. Proof. exact: py_uneven_rows_ge0. Qed.
Let U0 : (0 < N)%N -> 0 <= U. Proof. exact: py_thick_rows_ge0. Qed.
Let B0 : (0 < N)%N -> 0 <= B. Proof. by move/N0b; exact: py_uneven_classes_ge0. Qed.
Let V0 : (0 < N)%N -> 0 <= V. Proof. by move/N0b; exact: py_thick_classes_ge0. Qed.

Let first_ge0 : (2 < N)%N -> 0 < (n - 1) * (n - 2%:R) ^+ 2 * n ^+ 4.
Proof.
move=> N3; have N0 : (0 < N)%N by apply: ltn_trans N3.
by rewrite !mulr_gt0 ?exprn_gt0 ?nB1_gt0 ?nB_gt0 ?ltr0n //; exact: ltnW.
Qed.
Let second_ge0 : (3 < N)%N -> 0 < n * (n - 1) * (n - 2%:R) * (n - 3%:R) * (n - 1) * (n - 2%:R) * n ^+ 2.
Proof.
move=> N4; have N0 : (0 < N)%N by apply: ltn_trans N4.
have N3 : (2 < N)%N by exact: ltnW. have N2 : (1 < N)%N by exact: ltnW.
by rewrite !mulr_gt0 ?exprn_gt0 ?nB1_gt0 ?nB_gt0 ?ltr0n.
Qed.

(* For any positive whole totals of rows and classes with one sum, the variance that the library returns is >= 0. *)
Theorem py_exact_variance_ge0 : 0 <= py_exact_variance x y d.
Proof.
rewrite exact_varianceE; case: ltnP => // N3; have N0 : (0 < N)%N by apply: leq_trans N3.
have t1 : 0 <= 4%:R * B * A by rewrite !mulr_ge0 ?ler0n ?B0.
rewrite addr_ge0 ?(divr_ge0 t1) ?(ltW (first_ge0 _)) //; case: ltnP => // N4.
by rewrite divr_ge0 ?(ltW (second_ge0 _)) // !mulr_ge0 ?ler0n ?V0 ?U0.
Qed.

(* The variance that the library returns is 0 exactly if there are at most two observations, or one margin is even and
   one margin (the same or the other) is thin: the rule that the library decides in integers. *)
Theorem py_exact_variance_eq0 : py_exact_variance x y d = 0 <->
  (N <= 2)%N \/ ((even_totals a \/ even_totals b) /\ (thin_totals a \/ thin_totals b)).
Proof.
rewrite exact_varianceE; case: ltnP => N3; first by split=> // _; left.
have N0 : (0 < N)%N by apply: leq_trans N3.
have eA : A = 0 <-> even_totals a by exact: py_uneven_rows_eq0.
have eB : B = 0 <-> even_totals b by apply: py_uneven_classes_eq0 => //; exact: N0b.
have eU : U = 0 <-> thin_totals a by exact: py_thick_rows_eq0.
have eV : V = 0 <-> thin_totals b by apply: py_thick_classes_eq0 => //; exact: N0b.
have t1 : 0 <= 4%:R * B * A by rewrite !mulr_ge0 ?ler0n ?B0.
have f1 := first_ge0 N3.
have zero p q c e : 0 < e -> c != 0 -> (c * p * q / e == 0 :> R) = (p == 0) || (q == 0).
  by move=> e0 c0; rewrite !mulf_eq0 invr_eq0 (gt_eqF e0) orbF (negPf c0).
have c4 : 4%:R != 0 :> R by rewrite pnatr_eq0.
have c2 : 2%:R != 0 :> R by rewrite pnatr_eq0.
have orbP (p q : bool) (P Q : Prop) : (p <-> P) -> (q <-> Q) -> (p || q) <-> (P \/ Q).
  by move=> [p1 p2] [q1 q2]; split=> [/orP[/p1|/q1]|[/p2|/q2] ->]; rewrite ?orbT //; [left|right].
have AB : (B == 0) || (A == 0) <-> even_totals a \/ even_totals b.
  by rewrite orbC; apply: orbP; [rewrite -eA|rewrite -eB]; split=> /eqP.
have UV : (V == 0) || (U == 0) <-> thin_totals a \/ thin_totals b.
  by rewrite orbC; apply: orbP; [rewrite -eU|rewrite -eV]; split=> /eqP.
case: (ltnP 3) => N4.
  have f2 := second_ge0 N4; have t2 : 0 <= 2%:R * V * U by rewrite !mulr_ge0 ?ler0n ?V0 ?U0.
  split=> [/eqP|[|[e1 e2]]]; last 2 first.
  - by rewrite leqNgt N3.
  - by apply/eqP; rewrite paddr_eq0 ?divr_ge0 ?(ltW f1) ?(ltW f2) // !zero //; apply/andP; split; [apply/AB|apply/UV].
  rewrite paddr_eq0 ?divr_ge0 ?(ltW f1) ?(ltW f2) // !zero // => /andP[/AB e1 /UV e2].
  by right.
have N3' : N = 3%N by apply/eqP; rewrite eqn_leq N4 N3.
have thin3 : thin_totals a.
  apply/(thinP a_pos) => i; have := total_le a i; rewrite N3'.
  case ai : (a i) => [|[|m]] h; [by have := a_pos i; rewrite ai|by left|right].
  split; first by rewrite leq_subLR; case: m {h ai}.
  move=> l li; apply/eqP; rewrite eqn_leq; apply/andP; split; last exact: a_pos.
  have : (N <= (a i).+1)%N by rewrite N3' ai; case: m {h ai}.
  rewrite (bigD1 i) //= (bigD1 l) //= -addn1 leq_add2l => e.
  by apply: leq_trans e; exact: leq_addr.
rewrite addr0; split=> [/eqP|[|[e1 e2]]]; last 2 first.
- by rewrite leqNgt N3.
- by apply/eqP; rewrite zero //; apply/AB.
by rewrite zero // => /AB e1; right; split=> //; left.
Qed.
End ZeroVariance.

Section Instance.
Variable R : realFieldType.
Let x : 'I_2 -> R := fun i => (two 3 7 i)%N%:R.
Let y : 'I_2 -> R := fun j => (two 4 6 j)%N%:R.

(* Rows (3, 7) and classes (4, 6): the variance is 1264/525^2. *)
Example variance_of_3_7_and_4_6 :
  [/\ margin (two 3 7)%N, margin (two 4 6)%N, (\sum_i two 3 7 i = \sum_i two 4 6 i)%N
    & py_exact_variance x y 21%:R = 1264%:R / 525%:R ^+ 2].
Proof.
split; try by move=> i; rewrite /two; case: (i == 0).
  by rewrite !big_ord_recl !big_ord0.
rewrite /py_exact_variance !sum2 /x /y /two /= -!natrD !ltr_nat !ler_nat /=.
rewrite /py_variance /py_uneven_weight /py_thick_weight /py_thick_classes /py_uneven_classes /py_thick_rows.
by rewrite /py_uneven_rows; field.
Qed.

(* Rows (5, 1) and classes (3, 3): the gain is 1/10 for every permutation, its variance 0. *)
Example variance_of_5_1_and_3_3 :
  py_exact_variance (fun i => (two 5 1 i)%N%:R : R) (fun j => (two 3 3 j)%N%:R) 5%:R = 0.
Proof.
have [a_pos b_pos same_n [thin _ even _]] := margins_5_1_and_3_3.
apply/py_exact_variance_eq0 => //; first by rewrite pnatr_eq0.
by right; split; [right|left].
Qed.
End Instance.

(* The exact moments that the library returns are right for every number of observations, 0, 1 and 2 included. *)
Section AllSizes.
Variables (R : realFieldType) (T : finType) (r K : nat) (f : T -> 'I_r) (y : T -> 'I_K).
Hypothesis rows_occur : forall i, (0 < #|[pred u | f u == i]|)%N.
Local Notation a := (total_of R f).
Local Notation b := (total_of R y).
Local Notation pygain := (fun s => py_decrease_gini (table R f y s)).

Lemma rows_at_most : (r <= #|T|)%N.
Proof.
have e : (\sum_i #|[pred u | f u == i]|)%N = #|T|.
  by apply/eqP; rewrite -(eqr_nat R) natr_sum; apply/eqP; exact: sum_a.
by rewrite -e -[X in (X <= _)%N]card_ord -sum1_card; apply: leq_sum => i _; exact: rows_occur.
Qed.

Lemma gain_of_one_row s : (r <= 1)%N -> py_decrease_gini (table R f y s) = 0.
Proof.
have -> : py_decrease_gini (table R f y s) = gain R f y s by [].
rewrite /gain /decrease; case: r f => [|[|m]] // g _.
  rewrite /whole /node big_ord0 eqxx mul0r big_ord0 subr0; exact: mul0r.
have e1 : whole (table R g y s) = defs.size (table R g y s ord0) by rewrite /whole big_ord_recl big_ord0 addr0.
rewrite big_ord_recl big_ord0 addr0 e1.
rewrite (_ : gini (shares (node _) _) = gini (shares (table R g y s ord0) (defs.size (table R g y s ord0)))).
  by rewrite subrr mul0r.
by congr (_ - _); apply: eq_bigr => k _; rewrite /shares /node big_ord_recl big_ord0 addr0.
Qed.

(* At every size, 0 and 1 included, the mean that the library returns is the mean of its own Gini gain over all
   permutations of the labels. *)
Theorem py_exact_mean_is_mean_at_every_size : mean pygain = py_exact_mean a b.
Proof.
case: (ltnP 1 #|T|) => T1; first exact: py_exact_mean_is_mean.
have r1 := leq_trans rows_at_most T1.
rewrite (mean_ext (G := fun=> 0)) ?mean_const => [|s]; last exact: gain_of_one_row.
by rewrite /py_exact_mean sum_a ltr_nat ltnS T1.
Qed.

Lemma no_three (F : T -> T -> T -> R) : #|T| = 2%N -> D3 F = 0.
Proof.
move=> T3; rewrite (D3_ext (G := fun u v w => 0 * 0)) ?D3_scale ?mul0r // => u v w vu wu wv.
by have := card_ge (uniq3 vu wu wv) erefl; rewrite T3.
Qed.
Lemma no_four' (F : T -> T -> T -> T -> R) : #|T| = 2%N -> D4 F = 0.
Proof.
move=> T3; rewrite (D4_ext (G := fun u v w x => 0 * 0)) ?D4_scale ?mul0r // => u v w x vu wu wv xu xv xw.
by have := card_ge (uniq4 vu wu wv xu xv xw) erefl; rewrite T3.
Qed.

Lemma variance_of_two : #|T| = 2%N -> variance R f y = 0.
Proof.
move=> T2; have T1 : (1 < #|T|)%N by rewrite T2.
have c0 : forall i, total_of R f i != 0 := a0 R rows_occur.
rewrite varianceE // mean_stat mean_stat_square; [|exact: same_sym..].
have eW := square_of_D2 (same_sym f (fun i => (total_of R f i)^-1)).
have eZ := square_of_D2 (same_sym y (fun=> 1 : R)).
move: eW eZ; rewrite !no_three // !no_four' // !mulr0 !addr0.
set W := D2 _; set W' := D2 _; set Z := D2 _; set Z' := D2 _ => eW eZ.
rewrite T2 subrr !mulr0 invr0 !mulr0 !mul0r !addr0.
rewrite expr_div_n exprMn eW eZ; clear eW eZ; move: W' Z' => w z.
by rewrite invr0 mulr0; field.
Qed.

(* At every size, 0, 1 and 2 included, the variance that the library returns is the variance of its own Gini gain over
   all permutations of the labels. *)
Theorem py_exact_variance_is_variance_at_every_size d : d != 0 ->
  mean (fun s => (pygain s - mean pygain) ^+ 2) = py_exact_variance a b d.
Proof.
move=> d0; case: (ltnP 2 #|T|) => T2; first exact: py_exact_variance_is_variance.
rewrite /py_exact_variance sum_a ltr_nat ltnS T2.
case: (ltnP 1 #|T|) => T1.
  by apply: variance_of_two; apply/eqP; rewrite eqn_leq T2 T1.
have r1 := leq_trans rows_at_most T1.
rewrite (mean_ext (G := fun=> 0)) ?mean_const // => s.
rewrite gain_of_one_row // (mean_ext (G := fun=> 0)) ?mean_const ?subrr ?expr0n // => t.
exact: gain_of_one_row.
Qed.

Lemma mean_eq0 (F : {perm T} -> R) : (forall s, 0 <= F s) -> mean F = 0 <-> (forall s, F s = 0).
Proof.
move=> F0; split=> [|e]; last by rewrite (mean_ext e) mean_const.
move/eqP; rewrite /mean mulf_eq0 invr_eq0 (negPf (nfact0 R T)) orbF psumr_eq0 // => /allP e s.
by apply/eqP/(e s); rewrite mem_index_enum.
Qed.

(* The variance that the library returns is 0 exactly if all permutations of the labels have one and the same gain. *)
Theorem py_exact_variance_eq0_iff_gain_is_constant d : d != 0 ->
  py_exact_variance a b d = 0 <-> forall s, pygain s = pygain 1%g.
Proof.
move=> d0; rewrite -py_exact_variance_is_variance_at_every_size // mean_eq0; last by move=> s; exact: sqr_ge0.
split=> [e|e s].
  have em s : pygain s = mean pygain by apply/eqP; rewrite -subr_eq0 -sqrf_eq0; apply/eqP/(e s).
  by move=> s; rewrite !em.
by rewrite (mean_ext e) mean_const e subrr expr0n.
Qed.

(* If every row and class occurs, all permutations have the same gain exactly if there are at most two observations, or
   one margin is even and one (the same or the other) is thin. *)
Theorem gain_is_constant_iff_even_and_thin : (forall j, (0 < #|[pred u | y u == j]|)%N) ->
  (forall s, pygain s = pygain 1%g) <->
  (#|T| <= 2)%N \/ ((even_totals (fun i => #|[pred u | f u == i]|) \/ even_totals (fun j => #|[pred u | y u == j]|))
                 /\ (thin_totals (fun i => #|[pred u | f u == i]|) \/ thin_totals (fun j => #|[pred u | y u == j]|))).
Proof.
move=> classes_occur; have d0 : (1 : R) != 0 := oner_neq0 R.
have sf : (\sum_i #|[pred u | f u == i]|)%N = #|T|.
  by apply/eqP; rewrite -(eqr_nat R) natr_sum; apply/eqP; exact: sum_a.
have sy : (\sum_j #|[pred u | y u == j]|)%N = #|T|.
  by apply/eqP; rewrite -(eqr_nat R) natr_sum; apply/eqP; exact: sum_b.
have fy : (\sum_i #|[pred u | f u == i]| = \sum_j #|[pred u | y u == j]|)%N by rewrite sf sy.
rewrite -(py_exact_variance_eq0_iff_gain_is_constant d0).
have := py_exact_variance_eq0 rows_occur classes_occur fy d0.
by rewrite sf.
Qed.
End AllSizes.

Section Instance.
Variable R : realFieldType.
(* four observations, one of each of two rows and two classes *)
Let T := [finType of 'I_2 * 'I_2].
Let row (u : T) : 'I_2 := u.1.
Let class (u : T) : 'I_2 := u.2.

Lemma totals_of_four : (forall i, #|[pred u | row u == i]| = 2%N) /\ (forall j, #|[pred u | class u == j]| = 2%N).
Proof.
split=> i.
  rewrite (eq_card (B := [predX pred1 i & predT])); first by rewrite cardX card1 card_ord.
  by move=> [u v]; rewrite !inE andbT.
rewrite (eq_card (B := [predX predT & pred1 i])); first by rewrite cardX card1 card_ord.
by move=> [u v]; rewrite !inE.
Qed.

(* Both rows and both classes occur; the mean of the gain over all permutations is 1/6, its variance 1/18. *)
Example four_observations :
  [/\ (1 < #|T|)%N, forall i, (0 < #|[pred u | row u == i]|)%N, forall j, (0 < #|[pred u | class u == j]|)%N
    & mean (fun s => py_decrease_gini (table R row class s)) = 1 / 6%:R
      /\ mean (fun s => (py_decrease_gini (table R row class s)
                         - mean (fun s => py_decrease_gini (table R row class s))) ^+ 2) = 1 / 18%:R].
Proof.
have [rows classes] := totals_of_four.
have rows_occur i : (0 < #|[pred u | row u == i]|)%N by rewrite rows.
have a2 i : total_of R row i = 2%:R by rewrite /total_of rows.
have b2 j : total_of R class j = 2%:R by rewrite /total_of classes.
split=> //; first by rewrite card_prod card_ord. by move=> j; rewrite classes.
rewrite (py_exact_variance_is_variance_at_every_size class rows_occur (oner_neq0 R)).
rewrite py_exact_mean_is_mean_at_every_size // /py_exact_mean /py_exact_variance !sum2 !a2 !b2.
rewrite -!natrD !ltr_nat !ler_nat /= /py_mean /py_variance /py_uneven_weight /py_thick_weight /py_thick_classes.
by rewrite /py_uneven_classes /py_thick_rows /py_uneven_rows; split; field.
Qed.
End Instance.
