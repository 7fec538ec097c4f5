(* The law of the best cut of two classes by counting lattice paths, and the recursion that counts them. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ring.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.

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
