(* The exact p-value of a table, as its source prints it: a dynamic programme over rows, whose states are sorted counts. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ring zify.
From splitcrit Require Import python loops pvalues cut_loop.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Folds.
(* a loop that may end early keeps an invariant of what it has gone through *)
Variables (S X : Type) (turn : bool * S -> X -> bool * S) (Inv : seq X -> S -> Prop).
Hypothesis ended : forall s x, (turn (true, s) x).1 = true.
Hypothesis step : forall before x s, Inv before s -> (turn (false, s) x).1 = false -> Inv (rcons before x) (turn (false, s) x).2.
Lemma fold_invariant s0 l r : foldl turn (false, s0) l = r -> r.1 = false -> Inv [::] s0 -> Inv l r.2.
Proof.
move=> <- r0 start; elim/last_ind: l r0 => // l x IH; rewrite !foldl_rcons.
case: (foldl _ _ l) IH => -[] s IH /=; first by rewrite ended.
exact/step/IH.
Qed.
End Folds.

Section Dictionaries.
Variable K : eqType.
(* what a dictionary of whole numbers adds up to, each times a function of its key *)
Definition weighed (f : K -> int) (d : seq (K * int)) : int := \sum_(q <- d) q.2 * f q.1.
Lemma weighed_bump f d k v : weighed f (py_bump d k v) = weighed f d + v * f k.
Proof.
rewrite /weighed /py_bump; elim: d => [|[k' w] d IH] /=; first by rewrite big_seq1 big_nil /= !add0r.
case: eqP => [->|_]; rewrite !big_cons /=; first by rewrite mulrDl addrAC.
by rewrite IH addrA.
Qed.
End Dictionaries.

Section Rows.
Variable d : int.
Lemma weighed_joined f sums law shift times :
  weighed f (py_joined sums law shift times) = weighed f sums + times * weighed (fun x => f (x + shift)) law.
Proof.
rewrite /py_joined /weighed; elim: law sums => [|[x w] law IH] sums; first by rewrite big_nil mulr0 addr0.
rewrite [foldl _ _ _]/= IH -/(weighed f _) weighed_bump big_cons /weighed /=; ring.
Qed.

(* the states of the programme: dictionaries of values for sorted counts *)
Definition held (f : seq int -> int -> int) (states : seq (seq int * seq (int * int))) : int :=
  \sum_(s <- states) weighed (f s.1) s.2.
Lemma held_put f states c law shift times :
  held f (py_put states c (py_joined (py_get [::] states c) law shift times))
  = held f states + times * weighed (fun x => f c (x + shift)) law.
Proof.
rewrite /held; elim: states => [|[c' l] states IH] /=.
  by rewrite big_seq1 big_nil /= weighed_joined /weighed big_nil.
case: eqP => [->|_]; rewrite !big_cons /=; first by rewrite weighed_joined addrAC.
by rewrite IH addrA.
Qed.

Variable P : int -> int.
(* the sum over all ways to fill the rows that are left, each weighed by P of its value *)
Fixpoint filled (totals : seq int) (c : seq int) (x : int) : int :=
  match totals with
  | [::] => 0
  | a :: rest =>
    if rest is [::] then P (x + py_div d a * py_sum [seq y * y | y <- c])
    else \sum_(q <- py_moves c a) q.2 * filled rest (py_sorted q.1.1) (x + py_div d a * q.1.2)
  end.

Arguments filled : simpl never.
Lemma filled_more a rest b c x : filled (a :: rcons rest b) c x
  = \sum_(q <- py_moves c a) q.2 * filled (rcons rest b) (py_sorted q.1.1) (x + py_div d a * q.1.2).
Proof. by case: rest. Qed.

Lemma held_moves f a law moves reached :
  held f (foldl (fun reached '((left_, squares), ways) =>
    py_put reached left_ (py_joined (py_get [::] reached left_) law (py_div d a * squares) ways)) reached moves)
  = held f reached
    + weighed (fun k : seq int * int => weighed (fun x => f k.1 (x + py_div d a * k.2)) law) moves.
Proof.
elim: moves reached => [|[[l sq] w] moves IH] reached; first by rewrite /weighed big_nil addr0.
by rewrite [foldl _ _ _]/= IH held_put [weighed _ (_ :: _)]/weighed big_cons addrA.
Qed.

Lemma law_by_rowsE totals columns cost limit law : totals != [::] ->
  py_law_by_rows totals columns d cost limit = Some law -> weighed P law = filled totals columns 0.
Proof.
case/lastP: totals => // front b _; rewrite /py_law_by_rows.
have -> : py_upto (rcons front b) (- 1) = front.
  rewrite /py_upto /= size_rcons; have -> : absz (Num.max (Posz (size front).+1 + -1) 0) = size front by lia.
  by rewrite -cats1 take_size_cat.
have -> : py_at 0 (rcons front b) (- 1) = b.
  rewrite /py_at /py_place /= size_rcons; have -> : absz (Posz (size front).+1 + -1) = size front by lia.
  by rewrite nth_rcons ltnn eqxx.
case E: (foldl _ _ front) => [[] [steps states]] //= [<-].
pose Inv (before : seq int) (s : int * seq (seq int * seq (int * int))) :=
  forall rest, before ++ rest = front -> held (filled (rcons rest b)) s.2 = filled (rcons front b) columns 0.
have inv : Inv front (steps, states).
  apply: (fold_invariant (Inv := Inv) _ _ E) => // [s a|before a [st ss] before_ done rest e|rest].
  - by case: s => st ss.
  - rewrite -(before_ (a :: rest)) -?cat_rcons // /= {before_ E}; move: done.
    case E1: (foldl _ _ ss) => [[] [st1 reached]] //= _.
    pose Inv1 (before : seq (seq int * seq (int * int))) (s : int * seq (seq int * seq (int * int))) :=
      held (filled (rcons rest b)) s.2 = \sum_(q <- before) weighed (filled (a :: rcons rest b) q.1) q.2.
    have -> : held (filled (rcons rest b)) (map (fun '(state, law) => (state, law)) reached)
        = held (filled (rcons rest b)) reached.
      by rewrite /held big_map; apply: eq_bigr; case.
    apply: (fold_invariant (Inv := Inv1) _ _ E1) => // [s [c l]|before1 [c l] [st2 r] before_ done|]; first by case: s.
      rewrite /Inv1 -[rcons before1 _]cats1 big_cat big_seq1 -before_ /=; move: done.
      case E2: (foldl _ _ (py_moves c a)) => [[] [st3 moves]] //=; case: ifP => //= _ _.
      pose Inv2 (before : seq (seq int * int * int)) (s : int * seq (seq int * int * int)) :=
        forall h, weighed h s.2 = \sum_(q <- before) q.2 * h (py_sorted q.1.1, q.1.2).
      have inv2 : Inv2 (py_moves c a) (st3, moves).
        apply: (fold_invariant (Inv := Inv2) _ _ E2) => // [s [[l2 sq] w]|before2 [[l2 sq] w] [st4 m] before_2 done h|h].
        - by case: s.
        - move: done => /=; case: ifP => //= _ _.
          by rewrite weighed_bump before_2 -cats1 big_cat big_seq1.
        by rewrite /weighed !big_nil.
      rewrite held_moves inv2; congr (_ + _); rewrite /weighed.
      rewrite [RHS](eq_bigr (fun q => \sum_(p <- py_moves c a)
          q.2 * (p.2 * filled (rcons rest b) (py_sorted p.1.1) (q.1 + py_div d a * p.1.2)))); last first.
        by move=> q _; rewrite filled_more big_distrr.
      rewrite exchange_big; apply: eq_bigr => p _ /=; rewrite big_distrr; apply: eq_bigr => q _ /=; ring.
    by rewrite /Inv1 /held !big_nil.
  move=> /= <-; rewrite /held big_seq1 /weighed big_seq1 /= mul1r; congr filled.
move/(_ [::] (cats0 _)): inv => /= <-; rewrite /held.
have last_row found : weighed P (foldl (fun found '(left_, law) =>
    let squares := py_div d b * py_sum [seq x * x | x <- left_] in
    let found := foldl (fun found '(value, weight) => py_bump found (value + squares) weight) found law in found)
    found states) = weighed P found + \sum_(s <- states) weighed (filled [:: b] s.1) s.2.
  elim: states found {E} => [|[c l] states IH] found; first by rewrite big_nil addr0.
  rewrite [foldl _ _ _]/= IH big_cons addrA /=; congr (_ + _).
  elim: l found {IH} => [|[x w] l IH] found; first by rewrite /weighed big_nil addr0.
  by rewrite [foldl _ _ _]/= IH weighed_bump [in RHS]/weighed big_cons addrA.
by rewrite last_row /weighed big_nil add0r.
Qed.
End Rows.
