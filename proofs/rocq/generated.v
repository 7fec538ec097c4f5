(* Printed by the code objects of splitcrit: python -m splitcrit.proofs.rocq.generate. Not to be edited. *)
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint zmodp.
From splitcrit Require Import defs risk.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Section Generated.
Variables (R : realFieldType) (log sqrt exp : R -> R).

(* splitcrit.impurities.library._gini *)
Definition py_gini K (p : 'I_K -> R) : R :=
  (1 - (\sum_(k < K) ((p k) * (p k)))).

(* splitcrit.impurities.library._spread *)
Definition py_spread K (p : 'I_K -> R) : R :=
  (((1 - (\sum_(k < K) ((p k) * (p k)))) * (K%:R - 1)) / K%:R).

(* splitcrit.impurities.library._entropy *)
Definition py_entropy K (p : 'I_K -> R) : R :=
  (- (\sum_(k < K) (xlogx log (p k)))).

(* splitcrit.impurities.library._bayes_sum *)
Definition py_bayes_sum K (p : 'I_K -> R) : R :=
  (\sum_(k < K) (Num.min (p k) (1 - (p k)))).

(* splitcrit.impurities.library._sqrt_gini *)
Definition py_sqrt_gini K (p : 'I_K -> R) : R :=
  (sqrt (((1 - (\sum_(k < K) ((p k) * (p k)))) * (K%:R - 1)) / K%:R)).

(* splitcrit.impurities.library._matushita *)
Definition py_matushita K (p : 'I_K -> R) : R :=
  (\sum_(k < K) (sqrt ((p k) * (1 - (p k))))).

(* splitcrit.impurities.library._misclassification *)
Definition py_misclassification K (p : 'I_K.+1 -> R) : R :=
  (1 - (\big[Num.max/(p ord0)]_(k < K.+1) (p k))).

(* splitcrit.impurities.library._Variance *)
Definition py_response_variance K (v p : 'I_K -> R) : R :=
  (\sum_(k < K) (((p k) * ((v k) - (\sum_(k < K) ((p k) * (v k))))) * ((v k) - (\sum_(k < K) ((p k) * (v k)))))).

(* splitcrit.impurities.library._AbsoluteDeviation *)
Definition py_absolute_deviation K (v p : 'I_K.+1 -> R) : R :=
  (\big[Num.min/(\sum_(j < K.+1) ((p j) * `|((v j) - (v ord0))|))]_(k < K.+1) (\sum_(j < K.+1) ((p j) * `|((v j) - (v k))|))).

(* splitcrit.impurities.library.NE *)
Definition py_ne K (lam : R) (p : 'I_K.+1 -> R) : R :=
  (Num.min (1 - (\big[Num.max/(p ord0)]_(k < K.+1) (p k))) (lam * (sqrt (((1 - (\sum_(k < K.+1) ((p k) * (p k)))) * (K.+1%:R - 1)) / K.+1%:R)))).

(* splitcrit.impurities.library.GCE, q = 1/2 *)
Definition py_gce_half K (p : 'I_K.+1 -> R) : R :=
  ((1 - ((\big[Num.max/(p ord0)]_(k < K.+1) (p k)) * (sqrt (\sum_(k < K.+1) (((p k) / (\big[Num.max/(p ord0)]_(k < K.+1) (p k))) ^+ 2))))) / (1 / 2%:R)).

(* splitcrit.impurities.library.gce, q a whole number from 1 *)
Definition py_gce_whole K (q : nat) (p : 'I_K.+1 -> R) : R :=
  ((1 / q%:R) * (1 - (\big[Num.max/(p ord0)]_(k < K.+1) (p k)))).

(* splitcrit.losses.simplex._square *)
Definition py_square K (w : 'I_K -> R) (k : 'I_K) : R :=
  (((\sum_(j < K) ((w j) * (w j))) - (2%:R * (w k))) + 1).

(* splitcrit.losses.simplex._mae *)
Definition py_mae K (w : 'I_K -> R) (k : 'I_K) : R :=
  ((`|(1 - (w k))| + (\sum_(j < K) `|(w j)|)) - `|(w k)|).

(* splitcrit.losses.simplex._zero_one *)
Definition py_zero_one K (w : 'I_K -> R) (k : 'I_K) : R :=
  (if (1 <= (w k)) then 0 else 1).

(* splitcrit.losses.simplex._cross_entropy *)
Definition py_cross_entropy K (w : 'I_K -> R) (k : 'I_K) : R :=
  (- (log (w k))).

(* splitcrit.losses.simplex._infinity *)
Definition py_infinity K (w : 'I_K.+1 -> R) (k : 'I_K.+1) : R :=
  (\big[Num.max/(if (ord0 == k) then `|((w ord0) - 1)| else `|((w ord0) - 0)|)]_(j < K.+1) (if (j == k) then `|((w j) - 1)| else `|((w j) - 0)|)).

(* splitcrit.losses.simplex._one_vs_rest_errors *)
Definition py_one_vs_rest_errors K (w : 'I_K -> R) (k : 'I_K) : R :=
  (\sum_(j < K) (if (j == k) then (1 - (w j)) else (w j))).

(* splitcrit.losses.simplex._one_vs_rest_exponential *)
Definition py_one_vs_rest_exponential K (w : 'I_K -> R) (k : 'I_K) : R :=
  ((\sum_(j < K) (if (j == k) then (exp (- (w j))) else (exp (w j)))) / 2%:R).

(* splitcrit.losses.simplex._half_log_odds *)
Definition py_half_log_odds K (p : 'I_K -> R) (k : 'I_K) : R :=
  (((log (p k)) - (log (1 - (p k)))) / 2%:R).

(* splitcrit.losses.simplex._GCE, q = 1/2 *)
Definition py_gce_loss_half K (w : 'I_K -> R) (k : 'I_K) : R :=
  ((1 - (sqrt (w k))) / (1 / 2%:R)).

(* splitcrit.losses.simplex._GCE, q a whole number *)
Definition py_gce_loss_whole K (q : nat) (w : 'I_K -> R) (k : 'I_K) : R :=
  ((1 - ((w k) ^+ q)) / q%:R).

(* splitcrit.losses.simplex._NE *)
Definition py_ne_loss K (lam wrong : R) (w : 'I_K.+1 -> R) (k : 'I_K.+1) : R :=
  (if (1 <= (\big[Num.max/(w ord0)]_(j < K.+1) (w j))) then (if (1 <= (w k)) then 0 else wrong) else ((lam * (sqrt (if (1 <= (\big[Num.max/(w ord0)]_(j < K.+1) (w j))) then 1 else ((K.+1%:R - 1) / (K.+1%:R * (if (1 <= (\big[Num.max/(w ord0)]_(j < K.+1) (w j))) then 1 else (1 - (\sum_(j < K.+1) ((w j) * (w j)))))))))) * (1 - (w k)))).

(* splitcrit.losses.response_losses._Squared *)
Definition py_squared_error K (v : 'I_K -> R) (w : R) (k : 'I_K) : R :=
  ((w - (v k)) * (w - (v k))).

(* splitcrit.losses.response_losses._Absolute *)
Definition py_absolute_error K (v : 'I_K -> R) (w : R) (k : 'I_K) : R :=
  `|(w - (v k))|.

(* splitcrit.losses.response_losses._Mean *)
Definition py_mean_response K (v p : 'I_K -> R) : R :=
  (\sum_(k < K) ((p k) * (v k))).

(* splitcrit.impurities.base.Risk of square *)
Definition py_from_square K (p : 'I_K -> R) : R :=
  (\sum_(k < K) ((p k) * (if ((p k) == 0) then 0 else (((\sum_(j < K) ((p j) * (p j))) - (2%:R * (p k))) + 1)))).

(* splitcrit.impurities.base.Risk of cross_entropy *)
Definition py_from_cross_entropy K (p : 'I_K -> R) : R :=
  (\sum_(k < K) ((p k) * (if ((p k) == 0) then 0 else (- (log (p k)))))).

(* splitcrit.impurities.base.Risk of squared_error *)
Definition py_from_squared_error K (v p : 'I_K -> R) : R :=
  (\sum_(k < K) ((p k) * (if ((p k) == 0) then 0 else (((\sum_(k < K) ((p k) * (v k))) - (v k)) * ((\sum_(k < K) ((p k) * (v k))) - (v k)))))).

(* splitcrit.losses.margin_losses._hinge, class 0 *)
Definition py_hinge_0 (w : R) : R :=
  (Num.max 0 (1 - (- w))).

(* splitcrit.losses.margin_losses._hinge, class 1 *)
Definition py_hinge_1 (w : R) : R :=
  (Num.max 0 (1 - w)).

(* splitcrit.losses.margin_losses._sign *)
Definition py_sign (p : 'I_2 -> R) : R :=
  (if ((p 0) <= (p 1)) then 1 else (- 1)).

(* splitcrit.losses.base.risk *)
Definition py_risk K (cost p : 'I_K -> R) : R :=
  (\sum_(k < K) ((p k) * (if ((p k) == 0) then 0 else (cost k)))).

(* splitcrit.arith.base.shares *)
Definition py_shares K (c : 'I_K -> R) (n : R) (k : 'I_K) : R :=
  ((if (n == 0) then 1 else (c k)) / (if (n == 0) then K%:R else n)).

(* splitcrit.criteria.gain.Decrease *)
Definition py_decrease r K (phi : ('I_K -> R) -> R) (t : 'I_r -> 'I_K -> R) : R :=
  ((((\sum_(i < r) (\sum_(k < K) (t i k))) * (phi (fun j => ((if ((\sum_(i < r) (\sum_(k < K) (t i k))) == 0) then 1 else (\sum_(i < r) (t i j))) / (if ((\sum_(i < r) (\sum_(k < K) (t i k))) == 0) then K%:R else (\sum_(i < r) (\sum_(k < K) (t i k)))))))) - (\sum_(i < r) ((\sum_(k < K) (t i k)) * (phi (fun k => ((if ((\sum_(k < K) (t i k)) == 0) then 1 else (t i k)) / (if ((\sum_(k < K) (t i k)) == 0) then K%:R else (\sum_(k < K) (t i k))))))))) / (if ((\sum_(i < r) (\sum_(k < K) (t i k))) == 0) then 1 else (\sum_(i < r) (\sum_(k < K) (t i k))))).

(* splitcrit.criteria.gain.Decrease of gini *)
Definition py_decrease_gini r K (t : 'I_r -> 'I_K -> R) : R :=
  ((((\sum_(i < r) (\sum_(k < K) (t i k))) * (1 - (\sum_(j < K) (((if ((\sum_(i < r) (\sum_(k < K) (t i k))) == 0) then 1 else (\sum_(i < r) (t i j))) / (if ((\sum_(i < r) (\sum_(k < K) (t i k))) == 0) then K%:R else (\sum_(i < r) (\sum_(k < K) (t i k))))) * ((if ((\sum_(i < r) (\sum_(k < K) (t i k))) == 0) then 1 else (\sum_(i < r) (t i j))) / (if ((\sum_(i < r) (\sum_(k < K) (t i k))) == 0) then K%:R else (\sum_(i < r) (\sum_(k < K) (t i k))))))))) - (\sum_(i < r) ((\sum_(k < K) (t i k)) * (1 - (\sum_(k < K) (((if ((\sum_(k < K) (t i k)) == 0) then 1 else (t i k)) / (if ((\sum_(k < K) (t i k)) == 0) then K%:R else (\sum_(k < K) (t i k)))) * ((if ((\sum_(k < K) (t i k)) == 0) then 1 else (t i k)) / (if ((\sum_(k < K) (t i k)) == 0) then K%:R else (\sum_(k < K) (t i k)))))))))) / (if ((\sum_(i < r) (\sum_(k < K) (t i k))) == 0) then 1 else (\sum_(i < r) (\sum_(k < K) (t i k))))).

(* splitcrit.criteria.gain.Decrease of entropy *)
Definition py_decrease_entropy r K (t : 'I_r -> 'I_K -> R) : R :=
  ((((\sum_(i < r) (\sum_(k < K) (t i k))) * (- (\sum_(j < K) (xlogx log ((if ((\sum_(i < r) (\sum_(k < K) (t i k))) == 0) then 1 else (\sum_(i < r) (t i j))) / (if ((\sum_(i < r) (\sum_(k < K) (t i k))) == 0) then K%:R else (\sum_(i < r) (\sum_(k < K) (t i k))))))))) - (\sum_(i < r) ((\sum_(k < K) (t i k)) * (- (\sum_(k < K) (xlogx log ((if ((\sum_(k < K) (t i k)) == 0) then 1 else (t i k)) / (if ((\sum_(k < K) (t i k)) == 0) then K%:R else (\sum_(k < K) (t i k)))))))))) / (if ((\sum_(i < r) (\sum_(k < K) (t i k))) == 0) then 1 else (\sum_(i < r) (\sum_(k < K) (t i k))))).

(* splitcrit.criteria.gain.Decrease of bayes_sum *)
Definition py_decrease_bayes_sum r K (t : 'I_r -> 'I_K -> R) : R :=
  ((((\sum_(i < r) (\sum_(k < K) (t i k))) * (\sum_(j < K) (Num.min ((if ((\sum_(i < r) (\sum_(k < K) (t i k))) == 0) then 1 else (\sum_(i < r) (t i j))) / (if ((\sum_(i < r) (\sum_(k < K) (t i k))) == 0) then K%:R else (\sum_(i < r) (\sum_(k < K) (t i k))))) (1 - ((if ((\sum_(i < r) (\sum_(k < K) (t i k))) == 0) then 1 else (\sum_(i < r) (t i j))) / (if ((\sum_(i < r) (\sum_(k < K) (t i k))) == 0) then K%:R else (\sum_(i < r) (\sum_(k < K) (t i k))))))))) - (\sum_(i < r) ((\sum_(k < K) (t i k)) * (\sum_(k < K) (Num.min ((if ((\sum_(k < K) (t i k)) == 0) then 1 else (t i k)) / (if ((\sum_(k < K) (t i k)) == 0) then K%:R else (\sum_(k < K) (t i k)))) (1 - ((if ((\sum_(k < K) (t i k)) == 0) then 1 else (t i k)) / (if ((\sum_(k < K) (t i k)) == 0) then K%:R else (\sum_(k < K) (t i k)))))))))) / (if ((\sum_(i < r) (\sum_(k < K) (t i k))) == 0) then 1 else (\sum_(i < r) (\sum_(k < K) (t i k))))).

(* splitcrit.criteria.gain.Decrease of misclassification *)
Definition py_decrease_misclassification r K (t : 'I_r -> 'I_K.+1 -> R) : R :=
  ((((\sum_(i < r) (\sum_(k < K.+1) (t i k))) * (1 - (\big[Num.max/((if ((\sum_(i < r) (\sum_(k < K.+1) (t i k))) == 0) then 1 else (\sum_(i < r) (t i ord0))) / (if ((\sum_(i < r) (\sum_(k < K.+1) (t i k))) == 0) then K.+1%:R else (\sum_(i < r) (\sum_(k < K.+1) (t i k)))))]_(j < K.+1) ((if ((\sum_(i < r) (\sum_(k < K.+1) (t i k))) == 0) then 1 else (\sum_(i < r) (t i j))) / (if ((\sum_(i < r) (\sum_(k < K.+1) (t i k))) == 0) then K.+1%:R else (\sum_(i < r) (\sum_(k < K.+1) (t i k)))))))) - (\sum_(i < r) ((\sum_(k < K.+1) (t i k)) * (1 - (\big[Num.max/((if ((\sum_(k < K.+1) (t i k)) == 0) then 1 else (t i ord0)) / (if ((\sum_(k < K.+1) (t i k)) == 0) then K.+1%:R else (\sum_(k < K.+1) (t i k))))]_(k < K.+1) ((if ((\sum_(k < K.+1) (t i k)) == 0) then 1 else (t i k)) / (if ((\sum_(k < K.+1) (t i k)) == 0) then K.+1%:R else (\sum_(k < K.+1) (t i k))))))))) / (if ((\sum_(i < r) (\sum_(k < K.+1) (t i k))) == 0) then 1 else (\sum_(i < r) (\sum_(k < K.+1) (t i k))))).

(* splitcrit.criteria.gain.Decrease of sqrt_gini *)
Definition py_decrease_sqrt_gini r K (t : 'I_r -> 'I_K -> R) : R :=
  ((((\sum_(i < r) (\sum_(k < K) (t i k))) * (sqrt (((1 - (\sum_(j < K) (((if ((\sum_(i < r) (\sum_(k < K) (t i k))) == 0) then 1 else (\sum_(i < r) (t i j))) / (if ((\sum_(i < r) (\sum_(k < K) (t i k))) == 0) then K%:R else (\sum_(i < r) (\sum_(k < K) (t i k))))) * ((if ((\sum_(i < r) (\sum_(k < K) (t i k))) == 0) then 1 else (\sum_(i < r) (t i j))) / (if ((\sum_(i < r) (\sum_(k < K) (t i k))) == 0) then K%:R else (\sum_(i < r) (\sum_(k < K) (t i k)))))))) * (K%:R - 1)) / K%:R))) - (\sum_(i < r) ((\sum_(k < K) (t i k)) * (sqrt (((1 - (\sum_(k < K) (((if ((\sum_(k < K) (t i k)) == 0) then 1 else (t i k)) / (if ((\sum_(k < K) (t i k)) == 0) then K%:R else (\sum_(k < K) (t i k)))) * ((if ((\sum_(k < K) (t i k)) == 0) then 1 else (t i k)) / (if ((\sum_(k < K) (t i k)) == 0) then K%:R else (\sum_(k < K) (t i k))))))) * (K%:R - 1)) / K%:R))))) / (if ((\sum_(i < r) (\sum_(k < K) (t i k))) == 0) then 1 else (\sum_(i < r) (\sum_(k < K) (t i k))))).

(* splitcrit.criteria.gain.Decrease of ne(lam) *)
Definition py_decrease_ne (lam : R) r K (t : 'I_r -> 'I_K.+1 -> R) : R :=
  ((((\sum_(i < r) (\sum_(k < K.+1) (t i k))) * (Num.min (1 - (\big[Num.max/((if ((\sum_(i < r) (\sum_(k < K.+1) (t i k))) == 0) then 1 else (\sum_(i < r) (t i ord0))) / (if ((\sum_(i < r) (\sum_(k < K.+1) (t i k))) == 0) then K.+1%:R else (\sum_(i < r) (\sum_(k < K.+1) (t i k)))))]_(j < K.+1) ((if ((\sum_(i < r) (\sum_(k < K.+1) (t i k))) == 0) then 1 else (\sum_(i < r) (t i j))) / (if ((\sum_(i < r) (\sum_(k < K.+1) (t i k))) == 0) then K.+1%:R else (\sum_(i < r) (\sum_(k < K.+1) (t i k))))))) (lam * (sqrt (((1 - (\sum_(j < K.+1) (((if ((\sum_(i < r) (\sum_(k < K.+1) (t i k))) == 0) then 1 else (\sum_(i < r) (t i j))) / (if ((\sum_(i < r) (\sum_(k < K.+1) (t i k))) == 0) then K.+1%:R else (\sum_(i < r) (\sum_(k < K.+1) (t i k))))) * ((if ((\sum_(i < r) (\sum_(k < K.+1) (t i k))) == 0) then 1 else (\sum_(i < r) (t i j))) / (if ((\sum_(i < r) (\sum_(k < K.+1) (t i k))) == 0) then K.+1%:R else (\sum_(i < r) (\sum_(k < K.+1) (t i k)))))))) * (K.+1%:R - 1)) / K.+1%:R))))) - (\sum_(i < r) ((\sum_(k < K.+1) (t i k)) * (Num.min (1 - (\big[Num.max/((if ((\sum_(k < K.+1) (t i k)) == 0) then 1 else (t i ord0)) / (if ((\sum_(k < K.+1) (t i k)) == 0) then K.+1%:R else (\sum_(k < K.+1) (t i k))))]_(k < K.+1) ((if ((\sum_(k < K.+1) (t i k)) == 0) then 1 else (t i k)) / (if ((\sum_(k < K.+1) (t i k)) == 0) then K.+1%:R else (\sum_(k < K.+1) (t i k)))))) (lam * (sqrt (((1 - (\sum_(k < K.+1) (((if ((\sum_(k < K.+1) (t i k)) == 0) then 1 else (t i k)) / (if ((\sum_(k < K.+1) (t i k)) == 0) then K.+1%:R else (\sum_(k < K.+1) (t i k)))) * ((if ((\sum_(k < K.+1) (t i k)) == 0) then 1 else (t i k)) / (if ((\sum_(k < K.+1) (t i k)) == 0) then K.+1%:R else (\sum_(k < K.+1) (t i k))))))) * (K.+1%:R - 1)) / K.+1%:R))))))) / (if ((\sum_(i < r) (\sum_(k < K.+1) (t i k))) == 0) then 1 else (\sum_(i < r) (\sum_(k < K.+1) (t i k))))).

(* splitcrit.criteria.library.Normalised of entropy *)
Definition py_gain_ratio r K (t : 'I_r.+1 -> 'I_K -> R) : R :=
  (if ((\sum_(i < r.+1) (\sum_(k < K) (t i k))) <= (\big[Num.max/(\sum_(k < K) (t ord0 k))]_(i < r.+1) (\sum_(k < K) (t i k)))) then 0 else (((((\sum_(i < r.+1) (\sum_(k < K) (t i k))) * (- (\sum_(j < K) (xlogx log ((if ((\sum_(i < r.+1) (\sum_(k < K) (t i k))) == 0) then 1 else (\sum_(i < r.+1) (t i j))) / (if ((\sum_(i < r.+1) (\sum_(k < K) (t i k))) == 0) then K%:R else (\sum_(i < r.+1) (\sum_(k < K) (t i k))))))))) - (\sum_(i < r.+1) ((\sum_(k < K) (t i k)) * (- (\sum_(k < K) (xlogx log ((if ((\sum_(k < K) (t i k)) == 0) then 1 else (t i k)) / (if ((\sum_(k < K) (t i k)) == 0) then K%:R else (\sum_(k < K) (t i k)))))))))) / (if ((\sum_(i < r.+1) (\sum_(k < K) (t i k))) == 0) then 1 else (\sum_(i < r.+1) (\sum_(k < K) (t i k))))) / (if ((\sum_(i < r.+1) (\sum_(k < K) (t i k))) <= (\big[Num.max/(\sum_(k < K) (t ord0 k))]_(i < r.+1) (\sum_(k < K) (t i k)))) then 1 else (- (\sum_(i < r.+1) (xlogx log ((\sum_(k < K) (t i k)) / (if ((\sum_(i < r.+1) (\sum_(k < K) (t i k))) == 0) then 1 else (\sum_(i < r.+1) (\sum_(k < K) (t i k))))))))))).

(* splitcrit.criteria.library._pairwise_gain *)
Definition py_pairwise_gain (t : 'I_2 -> 'I_2 -> R) : R :=
  (`|(((t 0 0) * (t 1 1)) - ((t 0 1) * (t 1 0)))| / 2%:R).

(* splitcrit.criteria.library._crossings *)
Definition py_crossing K (t : 'I_2 -> 'I_K -> R) (k : 'I_K) : R :=
  (((t 0 k) * (\sum_(k < K) (t 1 k))) - ((t 1 k) * (\sum_(k < K) (t 0 k)))).

(* splitcrit.criteria.library._twoing *)
Definition py_twoing K (t : 'I_2 -> 'I_K -> R) : R :=
  (((\sum_(k < K) `|(((t 0 k) * (\sum_(k < K) (t 1 k))) - ((t 1 k) * (\sum_(k < K) (t 0 k))))|) * (\sum_(k < K) `|(((t 0 k) * (\sum_(k < K) (t 1 k))) - ((t 1 k) * (\sum_(k < K) (t 0 k))))|)) / (if (((((4%:R * ((\sum_(k < K) (t 0 k)) + (\sum_(k < K) (t 1 k)))) * ((\sum_(k < K) (t 0 k)) + (\sum_(k < K) (t 1 k)))) * (\sum_(k < K) (t 0 k))) * (\sum_(k < K) (t 1 k))) == 0) then 1 else ((((4%:R * ((\sum_(k < K) (t 0 k)) + (\sum_(k < K) (t 1 k)))) * ((\sum_(k < K) (t 0 k)) + (\sum_(k < K) (t 1 k)))) * (\sum_(k < K) (t 0 k))) * (\sum_(k < K) (t 1 k))))).

(* splitcrit.criteria.library._one_vs_rest *)
Definition py_one_vs_rest K (t : 'I_2 -> 'I_K -> R) : R :=
  ((\sum_(k < K) `|(((t 0 k) * (\sum_(k < K) (t 1 k))) - ((t 1 k) * (\sum_(k < K) (t 0 k))))|) / 4%:R).

(* splitcrit.criteria.library._sum_minority *)
Definition py_sum_minority r K (t : 'I_r -> 'I_K.+1 -> R) : R :=
  ((- (\sum_(i < r) ((\sum_(k < K.+1) (t i k)) - (\big[Num.max/(t i ord0)]_(k < K.+1) (t i k))))) / (if ((\sum_(i < r) (\sum_(k < K.+1) (t i k))) == 0) then 1 else (\sum_(i < r) (\sum_(k < K.+1) (t i k))))).

(* splitcrit.criteria.library.ImpreciseGain.upper_entropy *)
Definition py_upper_entropy K (s : R) (c : 'I_K.+1 -> R) : R :=
  (- (\sum_(k < K.+1) (xlogx log ((Num.max (c k) (\big[Num.min/((s + (\sum_(j < K.+1) ((c j) * (if ((c j) <= (c ord0)) then 1 else 0)))) / (\sum_(j < K.+1) (if ((c j) <= (c ord0)) then 1 else 0)))]_(k < K.+1) ((s + (\sum_(j < K.+1) ((c j) * (if ((c j) <= (c k)) then 1 else 0)))) / (\sum_(j < K.+1) (if ((c j) <= (c k)) then 1 else 0))))) / ((\sum_(k < K.+1) (c k)) + s))))).

(* splitcrit.criteria.library.ImpreciseGain *)
Definition py_imprecise_gain r K (s : R) (t : 'I_r.+1 -> 'I_K.+1 -> R) : R :=
  ((- (\sum_(j < K.+1) (xlogx log ((Num.max (\sum_(i < r.+1) (t i j)) (\big[Num.min/((s + (\sum_(k < K.+1) ((\sum_(i < r.+1) (t i k)) * (if ((\sum_(i < r.+1) (t i k)) <= (\sum_(i < r.+1) (t i ord0))) then 1 else 0)))) / (\sum_(k < K.+1) (if ((\sum_(i < r.+1) (t i k)) <= (\sum_(i < r.+1) (t i ord0))) then 1 else 0)))]_(j < K.+1) ((s + (\sum_(k < K.+1) ((\sum_(i < r.+1) (t i k)) * (if ((\sum_(i < r.+1) (t i k)) <= (\sum_(i < r.+1) (t i j))) then 1 else 0)))) / (\sum_(k < K.+1) (if ((\sum_(i < r.+1) (t i k)) <= (\sum_(i < r.+1) (t i j))) then 1 else 0))))) / ((\sum_(j < K.+1) (\sum_(i < r.+1) (t i j))) + s))))) - (((\sum_(i < r.+1) ((\sum_(k < K.+1) (t i k)) * (- (\sum_(k < K.+1) (xlogx log ((Num.max (t i k) (\big[Num.min/((s + (\sum_(j < K.+1) ((t i j) * (if ((t i j) <= (t i ord0)) then 1 else 0)))) / (\sum_(j < K.+1) (if ((t i j) <= (t i ord0)) then 1 else 0)))]_(k < K.+1) ((s + (\sum_(j < K.+1) ((t i j) * (if ((t i j) <= (t i k)) then 1 else 0)))) / (\sum_(j < K.+1) (if ((t i j) <= (t i k)) then 1 else 0))))) / ((\sum_(k < K.+1) (t i k)) + s))))))) + (s * (\big[Num.max/(- (\sum_(k < K.+1) (xlogx log ((Num.max (t ord0 k) (\big[Num.min/((s + (\sum_(j < K.+1) ((t ord0 j) * (if ((t ord0 j) <= (t ord0 ord0)) then 1 else 0)))) / (\sum_(j < K.+1) (if ((t ord0 j) <= (t ord0 ord0)) then 1 else 0)))]_(k < K.+1) ((s + (\sum_(j < K.+1) ((t ord0 j) * (if ((t ord0 j) <= (t ord0 k)) then 1 else 0)))) / (\sum_(j < K.+1) (if ((t ord0 j) <= (t ord0 k)) then 1 else 0))))) / ((\sum_(k < K.+1) (t ord0 k)) + s)))))]_(i < r.+1) (- (\sum_(k < K.+1) (xlogx log ((Num.max (t i k) (\big[Num.min/((s + (\sum_(j < K.+1) ((t i j) * (if ((t i j) <= (t i ord0)) then 1 else 0)))) / (\sum_(j < K.+1) (if ((t i j) <= (t i ord0)) then 1 else 0)))]_(k < K.+1) ((s + (\sum_(j < K.+1) ((t i j) * (if ((t i j) <= (t i k)) then 1 else 0)))) / (\sum_(j < K.+1) (if ((t i j) <= (t i k)) then 1 else 0))))) / ((\sum_(k < K.+1) (t i k)) + s)))))))) / ((\sum_(i < r.+1) (\sum_(k < K.+1) (t i k))) + s))).

(* splitcrit.noise.transitions.Symmetric *)
Definition py_symmetric K (eta : R) (j k : 'I_K) : R :=
  (if (j == k) then (1 - eta) else (eta / (K%:R - 1))).

Definition py_symmetric_asks K (eta : R) (j k : 'I_K) : bool :=
  (~~ ((K%:R : R) < 2%:R)).

(* splitcrit.noise.transitions.ClassConditional *)
Definition py_class_conditional_00 (tau_pos tau_neg : R) : R :=
  (1 - tau_neg).

(* splitcrit.noise.transitions.ClassConditional *)
Definition py_class_conditional_01 (tau_pos tau_neg : R) : R :=
  tau_neg.

(* splitcrit.noise.transitions.ClassConditional *)
Definition py_class_conditional_10 (tau_pos tau_neg : R) : R :=
  tau_pos.

(* splitcrit.noise.transitions.ClassConditional *)
Definition py_class_conditional_11 (tau_pos tau_neg : R) : R :=
  (1 - tau_pos).

(* splitcrit.noise.channel.Channel.on_distribution *)
Definition py_on_distribution K (S : 'I_K -> 'I_K -> R) (p : 'I_K -> R) (j : 'I_K) : R :=
  (\sum_(k < K) ((p k) * (S k j))).

(* splitcrit.noise.channel.Channel.expected *)
Definition py_expected r K (S : 'I_K -> 'I_K -> R) (t : 'I_r -> 'I_K -> R) (i : 'I_r) (j : 'I_K) : R :=
  (\sum_(k < K) ((t i k) * (S k j))).

(* splitcrit.noise.transitions.Composed *)
Definition py_composed K (S T : 'I_K -> 'I_K -> R) (j k : 'I_K) : R :=
  (\sum_(l < K) ((S j l) * (T l k))).

(* splitcrit.noise.transitions.ClassConditional *)
Definition py_class_conditional (tau_pos tau_neg : R) (j k : 'I_2) : R :=
  (if (j == 0) then (if (k == 0) then (1 - tau_neg) else tau_neg) else (if (k == 0) then tau_pos else (1 - tau_pos))).

(* splitcrit.noise.transitions.PairFlip, 2 classes *)
Definition py_pair_flip_2 (eta : R) (j k : 'I_2) : R :=
  (if (j == 0) then (if (k == 0) then (1 - eta) else eta) else (if (k == 0) then eta else (1 - eta))).

(* splitcrit.noise.transitions.PairFlip, 3 classes *)
Definition py_pair_flip_3 (eta : R) (j k : 'I_3) : R :=
  (if (j == 0) then (if (k == 0) then (1 - eta) else (if (k == 1) then eta else (0 * eta))) else (if (j == 1) then (if (k == 0) then (0 * eta) else (if (k == 1) then (1 - eta) else eta)) else (if (k == 0) then eta else (if (k == 1) then (0 * eta) else (1 - eta))))).

(* splitcrit.noise.transitions.PairFlip, 4 classes *)
Definition py_pair_flip_4 (eta : R) (j k : 'I_4) : R :=
  (if (j == 0) then (if (k == 0) then (1 - eta) else (if (k == 1) then eta else (if (k == 2%:R) then (0 * eta) else (0 * eta)))) else (if (j == 1) then (if (k == 0) then (0 * eta) else (if (k == 1) then (1 - eta) else (if (k == 2%:R) then eta else (0 * eta)))) else (if (j == 2%:R) then (if (k == 0) then (0 * eta) else (if (k == 1) then (0 * eta) else (if (k == 2%:R) then (1 - eta) else eta))) else (if (k == 0) then eta else (if (k == 1) then (0 * eta) else (if (k == 2%:R) then (0 * eta) else (1 - eta))))))).

(* splitcrit.criteria.gain.Decrease of variance(v) *)
Definition py_decrease_variance r K (v : 'I_K -> R) (t : 'I_r -> 'I_K -> R) : R :=
  ((((\sum_(i < r) (\sum_(k < K) (t i k))) * (\sum_(j < K) ((((if ((\sum_(i < r) (\sum_(k < K) (t i k))) == 0) then 1 else (\sum_(i < r) (t i j))) / (if ((\sum_(i < r) (\sum_(k < K) (t i k))) == 0) then K%:R else (\sum_(i < r) (\sum_(k < K) (t i k))))) * ((v j) - (\sum_(j < K) (((if ((\sum_(i < r) (\sum_(k < K) (t i k))) == 0) then 1 else (\sum_(i < r) (t i j))) / (if ((\sum_(i < r) (\sum_(k < K) (t i k))) == 0) then K%:R else (\sum_(i < r) (\sum_(k < K) (t i k))))) * (v j))))) * ((v j) - (\sum_(j < K) (((if ((\sum_(i < r) (\sum_(k < K) (t i k))) == 0) then 1 else (\sum_(i < r) (t i j))) / (if ((\sum_(i < r) (\sum_(k < K) (t i k))) == 0) then K%:R else (\sum_(i < r) (\sum_(k < K) (t i k))))) * (v j))))))) - (\sum_(i < r) ((\sum_(k < K) (t i k)) * (\sum_(k < K) ((((if ((\sum_(k < K) (t i k)) == 0) then 1 else (t i k)) / (if ((\sum_(k < K) (t i k)) == 0) then K%:R else (\sum_(k < K) (t i k)))) * ((v k) - (\sum_(k < K) (((if ((\sum_(k < K) (t i k)) == 0) then 1 else (t i k)) / (if ((\sum_(k < K) (t i k)) == 0) then K%:R else (\sum_(k < K) (t i k)))) * (v k))))) * ((v k) - (\sum_(k < K) (((if ((\sum_(k < K) (t i k)) == 0) then 1 else (t i k)) / (if ((\sum_(k < K) (t i k)) == 0) then K%:R else (\sum_(k < K) (t i k)))) * (v k))))))))) / (if ((\sum_(i < r) (\sum_(k < K) (t i k))) == 0) then 1 else (\sum_(i < r) (\sum_(k < K) (t i k))))).

(* splitcrit.losses.simplex.pairwise *)
Definition py_pairwise (score_pos score_neg : R) : R :=
  (if (score_neg < score_pos) then (0 * (((score_pos - score_pos) + 1) / 2%:R)) else (if (score_pos < score_neg) then (2%:R * (((score_pos - score_pos) + 1) / 2%:R)) else (((score_pos - score_pos) + 1) / 2%:R))).

(* splitcrit.nulls.formulas.mean *)
Definition py_mean (n r unlike : R) : R :=
  (((r - 1) * unlike) / ((n - 1) * (n ^+ 2))).

(* splitcrit.nulls.formulas.uneven_rows *)
Definition py_uneven_rows (n r h : R) : R :=
  (((n ^+ 2) * h) - (n * (r ^+ 2))).

(* splitcrit.nulls.formulas.uneven_row *)
Definition py_uneven_row (n r a w : R) : R :=
  (((n - (r * a)) ^+ 2) * w).

(* splitcrit.nulls.formulas.thick_rows *)
Definition py_thick_rows (n r uneven : R) : R :=
  ((((n - 2%:R) * (n - r)) * (r - 1)) - (((n - 1) * uneven) / n)).

(* splitcrit.nulls.formulas.thick_row *)
Definition py_thick_row (n r a w : R) : R :=
  ((a - 1) * ((((n - a) * ((n - a) - 1)) * w) + ((n - r) - (a - 1)))).

(* splitcrit.nulls.formulas.uneven_classes *)
Definition py_uneven_classes (n s2 s3 : R) : R :=
  (s3 - ((s2 ^+ 2) / n)).

(* splitcrit.nulls.formulas.uneven_class *)
Definition py_uneven_class (b apart : R) : R :=
  (b * (apart ^+ 2)).

(* splitcrit.nulls.formulas.thick_classes *)
Definition py_thick_classes (n s2 uneven : R) : R :=
  (((((n - 2%:R) * (s2 - n)) * ((n ^+ 2) - s2)) / n) - ((2%:R * (n - 1)) * uneven)).

(* splitcrit.nulls.formulas.thick_class *)
Definition py_thick_class (n b others : R) : R :=
  ((b * (b - 1)) * (((n - b) * ((n - b) - 1)) + others)).

(* splitcrit.nulls.formulas.uneven_weight *)
Definition py_uneven_weight (n uneven : R) : R :=
  (((4%:R * uneven) / ((n - 1) * ((n - 2%:R) ^+ 2))) / (n ^+ 4)).

(* splitcrit.nulls.formulas.thick_weight *)
Definition py_thick_weight (n thick : R) : R :=
  (((2%:R * (thick / (((n * (n - 1)) * (n - 2%:R)) * (n - 3%:R)))) / ((n - 1) * (n - 2%:R))) / (n ^+ 2)).

(* splitcrit.nulls.formulas.variance *)
Definition py_variance (uneven_weight uneven thick_weight thick : R) : R :=
  ((uneven_weight * uneven) + (thick_weight * thick)).

(* splitcrit.nulls.formulas.signed_square *)
Definition py_signed_square (above variance : R) : R :=
  ((above ^+ 2) / variance).

(* splitcrit.nulls.formulas.independent_mean *)
Definition py_independent_mean (n r unlike : R) : R :=
  (((r - 1) * unlike) / (n ^+ 3)).

(* splitcrit.nulls.formulas.independent_uneven *)
Definition py_independent_uneven (n r uneven : R) : R :=
  (uneven + (n * ((r - 1) ^+ 2))).

(* splitcrit.nulls.formulas.independent_row *)
Definition py_independent_row (n a w : R) : R :=
  (((a - 1) * (n - a)) * w).

(* splitcrit.nulls.formulas.independent_class *)
Definition py_independent_class (n b others : R) : R :=
  ((b ^+ 2) * (((n - b) ^+ 2) + others)).

(* splitcrit.nulls.formulas.independent_uneven_weight *)
Definition py_independent_uneven_weight (n uneven : R) : R :=
  ((4%:R * (uneven / (n ^+ 3))) / (n ^+ 4)).

(* splitcrit.nulls.formulas.independent_thick_weight *)
Definition py_independent_thick_weight (n thick : R) : R :=
  ((2%:R * (thick / (n ^+ 4))) / (n ^+ 3)).

(* splitcrit.nulls.formulas.row_sums, part 0 *)
Definition py_row_sums_0 (n r h h2 : R) : R :=
  (n - r).

(* splitcrit.nulls.formulas.row_sums, part 1 *)
Definition py_row_sums_1 (n r h h2 : R) : R :=
  (r - h).

(* splitcrit.nulls.formulas.row_sums, part 2 *)
Definition py_row_sums_2 (n r h h2 : R) : R :=
  ((n - (3%:R * r)) + (2%:R * h)).

(* splitcrit.nulls.formulas.row_sums, part 3 *)
Definition py_row_sums_3 (n r h h2 : R) : R :=
  (h - h2).

(* splitcrit.nulls.formulas.row_sums, part 4 *)
Definition py_row_sums_4 (n r h h2 : R) : R :=
  ((r - (3%:R * h)) + (2%:R * h2)).

(* splitcrit.nulls.formulas.row_sums, part 5 *)
Definition py_row_sums_5 (n r h h2 : R) : R :=
  (((n - (6%:R * r)) + (11%:R * h)) - (6%:R * h2)).

(* splitcrit.nulls.formulas.class_sums, part 0 *)
Definition py_class_sums_0 (n s2 s3 s4 : R) : R :=
  (s2 - n).

(* splitcrit.nulls.formulas.class_sums, part 1 *)
Definition py_class_sums_1 (n s2 s3 s4 : R) : R :=
  (s2 - n).

(* splitcrit.nulls.formulas.class_sums, part 2 *)
Definition py_class_sums_2 (n s2 s3 s4 : R) : R :=
  ((s3 - (3%:R * s2)) + (2%:R * n)).

(* splitcrit.nulls.formulas.class_sums, part 3 *)
Definition py_class_sums_3 (n s2 s3 s4 : R) : R :=
  (s2 - n).

(* splitcrit.nulls.formulas.class_sums, part 4 *)
Definition py_class_sums_4 (n s2 s3 s4 : R) : R :=
  ((s3 - (3%:R * s2)) + (2%:R * n)).

(* splitcrit.nulls.formulas.class_sums, part 5 *)
Definition py_class_sums_5 (n s2 s3 s4 : R) : R :=
  (((s4 - (6%:R * s3)) + (11%:R * s2)) - (6%:R * n)).

(* splitcrit.nulls.formulas.shapes, part 0 *)
Definition py_shapes_0 (x s22 s32 s23 s33 s43 : R) : R :=
  s23.

(* splitcrit.nulls.formulas.shapes, part 1 *)
Definition py_shapes_1 (x s22 s32 s23 s33 s43 : R) : R :=
  s33.

(* splitcrit.nulls.formulas.shapes, part 2 *)
Definition py_shapes_2 (x s22 s32 s23 s33 s43 : R) : R :=
  s33.

(* splitcrit.nulls.formulas.shapes, part 3 *)
Definition py_shapes_3 (x s22 s32 s23 s33 s43 : R) : R :=
  s43.

(* splitcrit.nulls.formulas.shapes, part 4 *)
Definition py_shapes_4 (x s22 s32 s23 s33 s43 : R) : R :=
  s43.

(* splitcrit.nulls.formulas.shapes, part 5 *)
Definition py_shapes_5 (x s22 s32 s23 s33 s43 : R) : R :=
  (((s22 * x) - (4%:R * s33)) - (2%:R * s23)).

(* splitcrit.nulls.formulas.shapes, part 6 *)
Definition py_shapes_6 (x s22 s32 s23 s33 s43 : R) : R :=
  (((s32 * x) - (6%:R * s43)) - (6%:R * s33)).

(* splitcrit.nulls.formulas.shapes, part 7 *)
Definition py_shapes_7 (x s22 s32 s23 s33 s43 : R) : R :=
  (((((x ^+ 3) - (x * ((12%:R * s32) + (6%:R * s22)))) + (40%:R * s43)) + (64%:R * s33)) + (8%:R * s23)).

(* splitcrit.nulls.formulas.third_moment *)
Definition py_third_moment (n raw first variance : R) : R :=
  ((raw - (first * (((3%:R * (n ^+ 2)) * variance) + (first ^+ 2)))) / (n ^+ 3)).

(* splitcrit.nulls.formulas.row_block, part 0 *)
Definition py_row_block_0 (n r a w : R) : R :=
  (((((n - 1) * (n - a)) * w) - (r - 1)) / ((n - 1) * (n - 2%:R))).

(* splitcrit.nulls.formulas.row_block, part 1 *)
Definition py_row_block_1 (n r a w : R) : R :=
  ((((r * a) - n) * w) / (n * (n - 2%:R))).

(* splitcrit.nulls.formulas.row_across *)
Definition py_row_across (n r w other : R) : R :=
  ((((n - 1) * (w + other)) - ((n - 2%:R) + r)) / ((n - 1) * (n - 2%:R))).

(* splitcrit.nulls.formulas.class_block *)
Definition py_class_block (n b others : R) : R :=
  ((((n - b) / (n - 1)) * (((n - b) - 1) / (n - 2%:R))) + (others / ((n - 1) * (n - 2%:R)))).

(* splitcrit.nulls.formulas.class_across *)
Definition py_class_across (n b other rest : R) : R :=
  (((rest - ((2%:R * (b - 1)) * (other - 1))) - (((n - b) - other) * ((b + other) - 2%:R))) / ((n - 1) * (n - 2%:R))).

(* splitcrit.nulls.formulas.invariant_terms, part 0 *)
Definition py_invariant_terms_0 (a same squares cubes apart : R) : R :=
  (a * (((((a - 1) * same) * same) * same) + cubes)).

(* splitcrit.nulls.formulas.invariant_terms, part 1 *)
Definition py_invariant_terms_1 (a same squares cubes apart : R) : R :=
  (a * (((a - 1) * same) * ((((a - 2%:R) * same) * same) + (3%:R * squares)))).

(* splitcrit.nulls.formulas.invariant_terms, part 2 *)
Definition py_invariant_terms_2 (a same squares cubes apart : R) : R :=
  ((a * apart) * ((((a - 1) * same) * same) + squares)).

(* splitcrit.nulls.formulas.invariant_terms, part 3 *)
Definition py_invariant_terms_3 (a same squares cubes apart : R) : R :=
  (((a * ((a - 1) * same)) * apart) * apart).

(* splitcrit.nulls.formulas.invariant_terms, part 4 *)
Definition py_invariant_terms_4 (a same squares cubes apart : R) : R :=
  (a * (apart ^+ 3)).

(* splitcrit.nulls.formulas.third_by_invariants *)
Definition py_third_by_invariants (n0 n1 n2 n3 n4 n5 c0 c1 t0 t1 d0 d1 p0 p1 f0 f1 : R) : R :=
  (((((((((4%:R * c0) * c1) / (n0 * n1)) + ((((24%:R * c0) * c1) + ((8%:R * t0) * t1)) / ((n0 * n1) * n2))) + ((((56%:R * c0) * c1) + ((24%:R * (c0 - t0)) * (c1 - t1))) / (((n0 * n1) * n2) * n3))) + ((48%:R * (((2%:R * c0) - t0) * (((2%:R * c1) - t1) / (((n0 * n1) * n2) * n3)))) / n4)) + ((64%:R * (((2%:R * c0) - t0) * (((2%:R * c1) - t1) / (((n0 * n1) * n2) * n3)))) / (n4 * n5))) + ((n2 ^+ 2) * ((24%:R * ((d0 * (d1 / ((n1 * n3) * n4))) + (p0 * (p1 / (n0 * n3))))) + ((8%:R * f0) * ((f1 * n0) / n1))))) / (n0 ^+ 3)).

(* splitcrit.nulls.permutation.exact_mean *)
Definition py_exact_mean r K (a : 'I_r -> R) (b : 'I_K -> R) : R :=
  (if ((\sum_(i < r) (a i)) < 2%:R) then 0 else (py_mean (\sum_(i < r) (a i)) r%:R (((\sum_(i < r) (a i)) * (\sum_(i < r) (a i))) - (\sum_(k < K) ((b k) * (b k)))))).

(* splitcrit.nulls.permutation.exact_variance *)
Definition py_exact_variance r K (a : 'I_r -> R) (b : 'I_K -> R) (d : R) : R :=
  (if ((\sum_(i < r) (a i)) < 3%:R) then 0 else (if ((\sum_(k < K) (b k)) < 3%:R) then (py_variance 0 (py_uneven_rows (\sum_(i < r) (a i)) r%:R ((\sum_(i < r) (d / (a i))) / d)) 0 (py_thick_rows (\sum_(i < r) (a i)) r%:R (py_uneven_rows (\sum_(i < r) (a i)) r%:R ((\sum_(i < r) (d / (a i))) / d)))) else (if (4%:R <= (\sum_(k < K) (b k))) then (py_variance (py_uneven_weight (\sum_(k < K) (b k)) (py_uneven_classes (\sum_(k < K) (b k)) (\sum_(k < K) ((b k) * (b k))) (\sum_(k < K) ((b k) ^+ 3)))) (py_uneven_rows (\sum_(i < r) (a i)) r%:R ((\sum_(i < r) (d / (a i))) / d)) (py_thick_weight (\sum_(k < K) (b k)) (py_thick_classes (\sum_(k < K) (b k)) (\sum_(k < K) ((b k) * (b k))) (py_uneven_classes (\sum_(k < K) (b k)) (\sum_(k < K) ((b k) * (b k))) (\sum_(k < K) ((b k) ^+ 3))))) (py_thick_rows (\sum_(i < r) (a i)) r%:R (py_uneven_rows (\sum_(i < r) (a i)) r%:R ((\sum_(i < r) (d / (a i))) / d)))) else (py_variance (py_uneven_weight (\sum_(k < K) (b k)) (py_uneven_classes (\sum_(k < K) (b k)) (\sum_(k < K) ((b k) * (b k))) (\sum_(k < K) ((b k) ^+ 3)))) (py_uneven_rows (\sum_(i < r) (a i)) r%:R ((\sum_(i < r) (d / (a i))) / d)) 0 (py_thick_rows (\sum_(i < r) (a i)) r%:R (py_uneven_rows (\sum_(i < r) (a i)) r%:R ((\sum_(i < r) (d / (a i))) / d))))))).

(* splitcrit.nulls.third_moment.exact_third *)
Definition py_exact_third r K (a : 'I_r -> R) (b : 'I_K -> R) (d : R) : R :=
  let x0 := (\sum_(i < r) (a i)) in
  let x1 := ((\sum_(i < r) (d / (a i))) / d) in
  let x2 := ((\sum_(i < r) ((d / (a i)) ^+ 2)) / (d * d)) in
  let x3 := (py_row_sums_0 x0 r%:R x1 x2) in
  let x4 := (py_row_sums_1 x0 r%:R x1 x2) in
  let x5 := (py_row_sums_2 x0 r%:R x1 x2) in
  let x6 := (py_row_sums_3 x0 r%:R x1 x2) in
  let x7 := (py_row_sums_4 x0 r%:R x1 x2) in
  let x8 := (py_row_sums_5 x0 r%:R x1 x2) in
  let x9 := (\sum_(k < K) ((b k) ^+ 2)) in
  let x10 := (\sum_(k < K) ((b k) ^+ 3)) in
  let x11 := (\sum_(k < K) ((b k) ^+ 4)) in
  let x12 := (py_class_sums_0 x0 x9 x10 x11) in
  let x13 := (py_class_sums_1 x0 x9 x10 x11) in
  let x14 := (py_class_sums_2 x0 x9 x10 x11) in
  let x15 := (py_class_sums_3 x0 x9 x10 x11) in
  let x16 := (py_class_sums_4 x0 x9 x10 x11) in
  let x17 := (py_class_sums_5 x0 x9 x10 x11) in
  let x18 := ((1 * (x0 - 0)) * (x0 - 1)) in
  let x19 := (x18 * (x0 - 2%:R)) in
  let x20 := (((((py_shapes_0 x3 x4 x5 x6 x7 x8) * (4%:R * (py_shapes_0 x12 x13 x14 x15 x16 x17))) / x18) + (((py_shapes_1 x3 x4 x5 x6 x7 x8) * (24%:R * (py_shapes_1 x12 x13 x14 x15 x16 x17))) / x19)) + (((py_shapes_2 x3 x4 x5 x6 x7 x8) * (8%:R * (py_shapes_2 x12 x13 x14 x15 x16 x17))) / x19)) in
  let x21 := (x19 * (x0 - 3%:R)) in
  let x22 := (((x20 + (((py_shapes_3 x3 x4 x5 x6 x7 x8) * (24%:R * (py_shapes_3 x12 x13 x14 x15 x16 x17))) / x21)) + (((py_shapes_4 x3 x4 x5 x6 x7 x8) * (8%:R * (py_shapes_4 x12 x13 x14 x15 x16 x17))) / x21)) + (((py_shapes_5 x3 x4 x5 x6 x7 x8) * (6%:R * (py_shapes_5 x12 x13 x14 x15 x16 x17))) / x21)) in
  let x23 := (x21 * (x0 - 4%:R)) in
  let x24 := (x22 + (((py_shapes_6 x3 x4 x5 x6 x7 x8) * (12%:R * (py_shapes_6 x12 x13 x14 x15 x16 x17))) / x23)) in
  let x25 := ((x3 * x12) / x18) in
  let x26 := (py_exact_variance a b d) in
  (if (x0 < 3%:R) then 0 else (if (4%:R <= x0) then (if (5%:R <= x0) then (if (6%:R <= x0) then (py_third_moment x0 (0 + (x24 + (((py_shapes_7 x3 x4 x5 x6 x7 x8) * (1 * (py_shapes_7 x12 x13 x14 x15 x16 x17))) / (x23 * (x0 - 5%:R))))) x25 x26) else (py_third_moment x0 (0 + x24) x25 x26)) else (py_third_moment x0 (0 + x22) x25 x26)) else (py_third_moment x0 (0 + x20) x25 x26))).

(* splitcrit.nulls.chance_criteria.SGini.__call__ *)
Definition py_sgini r K (a : 'I_r -> R) (b : 'I_K -> R) (gain d : R) : R :=
  (if (~~ ((py_exact_variance a b d) == 0)) then ((gain - (py_exact_mean a b)) / (sqrt (py_exact_variance a b d))) else 0).

(* splitcrit.nulls.chance_criteria.AGini.__call__, model permutation *)
Definition py_agini r K (a : 'I_r -> R) (b : 'I_K -> R) (alpha gain d : R) : R :=
  (if (~~ ((r%:R : R) == 0)) then ((gain - (py_exact_mean a b)) - (sqrt (((1 - alpha) / alpha) * (py_exact_variance a b d)))) else 0).

(* splitcrit.nulls.permutation.exact_mean, of two rows and two classes *)
Definition py_exact_mean_of_two (m rest b other d : R) : R :=
  (if ((m + rest) < 2%:R) then 0 else (py_mean (m + rest) 2%:R (((m + rest) * (m + rest)) - ((b * b) + (other * other))))).

(* splitcrit.nulls.permutation.exact_variance, of two rows and two classes *)
Definition py_exact_variance_of_two (m rest b other d : R) : R :=
  (if ((m + rest) < 3%:R) then 0 else (if ((b + other) < 3%:R) then (py_variance 0 (py_uneven_rows (m + rest) 2%:R (((d / m) + (d / rest)) / d)) 0 (py_thick_rows (m + rest) 2%:R (py_uneven_rows (m + rest) 2%:R (((d / m) + (d / rest)) / d)))) else (if (4%:R <= (b + other)) then (py_variance (py_uneven_weight (b + other) (py_uneven_classes (b + other) ((b * b) + (other * other)) ((b ^+ 3) + (other ^+ 3)))) (py_uneven_rows (m + rest) 2%:R (((d / m) + (d / rest)) / d)) (py_thick_weight (b + other) (py_thick_classes (b + other) ((b * b) + (other * other)) (py_uneven_classes (b + other) ((b * b) + (other * other)) ((b ^+ 3) + (other ^+ 3))))) (py_thick_rows (m + rest) 2%:R (py_uneven_rows (m + rest) 2%:R (((d / m) + (d / rest)) / d)))) else (py_variance (py_uneven_weight (b + other) (py_uneven_classes (b + other) ((b * b) + (other * other)) ((b ^+ 3) + (other ^+ 3)))) (py_uneven_rows (m + rest) 2%:R (((d / m) + (d / rest)) / d)) 0 (py_thick_rows (m + rest) 2%:R (py_uneven_rows (m + rest) 2%:R (((d / m) + (d / rest)) / d))))))).

(* splitcrit.nulls.extremes.PairwiseGain.key *)
Definition py_key_of_pairwise_gain (n b m distance : R) : R :=
  (`|distance| / 2%:R).

(* splitcrit.nulls.extremes.GiniGain.key *)
Definition py_key_of_gini_gain (n b m distance : R) : R :=
  (((2%:R * distance) * distance) / (((n * n) * m) * (n - m))).

(* splitcrit.nulls.extremes.StandardisedGain.key *)
Definition py_key_of_sgini (n b m distance d : R) : R :=
  (if (~~ ((py_exact_variance_of_two m (n - m) b (n - b) d) == 0)) then (if (0 < ((py_key_of_gini_gain n b m distance) - (py_exact_mean_of_two m (n - m) b (n - b) d))) then (py_signed_square ((py_key_of_gini_gain n b m distance) - (py_exact_mean_of_two m (n - m) b (n - b) d)) (py_exact_variance_of_two m (n - m) b (n - b) d)) else (- (py_signed_square ((py_key_of_gini_gain n b m distance) - (py_exact_mean_of_two m (n - m) b (n - b) d)) (py_exact_variance_of_two m (n - m) b (n - b) d)))) else (if (0 < ((py_key_of_gini_gain n b m distance) - (py_exact_mean_of_two m (n - m) b (n - b) d))) then 0 else (- 0))).

(* splitcrit.trees.scan.scan_sums.combined, kind RATIO *)
Definition py_scan_sums (left right m rest : R) : R :=
  ((left * (1 / m)) + (right * (1 / rest))).

(* splitcrit.trees.scan.formulas_compiled.spread *)
Definition py_scan_spread (n m w w_rest uneven_by thick_by : R) : R :=
  (py_variance uneven_by ((py_uneven_row n 2%:R m w) + (py_uneven_row n 2%:R (n - m) w_rest)) thick_by ((py_thick_row n 2%:R m w) + (py_thick_row n 2%:R (n - m) w_rest))).

(* splitcrit.trees.scan.formulas_compiled.independent_spread *)
Definition py_scan_independent_spread (n m w w_rest uneven_by thick_by : R) : R :=
  (py_variance uneven_by (py_independent_uneven n 2%:R ((py_uneven_row n 2%:R m w) + (py_uneven_row n 2%:R (n - m) w_rest))) thick_by (((py_independent_row n m w) + (py_independent_row n (n - m) w_rest)) + 1)).

(* splitcrit.nulls.monte_carlo.estimated, the p-value *)
Definition py_estimated (reached samples : R) : R :=
  ((1 + reached) / (1 + samples)).

(* splitcrit.nulls.third_moment._invariants, part 0 *)
Definition py_invariants_0 K (size same f : 'I_K -> R) (across : 'I_K -> 'I_K -> R) : R :=
  (\sum_(j < K) ((size j) * ((((((size j) - 1) * (same j)) * (same j)) * (same j)) + (\sum_(k < K) ((((size k) * (if (j == k) then (0 * (across j k)) else (across j k))) * (if (j == k) then (0 * (across j k)) else (across j k))) * (if (j == k) then (0 * (across j k)) else (across j k))))))).

(* splitcrit.nulls.third_moment._invariants, part 1 *)
Definition py_invariants_1 K (size same f : 'I_K -> R) (across : 'I_K -> 'I_K -> R) : R :=
  ((\sum_(j < K) ((size j) * ((((size j) - 1) * (same j)) * (((((size j) - 2%:R) * (same j)) * (same j)) + (3%:R * (\sum_(k < K) (((size k) * (if (j == k) then (0 * (across j k)) else (across j k))) * (if (j == k) then (0 * (across j k)) else (across j k))))))))) + (\sum_(j < K) ((size j) * (\sum_(k < K) (\sum_(l < K) ((((size k) * ((size l) * (if (k == l) then (0 * (across k l)) else (across k l)))) * (if (k == j) then (0 * (across k j)) else (across k j))) * (if (j == l) then (0 * (across j l)) else (across j l)))))))).

(* splitcrit.nulls.third_moment._invariants, part 2 *)
Definition py_invariants_2 K (size same f : 'I_K -> R) (across : 'I_K -> 'I_K -> R) : R :=
  (\sum_(j < K) (((size j) * (f j)) * (((((size j) - 1) * (same j)) * (same j)) + (\sum_(k < K) (((size k) * (if (j == k) then (0 * (across j k)) else (across j k))) * (if (j == k) then (0 * (across j k)) else (across j k))))))).

(* splitcrit.nulls.third_moment._invariants, part 3 *)
Definition py_invariants_3 K (size same f : 'I_K -> R) (across : 'I_K -> 'I_K -> R) : R :=
  ((\sum_(j < K) ((((size j) * (((size j) - 1) * (same j))) * (f j)) * (f j))) + (\sum_(j < K) (\sum_(k < K) ((((size j) * ((size k) * (if (j == k) then (0 * (across j k)) else (across j k)))) * (f j)) * (f k))))).

(* splitcrit.nulls.third_moment._invariants, part 4 *)
Definition py_invariants_4 K (size same f : 'I_K -> R) (across : 'I_K -> 'I_K -> R) : R :=
  (\sum_(j < K) ((size j) * ((f j) ^+ 3))).

(* splitcrit.nulls.third_moment._of_rows, same *)
Definition py_rows_same K (a : 'I_K -> R) (n : R) (j : 'I_K) : R :=
  (py_row_block_0 (Num.max n 3%:R) (\sum_(j < K) (if ((a j) == 0) then 0 else 1)) (a j) (1 / (if ((a j) == 0) then ((a j) + 1) else (a j)))).

(* splitcrit.nulls.third_moment._of_rows, f *)
Definition py_rows_f K (a : 'I_K -> R) (n : R) (j : 'I_K) : R :=
  (py_row_block_1 (Num.max n 3%:R) (\sum_(j < K) (if ((a j) == 0) then 0 else 1)) (a j) (1 / (if ((a j) == 0) then ((a j) + 1) else (a j)))).

(* splitcrit.nulls.third_moment._of_rows, across *)
Definition py_rows_across K (a : 'I_K -> R) (n : R) (j k : 'I_K) : R :=
  (py_row_across (Num.max n 3%:R) (\sum_(j < K) (if ((a j) == 0) then 0 else 1)) (1 / (if ((a j) == 0) then ((a j) + 1) else (a j))) (1 / (if ((a k) == 0) then ((a k) + 1) else (a k)))).

(* splitcrit.nulls.third_moment._of_columns, same *)
Definition py_classes_same K (b : 'I_K.+1 -> R) (n : R) (top : 'I_K.+1) (j : 'I_K.+1) : R :=
  (py_class_block (Num.max n 3%:R) (b j) (if (j == top) then (\sum_(j < K.+1) (if (j == top) then (0 * ((b j) * ((b j) - 1))) else ((b j) * ((b j) - 1)))) else ((\big[Num.max/((b ord0) * ((b ord0) - 1))]_(j < K.+1) ((b j) * ((b j) - 1))) + ((\sum_(j < K.+1) (if (j == top) then (0 * ((b j) * ((b j) - 1))) else ((b j) * ((b j) - 1)))) - (if (j == top) then (0 * ((b j) * ((b j) - 1))) else ((b j) * ((b j) - 1))))))).

(* splitcrit.nulls.third_moment._of_columns, f *)
Definition py_classes_f K (b : 'I_K.+1 -> R) (n : R) (q : R) (j : 'I_K.+1) : R :=
  ((((b j) - q) - ((\sum_(j < K.+1) ((b j) * ((b j) - q))) / (if ((Num.max n 3%:R) == 0) then ((Num.max n 3%:R) + 1) else (Num.max n 3%:R)))) / ((Num.max n 3%:R) - 2%:R)).

(* splitcrit.nulls.third_moment._of_columns, across *)
Definition py_classes_across K (b : 'I_K.+1 -> R) (n : R) (j k : 'I_K.+1) : R :=
  (py_class_across (Num.max n 3%:R) (b j) (b k) (((\sum_(j < K.+1) ((b j) * ((b j) - 1))) - ((b j) * ((b j) - 1))) - ((b k) * ((b k) - 1)))).

(* splitcrit.nulls.third_moment.third_moment, the classes by their invariants *)
Definition py_third_moment_of_arrays K (a : 'I_K -> R) (q0 q1 q2 q3 q4 : R) : R :=
  (py_third_by_invariants (if ((\sum_(j < K) (a j)) == 0) then ((\sum_(j < K) (a j)) + 1) else (\sum_(j < K) (a j))) (Num.max ((\sum_(j < K) (a j)) - 1) 1) (Num.max ((\sum_(j < K) (a j)) - 2%:R) 1) (Num.max ((\sum_(j < K) (a j)) - 3%:R) 1) (Num.max ((\sum_(j < K) (a j)) - 4%:R) 1) (Num.max ((\sum_(j < K) (a j)) - 5%:R) 1) (py_invariants_0 a (py_rows_same a (\sum_(j < K) (a j))) (py_rows_f a (\sum_(j < K) (a j))) (py_rows_across a (\sum_(j < K) (a j)))) q0 (py_invariants_1 a (py_rows_same a (\sum_(j < K) (a j))) (py_rows_f a (\sum_(j < K) (a j))) (py_rows_across a (\sum_(j < K) (a j)))) q1 (py_invariants_2 a (py_rows_same a (\sum_(j < K) (a j))) (py_rows_f a (\sum_(j < K) (a j))) (py_rows_across a (\sum_(j < K) (a j)))) q2 (py_invariants_3 a (py_rows_same a (\sum_(j < K) (a j))) (py_rows_f a (\sum_(j < K) (a j))) (py_rows_across a (\sum_(j < K) (a j)))) q3 (py_invariants_4 a (py_rows_same a (\sum_(j < K) (a j))) (py_rows_f a (\sum_(j < K) (a j))) (py_rows_across a (\sum_(j < K) (a j)))) q4).

(* splitcrit.nulls.corner.ways_up *)
Definition py_ways_up (good draws x : R) : R :=
  ((good - x) * (draws - x)).

(* splitcrit.nulls.corner.ways_down *)
Definition py_ways_down (n good draws x : R) : R :=
  ((x + 1) * ((((n - good) - draws) + 1) + x)).

(* splitcrit.nulls.corner.covariance_of *)
Definition py_covariance_of K (p row column : 'I_K -> R) : R :=
  (\sum_(j < K) (((p j) * ((row j) - (\sum_(j < K) ((p j) * (row j))))) * ((column j) - (\sum_(j < K) ((p j) * (column j)))))).

(* splitcrit.nulls.corner.total_of_corners *)
Definition py_total_of_corners r K (times : 'I_r -> R) (many : 'I_K -> R) (covariances : 'I_r -> 'I_K -> R) : R :=
  (\sum_(i < r) ((times i) * (\sum_(k < K) ((many k) * (covariances i k))))).

(* splitcrit.nulls.corner.slope_given *)
Definition py_slope_given K (slope : R) (times slopes totals : 'I_K -> R) (room : R) : R :=
  (slope - (\sum_(k < K) (((times k) * (slopes k)) * ((totals k) / room)))).

End Generated.
