(* The p-value that exact_tail returns is the share of permutations whose Gini gain is at least that of the table. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ring zify.
From splitcrit Require Import python loops pvalues cut_loop dealt tables_loop dealing.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Permutations.
Variables (T : finType) (r : nat) (f : T -> 'I_r).
Local Notation functions := {ffun T -> 'I_r}.
Definition size_of (i : 'I_r) : nat := #|[set u | f u == i]|.
(* the rows after a permutation, and all functions with rows of the same sizes *)
Definition moved (s : {perm T}) : functions := [ffun u => f (s u)].
Definition alike (g : functions) : bool := [forall i, #|[set u | g u == i]| == size_of i].

Lemma moved_alike s : alike (moved s).
Proof.
apply/forallP => i; rewrite /size_of -!sum1_card [X in _ == X](reindex_inj (@perm_inj _ s)).
by apply/eqP; apply: eq_bigl => u; rewrite !inE ffunE.
Qed.

Lemma alike_moved g : alike g -> exists p : {perm T}, g = moved p.
Proof.
move=> /forallP al; have pe : perm_eq [tuple g (enum_val i) | i < #|T|] [tuple f (enum_val i) | i < #|T|].
  apply/allP => i _; apply/eqP; rewrite -!sum1_count !big_tuple.
  have count (h : T -> 'I_r) : (\sum_(j < #|T| | pred1 i (tnth [tuple h (enum_val i) | i < #|T|] j)) 1 = #|[set u | h u == i]|)%N.
    rewrite -[RHS]sum1_card [RHS](reindex_onto enum_val enum_rank) => [|u _]; last exact: enum_rankK.
    by apply: eq_bigl => j; rewrite inE tnth_mktuple enum_valK eqxx andbT.
  by rewrite (count (fun u => g u)) (count f) (eqP (al i)).
have /tuple_permP[p e] := pe; pose pT u := enum_val (p (enum_rank u)).
have pT_inj : injective pT by move=> u v /enum_val_inj/perm_inj/enum_rank_inj.
exists (perm pT_inj); apply/ffunP => u; rewrite ffunE permE /pT.
have := congr1 (fun t => nth (g u) t (enum_rank u)) e; rewrite -!tnth_nth.
by rewrite !tnth_mktuple enum_rankK.
Qed.

Lemma same_times g : alike g -> #|[pred s | moved s == g]| = #|[pred s | moved s == moved 1%g]|.
Proof.
move=> /alike_moved[p ->]; rewrite -!sum1_card [LHS](reindex_inj (mulgI p)); apply: eq_bigl => s; rewrite !inE.
apply/eqP/eqP => /ffunP e; apply/ffunP => u.
  by have := e (p^-1 u)%g; rewrite !ffunE permM permKV perm1.
by have := e (p u); rewrite !ffunE permM perm1.
Qed.

(* The permutations for which the rows fulfil a condition are a share of all, as the functions alike that do. *)
Lemma share_of_functions (Q : pred functions) :
  (#|[pred s | Q (moved s)]| * #|[pred g | alike g]| = #|T|`! * #|[pred g | alike g && Q g]|)%N.
Proof.
have by_function (Q' : pred functions) :
    (#|[pred s | Q' (moved s)]| = #|[pred g | alike g && Q' g]| * #|[pred s | moved s == moved 1%g]|)%N.
  rewrite -sum1_card (partition_big moved alike) => [|s _]; last exact: moved_alike.
  rewrite -sum_nat_const [RHS]big_mkcond [LHS]big_mkcond; apply: eq_bigr => g _ /=; rewrite inE.
  case al: (alike g) => //=; case Qg: (Q' g).
    rewrite -(same_times al) -sum1_card; apply: eq_bigl => s; rewrite !inE.
    by case: eqP => [->|]; rewrite ?Qg ?andbF.
  by rewrite big1 // => s; rewrite inE => /andP[q /eqP e]; rewrite e Qg in q.
have whole : (#|T|`! = #|[pred g | alike g]| * #|[pred s | moved s == moved 1%g]|)%N.
  have := by_function predT; have -> : #|[pred s : {perm T} | predT (moved s)]| = #|T|`!.
    rewrite -cardsT -card_perm; apply: eq_card => s; rewrite !inE unfold_in /=; apply/esym/subsetP => u _.
    by rewrite inE.
  by move=> ->; congr (_ * _)%N; apply: eq_card => g; rewrite !inE andbT.
by rewrite by_function whole mulnAC [RHS]mulnAC [(#|[pred g | alike g]| * _)%N]mulnC.
Qed.
End Permutations.

Section Tail.
Variables (R : realFieldType) (fillings : int -> seq int -> R) (T : finType) (r K : nat) (f : T -> 'I_r) (y : T -> 'I_K).
Hypothesis some : (0 < #|T|)%N.
(* the table of rows f and classes y, as lists of whole numbers *)
Definition cell (i : 'I_r) (k : 'I_K) : nat := #|[set u | (f u == i) && (y u == k)]|.
Definition listed_rows : seq (seq int) := [seq [seq Posz (cell i k) | k <- enum 'I_K] | i <- enum 'I_r].
Let d := py_lcm [seq Posz (size_of f i) | i <- enum 'I_r].
(* the statistic of rows g: the sum over rows of d/a_i times the sum of the squares of their counts *)
Definition statistic (g : {ffun T -> 'I_r}) : int := \sum_i value y d (size_of f i) [set u | g u == i].

Lemma row_set (g : {ffun T -> 'I_r}) i : row_of g [set: T] i = [set u | g u == i].
Proof. by apply/setP => u; rewrite !inE. Qed.
Lemma sum_Posz (I : Type) (s : seq I) (F : I -> nat) : \sum_(i <- s) Posz (F i) = Posz (\sum_(i <- s) F i)%N.
Proof. by elim: s => [|i s IH]; rewrite ?big_nil // !big_cons IH. Qed.
Lemma row_total i : py_sum [seq Posz (cell i k) | k <- enum 'I_K] = Posz (size_of f i).
Proof.
rewrite py_sumE big_map sum_Posz; congr Posz.
rewrite big_enum /size_of -sum1_card (partition_big y xpredT) //=; apply: eq_bigr => k _.
by rewrite /cell -sum1_card; apply: eq_bigl => u; rewrite !inE.
Qed.
Lemma totalsE : [seq py_sum row | row <- listed_rows] = [seq Posz (size_of f i) | i <- enum 'I_r].
Proof. by rewrite -map_comp; apply: eq_map => i; exact: row_total. Qed.
Lemma seenE : py_sum (map (fun '(a, row) => py_div d a * py_sum [seq x * x | x <- row])
    (zip [seq Posz (size_of f i) | i <- enum 'I_r] listed_rows)) = statistic (moved f 1%g).
Proof.
rewrite py_sumE big_map zip_map big_map big_enum; apply: eq_bigr => i _; rewrite /value; congr (_ * _).
rewrite py_sumE 2!big_map big_enum; apply: eq_bigr => k _; have -> : cell i k = cnt y [set u | moved f 1%g u == i] k.
  by apply: eq_card => u; rewrite !inE ffunE perm1.
by [].
Qed.
Lemma columnsE : [seq py_sum each | each <- py_transposed 0 listed_rows] = [seq Posz (cnt y [set: T] k) | k <- enum 'I_K].
Proof.
have [u0 _] := card_gt0P some; rewrite /py_transposed.
have w : foldr minn K (map size listed_rows) = K.
  by rewrite /listed_rows; elim: (enum 'I_r) => //= i s ->; rewrite size_map size_enum_ord minnn.
have szr : size listed_rows = r by rewrite size_map size_enum_ord.
have r0 : (0 < r)%N by exact: leq_ltn_trans (leq0n _) (ltn_ord (f u0)).
case E: listed_rows => [|first more]; first by rewrite E /= in szr; rewrite -szr in r0.
rewrite -E; have -> : size first = K.
  have : first \in listed_rows by rewrite E mem_head.
  by move=> /mapP[i _ ->]; rewrite size_map size_enum_ord.
rewrite w -map_comp -val_enum_ord -map_comp; apply: eq_map => k /=.
rewrite py_sumE big_map /listed_rows big_map.
rewrite (eq_bigr (fun i => Posz (cell i k))) => [|i _]; last by rewrite (nth_map k) ?size_enum_ord // nth_ord_enum.
rewrite sum_Posz; congr Posz; rewrite big_enum /cnt -sum1_card (partition_big f xpredT) //=; apply: eq_bigr => i _.
by rewrite /cell -sum1_card; apply: eq_bigl => u; rewrite !inE andbC.
Qed.

Lemma law_sums limit law (P : int -> int) :
  py_arrangements R fillings (py_sorted_down [seq Posz (size_of f i) | i <- enum 'I_r])
    (py_sorted [seq Posz (cnt y [set: T] k) | k <- enum 'I_K]) d limit = Some law ->
  weighed P law = \sum_(g | alike f g) P (statistic g).
Proof.
have [u0 _] := card_gt0P some; rewrite /py_arrangements; case: ifP => // _ E.
pose ge i j := Posz (size_of f j) <= Posz (size_of f i); pose js := sort ge (enum 'I_r).
have perm_js : perm_eq js (enum 'I_r) by rewrite perm_sort.
have sorted_js : py_sorted_down [seq Posz (size_of f i) | i <- enum 'I_r] = [seq Posz a | a <- [seq size_of f i | i <- js]].
  by rewrite /py_sorted_down sort_map -map_comp.
rewrite sorted_js in E; have js0 : (0 < size js)%N.
  by rewrite (perm_size perm_js) size_enum_ord; case: (r) (f u0) => // -[].
rewrite (law_by_rowsE P _ E); last by case: (js) js0.
have sums : sumn [seq size_of f i | i <- js] = #|[set: T]|.
  rewrite sumnE big_map (perm_big _ perm_js) /= big_enum cardsT -sum1_card (partition_big f xpredT) //=.
  by apply: eq_bigr => i _; rewrite /size_of -sum1_card; apply: eq_bigl => u; rewrite !inE.
have K0 : (0 < K)%N by case: (K) (y u0) => // -[].
have un : uniq js by rewrite (perm_uniq perm_js) enum_uniq.
rewrite filled_dealt // (dealt_functions y d P (f u0)) //; apply: eq_big => [g|g _]; last first.
  rewrite add0r (perm_big _ perm_js) /= big_enum; congr P; apply: eq_bigr => i _; by rewrite row_set.
rewrite /deals; have -> : [forall u, if u \in [set: T] then g u \in js else g u == f u0].
  by apply/forallP => u; rewrite inE (perm_mem perm_js) mem_enum.
apply/allP/forallP => h i; last by move=> _; rewrite row_set; exact: h.
by rewrite -row_set; apply: h; rewrite (perm_mem perm_js) mem_enum.
Qed.

Lemma exact_tailE limit p : py_exact_tail R fillings listed_rows limit = Some p ->
  p = #|[pred s | statistic (moved f 1%g) <= statistic (moved f s)]|%:R / #|T|`!%:R.
Proof.
rewrite /py_exact_tail totalsE columnsE -/d seenE; case E: (py_arrangements _ _ _ _ _ _) => [law|] // [<-].
have := law_sums _ E => sums.
pose least x : int := if statistic (moved f 1%g) <= x then 1 else 0.
have -> : py_sum (map (fun '(value, weight) => weight) (filter (fun '(value, weight) => value >= statistic (moved f 1%g)) law))
   = weighed least law.
  rewrite py_sumE big_map big_filter /weighed big_mkcond; apply: eq_bigr => -[x w] _ /=.
  by rewrite /least; case: ifP; rewrite ?mulr1 ?mulr0.
have -> : py_sum (map snd law) = weighed (fun=> 1) law.
  by rewrite py_sumE big_map /weighed; apply: eq_bigr => q _; rewrite mulr1.
have count (Q : pred {ffun T -> 'I_r}) : \sum_(g | alike f g) (if Q g then 1 else 0 : int) = Posz #|[pred g | alike f g && Q g]|.
  rewrite -big_mkcondr /= sumr_const -natz; congr (_%:R); apply: eq_card => g; by rewrite !inE.
rewrite !sums (count (fun g => statistic (moved f 1%g) <= statistic g)) (count predT).
have := share_of_functions f (fun g => statistic (moved f 1%g) <= statistic g); set X := #|[pred s | _]|.
rewrite (eq_card (B := [pred g | alike f g && predT g])) => [e|g]; last by rewrite !inE andbT.
have n0 : #|T|`!%:R != 0 :> R by rewrite pnatr_eq0 -lt0n fact_gt0.
have g0 : #|[pred g | alike f g && predT g]|%:R != 0 :> R.
  by rewrite pnatr_eq0 -lt0n; apply/card_gt0P; exists (moved f 1%g); rewrite inE moved_alike.
by apply/eqP; rewrite eqr_div // -!natrM [X in _ == X%:R]e mulnC.
Qed.
End Tail.

From splitcrit Require Import defs distinct null gini_null generated.
Section Gain.
Variables (R : realFieldType) (fillings : int -> seq int -> R) (T : finType) (r K : nat) (f : T -> 'I_r) (y : T -> 'I_K).
Hypothesis rows_occur : forall i, (0 < #|[pred u | f u == i]|)%N.
Hypothesis two : (1 < #|T|)%N.
Let d := py_lcm [seq Posz (size_of f i) | i <- enum 'I_r].
Let squares (s : {perm T}) : R := \sum_i \sum_j table R f y s i j ^+ 2 / total_of R f i.

Lemma dvd_lcm (a : nat) (s : seq nat) : a \in s -> exists2 m : nat, py_lcm [seq Posz b | b <- s] = Posz m & (a %| m)%N.
Proof.
move=> a_in; exists (foldr lcmn 1%N s); first by rewrite /py_lcm; congr Posz; elim: s {a_in} => //= b s ->.
elim: s a_in => // b s IH; rewrite inE => /orP[/eqP ->|/IH h] /=; first exact: dvdn_lcml.
exact: dvdn_trans h (dvdn_lcmr _ _).
Qed.
Lemma size_total i : (size_of f i)%:R = total_of R f i.
Proof. by rewrite /size_of cardsE. Qed.
Lemma d_gt0 : 0 < d.
Proof.
suff: (0 < foldr lcmn 1 [seq size_of f i | i <- enum 'I_r])%N.
  by rewrite /d /py_lcm ltz_nat; congr (0 < _)%N; elim: (enum _) => //= b s ->.
by elim: (enum _) => //= i s IH; rewrite lcmn_gt0 IH andbT /size_of cardsE; exact: rows_occur.
Qed.

Lemma statistic_squares s : (statistic f y (moved f s^-1%g))%:~R = d%:~R * squares s.
Proof.
have cells i k : cnt y [set u | moved f s^-1%g u == i] k = #|[pred u | (f u == i) && (y (s u) == k)]|.
  rewrite /cnt -!sum1_card [LHS](reindex_inj (@perm_inj _ s)).
  by apply: eq_bigl => u; rewrite !inE ffunE permK.
rewrite /statistic rmorph_sum /squares big_distrr /=; apply: eq_bigr => i _; rewrite -mulr_suml /value rmorphM /=.
have a0 : total_of R f i != 0 by rewrite pnatr_eq0 -lt0n.
have in_ : size_of f i \in [seq size_of f i | i <- enum 'I_r] by rewrite map_f // mem_enum.
have [m dm div] := dvd_lcm in_; rewrite -map_comp in dm.
have quotient : (py_div d (Posz (size_of f i)))%:~R * total_of R f i = d%:~R.
  have -> : d = Posz m by [].
  by rewrite /py_div /= divz_nat -size_total -[_%:~R]/(_%:R) -natrM divnK.
rewrite -quotient -mulrA [total_of R f i * _]mulrC mulfVK // rmorph_sum; congr (_ * _).
by apply: eq_bigr => k _; rewrite rmorphM /= cells expr2.
Qed.

(* Whatever the limit on its work, where the dynamic programme gives a number it is the exact p-value of the table: the
   share of all permutations of the labels whose Gini gain, as the library computes it, is at least that of the table. *)
Theorem py_exact_tail_is_share_of_permutations limit p :
  py_exact_tail R fillings (listed_rows f y) limit = Some p ->
  p = tail (fun s : {perm T} => py_decrease_gini (table R f y s)) 1%g.
Proof.
move=> /(exact_tailE (ltnW two)) ->; rewrite /tail /reaching.
have -> : #|{perm T}| = #|T|`!.
  rewrite -cardsT -card_perm; apply: eq_card => s; rewrite !inE unfold_in /=; apply/esym/subsetP => u _.
  by rewrite inE.
congr (_%:R / _); rewrite -!sum1_card (reindex_inj invg_inj); apply: eq_bigl => s; rewrite !inE.
rewrite -[in moved f 1%g]invg1 -(ler_int R) !statistic_squares ler_pmul2l ?ltr0z ?d_gt0 //.
rewrite -![py_decrease_gini _]/(gain R f y _) !gainE // ler_add2l ler_pmul2r ?invr_gt0 ?ltr0n ?(ltnW two) //.
by rewrite /squares !squares_table // ler_add2l.
Qed.
End Gain.

(* Two rows of two observations, each of one class: 2 of the 6 ways to deal the labels have a gain as large. *)
Example exact_tail_of_four (R : realFieldType) :
  py_exact_tail R (fun _ _ => 0) [:: [:: Posz 2; Posz 0]; [:: Posz 0; Posz 2]] 1000 = Some (2%:R / 6%:R).
Proof.
have law : py_law_by_rows [:: Posz 2; Posz 2] [:: Posz 2; Posz 2] 2 1 1000
    = Some [:: (Posz 8, Posz 2); (Posz 4, Posz 4)] by vm_compute.
have e : py_arrangements R (fun _ _ => 0) [:: Posz 2; Posz 2] [:: Posz 2; Posz 2] 2 1000
    = Some [:: (Posz 8, Posz 2); (Posz 4, Posz 4)].
  by rewrite /py_arrangements mul0r ler0z -law; vm_compute.
rewrite /py_exact_tail; set totals := py_sorted_down _; have -> : totals = [:: Posz 2; Posz 2] by vm_compute.
set columns := py_sorted _; have -> : columns = [:: Posz 2; Posz 2] by vm_compute.
set d := py_lcm _; have -> : d = 2 by vm_compute.
by rewrite e.
Qed.
