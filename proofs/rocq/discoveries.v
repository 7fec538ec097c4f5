(* Corrections for several p-values, as their source prints them, and the errors that they allow. *)
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint zmodp.
From mathcomp Require Import ring zify.
From splitcrit Require Import python loops pvalues cut_loop.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Bonferroni's and Holm's corrections, as their source prints them: adjusted p-values, and the error of those up to
   alpha, whatever the dependence between features. *)
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
Definition holm_step := ltac:(
  let t := eval cbv beta iota zeta delta [py_holm] in (py_holm R ps) in
  match t with context [foldl ?f _ _] => exact f end).
Lemma holm_loop : py_holm R ps = (foldl holm_step (py_repeat [:: 0] (Posz d), 0)
  (py_enumerate (py_sorted_by (fun item => py_at 0 ps item) (py_range 0 (Posz d))) 0)).1.
Proof. by rewrite /py_holm -/holm_step; case: (foldl holm_step _ _). Qed.

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
have [sf _ at_] := @steps R Num.max asked holm_step (fun _ _ _ _ => erefl) js (nseq d (0 : R)) 0 0%N un aa.
exists js; split=> //; first exact: sort_sorted.
  by rewrite holm_loop e repeatE sf size_nseq.
move=> k kd; rewrite holm_loop e repeatE at_ ?sz // foldl_max big_map -/(index_iota 0 k.+1) big_mkord.
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

(* Benjamini and Hochberg's and Benjamini and Yekutieli's corrections, as their source prints them: which numbers they
   are, the step-up rule, and the false discovery rate whatever the dependence. *)
Section Least.
Variable R : realFieldType.
Lemma big_min_start (z x : R) (s : seq R) : \big[Num.min/Num.min z x]_(v <- s) v = Num.min x (\big[Num.min/z]_(v <- s) v).
Proof. by elim: s => [|v s IH]; [rewrite !big_nil minC|rewrite !big_cons IH minCA]. Qed.
Lemma foldl_min (z : R) (s : seq R) : foldl Num.min z s = \big[Num.min/z]_(v <- s) v.
Proof. by elim: s z => [|x s IH] z /=; rewrite ?big_nil // IH big_min_start big_cons. Qed.
Lemma big_min_le (I : eqType) (s : seq I) (F : I -> R) (z alpha : R) :
  (\big[Num.min/z]_(i <- s) F i <= alpha) = (z <= alpha) || has (fun i => F i <= alpha) s.
Proof.
elim: s => [|i s IH]; first by rewrite big_nil orbF.
by rewrite big_cons le_minl IH /= orbCA.
Qed.
End Least.

Section Hochberg.
Variables (R : realFieldType) (ps : seq R).
Local Notation d := (size ps).
Local Notation p j := (nth 0 ps j).
Definition hochberg_step := ltac:(
  let t := eval cbv beta iota zeta delta [py_benjamini_hochberg] in (py_benjamini_hochberg R ps) in
  match t with context [foldl ?f _ _] => exact f end).
Lemma hochberg_loop : py_benjamini_hochberg R ps = (foldl hochberg_step (py_repeat [:: 0] (Posz d), 1)
  (py_enumerate (py_sorted_by_down (fun item => py_at 0 ps item) (py_range 0 (Posz d))) 0)).1.
Proof. by rewrite /py_benjamini_hochberg -/hochberg_step; case: (foldl hochberg_step _ _). Qed.

(* The adjusted p-values are Benjamini and Hochberg's: in an order in which p-values do not fall, that of the one at
   place k is the smallest of 1 and of all d p_j / (j + 1) of the places j from its own on, counted from 0. *)
Theorem py_benjamini_hochberg_is_step_up : exists order : seq nat,
  [/\ perm_eq order (iota 0 d), sorted (fun i j => p i <= p j) order, size (py_benjamini_hochberg R ps) = d
    & forall k, (k < d)%N -> nth 0 (py_benjamini_hochberg R ps) (nth 0%N order k)
        = \big[Num.min/1]_(k <= j < d) (d%:R * p (nth 0%N order j) / j.+1%:R)].
Proof.
pose ge i j := p j <= p i; have total_ge : total ge by move=> i j; exact: le_total.
pose js := sort ge (iota 0 d); have perm_js : perm_eq js (iota 0 d) by rewrite perm_sort.
have sz : size js = d by rewrite (perm_size perm_js) size_iota.
have e : py_sorted_by_down (fun item => py_at 0 ps item) (py_range 0 (Posz d)) = [seq Posz j | j <- js].
  by rewrite py_rangeE // subn0 /py_sorted_by_down sort_map.
have un : uniq js by rewrite (perm_uniq perm_js) iota_uniq.
have aa : all (fun j => (j < size (nseq d (0 : R)%R))%N) js.
  by apply/allP => j; rewrite (perm_mem perm_js) mem_iota size_nseq.
pose asked (i j : nat) : R := d%:R * p j / (Posz d - Posz i)%:~R.
have [sf _ at_] := @steps R Num.min asked hochberg_step (fun _ _ _ _ => erefl) js (nseq d (0 : R)) 1 0%N un aa.
exists (rev js); split; first by rewrite perm_rev.
- by rewrite rev_sorted; apply: sort_sorted.
- by rewrite hochberg_loop e repeatE sf size_nseq.
move=> k kd; rewrite hochberg_loop e repeatE nth_rev ?sz // at_ ?sz; last lia.
set F := fun j : nat => d%:R * p (nth 0%N (rev js) j) / j.+1%:R.
have -> : [seq asked (0 + i)%N (nth 0%N js i) | i <- iota 0 (d - k.+1).+1] = rev [seq F j | j <- index_iota k d].
  apply: (@eq_from_nth _ 0) => [|i]; first by rewrite size_rev !size_map !size_iota; lia.
  rewrite size_map size_iota => id.
  rewrite (nth_map 0%N) ?size_iota // nth_iota // nth_rev size_map size_iota; last lia.
  rewrite (nth_map 0%N) ?size_iota; last lia.
  rewrite nth_iota; last lia.
  have -> : (k + (d - k - i.+1) = d - i.+1)%N by lia.
  rewrite /F /asked add0n nth_rev sz; last lia.
  have -> : (d - (d - i.+1).+1 = i)%N by lia.
  by congr (_ / _); have -> : Posz d - Posz i = Posz (d - i.+1).+1 by lia.
rewrite foldl_rev -[RHS](big_map F xpredT id); elim: [seq F j | j <- _] => [|x s IH]; first by rewrite big_nil.
by rewrite big_cons /= IH minC.
Qed.

Section Rule.
Variable alpha : R.
Hypothesis a01 : 0 <= alpha < 1.
(* the r smallest p-values are compared with it *)
Definition bound (r : nat) : R := r%:R * alpha / d%:R.
Lemma bound_le r r' : (r <= r')%N -> bound r <= bound r'.
Proof.
move=> rr; have /andP[a0 _] := a01.
by rewrite ler_wpmul2r ?invr_ge0 ?ler0n // ler_wpmul2r // ler_nat.
Qed.

(* Step-up: a feature has an adjusted p-value of at most alpha if and only if for some r at least r p-values are at most
   r alpha/d, and its own is. *)
Theorem py_benjamini_hochberg_rejects_by_step_up j : (j < d)%N -> (nth 0 (py_benjamini_hochberg R ps) j <= alpha)
  = has (fun r => (r <= count (fun x => (x <= bound r)%R) ps)%N && (p j <= bound r)) (iota 1 d).
Proof.
move=> jd; have [order [perm_o sorted_o _ at_]] := py_benjamini_hochberg_is_step_up.
have sz : size order = d by rewrite (perm_size perm_o) size_iota.
have mem_o i : (i \in order) = (i < d)%N by rewrite (perm_mem perm_o) mem_iota.
set k := index j order; have kd : (k < d)%N by rewrite -sz index_mem mem_o.
have order_k : nth 0%N order k = j by rewrite nth_index ?mem_o.
have d0 : 0 < d%:R :> R by rewrite ltr0n (leq_ltn_trans _ jd).
have grows i i' : (i <= i')%N -> (i' < d)%N -> p (nth 0%N order i) <= p (nth 0%N order i').
  move=> ii id; apply: (sorted_leq_nth _ _ 0%N sorted_o) => //; rewrite ?inE ?sz //; first by move=> x y z /le_trans; exact.
  exact: leq_ltn_trans id.
have countE P : count P ps = count (fun i => P (p i)) order.
  by rewrite -{1}[ps](mkseq_nth 0) /mkseq count_map; move/seq.permP: (perm_o) => ->.
have askedE i : (d%:R * p (nth 0%N order i) / i.+1%:R <= alpha) = (p (nth 0%N order i) <= bound i.+1).
  by rewrite ler_pdivr_mulr ?ltr0n // /bound ler_pdivl_mulr // mulrC [alpha * _]mulrC.
have := at_ k kd; rewrite order_k => ->; rewrite big_min_le leNgt; have /andP[a0 ->] := a01.
apply/hasP/hasP => [[i]|[r]]; rewrite mem_iota.
  rewrite askedE => /andP[ki id] small; exists i.+1; first by rewrite mem_iota; clear -id kd; lia.
  rewrite (le_trans _ small) ?andbT; last by rewrite -order_k grows //; clear -id ki kd; lia.
  rewrite countE -[order](cat_take_drop i.+1) count_cat; apply: leq_trans (leq_addr _ _).
  have e : size (take i.+1 order) = i.+1 by rewrite size_takel // sz; clear -id kd; lia.
  rewrite -{1}e leq_eqVlt eq_sym -all_count; apply/orP; left; apply/(all_nthP 0%N) => t; rewrite e => ti.
  by rewrite nth_take // (le_trans _ small) // grows //; clear -ti id kd; lia.
move=> /andP[r1 rd] /andP[many own]; exists (maxn k r.-1); first by rewrite mem_iota; clear -r1 rd kd; lia.
rewrite askedE; case: (leqP k r.-1) => kr; last first.
  by rewrite order_k (le_trans own) // bound_le //; clear -kr; lia.
rewrite (_ : r.-1.+1 = r); last by clear -r1; lia.
rewrite leNgt; apply/negP => large; move: many; rewrite countE leqNgt => /negP; apply.
rewrite -[order](cat_take_drop r.-1) count_cat.
have -> : count (fun i => p i <= bound r) (drop r.-1 order) = 0%N.
  apply/eqP; rewrite -leqn0 leqNgt -has_count; apply/hasP => -[x /(nthP 0%N)[t]].
  rewrite size_drop sz nth_drop => td <-; apply/negP; rewrite -ltNge (lt_le_trans large) // grows //; clear -td rd r1; lia.
by rewrite addn0 (leq_ltn_trans (count_size _ _)) // size_takel ?sz; clear -r1 rd; lia.
Qed.
End Rule.
End Hochberg.

Section Yekutieli.
Variable R : realFieldType.
Definition harmonic (d : nat) : R := \sum_(1 <= k < d.+1) k%:R^-1.
Lemma harmonic_gt0 d : (0 < d)%N -> 0 < harmonic d.
Proof.
case: d => // d _; rewrite /harmonic big_nat_recl // invr1 ltr_spaddl ?ltr01 // sumr_ge0 // => k _.
by rewrite invr_ge0 ler0n.
Qed.

(* Benjamini and Yekutieli's adjusted p-values are 1 + 1/2 + ... + 1/d times Benjamini and Hochberg's, at most 1. *)
Theorem py_benjamini_yekutieli_is_harmonic (ps : seq R) j : (j < size ps)%N -> nth 0 (py_benjamini_yekutieli R ps) j
  = Num.min 1 (harmonic (size ps) * nth 0 (py_benjamini_hochberg R ps) j).
Proof.
move=> jd; have [order [_ _ sz _]] := py_benjamini_hochberg_is_step_up ps.
rewrite /py_benjamini_yekutieli (nth_map 0) ?sz //; congr (Num.min _ (_ * _)).
rewrite py_sumE big_map /harmonic; have -> : Posz (size ps) + Posz 1 = Posz (size ps).+1 by lia.
rewrite py_rangeE // big_map; have -> : ((size ps).+1 - 1 = size ps)%N by lia.
rewrite -/(index_iota 1 _) /index_iota; have -> : ((size ps).+1 - 1 = size ps)%N by lia.
by apply: eq_bigr => k _; rewrite div1r.
Qed.
End Yekutieli.

(* The false discovery rate of printed corrections, by counting outcomes: Benjamini and Yekutieli's whatever the
   dependence, Benjamini and Hochberg's where each p-value is valid given the others. *)
Section Weights.
Variables (R : realFieldType) (d : nat).
Definition below (k : nat) : R := if (k <= d)%N then k%:R^-1 else 0.
Definition weight (k : nat) : R := below k - below k.+1.
Lemma weight_ge0 k : (0 < k)%N -> 0 <= weight k.
Proof.
move=> k0; rewrite /weight /below subr_ge0; case: (ltnP k d) => kd.
  by rewrite ltnW // lef_pinv ?posrE ?ltr0n // ler_nat.
by case: ifP; rewrite ?invr_ge0 ?ler0n.
Qed.
Lemma sum_weight r : (0 < r <= d)%N -> \sum_(r <= k < d.+1) weight k = r%:R^-1.
Proof.
move=> /andP[r0 rd]; have e k : weight k = - (below k.+1 - below k) by rewrite /weight opprB.
rewrite (eq_bigr _ (fun k _ => e k)) sumrN telescope_sumr ?leqW //.
by rewrite /below ltnn rd sub0r opprK.
Qed.
Lemma sum_weighed : \sum_(1 <= k < d.+1) weight k * k%:R = harmonic R d.
Proof.
have e k : weight k * k%:R = below k.+1 - (k.+1%:R * below k.+1 - k%:R * below k) by rewrite /weight [k.+1%:R]mulrSr; ring.
rewrite (eq_bigr _ (fun k _ => e k)) sumrB telescope_sumr //; have last0 : below d.+1 = 0 by rewrite /below ltnn.
rewrite last0 mulr0 sub0r opprK /harmonic; case: (posnP d) => [d0|d0].
  by rewrite !big_geq ?d0 // add0r /below d0 mulr0.
rewrite big_nat_recr //= last0 addr0 [RHS]big_nat_recl //= addrC; congr (_ + _).
  by rewrite /below d0 mul1r.
by apply: eq_big_nat => k /andP[_ kd]; rewrite /below kd.
Qed.
(* the share of r of d, in terms of whether x is at most k c for each k *)
Lemma share_of_steps (c x : R) r : 0 <= c -> (0 < r <= d)%N -> x <= r%:R * c ->
  r%:R^-1 <= \sum_(1 <= k < d.+1) weight k * (x <= k%:R * c)%R%:R.
Proof.
move=> c0 /andP[r0 rd] xr; rewrite -(sum_weight (r := r)) ?r0 // [X in _ <= X](big_cat_nat _ (n := r)) ?leqW //=.
rewrite -[X in X <= _]add0r ler_add //.
  rewrite big_nat_cond sumr_ge0 // => k /andP[/andP[k0 _] _]; by rewrite mulr_ge0 ?weight_ge0 ?ler0n.
rewrite big_nat_cond [X in _ <= X]big_nat_cond ler_sum // => k /andP[/andP[rk _] _].
by rewrite (le_trans xr) ?mulr1 // ler_wpmul2r // ler_nat.
Qed.
End Weights.

Section Rate.
Variables (R : realFieldType) (O : finType) (d : nat) (p : 'I_d -> O -> R) (null : pred 'I_d).
(* the share of rejected features that the labels do not depend on, 0 where none is rejected *)
Definition false_share (rejected : pred 'I_d) : R := #|[pred j | null j && rejected j]|%:R / #|rejected|%:R.
Variable rejected : O -> pred 'I_d.
Local Notation number o := #|rejected o|.

Lemma false_shareE o : false_share (rejected o) = \sum_(j | null j) (rejected o j)%:R / (number o)%:R.
Proof.
rewrite /false_share -mulr_suml -sum1_card natr_sum; congr (_ / _); rewrite big_mkcond [RHS]big_mkcond.
by apply: eq_bigr => j _; rewrite inE; case: (null j) => //=; case: (rejected o j).
Qed.

Lemma number_gt0 o j : rejected o j -> (0 < number o <= d)%N.
Proof.
move=> oj; apply/andP; split; last by rewrite -[X in (_ <= X)%N]card_ord max_card.
by apply/card_gt0P; exists j.
Qed.

Lemma rate_whatever_dependence c : 0 <= c -> (forall j, null j -> valid (p j)) ->
  (forall o j, rejected o j -> p j o <= (number o)%:R * c) ->
  \sum_o false_share (rejected o) <= #|null|%:R * (c * harmonic R d * #|O|%:R).
Proof.
move=> c0 each small; rewrite (eq_bigr _ (fun o _ => false_shareE o)) exchange_big /=; set X := c * _ * _.
have -> : #|null|%:R * X = \sum_(j | null j) X by rewrite sumr_const mulr_natl.
apply: ler_sum => j jn; rewrite /X -sum_weighed mulr_sumr mulr_suml.
apply: (@le_trans _ _ (\sum_o \sum_(1 <= k < d.+1) weight R d k * (p j o <= k%:R * c)%R%:R)).
  apply: ler_sum => o _; case oj : (rejected o j); last first.
    rewrite mul0r big_nat_cond sumr_ge0 // => k /andP[/andP[k0 _] _]; by rewrite mulr_ge0 ?weight_ge0 ?ler0n.
  by rewrite mul1r share_of_steps ?(number_gt0 oj) // small.
rewrite exchange_big /= big_nat_cond [X in _ <= X]big_nat_cond; apply: ler_sum => k /andP[/andP[k0 _] _].
have -> : c * (weight R d k * k%:R) * #|O|%:R = weight R d k * (k%:R * c * #|O|%:R) by ring.
rewrite -mulr_sumr ler_wpmul2l ?weight_ge0 //.
have -> : \sum_o (p j o <= k%:R * c)%R%:R = #|[pred o | p j o <= k%:R * c]|%:R :> R.
  rewrite -sum1_card natr_sum [RHS]big_mkcond; apply: eq_bigr => o _; rewrite inE; by case: (_ <= _).
by apply: each => //; rewrite mulr_ge0 ?ler0n.
Qed.
End Rate.

Section Corrections.
Variables (R : realFieldType) (O : finType) (d : nat) (p : 'I_d -> O -> R) (null : pred 'I_d) (alpha : R).
Hypothesis a01 : 0 <= alpha < 1.
(* the features that are rejected at alpha, from the p-values of an outcome *)
Definition discovered (correct : seq R -> seq R) (level : R) (o : O) : pred 'I_d := fun j =>
  nth 0 (correct (listed p o)) j <= level.
Local Notation hochberg := (discovered (py_benjamini_hochberg R)).
Local Notation yekutieli := (discovered (py_benjamini_yekutieli R)).

Lemma count_listed o P : count P (listed p o) = #|[pred j | P (p j o)]|.
Proof. by rewrite /listed count_map cardE [in RHS]/enum_mem size_filter enumT; apply: eq_count. Qed.

Lemma hochberg_small level o j : 0 <= level < 1 -> hochberg level o j ->
  p j o <= #|hochberg level o|%:R * (level / d%:R).
Proof.
move=> l01; have jd : (j < size (listed p o))%N by rewrite size_listed.
rewrite /discovered py_benjamini_hochberg_rejects_by_step_up // => /hasP[r]; rewrite mem_iota size_listed => /andP[r1 rd].
rewrite nth_listed count_listed => /andP[many own]; apply: (le_trans own).
rewrite /bound size_listed -mulrA ler_wpmul2r ?divr_ge0 ?ler0n //; first by case/andP: l01.
rewrite ler_nat (leq_trans many) //; apply: subset_leq_card; apply/subsetP => i; rewrite !inE /bound size_listed => small.
rewrite unfold_in py_benjamini_hochberg_rejects_by_step_up ?size_listed //; apply/hasP; exists r; first by rewrite mem_iota r1.
by rewrite nth_listed count_listed many /bound size_listed.
Qed.

(* Benjamini and Yekutieli's rule: where each p-value of a feature that the labels do not depend on is valid by itself,
   the mean share of false ones among the features with an adjusted p-value of at most alpha is at most alpha times the
   share of such features, whatever the dependence. *)
Theorem py_benjamini_yekutieli_discovers_falsely_at_most_alpha : (forall j, null j -> valid (p j)) ->
  \sum_o false_share R null (yekutieli alpha o) <= alpha * (#|null|%:R / d%:R) * #|O|%:R.
Proof.
move=> each; case: (posnP d) => [d0|d0].
  rewrite big1 => [|o _]; first by rewrite !mulr_ge0 ?invr_ge0 ?ler0n //; case/andP: a01.
  by rewrite /false_share (eq_card0 (A := [pred _ | _])) ?mul0r // => j; have := ltn_ord j; rewrite {2}d0.
have h0 : 0 < harmonic R d := harmonic_gt0 R d0; have /andP[a0 a1] := a01.
have dN : d%:R != 0 :> R by rewrite pnatr_eq0 -lt0n.
pose level := alpha / harmonic R d.
have h1 : 1 <= harmonic R d.
  by rewrite /harmonic big_nat_recl //= invr1 ler_addl sumr_ge0 // => k _; rewrite invr_ge0 ler0n.
have l01 : 0 <= level < 1.
  by rewrite divr_ge0 ?(ltW h0) //= ltr_pdivr_mulr // mul1r (lt_le_trans a1).
have same o : yekutieli alpha o =1 hochberg level o.
  move=> j; rewrite /discovered py_benjamini_yekutieli_is_harmonic ?size_listed // le_minl leNgt a1 /=.
  by rewrite /level ler_pdivl_mulr // mulrC.
have -> : alpha * (#|null|%:R / d%:R) * #|O|%:R = #|null|%:R * (level / d%:R * harmonic R d * #|O|%:R).
  by rewrite /level; move: (gt_eqF h0) dN => /negbT hN dN; field; rewrite hN dN.
rewrite (eq_bigr (fun o => false_share R null (hochberg level o))); last first.
  by move=> o _; rewrite /false_share (eq_card (same o)); congr (_%:R / _); apply: eq_card => j; rewrite !inE same.
apply: (@rate_whatever_dependence _ _ _ p) => //; first by case/andP: l01 => l0 _; rewrite divr_ge0 ?ler0n.
by move=> o j oj; exact: hochberg_small.
Qed.
(* Benjamini and Hochberg's rule: if each p-value of a feature that the labels do not depend on is valid given the others,
   as that of a feature that is independent of them, the mean share of false ones among the features with an adjusted
   p-value of at most alpha is at most alpha times the share of such features. *)
Theorem py_benjamini_hochberg_discovers_falsely_at_most_alpha :
  (forall j (E : pred O), null j -> (forall o o', (forall k, k != j -> p k o = p k o') -> E o = E o') ->
     forall u, 0 <= u -> #|[pred o | E o && (p j o <= u)]|%:R <= u * #|E|%:R) ->
  \sum_o false_share R null (hochberg alpha o) <= alpha * (#|null|%:R / d%:R) * #|O|%:R.
Proof.
move=> given; have /andP[a0 a1] := a01; pose c := alpha / d%:R; have c0 : 0 <= c by rewrite divr_ge0 ?ler0n.
rewrite (eq_bigr _ (fun o _ => false_shareE R null (hochberg alpha) o)) exchange_big /=.
have -> : alpha * (#|null|%:R / d%:R) * #|O|%:R = \sum_(j | null j) c * #|O|%:R.
  by rewrite sumr_const -[RHS]mulr_natl /c; move: (d%:R^-1 : R) (#|null|%:R : R) (#|O|%:R : R) => x y z; ring.
apply: ler_sum => j jn; pose others o (r : nat) := #|[pred i | (i != j) && (p i o <= r%:R * c)]|.
pose E (r : nat) o := (r <= (others o r).+1)%N && [forall t : 'I_d.+1, (r < t)%N ==> ~~ (t <= (others o t).+1)%N].
have number_of o r : #|[pred i | (p i o <= r%:R * c)%R]| = (others o r + (p j o <= r%:R * c)%R)%N.
  rewrite (cardD1 j) addnC; congr (_ + _)%N.
have reaches o r : (r <= d)%N -> (r <= #|[pred i | (p i o <= r%:R * c)%R]|)%N -> (0 < r)%N ->
    (#|[pred i | (p i o <= r%:R * c)%R]| <= #|hochberg alpha o|)%N.
  move=> rd many r0; apply: subset_leq_card; apply/subsetP => i; rewrite inE => small.
  rewrite unfold_in /discovered py_benjamini_hochberg_rejects_by_step_up ?size_listed //; apply/hasP; exists r.
    by rewrite mem_iota r0 add1n ltnS.
  by rewrite nth_listed count_listed /bound size_listed -mulrA small andbT.
have own o : hochberg alpha o j -> E #|hochberg alpha o| o && (p j o <= #|hochberg alpha o|%:R * c).
  move=> oj; set r := #|hochberg alpha o|; have small i : hochberg alpha o i -> p i o <= r%:R * c := hochberg_small a01.
  have jr := small j oj; have /andP[r0 rd] := number_gt0 oj.
  have many : (r <= #|[pred i | (p i o <= r%:R * c)%R]|)%N.
    by apply: subset_leq_card; apply/subsetP => i; rewrite !inE; exact: small.
  rewrite jr andbT /E; apply/andP; split; first by move: many; rewrite number_of jr addn1.
  apply/forallP => t; apply/implyP => rt; apply/negP => tt.
  have jt : p j o <= t%:R * c by apply: le_trans jr _; rewrite ler_wpmul2r // ler_nat ltnW.
  have more : (t <= #|[pred i | (p i o <= t%:R * c)%R]|)%N by rewrite number_of jt addn1.
  have td : (t <= d)%N by rewrite -ltnS ltn_ord.
  have := leq_trans more (reaches o t td more (leq_ltn_trans (leq0n _) rt)).
  by rewrite leqNgt rt.
apply: (@le_trans _ _ (\sum_o \sum_(r < d.+1 | (0 < r)%N) (E r o && (p j o <= r%:R * c))%R%:R / r%:R)).
  apply: ler_sum => o _; case oj : (hochberg alpha o j); last first.
    by rewrite mul0r sumr_ge0 // => r _; rewrite divr_ge0 ?ler0n.
  have /andP[r0 rd] := number_gt0 oj; rewrite (bigD1 (Ordinal (rd : (_ < d.+1)%N))) //= own // ler_addl.
  by rewrite sumr_ge0 // => r _; rewrite divr_ge0 ?ler0n.
rewrite exchange_big /=; apply: (@le_trans _ _ (\sum_(r < d.+1 | (0 < r)%N) c * #|E r|%:R)).
  apply: ler_sum => r r0; rewrite -mulr_suml ler_pdivr_mulr ?ltr0n // mulrAC [c * _]mulrC.
  have -> : \sum_o (E r o && (p j o <= r%:R * c))%R%:R = #|[pred o | E r o && (p j o <= r%:R * c)]|%:R :> R.
    by rewrite -sum1_card natr_sum [RHS]big_mkcond; apply: eq_bigr => o _; rewrite inE; case: (_ && _).
  apply: given => //; last by rewrite mulr_ge0 ?ler0n.
  move=> o o' same; have e t : others o t = others o' t.
    by apply: eq_card => i; rewrite !inE; case: eqP => //= /eqP ij; rewrite same.
  by rewrite /E e; congr (_ && _); apply: eq_forallb => t; rewrite e.
rewrite -mulr_sumr ler_wpmul2l // -natr_sum ler_nat.
have -> : (\sum_(r < d.+1 | (0 < r)%N) #|E r| = \sum_o \sum_(r < d.+1 | (0 < r)%N) E r o)%N.
  rewrite exchange_big /=; apply: eq_bigr => r _; rewrite -sum1_card big_mkcond; apply: eq_bigr => o _.
  by have -> : (o \in E r) = E r o by []; case: (E r o).
rewrite -[X in (_ <= X)%N]sum1_card; apply: leq_sum => o _.
case: (pickP (fun r : 'I_d.+1 => E r o)) => [r0 r0E|none]; last by rewrite big1 // => r _; rewrite none.
apply: (@leq_trans (\sum_(r < d.+1) E r o)%N); first by rewrite [X in (_ <= X)%N](bigID (fun r : 'I_d.+1 => 0 < r)%N) leq_addr.
rewrite (bigD1 r0) //= r0E big1 // => r rr0; case rE : (E r o) => //; exfalso.
have lt (a b : 'I_d.+1) : E a o -> E b o -> (a < b)%N -> False.
  by move=> /andP[_ /forallP /(_ b)]; move=> h /andP[bb _] ab; move: h; rewrite ab bb.
case: (ltngtP r r0) => [h|h|h]; [exact: lt rE r0E h|exact: lt r0E rE h|by case/eqP: rr0; exact: val_inj].
Qed.
End Corrections.

(* Exact p-values of two features are valid, each by itself. *)
Example two_pvalues (R : realFieldType) (x : 'I_2 -> 'I_5 -> R) :
  (forall j, predT j -> valid (tail (x j))) /\ 0 <= (1 / 20%:R : R) < 1.
Proof.
split=> [j _ u u0|]; first exact: exact_pvalue_is_valid.
apply/andP; split; first by rewrite divr_ge0 ?ler01 ?ler0n.
by rewrite ltr_pdivr_mulr ?mul1r ?ltr1n ?ltr0n.
Qed.
