(* When a split gains nothing: a shared majority class, or equal shares; and what is added when a row is divided. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs risk vertex generated tie gains vertices.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Conservative.
Variable R : realFieldType.

(* class k is a majority class of every row *)
Definition majority_in_every_row r K (t : 'I_r -> 'I_K -> R) k := forall i j, t i j <= t i k.
(* all rows have the class shares of the node *)
Definition equal_shares r K (t : 'I_r -> 'I_K -> R) :=
  forall i k, t i k * whole t = node t k * defs.size (t i).

Lemma weighted_misclassification K (x : 'I_K.+1 -> R) : nonneg x ->
  weighted (@py_misclassification R K) x = defs.size x - largest x.
Proof.
move=> x0; rewrite /weighted /py_misclassification -/(largest _); have [z|nz] := eqVneq (defs.size x) 0.
  by have [k ->] := largest_in x; rewrite (size0 x0 z) z mul0r subrr.
rewrite mulrBr mulr1 -largest_scale; last by apply: sumr_ge0 => k _; exact: x0.
congr (_ - _); apply: largest_ext => k; rewrite /shares (negPf nz).
by move: (x k) (defs.size x) nz => y n nz; field.
Qed.

Lemma sum_eq (I : finType) (f g : I -> R) : (forall i, f i <= g i) -> \sum_i f i = \sum_i g i -> f =1 g.
Proof.
move=> le /esym/eqP; rewrite -subr_eq0 -sumrB psumr_eq0 => [/allP e i|i _]; last by rewrite subr_ge0.
by apply/esym/eqP; rewrite -subr_eq0; exact: (e i (mem_index_enum _)).
Qed.

Lemma node_ge0 r K (t : 'I_r -> 'I_K -> R) : counts t -> nonneg (node t).
Proof. by move=> t0 k; apply: sumr_ge0 => i _; exact: t0. Qed.

(* The gain of misclassification is 0 exactly if the rows share a majority class: any number of rows and classes. *)
Theorem py_misclassification_gain_is_zero_of_shared_majority r K (t : 'I_r -> 'I_K.+1 -> R) : counts t ->
  py_decrease_misclassification t = 0 <-> exists k, majority_in_every_row t k.
Proof.
move=> t0; rewrite py_decrease_misclassificationE; have n0 := node_ge0 t0.
have sumE : \sum_i weighted (@py_misclassification R K) (t i) = whole t - \sum_i largest (t i).
  by rewrite -sumrB; apply: eq_bigr => i _; rewrite weighted_misclassification.
split=> [/eqP|[k maj]].
  rewrite decrease_eq0 // weighted_misclassification // sumE whole_node; have [k ek] := largest_in (node t).
  rewrite ek => /eqP/addrI/oppr_inj e; exists k => i j.
  by rewrite (sum_eq (fun i => largest_ge (t i) k) e) largest_ge.
apply/eqP; rewrite decrease_eq0 // weighted_misclassification // sumE whole_node; apply/eqP; congr (_ - _).
rewrite (@largest_eq _ _ (node t) k) => [|j]; last by apply: ler_sum => i _; exact: maj.
by apply: eq_bigr => i _; apply/esym/largest_eq.
Qed.

Section Strict.
Variables (K : nat) (phi : ('I_K -> R) -> R).
Hypothesis ext : extensional phi.

Lemma no_gain_of_equal_shares r (t : 'I_r -> 'I_K -> R) : counts t -> equal_shares t -> decrease phi t = 0.
Proof.
move=> t0 eq; have n0 := node_ge0 t0.
apply/eqP; rewrite decrease_eq0 //; apply/eqP; have [z|nz] := eqVneq (whole t) 0.
  have nz : defs.size (node t) = 0 by rewrite whole_node.
  have tz i : weighted phi (t i) = 0.
    rewrite /weighted (_ : defs.size (t i) = 0) ?mul0r //; apply: big1 => k _.
    apply/eqP; rewrite eq_le t0 andbT -(size0 n0 nz k) /node (bigD1 i) //= ler_addl.
    by apply: sumr_ge0 => j _; exact: t0.
  by rewrite /weighted nz mul0r big1 // => i _; exact: tz.
have prop i : t i =1 fun k => defs.size (t i) / whole t * node t k.
  by move=> k; rewrite mulrAC [_ * node t k]mulrC -eq mulfK.
rewrite [RHS](eq_bigr (fun i => defs.size (t i) / whole t * weighted phi (node t))); last first.
  by move=> i _; rewrite (weighted_ext ext (prop i)) (weighted_scale ext).
by rewrite -!mulr_suml -/(whole t) mulfV // mul1r.
Qed.

Hypotheses (conc : concave phi) (strict : strictly_concave phi).

Lemma strictly_superadditive x y : nonneg x -> nonneg y ->
  weighted phi x + weighted phi y = weighted phi (fun k => x k + y k) ->
  forall k, x k * defs.size y = y k * defs.size x.
Proof.
move=> x0 y0 e k; have [z|nz] := eqVneq (defs.size x) 0; first by rewrite z (size0 x0 z) mulr0 mul0r.
have [z|nz'] := eqVneq (defs.size y) 0; first by rewrite z (size0 y0 z) mulr0 mul0r.
have px : 0 < defs.size x by rewrite lt_neqAle eq_sym nz sumr_ge0.
have py : 0 < defs.size y by rewrite lt_neqAle eq_sym nz' sumr_ge0.
have pxy : 0 < defs.size x + defs.size y by exact: addr_gt0.
apply/eqP/negPn/negP => ne; pose a := defs.size x / (defs.size x + defs.size y).
have a01 : 0 < a < 1 by rewrite divr_gt0 //= ltr_pdivr_mulr // mul1r ltr_addl.
have nk : shares x (defs.size x) k != shares y (defs.size y) k.
  by rewrite /shares (negPf nz) (negPf nz') eqr_div.
have := strict (shares_distribution x0 nz) (shares_distribution y0 nz') a01 nk.
rewrite -(ltr_pmul2l pxy) ltNge => /negP; apply; rewrite le_eqVlt; apply/orP; left; apply/eqP.
have -> : (defs.size x + defs.size y) * phi (mixed a (shares x (defs.size x)) (shares y (defs.size y)))
  = weighted phi (fun j => x j + y j).
  rewrite /weighted size_add; congr (_ * _); apply: ext => j.
  rewrite /mixed /shares /a (negPf nz) (negPf nz') gt_eqF //.
  move: (x j) (y j) (defs.size x) (defs.size y) pxy nz nz' => f g s u psu s0 u0; field.
  by rewrite s0 u0 gt_eqF.
rewrite -e /weighted /a; set f := phi _; set g := phi _.
by move: f g (defs.size x) (defs.size y) pxy => f g s u psu; field; rewrite gt_eqF.
Qed.

Lemma zero_gain_of_equal_shares r (t : 'I_r -> 'I_K -> R) : counts t ->
  decrease phi t = 0 <-> equal_shares t.
Proof.
move=> t0; have n0 := node_ge0 t0; split=> [/eqP|eq].
  rewrite decrease_eq0 // => /eqP e i k.
  pose y k := \sum_(j | j != i) t j k; have y0 : nonneg y by move=> l; apply: sumr_ge0 => j _; exact: t0.
  have nE : node t =1 fun k => t i k + y k by move=> l; rewrite /node (bigD1 i).
  have rest : \sum_(j | j != i) weighted phi (t j) <= weighted phi y.
    rewrite -big_filter (weighted_ext ext (be := fun k => \sum_(j <- [seq j <- index_enum _ | j != i]) t j k)).
      exact: weighted_sum.
    by move=> l; rewrite big_filter.
  have both : weighted phi (t i) + weighted phi y = weighted phi (fun k => t i k + y k).
    apply/eqP; rewrite eq_le (weighted_superadditive ext conc) // -(weighted_ext ext nE) e (bigD1 i) //=.
    by rewrite ler_add2l.
  have := strictly_superadditive (t0 i) y0 both k => h.
  by rewrite -whole_node (size_ext nE) size_add nE mulrDr mulrDl h.
exact: no_gain_of_equal_shares.
Qed.
End Strict.

End Conservative.
