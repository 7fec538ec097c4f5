(* Testing the splits of a tree from the root down: the probability of rejecting any true null hypothesis. *)
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint zmodp.
From mathcomp Require Import ring.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Hierarchy.
Variables (R : realFieldType) (Omega : finType) (mu : Omega -> R).

(* a finite probability space, and the probability of an event *)
Definition probability_space := (forall w, 0 <= mu w) /\ \sum_w mu w = 1.
Definition prob (E : pred Omega) : R := \sum_(w | E w) mu w.

Hypothesis space : probability_space.
Implicit Types E F : pred Omega.

Lemma prob_ge0 E : 0 <= prob E.
Proof. by apply: sumr_ge0 => w _; exact: space.1. Qed.
Lemma prob_le E F : (forall w, E w -> F w) -> prob E <= prob F.
Proof.
move=> EF; rewrite /prob [X in X <= _]big_mkcond [X in _ <= X]big_mkcond; apply: ler_sum => w _.
by case Ew: (E w); [rewrite (EF w Ew)|case: (F w); rewrite // space.1].
Qed.
Lemma prob_eq E F : E =1 F -> prob E = prob F.
Proof. by move=> e; apply: eq_bigl. Qed.
Lemma prob_all : prob xpredT = 1. Proof. exact: space.2. Qed.
Lemma prob_or E F : prob (fun w => E w || F w) <= prob E + prob F.
Proof.
rewrite /prob !(big_mkcond _ mu) -big_split; apply: ler_sum => w _ /=.
by case: (E w); case: (F w) => /=; rewrite ?addr0 ?add0r // ler_addl space.1.
Qed.
Lemma prob_exists (T : finType) (E : T -> pred Omega) : prob (fun w => [exists x, E x w]) <= \sum_x prob (E x).
Proof.
rewrite /prob big_mkcond [X in _ <= X](eq_bigr (fun x => \sum_w if E x w then mu w else 0)); last first.
  by move=> x _; rewrite big_mkcond.
rewrite exchange_big; apply: ler_sum => w _ /=; case: ifP => [/existsP[x Ex]|_]; last first.
  by apply: sumr_ge0 => x _; case: ifP => // _; exact: space.1.
by rewrite (bigD1 x) //= Ex ler_addl; apply: sumr_ge0 => y _; case: ifP => // _; exact: space.1.
Qed.

(* p is a p-value within the event E: given E, it is at most a with probability at most a *)
Definition valid_within (E : pred Omega) (p : Omega -> R) :=
  forall a, 0 <= a -> prob (fun w => E w && (p w <= a)) <= a * prob E.

(* Bonferroni: of the nodes of a tree, or of any other tests, each tested at alpha over their number, some true null
   hypothesis is rejected with probability at most alpha, whatever the dependence between the tests. *)
Theorem bonferroni_over_nodes (T : finType) (null : pred T) (p : T -> Omega -> R) alpha : 0 <= alpha ->
  (forall v, null v -> valid_within xpredT (p v)) ->
  prob (fun w => [exists v, null v && (p v w <= alpha / #|T|%:R)]) <= alpha.
Proof.
move=> a0 valid; apply: le_trans (prob_exists _) _.
apply: (@le_trans _ _ (\sum_(v : T) alpha / #|T|%:R)); last first.
  rewrite sumr_const -mulr_natr; have [->|nz] := eqVneq (#|T|%:R : R) 0; first by rewrite mulr0.
  by rewrite divfK.
apply: ler_sum => v _; have b0 : 0 <= alpha / #|T|%:R by rewrite divr_ge0 ?ler0n.
case nv : (null v); last by rewrite /prob big_pred0.
by have := valid v nv _ b0; rewrite prob_all mulr1.
Qed.

(* A tree whose nodes are named, and hand shares of their level to their children. *)
Inductive tree (T : Type) := Leaf | Node (v : T) (x y : R) (left right : tree T).
Arguments Leaf {T}.
Fixpoint shares_at_most_one T (t : tree T) : Prop :=
  if t is Node _ x y l r then [/\ 0 <= x, 0 <= y, x + y <= 1, shares_at_most_one l & shares_at_most_one r] else True.

(* a node is tested at its level, and its children only if it is rejected; is some true null hypothesis rejected? *)
Fixpoint false_rejection T (null : T -> bool) (p : T -> R) (level : R) (t : tree T) : bool :=
  if t is Node v x y l r then
    (p v <= level) && [|| null v, false_rejection null p (x * level) l | false_rejection null p (y * level) r]
  else false.

Lemma false_rejection_within T (E : pred Omega) (null : T -> bool) (p : Omega -> T -> R)
    (t : tree T) (a : R) : 0 <= a ->
  shares_at_most_one t -> (forall v, null v -> valid_within E (fun w => p w v)) ->
  prob (fun w => E w && false_rejection null (p w) a t) <= a * prob E.
Proof.
move=> + + valid; elim: t a => [|v x y l IHl r IHr] a a0 /=.
  by move=> _; rewrite /prob big_pred0 => [|w]; rewrite ?andbF // mulr_ge0 // prob_ge0.
move=> [x0 y0 xy okl okr]; case nv : (null v).
  by apply: le_trans (valid v nv a a0); apply: prob_le => w /andP[-> /andP[-> _]].
apply: (@le_trans _ _ (prob (fun w => E w && false_rejection null (p w) (x * a) l)
    + prob (fun w => E w && false_rejection null (p w) (y * a) r))).
  apply: le_trans (prob_or _ _); apply: prob_le => w /andP[-> /andP[_ /=]]; by [].
apply: le_trans (ler_add (IHl _ (mulr_ge0 x0 a0) okl) (IHr _ (mulr_ge0 y0 a0) okr)) _.
rewrite -mulrDl -mulrDl; apply: ler_wpmul2r; first exact: prob_ge0.
by rewrite ler_pimull.
Qed.

(* Honest trees. The tree is grown, with its shares, from a first part of the rows, and every split that has nothing to
   show has a valid p-value given that part. If the root is tested at alpha, every other node only below rejected
   ancestors and at its share of its parent's level, shares that sum to at most 1, then some true null hypothesis is
   rejected with probability at most alpha, whatever the dependence between the nodes. *)
Theorem honest_tree_rejects_falsely_at_most_alpha (S : finType) (first_part : Omega -> S) (T : Type)
    (grown : S -> tree T) (null : S -> T -> bool) (p : Omega -> T -> R) alpha :
  0 <= alpha -> (forall s, shares_at_most_one (grown s)) ->
  (forall s v, null s v -> valid_within (fun w => first_part w == s) (fun w => p w v)) ->
  prob (fun w => false_rejection (null (first_part w)) (p w) alpha (grown (first_part w))) <= alpha.
Proof.
move=> a0 ok valid; rewrite /prob (partition_big first_part xpredT) //= -[X in _ <= X]mulr1 -space.2.
rewrite [X in _ <= _ * X](partition_big first_part xpredT) //= mulr_sumr; apply: ler_sum => s _.
have := false_rejection_within (E := fun w => first_part w == s) a0 (ok s) (valid s).
congr (_ <= _); apply: eq_bigl => w; rewrite andbC; by case: eqP => [->|_]; rewrite ?andbT ?andbF.
Qed.

(* Tests and intervals at once. If besides each of m intervals misses what it is for with probability at most delta / m,
   then some true null hypothesis is rejected or some interval misses with probability at most alpha + delta, whatever
   the dependence, and whichever intervals are shown for what the tests say. *)
Theorem tests_and_intervals_err_at_most_alpha_plus_delta (S : finType) (first_part : Omega -> S) (T : finType)
    (grown : S -> tree T) (null : S -> T -> bool) (p : Omega -> T -> R) (missed : T -> pred Omega) alpha delta :
  0 <= alpha -> 0 <= delta -> (forall s, shares_at_most_one (grown s)) ->
  (forall s v, null s v -> valid_within (fun w => first_part w == s) (fun w => p w v)) ->
  (forall v, prob (missed v) <= delta / #|T|%:R) ->
  prob (fun w => false_rejection (null (first_part w)) (p w) alpha (grown (first_part w))
                 || [exists v, missed v w]) <= alpha + delta.
Proof.
move=> a0 d0 ok valid miss; apply: le_trans (prob_or _ _) _; apply: ler_add.
  exact: honest_tree_rejects_falsely_at_most_alpha.
apply: le_trans (prob_exists _) _; apply: (@le_trans _ _ (\sum_(v : T) delta / #|T|%:R)).
  by apply: ler_sum => v _; exact: miss.
rewrite sumr_const -mulr_natr; have [->|nz] := eqVneq (#|T|%:R : R) 0; first by rewrite mulr0.
by rewrite divfK.
Qed.

(* Trees that are grown from the very labels that are tested. A node is named by its history: the splits of its
   ancestors and the sides on which it lies. *)
Section Selective.
Variable C : finType.
Inductive grown_tree := Stop | Split (c : C) (left right : grown_tree).
Definition history := seq (C * bool).
(* the part of a tree that hangs at a history, if the tree goes there *)
Fixpoint subtree (t : grown_tree) (h : history) {struct h} : option grown_tree :=
  if h is (c, side) :: h' then
    if t is Split c' l r then (if c == c' then subtree (if side then r else l) h' else None) else None
  else Some t.
(* a tree has a divided node with this history; it has one that is divided or a leaf *)
Definition has_node t h := if subtree t h is Some (Split _ _ _) then true else false.
Definition has_leaf_or_node t h : bool := subtree t h.
Fixpoint depth t : nat := if t is Split _ l r then (maxn (depth l) (depth r)).+1 else 0%N.

(* a node at depth d is tested at level alpha / 2^d, and only below rejected ancestors *)
Fixpoint false_rejection_below (null : history -> bool) (p : history -> R) (level : R) (h : history) t : bool :=
  if t is Split c l r then
    (p h <= level) && [|| null h, false_rejection_below null p (level / 2%:R) (rcons h (c, false)) l
                                | false_rejection_below null p (level / 2%:R) (rcons h (c, true)) r]
  else false.

Lemma subtree_rcons t h c (b : bool) : subtree t (rcons h (c, b)) =
  if subtree t h is Some (Split c' l r) then (if c == c' then Some (if b then r else l) else None) else None.
Proof.
elim: h t => [|[c1 b1] h IH] t /=; first by case: t.
by case: t => [|c' l r] //; case: (c1 == c').
Qed.

Variables (grown : Omega -> grown_tree) (null : history -> bool) (p : Omega -> history -> R).
(* of a history, whether a tree has a node there, divided nodes among them *)
Variable has : grown_tree -> history -> bool.
Hypothesis has_divided : forall t h, has_node t h -> has t h.
Hypothesis has_there : forall t h, has t h -> has_leaf_or_node t h.
Hypothesis valid : forall h, null h -> valid_within (fun w => has (grown w) h) (fun w => p w h).

Lemma false_rejection_from D h a : 0 <= a -> (forall w, (depth (odflt Stop (subtree (grown w) h)) <= D)%N) ->
  prob (fun w => false_rejection_below null (p w) a h (odflt Stop (subtree (grown w) h)))
  <= a * prob (fun w => has (grown w) h).
Proof.
elim: D h a => [|D IH] h a a0 deep.
  rewrite [X in X <= _](_ : _ = 0) ?mulr_ge0 ?prob_ge0 // /prob big_pred0 // => w.
  by have := deep w; case: (subtree _ _) => // -[].
case nh : (null h).
  apply: le_trans (valid nh a0); apply: prob_le => w; have := @has_divided (grown w) h; rewrite /has_node.
  by case: (subtree _ _) => // -[] //= c l r -> // /andP[-> _].
pose below (cb : C * bool) w := false_rejection_below null (p w) (a / 2%:R) (rcons h cb)
  (odflt Stop (subtree (grown w) (rcons h cb))).
have half0 : 0 <= a / 2%:R by rewrite divr_ge0 ?ler0n.
apply: (@le_trans _ _ (\sum_cb prob (below cb))).
  apply: le_trans (prob_exists _); apply: prob_le => w; rewrite /below => /=.
  case e : (subtree (grown w) h) => [[|c l r]|] //=; rewrite nh /= => /andP[_ /orP[q|q]]; apply/existsP.
    by exists (c, false); rewrite subtree_rcons e eqxx.
  by exists (c, true); rewrite subtree_rcons e eqxx.
apply: (@le_trans _ _ (\sum_(cb : C * bool) a / 2%:R * prob (fun w => has (grown w) (rcons h cb)))).
  apply: ler_sum => -[c b] _; apply: IH => // w; rewrite subtree_rcons; have := deep w.
  case: (subtree _ _) => //= -[|c' l r] //=; rewrite ltnS geq_max => /andP[dl dr].
  by case: eqP => // _; case: b.
rewrite -mulr_sumr; apply: (@le_trans _ _ (a / 2%:R * (2%:R * prob (fun w => has (grown w) h)))).
  apply: ler_wpmul2l => //.
  rewrite /prob (eq_bigr (fun cb => \sum_w if has (grown w) (rcons h cb) then mu w else 0)); last first.
    by move=> cb _; rewrite big_mkcond.
  rewrite exchange_big [X in _ <= _ * X]big_mkcond mulr_sumr; apply: ler_sum => w _ /=.
  have m0 := space.1 w; have at_ cb : has (grown w) (rcons h cb) -> subtree (grown w) (rcons h cb) by exact: has_there.
  have -> : \sum_(cb : C * bool) (if has (grown w) (rcons h cb) then mu w else 0)
      = \sum_c \sum_b (if has (grown w) (rcons h (c, b)) then mu w else 0).
    by rewrite pair_big /=; apply: eq_bigr => -[c b].
  have none c b : (if subtree (grown w) h is Some (Split c' _ _) then c != c' else true) ->
      has (grown w) (rcons h (c, b)) = false.
    move=> off; apply/negP => /at_; rewrite subtree_rcons; move: off.
    by case: (subtree _ _) => // -[|c' l r] //= /negPf ->.
  case e : (subtree (grown w) h) => [[|c l r]|].
  - by rewrite big1 ?mulr_ge0 ?ler0n //; [case: ifP|move=> c _; rewrite big1 // => b _; rewrite none ?e].
  - rewrite (bigD1 c) //= [X in _ + X]big1 ?addr0 => [|c' cc]; last first.
      by rewrite big1 // => b _; rewrite none ?e.
    have -> : has (grown w) h by apply: has_divided; rewrite /has_node e.
    by rewrite big_bool /= mulr_natl mulr2n; apply: ler_add; case: ifP.
  by rewrite big1 ?mulr_ge0 ?ler0n //; [case: ifP|move=> c _; rewrite big1 // => b _; rewrite none ?e].
by rewrite mulrA divfK ?pnatr_eq0.
Qed.

Lemma false_rejection_at_most alpha : 0 <= alpha ->
  prob (fun w => false_rejection_below null (p w) alpha [::] (grown w)) <= alpha.
Proof.
move=> a0; apply: le_trans (@false_rejection_from (\max_w depth (grown w)) [::] alpha a0 _) _.
  by move=> w; exact: leq_bigmax.
by rewrite -[X in _ <= X]mulr1 ler_wpmul2l // -prob_all; apply: prob_le.
Qed.
End Selective.

(* Selective tests. If for every node whose null hypothesis is true the p-value is valid given that the grown tree has
   this node, with this history, then testing from the root down, a node of depth d at alpha / 2^d and only below
   rejected ancestors, rejects some true null hypothesis with probability at most alpha. *)
Theorem selective_tree_rejects_falsely_at_most_alpha (C : finType) (grown : Omega -> grown_tree C)
    (null : history C -> bool) (p : Omega -> history C -> R) alpha :
  (forall h, null h -> valid_within (fun w => has_node (grown w) h) (fun w => p w h)) -> 0 <= alpha ->
  prob (fun w => false_rejection_below null (p w) alpha [::] (grown w)) <= alpha.
Proof.
move=> valid; apply: (false_rejection_at_most (has := @has_node C)) => // t h.
by rewrite /has_node /has_leaf_or_node; case: (subtree t h).
Qed.

(* The same if the p-value is valid given that the grown tree has the node, as a leaf or divided. *)
Theorem selective_tree_errs_at_most_alpha_of_leaves_and_nodes (C : finType) (grown : Omega -> grown_tree C)
    (null : history C -> bool) (p : Omega -> history C -> R) alpha :
  (forall h, null h -> valid_within (fun w => has_leaf_or_node (grown w) h) (fun w => p w h)) -> 0 <= alpha ->
  prob (fun w => false_rejection_below null (p w) alpha [::] (grown w)) <= alpha.
Proof.
move=> valid; apply: (false_rejection_at_most (has := @has_leaf_or_node C)) => // t h.
by rewrite /has_node /has_leaf_or_node; case: (subtree t h).
Qed.
End Hierarchy.

Section Coin.
Variable R : realFieldType.

(* a fair coin, and two tests: each rejects at level 1/2 on one of its sides *)
Definition fair_coin : bool -> R := fun=> 2%:R^-1.
Definition coin_test (side w : bool) : R := if w == side then 2%:R^-1 else 1.

Lemma halves : 2%:R^-1 + 2%:R^-1 = 1 :> R.
Proof. by have := splitr (1 : R); rewrite !div1r => <-. Qed.
Lemma fair_coin_space : probability_space fair_coin.
Proof. by split=> [w|]; rewrite /fair_coin ?invr_ge0 ?ler0n // big_bool /= halves. Qed.
Lemma coin_test_is_valid side : valid_within fair_coin xpredT (coin_test side).
Proof.
move=> a a0; rewrite prob_all ?mulr1; last exact: fair_coin_space.
rewrite /prob big_mkcond big_bool /= /coin_test /fair_coin.
have h1 : 2%:R^-1 <= 1 :> R by rewrite invf_le1 ?ltr0n // ler1n.
have [big|small] := lerP 1 a; first by rewrite !(fun_if (fun x => x <= a)) (le_trans h1 big) big !if_same halves.
have f1 : (1 <= a) = false by rewrite leNgt small.
by case: side; rewrite /= f1; case: (leP 2%:R^-1 a); rewrite ?addr0 ?add0r.
Qed.

(* an instance: a fair coin, a valid test that rejects with probability 1/2, and a tree with shares 1/2 *)
Example hierarchy_instance :
  [/\ probability_space fair_coin, forall side, valid_within fair_coin xpredT (coin_test side) &
      shares_at_most_one (Node tt 2%:R^-1 2%:R^-1 (Leaf R unit) (Leaf R unit))].
Proof.
split; [exact: fair_coin_space|exact: coin_test_is_valid|].
by rewrite /= invr_ge0 ler0n halves.
Qed.

(* an instance: the grown tree is one split, its test the coin *)
Example selective_instance : let grown := fun _ : bool => Split tt (Stop _) (Stop _) in
  probability_space fair_coin /\
  forall h, valid_within fair_coin (fun w => has_node (grown w) h) (fun w => coin_test true w).
Proof.
move=> grown; split=> [|[|c h]]; [exact: fair_coin_space|exact: coin_test_is_valid|].
have none w : has_node (grown w) (c :: h) = false.
  by rewrite /has_node; case: c h => -[] [] [|[? ?] ?].
move=> a a0; rewrite /prob !big_pred0 ?mulr0 // => w; rewrite ?none //.
Qed.

(* Giving both children the whole level of their parent breaks the guarantee: here the root is always rejected, rightly,
   both children are true null hypotheses with valid p-values, and at level 1/2 one of them is always rejected. *)
Theorem whole_level_to_both_children_fails :
  let t := Node None 1 1 (Node (Some false) 1 1 (Leaf R _) (Leaf R _)) (Node (Some true) 1 1 (Leaf R _) (Leaf R _)) in
  let null v := v != None in
  let p w v := if v is Some side then coin_test side w else 0 in
  [/\ probability_space fair_coin, forall v, null v -> valid_within fair_coin xpredT (p^~ v) &
      prob fair_coin (fun w => false_rejection null (p w) 2%:R^-1 t) = 1].
Proof.
move=> t null p; split; first exact: fair_coin_space.
  by move=> [side|] // _; exact: coin_test_is_valid.
apply: etrans (prob_all fair_coin_space); apply: prob_eq => w.
have h0 : 0 <= 2%:R^-1 :> R by rewrite invr_ge0 ler0n.
by rewrite /= !mul1r h0 /coin_test; case: w; rewrite /= lexx ?orbT.
Qed.
End Coin.
