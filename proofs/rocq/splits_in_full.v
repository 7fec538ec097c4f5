(* What is tested on small nodes, for all of them: importances, shares, splits, and what noise keeps of them. *)
From mathcomp Require Import all_ssreflect perm ssralg ssrnum ssrint zmodp.
From mathcomp Require Import ring.
From splitcrit Require Import defs null flips core risk generated tie vertices moments_in_full factorial vertex.
From splitcrit Require Import channels channels_flips channels_risk all_sizes sgini pvalues.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Importances of the nodes of a tree: they add up to what the root has and the leaves do not. *)
Section Importances.
Variable R : zmodType.
(* a node has n times its impurity, and children; a leaf has none *)
Inductive weighed_tree := Weighed (own : R) (children : seq weighed_tree).
Definition own_impurity t : R := let: Weighed x _ := t in x.
(* what a divided node adds is what it has less what its children have; the importances of all nodes *)
Fixpoint importances t : R :=
  let: Weighed x cs := t in
  (if nilp cs then 0 else x - \sum_(y <- map own_impurity cs) y) + \sum_(y <- map importances cs) y.
Fixpoint of_leaves t : R := let: Weighed x cs := t in if nilp cs then x else \sum_(y <- map of_leaves cs) y.

(* Whatever the impurity and the tree, the importances of all nodes add up to n times the impurity of the root less n
   times that of each leaf. *)
Theorem importances_add_up_to_impurity_less_that_of_leaves : forall t : weighed_tree,
  importances t = own_impurity t - of_leaves t.
Proof.
fix IH 1; case=> x cs.
have each : \sum_(y <- map importances cs) y = \sum_(y <- map own_impurity cs) y - \sum_(y <- map of_leaves cs) y.
  by elim: cs => [|c cs IHcs]; rewrite ?big_nil ?subr0 //= !big_cons IHcs IH opprD addrACA.
case: cs each => [|c cs] each; first by rewrite /= big_nil addr0 subrr.
by rewrite /= in each *; rewrite each addrA subrK.
Qed.
End Importances.

(* A root of impurity 3 with two leaves of impurity 1. *)
Example importances_of_three : importances (Weighed (3 : int) [:: Weighed 1 [::]; Weighed 1 [::]]) = 1.
Proof. by rewrite /= !big_cons !big_nil !addr0. Qed.

(* The product of the shares of two classes after noise, and the mean of the information gain: for every size. *)
Section Shares.
Variables (R : realFieldType) (T : finType) (y : T -> 'I_2) (eta : R).
Hypothesis some : (0 < #|T|)%N.
Local Notation n := (#|T|%:R : R).
Lemma over_two (F : 'I_2 -> R) : \sum_l F l = F 0 + F 1.
Proof. by rewrite !big_ord_recl big_ord0 addr0; congr (_ + F _); apply: val_inj. Qed.
(* the share of positives, class 1, of labels *)
Definition positives (s : T -> 'I_2) : R := #|[pred u | s u == 1]|%:R / n.

(* The mean over symmetric noise of the product of the shares of both classes is the product of the shares that noise
   expects, less eta (1 - eta) / n, at every sample size n. *)
Theorem py_product_of_shares_has_mean_below_limit :
  let p := py_on_distribution (py_symmetric eta) (fun k : 'I_2 => if k == 1 then positives y else 1 - positives y) 1 in
  expectation y (py_symmetric eta) (fun s => positives s * (1 - positives s)) = p * (1 - p) - eta * (1 - eta) / n.
Proof.
have n0 : n != 0 by rewrite pnatr_eq0 -lt0n.
have symE (j l : 'I_2) : py_symmetric eta j l = if j == l then 1 - eta else eta :> R.
  by rewrite /py_symmetric (_ : 2%:R - 1 = 1) ?divr1 //; ring.
have two (l : 'I_2) : l = 0 \/ l = 1 by case: l => [[|[|]]] // h; [left|right]; apply: val_inj.
have stochastic (j : 'I_2) : \sum_l py_symmetric eta j l = 1 :> R.
  by rewrite over_two !symE; case: (two j) => -> /=; ring.
pose pi u : R := py_symmetric eta (y u) 1.
have piE u : pi u * (1 - pi u) = eta * (1 - eta) by rewrite /pi symE; case: (two (y u)) => -> /=; ring.
have counted (s : T -> 'I_2) : positives s * n = \sum_u (s u == 1)%:R.
  by rewrite /positives divfK // -sum1_card natr_sum big_mkcond; apply: eq_bigr => u _; rewrite inE; case: (_ == _).
have products (a b : T -> R) : (\sum_u a u) * (\sum_u b u) = D2 (fun u v => a u * b v) + \sum_u a u * b u.
  rewrite mulr_suml /D2 -big_split; apply: eq_bigr => u _ /=; rewrite mulr_sumr (bigD1 u) //= addrC.
  by congr (_ + _); apply: eq_bigl.
have p_eta : py_on_distribution (py_symmetric eta) (fun k : 'I_2 => if k == 1 then positives y else 1 - positives y) 1 * n
    = \sum_u pi u.
  have -> : \sum_u pi u = \sum_u ((1 - 2%:R * eta) * (y u == 1)%:R + eta).
    by apply: eq_bigr => u _; rewrite /pi symE; case: (y u == 1); rewrite ?mulr0n ?mulr1n; ring.
  rewrite big_split -mulr_sumr -counted sum_const /=.
  by rewrite /py_on_distribution over_two !symE /=; ring.
move=> p; rewrite -/p in p_eta.
have pair s : positives s * (1 - positives s) = (2%:R * n ^+ 2)^-1 * (D2 (fun u v => 1 - (if s u == s v then 1 else 0))).
  have : positives s * n * (n - positives s * n) = D2 (fun u v => (s u == 1)%:R * (1 - (s v == 1)%:R)).
    have nE : n - positives s * n = \sum_u (1 - (s u == 1)%:R).
      by rewrite sumrB -counted sum_const mulr1.
    rewrite nE counted products [X in _ + X]big1 ?addr0 // => u _; by case: (_ == _); rewrite ?mulr0n ?mulr1n; ring.
  have swap : D2 (fun u v => (s u == 1)%:R * (1 - (s v == 1)%:R)) = D2 (fun u v => (s v == 1)%:R * (1 - (s u == 1)%:R)) :> R.
    rewrite /D2 !(eq_bigr _ (fun u _ => big_mkcond _ _)) exchange_big /=; apply: eq_bigr => u _.
    by rewrite [RHS]big_mkcond; apply: eq_bigr => v _; rewrite eq_sym.
  have both : D2 (fun u v => 1 - (if s u == s v then 1 else 0)) = 2%:R * D2 (fun u v => (s u == 1)%:R * (1 - (s v == 1)%:R)) :> R.
    rewrite mulr_natl mulr2n {2}swap -D2_add; apply: D2_ext => u v _.
    by case: (two (s u)) => ->; case: (two (s v)) => ->; rewrite /= ?mulr0n ?mulr1n; ring.
  by rewrite both => <-; field; rewrite n0 ?pnatr_eq0.
rewrite (expectation_ext _ _ pair) expectation_scale expectation_D2.
have differ u v : v != u -> expectation y (py_symmetric eta) (fun s => 1 - (if s u == s v then 1 else 0))
    = pi u * (1 - pi v) + pi v * (1 - pi u).
  move=> uv; rewrite (expectation_ext _ _ (G := fun s => 1 + -1 * (if s u == s v then 1 else 0))) => [|s]; last by ring.
  rewrite expectation_add expectation_scale expectation1 // expectation_same // over_two /pi.
  by rewrite !symE; case: (two (y u)) => ->; case: (two (y v)) => -> /=; ring.
rewrite (D2_ext differ) D2_add.
have one : D2 (fun u v => pi u * (1 - pi v)) = p * n * (n - p * n) - n * (eta * (1 - eta)).
  have := products pi (fun v => 1 - pi v); rewrite sumrB sum_const mulr1 -p_eta => ->.
  by rewrite (eq_bigr _ (fun u _ => piE u)) sum_const addrK.
have other : D2 (fun u v => pi v * (1 - pi u)) = p * n * (n - p * n) - n * (eta * (1 - eta)).
  have := products (fun v => 1 - pi v) pi; rewrite sumrB sum_const mulr1 -p_eta.
  rewrite (eq_bigr (fun=> eta * (1 - eta))) => [e|u _]; last by rewrite mulrC piE.
  rewrite (D2_ext (G := fun u v => (1 - pi u) * pi v)) => [|u v _]; last exact: mulrC.
  by apply: (addIr (\sum_(u : T) eta * (1 - eta))); rewrite -e sum_const; ring.
by rewrite one other; field; rewrite n0 ?pnatr_eq0.
Qed.
End Shares.

Section Entropy.
Variables (R : realFieldType) (log : R -> R) (T : finType) (r K : nat) (f : T -> 'I_r) (y : T -> 'I_K).
Hypothesis some : (0 < #|T|)%N.
Hypothesis rows_occur : forall i, (0 < #|[pred u | f u == i]|)%N.
Local Notation n := (#|T|%:R : R).
Local Notation a i := #|[pred u | f u == i]|.
Local Notation b j := #|[pred u | y u == j]|.
(* what x observations of a class in a row of a observations add: (x / N) log (x / a), 0 of none *)
Definition added (a x : nat) : R := if x == 0%N then 0 else x%:R / n * log (x%:R / a%:R).

(* The information gain is the entropy of the classes plus the sum over cells of (n / N) log (n / a_i); its mean over all
   permutations of the labels is the entropy plus the mean of that sum by the hypergeometric law of each cell. *)
Theorem py_entropy_mean_of_permutation : let entropy_of_classes := py_entropy log (fun j => (b j)%:R / n) in
  (forall s, py_decrease_entropy log (table R f y s)
    = entropy_of_classes + \sum_i \sum_j added (a i) #|[pred u | (f u == i) && (y (s u) == j)]|)
  /\ mean (fun s => py_decrease_entropy log (table R f y s))
    = entropy_of_classes
      + \sum_i \sum_j \sum_(x < #|T|.+1) hypergeometric R #|T| (b j) (a i) x * added (a i) x.
Proof.
move=> H; have n0 : n != 0 by rewrite pnatr_eq0 -lt0n.
have gain s : py_decrease_entropy log (table R f y s)
    = H + \sum_i \sum_j added (a i) #|[pred u | (f u == i) && (y (s u) == j)]|.
  have -> : py_decrease_entropy log (table R f y s) = decrease (@py_entropy R log K) (table R f y s) by [].
  rewrite /decrease whole_table (negPf n0) mulrBl mulrAC divff // mul1r; congr (_ + _).
    by rewrite /H /py_entropy; congr (- _); apply: eq_bigr => j _; rewrite /shares (negPf n0) node_table.
  rewrite mulr_suml -sumrN; apply: eq_bigr => i _; have ai := a0 R rows_occur i.
  rewrite size_table /py_entropy mulrN mulNr opprK mulr_sumr mulr_suml; apply: eq_bigr => j _.
  rewrite /shares (negPf ai) /xlogx /added /table mulf_eq0 invr_eq0 (negPf ai) orbF pnatr_eq0; case: eqP => _.
    by rewrite mulr0 mul0r.
  by rewrite /total_of; move: ai; rewrite /total_of; move: (log _) => l; move: (_%:R) => c c0; field; rewrite n0 c0.
split=> //; rewrite (mean_ext gain) mean_add mean_const; congr (_ + _).
rewrite /mean exchange_big mulr_suml; apply: eq_bigr => i _; rewrite exchange_big mulr_suml; apply: eq_bigr => j _.
have f0 := nfact0 R T.
have few s : (#|[pred u | (f u == i) && (y ((s : {perm T}) u) == j)]| < #|T|.+1)%N by rewrite ltnS max_card.
rewrite (partition_big (fun s => Ordinal (few s)) xpredT) //= mulr_suml; apply: eq_bigr => x _.
rewrite (eq_bigr (fun=> added (a i) x)) => [|s /eqP <-] //.
have := @cell_is_hypergeometric_of_permutation R T (fun u => f u == i) (fun u => y u == j) x => e.
apply: (mulIf f0); rewrite sumr_const divfK // -[LHS]mulr_natl [RHS]mulrAC -e; congr (_%:R * _); apply: eq_card => s; rewrite !inE /=; exact: val_eqE.
Qed.
End Entropy.

(* One observation. *)
Example one_observation : (0 < #|[finType of 'I_1]|)%N.
Proof. by rewrite card_ord. Qed.

(* What noise keeps of splits and best splits, best splits of concave impurities, and moments of tables of permuted
   labels: what is tested on small nodes, for all of them. *)
Section Noise.
Variable R : realFieldType.
Local Notation after eta t := (py_expected (py_symmetric eta) t).

Lemma scaled_eq0 (c x : R) : c != 0 -> (c * x = 0) <-> (x = 0).
Proof. by move=> c0; split=> [/eqP|->]; rewrite ?mulr0 // mulf_eq0 (negPf c0) => /eqP. Qed.
Lemma half_rate (eta : R) : eta != 1 / 2%:R -> 1 - 2%:R * eta != 0.
Proof.
move=> e; rewrite subr_eq0 eq_sym; apply: contra e => /eqP e.
by apply/eqP; apply: (canRL (mulfK _)); rewrite ?pnatr_eq0 // mulrC.
Qed.

(* For Gini, misclassification and twoing a split has no gain in the expected table after uniform noise of a rate below
   (K - 1) / K, or for two classes of any rate but 1/2, exactly if it has none before. *)
Theorem zero_gain_is_kept_of_uniform_noise r K (t : 'I_r -> 'I_K.+2 -> R) (u : 'I_2 -> 'I_K.+2 -> R) eta : counts t ->
  eta < (K.+2%:R - 1) / K.+2%:R \/ K = 0%N /\ eta != 1 / 2%:R ->
  [/\ py_decrease_gini (after eta t) = 0 <-> py_decrease_gini t = 0,
      py_decrease_misclassification (after eta t) = 0 <-> py_decrease_misclassification t = 0
    & py_twoing (after eta u) = 0 <-> py_twoing u = 0].
Proof.
move=> t0 rate.
have s0 : shrinks K.+2 eta != 0.
  case: rate => [lt|[K0 /half_rate ne]]; first by rewrite gt_eqF // shrinks_gt0.
  by rewrite /shrinks K0 (_ : 2%:R - 1 = 1) ?divr1 //; ring.
have sq : shrinks K.+2 eta ^+ 2 != 0 by rewrite expf_neq0.
rewrite twoing_rescales_of_symmetric_noise // py_expectedE py_gini_gain_rescales_of_symmetric //; split; try exact: scaled_eq0.
case: rate => [lt|[K0 ne]].
  by rewrite -py_expectedE misclassification_gain_rescales_of_symmetric_noise ?ltW //; exact: scaled_eq0.
move: K0 t t0 {u s0 sq} => -> t t0; rewrite -py_expectedE misclassification_gain_rescales_of_two_class_symmetric_noise //.
by apply: scaled_eq0; rewrite normr_eq0 half_rate.
Qed.

Lemma scaled_best (X : Type) (S : X -> Prop) (f g : X -> R) c x : 0 < c -> (forall y, g y = c * f y) ->
  (forall y, S y -> g y <= g x) <-> (forall y, S y -> f y <= f x).
Proof. by move=> c0 e; split=> best y /best; rewrite !e ler_pmul2l. Qed.

(* With two classes a split is one of the best of any splits by the Gini gain, by misclassification or by twoing after
   uniform noise of a rate other than 1/2, in expectation, exactly if it is before. *)
Theorem best_splits_are_kept_of_symmetric (S : ('I_2 -> 'I_2 -> R) -> Prop) (t : 'I_2 -> 'I_2 -> R) eta :
  (forall u, S u -> counts u) -> S t -> eta != 1 / 2%:R ->
  let best score := forall u, S u -> score u <= score t in
  [/\ best (fun u => py_decrease_gini (after eta u)) <-> best (@py_decrease_gini R 2 2),
      best (fun u => py_decrease_misclassification (after eta u)) <-> best (@py_decrease_misclassification R 2 1)
    & best (fun u => py_twoing (after eta u)) <-> best (@py_twoing R 2)].
Proof.
move=> S0 St /half_rate ne best; have n0 : 0 < `|1 - 2%:R * eta| by rewrite normr_gt0.
have s0 : 0 < shrinks 2 eta ^+ 2.
  by rewrite exprn_even_gt0 //= /shrinks (_ : 2%:R - 1 = 1) ?divr1 //; ring.
split; first by apply: (scaled_best _ _ s0) => u; rewrite py_expectedE py_gini_gain_rescales_of_symmetric.
  have e u : S u -> py_decrease_misclassification (after eta u) = `|1 - 2%:R * eta| * py_decrease_misclassification u.
    by move=> /S0; exact: misclassification_gain_rescales_of_two_class_symmetric_noise.
  by split=> h u Su; have := h u Su; rewrite !e // ler_pmul2l.
by apply: (scaled_best _ _ s0) => u; rewrite twoing_rescales_of_symmetric_noise.
Qed.
End Noise.

Section Best.
Variables (R : realFieldType) (K : nat) (phi : ('I_K -> R) -> R) (c : 'I_K -> R).
Hypotheses (ext : extensional phi) (conc : concave phi) (c0 : nonneg c).

(* The decrease of a concave impurity is convex in the shares of the classes that are sent left, and largest at a split
   that divides no class. *)
Theorem best_split_of_concave_impurity :
  (forall a al be, 0 <= a <= 1 -> cube al -> cube be ->
     decrease phi (split c (mixed a al be)) <= a * decrease phi (split c al) + (1 - a) * decrease phi (split c be))
  /\ exists v, forall al, cube al -> decrease phi (split c al) <= decrease phi (split c (undivided v)).
Proof.
split; last exact: concave_vertex.
move=> a x y /andP[a0 a1] cx cy; have b0 : 0 <= 1 - a by rewrite subr_ge0.
pose h al := weighted phi (fun k => al k * c k) + weighted phi (fun k => (1 - al k) * c k).
have nodeE be k : node (split c be) k = c k by rewrite /node sum2 /split /=; ring.
have wholeE be : whole (split c be) = defs.size c by rewrite -whole_node; apply: size_ext => k; exact: nodeE.
have decE be : decrease phi (split c be) = (weighted phi c - h be) / (if defs.size c == 0 then 1 else defs.size c).
  rewrite /decrease wholeE sum2; congr ((_ - _) / _); congr (_ * _); apply: ext => k.
  by rewrite /shares nodeE.
have le : a * h x + (1 - a) * h y <= h (mixed a x y).
  have scaled z t : weighted phi (fun k => t * (z k * c k)) = t * weighted phi (fun k => z k * c k) := weighted_scale ext _ _.
  rewrite /h !mulrDr addrACA -!(weighted_scale ext); apply: ler_add.
    rewrite (weighted_ext ext (al := fun k => mixed a x y k * c k) (be := fun k => a * (x k * c k) + (1 - a) * (y k * c k))).
      by apply: weighted_superadditive => // k; rewrite !mulr_ge0 //; [case/andP: (cx k)|case/andP: (cy k)].
    by move=> k; rewrite /mixed; ring.
  rewrite (weighted_ext ext (al := fun k => (1 - mixed a x y k) * c k)
                        (be := fun k => a * ((1 - x k) * c k) + (1 - a) * ((1 - y k) * c k))).
    by apply: weighted_superadditive => // k; rewrite !mulr_ge0 // subr_ge0; [case/andP: (cx k)|case/andP: (cy k)].
  by move=> k; rewrite /mixed; ring.
rewrite !decE !mulrA -mulrDl; apply: ler_wpmul2r.
  by rewrite invr_ge0; case: ifP => _; rewrite ?ler01 //; apply: sumr_ge0.
have -> : a * (weighted phi c - h x) + (1 - a) * (weighted phi c - h y) = weighted phi c - (a * h x + (1 - a) * h y).
  by ring.
by rewrite ler_add2l ler_opp2.
Qed.
End Best.

Section Degenerate.
Variables (R : rcfType) (T : finType) (r K : nat) (f : T -> 'I_r) (y : T -> 'I_K).
Hypothesis rows_occur : forall i, (0 < #|[pred u | f u == i]|)%N.
Variable d : R.
Hypothesis d0 : d != 0.
Local Notation a := (total_of R f).
Local Notation b := (total_of R y).
Local Notation pygain := (fun s => py_decrease_gini (table R f y s)).

(* Where the variance that the library returns is 0 SGini is 0, and the exact p-value 1: of every table the share of
   permutations whose Gini gain is at least as large. *)
Theorem sgini_is_0_and_pvalue_1_of_degenerate_margins : py_exact_variance a b d = 0 ->
  forall s : {perm T}, sgini_of f y d s = 0 /\ tail pygain s = 1.
Proof.
move=> v0 s; split; first by rewrite /sgini_of /py_sgini v0 eqxx.
have vE := py_exact_variance_is_variance_at_every_size y rows_occur d0; rewrite v0 in vE.
have nf0 := nfact0 R T.
have all_mean s' : pygain s' = mean pygain.
  have /eqP := vE; rewrite /mean mulf_eq0 invr_eq0 (negPf nf0) orbF psumr_eq0 => [|i _]; last exact: sqr_ge0.
  move=> /allP/(_ s'); rewrite mem_index_enum => /(_ isT); rewrite /= expf_eq0 /= subr_eq0 => /eqP e.
  by rewrite {1}e.
rewrite /tail /reaching (eq_card (B := {: {perm T}})) => [|s']; last by rewrite !inE !all_mean lexx.
rewrite divff // pnatr_eq0 -lt0n; apply/card_gt0P; by exists s.
Qed.
End Degenerate.
