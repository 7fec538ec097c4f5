(* Labels drawn independently: mean and variance of the Gini gain, the library's formulas, and the mixture of
   permutation laws. *)
From mathcomp Require Import all_ssreflect fingroup perm ssralg ssrnum ssrint zmodp.
From mathcomp Require Import ring.
From splitcrit Require Import defs null flips generated tie all_sizes.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* The multinomial null law: mean and variance of the Gini gain where labels are drawn independently from shares. *)
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

(* Mean and variance of the Gini gain if labels are drawn independently: what the library's formulas give. *)
Section Multinomial.
Variables (R : realFieldType) (T : finType) (r K : nat) (f : T -> 'I_r).
Hypothesis rows_occur : forall i, (0 < #|[pred u | f u == i]|)%N.
Hypothesis n2 : (1 < #|T|)%N.
Local Notation n := (#|T|%:R : R).
Local Notation a := (total_of R f).
(* the gain of the table of the feature f and labels s *)
Definition gain_of_labels (s : {ffun T -> 'I_K}) : R := py_decrease_gini (table R f s 1%g).

Lemma row_neq0 i : a i != 0. Proof. by rewrite pnatr_eq0 -lt0n. Qed.
Lemma whole_neq0 : n != 0. Proof. by rewrite pnatr_eq0 -lt0n; exact: ltnW. Qed.
Local Notation W := (same f (fun i => (a i)^-1)).
Local Notation M := (fun u v => W u v - n^-1).
Local Notation h := (\sum_i (a i)^-1).

Lemma D3_first (F : T -> T -> R) : D3 (fun u v _ => F u v) = (n - 2%:R) * D2 F.
Proof.
rewrite -D2_scale; apply: D2_ext => u v vu; rewrite (drop (fun=> _)) // drop1 sum_const.
by ring.
Qed.
Lemma D3_second (F : T -> T -> R) : D3 (fun u _ w => F u w) = (n - 2%:R) * D2 F.
Proof.
rewrite -D3_first /D3; apply: eq_bigr => u _; rewrite (exchange_big_dep (fun w => w != u)) /=;
  last by move=> ? ? _ /andP[].
by apply: eq_bigr => v vu; apply: eq_bigl => w; rewrite vu [v == w]eq_sym.
Qed.

Lemma M_sum : D2 M = 1 - r%:R.
Proof.
rewrite (D2_add W (fun _ _ => - n^-1)) D2_const (XW R rows_occur); move: (r%:R : R) n whole_neq0 => rr m m0; by field.
Qed.
Lemma M_squares : D2 (fun u v => M u v ^+ 2) = r%:R - h - 2%:R * (n - r%:R) / n + (n - 1) / n.
Proof.
rewrite (D2_ext (G := fun u v => W u v ^+ 2 + ((- (2%:R / n)) * W u v + n^-1 ^+ 2))); last by move=> u v _; ring.
rewrite D2_add (D2_add (fun u v => - (2%:R / n) * W u v)) D2_scale D2_const (W2 R rows_occur) (XW R rows_occur) -/h.
rewrite /H; move: h (r%:R : R) n whole_neq0 => x rr m m0; by field.
Qed.
Lemma M_products : D3 (fun u v w => M u v * M u w)
  = n - 3%:R * r%:R + 2%:R * h - 2%:R / n * (n - 2%:R) * (n - r%:R) + (n - 1) * (n - 2%:R) / n.
Proof.
rewrite (D3_ext (G := fun u v w => W u v * W u w + (- n^-1 * W u v + (- n^-1 * W u w + n^-1 ^+ 2)))); last first.
  by move=> u v w _ _ _; ring.
rewrite D3_add (D3_add (fun u v w => - n^-1 * W u v)) (D3_add (fun u v w => - n^-1 * W u w)).
rewrite (D3_first (fun u v => - n^-1 * W u v)) (D3_second (fun u w => - n^-1 * W u w)) D3_const !D2_scale.
rewrite (W3 R rows_occur) (XW R rows_occur) /H; move: h (r%:R : R) n whole_neq0 => x rr m m0; by field.
Qed.

Lemma gain_pairs s : gain_of_labels s
  = (r%:R - 1) / n + n^-1 * D2 (fun u v => M u v * (if s u == s v then 1 else 0)).
Proof. exact: (gain_of_pairs R rows_occur n2). Qed.

Section Shares.
Variable p : 'I_K -> R.
Hypothesis distributed : \sum_k p k = 1.
Local Notation p2 := (\sum_k p k ^+ 2).
Local Notation p3 := (\sum_k p k ^+ 3).

Lemma mean_of_shares : drawn p gain_of_labels = (r%:R - 1) * (1 - p2) / n.
Proof.
rewrite (drawn_ext _ gain_pairs) drawn_add drawn_const // drawn_scale drawn_D2.
rewrite (D2_ext (G := fun u v => p2 * M u v)); last by move=> u v vu; rewrite drawn_scale drawn_pair // mulrC.
rewrite D2_scale M_sum; move: p2 (r%:R : R) n whole_neq0 => q rr m m0; by field.
Qed.

Lemma variance_of_shares : drawn p (fun s => (gain_of_labels s - drawn p gain_of_labels) ^+ 2)
  = (2%:R * (p2 - p2 ^+ 2) * D2 (fun u v => M u v ^+ 2) + 4%:R * (p3 - p2 ^+ 2) * D3 (fun u v w => M u v * M u w))
    / n ^+ 2.
Proof.
pose X (s : {ffun T -> 'I_K}) : R := D2 (fun u v => M u v * (if s u == s v then 1 else 0)).
have Msym u v : M u v = M v u by rewrite /= same_sym.
have := drawn_square distributed Msym; rewrite /= => <-.
have eE : drawn p gain_of_labels = (r%:R - 1) / n + n^-1 * drawn p X.
  by rewrite (drawn_ext _ gain_pairs) drawn_add drawn_const // drawn_scale.
rewrite eE -/X; set e := drawn p X.
rewrite (drawn_ext _ (G := fun s => n^-1 ^+ 2 * (X s ^+ 2 + (- (2%:R * e) * X s + e ^+ 2)))); last first.
  by move=> s; rewrite gain_pairs -/(X s); ring.
rewrite drawn_scale drawn_add drawn_add drawn_scale drawn_const // -/e.
rewrite -[drawn p (fun s => _ ^+ 2)]/(drawn p (fun s => X s ^+ 2)).
move: (drawn p (fun s => X s ^+ 2)) e n whole_neq0 => q e m m0; by field.
Qed.
End Shares.

Section Totals.
(* class totals b, in the shares of which labels are drawn *)
Variable b : 'I_K -> R.
Hypothesis total : \sum_k b k = n.
Let p k := b k / n.
Let distributed : \sum_k p k = 1. Proof. by rewrite -mulr_suml total mulfV // whole_neq0. Qed.
Local Notation s2 := (\sum_k b k ^+ 2).
Local Notation s3 := (\sum_k b k ^+ 3).
Let p2E : \sum_k p k ^+ 2 = s2 / n ^+ 2.
Proof. by rewrite mulr_suml; apply: eq_bigr => k _; rewrite expr_div_n. Qed.
Let p3E : \sum_k p k ^+ 3 = s3 / n ^+ 3.
Proof. by rewrite mulr_suml; apply: eq_bigr => k _; rewrite expr_div_n. Qed.

(* If labels are drawn independently in the proportions b of the classes, the Gini gain of fixed rows has the mean that
   the library's formula of the multinomial model gives. *)
Theorem py_independent_mean_is_mean :
  drawn p gain_of_labels = py_independent_mean n r%:R (\sum_k b k * (n - b k)).
Proof.
rewrite mean_of_shares // p2E /py_independent_mean.
have -> : \sum_k b k * (n - b k) = n ^+ 2 - s2.
  rewrite (eq_bigr (fun k => n * b k - b k ^+ 2)); last by move=> k _; ring.
  by rewrite sumrB -mulr_sumr total.
move: s2 (r%:R : R) n whole_neq0 => q rr m m0; by field.
Qed.

(* The variance of that law is the library's: weights of the classes times sums over the rows, none of them negative. *)
Theorem py_independent_variance_is_variance :
  drawn p (fun s => (gain_of_labels s - drawn p gain_of_labels) ^+ 2)
  = py_variance (py_independent_uneven_weight n (\sum_k py_uneven_class (b k) (b k - s2 / n)))
      (py_independent_uneven n r%:R (\sum_i py_uneven_row n r%:R (a i) (a i)^-1))
      (py_independent_thick_weight n (\sum_k py_independent_class n (b k) (\sum_(l | l != k) b l ^+ 2)))
      (\sum_i py_independent_row n (a i) (a i)^-1 + (r%:R - 1)).
Proof.
rewrite variance_of_shares // M_squares M_products p2E p3E.
have n0 := whole_neq0; have sa : \sum_i a i = n := sum_a R f.
have -> : \sum_k py_uneven_class (b k) (b k - s2 / n) = py_uneven_classes n s2 s3.
  by rewrite -total; apply: sum_of_py_uneven_class; rewrite total.
have -> : \sum_i py_uneven_row n r%:R (a i) (a i)^-1 = py_uneven_rows n r%:R h.
  by rewrite -sa; apply: sum_of_py_uneven_row; exact: row_neq0.
have -> : \sum_i py_independent_row n (a i) (a i)^-1 = n * r%:R - n - n * h + r%:R.
  rewrite (eq_bigr (fun i => (n + 1) * 1 + (- a i + (- n) * (a i)^-1))); last first.
    move=> i _; rewrite /py_independent_row; move: (row_neq0 i) => ai; by field.
  rewrite !big_split sumrN /= -!mulr_sumr sumr_const card_ord sa; move: h (r%:R : R) n => x rr m; ring.
have -> : \sum_k py_independent_class n (b k) (\sum_(l | l != k) b l ^+ 2)
    = n ^+ 2 * s2 - 2%:R * n * s3 + s2 ^+ 2.
  rewrite (eq_bigr (fun k => (n ^+ 2 + s2) * b k ^+ 2 + (- (2%:R * n)) * b k ^+ 3)); last first.
    by move=> k _; rewrite /py_independent_class (drop1 (fun l => b l ^+ 2)); move: s2 (b k) n => q x m; ring.
  by rewrite big_split /= -!mulr_sumr; move: s2 s3 n => q x m; ring.
rewrite /py_variance /py_independent_uneven_weight /py_independent_uneven /py_independent_thick_weight.
rewrite /py_uneven_classes /py_uneven_rows.
move: h s2 s3 (r%:R : R) n n0 => x q c rr m m0; by field.
Qed.
End Totals.
End Multinomial.

(* Four observations in two rows of two, labels drawn from two equal shares: the mean of the gain is 1/8. *)
Example drawn_gain_of_four (R : realFieldType) :
  let T := [finType of 'I_2 * 'I_2] in let row (u : T) := u.1 in let b := (fun=> 2%:R) : 'I_2 -> R in
  [/\ (1 < #|T|)%N, forall i, (0 < #|[pred u | row u == i]|)%N, \sum_k b k = #|T|%:R
    & drawn (fun k => b k / #|T|%:R) (gain_of_labels R row (K := 2)) = 1 / 8%:R].
Proof.
move=> T row b; have [rows _] := totals_of_four.
have rows_occur i : (0 < #|[pred u | row u == i]|)%N by rewrite rows.
have T4 : (1 < #|T|)%N by rewrite card_prod card_ord.
have total : \sum_k b k = #|T|%:R by rewrite sum2 card_prod card_ord -natrD.
split=> //; rewrite py_independent_mean_is_mean // /py_independent_mean sum2 card_prod card_ord /b; by field.
Qed.

(* The multinomial law of the gain is a mixture of permutation laws: means and variances. *)
Section Mixture.
Variables (R : realFieldType) (T : finType) (r K : nat) (f : T -> 'I_r) (p : 'I_K -> R).
Hypothesis rows_occur : forall i, (0 < #|[pred u | f u == i]|)%N.
Hypothesis n2 : (1 < #|T|)%N.
Hypothesis distributed : \sum_k p k = 1.
Local Notation a := (total_of R f).
Local Notation gain := (gain_of_labels R f (K := K)).
(* the class totals of labels that were drawn *)
Definition class_totals (s : {ffun T -> 'I_K}) : 'I_K -> R := total_of R s.

(* independent labels are as likely in any other order *)
Definition reordered (t : {perm T}) (s : {ffun T -> 'I_K}) : {ffun T -> 'I_K} := [ffun u => s (t u)].
Lemma reordered_inj t : injective (reordered t).
Proof.
move=> s s' /ffunP e; apply/ffunP => u; have := e ((t^-1)%g u).
by rewrite !ffunE permKV.
Qed.
Lemma drawn_reordered t (F : {ffun T -> 'I_K} -> R) : drawn p (fun s => F (reordered t s)) = drawn p F.
Proof.
rewrite /drawn [RHS](reindex_inj (@reordered_inj t)); apply: eq_bigr => s _; congr (_ * _).
by rewrite [LHS](reindex_inj (@perm_inj _ t)); apply: eq_bigr => u _; rewrite ffunE.
Qed.
Lemma drawn_mean (F : {ffun T -> 'I_K} -> R) : drawn p F = drawn p (fun s => mean (fun t => F (reordered t s))).
Proof.
have f0 := nfact0 R T; have -> : drawn p F = mean (fun t : {perm T} => drawn p (fun s => F (reordered t s))).
  by rewrite (mean_ext (fun t => drawn_reordered t F)) mean_const.
rewrite /mean mulrC -drawn_sum -drawn_scale; apply: drawn_ext => s; exact: mulrC.
Qed.

Lemma gain_reordered t s : gain (reordered t s) = py_decrease_gini (table R f s t).
Proof.
rewrite /gain_of_labels; apply: decrease_gini_ext => i k; rewrite /table; congr (_%:R); apply: eq_card => u.
by rewrite !inE perm1 ffunE.
Qed.
Lemma mean_reordered s : mean (fun t => gain (reordered t s)) = py_exact_mean a (class_totals s).
Proof.
rewrite (mean_ext (fun t => gain_reordered t s)); exact: py_exact_mean_is_mean_at_every_size.
Qed.

(* Averaged over multinomial class totals, the mean over permutations is the mean of independent labels: (r - 1)/n times
   the Gini impurity of the shares. *)
Theorem py_exact_mean_is_multinomial_mean_on_average :
  drawn p (fun s => py_exact_mean a (class_totals s)) = (r%:R - 1) * py_gini p / #|T|%:R.
Proof.
have -> : drawn p (fun s => py_exact_mean a (class_totals s)) = drawn p gain.
  by rewrite [RHS]drawn_mean; apply: drawn_ext => s; rewrite mean_reordered.
rewrite (mean_of_shares rows_occur n2 distributed) /py_gini; congr (_ * (1 - _) / _).
Qed.

(* The variance of independent labels is the average of the variance over permutations, at the class totals drawn, plus
   the variance of the mean over permutations. *)
Theorem multinomial_variance_is_mixture d : d != 0 ->
  let e := drawn p gain in
  drawn p (fun s => (gain s - e) ^+ 2)
  = drawn p (fun s => py_exact_variance a (class_totals s) d)
    + drawn p (fun s => (py_exact_mean a (class_totals s) - e) ^+ 2).
Proof.
move=> d0 e; rewrite drawn_mean -drawn_add; apply: drawn_ext => s.
have VE := py_exact_variance_is_variance_at_every_size s rows_occur d0.
have ME : mean (fun t => py_decrease_gini (table R f s t)) = py_exact_mean a (class_totals s).
  exact: py_exact_mean_is_mean_at_every_size.
rewrite -VE ME; set q := py_exact_mean _ _ in ME *.
rewrite (mean_ext (G := fun t => (py_decrease_gini (table R f s t) - q) ^+ 2
   + (2%:R * (q - e) * py_decrease_gini (table R f s t) + (q - e) * (- e - q)))); last first.
  by move=> t; rewrite gain_reordered; ring.
by rewrite mean_add mean_add mean_scale mean_const ME; ring.
Qed.
End Mixture.

(* Four observations in two rows of two, labels drawn from two equal shares. *)
Example equal_shares_of_four (R : realFieldType) :
  let T := [finType of 'I_2 * 'I_2] in let row (u : T) := u.1 in
  [/\ forall i, (0 < #|[pred u | row u == i]|)%N, (1 < #|T|)%N, \sum_(k < 2) (1 / 2%:R) = 1 :> R & (1 : R) != 0].
Proof.
move=> T row; have [rows _] := totals_of_four.
split=> [i|||]; rewrite ?oner_neq0 ?rows ?card_prod ?card_ord // sum2.
by field.
Qed.
