(* Tests of several features and of the nodes of trees, of any size, a score of the columns among them. *)
From mathcomp Require Import all_ssreflect fingroup perm ssralg ssrnum ssrint zmodp.
From splitcrit Require Import null generated python loops pvalues draws_loop hierarchy.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Tests of several features and of the nodes of trees: what is tested on samples of small sizes, for all of them. *)
Section Features.
Variables (R : realFieldType) (A : finType) (d : nat).
(* the scores of d + 1 features, of each of the A orders of the labels *)
Variable x : 'I_d.+1 -> A -> R.

(* If all A orders of the labels are equally likely, the smallest p-value of several features, corrected by the sum over
   the features of the largest p-value that can occur and is at most the smallest one observed, is valid. *)
Theorem discrete_bonferroni_is_valid_of_all_orders :
  valid (fun o => \sum_j attainable (fun j => tail (x j)) j (least_pvalue (fun j => tail (x j)) o)).
Proof. by apply: discrete_bonferroni_is_valid => j u u0; exact: exact_pvalue_is_valid. Qed.

Variable B : nat.
Implicit Type o : {ffun 'I_B.+1 -> A}.

(* the library's p-value of the first of B + 1 smallest p-values q, by how many of the others are as small *)
Definition pvalue_of_smallest (q : 'I_B.+1 -> R) : R :=
  py_estimated #|[pred j : 'I_B.+1 | (j != ord0) && (q j <= q ord0)]|%:R B%:R.
(* the smallest p-value of order i of those drawn: p-values by all orders, and by ranks among those that were drawn *)
Definition smallest_by_all o (i : 'I_B.+1) : R := least_pvalue (fun j => tail (x j)) (o i).
Definition smallest_by_ranks o (i : 'I_B.+1) : R := least_pvalue (fun j => tail (fun l => x j (o l))) i.

Lemma valid_of_smallest (q : {ffun 'I_B.+1 -> A} -> 'I_B.+1 -> R) :
  (forall (s : {perm 'I_B.+1}) o i, q [ffun l => o (s l)] i = q o (s i)) ->
  valid (fun o => pvalue_of_smallest (q o)).
Proof.
move=> moved u u0; have ex : exchangeable (fun o i => - q o i).
  move=> s P ext; pose g o : {ffun 'I_B.+1 -> A} := [ffun i => o (s i)].
  have g_inj : injective g.
    by move=> o o' e; apply/ffunP => i; have /ffunP/(_ ((s^-1)%g i)) := e; rewrite !ffunE permKV.
  rewrite -!sum1_card [RHS](reindex_inj g_inj); apply: eq_bigl => o; rewrite !inE.
  by apply: ext => i; rewrite moved.
have := py_estimated_is_valid ex u0; congr (_%:R <= _); apply: eq_card => o; rewrite !inE.
rewrite /drawn_pvalue /pvalue_of_smallest; congr (py_estimated _%:R _ <= _); apply: eq_card => j.
by rewrite !inE ler_opp2.
Qed.

(* If the labels depend on none of the features, so that the observed order and the B random ones are any of all A with
   equal chances, Westfall and Young's p-value of the smallest p-value is valid, p-values by all orders or by ranks. *)
Theorem westfall_young_is_valid :
  valid (fun o => pvalue_of_smallest (smallest_by_all o)) /\ valid (fun o => pvalue_of_smallest (smallest_by_ranks o)).
Proof.
split; apply: valid_of_smallest => s o i; first by rewrite /smallest_by_all ffunE.
rewrite /smallest_by_ranks /least_pvalue.
have same (j : 'I_d.+1) k : tail (fun l => x j ([ffun l' => o (s l')] l)) k = tail (fun l => x j (o l)) (s k).
  rewrite /tail /reaching; congr (_%:R / _).
  rewrite -!sum1_card [RHS](reindex_inj (@perm_inj _ s)); apply: eq_bigl => l.
  by rewrite !inE !ffunE.
by rewrite same; apply: eq_bigr => j _; exact: same.
Qed.
End Features.

(* If the observed order of the labels, like the B random ones, is any of A with equal chances, independently, the
   p-value of draws that stop, as the loop returns it, is valid. *)
Theorem py_tally_is_valid_of_random_arrangements (R : realFieldType) (B h : nat) (A : finType) (score : A -> R)
    (values : {ffun 'I_B.+1 -> A} -> seq (seq (option R))) : (0 < h)%N ->
  (forall o, counted (flatten (values o)) = scores_of (fun i => score (o i))) ->
  valid (fun o : {ffun 'I_B.+1 -> A} => tally_pvalue h (score (o ord0)) (values o)).
Proof.
move=> h0 drawn; apply: (py_tally_is_valid h0 (x := fun (o : {ffun 'I_B.+1 -> A}) i => score (o i))) => //.
exact: scores_of_arrangements_are_exchangeable.
Qed.

Section InTree.
Variables (R : realFieldType) (T : finType) (L : eqType) (y : T -> L) (node : pred T).
(* the tree of each order of the labels has the node or not, and the node has a score *)
Variables (has : pred {perm T}) (x : {perm T} -> R).
(* two orders give the rows outside the node the same labels: one orders the labels inside the node of the other *)
Definition same_outside (s s' : {perm T}) : bool := [forall u, node u || (y (s' u) == y (s u))].
(* of the orders inside the node in which its ancestors choose as they do, the share that score as high *)
Definition kept_share (s : {perm T}) : R :=
  #|[pred s' | [&& same_outside s s', has s' & x s <= x s']]|%:R / #|[pred s' | same_outside s s' && has s']|%:R.

Lemma same_outside_refl s : same_outside s s.
Proof. by apply/forallP => u; rewrite eqxx orbT. Qed.
Lemma same_outsideE s s' : same_outside s s' -> same_outside s =1 same_outside s'.
Proof.
move=> /forallP e s''; apply: eq_forallb => u; have := e u; by case: (node u) => //= /eqP ->.
Qed.

(* If all orders of the labels are equally likely, then given that the tree has a node, as a leaf or divided, the share
   of the orders inside it that score as high, of those in which the tree has it, is a valid p-value. *)
Theorem kept_share_is_valid_in_tree (u : R) : 0 <= u ->
  #|[pred s | has s && (kept_share s <= u)]|%:R <= u * #|has|%:R.
Proof.
move=> u0; pose rep s := odflt s [pick s' | same_outside s s'].
have repE s s' : same_outside s s' -> rep s = rep s'.
  move=> e; rewrite /rep (eq_pick (same_outsideE e)).
  by case: pickP => // none; have := none s'; rewrite same_outside_refl.
have rep_same s s' : rep s = rep s' -> same_outside s s'.
  rewrite /rep; case: pickP => [t st|none]; last by have := none s; rewrite same_outside_refl.
  case: pickP => [t' st' /= e|none]; last by have := none s'; rewrite same_outside_refl.
  by rewrite (same_outsideE st) e -(same_outsideE st') same_outside_refl.
have parts (P : pred {perm T}) : #|P|%:R = \sum_c #|[pred s | P s && (rep s == c)]|%:R :> R.
  rewrite -sum1_card natr_sum (partition_big rep xpredT) //=; apply: eq_bigr => c _.
  by rewrite -natr_sum sum1_card.
rewrite (parts has) (parts [pred s | has s && (kept_share s <= u)]) mulr_sumr; apply: ler_sum => c _.
case: (pickP [pred s | (has s && (kept_share s <= u)) && (rep s == c)]) => [s0 s0E|no]; last first.
  by rewrite eq_card0 ?mulr_ge0 ?ler0n.
case: (arg_minP x s0E) => s /andP[/andP[hs su] /eqP sc] least; rewrite -sc in s0E least *.
have of_c s' : (rep s' == rep s) = same_outside s s'.
  apply/eqP/idP => [e|e]; last by rewrite (repE _ _ e).
  by apply: rep_same; rewrite e.
have pos : 0 < #|[pred s' | same_outside s s' && has s']|%:R :> R.
  by rewrite ltr0n; apply/card_gt0P; exists s; rewrite inE same_outside_refl.
have -> : #|[pred s' | has s' && (rep s' == rep s)]| = #|[pred s' | same_outside s s' && has s']|.
  by apply: eq_card => s'; rewrite !inE of_c andbC.
move: su; rewrite /kept_share ler_pdivr_mulr // => /(fun h => le_trans _ h); apply.
rewrite ler_nat; apply: subset_leq_card; apply/subsetP => s' s'E; rewrite inE.
by move: (s'E); rewrite inE of_c => /andP[/andP[-> _] ->]; exact: least.
Qed.
End InTree.

Section Kept.
Variables (R : realFieldType) (B h : nat) (A : finType) (has : pred A) (score : A -> R).
Hypothesis h0 : (0 < h)%N.
Implicit Type o : {ffun 'I_B.+1 -> A}.
(* the scores of the B random orders; those in which an ancestor chooses otherwise do not count *)
Definition seen o : seq (option R) :=
  [seq (if has (o (lift ord0 i)) then Some (score (o (lift ord0 i))) else None) | i <- enum 'I_B].

Section Mask.
Variable m : {ffun 'I_B.+1 -> bool}.
Hypothesis m0 : m ord0.
Let kept := [seq i <- enum 'I_B | m (lift ord0 i)].
Let k := size kept.
Let place (i : 'I_k.+1) : 'I_B.+1 := if unlift ord0 i is Some i' then lift ord0 (tnth (in_tuple kept) i') else ord0.
Let O := [finType of {o : {ffun 'I_B.+1 -> A} | [forall i, has (o i) == m i]}].
Let x (o : O) (i : 'I_k.+1) : R := score (val o (place i)).

Lemma place_inj : injective place.
Proof.
move=> i j; rewrite /place; case: (unliftP ord0 i) => [i' ->|->]; case: (unliftP ord0 j) => [j' ->|->] //.
move=> /lift_inj; rewrite (tnth_nth (tnth (in_tuple kept) i')) [X in _ = X](tnth_nth (tnth (in_tuple kept) i')) => /eqP.
rewrite nth_uniq ?ltn_ord ?(filter_uniq _ (enum_uniq _)) // => /eqP e.
by congr lift; apply: val_inj.
Qed.
Lemma place_kept i : m (place i).
Proof.
rewrite /place; case: (unliftP ord0 i) => [i' _|_] //.
by have := mem_tnth i' (in_tuple kept); rewrite mem_filter => /andP[].
Qed.
Lemma kept_place j : m j -> exists i, j = place i.
Proof.
case: (unliftP ord0 j) => [j' ->|->] mj; last by exists ord0; rewrite /place unlift_none.
have jk : j' \in kept by rewrite mem_filter mj mem_enum.
exists (lift ord0 (Ordinal (etrans (index_mem j' kept) jk : (index j' kept < k)%N))).
by rewrite /place liftK (tnth_nth j') /= nth_index.
Qed.

Lemma kept_are_exchangeable : exchangeable x.
Proof.
move=> s P ext.
have up : uniq [tuple place i | i < k.+1] by rewrite map_inj_uniq ?enum_uniq //; exact: place_inj.
have us : uniq [tuple place (s i) | i < k.+1].
  by rewrite map_inj_uniq ?enum_uniq // => i j /place_inj /perm_inj.
have [t te] := move_tuple up us.
have tE i : t (place i) = place (s i).
  by have := congr1 (fun v => tnth v i) te; rewrite tnth_map !tnth_mktuple => ->.
have mt j : m (t j) = m j.
  apply/idP/idP => [/kept_place[i e]|/kept_place[i ->]]; last by rewrite tE place_kept.
  suff -> : j = place ((s^-1)%g i) by exact: place_kept.
  by apply: (@perm_inj _ t); rewrite tE permKV.
pose g0 (o : {ffun 'I_B.+1 -> A}) : {ffun 'I_B.+1 -> A} := [ffun i => o (t i)].
have gP (o : O) : [forall i, has (g0 (val o) i) == m i].
  by apply/forallP => i; have /forallP/(_ (t i)) := valP o; rewrite ffunE mt.
pose g (o : O) : O := exist _ (g0 (val o)) (gP o).
have g_inj : injective g.
  move=> o o' /(congr1 val) /= e; apply: val_inj; apply/ffunP => i; have /ffunP/(_ ((t^-1)%g i)) := e.
  by rewrite !ffunE permKV.
rewrite -!sum1_card [RHS](reindex_inj g_inj); apply: eq_bigl => o; rewrite !inE.
by apply: ext => i; rewrite /x /= ffunE tE.
Qed.

Lemma counted_seen (o : O) : counted (seen (val o)) = scores_of (x o).
Proof.
pose F i := score (val o (lift ord0 i)).
have -> : seen (val o) = [seq (if m (lift ord0 i) then Some (F i) else None) | i <- enum 'I_B].
  by apply: eq_map => i; have /forallP/(_ (lift ord0 i))/eqP -> := valP o.
have -> : scores_of (x o) = [seq F i | i <- kept].
  transitivity [seq F i | i <- [seq tnth (in_tuple kept) i | i <- enum 'I_k]]; last by rewrite map_tnth_enum.
  rewrite -map_comp; apply: eq_map => i.
  by rewrite /x /place /= liftK.
by rewrite /kept; elim: (enum 'I_B) => //= i s IH; case: (m _) => /=; rewrite -IH.
Qed.

Lemma valid_of_mask (values : {ffun 'I_B.+1 -> A} -> seq (seq (option R))) (u : R) : 0 <= u ->
  (forall o, flatten (values o) = seen o) ->
  #|[pred o : {ffun 'I_B.+1 -> A} | [forall i, has (o i) == m i] && (tally_pvalue h (score (o ord0)) (values o) <= u)]|%:R
  <= u * #|[pred o : {ffun 'I_B.+1 -> A} | [forall i, has (o i) == m i]]|%:R.
Proof.
move=> u0 shown.
have := @py_tally_is_valid _ k h h0 O x (fun o : O => values (val o)) kept_are_exchangeable
  (fun o : O => etrans (congr1 _ (shown (val o))) (counted_seen o)) u u0.
rewrite card_sig; congr (_%:R <= _).
rewrite -(card_imset _ (val_inj : injective (fun o : O => val o))); apply: eq_card => o; rewrite inE.
have first (o' : O) : x o' ord0 = score (val o' ord0) by rewrite /x /place unlift_none.
apply/imsetP/andP => [[o' o'E ->]|[om pu]]; last by exists (exist _ o om); rewrite ?inE ?first.
by split; [exact: (valP o')|move: o'E; rewrite inE first].
Qed.
End Mask.

(* Of B random orders of the labels inside a node those count in which its ancestors choose as they did. The p-value of
   draws that stop, by those that count, is valid given that the tree has the node. *)
Theorem tally_of_kept_draws_is_valid_given_node (values : {ffun 'I_B.+1 -> A} -> seq (seq (option R))) (u : R) :
  0 <= u -> (forall o, flatten (values o) = seen o) ->
  #|[pred o : {ffun 'I_B.+1 -> A} | has (o ord0) && (tally_pvalue h (score (o ord0)) (values o) <= u)]|%:R
  <= u * #|[pred o : {ffun 'I_B.+1 -> A} | has (o ord0)]|%:R.
Proof.
move=> u0 shown; pose mask o : {ffun 'I_B.+1 -> bool} := [ffun i => has (o i)].
have parts (P : pred {ffun 'I_B.+1 -> A}) : #|P|%:R = \sum_m #|[pred o : {ffun 'I_B.+1 -> A} | P o && (mask o == m)]|%:R :> R.
  rewrite -sum1_card natr_sum (partition_big mask xpredT) //=; apply: eq_bigr => m _.
  by rewrite -natr_sum sum1_card.
rewrite (parts [pred o : {ffun 'I_B.+1 -> A} | has (o ord0)])
  (parts [pred o : {ffun 'I_B.+1 -> A} | has (o ord0) && (tally_pvalue h (score (o ord0)) (values o) <= u)]) mulr_sumr; apply: ler_sum => m _.
have maskE o : (mask o == m) = [forall i, has (o i) == m i].
  by apply/eqP/forallP => [<- i|e]; [rewrite ffunE|apply/ffunP => i; rewrite ffunE; apply/eqP].
case m0 : (m ord0); last first.
  rewrite eq_card0 ?mulr_ge0 ?ler0n // => o; rewrite !inE maskE; apply/negP => /andP[/andP[ho _] /forallP/(_ ord0)].
  by rewrite ho m0.
have := valid_of_mask m0 u0 shown; congr (_%:R <= _ * _%:R); apply: eq_card => o; rewrite !inE maskE.
  by case: forallP => [/(_ ord0)/eqP ->|]; rewrite ?m0 ?andbT ?andbF.
by case: forallP => [/(_ ord0)/eqP ->|]; rewrite ?m0 ?andbT ?andbF.
Qed.
End Kept.

Section Levels.
Variables (R : realFieldType) (T : Type).
Implicit Types (chosen : pred T) (t : tree R T).
(* is a node chosen; of the nodes chosen is none above another; the sum of their levels *)
Fixpoint some_chosen chosen t : bool :=
  if t is Node v _ _ l r then [|| chosen v, some_chosen chosen l | some_chosen chosen r] else false.
Fixpoint none_above chosen t : bool :=
  if t is Node v _ _ l r then
    if chosen v then ~~ (some_chosen chosen l || some_chosen chosen r) else none_above chosen l && none_above chosen r
  else true.
Fixpoint spent chosen (level : R) t : R :=
  if t is Node v x y l r then (chosen v)%:R * level + (spent chosen (x * level) l + spent chosen (y * level) r) else 0.

Lemma none_spent chosen t level : ~~ some_chosen chosen t -> spent chosen level t = 0.
Proof.
elim: t level => //= v x y l IHl r IHr level; rewrite !negb_or => /and3P[/negPf -> cl cr].
by rewrite mul0r IHl // IHr // !addr0.
Qed.

(* The level of a node is alpha times the shares on its path. If the shares of two siblings sum to at most 1, the levels
   of nodes of which none is above another sum to at most alpha. *)
Theorem levels_of_antichain_sum_to_at_most_alpha chosen t (alpha : R) : 0 <= alpha -> shares_at_most_one t ->
  none_above chosen t -> spent chosen alpha t <= alpha.
Proof.
elim: t alpha => [|v x y l IHl r IHr] alpha //= a0 [x0 y0 xy okl okr].
case: (chosen v) => [|/andP[nl nr]]; first by rewrite negb_or => /andP[nl nr]; rewrite !none_spent // !addr0 mul1r.
rewrite mul0r add0r; apply: le_trans (ler_add (IHl _ _ okl nl) (IHr _ _ okr nr)) _; rewrite ?mulr_ge0 //.
by rewrite -mulrDl ler_pimull.
Qed.
End Levels.

Section Hierarchical.
Variables (R : realFieldType) (Omega : finType) (mu : Omega -> R).
Hypothesis space : probability_space mu.

(* The root of a tree is tested at alpha, every other node at its level and only below rejected ancestors. If each true
   null hypothesis has a valid p-value, some true one is rejected with probability at most alpha, whatever the
   dependence between the p-values. *)
Theorem tests_down_a_tree_err_at_most_alpha (T : Type) (t : tree R T) (null : T -> bool) (p : Omega -> T -> R) alpha :
  0 <= alpha -> shares_at_most_one t -> (forall v, null v -> valid_within mu xpredT (p^~ v)) ->
  prob mu (fun w => false_rejection null (p w) alpha t) <= alpha.
Proof.
move=> a0 ok valid; have := @false_rejection_within _ _ mu space T xpredT null p t alpha a0 ok valid.
by rewrite prob_all // mulr1.
Qed.
(* With an error of delta over their number for each of the nodes of a tree, some interval misses with probability at most
   delta, so those of any nodes do that are selected by the same rows. *)
Theorem intervals_of_all_nodes_miss_at_most_delta (T : finType) (missed : T -> pred Omega) delta : 0 <= delta ->
  (forall v, prob mu (missed v) <= delta / #|T|%:R) ->
  forall selected : Omega -> pred T, prob mu (fun w => [exists v, selected w v && missed v w]) <= delta.
Proof.
move=> d0 miss selected; apply: (@le_trans _ _ (prob mu (fun w => [exists v, missed v w]))).
  by apply: prob_le => // w /existsP[v /andP[_ vw]]; apply/existsP; exists v.
apply: le_trans (prob_exists space _) _; apply: (@le_trans _ _ (\sum_(v : T) delta / #|T|%:R)).
  by apply: ler_sum => v _; exact: miss.
rewrite sumr_const -mulr_natr; have [->|nz] := eqVneq (#|T|%:R : R) 0; first by rewrite mulr0.
by rewrite divfK.
Qed.
End Hierarchical.

(* Examples that show the hypotheses to be satisfiable. *)
Example stopped_instance (R : realFieldType) : (0 < 4)%N /\ forall o : {ffun 'I_20 -> bool},
  counted (flatten [:: [seq Some z | z <- scores_of (fun i => (o i)%:R : R)]]) = scores_of (fun i => (o i)%:R : R).
Proof. by split=> // o; rewrite /= cats0 /counted; elim: (scores_of _) => //= z s ->. Qed.
Example alpha_instance (R : realFieldType) : (0 : R) <= 1 / 20%:R /\
  shares_at_most_one (Node tt 2%:R^-1 2%:R^-1 (Leaf R unit) (Leaf R unit)) /\
  none_above predT (Node tt 2%:R^-1 2%:R^-1 (Leaf R unit) (Leaf R unit)).
Proof. by rewrite divr_ge0 ?ler01 ?ler0n //=; split=> //; split=> //; rewrite invr_ge0 ler0n halves. Qed.

(* A score made of the columns and of how many examples a node has of each class: its test in a tree of the labels. *)
Section Totals.
Variables (R : realFieldType) (T : finType) (L : eqType) (y : T -> L) (node : pred T).
(* the tree of each order of the labels has the node or not *)
Variable has : pred {perm T}.
(* how many examples of a label an order of the labels puts into the node *)
Definition total (s : {perm T}) (l : L) : nat := #|[pred u | node u && (y (s u) == l)]|.
(* the score of an order when columns are compared by a function of those totals *)
Variable score : (L -> nat) -> {perm T} -> R.
Hypothesis ext : forall m m', m =1 m' -> score m =1 score m'.

(* The totals are the same for all orders of the labels inside a node. *)
Lemma total_inside s s' : same_outside y node s s' -> total s =1 total s'.
Proof.
move=> /forallP e l.
have all_of x : #|[pred u | y ((x : {perm T}) u) == l]| = #|[pred u | y u == l]|.
  rewrite -(card_imset _ (@perm_inj _ x)); apply: eq_card => u; rewrite !inE.
  apply/imsetP/idP => [[v]|yu]; first by rewrite inE => ? ->.
  by exists (x^-1%g u); rewrite ?inE permKV.
have parts x : #|[pred u | y ((x : {perm T}) u) == l]|
    = (total x l + #|[pred u | ~~ node u && (y (x u) == l)]|)%N.
  rewrite /total -(cardID node); congr (_ + _)%N; apply: eq_card => u; rewrite !inE //; exact: andbC.
have out : #|[pred u | ~~ node u && (y (s u) == l)]| = #|[pred u | ~~ node u && (y (s' u) == l)]|.
  apply: eq_card => u; rewrite !inE; case: (boolP (node u)) => //= nu.
  by have := e u; rewrite (negPf nu) /= => /eqP ->.
apply: (@addIn #|[pred u | ~~ node u && (y (s u) == l)]|); rewrite -(parts s) all_of out -(parts s') all_of.
by [].
Qed.

(* of the orders inside the node in which its ancestors choose as they do, the share that score as high, where the
   function that compares columns is made once, of the totals that are observed *)
Definition share_by_totals (s : {perm T}) : R :=
  #|[pred s' | [&& same_outside y node s s', has s' & score (total s) s <= score (total s) s']]|%:R
  / #|[pred s' | same_outside y node s s' && has s']|%:R.

(* It is a valid p-value given that the tree has the node. *)
Theorem share_by_totals_is_valid_in_tree (u : R) : 0 <= u ->
  #|[pred s | has s && (share_by_totals s <= u)]|%:R <= u * #|has|%:R.
Proof.
move=> u0; have sE s : share_by_totals s = kept_share y node has (fun s' => score (total s') s') s.
  rewrite /share_by_totals /kept_share; congr (_%:R / _); apply: eq_card => s'; rewrite !inE.
  by case: (boolP (same_outside y node s s')) => //= e; rewrite (ext (total_inside e) s').
rewrite (eq_card (_ : _ =i [pred s | has s && (kept_share y node has (fun s' => score (total s') s') s <= u)])).
  exact: kept_share_is_valid_in_tree.
by move=> s; rewrite !inE sE.
Qed.
End Totals.
