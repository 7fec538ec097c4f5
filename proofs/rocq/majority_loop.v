(* The exact chance that noise changes the majority of two classes, as its source prints it: the share of all vectors of
   noisy labels, each weighed by the chances of its labels. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ring zify.
From splitcrit Require Import python loops cut_loop flips.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Binomial.
Variables (rate unit : int).
Definition powers (x : int) (m : nat) : seq int := [seq x ^+ i | i <- iota 0 m.+1].
Lemma nth_powers x m i : (i <= m)%N -> nth 0 (powers x m) i = x ^+ i.
Proof. by move=> im; rewrite (nth_map 0%N) ?size_iota // nth_iota. Qed.
Lemma powersS x m : rcons (powers x m) (py_at 0 (powers x m) (- Posz 1) * x) = powers x m.+1.
Proof.
rewrite {3}/powers -[m.+2]addn1 iotaD map_cat cats1 -/(powers x m) /py_at /py_place size_map size_iota.
rewrite (_ : absz _ = m) ?nth_powers //= ?exprSr //; lia.
Qed.

Definition term (n k : nat) : int := 'C(n, k)%:R * rate ^+ k * (unit - rate) ^+ (n - k).
(* after k steps of the second loop *)
Definition mixed (n k : nat) : seq int := [seq (if (i < k)%N then term n i else rate ^+ i) | i <- iota 0 n.+1].
Lemma nth_mixed n k i : (i <= n)%N -> nth 0 (mixed n k) i = if (i < k)%N then term n i else rate ^+ i.
Proof. by move=> im; rewrite (nth_map 0%N) ?size_iota // nth_iota. Qed.

Lemma size_mixed n k : size (mixed n k) = n.+1. Proof. by rewrite size_map size_iota. Qed.

Lemma py_binomial_weightsE n : py_binomial_weights (Posz n) rate unit = [seq term n k | k <- iota 0 n.+1].
Proof.
rewrite /py_binomial_weights py_rangeE // subn0.
set f := (fun '(weights, failing) _ => _).
have fE m x : f (powers rate m, powers (unit - rate) m) x = (powers rate m.+1, powers (unit - rate) m.+1).
  by rewrite /f !powersS.
have first (s : seq int) m : foldl f (powers rate m, powers (unit - rate) m) s
    = (powers rate (m + size s), powers (unit - rate) (m + size s)).
  elim: s m => [|x s IH] m; first by rewrite addn0.
  by rewrite -[LHS]/(foldl f (f (powers rate m, powers (unit - rate) m) x) s) fE IH addSnnS.
have -> : ([:: Posz 1], [:: Posz 1]) = (powers rate 0, powers (unit - rate) 0) by [].
rewrite first size_map size_iota add0n; have -> : Posz n + Posz 1 = Posz n.+1 by lia.
rewrite py_rangeE // subn0; set g := (fun '(weights, ways) k => _).
have one k : (k <= n)%N -> g (mixed n k, Posz 'C(n, k)) (Posz k) = (mixed n k.+1, Posz 'C(n, k.+1)).
  move=> kn; rewrite /g /py_set; set v := py_at 0 (mixed n k) _ * _.
  rewrite /py_place; congr (_, _); last first.
    have -> : Posz n - Posz k = Posz (n - k) by lia.
    have -> : Posz k + 1 = Posz k.+1 by lia.
    by rewrite /py_div /= -PoszM mulnC -mul_bin_left PoszM mulKz.
  apply: (@eq_from_nth _ 0) => [|i]; first by rewrite size_set_nth !size_mixed; apply/maxn_idPr.
  rewrite size_set_nth size_mixed (maxn_idPr _) // => iN.
  rewrite (set_nth_default v) ?size_set_nth ?size_mixed ?(maxn_idPr _) // nth_set_nth /=.
  case: eqP => [->|ik]; last first.
    rewrite (set_nth_default 0) ?size_mixed // !nth_mixed //.
    by have -> : (i < k.+1)%N = (i < k)%N by lia.
  rewrite /v /py_at /py_place /=.
  rewrite (_ : absz (if _ then _ else Posz n - Posz k) = (n - k)%N); last by case: ifP; lia.
  rewrite nth_powers ?leq_subr // !nth_mixed // ltnn ltnSn /term.
  by move: (rate ^+ k) (_ ^+ (n - k)) => a b; rewrite natz; ring.
have second j k : (k + j <= n.+1)%N -> foldl g (mixed n k, Posz 'C(n, k)) [seq Posz i | i <- iota k j]
    = (mixed n (k + j), Posz 'C(n, k + j)).
  elim: j k => [|j IH] k kj; first by rewrite addn0.
  rewrite -[LHS]/(foldl g (g (mixed n k, Posz 'C(n, k)) (Posz k)) [seq Posz i | i <- iota k.+1 j]) one; last by lia.
  by rewrite IH ?addSnnS //; lia.
have -> : (powers rate n, Posz 1) = (mixed n 0, Posz 'C(n, 0)) by rewrite bin0.
rewrite second ?add0n //; apply/eq_in_map => i; rewrite mem_iota => /andP[_ iN].
by rewrite iN.
Qed.
End Binomial.

(* sums of the first entries, as they are looked up *)
Local Arguments py_accumulate : simpl never.
Lemma nth_accumulate (w : seq int) b : (b <= size w)%N -> nth 0 (py_accumulate (Posz 0 :: w)) b = \sum_(j < b) nth 0 w j.
Proof.
case: b => [|b] bw; first by rewrite big_ord0.
rewrite /py_accumulate /= nth_scanl // -/(py_sum (take b.+1 w)) py_sumE (big_nth 0) size_takel // big_mkord.
by apply: eq_bigr => j _; rewrite nth_take.
Qed.

Section Majority.
Variables (R : realFieldType) (T : finType) (y : T -> 'I_2) (best : 'I_2) (S : 'I_2 -> 'I_2 -> R).
Variables (stays comes unit : int).
Hypotheses (unit0 : 0 < unit) (stochastic : forall j, \sum_l S j l = 1).
Hypotheses (own_rate : S best best = stays%:~R / unit%:~R) (other_rate : S (1 - best) best = comes%:~R / unit%:~R).
(* how many labels are of the class, and of the other; how many of the noisy labels s are *)
Definition major := #|[pred u | y u == best]|.
Definition minor := #|[pred u | y u != best]|.
Definition noisy (s : {ffun T -> 'I_2}) : nat := #|[pred u | s u == best]|.

Lemma majority_loop most : py_sum (map (fun '(i, x) => x * py_at 0 (py_accumulate ([:: Posz 0] ++
    py_binomial_weights (Posz minor) comes unit)) (Num.max (Posz 0) (Num.min (Posz most - i) (Posz minor) + Posz 1)))
    (py_enumerate (py_binomial_weights (Posz major) stays unit) (Posz 0)))
  = \sum_(i < major.+1) \sum_(j < minor.+1) term stays unit major i * term comes unit minor j * (i + j <= most)%N%:R.
Proof.
rewrite !py_binomial_weightsE; set w := [seq term comes unit minor k | k <- _].
have sw : size w = minor.+1 by rewrite size_map size_iota.
have nw j : (j <= minor)%N -> nth 0 w j = term comes unit minor j.
  by move=> jm; rewrite (nth_map 0%N) ?size_iota // nth_iota.
rewrite py_sumE /py_enumerate size_map size_iota zip_map.
rewrite -!map_comp big_map -/(index_iota 0 major.+1) big_mkord; apply: eq_bigr => i _.
rewrite /= add0r; set b := Num.max _ _; pose c := (if (i <= most)%N then minn (most - i) minor + 1 else 0)%N.
have -> : b = Posz c by rewrite /b /c; case: leqP => h; lia.
rewrite /py_at /py_place /= nth_accumulate; last by rewrite sw /c; case: ifP => _ //; rewrite addn1 ltnS geq_minr.
rewrite mulr_sumr (eq_bigr (fun j : 'I_minor.+1 => if (j < c)%N then term stays unit major i * term comes unit minor j else 0)).
  have cm : (c <= minor.+1)%N by rewrite /c; case: ifP => _ //; rewrite addn1 ltnS geq_minr.
  rewrite -big_mkcond (big_ord_widen_cond _ xpredT (fun j => term stays unit major i * nth 0 w j) cm) /=.
  by apply: eq_bigr => j _; rewrite nw // -ltnS.
move=> j _; have -> : (i + j <= most)%N = (j < c)%N by rewrite /c; case: ifP => h; have := ltn_ord j; lia.
by case: ifP => _; rewrite ?mulr1 ?mulr0.
Qed.

Lemma terms n x k : (k <= n)%N -> (term x unit n k)%:~R / (unit ^+ n)%:~R
  = 'C(n, k)%:R * (x%:~R / unit%:~R) ^+ k * (1 - x%:~R / unit%:~R) ^+ (n - k) :> R.
Proof.
move=> kn; have u0 : unit%:~R != 0 :> R by rewrite intr_eq0 gt_eqF.
rewrite /term !rmorphM !rmorphX rmorphB rmorph_nat /=.
have -> : unit%:~R ^+ n = unit%:~R ^+ k * unit%:~R ^+ (n - k) :> R by rewrite -exprD subnKC.
have -> : 1 - x%:~R / unit%:~R = (unit%:~R - x%:~R) / unit%:~R :> R by field.
rewrite !expr_div_n invfM; move: (unit%:~R ^- k) (unit%:~R ^- (n - k)) (x%:~R ^+ k) ((unit%:~R - x%:~R) ^+ (n - k)) => a b c e.
by ring.
Qed.

Lemma sum_two (V : zmodType) (F : 'I_2 -> V) : \sum_l F l = F best + F (1 - best).
Proof.
rewrite !big_ord_recl big_ord0 addr0; case: best => [[|[|b]] hb] //; last rewrite addrC.
  by congr (F _ + F _); exact: val_inj.
by congr (F _ + F _); exact: val_inj.
Qed.

Lemma polynomial (p : R) n : ((1 - p)%:P + p%:P * 'X) ^+ n
  = \sum_(i < n.+1) ('C(n, i)%:R * p ^+ i * (1 - p) ^+ (n - i))%:P * 'X^i.
Proof.
rewrite exprDn; apply: eq_bigr => i _; rewrite exprMn !polyCM !polyC_exp rmorph_nat -mulr_natl.
by rewrite [_ * (_ * 'X^i)]mulrA [(1 - p)%:P ^+ _ * _]mulrC !mulrA.
Qed.

Let law (x : R) n i : R := 'C(n, i)%:R * x ^+ i * (1 - x) ^+ (n - i).
Local Notation stay := (S best best).
Local Notation come := (S (1 - best) best).

(* the noisy labels of all vectors, by how many of them are of the class *)
Lemma generating : \sum_(s : {ffun T -> 'I_2}) (\prod_u S (y u) (s u))%:P * 'X^(noisy s)
  = \sum_(i < major.+1) \sum_(j < minor.+1) (law stay major i * law come minor j)%:P * 'X^(i + j).
Proof.
transitivity (\prod_u (\sum_l (S (y u) l)%:P * 'X^(l == best))).
  rewrite bigA_distr_bigA; apply: eq_bigr => s _; rewrite big_split /= rmorph_prod prodrXr; congr (_ * 'X^_).
  by rewrite /noisy -sum1_card big_mkcond; apply: eq_bigr => u _; rewrite inE; case: eqP.
pose factor (x : R) : {poly R} := (1 - x)%:P + x%:P * 'X.
rewrite (eq_bigr (fun u => if y u == best then factor stay else factor come)); last first.
  move=> u _; rewrite sum_two eqxx expr1; have -> : (1 - best == best) = false.
    by case: best => [[|[|b]] hb].
  rewrite expr0 mulr1 addrC; have := stochastic (y u); rewrite sum_two => /(canRL (addKr _)) ->.
  rewrite [- _ + _]addrC /factor; case: eqP => [->|ne] //; have -> : y u = 1 - best; last by [].
  by move: ne; case: (y u) => [[|[|a]] ha]; case: best => [[|[|b]] hb] // ne; try exact: val_inj; case: ne; exact: val_inj.
rewrite (bigID (fun u => y u == best)) /= (eq_bigr (fun=> factor stay)) => [|u ->] //.
rewrite prodr_const [X in _ * X](eq_bigr (fun=> factor come)) => [|u /negPf ->] //.
rewrite prodr_const /factor !polynomial big_distrlr; apply: eq_bigr => i _; apply: eq_bigr => j _ /=.
by rewrite mulrACA -polyCM exprD.
Qed.

(* what is expected of the number of noisy labels of the class *)
Lemma expected_noisy (h : nat -> R) : expectation y S (fun s => h (noisy s))
  = \sum_(i < major.+1) \sum_(j < minor.+1) law stay major i * law come minor j * h (i + j)%N.
Proof.
pose L (q : {poly R}) := \sum_(k < #|T|.+1) q`_k * h k.
have L_add : {morph L : q q' / q + q'}.
  by move=> q q'; rewrite /L -big_split; apply: eq_bigr => k _; rewrite coefD mulrDl.
have L0 : L 0 = 0 by rewrite /L big1 // => k _; rewrite coef0 mul0r.
have one c m : (m <= #|T|)%N -> L (c%:P * 'X^m) = c * h m.
  move=> mT; rewrite /L (bigD1 (Ordinal (mT : (m < #|T|.+1)%N))) //= big1 ?addr0 => [|k km].
    by rewrite coefCM coefXn eqxx mulr1.
  rewrite coefCM coefXn; have -> : ((k : nat) == m) = false; last by rewrite mulr0 mul0r.
  by apply/negP => /eqP e; case/eqP: km; exact: val_inj.
rewrite /expectation (eq_bigr (fun s : {ffun T -> 'I_2} => L ((\prod_u S (y u) (s u))%:P * 'X^(noisy s)))); last first.
  by move=> s _; rewrite one // max_card.
rewrite -(big_morph L L_add L0) generating (big_morph L L_add L0); apply: eq_bigr => i _.
rewrite (big_morph L L_add L0); apply: eq_bigr => j _; apply: one.
have -> : #|T| = (major + minor)%N by rewrite /major /minor cardC -(cardC [pred u | y u == best]).
by rewrite leq_add // -ltnS.
Qed.

(* The chance that at most so many of the noisy labels are of a class, by its mean over bounds: over all vectors of
   labels, each weighed by the chance that independent noise makes it. *)
Theorem py_chance_of_at_most_is_probability (bounds : seq nat) :
  py_chance_of_at_most R (Posz major) (Posz minor) stays comes unit [seq Posz m | m <- bounds]
  = (\sum_(most <- bounds) expectation y S (fun s => (noisy s <= most)%N%:R)) / (size bounds)%:R.
Proof.
rewrite /py_chance_of_at_most py_sumE !big_map size_map.
have -> : py_pow unit (Posz major + Posz minor) = unit ^+ (major + minor) by rewrite /py_pow -PoszD.
have u0 m : (unit ^+ m)%:~R != 0 :> R by rewrite intr_eq0 expf_neq0 // gt_eqF.
rewrite intrM invfM [_^-1 * _]mulrC mulrA; congr (_ / _); rewrite rmorph_sum mulr_suml; apply: eq_bigr => most _ /=.
rewrite majority_loop (expected_noisy (fun m => (m <= most)%N%:R)) rmorph_sum mulr_suml; apply: eq_bigr => i _.
rewrite rmorph_sum mulr_suml; apply: eq_bigr => j _ /=; rewrite /law own_rate other_rate.
rewrite -(terms stays (leq_ord i)) -(terms comes (leq_ord j)) 2!intrM rmorph_nat exprD intrM invfM.
by rewrite mulrAC mulrACA.
Qed.
End Majority.

(* One label of a class that stays in nine cases of ten, and one of another that goes over in one of ten. *)
Example three_labels (R : realFieldType) : let S := fun j k : 'I_2 => (if j == k then 9%:R / 10%:R else 1 / 10%:R) : R in
  (0 : int) < 10 /\ (forall j, \sum_l S j l = 1) /\ S 1 1 = 9%:~R / 10%:~R /\ S (1 - 1) 1 = 1%:~R / 10%:~R.
Proof.
move=> S; have e j : \sum_l S j l = 1.
  by rewrite !big_ord_recl big_ord0 addr0 /S; case: j => [[|[|j]] hj] //=; field.
by [].
Qed.
