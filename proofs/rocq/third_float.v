(* The third central moment by five invariants of each side: of any matrices, and of rows and classes, which is what
   floats compute. *)
From mathcomp Require Import all_ssreflect fingroup perm ssralg ssrnum ssrint zmodp.
From mathcomp Require Import ring.
From splitcrit Require Import defs null factorial third_shapes third_invariants generated third tie.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* The third central moment of a sum over pairs by five invariants of each side, for any matrices. *)
(* the sums of the shapes of one side, by the invariants c, t, d, p, f of m points *)
Section Formulas.
Variables (R : realFieldType) (c t d p f : R).
Definition of_triple m := c + 6%:R * d + 6%:R * p + (2%:R * m - 8%:R) * f : R.
Definition of_squares m := (m - 2%:R) * (d + 2%:R * p + (m - 4%:R) * f) : R.
Definition of_triangle m := t - 6%:R * d + (3%:R * m - 12%:R) * p + (16%:R - 6%:R * m) * f : R.
Definition of_path m :=
  (m - 2%:R) ^+ 2 * (p - 2%:R * f) - 2%:R * of_squares m + of_triple m - of_triangle m : R.
Definition of_star m := (m - 2%:R) ^+ 3 * f - 3%:R * of_squares m + 2%:R * of_triple m : R.
Definition of_double_apart m := - 4%:R * (of_squares m - of_triple m) - 2%:R * of_triple m : R.
Definition of_cherry_apart m :=
  - 4%:R * of_path m - 2%:R * of_star m - 4%:R * (of_squares m - of_triple m) - 2%:R * of_triangle m : R.
Definition of_three_apart m :=
  - (4%:R * of_triple m + 24%:R * (of_squares m - of_triple m) + 8%:R * of_triangle m + 24%:R * of_path m
     + 8%:R * of_star m + 6%:R * of_double_apart m + 12%:R * of_cherry_apart m) : R.
End Formulas.

Section Side.
Variables (R : realFieldType) (T : finType) (N : T -> T -> R) (g : T -> R).
Hypothesis parts : centred_parts N g.
Local Notation n := (#|T|%:R : R).
Local Notation J := (joined N g).
Local Notation c := (inv_c N).
Local Notation t := (inv_t N).
Local Notation d := (inv_d N g).
Local Notation p := (inv_p N g).
Local Notation f := (inv_f g).

Lemma ones_n : \sum_(u : T) 1 = n. Proof. by rewrite sumr_const. Qed.
Lemma J_sym u v : J u v = J v u. Proof. exact: joined_sym parts _ _. Qed.
Lemma J_diag u : J u u = 0. Proof. exact: joined_diag. Qed.

Lemma edge_J : edge_sum J = 0.
Proof.
rewrite -(pairsE J_diag) (eq_bigr (fun u => (n - 2%:R) * g u)); last first.
  by move=> u _; exact: (row_joined ones_n parts).
by rewrite -mulr_sumr; case: parts => _ _ _ ->; rewrite mulr0.
Qed.
Lemma triple_J : triple_sum J = of_triple c d p f n.
Proof. by rewrite triple_free ?(cubes_joined ones_n parts) //; exact: J_diag. Qed.
Lemma double_adjacent_J : double_adjacent_sum J = of_squares d p f n - of_triple c d p f n.
Proof.
by rewrite (double_adjacent_free J_sym J_diag) (squares_joined ones_n parts) (cubes_joined ones_n parts).
Qed.
Lemma triangle_J : triangle_sum J = of_triangle t d p f n.
Proof. by rewrite (triangle_free J_diag) (trace_joined ones_n parts). Qed.
Lemma path_J : path_sum J = of_path c t d p f n.
Proof.
rewrite (path_free J_sym J_diag) (joined_row_sums ones_n parts) (squares_joined ones_n parts).
by rewrite (cubes_joined ones_n parts) (trace_joined ones_n parts).
Qed.
Lemma star_J : star_sum J = of_star c d p f n.
Proof.
rewrite (star_free J_diag) (cubed_row_sums ones_n parts) (squares_joined ones_n parts).
by rewrite (cubes_joined ones_n parts).
Qed.
Lemma double_apart_J : double_apart_sum J = of_double_apart c d p f n.
Proof. by rewrite (double_apartE J_sym) edge_J double_adjacent_J triple_J /of_double_apart; ring. Qed.
Lemma cherry_apart_J : cherry_apart_sum J = of_cherry_apart c t d p f n.
Proof.
by rewrite (cherry_apartE J_sym) edge_J double_adjacent_J triangle_J path_J star_J /of_cherry_apart; ring.
Qed.
Lemma three_apart_J : three_apart_sum J = of_three_apart c t d p f n.
Proof.
have := cube_of_pairs J_sym; rewrite edge_J triple_J double_adjacent_J triangle_J path_J star_J double_apart_J.
rewrite cherry_apart_J expr0n /= => /esym /eqP; rewrite addrC addr_eq0 => /eqP ->.
by rewrite /of_three_apart.
Qed.

Lemma none_of m (F : of_points R T m) : (#|T| < m)%N -> distinct_sum F = 0.
Proof.
move=> mT; rewrite /distinct_sum big1 // => s us.
by have := card_ge us (size_tuple s); rewrite leqNgt mT.
Qed.

Lemma of_five : #|T| = 5%N -> t = 2%:R * c.
Proof.
move=> T5; have := three_apart_J; rewrite /three_apart_sum none_of T5 // => e.
have -> : t = 2%:R * c - (16%:R * c - 8%:R * t) / 8%:R by field.
have -> : 16%:R * c - 8%:R * t = of_three_apart c t d p f 5%:R.
  rewrite /of_three_apart /of_cherry_apart /of_double_apart /of_star /of_path /of_triangle /of_squares /of_triple.
  by ring.
by rewrite -e mul0r subr0.
Qed.
Lemma of_four : #|T| = 4%N -> d = 0 /\ t = 2%:R * c.
Proof.
move=> T4; have := three_apart_J; have := cherry_apart_J.
rewrite /three_apart_sum /cherry_apart_sum !none_of T4 // => e5 e6.
have e : d = - (4%:R * of_cherry_apart c t d p f 4%:R + of_three_apart c t d p f 4%:R) / 16%:R.
  rewrite /of_three_apart /of_cherry_apart /of_double_apart /of_star /of_path /of_triangle /of_squares /of_triple.
  by field.
have d0 : d = 0 by rewrite e -e5 -e6 mulr0 addr0 oppr0 mul0r.
split=> //.
have -> : t = 2%:R * c + 8%:R * d + of_cherry_apart c t d p f 4%:R / 2%:R.
  rewrite /of_cherry_apart /of_star /of_path /of_triangle /of_squares /of_triple.
  by field.
by rewrite -e5 d0 mul0r mulr0 !addr0.
Qed.
Lemma of_three : #|T| = 3%N -> [/\ c = 0, t = 0, d = 0 & p = 0].
Proof.
move=> T3; have := path_J; have := star_J; have := double_apart_J; have := cherry_apart_J; have := three_apart_J.
rewrite /three_apart_sum /cherry_apart_sum /double_apart_sum /star_sum /path_sum !none_of T3 // => e6 e5 e4 es ep.
pose a6 := of_three_apart c t d p f 3%:R; pose a5 := of_cherry_apart c t d p f 3%:R.
pose a4 := of_star c d p f 3%:R; pose ap := of_path c t d p f 3%:R.
have d0 : d = - (2%:R * a4 + 6%:R * a5 + 4%:R * ap + a6) / 2%:R.
  rewrite /a6 /a5 /a4 /ap.
  rewrite /of_three_apart /of_cherry_apart /of_double_apart /of_star /of_path /of_triangle /of_squares /of_triple.
  by field.
have c0 : c = - 2%:R * d + (a6 - 8%:R * ap) / 8%:R.
  rewrite /a6 /ap.
  rewrite /of_three_apart /of_cherry_apart /of_double_apart /of_star /of_path /of_triangle /of_squares /of_triple.
  by field.
have p0 : p = - c - 3%:R * d - (a5 + 2%:R * ap) / 2%:R.
  rewrite /a5 /ap /of_cherry_apart /of_star /of_path /of_triangle /of_squares /of_triple.
  by field.
have t0 : t = c + 10%:R * d + 6%:R * p - ap.
  by rewrite /ap /of_path /of_triangle /of_squares /of_triple; ring.
move: d0 c0 p0 t0; rewrite /a6 /a5 /a4 /ap -e6 -e5 -es -ep => d0 c0 p0 t0.
have d1 : d = 0 by rewrite d0; field.
have c1 : c = 0 by rewrite c0 d1; field.
have p1 : p = 0 by rewrite p0 c1 d1; field.
have t1 : t = 0 by rewrite t0 c1 d1 p1; ring.
by split.
Qed.
End Side.

(* the sum over shapes is the formula of invariants, for six points or more *)
Lemma six (R : realFieldType) (c t d p f c' t' d' p' f' n : R) :
  n != 0 -> n - 1 != 0 -> n - 2%:R != 0 -> n - 3%:R != 0 -> n - 4%:R != 0 -> n - 5%:R != 0 ->
  (4%:R * (of_triple c d p f n * of_triple c' d' p' f' n / (n * (n - 1)))
   + 24%:R * ((of_squares d p f n - of_triple c d p f n) * (of_squares d' p' f' n - of_triple c' d' p' f' n)
              / (n * (n - 1) * (n - 2%:R)))
   + 8%:R * (of_triangle t d p f n * of_triangle t' d' p' f' n / (n * (n - 1) * (n - 2%:R)))
   + 24%:R * (of_path c t d p f n * of_path c' t' d' p' f' n / (n * (n - 1) * (n - 2%:R) * (n - 3%:R)))
   + 8%:R * (of_star c d p f n * of_star c' d' p' f' n / (n * (n - 1) * (n - 2%:R) * (n - 3%:R)))
   + 6%:R * (of_double_apart c d p f n * of_double_apart c' d' p' f' n / (n * (n - 1) * (n - 2%:R) * (n - 3%:R)))
   + 12%:R * (of_cherry_apart c t d p f n * of_cherry_apart c' t' d' p' f' n
              / (n * (n - 1) * (n - 2%:R) * (n - 3%:R) * (n - 4%:R)))
   + of_three_apart c t d p f n * of_three_apart c' t' d' p' f' n
     / (n * (n - 1) * (n - 2%:R) * (n - 3%:R) * (n - 4%:R) * (n - 5%:R))) / n ^+ 3
  = py_third_by_invariants n (n - 1) (n - 2%:R) (n - 3%:R) (n - 4%:R) (n - 5%:R) c c' t t' d d' p p' f f'.
Proof.
move=> n0 n1 n2 n3 n4 n5; rewrite /py_third_by_invariants.
rewrite /of_three_apart /of_cherry_apart /of_double_apart /of_star /of_path /of_triangle /of_squares /of_triple.
field.
by rewrite n0 n1 n2 n3 n4 n5.
Qed.

Section Third.
Variables (R : realFieldType) (T : finType).
Local Notation n := (#|T|%:R : R).

(* the entries of M off the diagonal are mu + N + g + g, in two parts that are centred *)
Definition split_into (M : T -> T -> R) mu N g :=
  centred_parts N g /\ forall u v, u != v -> M u v = mu + N u v + g u + g v.

(* a number, or 1 if it is below 1 *)
Definition at_least_one (x : R) := Num.max x 1.

Variables (W Z N N' : T -> T -> R) (g g' : T -> R) (mu mu' : R).
Hypotheses (Wparts : split_into W mu N g) (Zparts : split_into Z mu' N' g').
Local Notation J := (joined N g).
Local Notation J' := (joined N' g').

Lemma stat_joined s : stat W Z s = n * (n - 1) * (mu * mu') + stat J J' s.
Proof.
have [[p w] [p' z]] := (Wparts, Zparts).
have e : stat W Z s = D2 (fun u v => mu * mu' + (mu * J' (s u) (s v) + mu' * J u v) + J u v * J' (s u) (s v)).
  apply: D2_ext => u v vu; have uv : u != v by rewrite eq_sym.
  rewrite w // z ?(inj_eq perm_inj) //.
  by rewrite /joined (inj_eq perm_inj) (negPf uv); ring.
rewrite e !D2_add !D2_scale D2_const (D2_perm J') (D2E J) (D2E J') (edge_J p) (edge_J p') -/(stat J J' s).
by ring.
Qed.

Lemma mean_joined : mean (stat J J') = 0.
Proof. by have [[p _] [p' _]] := (Wparts, Zparts); rewrite mean_stat !D2E (edge_J p) !mul0r. Qed.

Lemma central_joined : mean (fun s => (stat W Z s - mean (stat W Z)) ^+ 3) = mean (fun s => stat J J' s ^+ 3).
Proof.
have e : mean (stat W Z) = n * (n - 1) * (mu * mu').
  by rewrite (mean_ext stat_joined) mean_add mean_const mean_joined addr0.
by apply: mean_ext => s; rewrite e stat_joined; congr (_ ^+ 3); ring.
Qed.

(* the formula of invariants is the third central moment of any sum over pairs of which one side is permuted *)
Theorem py_third_by_invariants_is_third_moment : (2 < #|T|)%N ->
  mean (fun s => (stat W Z s - mean (stat W Z)) ^+ 3) / n ^+ 3
  = py_third_by_invariants n (at_least_one (n - 1)) (at_least_one (n - 2%:R)) (at_least_one (n - 3%:R))
      (at_least_one (n - 4%:R)) (at_least_one (n - 5%:R)) (inv_c N) (inv_c N') (inv_t N) (inv_t N')
      (inv_d N g) (inv_d N' g') (inv_p N g) (inv_p N' g') (inv_f g) (inv_f g').
Proof.
move=> T3; have [[p _] [p' _]] := (Wparts, Zparts).
have one m : (m < #|T|)%N -> at_least_one (n - m%:R) = n - m%:R.
  by move=> mT; rewrite /at_least_one -natrB ?(ltnW mT) // max_l // ler1n subn_gt0.
have none m : (#|T| <= m)%N -> at_least_one (n - m%:R) = 1.
  by move=> mT; rewrite /at_least_one max_r // (le_trans _ ler01) // subr_le0 ler_nat.
have nz m : (m < #|T|)%N -> n - m%:R != 0 := @natB_neq0 R T m.
have n0 : n != 0 by rewrite -[n]subr0; exact: (nz 0%N) (leq_trans _ T3).
have n1 : n - 1 != 0 by apply: (nz 1%N); exact: leq_trans T3.
rewrite central_joined mean_stat_cube; [|exact: J_sym p|exact: J_sym p'].
rewrite !(triple_J p, triple_J p', double_adjacent_J p, double_adjacent_J p', triangle_J p, triangle_J p').
rewrite !(path_J p, path_J p', star_J p, star_J p', double_apart_J p, double_apart_J p').
rewrite !(cherry_apart_J p, cherry_apart_J p', three_apart_J p, three_apart_J p').
rewrite ffact2 ffact3 ffact4 ffact5 ffact6 (one 1%N (ltnW T3)) (one 2%N T3).
case: (leqP #|T| 5) => T6; last first.
  have T5 := ltnW T6; have T4 := ltnW T5.
  by rewrite (one 3%N T4) (one 4%N T5) (one 5%N T6); apply: six; rewrite ?n0 ?n1 ?nz // ltnW.
rewrite (none 5%N T6); rewrite leq_eqVlt in T6; case/orP: T6 => [/eqP T5|T5].
  rewrite (of_five p T5) (of_five p' T5) (one 3%N) ?(one 4%N) ?T5 // subrr mulr0 invr0 mulr0 addr0.
  rewrite /py_third_by_invariants /of_cherry_apart /of_double_apart /of_star /of_path /of_triangle /of_squares.
  rewrite /of_triple.
  move: (inv_c N) (inv_d N g) (inv_p N g) (inv_f g) (inv_c N') (inv_d N' g') (inv_p N' g') (inv_f g').
  by move=> c d q f c' d' q' f'; field.
rewrite (none 4%N) //; rewrite leq_eqVlt in T5; case/orP: T5 => [/eqP [T4]|T4].
  have [d0 t0] := of_four p T4; have [d0' t0'] := of_four p' T4.
  rewrite (one 3%N) ?T4 // d0 d0' t0 t0' subrr !mulr0 mul0r invr0 !mulr0 !addr0.
  rewrite /py_third_by_invariants /of_double_apart /of_star /of_path /of_triangle /of_squares /of_triple.
  move: (inv_c N) (inv_p N g) (inv_f g) (inv_c N') (inv_p N' g') (inv_f g').
  by move=> c q f c' q' f'; field.
have T3' : #|T| = 3%N by apply/eqP; rewrite eqn_leq T3 andbT; exact: T4.
have [c0 t0 d0 q0] := of_three p T3'; have [c0' t0' d0' q0'] := of_three p' T3'.
rewrite (none 3%N) ?T3' // c0 c0' t0 t0' d0 d0' q0 q0' subrr !mulr0 !mul0r invr0 !mulr0 !addr0.
rewrite /py_third_by_invariants /of_triangle /of_squares /of_triple.
move: (inv_f g) (inv_f g') => f f'; by field.
Qed.
End Third.

(* four points: a matching of two pairs has row sums 0, and the vector 1, -1, 0, 0 has sum 0 *)
Definition matching (R : realFieldType) (u v : 'I_4) : R :=
  if u == v then 0 else if (u + v == 3)%N then 2%:R else - 1.
Definition contrast (R : realFieldType) (u : 'I_4) : R := if u == 0 then 1 else if u == 1 then - 1 else 0.
Example matching_is_centred (R : realFieldType) :
  [/\ (2 < #|'I_4|)%N, centred_parts (@matching R) (@contrast R)
    & split_into (fun u v => 5%:R + matching R u v + contrast R u + contrast R v) 5%:R (@matching R) (@contrast R)].
Proof.
have centred : centred_parts (@matching R) (@contrast R).
  split=> [u v|u|u|].
  - by rewrite /matching eq_sym addnC.
  - by rewrite /matching eqxx.
  - by case: u => [[|[|[|[|u]]]]] // u4; rewrite !big_ord_recl big_ord0 /matching /=; ring.
  by rewrite !big_ord_recl big_ord0 /contrast /=; ring.
by split; rewrite ?card_ord.
Qed.

(* The third central moment of the Gini gain from invariants of rows and classes, which is what floats compute. *)
Section Blocks.
Variables (R : realFieldType) (T : finType) (K : nat) (z : T -> 'I_K).
Variables (within phi : 'I_K -> R) (across : 'I_K -> 'I_K -> R).
Local Notation b := (total_of R z).
Local Notation N := (in_blocks z within across).
Local Notation g := (in_block z phi).
Hypothesis across_sym : forall j k, across j k = across k j.

Lemma printed_apart j k : (if j == k then 0 * across j k else across j k) = apart across j k.
Proof. by rewrite mul0r. Qed.

(* the code of the invariants computes those of the matrix whose blocks it is given *)
Theorem py_invariants_are_invariants :
  [/\ py_invariants_0 b within phi across = inv_c N, py_invariants_1 b within phi across = inv_t N,
      py_invariants_2 b within phi across = inv_d N g, py_invariants_3 b within phi across = inv_p N g
    & py_invariants_4 b within phi across = inv_f g].
Proof.
split.
- rewrite blocks_c /py_invariants_0; apply: eq_bigr => j _; congr (_ * (_ + _)); first by ring.
  by apply: eq_bigr => k _; rewrite printed_apart; ring.
- rewrite blocks_t // /py_invariants_1; congr (_ + _); apply: eq_bigr => j _; congr (_ * _).
    congr (_ * (_ + _ * _)); first by ring.
    by apply: eq_bigr => k _; rewrite printed_apart; ring.
  apply: eq_bigr => k _; apply: eq_bigr => l _; rewrite !printed_apart [apart _ k j]apart_sym //; ring.
- rewrite blocks_d /py_invariants_2; apply: eq_bigr => j _; rewrite -mulrA; congr (_ * (_ * (_ + _))); first by ring.
  by apply: eq_bigr => k _; rewrite printed_apart; ring.
- rewrite blocks_p /py_invariants_3 -big_split; apply: eq_bigr => j _ /=.
  rewrite !mulrDr; congr (_ + _); first by ring.
  by rewrite !mulr_sumr; apply: eq_bigr => k _; rewrite printed_apart; ring.
by rewrite blocks_f.
Qed.

Variables (c : 'I_K -> R) (mu : R).
Local Notation n := (#|T|%:R : R).

Lemma split_of_blocks : (forall j, within j = c j - mu - 2%:R * phi j) ->
  (forall j k, across j k = - mu - phi j - phi k) ->
  (forall j, (b j - 1) * c j = (n - 1) * mu + (n - 2%:R) * phi j) -> \sum_j b j * phi j = 0 ->
  split_into (same z c) mu N g.
Proof.
move=> w a e s0; split; last first.
  move=> u v uv; rewrite /same /in_blocks (negPf uv) /in_block.
  by case: (z u =P z v) => [<-|_]; rewrite ?w ?a; ring.
split.
- exact: in_blocks_sym.
- by move=> u; rewrite /in_blocks eqxx.
- move=> u; rewrite (@row_of_blocks R T K z within across (fun _ x => x)) //.
  rewrite (eq_bigr (fun k => (- mu - phi (z u)) * b k - b k * phi k
     + (if k == z u then b (z u) * (mu + 2%:R * phi (z u)) else 0))); last first.
    move=> k _; rewrite /apart eq_sym; case: (k =P z u) => [->|_]; last by rewrite a; ring.
    by ring.
  rewrite big_split sumrB /= -mulr_sumr -big_mkcond big_pred1_eq s0 (sum_b R z) w.
  transitivity ((b (z u) - 1) * c (z u) - ((n - 1) * mu + (n - 2%:R) * phi (z u))); first by ring.
  by rewrite e subrr.
exact: etrans (sum_blocks z phi) s0.
Qed.
End Blocks.

Section Largest.
Variables (R : realFieldType) (K : nat).
(* a fold of max from the first member is the member at any place where it is largest *)
Lemma largest (x : 'I_K.+1 -> R) top : (forall j, x j <= x top) -> \big[Num.max/x ord0]_(j < K.+1) x j = x top.
Proof.
move=> h; apply/le_anti/andP; split.
  by apply: (big_ind (fun z => z <= x top)) => [|u v|j _]; rewrite ?h // le_maxl => -> ->.
have le (s : seq 'I_K.+1) : top \in s -> x top <= \big[Num.max/x ord0]_(j <- s) x j.
  elim: s => // j s IH; rewrite in_cons big_cons le_maxr => /orP [/eqP ->|/IH ->]; by rewrite ?lexx ?orbT.
by apply: le; rewrite mem_index_enum.
Qed.
End Largest.

Section Float.
Variables (R : realFieldType) (T : finType) (r K : nat) (f : T -> 'I_r) (y : T -> 'I_K.+1).
Hypothesis rows_occur : forall i, (0 < #|[pred u | f u == i]|)%N.
Hypothesis n3 : (2 < #|T|)%N.
Local Notation n := (#|T|%:R : R).
Local Notation a := (total_of R f).
Local Notation b := (total_of R y).
Local Notation s2 := (\sum_j b j ^+ 2).

(* the pairs of a class; a largest class; and the whole number that the code subtracts from totals, whichever *)
Definition pairs_in j : R := b j * (b j - 1).
Variables (top : 'I_K.+1) (shift : R).
Hypothesis top_largest : forall j, pairs_in j <= pairs_in top.
Local Notation classes_within := (py_classes_same b n top).
Local Notation classes_apart := (py_classes_f b n shift).
Local Notation classes_across := (py_classes_across b n).

Let a0 i : a i != 0. Proof. by rewrite pnatr_eq0 -lt0n. Qed.
Let n0 : n != 0. Proof. by rewrite pnatr_eq0 -lt0n; exact: leq_trans n3. Qed.
Let n1 : n - 1 != 0. Proof. exact: (@natB_neq0 R T 1) (leq_trans _ n3). Qed.
Let n2 : n - 2%:R != 0. Proof. exact: natB_neq0. Qed.

Local Notation rows_within := (py_rows_same a n).
Local Notation rows_apart := (py_rows_f a n).
Local Notation rows_across := (py_rows_across a n).

Let three : Num.max n 3%:R = n. Proof. by rewrite max_l // ler_nat. Qed.
Let occurring : \sum_i (if a i == 0 then 0 else 1) = r%:R :> R.
Proof. by rewrite (eq_bigr (fun=> 1)) ?sumr_const ?card_ord // => i _; rewrite (negPf (a0 i)). Qed.
Let reciprocal i : 1 / (if a i == 0 then a i + 1 else a i) = (a i)^-1.
Proof. by rewrite (negPf (a0 i)) mul1r. Qed.

(* of a table without empty rows the code computes entries of rows by its formulas, with reciprocals of the totals *)
Lemma rows_sameE i : rows_within i = py_row_block_0 n r%:R (a i) (a i)^-1.
Proof. by rewrite /py_rows_same three occurring reciprocal. Qed.
Lemma rows_fE i : rows_apart i = py_row_block_1 n r%:R (a i) (a i)^-1.
Proof. by rewrite /py_rows_f three occurring reciprocal. Qed.
Lemma rows_acrossE i i' : rows_across i i' = py_row_across n r%:R (a i)^-1 (a i')^-1.
Proof. by rewrite /py_rows_across three occurring !reciprocal. Qed.

Lemma rows_across_sym i i' : rows_across i i' = rows_across i' i.
Proof. by rewrite !rows_acrossE /py_row_across [_^-1 + _]addrC. Qed.
Lemma others_of j : (if j == top then \sum_k (if k == top then 0 * pairs_in k else pairs_in k)
  else \big[Num.max/pairs_in ord0]_(k < K.+1) pairs_in k
       + (\sum_k (if k == top then 0 * pairs_in k else pairs_in k) - (if j == top then 0 * pairs_in j else pairs_in j)))
  = \sum_k pairs_in k - pairs_in j.
Proof.
have -> : \sum_k (if k == top then 0 * pairs_in k else pairs_in k) = \sum_k pairs_in k - pairs_in top.
  rewrite -(drop1 pairs_in top) [RHS]big_mkcond; apply: eq_bigr => k _.
  by case: (k == top); rewrite ?mul0r.
rewrite (largest top_largest); case: (j =P top) => [->|_] //; ring.
Qed.
Lemma classes_sameE j : classes_within j = py_class_block n (b j) (\sum_k pairs_in k - pairs_in j).
Proof. by rewrite -others_of /py_classes_same three. Qed.
Lemma classes_fE j : classes_apart j = (b j - s2 / n) / (n - 2%:R).
Proof.
rewrite /py_classes_f three (negPf n0); congr (_ / _).
rewrite (eq_bigr (fun k => b k ^+ 2 - shift * b k)); last by move=> k _; ring.
by rewrite sumrB -mulr_sumr (sum_b R y); move: n n0 s2 (b j) => m m0 z x; field.
Qed.
Lemma classes_acrossE j j' :
  classes_across j j' = py_class_across n (b j) (b j') (\sum_l pairs_in l - pairs_in j - pairs_in j').
Proof. by rewrite /py_classes_across three. Qed.

Lemma classes_across_sym j j' : classes_across j j' = classes_across j' j.
Proof. by rewrite !classes_acrossE /py_class_across; congr (_ / _); ring. Qed.

Lemma split_rows : split_into (same f (fun i => (a i)^-1)) ((n - r%:R) / (n * (n - 1)))
  (in_blocks f rows_within rows_across) (in_block f rows_apart).
Proof.
apply: split_of_blocks => [i i'|i|i i'|i|]; first exact: rows_across_sym.
- rewrite rows_sameE rows_fE /py_row_block_0 /py_row_block_1.
  by move: (a i) (a0 i) (r%:R : R) n n0 n1 n2 => x x0 q m m0 m1 m2; field; rewrite m0 m1 m2 x0.
- rewrite rows_acrossE !rows_fE /py_row_across /py_row_block_1.
  move: (a i) (a0 i) (a i') (a0 i') (r%:R : R) n n0 n1 n2 => x x0 x' x0' q m m0 m1 m2; field.
  by rewrite m0 m1 m2 x0 x0'.
- rewrite rows_fE /py_row_block_1.
  by move: (a i) (a0 i) (r%:R : R) n n0 n1 n2 => x x0 q m m0 m1 m2; field; rewrite m0 m1 m2 x0.
rewrite (eq_bigr (fun i => (r%:R / (n * (n - 2%:R))) * a i - (n - 2%:R)^-1 * 1)); last first.
  move=> i _; rewrite rows_fE /py_row_block_1.
  by move: (a i) (a0 i) (r%:R : R) n n0 n1 n2 => x x0 q m m0 m1 m2; field; rewrite m0 m2 x0.
rewrite sumrB -!mulr_sumr sum_a sumr_const card_ord.
by move: (r%:R : R) n n0 n1 n2 => q m m0 m1 m2; field; rewrite m0 m2.
Qed.

Lemma sum_pairs : \sum_j pairs_in j = s2 - n.
Proof. by rewrite -(sum_b R y) -sumrB; apply: eq_bigr => j _; rewrite /pairs_in; ring. Qed.

Lemma split_classes : split_into (same y (fun=> 1 : R)) ((s2 - n) / (n * (n - 1)))
  (in_blocks y classes_within classes_across) (in_block y classes_apart).
Proof.
apply: split_of_blocks => [j j'|j|j j'|j|]; first exact: classes_across_sym.
- rewrite classes_sameE classes_fE /py_class_block sum_pairs /pairs_in.
  by move: (b j) s2 n n0 n1 n2 => x q m m0 m1 m2; field; rewrite m0 m1 m2.
- rewrite classes_acrossE !classes_fE /py_class_across sum_pairs /pairs_in.
  by move: (b j) (b j') s2 n n0 n1 n2 => x x' q m m0 m1 m2; field; rewrite m0 m1 m2.
- rewrite classes_fE.
  by move: (b j) s2 n n0 n1 n2 => x q m m0 m1 m2; field; rewrite m0 m1 m2.
rewrite (eq_bigr (fun j => (n - 2%:R)^-1 * b j ^+ 2 - (s2 / n / (n - 2%:R)) * b j)); last first.
  by move=> j _; rewrite classes_fE; move: (b j) s2 n n0 n2 => x q m m0 m2; field; rewrite m0 m2.
rewrite sumrB -!mulr_sumr (sum_b R y).
by move: s2 n n0 n1 n2 => q m m0 m1 m2; field; rewrite m0 m2.
Qed.

Local Notation c := (fun i => (a i)^-1).
Local Notation W := (same f c).
Local Notation Z := (same y (fun=> 1 : R)).
Local Notation pygain t := (py_decrease_gini (table R f y t)).
Local Notation of_classes invariant := (invariant R K.+1 b classes_within classes_apart classes_across).

Lemma central_gain : mean (fun t => (pygain t - mean (fun t' => pygain t')) ^+ 3)
  = mean (fun t => (stat W Z t - mean (stat W Z)) ^+ 3) / n ^+ 3.
Proof.
have gE := @gainE R T r K.+1 f y rows_occur (ltnW n3).
have meanE : mean (fun t' => pygain t') = (r%:R - S2 R y / n) / n + mean (stat W Z) / n.
  rewrite (mean_ext (G := fun t => (r%:R - S2 R y / n) / n + n^-1 * stat W Z t)).
    by rewrite mean_add mean_const mean_scale; congr (_ + _); exact: mulrC.
  by move=> t; rewrite gain_decrease gE; congr (_ + _); exact: mulrC.
rewrite [RHS]mulrC -mean_scale; apply: mean_ext => t; rewrite gain_decrease gE meanE.
by move: (stat W Z t) (mean (stat W Z)) (S2 R y) (r%:R : R) n n0 => st m q rr x x0; field.
Qed.

(* the third moment that floats compute, from invariants that do not cancel, is the third central moment of the gain
   over all permutations of the labels *)
Theorem py_third_moment_of_arrays_is_third_moment :
  mean (fun t => (pygain t - mean (fun t' => pygain t')) ^+ 3)
  = py_third_moment_of_arrays a (of_classes py_invariants_0) (of_classes py_invariants_1)
      (of_classes py_invariants_2) (of_classes py_invariants_3) (of_classes py_invariants_4).
Proof.
rewrite central_gain (py_third_by_invariants_is_third_moment split_rows split_classes n3).
have [<- <- <- <- <-] := py_invariants_are_invariants f rows_within rows_apart rows_across_sym.
have [<- <- <- <- <-] := py_invariants_are_invariants y classes_within classes_apart classes_across_sym.
by rewrite /py_third_moment_of_arrays (sum_a R f) (negPf n0).
Qed.

(* the two third moments of the library, exact by power sums and in floats by invariants, are one number *)
Theorem py_third_moment_of_arrays_is_exact_third d : d != 0 ->
  py_third_moment_of_arrays a (of_classes py_invariants_0) (of_classes py_invariants_1)
    (of_classes py_invariants_2) (of_classes py_invariants_3) (of_classes py_invariants_4)
  = py_exact_third a b d.
Proof.
by move=> d0; rewrite -py_third_moment_of_arrays_is_third_moment (py_exact_third_is_third_moment y rows_occur d0).
Qed.
End Float.

(* two rows and two classes of two observations: the hypotheses hold *)
Example halves_have_a_largest (R : realFieldType) :
  [/\ forall i, (0 < #|[pred u | halves u == i]|)%N, (2 < #|'I_4|)%N
    & exists top, forall j, pairs_in R halves j <= pairs_in R halves top].
Proof.
split; [exact: halves_occur|by rewrite card_ord|].
have two (j : 'I_2) : j = ord0 \/ j = ord_max.
  by case: j => [[|[|]]] // h; [left|right]; exact: val_inj.
case: (lerP (pairs_in R halves ord0) (pairs_in R halves ord_max)) => h; [exists ord_max|exists ord0] => j.
  by case: (two j) => ->.
by case: (two j) => -> //; exact: ltW.
Qed.
