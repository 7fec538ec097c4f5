(* Printed by the code objects of splitcrit: python -m splitcrit.proofs.rocq.generate. Not to be edited. *)
From mathcomp Require Import all_ssreflect all_algebra.
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
  (\big[Num.min/(\sum_(k < K.+1) ((p k) * `|((v k) - (v ord0))|))]_(j < K.+1) (\sum_(k < K.+1) ((p k) * `|((v k) - (v j))|))).

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

(* splitcrit.losses.responses._Squared *)
Definition py_squared_error K (v : 'I_K -> R) (w : R) (k : 'I_K) : R :=
  ((w - (v k)) * (w - (v k))).

(* splitcrit.losses.responses._Absolute *)
Definition py_absolute_error K (v : 'I_K -> R) (w : R) (k : 'I_K) : R :=
  `|(w - (v k))|.

(* splitcrit.losses.responses._Mean *)
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

(* splitcrit.losses.margins._hinge, class 0 *)
Definition py_hinge_0 (w : R) : R :=
  (Num.max 0 (1 - (- w))).

(* splitcrit.losses.margins._hinge, class 1 *)
Definition py_hinge_1 (w : R) : R :=
  (Num.max 0 (1 - w)).

(* splitcrit.losses.margins._sign *)
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

(* splitcrit.criteria.library.Normalised of entropy *)
Definition py_gain_ratio r K (t : 'I_r.+1 -> 'I_K -> R) : R :=
  (if ((\sum_(i < r.+1) (\sum_(k < K) (t i k))) <= (\big[Num.max/(\sum_(k < K) (t ord0 k))]_(i < r.+1) (\sum_(k < K) (t i k)))) then 0 else (((((\sum_(i < r.+1) (\sum_(k < K) (t i k))) * (- (\sum_(j < K) (xlogx log ((if ((\sum_(i < r.+1) (\sum_(k < K) (t i k))) == 0) then 1 else (\sum_(i < r.+1) (t i j))) / (if ((\sum_(i < r.+1) (\sum_(k < K) (t i k))) == 0) then K%:R else (\sum_(i < r.+1) (\sum_(k < K) (t i k))))))))) - (\sum_(i < r.+1) ((\sum_(k < K) (t i k)) * (- (\sum_(k < K) (xlogx log ((if ((\sum_(k < K) (t i k)) == 0) then 1 else (t i k)) / (if ((\sum_(k < K) (t i k)) == 0) then K%:R else (\sum_(k < K) (t i k)))))))))) / (if ((\sum_(i < r.+1) (\sum_(k < K) (t i k))) == 0) then 1 else (\sum_(i < r.+1) (\sum_(k < K) (t i k))))) / (if ((\sum_(i < r.+1) (\sum_(k < K) (t i k))) <= (\big[Num.max/(\sum_(k < K) (t ord0 k))]_(i < r.+1) (\sum_(k < K) (t i k)))) then 1 else (- (\sum_(i < r.+1) (xlogx log ((\sum_(k < K) (t i k)) / (if ((\sum_(i < r.+1) (\sum_(k < K) (t i k))) == 0) then 1 else (\sum_(i < r.+1) (\sum_(k < K) (t i k))))))))))).

(* splitcrit.criteria.library._pairwise_gain *)
Definition py_pairwise_gain (t : 'I_2 -> 'I_2 -> R) : R :=
  (`|(((t 0 0) * (t 1 1)) - ((t 0 1) * (t 1 0)))| / 2%:R).

(* splitcrit.criteria.library._twoing *)
Definition py_twoing K (t : 'I_2 -> 'I_K -> R) : R :=
  (((\sum_(k < K) `|(((t 0 k) * (\sum_(k < K) (t 1 k))) - ((t 1 k) * (\sum_(k < K) (t 0 k))))|) * (\sum_(k < K) `|(((t 0 k) * (\sum_(k < K) (t 1 k))) - ((t 1 k) * (\sum_(k < K) (t 0 k))))|)) / (if (((((4%:R * ((\sum_(k < K) (t 0 k)) + (\sum_(k < K) (t 1 k)))) * ((\sum_(k < K) (t 0 k)) + (\sum_(k < K) (t 1 k)))) * (\sum_(k < K) (t 0 k))) * (\sum_(k < K) (t 1 k))) == 0) then 1 else ((((4%:R * ((\sum_(k < K) (t 0 k)) + (\sum_(k < K) (t 1 k)))) * ((\sum_(k < K) (t 0 k)) + (\sum_(k < K) (t 1 k)))) * (\sum_(k < K) (t 0 k))) * (\sum_(k < K) (t 1 k))))).

(* splitcrit.criteria.library._one_vs_rest *)
Definition py_one_vs_rest K (t : 'I_2 -> 'I_K -> R) : R :=
  ((\sum_(k < K) `|(((t 0 k) * (\sum_(k < K) (t 1 k))) - ((t 1 k) * (\sum_(k < K) (t 0 k))))|) / 4%:R).

(* splitcrit.criteria.library._sum_minority *)
Definition py_sum_minority r K (t : 'I_r -> 'I_K.+1 -> R) : R :=
  ((- (\sum_(i < r) ((\sum_(k < K.+1) (t i k)) - (\big[Num.max/(t i ord0)]_(k < K.+1) (t i k))))) / (if ((\sum_(i < r) (\sum_(k < K.+1) (t i k))) == 0) then 1 else (\sum_(i < r) (\sum_(k < K.+1) (t i k))))).

(* splitcrit.noise.transitions.Symmetric, for 2 <= K *)
Definition py_symmetric K (eta : R) (j k : 'I_K) : R :=
  (if (j == k) then (1 - eta) else (eta / (K%:R - 1))).

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

(* splitcrit.noise.transitions.PairFlip, 2 *)
Definition py_pair_flip_2_00 (eta : R) : R :=
  (1 - eta).

(* splitcrit.noise.transitions.PairFlip, 2 *)
Definition py_pair_flip_2_01 (eta : R) : R :=
  eta.

(* splitcrit.noise.transitions.PairFlip, 3 *)
Definition py_pair_flip_3_00 (eta : R) : R :=
  (1 - eta).

(* splitcrit.noise.transitions.PairFlip, 3 *)
Definition py_pair_flip_3_01 (eta : R) : R :=
  eta.

(* splitcrit.noise.transitions.PairFlip, 3 *)
Definition py_pair_flip_3_02 (eta : R) : R :=
  (0 * eta).

(* splitcrit.noise.transitions.PairFlip, 4 *)
Definition py_pair_flip_4_00 (eta : R) : R :=
  (1 - eta).

(* splitcrit.noise.transitions.PairFlip, 4 *)
Definition py_pair_flip_4_01 (eta : R) : R :=
  eta.

(* splitcrit.noise.transitions.PairFlip, 4 *)
Definition py_pair_flip_4_02 (eta : R) : R :=
  (0 * eta).

(* splitcrit.noise.transitions.PairFlip, 4 *)
Definition py_pair_flip_4_03 (eta : R) : R :=
  (0 * eta).

(* splitcrit.noise.channel.Channel.on_distribution *)
Definition py_on_distribution K (S : 'I_K -> 'I_K -> R) (p : 'I_K -> R) (j : 'I_K) : R :=
  (\sum_(k < K) ((p k) * (S k j))).

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

(* splitcrit.nulls.formulas.third_moment *)
Definition py_third_moment (n raw first variance : R) : R :=
  ((raw - (first * (((3%:R * (n ^+ 2)) * variance) + (first ^+ 2)))) / (n ^+ 3)).

(* splitcrit.nulls.formulas.row_across *)
Definition py_row_across (n r w other : R) : R :=
  ((((n - 1) * (w + other)) - ((n - 2%:R) + r)) / ((n - 1) * (n - 2%:R))).

(* splitcrit.nulls.formulas.class_block *)
Definition py_class_block (n b others : R) : R :=
  ((((n - b) / (n - 1)) * (((n - b) - 1) / (n - 2%:R))) + (others / ((n - 1) * (n - 2%:R)))).

(* splitcrit.nulls.formulas.class_across *)
Definition py_class_across (n b other rest : R) : R :=
  (((rest - ((2%:R * (b - 1)) * (other - 1))) - (((n - b) - other) * ((b + other) - 2%:R))) / ((n - 1) * (n - 2%:R))).

(* splitcrit.nulls.permutation.exact_mean *)
Definition py_exact_mean r K (a : 'I_r -> R) (b : 'I_K -> R) : R :=
  (if ((\sum_(i < r) (a i)) < 2%:R) then 0 else (py_mean (\sum_(i < r) (a i)) r%:R (((\sum_(i < r) (a i)) * (\sum_(i < r) (a i))) - (\sum_(k < K) ((b k) * (b k)))))).

(* splitcrit.nulls.permutation.exact_variance *)
Definition py_exact_variance r K (a : 'I_r -> R) (b : 'I_K -> R) (d : R) : R :=
  (if ((\sum_(i < r) (a i)) < 3%:R) then 0 else (if ((\sum_(k < K) (b k)) < 3%:R) then (py_variance 0 (py_uneven_rows (\sum_(i < r) (a i)) r%:R ((\sum_(i < r) (d / (a i))) / d)) 0 (py_thick_rows (\sum_(i < r) (a i)) r%:R (py_uneven_rows (\sum_(i < r) (a i)) r%:R ((\sum_(i < r) (d / (a i))) / d)))) else (if (4%:R <= (\sum_(k < K) (b k))) then (py_variance (py_uneven_weight (\sum_(k < K) (b k)) (py_uneven_classes (\sum_(k < K) (b k)) (\sum_(k < K) ((b k) * (b k))) (\sum_(k < K) ((b k) ^+ 3)))) (py_uneven_rows (\sum_(i < r) (a i)) r%:R ((\sum_(i < r) (d / (a i))) / d)) (py_thick_weight (\sum_(k < K) (b k)) (py_thick_classes (\sum_(k < K) (b k)) (\sum_(k < K) ((b k) * (b k))) (py_uneven_classes (\sum_(k < K) (b k)) (\sum_(k < K) ((b k) * (b k))) (\sum_(k < K) ((b k) ^+ 3))))) (py_thick_rows (\sum_(i < r) (a i)) r%:R (py_uneven_rows (\sum_(i < r) (a i)) r%:R ((\sum_(i < r) (d / (a i))) / d)))) else (py_variance (py_uneven_weight (\sum_(k < K) (b k)) (py_uneven_classes (\sum_(k < K) (b k)) (\sum_(k < K) ((b k) * (b k))) (\sum_(k < K) ((b k) ^+ 3)))) (py_uneven_rows (\sum_(i < r) (a i)) r%:R ((\sum_(i < r) (d / (a i))) / d)) 0 (py_thick_rows (\sum_(i < r) (a i)) r%:R (py_uneven_rows (\sum_(i < r) (a i)) r%:R ((\sum_(i < r) (d / (a i))) / d))))))).

End Generated.
