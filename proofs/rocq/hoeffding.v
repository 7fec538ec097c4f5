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
