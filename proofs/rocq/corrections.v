(* Bonferroni's and Holm's corrections, as their source prints them: adjusted p-values, and the error of those up to
   alpha, whatever the dependence between features. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import zify.
From splitcrit Require Import python loops pvalues multiple cut_loop.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Running.
Variable R : realFieldType.
Lemma big_max_start (z x : R) (s : seq R) : \big[Num.max/Num.max z x]_(v <- s) v = Num.max x (\big[Num.max/z]_(v <- s) v).
Proof. by elim: s => [|v s IH]; [rewrite !big_nil maxC|rewrite !big_cons IH maxCA]. Qed.
Lemma foldl_max (z : R) (s : seq R) : foldl Num.max z s = \big[Num.max/z]_(v <- s) v.
Proof. by elim: s z => [|x s IH] z /=; rewrite ?big_nil // IH big_max_start big_cons. Qed.
End Running.

(* Loops that go through places js of a list, and set each to what is carried, updated by what is asked there. *)
Section Steps.
Variables (R : realFieldType) (op : R -> R -> R) (asked : nat -> nat -> R) (step : seq R * R -> int * int -> seq R * R).
Hypothesis stepE : forall adj L k j, step (adj, L) (Posz k, Posz j)
  = (set_nth (op L (asked k j)) adj j (op L (asked k j)), op L (asked k j)).

Lemma steps (js : seq nat) adj L k : uniq js -> all (fun j => (j < size adj)%N) js ->
  let found := (foldl step (adj, L) (py_enumerate [seq Posz j | j <- js] (Posz k))).1 in
  [/\ size found = size adj, forall j, j \notin js -> nth 0 found j = nth 0 adj j
    & forall t, (t < size js)%N -> nth 0 found (nth 0%N js t)
        = foldl op L [seq asked (k + i) (nth 0%N js i) | i <- iota 0 t.+1]].
Proof.
elim: js adj L k => [|j js IH] adj L k; first by [].
rewrite [uniq _]/= [all _ _]/= => /andP[jn un] /andP[ja aa] found.
set M := op L (asked k j); set adj' := set_nth M adj j M.
have s' : size adj' = size adj by rewrite size_set_nth; apply/maxn_idPr.
have e : found = (foldl step (adj', M) (py_enumerate [seq Posz j | j <- js] (Posz k.+1))).1.
  by rewrite /found map_cons enumerate_cons /= stepE.
have aa' : all (fun j => (j < size adj')%N) js by rewrite s'.
have [sz out ins] := IH adj' M k.+1 un aa'; rewrite -e in sz out ins.
have other i : i != j -> nth 0 adj' i = nth 0 adj i.
  move=> ij; case: (ltnP i (size adj)) => h; last by rewrite !nth_default ?s'.
  by rewrite (set_nth_default M) ?s' // nth_set_nth /= (negPf ij) (set_nth_default 0).
split; first by rewrite sz.
  by move=> i; rewrite inE negb_or => /andP[ij ins']; rewrite out // other.
case=> [_|t th]; first by rewrite /= addn0 out // (set_nth_default M) ?s' // nth_set_nth /= eqxx.
have -> : iota 0 t.+2 = 0%N :: [seq i.+1 | i <- iota 0 t.+1] by rewrite -[LHS]/(0%N :: iota (1 + 0) t.+1) iotaDl.
rewrite [nth _ (_ :: _) _]/= ins // map_cons -map_comp addn0.
apply: (etrans (y := foldl op M [seq asked (k + i.+1) (nth 0%N js i) | i <- iota 0 t.+1])) => //.
by congr foldl; apply: eq_map => i; rewrite addSnnS.
Qed.

Lemma repeatE (x : R) n : py_repeat [:: x] (Posz n) = nseq n x.
Proof.
rewrite /py_repeat; have -> : absz (Num.max (Posz n) 0) = n by lia.
by elim: n => //= m ->.
Qed.
End Steps.

Section Holm.
Variables (R : realFieldType) (ps : seq R).
Local Notation d := (size ps).
Definition step := ltac:(
  let t := eval cbv beta iota zeta delta [py_holm] in (py_holm R ps) in
  match t with context [foldl ?f _ _] => exact f end).
Lemma loopE : py_holm R ps = (foldl step (py_repeat [:: 0] (Posz d), 0)
  (py_enumerate (py_sorted_by (fun item => py_at 0 ps item) (py_range 0 (Posz d))) 0)).1.
Proof. by rewrite /py_holm -/step; case: (foldl step _ _). Qed.

(* what is asked of the feature that stands at place i of the order, from 0 *)
Definition asked (i j : nat) : R := py_bonferroni R (nth 0 ps j) (Posz d - Posz i).

(* The adjusted p-values are Holm's: in an order in which p-values do not fall, that of the one at place k is the
   largest min(1, (d - i) p_i) of the places i up to its own, counted from 0. *)
Theorem py_holm_is_step_down : exists order : seq nat,
  [/\ perm_eq order (iota 0 d), sorted (fun i j => nth 0 ps i <= nth 0 ps j) order, size (py_holm R ps) = d
    & forall k, (k < d)%N -> nth 0 (py_holm R ps) (nth 0%N order k)
        = \big[Num.max/0]_(i < k.+1) Num.min 1 ((d - i)%:R * nth 0 ps (nth 0%N order i))].
Proof.
pose le i j := nth 0 ps i <= nth 0 ps j; have total_le : total le by move=> i j; exact: le_total.
pose js := sort le (iota 0 d); have perm_js : perm_eq js (iota 0 d) by rewrite perm_sort.
have sz : size js = d by rewrite (perm_size perm_js) size_iota.
have e : py_sorted_by (fun item => py_at 0 ps item) (py_range 0 (Posz d)) = [seq Posz j | j <- js].
  by rewrite py_rangeE // subn0 /py_sorted_by sort_map.
have un : uniq js by rewrite (perm_uniq perm_js) iota_uniq.
have aa : all (fun j => (j < size (nseq d (0 : R)%R))%N) js.
  by apply/allP => j; rewrite (perm_mem perm_js) mem_iota size_nseq.
have [sf _ at_] := @steps R Num.max asked step (fun _ _ _ _ => erefl) js (nseq d (0 : R)) 0 0%N un aa.
exists js; split=> //; first exact: sort_sorted.
  by rewrite loopE e repeatE sf size_nseq.
move=> k kd; rewrite loopE e repeatE at_ ?sz // foldl_max big_map -/(index_iota 0 k.+1) big_mkord.
by apply: eq_bigr => i _; rewrite add0n /asked /py_bonferroni subzn // (leq_trans _ kd) // ltnW.
Qed.
End Holm.

Section Errors.
Variables (R : realFieldType) (O : finType) (d : nat) (p : 'I_d -> O -> R) (null : pred 'I_d).
Hypothesis each : forall j, null j -> valid (p j).
Variable alpha : R.
Hypothesis a0 : 0 <= alpha.
(* the p-values of an outcome, as a list *)
Definition listed (o : O) : seq R := [seq p j o | j <- enum 'I_d].
Lemma nth_listed o (j : 'I_d) : nth 0 (listed o) j = p j o.
Proof. by rewrite (nth_map j) ?size_enum_ord // nth_ord_enum. Qed.
Lemma size_listed o : size (listed o) = d.
Proof. by rewrite size_map size_enum_ord. Qed.

Lemma some_small (E : pred O) (m : nat) : (forall o, E o -> [exists j, null j && (m%:R * p j o <= alpha)]) ->
  (#|null| <= m)%N -> #|E|%:R <= alpha * #|O|%:R.
Proof.
move=> Es nm; case: (posnP m) => [m0|m0].
  have null0 : #|null| = 0%N by apply/eqP; rewrite -leqn0 -m0.
  rewrite (eq_card0 (A := E)) ?mulr_ge0 ?ler0n // => o; apply: contraTF isT => /Es/existsP[j /andP[jn _]].
  by have := card0_eq null0 j; rewrite [_ \in _]jn.
apply: (@le_trans _ _ (\sum_(j | null j) #|[pred o | p j o <= alpha / m%:R]|%:R)); last first.
  apply: (@le_trans _ _ (\sum_(j | null j) alpha / m%:R * #|O|%:R)).
    by apply: ler_sum => j jn; apply: each; rewrite ?divr_ge0 ?ler0n.
  rewrite sumr_const -mulrnAl ler_wpmul2r ?ler0n // -mulr_natr mulrAC ler_pdivr_mulr ?ltr0n //.
  by rewrite ler_wpmul2l // ler_nat.
rewrite -natr_sum ler_nat; have count (P : pred O) : (#|P| = \sum_o P o)%N.
  by rewrite -sum1_card big_mkcond; apply: eq_bigr => o _; rewrite unfold_in; case: (P o).
rewrite count (eq_bigr _ (fun j _ => count _)) exchange_big /=; apply: leq_sum => o _.
case Eo : (E o) => //; have /existsP[j /andP[jn jo]] := Es o Eo; rewrite (bigD1 j) //=.
by rewrite ler_pdivl_mulr ?ltr0n // mulrC jo.
Qed.

(* Of features that the labels do not depend on, whose p-values are valid, any has one of at most alpha after
   Bonferroni's correction for all d in a share of at most alpha of the outcomes: whatever the other features are. *)
Theorem py_bonferroni_names_falsely_at_most_alpha :
  #|[pred o | [exists j, null j && (py_bonferroni R (p j o) (Posz d) <= alpha)]]|%:R <= alpha * #|O|%:R.
Proof.
case: (leP 1 alpha) => [a1|a1].
  by rewrite -[X in X <= _]mul1r; apply: ler_pmul; rewrite ?ler01 ?ler0n // ler_nat max_card.
apply: (@some_small _ d); last by rewrite -[X in (_ <= X)%N]card_ord max_card.
move=> o /existsP[j /andP[jn]]; rewrite /py_bonferroni le_minl leNgt a1 /= => jo.
by apply/existsP; exists j; rewrite jn.
Qed.

(* After Holm's correction too: of the features that the labels do not depend on, whichever and however many they are,
   any has an adjusted p-value of at most alpha in a share of at most alpha of the outcomes. *)
Theorem py_holm_rejects_falsely_at_most_alpha :
  #|[pred o | [exists j, null j && (nth 0 (py_holm R (listed o)) j <= alpha)]]|%:R <= alpha * #|O|%:R.
Proof.
case: (leP 1 alpha) => [a1|a1].
  by rewrite -[X in X <= _]mul1r; apply: ler_pmul; rewrite ?ler01 ?ler0n // ler_nat max_card.
apply: (@some_small _ #|null|) => // o /existsP[j /andP[jn]].
have [order [perm_o _ _]] := py_holm_is_step_down (listed o); rewrite size_listed in perm_o * => at_.
have mem_o i : (i \in order) = (i < d)%N by rewrite (perm_mem perm_o) mem_iota.
have sz : size order = d by rewrite (perm_size perm_o) size_iota.
pose is_null i := if insub i is Some k then null k else false.
have nullE (k : 'I_d) : is_null k = null k by rewrite /is_null valK.
pose first := find is_null order.
have some : has is_null order by apply/hasP; exists (j : nat); rewrite ?mem_o // nullE.
have fd : (first < d)%N by rewrite -sz -has_find.
have jd : (index (j : nat) order < d)%N by move: (index_mem (j : nat) order); rewrite mem_o ltn_ord sz.
have fj : (first <= index (j : nat) order)%N.
  by rewrite leqNgt; apply/negP => /(before_find 0%N); rewrite nth_index ?mem_o // nullE jn.
have := at_ _ jd; rewrite nth_index ?mem_o // => -> le_a.
have kd : (nth 0%N order first < d)%N by rewrite -mem_o mem_nth ?sz.
pose k := Ordinal kd; have kn : null k by rewrite -nullE; exact: (nth_find 0%N some).
apply/existsP; exists k; rewrite kn /=.
have few : (#|null| <= d - first)%N.
  have -> : (d - first)%N = size (drop first order) by rewrite size_drop sz.
  rewrite cardE -(size_map val); apply: uniq_leq_size.
    by rewrite map_inj_uniq ?enum_uniq //; exact: val_inj.
  move=> x /mapP[i]; rewrite mem_enum => in_ ->.
  have := mem_o i; rewrite ltn_ord -{1}(cat_take_drop first order) mem_cat => /orP[|//].
  move=> /(nthP 0%N)[t]; rewrite size_take sz fd => tf; rewrite nth_take // => e.
  by have := before_find 0%N tf; rewrite e nullE -[null i]/(i \in null) in_.
have := le_trans (@max_ge _ _ xpredT _ 0 (Ordinal (fj : (first < _.+1)%N)) isT) le_a.
rewrite /= le_minl leNgt a1 /= -[nth 0%N order first]/(k : nat) nth_listed => h.
case: (leP 0 (p k o)) => p0; last by rewrite (le_trans _ a0) // mulr_ge0_le0 ?ler0n // ltW.
by apply: le_trans h; rewrite ler_wpmul2r // ler_nat.
Qed.
End Errors.

(* Exact p-values of three features are valid, each by itself. *)
Example three_pvalues (R : realFieldType) (x : 'I_3 -> 'I_7 -> R) :
  (forall j, predT j -> valid (tail (x j))) /\ (0 : R) <= 1 / 20%:R.
Proof. by split=> [j _ u u0|]; [exact: exact_pvalue_is_valid|rewrite divr_ge0 ?ler01 ?ler0n]. Qed.
