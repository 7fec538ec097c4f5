(* Which channels keep the Gini gain, and which noise symmetric losses bear; about the library's own code. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs noise core generated tie evaluate channels channels_gains channels_risk.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* a channel that acts on differences of distributions as an isometry times the root of c *)
Definition isometric (R : realFieldType) K (S : 'I_K -> 'I_K -> R) (c : R) :=
  forall d : 'I_K -> R, \sum_k d k = 0 -> \sum_k py_on_distribution S d k ^+ 2 = c * \sum_k d k ^+ 2.

(* in row j the diagonal exceeds every other entry *)
Definition dominant (R : realFieldType) K (S : 'I_K -> 'I_K -> R) (j : 'I_K) := forall k, k != j -> S j k < S j j.

Section Dominant.
Variable R : realFieldType.

(* Symmetric noise on K classes turns the Gini impurity G of a distribution into f^2 G + (1 - f^2)(1 - 1/K) with
   f = 1 - K eta/(K - 1). *)
Theorem gini_is_affine_of_symmetric_noise K (p : 'I_K -> R) eta : (1 < K)%N -> \sum_k p k = 1 ->
  py_gini (py_on_distribution (py_symmetric eta) p)
  = shrinks K eta ^+ 2 * py_gini p + (1 - shrinks K eta ^+ 2) * (1 - K%:R^-1).
Proof. exact: gini_on_symmetric. Qed.

(* At the rate (K - 1)/K symmetric noise makes every distribution uniform. *)
Theorem uniform_of_largest_symmetric_noise K (p : 'I_K -> R) k : (1 < K)%N -> \sum_k p k = 1 ->
  py_on_distribution (py_symmetric ((K%:R - 1) / K%:R)) p k = K%:R^-1.
Proof.
move=> K1 p1; rewrite py_on_distributionE on_py_symmetricE // p1 mulr1 /shrinks.
have K0 : K%:R != 0 :> R by rewrite pnatr_eq0; case: K K1 {p p1 k}.
by move: (K%:R : R) (p k) K0 (natB1_neq0 R K1) => m x m0 m1; field; rewrite m0 m1.
Qed.

Lemma affine_of_isometric K (S : 'I_K -> 'I_K -> R) c : (0 < K)%N -> isometric S c ->
  exists l : 'I_K -> R, forall p : 'I_K -> R, \sum_k p k = 1 ->
  py_gini (py_on_distribution S p) = c * py_gini p + \sum_k l k * p k.
Proof.
move=> K0 iso; have Kn : K%:R != 0 :> R by rewrite pnatr_eq0 -lt0n.
pose u (k : 'I_K) : R := K%:R^-1; pose m := py_on_distribution S u.
pose a := 1 - c + \sum_k m k ^+ 2 + c / K%:R.
exists (fun k => a - 2%:R * \sum_j m j * S k j) => p p1.
have u1 : \sum_k u k = 1 by rewrite sumr_const card_ord -[_^-1 *+ _]mulr_natl mulfV.
have lin k : py_on_distribution S (fun k => p k - u k) k = py_on_distribution S p k - m k.
  by rewrite /m /py_on_distribution -sumrB; apply: eq_bigr => j _; rewrite mulrBl.
have := iso (fun k => p k - u k); rewrite sumrB p1 u1 subrr => /(_ erefl).
rewrite (eq_bigr (fun k => py_on_distribution S p k * py_on_distribution S p k
    + (- (2%:R * (m k * py_on_distribution S p k)) + m k ^+ 2))); last by move=> k _; rewrite lin; ring.
rewrite big_split big_split /= sumrN -mulr_sumr.
rewrite [\sum_k (p k - u k) ^+ 2](eq_bigr (fun k => p k * p k + (- 2%:R * K%:R^-1) * p k + K%:R^-1 * K%:R^-1)).
  2: by move=> k _; rewrite /u; ring.
rewrite !big_split /= -mulr_sumr p1 sumr_const card_ord -[_ * _ *+ _]mulr_natl.
have -> : \sum_k (a - 2%:R * (\sum_j m j * S k j)) * p k = a - 2%:R * \sum_k m k * py_on_distribution S p k.
  rewrite (eq_bigr (fun k => a * p k - 2%:R * (\sum_j m j * (p k * S k j)))); last first.
    move=> k _; rewrite mulrBl; congr (_ - _); rewrite -mulrA; congr (_ * _); rewrite mulr_suml.
    by apply: eq_bigr => j _; rewrite -mulrA [S k j * _]mulrC.
  rewrite sumrB -!mulr_sumr p1 mulr1 exchange_big /=; congr (_ - _ * _); apply: eq_bigr => j _.
  by rewrite -mulr_sumr.
rewrite /py_gini /a; set mm := \sum_k m k ^+ 2; set pp := \sum_k p k * p k.
set mp := \sum_k m k * py_on_distribution S p k.
set q := \sum_k _ * py_on_distribution S p k; move: pp mp mm q (K%:R : R) Kn => pp mp mm q n n0 e.
have -> : q = c * (pp + - 2%:R * n^-1 * 1 + n * (n^-1 * n^-1)) - mm + 2%:R * mp.
  by rewrite -e; ring.
by field.
Qed.

(* Noise multiplies the Gini gain of all splits, of any number of rows, by one factor c if its channel acts on
   differences of distributions as an isometry times the root of c. *)
Theorem gini_gain_rescales_of_isometric_channel r K (S : 'I_K -> 'I_K -> R) c (t : 'I_r -> 'I_K -> R) : (0 < K)%N ->
  stochastic S -> isometric S c -> counts t -> py_decrease_gini (py_expected S t) = c * py_decrease_gini t.
Proof.
move=> K0 [_ S1] iso t0; have [l aff] := affine_of_isometric K0 iso.
apply: (@gain_of_rescaled R r K _ (@py_gini R K) _ l) => [p q e|//|p _ p1|//]; [exact: gini_ext | exact: aff].
Qed.

Definition opposite K (u d : 'I_K -> R) (i : 'I_2) (k : 'I_K) : R := if i == 0 then u k + d k else u k - d k.

Lemma gain_of_opposite K (u d : 'I_K -> R) : \sum_k d k = 0 -> \sum_k u k != 0 ->
  py_decrease_gini (opposite u d) = (\sum_k d k ^+ 2) / (\sum_k u k) ^+ 2.
Proof.
move=> d0; set m := \sum_k u k => m0.
have sz i : size (opposite u d i) = m.
  rewrite /size /opposite; case: (class_of_two i) => -> /=; first by rewrite big_split /= d0 addr0.
  by rewrite sumrB d0 subr0.
have wh : whole (opposite u d) = 2%:R * m by rewrite /whole sum2 !sz; ring.
have w0 : whole (opposite u d) != 0 by rewrite wh mulf_neq0 // pnatr_eq0.
rewrite py_decrease_giniE gini_gain_is_spread // => [|i]; last by rewrite sz.
have e i : \sum_k (shares (opposite u d i) (size (opposite u d i)) k
    - shares (node (opposite u d)) (whole (opposite u d)) k) ^+ 2 = (\sum_k d k ^+ 2) / m ^+ 2.
  rewrite mulr_suml; apply: eq_bigr => k _; rewrite /shares (negPf w0) sz (negPf m0) wh /node sum2 /opposite /=.
  by move: (u k) (d k) => x z; case: ifP => _; field; rewrite m0.
rewrite sum2 !e !sz wh; set s := \sum_k _; by field; rewrite m0.
Qed.

(* Conversely a channel that multiplies the Gini gain of all splits in two by one factor acts on differences of
   distributions as an isometry times the root of that factor. *)
Theorem isometric_of_rescaled_gini_gain K (S : 'I_K -> 'I_K -> R) c : (0 < K)%N -> stochastic S ->
  (forall t : 'I_2 -> 'I_K -> R, counts t -> py_decrease_gini (py_expected S t) = c * py_decrease_gini t) ->
  isometric S c.
Proof.
move=> K0 [S0 S1] all d d0; pose b := 1 + \sum_k `|d k|.
have b0 : 0 < b by rewrite ltr_spaddl ?ltr01 // sumr_ge0.
have keeps (p : 'I_K -> R) : \sum_k py_on_distribution S p k = \sum_k p k.
  by rewrite exchange_big /=; apply: eq_bigr => j _; rewrite -mulr_sumr S1 mulr1.
pose u (k : 'I_K) := b; have u0 : \sum_k u k != 0.
  by rewrite sumr_const card_ord -mulr_natl mulf_neq0 ?pnatr_eq0 -?lt0n // gt_eqF.
have ok : counts (opposite u d).
  have le k : `|d k| <= b.
    by rewrite /b (bigD1 k) //= addrCA ler_addl addr_ge0 ?ler01 ?sumr_ge0.
  move=> i k; rewrite /opposite /u; have := le k; rewrite ler_norml => /andP[lo hi].
  by case: ifP => _; [rewrite -ler_subl_addl sub0r | rewrite subr_ge0].
have := all _ ok; rewrite gain_of_opposite //.
have -> : py_decrease_gini (py_expected S (opposite u d))
    = py_decrease_gini (opposite (py_on_distribution S u) (py_on_distribution S d)).
  apply: decrease_gini_ext => i k; rewrite /opposite /py_expected /py_on_distribution.
  case: ifP => _; rewrite -?sumrB -?big_split; apply: eq_bigr => j _; by rewrite ?mulrBl ?mulrDl.
rewrite gain_of_opposite ?keeps // mulrA => /(congr1 (fun z => z * (\sum_k u k) ^+ 2)).
by rewrite !mulfVK ?expf_neq0.
Qed.

(* Noise of class j under which the diagonal of row j is the largest entry: of a loss whose costs sum to C and are at
   most C/(K - 1), an action that costs 0 in class j has less noisy risk than any that costs something there. *)
Theorem zero_cost_action_stays_best_of_dominant_row K (S : 'I_K -> 'I_K -> R) (cost other : 'I_K -> R) C j :
  (1 < K)%N -> stochastic S -> dominant S j -> \sum_k cost k = C -> \sum_k other k = C ->
  (forall k, cost k <= C / (K%:R - 1)) -> (forall k, other k <= C / (K%:R - 1)) ->
  cost j = 0 -> 0 < other j -> py_risk cost (S j) < py_risk other (S j).
Proof.
move=> K1 [S0 S1] dom cC oC cm om c0 oj; rewrite !py_riskE.
have K10 := natB1_neq0 R K1; set m := C / (K%:R - 1) in cm om.
have rest (h : 'I_K -> R) : \sum_k h k = C -> \sum_(k | k != j) (m - h k) = h j.
  move=> hC; rewrite sumrB sumr_const cardC1 card_ord -[_ *+ _]mulr_natr -subn1 natrB; last exact: ltnW.
  rewrite /m divfK //; have := hC; rewrite (bigD1 j) //= => <-.
  by rewrite addrK.
have tight k : k != j -> cost k = m.
  move=> kj; apply/eqP; rewrite eq_le cm /= -subr_le0 -c0 -(rest cost cC) (bigD1 k) //= ler_addl.
  by rewrite sumr_ge0 // => i _; rewrite subr_ge0.
have form (h : 'I_K -> R) : \sum_k h k = C ->
    \sum_k S j k * h k = m * (1 - S j j) + \sum_(k | k != j) (S j j - S j k) * (m - h k).
  move=> hC; rewrite (eq_bigr (fun k => S j j * (m - h k) - S j k * (m - h k)) (P := fun k => k != j)); last first.
    by move=> k _; rewrite mulrBl.
  rewrite sumrB -mulr_sumr rest // (bigD1 j) //=.
  have -> : 1 - S j j = \sum_(k | k != j) S j k by rewrite -[X in X - _](S1 j) (bigD1 j) //= addrC addKr.
  rewrite [X in _ = _ + (_ - X)](eq_bigr (fun k => m * S j k - S j k * h k)); last by move=> k _; ring.
  by rewrite sumrB -mulr_sumr; set A := \sum_(_ | _) _; set B := \sum_(_ | _) _; ring.
rewrite !form // ltr_add2l big1 => [|k kj]; last by rewrite tight // subrr mulr0.
have ge k : k != j -> 0 <= (S j j - S j k) * (m - other k).
  by move=> kj; rewrite mulr_ge0 // subr_ge0 // ltW // dom.
rewrite lt_neqAle sumr_ge0 // andbT eq_sym; apply/negP => /eqP z.
have all0 := psumr_eq0P ge z; move: oj; rewrite -(rest other oC) big1 ?ltxx // => k kj.
by have /eqP := all0 k kj; rewrite mulf_eq0 gt_eqF ?subr_gt0 ?dom // => /eqP.
Qed.

(* hypotheses that hold, closed by computation *)
Example isometric_instance : let t := counts_of R 2 3 [:: [:: 3; 1; 0]; [:: 1; 2; 1]]%N in
  [/\ stochastic (@py_symmetric R 3 (1 / 4%:R)), isometric (@py_symmetric R 3 (1 / 4%:R)) (shrinks 3 (1 / 4%:R) ^+ 2),
      counts t & py_decrease_gini (py_expected (py_symmetric (1 / 4%:R)) t) = 25%:R / 64%:R * py_decrease_gini t].
Proof.
split; [exact: symmetric_is_stochastic (rate_instance R) | | exact: counts_given | evaluate].
move=> d d0; rewrite mulr_sumr; apply: eq_bigr => k _.
by rewrite py_on_distributionE on_py_symmetricE // d0 mulr0 addr0 exprMn.
Qed.

Example dominant_instance : let m := 2%:R / (3%:R - 1) : R in
  let cost := py_zero_one (sure R (0 : 'I_3)) in let other := py_zero_one (sure R (1 : 'I_3)) in
  [/\ dominant (@py_symmetric R 3 (1 / 4%:R)) 0, \sum_k cost k = 2%:R & \sum_k other k = 2%:R] /\
  [/\ forall k, cost k <= m, forall k, other k <= m, cost 0 = 0 & 0 < other 0].
Proof.
have two j : \sum_k py_zero_one (sure R (j : 'I_3)) k = 2%:R.
  by rewrite cost_sum_of_zero_one_of_sure_action; evaluate.
have most j k : py_zero_one (sure R (j : 'I_3)) k <= 2%:R / (3%:R - 1).
  by rewrite (_ : _ / _ = 1); [rewrite /py_zero_one; case: ifP; rewrite ?ler01 | evaluate].
split; split=> //; try by cbv zeta; rewrite /sure; evaluate.
by move=> k; case: (class_of_three k) => -> // _; evaluate.
Qed.
End Dominant.
