"""Trees and forests on Dask, for rows on several machines.

Main definitions: ``DaskTreeClassifier``, ``DaskTreeRegressor``, ``DaskForestClassifier``.
"""

from splitcrit.frozen import extra

with extra(__name__):
    from splitcrit.distributed.classifier import DaskTreeClassifier
    from splitcrit.distributed.forest import DaskForestClassifier
    from splitcrit.distributed.regressor import DaskTreeRegressor

__all__ = ["DaskForestClassifier", "DaskTreeClassifier", "DaskTreeRegressor"]
