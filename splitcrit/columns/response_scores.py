"""Scores of responses that are neither classes nor one number: survival times, ranks, ordered classes, several outputs.

A test by permutations needs rows that are exchangeable under the null hypothesis, not numbers of a certain law. So any
function of all responses may score them, if it goes with the rows: ``h(y[order]) = h(y)[order]`` for every order. It
then sees neither features nor sides, and permuting scores is permuting responses.

Main definitions: ``log_rank``, ``ranks``, ``outputs``, ``ordinal``; ``scores_of``, which checks what a function gives;
``notes_on``.
Main results: the log-rank scores ``d_i - H(t_i)`` of a group sum to its observed less its expected events.
Source: hothorn2006 (trees by scores of responses).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from splitcrit.arguments import Array, finite, of_kind
from splitcrit.data.training_inputs import column, dense
from splitcrit.frozen import complaint, shown

ResponseScores = Callable[[Any], Any]
Floats = NDArray[np.float64]
NEAR = 1e-9  # scores of permuted rows that differ less, relative to the largest, are equal
HEAVY = 10.0  # a kurtosis; normal responses have 3, exponential ones 9
SURVIVAL = (
    "Times and events are tested together, so a split may also be due to censoring that depends on a feature.",
    "Where it does, p by permutations is approximate; p by evidence holds if no other column moves both.",
)
OUTWEIGHED = "A few responses outweigh the others (kurtosis {:.3g}): response_scores=ranks gives each row its say."


def log_rank(y: Any) -> Floats:
    """The log-rank scores of right-censored times.

    With ``d_i`` the events at time ``t_i`` and ``n_j`` of the rows at risk at the event times ``t_j``, ::

        score_i  =  d_i - H(t_i),        H(t) = sum over t_j <= t of (events at t_j) / n_j

    ``H`` is the Nelson-Aalen estimate; the scores of a group sum to its observed less its expected events, and to 0 in
    all. A high score is an early event.

    Parameters
    ----------
    y : array (n, 2)
        A time from 0, and 1 or True where it ended in an event, 0 or False where it was censored; or a structured array
        of two fields, of which one is boolean.

    Returns
    -------
    array (n,)

    Raises
    ------
    ValueError, TypeError
        If times are negative or not finite, events are neither 0 nor 1, or there are not two columns.

    See Also
    --------
    splitcrit.inference.kaplan_meier : The survival curve itself.
    ranks : Responses without censoring.

    Notes
    -----
    Times and events are permuted together. So the null hypothesis of a test is that *both together* are independent of
    the features: if censoring depends on a feature, the test may reject as well, and its p-values are approximate.

    References
    ----------
    hothorn2006.

    Examples
    --------
    >>> log_rank([(1, 1), (2, 0), (3, 1), (3, 1)]).tolist()
    [0.75, -0.25, -0.25, -0.25]
    """
    time, event = times_and_events(y)
    times, place = np.unique(time, return_inverse=True)
    at_risk = len(time) - np.searchsorted(np.sort(time), times)
    return np.asarray(event - np.cumsum(np.bincount(place, event, len(times)) / at_risk)[place])


def ranks(y: Any) -> Floats:
    """The ranks of responses from 1, tied ones their mean; of several outputs, those of each.

    Parameters
    ----------
    y : array (n,) or (n, k)

    Raises
    ------
    ValueError, TypeError
        If responses are no finite numbers.

    Examples
    --------
    >>> ranks([10, 70, 20, 20]).tolist()
    [1.0, 4.0, 2.5, 2.5]
    """
    from scipy.stats import rankdata

    return np.asarray(rankdata(outputs(y), axis=0))


def outputs(y: Any) -> Floats:
    """Several numeric outputs ``(n, k)`` as they are.

    A test scales each to variance 1, and scores a cut by the mean share of variance that it explains.

    Parameters
    ----------
    y : array (n, k)

    Raises
    ------
    ValueError, TypeError
        If responses are no finite numbers.

    Examples
    --------
    >>> outputs([(1, 5), (2, 4)]).tolist()
    [[1.0, 5.0], [2.0, 4.0]]
    """
    rows = rows_of(y)
    return finite(rows, "responses", 2 if rows.ndim > 1 else 1)


@final
@dataclass(frozen=True)
class OrdinalScores:
    """What ``ordinal`` returns."""

    levels: tuple[Any, ...]

    def __call__(self, y: Any) -> Floats:
        """The score of each row."""
        place = {level: i for i, level in enumerate(self.levels)}
        labels = column(y).tolist()
        if (unknown := next((label for label in labels if label not in place), None)) is not None:
            raise ValueError(complaint("labels are levels of ordinal", shown(unknown), "name every level, in order"))
        return np.asarray((ranks([place[label] for label in labels]) - 0.5) / len(labels))


def ordinal(levels: Sequence[Any]) -> OrdinalScores:
    """The scores of classes in an order: the share of rows below, and half of the share of its own class.

    They are ranks that ties share, scaled (ridits), and up to a factor what the proportional odds model scores by.

    Parameters
    ----------
    levels : sequence
        The classes, lowest first.

    Raises
    ------
    ValueError, TypeError
        If they are no list of at least two different classes.

    See Also
    --------
    ranks : Numbers.
    log_rank : Survival times.

    Examples
    --------
    >>> ordinal(["low", "middle", "high"])(["low", "high", "low", "middle"]).tolist()
    [0.25, 0.875, 0.25, 0.625]
    """
    rule, remedy = "levels must be distinct classes, lowest first", "pass ['low', 'middle', 'high'] for instance"
    if isinstance(levels, str | set | frozenset | dict):
        raise TypeError(complaint(rule, shown(levels), remedy))
    try:
        order = tuple(np.asarray(levels).tolist())
        different = len(set(order)) - any(bool(level != level) for level in order)  # nan is none
    except (TypeError, ValueError):
        raise TypeError(complaint(rule, shown(levels), remedy)) from None
    if different < max(2, len(order)):
        raise ValueError(complaint(rule, shown(levels), remedy))
    return OrdinalScores(order)


def rows_of(y: Any) -> Array:
    """Responses as an array of one entry, or row, for each row of X.

    Raises
    ------
    ValueError, TypeError
        If they are none, masked or sparse.
    """
    rows = dense(y, "responses", "pass a table")
    if not rows.ndim or not len(rows):
        raise ValueError(complaint("y has one entry for each row", shown(y), "pass a list or a table"))
    return rows


def scores_of(function: ResponseScores, y: Array) -> Floats:
    """The scores ``(n, k)`` of responses by a function, which must go with the rows.

    Raises
    ------
    ValueError, TypeError
        If they are not finite numbers, one row of them for each response, or others where rows are permuted.

    Examples
    --------
    >>> scores_of(ranks, np.array([3.0, 9.0, 5.0])).tolist()
    [[1.0], [3.0], [2.0]]
    """
    of_kind(function, Callable, "response_scores is a function of responses", "pass log_rank, ranks or your own")
    scores = scored(function, y)
    for order in (np.arange(len(y))[::-1], np.random.default_rng(0).permutation(len(y))):
        again = scored(function, y[order])
        if again.shape != scores.shape or (np.abs(again - scores[order]) > NEAR * np.abs(scores).max(axis=0)).any():
            rule = "response_scores must depend on the responses alone"
            remedy = "use no features, no order of rows and no random numbers"
            raise ValueError(complaint(rule, "different scores after permuting the rows", remedy))
    return scores


def notes_on(function: ResponseScores | None, responses: Array) -> tuple[str, ...]:
    """Remarks on a test of the variance of scores, or of responses that are numbers, by these alone.

    Examples
    --------
    >>> notes_on(None, np.append(np.arange(50.0), 1e6))
    ('A few responses outweigh the others (kurtosis 49): response_scores=ranks gives each row its say.',)
    """
    if function is not None:
        return SURVIVAL if function is log_rank else ()
    kurtosis, of_ranks = ((standardised(y[:, None]) ** 4).mean() for y in (responses, ranks(responses)))
    return (OUTWEIGHED.format(kurtosis),) if kurtosis > max(HEAVY, 2 * of_ranks) else ()


def survival_of(function: ResponseScores | None, y: Array) -> Array | None:
    """Times and events ``(n, 2)`` of rows that are scored by `log_rank`; None of other scores."""
    return np.stack(times_and_events(y), axis=1) if function is log_rank else None


def scored(function: ResponseScores, y: Array) -> Floats:
    """The scores of one call as columns."""
    scores = np.asarray(function(y))
    if scores.shape[:1] != y.shape[:1] or scores.ndim > 2 or not scores.size:
        rule, got = "response_scores returns an array (n,) or (n, k)", f"shape {scores.shape} for n = {len(y)}"
        raise ValueError(complaint(rule, got, "return one row of scores for each response"))
    return finite(scores.reshape(len(y), -1), "response scores", 2)


def standardised(scores: Array) -> Floats:
    """Columns of mean 0 and mean square 1/k, variance 1 together; 0 where all are equal.

    Examples
    --------
    >>> standardised(np.array([[1.0, 5.0], [3.0, 5.0]])).round(3).tolist()
    [[-0.707, 0.0], [0.707, 0.0]]
    """
    scale = np.abs(scores).max(axis=0, initial=0.0)
    centred = scores / np.where(scale > 0, scale, 1.0)
    centred -= centred.mean(axis=0)
    varies = (scores != scores[:1]).any(axis=0)
    spread = np.sqrt((centred**2).mean(axis=0) * scores.shape[1])
    return np.asarray(np.where(varies, centred, 0.0) / np.where(varies, spread, 1.0))


def times_and_events(y: Any) -> tuple[Floats, Floats]:
    """Times from 0, and 1 where they end in an event.

    Raises
    ------
    ValueError, TypeError
        As ``log_rank``.
    """
    rows, rule = rows_of(y), "responses are times and events"
    if rows.dtype.names is not None and len(rows.dtype.names) == 2:
        time, event = (rows[name] for name in sorted(rows.dtype.names, key=lambda name: rows.dtype[name].kind == "b"))
    elif rows.ndim == 2 and rows.shape[1] == 2 and rows.dtype.names is None:
        time, event = rows.T
    else:
        got = f"shape {rows.shape}" if rows.dtype.names is None else f"fields {', '.join(rows.dtype.names)}"
        raise ValueError(complaint(rule, got, "pass two columns, np.column_stack([time, event])"))
    if event.dtype.kind in "bO":  # truth values, in a table of objects too
        flags, event = [isinstance(each, bool | np.bool_) for each in event.tolist()], event.astype(object)
        event[flags] = event[flags].astype(float)
    time, event = finite(time, "times", 1), finite(event, "events", 1)
    if (time < 0).any():
        raise ValueError(complaint("times are not negative", f"{time[time < 0][0]:g}", "drop or correct these rows"))
    if (odd := event[(event != 0) & (event != 1)]).size:
        remedy = "pass time first, then event, recoded"
        raise ValueError(complaint("events are 1, or 0 if the time is censored", f"{odd[0]:g}", remedy))
    return time, event
