(* Printed formulas as data, with two values: over any ordered field, with \sum, and over the rational numbers of Coq's *)
(* standard library, with lists, where the kernel computes. The theorem: the first is the second, embedded in the field. *)
From Coq Require Import ZArith QArith.
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint zmodp.
From mathcomp Require Import ssrZ zify ring.
From splitcrit Require Import defs risk.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Inductive index := Loop of nat | Place of nat.
Inductive term :=
  | Nat of nat | Size of nat | Data of nat & index & index
  | Add of term & term | Sub of term & term | Mul of term & term | Div of term & term | Opp of term
  | Pow of term & nat | PowSize of term & nat | Abs of term | Max of term & term | Min of term & term
  | Log of term | XlogX of term | Root of term
  | Sum of nat & nat & term | Largest of nat & nat & term | Smallest of nat & nat & term
  | Let of nat & term & term | If of cond & term & term
with cond :=
  | Lt of term & term | Le of term & term | Eq of term & term | Same of index & index
  | And of cond & cond | Or of cond & cond | Not of cond.

Definition places := nat -> nat.                       (* where each loop stands *)
Definition data (A : Type) := nat -> nat -> nat -> A.  (* numbers by name and up to two indices *)
Definition put (c : places) (x v : nat) : places := fun y => if y == x then v else c y.
Definition bind A (d : data A) (x : nat) (v : A) : data A := fun y i j => if y == x then v else d y i j.
Definition at_index (c : places) i := match i with Loop x => c x | Place n => n end.

Section Field.
Variables (R : realFieldType) (log sqrt : R -> R) (size : nat -> nat).
Fixpoint value (d : data R) (c : places) (t : term) : R :=
  match t with
  | Nat n => n%:R
  | Size x => (size x)%:R
  | Data x i j => d x (at_index c i) (at_index c j)
  | Add a b => value d c a + value d c b
  | Sub a b => value d c a - value d c b
  | Mul a b => value d c a * value d c b
  | Div a b => value d c a / value d c b
  | Opp a => - value d c a
  | Pow a n => value d c a ^+ n
  | PowSize a x => value d c a ^+ size x
  | Abs a => `|value d c a|
  | Max a b => Num.max (value d c a) (value d c b)
  | Min a b => Num.min (value d c a) (value d c b)
  | Log a => log (value d c a)
  | XlogX a => xlogx log (value d c a)
  | Root a => sqrt (value d c a)
  | Sum x s a => \sum_(k < size s) value d (put c x k) a
  | Largest x s a => \big[Num.max/value d (put c x 0%N) a]_(k < size s) value d (put c x k) a
  | Smallest x s a => \big[Num.min/value d (put c x 0%N) a]_(k < size s) value d (put c x k) a
  | Let x a b => value (bind d x (value d c a)) c b
  | If q a b => if holds d c q then value d c a else value d c b
  end
with holds (d : data R) (c : places) (q : cond) : bool :=
  match q with
  | Lt a b => value d c a < value d c b
  | Le a b => value d c a <= value d c b
  | Eq a b => value d c a == value d c b
  | Same i j => at_index c i == at_index c j
  | And p q => holds d c p && holds d c q
  | Or p q => holds d c p || holds d c q
  | Not q => ~~ holds d c q
  end.
End Field.

(* rational numbers in lowest terms; division by 0 is 0, as in a field of mathcomp *)
Definition qadd (x y : Q) := Qred (Qplus x y).
Definition qmul (x y : Q) := Qred (Qmult x y).
Definition qopp (x : Q) : Q := Qmake (Z.opp (Qnum x)) (Qden x).
Definition qdiv (x y : Q) := Qred (Qmult x (Qinv y)).
Definition qnat (n : nat) : Q := Qmake (Z.of_nat n) 1%positive.
Definition qlt (x y : Q) := Z.ltb (Z.mul (Qnum x) (Zpos (Qden y))) (Z.mul (Qnum y) (Zpos (Qden x))).
Definition qeq (x y : Q) := Z.eqb (Z.mul (Qnum x) (Zpos (Qden y))) (Z.mul (Qnum y) (Zpos (Qden x))).
Definition qle (x y : Q) := ~~ qlt y x.
Definition qpow (x : Q) n := iter n (qmul x) (qnat 1).
Definition qabs (x : Q) := Qmake (Z.abs (Qnum x)) (Qden x).
Definition qmax (x y : Q) := if qlt x y then y else x.
Definition qmin (x y : Q) := if qlt x y then x else y.
(* what stands for log and for the root, which are no rational functions: any functions would do *)
Definition qlog (x : Q) := qdiv (qadd x (qopp (qnat 1))) (qadd x (qnat 1)).
Definition qroot (x : Q) := qdiv (qmul (qnat 2) x) (qadd x (qnat 1)).

Section Rational.
Variable size : nat -> nat.
Fixpoint qvalue (d : data Q) (c : places) (t : term) : Q :=
  match t with
  | Nat n => qnat n
  | Size x => qnat (size x)
  | Data x i j => d x (at_index c i) (at_index c j)
  | Add a b => qadd (qvalue d c a) (qvalue d c b)
  | Sub a b => qadd (qvalue d c a) (qopp (qvalue d c b))
  | Mul a b => qmul (qvalue d c a) (qvalue d c b)
  | Div a b => qdiv (qvalue d c a) (qvalue d c b)
  | Opp a => qopp (qvalue d c a)
  | Pow a n => qpow (qvalue d c a) n
  | PowSize a x => qpow (qvalue d c a) (size x)
  | Abs a => qabs (qvalue d c a)
  | Max a b => qmax (qvalue d c a) (qvalue d c b)
  | Min a b => qmin (qvalue d c a) (qvalue d c b)
  | Log a => qlog (qvalue d c a)
  | XlogX a => let x := qvalue d c a in if qeq x (qnat 0) then qnat 0 else qmul x (qlog x)
  | Root a => qroot (qvalue d c a)
  | Sum x s a => foldr (fun k v => qadd (qvalue d (put c x k) a) v) (qnat 0) (iota 0 (size s))
  | Largest x s a =>
    foldr (fun k v => qmax (qvalue d (put c x k) a) v) (qvalue d (put c x 0%N) a) (iota 0 (size s))
  | Smallest x s a =>
    foldr (fun k v => qmin (qvalue d (put c x k) a) v) (qvalue d (put c x 0%N) a) (iota 0 (size s))
  | Let x a b => let v := qvalue d c a in qvalue (bind d x v) c b
  | If q a b => if qholds d c q then qvalue d c a else qvalue d c b
  end
with qholds (d : data Q) (c : places) (q : cond) : bool :=
  match q with
  | Lt a b => qlt (qvalue d c a) (qvalue d c b)
  | Le a b => qle (qvalue d c a) (qvalue d c b)
  | Eq a b => qeq (qvalue d c a) (qvalue d c b)
  | Same i j => at_index c i == at_index c j
  | And p q => qholds d c p && qholds d c q
  | Or p q => qholds d c p || qholds d c q
  | Not q => ~~ qholds d c q
  end.
End Rational.

Scheme term_mut := Induction for term Sort Prop with cond_mut := Induction for cond Sort Prop.
Combined Scheme term_cond_mut from term_mut, cond_mut.

Section Embedding.
Variable R : realFieldType.
Definition zr (z : Z) : R := (int_of_Z z)%:~R.
Definition qr (q : Q) : R := zr (Qnum q) / zr (Zpos (Qden q)).
Definition rlog (x : R) := (x - 1) / (x + 1).
Definition rroot (x : R) := 2%:R * x / (x + 1).

Lemma zrD x y : zr (Z.add x y) = zr x + zr y. Proof. by rewrite /zr (rmorphD ZInstances.int_of_Z_rmorphism) rmorphD. Qed.
Lemma zrM x y : zr (Z.mul x y) = zr x * zr y. Proof. by rewrite /zr (rmorphM ZInstances.int_of_Z_rmorphism) rmorphM. Qed.
Lemma zrN x : zr (Z.opp x) = - zr x. Proof. by rewrite /zr (rmorphN ZInstances.int_of_Z_rmorphism) rmorphN. Qed.
Lemma zr_nat n : zr (Z.of_nat n) = n%:R.
Proof. by rewrite /zr; case: n => //= n; rewrite SuccNat2Pos.id_succ. Qed.
Lemma zr_pos p : 0 < zr (Zpos p).
Proof. by rewrite /zr ltr0z /= ltz_nat; lia. Qed.
Lemma zr_den p : zr (Zpos p) != 0. Proof. by rewrite gt_eqF ?zr_pos. Qed.
Lemma zr_lt x y : (zr x < zr y) = Z.ltb x y. Proof. by rewrite /zr ltr_int; lia. Qed.
Lemma zr_eq x y : (zr x == zr y) = Z.eqb x y. Proof. by rewrite /zr eqr_int; lia. Qed.

Lemma qr_same x y : Qeq x y -> qr x = qr y.
Proof.
rewrite /Qeq /qr => e; apply/eqP; rewrite eqr_div ?zr_den //; apply/eqP.
by rewrite -!zrM e.
Qed.
Lemma qr_red x : qr (Qred x) = qr x. Proof. exact: qr_same (Qred_correct x). Qed.
Lemma qrD x y : qr (qadd x y) = qr x + qr y.
Proof. by rewrite /qadd qr_red /qr /Qplus /= zrD !zrM Pos2Z.inj_mul zrM addf_div ?zr_den. Qed.
Lemma qrM x y : qr (qmul x y) = qr x * qr y.
Proof. by rewrite /qmul qr_red /qr /Qmult /= zrM Pos2Z.inj_mul zrM mulf_div. Qed.
Lemma qrN x : qr (qopp x) = - qr x. Proof. by rewrite /qr /= zrN mulNr. Qed.
Lemma qr_inv x : qr (Qinv x) = (qr x)^-1.
Proof.
rewrite /qr /Qinv invf_div; case: x => [[|p|p] q] //=.
  by rewrite /zr /= invr0 mulr0 mul0r.
by rewrite (zrN (Zpos p)) (zrN (Zpos q)) invrN mulrN mulNr.
Qed.
Lemma qrV x y : qr (qdiv x y) = qr x / qr y.
Proof. by rewrite /qdiv qr_red -qr_inv -qrM /qmul qr_red. Qed.
Lemma qr_nat n : qr (qnat n) = n%:R. Proof. by rewrite /qr /= zr_nat /zr /= divr1. Qed.
Lemma qr_lt x y : (qr x < qr y) = qlt x y.
Proof. by rewrite /qlt -zr_lt !zrM /qr ltr_pdivr_mulr ?zr_pos // mulrAC ltr_pdivl_mulr ?zr_pos. Qed.
Lemma qr_le x y : (qr x <= qr y) = qle x y. Proof. by rewrite /qle -qr_lt -leNgt. Qed.
Lemma qr_eq x y : (qr x == qr y) = qeq x y.
Proof. by rewrite /qeq -zr_eq !zrM /qr eqr_div ?zr_den. Qed.
Lemma qrX x n : qr (qpow x n) = qr x ^+ n.
Proof. by elim: n => [|n IH]; rewrite ?expr0 ?qr_nat // exprS -IH -qrM. Qed.
Lemma qr_abs x : qr (qabs x) = `|qr x|.
Proof.
rewrite /qr normrM normfV (gtr0_norm (zr_pos _)) /=; congr (_ / _); case: (Qnum x) => [|p|p] /=.
- by rewrite /zr normr0.
- by rewrite gtr0_norm ?zr_pos.
- by rewrite (zrN (Zpos p)) normrN gtr0_norm ?zr_pos.
Qed.
Lemma qr_max x y : qr (qmax x y) = Num.max (qr x) (qr y).
Proof. by rewrite /qmax -qr_lt maxElt; case: ifP. Qed.
Lemma qr_min x y : qr (qmin x y) = Num.min (qr x) (qr y).
Proof. by rewrite /qmin -qr_lt minElt; case: ifP. Qed.

Variable size : nat -> nat.
Definition embedded (d : data Q) : data R := fun x i j => qr (d x i j).

Ltac step := cbn [value holds qvalue qholds].
(* what Rocq computes with lists of rational numbers is the value with \sum in every ordered field *)
Theorem value_of_rationals :
  (forall t d e, (forall x i j, e x i j = qr (d x i j)) ->
     forall c, value rlog rroot size e c t = qr (qvalue size d c t)) /\
  (forall q d e, (forall x i j, e x i j = qr (d x i j)) ->
     forall c, holds rlog rroot size e c q = qholds size d c q).
Proof.
have fold_op (op : Q -> Q -> Q) (rop : R -> R -> R) (hom : forall x y, qr (op x y) = rop (qr x) (qr y)) z n (F : nat -> R) f :
    (forall k, F k = qr (f k)) -> \big[rop/qr z]_(k < n) F k = qr (foldr (fun k v => op (f k) v) z (iota 0 n)).
  move=> e; rewrite -(big_mkord xpredT F) unlock /index_iota subn0 /reducebig.
  by elim: (iota 0 n) => //= k l ->; rewrite hom e.
pose F (x : nat) a e c k := value rlog rroot size e (put c x k) a.
pose f (x : nat) a d c k := qvalue size d (put c x k) a.
pose V e c := value rlog rroot size e c; pose v d c := qvalue size d c.
pose H0 e c := holds rlog rroot size e c; pose h d c := qholds size d c.
have two : qr (qnat 1) = 1 :> R by rewrite qr_nat.
have zero : qr (qnat 0) = 0 :> R by rewrite qr_nat.
apply: term_cond_mut => /=.
- by move=> n d e de c; step; rewrite qr_nat.
- by move=> n d e de c; step; rewrite qr_nat.
- by move=> x i j d e de c; exact: de.
- by move=> a A b B d e de c; step; rewrite (A d e) // (B d e) // qrD.
- by move=> a A b B d e de c; step; rewrite (A d e) // (B d e) // qrD qrN.
- by move=> a A b B d e de c; step; rewrite (A d e) // (B d e) // qrM.
- by move=> a A b B d e de c; step; rewrite (A d e) // (B d e) // qrV.
- by move=> a A d e de c; step; rewrite (A d e) // qrN.
- by move=> a A n d e de c; step; rewrite (A d e) // qrX.
- by move=> a A n d e de c; step; rewrite (A d e) // qrX.
- by move=> a A d e de c; step; rewrite (A d e) // qr_abs.
- by move=> a A b B d e de c; step; rewrite (A d e) // (B d e) // qr_max.
- by move=> a A b B d e de c; step; rewrite (A d e) // (B d e) // qr_min.
- by move=> a A d e de c; step; rewrite (A d e) // /rlog /qlog qrV !qrD qrN two.
- move=> a A d e de c; step; rewrite (A d e) // /xlogx /rlog /qlog -zero qr_eq.
  by case: ifP => // _; rewrite qrM qrV !qrD qrN two.
- by move=> a A d e de c; step; rewrite (A d e) // /rroot /qroot qrV qrM !qrD two qr_nat.
- move=> x s a A d e de c; step; rewrite -zero; apply: (fold_op qadd +%R qrD _ _ (F x a e c) (f x a d c)) => k; exact: A.
- by move=> x s a A d e de c; step; rewrite (A d e) //; apply: (fold_op qmax Num.max qr_max _ _ (F x a e c) (f x a d c)) => k; exact: A.
- by move=> x s a A d e de c; step; rewrite (A d e) //; apply: (fold_op qmin Num.min qr_min _ _ (F x a e c) (f x a d c)) => k; exact: A.
- move=> x a A b B d e de c; step; apply: (B (bind d x (qvalue size d c a))) => y i j.
  by rewrite /bind; case: ifP => // _; exact: A.
- move=> q H a A b B d e de c.
  change ((if H0 e c q then V e c a else V e c b) = qr (if h d c q then v d c a else v d c b)).
  by rewrite /H0 /V /h /v (H d e) // (A d e) // (B d e) //; case: ifP.
- move=> a A b B d e de c; change ((V e c a < V e c b) = qlt (v d c a) (v d c b)).
  by rewrite /V /v (A d e) // (B d e) // qr_lt.
- move=> a A b B d e de c; change ((V e c a <= V e c b) = qle (v d c a) (v d c b)).
  by rewrite /V /v (A d e) // (B d e) // qr_le.
- move=> a A b B d e de c; change ((V e c a == V e c b) = qeq (v d c a) (v d c b)).
  by rewrite /V /v (A d e) // (B d e) // qr_eq.
- by [].
- move=> p P q H d e de c; change (H0 e c p && H0 e c q = h d c p && h d c q).
  by rewrite /H0 /h (P d e) // (H d e).
- move=> p P q H d e de c; change (H0 e c p || H0 e c q = h d c p || h d c q).
  by rewrite /H0 /h (P d e) // (H d e).
- by move=> p P d e de c; change (~~ H0 e c p = ~~ h d c p); rewrite /H0 /h (P d e).
Qed.

Corollary evaluated t d c v :
  qvalue size d c t = v -> value rlog rroot size (embedded d) c t = qr v.
Proof. by move=> <-; apply: (proj1 value_of_rationals). Qed.
End Embedding.
