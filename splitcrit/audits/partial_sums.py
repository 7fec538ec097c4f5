"""Sums of rows at the nodes of a fitted model, where the rows are read in parts.

Main definitions: ``sums_of_parts``; ``chosen``, the columns that are the features of a model.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.audits.models import FittedModel, coded
from splitcrit.audits.node_moments import POWERS, NodeLabels
from splitcrit.data.columns import as_column, levels, magnitudes, pyarrow, vector
from splitcrit.data.csv_files import Watch
from splitcrit.data.resume import ResumeFolder, named, plain, read_arrays, write_arrays
from splitcrit.data.sources import source_of
from splitcrit.frozen import complaint

KEPT = ("rows", "unlabelled", "centre")  # of a run that is resumed, beside classes and sums


def sums_of_parts(
    model: Any, fitted: FittedModel, data: Any, target: str, watch: Watch | None = None, resume: Any = None
) -> tuple[list[Array], NodeLabels, Array | None, int]:
    """The sums of all rows at the nodes of each tree, the kind of their labels (of no row), the classes, and how
    many rows have no label, which are left out.

    The rows are those of files, or of other data that are read in parts; see ``Tables.of``.

    Raises
    ------
    ValueError
        If the target or a feature of the model is no column.
    """
    folder = ResumeFolder.of(resume)
    total = _RunningSums(model, fitted)
    source = source_of(data, watch, folder)
    if target not in source.headers:
        rule, got = "the target must be a column", f"{target!r} beside {', '.join(map(str, list(source.headers)[:5]))}"
        raise ValueError(complaint(rule, got, "pass one of them"))
    columns = chosen([name for name in source.headers if name != target], total.fitted.columns or total.fitted.features)
    wanted = [*columns, target]
    for batch in source.read(wanted) if folder is None else _left(folder, source.pieces, total, wanted):
        if batch.num_rows:
            total.add(columns, batch, target)
        if watch is not None:
            watch(total.rows + total.unlabelled, source.rows)
    return total.sums()


def chosen(names: Sequence[Any], features: Sequence[str]) -> list[Any]:
    """The columns that are the features of a model, by name; by place if the model has made its names up.

    Examples
    --------
    >>> chosen(["age", "shoe size", "id"], ["shoe_size", "age"]), chosen(["a", "b"], ["x0", "x1"])
    (['shoe size', 'age'], ['a', 'b'])
    """
    by_text = {str(name).replace(" ", "_"): name for name in names}
    unnamed = all(name in (f"x{i}", f"f{i}", f"Column_{i}") for i, name in enumerate(features))
    if unnamed and len(by_text) == len(features) and set(by_text) != set(features):
        return list(by_text.values())
    if absent := [name for name in features if name.replace(" ", "_") not in by_text]:
        rule = f"the data have the {len(features)} columns that the model was fitted on"
        raise ValueError(complaint(rule, f"none called {absent[0]!r}", "add it, or name the columns as in training"))
    return [by_text[name.replace(" ", "_")] for name in features]


def _left(folder: ResumeFolder, pieces: Any, total: _RunningSums, wanted: list[Any]) -> Iterator[Any]:
    """Yield the batches of the pieces that an earlier run has not read; after each piece the sums are written."""
    path = folder.folder / "audit.npz"
    digest = total.digest([*wanted, *(str(piece.path) for piece in pieces)])
    done = 0
    if path.exists():
        with read_arrays(path, digest) as (metadata, arrays):
            done = total.restore(metadata, arrays)

    def write(i: int) -> None:
        arrays = {f"tree{i}": sums for i, sums in enumerate(total.trees)}
        metadata = {name: getattr(total, name) for name in KEPT} | {"places": list(map(plain, total.places))}
        write_arrays(path, {**metadata, "digest": digest, "pieces": i}, arrays)

    for piece in folder.left(pieces, total, write, done):
        yield from piece.read(wanted)


class _RunningSums:
    """Sums at the nodes of the trees of a model; ``places`` are those of the classes, as they came."""

    def __init__(self, model: Any, fitted: FittedModel) -> None:
        self.fitted = fitted
        self.as_features = _form(model, fitted)
        self.rows = self.unlabelled = 0
        self.places: dict[Any, int] = {}
        self.centre = 0.0
        self.trees: list[Array] = [np.zeros((len(tree.structure.left), 0)) for tree in self.fitted.trees]

    def add(self, columns: list[Any], batch: Any, target: str) -> None:
        """Add the rows of a batch."""
        labels, present = self._labels(batch.column(target))
        self.unlabelled += batch.num_rows - len(labels.values)
        if not len(labels.values):
            return
        features = self.as_features([vector(batch.column(name))[present] for name in columns])
        each = zip(self.fitted.trees, self.fitted.ends(features), strict=True)
        for i, sums in enumerate([tree.sums(ends, labels, whole=False).sums for tree, ends in each]):
            # New classes have columns of zeros.
            before = np.zeros(sums.shape, dtype=sums.dtype)
            before[:, : self.trees[i].shape[1]] = self.trees[i]
            self.trees[i] = before + sums
        self.rows += len(labels.values)

    def _labels(self, column: Any) -> tuple[NodeLabels, Array]:
        """The labels of the rows that have one, classes by their places among those that have come, and which
        these rows are."""
        if self.fitted.n_classes is None:
            values, present = magnitudes(column)
            values = coded(self.fitted, values)[0] if len(values) else values
            self.centre = self.centre if self.rows or not len(values) else float(values.mean())
            return NodeLabels(values - self.centre, None, self.centre), present
        names, codes = levels(as_column(column))
        if names:
            coded(self.fitted, np.array(names))
        at = [self.places.setdefault(name, len(self.places)) for name in names]
        return NodeLabels(np.array(at, dtype=np.intp)[codes[codes >= 0]], len(self.places)), codes >= 0

    def sums(self) -> tuple[list[Array], NodeLabels, Array | None, int]:
        """The sums of all rows, classes in their order."""
        if not self.rows:
            raise ValueError(complaint("an audit needs rows", "none", "pass some"))
        if self.fitted.n_classes is None:
            return self.trees, NodeLabels(np.empty(0), None, self.centre), None, self.unlabelled
        codes, classes = coded(self.fitted, np.array(list(self.places)))
        assert classes is not None
        in_order = [np.zeros((len(sums), len(classes)), dtype=sums.dtype) for sums in self.trees]
        for new, sums in zip(in_order, self.trees, strict=True):
            new[:, codes] = sums
        return in_order, NodeLabels(np.empty(0, dtype=np.int64), len(classes)), classes, self.unlabelled

    def restore(self, metadata: dict[str, Any], arrays: Any) -> int:
        """Take sums that were written, and return the number of their pieces."""
        self.rows, self.unlabelled, self.centre = (metadata[name] for name in KEPT)
        self.places = {named(name): i for i, name in enumerate(metadata["places"])}
        self.trees = [arrays[f"tree{i}"] for i in range(len(self.trees))]
        return int(metadata["pieces"])

    def digest(self, wanted: list[Any]) -> str:
        """A digest of the model and of the columns and files that it is held against."""
        each: list[Any] = [list(map(str, wanted)), self.fitted.library, POWERS, "above"]
        for s in (vars(tree.structure) for tree in self.fitted.trees):
            each += [
                np.asarray(part).tolist() if name != "subsets" else sorted(part.items()) for name, part in s.items()
            ]
        return hashlib.sha256(repr(each).encode()).hexdigest()


def _form(model: Any, fitted: FittedModel) -> Callable[[list[Array]], Any]:
    """The function that makes features of columns: an array, or by the names that the model was fitted with."""
    if fitted.library != "scikit-learn" and fitted.columns is None:
        return lambda columns: dict(zip(fitted.features, columns, strict=True))
    if (names := getattr(model, "feature_names_in_", None)) is not None:
        return lambda columns: pyarrow().table(dict(zip(map(str, names), columns, strict=True))).to_pandas()
    return lambda columns: np.column_stack(columns)
