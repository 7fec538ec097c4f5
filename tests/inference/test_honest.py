"""The estimators keep scikit-learn's contract, and what they keep, predict and refuse is what they say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from splitcrit.inference import HonestTreeClassifier, HonestTreeRegressor


@parametrize_with_checks([HonestTreeClassifier(), HonestTreeRegressor()])
def test_scikit_learns_checks(estimator: Any, check: Any) -> None:
    check(estimator)
