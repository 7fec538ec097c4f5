(* Impurities with logarithms and exponentials: entropy and its losses, the gain ratio, and Matushita's impurity. *)
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint zmodp.
From mathcomp Require Import ring.
From splitcrit Require Import defs risk generated losses risk_gains risk_roots.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Entropy, cross-entropy and information gain, of the printed code, for every logarithm. *)
(* what is used of the natural logarithm *)
Definition logarithm (R : realFieldType) (log : R -> R) :=
  (forall x y, 0 < x -> 0 < y -> log (x * y) = log x + log y) /\ (forall x, 0 < x -> log x <= x - 1).

Section Entropy.
Variables (R : realFieldType) (log : R -> R).
Hypothesis ln : logarithm log.

(* the actions whose cost is finite: no class that occurs has probability 0 *)
Definition covers K (w p : 'I_K -> R) := forall k, p k != 0 -> w k != 0.

(* relative entropy (Kullback-Leibler divergence) of p from w *)
Definition relative_entropy K (p w : 'I_K -> R) := \sum_k (if p k == 0 then 0 else p k * log (p k / w k)).

Lemma log1 : log 1 = 0.
Proof. by have := ln.1 1 1 ltr01 ltr01; rewrite mulr1 => /(congr1 (fun x => x - log 1)); rewrite subrr addrK. Qed.

Lemma logV x : 0 < x -> log x^-1 = - log x.
Proof.
move=> x0; have := ln.1 x x^-1 x0; rewrite invr_gt0 x0 mulfV ?gt_eqF // log1 => /(_ isT)/eqP.
by rewrite eq_sym addrC addr_eq0 => /eqP.
Qed.

Lemma logF x y : 0 < x -> 0 < y -> log (x / y) = log x - log y.
Proof. by move=> x0 y0; rewrite ln.1 ?invr_gt0 // logV. Qed.

Lemma positive K (p : 'I_K -> R) k : distribution p -> p k != 0 -> 0 < p k.
Proof. by move=> d nz; rewrite lt_neqAle eq_sym nz d.1. Qed.

Lemma relative_entropy_ge0 K (p w : 'I_K -> R) : distribution p -> distribution w -> covers w p ->
  0 <= relative_entropy p w.
Proof.
move=> d dw c; apply: (@le_trans _ _ (\sum_k (p k - w k))); first by rewrite sumrB d.2 dw.2 subrr.
apply: ler_sum => k _; case: eqVneq => [->|nz]; first by rewrite sub0r oppr_le0 dw.1.
have p0 := positive d nz; have w0 := positive dw (c _ nz).
rewrite logF // mulrBr -ler_opp2 !opprB -mulrBr -logF //.
apply: le_trans (ler_wpmul2l (ltW p0) (ln.2 _ (divr_gt0 w0 p0))) _.
by rewrite mulrBr mulr1 mulrC divfK.
Qed.

(* Risk of cross-entropy = entropy + the relative entropy of the class shares from the action. *)
Theorem py_cross_entropy_excess K (w p : 'I_K -> R) : distribution p -> distribution w -> covers w p ->
  py_risk (py_cross_entropy log w) p = py_entropy log p + relative_entropy p w.
Proof.
move=> d dw c; rewrite /py_entropy -sumrN -big_split /=; apply: eq_bigr => k _; rewrite /xlogx.
case: eqVneq => [->|nz]; first by rewrite mul0r oppr0 addr0.
rewrite logF ?(positive d) ?(positive dw) ?c // /py_cross_entropy.
by move: (log _) (log _) => x y; ring.
Qed.

(* No distribution has a smaller risk of cross-entropy than the entropy of the class shares. *)
Theorem py_entropy_is_least_cross_entropy K (w p : 'I_K -> R) : distribution p -> distribution w -> covers w p ->
  py_entropy log p <= py_risk (py_cross_entropy log w) p.
Proof. by move=> d dw c; rewrite py_cross_entropy_excess // ler_addl relative_entropy_ge0. Qed.

(* The class shares themselves attain the least risk of cross-entropy, which is the entropy. *)
Theorem py_entropy_is_attained K (p : 'I_K -> R) : distribution p ->
  py_risk (py_cross_entropy log p) p = py_entropy log p.
Proof.
move=> d; rewrite py_cross_entropy_excess // /relative_entropy big1 ?addr0 // => k _.
by case: eqVneq => // nz; rewrite mulfV // log1 mulr0.
Qed.

Lemma entropy_ext K : extensional (@py_entropy R log K).
Proof.
by move=> p q e; rewrite /py_entropy; congr (- _); apply: eq_bigr => k _; rewrite e.
Qed.

(* Entropy is concave on the simplex. *)
Theorem py_entropy_is_concave K : concave (@py_entropy R log K).
Proof.
move=> p q a dp dq a0 a1; have dm := mixture_is_distribution dp dq a0 a1; rewrite -/(mixture a p q).
have b0 : 0 <= 1 - a by rewrite subr_ge0.
have [a_|a_] := eqVneq a 0.
  rewrite (@entropy_ext _ (mixture a p q) q) => [|k]; last by rewrite /mixture a_ mul0r add0r subr0 mul1r.
  by rewrite a_ mul0r add0r subr0 mul1r.
have [b_|b_] := eqVneq (1 - a) 0.
  have e : a = 1 by apply/eqP; rewrite eq_sym -subr_eq0; apply/eqP.
  rewrite (@entropy_ext _ (mixture a p q) p) => [|k]; last by rewrite /mixture b_ mul0r addr0 e mul1r.
  by rewrite b_ mul0r addr0 e mul1r.
have cp : covers (mixture a p q) p.
  move=> k nz; rewrite gt_eqF // /mixture; apply: ltr_paddr; first by rewrite mulr_ge0 ?dq.1.
  by rewrite mulr_gt0 ?(positive dp) // lt_neqAle eq_sym a_.
have cq : covers (mixture a p q) q.
  move=> k nz; rewrite gt_eqF // /mixture; apply: ltr_paddl; first by rewrite mulr_ge0 ?dp.1.
  by rewrite mulr_gt0 ?(positive dq) // lt_neqAle eq_sym b_.
rewrite -(py_entropy_is_attained dm); set c := py_cross_entropy log _.
have -> : py_risk c (mixture a p q) = a * py_risk c p + (1 - a) * py_risk c q.
  by rewrite !py_riskE !mulr_sumr -big_split; apply: eq_bigr => k _; rewrite /mixture /=; ring.
by apply: ler_add; apply: ler_wpmul2l => //; exact: py_entropy_is_least_cross_entropy.
Qed.

(* Information gain is never negative. *)
Theorem py_information_gain_is_nonnegative r K (t : 'I_r -> 'I_K -> R) : weights t ->
  0 <= py_decrease_entropy log t.
Proof.
exact: (@py_gain_of_concave_impurity_is_nonnegative R r K (@py_entropy R log K) t
  (@entropy_ext K) (@py_entropy_is_concave K)).
Qed.

Lemma node_covers r K (t : 'I_r -> 'I_K -> R) i : weights t -> size (t i) != 0 ->
  covers (node_shares t) (row_shares t i).
Proof.
move=> t0 nz k; have wz : whole t != 0.
  by apply: contraNneq nz => z; rewrite whole0_size0.
rewrite /row_shares /node_shares /py_shares (negPf nz) (negPf wz) !mulf_eq0 !invr_eq0 (negPf nz) (negPf wz) !orbF.
apply: contraNneq => /eqP; rewrite psumr_eq0 // => /allP z.
exact: z (mem_index_enum i).
Qed.

(* Information gain is the weighted mean relative entropy of the rows' shares from the node's: mutual information. *)
Theorem py_information_gain_is_mean_relative_entropy r K (t : 'I_r -> 'I_K -> R) : weights t ->
  py_decrease_entropy log t
  = (\sum_i size (t i) * relative_entropy (row_shares t i) (node_shares t)) / whole t.
Proof.
move=> t0; pose cost := py_cross_entropy log (node_shares t).
apply: (@gain_as_excess R r K (@py_entropy R log K) t t0 cost) => [nz|i nz].
  by apply: py_entropy_is_attained; exact: node_distribution.
have wz : whole t != 0 by apply: contraNneq nz => z; rewrite whole0_size0.
by apply: py_cross_entropy_excess; [exact: row_distribution|exact: node_distribution|exact: node_covers].
Qed.

(* Entropy is at least Gini's impurity. *)
Theorem py_entropy_is_at_least_gini K (p : 'I_K -> R) : distribution p -> py_gini p <= py_entropy log p.
Proof.
move=> d; rewrite /py_gini -{1}d.2 -sumrB /py_entropy -sumrN; apply: ler_sum => k _; rewrite /xlogx.
case: eqVneq => [->|nz]; first by rewrite mulr0 subrr oppr0.
have h := ler_wpmul2l (d.1 k) (ln.2 _ (positive d nz)).
by rewrite -ler_opp2 opprK; apply: le_trans h _; rewrite mulrBr mulr1 opprB.
Qed.

(* Entropy is at most log K, its value at equal shares of the classes. *)
Theorem py_entropy_is_largest_at_equal_shares K (p : 'I_K.+1 -> R) : distribution p ->
  py_entropy log p <= log K.+1%:R /\ py_entropy log (fun _ : 'I_K.+1 => K.+1%:R^-1) = log K.+1%:R.
Proof.
move=> d; have n0 : 0 < K.+1%:R :> R by rewrite ltr0n.
pose u := fun _ : 'I_K.+1 => K.+1%:R^-1 : R.
have du : distribution u.
  split=> [k|]; first by rewrite /u invr_ge0 ltW.
  by rewrite /u sumr_const card_ord -[_ *+ _]mulr_natr mulVf // gt_eqF.
have riskE (q : 'I_K.+1 -> R) : distribution q -> py_risk (py_cross_entropy log u) q = log K.+1%:R.
  move=> dq; rewrite py_riskE /py_cross_entropy /u -mulr_suml dq.2 mul1r logV // opprK //.
have cov (q : 'I_K.+1 -> R) : covers u q by move=> k _; rewrite /u invr_eq0 gt_eqF.
by split; [rewrite -(riskE p d); exact: py_entropy_is_least_cross_entropy|rewrite -(riskE u du) py_entropy_is_attained].
Qed.

Lemma log_lt x : 0 < x -> x != 1 -> log x < x - 1.
Proof.
move=> x0 ne; pose y := (1 + x) / 2%:R.
have s0 : 0 < 1 + x by rewrite addr_gt0.
have y0 : 0 < y by rewrite divr_gt0 ?ltr0n.
have ny : y != 0 by rewrite gt_eqF.
have := ln.1 _ _ (divr_gt0 x0 y0) y0; rewrite divfK // => ->.
apply: le_lt_trans (ler_add (ln.2 _ (divr_gt0 x0 y0)) (ln.2 _ y0)) _.
rewrite -subr_gt0 (_ : _ - _ = (x - 1) ^+ 2 / (2%:R * (1 + x))); last first.
  have nz : 1 + x != 0 by rewrite gt_eqF.
  by rewrite /y; field; rewrite nz.
apply: divr_gt0; last by rewrite mulr_gt0 ?ltr0n.
by rewrite lt_neqAle sqr_ge0 andbT eq_sym sqrf_eq0 subr_eq0.
Qed.

Lemma relative_entropy0 K (p w : 'I_K -> R) : distribution p -> distribution w -> covers w p ->
  relative_entropy p w = 0 -> p =1 w.
Proof.
move=> d dw c e k.
have : \sum_k ((if p k == 0 then 0 else p k * log (p k / w k)) - (p k - w k)) = 0.
  by rewrite sumrB -/(relative_entropy p w) e sumrB d.2 dw.2 !subrr.
have bound j : p j != 0 -> p j - w j <= p j * log (p j / w j) ?= iff (p j == w j).
  move=> nz; have p0 := positive d nz; have w0 := positive dw (c _ nz).
  have -> : p j * log (p j / w j) = p j * - log (w j / p j).
    by rewrite !logF // opprB.
  have -> : p j - w j = p j * - (w j / p j - 1) by rewrite opprB mulrBr mulr1 mulrC divfK.
  rewrite /Order.leif ler_pmul2l // ler_opp2 ln.2 ?divr_gt0 //; split=> //.
  rewrite (inj_eq (mulfI nz)) eqr_opp; have [same|ne] := eqVneq (p j) (w j).
    by rewrite same divff ?c // ?log1 ?subrr ?eqxx.
  rewrite gt_eqF //; apply: log_lt; first by rewrite divr_gt0.
  by apply: contraNneq ne => h; rewrite eq_sym -[w j](divfK nz) h mul1r.
move/eqP; rewrite psumr_eq0 => [/allP z|j _].
  have := z k (mem_index_enum _); case: (eqVneq (p k) 0) => [-> |nz] /=; first by rewrite !sub0r opprK => /eqP.
  by rewrite subr_eq0 eq_sym (bound k nz).2 => /eqP.
case: eqVneq => [->|nz]; first by rewrite !sub0r opprK dw.1.
by rewrite subr_ge0 (bound j nz).1.
Qed.

(* The class shares are the only distribution with the least risk of cross-entropy. *)
Theorem py_cross_entropy_minimiser_is_unique K (w p : 'I_K -> R) : distribution p -> distribution w -> covers w p ->
  py_risk (py_cross_entropy log w) p = py_entropy log p -> p =1 w.
Proof.
move=> d dw c; rewrite py_cross_entropy_excess // => /eqP; rewrite -subr_eq0 addrC addKr => /eqP.
exact: relative_entropy0.
Qed.

(* Information gain is 0 just if every row that is not empty has the node's class shares. *)
Theorem py_information_gain_is_zero_iff_equal_shares r K (t : 'I_r -> 'I_K -> R) : weights t -> whole t != 0 ->
  py_decrease_entropy log t = 0 <-> forall i, size (t i) != 0 -> row_shares t i =1 node_shares t.
Proof.
move=> t0 nz; rewrite py_information_gain_is_mean_relative_entropy //.
have dn := node_distribution t0 nz; split=> [g i nzi|same].
  have : \sum_i size (t i) * relative_entropy (row_shares t i) (node_shares t) = 0.
    by move: g => /(congr1 ( *%R^~ (whole t))); rewrite divfK // mul0r.
  move/eqP; rewrite psumr_eq0 => [/allP /(_ i (mem_index_enum _)) /=|j _].
    rewrite mulf_eq0 (negPf nzi) /= => /eqP.
    by apply: relative_entropy0 => //; [exact: row_distribution|exact: node_covers].
  have [->|nzj] := eqVneq (size (t j)) 0; first by rewrite mul0r.
  rewrite mulr_ge0 ?size_ge0 //.
  by apply: relative_entropy_ge0 => //; [exact: row_distribution|exact: node_covers].
rewrite big1 ?mul0r // => i _; have [->|nzi] := eqVneq (size (t i)) 0; first by rewrite mul0r.
rewrite /relative_entropy big1 ?mulr0 // => k _; rewrite same //.
by case: eqVneq => // nzk; rewrite mulfV // log1 mulr0.
Qed.
End Entropy.

(* Instances: the hypotheses hold of the natural logarithm of the real numbers. *)
From splitcrit Require Import risk_reals.

Example natural_logarithm : logarithm Rpower.ln.
Proof. by split; [exact: ln_of_product|exact: ln_below]. Qed.

Example entropy_distributions : logarithm Rpower.ln /\ distribution (@one_third real_realFieldType) /\
  covers (@one_third real_realFieldType) (@one_third real_realFieldType).
Proof. by split; [exact: natural_logarithm|split=> //; exact: one_third_is_a_distribution]. Qed.

Example entropy_table : logarithm Rpower.ln /\ weights (@small_table real_realFieldType) /\
  whole (@small_table real_realFieldType) != 0.
Proof. by split; [exact: natural_logarithm|exact: small_table_has_weights]. Qed.

(* Over the real numbers: information gain by ln is never negative, and 0 just for equal class shares. *)
Theorem py_information_gain_of_ln r K (t : 'I_r -> 'I_K -> real_realFieldType) : weights t -> whole t != 0 ->
  0 <= py_decrease_entropy Rpower.ln t /\
  (py_decrease_entropy Rpower.ln t = 0 <-> forall i, size (t i) != 0 -> row_shares t i =1 node_shares t).
Proof.
move=> t0 nz; split; first exact: py_information_gain_is_nonnegative natural_logarithm _ _ _ t0.
exact: py_information_gain_is_zero_iff_equal_shares natural_logarithm _ _ _ t0 nz.
Qed.

(* Information gain of feature and label, the gain ratio, and impurities made from losses, of the printed code. *)
Section Ratio.
Variables (R : realFieldType) (log : R -> R).
Hypothesis ln : logarithm log.

(* the table of the label by the feature *)
Definition transposed r K (t : 'I_r -> 'I_K -> R) : 'I_K -> 'I_r -> R := fun k i => t i k.

Lemma transposed_whole r K (t : 'I_r -> 'I_K -> R) : whole (transposed t) = whole t.
Proof. by rewrite -whole_node. Qed.

Lemma joint r K (t : 'I_r -> 'I_K -> R) i : weights t ->
  size (t i) * relative_entropy log (row_shares t i) (node_shares t)
  = \sum_k (if t i k == 0 then 0 else t i k * log (t i k * whole t / (size (t i) * node t k))).
Proof.
move=> t0; have [z|nz] := eqVneq (size (t i)) 0.
  by rewrite z mul0r big1 // => k _; rewrite (size0_is0 (t0 i) z) eqxx.
have wz : whole t != 0 by apply: contraNneq nz => z; rewrite whole0_size0.
rewrite mulr_sumr; apply: eq_bigr => k _; rewrite /row_shares /node_shares /py_shares (negPf nz) (negPf wz).
rewrite mulf_eq0 invr_eq0 (negPf nz) orbF; case: eqVneq => [//|tz]; first by rewrite mulr0.
have mz : node t k != 0.
  apply: contraNneq tz => /eqP; rewrite psumr_eq0 // => /allP z.
  exact: z (mem_index_enum i).
rewrite mulrA mulrCA mulfV // mulr1; congr (_ * log _).
by move: (t i k) (size (t i)) (whole t) (node t k) nz wz mz => x a n b a0 n0 b0; field; rewrite a0 n0 b0.
Qed.

(* Information gain is symmetric: of a feature about the label as of the label about the feature. *)
Theorem py_information_gain_is_symmetric r K (t : 'I_r -> 'I_K -> R) : weights t ->
  py_decrease_entropy log (transposed t) = py_decrease_entropy log t.
Proof.
move=> t0; have t0' : weights (transposed t) by move=> k i; exact: t0.
rewrite !(py_information_gain_is_mean_relative_entropy ln) // transposed_whole; congr (_ / _).
rewrite (eq_bigr _ (fun k _ => joint k t0')) (eq_bigr _ (fun i _ => joint i t0)) exchange_big /=.
apply: eq_bigr => i _; apply: eq_bigr => k _; rewrite transposed_whole.
by rewrite [size (transposed t k) * _]mulrC.
Qed.

(* Information gain is at most the entropy of the label, and at most the entropy of the split itself. *)
Theorem py_information_gain_is_at_most_entropies r K (t : 'I_r -> 'I_K -> R) : weights t -> whole t != 0 ->
  py_decrease_entropy log t <= py_entropy log (node_shares t) /\
  py_decrease_entropy log t <= py_entropy log (fun i => size (t i) / whole t).
Proof.
have below n m (u : 'I_n -> 'I_m -> R) : weights u -> whole u != 0 ->
    py_decrease_entropy log u <= py_entropy log (node_shares u).
  move=> u0 nz; have n0 : 0 < whole u by rewrite lt_neqAle eq_sym nz whole_ge0.
  rewrite -[py_decrease_entropy log u]/(py_decrease (@py_entropy R log m) u) gainE //.
  rewrite ler_pdivr_mulr // mulrC ler_subl_addr ler_addl sumr_ge0 // => i _.
  have [->|nzi] := eqVneq (size (u i)) 0; first by rewrite mul0r.
  rewrite mulr_ge0 ?size_ge0 //; have d := row_distribution u0 nzi.
  exact: le_trans (gini_ge0 d) (py_entropy_is_at_least_gini ln d).
move=> t0 nz; split; first exact: below.
have nz' : whole (transposed t) != 0 by rewrite transposed_whole.
rewrite -py_information_gain_is_symmetric //; apply: le_trans (below _ _ _ (fun k i => t0 i k) nz') _.
rewrite (@entropy_ext R log r _ (fun i => size (t i) / whole t)) // => i.
by rewrite /node_shares /py_shares transposed_whole (negPf nz).
Qed.

(* The gain ratio lies between 0 and 1. *)
Theorem py_gain_ratio_is_at_most_one r K (t : 'I_r.+1 -> 'I_K -> R) : weights t ->
  0 <= py_gain_ratio log t /\ py_gain_ratio log t <= 1.
Proof.
move=> t0; rewrite /py_gain_ratio -/(py_decrease_entropy log t).
case: ifP => [_|alone]; first by rewrite lexx ler01.
rewrite alone.
have nz : whole t != 0.
  apply: contraFneq alone => z; rewrite -[X in X <= _]/(whole t) z.
  by apply: le_trans (max_above _ _ ord0); exact: sumr_ge0.
rewrite -[\sum_(i < r.+1) \sum_(k < K) t i k]/(whole t) (negPf nz).
have [_ top] := py_information_gain_is_at_most_entropies t0 nz.
have low := py_information_gain_is_nonnegative ln t0.
rewrite -/(py_entropy log (fun i => size (t i) / whole t)).
set g := py_decrease_entropy log t in top low *; set h := py_entropy log _ in top *.
have h0 : 0 <= h := le_trans low top.
split; first exact: divr_ge0.
have [->|hz] := eqVneq h 0; first by rewrite invr0 mulr0 ler01.
by rewrite ler_pdivr_mulr ?mul1r // lt_neqAle eq_sym hz.
Qed.
End Ratio.

Section FromLoss.
Variables (R : realFieldType) (log : R -> R).

(* The impurity made from the square loss is Gini's. *)
Theorem py_from_square_is_gini K (p : 'I_K -> R) : \sum_k p k = 1 -> py_from_square p = py_gini p.
Proof.
move=> p1; rewrite -[LHS]/(py_risk (py_square p) p) py_square_excess // big1 ?addr0 // => k _.
by rewrite subrr expr0n.
Qed.

(* The impurity made from cross-entropy is entropy. *)
Theorem py_from_cross_entropy_is_entropy K (p : 'I_K -> R) : py_from_cross_entropy log p = py_entropy log p.
Proof.
rewrite /py_entropy -sumrN; apply: eq_bigr => k _; rewrite /xlogx.
by case: eqP => [->|_]; rewrite ?mul0r ?oppr0 // mulrN.
Qed.

(* The impurity made from the squared error of responses is their variance. *)
Theorem py_from_squared_error_is_variance K (v p : 'I_K -> R) : \sum_k p k = 1 ->
  py_from_squared_error v p = py_response_variance v p.
Proof.
move=> p1; rewrite -[LHS]/(py_risk (py_squared_error v (py_mean_response v p)) p).
by rewrite py_squared_error_excess // subrr expr0n addr0.
Qed.
End FromLoss.

(* Instances: the hypotheses can hold. *)
From splitcrit Require Import risk_reals.

Example ratio_table : logarithm Rpower.ln /\ weights (@small_table real_realFieldType) /\
  whole (@small_table real_realFieldType) != 0.
Proof. exact: entropy_table. Qed.

Example ratio_distribution (R : realFieldType) : \sum_k (@one_third R) k = 1.
Proof. exact: (one_third_is_a_distribution R).2. Qed.

(* Matushita's impurity is the least risk of one-vs-rest exponential losses, of the printed code. *)
Section Matushita.
Variables (R : realFieldType) (log sqrt exp : R -> R).

(* what is used of the root, and of the exponential function and its inverse *)
Definition square_root := forall x, 0 <= x -> 0 <= sqrt x /\ sqrt x ^+ 2 = x.
Definition exponential := (forall x y, exp (x + y) = exp x * exp y) /\ (forall x, 0 < exp x) /\
  (forall x, 0 < x -> exp (log x) = x).

Hypotheses (root : square_root) (power : exponential).

Lemma root_le x y : 0 <= x -> 0 <= y -> x <= y ^+ 2 -> sqrt x <= y.
Proof.
move=> x0 y0 h; have [s0 s2] := root x0; rewrite -(@ler_pexpn2r _ 2) ?nnegrE // s2 //.
Qed.

Lemma root_unique x y : 0 <= y -> y ^+ 2 = x -> sqrt x = y.
Proof.
move=> y0 e; have x0 : 0 <= x by rewrite -e sqr_ge0.
have [s0 s2] := root x0; apply/eqP; rewrite -(@eqr_expn2 _ 2) // s2 e //.
Qed.

Lemma exp0 : exp 0 = 1.
Proof.
have [add [pos _]] := power; have := add 0 0; rewrite addr0 -{1}[exp 0]mulr1.
by move/mulfI => -> //; rewrite gt_eqF.
Qed.

Lemma expN x : exp (- x) * exp x = 1.
Proof. by rewrite -power.1 addNr exp0. Qed.

Lemma risk_of_exponentials K (w p : 'I_K -> R) : \sum_k p k = 1 ->
  py_risk (py_one_vs_rest_exponential exp w) p
  = \sum_j (p j * exp (- w j) + (1 - p j) * exp (w j)) / 2%:R.
Proof.
move=> p1; rewrite py_riskE /py_one_vs_rest_exponential.
rewrite (eq_bigr (fun k => \sum_j p k * (if j == k then exp (- w j) else exp (w j)) / 2%:R)); last first.
  by move=> k _; rewrite mulrA mulr_sumr mulr_suml.
rewrite exchange_big /=; apply: eq_bigr => j _; rewrite -mulr_suml; congr (_ / _).
rewrite (bigD1 j) //= eqxx; congr (_ + _).
rewrite (eq_bigr (fun k => p k * exp (w j))); last by move=> k /negPf ne; rewrite eq_sym ne.
rewrite -mulr_suml; congr (_ * _); move: p1; rewrite (bigD1 j) //= => <-.
by rewrite [RHS]addrC addKr.
Qed.

(* No scores, one a class, have a smaller risk of the exponential losses, each class against the rest, than matushita. *)
Theorem py_matushita_is_at_most_exponential_risk K (w p : 'I_K -> R) : distribution p ->
  py_matushita sqrt p <= py_risk (py_one_vs_rest_exponential exp w) p.
Proof.
move=> d; have [p0 p1] := d; rewrite risk_of_exponentials //; apply: ler_sum => j _.
have q0 : 0 <= 1 - p j by rewrite subr_ge0 share_le1.
have [_ [pos _]] := power; have a0 := pos (- w j); have b0 := pos (w j).
apply: root_le; first by rewrite mulr_ge0.
  by rewrite divr_ge0 ?ler0n // addr_ge0 ?mulr_ge0 // ltW.
have ab := expN (w j); rewrite -subr_ge0.
have -> : ((p j * exp (- w j) + (1 - p j) * exp (w j)) / 2%:R) ^+ 2 - p j * (1 - p j)
    = ((p j * exp (- w j) - (1 - p j) * exp (w j)) / 2%:R) ^+ 2
      + p j * (1 - p j) * (exp (- w j) * exp (w j) - 1).
  by move: (exp _) (exp _) (p j) => b a x; field.
by rewrite ab subrr mulr0 addr0 sqr_ge0.
Qed.

(* Half the log odds of the classes attain matushita, where every class has a share between 0 and 1. *)
Theorem py_half_log_odds_attain_matushita K (p : 'I_K -> R) : distribution p -> (forall k, 0 < p k /\ p k < 1) ->
  py_risk (py_one_vs_rest_exponential exp (py_half_log_odds log p)) p = py_matushita sqrt p.
Proof.
move=> [p0 p1] inside; rewrite risk_of_exponentials //; apply: eq_bigr => j _.
have [x0 x1] := inside j; have y0 : 0 < 1 - p j by rewrite subr_gt0.
have [add [pos inv]] := power; set w := py_half_log_odds log p j; have ab := expN w.
have a0 := pos (- w); have b0 := pos w.
have bb : exp w * exp w * (1 - p j) = p j.
  rewrite -{1}(inv _ y0) -2!add -[RHS](inv _ x0); congr exp; rewrite /w /py_half_log_odds.
  by move: (log _) (log _) => y x; field.
have e : p j * exp (- w) = (1 - p j) * exp w.
  by rewrite -{1}bb -[RHS]mulr1 -ab; ring.
rewrite e; have -> : ((1 - p j) * exp w + (1 - p j) * exp w) / 2%:R = (1 - p j) * exp w.
  by move: (exp w) (p j) => b x; field.
symmetry; apply: root_unique; first by rewrite mulr_ge0 ?ltW.
by rewrite -{2}bb; ring.
Qed.
End Matushita.

(* Instances: the hypotheses hold of the root, the exponential function and the logarithm of the real numbers. *)
From Coq Require Import Reals.
From splitcrit Require Import risk_reals.

Example roots_and_powers_of_reals :
  @square_root real_realFieldType R_sqrt.sqrt /\ @exponential real_realFieldType Rpower.ln Rtrigo_def.exp /\
  distribution (@one_third real_realFieldType) /\
  (forall k, 0 < @one_third real_realFieldType k /\ @one_third real_realFieldType k < 1).
Proof.
split.
  by move=> x /rleP x0; split; [apply/rleP; exact: sqrt_pos|rewrite expr2; exact: sqrt_sqrt].
split.
  split; first exact: exp_plus.
  by split=> x; [apply/rltP; exact: exp_pos|move=> /rltP; exact: exp_ln].
split; first exact: one_third_is_a_distribution.
move=> k; rewrite /one_third; case: ifP => _; rewrite divr_gt0 ?ltr01 ?ltr0n //.
  by rewrite ltr_pdivr_mulr ?ltr0n // mul1r ltr1n.
by rewrite ltr_pdivr_mulr ?ltr0n // mul1r ltr_nat.
Qed.
