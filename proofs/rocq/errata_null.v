(* wang2024, eqs. (23) to (26): the mean of the squared Gini gain as four sums over pairs of cells, as printed and with
   the indices put right. *)
From mathcomp Require Import all_ssreflect all_algebra.
From splitcrit Require Import defs generated evaluate.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section FourSums.
Variable R : realFieldType.

(* the mean of C2 x^2 + C3 x^3 + C4 x^4 of a cell x of row total a and class total b among n examples (Lemma 2) *)
Definition mean_of_powers (C2 C3 C4 : R) (a b n : nat) : R :=
  let over x : R := (a ^_ x * b ^_ x)%:R / (n ^_ x)%:R in
  (C2 + C3 + C4) * over 1%N + (C2 + 3%:R * C3 + 7%:R * C4) * over 2%N + (C3 + 6%:R * C4) * over 3%N + C4 * over 4%N.

(* C1 and C4: x/m and (x)_2/(m)_2 of a total x among the m examples that are left *)
Definition first_quotient (x m : nat) : R := x%:R / m%:R.
Definition second_quotient (x m : nat) : R := (x ^_ 2)%:R / (m ^_ 2)%:R.
Definition given_one (C1 C4 : R) (left a b n : nat) : R :=
  mean_of_powers ((C1 - C4) * left%:R + C4 * left%:R ^+ 2) (- 2%:R * left%:R * C4 + C4 - C1) C4 a b n.

(* eq. (23), the same cell of row total a and class total b *)
Definition same_cell (a b n : nat) : R := mean_of_powers 0 0 1 a b n / (n * a)%:R ^+ 2.
(* eq. (24), the same class, in rows of totals a and a'; C1 and C4 are those of the total [row] *)
Definition same_class (row a b n a' : nat) : R :=
  given_one (first_quotient row (n - a)) (second_quotient row (n - a)) b a b n / (n * n * a * a')%:R.
(* eq. (25), the same row; C1 and C4 of the total [class], falling factorials of the total [factorial] *)
Definition same_row (class factorial a b n : nat) : R :=
  given_one (first_quotient class (n - b)) (second_quotient class (n - b)) a a factorial n / (n * n * a * a)%:R.
(* eq. (26), different rows and classes; constants of the totals [row] and [class] *)
Definition neither (row class factorial a b n a' : nat) : R :=
  let r1 := first_quotient row (n - a) in let r2 := second_quotient row (n - a) in
  let c1 := first_quotient class (n - b) in let c2 := second_quotient class (n - b) in let k : R := class%:R in
  let two := r2 * c2 in let one := (2%:R * r2 * (1 - k) - r1) * c1 in let none := k * (r1 - r2) + r2 * k ^+ 2 in
  mean_of_powers (none + (one - two) * a%:R + two * a%:R ^+ 2) (two - one - 2%:R * two * a%:R) two a factorial n
  / (n * n * a * a')%:R.

(* the four sums over all pairs of cells, and the variance by eqs. (19) and (21) *)
Definition four_sums (printed : bool) r K (a : 'I_r -> nat) (b : 'I_K -> nat) (n : nat) : R :=
  \sum_i \sum_j \sum_i' \sum_j'
    if i == i' then if j == j' then same_cell (a i) (b j) n
      else (if printed then same_row (b j) (b j') (a i) (b j) n else same_row (b j') (b j) (a i) (b j) n)
    else if j == j' then
      (if printed then same_class (a i) (a i) (b j) n (a i') else same_class (a i') (a i) (b j) n (a i'))
    else (if printed then neither (a i) (b j) (b j') (a i) (b j) n (a i')
      else neither (a i') (b j') (b j) (a i) (b j) n (a i')).
Definition variance_by_four_sums (printed : bool) r K (a : 'I_r -> nat) (b : 'I_K -> nat) (n : nat) : R :=
  let mean := py_exact_mean (fun i => (a i)%:R : R) (fun k => (b k)%:R) in
  let share := (\sum_k (b k)%:R ^+ 2) / n%:R ^+ 2 in
  - share ^+ 2 - 2%:R * share * mean + four_sums printed a b n - mean ^+ 2.

(* S-E3, S-E4, S-E5: with the constants and falling factorials of the printed totals the variance is negative, -1/144,
   at the margins (2, 2) and (2, 1, 1). With the other row and the other class it is the library's 1/72. *)
Theorem erratum_wang2024_four_sums :
  let a (i : 'I_2) := nth 0%N [:: 2; 2]%N i in let b (k : 'I_3) := nth 0%N [:: 2; 1; 1]%N k in
  [/\ variance_by_four_sums true a b 4 = - (1 / 144%:R), variance_by_four_sums false a b 4 = 1 / 72%:R &
      py_exact_variance (fun i => (a i)%:R) (fun k => (b k)%:R) 2%:R = 1 / 72%:R :> R].
Proof. by cbv zeta; split; evaluate. Qed.

(* S-E6: what is printed has no value where a row leaves fewer than two examples, as every split that cuts off one does:
   the quotient (x)_2/(m)_2 is then 0/0. With it read as 0 the four sums give the variance there too. *)
Theorem erratum_wang2024_quotients_without_value :
  let a (i : 'I_2) := nth 0%N [:: 1; 3]%N i in let b (k : 'I_2) := nth 0%N [:: 2; 2]%N k in
  [/\ ((4 - 3) ^_ 2 = 0)%N, ((1 ^_ 2) = 0)%N &
      variance_by_four_sums false a b 4 = py_exact_variance (fun i => (a i)%:R) (fun k => (b k)%:R) 3%:R :> R].
Proof. by cbv zeta; split; [| | evaluate]. Qed.

(* S-E2, eq. (20), first line: in our words, the cell of the other row and the other class has the hypergeometric law of a_i' draws
   among N - a_i with b_j - n_ij marked. That is the law of the other row and the same class: with all margins 1 and
   n_ij = 0 the one mean is that of n_i'j, 1, and n_i'j' is 0. *)
Theorem erratum_wang2024_conditional_cell (cell : 'I_2 -> 'I_2 -> nat) : (forall i, \sum_k cell i k = 1)%N ->
  (forall k, \sum_i cell i k = 1)%N -> cell 0 0 = 0%N ->
  let mean : R := 1 * (1 - (cell 0 0)%:R) / (2%:R - 1) in (cell 1 0)%:R = mean /\ (cell 1 1)%:R != mean.
Proof.
move=> rows columns z; have := columns 0; have := rows 1; rewrite !big_ord_recl !big_ord0 !addn0.
rewrite (_ : lift ord0 ord0 = 1); last exact: val_inj.
rewrite [cell ord0 0]z add0n => r c; move: r; rewrite [cell 1 ord0]c => /eqP; rewrite eqSS => /eqP z1.
by cbv zeta; rewrite z1; split; evaluate.
Qed.

Example cells_instance : let cell (i k : 'I_2) : nat := (i != k) in
  [/\ forall i, (\sum_k cell i k = 1)%N, forall k, (\sum_i cell i k = 1)%N & cell 0 0 = 0%N].
Proof.
by split=> [i|k|] //; rewrite !big_ord_recl big_ord0; [case: i | case: k]; case=> [|[]].
Qed.
End FourSums.
