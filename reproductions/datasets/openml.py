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
        found = fetch_openml(name, version=version, as_frame=False, parser="liac-arff", data_home=cache)
    except OSError as error:
        rule = "data sets of OpenML are fetched over a network"
        raise OSError(complaint(rule, f"{error}", "connect, or pass a folder of CSV files")) from None
    except ValueError as error:
        rule = "a data set of OpenML is found by name and version"
        raise ValueError(complaint(rule, f"{name!r}, version {version}: {error}", "look it up there")) from None
    if found.target is None:
        raise ValueError(complaint("a data set needs a class", f"{name} without one", "choose another version"))
    named = dict(found.categories or {})
    categories = {f: tuple(map(str, named[c])) for f, c in enumerate(found.feature_names) if c in named}
    X = np.asarray(found.data, dtype=float)
    about = {"details": found.details, "url": found.url}
    return Dataset(name, X, np.asarray(found.target), tuple(found.feature_names), categories, about)
