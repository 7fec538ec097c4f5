"""What one compiled loop asks of a source, whatever holds the samples and whatever is scored.

A *source* is a named tuple of ``records``. Its type chooses these four operations when the loop is compiled; as the
loop runs nothing is decided by kind. A new layout of samples is a record and the four operations for it.

Main definitions: ``opened``, ``following``, ``score``, ``divide``; what samples in a list are asked, ``entries_of`` to
``score_categories``, and by what a source holds ``score_by``, ``divide_by``, ``next_by``; of responses that are numbers
``described``, ``scan_order`` and ``costs_of_sides``.
"""

# mypy: disable-error-code="no-untyped-def, empty-body"
from __future__ import annotations

from splitcrit.compiling import by_type


@by_type
def opened(source, tree, at, rules):
    """Whether node ``at`` may be split, and what its search needs (``OpenNode``)."""


@by_type
def following(source, node, tried, drawn, enough, varied, rules):
    """The column to try next (-1: none is left), how many of its entries are written, and new ``drawn`` and ``enough``.

    ``drawn`` features were drawn so far, and ``enough`` are to vary: 0 and ``rules.varying`` at first. ``tried``
    columns were tried, and ``varied`` of them vary in the node.
    """


@by_type
def score(source, node, column, entries, slot, ready, floor, rules):
    """The best raw score of the thresholds of a column, and whether it varies; -inf where none is allowed.

    With a finite ``floor`` return the place of the first threshold that reaches it, and whether missing values go left.
    ``entries`` is what ``following`` returned; ``slot`` is the order that may be used, ``ready`` if it is sorted.
    """


@by_type
def divide(source, node, pick, tree, at, new, rules):
    """Share the samples out by the first threshold that reaches the floor; fill rows ``at`` and ``new``, its left."""


# Samples in a list: what the loop asks of them, whether they have classes or responses (``listed_sources_compiled``).


@by_type
def entries_of(source, node):
    """The entries of a node, how far the row is shifted in each, and ranks and values of all rows by column."""


@by_type
def moved(source, node, column, cut, lost, row):
    """Move the samples with values up to ``cut``, or ``lost``, before the rest, in order, and return their number.

    ``column`` holds a value by row; ``row`` gets what a tree writes down of the left child.
    """


@by_type
def score_of_cut(source, node, column, cut, lost, rules):
    """The raw score of the division that ``moved`` makes, -inf if it leaves too little on a side."""


@by_type
def score_numbers(source, node, column, slot, ready, floor, rules):
    """Do what ``score`` does for a column of numbers."""


@by_type
def divide_by_numbers(source, node, pick, tree, at, new, rules):
    """Do what ``divide`` does for a column of numbers."""


@by_type
def score_categories(source, node, column, slot, floor, rules):
    """Do what ``score`` does for a column of categories.

    With a finite ``floor`` rank them, absent ones -1, and return the last rank that goes left.
    """


@by_type
def best_of_cells(source, node, column, entries, floor, rules):
    """The best raw score of a column of cells, or the first from ``floor`` on, and the keys on both sides."""


# The same by what a source holds: ``NoCategories`` or ``CategoryCodes``, ``NoComparison`` or ``ColumnComparison``.


@by_type
def score_by(recoding, source, node, column, slot, ready, floor, rules):
    """Do what ``score`` does for a column of numbers or of categories."""


@by_type
def divide_by(recoding, source, node, pick, tree, at, new, rules):
    """Do what ``divide`` does for a column of numbers or of categories."""


@by_type
def next_by(comparison, source, node, tried, drawn, enough, varied, rules):
    """Do what ``following`` does for columns compared in this way."""


# Responses that are numbers: the first argument is ``Sums``, ``Medians`` or ``OwnLoss``; what the others ask for is not
# compiled.


@by_type
def described(measure, listed, start, stop):
    """The prediction of a node and its impurity, given what ``listed.described`` holds."""


@by_type
def scan_order(measure, listed, column, move, top, only, rules):
    """Search one column of one node (``ResponseOrder``), missing values on one side: see ``scan_squared.squared``."""


@by_type
def costs_of_sides(measure, listed, base, size):
    """Set the sums of costs on both sides of the thresholds that may be: see ``by_sides``."""
