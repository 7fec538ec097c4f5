"""A fitted tree as a picture, as graphviz source or as text: scikit-learn's own exports, told what they show.

scikit-learn prints ``tree_.impurity`` under the name that was passed as ``criterion=``, whatever it is, and counts only
the features; here a number stands under the name of its impurity, and a split by categories says which go left.

Main definitions: ``plot_tree``, ``export_graphviz``, ``export_text``.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from sklearn import tree as pictures

from splitcrit.estimators.categories import Categorical
from splitcrit.values import complaint


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
    plain, names, sides = _shown(fitted, feature_names)
    drawn = pictures.plot_tree(plain, feature_names=[*names, *(left for left, _ in sides)], **options)
    for note in drawn if sides else ():
        note.set_text(_without_thresholds(note.get_text(), sides))
    return drawn


def export_graphviz(fitted: Any, *, feature_names: Any = None, **options: Any) -> Any:
    """Return or write a fitted tree as graphviz source, as ``sklearn.tree.export_graphviz`` does.

    Parameters, returns and errors are those of ``plot_tree`` and of scikit-learn's function.

    Examples
    --------
    >>> from splitcrit import TreeClassifier
    >>> tree = TreeClassifier(criterion="sgini").fit([[0], [0], [1], [1]], ["no", "no", "yes", "yes"])
    >>> print(export_graphviz(tree, feature_names=["dose"]).splitlines()[3])
    0 [label="dose <= 0.5\\ngini = 0.5\\nsamples = 4\\nvalue = [2, 2]"] ;
    """
    plain, names, sides = _shown(fitted, feature_names)
    columns, file = [*names, *(left for left, _ in sides)], options.pop("out_file", None)
    if not sides or (file is not None and not isinstance(file, str) and not hasattr(file, "write")):
        return pictures.export_graphviz(plain, feature_names=columns, out_file=file, **options)
    source = _without_thresholds(pictures.export_graphviz(plain, feature_names=columns, **options), sides)
    if isinstance(file, str):
        Path(file).write_text(source, encoding="utf-8")
    elif file is not None:
        file.write(source)
    return source if file is None else None


def export_text(fitted: Any, *, feature_names: Any = None, **options: Any) -> str:
    """Return a fitted tree as text, as ``sklearn.tree.export_text`` does.

    Parameters and errors are those of ``plot_tree`` and of scikit-learn's function.

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
    """
    plain, names, sides = _shown(fitted, feature_names)
    columns = [*names, *(f"\x01{i}\x01" for i in range(len(sides)))]
    text = str(pictures.export_text(plain, feature_names=columns, **options))
    return re.sub(r"\x01(\d+)\x01 (<=|> ) [\d.]+", lambda found: sides[int(found[1])][found[2] != "<="], text)


def _without_thresholds(text: str, sides: list[tuple[str, str]]) -> str:
    """Return text of a picture in which what goes left by categories is no longer compared with a threshold."""
    each = "|".join(re.escape(label) for left, _ in sides for label in {left, left.replace('"', r"\"")})
    return re.sub(rf"({each}) (?:<=|&le;) [\d.]+", r"\1", text)


def _shown(fitted: Any, feature_names: Any) -> tuple[Any, list[str], list[tuple[str, str]]]:
    """Return what scikit-learn can show, the names of the features, and what the columns of subsets say."""
    if not isinstance(fitted, Categorical):
        rule, remedy = "a tree of this library is shown", "pass a TreeClassifier, or use scikit-learn's function"
        raise TypeError(complaint(rule, type(fitted).__name__, remedy))
    names = fitted.names_of_columns(feature_names)[: fitted.n_features_in_]
    return fitted.over_columns(), names, fitted.sides_of(names)
