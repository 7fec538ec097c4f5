(* The third moment of a sum over pairs of which one side is permuted: both sides by the same eight shapes. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra all_solvable.
From mathcomp Require Import ring.
From splitcrit Require Import defs distinct null gini_null factorial distinct6 third_shapes.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Diagonal.
Variables (R : realFieldType) (T : finType) (M : T -> T -> R).
Definition off_diagonal u v : R := if u == v then 0 else M u v.

Ltac off := rewrite /= /off_diagonal !inE ?negb_or;
  repeat match goal with
  | |- is_true (_ && _) -> _ => move=> /andP []
  | |- is_true (_ != _) -> _ => move=> /negPf ->
  | |- is_true _ -> _ => move=> _
  end; rewrite //.

Lemma edge_off : edge_sum off_diagonal = edge_sum M.
Proof. by apply: eq_bigr => [[[|u [|v []]] // sz]]; off. Qed.
Lemma double_off : double_sum off_diagonal = double_sum M.
Proof. by apply: eq_bigr => [[[|u [|v []]] // sz]]; off. Qed.
Lemma cherry_off : cherry_sum off_diagonal = cherry_sum M.
Proof. by apply: eq_bigr => [[[|u [|v [|w []]]] // sz]]; off. Qed.
Lemma triple_off : triple_sum off_diagonal = triple_sum M.
Proof. by apply: eq_bigr => [[[|u [|v []]] // sz]]; off. Qed.
Lemma double_adjacent_off : double_adjacent_sum off_diagonal = double_adjacent_sum M.
Proof. by apply: eq_bigr => [[[|u [|v [|w []]]] // sz]]; off. Qed.
Lemma triangle_off : triangle_sum off_diagonal = triangle_sum M.
Proof. by apply: eq_bigr => [[[|u [|v [|w []]]] // sz]]; off. Qed.
Lemma path_off : path_sum off_diagonal = path_sum M.
Proof. by apply: eq_bigr => [[[|u [|v [|w [|x []]]]] // sz]]; off. Qed.
Lemma star_off : star_sum off_diagonal = star_sum M.
Proof. by apply: eq_bigr => [[[|u [|v [|w [|x []]]]] // sz]]; off. Qed.
Lemma double_apart_off : double_apart_sum off_diagonal = double_apart_sum M.
Proof. by apply: eq_bigr => [[[|u [|v [|w [|x []]]]] // sz]]; off. Qed.
Lemma cherry_apart_off : cherry_apart_sum off_diagonal = cherry_apart_sum M.
Proof. by apply: eq_bigr => [[[|u [|v [|w [|x [|y []]]]]] // sz]]; off. Qed.
Lemma three_apart_off : three_apart_sum off_diagonal = three_apart_sum M.
Proof. by apply: eq_bigr => [[[|u [|v [|w [|x [|y [|z []]]]]]] // sz]]; off. Qed.

Lemma D2E : D2 M = edge_sum M.
Proof.
rewrite -edge_off -pairsE => [|u]; last by rewrite /off_diagonal eqxx.
apply: eq_bigr => u _; rewrite [RHS](bigD1 u) //= {1}/off_diagonal eqxx add0r.
by apply: eq_bigr => v vu; rewrite /off_diagonal eq_sym (negPf vu).
Qed.

Hypothesis sym : forall u v, M u v = M v u.
Lemma off_sym u v : off_diagonal u v = off_diagonal v u. Proof. by rewrite /off_diagonal eq_sym sym. Qed.
Lemma off_diag u : off_diagonal u u = 0. Proof. by rewrite /off_diagonal eqxx. Qed.

Lemma double_apartE :
  double_apart_sum M = double_sum M * edge_sum M - 4%:R * double_adjacent_sum M - 2%:R * triple_sum M.
Proof.
have := double_times_edge off_sym off_diag; rewrite double_off edge_off triple_off double_adjacent_off double_apart_off.
by move=> ->; ring.
Qed.
Lemma cherry_apartE : cherry_apart_sum M = cherry_sum M * edge_sum M - 4%:R * path_sum M - 2%:R * star_sum M
  - 4%:R * double_adjacent_sum M - 2%:R * triangle_sum M.
Proof.
have := cherry_times_edge off_sym off_diag; rewrite cherry_off edge_off double_adjacent_off triangle_off path_off.
by rewrite star_off cherry_apart_off => ->; ring.
Qed.

(* the cube of a sum over ordered pairs of distinct points, by the eight shapes of three edges *)
Theorem cube_of_pairs : edge_sum M ^+ 3
  = 4%:R * triple_sum M + 24%:R * double_adjacent_sum M + 8%:R * triangle_sum M + 24%:R * path_sum M
    + 8%:R * star_sum M + 6%:R * double_apart_sum M + 12%:R * cherry_apart_sum M + three_apart_sum M.
Proof.
have := cube_by_shapes off_sym off_diag; rewrite edge_off triple_off double_adjacent_off triangle_off path_off star_off.
by rewrite double_apart_off cherry_apart_off three_apart_off.
Qed.
End Diagonal.

Section Mean.
Variables (R : realFieldType) (T : finType) (W Z : T -> T -> R).
Hypotheses (Wsym : forall u v, W u v = W v u) (Zsym : forall u v, Z u v = Z v u).
Local Notation falling m := ((#|T| ^_ m)%:R : R).

(* a sum over m distinct points, the points of one factor permuted: its mean is the product of two sums over (n)_m *)
Lemma mean_of_distinct m (A B : of_points R T m) :
  mean (fun s : {perm T} => \sum_(t : m.-tuple T | uniq t) at_points A t * at_points B (map s t))
  = distinct_sum A * distinct_sum B / falling m.
Proof.
case: (leqP m #|T|) => mT; last first.
  rewrite /distinct_sum big1 => [|t ut]; last by have := card_ge ut (size_tuple t); rewrite leqNgt mT.
  rewrite !mul0r /mean big1 ?mul0r // => s _.
  by rewrite big1 // => t ut; have := card_ge ut (size_tuple t); rewrite leqNgt mT.
have N0 : falling m != 0 by rewrite pnatr_eq0 -lt0n ffact_gt0.
have := @factor R T m (fun t : m.-tuple T => at_points A t) (fun t : m.-tuple T => at_points B t).
rewrite /mean /distinct_sum /=.
move: (\sum_(s : {perm T}) _) (\sum_(t : _ | _) at_points A _) (\sum_(t : _ | _) at_points B _) => S a b.
move: N0 (nfact0 R T).
move: (falling m) (#|T|`!%:R : R) => x g x0 g0 e; apply: (mulfI x0); rewrite mulrA e; field.
by rewrite x0 g0.
Qed.


Local Notation moved s := (fun u v => W u v * Z (s u) (s v)).
Lemma mean_triple : mean (fun s : {perm T} => triple_sum (moved s)) = triple_sum W * triple_sum Z / falling 2.
Proof. by rewrite -mean_of_distinct; apply: mean_ext => s; apply: eq_bigr => [[[|u [|v []]] // sz]] _ /=; ring. Qed.
Lemma mean_double_adjacent : mean (fun s : {perm T} => double_adjacent_sum (moved s))
  = double_adjacent_sum W * double_adjacent_sum Z / falling 3.
Proof.
by rewrite -mean_of_distinct; apply: mean_ext => s; apply: eq_bigr => [[[|u [|v [|w []]]] // sz]] _ /=; ring.
Qed.
Lemma mean_triangle : mean (fun s : {perm T} => triangle_sum (moved s)) = triangle_sum W * triangle_sum Z / falling 3.
Proof.
by rewrite -mean_of_distinct; apply: mean_ext => s; apply: eq_bigr => [[[|u [|v [|w []]]] // sz]] _ /=; ring.
Qed.
Lemma mean_path : mean (fun s : {perm T} => path_sum (moved s)) = path_sum W * path_sum Z / falling 4.
Proof.
by rewrite -mean_of_distinct; apply: mean_ext => s; apply: eq_bigr => [[[|u [|v [|w [|x []]]]] // sz]] _ /=; ring.
Qed.
Lemma mean_star : mean (fun s : {perm T} => star_sum (moved s)) = star_sum W * star_sum Z / falling 4.
Proof.
by rewrite -mean_of_distinct; apply: mean_ext => s; apply: eq_bigr => [[[|u [|v [|w [|x []]]]] // sz]] _ /=; ring.
Qed.
Lemma mean_double_apart : mean (fun s : {perm T} => double_apart_sum (moved s))
  = double_apart_sum W * double_apart_sum Z / falling 4.
Proof.
by rewrite -mean_of_distinct; apply: mean_ext => s; apply: eq_bigr => [[[|u [|v [|w [|x []]]]] // sz]] _ /=; ring.
Qed.
Lemma mean_cherry_apart : mean (fun s : {perm T} => cherry_apart_sum (moved s))
  = cherry_apart_sum W * cherry_apart_sum Z / falling 5.
Proof.
rewrite -mean_of_distinct; apply: mean_ext => s.
by apply: eq_bigr => [[[|u [|v [|w [|x [|y []]]]]] // sz]] _ /=; ring.
Qed.
Lemma mean_three_apart : mean (fun s : {perm T} => three_apart_sum (moved s))
  = three_apart_sum W * three_apart_sum Z / falling 6.
Proof.
rewrite -mean_of_distinct; apply: mean_ext => s.
by apply: eq_bigr => [[[|u [|v [|w [|x [|y [|z []]]]]]] // sz]] _ /=; ring.
Qed.

(* the third moment of the sum over pairs: eight shapes, each its number of copies times the sums of both sides *)
Theorem mean_stat_cube : mean (fun s => stat W Z s ^+ 3)
  = 4%:R * (triple_sum W * triple_sum Z / falling 2)
    + 24%:R * (double_adjacent_sum W * double_adjacent_sum Z / falling 3)
    + 8%:R * (triangle_sum W * triangle_sum Z / falling 3) + 24%:R * (path_sum W * path_sum Z / falling 4)
    + 8%:R * (star_sum W * star_sum Z / falling 4) + 6%:R * (double_apart_sum W * double_apart_sum Z / falling 4)
    + 12%:R * (cherry_apart_sum W * cherry_apart_sum Z / falling 5)
    + three_apart_sum W * three_apart_sum Z / falling 6.
Proof.
rewrite -mean_triple -mean_double_adjacent -mean_triangle -mean_path -mean_star -mean_double_apart.
rewrite -mean_cherry_apart -mean_three_apart -!mean_scale -!mean_add; apply: mean_ext => s.
by rewrite /stat D2E cube_of_pairs // => u v; rewrite Wsym Zsym.
Qed.
End Mean.
