# /// script
# requires-python = ">=3.11"
# dependencies = ["splitcrit", "scikit-learn", "pandas"]
# ///
"""Which measurements tell the third cultivar of wine from the others? A column of noise stands beside them."""

import numpy as np
from sklearn.datasets import load_wine

from splitcrit import rank_features

wine = load_wine(as_frame=True)
columns = wine.data.iloc[:, :5].assign(noise=np.random.default_rng(0).normal(size=178))
print(rank_features(columns, wine.target == 2))
