(* The covariance of sums over the cells of a table whose labels are permuted: the corner formula, for all margins; and
   the law of the other cells of a row, given the number in the corner. That of the other cells of the column is the
   same statement about the inverse permutation, with rows and labels exchanged. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ring.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

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
