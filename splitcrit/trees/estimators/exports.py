"""A fitted tree as a picture, as graphviz source or as text: scikit-learn's own exports, told what they show.

scikit-learn prints ``tree_.impurity`` under the name that was passed as ``criterion=``, whatever it is, and counts only
the features; here a number stands under the name of its impurity, and a split by categories says which go left.

Main definitions: ``plot_tree``, ``export_graphviz``, ``export_text``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from math import floor, log10
from pathlib import Path
from typing import Any

import numpy as np
from sklearn import tree as pictures

from splitcrit.display import CELL, NAME, plot_label, visible_name
from splitcrit.frozen import complaint, visible
from splitcrit.trees.estimators.categorical_tree import CategoricalTree
from splitcrit.trees.estimators.sklearn_tree import by_node, lent
from splitcrit.trees.tree_arrays import TreeNodes


def plot_tree(fitted: Any, *, feature_names: Any = None, **options: Any) -> Any:
    """Draw a fitted tree with matplotlib, as ``sklearn.tree.plot_tree`` does.

    Parameters
    ----------
    fitted : TreeClassifier, TreeRegressor or AdaptiveTreeClassifier
    feature_names : sequence of str, optional
        Names of the features, ``feature_names_in_`` by default. A split by categories says which of them go left,
        ``"colour in {blue, red}"``; of more than six, five are listed.
    **options
        Those of ``sklearn.tree.plot_tree``.

    Returns
    -------
    list of matplotlib annotations

    Raises
    ------
    TypeError, ValueError
        If it is no tree of this library, or the names are not as many as the features.
    """
    plain, names, sides = _shown(fitted, feature_names, options, plot_label)
    drawn = pictures.plot_tree(plain, feature_names=[*names, *(left for left, _ in sides)], **options)
    for note in drawn:
        note.set_text(_without_thresholds(note.get_text(), sides))
    return drawn


def export_graphviz(fitted: Any, *, feature_names: Any = None, **options: Any) -> Any:
    """Export a fitted tree as graphviz source, as ``sklearn.tree.export_graphviz`` does.

    Parameters, returns and errors are those of ``plot_tree`` and of scikit-learn's function.

    Examples
    --------
    >>> from splitcrit import TreeClassifier
    >>> tree = TreeClassifier(criterion="sgini").fit([[0], [0], [1], [1]], ["no", "no", "yes", "yes"])
    >>> print(export_graphviz(tree, feature_names=["dose"]).splitlines()[3])
    0 [label="dose <= 0.5\\ngini = 0.5\\nsamples = 4\\nvalue = [2, 2]"] ;
    """
    plain, names, sides = _shown(fitted, feature_names, options)
    columns, file = [*names, *(left for left, _ in sides)], options.pop("out_file", None)
    if file is not None and not isinstance(file, str) and not hasattr(file, "write"):
        return pictures.export_graphviz(plain, feature_names=columns, out_file=file, **options)
    source = _without_thresholds(pictures.export_graphviz(plain, feature_names=columns, **options), sides)
    if isinstance(file, str):
        Path(file).write_text(source, encoding="utf-8")
    elif file is not None:
        file.write(source)
    return source if file is None else None


def export_text(fitted: Any, *, feature_names: Any = None, **options: Any) -> str:
    """A fitted tree as text, as ``sklearn.tree.export_text`` does.

    A split that meets missing values says where they go. Thresholds have as many digits as tell those of a column
    apart, at least two decimals or three digits, unless ``decimals`` are passed. Parameters and errors are those of
    ``plot_tree`` and of scikit-learn's function.

    Examples
    --------
    >>> from splitcrit import TreeClassifier
    >>> tree = TreeClassifier(categorical_features=[0]).fit([["red"], ["blue"], ["green"]], ["yes", "no", "no"])
    >>> print(export_text(tree, feature_names=["colour"]))
    |--- colour in {blue, green}
    |   |--- class: no
    |--- colour in {red}
    |   |--- class: yes
    <BLANKLINE>
    >>> tree = TreeClassifier().fit([[1.0], [2.0], [float("nan")], [float("nan")]], [0, 1, 1, 1])
    >>> print(export_text(tree, feature_names=["marker"]))
    |--- marker <= 1.50
    |   |--- class: 0
    |--- marker >  1.50 or missing
    |   |--- class: 1
    <BLANKLINE>
    """
    plain, names, sides = _shown(fitted, feature_names, options)
    if hasattr(plain, "classes_"):
        plain.classes_ = np.array(list(map(visible_name, plain.classes_)))
    missing = fitted.missing_sides()
    rounded = options.get("decimals") is not None
    if not (rounded or hasattr(fitted, "classes_")):  # three digits of what tells values apart
        spread = float(np.ptp(plain.tree_.value) or abs(plain.tree_.value).max())
        options["decimals"] = max(2, 2 - floor(log10(spread or 1)))
    features, thresholds, plain.tree_ = fitted.nodes_.feature, _thresholds(fitted.nodes_), by_node(plain.tree_)
    plain.n_features_in_ = len(features)
    columns = [f"\x01{node}\x01" for node in range(len(features))]
    text = str(pictures.export_text(plain, feature_names=columns, **options))

    def says(match: re.Match[str]) -> str:
        node, right = int(match[1]), match[2] != "<="
        feature = int(features[node])
        if feature >= len(names):
            return sides[feature - len(names)][right]
        threshold = match[3] if rounded else thresholds[node]
        return f"{names[feature]} {fitted.number_sides(threshold, missing[node])[right]}"

    return re.sub(r"\x01(\d+)\x01 (<=|> ) (\S+)", says, text)


def _thresholds(nodes: TreeNodes) -> list[str]:
    """The threshold of each node in digits that tell those of its column, and float64 neighbours, apart."""
    labels = [""] * nodes.node_count
    for column in np.unique(nodes.feature[nodes.children_left >= 0]).tolist():
        here = np.flatnonzero(nodes.feature == column).tolist()
        cuts = nodes.threshold[here].tolist()
        # Two decimals, three digits of what they leave no two digits of, or as many digits as are needed.
        ways = [[f"{cut:.3g}" if 0 < abs(cut) < 0.1 else f"{cut:.2f}" for cut in cuts]]
        ways += [[f"{cut:.{digits}g}" for cut in cuts] for digits in range(4, 17)] + [list(map(repr, cuts))]
        ways = ways if nodes.in_float32[here].all() else ways[-1:]
        says = next(way for way in ways if len(set(way)) == len(set(cuts)))
        for node, label in zip(here, says, strict=True):
            labels[node] = label
    return labels


def _without_thresholds(text: str, sides: list[tuple[str, str]]) -> str:
    """Text of a picture in which neither categories nor what is present is compared with a threshold."""
    text = re.sub(r" (?:<=|&le;) inf\b", " is present", text)
    if not sides:
        return text
    each = "|".join(re.escape(label) for left, _ in sides for label in {left, left.replace('"', r"\"")})
    return re.sub(rf"({each}) (?:<=|&le;) [\d.]+", r"\1", text)


def _shown(
    fitted: Any, feature_names: Any, options: dict[str, Any], printed: Callable[[object, int], str] = visible
) -> tuple[Any, list[str], list[tuple[str, str]]]:
    """A tree that scikit-learn can show, the names of its features, and the conditions of its subsets.

    All names, those of classes among the options too, are ``printed``.
    """
    if not isinstance(fitted, CategoricalTree):
        rule, remedy = "this function takes a splitcrit tree", "pass a TreeClassifier, or use scikit-learn's function"
        remedy = "pass its estimator_" if isinstance(getattr(fitted, "estimator_", None), CategoricalTree) else remedy
        raise TypeError(complaint(rule, type(fitted).__name__, remedy))
    if isinstance(classes := options.get("class_names"), Iterable) and not isinstance(classes, str):
        options["class_names"] = [printed(name, NAME) for name in classes]
    names = fitted.names_of_columns(feature_names)[: fitted.n_features_in_]
    sides = fitted.sides_of(list(map(visible_name, names)))
    sides = [(printed(left, CELL), printed(right, CELL)) for left, right in sides]
    return fitted.showing(lent(fitted.nodes_)), [printed(name, NAME) for name in names], sides
