(* All orders of two classes are equally likely if labels are permuted; the p-value of the best cut. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import paths pvalues.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.

Section Orders.
Variables (n : nat) (y : 'I_n -> bool).
Local Notation b := #|[pred i | y i]|.
(* the labels in the order of the feature after a permutation *)
Definition order_of (s : 'S_n) : n.-tuple bool := [tuple y (s i) | i < n].

Lemma ones_tuple (w : n.-tuple bool) : ones w = #|[pred i | tnth w i]|.
Proof.
rewrite /ones -sum1_count -sum1_card big_tuple /= [LHS]big_mkcond [RHS]big_mkcond.
by apply: eq_bigr => i _; rewrite inE.
Qed.
Lemma ones_order s : ones (order_of s) = b.
Proof.
rewrite ones_tuple -!sum1_card [RHS](reindex_inj (@perm_inj _ s)); apply: eq_bigl => i.
by rewrite !inE tnth_mktuple.
Qed.

Definition times (w : seq bool) : nat := #|[pred s | order_of s == w :> seq bool]|.

Lemma times_le (w w' : n.-tuple bool) : perm_eq w w' -> (times w' <= times w)%N.
Proof.
case/tuple_permP => p e; rewrite /times -(card_imset _ (@mulgI _ p)).
apply: subset_leq_card; apply/subsetP => s /imsetP[t]; rewrite !inE => /eqP ot ->.
apply/eqP; rewrite e; congr (val _); apply: eq_from_tnth => i.
by rewrite !tnth_mktuple permM -(val_inj ot) tnth_mktuple.
Qed.

Lemma times_same (w w' : seq bool) : w \in orders n -> w' \in orders n -> ones w = ones w' -> times w = times w'.
Proof.
rewrite !mem_orders => wn w'n e; have count2 (u : seq bool) : count_mem false u = (seq.size u - ones u)%N.
  by rewrite /ones -(count_predC id u) addKn; apply: eq_count; case.
have p : perm_eq (Tuple wn) (Tuple w'n).
  have ct c (u : seq bool) : count_mem c u = if c then ones u else (seq.size u - ones u)%N.
    by case: c; [apply: eq_count; case|exact: count2].
  by apply/allP => c _ /=; rewrite !ct e (eqP wn) (eqP w'n).
apply/eqP; rewrite eqn_leq -[w]/(val (Tuple wn)) -[w']/(val (Tuple w'n)).
by rewrite !times_le // perm_sym.
Qed.

Lemma sum_permutations (F : seq bool -> nat) :
  (\sum_(s : 'S_n) F (order_of s) = \sum_(w <- orders n) F w * times w)%N.
Proof.
have e (s : 'S_n) : F (order_of s) = (\sum_(w <- orders n) F w * (order_of s == w :> seq bool))%N.
  have ins : val (order_of s) \in orders n by rewrite mem_orders size_tuple.
  rewrite (bigD1_seq (val (order_of s))) ?uniq_orders //= eqxx muln1 big1 ?addn0 // => w.
  by rewrite eq_sym => /negPf ->; rewrite muln0.
rewrite (eq_bigr _ (fun s _ => e s)) exchange_big; apply: eq_bigr => w _ /=.
by rewrite -big_distrr /= /times -sum1_card [in RHS]big_mkcond.
Qed.

(* Each order of the labels, b of n of the first class, comes from equally many permutations: n!/C(n, b) of them. *)
Theorem orders_are_equally_likely (w : seq bool) : w \in orders n -> ones w = b -> (times w * 'C(n, b) = n`!)%N.
Proof.
move=> wn wb; have := sum_permutations (fun=> 1%N); rewrite sum1_card card_Sn => ->.
rewrite -(number_of_orders n b) big_distrr /= big_seq [RHS]big_seq; apply: eq_bigr => v vn.
rewrite mul1n; case: eqP => vb; first by rewrite muln1 -(times_same vn wn) // vb.
rewrite muln0 /times eq_card0 // => s; rewrite !inE; apply/negP => /eqP e.
by apply: vb; rewrite -e ones_order.
Qed.

(* A sum over all permutations of the labels is n!/C(n, b) times the sum over all orders. *)
Theorem sum_over_permutations_is_over_orders (F : seq bool -> nat) :
  ((\sum_(s : 'S_n) F (order_of s)) * 'C(n, b) = n`! * \sum_(w <- orders n) F w * (ones w == b))%N.
Proof.
rewrite sum_permutations big_distrl /= big_distrr /= big_seq [RHS]big_seq; apply: eq_bigr => w wn.
case: eqP => wb; first by rewrite -mulnA orders_are_equally_likely // muln1 mulnC.
rewrite !muln0 /times eq_card0 ?muln0 // => s; rewrite !inE; apply/negP => /eqP e.
by apply: wb; rewrite -e ones_order.
Qed.

(* The share C(n, b) of paths that leave the bounds, as the recursion counts it, is the share of permutations of the
   labels whose path leaves them. *)
Theorem leaving_paths_are_leaving_permutations (inside : nat -> nat -> bool) :
  (#|[pred s | ~~ stays inside n.-1 (order_of s)]| * 'C(n, b) = n`! * leaving inside n b)%N.
Proof.
have := sum_over_permutations_is_over_orders (fun w => ~~ stays inside n.-1 w).
rewrite recursion_counts_leaving_paths => e.
rewrite -sum1_card big_mkcond /= (eq_bigr (fun s => ~~ stays inside n.-1 (order_of s) : nat)); last first.
  by move=> s _; rewrite inE; case: stays.
rewrite e; congr (_ * _)%N; apply: eq_bigr => w _; by case: stays; case: eqP.
Qed.
End Orders.
