"""A fitted tree as a picture, as graphviz source or as text: scikit-learn's own exports, told what they show.

scikit-learn prints ``tree_.impurity`` under the name that was passed as ``criterion=``, whatever it is, and counts only
the features; here a number stands under the name of its impurity, and splits by categories have names.

Main definitions: ``plot_tree``, ``export_graphviz``, ``export_text``.
"""

from __future__ import annotations

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
        Names of the features, ``feature_names_in_`` by default; splits by categories are named after them.
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
    plain, names = _shown(fitted, feature_names)
    return pictures.plot_tree(plain, feature_names=names, **options)


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
    plain, names = _shown(fitted, feature_names)
    return pictures.export_graphviz(plain, feature_names=names, **options)


def export_text(fitted: Any, *, feature_names: Any = None, **options: Any) -> str:
    """Return a fitted tree as text, as ``sklearn.tree.export_text`` does.

    Parameters and errors are those of ``plot_tree`` and of scikit-learn's function.
    """
    plain, names = _shown(fitted, feature_names)
    return str(pictures.export_text(plain, feature_names=names, **options))


def _shown(fitted: Any, feature_names: Any) -> tuple[Any, list[str]]:
    if not isinstance(fitted, Categorical):
        rule, remedy = "a tree of this library is shown", "pass a TreeClassifier, or use scikit-learn's function"
        raise TypeError(complaint(rule, type(fitted).__name__, remedy))
    return fitted.over_columns(), fitted.names_of_columns(feature_names)
