(* Benjamini and Hochberg's and Benjamini and Yekutieli's corrections, as their source prints them: which numbers they
   are, the step-up rule, and the false discovery rate whatever the dependence. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ring zify.
From splitcrit Require Import python loops pvalues multiple cut_loop corrections.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

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
Definition step := ltac:(
  let t := eval cbv beta iota zeta delta [py_benjamini_hochberg] in (py_benjamini_hochberg R ps) in
  match t with context [foldl ?f _ _] => exact f end).
Lemma loopE : py_benjamini_hochberg R ps = (foldl step (py_repeat [:: 0] (Posz d), 1)
  (py_enumerate (py_sorted_by_down (fun item => py_at 0 ps item) (py_range 0 (Posz d))) 0)).1.
Proof. by rewrite /py_benjamini_hochberg -/step; case: (foldl step _ _). Qed.

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
have [sf _ at_] := @steps R Num.min asked step (fun _ _ _ _ => erefl) js (nseq d (0 : R)) 1 0%N un aa.
exists (rev js); split; first by rewrite perm_rev.
- by rewrite rev_sorted; apply: sort_sorted.
- by rewrite loopE e repeatE sf size_nseq.
move=> k kd; rewrite loopE e repeatE nth_rev ?sz // at_ ?sz; last lia.
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
  rewrite askedE => /andP[ki id] small; exists i.+1; first by rewrite mem_iota; lia.
  rewrite (le_trans _ small) ?andbT; last by rewrite -order_k grows //; lia.
  rewrite countE -[order](cat_take_drop i.+1) count_cat; apply: leq_trans (leq_addr _ _).
  have e : size (take i.+1 order) = i.+1 by rewrite size_takel // sz; lia.
  rewrite -{1}e leq_eqVlt eq_sym -all_count; apply/orP; left; apply/(all_nthP 0%N) => t; rewrite e => ti.
  by rewrite nth_take // (le_trans _ small) // grows //; lia.
move=> /andP[r1 rd] /andP[many own]; exists (maxn k r.-1); first by rewrite mem_iota; lia.
rewrite askedE; case: (leqP k r.-1) => kr; last first.
  by rewrite order_k (le_trans own) // bound_le //; lia.
rewrite (_ : r.-1.+1 = r); last lia.
rewrite leNgt; apply/negP => large; move: many; rewrite countE leqNgt => /negP; apply.
rewrite -[order](cat_take_drop r.-1) count_cat.
have -> : count (fun i => p i <= bound r) (drop r.-1 order) = 0%N.
  apply/eqP; rewrite -leqn0 leqNgt -has_count; apply/hasP => -[x /(nthP 0%N)[t]].
  rewrite size_drop sz nth_drop => td <-; apply/negP; rewrite -ltNge (lt_le_trans large) // grows //; lia.
by rewrite addn0 (leq_ltn_trans (count_size _ _)) // size_takel ?sz; lia.
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
