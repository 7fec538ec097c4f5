(* The ordering shortcut for two classes: of all groupings of the categories of a feature into two, some best one is
   a cut of their order by the share of one class. *)
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint zmodp.
From mathcomp Require Import ring.
From splitcrit Require Import defs risk vertex generated tie vertices.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Order.
Variables (R : realFieldType) (n : nat).
Implicit Types (c : 'I_n -> 'I_2 -> R) (al : 'I_n -> R).

(* what goes left if the share al j of category j does *)
Definition sent c al : 'I_2 -> R := fun k => \sum_j al j * c j k.
(* the table of two rows, left and right, if the share al j of category j goes left; c j are the class counts of
   category j *)
Definition grouped c al : 'I_2 -> 'I_2 -> R :=
  fun i k => if i == 0 then \sum_j al j * c j k else \sum_j (1 - al j) * c j k.
(* the first m categories go left *)
Definition cut (m : nat) : 'I_n -> R := fun j => (j < m)%:R.
(* the categories are listed in the order of their shares of the second class *)
Definition in_order_of_share c := forall i j : 'I_n, (i <= j)%N -> c i 1 * defs.size (c j) <= c j 1 * defs.size (c i).

Lemma two (i : 'I_2) : i = 0 \/ i = 1.
Proof. by case: i => [[|[|//]] h]; [left|right]; apply: val_inj. Qed.
Lemma sent_size c al : defs.size (sent c al) = \sum_j al j * defs.size (c j).
Proof. by rewrite /defs.size /sent exchange_big; apply: eq_bigr => j _; rewrite mulr_sumr. Qed.
Lemma sent_rest c al k : sent c (fun j => 1 - al j) k = sent c (fun=> 1) k - sent c al k.
Proof. by rewrite /sent -sumrB; apply: eq_bigr => j _; rewrite mulrBl. Qed.
Lemma sent_mixed c a al be k : sent c (mixed a al be) k = a * sent c al k + (1 - a) * sent c be k.
Proof. by rewrite /sent !mulr_sumr -big_split; apply: eq_bigr => j _; rewrite /mixed /=; ring. Qed.
Lemma cube_rest al : cube al -> cube (fun j => 1 - al j).
Proof.
by move=> h j; have /andP[a0 a1] := h j; rewrite subr_ge0 a1 ler_subl_addr ler_addl a0.
Qed.
Lemma cut_cube m : cube (cut m).
Proof. by move=> j; rewrite /cut; case: (_ < _)%N; rewrite ?ler01 ?lexx. Qed.
Lemma same_totals (x y : 'I_2 -> R) : defs.size x = defs.size y -> x 1 = y 1 -> x =1 y.
Proof.
by rewrite /defs.size !sum2 => e e1 k; case: (two k) => ->//; apply: (addIr (x 1)); rewrite e e1.
Qed.

(* filling up in order: the same number of samples with the least of class 1, a part of one category at most *)
Lemma filled c al : (forall j, nonneg (c j)) -> in_order_of_share c -> cube al -> exists m a,
  [/\ 0 <= a <= 1, defs.size (sent c (mixed a (cut m.+1) (cut m))) = defs.size (sent c al) &
      sent c (mixed a (cut m.+1) (cut m)) 1 <= sent c al 1].
Proof.
move=> c0 ord cal; set s := defs.size (sent c al).
have n0 j : 0 <= defs.size (c j) by apply: sumr_ge0 => k _; exact: c0.
pose p m := defs.size (sent c (cut m)).
have full m : (n <= m)%N -> cut m =1 fun=> 1.
  by move=> nm j; rewrite /cut (leq_trans (ltn_ord j) nm).
have all1 m k : (n <= m)%N -> sent c (cut m) k = \sum_j c j k.
  by move=> /full e; apply: eq_bigr => j _; rewrite e mul1r.
have [sp|ps] := ltP s (p n); last first.
  exists n, 1; rewrite lexx ler01.
  have e k : sent c (mixed 1 (cut n.+1) (cut n)) k = \sum_j c j k.
    by rewrite sent_mixed subrr mul0r addr0 mul1r all1.
  have z : \sum_j (1 - al j) * defs.size (c j) = 0.
    apply/eqP; rewrite eq_le sumr_ge0 => [|j _]; last by rewrite mulr_ge0 // subr_ge0; case/andP: (cal j).
    rewrite andbT (eq_bigr (fun j => defs.size (c j) - al j * defs.size (c j))) => [|j _]; last by ring.
    rewrite sumrB -sent_size subr_le0; apply: le_trans ps; rewrite le_eqVlt; apply/orP; left; apply/eqP.
    rewrite /p sent_size; apply: eq_bigr => j _; by rewrite full // mul1r.
  have same k : sent c (mixed 1 (cut n.+1) (cut n)) k = sent c al k.
    rewrite e /sent; apply: eq_bigr => j _; apply/eqP; rewrite -subr_eq0 -{1}[c j k]mul1r -mulrBl mulf_eq0.
    move/eqP: z; rewrite psumr_eq0 => [/allP /(_ j (mem_index_enum _)) /=|i _]; last first.
      by rewrite mulr_ge0 // subr_ge0; case/andP: (cal i).
    rewrite mulf_eq0 => /orP[->//|/eqP/(size0 (c0 j)) ->]; by rewrite eqxx orbT.
  by split=> //; [apply: size_ext; exact: same|rewrite same].
have ex : exists m, s < p m by exists n.
case: (ex_minnP ex) => [[|m]] pm least.
  move: pm; rewrite /p sent_size big1 => [|j _]; last by rewrite /cut mul0r.
  by rewrite ltNge /s sent_size sumr_ge0 // => j _; rewrite mulr_ge0 //; case/andP: (cal j).
have mn : (m < n)%N by exact: least.
have sm : p m <= s by rewrite leNgt; apply/negP => /least; rewrite ltnn.
pose o := Ordinal mn.
have cutS k : sent c (cut m.+1) k = sent c (cut m) k + c o k.
  rewrite /sent (bigD1 o) //= [in RHS](bigD1 o) //= /cut /= ltnSn ltnn mul1r mul0r add0r addrC; congr (_ + _).
  by apply: eq_bigr => j jo; rewrite ltnS leq_eqVlt (negPf (_ : (j : nat) != m)).
have pS : p m.+1 = p m + defs.size (c o) by rewrite /p -size_add; apply: size_ext => k; rewrite cutS.
have no : 0 < defs.size (c o) by rewrite -(ltr_add2l (p m)) addr0 -pS (le_lt_trans sm).
pose a := (s - p m) / defs.size (c o).
have a01 : 0 <= a <= 1.
  apply/andP; split; first by apply: divr_ge0; [rewrite subr_ge0|exact: ltW].
  by rewrite ler_pdivr_mulr // mul1r ler_subl_addl -pS ltW.
pose be := mixed a (cut m.+1) (cut m).
have same : defs.size (sent c be) = s.
  rewrite (size_ext (y := fun k => sent c (cut m) k + a * c o k)).
    by rewrite size_add size_scale -/(p m) /a divfK ?gt_eqF // addrC subrK.
  by move=> k; rewrite sent_mixed cutS; ring.
exists m, a; split=> //; rewrite -/be -subr_ge0 -(pmulr_rge0 _ no).
have -> : defs.size (c o) * (sent c al 1 - sent c be 1)
  = \sum_j (al j - be j) * (c j 1 * defs.size (c o) - c o 1 * defs.size (c j)).
  have z : c o 1 * (\sum_j (al j - be j) * defs.size (c j)) = 0.
    rewrite (eq_bigr (fun j => al j * defs.size (c j) - be j * defs.size (c j))) => [|j _]; last by ring.
    by rewrite sumrB -!sent_size same subrr mulr0.
  rewrite -[LHS]subr0 -[X in _ - X = _]z /sent -sumrB !mulr_sumr -sumrB. apply: eq_bigr => j _; ring.
apply: sumr_ge0 => j _; have /andP[j0 j1] := cal j; rewrite /be /mixed /cut.
case: (ltngtP j m) => jm.
- rewrite ltnS (ltnW jm) !mulr1 addrCA subrr addr0 mulr_le0 ?subr_le0 //; exact: (ord j o (ltnW jm)).
- rewrite ltnS leqNgt jm /= !mulr0 addr0 subr0 mulr_ge0 // subr_ge0; exact: (ord o j (ltnW jm)).
have -> : j = o by exact: val_inj.
by rewrite subrr mulr0.
Qed.

(* a score of the totals of the left side, symmetric in the sides and concave, is least at a cut *)
Lemma least_at_a_cut c (h : ('I_2 -> R) -> R) : (forall j, nonneg (c j)) -> in_order_of_share c -> extensional h ->
  (forall al, h (sent c (fun j => 1 - al j)) = h (sent c al)) ->
  (forall a al be, 0 <= a <= 1 -> cube al -> cube be ->
     a * h (sent c al) + (1 - a) * h (sent c be) <= h (mixed a (sent c al) (sent c be))) ->
  forall al, cube al -> exists m, h (sent c (cut m)) <= h (sent c al).
Proof.
move=> c0 ord ext sym conc al cal.
have either a be de : 0 <= a <= 1 -> cube be -> cube de ->
    h (sent c be) <= h (mixed a (sent c be) (sent c de)) \/ h (sent c de) <= h (mixed a (sent c be) (sent c de)).
  move=> a01 cb cd; have := conc a be de a01 cb cd; case/andP: a01 => a0 a1.
  have b0 : 0 <= 1 - a by rewrite subr_ge0.
  have [bd|/ltW db] := leP (h (sent c be)) (h (sent c de)) => le; [left|right]; apply: le_trans le.
    rewrite [X in X <= _](_ : _ = a * h (sent c be) + (1 - a) * h (sent c be)); last by ring.
    by rewrite ler_add2l ler_wpmul2l.
  rewrite [X in X <= _](_ : _ = a * h (sent c de) + (1 - a) * h (sent c de)); last by ring.
  by rewrite ler_add2r ler_wpmul2l.
have filling be m a : 0 <= a <= 1 -> h (sent c (mixed a (cut m.+1) (cut m))) <= h (sent c be) ->
    exists m, h (sent c (cut m)) <= h (sent c be).
  move=> a01 le; have e : sent c (mixed a (cut m.+1) (cut m)) =1 mixed a (sent c (cut m.+1)) (sent c (cut m)).
    by move=> k; rewrite sent_mixed.
  rewrite (ext _ _ e) in le.
  by have [l|l] := either a _ _ a01 (@cut_cube m.+1) (@cut_cube m); [exists m.+1|exists m]; apply: le_trans le.
have cal' := cube_rest cal.
have [m [a [a01 sz lo]]] := filled c0 ord cal.
have [m' [a' [a01' sz' hi]]] := filled c0 ord cal'.
set be := mixed a _ _ in sz lo; set de := mixed a' _ _ in sz' hi.
have cmix b x : 0 <= b <= 1 -> cube (mixed b (cut x.+1) (cut x)).
  move=> /andP[b0 b1] j; have /andP[u0 u1] := @cut_cube x.+1 j; have /andP[v0 v1] := @cut_cube x j.
  have b0' : 0 <= 1 - b by rewrite subr_ge0.
  rewrite /mixed addr_ge0 ?mulr_ge0 //= -[X in _ <= X](subrK b 1) addrC.
  by apply: ler_add; [rewrite -[X in _ <= X]mulr1|rewrite -[X in _ <= X]mulr1]; apply: ler_wpmul2l.
have cde := cube_rest (cmix _ m' a01'); have cbe := cmix _ m a01.
rewrite sent_rest ler_subr_addl -ler_subr_addr in hi.
have hi' : sent c al 1 <= sent c (fun j => 1 - de j) 1 by rewrite sent_rest.
have szr : defs.size (sent c (fun j => 1 - de j)) = defs.size (sent c al).
  have sub x : defs.size (sent c (fun j => 1 - x j)) = defs.size (sent c (fun=> 1)) - defs.size (sent c x).
    by rewrite /defs.size -sumrB; apply: eq_bigr => k _; rewrite sent_rest.
  by rewrite sub sz' sub opprB addrC subrK.
set ga := fun j => 1 - de j in hi' szr cde.
have hga : h (sent c ga) = h (sent c de) by exact: sym.
have [e|ne] := eqVneq (sent c be 1) (sent c ga 1).
  apply: (filling al m a a01); rewrite (ext _ (sent c al)) //; apply: same_totals => //.
  by apply/eqP; rewrite eq_le lo e hi'.
have gap : 0 < sent c ga 1 - sent c be 1 by rewrite subr_gt0 lt_neqAle ne (le_trans lo).
pose l := (sent c ga 1 - sent c al 1) / (sent c ga 1 - sent c be 1).
have l01 : 0 <= l <= 1.
  apply/andP; split; first by apply: divr_ge0; [rewrite subr_ge0|exact: ltW].
  by rewrite ler_pdivr_mulr // mul1r ler_add2l ler_opp2.
have e : mixed l (sent c be) (sent c ga) =1 sent c al.
  apply: same_totals; rewrite /mixed.
    by rewrite size_add !size_scale sz szr -mulrDl addrC subrK mul1r.
  by rewrite /l; move: (sent c ga 1) (sent c be 1) (sent c al 1) gap => x y z g; field; rewrite gt_eqF.
have := either l be ga l01 cbe cde; rewrite (ext _ _ e) => -[le|le]; first exact: (filling al m a).
by rewrite hga in le; exact: (filling al m' a').
Qed.

Lemma best_cut (F : ('I_n -> R) -> R) : (forall al be, al =1 be -> F al = F be) ->
  (forall al, cube al -> exists m, F al <= F (cut m)) -> exists m, forall al, cube al -> F al <= F (cut m).
Proof.
move=> ext h; have [m best] := best_of_finite (ord0 : 'I_n.+1) (fun m : 'I_n.+1 => F (cut m)).
exists m => al cal; have [w le] := h al cal; apply: le_trans le _.
have [wn|nw] := ltnP w n.+1; first exact: (best (Ordinal wn)).
apply: le_trans (best ord_max); rewrite le_eqVlt; apply/orP; left; apply/eqP/ext => j.
by rewrite /cut ltn_ord (leq_trans (ltn_ord j)) // ltnW.
Qed.

Section Concave.
Variable phi : ('I_2 -> R) -> R.
Hypotheses (phi_ext : extensional phi) (phi_concave : concave phi).

Lemma grouped_node c al : node (grouped c al) =1 sent c (fun=> 1).
Proof.
by move=> k; rewrite /node sum2 /grouped /sent /= -big_split; apply: eq_bigr => j _ /=; rewrite -mulrDl addrC subrK.
Qed.
Lemma sent_ge0 c al : (forall j, nonneg (c j)) -> cube al -> nonneg (sent c al).
Proof. by move=> c0 cal k; apply: sumr_ge0 => j _; rewrite mulr_ge0 //; [case/andP: (cal j)|exact: c0]. Qed.
Lemma grouped_counts c al : (forall j, nonneg (c j)) -> cube al -> counts (grouped c al).
Proof.
move=> c0 cal i k; rewrite /grouped; case: ifP => _; first exact: sent_ge0.
exact: (sent_ge0 c0 (cube_rest cal)).
Qed.

Lemma concave_cut c : (forall j, nonneg (c j)) -> in_order_of_share c ->
  exists m, forall al, cube al -> decrease phi (grouped c al) <= decrease phi (grouped c (cut m)).
Proof.
move=> c0 ord; pose tot := sent c (fun=> 1).
pose h x := weighted phi x + weighted phi (fun k => tot k - x k).
have wext := weighted_ext phi_ext.
have hext : extensional h.
  by move=> x y e; rewrite /h; congr (_ + _); apply: wext => // k; rewrite e.
have sumE al : \sum_i weighted phi (grouped c al i) = h (sent c al).
  rewrite sum2 /h; congr (_ + _); apply: wext => k; exact: (sent_rest c al k).
apply: (@best_cut (fun al => decrease phi (grouped c al))) => [al be e|al cal].
  by apply: decrease_ext => // i k; rewrite /grouped; case: ifP => _; apply: eq_bigr => j _; rewrite e.
have [] := @least_at_a_cut c h c0 ord hext _ _ al cal.
- move=> be; rewrite /h addrC; congr (_ + _); apply: wext => k; rewrite sent_rest -/tot ?subKr //.
- move=> a x y a01 cx cy; have /andP[a0 a1] := a01; have b0 : 0 <= 1 - a by rewrite subr_ge0.
  have scaled t z : weighted phi (fun k => t * z k) = t * weighted phi z := weighted_scale phi_ext t z.
  have side u v : nonneg u -> nonneg v -> a * weighted phi u + (1 - a) * weighted phi v
      <= weighted phi (fun k => a * u k + (1 - a) * v k).
    move=> u0 v0; rewrite -!scaled; apply: (weighted_superadditive phi_ext phi_concave) => k; exact: mulr_ge0.
  have rest z : cube z -> nonneg (fun k => tot k - sent c z k).
    by move=> cz k; rewrite -sent_rest; exact: (sent_ge0 c0 (cube_rest cz)).
  rewrite /h !mulrDr addrACA; apply: ler_add; first exact: side (sent_ge0 c0 cx) (sent_ge0 c0 cy).
  apply: le_trans (side _ _ (rest x cx) (rest y cy)) _; rewrite le_eqVlt; apply/orP; left; apply/eqP/wext => k.
  by rewrite /mixed; ring.
move=> m le; exists m; apply: decrease_le => //; first exact: grouped_counts.
  by move=> k; rewrite !grouped_node.
by rewrite !sumE.
Qed.
End Concave.

(* If the categories of a feature are listed in the order of their shares of the second of two classes, then there is a
   cut of that order such that sending the categories before it to the left, and the others to the right, decreases
   Gini's impurity at least as much as any grouping of the categories, be it one that divides categories. *)
Theorem py_gini_best_grouping_is_a_cut c : (forall j, nonneg (c j)) -> in_order_of_share c ->
  exists m, forall al, cube al -> py_decrease_gini (grouped c al) <= py_decrease_gini (grouped c (cut m)).
Proof. exact: concave_cut (@gini_ext R 2) (@gini_concave R 2) c. Qed.

(* The same for entropy, with any logarithm for which x log x is convex. *)
Theorem py_entropy_best_grouping_is_a_cut log c : xlogx_convex log -> (forall j, nonneg (c j)) ->
  in_order_of_share c ->
  exists m, forall al, cube al -> py_decrease_entropy log (grouped c al) <= py_decrease_entropy log (grouped c (cut m)).
Proof. by move=> conv; exact: concave_cut (@entropy_ext R log 2) (entropy_concave conv) c. Qed.

(* The same for misclassification. *)
Theorem py_misclassification_best_grouping_is_a_cut c : (forall j, nonneg (c j)) -> in_order_of_share c ->
  exists m, forall al, cube al ->
  py_decrease_misclassification (grouped c al) <= py_decrease_misclassification (grouped c (cut m)).
Proof. exact: concave_cut (@misclassification_ext R 1) (@misclassification_concave R 1) c. Qed.

(* The same for the sum over the classes of min(p, 1 - p). *)
Theorem py_bayes_sum_best_grouping_is_a_cut c : (forall j, nonneg (c j)) -> in_order_of_share c ->
  exists m, forall al, cube al -> py_decrease_bayes_sum (grouped c al) <= py_decrease_bayes_sum (grouped c (cut m)).
Proof. exact: concave_cut (@bayes_sum_ext R 2) (@bayes_sum_concave R 2) c. Qed.

(* The same for the pairwise gain. *)
Theorem py_pairwise_gain_best_grouping_is_a_cut c : (forall j, nonneg (c j)) -> in_order_of_share c ->
  exists m, forall al, cube al -> py_pairwise_gain (grouped c al) <= py_pairwise_gain (grouped c (cut m)).
Proof.
move=> c0 ord; pose tot := sent c (fun=> 1).
pose h (x : 'I_2 -> R) := - `|x 0 * tot 1 - x 1 * tot 0|.
have gainE al : py_pairwise_gain (grouped c al) = - h (sent c al) / 2%:R.
  rewrite /py_pairwise_gain /h opprK; congr (`|_| / _); rewrite /grouped /= -/(sent c al 0) -/(sent c al 1).
  by rewrite -!/(sent c (fun j => 1 - al j) _) !sent_rest -!/(tot _); ring.
apply: (@best_cut (fun al => py_pairwise_gain (grouped c al))) => [al be e|al cal].
  have e' k : sent c al k = sent c be k by apply: eq_bigr => j _; rewrite e.
  by rewrite !gainE /h !e'.
have [] := @least_at_a_cut c h c0 ord _ _ _ al cal.
- by move=> x y e; rewrite /h !e.
- by move=> be; rewrite /h !sent_rest -!/(tot _) -normrN; congr (- `|_|); ring.
- move=> a x y /andP[a0 a1] _ _; rewrite /h /mixed !mulrN -opprD ler_opp2.
  have b0 : 0 <= 1 - a by rewrite subr_ge0.
  set X := sent c x 0 * _ - _; set Y := sent c y 0 * _ - _.
  rewrite (_ : _ - _ = a * X + (1 - a) * Y); last by rewrite /X /Y; ring.
  by apply: le_trans (ler_norm_add _ _) _; rewrite !normrM (ger0_norm a0) (ger0_norm b0).
by move=> m le; exists m; rewrite !gainE; apply: ler_wpmul2r; rewrite ?invr_ge0 ?ler0n // ler_opp2.
Qed.

(* an instance: category j has n samples, j of them of the second class *)
Example in_order_instance : let c := fun (j : 'I_n) (k : 'I_2) => (if k == 0 then (n - j)%N else j)%:R : R in
  (forall j, nonneg (c j)) /\ in_order_of_share c.
Proof.
move=> c; split=> [j k|i j ij]; first exact: ler0n.
have e l : defs.size (c l) = n%:R by rewrite /defs.size sum2 /c /= -natrD subnK // ltnW.
by rewrite !e /c /= ler_wpmul2r ?ler0n // ler_nat.
Qed.
End Order.
