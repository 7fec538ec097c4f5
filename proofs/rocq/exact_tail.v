(* The exact p-value of a table: labels dealt to rows, the dynamic programme of the source, and the share of
   permutations that it returns. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ring zify.
From splitcrit Require Import python loops cut_loop pvalues.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Labels dealt to rows: the ways that the loops of exact_tail go through are the sets of observations of each row. *)
Lemma big_moves (c r : int) rest (a : int) (G : seq int * int * int -> int) :
  \sum_(q <- py_moves (c :: r :: rest) a) G q
  = \sum_(t <- py_range (Num.max 0 (a - py_sum (r :: rest))) (Num.min c a + 1))
      \sum_(q <- py_moves (r :: rest) (a - t)) G ((c - t) :: q.1.1, q.1.2 + t * t, py_comb c t * q.2).
Proof.
have -> : py_moves (c :: r :: rest) a = flatten [seq (fun taken =>
    let ways := py_comb c taken in
    flatten [seq (fun '(left_, squares, more) =>
      ([:: c - taken] ++ left_, squares + taken * taken, ways * more) :: [::]) item
      | item <- py_moves (r :: rest) (a - taken)] ++ [::]) item
    | item <- py_range (Num.max 0 (a - py_sum (r :: rest))) (Num.min c a + 1)] ++ [::] by [].
rewrite cats0 big_flatten big_map; apply: eq_bigr => t _.
by rewrite /= cats0 big_flatten big_map; apply: eq_bigr => -[[l s] m] _; rewrite big_seq1.
Qed.

Section Subsets.
Variable T : finType.
Implicit Types U A : {set T}.

Lemma sum_over_parts (V : zmodType) U1 U2 a (F : {set T} -> V) : [disjoint U1 & U2] ->
  \sum_(A : {set T} | (A \subset U1 :|: U2) && (#|A| == a)) F A
  = \sum_(A1 : {set T} | A1 \subset U1) \sum_(A2 : {set T} | (A2 \subset U2) && (#|A1| + #|A2| == a)%N) F (A1 :|: A2).
Proof.
move=> dis; rewrite (partition_big (fun A => A :&: U1) (fun A1 => A1 \subset U1)) /=; last by move=> A _; exact: subsetIr.
apply: eq_bigr => A1 s1; rewrite (reindex_onto (fun A2 => A1 :|: A2) (fun A => A :&: U2)) /=; last first.
  move=> A /andP[/andP[AU _] /eqP <-]; rewrite -setIUr; exact/setIidPl.
apply: eq_bigl => A2; have d12 : A1 :&: U2 = set0.
  by apply/eqP; rewrite setI_eq0; apply: disjointWl dis.
rewrite !setIUl d12 set0U (setIidPl s1); case: (boolP (A2 \subset U2)) => s2; last first.
  by rewrite andbC; apply/negbTE; rewrite negb_and; apply/orP; left; apply: contra s2 => /eqP <-; exact: subsetIr.
have d21 : A2 :&: U1 = set0.
  by apply/eqP; rewrite setI_eq0; apply: disjointWl s2 _; rewrite disjoint_sym.
rewrite d21 setU0 (setIidPl s2) !eqxx !andbT setUSS //= cardsU.
suff -> : A1 :&: A2 = set0 by rewrite cards0 subn0.
by apply/eqP; rewrite setI_eq0; apply: disjointWl s1 _; apply: disjointWr s2 _.
Qed.

Lemma sum_by_size (V : zmodType) U (G : nat -> V) :
  \sum_(A : {set T} | A \subset U) G #|A| = \sum_(t < #|U|.+1) G t *+ 'C(#|U|, t).
Proof.
rewrite (partition_big (fun A : {set T} => inord #|A| : 'I_(#|U|.+1)) xpredT) //=; apply: eq_bigr => t _.
transitivity (\sum_(A in [set A : {set T} | (A \subset U) && (#|A| == t)]) G t); last first.
  by rewrite sumr_const cards_draws.
apply: eq_big => [A|A /andP[AU /eqP <-]]; last by rewrite inordK // ltnS subset_leq_card.
rewrite inE; case: (boolP (A \subset U)) => //= AU.
by rewrite -val_eqE /= inordK // ltnS subset_leq_card.
Qed.

Variables (K : nat) (y : T -> 'I_K).
(* how many of a set are of class k *)
Definition cnt A (k : 'I_K) : nat := #|A :&: [set u | y u == k]|.

Lemma cnt_setU A1 A2 k : [disjoint A1 & A2] -> cnt (A1 :|: A2) k = (cnt A1 k + cnt A2 k)%N.
Proof.
move=> dis; rewrite /cnt setIUl cardsU; suff -> : A1 :&: [set u | y u == k] :&: (A2 :&: [set u | y u == k]) = set0.
  by rewrite cards0 subn0.
by apply/eqP; rewrite setI_eq0; apply: disjointWl (subsetIl _ _) _; apply: disjointWr (subsetIl _ _) _.
Qed.
Lemma cnt_of_class A (k l : 'I_K) : (forall u, u \in A -> y u = k) -> cnt A l = if l == k then #|A| else 0%N.
Proof.
move=> Ak; rewrite /cnt; case: eqP => [->|lk].
  by rewrite (setIidPl _) //; apply/subsetP => u /Ak; rewrite inE => ->.
by apply: eq_card0 => u; rewrite !inE; apply/andP => -[/Ak -> /eqP e]; case: lk.
Qed.
Lemma cnt_setD A (B : {set T}) k : B \subset A -> cnt (A :\: B) k = (cnt A k - cnt B k)%N.
Proof.
move=> BA; rewrite /cnt setIDAC cardsD; congr (_ - #|_|)%N.
by rewrite -setIA [_ :&: B]setIC setIA (setIidPr BA).
Qed.
Lemma sum_cnt (ks : seq 'I_K) A : uniq ks -> (forall u, u \in A -> y u \in ks) -> (\sum_(k <- ks) cnt A k = #|A|)%N.
Proof.
move=> un all_in; rewrite -sum1_card (partition_big y (fun k => k \in ks)) //= big_uniq //=.
apply: eq_bigr => k _; rewrite /cnt -sum1_card; apply: eq_bigl => u; by rewrite !inE.
Qed.

(* The moves of a row of size a are the subsets of size a, by their counts: each sum over moves is one over subsets. *)
Lemma sum_of_moves (ks : seq 'I_K) U a (F : seq int -> int -> int) : uniq ks -> (0 < size ks)%N ->
  (forall u, u \in U -> y u \in ks) -> (a <= #|U|)%N ->
  \sum_(q <- py_moves [seq Posz (cnt U k) | k <- ks] (Posz a)) q.2 * F q.1.1 q.1.2
  = \sum_(A : {set T} | (A \subset U) && (#|A| == a))
      F [seq Posz (cnt (U :\: A) k) | k <- ks] (\sum_(k <- ks) Posz (cnt A k) * Posz (cnt A k)).
Proof.
elim: ks U a F => // k ks IH U a F /andP[kn un] _ U_in aU; case: ks kn un IH U_in => [|k' ks] kn un IH U_in.
  rewrite [py_moves _ _]/= big_seq1 /=.
  have Uk u : u \in U -> y u = k by move/U_in; rewrite inE => /eqP.
  rewrite (eq_bigr (fun=> F [:: Posz (cnt U k) - Posz a] (Posz a * Posz a))) => [|A /andP[AU /eqP cA]]; last first.
    have Ak u : u \in A -> y u = k by move/(subsetP AU); exact: Uk.
    by rewrite big_seq1 /= cnt_setD // (cnt_of_class k Ak) (cnt_of_class k Uk) eqxx cA subzn.
  rewrite sumr_const (cnt_of_class k Uk) eqxx /py_comb /= -[RHS]mulr_natl natz; congr (Posz _ * _).
  by rewrite -cards_draws; apply: eq_card => A; rewrite !inE.
set ks' := k' :: ks in kn un IH U_in *; change (is_true (uniq ks')) in un; pose U1 := U :&: [set u | y u == k]; pose U2 := U :\: [set u | y u == k].
have U12 : U = U1 :|: U2 by rewrite setID.
have dis : [disjoint U1 & U2].
  by apply/pred0P => u; rewrite !inE; case: (y u == k); rewrite ?andbF.
have U1k u : u \in U1 -> y u = k by rewrite !inE => /andP[_ /eqP].
have U2_in u : u \in U2 -> y u \in ks'.
  by rewrite !inE => /andP[uk /U_in]; rewrite inE (negPf uk).
have other l : l \in ks' -> l == k = false by move=> lk; apply: contraNF kn => /eqP <-.
have cU l : l \in ks' -> cnt U l = cnt U2 l.
  by move=> lk; rewrite {1}U12 cnt_setU // (cnt_of_class l U1k) other.
have ck : cnt U k = #|U1| by [].
have sz2 : (\sum_(l <- ks') cnt U l = #|U2|)%N.
  by rewrite -(sum_cnt un U2_in) big_seq [RHS]big_seq; apply: eq_bigr => l /cU.
have cardU : #|U| = (#|U1| + #|U2|)%N by rewrite /U1 /U2 cardsID.
rewrite map_cons; have rest_sum : py_sum [seq Posz (cnt U l) | l <- ks'] = Posz #|U2|.
  by rewrite py_sumE big_map -sz2; elim: (ks') => [|l s IHs]; rewrite ?big_nil // !big_cons PoszD IHs.
have rest2 : [seq Posz (cnt U l) | l <- ks'] = [seq Posz (cnt U2 l) | l <- ks'].
  by apply/eq_in_map => l /cU ->.
have -> : \sum_(q <- py_moves (Posz (cnt U k) :: [seq Posz (cnt U l) | l <- ks']) (Posz a)) q.2 * F q.1.1 q.1.2
  = \sum_(t <- py_range (Num.max 0 (Posz a - Posz #|U2|)) (Num.min (Posz #|U1|) (Posz a) + 1))
     \sum_(q <- py_moves [seq Posz (cnt U2 l) | l <- ks'] (Posz a - t))
        (py_comb (Posz #|U1|) t * q.2) * F ((Posz #|U1| - t) :: q.1.1) (q.1.2 + t * t).
  by rewrite -rest_sum rest2 ck; exact: big_moves.
pose G t := \sum_(A2 : {set T} | (A2 \subset U2) && (t + #|A2| == a)%N)
   F ((Posz #|U1| - Posz t) :: [seq Posz (cnt (U2 :\: A2) l) | l <- ks'])
     (\sum_(l <- ks') Posz (cnt A2 l) * Posz (cnt A2 l) + Posz t * Posz t).
transitivity (\sum_(t < #|U1|.+1) G t *+ 'C(#|U1|, t)); last first.
  rewrite -sum_by_size [in RHS]U12 sum_over_parts //; apply: eq_bigr => A1 s1.
  apply: eq_bigr => A2 /andP[s2 cA].
  have A1k u : u \in A1 -> y u = k by move/(subsetP s1); exact: U1k.
  have d12 : [disjoint A1 & A2] by apply: disjointWl s1 _; apply: disjointWr s2 _.
  have sA : A1 :|: A2 \subset U by rewrite U12 setUSS.
  have c2 l : l \in ks' -> cnt (A1 :|: A2) l = cnt A2 l.
    by move=> lk; rewrite cnt_setU // (cnt_of_class l A1k) other.
  have c1 : cnt (A1 :|: A2) k = #|A1|.
    rewrite cnt_setU // (cnt_of_class k A1k) eqxx /cnt (eq_card0 (A := _ :&: _)) ?addn0 // => u.
    rewrite !inE; apply/andP => -[uA uk]; have := subsetP s2 u uA; by rewrite !inE uk.
  rewrite -!U12 map_cons big_cons c1 [X in F _ X = _]addrC cnt_setD // ck c1 -subzn ?subset_leq_card //.
  congr (F (_ :: _) (_ + _)).
    by apply/eq_in_map => l lk; rewrite (cnt_setD _ s2) (cnt_setD _ sA) c2 // cU.
  by rewrite big_seq [RHS]big_seq; apply: eq_bigr => l lk; rewrite c2.
have inner t : (t <= a)%N -> (a - t <= #|U2|)%N ->
    \sum_(q <- py_moves [seq Posz (cnt U2 l) | l <- ks'] (Posz a - Posz t))
        (py_comb (Posz #|U1|) (Posz t) * q.2) * F ((Posz #|U1| - Posz t) :: q.1.1) (q.1.2 + Posz t * Posz t)
    = G t *+ 'C(#|U1|, t).
  move=> ta t2; rewrite subzn // /py_comb /= -[RHS]mulr_natl natz.
  under eq_bigr do rewrite -mulrA.
  rewrite -big_distrr /=; congr (_ * _).
  rewrite (IH U2 (a - t)%N (fun l s => F ((Posz #|U1| - Posz t) :: l) (s + Posz t * Posz t))) //.
  by apply: eq_bigl => A2; congr (_ && _); apply/eqP/eqP; lia.
have none t : ~~ ((t <= a)%N && (a - t <= #|U2|)%N) -> G t = 0.
  move=> h; rewrite /G big1 // => A2 /andP[/subset_leq_card s2 /eqP e]; case/negP: h; lia.
have -> : Num.max 0 (Posz a - Posz #|U2|) = Posz (a - #|U2|)%N by lia.
have -> : Num.min (Posz #|U1|) (Posz a) + 1 = Posz (minn #|U1| a).+1 by lia.
rewrite py_rangeE; last by rewrite cardU in aU; lia.
rewrite big_map -(big_mkord xpredT (fun t => G t *+ 'C(#|U1|, t))) -/(index_iota _ _).
have lo : (a - #|U2| <= (minn #|U1| a).+1)%N by rewrite cardU in aU; lia.
have hi : ((minn #|U1| a).+1 <= #|U1|.+1)%N by rewrite ltnS geq_minl.
rewrite [RHS](big_cat_nat _ _ _ (leq0n (a - #|U2|)%N)) /=; last exact: leq_trans lo hi.
rewrite [X in _ = _ + X](big_cat_nat _ _ _ lo hi) /= [X in _ = X + _]big_nat [X in _ = X + _]big1 ?add0r; last first.
  by move=> t /andP[_ tl]; rewrite none ?mul0rn //; lia.
rewrite [X in _ = _ + X]big_nat [X in _ = _ + X]big1 ?addr0; last first.
  by move=> t /andP[tl tu]; rewrite none ?mul0rn //; lia.
rewrite big_nat [RHS]big_nat; apply: eq_bigr => t /andP[tl tu]; apply: inner; lia.
Qed.
End Subsets.

(* The exact p-value of a table, as its source prints it: a dynamic programme over rows, whose states are sorted counts. *)
Section Folds.
(* a loop that may end early keeps an invariant of what it has gone through *)
Variables (S X : Type) (turn : bool * S -> X -> bool * S) (Inv : seq X -> S -> Prop).
Hypothesis ended : forall s x, (turn (true, s) x).1 = true.
Hypothesis step : forall before x s, Inv before s -> (turn (false, s) x).1 = false -> Inv (rcons before x) (turn (false, s) x).2.
Lemma fold_invariant s0 l r : foldl turn (false, s0) l = r -> r.1 = false -> Inv [::] s0 -> Inv l r.2.
Proof.
move=> <- r0 start; elim/last_ind: l r0 => // l x IH; rewrite !foldl_rcons.
case: (foldl _ _ l) IH => -[] s IH /=; first by rewrite ended.
exact/step/IH.
Qed.
End Folds.

Section Dictionaries.
Variable K : eqType.
(* what a dictionary of whole numbers adds up to, each times a function of its key *)
Definition weighed (f : K -> int) (d : seq (K * int)) : int := \sum_(q <- d) q.2 * f q.1.
Lemma weighed_bump f d k v : weighed f (py_bump d k v) = weighed f d + v * f k.
Proof.
rewrite /weighed /py_bump; elim: d => [|[k' w] d IH] /=; first by rewrite big_seq1 big_nil /= !add0r.
case: eqP => [->|_]; rewrite !big_cons /=; first by rewrite mulrDl addrAC.
by rewrite IH addrA.
Qed.
End Dictionaries.

Section Rows.
Variable d : int.
Lemma weighed_joined f sums law shift times :
  weighed f (py_joined sums law shift times) = weighed f sums + times * weighed (fun x => f (x + shift)) law.
Proof.
rewrite /py_joined /weighed; elim: law sums => [|[x w] law IH] sums; first by rewrite big_nil mulr0 addr0.
rewrite [foldl _ _ _]/= IH -/(weighed f _) weighed_bump big_cons /weighed /=; ring.
Qed.

(* the states of the programme: dictionaries of values for sorted counts *)
Definition held (f : seq int -> int -> int) (states : seq (seq int * seq (int * int))) : int :=
  \sum_(s <- states) weighed (f s.1) s.2.
Lemma held_put f states c law shift times :
  held f (py_put states c (py_joined (py_get [::] states c) law shift times))
  = held f states + times * weighed (fun x => f c (x + shift)) law.
Proof.
rewrite /held; elim: states => [|[c' l] states IH] /=.
  by rewrite big_seq1 big_nil /= weighed_joined /weighed big_nil.
case: eqP => [->|_]; rewrite !big_cons /=; first by rewrite weighed_joined addrAC.
by rewrite IH addrA.
Qed.

Variable P : int -> int.
(* the sum over all ways to fill the rows that are left, each weighed by P of its value *)
Fixpoint filled (totals : seq int) (c : seq int) (x : int) : int :=
  match totals with
  | [::] => 0
  | a :: rest =>
    if rest is [::] then P (x + py_div d a * py_sum [seq y * y | y <- c])
    else \sum_(q <- py_moves c a) q.2 * filled rest (py_sorted q.1.1) (x + py_div d a * q.1.2)
  end.

Arguments filled : simpl never.
Lemma filled_more a rest b c x : filled (a :: rcons rest b) c x
  = \sum_(q <- py_moves c a) q.2 * filled (rcons rest b) (py_sorted q.1.1) (x + py_div d a * q.1.2).
Proof. by case: rest. Qed.

Lemma held_moves f a law moves reached :
  held f (foldl (fun reached '((left_, squares), ways) =>
    py_put reached left_ (py_joined (py_get [::] reached left_) law (py_div d a * squares) ways)) reached moves)
  = held f reached
    + weighed (fun k : seq int * int => weighed (fun x => f k.1 (x + py_div d a * k.2)) law) moves.
Proof.
elim: moves reached => [|[[l sq] w] moves IH] reached; first by rewrite /weighed big_nil addr0.
by rewrite [foldl _ _ _]/= IH held_put [weighed _ (_ :: _)]/weighed big_cons addrA.
Qed.

Lemma law_by_rowsE totals columns cost limit law : totals != [::] ->
  py_law_by_rows totals columns d cost limit = Some law -> weighed P law = filled totals columns 0.
Proof.
case/lastP: totals => // front b _; rewrite /py_law_by_rows.
have -> : py_upto (rcons front b) (- 1) = front.
  rewrite /py_upto /= size_rcons; have -> : absz (Num.max (Posz (size front).+1 + -1) 0) = size front by lia.
  by rewrite -cats1 take_size_cat.
have -> : py_at 0 (rcons front b) (- 1) = b.
  rewrite /py_at /py_place /= size_rcons; have -> : absz (Posz (size front).+1 + -1) = size front by lia.
  by rewrite nth_rcons ltnn eqxx.
case E: (foldl _ _ front) => [[] [steps states]] //= [<-].
pose Inv (before : seq int) (s : int * seq (seq int * seq (int * int))) :=
  forall rest, before ++ rest = front -> held (filled (rcons rest b)) s.2 = filled (rcons front b) columns 0.
have inv : Inv front (steps, states).
  apply: (fold_invariant (Inv := Inv) _ _ E) => // [s a|before a [st ss] before_ done rest e|rest].
  - by case: s => st ss.
  - rewrite -(before_ (a :: rest)) -?cat_rcons // /= {before_ E}; move: done.
    case E1: (foldl _ _ ss) => [[] [st1 reached]] //= _.
    pose Inv1 (before : seq (seq int * seq (int * int))) (s : int * seq (seq int * seq (int * int))) :=
      held (filled (rcons rest b)) s.2 = \sum_(q <- before) weighed (filled (a :: rcons rest b) q.1) q.2.
    have -> : held (filled (rcons rest b)) (map (fun '(state, law) => (state, law)) reached)
        = held (filled (rcons rest b)) reached.
      by rewrite /held big_map; apply: eq_bigr; case.
    apply: (fold_invariant (Inv := Inv1) _ _ E1) => // [s [c l]|before1 [c l] [st2 r] before_ done|]; first by case: s.
      rewrite /Inv1 -[rcons before1 _]cats1 big_cat big_seq1 -before_ /=; move: done.
      case E2: (foldl _ _ (py_moves c a)) => [[] [st3 moves]] //=; case: ifP => //= _ _.
      pose Inv2 (before : seq (seq int * int * int)) (s : int * seq (seq int * int * int)) :=
        forall h, weighed h s.2 = \sum_(q <- before) q.2 * h (py_sorted q.1.1, q.1.2).
      have inv2 : Inv2 (py_moves c a) (st3, moves).
        apply: (fold_invariant (Inv := Inv2) _ _ E2) => // [s [[l2 sq] w]|before2 [[l2 sq] w] [st4 m] before_2 done h|h].
        - by case: s.
        - move: done => /=; case: ifP => //= _ _.
          by rewrite weighed_bump before_2 -cats1 big_cat big_seq1.
        by rewrite /weighed !big_nil.
      rewrite held_moves inv2; congr (_ + _); rewrite /weighed.
      rewrite [RHS](eq_bigr (fun q => \sum_(p <- py_moves c a)
          q.2 * (p.2 * filled (rcons rest b) (py_sorted p.1.1) (q.1 + py_div d a * p.1.2)))); last first.
        by move=> q _; rewrite filled_more big_distrr.
      rewrite exchange_big; apply: eq_bigr => p _ /=; rewrite big_distrr; apply: eq_bigr => q _ /=; ring.
    by rewrite /Inv1 /held !big_nil.
  move=> /= <-; rewrite /held big_seq1 /weighed big_seq1 /= mul1r; congr filled.
move/(_ [::] (cats0 _)): inv => /= <-; rewrite /held.
have last_row found : weighed P (foldl (fun found '(left_, law) =>
    let squares := py_div d b * py_sum [seq x * x | x <- left_] in
    let found := foldl (fun found '(value, weight) => py_bump found (value + squares) weight) found law in found)
    found states) = weighed P found + \sum_(s <- states) weighed (filled [:: b] s.1) s.2.
  elim: states found {E} => [|[c l] states IH] found; first by rewrite big_nil addr0.
  rewrite [foldl _ _ _]/= IH big_cons addrA /=; congr (_ + _).
  elim: l found {IH} => [|[x w] l IH] found; first by rewrite /weighed big_nil addr0.
  by rewrite [foldl _ _ _]/= IH weighed_bump [in RHS]/weighed big_cons addrA.
by rewrite last_row /weighed big_nil add0r.
Qed.
End Rows.

(* The dynamic programme of exact_tail over labels dealt to rows: sums over all functions with the rows of a table. *)
Section Dealt.
Variables (T : finType) (K : nat) (y : T -> 'I_K) (d : int) (P : int -> int).
Implicit Types U A : {set T}.
(* the sum of the squares of the class counts of a set, times the weight of a row of size a *)
Definition value (a : nat) A : int := py_div d (Posz a) * \sum_k Posz (cnt y A k) * Posz (cnt y A k).
(* the sum over all ways to deal a set to rows of given sizes of P at the sum of their values *)
Fixpoint dealt (totals : seq nat) U (x : int) : int :=
  match totals with
  | [::] => 0
  | a :: rest => if rest is [::] then P (x + value a U)
      else \sum_(A : {set T} | (A \subset U) && (#|A| == a)) dealt rest (U :\: A) (x + value a A)
  end.

Lemma py_sorted_perm (s t : seq int) : perm_eq s t -> py_sorted s = py_sorted t.
Proof.
move=> e; apply/perm_sortP => //; [exact: le_total|exact: le_trans|exact: le_anti].
Qed.

Lemma filled_dealt totals U x : (0 < K)%N -> sumn totals = #|U| ->
  filled d P [seq Posz a | a <- totals] (py_sorted [seq Posz (cnt y U k) | k <- enum 'I_K]) x = dealt totals U x.
Proof.
move=> K0; elim: totals U x => // a rest IH U x sumU.
pose le k l := Posz (cnt y U k) <= Posz (cnt y U l); pose ks := sort le (enum 'I_K).
have perm_ks : perm_eq ks (enum 'I_K) by rewrite perm_sort.
have -> : py_sorted [seq Posz (cnt y U k) | k <- enum 'I_K] = [seq Posz (cnt y U k) | k <- ks].
  by rewrite /py_sorted sort_map.
have over (F : 'I_K -> int) : \sum_(k <- ks) F k = \sum_k F k by rewrite (perm_big _ perm_ks) /= big_enum.
case: rest IH sumU => [|a' rest] IH sumU.
  rewrite /filled /= /value; congr (P (_ + _ * _)).
  by rewrite py_sumE -over !big_map.
have -> : filled d P [seq Posz a | a <- a :: a' :: rest] [seq Posz (cnt y U k) | k <- ks] x
  = \sum_(q <- py_moves [seq Posz (cnt y U k) | k <- ks] (Posz a)) q.2
    * filled d P [seq Posz a | a <- a' :: rest] (py_sorted q.1.1) (x + py_div d (Posz a) * q.1.2) by [].
have un : uniq ks by rewrite (perm_uniq perm_ks) enum_uniq.
have all_in u : u \in U -> y u \in ks by rewrite (perm_mem perm_ks) mem_enum.
have ks0 : (0 < size ks)%N by rewrite (perm_size perm_ks) size_enum_ord.
have aU : (a <= #|U|)%N by rewrite -sumU leq_addr.
rewrite (sum_of_moves (fun l s => filled d P [seq Posz a | a <- a' :: rest] (py_sorted l) (x + py_div d (Posz a) * s)) un ks0 all_in aU).
rewrite [RHS]/=; apply: eq_bigr => A /andP[AU /eqP cA].
rewrite over -/(value a A) (py_sorted_perm (t := [seq Posz (cnt y (U :\: A) k) | k <- enum 'I_K])) ?perm_map //.
by apply: IH; rewrite cardsD (setIidPr AU) cA -sumU /= addKn.
Qed.

Arguments dealt : simpl never.
(* dealing is choosing a row for each observation, so that each row has its size *)
Variable r : nat.
Implicit Type g : {ffun T -> 'I_r}.
Definition row_of g U (i : 'I_r) : {set T} := [set u in U | g u == i].
Variable i0 : 'I_r.
Definition deals (a : 'I_r -> nat) (js : seq 'I_r) U g : bool :=
  [forall u, if u \in U then g u \in js else g u == i0] && all (fun i => #|row_of g U i| == a i) js.

Lemma dealt_functions (a : 'I_r -> nat) js U x : (0 < size js)%N -> uniq js -> sumn [seq a i | i <- js] = #|U| ->
  dealt [seq a i | i <- js] U x
  = \sum_(g : {ffun T -> 'I_r} | deals a js U g) P (x + \sum_(i <- js) value (a i) (row_of g U i)).
Proof.
elim: js U x => // i js IH U x _ /andP[ijs un] sumU; case: js ijs un IH sumU => [|j js] ijs un IH sumU.
  pose g0 : {ffun T -> 'I_r} := [ffun u => if u \in U then i else i0].
  have row0 : row_of g0 U i = U.
    by apply/setP => u; rewrite !inE ffunE; case: (u \in U); rewrite ?eqxx.
  rewrite (big_pred1 g0) => [|g]; first by rewrite big_seq1 row0.
  apply/andP/eqP => [[/forallP h _]|->].
    by apply/ffunP => u; rewrite ffunE; have := h u; case: ifP => _; rewrite ?inE => /eqP.
  split; first by apply/forallP => u; rewrite ffunE; case: (u \in U); rewrite ?inE eqxx.
  by rewrite /= row0 andbT -sumU /= addn0.
set js' := j :: js in ijs un IH sumU *.
have -> : dealt [seq a i | i <- i :: js'] U x
  = \sum_(A : {set T} | (A \subset U) && (#|A| == a i)) dealt [seq a i | i <- js'] (U :\: A) (x + value (a i) A) by [].
rewrite [RHS](partition_big (fun g => row_of g U i) (fun A => (A \subset U) && (#|A| == a i))) /=; last first.
  move=> g /andP[_ /andP[ai _]]; rewrite ai andbT; apply/subsetP => u; by rewrite inE => /andP[].
apply: eq_bigr => A /andP[AU /eqP cA].
rewrite IH //; last by rewrite cardsD (setIidPr AU) cA -sumU /= addKn.
pose put (g : {ffun T -> 'I_r}) : {ffun T -> 'I_r} := [ffun u => if u \in A then i else g u].
pose cut (g : {ffun T -> 'I_r}) : {ffun T -> 'I_r} := [ffun u => if u \in A then i0 else g u].
have rows g l : l \in js' -> row_of (put g) U l = row_of g (U :\: A) l.
  move=> lj; have il : i == l = false by apply: contraNF ijs => /eqP ->.
  by apply/setP => u; rewrite !inE ffunE; case: (u \in A); rewrite //= il andbF.
have rowi g : deals a js' (U :\: A) g -> row_of (put g) U i = A.
  move=> /andP[/forallP at_ _]; apply/setP => u; rewrite !inE ffunE; case: (boolP (u \in A)) => uA.
    by rewrite (subsetP AU u uA) eqxx.
  apply/andP => -[uU /eqP gi]; have := at_ u; rewrite !inE uA uU gi /=; exact/negP.
rewrite [RHS](reindex_onto put cut) /=; last first.
  move=> g /andP[_ /eqP rA]; apply/ffunP => u; rewrite !ffunE; case: (boolP (u \in A)) => //.
  by rewrite -rA inE => /andP[_ /eqP ->].
apply: eq_big => [g|g dg]; last first.
  rewrite big_cons addrA; congr (P (_ + _ + _)).
    by rewrite rowi.
  by rewrite big_seq [RHS]big_seq; apply: eq_bigr => l lj; rewrite rows.
apply/idP/idP => [dg|/andP[/andP[/andP[/forallP at_ sizes] /eqP rA] /eqP cutE]].
  have /andP[/forallP at_ sizes] := dg; apply/andP; split; last by apply/eqP/ffunP => u; rewrite !ffunE; case: ifP => // uA; have := at_ u; rewrite !inE uA => /eqP.
  apply/andP; split; last by rewrite rowi.
  apply/andP; split; last first.
    apply/allP => l; rewrite inE => /orP[/eqP ->|lj]; first by rewrite rowi // cA.
    by rewrite rows //; exact: (allP sizes).
  apply/forallP => u; have := at_ u; rewrite ffunE !inE; case: (boolP (u \in A)) => uA /=.
    by rewrite (subsetP AU u uA) eqxx.
  by case: (u \in U) => // ->; rewrite orbT.
apply/andP; split.
  2: by apply/allP => l lj; rewrite -rows //; apply: (allP sizes); rewrite inE lj orbT.
apply/forallP => u; have := at_ u; rewrite ffunE !inE; case: (boolP (u \in A)) => uA /=.
  by rewrite (subsetP AU u uA) -cutE ffunE uA eqxx.
case: (boolP (u \in U)) => uU //= /orP[/eqP gi|//].
by move: uA; rewrite -rA !inE uU ffunE; case: (u \in A); rewrite ?gi eqxx.
Qed.
End Dealt.

(* The p-value that exact_tail returns is the share of permutations whose Gini gain is at least that of the table. *)
Section Permutations.
Variables (T : finType) (r : nat) (f : T -> 'I_r).
Local Notation functions := {ffun T -> 'I_r}.
Definition size_of (i : 'I_r) : nat := #|[set u | f u == i]|.
(* the rows after a permutation, and all functions with rows of the same sizes *)
Definition moved (s : {perm T}) : functions := [ffun u => f (s u)].
Definition alike (g : functions) : bool := [forall i, #|[set u | g u == i]| == size_of i].

Lemma moved_alike s : alike (moved s).
Proof.
apply/forallP => i; rewrite /size_of -!sum1_card [X in _ == X](reindex_inj (@perm_inj _ s)).
by apply/eqP; apply: eq_bigl => u; rewrite !inE ffunE.
Qed.

Lemma alike_moved g : alike g -> exists p : {perm T}, g = moved p.
Proof.
move=> /forallP al; have pe : perm_eq [tuple g (enum_val i) | i < #|T|] [tuple f (enum_val i) | i < #|T|].
  apply/allP => i _; apply/eqP; rewrite -!sum1_count !big_tuple.
  have count (h : T -> 'I_r) : (\sum_(j < #|T| | pred1 i (tnth [tuple h (enum_val i) | i < #|T|] j)) 1 = #|[set u | h u == i]|)%N.
    rewrite -[RHS]sum1_card [RHS](reindex_onto enum_val enum_rank) => [|u _]; last exact: enum_rankK.
    by apply: eq_bigl => j; rewrite inE tnth_mktuple enum_valK eqxx andbT.
  by rewrite (count (fun u => g u)) (count f) (eqP (al i)).
have /tuple_permP[p e] := pe; pose pT u := enum_val (p (enum_rank u)).
have pT_inj : injective pT by move=> u v /enum_val_inj/perm_inj/enum_rank_inj.
exists (perm pT_inj); apply/ffunP => u; rewrite ffunE permE /pT.
have := congr1 (fun t => nth (g u) t (enum_rank u)) e; rewrite -!tnth_nth.
by rewrite !tnth_mktuple enum_rankK.
Qed.

Lemma same_times g : alike g -> #|[pred s | moved s == g]| = #|[pred s | moved s == moved 1%g]|.
Proof.
move=> /alike_moved[p ->]; rewrite -!sum1_card [LHS](reindex_inj (mulgI p)); apply: eq_bigl => s; rewrite !inE.
apply/eqP/eqP => /ffunP e; apply/ffunP => u.
  by have := e (p^-1 u)%g; rewrite !ffunE permM permKV perm1.
by have := e (p u); rewrite !ffunE permM perm1.
Qed.

(* The permutations for which the rows fulfil a condition are a share of all, as the functions alike that do. *)
Lemma share_of_functions (Q : pred functions) :
  (#|[pred s | Q (moved s)]| * #|[pred g | alike g]| = #|T|`! * #|[pred g | alike g && Q g]|)%N.
Proof.
have by_function (Q' : pred functions) :
    (#|[pred s | Q' (moved s)]| = #|[pred g | alike g && Q' g]| * #|[pred s | moved s == moved 1%g]|)%N.
  rewrite -sum1_card (partition_big moved alike) => [|s _]; last exact: moved_alike.
  rewrite -sum_nat_const [RHS]big_mkcond [LHS]big_mkcond; apply: eq_bigr => g _ /=; rewrite inE.
  case al: (alike g) => //=; case Qg: (Q' g).
    rewrite -(same_times al) -sum1_card; apply: eq_bigl => s; rewrite !inE.
    by case: eqP => [->|]; rewrite ?Qg ?andbF.
  by rewrite big1 // => s; rewrite inE => /andP[q /eqP e]; rewrite e Qg in q.
have whole : (#|T|`! = #|[pred g | alike g]| * #|[pred s | moved s == moved 1%g]|)%N.
  have := by_function predT; have -> : #|[pred s : {perm T} | predT (moved s)]| = #|T|`!.
    rewrite -cardsT -card_perm; apply: eq_card => s; rewrite !inE unfold_in /=; apply/esym/subsetP => u _.
    by rewrite inE.
  by move=> ->; congr (_ * _)%N; apply: eq_card => g; rewrite !inE andbT.
by rewrite by_function whole mulnAC [RHS]mulnAC [(#|[pred g | alike g]| * _)%N]mulnC.
Qed.
End Permutations.

Section Tail.
Variables (R : realFieldType) (fillings : seq int -> seq int -> int -> R) (T : finType) (r K : nat) (f : T -> 'I_r) (y : T -> 'I_K).
Hypothesis some : (0 < #|T|)%N.
(* the table of rows f and classes y, as lists of whole numbers *)
Definition cell (i : 'I_r) (k : 'I_K) : nat := #|[set u | (f u == i) && (y u == k)]|.
Definition listed_rows : seq (seq int) := [seq [seq Posz (cell i k) | k <- enum 'I_K] | i <- enum 'I_r].
Let d := py_lcm [seq Posz (size_of f i) | i <- enum 'I_r].
(* the statistic of rows g: the sum over rows of d/a_i times the sum of the squares of their counts *)
Definition statistic (g : {ffun T -> 'I_r}) : int := \sum_i value y d (size_of f i) [set u | g u == i].

Lemma row_set (g : {ffun T -> 'I_r}) i : row_of g [set: T] i = [set u | g u == i].
Proof. by apply/setP => u; rewrite !inE. Qed.
Lemma sum_Posz (I : Type) (s : seq I) (F : I -> nat) : \sum_(i <- s) Posz (F i) = Posz (\sum_(i <- s) F i)%N.
Proof. by elim: s => [|i s IH]; rewrite ?big_nil // !big_cons IH. Qed.
Lemma row_total i : py_sum [seq Posz (cell i k) | k <- enum 'I_K] = Posz (size_of f i).
Proof.
rewrite py_sumE big_map sum_Posz; congr Posz.
rewrite big_enum /size_of -sum1_card (partition_big y xpredT) //=; apply: eq_bigr => k _.
by rewrite /cell -sum1_card; apply: eq_bigl => u; rewrite !inE.
Qed.
Lemma totalsE : [seq py_sum row | row <- listed_rows] = [seq Posz (size_of f i) | i <- enum 'I_r].
Proof. by rewrite -map_comp; apply: eq_map => i; exact: row_total. Qed.
Lemma seenE : py_sum (map (fun '(a, row) => py_div d a * py_sum [seq x * x | x <- row])
    (zip [seq Posz (size_of f i) | i <- enum 'I_r] listed_rows)) = statistic (moved f 1%g).
Proof.
rewrite py_sumE big_map zip_map big_map big_enum; apply: eq_bigr => i _; rewrite /value; congr (_ * _).
rewrite py_sumE 2!big_map big_enum; apply: eq_bigr => k _; have -> : cell i k = cnt y [set u | moved f 1%g u == i] k.
  by apply: eq_card => u; rewrite !inE ffunE perm1.
by [].
Qed.
Lemma columnsE : [seq py_sum each | each <- py_transposed 0 listed_rows] = [seq Posz (cnt y [set: T] k) | k <- enum 'I_K].
Proof.
have [u0 _] := card_gt0P some; rewrite /py_transposed.
have w : foldr minn K (map size listed_rows) = K.
  by rewrite /listed_rows; elim: (enum 'I_r) => //= i s ->; rewrite size_map size_enum_ord minnn.
have szr : size listed_rows = r by rewrite size_map size_enum_ord.
have r0 : (0 < r)%N by exact: leq_ltn_trans (leq0n _) (ltn_ord (f u0)).
case E: listed_rows => [|first more]; first by rewrite E /= in szr; rewrite -szr in r0.
rewrite -E; have -> : size first = K.
  have : first \in listed_rows by rewrite E mem_head.
  by move=> /mapP[i _ ->]; rewrite size_map size_enum_ord.
rewrite w -map_comp -val_enum_ord -map_comp; apply: eq_map => k /=.
rewrite py_sumE big_map /listed_rows big_map.
rewrite (eq_bigr (fun i => Posz (cell i k))) => [|i _]; last by rewrite (nth_map k) ?size_enum_ord // nth_ord_enum.
rewrite sum_Posz; congr Posz; rewrite big_enum /cnt -sum1_card (partition_big f xpredT) //=; apply: eq_bigr => i _.
by rewrite /cell -sum1_card; apply: eq_bigl => u; rewrite !inE andbC.
Qed.

Lemma law_sums limit law (P : int -> int) :
  py_arrangements R fillings (py_sorted_down [seq Posz (size_of f i) | i <- enum 'I_r])
    (py_sorted [seq Posz (cnt y [set: T] k) | k <- enum 'I_K]) d limit = Some law ->
  weighed P law = \sum_(g | alike f g) P (statistic g).
Proof.
have [u0 _] := card_gt0P some; rewrite /py_arrangements; case: ifP => // _ E.
pose ge i j := Posz (size_of f j) <= Posz (size_of f i); pose js := sort ge (enum 'I_r).
have perm_js : perm_eq js (enum 'I_r) by rewrite perm_sort.
have sorted_js : py_sorted_down [seq Posz (size_of f i) | i <- enum 'I_r] = [seq Posz a | a <- [seq size_of f i | i <- js]].
  by rewrite /py_sorted_down sort_map -map_comp.
rewrite sorted_js in E; have js0 : (0 < size js)%N.
  by rewrite (perm_size perm_js) size_enum_ord; case: (r) (f u0) => // -[].
rewrite (law_by_rowsE P _ E); last by case: (js) js0.
have sums : sumn [seq size_of f i | i <- js] = #|[set: T]|.
  rewrite sumnE big_map (perm_big _ perm_js) /= big_enum cardsT -sum1_card (partition_big f xpredT) //=.
  by apply: eq_bigr => i _; rewrite /size_of -sum1_card; apply: eq_bigl => u; rewrite !inE.
have K0 : (0 < K)%N by case: (K) (y u0) => // -[].
have un : uniq js by rewrite (perm_uniq perm_js) enum_uniq.
rewrite filled_dealt // (dealt_functions y d P (f u0)) //; apply: eq_big => [g|g _]; last first.
  rewrite add0r (perm_big _ perm_js) /= big_enum; congr P; apply: eq_bigr => i _; by rewrite row_set.
rewrite /deals; have -> : [forall u, if u \in [set: T] then g u \in js else g u == f u0].
  by apply/forallP => u; rewrite inE (perm_mem perm_js) mem_enum.
apply/allP/forallP => h i; last by move=> _; rewrite row_set; exact: h.
by rewrite -row_set; apply: h; rewrite (perm_mem perm_js) mem_enum.
Qed.

Lemma exact_tailE limit p : py_exact_tail R fillings listed_rows limit = Some p ->
  p = #|[pred s | statistic (moved f 1%g) <= statistic (moved f s)]|%:R / #|T|`!%:R.
Proof.
rewrite /py_exact_tail totalsE columnsE -/d seenE; case E: (py_arrangements _ _ _ _ _ _) => [law|] // [<-].
have := law_sums _ E => sums.
pose least x : int := if statistic (moved f 1%g) <= x then 1 else 0.
have -> : py_sum (map (fun '(value, weight) => weight) (filter (fun '(value, weight) => value >= statistic (moved f 1%g)) law))
   = weighed least law.
  rewrite py_sumE big_map big_filter /weighed big_mkcond; apply: eq_bigr => -[x w] _ /=.
  by rewrite /least; case: ifP; rewrite ?mulr1 ?mulr0.
have -> : py_sum (map snd law) = weighed (fun=> 1) law.
  by rewrite py_sumE big_map /weighed; apply: eq_bigr => q _; rewrite mulr1.
have count (Q : pred {ffun T -> 'I_r}) : \sum_(g | alike f g) (if Q g then 1 else 0 : int) = Posz #|[pred g | alike f g && Q g]|.
  rewrite -big_mkcondr /= sumr_const -natz; congr (_%:R); apply: eq_card => g; by rewrite !inE.
rewrite !sums (count (fun g => statistic (moved f 1%g) <= statistic g)) (count predT).
have := share_of_functions f (fun g => statistic (moved f 1%g) <= statistic g); set X := #|[pred s | _]|.
rewrite (eq_card (B := [pred g | alike f g && predT g])) => [e|g]; last by rewrite !inE andbT.
have n0 : #|T|`!%:R != 0 :> R by rewrite pnatr_eq0 -lt0n fact_gt0.
have g0 : #|[pred g | alike f g && predT g]|%:R != 0 :> R.
  by rewrite pnatr_eq0 -lt0n; apply/card_gt0P; exists (moved f 1%g); rewrite inE moved_alike.
by apply/eqP; rewrite eqr_div // -!natrM [X in _ == X%:R]e mulnC.
Qed.
End Tail.

From splitcrit Require Import defs null generated.
Section Gain.
Variables (R : realFieldType) (fillings : seq int -> seq int -> int -> R) (T : finType) (r K : nat) (f : T -> 'I_r) (y : T -> 'I_K).
Hypothesis rows_occur : forall i, (0 < #|[pred u | f u == i]|)%N.
Hypothesis two : (1 < #|T|)%N.
Let d := py_lcm [seq Posz (size_of f i) | i <- enum 'I_r].
Let squares (s : {perm T}) : R := \sum_i \sum_j table R f y s i j ^+ 2 / total_of R f i.

Lemma dvd_lcm (a : nat) (s : seq nat) : a \in s -> exists2 m : nat, py_lcm [seq Posz b | b <- s] = Posz m & (a %| m)%N.
Proof.
move=> a_in; exists (foldr lcmn 1%N s); first by rewrite /py_lcm; congr Posz; elim: s {a_in} => //= b s ->.
elim: s a_in => // b s IH; rewrite inE => /orP[/eqP ->|/IH h] /=; first exact: dvdn_lcml.
exact: dvdn_trans h (dvdn_lcmr _ _).
Qed.
Lemma size_total i : (size_of f i)%:R = total_of R f i.
Proof. by rewrite /size_of cardsE. Qed.
Lemma d_gt0 : 0 < d.
Proof.
suff: (0 < foldr lcmn 1 [seq size_of f i | i <- enum 'I_r])%N.
  by rewrite /d /py_lcm ltz_nat; congr (0 < _)%N; elim: (enum _) => //= b s ->.
by elim: (enum _) => //= i s IH; rewrite lcmn_gt0 IH andbT /size_of cardsE; exact: rows_occur.
Qed.

Lemma statistic_squares s : (statistic f y (moved f s^-1%g))%:~R = d%:~R * squares s.
Proof.
have cells i k : cnt y [set u | moved f s^-1%g u == i] k = #|[pred u | (f u == i) && (y (s u) == k)]|.
  rewrite /cnt -!sum1_card [LHS](reindex_inj (@perm_inj _ s)).
  by apply: eq_bigl => u; rewrite !inE ffunE permK.
rewrite /statistic rmorph_sum /squares big_distrr /=; apply: eq_bigr => i _; rewrite -mulr_suml /value rmorphM /=.
have a0 : total_of R f i != 0 by rewrite pnatr_eq0 -lt0n.
have in_ : size_of f i \in [seq size_of f i | i <- enum 'I_r] by rewrite map_f // mem_enum.
have [m dm div] := dvd_lcm in_; rewrite -map_comp in dm.
have quotient : (py_div d (Posz (size_of f i)))%:~R * total_of R f i = d%:~R.
  have -> : d = Posz m by [].
  by rewrite /py_div /= divz_nat -size_total -[_%:~R]/(_%:R) -natrM divnK.
rewrite -quotient -mulrA [total_of R f i * _]mulrC mulfVK // rmorph_sum; congr (_ * _).
by apply: eq_bigr => k _; rewrite rmorphM /= cells expr2.
Qed.

(* Whatever the limit on its work, where the dynamic programme gives a number it is the exact p-value of the table: the
   share of all permutations of the labels whose Gini gain, as the library computes it, is at least that of the table. *)
Theorem py_exact_tail_is_share_of_permutations limit p :
  py_exact_tail R fillings (listed_rows f y) limit = Some p ->
  p = tail (fun s : {perm T} => py_decrease_gini (table R f y s)) 1%g.
Proof.
move=> /(exact_tailE (ltnW two)) ->; rewrite /tail /reaching.
have -> : #|{perm T}| = #|T|`!.
  rewrite -cardsT -card_perm; apply: eq_card => s; rewrite !inE unfold_in /=; apply/esym/subsetP => u _.
  by rewrite inE.
congr (_%:R / _); rewrite -!sum1_card (reindex_inj invg_inj); apply: eq_bigl => s; rewrite !inE.
rewrite -[in moved f 1%g]invg1 -(ler_int R) !statistic_squares ler_pmul2l ?ltr0z ?d_gt0 //.
rewrite -![py_decrease_gini _]/(gain R f y _) !gainE // ler_add2l ler_pmul2r ?invr_gt0 ?ltr0n ?(ltnW two) //.
by rewrite /squares !squares_table // ler_add2l.
Qed.
End Gain.

(* Two rows of two observations, each of one class: 2 of the 6 ways to deal the labels have a gain as large. *)
Example exact_tail_of_four (R : realFieldType) :
  py_exact_tail R (fun _ _ _ => 0) [:: [:: Posz 2; Posz 0]; [:: Posz 0; Posz 2]] 1000 = Some (2%:R / 6%:R).
Proof.
have law : py_law_by_rows [:: Posz 2; Posz 2] [:: Posz 2; Posz 2] 2 1 1000
    = Some [:: (Posz 8, Posz 2); (Posz 4, Posz 4)] by vm_compute.
have e : py_arrangements R (fun _ _ _ => 0) [:: Posz 2; Posz 2] [:: Posz 2; Posz 2] 2 1000
    = Some [:: (Posz 8, Posz 2); (Posz 4, Posz 4)].
  by rewrite /py_arrangements mul0r ler0z -law; vm_compute.
rewrite /py_exact_tail; set totals := py_sorted_down _; have -> : totals = [:: Posz 2; Posz 2] by vm_compute.
set columns := py_sorted _; have -> : columns = [:: Posz 2; Posz 2] by vm_compute.
set d := py_lcm _; have -> : d = 2 by vm_compute.
by rewrite e.
Qed.
