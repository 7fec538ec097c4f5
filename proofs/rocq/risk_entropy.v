(* Entropy, cross-entropy and information gain, of the printed code, for every logarithm. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs risk generated concave losses risk_gains risk_concavity.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

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
