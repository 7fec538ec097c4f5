"""How to call criteria and the laws of the Gini gain."""

from __future__ import annotations

from functools import wraps
from typing import Any

import numpy as np

from contract.arguments import choice, formula, given, integer, number, rng, size, thing, truth
from contract.calls_losses import SQUARES
from contract.entries import Entry, Law, classes_reversed, doubled, rows_reversed
from contract.roles import Role, counts, few_odd, matrix, observations, shares, totals, vector
from splitcrit import criteria, impurities, losses, noise, nulls, trees
from splitcrit.criteria import Criterion
from splitcrit.importance import pimp

FEATURE, LABEL = np.arange(12) % 3, np.arange(12) // 2 % 2
TWO = np.arange(12) // 4 % 2
TABLE = [[7, 2], [3, 9]]
CHANNEL = noise.symmetric(0.2)
IMPURITY = thing(impurities.gini, losses.square, CHANNEL)
ANY = thing(impurities.gini, losses.square, CHANNEL)
SYMMETRIC = (rows_reversed, classes_reversed)


def of_a_table(
    function: Any, table: Role, *, laws: tuple[Law, ...] = SYMMETRIC, feature: Any = FEATURE, **options: Any
) -> Entry:
    """A function of one table, or of a feature and its label."""
    varied = observations(values=len(set(feature.tolist())))
    roles = {
        "table": table,
        "table/feature": varied.beside(label=LABEL),
        "label": observations(values=2, none="either").beside(table=feature),
        "missing": choice("error", "row").beside(table=feature, label=LABEL),
    } | options.pop("roles", {})
    return Entry(function, roles, options.pop("needed", ("table",)), laws={"table": laws}, **options)


def scored(criterion: Criterion, rows: int = 3, classes: int = 3, scale_free: bool = True) -> Entry:
    """A criterion called on tables."""
    feature = FEATURE if rows == 3 else TWO
    laws = (*SYMMETRIC, doubled) if scale_free else SYMMETRIC
    return of_a_table(criterion, counts(rows, classes), laws=laws, feature=feature, rounds=3, tolerance=1e-7)


def corrected(function: Any) -> Entry:
    """A correction of p-values, which come out in the order in which they came in."""
    roles = {"pvalues": shares(empty_list="either", no_entries="either", odd=few_odd)}
    laws = {"pvalues": (classes_reversed,)}
    return Entry(function, roles, ("pvalues",), lambda found: sorted(map(float, found)), laws)


def made(maker: Any, **roles: Role) -> Entry:
    """A maker of criteria, read by the score of one table."""
    needed = tuple(name for name in roles if name in ("impurity", "criterion", "loss"))
    return Entry(maker, roles, needed, lambda found: float(found(TABLE)), rounds=4)


def first_cell(score: Any, table: Any) -> Any:
    """A score of tables, beside a formula."""
    return table.counts[..., 0, 0] / 100


CRITERIA = {
    "criteria.chi_square": scored(criteria.chi_square, scale_free=False),
    "criteria.dkm": scored(criteria.dkm, classes=2),
    "criteria.hellinger": scored(criteria.hellinger, classes=2),
    "criteria.g_statistic": scored(criteria.g_statistic, scale_free=False),
    "criteria.one_vs_rest_pairwise_gain": scored(criteria.one_vs_rest_pairwise_gain, 2, scale_free=False),
    "criteria.pairwise_gain": scored(criteria.pairwise_gain, 2, 2, scale_free=False),
    "criteria.sum_minority": scored(criteria.sum_minority, scale_free=False),
    "criteria.twoing": scored(criteria.twoing, 2),
    "criteria.decrease": made(criteria.decrease, impurity=thing(impurities.gini, losses.square, criteria.twoing)),
    "criteria.as_criterion": made(criteria.as_criterion, value=ANY),
    "criteria.imprecise_gain_ratio": made(criteria.imprecise_gain_ratio, s=number(1.5)),
    "criteria.imprecise_information_gain": made(criteria.imprecise_information_gain, s=number(1.5)),
    "criteria.normalised": made(criteria.normalised, criterion=ANY, guarded=truth()),
    "criteria.replace": Entry(
        lambda **options: criteria.replace(options.pop("value", nulls.agini), **options),
        {
            "alpha": number(),
            "value": thing(nulls.agini, 3).beside(alpha=0.25),
        },
        read=lambda found: float(found(TABLE)),
    ),
    "criteria.twoing_superclasses": of_a_table(
        criteria.twoing_superclasses, counts(2, 3), laws=(), feature=TWO, read=lambda groups: sorted(map(len, groups))
    ),
    "criteria.Criterion": Entry(
        Criterion,
        {
            "score": formula(criteria.twoing.score),
            "name": given("mine"),
            "impurity": thing(impurities.gini, losses.square, none="either"),
            "rows": integer(2, none="either"),
            "classes": integer(2, none="either"),
            "scale": formula(criteria.twoing.scale, none="either"),
            "degree": integer(1, none="either"),
            "search": thing(criteria.twoing.search, losses.square),
            "of_table": formula(first_cell, none="either"),
            "any_library": truth(),
            "response_loss": thing(SQUARES, impurities.gini, none="either"),
            "evaluations": integer(2),
            "of_features": formula(pimp().of_features, none="either"),
            "remake": formula(nulls.agini.remake, none="either"),
        },
        needed=("name", "score"),
        read=lambda found: float(found(TABLE)),
    ),
    "criteria.Criterion.from_loss": made(
        Criterion.from_loss,
        **{"loss": thing(losses.square, impurities.gini), "loss/of responses": thing(SQUARES, impurities.gini)},
    ),
    "criteria.Criterion.exact": of_a_table(criteria.decrease(impurities.gini).exact, counts(3, 3), laws=SYMMETRIC),
    "criteria.Criterion.check": Entry(
        criteria.twoing.check, {"rows": integer(2), "classes": integer(2)}, ("rows", "classes"), rounds=1
    ),
}

# The Gini gain and its laws.


def settled(function: Any) -> Any:
    """The same with a seed, so that what is drawn is drawn again."""

    @wraps(function)
    def called(**options: Any) -> Any:
        return function(**{"rng": 0} | options)

    return called


def the_column(number: int, rows: Any) -> list[tuple[int, None]]:
    """The one column of each node."""
    return [(0, None)]


REFERENCE = {
    "x": matrix(14, 1, odd=few_odd, nan="either", nan_in_float16="either", nullable_with_a_hole="either"),
    "rules": thing(trees.LeafRules(max_depth=2), impurities.gini),
    "weights": vector(lambda rng: 1.0 + np.arange(14), odd=few_odd, none="either"),
    "categories": given([]),
    "draws": formula(the_column, impurities.gini, none="either"),
}


def splits_of(root: trees.ReferenceNode) -> list[tuple[int, float]]:
    """The splits of a tree of the reference builder."""
    return [(node.feature, node.score) for node in root.walk()]


CODES = vector(lambda rng: rng.permutation(np.arange(14) % 3), odd=few_odd, negative=True)
EXACT = {"exact": truth(False)}
METHODS = choice("auto", "exact", "pearson3", "gamma", "monte_carlo")


def drawn(samples: int = 20, **given: Any) -> dict[str, Role]:
    """The parameters of a Monte Carlo method."""
    given = {"method": "monte_carlo", "samples": samples} | given
    return {"samples": size(samples).beside(**given | {"rng": 0}), "rng": rng().beside(**given)}


MOMENTS = {
    "nulls.gini_gain": scored(nulls.gini_gain, scale_free=False),
    "nulls.sgini": scored(nulls.sgini, scale_free=False),
    "nulls.agini": scored(nulls.agini, scale_free=False),
    "nulls.significance": scored(nulls.significance, scale_free=False),
    "nulls.max_selected": of_a_table(nulls.max_selected, counts(2, 2), feature=TWO, rounds=2),
    "nulls.MaxSelected": Entry(
        lambda **options: Criterion(
            "mine",
            score := nulls.MaxSelected(**options),
            search=impurities.Search(tested=score),
            of_table=nulls.MaxSelected.of_table,
        ),
        {"statistic": choice("sgini", "gini"), "samples": size(20), "seed": integer(3)},
        read=lambda found: float(found([[5, 1], [2, 6]])),
    ),
    "nulls.gini_null": Entry(
        nulls.gini_null,
        {
            "row_totals": totals(),
            "column_totals": totals(2),
            "model": choice("permutation", "multinomial"),
            "order": integer(2),
            "exact": truth(False),
        },
        needed=("row_totals", "column_totals"),
        rounds=2,
    ),
    "nulls.null_moments": Entry(
        nulls.null_moments,
        {
            "criterion": thing(criteria.chi_square, losses.square),
            "row_totals": totals(),
            "column_totals": totals(2),
            "exact": truth(False),
            "limit": number(1.0),
        },
        needed=("criterion", "row_totals", "column_totals"),
        read=lambda law: (float(law.mean), float(law.variance)),
        rounds=2,
    ),
    "nulls.null_covariance": Entry(
        nulls.null_covariance,
        {
            "criterion": thing(criteria.chi_square, losses.square),
            "other": thing(impurities.gini, losses.square),
            "row_totals": totals(),
            "column_totals": totals(2),
            "exact": truth(False),
            "limit": number(1.0),
        },
        needed=("criterion", "other", "row_totals", "column_totals"),
        read=float,
        rounds=1,
    ),
    "nulls.response_moments": Entry(
        nulls.response_moments,
        {
            "responses": vector(lambda rng: rng.integers(-20, 20, 24)),
            "row_totals": totals(),
            "order": integer(2),
            "exact": truth(False),
        },
        needed=("responses", "row_totals"),
        read=lambda law: (float(law.mean), float(law.variance)),
        rounds=1,
    ),
    "nulls.calibrated": made(
        nulls.calibrated,
        impurity=thing(impurities.gini, losses.square, CHANNEL, none="either"),
        draws=size(99),
        seed=integer(3),
        weights=choice("counts", "rows"),
    ),
    "nulls.best_subset_law": Entry(
        nulls.best_subset_law,
        {
            "level_sizes": totals(),
            "class_totals": totals(2),
            "responses": vector(lambda rng: rng.integers(-20, 20, 24), none="either").beside(class_totals=None),
            "min_leaf": size(1),
            "draws": size(99),
            "seed": integer(3),
            "limit": integer(10**5),
        },
        needed=("level_sizes", "class_totals"),
        read=lambda law: (law.mean, float(law.pvalue(2.0))),
        rounds=2,
    ),
    "nulls.best_cut_law": Entry(
        nulls.best_cut_law,
        {
            "value_sizes": totals(),
            "class_totals": totals(),
            "responses": vector(lambda rng: rng.integers(-20, 20, 24), none="either").beside(class_totals=None),
            "missing": integer(0),
            "min_leaf": size(1),
            "draws": size(99),
            "seed": integer(3),
            "limit": integer(10**5),
        },
        needed=("value_sizes", "class_totals"),
        read=lambda law: (law.mean, float(law.pvalue(2.0))),
        rounds=2,
    ),
    "nulls.benjamini_hochberg": corrected(nulls.benjamini_hochberg),
    "nulls.benjamini_yekutieli": corrected(nulls.benjamini_yekutieli),
    "nulls.bonferroni": Entry(
        nulls.bonferroni,
        {"p": number(0.25), "features": integer(3)},
        needed=("p", "features"),
        read=float,
    ),
    "nulls.holm": corrected(nulls.holm),
    "nulls.expected_excess_gain": Entry(
        nulls.expected_excess_gain,
        {
            "level_sizes": totals(),
            "grad_sums": given([1.0, 30.0]),
            "hess_sums": given([200.0, 2000.0, 3.0]),
            "lam": number(1.0, fraction="either"),
            "rows": given(None),
            "method": choice("draws", "closed"),
            "draws": size(10),
            "seed": integer(3),
        },
        needed=("level_sizes", "grad_sums", "hess_sums"),
        read=float,
        rounds=2,
    ),
    "nulls.gini_pvalue": of_a_table(
        settled(nulls.gini_pvalue),
        counts(2, 3),
        every=3,
        roles={
            "method": METHODS,
            "model": choice("permutation", "multinomial", none="either"),
            "limit": number(1.0),
            **drawn(),
        },
        rounds=2,
    ),
    "nulls.null_distribution": of_a_table(
        settled(nulls.null_distribution),
        counts(2, 2, odd=few_odd),
        every=5,
        unvaried=("rng",),
        roles={"method": choice("auto", "exact", "monte_carlo"), "limit": number(1.0), **drawn()},
        rounds=2,
    ),
    "nulls.selected_pvalue": of_a_table(
        settled(nulls.selected_pvalue),
        counts(4, 2, odd=few_odd),
        laws=SYMMETRIC,
        every=5,
        read=lambda found: float(found.value),
        roles={
            "statistic": choice("sgini", "gini"),
            "min_leaf": integer(2),
            "mid": truth(False),
            "method": choice("auto", "lattice", "exact", "monte_carlo"),
            "limit": number(1.0),
            "bins": integer(2).beside(table={"x": FEATURE, "y": LABEL}, label="y", feature="x"),
            "resume": given(None),
            **drawn(),
        },
        rounds=2,
        unvaried=("feature",),
    ),
    "nulls.selected_tail": Entry(
        nulls.selected_tail,
        {
            "score": number(1.5),
            "n": integer(12),
            "ones": integer(5),
            "cuts": vector(lambda rng: np.array([3, 5, 8]), none="either", odd=few_odd),
            "statistic": choice("sgini", "gini"),
            "exact": truth(False),
            "limit": number(1.0),
        },
        needed=("score", "n", "ones"),
    ),
    "trees.split_scores": Entry(
        lambda values, codes, weights=None: trees.split_scores(values, codes, impurities.gini, weights),
        {
            "codes": CODES.beside(values=np.arange(14.0)),
            "values": vector(
                lambda rng: np.arange(14.0),
                odd=few_odd,
                nan="either",
                nan_in_float16="either",
                nullable_with_a_hole="either",
            ).beside(codes=np.arange(14) % 3),
            "weights": vector(lambda rng: 1.0 + np.arange(14), odd=few_odd, none="either").beside(
                values=np.arange(14.0), codes=np.arange(14) % 3
            ),
        },
        read=lambda found: np.concatenate([found.threshold, found.score]),
        nan=True,
    ),
    "trees.LeafRules": Entry(
        trees.LeafRules,
        {
            "max_depth": integer(3, none="answer"),
            "min_samples_split": integer(3),
            "min_samples_leaf": integer(3),
            "min_weight_leaf": number(),
            "min_gain": number(none="answer"),
        },
    ),
    "trees.reference_tree": Entry(
        lambda **given: trees.reference_tree(**{"classes": 3, "criterion": impurities.gini} | given),
        REFERENCE
        | {
            "codes": CODES,
            "classes": integer(3),
            "criterion": ANY,
            "weights": REFERENCE["weights"].beside(x=np.arange(14.0)[:, None], codes=np.arange(14) % 3),
        },
        needed=("x", "codes"),
        read=splits_of,
        nan=True,
    ),
    "trees.reference_regression": Entry(
        trees.reference_regression,
        REFERENCE
        | {
            "y": vector(lambda rng: np.arange(14.0) // 3, odd=few_odd).beside(x=np.arange(14.0)[:, None]),
            "impurity": given(impurities.variance),
            "weights": REFERENCE["weights"].beside(x=np.arange(14.0)[:, None], y=np.arange(14.0) // 3),
        },
        needed=("x", "y"),
        read=splits_of,
        nan=True,
    ),
    "nulls.sgini_scan": Entry(
        nulls.sgini_scan,
        {
            "codes": CODES,
            "n_classes": integer(3, none="either"),
            "values": vector(
                lambda rng: np.arange(14),
                odd=few_odd,
                none="either",
                dates="either",
                spans_of_time="either",
                minus_inf="either",
                inf="either",  # in its place in the order it is a value like others
            ).beside(codes=np.arange(14) % 3),
        },
        needed=("codes",),
        rounds=2,
    ),
    "nulls.NullMoments": Entry(lambda row_totals: nulls.NullMoments(2.0, *_law(row_totals)), {"row_totals": totals()}),
    "nulls.NullDistribution": Entry(
        lambda table: vars(nulls.null_distribution(table, rng=0)), {"table": counts(2, 2, odd=few_odd)}, rounds=1
    ),
    "nulls.PValue": Entry(
        lambda table: np.asarray(nulls.gini_pvalue(table).value, dtype=float),
        {"table": counts(2, 2, odd=few_odd)},
        rounds=1,
    ),
    "nulls.SelectedPValue": Entry(
        lambda table: float(nulls.selected_pvalue(table, rng=0)), {"table": counts(2, 2, odd=few_odd)}, rounds=1
    ),
}


def _law(row_totals: Any) -> tuple[Any, Any]:
    found = nulls.gini_null(row_totals, row_totals, order=3)
    return found.variance, found.third


ENTRIES = CRITERIA | MOMENTS
