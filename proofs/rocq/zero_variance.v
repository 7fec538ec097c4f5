(* The null variance that the library returns: never negative, and 0 exactly for even and thin margins. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs distinct null gini_null generated tie moments signs.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section ZeroVariance.
Variables (R : realFieldType) (r K : nat) (a : 'I_r -> nat) (b : 'I_K -> nat).
Hypotheses (a_pos : margin a) (b_pos : margin b) (same_n : (\sum_i a i = \sum_j b j)%N).
Variable d : R.
Hypothesis d0 : d != 0.
Let x (i : 'I_r) : R := (a i)%:R.
Let y (j : 'I_K) : R := (b j)%:R.
Local Notation N := (\sum_i a i)%N.
Local Notation n := (N%:R : R).
Let A := py_uneven_rows (\sum_i x i) r%:R (\sum_i (x i)^-1).
Let U := py_thick_rows (\sum_i x i) r%:R A.
Let B := py_uneven_classes (\sum_j y j) (\sum_j y j ^+ 2) (\sum_j y j ^+ 3).
Let V := py_thick_classes (\sum_j y j) (\sum_j y j ^+ 2) B.

Lemma nB_gt0 k : (k < N)%N -> 0 < n - k%:R.
Proof. by move=> h; rewrite subr_gt0 ltr_nat. Qed.

Lemma nB1_gt0 : (1 < N)%N -> 0 < n - 1.
Proof. exact: (@nB_gt0 1). Qed.

Lemma exact_varianceE : py_exact_variance x y d
  = if (N < 3)%N then 0
    else 4%:R * B * A / ((n - 1) * (n - 2%:R) ^+ 2 * n ^+ 4)
         + (if (3 < N)%N then 2%:R * V * U / (n * (n - 1) * (n - 2%:R) * (n - 3%:R) * (n - 1) * (n - 2%:R) * n ^+ 2)
            else 0).
Proof.
rewrite /py_exact_variance.
have -> : (\sum_i d / x i) / d = \sum_i (x i)^-1 by rewrite -mulr_sumr mulrAC mulfV // mul1r.
have -> : \sum_k y k * y k = \sum_k y k ^+ 2 by apply: eq_bigr => k _; rewrite expr2.
rewrite -/B -/V -/A -/U.
rewrite !sum_totals -same_n !ltr_nat !ler_nat; case: ltnP => // N3.
have n0 : n != 0 by rewrite gt_eqF // ltr0n; exact: leq_trans N3.
have n1 : n - 1 != 0 by rewrite gt_eqF // nB1_gt0 //; exact: leq_trans N3.
have n2 : n - 2%:R != 0 by rewrite gt_eqF // nB_gt0.
rewrite /py_variance /py_uneven_weight /py_thick_weight.
case: ltnP => N4; last by rewrite mul0r; move: A B n n0 n1 n2 => a' b' m m0 m1 m2; field; rewrite m0 m1 m2.
have n3 : n - 3%:R != 0 by rewrite gt_eqF // nB_gt0.
by move: A B U V n n0 n1 n2 n3 => a' b' u v m m0 m1 m2 m3; field; rewrite m0 m1 m2 m3.
Qed.

Let N0b : (0 < N)%N -> (0 < \sum_j b j)%N. Proof. by rewrite same_n. Qed.
Let A0 : 0 <= A. Proof. exact: py_uneven_rows_ge0. Qed.
Let U0 : (0 < N)%N -> 0 <= U. Proof. exact: py_thick_rows_ge0. Qed.
Let B0 : (0 < N)%N -> 0 <= B. Proof. by move/N0b; exact: py_uneven_classes_ge0. Qed.
Let V0 : (0 < N)%N -> 0 <= V. Proof. by move/N0b; exact: py_thick_classes_ge0. Qed.

Let first_ge0 : (2 < N)%N -> 0 < (n - 1) * (n - 2%:R) ^+ 2 * n ^+ 4.
Proof.
move=> N3; have N0 : (0 < N)%N by apply: ltn_trans N3.
by rewrite !mulr_gt0 ?exprn_gt0 ?nB1_gt0 ?nB_gt0 ?ltr0n //; exact: ltnW.
Qed.
Let second_ge0 : (3 < N)%N -> 0 < n * (n - 1) * (n - 2%:R) * (n - 3%:R) * (n - 1) * (n - 2%:R) * n ^+ 2.
Proof.
move=> N4; have N0 : (0 < N)%N by apply: ltn_trans N4.
have N3 : (2 < N)%N by exact: ltnW. have N2 : (1 < N)%N by exact: ltnW.
by rewrite !mulr_gt0 ?exprn_gt0 ?nB1_gt0 ?nB_gt0 ?ltr0n.
Qed.

(* For any positive whole totals of rows and classes with one sum, the variance that the library returns is >= 0. *)
Theorem py_exact_variance_ge0 : 0 <= py_exact_variance x y d.
Proof.
rewrite exact_varianceE; case: ltnP => // N3; have N0 : (0 < N)%N by apply: leq_trans N3.
have t1 : 0 <= 4%:R * B * A by rewrite !mulr_ge0 ?ler0n ?B0.
rewrite addr_ge0 ?(divr_ge0 t1) ?(ltW (first_ge0 _)) //; case: ltnP => // N4.
by rewrite divr_ge0 ?(ltW (second_ge0 _)) // !mulr_ge0 ?ler0n ?V0 ?U0.
Qed.

(* The variance that the library returns is 0 exactly if there are at most two observations, or one margin is even and
   one margin (the same or the other) is thin: the rule that the library decides in integers. *)
Theorem py_exact_variance_eq0 : py_exact_variance x y d = 0 <->
  (N <= 2)%N \/ ((even_totals a \/ even_totals b) /\ (thin_totals a \/ thin_totals b)).
Proof.
rewrite exact_varianceE; case: ltnP => N3; first by split=> // _; left.
have N0 : (0 < N)%N by apply: leq_trans N3.
have eA : A = 0 <-> even_totals a by exact: py_uneven_rows_eq0.
have eB : B = 0 <-> even_totals b by apply: py_uneven_classes_eq0 => //; exact: N0b.
have eU : U = 0 <-> thin_totals a by exact: py_thick_rows_eq0.
have eV : V = 0 <-> thin_totals b by apply: py_thick_classes_eq0 => //; exact: N0b.
have t1 : 0 <= 4%:R * B * A by rewrite !mulr_ge0 ?ler0n ?B0.
have f1 := first_ge0 N3.
have zero p q c e : 0 < e -> c != 0 -> (c * p * q / e == 0 :> R) = (p == 0) || (q == 0).
  by move=> e0 c0; rewrite !mulf_eq0 invr_eq0 (gt_eqF e0) orbF (negPf c0).
have c4 : 4%:R != 0 :> R by rewrite pnatr_eq0.
have c2 : 2%:R != 0 :> R by rewrite pnatr_eq0.
have orbP (p q : bool) (P Q : Prop) : (p <-> P) -> (q <-> Q) -> (p || q) <-> (P \/ Q).
  by move=> [p1 p2] [q1 q2]; split=> [/orP[/p1|/q1]|[/p2|/q2] ->]; rewrite ?orbT //; [left|right].
have AB : (B == 0) || (A == 0) <-> even_totals a \/ even_totals b.
  by rewrite orbC; apply: orbP; [rewrite -eA|rewrite -eB]; split=> /eqP.
have UV : (V == 0) || (U == 0) <-> thin_totals a \/ thin_totals b.
  by rewrite orbC; apply: orbP; [rewrite -eU|rewrite -eV]; split=> /eqP.
case: (ltnP 3) => N4.
  have f2 := second_ge0 N4; have t2 : 0 <= 2%:R * V * U by rewrite !mulr_ge0 ?ler0n ?V0 ?U0.
  split=> [/eqP|[|[e1 e2]]]; last 2 first.
  - by rewrite leqNgt N3.
  - by apply/eqP; rewrite paddr_eq0 ?divr_ge0 ?(ltW f1) ?(ltW f2) // !zero //; apply/andP; split; [apply/AB|apply/UV].
  rewrite paddr_eq0 ?divr_ge0 ?(ltW f1) ?(ltW f2) // !zero // => /andP[/AB e1 /UV e2].
  by right.
have N3' : N = 3%N by apply/eqP; rewrite eqn_leq N4 N3.
have thin3 : thin_totals a.
  apply/(thinP a_pos) => i; have := total_le a i; rewrite N3'.
  case ai : (a i) => [|[|m]] h; [by have := a_pos i; rewrite ai|by left|right].
  split; first by rewrite leq_subLR; case: m {h ai}.
  move=> l li; apply/eqP; rewrite eqn_leq; apply/andP; split; last exact: a_pos.
  have : (N <= (a i).+1)%N by rewrite N3' ai; case: m {h ai}.
  rewrite (bigD1 i) //= (bigD1 l) //= -addn1 leq_add2l => e.
  by apply: leq_trans e; exact: leq_addr.
rewrite addr0; split=> [/eqP|[|[e1 e2]]]; last 2 first.
- by rewrite leqNgt N3.
- by apply/eqP; rewrite zero //; apply/AB.
by rewrite zero // => /AB e1; right; split=> //; left.
Qed.
End ZeroVariance.

Section Instance.
Variable R : realFieldType.
Let x : 'I_2 -> R := fun i => (two 3 7 i)%N%:R.
Let y : 'I_2 -> R := fun j => (two 4 6 j)%N%:R.

(* Rows (3, 7) and classes (4, 6): the variance is 1264/525^2. *)
Example variance_of_3_7_and_4_6 :
  [/\ margin (two 3 7)%N, margin (two 4 6)%N, (\sum_i two 3 7 i = \sum_i two 4 6 i)%N
    & py_exact_variance x y 21%:R = 1264%:R / 525%:R ^+ 2].
Proof.
split; try by move=> i; rewrite /two; case: (i == 0).
  by rewrite !big_ord_recl !big_ord0.
rewrite /py_exact_variance !sum2 /x /y /two /= -!natrD !ltr_nat !ler_nat /=.
rewrite /py_variance /py_uneven_weight /py_thick_weight /py_thick_classes /py_uneven_classes /py_thick_rows.
by rewrite /py_uneven_rows; field.
Qed.

(* Rows (5, 1) and classes (3, 3): the gain is 1/10 for every permutation, its variance 0. *)
Example variance_of_5_1_and_3_3 :
  py_exact_variance (fun i => (two 5 1 i)%N%:R : R) (fun j => (two 3 3 j)%N%:R) 5%:R = 0.
Proof.
have [a_pos b_pos same_n [thin _ even _]] := margins_5_1_and_3_3.
apply/py_exact_variance_eq0 => //; first by rewrite pnatr_eq0.
by right; split; [right|left].
Qed.
End Instance.
