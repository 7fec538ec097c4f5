(* The product of the shares of two classes after noise, and the mean of the information gain: for every size. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ring.
From splitcrit Require Import defs distinct null gini_null flips noise core risk generated tie gains cells_in_full.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Shares.
Variables (R : realFieldType) (T : finType) (y : T -> 'I_2) (eta : R).
Hypothesis some : (0 < #|T|)%N.
Local Notation n := (#|T|%:R : R).
Lemma over_two (F : 'I_2 -> R) : \sum_l F l = F 0 + F 1.
Proof. by rewrite !big_ord_recl big_ord0 addr0; congr (_ + F _); apply: val_inj. Qed.
(* the share of positives, class 1, of labels *)
Definition positives (s : T -> 'I_2) : R := #|[pred u | s u == 1]|%:R / n.

(* The mean over symmetric noise of the product of the shares of both classes is the product of the shares that noise
   expects, less eta (1 - eta) / n, at every sample size n. *)
Theorem py_product_of_shares_has_mean_below_limit :
  let p := py_on_distribution (py_symmetric eta) (fun k : 'I_2 => if k == 1 then positives y else 1 - positives y) 1 in
  expectation y (py_symmetric eta) (fun s => positives s * (1 - positives s)) = p * (1 - p) - eta * (1 - eta) / n.
Proof.
have n0 : n != 0 by rewrite pnatr_eq0 -lt0n.
have symE (j l : 'I_2) : py_symmetric eta j l = if j == l then 1 - eta else eta :> R.
  by rewrite /py_symmetric (_ : 2%:R - 1 = 1) ?divr1 //; ring.
have two (l : 'I_2) : l = 0 \/ l = 1 by case: l => [[|[|]]] // h; [left|right]; apply: val_inj.
have stochastic (j : 'I_2) : \sum_l py_symmetric eta j l = 1 :> R.
  by rewrite over_two !symE; case: (two j) => -> /=; ring.
pose pi u : R := py_symmetric eta (y u) 1.
have piE u : pi u * (1 - pi u) = eta * (1 - eta) by rewrite /pi symE; case: (two (y u)) => -> /=; ring.
have counted (s : T -> 'I_2) : positives s * n = \sum_u (s u == 1)%:R.
  by rewrite /positives divfK // -sum1_card natr_sum big_mkcond; apply: eq_bigr => u _; rewrite inE; case: (_ == _).
have products (a b : T -> R) : (\sum_u a u) * (\sum_u b u) = D2 (fun u v => a u * b v) + \sum_u a u * b u.
  rewrite mulr_suml /D2 -big_split; apply: eq_bigr => u _ /=; rewrite mulr_sumr (bigD1 u) //= addrC.
  by congr (_ + _); apply: eq_bigl.
have p_eta : py_on_distribution (py_symmetric eta) (fun k : 'I_2 => if k == 1 then positives y else 1 - positives y) 1 * n
    = \sum_u pi u.
  have -> : \sum_u pi u = \sum_u ((1 - 2%:R * eta) * (y u == 1)%:R + eta).
    by apply: eq_bigr => u _; rewrite /pi symE; case: (y u == 1); rewrite ?mulr0n ?mulr1n; ring.
  rewrite big_split -mulr_sumr -counted sum_const /=.
  by rewrite /py_on_distribution over_two !symE /=; ring.
move=> p; rewrite -/p in p_eta.
have pair s : positives s * (1 - positives s) = (2%:R * n ^+ 2)^-1 * (D2 (fun u v => 1 - (if s u == s v then 1 else 0))).
  have : positives s * n * (n - positives s * n) = D2 (fun u v => (s u == 1)%:R * (1 - (s v == 1)%:R)).
    have nE : n - positives s * n = \sum_u (1 - (s u == 1)%:R).
      by rewrite sumrB -counted sum_const mulr1.
    rewrite nE counted products [X in _ + X]big1 ?addr0 // => u _; by case: (_ == _); rewrite ?mulr0n ?mulr1n; ring.
  have swap : D2 (fun u v => (s u == 1)%:R * (1 - (s v == 1)%:R)) = D2 (fun u v => (s v == 1)%:R * (1 - (s u == 1)%:R)) :> R.
    rewrite /D2 !(eq_bigr _ (fun u _ => big_mkcond _ _)) exchange_big /=; apply: eq_bigr => u _.
    by rewrite [RHS]big_mkcond; apply: eq_bigr => v _; rewrite eq_sym.
  have both : D2 (fun u v => 1 - (if s u == s v then 1 else 0)) = 2%:R * D2 (fun u v => (s u == 1)%:R * (1 - (s v == 1)%:R)) :> R.
    rewrite mulr_natl mulr2n {2}swap -D2_add; apply: D2_ext => u v _.
    by case: (two (s u)) => ->; case: (two (s v)) => ->; rewrite /= ?mulr0n ?mulr1n; ring.
  by rewrite both => <-; field; rewrite n0 ?pnatr_eq0.
rewrite (expectation_ext _ _ pair) expectation_scale expectation_D2.
have differ u v : v != u -> expectation y (py_symmetric eta) (fun s => 1 - (if s u == s v then 1 else 0))
    = pi u * (1 - pi v) + pi v * (1 - pi u).
  move=> uv; rewrite (expectation_ext _ _ (G := fun s => 1 + -1 * (if s u == s v then 1 else 0))) => [|s]; last by ring.
  rewrite expectation_add expectation_scale expectation1 // expectation_same // over_two /pi.
  by rewrite !symE; case: (two (y u)) => ->; case: (two (y v)) => -> /=; ring.
rewrite (D2_ext differ) D2_add.
have one : D2 (fun u v => pi u * (1 - pi v)) = p * n * (n - p * n) - n * (eta * (1 - eta)).
  have := products pi (fun v => 1 - pi v); rewrite sumrB sum_const mulr1 -p_eta => ->.
  by rewrite (eq_bigr _ (fun u _ => piE u)) sum_const addrK.
have other : D2 (fun u v => pi v * (1 - pi u)) = p * n * (n - p * n) - n * (eta * (1 - eta)).
  have := products (fun v => 1 - pi v) pi; rewrite sumrB sum_const mulr1 -p_eta.
  rewrite (eq_bigr (fun=> eta * (1 - eta))) => [e|u _]; last by rewrite mulrC piE.
  rewrite (D2_ext (G := fun u v => (1 - pi u) * pi v)) => [|u v _]; last exact: mulrC.
  by apply: (addIr (\sum_(u : T) eta * (1 - eta))); rewrite -e sum_const; ring.
by rewrite one other; field; rewrite n0 ?pnatr_eq0.
Qed.
End Shares.

Section Entropy.
Variables (R : realFieldType) (log : R -> R) (T : finType) (r K : nat) (f : T -> 'I_r) (y : T -> 'I_K).
Hypothesis some : (0 < #|T|)%N.
Hypothesis rows_occur : forall i, (0 < #|[pred u | f u == i]|)%N.
Local Notation n := (#|T|%:R : R).
Local Notation a i := #|[pred u | f u == i]|.
Local Notation b j := #|[pred u | y u == j]|.
(* what x observations of a class in a row of a observations add: (x / N) log (x / a), 0 of none *)
Definition added (a x : nat) : R := if x == 0%N then 0 else x%:R / n * log (x%:R / a%:R).

(* The information gain is the entropy of the classes plus the sum over cells of (n / N) log (n / a_i); its mean over all
   permutations of the labels is the entropy plus the mean of that sum by the hypergeometric law of each cell. *)
Theorem py_entropy_mean_of_permutation : let entropy_of_classes := py_entropy log (fun j => (b j)%:R / n) in
  (forall s, py_decrease_entropy log (table R f y s)
    = entropy_of_classes + \sum_i \sum_j added (a i) #|[pred u | (f u == i) && (y (s u) == j)]|)
  /\ mean (fun s => py_decrease_entropy log (table R f y s))
    = entropy_of_classes
      + \sum_i \sum_j \sum_(x < #|T|.+1) hypergeometric R #|T| (b j) (a i) x * added (a i) x.
Proof.
move=> H; have n0 : n != 0 by rewrite pnatr_eq0 -lt0n.
have gain s : py_decrease_entropy log (table R f y s)
    = H + \sum_i \sum_j added (a i) #|[pred u | (f u == i) && (y (s u) == j)]|.
  have -> : py_decrease_entropy log (table R f y s) = decrease (@py_entropy R log K) (table R f y s) by [].
  rewrite /decrease whole_table (negPf n0) mulrBl mulrAC divff // mul1r; congr (_ + _).
    by rewrite /H /py_entropy; congr (- _); apply: eq_bigr => j _; rewrite /shares (negPf n0) node_table.
  rewrite mulr_suml -sumrN; apply: eq_bigr => i _; have ai := a0 R rows_occur i.
  rewrite size_table /py_entropy mulrN mulNr opprK mulr_sumr mulr_suml; apply: eq_bigr => j _.
  rewrite /shares (negPf ai) /xlogx /added /table mulf_eq0 invr_eq0 (negPf ai) orbF pnatr_eq0; case: eqP => _.
    by rewrite mulr0 mul0r.
  by rewrite /total_of; move: ai; rewrite /total_of; move: (log _) => l; move: (_%:R) => c c0; field; rewrite n0 c0.
split=> //; rewrite (mean_ext gain) mean_add mean_const; congr (_ + _).
rewrite /mean exchange_big mulr_suml; apply: eq_bigr => i _; rewrite exchange_big mulr_suml; apply: eq_bigr => j _.
have f0 := nfact0 R T.
have few s : (#|[pred u | (f u == i) && (y ((s : {perm T}) u) == j)]| < #|T|.+1)%N by rewrite ltnS max_card.
rewrite (partition_big (fun s => Ordinal (few s)) xpredT) //= mulr_suml; apply: eq_bigr => x _.
rewrite (eq_bigr (fun=> added (a i) x)) => [|s /eqP <-] //.
have := @cell_is_hypergeometric_of_permutation R T (fun u => f u == i) (fun u => y u == j) x => e.
apply: (mulIf f0); rewrite sumr_const divfK // -[LHS]mulr_natl [RHS]mulrAC -e; congr (_%:R * _); apply: eq_card => s; rewrite !inE /=; exact: val_eqE.
Qed.
End Entropy.

(* One observation. *)
Example one_observation : (0 < #|[finType of 'I_1]|)%N.
Proof. by rewrite card_ord. Qed.
