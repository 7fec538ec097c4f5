"""Trees of rows that lie on many machines, by Dask.

Main definitions: ``DaskTreeClassifier``.
"""

try:
    import dask as _dask  # noqa: F401
except ModuleNotFoundError as absent:
    raise ModuleNotFoundError(
        "trees of many machines are grown by Dask; got no module dask; pip install 'splitcrit[trees,dask]'", name="dask"
    ) from absent

from splitcrit.distributed.classifier import DaskTreeClassifier

__all__ = ["DaskTreeClassifier"]
