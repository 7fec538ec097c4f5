(* The sums over the shapes of three edges by five invariants, from entries of a matrix and from parts that are centred.
   *)
From mathcomp Require Import all_ssreflect fingroup perm ssralg ssrnum ssrint zmodp.
From mathcomp Require Import ring.
From splitcrit Require Import defs null factorial third_shapes.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* The sums of the shapes in sums over all points, of the entries of a symmetric matrix with zero diagonal. *)
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

(* The sums of the shapes by five invariants: a matrix N of row sums 0, and a vector g of sum 0. *)
Section Invariants.
Variables (R : realFieldType) (T : finType) (N : T -> T -> R) (g : T -> R) (n : R).

(* the invariants: sum N^3 over entries, trace of N^3, sum N^2 g, g'Ng, sum g^3 *)
Definition inv_c : R := \sum_u \sum_v N u v ^+ 3.
Definition inv_t : R := \sum_v \sum_w \sum_u N u v * N v w * N u w.
Definition inv_d : R := \sum_u \sum_v N u v ^+ 2 * g u.
Definition inv_p : R := \sum_u \sum_v N u v * g u * g v.
Definition inv_f : R := \sum_u g u ^+ 3.

(* N is symmetric, with zero diagonal and row sums 0; g has sum 0 *)
Definition centred_parts : Prop :=
  [/\ forall u v, N u v = N v u, forall u, N u u = 0, forall u, \sum_v N u v = 0 & \sum_u g u = 0].

Definition joined u v : R := if u == v then 0 else N u v + g u + g v.

Hypotheses (ones : \sum_(u : T) 1 = n) (parts : centred_parts).
Let sym u v : N u v = N v u. Proof. by case: parts. Qed.
Let diag u : N u u = 0. Proof. by case: parts. Qed.
Let rows u : \sum_v N u v = 0. Proof. by case: parts. Qed.
Let g0 : \sum_u g u = 0. Proof. by case: parts. Qed.

Lemma sum_const (q : R) : \sum_(u : T) q = n * q.
Proof. by rewrite -ones mulr_suml; apply: eq_bigr => u _; rewrite mul1r. Qed.
Lemma joined_sym u v : joined u v = joined v u.
Proof. by rewrite /joined eq_sym sym addrAC. Qed.
Lemma joined_diag u : joined u u = 0. Proof. by rewrite /joined eqxx. Qed.

Lemma off_sum (h : T -> R -> R) u : (forall v, h v 0 = 0) ->
  \sum_v h v (joined u v) = \sum_v h v (N u v + g u + g v) - h u (2%:R * g u).
Proof.
move=> h0; rewrite (bigD1 u) //= joined_diag h0 add0r [in RHS](bigD1 u) //= diag.
have -> : 0 + g u + g u = 2%:R * g u by ring.
rewrite [h u _ + _]addrC addrK; apply: eq_bigr => v vu.
by rewrite /joined eq_sym (negPf vu).
Qed.

Definition N2 u := \sum_v N u v ^+ 2.
Definition N3 u := \sum_v N u v ^+ 3.
Definition Ng u := \sum_v N u v * g v.
Definition N2g u := \sum_v N u v ^+ 2 * g v.
Definition Ngg u := \sum_v N u v * g v ^+ 2.
Definition g2 := \sum_v g v ^+ 2.

Lemma row_joined u : row_sum joined u = (n - 2%:R) * g u.
Proof.
rewrite /row_sum (off_sum (h := fun _ x => x)) // !big_split /= rows g0 sum_const; ring.
Qed.

Lemma sum_Ng : \sum_u Ng u = 0.
Proof.
rewrite exchange_big big1 // => v _; rewrite -mulr_suml (eq_bigr (fun u => N v u)) ?rows ?mul0r // => u _.
Qed.
Lemma sum_Ngg : \sum_u Ngg u = 0.
Proof.
rewrite exchange_big big1 // => v _; rewrite -mulr_suml (eq_bigr (fun u => N v u)) ?rows ?mul0r // => u _.
Qed.
Lemma sum_N2g : \sum_u N2g u = inv_d.
Proof. by rewrite exchange_big; apply: eq_bigr => v _; apply: eq_bigr => u _; rewrite sym. Qed.
Lemma sum_gN2 : \sum_u g u * N2 u = inv_d.
Proof. by apply: eq_bigr => u _; rewrite mulr_sumr; apply: eq_bigr => v _; exact: mulrC. Qed.
Lemma sum_gNg : \sum_u g u * Ng u = inv_p.
Proof. by apply: eq_bigr => u _; rewrite mulr_sumr; apply: eq_bigr => v _; ring. Qed.

Lemma cube_row u : \sum_v joined u v ^+ 3
  = N3 u + 3%:R * (g u * N2 u) + 3%:R * N2g u + 6%:R * (g u * Ng u) + 3%:R * Ngg u
    + (n - 8%:R) * g u ^+ 3 + 3%:R * g2 * g u + inv_f.
Proof.
rewrite (off_sum (h := fun _ x => x ^+ 3)) => [|v]; last by rewrite expr0n.
rewrite (eq_bigr (fun v => N u v ^+ 3 + 3%:R * g u * N u v ^+ 2 + 3%:R * (N u v ^+ 2 * g v)
  + 3%:R * g u ^+ 2 * N u v + 6%:R * g u * (N u v * g v) + 3%:R * (N u v * g v ^+ 2) + g u ^+ 3 * 1
  + 3%:R * g u ^+ 2 * g v + 3%:R * g u * g v ^+ 2 + g v ^+ 3)); last by move=> v _; ring.
rewrite !big_split /= -!mulr_sumr rows g0 ones.
by rewrite -/(N3 u) -/(N2 u) -/(N2g u) -/(Ng u) -/(Ngg u) -/g2 -/inv_f; ring.
Qed.

Lemma cubes_joined : cubes joined = inv_c + 6%:R * inv_d + 6%:R * inv_p + (2%:R * n - 8%:R) * inv_f.
Proof.
rewrite /cubes (eq_bigr _ (fun u _ => cube_row u)) !big_split /= -!mulr_sumr.
rewrite sum_gN2 sum_N2g sum_gNg sum_Ngg g0 sum_const -/inv_f (_ : \sum_u N3 u = inv_c) //; ring.
Qed.

Lemma square_row u : \sum_v joined u v ^+ 2 = N2 u + 2%:R * Ng u + (n - 4%:R) * g u ^+ 2 + g2.
Proof.
rewrite (off_sum (h := fun _ x => x ^+ 2)) => [|v]; last by rewrite expr0n.
rewrite (eq_bigr (fun v => N u v ^+ 2 + 2%:R * g u * N u v + 2%:R * (N u v * g v) + g u ^+ 2 * 1
  + 2%:R * g u * g v + g v ^+ 2)); last by move=> v _; ring.
rewrite !big_split /= -!mulr_sumr rows g0 ones -/(N2 u) -/(Ng u) -/g2; ring.
Qed.

Lemma squares_joined :
  squares_by_row_sums joined = (n - 2%:R) * (inv_d + 2%:R * inv_p + (n - 4%:R) * inv_f).
Proof.
rewrite /squares_by_row_sums (eq_bigr (fun u => (n - 2%:R) * (g u * N2 u + 2%:R * (g u * Ng u)
  + (n - 4%:R) * g u ^+ 3 + g2 * g u))); last by move=> u _; rewrite -mulr_sumr square_row row_joined; ring.
rewrite -mulr_sumr !big_split /= -!mulr_sumr sum_gN2 sum_gNg g0 -/inv_f; ring.
Qed.

Lemma joined_row_sums : row_sums_joined joined = (n - 2%:R) ^+ 2 * (inv_p - 2%:R * inv_f).
Proof.
rewrite /row_sums_joined (eq_bigr (fun u => (n - 2%:R) ^+ 2 * (g u * Ng u + g2 * g u + - 2%:R * g u ^+ 3))).
  by rewrite -mulr_sumr !big_split /= -!mulr_sumr sum_gNg g0 -/inv_f; ring.
move=> u _; rewrite (eq_bigr (fun v => (n - 2%:R) ^+ 2 * g u * (g v * joined u v))); last first.
  by move=> v _; rewrite !row_joined; ring.
rewrite -mulr_sumr (off_sum (h := fun v x => g v * x)) => [|v]; last by rewrite mulr0.
rewrite (eq_bigr (fun v => N u v * g v + g u * g v + g v ^+ 2)); last by move=> v _; ring.
rewrite !big_split /= -!mulr_sumr g0 -/(Ng u) -/g2; ring.
Qed.

Lemma cubed_row_sums : row_sums_cubed joined = (n - 2%:R) ^+ 3 * inv_f.
Proof.
by rewrite /inv_f mulr_sumr; apply: eq_bigr => u _; rewrite row_joined exprMn.
Qed.

Definition NN v w := \sum_u N u v * N u w.
Definition joined_product v w :=
  NN v w + Ng v + Ng w + g2 + n * (g v * g w) - 2%:R * (g v + g w) * (N v w + g v + g w).

Lemma product_joined v w : v != w -> \sum_u joined u v * joined u w = joined_product v w.
Proof.
move=> vw; have e : joined v w = N v w + g v + g w by rewrite /joined (negPf vw).
rewrite (eq_bigr (fun u => joined v u * joined w u)); last first.
  by move=> u _; rewrite (joined_sym u v) (joined_sym u w).
rewrite (off_sum (h := fun u x => x * joined w u)) => [|u]; last by rewrite mul0r.
rewrite (off_sum (h := fun u x => (N v u + g v + g u) * x)) => [|u]; last by rewrite mulr0.
rewrite (eq_bigr (fun u => N u v * N u w + g w * N v u + N v u * g u + g v * N w u + (g v * g w) * 1 + g v * g u
  + N w u * g u + g w * g u + g u ^+ 2)); last by move=> u _; rewrite (sym u v) (sym u w); ring.
rewrite !big_split /= -!mulr_sumr !rows g0 ones -/(NN v w) -/(Ng v) -/(Ng w) -/g2 joined_sym e /joined_product; ring.
Qed.

Definition N_NN v := \sum_w N v w * NN v w.
Definition N_Ng v := \sum_w N v w * Ng w.
Definition NN_g v := \sum_w NN v w * g w.

Lemma sum_N_NN : \sum_v N_NN v = inv_t.
Proof.
apply: eq_bigr => v _; apply: eq_bigr => w _; rewrite mulr_sumr; apply: eq_bigr => u _; ring.
Qed.
Lemma sum_N_Ng : \sum_v N_Ng v = 0.
Proof.
by rewrite exchange_big big1 // => w _; rewrite -mulr_suml (eq_bigr (fun v => N w v)) ?rows ?mul0r.
Qed.
Lemma NN_row v : \sum_w NN v w = 0.
Proof. by rewrite exchange_big big1 // => u _; rewrite -mulr_sumr rows mulr0. Qed.
Lemma NN_sym v w : NN v w = NN w v.
Proof. by apply: eq_bigr => u _; exact: mulrC. Qed.
Lemma sum_NN_g : \sum_v NN_g v = 0.
Proof.
rewrite exchange_big big1 // => w _; rewrite -mulr_suml (eq_bigr (fun v => NN w v)) ?NN_row ?mul0r // => v _.
exact: NN_sym.
Qed.
Lemma NN_diag v : NN v v = N2 v.
Proof. by apply: eq_bigr => u _; rewrite (sym u v) expr2. Qed.

Lemma trace_row v : \sum_w joined v w * joined_product v w
  = N_NN v + N_Ng v + NN_g v + (2%:R * n - 12%:R) * (g v * Ng v) + - 4%:R * (g v * N2 v) + - 2%:R * N2g v
    + - 4%:R * Ngg v + (2%:R * n - 8%:R) * g2 * g v + inv_p + (16%:R - 4%:R * n) * g v ^+ 3 + - 2%:R * inv_f.
Proof.
rewrite (off_sum (h := fun w x => x * joined_product v w)) => [|w]; last by rewrite mul0r.
rewrite (eq_bigr (fun w => N v w * NN v w + N v w * Ng w + NN v w * g w + (Ng v + g2 + - 4%:R * g v ^+ 2) * N v w
  + (n - 8%:R) * g v * (N v w * g w) + - 2%:R * g v * N v w ^+ 2 + - 2%:R * (N v w ^+ 2 * g w)
  + - 4%:R * (N v w * g w ^+ 2) + g v * NN v w + (g v * Ng v + g v * g2 + - 2%:R * g v ^+ 3) * 1 + g v * Ng w
  + (n * g v ^+ 2 + Ng v + g2 + - 6%:R * g v ^+ 2) * g w + g w * Ng w + (n - 6%:R) * g v * g w ^+ 2
  + - 2%:R * g w ^+ 3)); last by move=> w _; rewrite /joined_product; ring.
rewrite !big_split /= -!mulr_sumr !rows NN_row g0 ones sum_Ng sum_gNg /joined_product NN_diag diag.
by rewrite -/(N_NN v) -/(N_Ng v) -/(NN_g v) -/(Ng v) -/(N2 v) -/(N2g v) -/(Ngg v) -/g2 -/inv_f; ring.
Qed.

Lemma trace_joined :
  trace_of_cube joined = inv_t - 6%:R * inv_d + (3%:R * n - 12%:R) * inv_p + (16%:R - 6%:R * n) * inv_f.
Proof.
have -> : trace_of_cube joined = \sum_v \sum_w joined v w * joined_product v w.
  apply: eq_bigr => v _; apply: eq_bigr => w _; case: (eqVneq v w) => [<-|vw].
    by rewrite joined_diag mul0r big1 // => u _; rewrite mulr0 mul0r.
  by rewrite -product_joined // mulr_sumr; apply: eq_bigr => u _; ring.
rewrite (eq_bigr _ (fun v _ => trace_row v)) !big_split /= -!mulr_sumr !sum_const.
rewrite sum_N_NN sum_N_Ng sum_NN_g sum_gNg sum_gN2 sum_N2g sum_Ngg g0 -/inv_f; ring.
Qed.
End Invariants.

(* A matrix of blocks, split into centred parts, and its invariants as sums over blocks. *)
Section Centred.
Variables (R : realFieldType) (T : finType) (K : nat) (z : T -> 'I_K).
Variables (within phi : 'I_K -> R) (across : 'I_K -> 'I_K -> R).
Local Notation b := (total_of R z).

(* entries of one block, entries across blocks, 0 on the diagonal *)
Definition in_blocks u v : R :=
  if u == v then 0 else if z u == z v then within (z u) else across (z u) (z v).
Local Notation N := in_blocks.
Definition in_block u : R := phi (z u).
Local Notation g := in_block.
Definition apart j k : R := if j == k then 0 else across j k.

Lemma apart_same j : apart j j = 0. Proof. by rewrite /apart eqxx. Qed.

Lemma row_of_blocks (h : 'I_K -> R -> R) u : (forall j, h j 0 = 0) ->
  \sum_v h (z v) (N u v) = (b (z u) - 1) * h (z u) (within (z u)) + \sum_k b k * h k (apart (z u) k).
Proof.
move=> h0; pose e k := if z u == k then within (z u) else across (z u) k.
rewrite (bigD1 u) //= /in_blocks eqxx h0 add0r (eq_bigr (fun v => h (z v) (e (z v)))); last first.
  by move=> v vu; rewrite /e eq_sym (negPf vu).
rewrite drop1 (sum_blocks z (fun k => h k (e k))) (bigD1 (z u)) //= [in RHS](bigD1 (z u)) //=.
have -> : \sum_(k | k != z u) b k * h k (e k) = \sum_(k | k != z u) b k * h k (apart (z u) k).
  by apply: eq_bigr => k ku; rewrite /e /apart eq_sym (negPf ku).
have -> : e (z u) = within (z u) by rewrite /e eqxx.
by rewrite apart_same h0 mulr0 add0r mulrBl mul1r addrAC.
Qed.

Lemma blocks_c : inv_c N = \sum_j b j * ((b j - 1) * within j ^+ 3 + \sum_k b k * apart j k ^+ 3).
Proof.
rewrite /inv_c -(sum_blocks z (fun j => (b j - 1) * within j ^+ 3 + \sum_k b k * apart j k ^+ 3)).
by apply: eq_bigr => u _; rewrite (@row_of_blocks (fun _ x => x ^+ 3)) // => _; rewrite expr0n.
Qed.
Lemma blocks_d :
  inv_d N g = \sum_j b j * (phi j * ((b j - 1) * within j ^+ 2 + \sum_k b k * apart j k ^+ 2)).
Proof.
rewrite /inv_d -(sum_blocks z (fun j => phi j * ((b j - 1) * within j ^+ 2 + \sum_k b k * apart j k ^+ 2))).
apply: eq_bigr => u _; rewrite -mulr_suml mulrC (@row_of_blocks (fun _ x => x ^+ 2)) // => _.
by rewrite expr0n.
Qed.
Lemma blocks_p : inv_p N g
  = \sum_j b j * (phi j * ((b j - 1) * (within j * phi j) + \sum_k b k * (apart j k * phi k))).
Proof.
rewrite /inv_p.
rewrite -(sum_blocks z (fun j => phi j * ((b j - 1) * (within j * phi j) + \sum_k b k * (apart j k * phi k)))).
apply: eq_bigr => u _; rewrite (eq_bigr (fun v => phi (z u) * (N u v * phi (z v)))); last first.
  by move=> v _; rewrite /in_block; ring.
by rewrite -mulr_sumr (@row_of_blocks (fun k x => x * phi k)) // => k; rewrite mul0r.
Qed.
Lemma blocks_f : inv_f g = \sum_j b j * phi j ^+ 3.
Proof. by rewrite -(sum_blocks z (fun j => phi j ^+ 3)). Qed.

Hypothesis across_sym : forall j k, across j k = across k j.
Lemma apart_sym j k : apart j k = apart k j.
Proof. by rewrite /apart eq_sym across_sym. Qed.
Lemma in_blocks_sym u v : N u v = N v u.
Proof. by rewrite /in_blocks eq_sym [z u == _]eq_sym; case: (z v =P z u) => [->|_]; rewrite // across_sym. Qed.

Definition entry j k : R := if j == k then within j else across j k.
Definition pairs_of j k : R :=
  (b j - 1) * (within j * entry k j) + \sum_l b l * (apart j l * entry k l) - entry j k * within k.

Lemma product_of_blocks v w : v != w -> \sum_u N u v * N u w = pairs_of (z v) (z w).
Proof.
move=> vw; rewrite (eq_bigr (fun u => N v u * entry (z w) (z u) - (if u == w then N v w * within (z w) else 0))).
  rewrite sumrB (@row_of_blocks (fun k x => x * entry (z w) k)) => [|k]; last by rewrite mul0r.
  by rewrite -big_mkcond big_pred1_eq /= /in_blocks (negPf vw) /pairs_of mulrA.
move=> u _; rewrite (in_blocks_sym u v) (in_blocks_sym u w) {2}/in_blocks eq_sym.
case: (u =P w) => [->|_]; first by rewrite mulr0 /entry eqxx subrr.
by rewrite subr0 /entry; case: eqP => // ->.
Qed.

Lemma pairs_same j : pairs_of j j = (b j - 2%:R) * within j ^+ 2 + \sum_l b l * apart j l ^+ 2.
Proof.
rewrite /pairs_of /entry eqxx (eq_bigr (fun l => b l * apart j l ^+ 2)); last first.
  move=> l _; congr (_ * _); rewrite expr2; case: (j =P l) => [<-|jl].
    by rewrite apart_same; ring.
  by rewrite /apart; move/eqP/negPf: jl => ->.
move: (\sum_l _) => q; ring.
Qed.
Lemma pairs_apart j k : j != k -> pairs_of j k
  = (b j - 1) * (within j * apart j k) + (b k - 1) * (within k * apart j k) + \sum_l b l * (apart j l * apart k l).
Proof.
move=> jk; rewrite /pairs_of.
have -> : entry k j = apart j k by rewrite /entry /apart [k == j]eq_sym (negPf jk); exact: across_sym.
have -> : entry j k = apart j k by rewrite /entry /apart (negPf jk).
rewrite (eq_bigr (fun l => b l * (apart j l * apart k l) + (if l == k then b k * (apart j k * within k) else 0))).
  rewrite big_split /= -big_mkcond big_pred1_eq; move: (\sum_l _) => q; ring.
move=> l _; case: (eqVneq l k) => [->|lk]; first by rewrite apart_same /entry eqxx; ring.
by rewrite addr0 /entry [apart k l]/apart [k == l]eq_sym (negPf lk).
Qed.

Lemma blocks_t : inv_t N
  = \sum_j b j * ((b j - 1) * within j * ((b j - 2%:R) * within j ^+ 2 + 3%:R * (\sum_k b k * apart j k ^+ 2)))
    + \sum_j b j * (\sum_k \sum_l b k * b l * apart k l * apart j k * apart j l).
Proof.
rewrite /inv_t (eq_bigr (fun v => (b (z v) - 1) * (within (z v) * pairs_of (z v) (z v))
    + \sum_k b k * (apart (z v) k * pairs_of (z v) k))); last first.
  move=> v _; rewrite (eq_bigr (fun w => N v w * pairs_of (z v) (z w))).
    by rewrite (@row_of_blocks (fun k x => x * pairs_of (z v) k)) // => k; rewrite mul0r.
  move=> w _; case: (eqVneq v w) => [<-|vw].
    have e : N v v = 0 by rewrite /in_blocks eqxx.
    by rewrite e mul0r big1 // => u _; rewrite mulr0 mul0r.
  by rewrite -product_of_blocks // mulr_sumr; apply: eq_bigr => u _; ring.
rewrite (sum_blocks z (fun j => (b j - 1) * (within j * pairs_of j j) + \sum_k b k * (apart j k * pairs_of j k))).
pose q j := \sum_k b k * apart j k ^+ 2.
pose p j k := \sum_l b l * (apart j l * apart k l).
rewrite (eq_bigr (fun j => b j * ((b j - 1) * within j * ((b j - 2%:R) * within j ^+ 2 + 2%:R * q j))
   + b j * (\sum_k b k * ((b k - 1) * within k * apart j k ^+ 2)) + b j * (\sum_k b k * (apart j k * p j k)))).
  rewrite !big_split /=.
  have -> : \sum_j b j * (\sum_k b k * ((b k - 1) * within k * apart j k ^+ 2))
          = \sum_j b j * ((b j - 1) * within j * q j).
    rewrite (eq_bigr (fun j => \sum_k b k * ((b k - 1) * within k * (b j * apart k j ^+ 2)))); last first.
      by move=> j _; rewrite mulr_sumr; apply: eq_bigr => k _; rewrite apart_sym; ring.
    by rewrite exchange_big; apply: eq_bigr => k _; rewrite /q !mulr_sumr; apply: eq_bigr.
  congr (_ + _).
    by rewrite -big_split; apply: eq_bigr => j _; rewrite /= -/(q j); ring.
  apply: eq_bigr => j _; congr (_ * _); apply: eq_bigr => k _.
  by rewrite /p !mulr_sumr; apply: eq_bigr => l _; ring.
move=> j _; rewrite pairs_same -/(q j).
rewrite (eq_bigr (fun k => (b j - 1) * within j * (b k * apart j k ^+ 2) + b k * ((b k - 1) * within k * apart j k ^+ 2)
   + b k * (apart j k * p j k))).
  by rewrite !big_split /= -mulr_sumr -/(q j); ring.
move=> k _; case: (eqVneq j k) => [<-|jk]; first by rewrite apart_same; ring.
by rewrite pairs_apart // -/(p j k); ring.
Qed.
End Centred.
