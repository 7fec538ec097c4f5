(* Where criteria agree, where they part, and what noise keeps: small tables worked out, and corollaries. *)
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint zmodp.
From mathcomp Require Import ring.
From splitcrit Require Import defs risk core vertex generated tie vertices superclasses.
From splitcrit Require Import refinement strict.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Agreement.
Variable R : realFieldType.

(* AND of two bits, with n examples in each negative cell and m in the positive one: both splits of the root *)
Definition root_of_and (n m : R) : 'I_2 -> 'I_2 -> R :=
  fun i k => if i == 0 then (if k == 0 then 2%:R * n else 0) else (if k == 0 then n else m).

(* A tree that is grown by misclassification stops at the root of AND, where the Gini gain is positive. *)
Theorem py_misclassification_stops_at_root_of_and (n m : R) : 0 < m -> m <= n ->
  py_decrease_misclassification (root_of_and n m) = 0 /\
  py_decrease_gini (root_of_and n m) = 4%:R * n * m ^+ 2 / ((3%:R * n + m) ^+ 2 * (n + m)).
Proof.
move=> m0 mn; have n0 : 0 < n by exact: lt_le_trans mn.
split.
  apply/py_misclassification_gain_is_zero_of_shared_majority.
    move=> i k; rewrite /root_of_and; case: ifP => _; case: ifP => _ //; rewrite ?ltW //.
    by rewrite mulr_gt0 // ltr0n.
  exists 0 => i j; rewrite /root_of_and; case: (i == 0); case: (ord2 j) => -> //=.
  exact: mulr_ge0 (ler0n _ 2) (ltW n0).
have s0 : defs.size (root_of_and n m 0) = 2%:R * n by rewrite /defs.size sum2 /root_of_and /= addr0.
have s1 : defs.size (root_of_and n m 1) = n + m by rewrite /defs.size sum2 /root_of_and /=.
have nm : 0 < n + m by exact: addr_gt0.
have all0 : 0 < 2%:R * n + (n + m) by rewrite addr_gt0 // mulr_gt0 // ltr0n.
rewrite py_decrease_giniE gini_gain_by_determinant ?s0 ?s1 ?gt_eqF // ?mulr_gt0 ?ltr0n //.
rewrite /root_of_and /=; have e : 3%:R * n + m = 2%:R * n + (n + m) by ring.
rewrite e; move: all0 nm n0; rewrite -e => q nm n0; field.
by rewrite !gt_eqF // -e.
Qed.

(* an instance: one example in each cell *)
Example and_instance : 0 < 1 :> R /\ 1 <= 1 :> R.
Proof. by rewrite ltr01 lexx. Qed.

(* Symmetric noise of a rate other than (K - 1) / K neither makes nor removes a positive Gini gain in the expected
   table: what has no gain before noise has none after it, and conversely. *)
Theorem py_zero_gini_gain_is_kept_of_symmetric r K eta (t : 'I_r -> 'I_K -> R) : (1 < K)%N ->
  eta != (K%:R - 1) / K%:R ->
  py_decrease_gini (expected (py_symmetric eta) t) = 0 <-> py_decrease_gini t = 0.
Proof.
move=> K1 ne; rewrite py_gini_gain_rescales_of_symmetric //; split=> [/eqP|->]; last by rewrite mulr0.
have k0 : K%:R != 0 :> R by rewrite pnatr_eq0; case: K K1 {t ne}.
have k1 : K%:R - 1 != 0 :> R by rewrite subr_eq0 pnatr_eq1; case: K K1 {t ne k0} => [|[|]].
rewrite mulf_eq0 expf_eq0 /= => /orP[|/eqP //]; rewrite subr_eq0 => /eqP e; case/eqP: ne.
have := congr1 (fun x => x * (K%:R - 1)) e; rewrite mul1r divfK // => ->.
by rewrite mulrAC mulfV // mul1r.
Qed.

(* an instance: two classes, no noise *)
Example rate_instance : (1 < 2)%N /\ 0 != (2%:R - 1) / 2%:R :> R.
Proof. by split=> //; rewrite eq_sym mulf_neq0 ?invr_eq0 ?pnatr_eq0 // subr_eq0 pnatr_eq1. Qed.

(* Isolating a more frequent class leaves sides of more equal size, by their product. *)
Lemma isolated_product K (c : 'I_K -> R) i k : nonneg c -> c k <= c i ->
  c k * (defs.size c - c k) <= c i * (defs.size c - c i).
Proof.
move=> c0 le; have [->|ne] := eqVneq k i; first exact: lexx.
rewrite -subr_ge0 (_ : _ - _ = (c i - c k) * (defs.size c - c i - c k)); last by move: (defs.size c) => n; ring.
apply: mulr_ge0; first by rewrite subr_ge0.
rewrite /defs.size (bigD1 i) //= (bigD1 k) ?(eq_sym i) //=; set s := \sum_(j | _) _.
by rewrite (_ : _ - _ = s); [apply: sumr_ge0 => j _; exact: c0|move: s => s; ring].
Qed.
Lemma three_sum (f : 'I_3 -> R) : exists a b d : 'I_3, \sum_k f k = f a + f b + f d /\
  forall g : 'I_3 -> R, \sum_k g k = g a + g b + g d.
Proof.
exists ord0, (lift ord0 ord0), (lift ord0 (lift ord0 ord0)).
by split=> [|g]; rewrite !big_ord_recl big_ord0 addr0 addrA.
Qed.
Lemma product_of_three (c : 'I_3 -> R) i v : nonneg c -> (forall k, c k <= c i) ->
  group_size c v * group_size c (fun k => ~~ v k)
  <= group_size c (fun k => k == i) * group_size c (fun k => ~~ (k == i)).
Proof.
move=> c0 ci; have one : group_size c (fun k => k == i) = c i by rewrite /group_size big_pred1_eq.
have rest : group_size c (fun k => ~~ (k == i)) = defs.size c - c i.
  by rewrite (group_split c (fun k => k == i)) one addrC addKr.
rewrite one rest; have [a [b [d [sE eq3]]]] := three_sum c.
have gE u : group_size c u = (if u a then c a else 0) + (if u b then c b else 0) + (if u d then c d else 0).
  by rewrite /group_size big_mkcond eq3.
have pos : 0 <= c i * (defs.size c - c i).
  by rewrite mulr_ge0 // subr_ge0 /defs.size (bigD1 i) //= ler_addl; apply: sumr_ge0 => j _; exact: c0.
have pa := isolated_product c0 (ci a); have pb := isolated_product c0 (ci b); have pd := isolated_product c0 (ci d).
rewrite !gE; have nE : defs.size c = c a + c b + c d := sE.
rewrite nE in pa pb pd pos *; move: (c i * _) pa pb pd pos => x pa pb pd pos.
case: (v a); case: (v b); case: (v d); rewrite /= ?addr0 ?add0r ?mulr0 ?mul0r //.
- by apply: le_trans pd; rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
- by apply: le_trans pb; rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
- by apply: le_trans pa; rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
- by apply: le_trans pa; rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
- by apply: le_trans pb; rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
by apply: le_trans pd; rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
Qed.

(* With three classes, or fewer, twoing agrees with Gini: no split has a larger score than the one that isolates a most
   frequent class. *)
Theorem py_twoing_isolates_most_frequent_of_three_classes (c al : 'I_3 -> R) i : nonneg c ->
  (forall k, c k <= c i) -> cube al ->
  py_twoing (split c al) <= py_twoing (split c (undivided (fun k => k == i))).
Proof.
move=> c0 ci cal; have [v best] := py_twoing_best_split_divides_no_class c0.
apply: le_trans (best al cal) _; rewrite !py_twoing_of_undivided_classes //.
by apply: ler_wpmul2r; [rewrite invr_ge0 sqr_ge0|exact: product_of_three].
Qed.

(* With three classes, or fewer, entropy agrees with Gini, with any logarithm that has the rule of products and a convex
   x log x. *)
Theorem py_entropy_isolates_most_frequent_of_three_classes log (c al : 'I_3 -> R) i :
  (forall x y, 0 < x -> 0 < y -> log (x * y) = log x + log y) -> xlogx_convex log -> nonneg c -> 0 < defs.size c ->
  (forall k, c k <= c i) -> cube al ->
  py_decrease_entropy log (split c al) <= py_decrease_entropy log (split c (undivided (fun k => k == i))).
Proof.
move=> logM conv c0 n0 ci cal; have [v best] := py_entropy_best_split_divides_no_class conv c0.
apply: le_trans (best al cal) _; apply: py_entropy_prefers_sides_of_equal_size => //.
rewrite -(@ler_pexpn2r _ 2) ?nnegrE // !sqr_norm.
have sq u : (group_size c u - group_size c (fun k => ~~ u k)) ^+ 2
    = defs.size c ^+ 2 - 4%:R * (group_size c u * group_size c (fun k => ~~ u k)).
  by rewrite (group_split c u); ring.
by rewrite !sq ler_add2l ler_opp2 ler_pmul2l ?ltr0n //; exact: product_of_three.
Qed.

(* an instance: three classes of one sample each, half of each sent left, and the logarithm 0 *)
Example three_instance (log := fun _ : R => 0 : R) (c := fun _ : 'I_3 => 1 : R) :
  [/\ forall x y, 0 < x -> 0 < y -> log (x * y) = log x + log y, xlogx_convex log, 0 < defs.size c,
      nonneg c /\ (forall k, c k <= c ord0) & cube (fun _ : 'I_3 => 2%:R^-1 : R)].
Proof.
have [logM conv c0 n0] := undivided_instance R.
have half : 0 <= 2%:R^-1 :> R by rewrite invr_ge0 ler0n.
have half' : 2%:R^-1 <= 1 :> R by rewrite invf_le1 ?ltr0n // ler1n.
split; first exact: logM.
- exact: conv.
- exact: n0.
- split; [exact: c0|move=> k; exact: lexx].
by move=> k; rewrite half half'.
Qed.

(* class counts 2, 2, 1, 1; the first class alone, and the first and the third together *)
Definition six : 'I_4 -> R := fun k => if (k < 2)%N then 2%:R else 1.
Definition first_alone (k : 'I_4) := k == 0%N :> nat.
Definition first_and_third (k : 'I_4) := (k == 0%N :> nat) || (k == 2%N :> nat).

(* With four classes the criteria can part: at counts 2, 2, 1, 1 Gini gains more by isolating the first class than by
   halving the node into 2, 1 and 2, 1, and twoing scores the halves more. *)
Theorem py_gini_and_py_twoing_part_at_six_examples :
  py_decrease_gini (split six (undivided first_and_third)) < py_decrease_gini (split six (undivided first_alone)) /\
  py_twoing (split six (undivided first_alone)) < py_twoing (split six (undivided first_and_third)).
Proof.
have c0 : nonneg six by move=> k; rewrite /six; case: ifP => _; rewrite ?ler01 ?ler0n.
have gE u : group_size six u = \sum_(k < 4) (if u k then six k else 0) by rewrite /group_size big_mkcond.
have qE u : group_squares six u = \sum_(k < 4) (if u k then six k ^+ 2 else 0) by rewrite /group_squares big_mkcond.
have val : [/\ group_size six first_alone = 2%:R, group_size six (fun k => ~~ first_alone k) = 4%:R,
    group_size six first_and_third = 3%:R & group_size six (fun k => ~~ first_and_third k) = 3%:R].
  by rewrite !gE !big_ord_recl !big_ord0 /six /first_alone /first_and_third /=; split; ring.
have sqr : [/\ group_squares six first_alone = 4%:R, group_squares six (fun k => ~~ first_alone k) = 6%:R,
    group_squares six first_and_third = 5%:R & group_squares six (fun k => ~~ first_and_third k) = 5%:R].
  by rewrite !qE !big_ord_recl !big_ord0 /six /first_alone /first_and_third /=; split; ring.
case: val => s1 s2 s3 s4; case: sqr => q1 q2 q3 q4.
have nE : defs.size six = 6%:R by rewrite (group_split six first_alone) s1 s2 -natrD.
split.
  rewrite !py_decrease_giniE !decreaseE !split_whole !split_gini // nE s1 s2 s3 s4 q1 q2 q3 q4 pnatr_eq0 /=.
  rewrite !(weighted_ext (@gini_ext R 4) (split_node six _)) ltr_pmul2r ?invr_gt0 ?ltr0n //.
  rewrite ltr_add2l ltr_opp2 ltr_add2l ltr_opp2 -subr_gt0.
  by rewrite [X in 0 < X](_ : _ = 6%:R^-1) ?invr_gt0 ?ltr0n //; field.
rewrite !py_twoing_of_undivided_classes // s1 s2 s3 s4 nE ltr_pmul2r ?invr_gt0 ?exprn_gt0 ?ltr0n //.
by rewrite -!natrM ltr_nat.
Qed.
End Agreement.
