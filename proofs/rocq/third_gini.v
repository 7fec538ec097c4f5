(* The formulas of the third moment for rows and classes, and the third central moment by that of the sum over pairs. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra all_solvable.
From mathcomp Require Import ring.
From splitcrit Require Import defs distinct null gini_null factorial distinct6 third_shapes third_mean third_blocks.
From splitcrit Require Import generated tie.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Factorials.
Variables (R : realFieldType) (n : nat).
Local Notation N := (n%:R : R).
Lemma ffact2 : (n ^_ 2)%:R = N * (N - 1). Proof. by rewrite ffact_next ffact_first. Qed.
Lemma ffact3 : (n ^_ 3)%:R = N * (N - 1) * (N - 2%:R). Proof. by rewrite ffact_next ffact2. Qed.
Lemma ffact4 : (n ^_ 4)%:R = N * (N - 1) * (N - 2%:R) * (N - 3%:R). Proof. by rewrite ffact_next ffact3. Qed.
Lemma ffact5 : (n ^_ 5)%:R = N * (N - 1) * (N - 2%:R) * (N - 3%:R) * (N - 4%:R).
Proof. by rewrite ffact_next ffact4. Qed.
Lemma ffact6 : (n ^_ 6)%:R = N * (N - 1) * (N - 2%:R) * (N - 3%:R) * (N - 4%:R) * (N - 5%:R).
Proof. by rewrite ffact_next ffact5. Qed.
End Factorials.

Section Shapes.
Variables (R : realFieldType) (T : finType) (r : nat) (f : T -> 'I_r) (c : 'I_r -> R).
Local Notation M := (same f c).
Local Notation B m e := (block_sum f c m e).
Local Notation of_blocks shape := (shape (B 2 1) (B 2 2) (B 3 2) (B 2 3) (B 3 3) (B 4 3)).

(* the eight formulas of shapes are the sums of the eight shapes of three edges over points in blocks *)
Theorem py_shapes_are_sums_over_distinct_points :
  [/\ triple_sum M = of_blocks (@py_shapes_0 R), double_adjacent_sum M = of_blocks (@py_shapes_1 R),
      triangle_sum M = of_blocks (@py_shapes_2 R) & path_sum M = of_blocks (@py_shapes_3 R)]
  /\ [/\ star_sum M = of_blocks (@py_shapes_4 R), double_apart_sum M = of_blocks (@py_shapes_5 R),
      cherry_apart_sum M = of_blocks (@py_shapes_6 R) & three_apart_sum M = of_blocks (@py_shapes_7 R)].
Proof.
have sym := same_sym f c; have cube := cube_of_pairs sym; have three := cherry_apartE sym.
have two := double_apartE sym; move: cube three two.
rewrite edge_block triple_block double_adjacent_block triangle_block path_block star_block double_block cherry_block.
rewrite /py_shapes_0 /py_shapes_1 /py_shapes_2 /py_shapes_3 /py_shapes_4 /py_shapes_5 /py_shapes_6 /py_shapes_7.
move=> cube three two; rewrite three two in cube *; split; split=> //; try ring.
by rewrite cube; ring.
Qed.
End Shapes.

Section Third.
Variables (R : realFieldType) (T : finType) (r K : nat) (f : T -> 'I_r) (y : T -> 'I_K).
Hypothesis rows_occur : forall i, (0 < #|[pred u | f u == i]|)%N.
Local Notation n := (#|T|%:R : R).
Local Notation a := (total_of R f).
Local Notation b := (total_of R y).
Local Notation c := (fun i => (a i)^-1).
Local Notation W := (same f c).
Local Notation Z := (same y (fun=> 1 : R)).
Local Notation pygain s := (py_decrease_gini (table R f y s)).
Local Notation h := (\sum_i (a i)^-1).
Local Notation h2 := (\sum_i (a i)^-1 ^+ 2).
Local Notation s m := (\sum_j b j ^+ m).

Let a0 i : a i != 0. Proof. by rewrite pnatr_eq0 -lt0n. Qed.
Let ones : \sum_(i < r) 1 = r%:R :> R. Proof. by rewrite sumr_const card_ord. Qed.

(* the formulas of the row sums are sums of falling factorials over the rows *)
Lemma row_21 : block_sum f c 2 1 = py_row_sums_0 n r%:R h h2.
Proof.
rewrite /py_row_sums_0 -(sum_a R f) -ones -sumrB; apply: eq_bigr => i _.
by rewrite ffact2 -/(total_of R f i); field; exact: a0.
Qed.
Lemma row_22 : block_sum f c 2 2 = py_row_sums_1 n r%:R h h2.
Proof.
rewrite /py_row_sums_1 -ones -sumrB; apply: eq_bigr => i _.
by rewrite ffact2 -/(total_of R f i); field; exact: a0.
Qed.
Lemma row_32 : block_sum f c 3 2 = py_row_sums_2 n r%:R h h2.
Proof.
rewrite /py_row_sums_2 -(sum_a R f) -ones !mulr_sumr -sumrB -big_split; apply: eq_bigr => i _ /=.
by rewrite ffact3 -/(total_of R f i); field; exact: a0.
Qed.
Lemma row_23 : block_sum f c 2 3 = py_row_sums_3 n r%:R h h2.
Proof.
rewrite /py_row_sums_3 -sumrB; apply: eq_bigr => i _.
by rewrite ffact2 -/(total_of R f i); field; exact: a0.
Qed.
Lemma row_33 : block_sum f c 3 3 = py_row_sums_4 n r%:R h h2.
Proof.
rewrite /py_row_sums_4 -ones !mulr_sumr -sumrB -big_split; apply: eq_bigr => i _ /=.
by rewrite ffact3 -/(total_of R f i); field; exact: a0.
Qed.
Lemma row_43 : block_sum f c 4 3 = py_row_sums_5 n r%:R h h2.
Proof.
rewrite /py_row_sums_5 -(sum_a R f) -ones !mulr_sumr -sumrB -big_split -sumrB; apply: eq_bigr => i _ /=.
by rewrite ffact4 -/(total_of R f i); field; exact: a0.
Qed.

Lemma class_2 e : block_sum y (fun=> 1 : R) 2 e = py_class_sums_0 n (s 2) (s 3) (s 4).
Proof.
rewrite /py_class_sums_0 -(sum_b R y) -sumrB; apply: eq_bigr => j _.
by rewrite ffact2 -/(total_of R y j) expr1n; ring.
Qed.
Lemma class_3 e : block_sum y (fun=> 1 : R) 3 e = py_class_sums_2 n (s 2) (s 3) (s 4).
Proof.
rewrite /py_class_sums_2 -(sum_b R y) !mulr_sumr -sumrB -big_split; apply: eq_bigr => j _ /=.
by rewrite ffact3 -/(total_of R y j) expr1n; ring.
Qed.
Lemma class_4 e : block_sum y (fun=> 1 : R) 4 e = py_class_sums_5 n (s 2) (s 3) (s 4).
Proof.
rewrite /py_class_sums_5 -(sum_b R y) !mulr_sumr -sumrB -big_split -sumrB; apply: eq_bigr => j _ /=.
by rewrite ffact4 -/(total_of R y j) expr1n; ring.
Qed.

Let first := block_sum f c 2 1 * block_sum y (fun=> 1) 2 1 / (n * (n - 1)).

Lemma mean_pairs : mean (stat W Z) = first.
Proof. by rewrite mean_stat !D2E !edge_block. Qed.

Lemma gain_decrease t : py_decrease_gini (table R f y t) = gain R f y t. Proof. by []. Qed.

Lemma third_of_pairs : (1 < #|T|)%N ->
  mean (fun t => (pygain t - mean (fun t' => pygain t')) ^+ 3)
  = (mean (fun t => stat W Z t ^+ 3) - first * (3%:R * n ^+ 2 * variance R f y + first ^+ 2)) / n ^+ 3.
Proof.
move=> T2; have n0 : n != 0 by rewrite pnatr_eq0 -lt0n; exact: ltnW.
have gE := @gainE R T r K f y rows_occur T2.
have meanE : mean (fun t' => pygain t') = (r%:R - S2 R y / n) / n + first / n.
  rewrite -mean_pairs (mean_ext (G := fun t => (r%:R - S2 R y / n) / n + n^-1 * stat W Z t)).
    by rewrite mean_add mean_const mean_scale; congr (_ + _); exact: mulrC.
  by move=> t; rewrite gain_decrease gE; congr (_ + _); exact: mulrC.
rewrite varianceE // mean_pairs meanE.
rewrite (mean_ext (G := fun t => (n ^+ 3)^-1 * stat W Z t ^+ 3 + (- (3%:R * first / n ^+ 3) * stat W Z t ^+ 2
   + (3%:R * first ^+ 2 / n ^+ 3 * stat W Z t + - (first ^+ 3 / n ^+ 3))))); last first.
  move=> t; rewrite gain_decrease gE; move: (stat W Z t) first (S2 R y) (r%:R : R) n n0 => st m s2 rr x x0; field.
  exact: x0.
rewrite !mean_add !mean_scale mean_const mean_pairs.
move: (mean (fun t => stat W Z t ^+ 3)) (mean (fun t => stat W Z t ^+ 2)) first n n0 => q p m x x0; field.
exact: x0.
Qed.

End Third.
