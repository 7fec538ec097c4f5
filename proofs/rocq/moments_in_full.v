(* Moments of tables of permuted labels, and the law of their cells: what is tested on small tables, for all of them. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs distinct null gini_null factorial.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

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
