(* Noise of any number of classes, as its source prints it: pair flips, where class k becomes class k + 1 modulo K, and
   symmetric noise. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import zify.
From splitcrit Require Import python generated channels loops cut_loop discoveries.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Flips.
Variables (R : realFieldType) (K : nat) (eta : R).
Hypothesis K2 : (1 < K)%N.
(* the entry of row j and column k of the matrices that are returned *)
Definition entry (rows : option (seq (seq R))) (j k : 'I_K) : R := if rows is Some s then nth 0 (nth [::] s j) k else 0.
Definition pair_flip : 'I_K -> 'I_K -> R := entry (py_pair_flip_rows R (Posz K) eta).
Definition symmetric : 'I_K -> 'I_K -> R := entry (py_symmetric_rows R (Posz K) eta).

Lemma mod_between (j k : 'I_K) :
  py_mod (Posz k - Posz j) (Posz K) = Posz (if (j <= k)%N then k - j else K + k - j)%N.
Proof.
have [jK kK] := (ltn_ord j, ltn_ord k); have K0 : (0 : int) <= Posz K by [].
rewrite /py_mod /py_div K0; set a := Posz k - Posz j.
have -> : a - (a %/ Posz K)%Z * Posz K = (a %% Posz K)%Z by rewrite /modz.
case: ifP => jk; last rewrite -(modzDr a); rewrite modz_small /a; lia.
Qed.

(* Pair flips of K classes: a label stays with chance 1 - eta, and becomes the next, after the last the first, with eta. *)
Theorem py_pair_flip_of_every_size j k : pair_flip j k
  = (k == j)%:R * (1 - eta) + ((k : nat) == j.+1 %[mod K])%:R * eta.
Proof.
rewrite /pair_flip /entry /py_pair_flip_rows; have -> : (Posz K < Posz 2) = false by lia.
rewrite py_rangeE // subn0 (nth_map 0) ?size_map ?size_iota // (nth_map 0) ?size_map ?size_iota //.
rewrite !(nth_map 0%N) ?size_iota // !nth_iota // !add0n mod_between.
have -> : Posz K - Posz 2 = Posz (K - 2) by lia.
have [jK kK] := (ltn_ord j, ltn_ord k); rewrite repeatE /py_at /py_place /=.
have -> : ((k : nat) == j.+1 %[mod K]) = ((k : nat) == if j.+1 == K then 0%N else j.+1).
  rewrite (modn_small kK); case: (j.+1 =P K) => [->|ne]; first by rewrite modnn.
  by rewrite modn_small //; lia.
rewrite -(inj_eq val_inj k j) /=.
set m := (if _ then _ else _ : nat).
have -> : [:: 1 - eta, eta & nseq (K - 2) (0%:~R * eta)]`_m = (m == 0%N)%:R * (1 - eta) + (m == 1%N)%:R * eta.
  by case: m => [|[|m]] /=; rewrite ?mul1r ?mul0r ?addr0 ?add0r // nth_nseq ?mul0r if_same.
have -> : (m == 0%N) = ((k : nat) == j) by rewrite /m; case: leqP; lia.
by have -> : (m == 1%N) = ((k : nat) == if j.+1 == K then 0%N else j.+1) by rewrite /m; case: leqP; case: (j.+1 =P K); lia.
Qed.

(* Rows and columns of the matrix of pair flips are distributions. *)
Theorem py_pair_flip_is_doubly_stochastic : rate eta -> stochastic pair_flip /\ stochastic (fun j k => pair_flip k j).
Proof.
move=> /andP[e0 e1]; have nn j k : 0 <= pair_flip j k.
  by rewrite py_pair_flip_of_every_size addr_ge0 // mulr_ge0 ?ler0n ?subr_ge0.
suff [rows columns] : (forall j, \sum_k pair_flip j k = 1) /\ (forall k, \sum_j pair_flip j k = 1).
  by split; split=> // k; exact: columns.
have K0 : (0 < K)%N by exact: ltnW.
have one (P : pred 'I_K) x : P x -> (forall y, P y -> y = x) -> \sum_y (P y)%:R = 1 :> R.
  move=> Px only; rewrite (bigD1 x) //= Px big1 ?addr0 // => y yx; case Py : (P y) => //.
  by rewrite (only _ Py) eqxx in yx.
split=> [j|k]; rewrite (eq_bigr _ (fun _ _ => py_pair_flip_of_every_size _ _)) big_split /= -!mulr_suml.
  rewrite (one _ j) ?eqxx //; last by move=> y /eqP.
  rewrite (one _ (Ordinal (ltn_pmod j.+1 K0))) ?modn_mod ?mul1r ?subrK // => y; rewrite (modn_small (ltn_ord y)).
  by move=> /eqP e; exact: val_inj.
rewrite (one _ k) ?eqxx //; last by move=> y /eqP.
have [kK K1] : (k < K)%N /\ (0 < K)%N by [].
pose x := if (k : nat) == 0%N then K.-1 else k.-1.
have xK : (x < K)%N by rewrite /x; case: eqP; lia.
have next y : (y < K)%N -> ((k : nat) == y.+1 %[mod K]) = (y == x).
  move=> yK; rewrite (modn_small kK) /x; case: (ltngtP y.+1 K) => [h|h|h]; first by rewrite modn_small //; case: ((k : nat) =P 0%N); lia.
    lia.
  by rewrite h modnn; case: ((k : nat) =P 0%N); lia.
rewrite (one _ (Ordinal xK)) ?next ?mul1r ?subrK // => y; rewrite next // => /eqP e; exact: val_inj.
Qed.

(* Symmetric noise of K classes is the matrix that theorems about it speak of: a label stays with chance 1 - eta, and
   becomes each other with eta/(K - 1). *)
Theorem py_symmetric_of_every_size j k : symmetric j k = py_symmetric eta j k.
Proof.
rewrite /symmetric /entry /py_symmetric_rows; have -> : (Posz K < Posz 2) = false by lia.
rewrite py_rangeE // subn0 (nth_map 0) ?size_map ?size_iota // (nth_map 0) ?size_map ?size_iota //.
rewrite !(nth_map 0%N) ?size_iota // !nth_iota // !add0n /py_symmetric.
by have -> : (Posz K - Posz 1)%:~R = K%:R - 1 :> R by rewrite intrD.
Qed.
End Flips.

(* Five classes, and a rate of a quarter. *)
Example five_classes (R : realFieldType) : (1 < 5)%N /\ rate (1 / 4%:R : R).
Proof. by split=> //; exact: rate_instance. Qed.
