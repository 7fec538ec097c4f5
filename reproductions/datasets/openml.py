"""Data sets of OpenML, through scikit-learn's fetcher and its cache.

Main definitions: ``fetch``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from splitcrit.arguments import whole
from splitcrit.frozen import complaint

from .folder import Dataset


def fetch(name: str, *, version: int | str = "active", cache: Any = None) -> Dataset:
    """A data set of OpenML; needs a network the first time.

    Parameters
    ----------
    name : str
        The name on OpenML.
    version : int or "active"
    cache : path, optional
        Where scikit-learn keeps what it has fetched.

    Raises
    ------
    OSError
        If OpenML cannot be reached and nothing is kept.
    ValueError
        If the data set has no class column.
    """
    from sklearn.datasets import fetch_openml

    if not isinstance(name, str) or not name:
        raise ValueError(complaint("a data set of OpenML has a name", repr(name), "pass 'iris' for instance"))
    if version != "active" or not isinstance(version, str):
        version = whole(version, "a version that is not 'active'", 1)
    try:
        bunch = fetch_openml(name, version=version, as_frame=False, parser="liac-arff", data_home=cache)
    except OSError as error:
        rule = "data sets of OpenML are fetched over a network"
        raise OSError(complaint(rule, f"{error}", "connect, or pass a folder of CSV files")) from None
    except ValueError as error:
        rule = "a data set of OpenML is found by name and version"
        raise ValueError(complaint(rule, f"{name!r}, version {version}: {error}", "look it up there")) from None
    if bunch.target is None:
        raise ValueError(complaint("a data set needs a class", f"{name} without one", "choose another version"))
    named = dict(bunch.categories or {})
    categories = {f: tuple(map(str, named[c])) for f, c in enumerate(bunch.feature_names) if c in named}
    X = np.asarray(bunch.data, dtype=float)
    about = {"details": bunch.details, "url": bunch.url}
    return Dataset(name, X, np.asarray(bunch.target), tuple(bunch.feature_names), categories, about)
