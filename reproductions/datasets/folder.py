"""Data sets in a folder: CSV files, last column the class, described by a manifest.

``manifest.json`` holds ``{"datasets": [{"name", "file", "n", "d", "categorical_columns", ...}, ...]}``; a file is UTF-8
with a header row, an empty cell is missing, ``.gz`` is understood.

Main definitions: ``Dataset``, ``load``, ``names``.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.data.csv_files import blocks
from splitcrit.data.values import numbers
from splitcrit.display import summary
from splitcrit.frozen import complaint

Array = NDArray[Any]
VARIABLE = "SPLITCRIT_DATA"


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """A table of features and a class.

    Parameters
    ----------
    name : str
    X : float array (n, d)
        Numbers; a categorical column holds the place of its value in ``categories``; nan is a missing value.
    y : array (n,)
        Class labels, as text where they come from a file.
    features : tuple of str
    categories : dict
        The values of each categorical column, sorted, by the column's number.
    about : dict
        What the manifest says of the data set.
    """

    name: str
    X: Array
    y: Array
    features: tuple[str, ...]
    categories: dict[int, tuple[str, ...]]
    about: dict[str, Any]

    def __repr__(self) -> str:
        return summary(self, name=self.name, rows=len(self.X), features=len(self.features), classes=len(self.classes))

    @property
    def categorical(self) -> NDArray[np.bool_]:
        """Which columns are categorical."""
        return np.isin(np.arange(self.X.shape[1]), list(self.categories))

    @property
    def classes(self) -> Array:
        """The classes, sorted."""
        return np.unique(self.y)

    def one_hot(self) -> Dataset:
        """The data set with a 0/1 column for every value of a categorical column; missing values have none."""
        columns: list[Array] = []
        features: list[str] = []
        for f, name in enumerate(self.features):
            values = self.categories.get(f)
            if values is None:
                columns.append(self.X[:, f])
                features.append(name)
            else:
                columns += [(self.X[:, f] == v).astype(float) for v in range(len(values))]
                features += [f"{name}={value}" for value in values]
        return replace(self, X=np.stack(columns, axis=1), features=tuple(features), categories={})

    def without(self, *names: str) -> Dataset:
        """The data set without some of its columns."""
        for name in names:
            if not isinstance(name, str) or name not in self.features:
                raise ValueError(
                    complaint("a column to leave out must exist", f"{name!r}", f"see {self.name}.features")
                )
        columns = [f for f, name in enumerate(self.features) if name not in names]
        categories = {at: self.categories[f] for at, f in enumerate(columns) if f in self.categories}
        return replace(
            self, X=self.X[:, columns], features=tuple(self.features[f] for f in columns), categories=categories
        )


def folder_of(folder: Any = None) -> Path:
    """The folder of data sets: the one given, or that of the environment variable ``SPLITCRIT_DATA``."""
    place = os.environ.get(VARIABLE) if folder is None else folder
    if not isinstance(place, str | os.PathLike | None):
        raise TypeError(complaint("a folder of data sets is a path", type(place).__name__, "pass a str or a Path"))
    if not place:
        rule = "data sets are read from a folder with a manifest"
        raise FileNotFoundError(complaint(rule, f"no folder and no variable {VARIABLE}", "pass folder= or --data-dir"))
    path = Path(place)
    if not (path / "manifest.json").is_file():
        rule = "a folder of data sets holds manifest.json"
        raise FileNotFoundError(complaint(rule, f"{path} without it", "pass the folder that has it"))
    return path


def _entries(folder: Path) -> dict[str, dict[str, Any]]:
    try:
        listed = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["datasets"]
        return {str(entry["name"]): dict(entry) for entry in listed}
    except (ValueError, KeyError, TypeError) as error:
        rule = 'a manifest is JSON of the form {"datasets": [{"name": ..., "file": ...}]}'
        raise ValueError(complaint(rule, f"{type(error).__name__}: {error}", "mend manifest.json")) from None


def names(folder: Any = None) -> tuple[str, ...]:
    """The names of the data sets of a folder, in the order of its manifest."""
    return tuple(_entries(folder_of(folder)))


def load(name: str, folder: Any = None) -> Dataset:
    """A data set of a folder.

    Parameters
    ----------
    name : str
    folder : path, optional
        Where ``manifest.json`` and the files lie; by default what the variable ``SPLITCRIT_DATA`` names.

    Raises
    ------
    FileNotFoundError
        If there is no folder, no manifest or no file.
    ValueError
        If the name is unknown, a number is no number, or the shape is not the manifest's.
    """
    path = folder_of(folder)
    entries = _entries(path)
    if not isinstance(name, str) or name not in entries:
        raise ValueError(complaint("a data set must be in the manifest", f"{name!r}", f"one of {', '.join(entries)}"))
    about = entries[name]
    cells: dict[str, list[str]] = {}
    for block in blocks(path / _file_of(about), fast=False):
        for column, some in block.columns.items():
            cells.setdefault(column, []).extend(map(str.strip, some))
    *features, (_, target) = cells.items()
    if not features:
        rule = "a data set has features before its class"
        raise ValueError(complaint(rule, f"one column in {name}", "add the columns that predict it"))
    textual = set(about.get("categorical_columns", ()))
    pairs = [_coded(cells) if column in textual else (_numeric(cells, column, name), ()) for column, cells in features]
    X = np.stack([values for values, _ in pairs], axis=1)
    if "" in target:
        raise ValueError(complaint("every row has a class", f"an empty one in {name}", "drop such rows"))
    expected = (about.get("n", len(X)), about.get("d", X.shape[1]))
    if X.shape != expected:
        rule = f"{name} has the shape of its manifest, {expected}"
        raise ValueError(complaint(rule, f"{X.shape}", "fetch the file again"))
    categories = {f: values for f, (_, values) in enumerate(pairs) if values}
    return Dataset(name, X, np.array(target), tuple(column for column, _ in features), categories, about)


def _file_of(about: dict[str, Any]) -> str:
    file = about.get("file")
    if not isinstance(file, str):
        rule = "a data set of a manifest has a file"
        raise ValueError(complaint(rule, f"{file!r} for {about['name']}", "mend manifest.json"))
    return file


def _numeric(cells: list[str], column: str, name: str) -> Array:
    """Cells as numbers, nan where they are empty."""
    values = np.full(len(cells), np.nan)
    try:
        read = numbers(cell for cell in cells if cell)
    except ValueError:
        read = np.array([np.nan])
    if not len(read) or not np.isfinite(read).all():
        rule = "a column that the manifest does not call categorical holds finite numbers"
        raise ValueError(complaint(rule, f"text in {column} of {name}", "add it to categorical_columns"))
    values[[bool(cell) for cell in cells]] = read
    return values


def _coded(cells: list[str]) -> tuple[Array, tuple[str, ...]]:
    """The places of cells among their values, nan where they are empty."""
    values = tuple(sorted({cell for cell in cells if cell}))
    places = {value: float(at) for at, value in enumerate(values)}
    return np.array([places.get(cell, np.nan) for cell in cells]), values
