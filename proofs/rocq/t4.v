From mathcomp Require Import all_ssreflect all_fingroup all_algebra all_solvable.
From mathcomp Require Import ring.
From splitcrit Require Import generated.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Section A.
Variable R : realFieldType.
Section S.
Variables c t d p f : R.
Definition o_triple m := c + 6%:R * d + 6%:R * p + (2%:R * m - 8%:R) * f : R.
Definition o_squares m := (m - 2%:R) * (d + 2%:R * p + (m - 4%:R) * f) : R.
Definition o_triangle m := t - 6%:R * d + (3%:R * m - 12%:R) * p + (16%:R - 6%:R * m) * f : R.
Definition o_path m :=
  (m - 2%:R) ^+ 2 * (p - 2%:R * f) - 2%:R * o_squares m + o_triple m - o_triangle m : R.
Definition o_star m := (m - 2%:R) ^+ 3 * f - 3%:R * o_squares m + 2%:R * o_triple m : R.
Definition o_double_apart m := - 4%:R * (o_squares m - o_triple m) - 2%:R * o_triple m : R.
Definition o_cherry_apart m :=
  - 4%:R * o_path m - 2%:R * o_star m - 4%:R * (o_squares m - o_triple m) - 2%:R * o_triangle m : R.
Definition o_three_apart m :=
  - (4%:R * o_triple m + 24%:R * (o_squares m - o_triple m) + 8%:R * o_triangle m + 24%:R * o_path m
     + 8%:R * o_star m + 6%:R * o_double_apart m + 12%:R * o_cherry_apart m) : R.
End S.
Lemma six c t d p f c' t' d' p' f' n : n != 0 -> n - 1 != 0 -> n - 2%:R != 0 -> n - 3%:R != 0 -> n - 4%:R != 0 -> n - 5%:R != 0 ->
 (4%:R * (o_triple c d p f n * o_triple c' d' p' f' n / (n * (n - 1)))
 + 24%:R * ((o_squares d p f n - o_triple c d p f n) * (o_squares d' p' f' n - o_triple c' d' p' f' n) / (n * (n - 1) * (n - 2%:R)))
 + 8%:R * (o_triangle t d p f n * o_triangle t' d' p' f' n / (n * (n - 1) * (n - 2%:R)))
 + 24%:R * (o_path c t d p f n * o_path c' t' d' p' f' n / (n * (n - 1) * (n - 2%:R) * (n - 3%:R)))
 + 8%:R * (o_star c d p f n * o_star c' d' p' f' n / (n * (n - 1) * (n - 2%:R) * (n - 3%:R)))
 + 6%:R * (o_double_apart c d p f n * o_double_apart c' d' p' f' n / (n * (n - 1) * (n - 2%:R) * (n - 3%:R)))
 + 12%:R * (o_cherry_apart c t d p f n * o_cherry_apart c' t' d' p' f' n / (n * (n - 1) * (n - 2%:R) * (n - 3%:R) * (n - 4%:R)))
 + o_three_apart c t d p f n * o_three_apart c' t' d' p' f' n / (n * (n - 1) * (n - 2%:R) * (n - 3%:R) * (n - 4%:R) * (n - 5%:R))) / n ^+ 3
 = py_third_by_invariants n (n - 1) (n - 2%:R) (n - 3%:R) (n - 4%:R) (n - 5%:R) c c' t t' d d' p p' f f'.
Proof.
move=> n0 n1 n2 n3 n4 n5; rewrite /py_third_by_invariants.
rewrite /o_three_apart /o_cherry_apart /o_double_apart /o_star /o_path /o_triangle /o_squares /o_triple.
field.
by rewrite n0 n1 n2 n3 n4 n5.
Qed.
End A.
