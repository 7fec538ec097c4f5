(* Blocks of places in an order of two classes: no place within one decreases a concave impurity more than the larger of
   two corners. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs risk vertex generated tie vertices.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Blocks.
Variable R : realFieldType.

(* the table of two rows with the counts x on the left, of a node with the counts c *)
Definition sides K (c x : 'I_K -> R) : 'I_2 -> 'I_K -> R := fun i k => if i == 0 then x k else c k - x k.
(* as many of the first class as in x, and of the second as in y *)
Definition corner (x y : 'I_2 -> R) : 'I_2 -> R := fun k => if k == 0 then x k else y k.
(* the counts x lie between low and high, and those between no counts and all of the node *)
Definition within (c low high x : 'I_2 -> R) := forall k, 0 <= low k /\ low k <= x k /\ x k <= high k /\ high k <= c k.

Section Concave.
Variables (K : nat) (phi : ('I_K -> R) -> R).
Hypotheses (phi_ext : extensional phi) (phi_concave : concave phi).

(* Between no counts, all of the node, and y, a decrease is at most the share of y in the mixture of that of y. *)
Lemma mixture_gains_at_most (c x y : 'I_K -> R) s t : (forall k, 0 <= y k <= c k) -> 0 <= s -> 0 <= t -> s + t <= 1 ->
  (forall k, x k = t * y k + s * c k) -> decrease phi (sides c x) <= decrease phi (sides c y).
Proof.
move=> yc s0 t0 st e; have y0 : nonneg y by move=> k; case/andP: (yc k).
have d0 : nonneg (fun k => c k - y k) by move=> k; rewrite subr_ge0; case/andP: (yc k).
have c0 : nonneg c by move=> k; case/andP: (yc k) => a b; exact: le_trans a b.
have r0 : 0 <= 1 - (s + t) by rewrite subr_ge0.
have t1 : 0 <= 1 - t by rewrite subr_ge0 (le_trans _ st) // ler_addr.
have add u v : nonneg u -> nonneg v -> weighted phi u + weighted phi v <= weighted phi (fun k => u k + v k).
  by move=> u0 v0; exact: (weighted_superadditive phi_ext phi_concave u0 v0).
have scaled a u : weighted phi (fun k => a * u k) = a * weighted phi u by exact: weighted_scale.
have ext := weighted_ext phi_ext.
have left : t * weighted phi y + s * weighted phi c <= weighted phi x.
  rewrite -!scaled (ext x _ e); apply: add => k; exact: mulr_ge0.
have right : t * weighted phi (fun k => c k - y k) + (1 - (s + t)) * weighted phi c <= weighted phi (fun k => c k - x k).
  rewrite -!scaled (ext (fun k => c k - x k) (fun k => t * (c k - y k) + (1 - (s + t)) * c k)) => [|k].
    by apply: add => k; exact: mulr_ge0.
  by rewrite e; ring.
have both : weighted phi y + weighted phi (fun k => c k - y k) <= weighted phi c.
  apply: le_trans (add _ _ y0 d0) _; rewrite le_eqVlt; apply/orP; left; apply/eqP/ext => k; by rewrite addrC subrK.
have n (z : 'I_K -> R) : node (sides c z) =1 c by move=> k; rewrite /node sum2 /sides /= addrC subrK.
apply: decrease_le => //.
- move=> i k; rewrite /sides; case: ifP => _; rewrite e.
    by rewrite addr_ge0 // mulr_ge0.
  rewrite (_ : _ - _ = t * (c k - y k) + (1 - (s + t)) * c k); last by ring.
  by rewrite addr_ge0 // mulr_ge0.
- by move=> k; rewrite !n.
rewrite !sum2 /sides /=; apply: le_trans (ler_add left right).
move: (weighted phi y) (weighted phi (fun k => c k - y k)) (weighted phi c) both => f g h both.
rewrite -subr_ge0 (_ : _ - _ = (1 - t) * (h - (f + g))); last by ring.
by rewrite mulr_ge0 // subr_ge0.
Qed.
End Concave.

Section Two.
Variable phi : ('I_2 -> R) -> R.
Hypotheses (phi_ext : extensional phi) (phi_concave : concave phi).

(* On the side of the diagonal where class j has the larger share on the left, the corner with the most of j and the least
   of i is as good. *)
Lemma one_side (c x y : 'I_2 -> R) (i j : 'I_2) : (forall f : 'I_2 -> R, \sum_k f k = f i + f j) ->
  (forall k, k = i \/ k = j) -> (forall k, 0 <= y k <= c k) -> (forall k, 0 <= x k <= c k) ->
  y i <= x i -> x j <= y j -> x i * c j <= x j * c i -> decrease phi (sides c x) <= decrease phi (sides c y).
Proof.
move=> sum ij yc xc yi xj above; pose D z : R := z j * c i - z i * c j.
have /andP[xi0 xic] := xc i; have /andP[xj0 xjc] := xc j; have /andP[yi0 yic] := yc i; have /andP[yj0 yjc] := yc j.
have ci0 : 0 <= c i := le_trans xi0 xic; have cj0 : 0 <= c j := le_trans xj0 xjc.
have Dx : 0 <= D x by rewrite subr_ge0.
have Dxy : D x <= D y by apply: ler_sub; apply: ler_wpmul2r.
have [z|nz] := eqVneq (D y) 0; last first.
  have Dy : 0 < D y by rewrite lt_neqAle eq_sym nz (le_trans Dx).
  have cp : 0 < c i.
    rewrite lt_neqAle ci0 andbT eq_sym; apply/eqP => e; move: Dy; rewrite /D e mulr0 sub0r oppr_gt0 => h.
    by have := lt_le_trans h (mulr_ge0 yi0 cj0); rewrite ltxx.
  have yjp : 0 < y j.
    rewrite lt_neqAle yj0 andbT eq_sym; apply/eqP => e; move: Dy; rewrite /D e mul0r sub0r oppr_gt0 => h.
    by have := lt_le_trans h (mulr_ge0 yi0 cj0); rewrite ltxx.
  have cjp : 0 < c j := lt_le_trans yjp yjc.
  pose t := D x / D y; pose s := (x i - t * y i) / c i.
  have t0 : 0 <= t by rewrite divr_ge0 // ltW.
  have t1 : t <= 1 by rewrite ler_pdivr_mulr // mul1r.
  have e k : x k = t * y k + s * c k.
    case: (ij k) => ->; first by rewrite /s divfK ?gt_eqF // addrC subrK.
    rewrite /s /t /D; move: Dy nz; rewrite /D; move: (x i) (x j) (y i) (y j) (c i) (c j) cp cjp.
    by move=> a b p q Z S Z0 S0 d0 d1; field; rewrite d1 gt_eqF.
  apply: (mixture_gains_at_most phi_ext phi_concave (s := s) (t := t)) => //.
    by rewrite divr_ge0 // subr_ge0 (le_trans _ yi) // -[X in _ <= X]mul1r ler_wpmul2r.
  rewrite -(ler_pmul2r cjp) mul1r mulrDl addrC.
  have -> : s * c j = x j - t * y j by rewrite [x j]e addrC addKr.
  rewrite -subr_ge0 (_ : _ - _ = (c j - x j) - t * (c j - y j)); last by ring.
  rewrite subr_ge0; apply: (@le_trans _ _ (c j - y j)); last by rewrite ler_add2l ler_opp2.
  by rewrite -[X in _ <= X]mul1r ler_wpmul2r // subr_ge0.
have zx : D x = 0 by apply/eqP; rewrite eq_le Dx andbT -z.
(* on the diagonal: the counts on the left are a share of all *)
have [s [s0 s1 e]] : exists s, [/\ 0 <= s, s <= 1 & forall k, x k = s * c k].
  have [n0|n0] := eqVneq (c i) 0; last first.
    exists (x i / c i); split; [by rewrite divr_ge0| by rewrite ler_pdivr_mulr ?mul1r // lt_neqAle eq_sym n0|].
    move=> k; case: (ij k) => ->; first by rewrite divfK.
    apply: (mulIf n0); rewrite mulrAC divfK // ; apply/eqP; rewrite -subr_eq0; by rewrite -zx.
  have xi : x i = 0 by apply/eqP; rewrite eq_le xi0 andbT -n0.
  have [m0|m0] := eqVneq (c j) 0.
    have xj' : x j = 0 by apply/eqP; rewrite eq_le xj0 andbT -m0.
    by exists 0; split; rewrite ?lexx ?ler01 // => k; case: (ij k) => ->; rewrite mul0r.
  exists (x j / c j); split; [by rewrite divr_ge0| by rewrite ler_pdivr_mulr ?mul1r // lt_neqAle eq_sym m0|].
  by move=> k; case: (ij k) => ->; [rewrite xi n0 mulr0|rewrite divfK].
by apply: (mixture_gains_at_most phi_ext phi_concave (s := s) (t := 0)) => //; rewrite ?addr0 // => k; rewrite mul0r add0r.
Qed.

(* No counts between two others decrease the impurity more than the larger of two corners. *)
Lemma block_gains_at_most_a_corner c low high x : within c low high x ->
  decrease phi (sides c x) <=
  Num.max (decrease phi (sides c (corner high low))) (decrease phi (sides c (corner low high))).
Proof.
move=> w; have two (k : 'I_2) : k = 0 \/ k = 1 by case: k => [[|[|//]] h]; [left|right]; exact: val_inj.
have xc k : 0 <= x k <= c k.
  by case: (w k) => a [b [d e]]; rewrite (le_trans a b) (le_trans d e).
have cc u v : (forall k, 0 <= u k <= c k) -> (forall k, 0 <= v k <= c k) -> forall k, 0 <= corner u v k <= c k.
  by move=> hu hv k; rewrite /corner; case: ifP.
have lc k : 0 <= low k <= c k by case: (w k) => a [b [d e]]; rewrite a (le_trans b) // (le_trans d).
have hc k : 0 <= high k <= c k by case: (w k) => a [b [d e]]; rewrite (le_trans a) ?e // (le_trans b).
have [_ [l0 [h0 _]]] := w 0; have [_ [l1 [h1 _]]] := w 1.
rewrite le_maxr; have [le|/ltW le] := leP (x 0 * c 1) (x 1 * c 0); apply/orP; [right|left].
  apply: (@one_side c x _ 0 1) => //; [exact: sum2|exact: cc].
apply: (@one_side c x _ 1 0) => //; [by move=> f; rewrite sum2 addrC|by move=> k; case: (two k); [right|left]|exact: cc].
Qed.
End Two.

(* Of a node of two classes, let the samples on the left be between so many and so many of each class. Then Gini's
   impurity decreases by at most as much as with the most of the first class and the least of the second, or as with the
   least of the first and the most of the second. *)
Theorem py_gini_block_gains_at_most_a_corner c low high x : within c low high x ->
  py_decrease_gini (sides c x) <=
  Num.max (py_decrease_gini (sides c (corner high low))) (py_decrease_gini (sides c (corner low high))).
Proof. exact: block_gains_at_most_a_corner (@gini_ext R 2) (@gini_concave R 2) c low high x. Qed.

(* The same for entropy, with any logarithm for which x log x is convex. *)
Theorem py_entropy_block_gains_at_most_a_corner log c low high x : xlogx_convex log -> within c low high x ->
  py_decrease_entropy log (sides c x) <=
  Num.max (py_decrease_entropy log (sides c (corner high low))) (py_decrease_entropy log (sides c (corner low high))).
Proof. by move=> conv; exact: block_gains_at_most_a_corner (@entropy_ext R log 2) (entropy_concave conv) c low high x. Qed.

(* an instance: one sample of either class on the left, of two, in a block from none to all *)
Example within_instance : within (fun=> 2%:R) (fun=> 0) (fun=> 2%:R) (fun=> 1).
Proof. by move=> k; rewrite lexx ler01 ler1n lexx; split=> //; split=> //; rewrite ler0n. Qed.
End Blocks.
