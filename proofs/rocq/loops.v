(* Printed by the source of splitcrit: python -m splitcrit.proofs.rocq.generate. Not to be edited. *)
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint zmodp.
From splitcrit Require Import python.
Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Section Loops.
Variables (R : realFieldType) (fillings : seq int -> seq int -> int -> R) (ceil : R -> int).

(* splitcrit.nulls.paths.chance_of_leaving *)
Definition py_chance_of_leaving (n : int) (ones_ : int) (lower : seq (int)) (upper : seq (int)) : R :=
  let '(paths, first, left_) := (([:: (Posz 1)]), (Posz 0), (Posz 0)) in
  let '(low, high) := (lower, upper) in
  let '(ended, (paths, first, left_)) :=
    foldl (fun '(ended, (paths, first, left_)) m => if ended then (true, (paths, first, left_)) else
    let paths := (map (fun '(a, b) => (a + b)) (zip (paths ++ [:: (Posz 0)]) ([:: (Posz 0)] ++ paths))) in
    let ways := (map (fun '(x, count_) => (x, count_)) (filter (fun '(x, count_) => ((((m - n) + ones_) <= x) && (x <= ones_))) (py_enumerate paths first))) in
    let left_ := (left_ + (py_sum (map (fun '(x, count_) => (count_ * (py_comb (n - m) (ones_ - x)))) (filter (fun '(x, count_) => (~~ (((py_at 0 low m) <= x) && (x <= (py_at 0 high m))))) ways)))) in
    let kept := (map (fun '(x, count_) => (x, count_)) (filter (fun '(x, count_) => (((py_at 0 low m) <= x) && (x <= (py_at 0 high m)))) ways)) in
    if (~~ (~~ nilp kept)) then (true, (paths, first, left_)) else
    let '(first, paths) := ((py_at (0, 0) kept (Posz 0)).1, (map (fun '(_, count_) => count_) kept)) in
    (false, (paths, first, left_)))
    (false, (paths, first, left_)) ((py_range (Posz 1) n)) in
  (left_%:~R / (py_comb n ones_)%:~R).

(* splitcrit.nulls.multiple.bonferroni *)
Definition py_bonferroni (p : R) (features : int) : R :=
  (Num.min 1 ((features)%:~R * p)).

(* splitcrit.nulls.multiple.holm *)
Definition py_holm (pvalues : seq (R)) : seq (R) :=
  let '(adjusted, largest) := ((py_repeat ([:: 0]) (Posz (size pvalues))), 0) in
  let '(adjusted, largest) :=
    foldl (fun '(adjusted, largest) '(rank, j) =>
      let largest := (Num.max largest (py_bonferroni ((py_at 0 pvalues j)) (((Posz (size pvalues)) - rank)))) in
      let adjusted := py_set adjusted j largest in
      (adjusted, largest)) (adjusted, largest) ((py_enumerate (py_sorted_by (fun item => py_at 0 pvalues item) (py_range (Posz 0) (Posz (size pvalues)))) (Posz 0))) in
  adjusted.

(* splitcrit.nulls.multiple.benjamini_hochberg *)
Definition py_benjamini_hochberg (pvalues : seq (R)) : seq (R) :=
  let '(adjusted, least) := ((py_repeat ([:: 0]) (Posz (size pvalues))), 1) in
  let '(adjusted, least) :=
    foldl (fun '(adjusted, least) '(above, j) =>
      let least := (Num.min least ((((Posz (size pvalues)))%:~R * (py_at 0 pvalues j)) / (((Posz (size pvalues)) - above))%:~R)) in
      let adjusted := py_set adjusted j least in
      (adjusted, least)) (adjusted, least) ((py_enumerate (py_sorted_by_down (fun item => py_at 0 pvalues item) (py_range (Posz 0) (Posz (size pvalues)))) (Posz 0))) in
  adjusted.

(* splitcrit.nulls.multiple.benjamini_yekutieli *)
Definition py_benjamini_yekutieli (pvalues : seq (R)) : seq (R) :=
  let factor := (py_sum [seq (((Posz 1))%:~R / (k)%:~R) | k <- (py_range (Posz 1) ((Posz (size pvalues)) + (Posz 1)))]) in
  [seq (Num.min 1 (factor * p)) | p <- (py_benjamini_hochberg (pvalues))].

(* splitcrit.nulls.exact._moves *)
Fixpoint py_moves (state : seq (int)) (size_ : int) {struct state} : seq ((seq (int)) * (int) * (int)) :=
  match state with [::] => [::] | first :: rest =>
  if (~~ (~~ nilp rest)) then (([:: (first - size_)]), (size_ * size_), (py_comb first size_)) ::
  [::] else
  flatten [seq (fun taken =>
    let ways := (py_comb first taken) in
    flatten [seq (fun '(left_, squares, more) =>
      (([:: (first - taken)] ++ left_), (squares + (taken * taken)), (ways * more)) ::
      [::]) item | item <- (py_moves (rest) ((size_ - taken)))] ++
    [::]) item | item <- (py_range (Num.max (Posz 0) (size_ - (py_sum rest))) ((Num.min first size_) + (Posz 1)))] ++
  [::] end.

(* splitcrit.nulls.exact.joined *)
Definition py_joined (sums : seq (int * int)) (law : seq (int * int)) (shift : int) (times : int) : seq (int * int) :=
  let sums :=
    foldl (fun sums '(value, weight) =>
      let sums := py_bump sums (value + shift) (weight * times) in
      sums) sums (law) in
  sums.

(* splitcrit.nulls.exact.law_by_rows *)
Definition py_law_by_rows (totals : seq (int)) (columns : seq (int)) (d : int) (cost : int) (limit : int) : option (seq (int * int)) :=
  let steps := (Posz 0) in
  let states := [:: (columns, [:: ((Posz 0), (Posz 1))])] in
  let '(ended, (steps, states)) :=
    foldl (fun '(ended, (steps, states)) a => if ended then (true, (steps, states)) else
    let reached := [::] in
    let '(ended, (steps, reached)) :=
      foldl (fun '(ended, (steps, reached)) '(state, law) => if ended then (true, (steps, reached)) else
      let moves := [::] in
      let '(ended, (steps, moves)) :=
        foldl (fun '(ended, (steps, moves)) '(left_, squares, ways) => if ended then (true, (steps, moves)) else
        let steps := (steps + cost) in
        let moves := py_bump moves ((py_sorted left_), squares) ways in
        if (steps > limit) then (true, (steps, moves)) else
        (false, (steps, moves)))
        (false, (steps, moves)) ((py_moves (state) (a))) in
      if ended then (true, (steps, reached)) else
      let steps := (steps + (((Posz (size moves)) * ((Posz (size law)) - (Posz 1))) * cost)) in
      if (steps > limit) then (true, (steps, reached)) else
      let reached :=
        foldl (fun reached '((left_, squares), ways) =>
          let reached := py_put reached left_ (py_joined ((py_get [::] reached left_)) (law) (((py_div d a) * squares)) (ways)) in
          reached) reached (moves) in
      (false, (steps, reached)))
      (false, (steps, reached)) (states) in
    if ended then (true, (steps, states)) else
    let states := (map (fun '(state, law) => (state, law)) reached) in
    (false, (steps, states)))
    (false, (steps, states)) ((py_upto totals (- (Posz 1)))) in
  if ended then None else
  let found := [::] in
  let found :=
    foldl (fun found '(left_, law) =>
      let squares := ((py_div d (py_at 0 totals (- (Posz 1)))) * (py_sum [seq (x * x) | x <- left_])) in
      let found :=
        foldl (fun found '(value, weight) =>
          let found := py_bump found (value + squares) weight in
          found) found (law) in
      found) found (states) in
  Some (found).

(* splitcrit.nulls.exact.arrangements *)
Definition py_arrangements (totals : seq (int)) (columns : seq (int)) (d : int) (limit : int) : option (seq (int * int)) :=
  let cost := ((Posz 1) + (py_div (py_sum totals) (Posz 64))) in
  if (((Posz (size columns)) > (Posz 200)) || ((py_at 0 totals (Posz 0)) > limit) || (~~ (((fillings (totals) (columns) (limit)) * (cost)%:~R) <= (limit)%:~R))) then None else
  (py_law_by_rows (totals) (columns) (d) (cost) (limit)).

(* splitcrit.nulls.exact.exact_tail *)
Definition py_exact_tail (rows : seq (seq (int))) (limit : int) : option (R) :=
  let totals := [seq (py_sum row) | row <- rows] in
  let d := (py_lcm totals) in
  let seen := (py_sum (map (fun '(a, row) => ((py_div d a) * (py_sum [seq (x * x) | x <- row]))) (zip totals rows))) in
  match (py_arrangements ((py_sorted_down totals)) ((py_sorted [seq (py_sum each) | each <- (py_transposed 0 rows)])) (d) (limit)) with None => None | Some law =>
  Some (((py_sum (map (fun '(value, weight) => weight) (filter (fun '(value, weight) => (value >= seen)) law)))%:~R / (py_sum (map snd law))%:~R)) end.

(* splitcrit.nulls.monte_carlo.stopped_pvalue *)
Definition py_stopped_pvalue (exceedances : int) (draws : int) : R :=
  ((exceedances)%:~R / (draws)%:~R).

(* splitcrit.nulls.monte_carlo.permutation_pvalue *)
Definition py_permutation_pvalue (reached : int) (samples : int) : R :=
  ((((Posz 1) + reached))%:~R / (((Posz 1) + samples))%:~R).

(* splitcrit.nulls.monte_carlo.tallied *)
Definition py_tallied (values : seq (seq (option R))) (reached : R) (enough : int) : (int) * (int) * (int) * (bool) :=
  let drawn := (Posz 0) in
  let kept := (Posz 0) in
  let exceeding := (Posz 0) in
  let stopped := false in
  let '(ended, (drawn, kept, exceeding, stopped)) :=
    foldl (fun '(ended, (drawn, kept, exceeding, stopped)) block => if ended then (true, (drawn, kept, exceeding, stopped)) else
    let hits := (py_places [seq py_reaches item reached | item <- block]) in
    let stopped := (true && ((exceeding + (Posz (size hits))) >= enough)) in
    let last := (if (true && stopped) then ((py_at 0 hits ((enough - exceeding) - (Posz 1))) + (Posz 1)) else (Posz (size block))) in
    let '(drawn, kept) := ((drawn + last), (kept + (Posz (count id [seq ~~ item | item <- [seq item == None | item <- (py_upto block last)]])))) in
    let exceeding := (exceeding + (Posz (count id [seq item < last | item <- hits]))) in
    if stopped then (true, (drawn, kept, exceeding, stopped)) else
    (false, (drawn, kept, exceeding, stopped)))
    (false, (drawn, kept, exceeding, stopped)) (values) in
  (py_tally (drawn) (kept) (exceeding) (stopped)).

(* splitcrit.nulls.monte_carlo.PermutationTally.pvalue *)
Definition py_tally_pvalue (drawn : int) (kept : int) (exceeding : int) (stopped : bool) : R :=
  (if stopped then (py_stopped_pvalue (exceeding) (kept)) else (py_permutation_pvalue (exceeding) (kept))).

(* splitcrit.noise.transitions.Symmetric.__call__ *)
Definition py_symmetric_rows (K : int) (eta : R) : option (seq (seq (R))) :=
  if (K < (Posz 2)) then None else
  let '(stays, moves) := ((((Posz 1))%:~R - eta), (eta / ((K - (Posz 1)))%:~R)) in
  Some ([seq [seq (if (j == k) then stays else moves) | k <- (py_range (Posz 0) K)] | j <- (py_range (Posz 0) K)]).

(* splitcrit.noise.transitions.PairFlip.__call__ *)
Definition py_pair_flip_rows (K : int) (eta : R) : option (seq (seq (R))) :=
  if (K < (Posz 2)) then None else
  let row := (([:: (((Posz 1))%:~R - eta)] ++ [:: eta]) ++ (py_repeat ([:: (((Posz 0))%:~R * eta)]) (K - (Posz 2)))) in
  Some ([seq [seq (py_at 0 row (py_mod (k - j) K)) | k <- (py_range (Posz 0) K)] | j <- (py_range (Posz 0) K)]).

(* splitcrit.robustness.laws.binomial_weights *)
Definition py_binomial_weights (n : int) (rate : int) (unit : int) : seq (int) :=
  let '(weights, ways, failing) := (([:: (Posz 1)]), (Posz 1), ([:: (Posz 1)])) in
  let '(weights, failing) :=
    foldl (fun '(weights, failing) _ =>
      let weights := rcons weights ((py_at 0 weights (- (Posz 1))) * rate) in
      let failing := rcons failing ((py_at 0 failing (- (Posz 1))) * (unit - rate)) in
      (weights, failing)) (weights, failing) ((py_range (Posz 0) n)) in
  let '(weights, ways) :=
    foldl (fun '(weights, ways) k =>
      let weights := py_set weights k (py_at 0 weights k * (ways * (py_at 0 failing (n - k)))) in
      let ways := (py_div (ways * (n - k)) (k + (Posz 1))) in
      (weights, ways)) (weights, ways) ((py_range (Posz 0) (n + (Posz 1)))) in
  weights.

(* splitcrit.robustness.majority.chance_of_at_most *)
Definition py_chance_of_at_most (major : int) (minor : int) (stays : int) (comes : int) (unit : int) (bounds : seq (int)) : R :=
  let own := (py_binomial_weights (major) (stays) (unit)) in
  let below := (py_accumulate ([:: (Posz 0)] ++ (py_binomial_weights (minor) (comes) (unit)))) in
  let weight := (py_sum [seq (py_sum (map (fun '(i, x) => (x * (py_at 0 below (Num.max (Posz 0) ((Num.min (most - i) minor) + (Posz 1)))))) (py_enumerate own (Posz 0)))) | most <- bounds]) in
  (weight%:~R / ((Posz (size bounds)) * (py_pow unit (major + minor)))%:~R).

(* splitcrit.robustness.published_bounds.noisy_margin *)
Definition py_noisy_margin (leaf : seq (int)) (rows : seq (seq (int))) (best : int) (unit : int) : R :=
  let expected := [seq (py_sum (map (fun '(count_, row) => (count_ * (py_at 0 row k))) (zip leaf rows))) | k <- (py_range (Posz 0) (Posz (size leaf)))] in
  ((py_least (map (fun '(k, x) => ((py_at 0 expected best) - x)) (filter (fun '(k, x) => (k != best)) (py_enumerate expected (Posz 0)))))%:~R / ((py_sum leaf) * unit)%:~R).

(* splitcrit.robustness.sample_sizes.size_for *)
Definition py_size_for (log : R) (rate : R) : int :=
  (Num.max (Posz 1) (ceil ((log / rate)))).

End Loops.
