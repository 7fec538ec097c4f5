(* The sums of the shapes in sums over all points, of the entries of a symmetric matrix with zero diagonal. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra all_solvable.
From mathcomp Require Import ring.
From splitcrit Require Import defs distinct null gini_null factorial distinct6 third_shapes third_mean.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Heads.
Variables (R : realFieldType) (T : finType).

Lemma distinct2 (F : T -> T -> R) : (forall u, F u u = 0) -> @distinct_sum R T 2 F = \sum_u \sum_v F u v.
Proof. by move=> diag; rewrite (pairsE diag). Qed.
Lemma distinct3 (F : T -> T -> T -> R) :
  @distinct_sum R T 3 F = @distinct_sum R T 2 (fun v w => \sum_u F u v w - F v v w - F w v w).
Proof.
rewrite /distinct_sum (sum_cons 2 (at_points (m := 3) F)); apply: eq_bigr => [[[|v [|w []]] // sz]] ut /=.
by rewrite [X in _ = X - _ - _](sum_split _ ut) !big_cons big_nil /=; ring.
Qed.
Lemma distinct4 (F : T -> T -> T -> T -> R) :
  @distinct_sum R T 4 F
  = @distinct_sum R T 3 (fun v w x => \sum_u F u v w x - F v v w x - F w v w x - F x v w x).
Proof.
rewrite /distinct_sum (sum_cons 3 (at_points (m := 4) F)); apply: eq_bigr => [[[|v [|w [|x []]]] // sz]] ut /=.
by rewrite [X in _ = X - _ - _ - _](sum_split _ ut) !big_cons big_nil /=; ring.
Qed.
Lemma ext2 (F G : T -> T -> R) : (forall u v, F u v = G u v) -> @distinct_sum R T 2 F = @distinct_sum R T 2 G.
Proof. by move=> e; apply: eq_bigr => [[[|u [|v []]] // sz]] _; exact: e. Qed.
Lemma ext3 (F G : T -> T -> T -> R) :
  (forall u v w, F u v w = G u v w) -> @distinct_sum R T 3 F = @distinct_sum R T 3 G.
Proof. by move=> e; apply: eq_bigr => [[[|u [|v [|w []]]] // sz]] _; exact: e. Qed.
Lemma reversed3 (F : T -> T -> T -> R) : @distinct_sum R T 3 F = @distinct_sum R T 3 (fun u v w => F w v u).
Proof.
rewrite /distinct_sum -(sum_reordered [:: 0; 1; 0]%N 3 (at_points (m := 3) F)).
by apply: eq_bigr => [[[|u [|v [|w []]]] // sz]].
Qed.
Lemma reversed4 (F : T -> T -> T -> T -> R) :
  @distinct_sum R T 4 F = @distinct_sum R T 4 (fun u v w x => F x w v u).
Proof.
rewrite /distinct_sum -(sum_reordered [:: 0; 1; 2; 0; 1; 0]%N 4 (at_points (m := 4) F)).
by apply: eq_bigr => [[[|u [|v [|w [|x []]]]] // sz]].
Qed.
End Heads.

Section Free.
Variables (R : realFieldType) (T : finType) (M : T -> T -> R).
Hypotheses (sym : forall u v, M u v = M v u) (diag : forall u, M u u = 0).

Definition row_sum u : R := \sum_v M u v.
Local Notation rho := row_sum.
Definition cubes : R := \sum_u \sum_v M u v ^+ 3.
Definition squares_by_row_sums : R := \sum_u \sum_v rho u * M u v ^+ 2.
Definition row_sums_joined : R := \sum_u \sum_v rho u * M u v * rho v.
Definition row_sums_cubed : R := \sum_u rho u ^+ 3.
Definition trace_of_cube : R := \sum_v \sum_w \sum_u M u v * M v w * M u w.

Lemma column_sum v : \sum_u M u v = rho v.
Proof. by apply: eq_bigr => u _; exact: sym. Qed.

Lemma squares_by_other : \sum_u \sum_v rho v * M u v ^+ 2 = squares_by_row_sums.
Proof.
by rewrite exchange_big; apply: eq_bigr => v _; apply: eq_bigr => u _; rewrite sym.
Qed.

Lemma triple_free : triple_sum M = cubes.
Proof. by rewrite /triple_sum distinct2 // => u; rewrite diag expr0n. Qed.

Lemma double_adjacent_free : double_adjacent_sum M = squares_by_row_sums - cubes.
Proof.
rewrite /double_adjacent_sum distinct3 distinct2 => [|u]; last first.
  by rewrite diag expr0n /= mulr0 !subr0 big1 // => w _; rewrite mulr0.
rewrite -sumrB; apply: eq_bigr => v _; rewrite -sumrB; apply: eq_bigr => w _.
by rewrite -mulr_suml column_sum diag (sym w v); ring.
Qed.

Lemma triangle_free : triangle_sum M = trace_of_cube.
Proof.
rewrite /triangle_sum distinct3 distinct2 => [|u]; last first.
  by rewrite !diag; rewrite big1 => [|w _]; rewrite ?diag; ring.
apply: eq_bigr => v _; apply: eq_bigr => w _.
by rewrite !diag !mul0r mulr0 !subr0.
Qed.

Lemma path_free : path_sum M = row_sums_joined - 2%:R * squares_by_row_sums + cubes - trace_of_cube.
Proof.
rewrite /path_sum distinct4 (ext3 (G := fun v w x => (rho v - M w v - M x v) * M v w * M w x)); last first.
  by move=> v w x; rewrite -!mulr_suml column_sum diag; ring.
rewrite reversed3 distinct3.
rewrite (ext2 (G := fun w v => rho w * M w v * rho v - rho w * M w v ^+ 2 - rho v * M w v ^+ 2 + M w v ^+ 3
  - \sum_x M x w * M w v * M x v)); last first.
  move=> w v.
  rewrite [X in X - _ - _](eq_bigr (fun x => (rho v - M w v) * M v w * M w x - M x w * M w v * M x v)); last first.
    by move=> x _; rewrite (sym w x) (sym v w); ring.
  by rewrite sumrB -mulr_sumr -/(rho w) !diag (sym v w); ring.
rewrite distinct2 => [|u]; last by rewrite diag big1 => [|x _]; ring.
rewrite (eq_bigr (fun w => \sum_v rho w * M w v * rho v - \sum_v rho w * M w v ^+ 2 - \sum_v rho v * M w v ^+ 2
  + \sum_v M w v ^+ 3 - \sum_v \sum_x M x w * M w v * M x v)) => [|w _]; last by rewrite sumrB big_split !sumrB.
rewrite sumrB big_split !sumrB /= squares_by_other -/row_sums_joined -/squares_by_row_sums -/cubes.
by rewrite -/trace_of_cube; ring.
Qed.

Lemma star_free : star_sum M = row_sums_cubed - 3%:R * squares_by_row_sums + 2%:R * cubes.
Proof.
rewrite /star_sum reversed4 distinct4 (ext3 (G := fun b c d => (rho d - M d b - M d c) * M d c * M d b)); last first.
  by move=> b c d; rewrite -mulr_sumr -/(rho d) diag; ring.
rewrite distinct3 (ext2 (G := fun c d => rho d ^+ 2 * M d c - 3%:R * (rho d * M d c ^+ 2) + 2%:R * M d c ^+ 3
  - M d c * (\sum_b M d b ^+ 2 - rho d * M d c))); last first.
  move=> c d.
  rewrite [X in X - _ - _](eq_bigr (fun b => (rho d - M d c) * M d c * M d b - M d c * M d b ^+ 2)); last first.
    by move=> b _; ring.
  by rewrite sumrB -!mulr_sumr -/(rho d) !diag; ring.
rewrite distinct2 => [|u]; last by rewrite !diag; ring.
pose q d := \sum_b M d b ^+ 2; pose k d := \sum_b M d b ^+ 3.
rewrite exchange_big (eq_bigr (fun d => rho d ^+ 3 - 3%:R * (\sum_c rho d * M d c ^+ 2) + 2%:R * (\sum_c M d c ^+ 3)))
  => [|d _]; last first.
  rewrite /= [LHS](eq_bigr (fun c => (rho d ^+ 2 - q d) * M d c - 2%:R * (rho d * M d c ^+ 2) + 2%:R * M d c ^+ 3)).
    by rewrite big_split /= sumrB -!mulr_sumr -/(rho d) -/(q d) -/(k d); ring.
  by move=> c _; rewrite -/(q d); ring.
by rewrite big_split /= sumrB -!mulr_sumr.
Qed.
End Free.
