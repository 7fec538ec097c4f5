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

(* The sum of minorities is the gain of misclassification less the impurity of the node: it ranks splits alike. *)
Theorem py_sum_minority_is_misclassification_gain r K (t : 'I_r -> 'I_K.+1 -> R) : counts t -> 0 < whole t ->
  py_sum_minority t = py_decrease_misclassification t - py_misclassification (shares (node t) (whole t)).
Proof.
move=> t0 n0; rewrite py_decrease_misclassificationE decreaseE gt_eqF //.
have -> : py_sum_minority t = - (\sum_i weighted (@py_misclassification R K) (t i)) / whole t.
  rewrite /py_sum_minority -/(whole t) gt_eqF //; congr (- _ / _); apply: eq_bigr => i _.
  by rewrite weighted_misclassification.
set y := \sum_i _; rewrite {1}/weighted whole_node; set x := py_misclassification _.
by move: x y (whole t) n0 => x y n n0; field; rewrite gt_eqF.
Qed.

(* an instance of both: two rows of ones *)
Example shared_instance : let t : 'I_2 -> 'I_3 -> R := fun _ _ => 1 in
  [/\ counts t, 0 < whole t & exists k, majority_in_every_row t k].
Proof.
split=> [i k||]; rewrite ?ler01 //; last by exists ord0 => i j.
by rewrite /whole /defs.size !sumr_const !card_ord -mulrnA ltr0Sn.
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

(* Gini's gain is 0 exactly if all rows have the class shares of the node. *)
Theorem py_gini_gain_is_zero_of_equal_shares_only r K (t : 'I_r -> 'I_K -> R) : counts t ->
  py_decrease_gini t = 0 <-> equal_shares t.
Proof. exact: zero_gain_of_equal_shares (@gini_ext R K) (@gini_concave R K) (@gini_strictly_concave R K) _ _. Qed.

(* The gain of entropy is 0 exactly if all rows have the class shares of the node, with any logarithm for which
   x log x is strictly convex. *)
Theorem py_entropy_gain_is_zero_of_equal_shares_only log r K (t : 'I_r -> 'I_K -> R) :
  xlogx_convex log -> xlogx_strictly_convex log -> counts t -> py_decrease_entropy log t = 0 <-> equal_shares t.
Proof.
move=> conv sconv; exact: zero_gain_of_equal_shares (@entropy_ext R log K) (entropy_concave conv)
  (entropy_strictly_concave sconv) _ _.
Qed.

(* an instance: x x is strictly convex *)
Example strictly_convex_instance : xlogx_convex (fun x : R => x) /\ xlogx_strictly_convex (fun x : R => x).
Proof.
split; first by have [] := @convex_instance R.
move=> x y a _ _ /andP[a0 a1] ne.
have xx z : xlogx (fun x : R => x) z = z * z by rewrite /xlogx; case: eqP => [->|_] //; rewrite mul0r.
rewrite !xx -subr_gt0 (_ : _ - _ = a * (1 - a) * (x - y) ^+ 2); last by ring.
by apply: mulr_gt0; [rewrite mulr_gt0 // subr_gt0|rewrite exprn_even_gt0 //= subr_eq0].
Qed.

Lemma crossing_of_equal_shares K (t : 'I_2 -> 'I_K -> R) : equal_shares t <-> forall k, py_crossing t k = 0.
Proof.
have wE : whole t = defs.size (t 0) + defs.size (t 1) by rewrite /whole sum2.
split=> [eq k|cr i k].
  have := eq 0 k; rewrite /node sum2 wE /py_crossing -/(defs.size (t 0)) -/(defs.size (t 1)) => /eqP.
  by rewrite -subr_eq0 => /eqP <-; ring.
have := cr k; rewrite /py_crossing -/(defs.size (t 0)) -/(defs.size (t 1)) => e.
apply/eqP; rewrite -subr_eq0 /node sum2 wE; apply/eqP.
have [->|->] : i = 0 \/ i = 1 by case: i => [[|[|//]] h]; [left|right]; apply: val_inj.
  by rewrite -[RHS]e; ring.
by rewrite -[RHS]oppr0 -e; ring.
Qed.
Lemma crossings_are_zero K (t : 'I_2 -> 'I_K -> R) : \sum_k `|py_crossing t k| = 0 <-> forall k, py_crossing t k = 0.
Proof.
split=> [/eqP|z]; last by rewrite big1 // => k _; rewrite z normr0.
by rewrite psumr_eq0 => [/allP h k|k _] //; apply/eqP; rewrite -normr_eq0; exact: (h k (mem_index_enum _)).
Qed.

(* One-vs-rest pairwise gain is 0 exactly if both rows have the class shares of the node. *)
Theorem py_one_vs_rest_is_zero_of_equal_shares_only K (t : 'I_2 -> 'I_K -> R) :
  py_one_vs_rest t = 0 <-> equal_shares t.
Proof.
apply: (iff_trans _ (iff_sym (crossing_of_equal_shares t))); apply: (iff_trans _ (crossings_are_zero t)).
rewrite /py_one_vs_rest -/(\sum_k `|py_crossing t k|); split=> [/eqP|->]; last by rewrite mul0r.
by rewrite mulf_eq0 invr_eq0 pnatr_eq0 orbF => /eqP.
Qed.

(* Twoing is 0 exactly if both rows have the class shares of the node. *)
Theorem py_twoing_is_zero_of_equal_shares_only K (t : 'I_2 -> 'I_K -> R) : py_twoing t = 0 <-> equal_shares t.
Proof.
apply: (iff_trans _ (iff_sym (crossing_of_equal_shares t))); apply: (iff_trans _ (crossings_are_zero t)).
rewrite /py_twoing; set s := \sum_k _; have -> : s = \sum_k `|py_crossing t k| by [].
split=> [/eqP|->]; last by rewrite !mul0r.
rewrite mulf_eq0 mulf_eq0 orbb invr_eq0 => /orP[/eqP //|].
by case: (eqVneq (_ * _ * _ * _ * _) 0) => [_|/negPf ->]; rewrite ?oner_eq0.
Qed.
End Conservative.
