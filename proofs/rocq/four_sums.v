(* The mean of the squared Gini gain by four double sums over cells, for every table. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs null gini_null generated tie gain_forms.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section FourSums.
Variables (R : realFieldType) (T : finType) (r K : nat) (f : T -> 'I_r) (y : T -> 'I_K).
Hypothesis rows_occur : forall i, (0 < #|[pred u | f u == i]|)%N.
Hypothesis some : (0 < #|T|)%N.
Local Notation a := (total_of R f).
Local Notation b := (total_of R y).
Local Notation N := (#|T|%:R : R).
Local Notation pygain := (fun s => py_decrease_gini (table R f y s)).
(* the squared cell over its row and all examples *)
Definition part (s : {perm T}) i j : R := table R f y s i j ^+ 2 / (N * a i).
Definition squared_shares : R := \sum_j (b j / N) ^+ 2.

Lemma gain_by_parts s : pygain s = \sum_i \sum_j part s i j - squared_shares.
Proof.
have n0 : N != 0 by rewrite pnatr_eq0 -lt0n.
have a0 i : a i != 0 by rewrite pnatr_eq0 -lt0n.
rewrite py_gini_gain_by_squares ?whole_table // => [|i]; last by rewrite size_table.
congr (_ - _).
  rewrite mulr_suml; apply: eq_bigr => i _; rewrite size_table -mulrA mulr_suml; apply: eq_bigr => j _.
  by rewrite /part invfM [N^-1 * _]mulrC.
rewrite mulr_suml; apply: eq_bigr => j _; rewrite node_table; field; exact: n0.
Qed.

Lemma split_square (I : finType) (x : I -> R) :
  (\sum_i x i) * (\sum_i x i) = \sum_i x i * x i + \sum_i \sum_(i' | i' != i) x i * x i'.
Proof.
rewrite -big_split mulr_suml; apply: eq_bigr => i _ /=; rewrite mulr_sumr (bigD1 i) //=.
Qed.

Lemma mean_sums (I : finType) (F : I -> {perm T} -> R) (P : pred I) :
  mean (fun s => \sum_(i | P i) F i s) = \sum_(i | P i) mean (F i).
Proof. by rewrite /mean exchange_big mulr_suml. Qed.

(* The mean of the squared gain over all permutations of the labels is that of the squared sum over the cells of
   n_ij^2/(N a_i), less 2 sum_j (b_j/N)^2 times the mean gain, less the square of that sum; and the former is the sum
   over equal and different rows and classes of four means of products of two cells. *)
Theorem square_of_py_gini_gain_by_four_sums :
  mean (fun s => pygain s ^+ 2) = - squared_shares ^+ 2 - 2%:R * squared_shares * mean pygain
    + (\sum_i \sum_j mean (fun s => part s i j * part s i j)
      + \sum_i \sum_j \sum_(j' | j' != j) mean (fun s => part s i j * part s i j')
      + \sum_i \sum_(i' | i' != i) \sum_j mean (fun s => part s i j * part s i' j)
      + \sum_i \sum_(i' | i' != i) \sum_j \sum_(j' | j' != j) mean (fun s => part s i j * part s i' j')).
Proof.
pose S s := \sum_i \sum_j part s i j.
have gainE s : pygain s = S s - squared_shares := gain_by_parts s.
have -> : mean pygain = mean S + - squared_shares.
  by rewrite (mean_ext (G := fun s => S s + - squared_shares)) // mean_add mean_const.
have -> : mean (fun s => pygain s ^+ 2)
    = mean (fun s => S s * S s) + (- (2%:R * squared_shares) * mean S + squared_shares ^+ 2).
  rewrite -mean_scale -[squared_shares ^+ 2](mean_const T) -!mean_add; apply: mean_ext => s.
  by rewrite gainE; ring.
have -> : mean (fun s => S s * S s)
  = \sum_i \sum_j mean (fun s => part s i j * part s i j)
      + \sum_i \sum_j \sum_(j' | j' != j) mean (fun s => part s i j * part s i j')
      + \sum_i \sum_(i' | i' != i) \sum_j mean (fun s => part s i j * part s i' j)
      + \sum_i \sum_(i' | i' != i) \sum_j \sum_(j' | j' != j) mean (fun s => part s i j * part s i' j').
  have cross s i i' : (\sum_j part s i j) * (\sum_j part s i' j)
      = \sum_j part s i j * part s i' j + \sum_j \sum_(j' | j' != j) part s i j * part s i' j'.
    rewrite -big_split mulr_suml; apply: eq_bigr => j _ /=; rewrite mulr_sumr (bigD1 j) //=.
  rewrite (mean_ext (G := fun s => (\sum_i (\sum_j part s i j * part s i j
      + \sum_j \sum_(j' | j' != j) part s i j * part s i j'))
      + \sum_i \sum_(i' | i' != i) (\sum_j part s i j * part s i' j
      + \sum_j \sum_(j' | j' != j) part s i j * part s i' j'))) => [|s]; last first.
    rewrite /S split_square; congr (_ + _); apply: eq_bigr => i _; first exact: cross.
    by apply: eq_bigr => i' _; exact: cross.
  rewrite mean_add !mean_sums.
  rewrite (eq_bigr (fun i => \sum_j mean (fun s => part s i j * part s i j)
      + \sum_j \sum_(j' | j' != j) mean (fun s => part s i j * part s i j'))) => [|i _]; last first.
    by rewrite mean_add !mean_sums; congr (_ + _); apply: eq_bigr => j _; rewrite mean_sums.
  rewrite [X in _ + X](eq_bigr (fun i => \sum_(i' | i' != i) \sum_j mean (fun s => part s i j * part s i' j)
      + \sum_(i' | i' != i) \sum_j \sum_(j' | j' != j) mean (fun s => part s i j * part s i' j'))) => [|i _]; last first.
    rewrite mean_sums -big_split; apply: eq_bigr => i' _ /=.
    by rewrite mean_add !mean_sums; congr (_ + _); apply: eq_bigr => j _; rewrite mean_sums.
  by rewrite !big_split /= !addrA.
move: (mean S) squared_shares => m q.
set w := \sum_i \sum_j mean _; set x := \sum_i \sum_j \sum_(j' | _) _; set z := \sum_i \sum_(i' | _) \sum_j mean _.
by set v := \sum_i \sum_(i' | _) \sum_j \sum_(j' | _) _; ring.
Qed.
End FourSums.

(* an instance: two observations in two rows *)
Example two_rows (R : realFieldType) : (forall i : 'I_2, 0 < #|[pred u : 'I_2 | u == i]|)%N /\ (0 < #|'I_2|)%N.
Proof. by rewrite card_ord; split=> // i; apply/card_gt0P; exists i; rewrite inE. Qed.
