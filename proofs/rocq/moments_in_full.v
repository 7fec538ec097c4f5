(* Tables of permuted labels in full: the law of their cells, and their moments. *)
From mathcomp Require Import all_ssreflect fingroup perm action primitive_action alt ssralg ssrnum ssrint zmodp.
From mathcomp Require Import ring.
From splitcrit Require Import null defs factorial.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* The law of the cells of a table whose labels are permuted, one by itself and one given others. *)
Section Law.
Variable R : realFieldType.
(* the hypergeometric law: of n items, some of them marked, some are drawn; the chance that x of these are marked *)
Definition hypergeometric (n marked drawn x : nat) : R :=
  if (x <= drawn)%N then ('C(marked, x) * 'C(n - marked, drawn - x))%:R / 'C(n, drawn)%:R else 0.

Lemma sets_by_marks (T : finType) (E : {set T}) a x :
  #|[set A : {set T} | (#|A| == a) && (#|A :&: E| == x)]| =
  (if x <= a then 'C(#|E|, x) * 'C(#|T| - #|E|, a - x) else 0)%N.
Proof.
case: leqP => xa; last first.
  apply: eq_card0 => A; rewrite !inE; apply/negP => /andP[/eqP Aa /eqP Ax].
  by move: xa; rewrite -Aa -Ax ltnNge subset_leq_card // subsetIl.
have -> : (#|T| - #|E| = #|~: E|)%N by rewrite -(cardsC E) addKn.
rewrite -!cards_draws -cardsX -(card_in_imset (f := fun p : {set T} * {set T} => p.1 :|: p.2)); last first.
  move=> [A A'] [B B']; rewrite !inE /= => /andP[/andP[sA _] /andP[sA' _]] /andP[/andP[sB _] /andP[sB' _]] e.
  have cut (X Y : {set T}) : X \subset E -> Y \subset ~: E -> (X :|: Y) :&: E = X /\ (X :|: Y) :&: ~: E = Y.
    move=> sX sY; rewrite !setIUl (setIidPl sX) (setIidPl sY); split.
      by rewrite (disjoint_setI0 (_ : [disjoint Y & E])) ?setU0 // disjoints_subset.
    by rewrite (disjoint_setI0 (_ : [disjoint X & ~: E])) ?set0U // disjoints_subset setCK.
  have [a1 a2] := cut _ _ sA sA'; have [b1 b2] := cut _ _ sB sB'.
  by congr pair; [rewrite -[LHS]a1 -[RHS]b1 e|rewrite -[LHS]a2 -[RHS]b2 e].
apply: eq_card => A; rewrite !inE; apply/andP/imsetP => [[/eqP Aa /eqP Ax]|[[X Y]]].
  exists (A :&: E, A :&: ~: E); last by rewrite /= -setIUr setUCr setIT.
  by have e := cardsID E A; rewrite Aa Ax in e; rewrite !inE /= !subsetIr Ax eqxx /= -setDE -e addKn eqxx.
rewrite !inE /= => /andP[/andP[sX /eqP cX] /andP[sY /eqP cY]] ->.
have d0 : Y :&: E = set0 by apply: disjoint_setI0; rewrite disjoints_subset.
split; last by rewrite setIUl (setIidPl sX) d0 setU0 cX.
rewrite cardsU cX cY (_ : X :&: Y = set0) ?cards0 ?subn0 ?subnKC //.
by apply/setP => u; rewrite !inE; apply/negP => /andP[/(subsetP sX) uE /(subsetP sY)]; rewrite inE uE.
Qed.

(* Over all permutations of the labels a cell is hypergeometric: of as many items as there are observations, as many of
   them marked as the class has, as many are drawn as the row has. *)
Theorem cell_is_hypergeometric_of_permutation (T : finType) (D E : pred T) x :
  #|[pred s : {perm T} | #|[pred u | D u && E (s u)]| == x]|%:R = hypergeometric #|T| #|E| #|D| x * (#|T|`!)%:R.
Proof.
pose img (s : {perm T}) : {set T} := [set s u | u in D].
have sz s : #|img s| = #|D| by rewrite card_imset //; exact: perm_inj.
pose times (A : {set T}) := #|[pred s : {perm T} | img s == A]|.
have same (A A' : {set T}) : #|A| = #|D| -> #|A'| = #|D| -> times A = times A'.
  move=> cA cA'; have e : #|A'| = #|A| by rewrite cA cA'.
  have uA : uniq (enum_tuple A) by exact: enum_uniq.
  have uA' : uniq (tcast e (enum_tuple A')) by rewrite val_tcast; exact: enum_uniq.
  have [t /(congr1 (fun z => tval z))] := move_tuple uA uA'; rewrite val_tcast /= => te.
  have tA : [set t u | u in A] = A'.
    apply/setP => u; apply/imsetP/idP => [[v vA ->]|].
      by rewrite -mem_enum te; apply: map_f; rewrite mem_enum.
    by rewrite -mem_enum te => /mapP[v]; rewrite mem_enum => vA ->; exists v.
  rewrite /times -!sum1_card [RHS](reindex_inj (mulIg t)); apply: eq_bigl => s; rewrite !inE.
  have -> : img (s * t)%g = [set t u | u in img s].
    by rewrite /img -imset_comp; apply: eq_imset => u; rewrite /= permM.
  by rewrite -tA (inj_eq (imset_inj (@perm_inj _ t))).
have cell (s : {perm T}) : #|[pred u | D u && E (s u)]| = #|img s :&: [set u | E u]|.
  have <- : [set s u | u in [pred u | D u && E (s u)]] = img s :&: [set u | E u].
    apply/setP => u; rewrite in_setI inE /img; apply/imsetP/andP => [[v]|[/imsetP[v vD ->] vE]].
      by rewrite inE => /andP[vD vE] ->; split=> //; apply: imset_f.
    by exists v; rewrite // inE vE andbT.
  by rewrite card_imset //; exact: perm_inj.
have cE : #|[set u | E u]| = #|E| by rewrite cardsE.
have by_image (P : pred {set T}) :
    #|[pred s : {perm T} | P (img s)]| = (\sum_(A : {set T} | (#|A| == #|D|) && P A) times A)%N.
  rewrite -[LHS]sum1_card (partition_big img (fun A => (#|A| == #|D|) && P A)) /=; last by move=> s; rewrite inE sz eqxx.
  by apply: eq_bigr => A /andP[_ PA]; rewrite /times -sum1_card; apply: eq_bigl => s; rewrite !inE; case: eqP => [->|]; rewrite ?PA ?andbF.
pose c := times (img 1%g).
have constant (P : pred {set T}) : #|[pred s : {perm T} | P (img s)]| = (#|[set A : {set T} | (#|A| == #|D|) && P A]| * c)%N.
  rewrite by_image -sum_nat_const; apply: eq_big => A; first by rewrite inE.
  by move=> /andP[/eqP cA _]; apply: same.
have whole : (#|T|`! = 'C(#|T|, #|D|) * c)%N.
  have <- : #|[pred s : {perm T} | predT (img s)]| = #|T|`!.
    by rewrite -card_Sym cardsE; apply: eq_card => s; rewrite !inE.
  rewrite constant -card_draws; congr (_ * _)%N; apply: eq_card => A; by rewrite !inE andbT.
have -> : #|[pred s : {perm T} | #|[pred u | D u && E (s u)]| == x]|
    = (#|[set A : {set T} | (#|A| == #|D|) && (#|A :&: [set u | E u]| == x)]| * c)%N.
  by rewrite -(constant (fun A => #|A :&: [set u | E u]| == x)); apply: eq_card => s; rewrite !inE cell.
rewrite sets_by_marks cE /hypergeometric whole; case: leqP => _; last by rewrite mul0n mul0r.
have C0 : 'C(#|T|, #|D|)%:R != 0 :> R by rewrite pnatr_eq0 -lt0n bin_gt0 max_card.
by rewrite !natrM mulrA divfK // -?natrM.
Qed.
End Law.

Section Conditional.
Variables (R : realFieldType) (T : finType).
Local Notation hyper := (hypergeometric R).
Local Notation number P := (#|[pred s : {perm T} | P s]|%:R : R).

Lemma card_of_sub (Q P : pred T) : #|[pred v : {u | Q u} | P (val v)]| = #|[pred u | Q u && P u]|.
Proof.
rewrite -(card_imset _ (val_inj : injective (fun v : {u | Q u} => val v))); apply: eq_card => u.
rewrite inE; apply/imsetP/andP => [[v]|[Qu Pu]]; last by exists (exist _ u Qu); rewrite ?inE.
by rewrite inE => Pv ->; split=> //; exact: (valP v).
Qed.

Lemma given_row r K (f : T -> 'I_r) (y : T -> 'I_K) (F : pred {perm T}) i i' j w x : i' != i ->
  (forall s s' : {perm T}, (forall u, f u = i -> s u = s' u) -> F s = F s') ->
  (forall s, F s -> #|[pred u | (f u == i) && (y (s u) == j)]| = w) ->
  number (fun s => F s && (#|[pred u | (f u == i') && (y (s u) == j)]| == x))
  = hyper (#|T| - #|[pred u | f u == i]|) (#|[pred u | y u == j]| - w) #|[pred u | f u == i']| x * number F.
Proof.
move=> ii FE Fw; pose Q u := f u != i; pose U := [finType of {u | Q u}].
have e_inj (t : {perm U}) : injective (fun u => if insub u is Some v then val ((t : {perm U}) v) else u).
  move=> u u'; case: insubP => [v Qu <-|nu]; case: insubP => [v' Qu' <-|nu'] //.
  - by move=> /val_inj /perm_inj ->.
  - by move=> e; move: nu'; rewrite -e (valP (t v)).
  by move=> e; move: nu; rewrite e (valP (t v')).
pose g t : {perm T} := perm (e_inj t).
have gU t (v : U) : g t (val v) = val (t v) by rewrite permE valK.
have g0 t u : f u = i -> g t u = u by move=> fu; rewrite permE insubN // /Q fu eqxx.
pose cell (s : {perm T}) i j := #|[pred u | (f u == i) && (y (s u) == j)]|.
have sz : #|U| = (#|T| - #|[pred u | f u == i]|)%N.
  rewrite card_sig -(cardC [pred u | f u == i]) addKn; by apply: eq_card => u; rewrite !inE.
have D_ : #|[pred v : U | f (val v) == i']| = #|[pred u | f u == i']|.
  rewrite (card_of_sub Q (fun u => f u == i')); apply: eq_card => u; rewrite !inE /Q.
  by case: (f u =P i') => [->|]; rewrite ?ii ?andbF.
have E_ s : F s -> #|[pred v : U | y (s (val v)) == j]| = (#|[pred u | y u == j]| - w)%N.
  move=> Fs; rewrite (card_of_sub Q (fun u => y (s u) == j)).
  have -> : #|[pred u | y u == j]| = #|[pred u | y (s u) == j]|.
    rewrite -!sum1_card (reindex_inj (@perm_inj _ s)); apply: eq_bigl => u; by rewrite !inE.
  rewrite -[X in _ = (X - _)%N](cardID [pred u | f u == i]) (_ : #|[predI _ & _]| = w) ?addKn.
    by apply: eq_card => u; rewrite !inE /Q.
  by rewrite -(Fw s Fs); apply: eq_card => u; rewrite !inE andbC.
have moved t s : F s -> cell (g t * s)%g i' j = #|[pred v : U | (f (val v) == i') && (y (s (val (t v))) == j)]|.
  move=> _; rewrite -(card_imset _ (val_inj : injective (fun v : U => val v))) /cell; apply: eq_card => u.
  rewrite inE permM; apply/andP/imsetP => [[/eqP fu yu]|[v]].
    have Qu : Q u by rewrite /Q fu.
    by exists (exist _ u Qu); rewrite // inE /= fu eqxx -(gU t (exist _ u Qu)).
  by rewrite inE => /andP[fv yv] ->; rewrite gU.
have Fg t s : F (g t * s)%g = F s by apply: FE => u fu; rewrite permM g0.
have n0 : (#|U|`!)%:R != 0 :> R by rewrite pnatr_eq0 -lt0n fact_gt0.
apply: (mulfI n0).
have -> : (#|U|`!)%:R * number (fun s => F s && (cell s i' j == x))
    = \sum_(t : {perm U}) \sum_(s | F s) ((cell (g t * s)%g i' j == x)%:R : R).
  transitivity (\sum_(t : {perm U}) number (fun s => F s && (cell s i' j == x))).
    by rewrite sumr_const (_ : #|_| = #|U|`!) ?mulr_natl // -card_Sym cardsE.
  apply: eq_bigr => t _; rewrite -sum1_card natr_sum (reindex_inj (mulgI (g t))) /= [LHS]big_mkcond [RHS]big_mkcond.
  by apply: eq_bigr => s _; rewrite inE Fg; case: (F s) => //=; case: eqP.
rewrite exchange_big /= (eq_bigr (fun=> hyper #|U| (#|[pred u | y u == j]| - w) #|[pred u | f u == i']| x * (#|U|`!)%:R)).
  by rewrite sumr_const -sz -[LHS]mulr_natr [X in X * _]mulrC -mulrA.
move=> s Fs; rewrite -(E_ s Fs) -D_.
rewrite -(@cell_is_hypergeometric_of_permutation R U (fun v => f (val v) == i') (fun v => y (s (val v)) == j) x).
rewrite -sum1_card natr_sum [RHS]big_mkcond; apply: eq_bigr => t _.
by rewrite inE moved //; case: eqP.
Qed.

(* Given a cell, the cell of the same class in another row is hypergeometric: of the N - a_i observations left, b_j - n_ij
   of the class, a_i' are drawn; the cell of the same row in another class is so with rows and classes exchanged; given
   both n_ij and n_ij', n_i'j' is hypergeometric (N - a_i, b_j' - n_ij', a_i'). How many permutations have both, of those
   that have what is given. *)
Theorem conditional_cells_are_hypergeometric r K (f : T -> 'I_r) (y : T -> 'I_K) i i' j j' v w x :
  i' != i -> j' != j ->
  let n (s : {perm T}) i j := #|[pred u | (f u == i) && (y (s u) == j)]| in
  let a i := #|[pred u | f u == i]| in let b j := #|[pred u | y u == j]| in
  [/\ number (fun s => (n s i j == v) && (n s i' j == x))
        = hyper (#|T| - a i) (b j - v) (a i') x * number (fun s => n s i j == v),
      number (fun s => (n s i j == v) && (n s i j' == x))
        = hyper (#|T| - b j) (a i - v) (b j') x * number (fun s => n s i j == v)
    & number (fun s => (n s i j == v) && (n s i j' == w) && (n s i' j' == x))
        = hyper (#|T| - a i) (b j' - w) (a i') x * number (fun s => (n s i j == v) && (n s i j' == w))].
Proof.
move=> ii jj n a b.
have row (s s' : {perm T}) k : (forall u, f u = i -> s u = s' u) -> n s i k = n s' i k.
  by move=> e; apply: eq_card => u; rewrite !inE; case: eqP => //= fu; rewrite e.
split.
- apply: given_row => // [s s' e|s /eqP //]; by rewrite (row _ _ _ e).
- have turn (s : {perm T}) i0 j0 : #|[pred u | (y u == j0) && (f ((s^-1)%g u) == i0)]| = n s i0 j0.
    rewrite /n -!sum1_card [LHS](reindex_inj (@perm_inj _ s)); apply: eq_bigl => u.
    by rewrite !inE permK andbC.
  have back (P Q : pred {perm T}) : (forall s, P (s^-1)%g = Q s) -> number P = number Q.
    by move=> e; rewrite -!sum1_card (reindex_inj invg_inj); congr (_%:R); apply: eq_bigl => s; rewrite !inE e.
  pose m (s : {perm T}) j i := #|[pred u | (y u == j) && (f (s u) == i)]|.
  rewrite -(back (fun s => (m s j i == v) && (m s j' i == x)) (fun s => (n s i j == v) && (n s i j' == x))) => [|s]; last by rewrite /m !turn.
  rewrite -(back (fun s => m s j i == v) (fun s => n s i j == v)) => [|s]; last by rewrite /m turn.
  apply: given_row => //; last by move=> s /eqP.
  move=> s s' e; congr (_ == _); apply: eq_card => u; rewrite !inE.
  by case: (y u =P j) => //= yu; rewrite e.
apply: given_row => // [s s' e|s /andP[_ /eqP] //]; by rewrite !(row _ _ _ e).
Qed.
End Conditional.

(* Moments of tables of permuted labels, and the law of their cells: what is tested on small tables, for all of them. *)
Section Joint.
Variable T : finType.

Lemma tuples_of_kinds (Q : finType) (g : T -> Q) m (ks : m.-tuple Q) :
  (#|[pred t : m.-tuple T | uniq t && (map g t == ks :> seq Q)]| = \prod_q #|[pred u | g u == q]| ^_ (count_mem q ks))%N.
Proof.
elim: m ks => [|m IH] ks.
  rewrite big1 => [|q _]; last by rewrite tuple0 /= ffactn0.
  by rewrite (eq_card1 (x := [tuple])) // => t; rewrite !inE [t]tuple0 [ks]tuple0 !eqxx.
case/tupleP: ks => q ks; pose n := #|[pred u | g u == q]|.
have -> : (\prod_q' #|[pred u | g u == q']| ^_ (count_mem q' [tuple of q :: ks])
    = (\prod_q' #|[pred u | g u == q']| ^_ (count_mem q' ks)) * (n - count_mem q ks))%N.
  rewrite (bigD1 q) // [in RHS](bigD1 q) //= eqxx add1n ffactnSr -!mulnA; congr (_ * _)%N; rewrite mulnC; congr (_ * _)%N.
  by apply: eq_bigr => q' /negPf e; rewrite eq_sym e.
rewrite -IH -sum1_card (reindex (fun p : T * m.-tuple T => [tuple of p.1 :: p.2])) /=; last first.
  exists (fun t : m.+1.-tuple T => (thead t, [tuple of behead t])) => [[u t] _ /=|t _].
    by rewrite theadE; congr pair; apply: val_inj.
  by rewrite [t]tuple_eta; apply: val_inj; case/tupleP: t.
rewrite -sum_nat_const; pose P u (t : m.-tuple T) := uniq (u :: t) && (map g (u :: t) == q :: ks :> seq Q).
transitivity (\sum_u \sum_(t | P u t) 1)%N; first by rewrite pair_big_dep; apply: eq_bigl => p; rewrite inE.
rewrite (exchange_big_dep (fun t : m.-tuple T => uniq t && (map g t == ks :> seq Q))) /=; last first.
  by move=> u t _; rewrite /P /= eqseq_cons => /andP[/andP[_ ->] /andP[_ ->]].
rewrite [RHS](eq_bigl (fun t : m.-tuple T => uniq t && (map g t == ks :> seq Q))) => [|t]; last by rewrite inE.
apply: eq_bigr => t /andP[ut /eqP gt].
rewrite (eq_bigl (fun u => (u \notin t) && (g u == q))) => [|u]; last first.
  by rewrite /P /= eqseq_cons ut gt eqxx !andbT.
rewrite sum1_card -/n.
have -> : n = (#|[pred u | (u \in t) && (g u == q)]| + #|[pred u | (u \notin t) && (g u == q)]|)%N.
  rewrite /n -(cardID (mem t)); congr (_ + _)%N; apply: eq_card => u; rewrite !inE //; exact: andbC.
have -> : count_mem q ks = #|[pred u | (u \in t) && (g u == q)]|.
  rewrite -gt count_map -size_filter -(card_uniqP (filter_uniq _ ut)); apply: eq_card => u.
  by rewrite !inE mem_filter andbC.
by rewrite addKn; apply: eq_card => u; rewrite !inE.
Qed.

(* Over all permutations of the labels the mean of a product of falling factorials of cells is the product of those of
   the rows and of those of the classes, with the powers added up, over that of the number of observations: of the cells
   of a list each has as its power how often it stands there. *)
Theorem joint_factorial_moments_of_permutation (R : realFieldType) r K (f : T -> 'I_r) (y : T -> 'I_K)
    (cells : seq ('I_r * 'I_K)) : (seq.size cells <= #|T|)%N ->
  mean (fun s : {perm T} => \prod_(c : 'I_r * 'I_K)
    (#|[pred u | (f u == c.1) && (y (s u) == c.2)]| ^_ (count_mem c cells))%:R : R)
  = (\prod_i (#|[pred u | f u == i]| ^_ (count (fun c => c.1 == i) cells))%:R)
    * (\prod_j (#|[pred u | y u == j]| ^_ (count (fun c => c.2 == j) cells))%:R) / (#|T| ^_ (seq.size cells))%:R.
Proof.
move=> mT; have pairs_of (s : {perm T}) (t : seq T) (cs : seq ('I_r * 'I_K)) : ([seq (f u, y (s u)) | u <- t] == cs)
    = (map f t == map fst cs) && (map y (map s t) == map snd cs).
  elim: t cs => [|u t IH] [|[i j] cs] //=.
  by rewrite !eqseq_cons IH xpair_eqE; case: (f u == i); case: (y (s u) == j); rewrite ?andbF.
have N0 : (#|T| ^_ (seq.size cells))%:R != 0 :> R by rewrite pnatr_eq0 -lt0n ffact_gt0.
have count_ (Q : finType) (g : T -> Q) (ks : (seq.size cells).-tuple Q) :
    \prod_q (#|[pred u | g u == q]| ^_ (count_mem q ks))%:R
    = \sum_(t : (seq.size cells).-tuple T | uniq t) (map g t == ks :> seq Q)%:R :> R.
  rewrite -natr_prod -tuples_of_kinds -sum1_card natr_sum big_mkcond [RHS]big_mkcond /=.
  by apply: eq_bigr => t _; rewrite inE; case: uniq => //=; case: eqP.
have rows : \prod_i (#|[pred u | f u == i]| ^_ (count (fun c => c.1 == i) cells))%:R
    = \sum_(t : (seq.size cells).-tuple T | uniq t) (map f t == map fst cells)%:R :> R.
  rewrite -(count_ _ f [tuple of map fst (in_tuple cells)]); apply: eq_bigr => i _.
  by rewrite /= count_map.
have columns : \prod_j (#|[pred u | y u == j]| ^_ (count (fun c => c.2 == j) cells))%:R
    = \sum_(t : (seq.size cells).-tuple T | uniq t) (map y t == map snd cells)%:R :> R.
  rewrite -(count_ _ y [tuple of map snd (in_tuple cells)]); apply: eq_bigr => j _.
  by rewrite /= count_map.
have := @factor R T (seq.size cells) (fun t => (map f t == map fst cells)%:R) (fun t => (map y t == map snd cells)%:R).
rewrite -rows -columns => e; apply: (mulfI N0); rewrite /mean mulrA.
have -> : \sum_(s : {perm T}) \prod_(c : 'I_r * 'I_K)
      (#|[pred u | (f u == c.1) && (y (s u) == c.2)]| ^_ (count_mem c cells))%:R
  = \sum_(s : {perm T}) \sum_(t : (seq.size cells).-tuple T | uniq t) (map f t == map fst cells)%:R
      * (map y [tuple of map (fun_of_perm s) t] == map snd cells)%:R :> R.
  apply: eq_bigr => s _; have := count_ _ (fun u => (f u, y (s u))) (in_tuple cells).
  rewrite /= (eq_bigr (fun c : 'I_r * 'I_K => (#|[pred u | (f u == c.1) && (y (s u) == c.2)]| ^_ (count_mem c cells))%:R));
    last by move=> [i j] _; congr (_ ^_ _)%:R; apply: eq_card => u; rewrite !inE.
  by move=> ->; apply: eq_bigr => t _; rewrite -natrM mulnb (pairs_of s t cells).
have f0 := nfact0 R T; rewrite e.
set x := \prod_i _; set z := \prod_i _; move: x z ((#|T| ^_ (seq.size cells))%:R : R) ((#|T|`!)%:R : R) N0 f0.
by move=> x z w v w0 v0; field; rewrite w0 v0.
Qed.

(* Of all permutations of the labels the share that has the table of a given one is the product of the factorials of the
   rows and of the classes over N! and those of the cells. *)
Theorem table_of_permutation_has_chance (R : realFieldType) r K (f : T -> 'I_r) (y : T -> 'I_K) (s0 : {perm T}) :
  let n (s : {perm T}) (c : 'I_r * 'I_K) := #|[pred u | (f u == c.1) && (y (s u) == c.2)]| in
  #|[pred s : {perm T} | [forall c, n s c == n s0 c]]|%:R / (#|T|`!)%:R
  = (\prod_i (#|[pred u | f u == i]|`!)%:R) * (\prod_j (#|[pred u | y u == j]|`!)%:R)
    / ((#|T|`!)%:R * \prod_c (n s0 c)`!%:R) :> R.
Proof.
move=> n; pose cells := [seq (f u, y (s0 u)) | u <- enum T].
have sz : seq.size cells = #|T| by rewrite size_map -cardE.
have counted (P : pred ('I_r * 'I_K)) : count P cells = #|[pred u | P (f u, y (s0 u))]|.
  by rewrite count_map -size_filter -(card_uniqP (filter_uniq _ (enum_uniq T))); apply: eq_card => u; rewrite !inE mem_filter mem_enum andbT.
have cellE c : count_mem c cells = n s0 c.
  by rewrite counted; apply: eq_card => u; rewrite !inE; case: c => i j; rewrite xpair_eqE.
have := @joint_factorial_moments_of_permutation R r K f y cells; rewrite sz leqnn ffactnn => /(_ isT).
rewrite (eq_bigr (fun i => (#|[pred u | f u == i]|`!)%:R)) => [|i _]; last first.
  by rewrite counted (_ : #|[pred u | (f u, y (s0 u)).1 == i]| = #|[pred u | f u == i]|) ?ffactnn //; apply: eq_card.
rewrite (eq_bigr (fun j => (#|[pred u | y u == j]|`!)%:R)) => [|j _]; last first.
  rewrite counted (_ : #|[pred u | _ == j]| = #|[pred u | y u == j]|) ?ffactnn //.
  by rewrite -!sum1_card [RHS](reindex_inj (@perm_inj _ s0)); apply: eq_bigl => u; rewrite !inE.
set top := _ * _ => e.
have tot s : (\sum_c n s c = #|T|)%N.
  rewrite -sum1_card (partition_big (fun u => (f u, y (s u))) xpredT) //=; apply: eq_bigr => c _.
  by rewrite /n -sum1_card; apply: eq_bigl => u; rewrite !inE; case: c => i j; rewrite xpair_eqE.
have same s : (forall c, n s0 c <= n s c)%N -> forall c, n s c = n s0 c.
  move=> le c; apply/eqP; rewrite eqn_leq le andbT; have := tot s; rewrite -(tot s0) (bigD1 c) // [in RHS](bigD1 c) //=.
  have : (\sum_(c' | c' != c) n s0 c' <= \sum_(c' | c' != c) n s c')%N by apply: leq_sum => c' _; exact: le.
  set p := (\sum_(c' | c' != c) n s c')%N; set q := (\sum_(c' | c' != c) n s0 c')%N => pq h.
  by rewrite -(leq_add2r q) -h leq_add2l.
pose w : R := \prod_c (n s0 c)`!%:R.
have w0 : w != 0 by apply/prodf_neq0 => c _; rewrite pnatr_eq0 -lt0n fact_gt0.
have products (s : {perm T}) : \prod_(c : 'I_r * 'I_K) (#|[pred u | (f u == c.1) && (y (s u) == c.2)]| ^_ (count_mem c cells))%:R
    = if [forall c, n s c == n s0 c] then w else 0 :> R.
  case: forallP => [eq|ne].
    by apply: eq_bigr => c _; rewrite cellE -/(n s c) (eqP (eq c)) ffactnn.
  have [c lt] : exists c, (n s c < n s0 c)%N.
    apply/existsP; rewrite -[X in is_true X]negbK; apply/negP => /existsPn no; apply: ne => c; apply/eqP; apply: same => c'.
    by have := no c'; rewrite -leqNgt.
  by rewrite (bigD1 c) //= cellE -/(n s c) ffact_small ?mul0r.
move: e; rewrite (mean_ext products) /mean -big_mkcond sumr_const -[w *+ _]mulr_natl => e.
by rewrite -/w invfM [RHS]mulrA -/top -e [RHS]mulrAC mulfK.
Qed.

(* The mean of a cell's fourth power over (N a)^2, from the falling factorials of its margins: eq. (23) of wang2024. *)
Theorem same_cell_term_of_square (R : realFieldType) r K (f : T -> 'I_r) (y : T -> 'I_K) i j :
  let n s := #|[pred u | (f u == i) && (y (s u) == j)]|%:R : R in
  let a := #|[pred u | f u == i]| in let b := #|[pred u | y u == j]| in
  mean (fun s : {perm T} => n s ^+ 4 / (#|T|%:R * a%:R) ^+ 2)
  = (\sum_(l <- [:: (1, 1); (2, 7); (3, 6); (4, 1)]%N | (l.1 <= #|T|)%N)
      l.2%:R * (a ^_ l.1)%:R * (b ^_ l.1)%:R / (#|T| ^_ l.1)%:R) / (#|T|%:R * a%:R) ^+ 2.
Proof.
move=> n a b; set c := (_ * _) ^+ 2.
have few l s : (#|T| < l)%N -> #|[pred u | (f u == i) && (y (s u) == j)]| ^_ l = 0%N :> nat.
  by move=> Tl; apply: ffact_small; apply: leq_ltn_trans Tl; exact: max_card.
have term l : mean (fun s : {perm T} => (#|[pred u | (f u == i) && (y (s u) == j)]| ^_ l)%:R : R)
    = if (l <= #|T|)%N then (a ^_ l)%:R * (b ^_ l)%:R / (#|T| ^_ l)%:R else 0.
  case: ltnP => [lT|lT]; last exact: factorial_moment_of_cell.
  by rewrite (mean_ext (G := fun=> 0)) ?mean_const // => s; rewrite few.
have powers m : (m%:R : R) ^+ 4 = (m ^_ 1)%:R + 7%:R * (m ^_ 2)%:R + 6%:R * (m ^_ 3)%:R + (m ^_ 4)%:R.
  have step l : (m ^_ l.+1)%:R = (m ^_ l)%:R * (m%:R - l%:R) :> R.
    case: (leqP l m) => lm; first by rewrite ffactnSr natrM natrB.
    by rewrite !ffact_small ?mul0r //; exact: ltnW.
  by rewrite !step ffactn0; ring.
rewrite (mean_ext (G := fun s => c^-1 * ((#|[pred u | (f u == i) && (y (s u) == j)]| ^_ 1)%:R
    + 7%:R * (#|[pred u | (f u == i) && (y (s u) == j)]| ^_ 2)%:R
    + 6%:R * (#|[pred u | (f u == i) && (y (s u) == j)]| ^_ 3)%:R
    + (#|[pred u | (f u == i) && (y (s u) == j)]| ^_ 4)%:R))); last by move=> s; rewrite mulrC powers.
rewrite mean_scale !mean_add !mean_scale !term !big_cons big_nil /= mulrC.
by congr (_ / _); do ![case: leqP => _]; rewrite ?mul1r ?mulr0 ?add0r ?addr0 ?mulrA ?addrA.
Qed.
End Joint.
