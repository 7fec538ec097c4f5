(* Hoeffding's bound on the chance that noise changes the majority of a leaf, for the margin that the library computes
   and the size that it returns. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring zify.
From splitcrit Require Import python loops cut_loop flips.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

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
