(* The multinomial null law: mean and variance of the Gini gain where labels are drawn independently from shares. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs distinct null gini_null flips generated tie.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Draws.
Variables (R : realFieldType) (T : finType) (K : nat) (p : 'I_K -> R).
Hypothesis distributed : \sum_k p k = 1.
(* the mean of a function of labels that are drawn independently, each from the shares p *)
Definition drawn (F : {ffun T -> 'I_K} -> R) : R := \sum_(s : {ffun T -> 'I_K}) (\prod_u p (s u)) * F s.

Lemma drawn_product (h : T -> 'I_K -> R) : drawn (fun s => \prod_u h u (s u)) = \prod_u (\sum_l p l * h u l).
Proof. by rewrite bigA_distr_bigA /drawn; apply: eq_bigr => s _; rewrite -big_split. Qed.
Lemma drawn_add F G : drawn (fun s => F s + G s) = drawn F + drawn G.
Proof. by rewrite /drawn -big_split; apply: eq_bigr => s _; rewrite mulrDr. Qed.
Lemma drawn_scale c F : drawn (fun s => c * F s) = c * drawn F.
Proof. by rewrite /drawn mulr_sumr; apply: eq_bigr => s _; rewrite mulrCA. Qed.
Lemma drawn_ext F G : F =1 G -> drawn F = drawn G.
Proof. by move=> e; apply: eq_bigr => s _; rewrite e. Qed.
Lemma drawn_sum (I : finType) (P : pred I) (F : I -> {ffun T -> 'I_K} -> R) :
  drawn (fun s => \sum_(i | P i) F i s) = \sum_(i | P i) drawn (F i).
Proof.
rewrite /drawn exchange_big /=; apply: eq_bigr => s _; exact: mulr_sumr.
Qed.
Lemma drawn1 : drawn (fun=> 1) = 1.
Proof.
rewrite (drawn_ext (G := fun s => \prod_u (fun _ _ => 1) u (s u))); last by move=> s; rewrite big1.
rewrite (drawn_product (fun _ _ => 1)) big1 // => u _; rewrite -[RHS]distributed.
by apply: eq_bigr => l _; rewrite mulr1.
Qed.
Lemma drawn_const c : drawn (fun=> c) = c.
Proof.
rewrite (drawn_ext (G := fun=> c * 1)); last by move=> s; rewrite mulr1.
by rewrite drawn_scale drawn1 mulr1.
Qed.
Lemma drawn_D2 (F : {ffun T -> 'I_K} -> T -> T -> R) :
  drawn (fun s => D2 (F s)) = D2 (fun u v => drawn (fun s => F s u v)).
Proof. by rewrite /D2 drawn_sum; apply: eq_bigr => u _; rewrite drawn_sum. Qed.
Lemma drawn_D3 (F : {ffun T -> 'I_K} -> T -> T -> T -> R) :
  drawn (fun s => D3 (F s)) = D3 (fun u v w => drawn (fun s => F s u v w)).
Proof.
by rewrite /D3 drawn_sum; apply: eq_bigr => u _; rewrite drawn_sum; apply: eq_bigr => v _; rewrite drawn_sum.
Qed.
Lemma drawn_D4 (F : {ffun T -> 'I_K} -> T -> T -> T -> T -> R) :
  drawn (fun s => D4 (F s)) = D4 (fun u v w x => drawn (fun s => F s u v w x)).
Proof.
rewrite /D4 drawn_sum; apply: eq_bigr => u _; rewrite drawn_sum; apply: eq_bigr => v _; rewrite drawn_sum.
by apply: eq_bigr => w _; rewrite drawn_sum.
Qed.

Lemma pick (j : 'I_K) : \sum_l p l * (l == j)%:R = p j.
Proof. by rewrite (bigD1 j) //= eqxx mulr1 big1 ?addr0 // => l /negPf ->; rewrite mulr0. Qed.
Lemma any : \sum_l p l * 1 = 1.
Proof. by rewrite -[RHS]distributed; apply: eq_bigr => l _; rewrite mulr1. Qed.

(* labels of distinct points are independent *)
Definition at_points (l : seq (T * 'I_K)) (u : T) (j : 'I_K) : R :=
  \prod_(q <- l) (if u == q.1 then (j == q.2)%:R else 1).
Lemma drawn_points (l : seq (T * 'I_K)) : uniq (map fst l) ->
  drawn (fun s => \prod_(q <- l) (s q.1 == q.2)%:R) = \prod_(q <- l) p q.2.
Proof.
move=> ul; rewrite (drawn_ext (G := fun s => \prod_u at_points l u (s u))); last first.
  move=> s; rewrite /at_points exchange_big /=; apply: eq_bigr => q _.
  by rewrite (bigD1 q.1) //= eqxx big1 ?mulr1 // => u /negPf ->.
rewrite drawn_product; elim: l ul => [_|q l IH /= /andP[ql ul]].
  by rewrite big_nil big1 // => u _; rewrite -[RHS]any; apply: eq_bigr => j _; rewrite /at_points big_nil.
rewrite big_cons -IH // [in RHS](bigD1 q.1) //= [in LHS](bigD1 q.1) //= [RHS]mulrA; congr (_ * _).
  have out j : at_points l q.1 j = 1.
    rewrite /at_points big_seq big1 // => q' q'l; case: eqP => // e; case/negP: ql.
    by rewrite e; apply: map_f.
  rewrite [X in _ * X](eq_bigr (fun j => p j * 1)) ?any ?mulr1; last by move=> j _; rewrite out.
  rewrite -[RHS]pick; apply: eq_bigr => j _.
  by rewrite /at_points big_cons eqxx -/(at_points l q.1 j) out mulr1.
apply: eq_bigr => u uq; apply: eq_bigr => j _; by rewrite /at_points big_cons (negPf uq) mul1r.
Qed.

Local Notation z s u v := (if (s : {ffun T -> 'I_K}) u == s v then 1 else 0 : R).
Lemma same_sum (s : {ffun T -> 'I_K}) u v : z s u v = \sum_l (s u == l)%:R * (s v == l)%:R.
Proof.
rewrite (bigD1 (s u)) //= eqxx mul1r eq_sym big1 ?addr0; first by case: eqP.
by move=> l; rewrite eq_sym => /negPf ->; rewrite mul0r.
Qed.
Lemma drawn_pair u v : v != u -> drawn (fun s => z s u v) = \sum_l p l ^+ 2.
Proof.
move=> vu; rewrite (drawn_ext (fun s => same_sum s u v)) drawn_sum; apply: eq_bigr => l _.
have := @drawn_points [:: (u, l); (v, l)] (uniq2 vu).
rewrite !big_cons big_nil mulr1 expr2 /= => <-; apply: drawn_ext => s.
by rewrite !big_cons big_nil mulr1.
Qed.
Lemma drawn_triple u v w : v != u -> w != u -> w != v ->
  drawn (fun s => z s u v * z s u w) = \sum_l p l ^+ 3.
Proof.
move=> vu wu wv; transitivity (drawn (fun s => \sum_l (s u == l)%:R * ((s v == l)%:R * (s w == l)%:R))).
  apply: drawn_ext => s; rewrite (bigD1 (s u)) //= eqxx mul1r big1 ?addr0.
    by rewrite -natrM mulnb [s v == _]eq_sym [s w == _]eq_sym; case: eqP => _; case: eqP; rewrite ?mulr1 ?mulr0 ?mul0r.
  by move=> l; rewrite eq_sym => /negPf ->; rewrite mul0r.
rewrite drawn_sum; apply: eq_bigr => l _.
have := @drawn_points [:: (u, l); (v, l); (w, l)] (uniq3 vu wu wv).
rewrite !big_cons big_nil mulr1 /= => e; transitivity (p l * (p l * p l)); last by ring.
by rewrite -e; apply: drawn_ext => s; rewrite !big_cons big_nil mulr1.
Qed.
Lemma drawn_pairs u v w x : v != u -> w != u -> w != v -> x != u -> x != v -> x != w ->
  drawn (fun s => z s u v * z s w x) = (\sum_l p l ^+ 2) ^+ 2.
Proof.
move=> vu wu wv xu xv xw.
transitivity (drawn (fun s => \sum_l \sum_m
    ((s u == l)%:R * ((s v == l)%:R * ((s w == m)%:R * (s x == m)%:R))))).
  apply: drawn_ext => s; rewrite !same_sum mulr_suml; apply: eq_bigr => l _; rewrite mulr_sumr.
  by apply: eq_bigr => m _; rewrite !mulrA.
rewrite drawn_sum expr2 mulr_suml; apply: eq_bigr => l _; rewrite drawn_sum mulr_sumr; apply: eq_bigr => m _.
have := @drawn_points [:: (u, l); (v, l); (w, m); (x, m)] (uniq4 vu wu wv xu xv xw).
rewrite !big_cons big_nil mulr1 /= => e; transitivity (p l * (p l * (p m * p m))); last by ring.
by rewrite -e; apply: drawn_ext => s; rewrite !big_cons big_nil mulr1.
Qed.

Local Notation n := (#|T|%:R : R).
(* sum over pairs of a symmetric matrix, where labels agree *)
Lemma drawn_square (M : T -> T -> R) : (forall u v, M u v = M v u) ->
  let p2 := \sum_l p l ^+ 2 in let p3 := \sum_l p l ^+ 3 in
  drawn (fun s => D2 (fun u v => M u v * z s u v) ^+ 2) - (drawn (fun s => D2 (fun u v => M u v * z s u v))) ^+ 2
  = 2%:R * (p2 - p2 ^+ 2) * D2 (fun u v => M u v ^+ 2)
    + 4%:R * (p3 - p2 ^+ 2) * D3 (fun u v w => M u v * M u w).
Proof.
move=> sym p2 p3; have zsym (s : {ffun T -> 'I_K}) u v : M u v * z s u v = M v u * z s v u by rewrite sym eq_sym.
rewrite (drawn_ext (fun s => square_of_D2 (zsym s))) !drawn_add !drawn_scale drawn_D2 drawn_D3 drawn_D4 drawn_D2.
rewrite (D2_ext (G := fun u v => p2 * M u v ^+ 2)); last first.
  move=> u v vu; rewrite /p2 -(drawn_pair vu) mulrC -drawn_scale; apply: drawn_ext => s.
  by case: eqP => _; rewrite ?mulr1 // !mulr0 expr0n.
rewrite (D3_ext (G := fun u v w => p3 * (M u v * M u w))); last first.
  move=> u v w vu wu wv; rewrite /p3 -(drawn_triple vu wu wv) mulrC -drawn_scale; apply: drawn_ext => s.
  by rewrite mulrACA.
rewrite (D4_ext (G := fun u v w x => p2 ^+ 2 * (M u v * M w x))); last first.
  move=> u v w x vu wu wv xu xv xw; rewrite /p2 -(drawn_pairs vu wu wv xu xv xw) mulrC -drawn_scale.
  by apply: drawn_ext => s; rewrite mulrACA.
have -> : D2 (fun u v => drawn (fun s => M u v * z s u v)) = D2 (fun u v => p2 * M u v).
  by apply: D2_ext => u v vu; rewrite drawn_scale drawn_pair // mulrC.
rewrite !D2_scale D3_scale D4_scale exprMn (square_of_D2 sym).
move: (D2 _) (D3 _) (D4 _) => x y w; ring.
Qed.
End Draws.
