(* Sums over distinct points, any number of them, and the cube of a sum over pairs of distinct points.

   M is a symmetric matrix with zero diagonal, X = sum over all pairs of M u v. A product of entries of M is a
   multigraph whose edges are the pairs, and a sum over distinct points of such a product is the sum of a shape.
   Multiplying the sum of a shape by X attaches an edge: inside the shape, at one of its vertices, or apart from it
   (lemma attach):

     X^2                 = 2 double + 4 cherry + two apart
     X * double          = 2 triple + 4 (double and adjacent) + (double and apart)
     X * cherry          = 4 (double and adjacent) + 2 triangle + 4 path + 2 star + (cherry and apart)
     X * two apart       = 4 (double and apart) + 8 path + 8 (cherry and apart) + three apart
     X^3                 = 4 triple + 24 (double and adjacent) + 8 triangle + 24 path + 8 star + 6 (double and apart)
                           + 12 (cherry and apart) + three apart                                                  *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra all_solvable.
From mathcomp Require Import ring.
From splitcrit Require Import defs distinct null gini_null factorial.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Sums.
Variables (R : realFieldType) (T : finType).

(* functions of m points, and their sums over m distinct points *)
Fixpoint of_points m : Type := if m is m'.+1 then T -> of_points m' else R.
Fixpoint at_points m : of_points m -> seq T -> R :=
  match m with
  | 0 => fun F _ => F
  | m'.+1 => fun F t => if t is x :: t' then at_points (F x) t' else 0
  end.
Definition distinct_sum m (F : of_points m) : R := \sum_(t : m.-tuple T | uniq t) at_points F t.

Lemma sum_cons m (F : seq T -> R) :
  \sum_(t : m.+1.-tuple T | uniq t) F t = \sum_(t : m.-tuple T | uniq t) \sum_(x | x \notin tval t) F (x :: t).
Proof.
rewrite pair_big_dep /= (reindex (fun p : m.-tuple T * T => [tuple of p.2 :: p.1])) /=.
  by apply: eq_bigl => -[t x] /=; rewrite andbC.
exists (fun t : m.+1.-tuple T => ([tuple of behead t], thead t)) => [[t x] _|t _] /=.
  by rewrite theadE; congr (_, _); apply: val_inj.
by rewrite [RHS]tuple_eta.
Qed.

Lemma sum_nil (F : seq T -> R) : \sum_(t : 0.-tuple T | uniq t) F t = F [::].
Proof. by rewrite (big_pred1 [tuple]) // => t; rewrite [t]tuple0; symmetry; apply/eqP. Qed.

(* a neighbour exchanged with the next *)
Fixpoint swapped k (t : seq T) : seq T :=
  match k, t with
  | 0, [:: x, y & t'] => [:: y, x & t']
  | k'.+1, x :: t' => x :: swapped k' t'
  | _, _ => t
  end.
Lemma swappedK k : involutive (swapped k).
Proof. by elim: k => [|k IH] [|x t] //=; [case: t|rewrite IH]. Qed.
Lemma perm_swapped k t : perm_eq (swapped k t) t.
Proof.
elim: k t => [|k IH] [|x t] //=; last by rewrite perm_cons.
case: t => [|y t] //.
by rewrite -[[:: y, x & t]]/([:: y] ++ [:: x] ++ t) -[[:: x, y & t]]/([:: x] ++ [:: y] ++ t) perm_catCA.
Qed.
Lemma sum_swapped k m (F : seq T -> R) :
  \sum_(t : m.-tuple T | uniq t) F (swapped k t) = \sum_(t : m.-tuple T | uniq t) F t.
Proof.
have size_sw (t : m.-tuple T) : seq.size (swapped k t) == m by rewrite (perm_size (perm_swapped k t)) size_tuple.
pose h t := Tuple (size_sw t); have hK : involutive h by move=> t; apply: val_inj; exact: swappedK.
rewrite [RHS](reindex_inj (inv_inj hK)); apply: eq_bigl => t.
by rewrite -(perm_uniq (perm_swapped k t)).
Qed.

Definition reordered (ks : seq nat) (t : seq T) : seq T := foldl (fun t k => swapped k t) t ks.
Lemma sum_reordered ks m (F : seq T -> R) :
  \sum_(t : m.-tuple T | uniq t) F (reordered ks t) = \sum_(t : m.-tuple T | uniq t) F t.
Proof. by elim: ks => //= k ks <-; rewrite (sum_swapped k m (fun t => F (reordered ks t))). Qed.

Section Attach.
Variable M : T -> T -> R.
Hypotheses (sym : forall u v, M u v = M v u) (diag : forall u, M u u = 0).
Local Notation X := (\sum_x \sum_y M x y).

Lemma sum_split (l : seq T) (H : T -> R) : uniq l ->
  \sum_x H x = \sum_(u <- l) H u + \sum_(x | x \notin l) H x.
Proof. by move=> ul; rewrite (bigID (mem l)) /= big_uniq. Qed.

Lemma edges (l : seq T) : uniq l ->
  X = \sum_(u <- l) \sum_(v <- l) M u v + 2%:R * (\sum_(x | x \notin l) \sum_(u <- l) M x u)
      + \sum_(x | x \notin l) \sum_(y | y \notin x :: l) M y x.
Proof.
move=> ul; rewrite (sum_split _ ul).
rewrite (eq_bigr (fun u => \sum_(v <- l) M u v + \sum_(x | x \notin l) M x u)); last first.
  by move=> u _; rewrite (sum_split _ ul); congr (_ + _); apply: eq_bigr => x _.
rewrite [X in _ + X](eq_bigr (fun x => \sum_(u <- l) M x u + \sum_(y | y \notin x :: l) M y x)); last first.
  move=> x xl; rewrite (sum_split _ ul) (bigD1 x) //= diag add0r; congr (_ + _).
  by apply: eq_big => [y|y _]; [rewrite in_cons negb_or andbC|exact: sym].
rewrite !big_split /= [\sum_(u <- l) \sum_(x | _) _]exchange_big /=; ring.
Qed.

Definition at_one (G : seq T -> R) (t : seq T) : R := if t is x :: l then G l * \sum_(u <- l) M x u else 0.
Definition at_none (G : seq T -> R) (t : seq T) : R := if t is [:: y, x & l] then G l * M y x else 0.

Lemma attach m (G : seq T -> R) : (\sum_(t : m.-tuple T | uniq t) G t) * X
  = \sum_(t : m.-tuple T | uniq t) G t * (\sum_(u <- t) \sum_(v <- t) M u v)
    + 2%:R * (\sum_(t : m.+1.-tuple T | uniq t) at_one G t) + \sum_(t : m.+2.-tuple T | uniq t) at_none G t.
Proof.
rewrite mulr_suml (sum_cons m (at_one G)) (sum_cons m.+1 (at_none G)).
have next (t : m.-tuple T) : uniq t -> \sum_(x | x \notin tval t) \sum_(y | y \notin x :: t) at_none G [:: y, x & t]
  = G t * \sum_(x | x \notin tval t) \sum_(y | y \notin x :: t) M y x.
  by move=> ut; rewrite mulr_sumr; apply: eq_bigr => x _; rewrite mulr_sumr.
rewrite (sum_cons m (fun t' => \sum_(y | y \notin t') at_none G (y :: t'))) (eq_bigr _ next).
rewrite mulr_sumr -!big_split /=; apply: eq_bigr => t ut; rewrite (edges ut) !mulrDr.
by congr (_ + _ + _); rewrite mulrCA !mulr_sumr.
Qed.
End Attach.
End Sums.
