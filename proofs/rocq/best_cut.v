(* The p-value of the best cut, two classes: what the recursion over lattice paths gives, and that it is valid. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import generated paths equally_likely pvalues.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section BestCut.
Variables (R : realFieldType) (n : nat) (y : 'I_n -> bool).
Local Notation b := #|[pred i | y i]|.
(* the score of a cut with m labels on the left, x of the first class; the cuts that are looked at *)
Variables (score : nat -> nat -> R) (first : nat) (more : seq nat).
Local Notation cuts := (first :: more).
Hypothesis places : all (fun m => (0 < m < n)%N) cuts.

Definition at_cut (m : nat) (w : seq bool) : R := score m (ones (take m w)).
Definition best (w : seq bool) : R := \big[Num.max/at_cut first w]_(m <- more) at_cut m w.
(* the bounds of a score: a cut is inside if it scores less, and where no cut is looked at *)
Definition below (t : R) (m x : nat) : bool := (m \notin cuts) || (score m x < t).

Lemma best_reaches t w : (t <= best w) = has (fun m => t <= at_cut m w) cuts.
Proof.
rewrite /best /=; elim: (more) => [|m l IH]; first by rewrite big_nil orbF.
by rewrite big_cons le_maxr IH /= orbCA.
Qed.

Lemma leaves_reaches t w : ~~ stays (below t) n.-1 w = (t <= best w).
Proof.
rewrite best_reaches -has_predC; apply/hasP/hasP => [[m]|[m mc mt]].
  by rewrite mem_iota /= negb_or negbK -leNgt => _ /andP[mc mt]; exists m.
exists m; last by rewrite /= negb_or negbK mc -leNgt.
have /andP[m0 mn] := allP places m mc.
by rewrite mem_iota m0 add1n prednK //; exact: leq_trans mn.
Qed.

(* The p-value that the recursion gives to the best cut: paths that leave the bounds of lower scores, over C(n, b). *)
Definition path_pvalue (s : 'S_n) : R := (leaving (below (best (order_of y s))) n b)%:R / 'C(n, b)%:R.

(* For any score, any cuts and any ties among them: the p-value by lattice paths is the share of permutations of the
   labels whose best cut scores at least as high as the one observed. *)
Theorem path_pvalue_is_permutation_tail s : path_pvalue s = tail (fun t => best (order_of y t)) s.
Proof.
have c0 : 'C(n, b)%:R != 0 :> R.
  by rewrite pnatr_eq0 -lt0n bin_gt0 -[X in (_ <= X)%N](card_ord n) max_card.
have f0 : n`!%:R != 0 :> R by rewrite pnatr_eq0 -lt0n fact_gt0.
have := leaving_paths_are_leaving_permutations y (below (best (order_of y s))).
rewrite (eq_card (B := [pred t | best (order_of y s) <= best (order_of y t)])); last first.
  by move=> t; rewrite !inE leaves_reaches.
move/(congr1 (fun k => k%:R : R)); rewrite !natrM => e.
rewrite /path_pvalue /tail /reaching card_Sn; apply: (mulIf c0); rewrite mulfVK // mulrAC e.
by rewrite [n`!%:R * _]mulrC mulfK.
Qed.

(* If the labels are in random order, the p-value of the best cut is at most u with probability at most u. *)
Theorem path_pvalue_is_valid (u : R) : 0 <= u -> #|[pred s | path_pvalue s <= u]|%:R <= u * (n`!)%:R.
Proof.
move=> u0; have := exact_pvalue_is_valid (fun t : 'S_n => best (order_of y t)) u0; rewrite card_Sn.
by rewrite (eq_card (B := [pred s | path_pvalue s <= u])) // => s; rewrite !inE path_pvalue_is_permutation_tail.
Qed.

(* At each value it takes it is exact: the share of permutations whose p-value is at or below it is that value. *)
Theorem path_pvalue_is_uniform_on_its_values (s : 'S_n) :
  #|[pred t | path_pvalue t <= path_pvalue s]|%:R = path_pvalue s * (n`!)%:R.
Proof.
have := exact_pvalue_is_uniform_on_its_values (fun t : 'S_n => best (order_of y t)) s; rewrite card_Sn.
rewrite path_pvalue_is_permutation_tail => <-; congr (_%:R); apply: eq_card => t.
by rewrite !inE path_pvalue_is_permutation_tail.
Qed.
End BestCut.

Section Recursion.
(* The float64 loop keeps chances, not counts: q_m(x), given that the path is at x after m labels. *)
Variables (R : realFieldType) (inside : nat -> nat -> bool).
Fixpoint chance (m x : nat) : R :=
  if m is m'.+1 then
    if inside m x then chance m' x * (m%:R - x%:R) / m%:R + (if x is x'.+1 then chance m' x' * x%:R / m%:R else 0)
    else 0
  else (x == 0%N)%:R.
(* the same before the bounds of cut m are looked at *)
Definition chance_before (m x : nat) : R :=
  if m is m'.+1 then
    chance m' x * (m%:R - x%:R) / m%:R + (if x is x'.+1 then chance m' x' * x%:R / m%:R else 0)
  else (x == 0%N)%:R.

Lemma kept0 k z : (k < z)%N -> kept inside k z = 0%N.
Proof.
elim: k z => [|k IH] z kz /=; first by case: z kz.
case: ifP => // _; rewrite IH; last by exact: ltn_trans kz.
by case: z kz => // z kz; rewrite IH.
Qed.

Lemma grown_share m x : (forall x, (kept inside m x)%:R = 'C(m, x)%:R * chance m x) ->
  (grown inside m.+1 x)%:R = 'C(m.+1, x)%:R * chance_before m.+1 x.
Proof.
move=> IH; have m0 : m.+1%:R != 0 :> R by rewrite pnatr_eq0.
rewrite /= natrD mulrDr; congr (_ + _).
  have [xm'|mx] := leqP x m.+1; last by rewrite kept0 ?bin_small ?mul0r //; exact: ltnW.
  rewrite IH //; have e : 'C(m.+1, x)%:R * (m.+1%:R - x%:R) = m.+1%:R * 'C(m, x)%:R :> R.
    by rewrite -natrB // -!natrM mulnC -mul_bin_down mulnC.
  have -> : 'C(m.+1, x)%:R * (chance m x * (m.+1%:R - x%:R) / m.+1%:R)
     = ('C(m.+1, x)%:R * (m.+1%:R - x%:R)) * chance m x / m.+1%:R by ring.
  by rewrite e [RHS]mulrC -!mulrA mulKf.
case: x => [|x]; first by rewrite mulr0.
rewrite IH //; have e : 'C(m.+1, x.+1)%:R * x.+1%:R = m.+1%:R * 'C(m, x)%:R :> R.
  by rewrite -!natrM mulnC -mul_bin_diag.
have -> : 'C(m.+1, x.+1)%:R * (chance m x * x.+1%:R / m.+1%:R)
   = ('C(m.+1, x.+1)%:R * x.+1%:R) * chance m x / m.+1%:R by ring.
by rewrite e [RHS]mulrC -!mulrA mulKf.
Qed.

(* The recursion q_m(x) = q_(m-1)(x) (m - x)/m + q_(m-1)(x - 1) x/m, 0 outside the bounds, gives the share of the
   C(m, x) orders of m labels with x of the first class whose path is inside the bounds up to m. *)
Theorem chance_recursion_is_share_of_paths m x : (kept inside m x)%:R = 'C(m, x)%:R * chance m x.
Proof.
elim: m x => [|m IH] x; first by case: x => [|x]; rewrite /= ?mulr0 ?bin0 ?mulr1.
rewrite /=; case: ifP => _; last by rewrite mulr0.
exact: (grown_share x IH).
Qed.

(* The probability that the float64 loop adds up, over the cuts and over the x outside, from the hypergeometric chance
   of x and the recursion before the bounds of the cut, is that of the count of paths. *)
Theorem sum_of_chances_is_share_of_leaving_paths n b :
  \sum_(1 <= m < n) \sum_(x < b.+1 | ~~ inside m x)
     ('C(m, x)%:R * 'C(n - m, b - x)%:R / 'C(n, b)%:R) * chance_before m x
  = (leaving inside n b)%:R / 'C(n, b)%:R.
Proof.
rewrite /leaving natr_sum mulr_suml big_nat [RHS]big_nat; apply: eq_bigr => m /andP[m0 _].
rewrite natr_sum mulr_suml; apply: eq_bigr => x _; case: m m0 => // m _.
rewrite natrM grown_share; last exact: chance_recursion_is_share_of_paths.
by ring.
Qed.
End Recursion.

(* Six labels, no no no yes yes yes, and all five cuts scored by the pairwise gain |6 x - 3 m|/2, which is 9/2 at the
   cut in the middle: 2 of the 20 orders reach it. *)
Example best_cut_of_six :
  all (fun m => (0 < m < 6)%N) [:: 1; 2; 3; 4; 5]%N
  /\ leaving (fun m x => 3 * m < 6 * x + 9 < 3 * m + 18)%N 6 3 = 2%N.
Proof. by rewrite recursion_counts_leaving_paths unlock; vm_compute. Qed.
