(* The covariance of sums over the cells of a table whose labels are permuted, and what the library's code computes of
   it. *)
From mathcomp Require Import all_ssreflect fingroup perm ssralg ssrnum ssrint zmodp.
From mathcomp Require Import ring.
From splitcrit Require Import generated.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* The covariance of sums over the cells of a table whose labels are permuted: the corner formula, for all margins; and
   the law of the other cells of a row, given the number in the corner. That of the other cells of the column is the
   same statement about the inverse permutation, with rows and labels exchanged. *)
(* Two functions that take each value equally often differ by a permutation of the places. *)
Lemma perm_of_counts (n : nat) (D : finType) (h h' : 'I_n -> D) :
  (forall x, #|[pred u | h u == x]| = #|[pred u | h' u == x]|) -> exists p : 'S_n, forall u, h' (p u) = h u.
Proof.
move=> e; have count_tuple (q : 'I_n -> D) x : count_mem x [tuple q u | u < n] = #|[pred u | q u == x]|.
  rewrite -sum1_count -sum1_card big_tuple /= [LHS]big_mkcond [RHS]big_mkcond.
  by apply: eq_bigr => u _; rewrite inE tnth_mktuple.
have /tuple_permP[p ep] : perm_eq [tuple h u | u < n] [tuple h' u | u < n].
  by apply/allP => x _ /=; rewrite !count_tuple e.
exists p => u; have := congr1 (fun t : n.-tuple D => tnth t u) (val_inj ep).
by rewrite !tnth_mktuple.
Qed.

(* How many sets of b places of M have x of them in the part G. *)
Lemma card_draws_meeting (T : finType) (M G : {set T}) b x : G \subset M -> (x <= b)%N ->
  #|[set B : {set T} | [&& B \subset M, #|B| == b & #|B :&: G| == x]]| = ('C(#|G|, x) * 'C(#|M :\: G|, b - x))%N.
Proof.
move=> GM xb; rewrite -cards_draws -cards_draws -cardsX.
pose split (B : {set T}) := (B :&: G, B :\: G).
rewrite -(card_in_imset (f := split)); last first.
  by move=> B C _ _ [e1 e2]; rewrite -(setID B G) -(setID C G) e1 e2.
apply: eq_card => -[X Y]; rewrite !inE /=; apply/imsetP/idP.
  case=> B; rewrite inE => /and3P[BM /eqP Bb /eqP Bx] [-> ->].
  rewrite subsetIr Bx eqxx setSD //=; apply/eqP; have := cardsID G B; rewrite Bx Bb => <-.
  by rewrite addKn.
case/andP=> /andP[XG /eqP Xx] /andP[YM /eqP Yb].
exists (X :|: Y).
  have YG : [disjoint Y & G] by rewrite -setI_eq0; apply/eqP/setP => u; rewrite !inE; apply/negP => /andP[uY uG];
    move/subsetP: YM => /(_ u uY); rewrite inE uG.
  rewrite inE subUset (subset_trans XG GM) (subset_trans YM (subsetDl _ _)) /=.
  have XY : [disjoint X & Y] by rewrite disjoint_sym; exact: disjointWr XG YG.
  rewrite cardsU disjoint_setI0 // cards0 subn0 Xx Yb subnKC // eqxx /=.
  by rewrite setIUl (setIidPl XG) (disjoint_setI0 YG) setU0 Xx.
have place u : ((u \in X) ==> (u \in G)) && ((u \in Y) ==> (u \notin G)).
  apply/andP; split; apply/implyP => h; first exact: subsetP XG _ h.
  by move: (subsetP YM _ h); rewrite inE => /andP[].
by congr (_, _); apply/setP => u; move: (place u); rewrite !inE;
  case: (u \in X); case: (u \in Y); case: (u \in G).
Qed.

Section Average.
Variables (R : realFieldType) (T : finType) (D : eqType) (A : T -> D).
Definition fibre (t : T) : R := #|[pred u | A u == A t]|%:R.
(* The mean of F over all that agree with t in A. *)
Definition given (F : T -> R) (t : T) : R := (\sum_(u | A u == A t) F u) / fibre t.

Lemma fibre_neq0 t : fibre t != 0.
Proof. by rewrite pnatr_eq0 -lt0n; apply/card_gt0P; exists t; rewrite inE eqxx. Qed.

Lemma fibre_same t u : A t = A u -> fibre t = fibre u.
Proof. by move=> e; rewrite /fibre e. Qed.

Lemma average (w F : T -> R) : (forall t u, A t = A u -> w t = w u) ->
  \sum_t w t * given F t = \sum_t w t * F t.
Proof.
move=> we.
have step t : w t * given F t = \sum_(u | A u == A t) w t * F u / fibre t.
  by rewrite /given mulr_suml mulr_sumr; apply: eq_bigr => u _; rewrite mulrA.
under eq_bigr do rewrite step.
rewrite (exchange_big_dep predT) //=; apply: eq_bigr => u _.
have same t : A u == A t -> w t * F u / fibre t = w u * F u / fibre u.
  by move=> /eqP e; rewrite (we t u) // (@fibre_same t u).
rewrite (eq_bigr _ same) sumr_const.
have -> : #|[pred i | A u == A i]| = #|[pred i | A i == A u]| by apply: eq_card => x; rewrite !inE eq_sym.
by rewrite -[LHS]mulr_natr -/(fibre u) divfK // fibre_neq0.
Qed.

Lemma sum_given (F : T -> R) : \sum_t given F t = \sum_t F t.
Proof.
have := @average (fun=> 1) F (fun _ _ _ => erefl).
under eq_bigr do rewrite mul1r.
by under [RHS]eq_bigr do rewrite mul1r.
Qed.
End Average.

Section Corners.
Variables (R : realFieldType) (n r k : nat) (f : 'I_n -> 'I_r) (g : 'I_n -> 'I_k).
(* How many objects of row i have label l after a permutation of the labels. *)
Definition cell i l (s : 'S_n) : nat := #|[pred u | (f u == i) && (g (s u) == l)]|.
Definition row_sum (c : 'I_r -> 'I_k -> nat -> R) i s := \sum_l c i l (cell i l s).
Definition column_sum (c : 'I_r -> 'I_k -> nat -> R) l s := \sum_i c i l (cell i l s).
Definition cell_sum (c : 'I_r -> 'I_k -> nat -> R) s := \sum_i \sum_l c i l (cell i l s).

Definition labelled l (s : 'S_n) : {set 'I_n} := [set u | g (s u) == l].

Lemma cell_labelled i l s : cell i l s = #|[pred u | (f u == i) && (u \in labelled l s)]|.
Proof. by apply: eq_card => u; rewrite !inE. Qed.

Lemma card_labelled l s : #|labelled l s| = #|[pred v | g v == l]|.
Proof.
rewrite -[LHS]sum1_card -[RHS]sum1_card [RHS](reindex_inj (@perm_inj _ s)).
by apply: eq_bigl => u; rewrite !inE.
Qed.

(* Two sets of places with the label that have equally many in row i differ by a permutation that keeps the row. *)
Lemma mover i l s t : cell i l s = cell i l t ->
  exists p : 'S_n, forall u, ((f (p u) == i) = (f u == i)) /\ ((p u \in labelled l t) = (u \in labelled l s)).
Proof.
move=> e; pose h z u := (f u == i, u \in labelled l z).
have [p hp] : exists p : 'S_n, forall u, h t (p u) = h s u.
  apply: perm_of_counts => -[b c].
  have both z : #|[pred u | h z u == (true, true)]| = cell i l z.
    by rewrite cell_labelled; apply: eq_card => u; rewrite !inE /h xpair_eqE !eqb_id inE.
  have in_row z :
      (#|[pred u | h z u == (true, true)]| + #|[pred u | h z u == (true, false)]|)%N = #|[pred u | f u == i]|.
    rewrite -(cardID [pred u | u \in labelled l z] [pred u | f u == i]); congr (_ + _)%N; apply: eq_card => u;
      by rewrite !inE /h xpair_eqE ?eqb_id ?eqbF_neg inE // andbC.
  have in_label z :
      (#|[pred u | h z u == (true, true)]| + #|[pred u | h z u == (false, true)]|)%N = #|[pred v | g v == l]|.
    rewrite -(card_labelled l z) -(cardID [pred u | f u == i] (labelled l z)); congr (_ + _)%N; apply: eq_card => u;
      by rewrite !inE /h xpair_eqE ?eqb_id ?eqbF_neg inE // andbC.
  have out z :
      (#|[pred u | f u != i]| = #|[pred u | h z u == (false, true)]| + #|[pred u | h z u == (false, false)]|)%N.
    rewrite -(cardID [pred u | u \in labelled l z] [pred u | f u != i]); congr (_ + _)%N; apply: eq_card => u;
      by rewrite !inE /h xpair_eqE ?eqb_id ?eqbF_neg inE // andbC.
  have tt : #|[pred u | h s u == (true, true)]| = #|[pred u | h t u == (true, true)]| by rewrite !both.
  have tf : #|[pred u | h s u == (true, false)]| = #|[pred u | h t u == (true, false)]|.
    by apply: (@addnI #|[pred u | h s u == (true, true)]|); rewrite in_row tt in_row.
  have ft : #|[pred u | h s u == (false, true)]| = #|[pred u | h t u == (false, true)]|.
    by apply: (@addnI #|[pred u | h s u == (true, true)]|); rewrite in_label tt in_label.
  have ff : #|[pred u | h s u == (false, false)]| = #|[pred u | h t u == (false, false)]|.
    by apply: (@addnI #|[pred u | h s u == (false, true)]|); rewrite -out ft -out.
  by case: b c => [] [].
by exists p => u; have [] := hp u.
Qed.

Variables (c d : 'I_r -> 'I_k -> nat -> R).

Lemma cell_moved (p : 'S_n) i j t : (forall u, (f (p u) == i) = (f u == i)) -> cell i j (p * t)%g = cell i j t.
Proof.
move=> hp; rewrite /cell -sum1_card -[RHS]sum1_card [RHS](reindex_inj (@perm_inj _ p)).
by apply: eq_bigl => u; rewrite !inE permM hp.
Qed.

Lemma labelled_moved (p : 'S_n) l (B B' : {set 'I_n}) t : (forall u, (p u \in B') = (u \in B)) ->
  (labelled l (p * t)%g == B) = (labelled l t == B').
Proof.
move=> hp; apply/eqP/eqP => e; apply/setP => u.
  have := hp ((p^-1)%g u); rewrite permKV => ->; move/setP: e => /(_ ((p^-1)%g u)).
  by rewrite !inE permM permKV.
by rewrite -hp -e !inE permM.
Qed.

(* What a row expects depends on the places with the label through their number in the row alone. *)
Lemma given_row i l s t : cell i l s = cell i l t ->
  given (labelled l) (row_sum c i) s = given (labelled l) (row_sum c i) t :> R.
Proof.
move=> e; have [p hp] := mover e.
have hf u : (f (p u) == i) = (f u == i) by case: (hp u).
have hl u : (p u \in labelled l t) = (u \in labelled l s) by case: (hp u).
rewrite /given; congr (_ / _).
  rewrite (reindex_inj (@mulgI _ p)); apply: eq_big => [z|z _]; first exact: labelled_moved.
  by apply: eq_bigr => j _; rewrite cell_moved.
rewrite /fibre; congr _%:R; rewrite -sum1_card -[RHS]sum1_card (reindex_inj (@mulgI _ p)).
by apply: eq_bigl => z; rewrite !inE; exact: labelled_moved.
Qed.

Lemma column_of_labelled l s t : labelled l s = labelled l t -> column_sum d l s = column_sum d l t.
Proof. by move=> e; apply: eq_bigr => i _; rewrite !cell_labelled e. Qed.

Lemma cell_of_labelled i l s t : labelled l s = labelled l t -> cell i l s = cell i l t.
Proof. by move=> e; rewrite !cell_labelled e. Qed.

(* Row and column sum are independent, given the number in the corner. *)
Lemma independent_given_corner i l s :
  given (cell i l) (row_sum c i) s * given (cell i l) (column_sum d l) s
  = given (cell i l) (fun t => row_sum c i t * column_sum d l t) s :> R.
Proof.
pose y := cell i l s; pose m : R := given (labelled l) (row_sum c i) s.
have weighed (w : 'S_n -> R) : (forall t u, labelled l t = labelled l u -> w t = w u) ->
    \sum_(t | cell i l t == y) row_sum c i t * w t = m * \sum_(t | cell i l t == y) w t.
  move=> hw; rewrite big_mkcond [in RHS]big_mkcond mulr_sumr /=.
  have := @average R _ _ (labelled l) (fun t => (cell i l t == y)%:R * w t) (row_sum c i).
  move=> av; transitivity (\sum_t (cell i l t == y)%:R * w t * row_sum c i t).
    by apply: eq_bigr => t _; case: eqP => _; rewrite ?mul1r ?mul0r // mulrC.
  rewrite -av; last by move=> t u e; rewrite (cell_of_labelled i e) (hw _ _ e).
  apply: eq_bigr => t _; case: eqP => [e|_]; last by rewrite !mul0r mulr0.
  by rewrite mul1r mulrC (given_row (s := t) (t := s)).
have one : \sum_(t | cell i l t == y) row_sum c i t = m * fibre R (cell i l) s.
  have := weighed (fun=> 1) (fun _ _ _ => erefl); rewrite sumr_const => <-.
  by apply: eq_bigr => t _; rewrite mulr1.
have two := weighed (column_sum d l) (@column_of_labelled l).
rewrite /given -/y one two mulfK ?fibre_neq0 //.
by rewrite mulrA.
Qed.

Definition mean (F : 'S_n -> R) : R := (\sum_s F s) / n`!%:R.
Definition covariance (F G : 'S_n -> R) : R := mean (fun s => F s * G s) - mean F * mean G.

Lemma mean_given i l F : mean (given (cell i l) F) = mean F.
Proof. by rewrite /mean sum_given. Qed.

Lemma mean_ext F G : F =1 G -> mean F = mean G.
Proof. by move=> e; rewrite /mean (eq_bigr G). Qed.

Lemma mean_sum (I : finType) (F : I -> 'S_n -> R) : mean (fun s => \sum_i F i s) = \sum_i mean (F i).
Proof. by rewrite /mean exchange_big mulr_suml. Qed.

(* For any functions c and d of the cells, all rows, classes and margins: the covariance of the sums over cells is the
   sum over corners (i, l) of that of what row i and column l expect, given the number in the corner. *)
Theorem covariance_of_cell_sums_is_by_corners :
  covariance (cell_sum c) (cell_sum d)
  = \sum_i \sum_l covariance (given (cell i l) (row_sum c i)) (given (cell i l) (column_sum d l)).
Proof.
have by_columns s : cell_sum d s = \sum_l column_sum d l s by rewrite /cell_sum exchange_big.
have products s : cell_sum c s * cell_sum d s = \sum_i \sum_l row_sum c i s * column_sum d l s.
  by rewrite by_columns mulr_suml; apply: eq_bigr => i _; rewrite mulr_sumr.
rewrite /covariance (mean_ext products) mean_sum (mean_ext by_columns) mean_sum.
rewrite (@mean_sum _ (row_sum c)) mulr_suml -sumrB; apply: eq_bigr => i _.
rewrite mean_sum mulr_sumr -sumrB; apply: eq_bigr => l _.
by rewrite (mean_ext (independent_given_corner i l)) !mean_given.
Qed.
End Corners.

(* For any functions c of the cells, all rows, classes and margins: the variance of the sum over cells is the sum over
   corners (i, l) of the covariance of what row i and column l expect, given the number in the corner. *)
Theorem variance_of_cell_sum_is_by_corners (R : realFieldType) (n r k : nat) (f : 'I_n -> 'I_r) (g : 'I_n -> 'I_k)
    (c : 'I_r -> 'I_k -> nat -> R) :
  mean (fun s => (cell_sum f g c s - mean (cell_sum f g c)) ^+ 2)
  = \sum_i \sum_l covariance (given (cell f g i l) (row_sum f g c i)) (given (cell f g i l) (column_sum f g c l)).
Proof.
rewrite -covariance_of_cell_sums_is_by_corners /covariance; set S := cell_sum f g c; set m := mean S.
have n0 : (n`!)%:R != 0 :> R by rewrite pnatr_eq0 -lt0n fact_gt0.
have e s : (S s - m) ^+ 2 = S s * S s + (- (2%:R * m) * S s + m ^+ 2) by ring.
rewrite (mean_ext e) /mean big_split big_split /= -mulr_sumr sumr_const card_Sn -[m ^+ 2 *+ _]mulr_natr.
rewrite !mulrDl mulfK // -mulrA -/(mean S) -/m; by ring.
Qed.

Section Law.
Variables (n r k : nat) (f : 'I_n -> 'I_r) (g : 'I_n -> 'I_k) (i : 'I_r) (l j : 'I_k).
Hypothesis lj : l != j.
Local Notation row := [set u | f u == i].
Local Notation of_label m := #|[pred v | g v == m]|.
Definition pattern v := (g v == l, g v == j).
Definition kept_patterns : nat := #|[pred q : 'S_n | [forall v, pattern (q v) == pattern v]]|.
Definition valid (AB : {set 'I_n} * {set 'I_n}) : bool :=
  [&& #|AB.1| == of_label l, #|AB.2| == of_label j & [disjoint AB.1 & AB.2]].
Definition places (s : 'S_n) := (labelled g l s, labelled g j s).

Lemma valid_places s : valid (places s).
Proof.
rewrite /valid /= !card_labelled !eqxx /= -setI_eq0; apply/eqP/setP => u; rewrite !inE.
by apply/negP => /andP[/eqP -> /eqP e]; move: lj; rewrite e eqxx.
Qed.

Lemma card_pattern (AB : {set 'I_n} * {set 'I_n}) x : valid AB ->
  #|[pred u | (u \in AB.1, u \in AB.2) == x]| = #|[pred v | pattern v == x]|.
Proof.
case: AB => A B /and3P[/= /eqP Al /eqP Bj AB0].
have none u : ~~ ((u \in A) && (u \in B)) by apply/negP => /andP[uA uB]; move: (disjointFr AB0 uA); rewrite uB.
have apart v : ~~ ((g v == l) && (g v == j)) by apply/negP => /andP[/eqP -> /eqP e]; move: lj; rewrite e eqxx.
have cA : #|[pred u | (u \in A, u \in B) == (true, false)]| = #|[pred v | pattern v == (true, false)]|.
  rewrite (eq_card (B := mem A)); last first.
    by move=> u; rewrite !inE xpair_eqE; case: (u \in A) (none u) => //=; case: (u \in B).
  rewrite Al; apply: eq_card => v; rewrite !inE /pattern xpair_eqE.
  by case: (g v == l) (apart v) => //=; case: (g v == j).
have cB : #|[pred u | (u \in A, u \in B) == (false, true)]| = #|[pred v | pattern v == (false, true)]|.
  rewrite (eq_card (B := mem B)); last first.
    by move=> u; rewrite !inE xpair_eqE; case: (u \in B) (none u) => //=; case: (u \in A).
  rewrite Bj; apply: eq_card => v; rewrite !inE /pattern xpair_eqE.
  by case: (g v == j) (apart v) => //=; case: (g v == l).
have c2 : #|[pred u | (u \in A, u \in B) == (true, true)]| = #|[pred v | pattern v == (true, true)]|.
  rewrite !eq_card0 // => u; rewrite !inE /pattern xpair_eqE !eqb_id; first exact: negbTE (apart u).
  exact: negbTE (none u).
case: x => -[] [] //.
have whole (h : 'I_n -> bool * bool) : (#|[pred u | h u == (true, true)]| + #|[pred u | h u == (true, false)]|
    + #|[pred u | h u == (false, true)]| + #|[pred u | h u == (false, false)]|)%N = n.
  have cnt c : #|[pred u | h u == c]| = (\sum_u (h u == c : nat))%N.
    by rewrite -sum1_card big_mkcond; apply: eq_bigr => u _; rewrite inE; case: (h u == c).
  rewrite !cnt -!big_split -[RHS](card_ord n) -sum1_card /=.
  by apply: eq_bigr => u _; case: (h u) => -[] [].
apply/eqP; rewrite -(eqn_add2l (#|[pred u | (u \in A, u \in B) == (true, true)]|
  + #|[pred u | (u \in A, u \in B) == (true, false)]| + #|[pred u | (u \in A, u \in B) == (false, true)]|)).
by rewrite (whole (fun u => (u \in A, u \in B))) c2 cA cB (whole pattern).
Qed.

Lemma card_places AB : valid AB -> #|[pred s | places s == AB]| = kept_patterns.
Proof.
move=> v; have [p hp] : exists p : 'S_n, forall u, pattern (p u) = (u \in AB.1, u \in AB.2).
  by apply: perm_of_counts => x; exact: card_pattern.
rewrite /kept_patterns -sum1_card -[RHS]sum1_card (reindex_inj (@mulgI _ p)); apply: eq_bigl => q.
rewrite !inE; apply/eqP/forallP => [e u|e].
  apply/eqP; have := hp ((p^-1)%g u); rewrite permKV => ->.
  by rewrite -e /= !inE !permM permKV.
case: AB {v} hp => A B /= hp; congr (_, _); apply/setP => u; have /eqP := e (p u); rewrite hp /pattern => -[h1 h2];
  by rewrite !inE permM ?h1 ?h2.
Qed.

Lemma count_places (P : pred ({set 'I_n} * {set 'I_n})) :
  #|[pred s | P (places s)]| = (#|[pred AB | valid AB && P AB]| * kept_patterns)%N.
Proof.
rewrite -sum1_card (partition_big places (fun AB => valid AB && P AB)) /=; last first.
  by move=> s; rewrite inE valid_places.
rewrite -sum_nat_const; apply: eq_big => [AB|AB /andP[v hP]]; first by rewrite inE.
rewrite -(card_places v) -sum1_card; apply: eq_bigl => s; rewrite !inE.
by case: eqP => [->|]; rewrite ?hP ?andbF.
Qed.

Lemma card_pairs (Q : pred ({set 'I_n} * {set 'I_n})) :
  #|[pred AB | Q AB]| = (\sum_(A : {set 'I_n}) #|[pred B | Q (A, B)]|)%N.
Proof.
transitivity (\sum_AB (Q (AB.1, AB.2) : nat))%N.
  by rewrite -sum1_card big_mkcond; apply: eq_bigr => -[A B] _; rewrite inE; case: (Q _).
rewrite -(pair_bigA _ (fun A B => Q (A, B) : nat)); apply: eq_bigr => A _.
by rewrite -sum1_card [RHS]big_mkcond; apply: eq_bigr => B _; rewrite inE; case: (Q _).
Qed.

Lemma others (A B : {set 'I_n}) : #|A| = of_label l ->
  valid (A, B) = (B \subset ~: A) && (#|B| == of_label j).
Proof. by move=> e; rewrite /valid /= e eqxx /= disjoint_sym disjoints_subset andbC. Qed.

(* Given that y objects of row i have label l, the number that have label j is hypergeometric: of the n - b_l objects
   without label l, a_i - y are of row i, and b_j have label j. In counts of permutations, for all margins. *)
Theorem cell_is_hypergeometric_given_corner y x : (x <= of_label j)%N ->
  (#|[pred s | (cell f g i l s == y) && (cell f g i j s == x)]| * 'C(n - of_label l, of_label j)
   = #|[pred s | cell f g i l s == y]|
     * ('C(#|row| - y, x) * 'C(n - of_label l - (#|row| - y), of_label j - x)))%N.
Proof.
move=> xj; pose met (A : {set 'I_n}) := #|A :&: row|.
have cellE m s : cell f g i m s = met (labelled g m s).
  by rewrite /met cell_labelled; apply: eq_card => u; rewrite !inE andbC.
have one : #|[pred s | (cell f g i l s == y) && (cell f g i j s == x)]|
    = (#|[pred AB | valid AB && ((met AB.1 == y) && (met AB.2 == x))]| * kept_patterns)%N.
  by rewrite -count_places; apply: eq_card => s; rewrite !inE !cellE.
have two : #|[pred s | cell f g i l s == y]| = (#|[pred AB | valid AB && (met AB.1 == y)]| * kept_patterns)%N.
  by rewrite -count_places; apply: eq_card => s; rewrite !inE cellE.
rewrite one two -!mulnA [in LHS]mulnCA [in RHS]mulnCA; congr (_ * _)%N.
rewrite !card_pairs !big_distrl; apply: eq_bigr => A _ /=.
case: (boolP ((#|A| == of_label l) && (met A == y))) => [/andP[/eqP Al /eqP Ay]|out]; last first.
  have nothing (P : pred {set 'I_n}) : #|[pred B | valid (A, B) && ((met A == y) && P B)]| = 0%N.
    apply: eq_card0 => B; rewrite !inE /valid /=; apply/negP => /and3P[/and3P[h _ _] h2 _].
    by rewrite h h2 in out.
  rewrite nothing (eq_card (B := [pred B | valid (A, B) && ((met A == y) && true)])) ?nothing ?mul0n //.
  by move=> B; rewrite !inE andbT.
pose G := row :\: A.
have GA : G \subset ~: A by rewrite /G setDE subsetIr.
have cG : #|G| = (#|row| - y)%N by rewrite /G cardsD setIC -/(met A) Ay.
have cA : #|~: A| = (n - of_label l)%N by rewrite cardsCs setCK Al card_ord.
have cR : #|~: A :\: G| = (n - of_label l - (#|row| - y))%N by rewrite cardsD (setIidPr GA) cA cG.
have -> : #|[pred B | valid (A, B) && (met A == y)]| = 'C(n - of_label l, of_label j).
  rewrite -cA -cards_draws; apply: eq_card => B; rewrite !inE others // Ay eqxx andbT; done.
have -> : #|[pred B | valid (A, B) && ((met A == y) && (met B == x))]|
    = ('C(#|row| - y, x) * 'C(n - of_label l - (#|row| - y), of_label j - x))%N.
  rewrite -cR -cG -(card_draws_meeting GA xj); apply: eq_card => B; rewrite !inE others // Ay eqxx /= -andbA.
  case: (boolP (B \subset ~: A)) => //= BA; congr (_ && (_ == _)); apply: eq_card => u; rewrite !inE.
  by case: (boolP (u \in B)) => //= uB; move: (subsetP BA u uB); rewrite inE => ->.
by rewrite mulnC.
Qed.
End Law.

(* The covariance of sums over cells as splitcrit.nulls.corner computes it: what corners.v states, in the library's own
   terms. Chances are products of ratios of neighbours; one corner is a covariance under these; equal rows and columns
   are taken once; and of a straight part the expected count of a cell, given that in the corner, has a closed form. *)
(* The chances of x and x + 1 good ones among the draws have the ratio that the code multiplies by. *)
Theorem chances_of_neighbours_have_the_printed_ratio (R : realFieldType) (n good draws x : nat) :
  (good <= n)%N -> (x < good)%N -> (x < draws)%N -> (draws <= n - good + x)%N ->
  ('C(good, x.+1) * 'C(n - good, draws - x.+1))%:R * py_ways_down n%:R good%:R draws%:R x%:R
  = ('C(good, x) * 'C(n - good, draws - x))%:R * py_ways_up good%:R draws%:R x%:R :> R.
Proof.
move=> gn xg xd room; rewrite /py_ways_down /py_ways_up.
have -> : x%:R + 1 = x.+1%:R :> R by rewrite -addn1 natrD.
have -> : n%:R - good%:R - draws%:R + 1 + x%:R = (n - good - (draws - x.+1))%N%:R :> R.
  have d1 : (draws - x.+1 <= n - good)%N by rewrite leq_subLR; apply: leq_trans room _; rewrite addnC addSn leqW.
  by rewrite !natrB // -[x.+1]addn1 natrD; ring.
rewrite -!natrB //; try exact: ltnW.
rewrite -!natrM; congr _%:R.
have e1 : (x.+1 * 'C(good, x.+1) = (good - x) * 'C(good, x))%N by rewrite mul_bin_left.
have e2 : ((draws - x) * 'C(n - good, draws - x) = (n - good - (draws - x.+1)) * 'C(n - good, draws - x.+1))%N.
  by rewrite -(subnSK xd) mul_bin_left.
by rewrite mulnACA [('C(good, x.+1) * _)%N]mulnC e1 [('C(n - good, _) * _)%N]mulnC -e2 mulnACA mulnC.
Qed.

Section Code.
Variables (R : realFieldType) (n r k : nat) (f : 'I_n -> 'I_r) (g : 'I_n -> 'I_k).
Local Notation cell := (cell f g).

Lemma cell_small i l s : (cell i l s < n.+1)%N.
Proof. by rewrite ltnS; apply: leq_trans (max_card _) _; rewrite card_ord. Qed.

(* The chance that y objects of row i have label l. *)
Definition chance i l (y : 'I_n.+1) : R := #|[pred s | cell i l s == y]|%:R / n`!%:R.

Lemma mean_of_count i l (h : nat -> R) : mean (fun s => h (cell i l s)) = \sum_(y < n.+1) chance i l y * h y.
Proof.
rewrite /mean (partition_big (fun s => Ordinal (cell_small i l s)) predT) //= mulr_suml.
apply: eq_bigr => y _; rewrite /chance mulrAC; congr (_ / _).
rewrite (eq_bigr (fun=> h y)); last by move=> s /eqP <-.
rewrite sumr_const -[LHS]mulr_natl; congr (_%:R * _); apply: eq_card => s; by rewrite !inE.
Qed.

Lemma mean_const (c : R) : mean (fun _ : 'S_n => c) = c.
Proof.
rewrite /mean sumr_const card_Sn -[c *+ _]mulr_natr mulfK // pnatr_eq0 -lt0n; exact: fact_gt0.
Qed.

Lemma chances_add_up i l : \sum_(y < n.+1) chance i l y = 1.
Proof. by have := mean_of_count i l (fun=> 1); rewrite mean_const => ->; apply: eq_bigr => y _; rewrite mulr1. Qed.

Lemma covariance_ext (F F' G G' : 'S_n -> R) : F =1 F' -> G =1 G' -> covariance F G = covariance F' G'.
Proof.
by move=> e1 e2; rewrite /covariance !(mean_ext e1, mean_ext e2) (mean_ext (G := fun s => F' s * G' s)) // => s;
  rewrite e1 e2.
Qed.

Lemma covariance_shift (F G : 'S_n -> R) a b : covariance (fun s => F s + a) (fun s => G s + b) = covariance F G.
Proof.
have add (H : 'S_n -> R) c : mean (fun s => H s + c) = mean H + c.
  by rewrite -[c in RHS]mean_const /mean big_split mulrDl.
have mul (H : 'S_n -> R) c : mean (fun s => c * H s) = c * mean H by rewrite /mean -mulr_sumr mulrA.
rewrite /covariance !add (mean_ext (G := fun s => F s * G s + (b * F s + a * G s + a * b))); last by move=> s; ring.
have -> : mean (fun s => F s * G s + (b * F s + a * G s + a * b))
    = mean (fun s => F s * G s) + (b * mean F + a * mean G + a * b).
  rewrite -[X in _ + (_ + X)](mean_const) -(mul F b) -(mul G a) /mean -!mulrDl -!big_split.
  by [].
by ring.
Qed.

(* What the code computes of a corner is the covariance of two functions of its count. *)
Lemma printed_corner i l (h w : nat -> R) :
  py_covariance_of (fun y : 'I_n.+1 => chance i l y) (fun y => h y) (fun y => w y)
  = covariance (fun s => h (cell i l s)) (fun s => w (cell i l s)).
Proof.
rewrite /covariance (mean_of_count i l h) (mean_of_count i l w) (mean_of_count i l (fun y => h y * w y)).
rewrite /py_covariance_of; set mh := \sum_(j < _) chance i l j * h j; set mw := \sum_(j < _) chance i l j * w j.
have e (y : 'I_n.+1) : chance i l y * (h y - mh) * (w y - mw)
    = chance i l y * (h y * w y) - mw * (chance i l y * h y) - mh * (chance i l y * w y) + mh * mw * chance i l y.
  by ring.
rewrite (eq_bigr _ (fun y _ => e y)) big_split /= sumrB sumrB -!mulr_sumr chances_add_up -/mh -/mw.
by rewrite mulr1 [mh * mw]mulrC subrK.
Qed.

(* Rows of one kind u, and columns of one kind v, are taken once: the printed sum over corners is that over all cells. *)
Lemma printed_total (r' k' : nat) (u : 'I_r -> 'I_r') (v : 'I_k -> 'I_k') (F : 'I_r' -> 'I_k' -> R) :
  py_total_of_corners (fun i => #|[pred x | u x == i]|%:R) (fun l => #|[pred x | v x == l]|%:R) F
  = \sum_i \sum_l F (u i) (v l).
Proof.
rewrite /py_total_of_corners [RHS](partition_big u predT) //=; apply: eq_bigr => i _.
rewrite [RHS](eq_bigr (fun=> \sum_l F i (v l))); last by move=> x /eqP ->.
rewrite sumr_const -[RHS]mulr_natl; congr (_ * _); rewrite [RHS](partition_big v predT) //=; apply: eq_bigr => l _.
by rewrite [RHS](eq_bigr (fun=> F i l)) => [|x /eqP -> //]; rewrite sumr_const -[RHS]mulr_natl.
Qed.

(* For any functions c and d of the cells and all margins: given the chances of each count, and what row and column
   expect at it but for a constant, the printed sum over corners of the printed covariances is the covariance of the
   sums over all cells. *)
Theorem printed_covariance_is_that_of_cell_sums (c d : 'I_r -> 'I_k -> nat -> R) (r' k' : nat)
    (u : 'I_r -> 'I_r') (v : 'I_k -> 'I_k') (p : 'I_r' -> 'I_k' -> 'I_n.+1 -> R)
    (row column : 'I_r' -> 'I_k' -> nat -> R) (x y : 'I_r -> 'I_k -> R) :
  (forall i l, p (u i) (v l) =1 chance i l) ->
  (forall i l s, row (u i) (v l) (cell i l s) = given (cell i l) (row_sum f g c i) s + x i l) ->
  (forall i l s, column (u i) (v l) (cell i l s) = given (cell i l) (column_sum f g d l) s + y i l) ->
  py_total_of_corners (fun i => #|[pred z | u z == i]|%:R) (fun l => #|[pred z | v z == l]|%:R)
    (fun i l => py_covariance_of (p i l) (fun z => row i l z) (fun z => column i l z))
  = covariance (cell_sum f g c) (cell_sum f g d).
Proof.
move=> hp hrow hcolumn; rewrite printed_total covariance_of_cell_sums_is_by_corners.
apply: eq_bigr => i _; apply: eq_bigr => l _.
rewrite -(covariance_shift _ _ (x i l) (y i l)) -(covariance_ext (hrow i l) (hcolumn i l)) -printed_corner.
rewrite /py_covariance_of; have e (h : nat -> R) : \sum_(z < n.+1) p (u i) (v l) z * h z = \sum_(z < n.+1) chance i l z * h z.
  by apply: eq_bigr => z _; rewrite hp.
by rewrite !e; apply: eq_bigr => z _; rewrite hp.
Qed.

(* A sum whose terms of a row or a column are equal but for what their counts are multiplied by differs by a constant:
   what slopes have in common in a row or a column may be taken away. *)
Theorem common_slopes_change_no_covariance (c d : 'I_r -> 'I_k -> nat -> R) (a a' : 'I_r -> R) (b b' : 'I_k -> R) :
  covariance (cell_sum f g (fun i l z => c i l z - (a i + b l) * z%:R))
    (cell_sum f g (fun i l z => d i l z - (a' i + b' l) * z%:R))
  = covariance (cell_sum f g c) (cell_sum f g d).
Proof.
have row_total i s : \sum_l (cell i l s)%:R = #|[pred t | f t == i]|%:R :> R.
  rewrite -natr_sum; congr _%:R; rewrite -[RHS]sum1_card [RHS](partition_big (fun t => g (s t)) predT) //=.
  by apply: eq_bigr => l _; rewrite -[LHS]sum1_card; apply: eq_bigl => t; rewrite !inE.
have column_total l s : \sum_i (cell i l s)%:R = #|[pred t | g t == l]|%:R :> R.
  rewrite -natr_sum; congr _%:R; rewrite -(card_labelled g l s) -[RHS]sum1_card [RHS](partition_big f predT) //=.
  by apply: eq_bigr => i _; rewrite -[LHS]sum1_card; apply: eq_bigl => t; rewrite !inE andbC.
have shifted (e : 'I_r -> 'I_k -> nat -> R) (w : 'I_r -> R) (z : 'I_k -> R) s :
    cell_sum f g (fun i l t => e i l t - (w i + z l) * t%:R) s
    = cell_sum f g e s + - (\sum_i w i * #|[pred t | f t == i]|%:R + \sum_l z l * #|[pred t | g t == l]|%:R).
  rewrite /cell_sum; under eq_bigr do rewrite sumrB.
  rewrite sumrB; congr (_ - _).
  under eq_bigr do under eq_bigr do rewrite mulrDl.
  under eq_bigr do rewrite big_split /= -mulr_sumr row_total.
  rewrite big_split /=; congr (_ + _); rewrite exchange_big; apply: eq_bigr => l _.
  by rewrite -mulr_sumr column_total.
rewrite (covariance_ext (shifted c a b) (shifted d a' b')); exact: covariance_shift.
Qed.
End Code.

Lemma mean_draw (A B b : nat) :
  ((A + B) * (\sum_(x < b.+1) x * ('C(A, x) * 'C(B, b - x))) = A * b * 'C(A + B, b))%N.
Proof.
case: b => [|b]; first by rewrite big_ord_recl big_ord0 muln0 mul0n muln0.
case: A => [|A]; first by rewrite big1 ?muln0 ?mul0n // => -[[|x] hx] _ //=; rewrite bin0n mul0n muln0.
rewrite big_ord_recl mul0n add0n.
rewrite (eq_bigr (fun x : 'I_b.+1 => (A.+1 * ('C(A, x) * 'C(B, b - x)))%N)); last first.
  by move=> x _; rewrite subSS !mulnA -mul_bin_diag.
rewrite -big_distrr /= Vandermonde mulnCA -mulnA; congr (_ * _)%N.
by rewrite addSn mul_bin_diag.
Qed.

Section Given.
Variables (R : realFieldType) (n r k : nat) (f : 'I_n -> 'I_r) (g : 'I_n -> 'I_k) (i : 'I_r) (l : 'I_k).
Local Notation cell := (cell f g).
Definition row_size : nat := #|[set u | f u == i]|.
Definition label_size (m : 'I_k) : nat := #|[pred v | g v == m]|.
Definition room : nat := n - label_size l.

(* The chance that x of b_j objects are drawn when a_i - y are drawn of the n - b_l that do not have label l. *)
Definition draw_chance (j : 'I_k) (y x : nat) : R :=
  ('C(row_size - y, x) * 'C(room - (row_size - y), label_size j - x))%:R / 'C(room, label_size j)%:R.

Lemma cell_le_label m s : (cell i m s <= label_size m)%N.
Proof.
rewrite cell_labelled /label_size -(card_labelled g m s); apply: subset_leq_card; apply/subsetP => u.
by rewrite !inE => /andP[].
Qed.

Lemma cell_le_row m s : (cell i m s <= row_size)%N.
Proof. by rewrite /row_size cell_labelled; apply: subset_leq_card; apply/subsetP => u; rewrite !inE => /andP[]. Qed.

Lemma rest_fits s : (row_size - cell i l s <= room)%N.
Proof.
have -> : room = #|~: labelled g l s| by rewrite cardsCs setCK card_ord card_labelled.
have -> : (row_size - cell i l s)%N = #|[set u | f u == i] :\: labelled g l s|.
  by rewrite cardsD /row_size cell_labelled; congr (_ - _)%N; apply: eq_card => u; rewrite !inE.
by apply: subset_leq_card; apply/subsetP => u; rewrite !inE => /andP[].
Qed.

Lemma label_fits j : l != j -> (label_size j <= room)%N.
Proof.
move=> lj; rewrite /room leq_subRL; last by rewrite -[n in (_ <= n)%N]card_ord; exact: max_card.
rewrite /label_size -cardUI -[X in (_ <= X)%N]card_ord.
rewrite (_ : #|[predI _ & _]| = 0%N) ?addn0 ?max_card //; apply: eq_card0 => v; rewrite !inE.
by apply/negP => /andP[/eqP -> /eqP e]; move: lj; rewrite e eqxx.
Qed.

Theorem cell_expects_given_corner (j : 'I_k) (h : nat -> R) s : l != j ->
  given (cell i l) (fun t => h (cell i j t)) s = \sum_(x < (label_size j).+1) draw_chance j (cell i l s) x * h x.
Proof.
move=> lj; set y := cell i l s.
have small t : (cell i j t < (label_size j).+1)%N by rewrite ltnS cell_le_label.
have fits : 'C(room, label_size j)%:R != 0 :> R by rewrite pnatr_eq0 -lt0n bin_gt0 label_fits.
rewrite /given (partition_big (fun t => Ordinal (small t)) predT) //= mulr_suml; apply: eq_bigr => x _.
rewrite (eq_bigr (fun=> h x)); last by move=> t /andP[_ /eqP <-].
rewrite sumr_const -[X in X / _]mulr_natl mulrAC; congr (_ * _).
have xj : (x <= label_size j)%N by rewrite -ltnS.
have := cell_is_hypergeometric_given_corner f i lj y xj.
rewrite -/(label_size l) -/(label_size j) -/room -/row_size => e.
have e2 := congr1 (fun m => m%:R : R) e; rewrite !natrM in e2.
rewrite /draw_chance natrM; apply: (mulIf fits); rewrite mulrAC mulfVK //.
have -> : fibre R (cell i l) s = #|[pred t | cell i l t == y]|%:R by [].
have fn : #|[pred t | cell i l t == y]|%:R != 0 :> R by exact: (fibre_neq0 R (cell i l) s).
apply: (mulIf fn); rewrite mulfVK // [RHS]mulrC -e2; congr (_%:R * _); by apply: eq_card => t; rewrite !inE.
Qed.

Lemma cell_expected_count j s : l != j ->
  \sum_(x < (label_size j).+1) draw_chance j (cell i l s) x * x%:R
  = (row_size%:R - (cell i l s)%:R) * ((label_size j)%:R / room%:R) :> R.
Proof.
move=> lj; have fits := label_fits lj; have rest := rest_fits s; set A := (row_size - cell i l s)%N.
have -> : row_size%:R - (cell i l s)%:R = A%:R :> R by rewrite /A natrB // cell_le_row.
have c0 : 'C(room, label_size j)%:R != 0 :> R by rewrite pnatr_eq0 -lt0n bin_gt0.
have [r0|r0] := eqVneq room 0%N.
  move: fits; rewrite r0 leqn0 => /eqP b0; rewrite b0 big_ord_recl big_ord0 mulr0 addr0; by rewrite mul0r mulr0.
have rn0 : room%:R != 0 :> R by rewrite pnatr_eq0.
have := mean_draw A (room - A) (label_size j); rewrite subnKC // => e.
have e2 := congr1 (fun m => m%:R : R) e; rewrite !natrM natr_sum in e2.
rewrite (eq_bigr (fun x : 'I_(label_size j).+1 =>
  (x * ('C(A, x) * 'C(room - A, label_size j - x)))%N%:R / 'C(room, label_size j)%:R)); last first.
  by move=> x _; rewrite /draw_chance -/A mulrAC -natrM mulnC.
rewrite -mulr_suml; apply: (mulIf c0); rewrite mulfVK //; apply: (mulfI rn0); rewrite e2.
have rq : room%:R / room%:R = 1 :> R by exact: mulfV.
rewrite -[LHS]mul1r -[X in X * _ = _]rq.
by move: (A%:R : R) (room%:R : R) ((label_size j)%:R : R) ('C(_, _)%:R : R) => u v w z; ring.
Qed.

(* Of functions level + slope (x - centre) + rest(x), what a row expects given the count y of a corner grows with y by
   the printed slope, beside the rests of the corner and those that the other cells expect. *)
Theorem printed_slope_given_corner (level slope centre : 'I_k -> R) (rest : 'I_k -> nat -> R)
    (c := fun (_ : 'I_r) j (x : nat) => level j + slope j * (x%:R - centre j) + rest j x) s :
  given (cell i l) (row_sum f g c i) s
  = (((cell i l s)%:R - centre l)
       * py_slope_given (slope l) (fun j => (j != l)%:R) slope (fun j => (label_size j)%:R) room%:R
     + rest l (cell i l s)
     + \sum_(j | j != l) \sum_(x < (label_size j).+1) draw_chance j (cell i l s) x * rest j x)
    + (\sum_j level j
       + \sum_(j | j != l) slope j * ((row_size%:R - centre l) * ((label_size j)%:R / room%:R) - centre j)) :> R.
Proof.
set y := cell i l s.
have corner : given (cell i l) (fun t => c i l (cell i l t)) s = c i l y.
  rewrite /given (eq_bigr (fun=> c i l y)); last by move=> t /eqP ->.
  rewrite sumr_const -[X in X / _]mulr_natl -/(fibre R (cell i l) s) mulrC mulKf //; exact: fibre_neq0.
have others j : j != l -> given (cell i l) (fun t => c i j (cell i j t)) s
    = level j + slope j * ((row_size%:R - y%:R) * ((label_size j)%:R / room%:R) - centre j)
      + \sum_(x < (label_size j).+1) draw_chance j y x * rest j x.
  move=> jl; have lj : l != j by rewrite eq_sym.
  rewrite (cell_expects_given_corner (c i j) s lj) -/y.
  have one : \sum_(x < (label_size j).+1) draw_chance j y x = 1.
    have := cell_expects_given_corner (fun=> 1) s lj; rewrite -/y => e.
    rewrite (eq_bigr (fun x : 'I_(label_size j).+1 => draw_chance j y x * 1)); last by move=> x _; rewrite mulr1.
    rewrite -e /given sumr_const; apply: mulfV; exact: fibre_neq0.
  have e (x : 'I_(label_size j).+1) : draw_chance j y x * c i j x = level j * draw_chance j y x
      + slope j * (draw_chance j y x * x%:R) - slope j * centre j * draw_chance j y x + draw_chance j y x * rest j x.
    by rewrite /c; move: (draw_chance j y x) (x%:R : R) (rest j x) => p z w; ring.
  rewrite (eq_bigr _ (fun x _ => e x)) !big_split /= sumrN -!mulr_sumr one !mulr1 (cell_expected_count s lj) -/y.
  by rewrite mulrBr addrA.
have split_row : given (cell i l) (row_sum f g c i) s
    = c i l y + \sum_(j | j != l) given (cell i l) (fun t => c i j (cell i j t)) s.
  have all_of : given (cell i l) (row_sum f g c i) s = \sum_j given (cell i l) (fun t => c i j (cell i j t)) s.
    by rewrite /given -mulr_suml exchange_big.
  by rewrite all_of (bigD1 l) //= corner.
have slopes : \sum_(j < k) (j != l)%:R * slope j * ((label_size j)%:R / room%:R)
    = \sum_(j | j != l) slope j * ((label_size j)%:R / room%:R).
  by rewrite [RHS]big_mkcond; apply: eq_bigr => j _; case: (j != l); rewrite ?mul1r ?mul0r.
have levels : \sum_j level j = level l + \sum_(j | j != l) level j by rewrite (bigD1 l).
rewrite split_row (eq_bigr _ (fun j => @others j)) !big_split /= /py_slope_given slopes levels.
have -> : \sum_(j | j != l) slope j * ((row_size%:R - y%:R) * ((label_size j)%:R / room%:R) - centre j)
    = \sum_(j | j != l) slope j * ((row_size%:R - centre l) * ((label_size j)%:R / room%:R) - centre j)
      - (y%:R - centre l) * \sum_(j | j != l) slope j * ((label_size j)%:R / room%:R).
  by rewrite mulr_sumr -sumrB; apply: eq_bigr => j _; ring.
rewrite /c; set t := \sum_(j | _) slope j * (_ / _); set v := \sum_(j | _) level j.
set w := \sum_(j | _) slope j * (_ - _); set z := \sum_(j | _) \sum_(x < _) _.
by move: t v w z (y%:R : R) (rest l y) => t v w z x q; ring.
Qed.
End Given.
