(* Draws that stop, as their source prints them: the p-value of a tally is Besag and Clifford's. *)
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint zmodp.
From mathcomp Require Import zify.
From splitcrit Require Import python generated loops pvalues cut_loop.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Places.
Variables (T : Type) (H : T -> bool).
Implicit Type s : seq T.
(* the places of the members of a list for which H holds *)
Definition places s : seq nat := [seq i <- iota 0 (size s) | nth false (map H s) i].

Lemma py_placesE s : py_places (map H s) = [seq Posz i | i <- places s].
Proof. by rewrite /py_places size_map. Qed.
Lemma places_rcons s x : places (rcons s x) = if H x then rcons (places s) (size s) else places s.
Proof.
rewrite /places size_rcons -[in LHS](addn1 (size s)) iotaD filter_cat /= add0n map_rcons nth_rcons size_map ltnn eqxx.
have -> : [seq i <- iota 0 (size s) | nth false (rcons (map H s) (H x)) i] = places s.
  by apply: eq_in_filter => i; rewrite mem_iota add0n => /andP[_ h]; rewrite nth_rcons size_map h.
by case: (H x); rewrite ?cats1 ?cats0.
Qed.
Lemma count_places m s : count (fun i => (i < m)%N) (places s) = count H (take m s).
Proof.
elim/last_ind: s => [|s x IH] //; rewrite places_rcons.
have -> : count H (take m (rcons s x)) = (count H (take m s) + (size s < m) * H x)%N.
  case: (ltnP (size s) m) => h; last by rewrite -cats1 takel_cat ?addn0.
  by rewrite !take_oversize ?size_rcons ?(ltnW h) // -cats1 count_cat /= addn0 mul1n.
rewrite -IH; case: (H x); rewrite ?muln0 ?addn0 // -cats1 count_cat /= addn0 muln1.
by case: ltnP.
Qed.
Lemma sorted_places s : sorted ltn (places s).
Proof. by apply: sorted_filter; [exact: ltn_trans|exact: iota_ltn_sorted]. Qed.
Lemma count_up_to k (s : seq nat) : sorted ltn s -> (k < size s)%N -> count (fun i => (i < (nth 0 s k).+1)%N) s = k.+1.
Proof.
elim: s k => // x s IH k xs ks; have below : all (ltn x) s by apply: (order_path_min ltn_trans).
case: k ks => [|k] ks /=.
  by rewrite ltnSn (eq_in_count (a2 := pred0)) ?count_pred0 // => i /(allP below) /= xi; rewrite ltnS leqNgt xi.
rewrite IH ?(path_sorted xs) // ltnS (ltnW (allP below _ _)) //; exact: mem_nth.
Qed.
(* the place of the hit number k + 1 *)
Lemma hit k s : (k < count H s)%N -> exists u x rest,
  [/\ s = rcons u x ++ rest, H x, count H u = k & nth 0%N (places s) k = size u].
Proof.
move=> ks; have sz : size (places s) = count H s.
  have := count_places (size s) s; rewrite take_size => <-; apply/esym/eqP; rewrite -all_count.
  by apply/allP => i; rewrite mem_filter mem_iota => /andP[_ /andP[]].
set i := nth 0%N _ _; have : i \in places s by rewrite mem_nth // sz.
rewrite mem_filter mem_iota add0n => /andP[Hi /andP[_ is_]].
case: s ks sz @i Hi is_ => // x0 s ks sz i Hi is_; set s' := x0 :: s in ks sz i Hi is_ *.
exists (take i s'), (nth x0 s' i), (drop i.+1 s'); split=> //; last by rewrite size_take is_.
- by rewrite -take_nth // cat_take_drop.
- by move: Hi; rewrite (nth_map x0).
have := count_up_to (sorted_places s') (_ : (k < size (places s'))%N); rewrite sz => /(_ ks).
rewrite -/i count_places (take_nth x0) // -cats1 count_cat /= addn0.
by move: Hi; rewrite (nth_map x0) // => ->; rewrite addn1 => [[]].
Qed.
End Places.

Section Tally.
Variables (R : realFieldType) (t : R) (h : nat).
Hypothesis h0 : (0 < h)%N.
Local Notation hits := (fun x : R => t <= x).
Local Notation reaches := (fun x : option R => py_reaches x t).
(* the draws that count: nan does not *)
Definition counted (s : seq (option R)) : seq R := pmap id s.

Lemma counted_cat s s' : counted (s ++ s') = counted s ++ counted s'.
Proof. exact: pmap_cat. Qed.
Lemma count_counted s : count hits (counted s) = count reaches s.
Proof. by elim: s => //= -[x|] s <-. Qed.
Lemma size_counted (s : seq (option R)) :
  count id [seq ~~ item | item <- [seq item == None | item <- s]] = size (counted s).
Proof. by elim: s => //= -[x|] s ->. Qed.

Definition block_step := ltac:(
  let b := eval cbv beta iota zeta delta [py_tallied] in (fun values => py_tallied R values t (Posz h)) in
  match b with context [foldl ?f _ _] => exact f end).
Lemma tallyE values : py_tallied R values t (Posz h)
  = let '(_, (drawn, kept, exceeding, stopped)) := foldl block_step (false, (0, 0, 0, false)) values in
    py_tally drawn kept exceeding stopped.
Proof. by []. Qed.

(* what the loop has found after the blocks of s *)
Definition found (s : seq (option R)) (state : bool * (int * int * int * bool)) : Prop :=
  let '(ended, (_, kept, exceeding, stopped)) := state in
  if ended then exists u x rest, [/\ counted s = rcons u x ++ rest, t <= x, count hits u = h.-1
      & [/\ kept = Posz (size u).+1, exceeding = Posz h & stopped]]
  else [/\ (count hits (counted s) < h)%N, kept = Posz (size (counted s)),
      exceeding = Posz (count hits (counted s)) & stopped = false].

Lemma one_block s block state : found s state -> found (s ++ block) (block_step state block).
Proof.
case: state => -[] [[[drawn kept] exceeding] stopped] /=.
  move=> [u [x [rest [e tx cu [-> -> ->]]]]]; exists u, x, (rest ++ counted block); split=> //.
  by rewrite counted_cat e catA.
move=> [few -> -> _]; rewrite py_placesE size_map; set c := count hits (counted s) in few *.
have sz : size (places reaches block) = count reaches block.
  have := count_places reaches (size block) block; rewrite take_size => <-; apply/esym/eqP; rewrite -all_count.
  by apply/allP => i; rewrite mem_filter mem_iota => /andP[_ /andP[]].
rewrite sz -PoszD lez_nat; case: ifP => enough /=; rewrite !enough; last first.
  rewrite /py_upto /= take_size size_counted counted_cat size_cat count_cat (count_counted block) -/c.
  have e : count (fun item => item < Posz (size block)) [seq Posz i | i <- places reaches block] = count reaches block.
    by rewrite count_map -[in RHS](take_size block) -count_places; apply: eq_count.
  split=> //; first by lia.
  by rewrite PoszD -e !count_map.
have kc : ((h - c).-1 < count reaches block)%N by lia.
have [u [x [rest [e Hx cu at_]]]] := hit kc.
have -> : py_at 0 [seq Posz i | i <- places reaches block] (Posz h - Posz c - 1) = Posz (size u).
  have -> : Posz h - Posz c - 1 = Posz (h - c).-1 by lia.
  by rewrite /py_at /py_place /= (nth_map 0%N) ?sz // at_.
have -> : Posz (size u) + 1 = Posz (size u).+1 by lia.
have taken : take (size u).+1 block = rcons u x by rewrite e -(size_rcons u x) take_size_cat.
rewrite /py_upto [absz _]/= taken size_counted.
have -> : count id [seq item < Posz (size u).+1 | item <- [seq Posz i | i <- places reaches block]] = (h - c)%N.
  rewrite !count_map (eq_count (a2 := fun i => (i < (size u).+1)%N)) // count_places taken.
  by rewrite -cats1 count_cat cu /= Hx; lia.
case: x Hx e taken => // x tx e taken.
exists (counted s ++ counted u), x, (counted rest); split=> //.
- by rewrite counted_cat e -!cats1 !counted_cat -!catA.
- by rewrite count_cat -/c (count_counted u) cu; lia.
by split=> //; rewrite -?cats1 ?counted_cat ?size_cat /=; lia.
Qed.

Lemma all_blocks values : found (flatten values) (foldl block_step (false, (0, 0, 0, false)) values).
Proof.
elim/last_ind: values => [|values block IH]; first by split.
by rewrite foldl_rcons -cats1 flatten_cat /= cats0; exact: one_block.
Qed.
End Tally.

Section Pvalue.
Variables (R : realFieldType) (B h : nat).
Hypothesis h0 : (0 < h)%N.
Implicit Type v : 'I_B.+1 -> R.

(* the p-value of draws that come in blocks, of which those count that are no nan *)
Definition tally_pvalue (t : R) (values : seq (seq (option R))) : R :=
  let '(drawn, kept, exceeding, stopped) := py_tallied R values t (Posz h) in
  py_tally_pvalue R drawn kept exceeding stopped.
(* the draws that count are the scores of the random tables, in their order *)
Definition scores_of v : seq R := [seq v (lift ord0 i) | i <- enum 'I_B].

Lemma scores_ofE v : scores_of v = [seq v (inord i.+1) | i <- iota 0 B].
Proof.
rewrite -val_enum_ord -map_comp; apply: eq_map => i /=; congr v; apply: val_inj.
by rewrite /= inordK ?ltnS.
Qed.
Lemma reached_count v l : (l <= B)%N -> reached v l = count (fun x => v ord0 <= x) (take l (scores_of v)).
Proof.
move=> lB; rewrite scores_ofE -map_take take_iota (minn_idPl lB) count_map -sum1_count big_mkcond /=.
rewrite /reached -sum1_card big_mkcond big_ord_recl /= add0n.
pose F i := if (i < l)%N && (v ord0 <= v (inord i.+1)) then 1%N else 0%N.
rewrite (eq_bigr (fun i : 'I_B => F i)) => [|i _]; last first.
  rewrite inE /F; congr (if _ && (_ <= v _) then _ else _); apply: val_inj.
  by rewrite /= inordK ?ltnS.
have after : (\sum_(l <= i < B) F i = 0)%N.
  by rewrite big_nat big1 // => i /andP[li _]; rewrite /F ltnNge li.
rewrite -(big_mkord xpredT F) (big_cat_nat _ _ _ (leq0n l) lB) /= after addn0 /index_iota subn0.
by rewrite big_seq [in RHS]big_seq; apply: eq_bigr => i; rewrite mem_iota /F => /andP[_ ->].
Qed.

Lemma tally_is_sequential v values : counted (flatten values) = scores_of v ->
  tally_pvalue (v ord0) values = sequential_pvalue h v.
Proof.
move=> e; have szB : size (scores_of v) = B by rewrite size_map size_enum_ord.
have := all_blocks (v ord0) h0 values; rewrite /tally_pvalue tallyE.
case: (foldl _ _ _) => -[] [[[drawn kept] exceeding] stopped] /=; rewrite e.
  move=> [u [x [rest [eu tx cu [-> -> ->]]]]]; rewrite /py_tally_pvalue /py_stopped_pvalue.
  have Lu : ((size u).+1 <= B)%N by rewrite -szB eu size_cat size_rcons leq_addr.
  have now : reached v (size u).+1 = h.
    by rewrite reached_count // eu -(size_rcons u x) take_size_cat // -cats1 count_cat cu /= tx; lia.
  have before l : (l <= size u)%N -> (reached v l < h)%N.
    move=> lu; rewrite reached_count ?(leq_trans lu (ltnW Lu)) // eu -cats1 -catA takel_cat //.
    rewrite (@leq_ltn_trans h.-1) ?prednK // -cu -[X in (_ <= count _ X)%N](cat_take_drop l u) count_cat.
    exact: leq_addr.
  rewrite /sequential_pvalue; case: pickP => [l /andP[/eqP lh ll]|none]; last first.
    have := none (Ordinal (Lu : ((size u).+1 < B.+1)%N)); rewrite /= now eqxx /=.
    by rewrite before.
  suff -> : (l : nat) = (size u).+1 by [].
  apply/eqP; rewrite eqn_leq; apply/andP; split; rewrite leqNgt; apply/negP => lt.
    by move: ll; rewrite ltnNge -now reached_le // -ltnS prednK // (ltn_trans _ lt).
  by have := before l lt; rewrite lh ltnn.
move=> [few -> -> ->]; rewrite /py_tally_pvalue /py_permutation_pvalue /sequential_pvalue.
have whole : reached v B = count (fun x => v ord0 <= x) (scores_of v) by rewrite reached_count // take_oversize // szB.
case: pickP => [l /andP[/eqP lh _]|_]; last by rewrite /py_estimated whole szB !rmorphD.
by move: few; rewrite -whole ltnNge -lh reached_le // -ltnS.
Qed.

(* The p-value of draws that stop is Besag and Clifford's, whatever blocks they come in and however many are nan: h/L if
   the draw that counts as number L brings the h-th that reaches the score observed, else (1 + c)/(1 + B). *)
Theorem py_tally_is_besag_and_clifford v values : counted (flatten values) = scores_of v ->
  tally_pvalue (v ord0) values = sequential_pvalue h v.
Proof. exact: tally_is_sequential. Qed.

(* If the observed score and those of the random tables are exchangeable, the p-value that the loop returns is at most u
   in a share of at most u of the outcomes, for every u. *)
Theorem py_tally_is_valid (O : finType) (x : O -> 'I_B.+1 -> R) (values : O -> seq (seq (option R))) :
  exchangeable x -> (forall o, counted (flatten (values o)) = scores_of (x o)) ->
  valid (fun o => tally_pvalue (x o ord0) (values o)).
Proof.
move=> ex drawn u u0; rewrite (eq_card (B := [pred o | sequential_pvalue h (x o) <= u])) => [|o].
  exact: (sequential_pvalue_is_valid h0 ex).
by rewrite !inE tally_is_sequential.
Qed.
End Pvalue.

(* Draws of two kinds, nineteen of them in one block, and h = 4. *)
Example tally_of_nineteen (R : realFieldType) :
  [/\ (0 < 4)%N, exchangeable (fun (o : {ffun 'I_20 -> bool}) i => (o i)%:R : R)
    & forall o : {ffun 'I_20 -> bool}, counted (flatten [:: [seq Some x | x <- scores_of (fun i => (o i)%:R : R)]])
        = scores_of (fun i => (o i)%:R : R)].
Proof.
split=> //; first by have [] := exchangeable_scores_of_two R.
move=> o; rewrite /= cats0 /counted; by elim: (scores_of _) => //= x s ->.
Qed.
