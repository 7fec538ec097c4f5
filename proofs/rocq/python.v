(* What the operations of Python that printed loops use do to lists and whole numbers. Where Python raises, a value
   stands that no theorem rests on. *)
From mathcomp Require Import all_ssreflect all_algebra.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* range(a, b) *)
Definition py_range (a b : int) : seq int := [seq a + Posz i | i <- iota 0 (absz (Num.max (b - a) 0))].
(* s[i], counted from the end where i is negative *)
Definition py_place (T : Type) (s : seq T) (i : int) : nat := absz (if i < 0 then Posz (size s) + i else i).
Definition py_at (T : Type) (x0 : T) (s : seq T) (i : int) : T := nth x0 s (py_place s i).
(* s[i] = x *)
Definition py_set (T : Type) (s : seq T) (i : int) (x : T) : seq T := set_nth x s (py_place s i) x.
(* s[i:] and s[:i] *)
Definition py_from (T : Type) (s : seq T) (i : int) : seq T :=
  drop (absz (if i < 0 then Num.max (Posz (size s) + i) 0 else i)) s.
Definition py_upto (T : Type) (s : seq T) (i : int) : seq T :=
  take (absz (if i < 0 then Num.max (Posz (size s) + i) 0 else i)) s.
(* enumerate(s, start) *)
Definition py_enumerate (T : Type) (s : seq T) (start : int) : seq (int * T) :=
  zip [seq start + Posz i | i <- iota 0 (size s)] s.
(* sum(s) *)
Definition py_sum (V : zmodType) (s : seq V) : V := foldl (fun x y => x + y) 0 s.
(* s * n *)
Definition py_repeat (T : Type) (s : seq T) (n : int) : seq T := flatten (nseq (absz (Num.max n 0)) s).
(* a // b: rounded down *)
Definition py_div (a b : int) : int := if 0 <= b then (a %/ b)%Z else ((- a) %/ (- b))%Z.
(* a % b, and a ** b, where b >= 0 *)
Definition py_mod (a b : int) : int := a - py_div a b * b.
Definition py_pow (a b : int) : int := if 0 <= b then a ^+ absz b else 0.
(* list(accumulate(s)), and min(s) *)
Definition py_accumulate (V : zmodType) (s : seq V) : seq V := if s is x :: more then x :: scanl (fun y z => y + z) x more else [::].
Definition py_least (s : seq int) : int := if s is x :: more then foldl Num.min x more else 0.
(* math.comb(n, k) *)
Definition py_comb (n k : int) : int := if (0 <= n) && (0 <= k) then Posz 'C(absz n, absz k) else 0.
(* sorted(s); sorted(s, reverse=True); sorted(s, key=f), where equal ones stay in their order *)
Definition py_sorted (s : seq int) : seq int := sort (fun x y => x <= y) s.
Definition py_sorted_down (s : seq int) : seq int := sort (fun x y => y <= x) s.
Definition py_sorted_by (R : realFieldType) (f : int -> R) (s : seq int) : seq int := sort (fun x y => f x <= f y) s.
Definition py_sorted_by_down (R : realFieldType) (f : int -> R) (s : seq int) : seq int := sort (fun x y => f y <= f x) s.
(* math.lcm( *s ) *)
Definition py_lcm (s : seq int) : int := Posz (foldr (fun x d => lcmn (absz x) d) 1%N s).
(* zip( *s ) as lists *)
Definition py_transposed (T : Type) (x0 : T) (s : seq (seq T)) : seq (seq T) :=
  if s is first :: _ then [seq [seq nth x0 row i | row <- s] | i <- iota 0 (foldr minn (size first) (map size s))]
  else [::].
(* x >= reached, where x may be nan *)
Definition py_reaches (R : realFieldType) (x : option R) (reached : R) : bool := if x is Some v then reached <= v else false.
(* numpy.flatnonzero(s) *)
Definition py_places (s : seq bool) : seq int := [seq Posz i | i <- iota 0 (size s) & nth false s i].

Section Dictionaries.
Variables (K : eqType) (V : Type).
(* d[k], and d[k] = v: the order of keys is that of their first assignment *)
Fixpoint py_get (x0 : V) (d : seq (K * V)) (k : K) : V :=
  if d is (key, v) :: more then if key == k then v else py_get x0 more k else x0.
Fixpoint py_put (d : seq (K * V)) (k : K) (v : V) : seq (K * V) :=
  if d is (key, w) :: more then if key == k then (key, v) :: more else (key, w) :: py_put more k v else [:: (k, v)].
End Dictionaries.
(* d[k] += v, from 0 *)
Definition py_bump (K : eqType) (V : zmodType) (d : seq (K * V)) (k : K) (v : V) : seq (K * V) :=
  py_put d k (py_get 0 d k + v).
(* PermutationTally(drawn, kept, exceeding, stopped) *)
Definition py_tally (drawn kept exceeding : int) (stopped : bool) := (drawn, kept, exceeding, stopped).
