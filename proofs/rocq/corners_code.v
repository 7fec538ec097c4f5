(* The covariance of sums over cells as splitcrit.nulls.corner computes it: what corners.v states, in the library's own
   terms. Chances are products of ratios of neighbours; one corner is a covariance under these; equal rows and columns
   are taken once; and of a straight part the expected count of a cell, given that in the corner, has a closed form. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import generated corners.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* The chances of x and x + 1 good ones among the draws have the ratio that the code multiplies by. *)
Theorem chances_of_neighbours_have_the_printed_ratio (R : realFieldType) (n good draws x : nat) :
  (good <= n)%N -> (x < good)%N -> (x < draws)%N -> (draws <= n - good + x)%N ->
  ('C(good, x.+1) * 'C(n - good, draws - x.+1))%:R * py_ways_down n%:R good%:R draws%:R x%:R
  = ('C(good, x) * 'C(n - good, draws - x))%:R * py_ways_up good%:R draws%:R x%:R :> R.
Proof.
move=> gn xg xd room; rewrite /py_ways_down /py_ways_up.
have -> : x%:R + 1 = x.+1%:R :> R by rewrite -addn1 natrD.
have -> : n%:R - good%:R - draws%:R + 1 + x%:R = (n - good - (draws - x.+1))%N%:R :> R.
  have d1 : (draws - x.+1 <= n - good)%N by rewrite leq_subLR; apply: leq_trans room _; rewrite addnC addSn leqW.
  by rewrite !natrB // -[x.+1]addn1 natrD; ring.
rewrite -!natrB //; try exact: ltnW.
rewrite -!natrM; congr _%:R.
have e1 : (x.+1 * 'C(good, x.+1) = (good - x) * 'C(good, x))%N by rewrite mul_bin_left.
have e2 : ((draws - x) * 'C(n - good, draws - x) = (n - good - (draws - x.+1)) * 'C(n - good, draws - x.+1))%N.
  by rewrite -(subnSK xd) mul_bin_left.
by rewrite mulnACA [('C(good, x.+1) * _)%N]mulnC e1 [('C(n - good, _) * _)%N]mulnC -e2 mulnACA mulnC.
Qed.

Section Code.
Variables (R : realFieldType) (n r k : nat) (f : 'I_n -> 'I_r) (g : 'I_n -> 'I_k).
Local Notation cell := (cell f g).

Lemma cell_small i l s : (cell i l s < n.+1)%N.
Proof. by rewrite ltnS; apply: leq_trans (max_card _) _; rewrite card_ord. Qed.

(* The chance that y objects of row i have label l. *)
Definition chance i l (y : 'I_n.+1) : R := #|[pred s | cell i l s == y]|%:R / n`!%:R.

Lemma mean_of_count i l (h : nat -> R) : mean (fun s => h (cell i l s)) = \sum_(y < n.+1) chance i l y * h y.
Proof.
rewrite /mean (partition_big (fun s => Ordinal (cell_small i l s)) predT) //= mulr_suml.
apply: eq_bigr => y _; rewrite /chance mulrAC; congr (_ / _).
rewrite (eq_bigr (fun=> h y)); last by move=> s /eqP <-.
rewrite sumr_const -[LHS]mulr_natl; congr (_%:R * _); apply: eq_card => s; by rewrite !inE.
Qed.

Lemma mean_const (c : R) : mean (fun _ : 'S_n => c) = c.
Proof.
rewrite /mean sumr_const card_Sn -[c *+ _]mulr_natr mulfK // pnatr_eq0 -lt0n; exact: fact_gt0.
Qed.

Lemma chances_add_up i l : \sum_(y < n.+1) chance i l y = 1.
Proof. by have := mean_of_count i l (fun=> 1); rewrite mean_const => ->; apply: eq_bigr => y _; rewrite mulr1. Qed.

Lemma covariance_ext (F F' G G' : 'S_n -> R) : F =1 F' -> G =1 G' -> covariance F G = covariance F' G'.
Proof.
by move=> e1 e2; rewrite /covariance !(mean_ext e1, mean_ext e2) (mean_ext (G := fun s => F' s * G' s)) // => s;
  rewrite e1 e2.
Qed.

Lemma covariance_shift (F G : 'S_n -> R) a b : covariance (fun s => F s + a) (fun s => G s + b) = covariance F G.
Proof.
have add (H : 'S_n -> R) c : mean (fun s => H s + c) = mean H + c.
  by rewrite -[c in RHS]mean_const /mean big_split mulrDl.
have mul (H : 'S_n -> R) c : mean (fun s => c * H s) = c * mean H by rewrite /mean -mulr_sumr mulrA.
rewrite /covariance !add (mean_ext (G := fun s => F s * G s + (b * F s + a * G s + a * b))); last by move=> s; ring.
have -> : mean (fun s => F s * G s + (b * F s + a * G s + a * b))
    = mean (fun s => F s * G s) + (b * mean F + a * mean G + a * b).
  rewrite -[X in _ + (_ + X)](mean_const) -(mul F b) -(mul G a) /mean -!mulrDl -!big_split.
  by [].
by ring.
Qed.

(* What the code computes of a corner is the covariance of two functions of its count. *)
Lemma printed_corner i l (h w : nat -> R) :
  py_covariance_of (fun y : 'I_n.+1 => chance i l y) (fun y => h y) (fun y => w y)
  = covariance (fun s => h (cell i l s)) (fun s => w (cell i l s)).
Proof.
rewrite /covariance (mean_of_count i l h) (mean_of_count i l w) (mean_of_count i l (fun y => h y * w y)).
rewrite /py_covariance_of; set mh := \sum_(j < _) chance i l j * h j; set mw := \sum_(j < _) chance i l j * w j.
have e (y : 'I_n.+1) : chance i l y * (h y - mh) * (w y - mw)
    = chance i l y * (h y * w y) - mw * (chance i l y * h y) - mh * (chance i l y * w y) + mh * mw * chance i l y.
  by ring.
rewrite (eq_bigr _ (fun y _ => e y)) big_split /= sumrB sumrB -!mulr_sumr chances_add_up -/mh -/mw.
by rewrite mulr1 [mh * mw]mulrC subrK.
Qed.

(* Rows of one kind u, and columns of one kind v, are taken once: the printed sum over corners is that over all cells. *)
Lemma printed_total (r' k' : nat) (u : 'I_r -> 'I_r') (v : 'I_k -> 'I_k') (F : 'I_r' -> 'I_k' -> R) :
  py_total_of_corners (fun i => #|[pred x | u x == i]|%:R) (fun l => #|[pred x | v x == l]|%:R) F
  = \sum_i \sum_l F (u i) (v l).
Proof.
rewrite /py_total_of_corners [RHS](partition_big u predT) //=; apply: eq_bigr => i _.
rewrite [RHS](eq_bigr (fun=> \sum_l F i (v l))); last by move=> x /eqP ->.
rewrite sumr_const -[RHS]mulr_natl; congr (_ * _); rewrite [RHS](partition_big v predT) //=; apply: eq_bigr => l _.
by rewrite [RHS](eq_bigr (fun=> F i l)) => [|x /eqP -> //]; rewrite sumr_const -[RHS]mulr_natl.
Qed.

(* For any functions c and d of the cells and all margins: given the chances of each count, and what row and column
   expect at it but for a constant, the printed sum over corners of the printed covariances is the covariance of the
   sums over all cells. *)
Theorem printed_covariance_is_that_of_cell_sums (c d : 'I_r -> 'I_k -> nat -> R) (r' k' : nat)
    (u : 'I_r -> 'I_r') (v : 'I_k -> 'I_k') (p : 'I_r' -> 'I_k' -> 'I_n.+1 -> R)
    (row column : 'I_r' -> 'I_k' -> nat -> R) (x y : 'I_r -> 'I_k -> R) :
  (forall i l, p (u i) (v l) =1 chance i l) ->
  (forall i l s, row (u i) (v l) (cell i l s) = given (cell i l) (row_sum f g c i) s + x i l) ->
  (forall i l s, column (u i) (v l) (cell i l s) = given (cell i l) (column_sum f g d l) s + y i l) ->
  py_total_of_corners (fun i => #|[pred z | u z == i]|%:R) (fun l => #|[pred z | v z == l]|%:R)
    (fun i l => py_covariance_of (p i l) (fun z => row i l z) (fun z => column i l z))
  = covariance (cell_sum f g c) (cell_sum f g d).
Proof.
move=> hp hrow hcolumn; rewrite printed_total covariance_of_cell_sums_is_by_corners.
apply: eq_bigr => i _; apply: eq_bigr => l _.
rewrite -(covariance_shift _ _ (x i l) (y i l)) -(covariance_ext (hrow i l) (hcolumn i l)) -printed_corner.
rewrite /py_covariance_of; have e (h : nat -> R) : \sum_(z < n.+1) p (u i) (v l) z * h z = \sum_(z < n.+1) chance i l z * h z.
  by apply: eq_bigr => z _; rewrite hp.
by rewrite !e; apply: eq_bigr => z _; rewrite hp.
Qed.

(* A sum whose terms of a row or a column are equal but for what their counts are multiplied by differs by a constant:
   what slopes have in common in a row or a column may be taken away. *)
Theorem common_slopes_change_no_covariance (c d : 'I_r -> 'I_k -> nat -> R) (a a' : 'I_r -> R) (b b' : 'I_k -> R) :
  covariance (cell_sum f g (fun i l z => c i l z - (a i + b l) * z%:R))
    (cell_sum f g (fun i l z => d i l z - (a' i + b' l) * z%:R))
  = covariance (cell_sum f g c) (cell_sum f g d).
Proof.
have row_total i s : \sum_l (cell i l s)%:R = #|[pred t | f t == i]|%:R :> R.
  rewrite -natr_sum; congr _%:R; rewrite -[RHS]sum1_card [RHS](partition_big (fun t => g (s t)) predT) //=.
  by apply: eq_bigr => l _; rewrite -[LHS]sum1_card; apply: eq_bigl => t; rewrite !inE.
have column_total l s : \sum_i (cell i l s)%:R = #|[pred t | g t == l]|%:R :> R.
  rewrite -natr_sum; congr _%:R; rewrite -(card_labelled g l s) -[RHS]sum1_card [RHS](partition_big f predT) //=.
  by apply: eq_bigr => i _; rewrite -[LHS]sum1_card; apply: eq_bigl => t; rewrite !inE andbC.
have shifted (e : 'I_r -> 'I_k -> nat -> R) (w : 'I_r -> R) (z : 'I_k -> R) s :
    cell_sum f g (fun i l t => e i l t - (w i + z l) * t%:R) s
    = cell_sum f g e s + - (\sum_i w i * #|[pred t | f t == i]|%:R + \sum_l z l * #|[pred t | g t == l]|%:R).
  rewrite /cell_sum; under eq_bigr do rewrite sumrB.
  rewrite sumrB; congr (_ - _).
  under eq_bigr do under eq_bigr do rewrite mulrDl.
  under eq_bigr do rewrite big_split /= -mulr_sumr row_total.
  rewrite big_split /=; congr (_ + _); rewrite exchange_big; apply: eq_bigr => l _.
  by rewrite -mulr_sumr column_total.
rewrite (covariance_ext (shifted c a b) (shifted d a' b')); exact: covariance_shift.
Qed.
End Code.

Lemma mean_draw (A B b : nat) :
  ((A + B) * (\sum_(x < b.+1) x * ('C(A, x) * 'C(B, b - x))) = A * b * 'C(A + B, b))%N.
Proof.
case: b => [|b]; first by rewrite big_ord_recl big_ord0 muln0 mul0n muln0.
case: A => [|A]; first by rewrite big1 ?muln0 ?mul0n // => -[[|x] hx] _ //=; rewrite bin0n mul0n muln0.
rewrite big_ord_recl mul0n add0n.
rewrite (eq_bigr (fun x : 'I_b.+1 => (A.+1 * ('C(A, x) * 'C(B, b - x)))%N)); last first.
  by move=> x _; rewrite subSS !mulnA -mul_bin_diag.
rewrite -big_distrr /= Vandermonde mulnCA -mulnA; congr (_ * _)%N.
by rewrite addSn mul_bin_diag.
Qed.

Section Given.
Variables (R : realFieldType) (n r k : nat) (f : 'I_n -> 'I_r) (g : 'I_n -> 'I_k) (i : 'I_r) (l : 'I_k).
Local Notation cell := (cell f g).
Definition row_size : nat := #|[set u | f u == i]|.
Definition label_size (m : 'I_k) : nat := #|[pred v | g v == m]|.
Definition room : nat := n - label_size l.

(* The chance that x of b_j objects are drawn when a_i - y are drawn of the n - b_l that do not have label l. *)
Definition draw_chance (j : 'I_k) (y x : nat) : R :=
  ('C(row_size - y, x) * 'C(room - (row_size - y), label_size j - x))%:R / 'C(room, label_size j)%:R.

Lemma cell_le_label m s : (cell i m s <= label_size m)%N.
Proof.
rewrite cell_labelled /label_size -(card_labelled g m s); apply: subset_leq_card; apply/subsetP => u.
by rewrite !inE => /andP[].
Qed.

Lemma cell_le_row m s : (cell i m s <= row_size)%N.
Proof. by rewrite /row_size cell_labelled; apply: subset_leq_card; apply/subsetP => u; rewrite !inE => /andP[]. Qed.

Lemma rest_fits s : (row_size - cell i l s <= room)%N.
Proof.
have -> : room = #|~: labelled g l s| by rewrite cardsCs setCK card_ord card_labelled.
have -> : (row_size - cell i l s)%N = #|[set u | f u == i] :\: labelled g l s|.
  by rewrite cardsD /row_size cell_labelled; congr (_ - _)%N; apply: eq_card => u; rewrite !inE.
by apply: subset_leq_card; apply/subsetP => u; rewrite !inE => /andP[].
Qed.

Lemma label_fits j : l != j -> (label_size j <= room)%N.
Proof.
move=> lj; rewrite /room leq_subRL; last by rewrite -[n in (_ <= n)%N]card_ord; exact: max_card.
rewrite /label_size -cardUI -[X in (_ <= X)%N]card_ord.
rewrite (_ : #|[predI _ & _]| = 0%N) ?addn0 ?max_card //; apply: eq_card0 => v; rewrite !inE.
by apply/negP => /andP[/eqP -> /eqP e]; move: lj; rewrite e eqxx.
Qed.

Theorem cell_expects_given_corner (j : 'I_k) (h : nat -> R) s : l != j ->
  given (cell i l) (fun t => h (cell i j t)) s = \sum_(x < (label_size j).+1) draw_chance j (cell i l s) x * h x.
Proof.
move=> lj; set y := cell i l s.
have small t : (cell i j t < (label_size j).+1)%N by rewrite ltnS cell_le_label.
have fits : 'C(room, label_size j)%:R != 0 :> R by rewrite pnatr_eq0 -lt0n bin_gt0 label_fits.
rewrite /given (partition_big (fun t => Ordinal (small t)) predT) //= mulr_suml; apply: eq_bigr => x _.
rewrite (eq_bigr (fun=> h x)); last by move=> t /andP[_ /eqP <-].
rewrite sumr_const -[X in X / _]mulr_natl mulrAC; congr (_ * _).
have xj : (x <= label_size j)%N by rewrite -ltnS.
have := cell_is_hypergeometric_given_corner f i lj y xj.
rewrite -/(label_size l) -/(label_size j) -/room -/row_size => e.
have e2 := congr1 (fun m => m%:R : R) e; rewrite !natrM in e2.
rewrite /draw_chance natrM; apply: (mulIf fits); rewrite mulrAC mulfVK //.
have -> : fibre R (cell i l) s = #|[pred t | cell i l t == y]|%:R by [].
have fn : #|[pred t | cell i l t == y]|%:R != 0 :> R by exact: (fibre_neq0 R (cell i l) s).
apply: (mulIf fn); rewrite mulfVK // [RHS]mulrC -e2; congr (_%:R * _); by apply: eq_card => t; rewrite !inE.
Qed.

Lemma cell_expected_count j s : l != j ->
  \sum_(x < (label_size j).+1) draw_chance j (cell i l s) x * x%:R
  = (row_size%:R - (cell i l s)%:R) * ((label_size j)%:R / room%:R) :> R.
Proof.
move=> lj; have fits := label_fits lj; have rest := rest_fits s; set A := (row_size - cell i l s)%N.
have -> : row_size%:R - (cell i l s)%:R = A%:R :> R by rewrite /A natrB // cell_le_row.
have c0 : 'C(room, label_size j)%:R != 0 :> R by rewrite pnatr_eq0 -lt0n bin_gt0.
have [r0|r0] := eqVneq room 0%N.
  move: fits; rewrite r0 leqn0 => /eqP b0; rewrite b0 big_ord_recl big_ord0 mulr0 addr0; by rewrite mul0r mulr0.
have rn0 : room%:R != 0 :> R by rewrite pnatr_eq0.
have := mean_draw A (room - A) (label_size j); rewrite subnKC // => e.
have e2 := congr1 (fun m => m%:R : R) e; rewrite !natrM natr_sum in e2.
rewrite (eq_bigr (fun x : 'I_(label_size j).+1 =>
  (x * ('C(A, x) * 'C(room - A, label_size j - x)))%N%:R / 'C(room, label_size j)%:R)); last first.
  by move=> x _; rewrite /draw_chance -/A mulrAC -natrM mulnC.
rewrite -mulr_suml; apply: (mulIf c0); rewrite mulfVK //; apply: (mulfI rn0); rewrite e2.
have rq : room%:R / room%:R = 1 :> R by exact: mulfV.
rewrite -[LHS]mul1r -[X in X * _ = _]rq.
by move: (A%:R : R) (room%:R : R) ((label_size j)%:R : R) ('C(_, _)%:R : R) => u v w z; ring.
Qed.

(* Of functions level + slope (x - centre) + rest(x), what a row expects given the count y of a corner grows with y by
   the printed slope, beside the rests of the corner and those that the other cells expect. *)
Theorem printed_slope_given_corner (level slope centre : 'I_k -> R) (rest : 'I_k -> nat -> R)
    (c := fun (_ : 'I_r) j (x : nat) => level j + slope j * (x%:R - centre j) + rest j x) s :
  given (cell i l) (row_sum f g c i) s
  = (((cell i l s)%:R - centre l)
       * py_slope_given (slope l) (fun j => (j != l)%:R) slope (fun j => (label_size j)%:R) room%:R
     + rest l (cell i l s)
     + \sum_(j | j != l) \sum_(x < (label_size j).+1) draw_chance j (cell i l s) x * rest j x)
    + (\sum_j level j
       + \sum_(j | j != l) slope j * ((row_size%:R - centre l) * ((label_size j)%:R / room%:R) - centre j)) :> R.
Proof.
set y := cell i l s.
have corner : given (cell i l) (fun t => c i l (cell i l t)) s = c i l y.
  rewrite /given (eq_bigr (fun=> c i l y)); last by move=> t /eqP ->.
  rewrite sumr_const -[X in X / _]mulr_natl -/(fibre R (cell i l) s) mulrC mulKf //; exact: fibre_neq0.
have others j : j != l -> given (cell i l) (fun t => c i j (cell i j t)) s
    = level j + slope j * ((row_size%:R - y%:R) * ((label_size j)%:R / room%:R) - centre j)
      + \sum_(x < (label_size j).+1) draw_chance j y x * rest j x.
  move=> jl; have lj : l != j by rewrite eq_sym.
  rewrite (cell_expects_given_corner (c i j) s lj) -/y.
  have one : \sum_(x < (label_size j).+1) draw_chance j y x = 1.
    have := cell_expects_given_corner (fun=> 1) s lj; rewrite -/y => e.
    rewrite (eq_bigr (fun x : 'I_(label_size j).+1 => draw_chance j y x * 1)); last by move=> x _; rewrite mulr1.
    rewrite -e /given sumr_const; apply: mulfV; exact: fibre_neq0.
  have e (x : 'I_(label_size j).+1) : draw_chance j y x * c i j x = level j * draw_chance j y x
      + slope j * (draw_chance j y x * x%:R) - slope j * centre j * draw_chance j y x + draw_chance j y x * rest j x.
    by rewrite /c; move: (draw_chance j y x) (x%:R : R) (rest j x) => p z w; ring.
  rewrite (eq_bigr _ (fun x _ => e x)) !big_split /= sumrN -!mulr_sumr one !mulr1 (cell_expected_count s lj) -/y.
  by rewrite mulrBr addrA.
have split_row : given (cell i l) (row_sum f g c i) s
    = c i l y + \sum_(j | j != l) given (cell i l) (fun t => c i j (cell i j t)) s.
  have all_of : given (cell i l) (row_sum f g c i) s = \sum_j given (cell i l) (fun t => c i j (cell i j t)) s.
    by rewrite /given -mulr_suml exchange_big.
  by rewrite all_of (bigD1 l) //= corner.
have slopes : \sum_(j < k) (j != l)%:R * slope j * ((label_size j)%:R / room%:R)
    = \sum_(j | j != l) slope j * ((label_size j)%:R / room%:R).
  by rewrite [RHS]big_mkcond; apply: eq_bigr => j _; case: (j != l); rewrite ?mul1r ?mul0r.
have levels : \sum_j level j = level l + \sum_(j | j != l) level j by rewrite (bigD1 l).
rewrite split_row (eq_bigr _ (fun j => @others j)) !big_split /= /py_slope_given slopes levels.
have -> : \sum_(j | j != l) slope j * ((row_size%:R - y%:R) * ((label_size j)%:R / room%:R) - centre j)
    = \sum_(j | j != l) slope j * ((row_size%:R - centre l) * ((label_size j)%:R / room%:R) - centre j)
      - (y%:R - centre l) * \sum_(j | j != l) slope j * ((label_size j)%:R / room%:R).
  by rewrite mulr_sumr -sumrB; apply: eq_bigr => j _; ring.
rewrite /c; set t := \sum_(j | _) slope j * (_ / _); set v := \sum_(j | _) level j.
set w := \sum_(j | _) slope j * (_ - _); set z := \sum_(j | _) \sum_(x < _) _.
by move: t v w z (y%:R : R) (rest l y) => t v w z x q; ring.
Qed.
End Given.
