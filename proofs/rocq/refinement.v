(* When a split gains nothing, what a refinement of rows adds, and what gains do not see. *)
From mathcomp Require Import all_ssreflect perm ssralg ssrnum ssrint zmodp.
From mathcomp Require Import ring.
From splitcrit Require Import defs risk vertex generated tie vertices.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* When a split gains nothing: a shared majority class, or equal shares; and what is added when a row is divided. *)
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

(* Gains of refined tables, and what gains do not see: empty rows and classes, the order of rows and classes, units. *)
Section Refinement.
Variable R : realFieldType.

(* the coarse table: row l of the fine table u is a part of row (f l) *)
Definition merged r s K (f : 'I_s -> 'I_r) (u : 'I_s -> 'I_K -> R) : 'I_r -> 'I_K -> R :=
  fun i k => \sum_(l | f l == i) u l k.
(* the parts of row i alone; the other rows are empty *)
Definition parts r s K (f : 'I_s -> 'I_r) (u : 'I_s -> 'I_K -> R) (i : 'I_r) : 'I_s -> 'I_K -> R :=
  fun l k => if f l == i then u l k else 0.

Section Phi.
Variables (K r s : nat) (phi : ('I_K -> R) -> R) (f : 'I_s -> 'I_r) (u : 'I_s -> 'I_K -> R).
Hypotheses (ext : extensional phi) (u0 : counts u).

Lemma merged_counts : counts (merged f u).
Proof. by move=> i k; apply: sumr_ge0 => l _; exact: u0. Qed.
Lemma merged_node : node (merged f u) =1 node u.
Proof. by move=> k; rewrite /node /merged [RHS](partition_big f xpredT). Qed.
Lemma merged_whole : whole (merged f u) = whole u.
Proof. by rewrite -!whole_node; apply: size_ext => k; exact: merged_node. Qed.
Lemma parts_node i : node (parts f u i) =1 merged f u i.
Proof. by move=> k; rewrite /node /parts /merged -big_mkcond. Qed.
Lemma parts_whole i : whole (parts f u i) = defs.size (merged f u i).
Proof. by rewrite -whole_node; apply: size_ext => k; exact: parts_node. Qed.
Lemma weighted_zero : weighted phi (fun=> 0) = 0.
Proof. by rewrite /weighted /defs.size big1 ?mul0r. Qed.
Lemma parts_weighted i : \sum_l weighted phi (parts f u i l) = \sum_(l | f l == i) weighted phi (u l).
Proof.
rewrite [RHS]big_mkcond; apply: eq_bigr => l _; case: ifP => fl.
  by apply: (weighted_ext ext) => k; rewrite /parts fl.
by rewrite -[RHS]weighted_zero; apply: (weighted_ext ext) => k; rewrite /parts fl.
Qed.

Lemma refinement : 0 < whole u -> decrease phi u = decrease phi (merged f u)
  + \sum_i defs.size (merged f u i) / whole u * decrease phi (parts f u i).
Proof.
move=> n0; have nz : whole u != 0 by rewrite gt_eqF.
rewrite [LHS]decreaseE [decrease phi (merged f u)]decreaseE merged_whole (negPf nz).
rewrite (weighted_ext ext merged_node).
have inner i : defs.size (merged f u i) / whole u * decrease phi (parts f u i)
    = (weighted phi (merged f u i) - \sum_(l | f l == i) weighted phi (u l)) / whole u.
  rewrite decreaseE parts_whole parts_weighted (weighted_ext ext (parts_node i)).
  have [z|zn] := eqVneq (defs.size (merged f u i)) 0; last by field; rewrite zn nz.
  rewrite z !mul0r /weighted z mul0r sub0r big1 ?oppr0 ?mul0r // => l fl.
  have := size0 (merged_counts i) z => zero; rewrite (_ : defs.size (u l) = 0) ?mul0r //.
  apply: big1 => k _; apply/eqP; rewrite eq_le u0 andbT -(zero k) /merged (bigD1 l) //= ler_addl.
  by apply: sumr_ge0 => j _; exact: u0.
rewrite (eq_bigr _ (fun i _ => inner i)) -mulr_suml sumrB -mulrDl; congr (_ / _).
have -> : \sum_i \sum_(l | f l == i) weighted phi (u l) = \sum_l weighted phi (u l).
  by rewrite [RHS](partition_big f xpredT).
set a := weighted _ _; set b := \sum_(i < s) _; set c := \sum_(i < r) _.
by ring.
Qed.

End Phi.

(* Dividing rows of a table in parts adds to Gini's gain the gains within the rows, each times the share of its row. *)
Theorem py_gini_gain_adds_of_refinement K r s (f : 'I_s -> 'I_r) (u : 'I_s -> 'I_K -> R) : counts u -> 0 < whole u ->
  py_decrease_gini u = py_decrease_gini (merged f u)
    + \sum_i defs.size (merged f u i) / whole u * py_decrease_gini (parts f u i).
Proof. exact: refinement (@gini_ext R K). Qed.

(* The same for entropy, with any logarithm: the chain rule of the information gain. *)
Theorem py_entropy_gain_adds_of_refinement log K r s (f : 'I_s -> 'I_r) (u : 'I_s -> 'I_K -> R) :
  counts u -> 0 < whole u ->
  py_decrease_entropy log u = py_decrease_entropy log (merged f u)
    + \sum_i defs.size (merged f u i) / whole u * py_decrease_entropy log (parts f u i).
Proof. exact: refinement (@entropy_ext R log K). Qed.

(* an instance: the table of ones *)
Example refinement_instance : let u : 'I_3 -> 'I_2 -> R := fun _ _ => 1 in
  [/\ xlogx_convex (fun x : R => x), counts u & 0 < whole u].
Proof.
split=> [|i k|]; [by have [] := @convex_instance R|exact: ler01|].
by rewrite /whole /defs.size !sumr_const !card_ord -mulrnA ltr0Sn.
Qed.

(* the table without class k *)
Definition without_class r K (k : 'I_K.+1) (t : 'I_r -> 'I_K.+1 -> R) : 'I_r -> 'I_K -> R := fun i j => t i (lift k j).
(* the table without row i *)
Definition without_row r K (i : 'I_r.+1) (t : 'I_r.+1 -> 'I_K -> R) : 'I_r -> 'I_K -> R := fun l => t (lift i l).

Lemma drop_sum K (k : 'I_K.+1) (x : 'I_K.+1 -> R) : x k = 0 -> \sum_j x j = \sum_j x (lift k j).
Proof. by move=> z; rewrite (bigD1_ord k) //= z add0r. Qed.

Lemma decrease_without_class r K k (phi : ('I_K.+1 -> R) -> R) (psi : ('I_K -> R) -> R) (t : 'I_r -> 'I_K.+1 -> R) :
  (forall p, p k = 0 -> (forall j, 0 <= p j) -> phi p = psi (fun j => p (lift k j))) -> extensional psi -> counts t ->
  (forall i, t i k = 0) -> decrease phi t = decrease psi (without_class k t).
Proof.
move=> drop ext t0 z.
have w x : x k = 0 -> nonneg x -> weighted phi x = weighted psi (fun j => x (lift k j)).
  move=> xk x0; have sz : defs.size x = defs.size (fun j => x (lift k j)) by exact: drop_sum.
  rewrite /weighted -sz; have [->|nz] := eqVneq (defs.size x) 0; first by rewrite !mul0r.
  congr (_ * _); rewrite drop => [|| j]; first by apply: ext => j; rewrite /shares (negPf nz).
    by rewrite /shares (negPf nz) xk mul0r.
  by rewrite /shares (negPf nz) divr_ge0 // sumr_ge0.
have nz : node t k = 0 by rewrite /node big1.
rewrite !decreaseE w //; last exact: node_ge0.
have -> : whole (without_class k t) = whole t.
  by rewrite -!whole_node; apply/esym; rewrite /defs.size (drop_sum nz).
by congr ((_ - _) / _); apply: eq_bigr => i _; apply: w.
Qed.

(* The Gini gain is the same without a class of which there are no examples. *)
Theorem py_gini_gain_sees_no_empty_class r K k (t : 'I_r -> 'I_K.+1 -> R) : counts t -> (forall i, t i k = 0) ->
  py_decrease_gini t = py_decrease_gini (without_class k t).
Proof.
apply: (@decrease_without_class _ _ _ (@py_gini R _) (@py_gini R _)); last exact: gini_ext.
by move=> p z _; rewrite /py_gini (@drop_sum _ k) // z mul0r.
Qed.
(* The gain by entropy is the same without a class of which there are no examples. *)
Theorem py_entropy_gain_sees_no_empty_class log r K k (t : 'I_r -> 'I_K.+1 -> R) : counts t ->
  (forall i, t i k = 0) -> py_decrease_entropy log t = py_decrease_entropy log (without_class k t).
Proof.
apply: (@decrease_without_class _ _ _ (@py_entropy R log _) (@py_entropy R log _)); last exact: entropy_ext.
by move=> p z _; rewrite /py_entropy (@drop_sum _ k) // /xlogx z eqxx.
Qed.
(* The gain by the sum of min(p, 1 - p) is the same without a class of which there are no examples. *)
Theorem py_bayes_sum_gain_sees_no_empty_class r K k (t : 'I_r -> 'I_K.+1 -> R) : counts t -> (forall i, t i k = 0) ->
  py_decrease_bayes_sum t = py_decrease_bayes_sum (without_class k t).
Proof.
apply: (@decrease_without_class _ _ _ (@py_bayes_sum R _) (@py_bayes_sum R _)); last exact: bayes_sum_ext.
by move=> p z _; rewrite /py_bayes_sum (@drop_sum _ k) // z subr0 min_l ?ler01.
Qed.
(* The gain by misclassification is the same without a class of which there are no examples. *)
Theorem py_misclassification_gain_sees_no_empty_class r K k (t : 'I_r -> 'I_K.+2 -> R) : counts t ->
  (forall i, t i k = 0) -> py_decrease_misclassification t = py_decrease_misclassification (without_class k t).
Proof.
apply: (@decrease_without_class _ _ _ (@py_misclassification R _) (@py_misclassification R _)).
  move=> p z p0; congr (1 - _); rewrite -/(largest p) -/(largest (fun j => p (lift k j))).
  have [j ej] := largest_in (fun j => p (lift k j)); rewrite ej; apply: largest_eq => l.
  by case: (unliftP k l) => [m|] ->; rewrite ?z // -ej; exact: (largest_ge (fun j => p (lift k j))).
exact: misclassification_ext.
Qed.

(* an instance: a table of ones, a row of zeros *)
Example unit_instance : let t : 'I_2 -> 'I_3 -> R := fun _ _ => 1 in
  [/\ 2%:R != 0 :> R, counts t & forall k : 'I_3, (fun (i : 'I_3) (_ : 'I_3) => (i != ord0)%:R : R) ord0 k = 0].
Proof. by split=> [|i k|k]; rewrite ?pnatr_eq0 ?ler01. Qed.

(* an instance: no examples of the first of three classes *)
Example empty_class_instance : let t : 'I_2 -> 'I_3 -> R := fun _ k => if k == ord0 then 0 else 1 in
  counts t /\ forall i, t i ord0 = 0.
Proof. by split=> [i k|i] /=; [case: ifP => _; rewrite ?ler01 ?lexx|]. Qed.

(* The gains of Gini, entropy, misclassification and of the sum of min(p, 1 - p) are the same without an empty row. *)
Theorem py_gains_see_no_empty_row log r K i (t : 'I_r.+1 -> 'I_K.+1 -> R) : (forall k, t i k = 0) ->
  [/\ py_decrease_gini t = py_decrease_gini (without_row i t),
      py_decrease_entropy log t = py_decrease_entropy log (without_row i t),
      py_decrease_misclassification t = py_decrease_misclassification (without_row i t) &
      py_decrease_bayes_sum t = py_decrease_bayes_sum (without_row i t)].
Proof.
move=> z; have any (phi : ('I_K.+1 -> R) -> R) : extensional phi -> decrease phi t = decrease phi (without_row i t).
  move=> ext; have nE : node t =1 node (without_row i t) by move=> k; rewrite /node (@drop_sum _ i (fun l => t l k)).
  rewrite !decreaseE (weighted_ext ext nE) -!whole_node (size_ext nE) (@drop_sum _ i (fun l => weighted phi (t l))) //.
  by rewrite /weighted (_ : defs.size (t i) = 0) ?mul0r // /defs.size big1.
by split; [exact: any (@gini_ext R _)|exact: any (@entropy_ext R log _)|exact: any (@misclassification_ext R _)
          |exact: any (@bayes_sum_ext R _)].
Qed.

(* The gains of Gini, entropy and misclassification do not depend on the order of the rows, nor on that of the
   classes. *)
Theorem py_gains_depend_on_no_order log r K (rho : {perm 'I_r}) (s : {perm 'I_K.+1}) (t : 'I_r -> 'I_K.+1 -> R) :
  let t' := fun i k => t (rho i) (s k) in
  [/\ py_decrease_gini t' = py_decrease_gini t, py_decrease_entropy log t' = py_decrease_entropy log t &
      py_decrease_misclassification t' = py_decrease_misclassification t].
Proof.
move=> t'; have any (phi : ('I_K.+1 -> R) -> R) : extensional phi -> symmetric_in_classes phi ->
    decrease phi t' = decrease phi t.
  move=> ext sym; have sizeE x : defs.size (fun k => x (s k)) = defs.size x by exact: sum_over_permutation.
  have w x : weighted phi (fun k => x (s k)) = weighted phi x.
    by rewrite /weighted sizeE -[in RHS](sym s); congr (_ * _); apply: ext => k.
  have nE : node t' =1 fun k => node t (s k) by move=> k; rewrite /node [RHS](reindex_inj (@perm_inj _ rho)).
  rewrite !decreaseE (weighted_ext ext nE) w -!whole_node (size_ext nE) sizeE.
  congr ((_ - _) / _); rewrite [RHS](reindex_inj (@perm_inj _ rho)); apply: eq_bigr => i _; exact: w.
have sg : symmetric_in_classes (@py_gini R K.+1).
  by move=> q p; rewrite /py_gini (sum_over_permutation q (fun k => p k * p k)).
have se : symmetric_in_classes (@py_entropy R log K.+1).
  by move=> q p; rewrite /py_entropy (sum_over_permutation q (fun k => xlogx log (p k))).
have sm : symmetric_in_classes (@py_misclassification R K).
  by move=> q p; congr (1 - _); exact: largest_over_permutation.
by split; [exact: any (@gini_ext R _) sg|exact: any (@entropy_ext R log _) se
  |exact: any (@misclassification_ext R _) sm].
Qed.

(* c times the counts, that is counts in another unit *)
Definition times r K c (t : 'I_r -> 'I_K -> R) : 'I_r -> 'I_K -> R := fun i k => c * t i k.

(* The gains of Gini, entropy and misclassification, and twoing, are the same in another unit of counts. *)
Theorem py_gains_depend_on_no_unit log r K c (t : 'I_r -> 'I_K.+1 -> R) (u : 'I_2 -> 'I_K.+1 -> R) :
  c != 0 -> counts t -> counts u ->
  [/\ py_decrease_gini (times c t) = py_decrease_gini t,
      py_decrease_entropy log (times c t) = py_decrease_entropy log t,
      py_decrease_misclassification (times c t) = py_decrease_misclassification t &
      py_twoing (times c u) = py_twoing u].
Proof.
move=> c0 t0 u0.
have any (phi : ('I_K.+1 -> R) -> R) : extensional phi -> decrease phi (times c t) = decrease phi t.
  move=> ext; have nE : node (times c t) =1 fun k => c * node t k by move=> k; rewrite /node mulr_sumr.
  have wE : whole (times c t) = c * whole t by rewrite -!whole_node (size_ext nE) size_scale.
  rewrite !decreaseE (weighted_ext ext nE) (weighted_scale ext) wE mulf_eq0 (negPf c0) /=.
  rewrite (eq_bigr (fun i => c * weighted phi (t i))) => [|i _]; last exact: weighted_scale ext _ _.
  rewrite -mulr_sumr -mulrBr; case: eqVneq => [z|nz]; last by rewrite -mulf_div mulfV // mul1r.
  have -> : weighted phi (node t) = 0 by rewrite /weighted whole_node z mul0r.
  rewrite big1 ?subrr ?mulr0 // => i _; rewrite /weighted.
  move/eqP: z; rewrite /whole psumr_eq0 => [/allP /(_ i (mem_index_enum _)) /= /eqP ->|j _]; first by rewrite mul0r.
  by apply: sumr_ge0 => k _; exact: t0.
split; [exact: any (@gini_ext R _)|exact: any (@entropy_ext R log _)|exact: any (@misclassification_ext R _)|].
have sz i : \sum_k times c u i k = c * \sum_k u i k by rewrite mulr_sumr.
rewrite /py_twoing !sz.
have -> : \sum_(k < K.+1) `|times c u 0 k * (c * \sum_j u 1 j) - times c u 1 k * (c * \sum_j u 0 j)|
  = `|c| ^+ 2 * \sum_(k < K.+1) `|u 0 k * (\sum_j u 1 j) - u 1 k * \sum_j u 0 j|.
  by rewrite [RHS]mulr_sumr; apply: eq_bigr => k _; rewrite -normrX -normrM /times; congr `|_|; ring.
have c2 : `|c| ^+ 2 = c ^+ 2 by rewrite -normrX ger0_norm ?sqr_ge0.
have x0 : \sum_k u 0 k = 0 \/ \sum_k u 1 k = 0 ->
    \sum_(k < K.+1) `|u 0 k * (\sum_j u 1 j) - u 1 k * \sum_j u 0 j| = 0.
  by move=> [z|z]; rewrite big1 // => k _; rewrite z mulr0 (size0 (u0 _) z) mul0r subrr normr0.
have ab0 : 0 <= \sum_k u 0 k /\ 0 <= \sum_k u 1 k by split; apply: sumr_ge0 => k _; exact: u0.
rewrite c2; move: x0 ab0; set x := \sum_k `|_|; move: x (\sum_k u 0 k) (\sum_k u 1 k) => x a b x0 [a0 b0].
have -> : 4%:R * (c * a + c * b) * (c * a + c * b) * (c * a) * (c * b)
  = c ^+ 4 * (4%:R * (a + b) * (a + b) * a * b) by ring.
rewrite mulf_eq0 expf_eq0 (negPf c0) /=; case: eqVneq => [z|nz].
  rewrite x0 ?mulr0 ?mul0r //; move/eqP: z; rewrite !mulf_eq0 pnatr_eq0 /= paddr_eq0 //.
  by case: eqP => [->|_]; [left|case: eqP => [->|//]; right].
move: (4%:R * _ * _ * _ * _) nz => y y0; field.
by rewrite c0 y0.
Qed.

(* The pairwise gain and its one-vs-rest sum are scores of pairs: c times the counts have c c times the score. *)
Theorem py_pairwise_gains_grow_by_the_square K c (t : 'I_2 -> 'I_2 -> R) (u : 'I_2 -> 'I_K -> R) :
  py_pairwise_gain (times c t) = c ^+ 2 * py_pairwise_gain t /\
  py_one_vs_rest (times c u) = c ^+ 2 * py_one_vs_rest u.
Proof.
have c2 : `|c| ^+ 2 = c ^+ 2 by rewrite -normrX ger0_norm ?sqr_ge0.
split.
  by rewrite /py_pairwise_gain [RHS]mulrA -c2 -normrX -normrM /times; congr (`|_| / _); ring.
have sz i : \sum_k times c u i k = c * \sum_k u i k by rewrite mulr_sumr.
rewrite /py_one_vs_rest !sz; move: (\sum_k u 0 k) (\sum_k u 1 k) => a b.
rewrite [RHS]mulrA; congr (_ / _); rewrite -c2 [RHS]mulr_sumr; apply: eq_bigr => k _.
by rewrite -normrX -normrM /times; congr `|_|; ring.
Qed.
End Refinement.

(* What an impurity may be made of so that a gain sees no empty class: sums over classes, and the largest share. *)
Section Empty.
Variable R : realFieldType.
(* an impurity of the largest share m and of the sum over classes of a term of m and of the share of the class *)
Definition of_sum_and_largest (F g : R -> R -> R) K (p : 'I_K.+1 -> R) : R :=
  F (largest p) (\sum_k g (largest p) (p k)).

Lemma largest_ext K (p q : 'I_K.+1 -> R) : p =1 q -> largest p = largest q.
Proof. by move=> e; rewrite /largest e; apply: eq_bigr => k _. Qed.

Lemma largest_without K k (p : 'I_K.+2 -> R) : p k = 0 -> (forall j, 0 <= p j) ->
  largest p = largest (fun j => p (lift k j)).
Proof.
move=> z p0; have [j ej] := largest_in (fun j => p (lift k j)); rewrite ej; apply: largest_eq => l.
by case: (unliftP k l) => [m|] ->; rewrite ?z // -ej; exact: (largest_ge (fun j => p (lift k j))).
Qed.

(* The gain by an impurity that is made of the largest share and of a sum over classes of terms that are 0 of an empty
   class, also over a score of the sizes of the rows, is the same without a class of which there are no examples. *)
Theorem gain_by_sums_and_largest_sees_no_empty_class F g r K k (size_score : ('I_r -> R) -> R)
    (t : 'I_r -> 'I_K.+2 -> R) :
  (forall m, g m 0 = 0) -> (forall x y, x =1 y -> size_score x = size_score y) -> counts t ->
  (forall i, t i k = 0) ->
  let gain K (u : 'I_r -> 'I_K.+1 -> R) :=
    decrease (of_sum_and_largest F g (K := K)) u / size_score (fun i => defs.size (u i)) in
  gain K.+1 t = gain K (without_class k t).
Proof.
move=> g0 ext t0 z gain; rewrite /gain; congr (_ / _); last first.
  by apply: ext => i; rewrite /defs.size (drop_sum (z i)).
apply: decrease_without_class => // [p pk p0|p q e].
  by rewrite /of_sum_and_largest -(largest_without pk p0) (@drop_sum _ _ k) // pk.
by rewrite /of_sum_and_largest (largest_ext e); congr (F _ _); apply: eq_bigr => j _; rewrite e.
Qed.

(* The sum of minorities is the same without a class of which there are no examples. *)
Theorem py_sum_minority_sees_no_empty_class r K k (t : 'I_r -> 'I_K.+2 -> R) : counts t -> (forall i, t i k = 0) ->
  py_sum_minority t = py_sum_minority (without_class k t).
Proof.
move=> t0 z; have sizes i : \sum_j t i j = \sum_j without_class k t i j by rewrite (drop_sum (z i)).
rewrite /py_sum_minority; under eq_bigr do rewrite sizes -/(largest (t _)) (largest_without (z _) (t0 _)).
by under [X in if X == 0 then _ else X]eq_bigr do rewrite sizes.
Qed.

(* Gini's impurity, entropy with any logarithm, Matushita's with any root, the sum of min(p, 1 - p), misclassification
   and generalised cross-entropy of q = 1/2 are made so, and their terms are 0 of an empty class. *)
Theorem py_impurities_are_of_sums_and_largest (log sqrt : R -> R) K (p : 'I_K.+1 -> R) : sqrt 0 = 0 ->
  let same F g x := x = of_sum_and_largest F g p /\ forall m, g m 0 = 0 in
  [/\ same (fun _ s => 1 - s) (fun _ x => x * x) (py_gini p),
      same (fun _ s => - s) (fun _ x => xlogx log x) (py_entropy log p),
      same (fun _ s => s) (fun _ x => sqrt (x * (1 - x))) (py_matushita sqrt p),
      same (fun _ s => s) (fun _ x => Num.min x (1 - x)) (py_bayes_sum p)
    & same (fun m _ => 1 - m) (fun _ _ => 0) (py_misclassification p)
      /\ same (fun m s => (1 - m * sqrt s) / (1 / 2%:R)) (fun m x => (x / m) ^+ 2) (py_gce_half sqrt p)].
Proof.
move=> s0 same; split; last by split; split=> // m; rewrite mul0r expr0n.
- by split=> // m; rewrite mul0r.
- by split=> // m; rewrite /xlogx eqxx.
- by split=> // m; rewrite mul0r.
by split=> // m; rewrite subr0 min_l ?ler01.
Qed.
End Empty.

(* an instance: the table of ones with an empty class, and the identity as a root *)
Example empty_class_of_ones (R : realFieldType) : let t : 'I_2 -> 'I_3 -> R := fun _ k => if k == 0 then 0 else 1 in
  [/\ counts t, forall i, t i 0 = 0 & (fun x : R => x) 0 = 0].
Proof. by split=> // i k /=; case: ifP => _; rewrite ?ler01. Qed.

(* Gains as they are printed in shares, of tables of any size, and what a division of rows adds to any of them. *)
Section Shares.
Variables (R : realFieldType) (r K : nat) (t : 'I_r -> 'I_K -> R).
Local Notation a i := (defs.size (t i)).
Local Notation n := (whole t).
Hypotheses (a0 : forall i, a i != 0) (n0 : n != 0).

Lemma decrease_in_shares (phi : ('I_K -> R) -> R) : extensional phi ->
  decrease phi t = phi (fun k => node t k / n) - \sum_i a i / n * phi (fun k => t i k / a i).
Proof.
move=> ext; rewrite /decrease (negPf n0) mulrBl mulr_suml; congr (_ - _).
  by rewrite mulrAC mulfV // mul1r; apply: ext => k; rewrite /shares (negPf n0).
apply: eq_bigr => i _; rewrite mulrAC; congr (_ * _).
by apply: ext => k; rewrite /shares (negPf (a0 i)).
Qed.

(* Gini's gain in the shares of the classes in the node and in the rows, as it is printed. *)
Theorem py_gini_gain_in_shares : py_decrease_gini t = 1 - \sum_k (node t k / n) ^+ 2
  - \sum_i a i / n * \sum_k t i k / a i * (1 - t i k / a i).
Proof.
rewrite py_decrease_giniE decrease_in_shares; last exact: gini_ext.
have row i : gini (fun k => t i k / a i) = \sum_k t i k / a i * (1 - t i k / a i).
  have one : 1 = \sum_k t i k / a i by rewrite -mulr_suml -/(a i) mulfV.
  by rewrite /gini {1}one -sumrB; apply: eq_bigr => k _; ring.
have whole_of : gini (fun k => node t k / n) = 1 - \sum_k (node t k / n) ^+ 2.
  by rewrite /gini; congr (_ - _); apply: eq_bigr => k _; rewrite expr2.
by rewrite whole_of; congr (_ + - _); apply: eq_bigr => i _; rewrite row.
Qed.

(* The information gain in the same shares, with any logarithm. *)
Theorem py_entropy_gain_in_shares log : py_decrease_entropy log t =
  \sum_i a i / n * (\sum_k xlogx log (t i k / a i)) - \sum_k xlogx log (node t k / n).
Proof.
rewrite py_decrease_entropyE decrease_in_shares; last exact: entropy_ext.
rewrite addrC -sumrN; congr (_ + _); apply: eq_bigr => i _.
by rewrite -mulrN opprK.
Qed.
End Shares.

Section Refined.
Variables (R : realFieldType) (K r s : nat) (phi : ('I_K -> R) -> R).

(* What a division of rows in parts adds to the gain of any impurity is the gain inside the rows, each times its share. *)
Theorem gain_adds_of_refinement (f : 'I_s -> 'I_r) (u : 'I_s -> 'I_K -> R) : extensional phi -> counts u ->
  0 < whole u ->
  decrease phi u = decrease phi (merged f u)
    + \sum_i defs.size (merged f u i) / whole u * decrease phi (parts f u i).
Proof. by move=> ext u0; exact: refinement. Qed.
End Refined.

(* an instance: the table of ones *)
Example table_of_ones (R : realFieldType) : let t : 'I_2 -> 'I_3 -> R := fun _ _ => 1 in
  (forall i, defs.size (t i) != 0) /\ whole t != 0.
Proof.
by rewrite /= /whole /defs.size; split=> [i|]; rewrite !sumr_const !card_ord -?mulrnA pnatr_eq0.
Qed.
