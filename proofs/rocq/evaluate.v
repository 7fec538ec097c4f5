(* Closed equations and comparisons of rational numbers, decided by computation in Coq's Q.
   mathcomp's rational numbers do not compute in reasonable time; here a term with sums over ordinals, cases, absolute
   values, largest and smallest members is read as a tree, the tree is evaluated in Q, and evaluation is proved sound
   over every ordered field. Tactic: evaluate. *)
From Coq Require Import QArith.
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint zmodp.
From mathcomp Require Import ring zify ssrZ.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Q_scope with Q.

Inductive term : Type :=
| TNat of nat | TAdd of term & term | TOpp of term | TMul of term & term | TInv of term | TPow of term & nat
| TAbs of term | TMax of term & term | TMin of term & term
| TCase of bool & term & term | TIfEq of term & term & term & term | TIfLe of term & term & term & term
| TIfLt of term & term & term & term
| TSum n of ('I_n -> term) | TMaxOver n of term & ('I_n -> term).

Fixpoint ords n : seq 'I_n := if n is m.+1 then ord0 :: map (lift ord0) (ords m) else [::].

Fixpoint eval (x : term) : Q :=
  match x with
  | TNat n => inject_Z (Z.of_nat n)
  | TAdd x y => Qred (eval x + eval y)
  | TOpp x => Qopp (eval x)
  | TMul x y => Qred (eval x * eval y)
  | TInv x => Qred (Qinv (eval x))
  | TPow x n => iter n (fun q => Qred (eval x * q)) (inject_Z 1)
  | TAbs x => let q := eval x in if Qle_bool 0 q then q else Qopp q
  | TMax x y => let p := eval x in let q := eval y in if Qle_bool q p then p else q
  | TMin x y => let p := eval x in let q := eval y in if Qle_bool p q then p else q
  | TCase b x y => if b then eval x else eval y
  | TIfEq a b x y => if Qeq_bool (eval a) (eval b) then eval x else eval y
  | TIfLe a b x y => if Qle_bool (eval a) (eval b) then eval x else eval y
  | TIfLt a b x y => if Qle_bool (eval b) (eval a) then eval y else eval x
  | TSum n f => foldr (fun i q => Qred (eval (f i) + q)) (inject_Z 0) (ords n)
  | TMaxOver n x f => foldr (fun i q => let p := eval (f i) in if Qle_bool q p then p else q) (eval x) (ords n)
  end%Q.

Arguments Qred : simpl never.
Arguments Qplus : simpl never.
Arguments Qmult : simpl never.
Arguments Qinv : simpl never.
Arguments Qopp : simpl never.
Arguments Qle_bool : simpl never.
Arguments Qeq_bool : simpl never.
Arguments inject_Z : simpl never.

Section Sound.
Variable R : realFieldType.

Fixpoint value (x : term) : R :=
  match x with
  | TNat n => n%:R
  | TAdd x y => value x + value y
  | TOpp x => - value x
  | TMul x y => value x * value y
  | TInv x => (value x)^-1
  | TPow x n => value x ^+ n
  | TAbs x => `|value x|
  | TMax x y => Num.max (value x) (value y)
  | TMin x y => Num.min (value x) (value y)
  | TCase b x y => if b then value x else value y
  | TIfEq a b x y => if value a == value b then value x else value y
  | TIfLe a b x y => if value a <= value b then value x else value y
  | TIfLt a b x y => if value a < value b then value x else value y
  | TSum n f => \sum_(i < n) value (f i)
  | TMaxOver n x f => \big[Num.max/value x]_(i < n) value (f i)
  end.

Definition ofZ (z : Z) : R := (int_of_Z z)%:~R.
Definition ofQ (q : Q) : R := ofZ (Qnum q) / ofZ (Zpos (Qden q)).

Lemma ofZD x y : ofZ (Z.add x y) = ofZ x + ofZ y.
Proof. by rewrite /ofZ -intrD; congr (_%:~R); lia. Qed.
Lemma ofZM x y : ofZ (Z.mul x y) = ofZ x * ofZ y.
Proof. by rewrite /ofZ -intrM; congr (_%:~R); lia. Qed.
Lemma ofZN x : ofZ (Z.opp x) = - ofZ x.
Proof. by rewrite /ofZ -mulrNz; congr (_%:~R); lia. Qed.
Lemma ofZ_le x y : (ofZ x <= ofZ y) = Z.leb x y. Proof. by rewrite /ofZ ler_int; lia. Qed.
Lemma ofZ_eq x y : (ofZ x == ofZ y) = Z.eqb x y. Proof. by rewrite /ofZ eqr_int (can_eq int_of_ZK). Qed.
Lemma ofZ0 : ofZ Z0 = 0. Proof. by []. Qed.
Lemma ofZ_pos p : 0 < ofZ (Zpos p). Proof. by rewrite lt_neqAle -ofZ0 ofZ_le ofZ_eq. Qed.
Lemma ofZ_pos0 p : ofZ (Zpos p) != 0. Proof. by rewrite gt_eqF ?ofZ_pos. Qed.
Lemma ofZ_nat n : ofZ (Z.of_nat n) = n%:R. Proof. by rewrite /ofZ pmulrn; congr (_%:~R); lia. Qed.

Lemma ofQ_le p q : (ofQ p <= ofQ q) = Qle_bool p q.
Proof. by rewrite /ofQ ler_pdivr_mulr ?ofZ_pos // mulrAC ler_pdivl_mulr ?ofZ_pos // -!ofZM ofZ_le. Qed.
Lemma ofQ_eqb p q : (ofQ p == ofQ q) = Qeq_bool p q.
Proof.
rewrite eq_le !ofQ_le; apply/andP/idP => [[/Qle_bool_iff a /Qle_bool_iff b]|/Qeq_bool_iff e].
  by apply/Qeq_bool_iff; exact: Qle_antisym.
by split; apply/Qle_bool_iff; rewrite e; exact: Qle_refl.
Qed.
Lemma ofQ_eq p q : Qeq p q -> ofQ p = ofQ q.
Proof. by move=> e; apply/eqP; rewrite ofQ_eqb; apply/Qeq_bool_iff. Qed.
Lemma ofQ_red p : ofQ (Qred p) = ofQ p. Proof. by apply: ofQ_eq; exact: Qred_correct. Qed.
Lemma ofQD p q : ofQ (p + q)%Q = ofQ p + ofQ q.
Proof.
rewrite /ofQ /Qplus /= ofZD !ofZM (_ : ofZ (Zpos (Qden p * Qden q)) = ofZ (Zpos (Qden p)) * ofZ (Zpos (Qden q))).
  by field; rewrite !ofZ_pos0.
by rewrite -ofZM.
Qed.
Lemma ofQM p q : ofQ (p * q)%Q = ofQ p * ofQ q.
Proof.
rewrite /ofQ /Qmult /= ofZM (_ : ofZ (Zpos (Qden p * Qden q)) = ofZ (Zpos (Qden p)) * ofZ (Zpos (Qden q))).
  by field; rewrite !ofZ_pos0.
by rewrite -ofZM.
Qed.
Lemma ofQN p : ofQ (- p)%Q = - ofQ p. Proof. by rewrite /ofQ /Qopp /= ofZN mulNr. Qed.
Lemma ofQV p : ofQ (/ p)%Q = (ofQ p)^-1.
Proof.
case: p => [[|n|n] d]; rewrite /ofQ /Qinv /=; first by rewrite ofZ0 !mul0r invr0.
  by rewrite invf_div.
by rewrite -[Zneg n]/(Z.opp (Zpos n)) -[Zneg d]/(Z.opp (Zpos d)) !ofZN !mulNr invrN invf_div.
Qed.
Lemma ofQ_nat n : ofQ (inject_Z (Z.of_nat n)) = n%:R.
Proof. by rewrite /ofQ /= ofZ_nat (_ : ofZ (Zpos 1) = 1) ?divr1. Qed.
Lemma ofQ_int z : ofQ (inject_Z z) = ofZ z. Proof. by rewrite /ofQ /= (_ : ofZ (Zpos 1) = 1) ?divr1. Qed.

Lemma over_ords (T : Type) (op : T -> T -> T) x n (F : 'I_n -> T) :
  \big[op/x]_(i < n) F i = foldr (fun i => op (F i)) x (ords n).
Proof.
elim: n F => [|n IH] F; first by rewrite big_ord0.
by rewrite big_ord_recl IH /= foldr_map.
Qed.

Lemma eval_value x : ofQ (eval x) = value x.
Proof.
elim: x => /= [n|x IHx y IHy|x IH|x IHx y IHy|x IH|x IH n|x IH|x IHx y IHy|x IHx y IHy|b x IHx y IHy
  |a IHa b IHb x IHx y IHy|a IHa b IHb x IHx y IHy|a IHa b IHb x IHx y IHy|n f IH|n x IHx f IH].
- exact: ofQ_nat.
- by rewrite ofQ_red ofQD IHx IHy.
- by rewrite ofQN IH.
- by rewrite ofQ_red ofQM IHx IHy.
- by rewrite ofQ_red ofQV IH.
- elim: n => [|n IHn]; first by rewrite /= ofQ_int.
  by rewrite iterS ofQ_red ofQM IH IHn exprS.
- rewrite -IH -ofQ_le (_ : ofQ 0%Q = 0); last by rewrite -[0%Q]/(inject_Z 0) ofQ_int.
  by case: ifP => [/ger0_norm -> //|/negbT]; rewrite -ltNge ofQN => /ltr0_norm ->.
- by rewrite -IHx -IHy -ofQ_le maxEle; case: ltgtP => //= ->.
- by rewrite -IHx -IHy -ofQ_le minEle; case: ifP.
- by case: b.
- by rewrite -IHa -IHb ofQ_eqb; case: ifP.
- by rewrite -IHa -IHb ofQ_le; case: ifP.
- by rewrite -IHa -IHb ltNge ofQ_le; case: ifP.
- rewrite over_ords; elim: (ords n) => /= [|i s IHs]; first by rewrite ofQ_int.
  by rewrite ofQ_red ofQD IH IHs.
- rewrite over_ords; elim: (ords n) => //= i s <-; rewrite -IH.
  by rewrite -ofQ_le maxEle; case: ltgtP => //= ->.
Qed.

Lemma evaluate_eq x y : Qeq_bool (eval x) (eval y) -> value x = value y.
Proof. by move=> e; apply/eqP; rewrite -!eval_value ofQ_eqb. Qed.
Lemma evaluate_eqb x y b : Qeq_bool (eval x) (eval y) = b -> (value x == value y) = b.
Proof. by rewrite -!eval_value ofQ_eqb. Qed.
Lemma evaluate_le x y b : Qle_bool (eval x) (eval y) = b -> (value x <= value y) = b.
Proof. by rewrite -!eval_value ofQ_le. Qed.
Lemma evaluate_lt x y b : Qle_bool (eval y) (eval x) = ~~ b -> (value x < value y) = b.
Proof. by rewrite -!eval_value ltNge ofQ_le => ->; rewrite negbK. Qed.
End Sound.

(* the tree of a term; what is defined is unfolded *)
Ltac head_of x := lazymatch x with ?f _ => head_of f | _ => x end.
Ltac tree x :=
  lazymatch x with
  | 0 => constr:(TNat 0)
  | 1 => constr:(TNat 1)
  | @GRing.natmul _ 1 ?n => constr:(TNat n)
  | @GRing.add _ ?a ?b => let p := tree a in let q := tree b in constr:(TAdd p q)
  | @GRing.opp _ ?a => let p := tree a in constr:(TOpp p)
  | @GRing.mul _ ?a ?b => let p := tree a in let q := tree b in constr:(TMul p q)
  | @GRing.inv _ ?a => let p := tree a in constr:(TInv p)
  | @GRing.exp _ ?a ?n => let p := tree a in constr:(TPow p n)
  | @Num.Def.normr _ _ ?a => let p := tree a in constr:(TAbs p)
  | @Order.max _ _ ?a ?b => let p := tree a in let q := tree b in constr:(TMax p q)
  | @Order.min _ _ ?a ?b => let p := tree a in let q := tree b in constr:(TMin p q)
  | match ?c with true => ?a | false => ?b end =>
      let p := tree a in let q := tree b in
      match c with
      | @eq_op _ ?u ?v => (* of members of R; indices are compared as they are *)
          let T := type of u in let S := type of a in let same := constr:(@erefl Type T : @eq Type T S) in
          let s := tree u in let t := tree v in constr:(TIfEq s t p q)
      | @Order.le _ _ ?u ?v => let s := tree u in let t := tree v in constr:(TIfLe s t p q)
      | @Order.lt _ _ ?u ?v => let s := tree u in let t := tree v in constr:(TIfLt s t p q)
      | _ => constr:(TCase c p q)
      end
  | BigOp.bigop ?z (index_enum (ordinal_finType ?n)) (fun i => @BigBody _ _ i (@Order.max _ _) true (@?F i)) =>
      let p := tree z in
      let k := fresh "k" in
      let f := constr:(fun k : 'I_n => ltac:(let y := eval cbv beta in (F k) in let q := tree y in exact q)) in
      constr:(@TMaxOver n p f)
  | BigOp.bigop _ (index_enum (ordinal_finType ?n)) (fun i => @BigBody _ _ i (@GRing.add _) true (@?F i)) =>
      let k := fresh "k" in
      let f := constr:(fun k : 'I_n => ltac:(let y := eval cbv beta in (F k) in let q := tree y in exact q)) in
      constr:(@TSum n f)
  | _ => let h := head_of x in let y := eval unfold h in x in let z := eval cbv beta in y in tree z
  end.

Ltac evaluate :=
  lazymatch goal with
  | |- is_true (@eq_op _ ?x ?y) => let p := tree x in let q := tree y in
      apply: (@evaluate_eqb _ p q true); vm_compute; reflexivity
  | |- is_true (~~ @eq_op _ ?x ?y) => let p := tree x in let q := tree y in
      apply: negbT; apply: (@evaluate_eqb _ p q false); vm_compute; reflexivity
  | |- is_true (@Order.le _ _ ?x ?y) => let p := tree x in let q := tree y in
      apply: (@evaluate_le _ p q true); vm_compute; reflexivity
  | |- is_true (@Order.lt _ _ ?x ?y) => let p := tree x in let q := tree y in
      apply: (@evaluate_lt _ p q true); vm_compute; reflexivity
  | |- @eq _ ?x ?y => let p := tree x in let q := tree y in
      apply: (@evaluate_eq _ p q); vm_compute; reflexivity
  end.

(* tables and distributions of numbers *)
Section Given.
Variable R : realFieldType.
Definition counts_of r K (rows : seq (seq nat)) (i : 'I_r) (k : 'I_K) : R := (nth 0%N (nth [::] rows i) k)%:R.
Definition shares_of K (weights : seq nat) (k : 'I_K) : R := (nth 0%N weights k)%:R / (sumn weights)%:R.
End Given.
Arguments counts_of R (r K)%N rows i k : clear implicits.
Arguments shares_of R K%N weights k : clear implicits.
