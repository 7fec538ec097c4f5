(* The dynamic programme of exact_tail over labels dealt to rows: sums over all functions with the rows of a table. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ring zify.
From splitcrit Require Import python loops pvalues cut_loop dealt tables_loop.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Dealt.
Variables (T : finType) (K : nat) (y : T -> 'I_K) (d : int) (P : int -> int).
Implicit Types U A : {set T}.
(* the sum of the squares of the class counts of a set, times the weight of a row of size a *)
Definition value (a : nat) A : int := py_div d (Posz a) * \sum_k Posz (cnt y A k) * Posz (cnt y A k).
(* the sum over all ways to deal a set to rows of given sizes of P at the sum of their values *)
Fixpoint dealt (totals : seq nat) U (x : int) : int :=
  match totals with
  | [::] => 0
  | a :: rest => if rest is [::] then P (x + value a U)
      else \sum_(A : {set T} | (A \subset U) && (#|A| == a)) dealt rest (U :\: A) (x + value a A)
  end.

Lemma py_sorted_perm (s t : seq int) : perm_eq s t -> py_sorted s = py_sorted t.
Proof.
move=> e; apply/perm_sortP => //; [exact: le_total|exact: le_trans|exact: le_anti].
Qed.

Lemma filled_dealt totals U x : (0 < K)%N -> sumn totals = #|U| ->
  filled d P [seq Posz a | a <- totals] (py_sorted [seq Posz (cnt y U k) | k <- enum 'I_K]) x = dealt totals U x.
Proof.
move=> K0; elim: totals U x => // a rest IH U x sumU.
pose le k l := Posz (cnt y U k) <= Posz (cnt y U l); pose ks := sort le (enum 'I_K).
have perm_ks : perm_eq ks (enum 'I_K) by rewrite perm_sort.
have -> : py_sorted [seq Posz (cnt y U k) | k <- enum 'I_K] = [seq Posz (cnt y U k) | k <- ks].
  by rewrite /py_sorted sort_map.
have over (F : 'I_K -> int) : \sum_(k <- ks) F k = \sum_k F k by rewrite (perm_big _ perm_ks) /= big_enum.
case: rest IH sumU => [|a' rest] IH sumU.
  rewrite /filled /= /value; congr (P (_ + _ * _)).
  by rewrite py_sumE -over !big_map.
have -> : filled d P [seq Posz a | a <- a :: a' :: rest] [seq Posz (cnt y U k) | k <- ks] x
  = \sum_(q <- py_moves [seq Posz (cnt y U k) | k <- ks] (Posz a)) q.2
    * filled d P [seq Posz a | a <- a' :: rest] (py_sorted q.1.1) (x + py_div d (Posz a) * q.1.2) by [].
have un : uniq ks by rewrite (perm_uniq perm_ks) enum_uniq.
have all_in u : u \in U -> y u \in ks by rewrite (perm_mem perm_ks) mem_enum.
have ks0 : (0 < size ks)%N by rewrite (perm_size perm_ks) size_enum_ord.
have aU : (a <= #|U|)%N by rewrite -sumU leq_addr.
rewrite (sum_of_moves (fun l s => filled d P [seq Posz a | a <- a' :: rest] (py_sorted l) (x + py_div d (Posz a) * s)) un ks0 all_in aU).
rewrite [RHS]/=; apply: eq_bigr => A /andP[AU /eqP cA].
rewrite over -/(value a A) (py_sorted_perm (t := [seq Posz (cnt y (U :\: A) k) | k <- enum 'I_K])) ?perm_map //.
by apply: IH; rewrite cardsD (setIidPr AU) cA -sumU /= addKn.
Qed.

Arguments dealt : simpl never.
(* dealing is choosing a row for each observation, so that each row has its size *)
Variable r : nat.
Implicit Type g : {ffun T -> 'I_r}.
Definition row_of g U (i : 'I_r) : {set T} := [set u in U | g u == i].
Variable i0 : 'I_r.
Definition deals (a : 'I_r -> nat) (js : seq 'I_r) U g : bool :=
  [forall u, if u \in U then g u \in js else g u == i0] && all (fun i => #|row_of g U i| == a i) js.

Lemma dealt_functions (a : 'I_r -> nat) js U x : (0 < size js)%N -> uniq js -> sumn [seq a i | i <- js] = #|U| ->
  dealt [seq a i | i <- js] U x
  = \sum_(g : {ffun T -> 'I_r} | deals a js U g) P (x + \sum_(i <- js) value (a i) (row_of g U i)).
Proof.
elim: js U x => // i js IH U x _ /andP[ijs un] sumU; case: js ijs un IH sumU => [|j js] ijs un IH sumU.
  pose g0 : {ffun T -> 'I_r} := [ffun u => if u \in U then i else i0].
  have row0 : row_of g0 U i = U.
    by apply/setP => u; rewrite !inE ffunE; case: (u \in U); rewrite ?eqxx.
  rewrite (big_pred1 g0) => [|g]; first by rewrite big_seq1 row0.
  apply/andP/eqP => [[/forallP h _]|->].
    by apply/ffunP => u; rewrite ffunE; have := h u; case: ifP => _; rewrite ?inE => /eqP.
  split; first by apply/forallP => u; rewrite ffunE; case: (u \in U); rewrite ?inE eqxx.
  by rewrite /= row0 andbT -sumU /= addn0.
set js' := j :: js in ijs un IH sumU *.
have -> : dealt [seq a i | i <- i :: js'] U x
  = \sum_(A : {set T} | (A \subset U) && (#|A| == a i)) dealt [seq a i | i <- js'] (U :\: A) (x + value (a i) A) by [].
rewrite [RHS](partition_big (fun g => row_of g U i) (fun A => (A \subset U) && (#|A| == a i))) /=; last first.
  move=> g /andP[_ /andP[ai _]]; rewrite ai andbT; apply/subsetP => u; by rewrite inE => /andP[].
apply: eq_bigr => A /andP[AU /eqP cA].
rewrite IH //; last by rewrite cardsD (setIidPr AU) cA -sumU /= addKn.
pose put (g : {ffun T -> 'I_r}) : {ffun T -> 'I_r} := [ffun u => if u \in A then i else g u].
pose cut (g : {ffun T -> 'I_r}) : {ffun T -> 'I_r} := [ffun u => if u \in A then i0 else g u].
have rows g l : l \in js' -> row_of (put g) U l = row_of g (U :\: A) l.
  move=> lj; have il : i == l = false by apply: contraNF ijs => /eqP ->.
  by apply/setP => u; rewrite !inE ffunE; case: (u \in A); rewrite //= il andbF.
have rowi g : deals a js' (U :\: A) g -> row_of (put g) U i = A.
  move=> /andP[/forallP at_ _]; apply/setP => u; rewrite !inE ffunE; case: (boolP (u \in A)) => uA.
    by rewrite (subsetP AU u uA) eqxx.
  apply/andP => -[uU /eqP gi]; have := at_ u; rewrite !inE uA uU gi /=; exact/negP.
rewrite [RHS](reindex_onto put cut) /=; last first.
  move=> g /andP[_ /eqP rA]; apply/ffunP => u; rewrite !ffunE; case: (boolP (u \in A)) => //.
  by rewrite -rA inE => /andP[_ /eqP ->].
apply: eq_big => [g|g dg]; last first.
  rewrite big_cons addrA; congr (P (_ + _ + _)).
    by rewrite rowi.
  by rewrite big_seq [RHS]big_seq; apply: eq_bigr => l lj; rewrite rows.
apply/idP/idP => [dg|/andP[/andP[/andP[/forallP at_ sizes] /eqP rA] /eqP cutE]].
  have /andP[/forallP at_ sizes] := dg; apply/andP; split; last by apply/eqP/ffunP => u; rewrite !ffunE; case: ifP => // uA; have := at_ u; rewrite !inE uA => /eqP.
  apply/andP; split; last by rewrite rowi.
  apply/andP; split; last first.
    apply/allP => l; rewrite inE => /orP[/eqP ->|lj]; first by rewrite rowi // cA.
    by rewrite rows //; exact: (allP sizes).
  apply/forallP => u; have := at_ u; rewrite ffunE !inE; case: (boolP (u \in A)) => uA /=.
    by rewrite (subsetP AU u uA) eqxx.
  by case: (u \in U) => // ->; rewrite orbT.
apply/andP; split.
  2: by apply/allP => l lj; rewrite -rows //; apply: (allP sizes); rewrite inE lj orbT.
apply/forallP => u; have := at_ u; rewrite ffunE !inE; case: (boolP (u \in A)) => uA /=.
  by rewrite (subsetP AU u uA) -cutE ffunE uA eqxx.
case: (boolP (u \in U)) => uU //= /orP[/eqP gi|//].
by move: uA; rewrite -rA !inE uU ffunE; case: (u \in A); rewrite ?gi eqxx.
Qed.
End Dealt.
