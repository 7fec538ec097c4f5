"""A call such as ``gce(0.7)`` that a user wrote, read as a member of a family of criteria; nothing is evaluated.

Main definitions: ``member``, ``named``, ``parameters``.
"""

from __future__ import annotations

import ast
import inspect
from fractions import Fraction
from typing import Any

from splitcrit import criteria, impurities, nulls
from splitcrit.criteria import Criterion
from splitcrit.criteria.base import as_criterion
from splitcrit.frozen import complaint
from splitcrit.impurities import Impurity


def named(name: str) -> Any:
    """The value or function of the library with this name, else None."""
    return next((getattr(part, name) for part in (impurities, criteria, nulls) if name in part.__all__), None)


def parameters(maker: Any) -> list[str]:
    """The names of a function's parameters that may be passed by position."""
    each = inspect.signature(maker).parameters
    return [name for name, p in each.items() if p.kind is p.POSITIONAL_OR_KEYWORD]


def member(maker: str, arguments: str) -> Criterion | None:
    """The criterion that a maker makes of arguments in parentheses; None for the family, its own parameters.

    Raises
    ------
    ValueError
        If the arguments are not numbers, tuples of numbers or impurities, or the maker does not take them.

    Examples
    --------
    >>> member("ne", "(1/2)"), member("gce", "(q=0.7)"), member("gce", "(q)")
    (decrease(ne(lam=Fraction(1, 2))), decrease(gce(q=0.7)), None)
    """
    value = named(maker)
    own = parameters(value)
    try:
        call: Any = ast.parse(maker + arguments, mode="eval").body
        if not isinstance(call.func, ast.Name):
            raise ValueError("two pairs of parentheses")
        by_name = {part.arg: part.value for part in call.keywords}
        passed = dict(zip(own, call.args, strict=False)) | by_name
        if len(passed) < len(call.args) + len(call.keywords):
            raise ValueError(f"{len(call.args) + len(call.keywords)} parameters")
        if passed and all(isinstance(node, ast.Name) and node.id == name for name, node in passed.items()):
            return None
        criterion = value(**{name: _value(node, name not in own) for name, node in passed.items()})
    except (SyntaxError, TypeError, ValueError, ArithmeticError, AttributeError, MemoryError, RecursionError) as error:
        remedy = f"pass values for them ({error})"
        raise ValueError(complaint(f"{maker} takes {', '.join(own)}", repr(maker + arguments), remedy)) from error
    return as_criterion(criterion)


def _value(node: Any, flag: bool = False) -> Any:
    """A number, a tuple, or an impurity by its name; a quotient of integers is a fraction."""
    match node:
        case ast.Constant(value=bool()) if flag:
            return node.value
        case ast.Constant(value=bool() | str() | bytes() | complex() | None):
            raise ValueError(f"{node.value!r} is not a number")
        case ast.Constant():
            return node.value
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -_value(inner)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return tuple(map(_value, parts))
        case ast.BinOp(op=ast.Div(), left=above, right=below):
            return Fraction(_value(above), _value(below))
        case ast.Call(func=ast.Name(id="Fraction"), args=[above, below], keywords=[]):
            return Fraction(_value(above), _value(below))
        case ast.Name(id=name) if isinstance(value := named(name), Impurity | Criterion):
            return value
    raise ValueError(f"{ast.unparse(node)} is not a number")
