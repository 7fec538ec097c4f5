(* What noise keeps of splits and best splits, best splits of concave impurities, and moments of tables of permuted
   labels: what is tested on small nodes, for all of them. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs distinct null gini_null factorial noise core risk vertex generated tie gains vertices.
From splitcrit Require Import channels channels_gains channels_two channels_risk all_sizes sgini pvalues.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

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
