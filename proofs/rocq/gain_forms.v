(* Forms of the Gini gain of a table of any size, and its mean square over permutations; what functions ask. *)
From mathcomp Require Import all_ssreflect perm ssralg ssrnum ssrint zmodp.
From mathcomp Require Import ring.
From splitcrit Require Import generated defs null tie.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* What the functions of the library ask of their arguments, else they raise: the hypotheses of the theorems. *)
(* Symmetric noise is defined exactly from two classes on: below, the library raises an error. *)
Theorem py_symmetric_asks_two_classes (R : realFieldType) K (eta : R) (j k : 'I_K) :
  py_symmetric_asks eta j k = (1 < K)%N.
Proof. by rewrite /py_symmetric_asks ltr_nat -leqNgt. Qed.

(* Forms of Gini's gain of a table of any size: by squares, without cancelling, and by chi-square for two classes. *)
Section Forms.
Variables (R : realFieldType) (r K : nat) (t : 'I_r -> 'I_K -> R).
Local Notation a i := (defs.size (t i)).
Local Notation b := (node t).
Local Notation n := (whole t).

(* With non-zero row totals a, class totals b and their sum n, Gini's gain is sum_i (sum_k t_ik^2)/a_i / n less
   sum_k b_k^2 / n^2. *)
Theorem py_gini_gain_by_squares : (forall i, a i != 0) -> n != 0 ->
  py_decrease_gini t = (\sum_i (\sum_k t i k ^+ 2) / a i) / n - (\sum_k b k ^+ 2) / n ^+ 2.
Proof.
move=> a0 n0; have -> : py_decrease_gini t = decrease (@gini R K) t by [].
have e (c : 'I_K -> R) m : m != 0 -> gini (shares c m) = 1 - (\sum_k c k ^+ 2) / m ^+ 2.
  by move=> m0; rewrite /gini /shares (negPf m0) mulr_suml; congr (_ - _); apply: eq_bigr => k _; field.
rewrite /decrease (negPf n0) e //.
rewrite (eq_bigr (fun i => a i - (\sum_k t i k ^+ 2) / a i)); last first.
  by move=> i _; rewrite e //; move: (a0 i); set s := \sum_k _ => ai; field.
rewrite sumrB -/n; move: (\sum_i _) (\sum_k _) n n0 => p q m m0; by field.
Qed.

(* The same without cancelling, as float64 evaluates it: the sum over cells of (n t_ik - a_i b_k)^2 / (a_i n^3). *)
Theorem py_gini_gain_without_cancelling : (forall i, a i != 0) -> n != 0 ->
  py_decrease_gini t = \sum_i (\sum_k (n * t i k - a i * b k) ^+ 2) / (a i * n ^+ 3).
Proof.
move=> a0 n0; rewrite py_gini_gain_by_squares //.
have row i : (\sum_k (n * t i k - a i * b k) ^+ 2) / (a i * n ^+ 3)
   = n^-1 * ((\sum_k t i k ^+ 2) / a i)
     + ((- (2%:R / n ^+ 2)) * (\sum_k t i k * b k) + (\sum_k b k ^+ 2) / n ^+ 3 * a i).
  have e (u v : R) : \sum_k (u * t i k - v * b k) ^+ 2
      = u ^+ 2 * (\sum_k t i k ^+ 2) + ((- (2%:R * u * v)) * (\sum_k t i k * b k) + v ^+ 2 * (\sum_k b k ^+ 2)).
    rewrite !mulr_sumr -!big_split; apply: eq_bigr => k _ /=; ring.
  rewrite e; move: (\sum_k t i k ^+ 2) (\sum_k t i k * b k) (\sum_k b k ^+ 2) (a i) (a0 i) n n0.
  by move=> x y z ai ai0 m m0; field; rewrite ai0 m0.
rewrite (eq_bigr _ (fun i _ => row i)) !big_split /= -!mulr_sumr.
have -> : \sum_i \sum_k t i k * b k = \sum_k b k ^+ 2.
  by rewrite exchange_big; apply: eq_bigr => k _ /=; rewrite -mulr_suml expr2.
rewrite -[\sum_i a i]/n; move: (\sum_i _) (\sum_k _) n n0 => x y m m0; by field.
Qed.

(* For positive row totals the gain is never negative, and it is 0 exactly if every cell is a_i b_k / n: if feature and
   label are independent in the table. *)
Theorem py_gini_gain_eq0_iff_independent : (forall i, 0 < a i) -> 0 < n ->
  0 <= py_decrease_gini t /\ (py_decrease_gini t = 0 <-> forall i k, n * t i k = a i * b k).
Proof.
move=> a0 n0; rewrite py_gini_gain_without_cancelling ?gt_eqF // => [|i]; last by rewrite gt_eqF.
have d0 i : 0 < a i * n ^+ 3 by rewrite mulr_gt0 ?exprn_gt0.
have g0 i : 0 <= (\sum_k (n * t i k - a i * b k) ^+ 2) / (a i * n ^+ 3).
  by rewrite divr_ge0 ?(ltW (d0 i)) //; apply: sumr_ge0 => k _; exact: sqr_ge0.
split; first by apply: sumr_ge0.
split=> [/eqP|e]; last first.
  by rewrite big1 // => i _; rewrite big1 ?mul0r // => k _; rewrite e subrr expr0n.
rewrite psumr_eq0 // => /allP e i k; have := e i; rewrite mem_index_enum => /(_ isT) /=.
rewrite mulf_eq0 invr_eq0 (gt_eqF (d0 i)) orbF psumr_eq0; last by move=> l _; exact: sqr_ge0.
by move=> /allP/(_ k); rewrite mem_index_enum => /(_ isT) /=; rewrite sqrf_eq0 subr_eq0 => /eqP.
Qed.
End Forms.

Section ChiSquare.
Variables (R : realFieldType) (r : nat) (t : 'I_r -> 'I_2 -> R).
Local Notation a i := (defs.size (t i)).
Local Notation b := (node t).
Local Notation n := (whole t).
(* Pearson's chi-square: squared differences from the expected cells a_i b_k / n, over these *)
Definition chi_square : R := \sum_i \sum_k (t i k - a i * b k / n) ^+ 2 / (a i * b k / n).

(* For two classes chi-square is n^3/(2 b_1 b_2) times Gini's gain: both order splits of a node alike. *)
Theorem py_gini_gain_is_chi_square : (forall i, a i != 0) -> (forall k, b k != 0) -> n != 0 ->
  py_decrease_gini t = 2%:R * b 0 * b 1 / n ^+ 3 * chi_square.
Proof.
move=> a0 b0 n0; rewrite py_gini_gain_without_cancelling // /chi_square mulr_sumr; apply: eq_bigr => i _.
have nE : n = b 0 + b 1 by rewrite -whole_node /defs.size sum2.
have aE : a i = t i 0 + t i 1 by rewrite /defs.size sum2.
rewrite !sum2; have := a0 i; move: (b0 0) (b0 1) n0; rewrite nE aE.
move: (b 0) (b 1) (t i 0) (t i 1) => p q x y p0 q0 n0 ai; field.
by rewrite p0 q0 n0 ai.
Qed.
End ChiSquare.

(* The table (3, 0), (1, 6): totals are positive, the gain is 54/175. *)
Example table_of_3_0_and_1_6 (R : realFieldType) :
  let t : 'I_2 -> 'I_2 -> R := fun i k =>
    if i == 0 then (if k == 0 then 3%:R else 0) else (if k == 0 then 1 else 6%:R) in
  [/\ forall i, 0 < defs.size (t i), forall k, 0 < node t k, 0 < whole t & py_decrease_gini t = 54%:R / 175%:R].
Proof.
move=> t; have a i : defs.size (t i) = if i == 0 then 3%:R else 7%:R.
  by rewrite /defs.size sum2 /t; case: (i == 0); rewrite /= ?addr0 // -(natrD _ 1 6).
have b k : node t k = if k == 0 then 4%:R else 6%:R.
  by rewrite /node sum2 /t; case: (k == 0); rewrite /= ?add0r // -(natrD _ 3 1).
have n : whole t = 10%:R by rewrite /whole sum2 !a /= -natrD.
have ap i : 0 < defs.size (t i) by rewrite a; case: (i == 0); rewrite ltr0n.
have bp k : 0 < node t k by rewrite b; case: (k == 0); rewrite ltr0n.
have np : 0 < whole t by rewrite n ltr0n.
split=> //; rewrite py_gini_gain_by_squares ?gt_eqF // => [|i]; last by rewrite gt_eqF.
by rewrite !sum2 !a !b n /t /=; field.
Qed.

(* The mean of the squared Gini gain by four double sums over cells, for every table. *)
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
