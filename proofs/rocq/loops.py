"""Functions with loops, printed from their source as functional programs of Rocq: a loop is a fold over a list.

A fold carries the variables that the loop assigns, and a mark that it has ended where the loop may break or raise. What
may raise gives ``option``. Whole numbers are Rocq's ``int``, floats and Fractions members of an ordered field, lists
and tuples of one type are ``seq``, dictionaries lists of pairs (``python.v`` says what each operation does). Every type
is known; what is not listed here is an error that names the function, the line and the operation.

The text that is printed must compile to the code object that runs.

Main definitions: ``Loop`` (a printed function), ``Called`` (one that others call).
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
import textwrap
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from splitcrit.frozen import complaint
from splitcrit.proof.undecided import Undecided

Type = Any  # "int", "R", "bool", "nan", or ("seq", t), ("dict", k, v), ("tuple", t, ...)
Env = dict[str, Type]
WORDS = frozenset(  # of Rocq, and of what is printed
    re.findall(
        r"\w+",
        "at in let fun forall exists match end with then else if return as Type Set Prop fix for where "
        "size map filter zip foldl flatten iota count nilp id snd fst seq int bool option R item ended left right S "
        "O I inl inr pair cons nil true false tt ones",
    )
)
IN_PLACE = "a list or dictionary that is changed in place has one name"
ORDER: dict[type[ast.cmpop], str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
}
RING: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}
WHOLE: dict[type[ast.operator], str] = {ast.FloorDiv: "py_div", ast.Mod: "py_mod", ast.Pow: "py_pow"}
LISTS = ("list", "tuple", "Sequence", "Iterable", "Iterator")
DICTS = ("dict", "defaultdict", "Counter")


@dataclass(frozen=True)
class Called:
    """A printed function that others call: its name in Rocq, what it takes and gives, and whether it may raise."""

    name: str
    takes: tuple[Type, ...]
    gives: Type
    raises: bool = False
    changes: bool = False  # its first argument, in place


def rocq(of: Type) -> str:
    """A type as Rocq writes it."""
    if isinstance(of, str):
        return {"nan": "option R"}.get(of, of)
    head, *parts = of
    if head == "seq":
        return f"seq ({rocq(parts[0])})"
    if head == "dict":
        return f"seq ({rocq(parts[0])} * {rocq(parts[1])})"
    return " * ".join(f"({rocq(x)})" for x in parts)


def name_of(name: str) -> str:
    return f"{name}_" if name in WORDS else name


class Loop:
    """A function of the library, and its text in Rocq; ``annotated`` are types that no annotation says."""

    def __init__(
        self,
        function: Any,
        name: str,
        known: dict[Any, Any] | None = None,
        annotated: dict[str, str] | None = None,
        gives: str = "",
        fields: dict[str, str] | None = None,
        changes: frozenset[str] = frozenset(),
    ) -> None:
        if not isinstance(function, types.FunctionType) or hasattr(function, "__wrapped__"):
            raise Undecided(
                complaint("a printed loop is a function as it was written", function, "print what it calls")
            )
        self.function, self.name, self.known = function, name, known or {}
        self.changes = changes  # arguments that are changed in place, and given back
        self.fields = fields or {}
        self.where = f"{self.function.__module__}.{self.function.__qualname__}"
        self.node = source_of(self.function)
        arguments = [x.arg for x in self.node.args.args]
        annotations = {x.arg: x.annotation for x in self.node.args.args if x.annotation is not None}
        stated_types = {x: ast.parse(text, mode="eval").body for x, text in (annotated or {}).items()}
        self.arguments = {x: self.read({**annotations, **stated_types}[x]) for x in arguments if x != "self"}
        self.arguments |= {f: self.read(ast.parse(text, mode="eval").body) for f, text in self.fields.items()}
        result: Any = ast.parse(gives, mode="eval").body if gives else self.node.returns
        self.yields = any(isinstance(x, ast.Yield) for x in ast.walk(self.node))
        self.gives = self.read(result)
        self.raises = any(isinstance(x, ast.Raise) for x in ast.walk(self.node)) or any(
            isinstance(x, ast.Call) and isinstance(callee := self.called(x.func), Called) and callee.raises
            for x in ast.walk(self.node)
        )
        self.raises |= any(isinstance(x, ast.Expr) and self.guarded(x.value) is not None for x in ast.walk(self.node))
        self.recursive = any(isinstance(x, ast.Name) and x.id == self.function.__name__ for x in ast.walk(self.node))

    @property
    def as_called(self) -> Called:
        """What calls of the function are printed as."""
        return Called(self.name, tuple(self.arguments.values()), self.gives, self.raises, bool(self.changes))

    def text(self) -> str:
        """The definition.

        Raises
        ------
        Undecided
            If anything in the function cannot be printed.
        """
        self.one_name_each()
        env = dict(self.arguments)
        body = [x for x in self.node.body if not (isinstance(x, ast.Expr) and isinstance(x.value, ast.Constant))]
        lines = textwrap.indent(self.block(body, env, self.no_end(self.node)), "  ")
        arguments = " ".join(f"({name_of(x)} : {rocq(of)})" for x, of in self.arguments.items())
        gives = f"option ({rocq(self.gives)})" if self.raises else rocq(self.gives)
        head = "Fixpoint" if self.recursive else "Definition"
        struct = f" {{struct {name_of(next(iter(self.arguments)))}}}" if self.recursive else ""
        return f"(* {self.where} *)\n{head} {self.name} {arguments}{struct} : {gives} :=\n{lines}.\n"

    def one_name_each(self) -> None:
        """Refuse a list or dictionary that is changed in place and may have a second name."""
        changed = items_set(self.node) | self.changes
        parents = {child: node for node in ast.walk(self.node) for child in ast.iter_child_nodes(node)}
        for x in ast.walk(self.node):
            if isinstance(x, ast.Assign | ast.AnnAssign):
                places = x.targets if isinstance(x, ast.Assign) else [x.target]
                pairs = [(t, x.value) for t in places]
                if isinstance(places[0], ast.Tuple) and isinstance(x.value, ast.Tuple):
                    pairs = list(zip(places[0].elts, x.value.elts, strict=True))
                named = [(t, v) for t, v in pairs if isinstance(t, ast.Name) and t.id in changed]
                if [t for t, v in named if not is_fresh(v)] or (
                    named and isinstance(x, ast.Assign) and len(places) > 1
                ):
                    raise self.refuse(x, IN_PLACE)
            if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Load) and x.id in changed:
                above = parents[x]
                read = isinstance(above, ast.Subscript | ast.Attribute | ast.Return)
                if not read and not (isinstance(above, ast.Call) and getattr(above.func, "id", "") == "len"):
                    raise self.refuse(above, IN_PLACE)
                if isinstance(above, ast.Subscript) and isinstance(above.ctx, ast.Load):
                    self.held_item(above, parents)
            if isinstance(x, ast.arg) and x.arg in changed - self.changes:
                raise self.refuse(x, IN_PLACE)

    def held_item(self, item: ast.Subscript, parents: dict[ast.AST, ast.AST]) -> None:
        """Refuse a name for an item that is a list or dictionary, but where a function changes it and gives it back."""
        above = parents[item]
        if isinstance(above, ast.Call) and isinstance(above.func, ast.Name) and above.args[0] is item:
            put = parents[above]
            if isinstance(put, ast.Assign) and ast.unparse(put.targets[0]) == ast.unparse(item):
                return
        if isinstance(above, ast.Assign | ast.AnnAssign | ast.Call | ast.Tuple | ast.List):
            raise self.refuse(item, IN_PLACE)

    def refuse(self, node: ast.AST, why: str) -> Undecided:
        """Return an error that names the function, the line and the operation."""
        line = getattr(node, "lineno", self.node.lineno)
        got = f"{why}: {ast.unparse(node).splitlines()[0]} in {self.function.__qualname__}, line {line}"
        return Undecided(
            complaint("a printed loop uses numbers, lists and dictionaries of one type", got, "rewrite it")
        )

    def read(self, node: Any) -> Type:
        """The type that an annotation says."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node = ast.parse(node.value, mode="eval").body
        if isinstance(node, ast.Name):
            plain = {"int": "int", "bool": "bool", "float": "R", "Fraction": "R", "nan": "nan"}
            if node.id in plain:
                return plain[node.id]
            alias = self.function.__globals__.get(node.id)
            if isinstance(alias, types.GenericAlias):
                return self.read(ast.parse(str(alias), mode="eval").body)
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            if node.value.id == "tuple" and not (isinstance(inner[-1], ast.Constant) and inner[-1].value is Ellipsis):
                return ("tuple", *map(self.read, inner))
            if node.value.id in LISTS:
                return ("seq", self.read(inner[0]))
            if node.value.id in DICTS:
                return ("dict", self.read(inner[0]), self.read(inner[1]) if len(inner) > 1 else "int")
        raise self.refuse(node if isinstance(node, ast.AST) else self.node, "a type")

    def called(self, node: ast.expr) -> Any:
        """What a name of a function stands for."""
        if isinstance(node, ast.Name) and node.id == self.function.__name__:
            return Called(self.name, tuple(self.arguments.values()), self.gives)
        if isinstance(node, ast.Name) and node.id in self.function.__globals__:
            value = self.function.__globals__[node.id]
            kinds = types.FunctionType | types.BuiltinFunctionType | type
            return self.known.get(value) if isinstance(value, kinds) else None
        return None

    # statements

    def no_end(self, node: ast.AST) -> Callable[[Env], str]:
        def end(env: Env) -> str:
            if self.yields:
                return "[::]"
            raise self.refuse(node, "no return")

        return end

    def block(self, body: list[ast.stmt], env: Env, end: Callable[[Env], str], loop: Any = None) -> str:
        """Statements as a term; ``end`` gives what follows them, ``loop`` what a break and a raise give."""
        if not body:
            return end(env)
        first, rest = body[0], body[1:]

        def then(env: Env) -> str:
            return self.block(rest, env, end, loop)

        if isinstance(first, ast.Return) and first.value is None and self.yields:
            return "[::]"
        if isinstance(first, ast.Return) and first.value is not None and loop is None:
            return self.returned(first.value, env)
        if isinstance(first, ast.Raise):
            return "None" if loop is None else loop(env)
        if isinstance(first, ast.Break) and loop is not None:
            return str(loop(env))
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Yield) and first.value.value is not None:
            self.coerced(first.value.value, env, self.gives[1])
            return f"{self.coerced(first.value.value, env, self.gives[1])} ::\n{then(env)}"
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Call):
            return self.stated(first.value, env, then, loop)
        if isinstance(first, ast.Assign | ast.AnnAssign | ast.AugAssign):
            return self.assigned(first, env, then)
        if isinstance(first, ast.If):
            return self.chosen(first, env, then, end, rest, loop)
        if isinstance(first, ast.For) and not first.orelse:
            return self.folded(first, env, then, loop)
        raise self.refuse(first, "a statement")

    def stated(self, node: ast.Call, env: Env, then: Callable[[Env], str], loop: Any) -> str:
        """A call that is a statement: of ``append``, or of a function that does nothing but raise in a case."""
        if (name := appended(node)) is not None and env.get(name, " ")[0] == "seq":
            item = self.coerced(node.args[0], env, env[name][1])
            return f"let {name_of(name)} := rcons {name_of(name)} {item} in\n{then(env)}"
        if loop is None and not self.yields and (test := self.guarded(node)) is not None:
            return f"if {self.truth(test, env)} then None else\n{then(env)}"
        raise self.refuse(node, "a statement")

    def guarded(self, node: ast.AST) -> ast.expr | None:
        """The case in which a function that is called raises, if it does nothing else."""
        name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
        function = self.function.__globals__.get(name)
        if not isinstance(node, ast.Call) or not isinstance(function, types.FunctionType) or node.keywords:
            return None
        inner = source_of(function)
        argument_of = dict(zip([x.arg for x in inner.args.args], node.args, strict=False))
        case = inner.body[0]
        only = len(inner.body) == 1 and isinstance(case, ast.If) and not case.orelse
        if not only or not isinstance(case, ast.If) or not isinstance(case.body[0], ast.Raise):
            return None
        plain = all(isinstance(x, ast.Name | ast.Constant) for x in node.args) and len(argument_of) == len(node.args)
        return Named(argument_of).visit(case.test) if plain and targets(case.test) <= set(argument_of) else None

    def returned(self, value: ast.expr, env: Env) -> str:
        value_text = self.coerced(value, env, self.gives)
        callee = self.called(value.func) if isinstance(value, ast.Call) else None
        may = isinstance(callee, Called) and callee.raises
        return f"Some ({value_text})" if self.raises and not may else value_text

    def assigned(self, node: Any, env: Env, then: Callable[[Env], str]) -> str:
        if isinstance(node, ast.AnnAssign) and node.value is not None:
            of = self.read(node.annotation)
            text = self.coerced(node.value, env, of)
            return f"let {self.target(node.target, of, env)} := {text} in\n{then(env)}"
        if isinstance(node, ast.AugAssign):
            if isinstance(node.target, ast.Subscript):
                list_name, of, key = self.place(node.target, env)
                if of[0] == "seq" and of[1] in ("int", "R") and type(node.op) in RING:
                    value = self.coerced(node.value, env, of[1])
                    item = f"(py_at 0 {list_name} {key} {RING[type(node.op)]} {value})"
                    return f"let {list_name} := py_set {list_name} {key} {item} in\n{then(env)}"
                if of[0] != "dict" or not isinstance(node.op, ast.Add):
                    raise self.refuse(node, "an operation in place")
                value = self.coerced(node.value, env, of[2])
                return f"let {list_name} := py_bump {list_name} {key} {value} in\n{then(env)}"
            value, of = self.expression(ast.BinOp(node.target, node.op, node.value), env)
            return f"let {self.target(node.target, of, env)} := {value} in\n{then(env)}"
        *more, last = node.targets
        if self.recursive and not more and self.is_split(node):
            whole, (head, tail) = next(iter(self.arguments)), last.elts
            of = env[whole]
            first, rest = self.target(head, of[1], env), self.target(tail, of, env)
            return f"match {name_of(whole)} with [::] => {default(self.gives)} | {first} :: {rest} =>\n{then(env)} end"
        if isinstance(last, ast.Subscript):
            list_name, of, key = self.place(last, env)
            value = self.coerced(node.value, env, of[-1])
            put = "py_put" if of[0] == "dict" else "py_set"
            return f"let {list_name} := {put} {list_name} {key} {value} in\n{then(env)}"
        callee = self.called(node.value.func) if isinstance(node.value, ast.Call) else None
        if isinstance(callee, Called) and callee.raises and not more:
            text, of = self.expression(node.value, env)
            pattern = self.target(last, of, env).removeprefix("'")
            return f"match {text} with None => None | Some {pattern} =>\n{then(env)} end"
        text, of = self.expression(node.value, env)
        lines = []
        for target in (*more, last):
            lines.append(f"let {self.target(target, of, env)} := {text} in\n")
        return f"{''.join(lines)}{then(env)}"

    def is_split(self, node: ast.Assign) -> bool:
        """Whether a statement is ``first, rest = s[0], s[1:]`` for the first argument ``s``."""
        whole = next(iter(self.arguments))
        target = node.targets[0]
        return (
            ast.unparse(node.value) == f"({whole}[0], {whole}[1:])"
            and isinstance(target, ast.Tuple)
            and all(isinstance(x, ast.Name) for x in target.elts)
        )

    def place(self, node: ast.Subscript, env: Env) -> tuple[str, Type, str]:
        """The name, the type and the key of an item that is assigned."""
        if not isinstance(node.value, ast.Name) or node.value.id not in env:
            raise self.refuse(node, "an item of what has no name")
        of = env[node.value.id]
        if of[0] not in ("dict", "seq"):
            raise self.refuse(node, "an item")
        return name_of(node.value.id), of, self.coerced(node.slice, env, of[1] if of[0] == "dict" else "int")

    def target(self, node: ast.expr, of: Type, env: Env) -> str:
        """Return a pattern, and keep the types of its names."""
        if isinstance(node, ast.Name):
            env[node.id] = of
            return name_of(node.id)
        if isinstance(node, ast.Tuple | ast.List) and of[0] == "tuple" and len(of) == len(node.elts) + 1:
            parts = [self.target(x, y, env).removeprefix("'") for x, y in zip(node.elts, of[1:], strict=True)]
            return f"'({', '.join(parts)})"
        raise self.refuse(node, f"a target of type {rocq(of)}")

    def chosen(
        self,
        node: ast.If,
        env: Env,
        then: Callable[[Env], str],
        end: Callable[[Env], str],
        rest: list[ast.stmt],
        loop: Any,
    ) -> str:
        """A case: what ends the block stands in one branch, the rest of the block in the other."""
        test = self.truth(node.test, env)
        last = node.body[-1]
        if isinstance(last, ast.Return | ast.Raise | ast.Break) and not node.orelse:
            inside = self.block(node.body, dict(env), end, loop)
            return f"if {test} then {inside} else\n{then(env)}"
        names = sorted(stored(node) & set(env))
        if stored(node) - set(env) or not names:
            raise self.refuse(node, "a case that assigns new names")
        state = tuple_of(names)

        def branch(body: list[ast.stmt]) -> str:
            return self.block(body, dict(env), lambda env: state, None if loop is None else self.refused(node))

        one, other = branch(node.body), branch(node.orelse)
        return f"let {pattern_of(names)} := if {test} then\n{one} else\n{other} in\n{then(env)}"

    def refused(self, node: ast.AST) -> Callable[[Env], str]:
        def loop(env: Env) -> str:
            raise self.refuse(node, "a break within a case that goes on")

        return loop

    def folded(self, node: ast.For, env: Env, then: Callable[[Env], str], outer: Any) -> str:
        """A loop as a fold over what it carries."""
        items, of = self.iterated(node.iter, env)
        if targets(node.iter) & items_set(node):
            raise self.refuse(node, "a loop over what it changes")
        if self.yields and any(isinstance(x, ast.Return) for x in ast.walk(node)):
            raise self.refuse(node, "a loop that returns or continues")
        if self.yields:
            if stored(node) - targets(node.target) - local(node.body):
                raise self.refuse(node, "a loop of a generator that carries names")
            inner = dict(env)
            pattern = self.target(node.target, of, inner)
            body = self.block(node.body, inner, lambda env: "[::]")
            every = f"flatten [seq (fun {pattern} =>\n{textwrap.indent(body, '  ')}) item | item <- {items}]"
            return f"{every} ++\n{then(env)}"
        names = [x for x in env if x in stored_in(node.body)]
        if not names:
            raise self.refuse(node, "a loop that carries nothing")
        if targets(node.target) & set(env):
            raise self.refuse(node, "a loop over a name that is in use")
        raises = any(isinstance(x, ast.Raise) for x in ast.walk(node))
        breaks = any(isinstance(x, ast.Break) for x in own_breaks(node.body))
        if raises and breaks:
            raise self.refuse(node, "a loop that breaks and raises")
        if any(isinstance(x, ast.Return | ast.Continue) for x in ast.walk(node)):
            raise self.refuse(node, "a loop that returns or continues")
        inner = dict(env)
        pattern = self.target(node.target, of, inner)
        state, carried = tuple_of(names), pattern_of(names)
        if raises or breaks:
            body = self.block(
                node.body,
                inner,
                lambda env: self.kept(env, inner, names, f"(false, {state})"),
                lambda env: f"(true, {state})",
            )
            fold = (
                f"foldl (fun '(ended, {carried.removeprefix(chr(39))}) {pattern} => "
                f"if ended then (true, {state}) else\n{textwrap.indent(body, '  ')})\n  (false, {state}) ({items})"
            )
            after = then(env)
            if raises:
                stop = "None" if outer is None else outer(env)
                after = f"if ended then {stop} else\n{after}"
            return f"let '(ended, {carried.removeprefix(chr(39))}) :=\n  {fold} in\n{after}"
        body = self.block(node.body, inner, lambda env: self.kept(env, inner, names, state))
        fold = f"foldl (fun {carried} {pattern} =>\n{textwrap.indent(body, '    ')}) {state} ({items})"
        return f"let {carried} :=\n  {fold} in\n{then(env)}"

    def kept(self, env: Env, inner: Env, names: list[str], state: str) -> str:
        if any(env[x] != inner[x] for x in names):
            raise self.refuse(self.node, "a loop that changes a type")
        return state

    # expressions

    def coerced(self, node: ast.expr, env: Env, of: Type) -> str:
        """An expression of a type; whole numbers are numbers of the field where one is asked for."""
        if isinstance(node, ast.Dict | ast.List | ast.Tuple) and not getattr(node, "elts", getattr(node, "keys", 1)):
            return "[::]"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in DICTS and of[0] == "dict":
            return "[::]"
        if isinstance(node, ast.Tuple) and of[0] == "tuple" and len(of) == len(node.elts) + 1:
            return f"({', '.join(self.coerced(x, env, y) for x, y in zip(node.elts, of[1:], strict=True))})"
        if isinstance(node, ast.Tuple | ast.List) and of[0] == "seq" and node.elts:
            return self.listed(node, env, of[1])
        if isinstance(node, ast.Dict) and of[0] == "dict":
            pairs = zip(node.keys, node.values, strict=True)
            items = (
                f"({self.coerced(k, env, of[1])}, {self.coerced(v, env, of[2])})" for k, v in pairs if k is not None
            )
            return f"[:: {'; '.join(items)}]"
        text, own_type = self.expression(node, env)
        if own_type == of or {own_type, of} <= {"nan"}:
            return text
        if own_type == "int" and of == "R":
            return f"({text})%:~R"
        if isinstance(own_type, tuple) and isinstance(of, tuple) and rocq(own_type) == rocq(of):
            return text
        raise self.refuse(node, f"a value of type {rocq(own_type)} for {rocq(of)}")

    def listed(self, node: Any, env: Env, of: Type) -> str:
        parts = []
        for x in node.elts:
            if isinstance(x, ast.Starred):
                parts.append(self.coerced(x.value, env, ("seq", of)))
            else:
                parts.append(f"[:: {self.coerced(x, env, of)}]")
        return f"({' ++ '.join(parts)})"

    def truth(self, node: ast.expr, env: Env) -> str:
        """A condition; a list is true if it has members."""
        text, of = self.expression(node, env)
        if of == "bool":
            return text
        if of[0] in ("seq", "dict"):
            return f"(~~ nilp {text})"
        raise self.refuse(node, "a condition")

    def expression(self, node: ast.expr, env: Env) -> tuple[str, Type]:
        """An expression and its type."""
        if isinstance(node, ast.Constant):
            return self.constant(node)
        if isinstance(node, ast.Name) and node.id in env:
            return name_of(node.id), env[node.id]
        if (
            isinstance(node, ast.Name)
            and type(constant := self.function.__globals__.get(node.id)) is int
            and constant >= 0
        ):
            return f"(Posz {constant})", "int"
        if isinstance(node, ast.DictComp) and is_of_items(node):
            text, of = self.comprehension(
                ast.ListComp(ast.Tuple([node.key, node.value], ast.Load()), node.generators), env
            )
            return text, ("dict", *of[1][1:])
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "self" and node.attr in self.fields:
            return name_of(node.attr), self.arguments[node.attr]
        if isinstance(node, ast.BinOp):
            return self.operation(node, env)
        if isinstance(node, ast.UnaryOp):
            return self.unary(node, env)
        if isinstance(node, ast.BoolOp):
            word = " && " if isinstance(node.op, ast.And) else " || "
            return f"({word.join(self.truth(x, env) for x in node.values)})", "bool"
        if isinstance(node, ast.Compare):
            return self.comparison(node, env)
        if isinstance(node, ast.IfExp):
            text, of = self.expression(node.body, env)
            return f"(if {self.truth(node.test, env)} then {text} else {self.coerced(node.orelse, env, of)})", of
        if isinstance(node, ast.Tuple):
            parts = [self.expression(x, env) for x in node.elts if not isinstance(x, ast.Starred)]
            if len(parts) == len(node.elts):
                return f"({', '.join(text for text, _ in parts)})", ("tuple", *(of for _, of in parts))
        if isinstance(node, ast.List | ast.Tuple) and node.elts:
            head = node.elts[0].value if isinstance(node.elts[0], ast.Starred) else node.elts[0]
            of = self.expression(head, env)[1]
            of = of[1] if isinstance(node.elts[0], ast.Starred) else of
            return self.listed(node, env, of), ("seq", of)
        if isinstance(node, ast.ListComp | ast.GeneratorExp):
            return self.comprehension(node, env)
        if isinstance(node, ast.Subscript):
            return self.item(node, env)
        if isinstance(node, ast.Call):
            return self.call(node, env)
        raise self.refuse(node, "an expression")

    def constant(self, node: ast.Constant) -> tuple[str, Type]:
        if isinstance(node.value, bool):
            return str(node.value).lower(), "bool"
        if isinstance(node.value, int):
            return f"(Posz {node.value})", "int"
        if isinstance(node.value, float) and node.value.is_integer() and node.value >= 0:
            return {0: "0", 1: "1"}.get(int(node.value), f"{int(node.value)}%:R"), "R"
        raise self.refuse(node, "a constant")

    def operation(self, node: ast.BinOp, env: Env) -> tuple[str, Type]:
        (a, left), (b, right) = self.operand(node.left, env), self.operand(node.right, env)
        if isinstance(node.op, ast.Add) and left[0] == "seq" and left == right:
            return f"({a} ++ {b})", left
        if isinstance(node.op, ast.Mult) and left[0] == "seq" and right == "int":
            return f"(py_repeat {a} {b})", left
        if not {left, right} <= {"int", "R"} if isinstance(left, str) and isinstance(right, str) else True:
            raise self.refuse(node, "an operation")
        if type(node.op) in WHOLE and left == right == "int":
            return f"({WHOLE[type(node.op)]} {a} {b})", "int"
        if isinstance(node.op, ast.Div):
            return f"({self.coerced(node.left, env, 'R')} / {self.coerced(node.right, env, 'R')})", "R"
        if type(node.op) not in RING:
            raise self.refuse(node, "an operation")
        if left == right:
            return f"({a} {RING[type(node.op)]} {b})", left
        return f"({self.coerced(node.left, env, 'R')} {RING[type(node.op)]} {self.coerced(node.right, env, 'R')})", "R"

    def operand(self, node: ast.expr, env: Env) -> tuple[str, Type]:
        """An expression and its type; a tuple that is joined or repeated is a list."""
        if isinstance(node, ast.Tuple) and node.elts:
            node = ast.copy_location(ast.List(node.elts, ast.Load()), node)
        return self.expression(node, env)

    def unary(self, node: ast.UnaryOp, env: Env) -> tuple[str, Type]:
        if isinstance(node.op, ast.Not):
            return f"(~~ {self.truth(node.operand, env)})", "bool"
        text, of = self.expression(node.operand, env)
        if isinstance(node.op, ast.USub) and of in ("int", "R"):
            return f"(- {text})", of
        if isinstance(node.op, ast.Invert) and of == ("seq", "bool"):
            return f"[seq ~~ item | item <- {text}]", of
        raise self.refuse(node, "an operation")

    def comparison(self, node: ast.Compare, env: Env) -> tuple[str, Type]:
        sides = [node.left, *node.comparators]
        parts = []
        for left, op, right in zip(sides, node.ops, sides[1:], strict=False):
            if isinstance(op, ast.IsNot) and isinstance(right, ast.Constant) and right.value is None:
                self.expression(left, env)  # of a type that None is none of
                parts.append("true")
                continue
            (a, one), (b, other) = self.expression(left, env), self.expression(right, env)
            if type(op) not in ORDER:
                raise self.refuse(node, "a comparison")
            sign = ORDER[type(op)]
            if one == ("seq", "nan") and other == "R" and sign == ">=":
                return f"[seq py_reaches item {b} | item <- {a}]", ("seq", "bool")
            if one in (("seq", "int"), ("seq", "R")) and other == one[1]:
                return f"[seq item {sign} {b} | item <- {a}]", ("seq", "bool")
            if {one, other} == {"int", "R"}:
                a, b = self.coerced(left, env, "R"), self.coerced(right, env, "R")
            elif one != other or one not in ("int", "R"):
                raise self.refuse(node, "a comparison")
            parts.append(f"({a} {sign} {b})")
        return (parts[0] if len(parts) == 1 else f"({' && '.join(parts)})"), "bool"

    def comprehension(self, node: Any, env: Env) -> tuple[str, Type]:
        """A comprehension of one loop."""
        if len(node.generators) != 1:
            raise self.refuse(node, "a comprehension of several loops")
        (part,) = node.generators
        items, of = self.iterated(part.iter, env)
        inner = dict(env)
        pattern = self.target(part.target, of, inner)
        plain = not pattern.startswith("'")
        if part.ifs:
            test = " && ".join(self.truth(x, inner) for x in part.ifs)
            items = f"[seq {pattern} <- {items} | {test}]" if plain else f"(filter (fun {pattern} => {test}) {items})"
        text, member = self.expression(node.elt, inner)
        if plain:
            return f"[seq {text} | {pattern} <- {items}]", ("seq", member)
        return f"(map (fun {pattern} => {text}) {items})", ("seq", member)

    def iterated(self, node: ast.expr, env: Env) -> tuple[str, Type]:
        """What is looped over as a list, and the type of its members."""
        text, of = self.expression(node, env)
        if of[0] == "seq":
            return text, of[1]
        raise self.refuse(node, "a loop over what is no list")

    def item(self, node: ast.Subscript, env: Env) -> tuple[str, Type]:
        text, of = self.expression(node.value, env)
        if isinstance(node.slice, ast.Slice) and of[0] == "seq" and node.slice.step is None:
            if node.slice.lower is not None and node.slice.upper is None:
                return f"(py_from {text} {self.coerced(node.slice.lower, env, 'int')})", of
            if node.slice.upper is not None and node.slice.lower is None:
                return f"(py_upto {text} {self.coerced(node.slice.upper, env, 'int')})", of
        if isinstance(node.slice, ast.Slice):
            raise self.refuse(node, "a slice")
        if of[0] == "tuple" and isinstance(node.slice, ast.Constant) and len(of) == 3 and node.slice.value in (0, 1):
            return f"{text}.{node.slice.value + 1}", of[node.slice.value + 1]
        if of[0] == "seq":
            return f"(py_at {default(of[1])} {text} {self.coerced(node.slice, env, 'int')})", of[1]
        if of[0] == "dict":
            return f"(py_get {default(of[2])} {text} {self.coerced(node.slice, env, of[1])})", of[2]
        raise self.refuse(node, "an item")

    def call(self, node: ast.Call, env: Env) -> tuple[str, Type]:
        if [x for x in node.keywords if x.arg not in ("strict", "reverse", "key")]:
            raise self.refuse(node, "a call with names")
        named = {x.arg: x.value for x in node.keywords}
        if isinstance(node.func, ast.Attribute):
            return self.method(node, env)
        if isinstance(node.func, ast.IfExp):  # (f if condition else g)(...)
            one, other = (ast.Call(f, node.args, []) for f in (node.func.body, node.func.orelse))
            return self.expression(ast.copy_location(ast.IfExp(node.func.test, one, other), node), env)
        callee = self.called(node.func)
        if isinstance(callee, Called) and len(node.args) == len(callee.takes) and not named:
            if callee.changes and not isinstance(node.args[0], ast.Subscript):
                raise self.refuse(node, IN_PLACE)
            arguments = " ".join(f"({self.coerced(x, env, of)})" for x, of in zip(node.args, callee.takes, strict=True))
            return f"({callee.name} {arguments})", callee.gives
        if not isinstance(node.func, ast.Name) or node.func.id in env:
            raise self.refuse(node, "a call")
        if callee is not None or not self.is_builtin(node.func.id):
            raise self.refuse(node, "a call of what is not printed")
        return self.builtin(node.func.id, node, env, named)

    def is_builtin(self, name: str) -> bool:
        """Whether a name is that of Python itself, or of its library, in the function."""
        import builtins
        import collections
        import fractions
        import itertools
        import math

        value = self.function.__globals__.get(name, getattr(builtins, name, None))
        homes = (builtins, math, fractions, collections, itertools)
        return value is not None and any(getattr(home, name, None) is value for home in homes)

    def builtin(self, name: str, node: ast.Call, env: Env, named: dict[Any, ast.expr]) -> tuple[str, Type]:
        if name == "lcm" and len(node.args) == 1 and isinstance(node.args[0], ast.Starred):
            return f"(py_lcm {self.coerced(node.args[0].value, env, ('seq', 'int'))})", "int"
        read = [self.expression(x, env) for x in node.args] if name not in ("map", "sorted", "zip") else []
        kinds = [of for _, of in read]
        if name == "map" and len(node.args) == 2:
            items, of = self.iterated(node.args[1], env)
            each = ast.Name("each")
            text, member = self.expression(ast.Call(node.args[0], [each], []), {**env, "each": of})
            return f"[seq {text} | each <- {items}]", ("seq", member)
        if name == "sorted" and len(node.args) == 1:
            text, of = self.expression(node.args[0], env)
            if of[0] == "seq" and of[1] == "int" and set(named) <= {"reverse"}:
                turned = "reverse" in named and ast.unparse(named["reverse"]) == "True"
                if named and not turned:
                    raise self.refuse(node, "an order")
                return f"({'py_sorted_down' if turned else 'py_sorted'} {text})", of
            key = named.get("key")
            reverse = ast.unparse(named.get("reverse", ast.Constant(False)))
            if of == ("seq", "int") and isinstance(key, ast.Attribute) and reverse in ("True", "False"):
                list_text, whole = self.expression(key.value, env)
                if key.attr == "__getitem__" and whole == ("seq", "R"):
                    down = "_down" if reverse == "True" else ""
                    return f"(py_sorted_by{down} (fun item => py_at 0 {list_text} item) {text})", of
            raise self.refuse(node, "an order")
        if name == "zip" and len(node.args) == 1 and isinstance(node.args[0], ast.Starred):
            text, of = self.expression(node.args[0].value, env)
            if of[0] == "seq" and of[1][0] == "seq":
                return f"(py_transposed {default(of[1][1])} {text})", of
        if name == "zip" and len(node.args) == 2:
            (a, one), (b, other) = (self.iterated(x, env) for x in node.args)
            return f"(zip {a} {b})", ("seq", ("tuple", one, other))
        if name == "enumerate" and read and kinds[0][0] == "seq":
            start = read[1][0] if len(read) == 2 else "(Posz 0)"
            return f"(py_enumerate {read[0][0]} {start})", ("seq", ("tuple", "int", kinds[0][1]))
        if name == "range" and kinds in (["int"], ["int", "int"]):
            a, b = ("(Posz 0)", read[0][0]) if len(read) == 1 else (read[0][0], read[1][0])
            return f"(py_range {a} {b})", ("seq", "int")
        if name == "len" and kinds[0][0] in ("seq", "dict"):
            return f"(Posz (size {read[0][0]}))", "int"
        if name == "sum" and len(read) == 1 and kinds[0] in (("seq", "int"), ("seq", "R")):
            return f"(py_sum {read[0][0]})", kinds[0][1]
        if name == "accumulate" and kinds in ([("seq", "int")], [("seq", "R")]):
            return f"(py_accumulate {read[0][0]})", kinds[0]
        if name == "min" and kinds == [("seq", "int")]:
            return f"(py_least {read[0][0]})", "int"
        if name in ("min", "max") and len(read) == 2 and set(kinds) <= {"int", "R"}:
            kind = "int" if kinds == ["int", "int"] else "R"
            a, b = (self.coerced(x, env, kind) for x in node.args)
            return f"(Num.{name} {a} {b})", kind
        if name == "comb" and kinds == ["int", "int"]:
            return f"(py_comb {read[0][0]} {read[1][0]})", "int"
        if name == "Fraction" and kinds == ["int", "int"]:
            return f"({read[0][0]}%:~R / {read[1][0]}%:~R)", "R"
        if name in ("int", "float", "bool", "tuple", "list") and len(read) == 1:
            same = {"int": ("int",), "float": ("R",), "bool": ("bool",)}
            if kinds[0] in same.get(name, ()) or (name in ("tuple", "list") and kinds[0][0] == "seq"):
                return read[0]
        if name == "dict" and len(read) == 1 and kinds[0][0] == "dict":
            return read[0]
        raise self.refuse(node, "a call")

    def method(self, node: ast.Call, env: Env) -> tuple[str, Type]:
        assert isinstance(node.func, ast.Attribute)
        name, arguments = node.func.attr, node.args
        home = ast.unparse(node.func.value)
        arrays = home not in env and getattr(self.function.__globals__.get(home), "__name__", "") == "numpy"
        if arrays and len(arguments) == 1:
            text, of = self.expression(arguments[0], env)
            if name == "flatnonzero" and of == ("seq", "bool"):
                return f"(py_places {text})", ("seq", "int")
            if name == "isnan" and of == ("seq", "nan"):
                return f"[seq item == None | item <- {text}]", ("seq", "bool")
        text, of = self.expression(node.func.value, env)
        if name == "tolist" and not arguments and of[0] == "seq":
            return text, of
        if name == "items" and not arguments and of[0] == "dict":
            return text, ("seq", ("tuple", of[1], of[2]))
        if name == "values" and not arguments and of[0] == "dict":
            return f"(map snd {text})", ("seq", of[2])
        if name == "sum" and not arguments and of == ("seq", "bool"):
            return f"(Posz (count id {text}))", "int"
        raise self.refuse(node, "a call")


def items_set(node: ast.AST) -> set[str]:
    """The names of the lists and dictionaries whose items statements assign, and of lists that grow."""
    items = [x.value for x in ast.walk(node) if isinstance(x, ast.Subscript) and isinstance(x.ctx, ast.Store)]
    return {x.id for x in items if isinstance(x, ast.Name)} | {y for x in ast.walk(node) if (y := appended(x))}


def appended(node: ast.AST) -> str | None:
    """The name of the list that a call of ``append`` makes longer."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "append":
        owner = node.func.value
        return owner.id if isinstance(owner, ast.Name) and len(node.args) == 1 and not node.keywords else None
    return None


class Named(ast.NodeTransformer):
    """Puts what is given in the place of the names of arguments."""

    def __init__(self, expressions: dict[str, ast.expr]) -> None:
        self.expressions = expressions

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.expressions.get(node.id, node)


def is_fresh(node: ast.AST | None) -> bool:
    """Whether an expression makes a list or dictionary that nothing else holds."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        return is_fresh(node.left)
    copied = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in DICTS
    return copied or isinstance(node, ast.List | ast.Dict | ast.ListComp | ast.DictComp)


def is_of_items(node: ast.DictComp) -> bool:
    """Whether a dictionary has the keys of another, each once."""
    part = node.generators[0]
    of_items = isinstance(part.iter, ast.Call) and ast.unparse(part.iter).endswith(".items()")
    target = part.target.elts[0] if isinstance(part.target, ast.Tuple) else None
    return len(node.generators) == 1 and of_items and ast.unparse(node.key) == ast.unparse(target or node.value)


def default(of: Type) -> str:
    """What stands where Python raises: no number of a theorem depends on it."""
    if isinstance(of, str):
        return {"int": "0", "R": "0", "bool": "false", "nan": "None"}[of]
    return "[::]" if of[0] in ("seq", "dict") else f"({', '.join(map(default, of[1:]))})"


def source_of(function: Any) -> ast.FunctionDef:
    """The source of a function, which must compile to the code that runs."""
    module = ast.parse(inspect.getsource(sys.modules[function.__module__]))
    line, name = function.__code__.co_firstlineno, function.__name__
    begun = [x for x in ast.walk(module) if isinstance(x, ast.FunctionDef) and x.name == name]
    node = next(x for x in begun if line in (x.lineno, *(y.lineno for y in x.decorator_list)))
    candidates = [
        code for code in codes(compile(module, "printed", "exec", dont_inherit=True)) if code.co_firstlineno == line
    ]
    if bare(function.__code__) not in map(bare, candidates):
        rule = "the source of a printed loop is that of the code that runs"
        raise Undecided(complaint(rule, f"another source of {function.__qualname__}", "print the function that runs"))
    return node


def codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """Yield a code object, and those within it."""
    yield code
    for x in code.co_consts:
        if isinstance(x, types.CodeType):
            yield from codes(x)


def bare(code: types.CodeType) -> tuple[Any, ...]:
    """What a code object does, without its places."""
    constants = [bare(x) if isinstance(x, types.CodeType) else (type(x), x) for x in code.co_consts]
    return code.co_code, constants, code.co_names, code.co_varnames, code.co_cellvars, code.co_freevars


def stored(node: ast.AST) -> set[str]:
    """The names that statements assign, or assign items of."""
    assigned = {x.id for x in ast.walk(node) if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Store)}
    inner = [x for x in ast.walk(node) if isinstance(x, ast.ListComp | ast.GeneratorExp)]
    hidden = {y for x in inner for part in x.generators for y in targets(part.target)}
    return (assigned - hidden) | items_set(node)


def stored_in(body: list[ast.stmt]) -> set[str]:
    return set().union(*map(stored, body))


def local(body: list[ast.stmt]) -> set[str]:
    """The names that the body of a loop assigns as a whole."""
    return {y for x in body if isinstance(x, ast.Assign) for t in x.targets for y in targets(t)} | {
        y for x in ast.walk(ast.Module(body, [])) if isinstance(x, ast.For) for y in targets(x.target)
    }


def targets(node: ast.AST) -> set[str]:
    return {x.id for x in ast.walk(node) if isinstance(x, ast.Name)}


def own_breaks(body: list[ast.stmt]) -> list[ast.AST]:
    """The statements of a loop that are in none of the loops within it."""
    breaks: list[ast.AST] = []
    for x in body:
        if isinstance(x, ast.If):
            breaks += own_breaks(x.body) + own_breaks(x.orelse)
        elif not isinstance(x, ast.For):
            breaks.append(x)
    return breaks


def tuple_of(names: list[str]) -> str:
    return name_of(names[0]) if len(names) == 1 else f"({', '.join(map(name_of, names))})"


def pattern_of(names: list[str]) -> str:
    return tuple_of(names) if len(names) == 1 else f"'{tuple_of(names)}"
