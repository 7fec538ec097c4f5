(* The third central moment of the Gini gain over all permutations of the labels, by the formulas that the library
   prints. *)
From mathcomp Require Import all_ssreflect fingroup perm ssralg ssrnum ssrint zmodp.
From mathcomp Require Import ring.
From splitcrit Require Import defs null factorial third_shapes generated tie.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* The formulas of the third moment for rows and classes, and the third central moment by that of the sum over pairs. *)
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

(* a let on the right of an equation becomes a local definition *)
Ltac name_let x :=
  match goal with |- ?l = ?r =>
    match r with (let y := ?v in @?body y) => pose (x := v); change (l = body x); cbv beta end end.

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


(* The third central moment of the Gini gain over all permutations of the labels: exact_third, every table. *)
Local Notation A m e := (block_sum f c m e).
Local Notation B m e := (block_sum y (fun=> 1 : R) m e).

Lemma same_pair (t : {perm T}) u v : #|T| = 2%N -> v != u -> (t u = u /\ t v = v) \/ (t u = v /\ t v = u).
Proof.
move=> T2 vu; have two w : w = u \/ w = v.
  case: (eqVneq w u) => [|wu]; [by left|case: (eqVneq w v) => [|wv]; [by right|]].
  by have := card_ge (uniq3 vu wu wv) erefl; rewrite T2.
case: (two (t u)) (two (t v)) => eu [] ev; [|by left|by right|].
  by have := perm_inj (etrans eu (esym ev)) => uv; rewrite uv eqxx in vu.
by have := perm_inj (etrans eu (esym ev)) => uv; rewrite uv eqxx in vu.
Qed.

(* of one or two observations every permutation has the same gain *)
Lemma gain_of_two t : (#|T| <= 2)%N -> pygain t = pygain 1%g.
Proof.
rewrite leq_eqVlt => /orP [/eqP T2|T1]; last first.
  congr py_decrease_gini; congr (table R f y _); apply/permP => u; rewrite perm1.
  by apply: (card_le1_eqP T1).
have T2' : (1 < #|T|)%N by rewrite T2.
rewrite !gain_decrease !(@gainE R T r K f y rows_occur T2'); congr (_ + _ / _); apply: D2_ext => u v vu.
rewrite !perm1; case: (same_pair t T2 vu) => [[-> ->]|[-> ->]] //.
by rewrite [same y _ v u]same_sym.
Qed.

(* the exact third moment that the library returns is the third central moment of its own Gini gain over all
   permutations of the labels, for every table *)
Theorem py_exact_third_is_third_moment d : d != 0 ->
  mean (fun t => (pygain t - mean (fun t' => pygain t')) ^+ 3) = py_exact_third a b d.
Proof.
move=> d0; case: (leqP #|T| 2) => T3.
  rewrite (mean_ext (G := fun=> 0)) => [|t]; last first.
    rewrite (mean_ext (G := fun=> pygain 1%g)) => [|t']; last exact: gain_of_two.
    by rewrite mean_const gain_of_two // subrr expr0n.
  rewrite mean_const; cbv beta delta [py_exact_third]; name_let N.
  have eN : N = n by rewrite /N sum_a.
  do 26! (let x := fresh in name_let x); by rewrite eN ltr_nat ltnS T3.
have T2 : (1 < #|T|)%N by apply: ltn_trans T3.
rewrite third_of_pairs // /first mean_stat_cube; [|exact: same_sym..].
have spread := @py_exact_variance_is_variance R T r K f y rows_occur d d0 T3; rewrite -/(variance R f y) in spread.
have [[-> -> -> ->] [-> -> -> ->]] := py_shapes_are_sums_over_distinct_points f c.
have [[-> -> -> ->] [-> -> -> ->]] := py_shapes_are_sums_over_distinct_points y (fun=> 1 : R).
cbv beta delta [py_exact_third].
name_let N; have eN : N = n by rewrite /N sum_a.
name_let h'; have eh : h' = h by rewrite /h' -mulr_sumr mulrAC mulfV // mul1r.
name_let h2'; have eh2 : h2' = h2 by rewrite /h2' mulr_suml; apply: eq_bigr => i _; field; rewrite d0 a0.
clearbody N h' h2'; subst N h' h2'.
name_let a21; have e : A 2 1 = a21 by rewrite row_21.
clearbody a21; rewrite !{}e.
name_let a22; have e : A 2 2 = a22 by rewrite row_22.
clearbody a22; rewrite !{}e.
name_let a32; have e : A 3 2 = a32 by rewrite row_32.
clearbody a32; rewrite !{}e.
name_let a23; have e : A 2 3 = a23 by rewrite row_23.
clearbody a23; rewrite !{}e.
name_let a33; have e : A 3 3 = a33 by rewrite row_33.
clearbody a33; rewrite !{}e.
name_let a43; have e : A 4 3 = a43 by rewrite row_43.
clearbody a43; rewrite !{}e.
name_let p2; name_let p3; name_let p4.
name_let b21; have e : B 2 1 = b21 by rewrite class_2.
clearbody b21; rewrite !{}e.
name_let b22; have e : B 2 2 = b22 by rewrite class_2.
clearbody b22; rewrite !{}e.
name_let b32; have e : B 3 2 = b32 by rewrite class_3.
clearbody b32; rewrite !{}e.
name_let b23; have e : B 2 3 = b23 by rewrite class_2.
clearbody b23; rewrite !{}e.
name_let b33; have e : B 3 3 = b33 by rewrite class_3.
clearbody b33; rewrite !{}e.
name_let b43; have e : B 4 3 = b43 by rewrite class_4.
clearbody b43; rewrite !{}e.
clearbody p2 p3 p4.
name_let x2; have e : (#|T| ^_ 2)%:R = x2 by rewrite /x2 ffact2 subr0 mul1r.
have e' : n * (n - 1) = x2 by rewrite -e ffact2.
rewrite {1 2}e' {e'} !{1}e; name_let x3; have e' : (#|T| ^_ 3)%:R = x3 by rewrite /x3 ffact_next e.
rewrite !{1}e'; name_let y3; name_let x4; have e4 : (#|T| ^_ 4)%:R = x4 by rewrite /x4 ffact_next e'.
rewrite !{1}e4; name_let y4; name_let x5; have e5 : (#|T| ^_ 5)%:R = x5 by rewrite /x5 ffact_next e4.
name_let y5; name_let m1; name_let v; rewrite spread -/v -/m1.
rewrite e5 (@ffact_next R #|T| 5) e5 -/(py_third_moment n _ m1 v).
rewrite ltr_nat !ler_nat ltnNge T3 /=.
have term p k q m : p * (k * q) / m = k * (p * q / m) :> R by ring.
have none m k : (m <= #|T|)%N = false -> (#|T| ^_ m)%:R = k -> forall p : R, p / k = 0.
  by move=> mT <- p; rewrite ffact_small ?invr0 ?mulr0 // ltnNge mT.
rewrite /py_third_moment /y5 /y4 /y3 !term !add0r mul1r.
have e6 : (#|T| ^_ 6)%:R = x5 * (n - 5%:R) by rewrite ffact_next e5.
have less m k : (m <= k)%N -> (m <= #|T|)%N = false -> (k <= #|T|)%N = false.
  by move=> mk; apply: contraFF; exact: leq_trans mk.
case: (boolP (4 <= #|T|)%N) => [_|/negPf T4]; last first.
  have T5 := less 4%N 5%N erefl T4; have T6 := less 5%N 6%N erefl T5.
  by rewrite !(none _ _ T4 e4) (none _ _ T5 e5) (none _ _ T6 e6) !mulr0 !addr0.
case: (boolP (5 <= #|T|)%N) => [_|/negPf T5]; last first.
  by have T6 := less 5%N 6%N erefl T5; rewrite (none _ _ T5 e5) (none _ _ T6 e6) !mulr0 !addr0 -!addrA.
case: (boolP (6 <= #|T|)%N) => [_|/negPf T6]; first by rewrite -!addrA.
by rewrite (none _ _ T6 e6) !addr0 -!addrA.
Qed.
End Third.

(* two rows of two observations each, two classes of two: all hypotheses hold, and the third moment is 1/108 *)
Definition halves (u : 'I_4) : 'I_2 := if (u < 2)%N then ord0 else ord_max.
Lemma halves_occur i : (0 < #|[pred u | halves u == i]|)%N.
Proof.
by apply/card_gt0P; case: (eqVneq i ord0) => [->|i1]; [exists ord0|exists ord_max; case: i i1 => [[|[|]]]].
Qed.
Example exact_third_of_halves (R : realFieldType) :
  [/\ forall i, (0 < #|[pred u | halves u == i]|)%N, 2%:R != 0 :> R
    & py_exact_third (fun _ : 'I_2 => 2%:R) (fun _ : 'I_2 => 2%:R) (2%:R : R) = 1 / 108%:R].
Proof.
split; [exact: halves_occur|by rewrite pnatr_eq0|].
symmetry; cbv beta delta [py_exact_third]; name_let N.
have eN : N = 4%:R by rewrite /N sumr_const card_ord -mulrnA.
clearbody N; subst N; have sum2 (q : R) : \sum_(i < 2) q = 2%:R * q by rewrite sumr_const card_ord mulr_natl.
name_let h; have -> : h = 1 by rewrite /h sum2; field.
name_let h2; have -> : h2 = 2%:R^-1 by rewrite /h2 sum2; field.
name_let a21; have -> : a21 = 2%:R by rewrite /a21 /py_row_sums_0; ring.
name_let a22; have -> : a22 = 1 by rewrite /a22 /py_row_sums_1; ring.
name_let a32; have -> : a32 = 0 by rewrite /a32 /py_row_sums_2; ring.
name_let a23; have -> : a23 = 2%:R^-1 by rewrite /a23 /py_row_sums_3; field.
name_let a33; have -> : a33 = 0 by rewrite /a33 /py_row_sums_4; field.
name_let a43; have -> : a43 = 0 by rewrite /a43 /py_row_sums_5; field.
name_let p2; have -> : p2 = 8%:R by rewrite /p2 sum2; ring.
name_let p3; have -> : p3 = 16%:R by rewrite /p3 sum2; ring.
name_let p4; have -> : p4 = 32%:R by rewrite /p4 sum2; ring.
name_let b21; have -> : b21 = 4%:R by rewrite /b21 /py_class_sums_0; ring.
name_let b22; have -> : b22 = 4%:R by rewrite /b22 /py_class_sums_1; ring.
name_let b32; have -> : b32 = 0 by rewrite /b32 /py_class_sums_2; ring.
name_let b23; have -> : b23 = 4%:R by rewrite /b23 /py_class_sums_3; ring.
name_let b33; have -> : b33 = 0 by rewrite /b33 /py_class_sums_4; ring.
name_let b43; have -> : b43 = 0 by rewrite /b43 /py_class_sums_5; ring.
name_let x2; name_let x3; name_let y3; name_let x4; name_let y4; name_let x5; name_let y5; name_let m1; name_let v.
have ev : v = 18%:R^-1.
  rewrite /v /py_exact_variance !sum2.
  have -> : 2%:R * 2%:R = 4%:R :> R by rewrite -natrM.
  rewrite !ltr_nat !ler_nat /= /py_variance /py_uneven_rows /py_thick_rows /py_uneven_weight /py_thick_weight.
  by rewrite /py_uneven_classes /py_thick_classes /py_uneven_rows; field.
clearbody v; subst v; rewrite !ltr_nat !ler_nat /= /py_third_moment.
by rewrite /m1 /y4 /x4 /y3 /x3 /x2 /py_shapes_0 /py_shapes_1 /py_shapes_2 /py_shapes_3 /py_shapes_4 /py_shapes_5; field.
Qed.
