(* Labels dealt to rows: the ways that the loops of exact_tail go through are the sets of observations of each row. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ring zify.
From splitcrit Require Import python loops cut_loop.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

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
