# /// script
# requires-python = ">=3.11"
# dependencies = ["splitcrit[trees]", "pandas"]
# ///
"""Which features of a forest of scikit-learn do new rows show to be informative?"""

import numpy as np
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier

from splitcrit import audit

X, y = load_iris(return_X_y=True, as_frame=True)
X["noise"] = np.random.default_rng(0).normal(size=150)
forest = RandomForestClassifier(50, random_state=0).fit(X[::2], y[::2])
print(audit(forest, X[1::2], y[1::2]))
