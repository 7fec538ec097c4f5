"""Trees and forests on Dask, for rows on several machines.

Main definitions: ``DaskTreeClassifier``, ``DaskTreeRegressor``, ``DaskForestClassifier``.
"""

try:
    import dask as _dask  # noqa: F401
except ModuleNotFoundError as absent:
    raise ModuleNotFoundError(
        "trees of many machines are grown by Dask; got no module dask; pip install 'splitcrit[trees,dask]'", name="dask"
    ) from absent

from splitcrit.distributed.classifier import DaskTreeClassifier
from splitcrit.distributed.forest import DaskForestClassifier
from splitcrit.distributed.regressor import DaskTreeRegressor

__all__ = ["DaskForestClassifier", "DaskTreeClassifier", "DaskTreeRegressor"]
