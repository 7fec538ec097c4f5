(* Losses and their least risks on the simplex: concave impurities, minimised risks, and the losses of the library. *)
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint zmodp.
From mathcomp Require Import ring.
From splitcrit Require Import defs risk generated.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Concave impurities, minimised risks and the gains of splits, of the printed code. *)
Section Definitions.
Variable R : realFieldType.

(* the value depends on the shares alone *)
Definition extensional K (phi : ('I_K -> R) -> R) := forall p q, p =1 q -> phi p = phi q.

(* concave on the simplex of distributions *)
Definition concave K (phi : ('I_K -> R) -> R) := forall p q a,
  distribution p -> distribution q -> 0 <= a -> a <= 1 ->
  a * phi p + (1 - a) * phi q <= phi (fun k => a * p k + (1 - a) * q k).

(* a table of weights of classes in rows; rows may be empty *)
Definition weights r K (t : 'I_r -> 'I_K -> R) := forall i k, 0 <= t i k.

(* phi is the infimum of the library's risk over the actions that are allowed *)
Definition minimised_risk K W (ok : W -> Prop) (cost : W -> 'I_K -> R) (phi : ('I_K -> R) -> R) :=
  forall p, distribution p ->
    (forall w, ok w -> phi p <= py_risk (cost w) p) /\
    (forall l, (forall w, ok w -> l <= py_risk (cost w) p) -> l <= phi p).

(* an action that is allowed attains the least risk at every distribution *)
Definition attained K W (ok : W -> Prop) (cost : W -> 'I_K -> R) (phi : ('I_K -> R) -> R) :=
  forall p, distribution p -> exists2 w, ok w & py_risk (cost w) p = phi p.

End Definitions.

(* largest and smallest members of families *)
Section Extremes.
Variables (R : realFieldType) (I : finType) (x : R) (f : I -> R).

Lemma max_above i : f i <= \big[Num.max/x]_j f j.
Proof.
have : i \in index_enum I by exact: mem_index_enum.
elim: (index_enum I) => //= j s h; rewrite inE big_cons le_maxr => /orP [/eqP ->|/h ->]; first by rewrite lexx.
by rewrite orbT.
Qed.

Lemma max_below m : x <= m -> (forall i, f i <= m) -> \big[Num.max/x]_j f j <= m.
Proof. by move=> xm fm; elim/big_ind: _ => // a b am bm; rewrite le_maxl am. Qed.

Lemma min_below i : \big[Num.min/x]_j f j <= f i.
Proof.
have : i \in index_enum I by exact: mem_index_enum.
elim: (index_enum I) => //= j s h; rewrite inE big_cons le_minl => /orP [/eqP ->|/h ->]; first by rewrite lexx.
by rewrite orbT.
Qed.

Lemma max_is_a_member i0 : x = f i0 -> exists i, \big[Num.max/x]_j f j = f i.
Proof.
move=> e; elim/big_ind: _ => [|y z [i ->] [j ->]|i _]; [by exists i0| |by exists i].
by rewrite maxEle; case: ifP => _; [exists j|exists i].
Qed.

Lemma min_is_a_member i0 : x = f i0 -> exists i, \big[Num.min/x]_j f j = f i.
Proof.
move=> e; elim/big_ind: _ => [|y z [i ->] [j ->]|i _]; [by exists i0| |by exists i].
by rewrite minEle; case: ifP => _; [exists i|exists j].
Qed.
End Extremes.

Section Concave.
Variable R : realFieldType.

Lemma py_riskE K (c p : 'I_K -> R) : py_risk c p = \sum_k p k * c k.
Proof. by apply: eq_bigr => k _; case: eqVneq => // ->; rewrite !mul0r. Qed.

Lemma risk_of_least K W (cost : W -> 'I_K -> R) w p : py_risk (cost w) p = risk cost w p.
Proof. exact: py_riskE. Qed.

Lemma least_of_minimised K W (ok : W -> Prop) (cost : W -> 'I_K -> R) (phi : ('I_K -> R) -> R) :
  minimised_risk ok cost phi -> least_risk ok cost phi.
Proof.
move=> h p d; have [h1 h2] := h p d; split=> [w okw|l lower]; first by rewrite -risk_of_least; exact: h1.
by apply: h2 => w okw; rewrite risk_of_least; exact: lower.
Qed.

Lemma minimised_of_attained K W (ok : W -> Prop) (cost : W -> 'I_K -> R) (phi : ('I_K -> R) -> R) :
  (forall p w, distribution p -> ok w -> phi p <= py_risk (cost w) p) ->
  attained ok cost phi -> minimised_risk ok cost phi.
Proof. by move=> below at_ p d; split=> [w|l lower]; [exact: below|have [w okw <-] := at_ p d; exact: lower]. Qed.

Lemma py_decreaseE r K (phi : ('I_K -> R) -> R) (t : 'I_r -> 'I_K -> R) : py_decrease phi t = decrease phi t.
Proof. by []. Qed.

(* The least risk of any loss, whatever its actions, is concave. *)
Theorem py_minimised_risk_is_concave K W (ok : W -> Prop) (cost : W -> 'I_K -> R) phi :
  minimised_risk ok cost phi -> concave phi.
Proof. by move=> /least_of_minimised h p q a *; exact: least_risk_is_concave h _ _ _ _. Qed.

(* No split has a negative gain, if the impurity is the least risk of a loss. *)
Theorem py_gain_of_minimised_risk_is_nonnegative r K W (ok : W -> Prop) (cost : W -> 'I_K -> R) phi
    (t : 'I_r -> 'I_K -> R) :
  minimised_risk ok cost phi -> weights t -> 0 <= py_decrease phi t.
Proof. by move=> /least_of_minimised h; exact: gain_of_least_risk_is_nonnegative h. Qed.

Section Gain.
Variables (K : nat) (phi : ('I_K -> R) -> R).
Hypotheses (ext : extensional phi) (cc : concave phi).
Definition scaled_up (c : 'I_K -> R) := size c * phi (shares c (size c)).

Lemma size_ext (c d : 'I_K -> R) : c =1 d -> size c = size d.
Proof. by move=> e; apply: eq_bigr => k _. Qed.

Lemma scaled_up_ext c d : c =1 d -> scaled_up c = scaled_up d.
Proof.
move=> e; rewrite /scaled_up (size_ext e); congr (_ * _); apply: ext => k.
by rewrite /shares e.
Qed.

Lemma size0_is0 (c : 'I_K -> R) : (forall k, 0 <= c k) -> size c = 0 -> forall k, c k = 0.
Proof. by move=> c0 /eqP; rewrite psumr_eq0 // => /allP z k; apply/eqP; exact: z (mem_index_enum _). Qed.

Lemma shares_distribution (c : 'I_K -> R) : (forall k, 0 <= c k) -> size c != 0 -> distribution (shares c (size c)).
Proof.
move=> c0 nz; split; last exact: sum_shares.
by move=> k; rewrite /shares (negPf nz) divr_ge0 //; apply: sumr_ge0.
Qed.

Lemma scaled_up_superadditive (c d : 'I_K -> R) : (forall k, 0 <= c k) -> (forall k, 0 <= d k) ->
  scaled_up c + scaled_up d <= scaled_up (fun k => c k + d k).
Proof.
move=> c0 d0; have sE : size (fun k => c k + d k) = size c + size d by rewrite /size big_split.
have [z|nz] := eqVneq (size c) 0.
  rewrite {1}/scaled_up z mul0r add0r (@scaled_up_ext (fun k => c k + d k) d) // => k.
  by rewrite size0_is0 // add0r.
have [z|nz'] := eqVneq (size d) 0.
  rewrite {2}/scaled_up z mul0r addr0 (@scaled_up_ext (fun k => c k + d k) c) // => k.
  by rewrite (size0_is0 d0) // addr0.
have n0 : 0 < size c by rewrite lt_neqAle eq_sym nz sumr_ge0.
have m0 : 0 < size d by rewrite lt_neqAle eq_sym nz' sumr_ge0.
rewrite {3}/scaled_up sE; have s0 : 0 < size c + size d by rewrite addr_gt0.
have sn : size c + size d != 0 by rewrite gt_eqF.
pose a := size c / (size c + size d).
have a0 : 0 <= a by rewrite divr_ge0 // ltW.
have a1 : a <= 1 by rewrite ler_pdivr_mulr // mul1r ler_addl ltW.
have b : 1 - a = size d / (size c + size d) by rewrite /a; move: (size c) (size d) sn => x y xy; field.
have := cc (shares_distribution c0 nz) (shares_distribution d0 nz') a0 a1.
rewrite (@ext (fun k => a * _ + _) (shares (fun k => c k + d k) (size c + size d))); last first.
  move=> k; rewrite b /a /shares (negPf nz) (negPf nz') (negPf sn).
  by move: (c k) (d k) (size c) (size d) sn nz nz' => u v x y xy x0 y0; field; rewrite xy x0 y0.
rewrite -(ler_pmul2l s0); apply: le_trans; rewrite b /a /scaled_up le_eqVlt; apply/orP; left; apply/eqP.
set u := phi _; set v := phi _.
by move: u v (size c) (size d) sn {s0 sE n0 m0 a0 a1 b a nz nz'} => u v x y xy; field.
Qed.

Lemma scaled_up_of_sum (I : Type) (s : seq I) (t : I -> 'I_K -> R) : (forall i k, 0 <= t i k) ->
  \sum_(i <- s) scaled_up (t i) <= scaled_up (fun k => \sum_(i <- s) t i k).
Proof.
move=> t0; elim: s => [|i s h].
  rewrite big_nil /scaled_up (_ : size _ = 0) ?mul0r //.
  by rewrite /size big1 // => k _; rewrite big_nil.
rewrite big_cons (@scaled_up_ext (fun k => \sum_(j <- i :: s) t j k) (fun k => t i k + \sum_(j <- s) t j k));
  last by move=> k; rewrite big_cons.
apply: le_trans (scaled_up_superadditive (t0 i) _); last by move=> k; apply: sumr_ge0.
by rewrite ler_add2l.
Qed.
End Gain.

(* No split has a negative gain, if the impurity is concave. *)
Theorem py_gain_of_concave_impurity_is_nonnegative r K (phi : ('I_K -> R) -> R) (t : 'I_r -> 'I_K -> R) :
  extensional phi -> concave phi -> weights t -> 0 <= py_decrease phi t.
Proof.
move=> ext cc t0; rewrite py_decreaseE /decrease.
have n0 : 0 <= whole t by apply: sumr_ge0 => i _; exact: sumr_ge0.
apply: divr_ge0; last by case: ifP => _; rewrite ?ler01.
rewrite subr_ge0 -whole_node.
exact: (@scaled_up_of_sum K phi ext cc _ (index_enum _) t t0).
Qed.
End Concave.

(* Instances: the hypotheses can hold. *)
Section Instances.
Variable R : realFieldType.

Definition one_third : 'I_2 -> R := fun k => if k == 0 then 1 / 3%:R else 2%:R / 3%:R.
(* class 0: two in the first row, none in the second; class 1: one and three *)
Definition small_table : 'I_2 -> 'I_2 -> R :=
  fun i k => if k == 0 then (if i == 0 then 2%:R else 0) else (if i == 0 then 1 else 3%:R).

Example one_third_is_a_distribution : distribution one_third.
Proof.
split=> [k|]; first by rewrite /one_third; case: ifP => _; rewrite divr_ge0 ?ler0n ?ler01.
by rewrite sum2 /one_third /=; field.
Qed.

Example small_table_has_weights : weights small_table /\ whole small_table != 0.
Proof.
split=> [i k|]; first by rewrite /small_table; case: ifP => _; case: ifP => _; rewrite ?ler0n ?ler01.
rewrite /whole /size !sum2 /small_table /=.
by rewrite (_ : _ + _ = 6%:R) ?pnatr_eq0 //; ring.
Qed.

(* two actions, a mistake costs 1: the least risk is the smaller of the two probabilities *)
Example two_actions_have_a_minimised_risk :
  minimised_risk (fun=> True) (fun w k : 'I_2 => if w == k then 0 else 1 : R) (fun p => Num.min (p 0) (p 1)).
Proof.
have riskE (p : 'I_2 -> R) : py_risk (fun k => if 0 == k then 0 else 1) p = p 1 /\
    py_risk (fun k => if 1 == k then 0 else 1) p = p 0.
  by rewrite !py_riskE !sum2 /= !mulr0 !mulr1 add0r addr0.
move=> p _; have [e0 e1] := riskE p; split=> [w _|l lower].
  have [->|->] : (w = 0) \/ (w = 1) by case: w => [[|[|//]] h]; [left|right]; apply: val_inj.
    by rewrite e0 le_minl lexx orbT.
  by rewrite e1 le_minl lexx.
by rewrite le_minr -{1}e1 -{1}e0 !lower.
Qed.

Example smaller_share_is_concave :
  extensional (fun p : 'I_2 -> R => Num.min (p 0) (p 1)) /\ concave (fun p : 'I_2 -> R => Num.min (p 0) (p 1)) /\
  weights small_table.
Proof.
split; first by move=> p q e; rewrite !e.
by split; [exact: py_minimised_risk_is_concave two_actions_have_a_minimised_risk|exact: small_table_has_weights.1].
Qed.

Example two_actions_and_a_table :
  minimised_risk (fun=> True) (fun w k : 'I_2 => if w == k then 0 else 1 : R) (fun p => Num.min (p 0) (p 1)) /\
  weights small_table.
Proof. by split; [exact: two_actions_have_a_minimised_risk|exact: small_table_has_weights.1]. Qed.
End Instances.

(* The least risks of the losses on the simplex, of the printed code: square, 0-1, absolute, infinity norm, GCE. *)
Section Losses.
Variable R : realFieldType.

(* the distribution that is sure of one class *)
Definition vertex K (j : 'I_K) : 'I_K -> R := fun k => (k == j)%:R.

Lemma sum_vertex K (j : 'I_K) (f : 'I_K -> R) : \sum_k f k * vertex j k = f j.
Proof.
rewrite (bigD1 j) //= /vertex eqxx mulr1 big1 ?addr0 // => k /negPf ->.
by rewrite mulr0.
Qed.

Lemma vertex_is_distribution K (j : 'I_K) : distribution (vertex j).
Proof.
split=> [k|]; first by rewrite /vertex ler0n.
by rewrite -[RHS](sum_vertex j (fun=> 1)); apply: eq_bigr => k _; rewrite mul1r.
Qed.

Lemma share_le1 K (p : 'I_K -> R) k : distribution p -> p k <= 1.
Proof. by move=> [p0 p1]; rewrite -p1 (bigD1 k) //= ler_addl; apply: sumr_ge0. Qed.

(* the largest share is that of a class *)
Lemma largest_is_a_share K (p : 'I_K.+1 -> R) :
  exists2 k, \big[Num.max/p ord0]_k p k = p k & forall j, p j <= p k.
Proof.
have [k e] := max_is_a_member (erefl (p ord0)).
by exists k => // j; rewrite -e; exact: max_above.
Qed.

Lemma least_ext K W (ok : W -> Prop) (cost : W -> 'I_K -> R) phi psi :
  phi =1 psi -> minimised_risk ok cost phi -> minimised_risk ok cost psi.
Proof. by move=> e h p d; rewrite -e; exact: h. Qed.

Lemma attained_ext K W (ok : W -> Prop) (cost : W -> 'I_K -> R) phi psi :
  phi =1 psi -> attained ok cost phi -> attained ok cost psi.
Proof. by move=> e h p d; rewrite -e; exact: h. Qed.

Lemma linear_risk K C (w p : 'I_K -> R) : \sum_k p k = 1 ->
  \sum_k p k * (C * (1 - w k)) = C * (1 - \sum_k p k * w k).
Proof. by move=> p1; rewrite -{2}p1 -sumrB mulr_sumr; apply: eq_bigr => k _; ring. Qed.

(* A loss that costs C (1 - w_k) at least, and no more at the vertices, has C times misclassification as least risk. *)
Lemma least_of_linear_bound K C (cost : ('I_K.+1 -> R) -> 'I_K.+1 -> R) : 0 <= C ->
  (forall w k, distribution w -> C * (1 - w k) <= cost w k) ->
  (forall j k, cost (vertex j) k = C * (1 - vertex j k)) ->
  attained (@distribution R K.+1) cost (fun p => C * py_misclassification p) /\
  minimised_risk (@distribution R K.+1) cost (fun p => C * py_misclassification p).
Proof.
move=> C0 below at_; have att : attained (@distribution R K.+1) cost (fun p => C * py_misclassification p).
  move=> p [p0 p1]; have [j e _] := largest_is_a_share p.
  exists (vertex j); first exact: vertex_is_distribution.
  rewrite /py_misclassification e py_riskE -(sum_vertex j p) -linear_risk //.
  by apply: eq_bigr => k _; rewrite at_.
split=> //; apply: minimised_of_attained => // p w [p0 p1] dw; have [w0 w1] := dw.
have [j e top] := largest_is_a_share p; rewrite /py_misclassification e py_riskE.
apply: (@le_trans _ _ (\sum_k p k * (C * (1 - w k)))); last first.
  by apply: ler_sum => k _; apply: ler_wpmul2l => //; exact: below.
rewrite linear_risk //; apply: ler_wpmul2l => //; rewrite ler_add2l ler_opp2 -[p j]mulr1 -w1 mulr_sumr.
by apply: ler_sum => k _; apply: ler_wpmul2r.
Qed.

(* Misclassification, 1 - max p, is the least risk of the 0-1 loss, and the vertex of a majority class attains it. *)
Theorem py_misclassification_is_least_zero_one_risk K :
  minimised_risk (@distribution R K.+1) (@py_zero_one R K.+1) (@py_misclassification R K) /\
  attained (@distribution R K.+1) (@py_zero_one R K.+1) (@py_misclassification R K).
Proof.
have e : (fun p => 1 * @py_misclassification R K p) =1 @py_misclassification R K by move=> p; rewrite mul1r.
have [||att least] := @least_of_linear_bound K 1 (@py_zero_one R K.+1) ler01.
- move=> w k d; rewrite mul1r /py_zero_one; have w0 := d.1 k.
  case: ifP => [|_]; last by rewrite ler_subl_addr ler_addl.
  by rewrite subr_le0.
- move=> j k; rewrite mul1r /py_zero_one /vertex; case: (k == j); rewrite ?lexx ?subrr //.
  by rewrite /= ler10 subr0.
by split; [exact: least_ext least|exact: attained_ext att].
Qed.

Lemma mae_on_simplex K (w : 'I_K -> R) k : distribution w -> py_mae w k = 2%:R * (1 - w k).
Proof.
move=> d; have [w0 w1] := d; rewrite /py_mae (eq_bigr w); last by move=> j _; rewrite ger0_norm.
by rewrite w1 (ger0_norm (w0 k)) ger0_norm ?subr_ge0 ?share_le1 //; ring.
Qed.

(* The least risk of the mean absolute error on the simplex is twice misclassification; a vertex attains it. *)
Theorem py_mae_least_risk_is_twice_misclassification K :
  minimised_risk (@distribution R K.+1) (@py_mae R K.+1) (fun p => 2%:R * py_misclassification p) /\
  attained (@distribution R K.+1) (@py_mae R K.+1) (fun p => 2%:R * py_misclassification p).
Proof.
have [||att least] := @least_of_linear_bound K 2%:R (@py_mae R K.+1) (ler0n _ _).
- by move=> w k d; rewrite mae_on_simplex.
- by move=> j k; rewrite mae_on_simplex //; exact: vertex_is_distribution.
by split.
Qed.

(* On the simplex the mean absolute error is twice the infinity norm of the error. *)
Theorem py_mae_is_twice_py_infinity K (w : 'I_K.+1 -> R) k : distribution w -> py_mae w k = 2%:R * py_infinity w k.
Proof.
move=> d; have [w0 w1] := d; rewrite mae_on_simplex //; congr (_ * _).
have wk : 0 <= 1 - w k by rewrite subr_ge0 share_le1.
have self : (if k == k then `|w k - 1| else `|w k - 0|) = 1 - w k by rewrite eqxx distrC ger0_norm.
have below j : (if j == k then `|w j - 1| else `|w j - 0|) <= 1 - w k.
  case: eqVneq => [->|ne]; first by rewrite distrC ger0_norm.
  rewrite subr0 ger0_norm // ler_subr_addr -w1 (bigD1 k) //= (bigD1 j) //= addrA [w j + _]addrC ler_addl.
  exact: sumr_ge0.
apply/eqP; rewrite eq_le /py_infinity; apply/andP; split.
  by rewrite -{1}self; exact: (max_above _ (fun j => if j == k then `|w j - 1| else `|w j - 0|)).
by apply: max_below => [|j]; exact: below.
Qed.

(* The least risk of the infinity norm of the error is misclassification; a vertex attains it. *)
Theorem py_misclassification_is_least_risk_of_py_infinity K :
  minimised_risk (@distribution R K.+1) (@py_infinity R K) (@py_misclassification R K) /\
  attained (@distribution R K.+1) (@py_infinity R K) (@py_misclassification R K).
Proof.
have e : (fun p => 1 * @py_misclassification R K p) =1 @py_misclassification R K by move=> p; rewrite mul1r.
have on_simplex (w : 'I_K.+1 -> R) k : distribution w -> py_infinity w k = 1 - w k.
  by move=> d; apply: (@mulfI _ 2%:R); rewrite ?pnatr_eq0 // -py_mae_is_twice_py_infinity // mae_on_simplex.
have [||att least] := @least_of_linear_bound K 1 (@py_infinity R K) ler01.
- by move=> w k d; rewrite mul1r on_simplex.
- by move=> j k; rewrite mul1r on_simplex //; exact: vertex_is_distribution.
by split; [exact: least_ext least|exact: attained_ext att].
Qed.

(* For whole q from 1 the least risk of generalised cross-entropy is misclassification over q; a vertex attains it. *)
Theorem py_gce_whole_is_least_risk K q : (0 < q)%N ->
  minimised_risk (@distribution R K.+1) (@py_gce_loss_whole R K.+1 q) (@py_gce_whole R K q) /\
  attained (@distribution R K.+1) (@py_gce_loss_whole R K.+1 q) (@py_gce_whole R K q).
Proof.
move=> q0; have qR : 0 < q%:R :> R by rewrite ltr0n.
have [|||att least] := @least_of_linear_bound K (1 / q%:R) (@py_gce_loss_whole R K.+1 q).
- by rewrite divr_ge0 ?ler01 ?ltW.
- move=> w k d; rewrite /py_gce_loss_whole mul1r [_^-1 * _]mulrC.
  apply: ler_wpmul2r; first by rewrite invr_ge0 ltW.
  rewrite ler_add2l ler_opp2; case: q q0 {qR} => // q _; rewrite exprS -[X in _ <= X]mulr1.
  by apply: ler_wpmul2l; [exact: d.1|apply: exprn_ile1; [exact: d.1|exact: share_le1]].
- move=> j k; rewrite /py_gce_loss_whole /vertex mul1r mulrC; case: (k == j); first by rewrite expr1n.
  by rewrite expr0n; case: q q0 {qR} => // q _.
by split.
Qed.

(* Costs of at most C each and C (K - 1) together: no distribution's risk is below C times misclassification. *)
Theorem py_risk_of_capped_costs_is_at_least_error K C (cost p : 'I_K.+1 -> R) : distribution p ->
  (forall k, cost k <= C) -> C * K%:R <= \sum_k cost k -> C * py_misclassification p <= py_risk cost p.
Proof.
move=> [p0 p1] cap total; have [j e top] := largest_is_a_share p.
rewrite /py_misclassification e py_riskE; set s := \sum_k cost k in total.
have : 0 <= \sum_k (p j - p k) * (C - cost k) + p j * (s - C * K%:R).
  rewrite addr_ge0 // ?mulr_ge0 ?subr_ge0 //; apply: sumr_ge0 => k _.
  by rewrite mulr_ge0 ?subr_ge0.
rewrite (eq_bigr (fun k => p j * C + (- p j) * cost k + ((- C) * p k + p k * cost k))); last by move=> k _; ring.
rewrite !big_split /= -!mulr_sumr p1 sumr_const card_ord -/s mulrSr -[_ *+ _]mulr_natr.
set u := \sum_(k < _) _; rewrite -(subr_ge0 (C * _)).
by congr (_ <= _); move: (K%:R : R) => n; ring.
Qed.

(* Risk of the square loss = Gini's impurity + the squared distance of the action from the class shares. *)
Theorem py_square_excess K (w p : 'I_K -> R) : \sum_k p k = 1 ->
  py_risk (py_square w) p = py_gini p + \sum_k (w k - p k) ^+ 2.
Proof. by move=> p1; rewrite -(square_excess w p1) risk_of_least addrC subrK. Qed.

(* The class shares are the only action with the least risk of the square loss. *)
Theorem py_square_minimiser_is_unique K (w p : 'I_K -> R) : \sum_k p k = 1 ->
  py_risk (py_square w) p = py_gini p -> w =1 p.
Proof. by move=> p1; rewrite risk_of_least; exact: square_minimiser_is_unique. Qed.

(* Gini's impurity is the least risk of the square loss over all actions, attained at the class shares. *)
Theorem py_gini_is_minimised_square_risk K :
  minimised_risk (fun=> True) (@py_square R K) (@py_gini R K) /\
  attained (@distribution R K) (@py_square R K) (@py_gini R K).
Proof.
split=> [p d|p d]; last first.
  exists p => //; rewrite py_square_excess ?d.2 // big1 ?addr0 // => k _.
  by rewrite subrr expr0n.
split=> [w _|l lower].
  by rewrite py_square_excess ?d.2 // ler_addl; apply: sumr_ge0 => k _; exact: sqr_ge0.
have := lower p I; rewrite py_square_excess ?d.2 // [X in _ + X]big1 ?addr0 // => k _.
by rewrite subrr expr0n.
Qed.

(* The sum of the Bayes errors is the least expected number of mistakes of yes-no answers, one for each class. *)
Theorem py_bayes_sum_is_least_risk_of_yes_no_answers K :
  let cost (w : 'I_K -> bool) := @py_one_vs_rest_errors R K (fun k => (w k)%:R) in
  minimised_risk (fun=> True) cost (@py_bayes_sum R K) /\ attained (fun=> True) cost (@py_bayes_sum R K).
Proof.
move=> cost; have riskE w p : \sum_k p k = 1 ->
    py_risk (cost w) p = \sum_j (if w j then 1 - p j else p j).
  move=> p1; rewrite py_riskE /cost /py_one_vs_rest_errors.
  rewrite (eq_bigr (fun k => \sum_j p k * (if j == k then 1 - (w j)%:R else (w j)%:R))); last first.
    by move=> k _; rewrite mulr_sumr.
  rewrite exchange_big /=; apply: eq_bigr => j _; rewrite (bigD1 j) //= eqxx.
  rewrite (eq_bigr (fun k => p k * (w j)%:R)); last by move=> k /negPf ne; rewrite eq_sym ne.
  rewrite -mulr_suml; have -> : \sum_(k < K | k != j) p k = 1 - p j.
    by move: p1; rewrite (bigD1 j) //= => <-; rewrite [RHS]addrC addKr.
  by case: (w j) => /=; ring.
have att : attained (fun=> True) cost (@py_bayes_sum R K).
  move=> p [p0 p1]; exists (fun k => 1 - p k <= p k) => //; rewrite riskE //.
  by apply: eq_bigr => k _; rewrite minEle; case: leP => h; case: leP => // h'; apply/eqP; rewrite eq_le ?h ?h' ?ltW.
split=> //; apply: minimised_of_attained => // p w [p0 p1] _; rewrite riskE //.
by apply: ler_sum => k _; rewrite le_minl; case: (w k); rewrite lexx ?orbT.
Qed.

End Losses.

(* Instances: the hypotheses can hold. *)
Section Instances.
Variable R : realFieldType.
Local Notation p := (@one_third R).

Example losses_distribution : distribution p. Proof. exact: one_third_is_a_distribution. Qed.

Example whole_order : (0 < 2)%N. Proof. by []. Qed.

Example capped_costs : distribution p /\ (forall k : 'I_2, (if k == 0 then 0 else 1) <= 1 :> R) /\
  1 * 1%:R <= \sum_(k < 2) (if k == 0 then 0 else 1 : R).
Proof.
split; first exact: one_third_is_a_distribution.
by split=> [k|]; [case: ifP; rewrite ?ler01|rewrite sum2 /= add0r mulr1].
Qed.

Example best_action_of_square : \sum_k p k = 1 /\ py_risk (py_square p) p = py_gini p.
Proof.
have p1 := (one_third_is_a_distribution R).2; split=> //.
by rewrite py_square_excess // big1 ?addr0 // => k _; rewrite subrr expr0n.
Qed.
End Instances.
