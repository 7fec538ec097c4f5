(* A matrix of blocks, split into centred parts, and its invariants as sums over blocks. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra all_solvable.
From mathcomp Require Import ring.
From splitcrit Require Import defs distinct null gini_null factorial distinct6 third_shapes third_mean third_invariants.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

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
