(* The real numbers of Coq's standard library as an ordered field of mathcomp, and their logarithm. *)
From Coq Require Import Reals Lra Epsilon FunctionalExtensionality.
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint zmodp.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Delimit Scope R_scope with coqR.

Definition req (x y : R) : bool := if Req_EM_T x y is left _ then true else false.
Definition rle (x y : R) : bool := if Rle_dec x y is left _ then true else false.
Definition rlt (x y : R) : bool := if Rlt_dec x y is left _ then true else false.
Lemma reqP : Equality.axiom req.
Proof. by move=> x y; rewrite /req; case: Req_EM_T => h; constructor. Qed.
Lemma rleP x y : reflect (x <= y)%coqR (rle x y).
Proof. by rewrite /rle; case: Rle_dec => h; constructor. Qed.
Lemma rltP x y : reflect (x < y)%coqR (rlt x y).
Proof. by rewrite /rlt; case: Rlt_dec => h; constructor. Qed.

Definition real_eqMixin := EqMixin reqP.
Canonical real_eqType := Eval hnf in EqType R real_eqMixin.

Definition picked (P : pred R) (n : nat) :=
  let x := epsilon (inhabits 0%coqR) (fun x => P x) in if P x then Some x else None.
Lemma picked_some P n x : picked P n = Some x -> P x.
Proof. by rewrite /picked; case: ifP => // h [<-]. Qed.
Lemma picked_exists (P : pred R) : (exists x, P x) -> exists n, picked P n.
Proof. by move=> h; exists 0; rewrite /picked (epsilon_spec (inhabits 0%coqR) (fun x => P x) h). Qed.
Lemma picked_ext (P Q : pred R) : P =1 Q -> picked P =1 picked Q.
Proof. by move=> e; have -> : P = Q by apply: functional_extensionality. Qed.
Definition real_choiceMixin := Choice.Mixin picked_some picked_exists picked_ext.
Canonical real_choiceType := Eval hnf in ChoiceType R real_choiceMixin.

Lemma addA : associative Rplus. Proof. by move=> x y z; lra. Qed.
Lemma addC : commutative Rplus. Proof. by move=> x y; lra. Qed.
Lemma add0 : left_id 0%coqR Rplus. Proof. by move=> x; lra. Qed.
Lemma addN : left_inverse 0%coqR Ropp Rplus. Proof. by move=> x; lra. Qed.
Definition real_zmodMixin := ZmodMixin addA addC add0 addN.
Canonical real_zmodType := Eval hnf in ZmodType R real_zmodMixin.

Lemma mulA : associative Rmult. Proof. by move=> x y z; ring. Qed.
Lemma mulC : commutative Rmult. Proof. by move=> x y; ring. Qed.
Lemma mul1 : left_id 1%coqR Rmult. Proof. by move=> x; ring. Qed.
Lemma mulDl : left_distributive Rmult Rplus. Proof. by move=> x y z; ring. Qed.
Lemma one_not_zero : (1%coqR : R) != 0%coqR. Proof. by apply/eqP => h; lra. Qed.
Definition real_ringMixin := ComRingMixin mulA mulC mul1 mulDl one_not_zero.
Canonical real_ringType := Eval hnf in RingType R real_ringMixin.
Canonical real_comRingType := Eval hnf in ComRingType R mulC.

Definition inverse (x : R) : R := if x == 0%coqR then 0%coqR else (/ x)%coqR.
Lemma mulV (x : R) : x != 0%coqR -> (inverse x * x)%coqR = 1%coqR.
Proof. by move=> h; rewrite /inverse (negPf h) Rinv_l //; apply/eqP. Qed.
Lemma inverse0 : inverse 0%coqR = 0%coqR. Proof. by rewrite /inverse eqxx. Qed.
Definition real_unitRingMixin := FieldUnitMixin mulV inverse0.
Canonical real_unitRingType := Eval hnf in UnitRingType R real_unitRingMixin.
Canonical real_comUnitRingType := Eval hnf in [comUnitRingType of R].
Lemma real_fieldMixin : GRing.Field.mixin_of real_unitRingType. Proof. by []. Qed.
Definition real_idomainMixin := FieldIdomainMixin real_fieldMixin.
Canonical real_idomainType := Eval hnf in IdomainType R real_idomainMixin.
Canonical real_fieldType := Eval hnf in FieldType R real_fieldMixin.

Lemma le0D x y : rle 0 x -> rle 0 y -> rle 0 (x + y).
Proof. by move=> /rleP a /rleP b; apply/rleP; lra. Qed.
Lemma le0M x y : rle 0 x -> rle 0 y -> rle 0 (x * y).
Proof. by move=> /rleP a /rleP b; apply/rleP; exact: Rmult_le_pos. Qed.
Lemma le0_anti x : rle 0 x -> rle x 0 -> x = 0%coqR.
Proof. by move=> /rleP a /rleP b; lra. Qed.
Lemma sub_ge0 x y : rle 0 (y - x) = rle x y.
Proof. by apply/rleP/rleP => h; lra. Qed.
Lemma le0_total x : rle 0 x || rle x 0.
Proof. by apply/orP; case: (Rle_dec 0 x) => h; [left|right]; apply/rleP; lra. Qed.
Lemma absN x : Rabs (- x) = Rabs x. Proof. exact: Rabs_Ropp. Qed.
Lemma abs_of_ge0 x : rle 0 x -> Rabs x = x.
Proof. by move=> /rleP h; rewrite Rabs_pos_eq. Qed.
Lemma lt_def x y : rlt x y = (y != x) && rle x y.
Proof.
apply/rltP/andP => [h|[/eqP n /rleP h]]; last by lra.
by split; [apply/eqP => e; lra|apply/rleP; lra].
Qed.
Definition real_leMixin : realLeMixin real_idomainType :=
  RealLeMixin le0D le0M le0_anti sub_ge0 le0_total absN abs_of_ge0 lt_def.
Lemma le_total : total rle.
Proof. by move=> x y; apply/orP; case: (Rle_dec x y) => h; [left|right]; apply/rleP; lra. Qed.
Canonical real_porderType := POrderType ring_display R real_leMixin.
Canonical real_latticeType := LatticeType R real_leMixin.
Canonical real_distrLatticeType := DistrLatticeType R real_leMixin.
Canonical real_orderType := OrderType R le_total.
Canonical real_numDomainType := NumDomainType R real_leMixin.
Canonical real_normedZmodType := NormedZmodType R R real_leMixin.
Canonical real_numFieldType := [numFieldType of R].
Canonical real_realDomainType := [realDomainType of R].
Canonical real_realFieldType := [realFieldType of R].

Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma ln_of_product (x y : R) : 0 < x -> 0 < y -> ln (x * y) = ln x + ln y.
Proof. by move=> /rltP x0 /rltP y0; exact: ln_mult. Qed.

Lemma ln_below (x : R) : 0 < x -> ln x <= x - 1.
Proof.
move=> /rltP x0; apply/rleP; have := exp_ineq1_le (ln x); rewrite exp_ln // => h.
by rewrite /GRing.add /GRing.opp /GRing.one /=; lra.
Qed.
