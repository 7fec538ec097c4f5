"""The names of criteria where a string is taken: by estimators and by the command line.

Main definitions: ``NAMES``, ``written`` (what to pass where a text reads like a call).
"""

from __future__ import annotations

from splitcrit import criteria, impurities, nulls
from splitcrit.criteria import Criterion
from splitcrit.impurities import Impurity
from splitcrit.nulls.calibration import max_selected
from splitcrit.nulls.chance_criteria import agini, sgini, significance

BITS = impurities.shannon_entropy(2)  # scikit-learn measures entropy in bits

NAMES: dict[str, Criterion | Impurity] = {
    "gini": impurities.gini,
    "entropy": BITS,
    "log_loss": BITS,
    "misclassification": impurities.misclassification,
    "sqrt_gini": impurities.sqrt_gini,
    "matushita": impurities.matushita,
    "bayes_sum": impurities.bayes_sum,
    "twoing": criteria.twoing,
    "pairwise_gain": criteria.pairwise_gain,
    "one_vs_rest_pairwise_gain": criteria.one_vs_rest_pairwise_gain,
    "sum_minority": criteria.sum_minority,
    "hellinger": criteria.hellinger,
    "dkm": criteria.dkm,
    "gain_ratio": criteria.normalised(impurities.entropy),
    "credal": criteria.imprecise_information_gain(1),
    "credal_ratio": criteria.imprecise_gain_ratio(1),
    "sgini": sgini,
    "agini": agini,
    "significance": significance,
    "max_selected": max_selected,
}


def written(text: str) -> str | None:
    """Return the value to pass in place of a text that reads like a call; None if it does not.

    Parameters of a criterion are arguments of a call, which Python reads; no text is.

    Examples
    --------
    >>> written("ne(.5)")
    'pass criterion=ne(.5) itself, after `from splitcrit.impurities import ne`'
    """
    maker = text.partition("(")[0].strip()
    home = next((part.__name__ for part in (impurities, criteria, nulls) if maker in part.__all__), None)
    if home is None or maker in NAMES:
        return None
    call = text.strip() if "(" in text else f"{maker}(...)"
    return f"pass criterion={call} itself, after `from {home} import {maker}`"
