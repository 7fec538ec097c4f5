"""How well a fitted regressor predicts.

Main definitions: ``ResponseScore``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.metrics import r2_score

from splitcrit.frozen import complaint
from splitcrit.training_inputs import column, numbers, scaled, weights_of


class ResponseScore:
    """A regressor whose ``score`` is the coefficient of determination."""

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return one less the ratio of the squared error to that of the mean of ``y``.

        Raises ValueError or TypeError if ``X``, ``y`` or ``sample_weight`` is invalid.
        """
        predicted, given = self.predict(X), column(y)  # type: ignore[attr-defined]
        with numbers(y, "responses"):
            responses = given.astype(float)
        if responses.shape != predicted.shape or not np.isfinite(responses).all():
            rule, got = f"y has one finite number for each of {len(predicted)} rows", f"shape {responses.shape}"
            got = got if responses.shape != predicted.shape else f"{responses[~np.isfinite(responses)][0]}"
            raise ValueError(complaint(rule, got, "drop or mend these rows"))
        weights = None if sample_weight is None else scaled(weights_of(sample_weight, len(predicted)))
        return float(r2_score(*scaled(responses, predicted), sample_weight=weights))
