"""What a comparison of a tree with a number says once others of the same tree are answered, in any ordered field.

Main definitions: ``follows``.
"""

from __future__ import annotations

from fractions import Fraction

from splitcrit.arith.tracing import Node


def follows(said: Node, path: list[tuple[Node, bool]]) -> bool | None:
    """Return the answer that earlier comparisons of the same tree force, or None if both are possible."""
    asked = _bound(said, True)
    if asked is None:
        return None
    tree, above, least, strict = asked
    for known, way in path:
        found = _bound(known, way)
        if found is None or found[0] != tree:
            continue
        _, known_above, number, known_strict = found
        beyond = number - least if above else least - number
        if known_above == above and (beyond > 0 or (beyond == 0 and known_strict >= strict)):
            return True
        if known_above != above and (beyond < 0 or (beyond == 0 and (known_strict or strict))):
            return False
    return None


def _bound(said: Node, way: bool) -> tuple[Node, bool, Fraction, bool] | None:
    """Return a comparison with a number as tree, whether it lies above, number, whether strictly."""
    if said.op not in ("<", "<="):
        return None
    left, right = said.parts
    if (left.op == "number") == (right.op == "number"):
        return None
    above, strict = left.op == "number", said.op == "<"
    tree, number = (right, left.parts[0]) if above else (left, right.parts[0])
    return (tree, above, number, strict) if way else (tree, not above, number, not strict)
