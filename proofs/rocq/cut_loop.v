(* The loop of chance_of_leaving, as its source prints it: the number it returns is the share of the paths that leave. *)
From mathcomp Require Import all_ssreflect perm ssralg ssrnum ssrint zmodp.
From mathcomp Require Import ring zify.
From splitcrit Require Import python loops best_cut pvalues.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma py_rangeE (a b : nat) : (a <= b)%N -> py_range (Posz a) (Posz b) = [seq Posz i | i <- iota a (b - a)].
Proof.
move=> ab; have -> : py_range a b = [seq Posz a + Posz i | i <- iota 0 (b - a)].
  by rewrite /py_range; congr map; congr iota; case: leP => h; lia.
have -> : iota a (b - a) = [seq (a + i)%N | i <- iota 0 (b - a)] by rewrite -iotaDl addn0.
by rewrite -map_comp; apply: eq_map => i /=; rewrite PoszD.
Qed.

Lemma py_sumE (V : zmodType) (s : seq V) : py_sum s = \sum_(x <- s) x.
Proof.
rewrite /py_sum -[LHS](add0r (foldl _ 0 s)) -[in RHS](add0r (\sum_(x <- s) x)).
move: {1 3}0 => z; have e : forall a, z + foldl (fun x y : V => x + y) a s = z + a + \sum_(x <- s) x.
  elim: s z => [|x s IH] z a /=; first by rewrite big_nil addr0.
  by rewrite IH big_cons !addrA.
by rewrite e addr0.
Qed.

Section Windows.
Implicit Types (p : seq int) (f x : nat).
(* what stands at x if the list p begins at f *)
Definition window f p x : int := if (f <= x)%N then nth 0 p (x - f) else 0.

Lemma nth_sums p q i : size p = size q -> nth 0 (map (fun '(a, b) => (a + b : int)) (zip p q)) i = nth 0 p i + nth 0 q i.
Proof.
move=> e; case: (ltnP i (size p)) => ip.
  rewrite (nth_map (0, 0)) ?size_zip -?e ?minnn // nth_zip //.
by rewrite !nth_default ?size_map ?size_zip -?e ?minnn.
Qed.

Lemma window_grown f p x :
  window f (map (fun '(a, b) => (a + b : int)) (zip (p ++ [:: 0]) ([:: 0] ++ p))) x
  = window f p x + (if x is y.+1 then window f p y else 0).
Proof.
rewrite /window; case: leqP => fx; last first.
  by rewrite add0r; case: x fx => // x fx; rewrite leqNgt (ltn_trans _ fx).
rewrite nth_sums; last by rewrite size_cat /= addn1.
congr (_ + _).
  rewrite nth_cat; case: ltnP => // h; rewrite [RHS]nth_default //.
  by case: (_ - _)%N => //= k; rewrite nth_nil.
case: x fx => [|x] fx; first by rewrite sub0n.
case: (leqP f x) => h; first by rewrite subSn.
by have -> : (x.+1 - f = 0)%N by lia.
Qed.

Lemma enumerate_cons f a p : py_enumerate (a :: p) (Posz f) = (Posz f, a) :: py_enumerate p (Posz f.+1).
Proof.
rewrite /py_enumerate /= addr0; congr (_ :: zip _ _); rewrite (iotaDl 1 0) -map_comp.
by apply: eq_map => i /=; lia.
Qed.
Lemma window_cons f a p x : window f (a :: p) x = (if x == f then a else 0) + window f.+1 p x.
Proof.
rewrite /window; case: (ltngtP x f) => [h|h|->]; first by rewrite addr0.
- by rewrite add0r -[(x - f)%N]prednK ?subn_gt0 // -subnS.
by rewrite subnn addr0.
Qed.

(* sums over what enumerate gives are sums over places *)
Lemma sum_window f p (B : nat) (P : pred int) (h : int -> int) :
  (forall z : int, P z -> z < Posz B) ->
  \sum_(q <- py_enumerate p (Posz f) | P q.1) q.2 * h q.1 = \sum_(x < B | P (Posz x)) window f p x * h (Posz x).
Proof.
move=> PB; elim: p f => [|a p IH] f.
  rewrite /py_enumerate big_nil big1 // => x _.
  by rewrite /window nth_nil; case: ifP; rewrite mul0r.
rewrite enumerate_cons big_cons IH /=.
rewrite [in RHS](eq_bigr (fun x : 'I_B => (if (x : nat) == f then a else 0) * h (Posz x) + window f.+1 p x * h (Posz x)));
  last by move=> x _; rewrite window_cons mulrDl.
rewrite big_split /=; case: ifP => Pf; last first.
  rewrite [X in _ = X + _]big1 ?add0r // => x Px; case: eqP => [e|]; last by rewrite mul0r.
  by rewrite e Pf in Px.
have fB : (f < B)%N by have := PB _ Pf.
rewrite [X in _ = X + _](bigD1 (Ordinal fB)) //= eqxx [X in _ = _ + X + _]big1 ?addr0 // => x /andP[_ xf].
by case: eqP => [e|]; [case/eqP: xf; apply: val_inj|rewrite mul0r].
Qed.

Lemma upper_part f p (hi : int) : exists p', filter (fun q => q.1 <= hi) (py_enumerate p (Posz f)) = py_enumerate p' (Posz f).
Proof.
elim: p f => [|a p IH] f; first by exists [::].
rewrite enumerate_cons /=; case: ifP => h.
  by have [p' e] := IH f.+1; exists (a :: p'); rewrite enumerate_cons e.
exists [::]; have none : forall f', (f <= f')%N -> filter (fun q => q.1 <= hi) (py_enumerate p (Posz f')) = [::].
  move=> f' ff; elim: p f' ff {IH} => // c p IH f' ff; rewrite enumerate_cons /= IH ?leqW //.
  by have -> : (Posz f' <= hi) = false by lia.
by rewrite none.
Qed.
Lemma lower_part f p (lo : int) : exists f' p',
  filter (fun q => lo <= q.1) (py_enumerate p (Posz f)) = py_enumerate p' (Posz f').
Proof.
elim: p f => [|a p IH] f; first by exists f, [::].
rewrite enumerate_cons /=; case: ifP => h; last exact: IH.
exists f, (a :: p); rewrite enumerate_cons; congr (_ :: _).
have all_of : forall f', (f <= f')%N -> filter (fun q => lo <= q.1) (py_enumerate p (Posz f')) = py_enumerate p (Posz f').
  move=> f' ff; elim: p f' ff {IH} => // c p IH f' ff; rewrite enumerate_cons /= IH ?leqW //.
  by have -> : (lo <= Posz f') = true by lia.
exact: all_of.
Qed.
(* the places of an interval follow each other *)
Lemma part f p (lo hi : int) : exists f' p',
  filter (fun q => (lo <= q.1) && (q.1 <= hi)) (py_enumerate p (Posz f)) = py_enumerate p' (Posz f').
Proof.
have [p' e] := upper_part f p hi; have [f'' [p'' e']] := lower_part f p' lo.
by exists f'', p''; rewrite -e' -e -filter_predI; apply: eq_filter.
Qed.

Lemma window_part f p f' p' (P : pred int) x :
  filter (fun q => P q.1) (py_enumerate p (Posz f)) = py_enumerate p' (Posz f') ->
  window f' p' x = if P (Posz x) then window f p x else 0.
Proof.
move=> e; have at_x f0 p0 : window f0 p0 x = \sum_(q <- py_enumerate p0 (Posz f0) | q.1 == Posz x) q.2.
  elim: p0 f0 => [|a p0 IH] f0; first by rewrite /window big_nil nth_nil; case: ifP.
  rewrite enumerate_cons big_cons -IH window_cons /= eq_sym.
  by rewrite -[Posz _ == _]/(f0 == x); case: eqP; rewrite ?add0r.
rewrite !at_x -e big_filter_cond big_mkcond [in RHS]big_mkcond /=; case: ifP => Px.
  by apply: eq_bigr => q _; case: eqP => [->|]; rewrite ?Px ?andbF.
by rewrite big1 // => q _; case: eqP => [->|]; rewrite ?Px ?andbF.
Qed.
Lemma map_snd_enumerate p z : map snd (py_enumerate p z) = p.
Proof. by rewrite /py_enumerate -/(unzip2 _) unzip2_zip // size_map size_iota. Qed.
End Windows.

Section Leaving.
Variables (R : realFieldType) (n b : nat) (lower upper : seq int).
(* the bounds of cut m *)
Definition within (m x : nat) : bool := (nth 0 lower m <= Posz x) && (Posz x <= nth 0 upper m).

(* one turn of the loop *)
Definition turn := ltac:(
  let t := eval cbv beta iota zeta delta [py_chance_of_leaving] in
    (py_chance_of_leaving R (Posz n) (Posz b) lower upper) in
  match t with context [foldl ?f _ _] => exact f end).
Lemma loopE : py_chance_of_leaving R (Posz n) (Posz b) lower upper
  = let '(_, (_, _, left_)) := foldl turn (false, ([:: Posz 1], Posz 0, Posz 0)) (py_range (Posz 1) (Posz n)) in
    left_%:~R / (py_comb (Posz n) (Posz b))%:~R.
Proof. reflexivity. Qed.

Lemma map_id2 (s : seq (int * int)) : map (fun '(x, c) => (x, c)) s = s.
Proof. by rewrite -[RHS]map_id; apply: eq_map; case. Qed.
Lemma filter_first (P : pred int) (s : seq (int * int)) :
  filter (fun '(x, c) => P x) s = filter (fun q => P q.1) s.
Proof. by apply: eq_filter; case. Qed.

Lemma after m : (m < n)%N -> exists e p f,
  foldl turn (false, ([:: Posz 1], Posz 0, Posz 0)) [seq Posz i | i <- iota 1 m]
  = (e, (p, Posz f, \sum_(1 <= k < m.+1) \sum_(x < b.+1 | ~~ within k x) Posz (grown within k x * 'C(n - k, b - x))))
  /\ forall x, (x <= b)%N -> (m + b <= x + n)%N -> (if e then 0 else window f p x) = Posz (kept within m x).
Proof.
elim: m => [|m IH] mn.
  exists false, [:: Posz 1], 0%N; split=> [|x _ _]; first by rewrite big_geq.
  by rewrite /window subn0 /=; case: x => [|x] //=; rewrite nth_nil.
have [e [p [f [E V]]]] := IH (ltnW mn); set L := \sum_(1 <= k < m.+1) _ in E.
have vertical x : (x <= b)%N -> (m.+1 + b <= x + n)%N ->
  (if e then 0 else window f p x + (if x is y.+1 then window f p y else 0)) = Posz (grown within m.+1 x).
  move=> xb mx; have h : (m + b <= x + n)%N by exact: ltnW.
  have g : grown within m.+1 x = (kept within m x + (if x is y.+1 then kept within m y else 0))%N by [].
  rewrite g PoszD -(V x xb h); case: x xb mx h {g} => [|x] xb mx h; first by case: (e); rewrite ?addr0.
  by rewrite -(V x (ltnW xb)) //; case: (e).
have small x : (x < b.+1)%N -> ~~ (m.+1 + b <= x + n)%N -> 'C(n - m.+1, b - x) = 0%N.
  by move=> xb h; rewrite bin_small //; lia.
have -> : [seq Posz i | i <- iota 1 m.+1] = rcons [seq Posz i | i <- iota 1 m] (Posz m.+1).
  by rewrite -[in LHS](addn1 m) iotaD map_cat /= add1n cats1.
rewrite big_nat_recr // -/L foldl_rcons E; move: L {E} => L.
have keptS x : kept within m.+1 x = if within m.+1 x then grown within m.+1 x else 0%N by [].
case: e V vertical => V vertical.
  exists true, p, f; split=> [|x xb mx]; last by rewrite keptS; case: ifP => // _; exact: vertical.
  congr (_, (_, _, _)); rewrite /= big1 ?addr0 // => x _.
  case: (boolP (m.+1 + b <= x + n)%N) => h; last by rewrite small ?muln0.
  by case: (vertical x (leq_ord x) h) => <-.
rewrite /turn; set p1 := map _ (zip _ _); set lo := (_ - _ + _ : int); rewrite !map_id2.
pose low := nth 0 lower m.+1; pose high := nth 0 upper m.+1.
have -> : py_at 0 lower (Posz m.+1) = low by [].
have -> : py_at 0 upper (Posz m.+1) = high by [].
rewrite (filter_first (fun x => (lo <= x) && (x <= Posz b))).
rewrite (filter_first (fun x => ~~ ((low <= x) && (x <= high)))).
rewrite (filter_first (fun x => (low <= x) && (x <= high))).
have feasible x : (x <= b)%N -> (m.+1 + b <= x + n)%N -> (lo <= Posz x) && (Posz x <= Posz b) by rewrite /lo; lia.
have infeasible x : ~~ (m.+1 + b <= x + n)%N -> (lo <= Posz x) && (Posz x <= Posz b) = false by rewrite /lo; lia.
have W x : (x <= b)%N -> (m.+1 + b <= x + n)%N -> window f p1 x = Posz (grown within m.+1 x).
  by move=> xb mx; rewrite window_grown vertical.
have [f1 [p2 e1]] := part f p1 lo b; have [f3 [p3 e3]] := part f1 p2 low high.
have K x : (x <= b)%N -> (m.+1 + b <= x + n)%N -> window f3 p3 x = Posz (kept within m.+1 x).
  move=> xb mx; rewrite (window_part (P := fun z => (low <= z) && (z <= high)) x e3).
  rewrite (window_part (P := fun z => (lo <= z) && (z <= Posz b)) x e1) feasible // W // keptS.
  by rewrite -/low -/high /within; case: ifP.
have -> : py_sum (map (fun '(x, c) => c * py_comb (Posz n - Posz m.+1) (Posz b - x))
    (filter (fun q => ~~ ((low <= q.1) && (q.1 <= high)))
       (filter (fun q => (lo <= q.1) && (q.1 <= Posz b)) (py_enumerate p1 (Posz f)))))
  = \sum_(x < b.+1 | ~~ within m.+1 x) Posz (grown within m.+1 x * 'C(n - m.+1, b - x)).
  rewrite py_sumE big_map big_filter big_filter_cond.
  rewrite (eq_bigr (fun q => q.2 * py_comb (Posz n - Posz m.+1) (Posz b - q.1))); last by case.
  rewrite (sum_window f p1 (B := b.+1) (P := fun z => ((lo <= z) && (z <= Posz b)) && ~~ ((low <= z) && (z <= high)))
     (fun z => py_comb (Posz n - Posz m.+1) (Posz b - z))); last by move=> z; lia.
  rewrite big_mkcond [in RHS]big_mkcond; apply: eq_bigr => x _ /=; rewrite -/(within m.+1 x).
  case: (boolP (m.+1 + b <= x + n)%N) => h; last first.
    by rewrite infeasible //= small // muln0; case: ifP.
  rewrite feasible ?leq_ord //=.
  case: ifP => // _; rewrite W ?leq_ord // PoszM; congr (_ * _).
  rewrite /py_comb; have -> : (0 <= Posz n - Posz m.+1) && (0 <= Posz b - Posz x) by have := leq_ord x; lia.
  by congr (Posz (binomial _ _)); have := leq_ord x; lia.
rewrite e1 e3; case: p3 e3 K => [|c p3] e3 K.
  exists true, p1, f; split=> // x xb mx; rewrite -(K x xb mx) /window nth_nil; by case: ifP.
exists false, (c :: p3), f3; split=> //.
have -> : map (fun '(_, c0) => c0) (py_enumerate (c :: p3) (Posz f3)) = c :: p3.
  by rewrite -[RHS](map_snd_enumerate _ (Posz f3)); apply: eq_map; case.
by rewrite enumerate_cons.
Qed.

(* The number that the loop returns is the share of the paths of n labels, b of the first class, that leave the bounds
   at one of the cuts 1, ..., n - 1. *)
Theorem py_chance_of_leaving_is_share_of_paths : (0 < n)%N ->
  py_chance_of_leaving R (Posz n) (Posz b) lower upper = (leaving within n b)%:R / 'C(n, b)%:R.
Proof.
move=> n0; rewrite loopE py_rangeE // subn1; have [e [p [f [-> _]]]] := after (m := n.-1) (eq_leq (prednK n0)).
rewrite prednK //; congr (_ / _); rewrite /leaving natr_sum raddf_sum /=; apply: eq_bigr => k _.
by rewrite natr_sum raddf_sum.
Qed.
End Leaving.

Section Permutations.
Variables (R : realFieldType) (n : nat) (y : 'I_n -> bool) (lower upper : seq int).
Hypothesis n0 : (0 < n)%N.
Local Notation b := #|[pred i | y i]|.
Local Notation inside := (within lower upper).

(* It is the share of the permutations of n labels, b of them of the first class, whose path leaves the bounds. *)
Theorem py_chance_of_leaving_is_share_of_permutations :
  py_chance_of_leaving R (Posz n) (Posz b) lower upper
  = #|[pred s | ~~ stays inside n.-1 (order_of y s)]|%:R / n`!%:R.
Proof.
rewrite py_chance_of_leaving_is_share_of_paths //.
have c0 : 'C(n, b)%:R != 0 :> R by rewrite pnatr_eq0 -lt0n bin_gt0 -[X in (_ <= X)%N](card_ord n) max_card.
have f0 : n`!%:R != 0 :> R by rewrite pnatr_eq0 -lt0n fact_gt0.
apply/eqP; rewrite eqr_div // -!natrM mulnC -(leaving_paths_are_leaving_permutations y inside); exact/eqP.
Qed.

(* Where the bounds hold the tables of lower scores, it is the p-value of the best cut: the share of permutations of the
   labels whose best cut scores at least as high. *)
Theorem py_chance_of_leaving_is_pvalue_of_best_cut (score : nat -> nat -> R) (first : nat) (more : seq nat) s :
  let found := best score first more (order_of y s) in
  all (fun m => (0 < m < n)%N) (first :: more) ->
  (forall m x, (0 < m < n)%N -> (x <= minn m b)%N -> inside m x = below score first more found m x) ->
  py_chance_of_leaving R (Posz n) (Posz b) lower upper = tail (fun t => best score first more (order_of y t)) s.
Proof.
move=> found places same; rewrite py_chance_of_leaving_is_share_of_permutations /tail card_Sn /reaching.
congr (_%:R / _); apply: eq_card => t; rewrite !inE -(leaves_reaches score places); congr (~~ _).
apply: eq_in_all => m; rewrite mem_iota add1n prednK // => mn; apply: same => //.
have := ones_order y t; have : seq.size (order_of y t) = n by rewrite size_tuple.
move: (val (order_of y t)) => w wn <-; rewrite leq_min; apply/andP; split.
  by rewrite (leq_trans (count_size _ _)) // size_take wn; case: ltnP => //; lia.
by rewrite /ones -[X in (_ <= count _ X)%N](cat_take_drop m w) count_cat leq_addr.
Qed.
End Permutations.

(* Six labels, no no no yes yes yes, and all five cuts: the pairwise gain |6 x - 3 m|/2 is 9/2 at the cut in the middle,
   and the chance that a cut of a random order reaches it is 2/20. *)
Example chance_of_best_cut_of_six (R : realFieldType) :
  py_chance_of_leaving R 6 3 [:: 0; -1; 0; 1; 1; 2; 3] [:: 0; 1; 2; 2; 3; 4; 6] = 2%:R / 20%:R.
Proof.
rewrite (@py_chance_of_leaving_is_share_of_paths R 6 3) // recursion_counts_leaving_paths unlock.
by congr (_%:R / _%:R).
Qed.
