(* The third central moment of the Gini gain from invariants of rows and classes, which is what floats compute. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra all_solvable.
From mathcomp Require Import ring.
From splitcrit Require Import defs distinct null gini_null third_invariants third_centred third_general.
From splitcrit Require Import generated tie third_gini third.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Blocks.
Variables (R : realFieldType) (T : finType) (K : nat) (z : T -> 'I_K).
Variables (within phi : 'I_K -> R) (across : 'I_K -> 'I_K -> R).
Local Notation b := (total_of R z).
Local Notation N := (in_blocks z within across).
Local Notation g := (in_block z phi).
Hypothesis across_sym : forall j k, across j k = across k j.

Lemma printed_apart j k : (if j == k then 0 * across j k else across j k) = apart across j k.
Proof. by rewrite mul0r. Qed.

(* the code of the invariants computes those of the matrix whose blocks it is given *)
Theorem py_invariants_are_invariants :
  [/\ py_invariants_0 b within phi across = inv_c N, py_invariants_1 b within phi across = inv_t N,
      py_invariants_2 b within phi across = inv_d N g, py_invariants_3 b within phi across = inv_p N g
    & py_invariants_4 b within phi across = inv_f g].
Proof.
split.
- rewrite blocks_c /py_invariants_0; apply: eq_bigr => j _; congr (_ * (_ + _)); first by ring.
  by apply: eq_bigr => k _; rewrite printed_apart; ring.
- rewrite blocks_t // /py_invariants_1; congr (_ + _); apply: eq_bigr => j _; congr (_ * _).
    congr (_ * (_ + _ * _)); first by ring.
    by apply: eq_bigr => k _; rewrite printed_apart; ring.
  apply: eq_bigr => k _; apply: eq_bigr => l _; rewrite !printed_apart [apart _ k j]apart_sym //; ring.
- rewrite blocks_d /py_invariants_2; apply: eq_bigr => j _; rewrite -mulrA; congr (_ * (_ * (_ + _))); first by ring.
  by apply: eq_bigr => k _; rewrite printed_apart; ring.
- rewrite blocks_p /py_invariants_3 -big_split; apply: eq_bigr => j _ /=.
  rewrite !mulrDr; congr (_ + _); first by ring.
  by rewrite !mulr_sumr; apply: eq_bigr => k _; rewrite printed_apart; ring.
by rewrite blocks_f.
Qed.

Variables (c : 'I_K -> R) (mu : R).
Local Notation n := (#|T|%:R : R).

Lemma split_of_blocks : (forall j, within j = c j - mu - 2%:R * phi j) ->
  (forall j k, across j k = - mu - phi j - phi k) ->
  (forall j, (b j - 1) * c j = (n - 1) * mu + (n - 2%:R) * phi j) -> \sum_j b j * phi j = 0 ->
  split_into (same z c) mu N g.
Proof.
move=> w a e s0; split; last first.
  move=> u v uv; rewrite /same /in_blocks (negPf uv) /in_block.
  by case: (z u =P z v) => [<-|_]; rewrite ?w ?a; ring.
split.
- exact: in_blocks_sym.
- by move=> u; rewrite /in_blocks eqxx.
- move=> u; rewrite (@row_of_blocks R T K z within across (fun _ x => x)) //.
  rewrite (eq_bigr (fun k => (- mu - phi (z u)) * b k - b k * phi k
     + (if k == z u then b (z u) * (mu + 2%:R * phi (z u)) else 0))); last first.
    move=> k _; rewrite /apart eq_sym; case: (k =P z u) => [->|_]; last by rewrite a; ring.
    by ring.
  rewrite big_split sumrB /= -mulr_sumr -big_mkcond big_pred1_eq s0 (sum_b R z) w.
  transitivity ((b (z u) - 1) * c (z u) - ((n - 1) * mu + (n - 2%:R) * phi (z u))); first by ring.
  by rewrite e subrr.
exact: etrans (sum_blocks z phi) s0.
Qed.
End Blocks.

Section Largest.
Variables (R : realFieldType) (K : nat).
(* a fold of max from the first member is the member at any place where it is largest *)
Lemma largest (x : 'I_K.+1 -> R) top : (forall j, x j <= x top) -> \big[Num.max/x ord0]_(j < K.+1) x j = x top.
Proof.
move=> h; apply/le_anti/andP; split.
  by apply: (big_ind (fun z => z <= x top)) => [|u v|j _]; rewrite ?h // le_maxl => -> ->.
have le (s : seq 'I_K.+1) : top \in s -> x top <= \big[Num.max/x ord0]_(j <- s) x j.
  elim: s => // j s IH; rewrite in_cons big_cons le_maxr => /orP [/eqP ->|/IH ->]; by rewrite ?lexx ?orbT.
by apply: le; rewrite mem_index_enum.
Qed.
End Largest.

Section Float.
Variables (R : realFieldType) (T : finType) (r K : nat) (f : T -> 'I_r) (y : T -> 'I_K.+1).
Hypothesis rows_occur : forall i, (0 < #|[pred u | f u == i]|)%N.
Hypothesis n3 : (2 < #|T|)%N.
Local Notation n := (#|T|%:R : R).
Local Notation a := (total_of R f).
Local Notation b := (total_of R y).
Local Notation s2 := (\sum_j b j ^+ 2).

(* the pairs of a class; a largest class; and the whole number that the code subtracts from totals, whichever *)
Definition pairs_in j : R := b j * (b j - 1).
Variables (top : 'I_K.+1) (shift : R).
Hypothesis top_largest : forall j, pairs_in j <= pairs_in top.
Local Notation classes_within := (py_classes_same b n top).
Local Notation classes_apart := (py_classes_f b n shift).
Local Notation classes_across := (py_classes_across b n).

Let a0 i : a i != 0. Proof. by rewrite pnatr_eq0 -lt0n. Qed.
Let n0 : n != 0. Proof. by rewrite pnatr_eq0 -lt0n; exact: leq_trans n3. Qed.
Let n1 : n - 1 != 0. Proof. exact: (@natB_neq0 R T 1) (leq_trans _ n3). Qed.
Let n2 : n - 2%:R != 0. Proof. exact: natB_neq0. Qed.

Local Notation rows_within := (py_rows_same a n).
Local Notation rows_apart := (py_rows_f a n).
Local Notation rows_across := (py_rows_across a n).

Let three : Num.max n 3%:R = n. Proof. by rewrite max_l // ler_nat. Qed.
Let occurring : \sum_i (if a i == 0 then 0 else 1) = r%:R :> R.
Proof. by rewrite (eq_bigr (fun=> 1)) ?sumr_const ?card_ord // => i _; rewrite (negPf (a0 i)). Qed.
Let reciprocal i : 1 / (if a i == 0 then a i + 1 else a i) = (a i)^-1.
Proof. by rewrite (negPf (a0 i)) mul1r. Qed.

(* of a table without empty rows the code computes entries of rows by its formulas, with reciprocals of the totals *)
Lemma rows_sameE i : rows_within i = py_row_block_0 n r%:R (a i) (a i)^-1.
Proof. by rewrite /py_rows_same three occurring reciprocal. Qed.
Lemma rows_fE i : rows_apart i = py_row_block_1 n r%:R (a i) (a i)^-1.
Proof. by rewrite /py_rows_f three occurring reciprocal. Qed.
Lemma rows_acrossE i i' : rows_across i i' = py_row_across n r%:R (a i)^-1 (a i')^-1.
Proof. by rewrite /py_rows_across three occurring !reciprocal. Qed.

Lemma rows_across_sym i i' : rows_across i i' = rows_across i' i.
Proof. by rewrite !rows_acrossE /py_row_across [_^-1 + _]addrC. Qed.
Lemma others_of j : (if j == top then \sum_k (if k == top then 0 * pairs_in k else pairs_in k)
  else \big[Num.max/pairs_in ord0]_(k < K.+1) pairs_in k
       + (\sum_k (if k == top then 0 * pairs_in k else pairs_in k) - (if j == top then 0 * pairs_in j else pairs_in j)))
  = \sum_k pairs_in k - pairs_in j.
Proof.
have -> : \sum_k (if k == top then 0 * pairs_in k else pairs_in k) = \sum_k pairs_in k - pairs_in top.
  rewrite -(drop1 pairs_in top) [RHS]big_mkcond; apply: eq_bigr => k _.
  by case: (k == top); rewrite ?mul0r.
rewrite (largest top_largest); case: (j =P top) => [->|_] //; ring.
Qed.
Lemma classes_sameE j : classes_within j = py_class_block n (b j) (\sum_k pairs_in k - pairs_in j).
Proof. by rewrite -others_of /py_classes_same three. Qed.
Lemma classes_fE j : classes_apart j = (b j - s2 / n) / (n - 2%:R).
Proof.
rewrite /py_classes_f three (negPf n0); congr (_ / _).
rewrite (eq_bigr (fun k => b k ^+ 2 - shift * b k)); last by move=> k _; ring.
by rewrite sumrB -mulr_sumr (sum_b R y); move: n n0 s2 (b j) => m m0 z x; field.
Qed.
Lemma classes_acrossE j j' :
  classes_across j j' = py_class_across n (b j) (b j') (\sum_l pairs_in l - pairs_in j - pairs_in j').
Proof. by rewrite /py_classes_across three. Qed.

Lemma classes_across_sym j j' : classes_across j j' = classes_across j' j.
Proof. by rewrite !classes_acrossE /py_class_across; congr (_ / _); ring. Qed.

Lemma split_rows : split_into (same f (fun i => (a i)^-1)) ((n - r%:R) / (n * (n - 1)))
  (in_blocks f rows_within rows_across) (in_block f rows_apart).
Proof.
apply: split_of_blocks => [i i'|i|i i'|i|]; first exact: rows_across_sym.
- rewrite rows_sameE rows_fE /py_row_block_0 /py_row_block_1.
  by move: (a i) (a0 i) (r%:R : R) n n0 n1 n2 => x x0 q m m0 m1 m2; field; rewrite m0 m1 m2 x0.
- rewrite rows_acrossE !rows_fE /py_row_across /py_row_block_1.
  move: (a i) (a0 i) (a i') (a0 i') (r%:R : R) n n0 n1 n2 => x x0 x' x0' q m m0 m1 m2; field.
  by rewrite m0 m1 m2 x0 x0'.
- rewrite rows_fE /py_row_block_1.
  by move: (a i) (a0 i) (r%:R : R) n n0 n1 n2 => x x0 q m m0 m1 m2; field; rewrite m0 m1 m2 x0.
rewrite (eq_bigr (fun i => (r%:R / (n * (n - 2%:R))) * a i - (n - 2%:R)^-1 * 1)); last first.
  move=> i _; rewrite rows_fE /py_row_block_1.
  by move: (a i) (a0 i) (r%:R : R) n n0 n1 n2 => x x0 q m m0 m1 m2; field; rewrite m0 m2 x0.
rewrite sumrB -!mulr_sumr sum_a sumr_const card_ord.
by move: (r%:R : R) n n0 n1 n2 => q m m0 m1 m2; field; rewrite m0 m2.
Qed.

Lemma sum_pairs : \sum_j pairs_in j = s2 - n.
Proof. by rewrite -(sum_b R y) -sumrB; apply: eq_bigr => j _; rewrite /pairs_in; ring. Qed.

Lemma split_classes : split_into (same y (fun=> 1 : R)) ((s2 - n) / (n * (n - 1)))
  (in_blocks y classes_within classes_across) (in_block y classes_apart).
Proof.
apply: split_of_blocks => [j j'|j|j j'|j|]; first exact: classes_across_sym.
- rewrite classes_sameE classes_fE /py_class_block sum_pairs /pairs_in.
  by move: (b j) s2 n n0 n1 n2 => x q m m0 m1 m2; field; rewrite m0 m1 m2.
- rewrite classes_acrossE !classes_fE /py_class_across sum_pairs /pairs_in.
  by move: (b j) (b j') s2 n n0 n1 n2 => x x' q m m0 m1 m2; field; rewrite m0 m1 m2.
- rewrite classes_fE.
  by move: (b j) s2 n n0 n1 n2 => x q m m0 m1 m2; field; rewrite m0 m1 m2.
rewrite (eq_bigr (fun j => (n - 2%:R)^-1 * b j ^+ 2 - (s2 / n / (n - 2%:R)) * b j)); last first.
  by move=> j _; rewrite classes_fE; move: (b j) s2 n n0 n2 => x q m m0 m2; field; rewrite m0 m2.
rewrite sumrB -!mulr_sumr (sum_b R y).
by move: s2 n n0 n1 n2 => q m m0 m1 m2; field; rewrite m0 m2.
Qed.

Local Notation c := (fun i => (a i)^-1).
Local Notation W := (same f c).
Local Notation Z := (same y (fun=> 1 : R)).
Local Notation pygain t := (py_decrease_gini (table R f y t)).
Local Notation of_classes invariant := (invariant R K.+1 b classes_within classes_apart classes_across).

Lemma central_gain : mean (fun t => (pygain t - mean (fun t' => pygain t')) ^+ 3)
  = mean (fun t => (stat W Z t - mean (stat W Z)) ^+ 3) / n ^+ 3.
Proof.
have gE := @gainE R T r K.+1 f y rows_occur (ltnW n3).
have meanE : mean (fun t' => pygain t') = (r%:R - S2 R y / n) / n + mean (stat W Z) / n.
  rewrite (mean_ext (G := fun t => (r%:R - S2 R y / n) / n + n^-1 * stat W Z t)).
    by rewrite mean_add mean_const mean_scale; congr (_ + _); exact: mulrC.
  by move=> t; rewrite gain_decrease gE; congr (_ + _); exact: mulrC.
rewrite [RHS]mulrC -mean_scale; apply: mean_ext => t; rewrite gain_decrease gE meanE.
by move: (stat W Z t) (mean (stat W Z)) (S2 R y) (r%:R : R) n n0 => st m q rr x x0; field.
Qed.

(* the third moment that floats compute, from invariants that do not cancel, is the third central moment of the gain
   over all permutations of the labels *)
Theorem py_third_moment_of_arrays_is_third_moment :
  mean (fun t => (pygain t - mean (fun t' => pygain t')) ^+ 3)
  = py_third_moment_of_arrays a (of_classes py_invariants_0) (of_classes py_invariants_1)
      (of_classes py_invariants_2) (of_classes py_invariants_3) (of_classes py_invariants_4).
Proof.
rewrite central_gain (py_third_by_invariants_is_third_moment split_rows split_classes n3).
have [<- <- <- <- <-] := py_invariants_are_invariants f rows_within rows_apart rows_across_sym.
have [<- <- <- <- <-] := py_invariants_are_invariants y classes_within classes_apart classes_across_sym.
by rewrite /py_third_moment_of_arrays (sum_a R f) (negPf n0).
Qed.

(* the two third moments of the library, exact by power sums and in floats by invariants, are one number *)
Theorem py_third_moment_of_arrays_is_exact_third d : d != 0 ->
  py_third_moment_of_arrays a (of_classes py_invariants_0) (of_classes py_invariants_1)
    (of_classes py_invariants_2) (of_classes py_invariants_3) (of_classes py_invariants_4)
  = py_exact_third a b d.
Proof.
by move=> d0; rewrite -py_third_moment_of_arrays_is_third_moment (py_exact_third_is_third_moment y rows_occur d0).
Qed.
End Float.

(* two rows and two classes of two observations: the hypotheses hold *)
Example halves_have_a_largest (R : realFieldType) :
  [/\ forall i, (0 < #|[pred u | halves u == i]|)%N, (2 < #|'I_4|)%N
    & exists top, forall j, pairs_in R halves j <= pairs_in R halves top].
Proof.
split; [exact: halves_occur|by rewrite card_ord|].
have two (j : 'I_2) : j = ord0 \/ j = ord_max.
  by case: j => [[|[|]]] // h; [left|right]; exact: val_inj.
case: (lerP (pairs_in R halves ord0) (pairs_in R halves ord_max)) => h; [exists ord_max|exists ord0] => j.
  by case: (two j) => ->.
by case: (two j) => -> //; exact: ltW.
Qed.
