(* Hoeffding's lemma for two points, in the real numbers of Coq's standard library. *)
From Coq Require Import Reals Lra.
Local Open Scope R_scope.

Section TwoPoints.
Variables p q : R.
Hypotheses (p0 : 0 <= p) (q0 : 0 <= q) (pq : p + q = 1).
Definition mean_exp (t : R) := p * exp t + q * exp (- t).
Definition slope (t : R) := p * exp t - q * exp (- t).

Lemma mean_exp_pos t : 0 < mean_exp t.
Proof.
pose proof (exp_pos t) as a; pose proof (exp_pos (- t)) as b; unfold mean_exp.
destruct (Rle_lt_or_eq_dec 0 p p0) as [h|h].
- pose proof (Rmult_lt_0_compat _ _ h a); pose proof (Rmult_le_pos _ _ q0 (Rlt_le _ _ b)); lra.
- assert (q = 1) as e by lra. rewrite <- h, e. lra.
Qed.

Lemma exp_opp_derives t : derivable_pt_lim (fun x => exp (- x)) t (- exp (- t)).
Proof.
replace (- exp (- t)) with (exp (- t) * - (1)) by ring.
apply (derivable_pt_lim_comp (fun x => - x) exp).
- apply (derivable_pt_lim_opp id). apply derivable_pt_lim_id.
- apply derivable_pt_lim_exp.
Qed.

Lemma mean_exp_derives t : derivable_pt_lim mean_exp t (slope t).
Proof.
replace (slope t) with (p * exp t + q * - exp (- t)) by (unfold slope; ring).
apply (derivable_pt_lim_plus (fun x => p * exp x) (fun x => q * exp (- x))).
- apply (derivable_pt_lim_scal exp). apply derivable_pt_lim_exp.
- apply (derivable_pt_lim_scal (fun x => exp (- x))). apply exp_opp_derives.
Qed.

Lemma slope_derives t : derivable_pt_lim slope t (mean_exp t).
Proof.
replace (mean_exp t) with (p * exp t - q * - exp (- t)) by (unfold mean_exp; ring).
apply (derivable_pt_lim_minus (fun x => p * exp x) (fun x => q * exp (- x))).
- apply (derivable_pt_lim_scal exp). apply derivable_pt_lim_exp.
- apply (derivable_pt_lim_scal (fun x => exp (- x))). apply exp_opp_derives.
Qed.

(* a function that is 0 at 0 and whose slope is not negative above 0 is not negative above 0 *)
Lemma grows (f f' : R -> R) t : f 0 = 0 -> (forall x, derivable_pt_lim f x (f' x)) ->
  (forall x, 0 <= x -> 0 <= f' x) -> 0 <= t -> 0 <= f t.
Proof.
intros f0 d up t0. destruct (Rle_lt_or_eq_dec 0 t t0) as [h|h]; [|rewrite <- h, f0; lra].
destruct (MVT_cor2 f f' 0 t h (fun c _ => d c)) as [c [e [c0 ct]]].
pose proof (up c (Rlt_le _ _ c0)) as u. pose proof (Rmult_le_pos _ _ u t0). lra.
Qed.

Definition lead (t : R) := (p - q) + t - slope t / mean_exp t.
Lemma lead_ge0 t : 0 <= t -> 0 <= lead t.
Proof.
apply (grows lead (fun x => (slope x / mean_exp x) * (slope x / mean_exp x))).
- unfold lead, slope, mean_exp. rewrite Ropp_0, exp_0. replace (p * 1 + q * 1) with 1 by lra. field.
- intro x. pose proof (mean_exp_pos x) as c.
  replace (slope x / mean_exp x * (slope x / mean_exp x))
    with (0 + 1 - (mean_exp x * mean_exp x - slope x * slope x) / Rsqr (mean_exp x)) by (unfold Rsqr; field; lra).
  apply (derivable_pt_lim_minus (fun x => (p - q) + x) (fun x => slope x / mean_exp x)).
  + apply (derivable_pt_lim_plus (fct_cte (p - q)) id); [apply derivable_pt_lim_const|apply derivable_pt_lim_id].
  + apply (derivable_pt_lim_div slope mean_exp); [apply slope_derives|apply mean_exp_derives|lra].
- intros x _. apply Rle_0_sqr.
Qed.

Definition excess (t : R) := (p - q) * t + / 2 * (t * t) - ln (mean_exp t).
Lemma excess_ge0 t : 0 <= t -> 0 <= excess t.
Proof.
apply (grows excess lead).
- unfold excess, mean_exp. rewrite Ropp_0, exp_0. replace (p * 1 + q * 1) with 1 by lra. rewrite ln_1. field.
- intro x. pose proof (mean_exp_pos x) as c.
  replace (lead x) with ((p - q) * 1 + x - (/ mean_exp x) * slope x) by (unfold lead; field; lra).
  apply (derivable_pt_lim_minus (fun x => (p - q) * x + / 2 * (x * x)) (fun x => ln (mean_exp x))).
  + apply (derivable_pt_lim_plus (fun x => (p - q) * x) (fun x => / 2 * (x * x))).
    * apply (derivable_pt_lim_scal id). apply derivable_pt_lim_id.
    * replace x with (/ 2 * (1 * x + x * 1)) at 2 by field.
      apply (derivable_pt_lim_scal (fun x => x * x)).
      apply (derivable_pt_lim_mult id id); apply derivable_pt_lim_id.
  + apply (derivable_pt_lim_comp mean_exp ln); [apply mean_exp_derives|apply derivable_pt_lim_ln; exact c].
- intros x x0. apply lead_ge0; exact x0.
Qed.

Lemma two_points t : 0 <= t -> mean_exp t <= exp ((p - q) * t + / 2 * (t * t)).
Proof.
intro t0. pose proof (excess_ge0 t t0) as h. unfold excess in h.
rewrite <- (exp_ln (mean_exp t)) by apply mean_exp_pos.
destruct (Rle_lt_or_eq_dec (ln (mean_exp t)) ((p - q) * t + / 2 * (t * t))) as [l|l]; [lra| |].
- apply Rlt_le, exp_increasing, l.
- rewrite l. apply Rle_refl.
Qed.
End TwoPoints.
