(* The third central moment of a sum over pairs by five invariants of each side, for any matrices. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra all_solvable.
From mathcomp Require Import ring.
From splitcrit Require Import defs distinct null gini_null factorial distinct6 third_shapes third_mean third_blocks.
From splitcrit Require Import third_free third_invariants generated third_gini.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Side.
Variables (R : realFieldType) (T : finType) (N : T -> T -> R) (g : T -> R).
Hypothesis parts : centred_parts N g.
Local Notation n := (#|T|%:R : R).
Local Notation J := (joined N g).
Local Notation c := (inv_c N).
Local Notation t := (inv_t N).
Local Notation d := (inv_d N g).
Local Notation p := (inv_p N g).
Local Notation f := (inv_f g).

Lemma ones_n : \sum_(u : T) 1 = n. Proof. by rewrite sumr_const. Qed.
Lemma J_sym u v : J u v = J v u. Proof. exact: joined_sym parts _ _. Qed.
Lemma J_diag u : J u u = 0. Proof. exact: joined_diag. Qed.

Lemma edge_J : edge_sum J = 0.
Proof.
rewrite -(pairsE J_diag) (eq_bigr (fun u => (n - 2%:R) * g u)); last first.
  by move=> u _; exact: (row_joined ones_n parts).
by rewrite -mulr_sumr; case: parts => _ _ _ ->; rewrite mulr0.
Qed.
Definition of_triple m := c + 6%:R * d + 6%:R * p + (2%:R * m - 8%:R) * f : R.
Definition of_squares m := (m - 2%:R) * (d + 2%:R * p + (m - 4%:R) * f) : R.
Definition of_triangle m := t - 6%:R * d + (3%:R * m - 12%:R) * p + (16%:R - 6%:R * m) * f : R.
Definition of_path m :=
  (m - 2%:R) ^+ 2 * (p - 2%:R * f) - 2%:R * of_squares m + of_triple m - of_triangle m : R.
Definition of_star m := (m - 2%:R) ^+ 3 * f - 3%:R * of_squares m + 2%:R * of_triple m : R.
Definition of_double_apart m := - 4%:R * (of_squares m - of_triple m) - 2%:R * of_triple m : R.
Definition of_cherry_apart m :=
  - 4%:R * of_path m - 2%:R * of_star m - 4%:R * (of_squares m - of_triple m) - 2%:R * of_triangle m : R.
Definition of_three_apart m :=
  - (4%:R * of_triple m + 24%:R * (of_squares m - of_triple m) + 8%:R * of_triangle m + 24%:R * of_path m
     + 8%:R * of_star m + 6%:R * of_double_apart m + 12%:R * of_cherry_apart m) : R.

Lemma triple_J : triple_sum J = of_triple n.
Proof. by rewrite triple_free ?(cubes_joined ones_n parts) //; exact: J_diag. Qed.
Lemma double_adjacent_J : double_adjacent_sum J = of_squares n - of_triple n.
Proof.
by rewrite (double_adjacent_free J_sym J_diag) (squares_joined ones_n parts) (cubes_joined ones_n parts).
Qed.
Lemma triangle_J : triangle_sum J = of_triangle n.
Proof. by rewrite (triangle_free J_diag) (trace_joined ones_n parts). Qed.
Lemma path_J : path_sum J = of_path n.
Proof.
rewrite (path_free J_sym J_diag) (joined_row_sums ones_n parts) (squares_joined ones_n parts).
by rewrite (cubes_joined ones_n parts) (trace_joined ones_n parts).
Qed.
Lemma star_J : star_sum J = of_star n.
Proof.
rewrite (star_free J_diag) (cubed_row_sums ones_n parts) (squares_joined ones_n parts).
by rewrite (cubes_joined ones_n parts).
Qed.
Lemma double_apart_J : double_apart_sum J = of_double_apart n.
Proof. by rewrite (double_apartE J_sym) edge_J double_adjacent_J triple_J /of_double_apart; ring. Qed.
Lemma cherry_apart_J : cherry_apart_sum J = of_cherry_apart n.
Proof.
by rewrite (cherry_apartE J_sym) edge_J double_adjacent_J triangle_J path_J star_J /of_cherry_apart; ring.
Qed.
Lemma three_apart_J : three_apart_sum J = of_three_apart n.
Proof.
have := cube_of_pairs J_sym; rewrite edge_J triple_J double_adjacent_J triangle_J path_J star_J double_apart_J.
rewrite cherry_apart_J expr0n /= => /esym /eqP; rewrite addrC addr_eq0 => /eqP ->.
by rewrite /of_three_apart.
Qed.

Lemma none_of m (F : of_points R T m) : (#|T| < m)%N -> distinct_sum F = 0.
Proof.
move=> mT; rewrite /distinct_sum big1 // => s us.
by have := card_ge us (size_tuple s); rewrite leqNgt mT.
Qed.
End Side.
