(* The sums of the shapes by five invariants: a matrix N of row sums 0, and a vector g of sum 0. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra all_solvable.
From mathcomp Require Import ring.
From splitcrit Require Import defs distinct null gini_null factorial distinct6 third_shapes third_mean third_free.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

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
