"""A routine as a function of C or JavaScript, read from its source: loops, conditions, arithmetic of numbers.

Main definitions: ``translated`` (a routine), ``Signature``.
Main results: the part of Python it reads is small, and all else is refused: ``for`` over a range, ``while``, ``if``,
assignments, ``return``; calls of routines and formulas; arrays by an index, or from an index on. ``//`` is of integers
that are not negative, which C rounds as Python does.
"""

from __future__ import annotations

import ast
import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from textwrap import dedent
from typing import Any, NoReturn, cast

from splitcrit.export.printed_formulas import C, Language, PrintedFormula
from splitcrit.frozen import complaint

PREFIX = "splitcrit_"
ENTRIES = {"Counts": "int", "Room": "int", "Scores": "float", "Values": "float"}
PASSED = {("Room", "Counts"), ("Scores", "Values")}  # what may be written may be read
OPERATIONS = {
    ast.Add: ("+", "add"),
    ast.Sub: ("-", "subtract"),
    ast.Mult: ("*", "multiply"),
    ast.Div: ("/", "divide"),
    ast.FloorDiv: ("//", ""),
}
RELATIONS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}


@dataclass(frozen=True)
class Signature:
    """What a function is called in C, and the kinds of its parameters and of its result."""

    name: str
    parameters: tuple[str, ...]
    result: str


NUMBERS = {
    "real": Signature("splitcrit_real_of", ("int",), "Real"),
    "value": Signature("splitcrit_value", ("Real",), "float"),
    "wide": Signature("splitcrit_wide", ("float",), "Real"),
    "root": Signature("sqrt", ("float",), "float"),
    "log": Signature("log", ("float",), "float"),
    "log1p": Signature("log1p", ("float",), "float"),
    "float": Signature("(double)", ("int",), "float"),
    "int": Signature("(int64_t)", ("float",), "int"),
}


@dataclass(frozen=True)
class Said:
    """An expression in C, and the kind of what it is."""

    text: str
    kind: str


def signature(routine: Callable[..., Any]) -> Signature:
    """The signature of a routine from its annotations."""
    typed = inspect.signature(routine)
    result = str(typed.return_annotation)
    kinds = tuple(str(parameter.annotation) for parameter in typed.parameters.values())
    return Signature(PREFIX + routine.__name__, kinds, "Several" if result.startswith("tuple") else result)


def head(routine: Callable[..., Any], language: Language = C) -> str:
    """The declaration of a routine."""
    mine, names = signature(routine), inspect.signature(routine).parameters
    parameters = ", ".join(f"{language.types[kind]}{name}" for name, kind in zip(names, mine.parameters, strict=True))
    return f"{language.function}{language.types[mine.result]}{mine.name}({parameters})"


def translated(routine: Callable[..., Any], formulas: Mapping[str, PrintedFormula], language: Language = C) -> str:
    """A routine as a function, given the formulas that it calls."""
    (tree,) = ast.parse(dedent(inspect.getsource(routine))).body
    translator = _Translator(routine, formulas, language)
    bound = {*translator.kinds}
    body = translator.block(cast(ast.FunctionDef, tree).body[1:])
    bound |= translator.loops
    declared = [
        f"{language.variables[kind]}{name}{language.several if kind == 'Several' else ''};"
        for name, kind in translator.kinds.items()
        if name not in bound
    ]
    lines = [f"    {line}" for line in [*declared, *body]]
    return "\n".join([_comment(inspect.getdoc(routine) or ""), f"{head(routine, language)} {{", *lines, "}"])


def _comment(text: str) -> str:
    """A docstring as a comment of C."""
    first, *rest = text.splitlines()
    return "\n".join([f"/* {first}", *(f" * {line}".rstrip() for line in rest), " */"]) if rest else f"/* {first} */"


class _Translator:
    """One function on its way: the kinds of its names, those of loops, and what it may call."""

    def __init__(self, routine: Callable[..., Any], formulas: Mapping[str, PrintedFormula], language: Language) -> None:
        mine, names = signature(routine), inspect.signature(routine).parameters
        self.kinds, self.result = dict(zip(names, mine.parameters, strict=True)), mine.result
        self.formulas, self.names, self.language = formulas, routine.__globals__, language
        self.loops: set[str] = set()

    def block(self, statements: list[ast.stmt]) -> list[str]:
        """The lines of statements."""
        return [line for statement in statements for line in self.statement(statement)]

    def statement(self, node: ast.stmt) -> list[str]:
        """The lines of a statement."""
        match node:
            case ast.Return(value=ast.Tuple(elts=parts)) if self.result == "Several":
                self.kinds["results"] = "Several"
                lines = [f"results.part[{i}] = {_real(self.expression(x))};" for i, x in enumerate(parts)]
                return [*lines, "return results;"]
            case ast.Return(value=ast.expr() as value) if (result := self.expression(value)).kind == self.result:
                return [f"return {result.text};"]
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values) as value):
                if _names(value) & _names(node, to=ast.Store):  # C would assign one after the other
                    _refuse(node)
                return [line for pair in zip(targets, values, strict=True) for line in self.assigned(*pair)]
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=value):
                return self.unpacked(targets, value)
            case ast.Assign(targets=[target], value=value):
                return self.assigned(target, value)
            case ast.AugAssign(target=target, op=op, value=value):
                read = ast.parse(ast.unparse(target), mode="eval").body
                return self.assigned(target, ast.BinOp(read, op, value))
            case ast.If(test=test, body=body, orelse=[]):
                return [f"if ({self.expression(test).text}) {{", *self.within(body), "}"]
            case ast.While(test=test, body=body, orelse=[]) if (asked := self.expression(test)).kind == "bool":
                return [f"while ({asked.text}) {{", *self.within(body), "}"]
            case ast.For(target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id="range"), args=[end]), body=body):
                if _names(*body, to=ast.Store) & {name, *_names(end)}:  # Python asks for the end once, C every time
                    _refuse(node)
                self.kinds[name] = "int"
                self.loops.add(name)
                counter = f"{self.language.variables['int']}{name} = 0{self.language.integer}"
                head = f"for ({counter}; {name} < {self.expression(end).text}; {name}++) {{"
                return [head, *self.within(body), "}"]
        _refuse(node)

    def within(self, body: list[ast.stmt]) -> list[str]:
        """The lines of statements inside of others."""
        return [f"    {line}" for line in self.block(body)]

    def assigned(self, target: ast.expr, value: ast.expr) -> list[str]:
        """The line that gives a name or an entry its value; a name is declared with its first value."""
        code = self.expression(value)
        if isinstance(target, ast.Name) and self.kinds.setdefault(target.id, code.kind) != code.kind:
            _refuse(target)
        return [f"{self.expression(target).text} = {code.text};"]

    def unpacked(self, targets: list[ast.expr], value: ast.expr) -> list[str]:
        """The lines that give names the results of a function of several."""
        lines = [f"{self.language.variables['Several']}several = {self.expression(value).text};"]
        for i, target in enumerate(targets):
            if isinstance(target, ast.Name) and target.id != "_":
                if self.kinds.setdefault(target.id, "Real") != "Real":
                    _refuse(target)
                lines.append(f"{target.id} = several.part[{i}];")
        return ["{", *(f"    {line}" for line in lines), "}"]

    def expression(self, node: ast.expr) -> Said:
        """An expression."""
        match node:
            case ast.Constant(value=bool(flag)):
                return Said(str(int(flag)), "bool")
            case ast.Constant(value=int() | float() as number):
                return self.number(number)
            case ast.Name(id=name):
                return Said(name, self.kinds[name]) if name in self.kinds else self.number(self.names[name])
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                return Said(f"-{self.expression(inner).text}", self.expression(inner).kind)
            case ast.UnaryOp(op=ast.Not(), operand=inner) if (asked := self.expression(inner)).kind == "bool":
                return Said(f"!({asked.text})", "bool")
            case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATIONS:
                return self.operation(left, op, right)
            case ast.Compare(left=left, ops=[relation], comparators=[right]) if type(relation) in RELATIONS:
                sides = self.expression(left).text, self.expression(right).text
                return Said(f" {RELATIONS[type(relation)]} ".join(sides), "bool")
            case ast.BoolOp(op=op, values=values):
                word = " && " if isinstance(op, ast.And) else " || "
                return Said(word.join(f"({self.expression(each).text})" for each in values), "bool")
            case ast.IfExp(test=test, body=body, orelse=other):
                chosen, rest = self.expression(body), self.expression(other)
                if chosen.kind != rest.kind:
                    _refuse(node)
                return Said(f"(({self.expression(test).text}) ? {chosen.text} : {rest.text})", chosen.kind)
            case ast.Subscript(value=array, slice=ast.Slice(lower=ast.expr() as start, upper=None, step=None)):
                entries = self.expression(array)
                tail = self.language.tail.format(array=entries.text, start=self.expression(start).text)
                return Said(tail, entries.kind)
            case ast.Subscript(value=array, slice=place):
                entries = self.expression(array)
                return Said(f"{entries.text}[{self.expression(place).text}]", ENTRIES[entries.kind])
            case ast.Call(func=called, args=arguments, keywords=[]):
                return self.call(called, arguments)
        _refuse(node)

    def number(self, x: Any) -> Said:
        """A constant."""
        if isinstance(x, float):
            return Said("NAN" if math.isnan(x) else repr(x), "float")
        return Said(f"{x!r}{self.language.integer}", "int")

    def operation(self, left: ast.expr, op: ast.operator, right: ast.expr) -> Said:
        """A sum, difference, product or quotient: of integers or floats in place, of reals by a call."""
        sides = self.expression(left), self.expression(right)
        sign, name = OPERATIONS[type(op)]
        kinds = {side.kind for side in sides}
        if sign == "//":
            if kinds != {"int"}:
                _refuse(ast.BinOp(left, op, right))
            return Said(f"({sides[0].text} / {sides[1].text})", "int")
        if "Real" in kinds:
            return Said(f"{PREFIX}{name}({_real(sides[0])}, {_real(sides[1])})", "Real")
        if len(kinds) > 1 or (sign == "/" and kinds != {"float"}):
            _refuse(ast.BinOp(left, op, right))
        return Said(f"({sides[0].text} {sign} {sides[1].text})", kinds.pop())

    def call(self, called: ast.expr, arguments: list[ast.expr]) -> Said:
        """A call of a formula, of a routine, or of a function of numbers."""
        if isinstance(called, ast.Attribute):
            formula = self.formulas[called.attr]
            flat = [part for each in arguments for part in (each.elts if isinstance(each, ast.Tuple) else [each])]
            passed = ", ".join(_real(self.expression(part)) for part in flat)
            return Said(f"{formula.name}({passed})", "Several" if formula.results else "Real")
        known = NUMBERS.get(ast.unparse(called)) or signature(self.names[ast.unparse(called)])
        values = [self.expression(each) for each in arguments]
        for each, kind in zip(values, known.parameters, strict=True):
            if each.kind != kind and (each.kind, kind) not in PASSED:
                _refuse(called)
        return Said(f"{known.name}({', '.join(each.text for each in values)})", known.result)


def _names(*nodes: ast.AST, to: type[ast.expr_context] = ast.expr_context) -> set[str]:
    """The names that stand in code, or those that it sets (``to=ast.Store``)."""
    parts = (part for node in nodes for part in ast.walk(node))
    return {part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, to)}


def _real(code: Said) -> str:
    """An expression as a real number."""
    return f"splitcrit_real_of({code.text})" if code.kind == "int" else code.text


def _refuse(node: ast.AST) -> NoReturn:
    rule = "a routine keeps to the part of Python that C can say"
    raise TypeError(complaint(rule, ast.unparse(node), "write it with loops, conditions and assignments"))
