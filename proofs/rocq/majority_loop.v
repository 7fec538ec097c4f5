(* The chance that noise changes the majority of a leaf: exactly, for two classes, and by Hoeffding's bound for any
   number. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ring zify.
From splitcrit Require Import python loops cut_loop flips.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* The exact chance that noise changes the majority of two classes, as its source prints it: the share of all vectors of
   noisy labels, each weighed by the chances of its labels. *)
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
Definition of_best (s : {ffun T -> 'I_2}) : nat := #|[pred u | s u == best]|.

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
Lemma generating : \sum_(s : {ffun T -> 'I_2}) (\prod_u S (y u) (s u))%:P * 'X^(of_best s)
  = \sum_(i < major.+1) \sum_(j < minor.+1) (law stay major i * law come minor j)%:P * 'X^(i + j).
Proof.
transitivity (\prod_u (\sum_l (S (y u) l)%:P * 'X^(l == best))).
  rewrite bigA_distr_bigA; apply: eq_bigr => s _; rewrite big_split /= rmorph_prod prodrXr; congr (_ * 'X^_).
  by rewrite /of_best -sum1_card big_mkcond; apply: eq_bigr => u _; rewrite inE; case: eqP.
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
Lemma expected_noisy (h : nat -> R) : expectation y S (fun s => h (of_best s))
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
rewrite /expectation (eq_bigr (fun s : {ffun T -> 'I_2} => L ((\prod_u S (y u) (s u))%:P * 'X^(of_best s)))); last first.
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
  = (\sum_(most <- bounds) expectation y S (fun s => (of_best s <= most)%N%:R)) / (size bounds)%:R.
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

(* Hoeffding's bound on the chance that noise changes the majority of a leaf, for the margin that the library computes
   and the size that it returns. *)
(* what is asked of the exponential function: Hoeffding's lemma for two points is proved of the real one *)
Record exponential (R : realFieldType) (exp : R -> R) : Prop := Exponential {
  exp_of_sum : forall x y, exp (x + y) = exp x * exp y;
  exp_positive : forall x, 0 < exp x;
  exp_grows : forall x y, x <= y -> exp x <= exp y;
  hoeffding_lemma : forall p q t, 0 <= p -> 0 <= q -> p + q = 1 -> 0 <= t ->
    p * exp t + q * exp (- t) <= exp ((p - q) * t + t ^+ 2 / 2%:R)
}.

Section Bound.
Variables (R : realFieldType) (exp : R -> R).
Hypothesis exp_ok : exponential exp.
Lemma exp0 : exp 0 = 1.
Proof.
have := exp_of_sum exp_ok 0 0; rewrite addr0 -{1}[exp 0]mulr1 => /(mulfI _) -> //.
by rewrite gt_eqF // exp_positive.
Qed.
Lemma exp_sum (I : finType) (F : I -> R) : exp (\sum_i F i) = \prod_i exp (F i).
Proof. by apply: (big_morph exp (exp_of_sum exp_ok) exp0). Qed.

(* three points: 1, 0 and -1 *)
Lemma three_points (a b c t : R) : 0 <= a -> 0 <= b -> 0 <= c -> a + b + c = 1 -> 0 <= t ->
  a * exp (- t) + b * exp t + c <= exp (t ^+ 2 / 2%:R - (a - b) * t).
Proof.
move=> a0 b0 c0 e t0; pose p := b + c / 2%:R; pose q := a + c / 2%:R.
have h := hoeffding_lemma exp_ok (p := p) (q := q) (t := t).
have -> : t ^+ 2 / 2%:R - (a - b) * t = (p - q) * t + t ^+ 2 / 2%:R by rewrite /p /q; ring.
apply: le_trans (h _ _ _ t0); first last.
- by rewrite -[RHS]e /p /q; field.
- by rewrite addr_ge0 // divr_ge0 ?ler0n.
- by rewrite addr_ge0 // divr_ge0 ?ler0n.
have xy : exp t * exp (- t) = 1 by rewrite -(exp_of_sum exp_ok) subrr exp0.
have two : 2%:R <= exp t + exp (- t).
  have t1 := exp_positive exp_ok t; rewrite -subr_ge0.
  have -> : exp t + exp (- t) - 2%:R = (exp t - 1) ^+ 2 / exp t.
    have -> : exp (- t) = (exp t)^-1 by apply: (mulfI (lt0r_neq0 t1)); rewrite xy mulfV ?lt0r_neq0.
    by move: (lt0r_neq0 t1); move: (exp t) => x x0; field.
  by rewrite divr_ge0 ?sqr_ge0 // ltW.
rewrite -subr_ge0; have -> : p * exp t + q * exp (- t) - (a * exp (- t) + b * exp t + c)
    = c / 2%:R * (exp t + exp (- t) - 2%:R) by rewrite /p /q; field.
by rewrite mulr_ge0 ?subr_ge0 // divr_ge0 ?ler0n.
Qed.

Section Leaf.
Variables (T : finType) (K : nat) (y : T -> 'I_K) (S : 'I_K -> 'I_K -> R) (best : 'I_K).
Hypotheses (S0 : forall j l, 0 <= S j l) (stochastic : forall j, \sum_l S j l = 1).
Implicit Type s : {ffun T -> 'I_K}.
Local Notation n := (#|T|%:R : R).
(* the chance of an event, over all vectors of noisy labels *)
Definition chance (E : pred {ffun T -> 'I_K}) : R := expectation y S (fun s => (E s)%:R).
Definition noisy s (k : 'I_K) : nat := #|[pred u | s u == k]|.
(* noise changes the majority, or makes it tie *)
Definition fails s : bool := [exists k, (k != best) && (noisy s best <= noisy s k)%N].
(* what each label brings to the lead of a class *)
Let lead s k u : R := (s u == best)%:R - (s u == k)%:R.

Lemma chance_le (F G : {ffun T -> 'I_K} -> R) : (forall s, F s <= G s) -> expectation y S F <= expectation y S G.
Proof. by move=> FG; apply: ler_sum => s _; rewrite ler_wpmul2l // prodr_ge0. Qed.

Lemma sum_lead s k : \sum_u lead s k u = (noisy s best)%:R - (noisy s k)%:R.
Proof.
rewrite sumrB; congr (_ - _); rewrite /noisy -sum1_card natr_sum [RHS]big_mkcond; apply: eq_bigr => u _;
  by rewrite inE; case: eqP.
Qed.

Lemma chance_of_lead k (gamma : R) : k != best -> 0 < gamma -> n * gamma <= \sum_u (S (y u) best - S (y u) k) ->
  chance (fun s => noisy s best <= noisy s k)%N <= exp (- (n * gamma ^+ 2 / 2%:R)).
Proof.
move=> kb g0 margin; pose t := gamma.
have bk : best != k by rewrite eq_sym.
apply: (@le_trans _ _ (expectation y S (fun s => \prod_u exp (- (lead s k u * t))))).
  apply: chance_le => s; rewrite -exp_sum; case: leqP => [h|_]; last by rewrite ltW // exp_positive.
  rewrite -[1%:R]exp0; apply: exp_grows => //; rewrite sumrN -mulr_suml sum_lead oppr_ge0.
  by apply: mulr_le0_ge0; [rewrite subr_le0 ler_nat|exact: ltW].
have -> : expectation y S (fun s => \prod_u exp (- (lead s k u * t)))
    = \prod_u \sum_l S (y u) l * exp (- (((l == best)%:R - (l == k)%:R) * t)).
  exact: (expectation_of_product y S (fun _ l => exp (- (((l == best)%:R - (l == k)%:R) * t)))).
apply: (@le_trans _ _ (\prod_u exp (t ^+ 2 / 2%:R - (S (y u) best - S (y u) k) * t))).
  apply: ler_prod => u _; apply/andP; split.
    by apply: sumr_ge0 => l _; rewrite mulr_ge0 // ltW // exp_positive.
  rewrite (bigD1 best) //= (bigD1 k) //= !eqxx (negPf bk) (negPf kb) subr0 sub0r mul1r mulN1r opprK addrA.
  rewrite (eq_bigr (fun l => S (y u) l)) => [|l /andP[/negPf -> /negPf ->]]; last first.
    by rewrite subrr mul0r oppr0 exp0 mulr1.
  apply: three_points; rewrite ?sumr_ge0 // ?ltW //.
  by rewrite -addrA -(stochastic (y u)) [RHS](bigD1 best) //= [in RHS](bigD1 k).
rewrite -exp_sum; apply: exp_grows => //.
rewrite sumrB; have -> : \sum_(u : T) t ^+ 2 / 2%:R = n * (t ^+ 2 / 2%:R) by rewrite sumr_const mulr_natl.
rewrite -mulr_suml -subr_ge0.
have -> : - (n * gamma ^+ 2 / 2%:R) - (n * (t ^+ 2 / 2%:R) - (\sum_u (S (y u) best - S (y u) k)) * t)
    = (\sum_u (S (y u) best - S (y u) k) - n * gamma) * gamma by rewrite /t; field.
by rewrite mulr_ge0 ?subr_ge0 // ltW.
Qed.

Lemma chance_of_failure (gamma : R) : 0 < gamma ->
  (forall k, k != best -> n * gamma <= \sum_u (S (y u) best - S (y u) k)) ->
  chance fails <= (K%:R - 1) * exp (- (n * gamma ^+ 2 / 2%:R)).
Proof.
move=> g0 margin.
apply: (@le_trans _ _ (\sum_(k | k != best) chance (fun s => noisy s best <= noisy s k)%N)); last first.
  apply: (@le_trans _ _ (\sum_(k | k != best) exp (- (n * gamma ^+ 2 / 2%:R)))).
    by apply: ler_sum => k kb; apply: chance_of_lead => //; exact: margin.
  rewrite sumr_const cardC1 card_ord -[X in X <= _]mulr_natl ler_wpmul2r //; first by rewrite ltW // exp_positive.
  by rewrite -subn1 natrB // (leq_ltn_trans _ (ltn_ord best)).
rewrite /chance /expectation exchange_big /=; apply: ler_sum => s _; rewrite -mulr_sumr ler_wpmul2l ?prodr_ge0 //.
rewrite -natr_sum ler_nat /fails; case: existsP => [[k /andP[kb h]]|] //.
by rewrite (bigD1 k) //= h.
Qed.
End Leaf.
End Bound.

Lemma py_least_le (s : seq int) x : x \in s -> py_least s <= x.
Proof.
case: s => // z s; rewrite /py_least; elim: s z x => [|w s IH] z x; first by rewrite mem_seq1 => /eqP ->.
rewrite /= inE => /orP[/eqP ->|]; last first.
  rewrite inE => /orP[/eqP ->|xs]; last by apply: IH; rewrite inE xs orbT.
  by apply: le_trans (IH _ _ (mem_head _ _)) _; rewrite le_minl lexx orbT.
by apply: le_trans (IH _ _ (mem_head _ _)) _; rewrite le_minl lexx.
Qed.

Section Printed.
Variables (R : realFieldType) (T : finType) (K : nat) (y : T -> 'I_K) (rows : 'I_K -> 'I_K -> int) (unit : int) (best : 'I_K).
Hypotheses (unit0 : 0 < unit) (rows0 : forall j k, 0 <= rows j k) (rows1 : forall j, \sum_k rows j k = unit).
Local Notation n := (#|T|%:R : R).
(* the class counts of a leaf, and rates in a unit, as lists; the matrix of the noise; the margin that is returned *)
Definition leaf : seq int := [seq Posz #|[pred u | y u == k]| | k <- enum 'I_K].
Definition listed_rows : seq (seq int) := [seq [seq rows j k | k <- enum 'I_K] | j <- enum 'I_K].
Definition rates (j k : 'I_K) : R := (rows j k)%:~R / unit%:~R.
Definition margin : R := py_noisy_margin R leaf listed_rows (Posz best) unit.

Lemma unit_gt0 : 0 < unit%:~R :> R. Proof. by rewrite ltr0z. Qed.
Lemma rates_ge0 j k : 0 <= rates j k.
Proof. by rewrite divr_ge0 ?ler0z // ltW. Qed.
Lemma rates_sum j : \sum_k rates j k = 1.
Proof. by rewrite -mulr_suml -rmorph_sum rows1 mulfV // gt_eqF // unit_gt0. Qed.

Let total (k : 'I_K) : int := \sum_u rows (y u) k.
Let expected : seq int := [seq py_sum (map (fun '(c, row) => c * py_at 0 row k) (zip leaf listed_rows)) |
  k <- py_range (Posz 0) (Posz (size leaf))].

Lemma size_leaf : size leaf = K. Proof. by rewrite size_map size_enum_ord. Qed.
Lemma expectedE (k : 'I_K) : nth 0 expected k = total k.
Proof.
rewrite /expected size_leaf py_rangeE // subn0 (nth_map 0) ?size_map ?size_iota // (nth_map 0%N) ?size_iota // nth_iota //.
rewrite add0n py_sumE big_map /leaf /listed_rows zip_map big_map big_enum /= /total (partition_big y xpredT) //=.
apply: eq_bigr => j _; rewrite (eq_bigr (fun=> rows j k)) => [|u /eqP -> //].
rewrite sumr_const /py_at /py_place /= (nth_map j) ?size_enum_ord // nth_ord_enum.
by rewrite -[RHS]mulr_natl natz.
Qed.

Lemma margin_le k : k != best -> n * margin <= \sum_u (rates (y u) best - rates (y u) k).
Proof.
move=> kb; have -> : \sum_u (rates (y u) best - rates (y u) k) = (total best - total k)%:~R / unit%:~R.
  by rewrite sumrB -!mulr_suml -!rmorph_sum rmorphB mulrBl.
rewrite /margin /py_noisy_margin -/expected.
have -> : py_sum leaf = Posz #|T|.
  rewrite py_sumE big_map big_enum -(eq_bigr _ (fun k _ => natz _)) -natr_sum natz; congr Posz.
  rewrite -sum1_card (partition_big y xpredT) //=; apply: eq_bigr => j _.
  by rewrite -sum1_card; apply: eq_bigl => u; rewrite inE.
have [T0|T0] := posnP #|T|.
  have empty (u : T) : False by have := card0_eq T0 u; rewrite inE.
  by rewrite T0 mul0r /total !big1 ?subrr ?mul0r // => u; case: (empty u).
have nN : n != 0 by rewrite pnatr_eq0 -lt0n.
have -> : (Posz #|T| * unit)%:~R = n * unit%:~R :> R by rewrite intrM.
rewrite invfM mulrCA (mulVKf nN).
rewrite ler_pmul2r ?invr_gt0 ?unit_gt0 // ler_int; apply: py_least_le.
have bE : nth 0 expected best = total best := expectedE best.
have sE : size expected = K by rewrite /expected size_map size_leaf py_rangeE // subn0 size_map size_iota.
apply/mapP; exists (Posz k, total k); last by rewrite /py_at /py_place /= bE.
rewrite mem_filter; apply/andP; split; first by apply: contra kb => /eqP[] /eqP.
have kK : (k < size (py_enumerate expected 0))%N by rewrite /py_enumerate size_zip size_map size_iota sE minnn.
have -> : (Posz k, total k) = nth (0, 0) (py_enumerate expected 0) k; last exact: mem_nth.
rewrite /py_enumerate sE nth_zip; last by rewrite size_map size_iota sE.
by rewrite (nth_map 0%N) ?size_iota // nth_iota // expectedE add0r.
Qed.

(* Independent noise changes the majority of a leaf of n labels, or makes it tie, with a chance of at most (K - 1)
   exp(-n gamma^2/2), where gamma is the margin that is returned, if it is above 0: over all vectors of noisy labels. *)
Theorem py_majority_fails_rarely (exp : R -> R) : exponential exp -> 0 < margin ->
  chance y rates (fails best) <= (K%:R - 1) * exp (- (n * margin ^+ 2 / 2%:R)).
Proof.
move=> exp_ok m0; apply: chance_of_failure => //; [exact: rates_ge0|exact: rates_sum|exact: margin_le].
Qed.

(* The size that is returned is the least n >= 1 with n rate >= log. *)
Theorem py_size_for_is_least (ceil : R -> int) (log rate : R) m : (forall x k, (ceil x <= k) = (x <= k%:~R)) -> 0 < rate ->
  (py_size_for R ceil log rate <= Posz m) = (0 < m)%N && (log <= m%:R * rate).
Proof. by move=> ceilE r0; rewrite /py_size_for le_maxl ceilE ler_pdivr_mulr // -pmulrn; case: m. Qed.

(* So many labels are enough: where log is the logarithm of (K - 1)/delta, and rate half the square of the margin, a
   leaf of at least as many labels loses its majority with a chance of at most delta. *)
Theorem py_size_for_is_enough (exp : R -> R) (ceil : R -> int) (log delta : R) : exponential exp ->
  (forall x k, (ceil x <= k) = (x <= k%:~R)) -> delta * exp log = K%:R - 1 -> 0 < margin ->
  py_size_for R ceil log (margin ^+ 2 / 2%:R) <= Posz #|T| -> chance y rates (fails best) <= delta.
Proof.
move=> exp_ok ceilE logE m0 enough; apply: (le_trans (py_majority_fails_rarely exp_ok m0)).
have K1 : 0 <= K%:R - 1 :> R by rewrite subr_ge0 ler1n (leq_ltn_trans _ (ltn_ord best)).
have r0 : 0 < margin ^+ 2 / 2%:R by rewrite divr_gt0 ?exprn_gt0 ?ltr0n.
move: enough; rewrite py_size_for_is_least // mulrA => /andP[_ enough].
apply: (@le_trans _ _ ((K%:R - 1) * exp (- log))); last first.
  by rewrite -logE -mulrA -(exp_of_sum exp_ok) subrr (exp0 exp_ok) mulr1.
by rewrite ler_wpmul2l //; apply: exp_grows => //; rewrite ler_opp2.
Qed.
End Printed.

From Coq Require Import Reals Lra.
From splitcrit Require Import risk_reals hoeffding_reals.
Local Open Scope ring_scope.

(* the exponential function of Coq's real numbers *)
Definition real_exp : real_realFieldType -> real_realFieldType := Rtrigo_def.exp.
Lemma exp_is_exponential : exponential real_exp.
Proof.
split=> [x y|x|x y /rleP h|p q t /rleP p0 /rleP q0 e /rleP t0].
- exact: exp_plus.
- by apply/rltP; exact: exp_pos.
- by apply/rleP; case: (Rle_lt_or_eq_dec _ _ h) => [l|->]; [left; exact: exp_increasing|right].
have half : t ^+ 2 / 2%:R = (/ 2 * (t * t))%coqR.
  apply: (canLR (mulfK _)); first by rewrite pnatr_eq0.
  rewrite expr2 -[2%:R]/((1 + 1)%coqR : R) -[t * t]/((t * t)%coqR) -[RHS]/((/ 2 * (t * t) * (1 + 1))%coqR); lra.
rewrite half; apply/rleP; exact: (two_points p q p0 q0 e t t0).
Qed.

(* For the real exponential function. *)
Theorem py_majority_fails_rarely_of_exp (T : finType) (K : nat) (y : T -> 'I_K) (rows : 'I_K -> 'I_K -> int) (unit : int)
  (best : 'I_K) : 0 < unit -> (forall j k, 0 <= rows j k) -> (forall j, \sum_k rows j k = unit) ->
  0 < margin real_realFieldType y rows unit best ->
  chance y (rates real_realFieldType rows unit) (fails best)
  <= (K%:R - 1) * real_exp (- (#|T|%:R * margin real_realFieldType y rows unit best ^+ 2 / 2%:R)).
Proof. move=> u0 r0 r1 m0; exact: (py_majority_fails_rarely u0 r0 r1 exp_is_exponential m0). Qed.
