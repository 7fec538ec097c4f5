(* The best cut of two classes: lattice paths, orders that are equally likely, and the p-value of the cut. *)
From mathcomp Require Import all_ssreflect fingroup perm ssralg ssrnum ssrint zmodp.
From mathcomp Require Import ring.
From splitcrit Require Import pvalues generated.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.

(* The law of the best cut of two classes by counting lattice paths, and the recursion that counts them. *)
(* orders of n labels of two classes, each once: lists of n booleans, true for the first class *)
Fixpoint orders (n : nat) : seq (seq bool) :=
  if n is m.+1 then [seq rcons s c | s <- orders m, c <- [:: false; true]] else [:: [::]].
Definition ones (s : seq bool) : nat := count id s.

Lemma ordersS n : orders n.+1 = [seq rcons s c | s <- orders n, c <- [:: false; true]].
Proof. by []. Qed.
Lemma mem_orders n s : (s \in orders n) = (size s == n).
Proof.
elim: n s => [|n IH] s; first by rewrite inE; case: s.
rewrite [orders _]ordersS; apply/allpairsPdep/idP => [[t [c [tn _ ->]]]|].
  by rewrite size_rcons eqSS -IH.
case/lastP: s => // s c; rewrite size_rcons eqSS -IH => sn.
by exists s, c; split=> //; case: c.
Qed.
Lemma uniq_orders n : uniq (orders n).
Proof.
by elim: n => // n IH; rewrite ordersS; apply: allpairs_uniq => // - [s c] [t e] _ _ /= /rcons_inj [-> ->].
Qed.

Lemma sum_orders n (F : seq bool -> nat) :
  \sum_(s <- orders n.+1) F s = \sum_(s <- orders n) (F (rcons s false) + F (rcons s true)).
Proof.
rewrite ordersS big_allpairs_dep; apply: eq_bigr => s _.
by rewrite !big_cons big_nil /= addn0.
Qed.
Lemma ones_rcons s c : ones (rcons s c) = ones s + c.
Proof. by rewrite /ones -cats1 count_cat /= addn0. Qed.

Section Paths.
(* inside m x: a path that has met x labels of the first class among the first m is within the bounds of cut m *)
Variable inside : nat -> nat -> bool.

(* The loop of chance_of_leaving: how many paths that were inside so far stand at x after m labels, and are inside. *)
Fixpoint kept (m x : nat) : nat :=
  if m is m'.+1 then
    if inside m x then kept m' x + (if x is x'.+1 then kept m' x' else 0) else 0
  else (x == 0).
(* the same before the bounds of cut m are looked at *)
Definition grown (m x : nat) : nat :=
  if m is m'.+1 then kept m' x + (if x is x'.+1 then kept m' x' else 0) else (x == 0).

(* the path of an order is within the bounds of all cuts from 1 to m *)
Definition stays (m : nat) (s : seq bool) : bool := all (fun k => inside k (ones (take k s))) (iota 1 m).

Lemma take_rcons k (s : seq bool) c : (k <= size s)%N -> take k (rcons s c) = take k s.
Proof. by move=> h; rewrite -cats1 takel_cat. Qed.
Lemma stays_rcons m s c : (m <= size s)%N -> stays m (rcons s c) = stays m s.
Proof.
move=> h; apply: eq_in_all => k; rewrite mem_iota add1n ltnS => /andP[_ km].
by rewrite take_rcons // (leq_trans km).
Qed.
Lemma staysS m s : stays m.+1 s = stays m s && inside m.+1 (ones (take m.+1 s)).
Proof. by rewrite /stays -(addn1 m) iotaD all_cat /= andbT add1n addn1. Qed.

Lemma keptE m x : kept m x = \sum_(s <- orders m) (stays m s && (ones s == x)).
Proof.
elim: m x => [|m IH] x; first by rewrite big_seq1 /= eq_sym.
rewrite sum_orders /=.
have e : kept m x + (if x is x'.+1 then kept m x' else 0)
    = \sum_(s <- orders m) ((stays m s && (ones s == x)) + (stays m s && ((ones s).+1 == x))).
  rewrite big_split /= -IH; congr (_ + _); case: x => [|x]; last by rewrite IH; apply: eq_bigr => s _; rewrite eqSS.
  by rewrite big1 // => s _; rewrite andbF.
case: ifP => [ins|out].
  rewrite e [LHS]big_seq [RHS]big_seq; apply: eq_bigr => s; rewrite mem_orders => /eqP sm.
  rewrite !staysS !stays_rcons ?sm // !take_oversize ?size_rcons ?sm // !ones_rcons addn0 addn1.
  congr (_ + _); rewrite -andbA; congr (nat_of_bool (_ && _)).
    by case: (ones s =P x) => [->|]; rewrite ?andbT ?andbF // ins.
  by case: ((ones s).+1 =P x) => [->|]; rewrite ?andbT ?andbF // ins.
rewrite big_seq big1 // => s; rewrite mem_orders => /eqP sm.
rewrite !staysS !stays_rcons ?sm // !take_oversize ?size_rcons ?sm // !ones_rcons addn0 addn1.
have z t : stays m s && inside m.+1 t && (t == x) = false.
  by case: (t =P x) => [->|]; rewrite ?out ?andbF.
by rewrite !z.
Qed.

Lemma grownE m x : (0 < m)%N -> grown m x = \sum_(s <- orders m) (stays m.-1 s && (ones s == x)).
Proof.
case: m => // m _; rewrite sum_orders /= big_seq.
transitivity (\sum_(s <- orders m) ((stays m s && (ones s == x)) + (stays m s && ((ones s).+1 == x)))).
  rewrite big_split /= -keptE; congr (_ + _); case: x => [|x].
    by rewrite big1 // => s _; rewrite andbF.
  by rewrite keptE; apply: eq_bigr => s _; rewrite eqSS.
rewrite big_seq; apply: eq_bigr => s; rewrite mem_orders => /eqP sm.
by rewrite !stays_rcons ?sm // !ones_rcons addn0 addn1.
Qed.

(* ways to complete orders of m labels to orders of m + k labels with b of the first class *)
Definition completions k b (t : seq bool) : nat := if (ones t <= b)%N then 'C(k, b - ones t) else 0.
Lemma sum_completions m k b (F : seq bool -> nat) :
  \sum_(s <- orders (m + k)) F (take m s) * (ones s == b) = \sum_(t <- orders m) F t * completions k b t.
Proof.
elim: k b => [|k IH] b.
  rewrite addn0 [LHS]big_seq [RHS]big_seq; apply: eq_bigr => s; rewrite mem_orders => /eqP sm.
  rewrite take_oversize ?sm // /completions bin0n subn_eq0; congr (_ * _).
  by rewrite eqn_leq; case: leqP.
rewrite addnS sum_orders.
have e : \sum_(s <- orders (m + k)) (F (take m (rcons s false)) * (ones (rcons s false) == b)
    + F (take m (rcons s true)) * (ones (rcons s true) == b))
  = \sum_(s <- orders (m + k)) (F (take m s) * (ones s == b) + F (take m s) * ((ones s).+1 == b)).
  rewrite big_seq [RHS]big_seq; apply: eq_bigr => s; rewrite mem_orders => /eqP sm.
  by rewrite !take_rcons ?sm ?leq_addr // !ones_rcons addn0 addn1.
rewrite e big_split /= IH; clear e; case: b => [|b].
  rewrite [X in _ + X]big1 => [|s _]; last by rewrite muln0.
  rewrite addn0; apply: eq_bigr => t _; rewrite /completions leqn0; case: eqP => // ->.
  by rewrite subn0 !bin0.
have -> : \sum_(s <- orders (m + k)) F (take m s) * ((ones s).+1 == b.+1)
  = \sum_(s <- orders (m + k)) F (take m s) * (ones s == b) by apply: eq_bigr => s _; rewrite eqSS.
rewrite IH -big_split; apply: eq_bigr => t _ /=; rewrite -mulnDr /completions; congr (_ * _).
case: (ltngtP (ones t) b.+1) => h.
- by rewrite -ltnS h subSn // binS addnC.
- by rewrite leqNgt (ltn_trans (ltnSn b) h).
by rewrite h subnn ltnn !bin0.
Qed.

(* There are C(n, b) orders of n labels with b of the first class. *)
Theorem number_of_orders n b : \sum_(s <- orders n) (ones s == b) = 'C(n, b).
Proof.
have := sum_completions 0 n b (fun=> 1); rewrite add0n big_seq1 mul1n /completions leq0n subn0 => <-.
by apply: eq_bigr => s _; rewrite mul1n.
Qed.

(* What the loop of the library adds up: the paths that leave for the first time at cut m, in all their completions. *)
Definition leaving (n b : nat) : nat :=
  \sum_(1 <= m < n) \sum_(x < b.+1 | ~~ inside m x) grown m x * 'C(n - m, b - x).

(* The recursion over lattice paths counts the orders of n labels, b of the first class, whose path leaves the bounds
   at one of the cuts 1, ..., n - 1. *)
Theorem recursion_counts_leaving_paths n b :
  leaving n b = \sum_(s <- orders n) ((ones s == b) && ~~ stays n.-1 s).
Proof.
have one m : (0 < m < n)%N -> \sum_(x < b.+1 | ~~ inside m x) grown m x * 'C(n - m, b - x)
   = \sum_(s <- orders n) (stays m.-1 s && ~~ inside m (ones (take m s))) * (ones s == b).
  move=> /andP[m0 mn]; transitivity (\sum_(t <- orders m)
      (stays m.-1 t && ~~ inside m (ones t)) * completions (n - m) b t); last first.
    rewrite -(sum_completions m (n - m) b (fun t => stays m.-1 t && ~~ inside m (ones t))) subnKC ?(ltnW mn) //.
    rewrite big_seq [RHS]big_seq; apply: eq_bigr => s; rewrite mem_orders => /eqP sn; congr (nat_of_bool (_ && _) * _).
    apply: eq_in_all => k; rewrite mem_iota add1n prednK // => /andP[_ km].
    by rewrite take_take // ltnW.
  transitivity (\sum_(x < b.+1 | ~~ inside m x) \sum_(t <- orders m)
      (stays m.-1 t && (ones t == x)) * 'C(n - m, b - x)).
    by apply: eq_bigr => x _; rewrite grownE // big_distrl.
  rewrite exchange_big /=; apply: eq_bigr => t _; rewrite /completions; case: leqP => tb; last first.
    rewrite muln0 big1 // => x _; case: (ones t =P x) => [e|]; last by rewrite andbF.
    by move: (ltn_ord x); rewrite -e ltnS leqNgt tb.
  pose x0 : 'I_b.+1 := Ordinal (tb : (ones t < b.+1)%N).
  case: (boolP (inside m (ones t))) => ins; rewrite ?andbF ?andbT.
    rewrite mul0n big1 // => x xo; case: (ones t =P x) => [e|]; last by rewrite andbF.
    by move: xo; rewrite -e ins.
  rewrite (bigD1 x0) //= eqxx andbT big1 ?addn0 // => x /andP[_ xx0].
  case: (ones t =P x) => [e|]; last by rewrite andbF.
  by case/eqP: xx0; apply: val_inj.
rewrite /leaving big_nat (eq_bigr _ one) -big_nat exchange_big /=; apply: eq_bigr => s _.
rewrite -big_distrl /= mulnC; case: eqP => _; rewrite ?mul0n // mul1n.
case: n {one} => [|n]; first by rewrite big_nil.
rewrite /=; elim: n => [|n IH]; first by rewrite big_nil.
by rewrite big_nat_recr //= IH staysS; case: (stays n s).
Qed.
End Paths.

(* All orders of two classes are equally likely if labels are permuted; the p-value of the best cut. *)
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

(* The p-value of the best cut, two classes: what the recursion over lattice paths gives, and that it is valid. *)
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
