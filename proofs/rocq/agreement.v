(* Where criteria agree, where they part, and what noise keeps: small tables worked out, and corollaries. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs risk noise core vertex generated tie gains vertices breiman superclasses conservative.
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

(* The pairwise gain of a split is at most N_pos N_neg / 2, and just that exactly if no row holds both classes. *)
Theorem py_pairwise_gain_is_largest_at_separation (t : 'I_2 -> 'I_2 -> R) : counts t ->
  py_pairwise_gain t <= node t 0 * node t 1 / 2%:R /\
  (py_pairwise_gain t = node t 0 * node t 1 / 2%:R <-> forall i, t i 0 * t i 1 = 0).
Proof.
move=> t0; rewrite /py_pairwise_gain /node !sum2.
have a0 := t0 0 0; have b0 := t0 0 1; have c0 := t0 1 0; have d0 := t0 1 1.
have each : (forall i, t i 0 * t i 1 = 0) <-> t 0 0 * t 0 1 + t 1 0 * t 1 1 = 0.
  split=> [h|/eqP]; first by rewrite !h addr0.
  by rewrite paddr_eq0 ?mulr_ge0 // => /andP[/eqP x /eqP y] i; case: (ord2 i) => ->.
rewrite each; move: (t 0 0) (t 0 1) (t 1 0) (t 1 1) a0 b0 c0 d0 => a b c d a0 b0 c0 d0.
have ad := mulr_ge0 a0 d0; have bc := mulr_ge0 b0 c0; have ab := mulr_ge0 a0 b0; have cd := mulr_ge0 c0 d0.
have e : (a + c) * (b + d) = a * d + b * c + (a * b + c * d) by ring.
have le : `|a * d - b * c| <= a * d + b * c by apply: le_trans (ler_norm_sub _ _) _; rewrite !ger0_norm.
have h0 : 2%:R != 0 :> R by rewrite pnatr_eq0.
split; first by rewrite ler_pmul2r ?invr_gt0 ?ltr0n // e; apply: le_trans le _; rewrite ler_addl addr_ge0.
split=> [/(mulIf (invr_neq0 h0)) eq|z].
  by apply/eqP; rewrite eq_le addr_ge0 // andbT -(ler_add2l (a * d + b * c)) addr0 -e -eq.
congr (_ / _); rewrite e z addr0; move/eqP: z; rewrite paddr_eq0 // => /andP[ab0 _].
move: ab0; rewrite mulf_eq0 => /orP[/eqP ->|/eqP ->]; rewrite !mul0r.
  by rewrite sub0r normrN add0r ger0_norm.
by rewrite subr0 addr0 ger0_norm.
Qed.
End Agreement.
