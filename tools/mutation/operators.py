"""Which changes there are: every mutant of a module, as an edit of its text.

Beside the usual operators (a comparison, a sign, a constant, a condition, a statement left out) stand those after slips
that people make: two arguments or left and right exchanged, a unit or normalisation dropped, ties in reverse order,
another text as an argument, an argument or a guard left out; and those of loops and sums: a round, a term, an operand
or a filter dropped, ``abs``, ``sorted``, ``set``, a copy or a bound dropped, a narrower integer, an array not zeroed.

Left alone are annotations, docstrings and other texts, messages of errors, ``__repr__`` and ``__str__``, decorators,
assertions, blocks under ``TYPE_CHECKING``, unions of types with a name, the arguments ``strict`` and ``stacklevel``,
and in ``plots`` what only chooses how a picture looks: some arguments, entries of dictionaries, and constants of a
module.

Main definitions: ``Mutant``, ``mutants``.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass

COMPARISONS = {
    ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"), ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="), ast.Is: ("is", "is not"), ast.IsNot: ("is not", "is"), ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
}  # fmt: skip
ARITHMETIC = {
    ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/"), ast.Div: ("/", "*"), ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "*"), ast.Pow: ("**", "*"),
}  # fmt: skip
PAIRS = [("min", "max"), ("minimum", "maximum"), ("argmin", "argmax"), ("any", "all"), ("floor", "ceil")]
EXCHANGED = dict(PAIRS) | {b: a for a, b in PAIRS} | {"zeros": "empty", "zeros_like": "empty_like", "int64": "int16"}
BUILT_IN = {"min", "max", "any", "all"}  # another plain name may be a variable
ORDER_FREE = {
    "isinstance", "issubclass", "hasattr", "getattr", "setattr", "print", "zip", "min", "max",
    "maximum", "minimum",
}  # fmt: skip
TEXTS = {  # calls whose arguments are not behaviour
    "complaint", "warn", "TypeVar", "NewType", "cast", "legend", "tight_layout", "subplots_adjust", "set_title",
    "set_xlabel", "set_ylabel",
}  # fmt: skip
CHECKING = {
    "whole",
    "between",
    "one_of",
    "real",
    "reals",
    "truth",
    "of_kind",
    "finite",
    "affordable",
}  # name what is wrong
SHED = {"abs", "copy", "cumsum", "frozenset", "set", "sort", "sorted", "unique"}  # whose argument may stand for them
CHECKS = {"strict", "stacklevel"}  # arguments that are no behaviour
LOOKS = {  # arguments and entries that choose how a picture looks
    "alpha", "bbox", "bbox_to_anchor", "borderpad", "capsize", "color", "colors", "edgecolor", "facecolor", "figsize",
    "fontsize", "height", "labelspacing", "linestyle", "linewidth", "linewidths", "loc", "ls", "lw", "marker",
    "markersize", "ms", "pad", "rotation", "s", "size", "width", "xlim", "ylim", "zorder",
}  # fmt: skip
SLIPS = {"unit", "left and right", "guard", "argument left out", "arguments", "text", "ties"}
WRITTEN = {"__repr__", "__str__", "_repr_html_", "__dir__"}
Edit = tuple[str, int, int, bytes]  # operator, first and last byte, what stands there instead


@dataclass(frozen=True)
class Mutant:
    """One change: where it stands, the lines as they were and as they become, and the edit that makes it."""

    path: str
    function: str
    operator: str
    was: str
    becomes: str
    nth: int  # among equal changes of one function
    lines: tuple[int, int]  # from the first of the statement to the last of the edit
    edit: tuple[int, int, bytes]

    @property
    def name(self) -> str:
        """What tells the mutant from every other, whatever else changes in the module."""
        again = f" (#{self.nth + 1})" if self.nth else ""
        return f"{self.path}:{self.function}: {self.was} -> {self.becomes}{again}"

    def applied(self, source: bytes) -> bytes:
        """The text of the module with the change."""
        start, end, text = self.edit
        return source[:start] + text + source[end:]


def mutants(source: bytes, path: str) -> list[Mutant]:
    """Every mutant of a module, in the order of the text."""
    text = Text(source, picture="/plots/" in path)
    seen: dict[tuple[str, str, str], int] = {}
    drawn = []
    for function, statement, (operator, start, end, new) in walk(ast.parse(source), text, "", 1):
        was, becomes = text.shown(start, end), text.shown(start, end, new)
        if was == becomes:
            continue
        key = (function, was, becomes)
        seen[key] = seen.get(key, -1) + 1
        lines = (statement, source.count(b"\n", 0, end) + 1)
        drawn.append(Mutant(path, function, operator, was, becomes, seen[key], lines, (start, end, new)))
    return drawn


class Text:
    """The bytes of a module, addressed by the nodes of its syntax tree."""

    def __init__(self, source: bytes, picture: bool = False) -> None:
        self.source, self.picture = source, picture
        self.starts = [0, *itertools.accumulate(len(line) for line in source.splitlines(keepends=True))]

    def span(self, node: ast.AST) -> tuple[int, int]:
        """The first byte of a node and the one behind its last."""
        start = self.starts[node.lineno - 1] + node.col_offset  # type: ignore[attr-defined]
        return start, self.starts[node.end_lineno - 1] + node.end_col_offset  # type: ignore[attr-defined]

    def of(self, node: ast.AST) -> bytes:
        """The text of a node."""
        start, end = self.span(node)
        return self.source[start:end]

    def between(self, left: ast.AST, right: ast.AST, sign: str) -> tuple[int, int]:
        """Where the sign stands between two operands, comments and parentheses aside."""
        start, end = self.span(left)[1], self.span(right)[0]
        gap = re.sub(rb"#[^\n]*", lambda hit: b" " * len(hit[0]), self.source[start:end])
        pattern = rb"\s+".join(re.escape(part.encode()) for part in sign.split())
        hit = re.search(pattern, gap)
        assert hit, f"no {sign} in {gap!r}"
        return start + hit.start(), start + hit.end()

    def shown(self, start: int, end: int, new: bytes | None = None) -> str:
        """The lines around a span, as they are or with the span replaced, without their indentation and comments."""
        first, last = self.source.rfind(b"\n", 0, start) + 1, self.source.find(b"\n", end)
        last = len(self.source) if last < 0 else last
        middle = self.source[start:end] if new is None else new
        text = (self.source[first:start] + middle + self.source[end:last]).decode()
        return " ".join(" ".join(line.partition("  # ")[0] for line in text.splitlines()).split())


def walk(node: ast.AST, text: Text, function: str, statement: int) -> Iterator[tuple[str, int, Edit]]:
    """Every edit below a node, with the function it stands in and the first line of its statement."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        if node.name in WRITTEN:
            return
        function = f"{function}.{node.name}" if function else node.name
    if isinstance(node, ast.stmt):
        statement = node.lineno
    edits = calculations(node, text), choices(node, text), effects(node, text), slips(node, text), losses(node, text)
    for edit in itertools.chain.from_iterable(edits):
        yield function, statement, edit
    for child in inside(node, text.picture):
        yield from walk(child, text, function, statement)


def inside(node: ast.AST, picture: bool) -> Iterator[ast.AST]:
    """The children of a node that may change."""
    if isinstance(node, ast.Raise | ast.Assert | ast.JoinedStr | ast.arg | ast.Import | ast.ImportFrom):
        return
    if isinstance(node, ast.Call) and called(node) in TEXTS:
        return
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
        return
    left_out = {"decorator_list", "annotation", "returns", "type_params", "bases", "type_comment"}
    for name, value in ast.iter_fields(node):
        if name in left_out or (name == "targets" and isinstance(node, ast.Assign)):
            continue
        for place, child in enumerate(value if isinstance(value, list) else [value]):
            if isinstance(child, ast.AST) and not no_behaviour(node, name, place, child, picture):
                yield child


def no_behaviour(node: ast.AST, name: str, place: int, child: ast.AST, picture: bool) -> bool:
    """Whether a child is an argument that checks, or only chooses how a picture looks."""
    if isinstance(child, ast.keyword):
        return child.arg in CHECKS or (picture and child.arg in LOOKS)
    if picture and isinstance(node, ast.Dict) and name == "values":
        key = node.keys[place]
        return isinstance(key, ast.Constant) and key.value in LOOKS
    if not (isinstance(node, ast.Module) and isinstance(child, ast.Assign)):
        return False
    if isinstance(child.value, ast.BinOp) and isinstance(child.value.op, ast.BitOr):  # of types
        return not any(isinstance(part, ast.Call | ast.Constant | ast.Dict | ast.Set) for part in ast.walk(child))
    if picture:
        return ast.unparse(child.targets[0]).strip("_") in {"COLOURS", "LINES", "MARKERS", "REGIONS", "WIDTHS"}
    return False


def called(node: ast.Call) -> str:
    """The last part of the name of what is called."""
    return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")


def calculations(node: ast.AST, text: Text) -> Iterator[Edit]:
    """Comparisons, arithmetic, constants, signs, and names that come in pairs."""
    if isinstance(node, ast.Compare):
        operands = [node.left, *node.comparators]
        for left, sign, right in zip(operands, node.ops, node.comparators, strict=False):
            old, new = COMPARISONS[type(sign)]
            yield "comparison", *text.between(left, right, old), new.encode()
    elif isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
        old, new = ARITHMETIC[type(node.op)]
        if isinstance(node.op, ast.Pow):
            start, end = text.span(node)
            left, right = text.of(node.left), text.of(node.right)
            yield "arithmetic", start, end, b"((" + left + b") * (" + right + b"))"
        else:
            yield "arithmetic", *text.between(node.left, node.right, old), new.encode()
    elif isinstance(node, ast.AugAssign) and type(node.op) in ARITHMETIC:
        old, new = ARITHMETIC[type(node.op)]
        yield "arithmetic", *text.between(node.target, node.value, f"{old}="), f"{new}=".encode()
    elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        value = node.value
        new = str(not value) if isinstance(value, bool) else repr(value + 1 if value + 1 != value else 2 * value)
        yield "constant", *text.span(node), new.encode()
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        start, _ = text.span(node)
        yield "sign", start, start + 1, b""
    elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
        name = node.id if isinstance(node, ast.Name) else node.attr
        if name in EXCHANGED and (isinstance(node, ast.Attribute) or name in BUILT_IN):
            end = text.span(node)[1]
            yield "exchange", end - len(name), end, EXCHANGED[name].encode()


def choices(node: ast.AST, text: Text) -> Iterator[Edit]:
    """Conditions: ``and`` for ``or``, a negation dropped, a condition negated."""
    if isinstance(node, ast.BoolOp):
        old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        start, end = text.span(node)
        parts, at = [], start
        for left, right in itertools.pairwise(node.values):
            first, last = text.between(left, right, old)
            parts += [text.source[at:first], new.encode()]
            at = last
        yield "and/or", start, end, b"".join([*parts, text.source[at:end]])
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        start, _ = text.span(node)
        yield "not", start, start + 3, b""
    tests = [node.test] if isinstance(node, ast.If | ast.IfExp) else getattr(node, "ifs", [])
    for test in tests:
        if not (isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)) and "TYPE_CHECKING" not in ast.dump(
            test
        ):
            start, end = text.span(test)
            yield "condition", start, end, b"not (" + text.source[start:end] + b")"


def effects(node: ast.AST, text: Text) -> Iterator[Edit]:
    """What is returned, statements that do something, and the order of two arguments."""
    if isinstance(node, ast.Return) and node.value is not None:
        if not (isinstance(node.value, ast.Constant) and node.value.value is None):
            yield "return", *text.span(node.value), b"None"
    elif isinstance(node, ast.stmt) and acts(node):
        yield "statement", *text.span(node), b"pass"
    elif isinstance(node, ast.Call) and called(node) not in ORDER_FREE | TEXTS:
        first, second = (*node.args, None, None)[:2]
        if first and second and not isinstance(first, ast.Starred) and not isinstance(second, ast.Starred):
            (start, middle), (again, end) = text.span(first), text.span(second)
            if text.of(first) != text.of(second):
                yield "arguments", start, end, text.of(second) + text.source[middle:again] + text.of(first)


def slips(node: ast.AST, text: Text) -> Iterator[Edit]:
    """Slips of people: sides and arguments exchanged, units dropped, ties reversed, guards and arguments left out."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div | ast.Mult):
        yield "unit", *text.span(node), b"(" + text.of(node.left) + b")"
    elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
        name = node.id if isinstance(node, ast.Name) else node.attr
        other = re.sub("left|right", lambda hit: "right" if hit[0] == "left" else "left", name)
        if other != name and re.search(rf"\b{other}\b".encode(), text.source):
            end = text.span(node)[1]
            yield "left and right", end - len(name), end, other.encode()
    elif isinstance(node, ast.Compare):
        for part in (node.left, *node.comparators):
            yield from another_text(part, text)
    elif isinstance(node, ast.If) and not node.orelse and "TYPE_CHECKING" not in ast.dump(node.test):
        if isinstance(node.body[-1], ast.Raise | ast.Return | ast.Continue):
            yield "guard", *text.span(node), b"pass"
    elif isinstance(node, ast.Call) and called(node) not in TEXTS:
        yield from arguments(node, text)


def arguments(node: ast.Call, text: Text) -> Iterator[Edit]:
    """Arguments of a call exchanged, left out or of another text, and the order of ties reversed."""
    placed = [a for a in node.args if not isinstance(a, ast.Starred)]
    if called(node) not in ORDER_FREE:
        for left, right in itertools.pairwise(placed[1:]):
            yield from exchanged(left, right, text)
    named = [k for k in node.keywords if k.arg and k.arg not in CHECKS]
    for one, two in itertools.pairwise(named):
        if isinstance(one.value, ast.Name | ast.Attribute) and isinstance(two.value, ast.Name | ast.Attribute):
            yield from exchanged(one.value, two.value, text)
    for place, keyword in enumerate(node.keywords):
        if keyword.arg and keyword.arg not in CHECKS | LOOKS:
            start, end = text.span(keyword)
            behind = re.match(rb"\s*,", text.source[end:])
            if behind:
                end += behind.end()
            elif place or node.args:
                start = text.source.rfind(b",", 0, start)
            yield "argument left out", start, end, b""
    if called(node) not in CHECKING:
        for argument in (*placed, *(k.value for k in named)):
            yield from another_text(argument, text)
    if len(node.args) != 1 or not node.keywords or isinstance(node.args[0], ast.Starred):
        return
    (start, end), (first, last) = text.span(node), text.span(node.args[0])
    if isinstance(node.func, ast.Name) and node.func.id in {"sorted", "max", "min"}:
        yield "ties", first, last, b"[*(" + text.of(node.args[0]) + b")][::-1]"
    elif called(node) == "argsort":
        column = text.of(node.args[0])
        turned = text.source[start:first] + b"(" + column + b")[::-1]" + text.source[last:end]
        yield "ties", start, end, b"(len(" + column + b") - 1 - " + turned + b")"


def exchanged(one: ast.AST, two: ast.AST, text: Text, operator: str = "arguments") -> Iterator[Edit]:
    """Two arguments, or two results, in each other's places."""
    (start, middle), (again, end) = text.span(one), text.span(two)
    words = all(isinstance(x, ast.Constant) and isinstance(x.value, str) for x in (one, two))
    if text.of(one) != text.of(two) and not words:
        yield operator, start, end, text.of(two) + text.source[middle:again] + text.of(one)


def losses(node: ast.AST, text: Text) -> Iterator[Edit]:
    """What loops and sums lose: a round, an operand, a term, a filter, the sum so far, a result's place."""
    if isinstance(node, ast.For):
        yield "round", *text.span(node.iter), b"[*(" + text.of(node.iter) + b")][:1]"
    elif isinstance(node, ast.Continue):
        yield "round", *text.span(node), b"break"
    elif isinstance(node, ast.AugAssign):
        yield "term", *text.span(node), text.of(node.target) + b" = " + text.of(node.value)
    elif isinstance(node, ast.BoolOp):
        sign = b" and " if isinstance(node.op, ast.And) else b" or "
        for one in node.values:
            operands = [b"(" + text.of(value) + b")" for value in node.values if value is not one]
            yield "operand", *text.span(node), b"(" + sign.join(operands) + b")"
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd | ast.BitOr | ast.Add | ast.Sub):
        yield "term", *text.span(node), b"(" + text.of(node.left) + b")"
        if isinstance(node.op, ast.BitAnd | ast.BitOr):
            yield "term", *text.span(node), b"(" + text.of(node.right) + b")"
    elif isinstance(node, ast.comprehension):
        yield from (("filter", *text.span(test), b"True") for test in node.ifs)
    elif isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple):
        for one, two in itertools.pairwise(node.value.elts):
            yield from exchanged(one, two, text, "results")
    elif isinstance(node, ast.Call) and not any(isinstance(argument, ast.Starred) for argument in node.args):
        yield from lost_calls(node, text)


def lost_calls(node: ast.Call, text: Text) -> Iterator[Edit]:
    """A call that loses its effect, its bound, its seed or its side; a range that loses its first or last number."""
    name, span = called(node), text.span(node)
    if name in SHED and (node.args or isinstance(node.func, ast.Attribute)):
        yield "call", *span, b"(" + text.of(node.args[0] if node.args else node.func.value) + b")"  # type: ignore[attr-defined]
    elif name in {"min", "max", "minimum", "maximum", "clip"} and len(node.args) > 1:
        yield "bound", *span, b"(" + text.of(node.args[0]) + b")"
    elif name == "default_rng" and node.args and not isinstance(node.args[0], ast.Constant):
        yield "seed", *text.span(node.args[0]), b"0"
    elif name == "searchsorted" and not node.keywords:
        yield "side", *text.span(node.args[-1]), text.of(node.args[-1]) + b", side='right'"
    elif name == "range":
        start, stop = (None, *node.args)[-2:] if len(node.args) < 2 else node.args[:2]
        yield "round", *text.span(stop), b"(" + text.of(stop) + b") - 1"
        begins = b"1, " + text.of(stop) if start is None else b"(" + text.of(start) + b") + 1"
        yield "round", *text.span(start or stop), begins


def another_text(node: ast.AST, text: Text) -> Iterator[Edit]:
    """A text that is behaviour, not a message: one word, which becomes another."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and re.fullmatch(r"[\w.-]+", node.value):
        sides = {"left": "right", "right": "left"}
        yield "text", *text.span(node), repr(sides.get(node.value, node.value + "_")).encode()


def acts(node: ast.stmt) -> bool:
    """Whether a statement may be left out without leaving a name undefined."""
    if isinstance(node, ast.Assign):
        return isinstance(node.targets[0], ast.Attribute | ast.Subscript)
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Call)
    return isinstance(node, ast.Raise | ast.Continue | ast.Break | ast.AugAssign)
