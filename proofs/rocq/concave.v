(* Concave impurities, minimised risks and the gains of splits, of the printed code. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs risk generated.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

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
