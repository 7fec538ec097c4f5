"""What traced code may do; anything else is an error that names the word.

A formula is traced at a few numbers of members (``SIZES`` of ``control_flow``), and the traces must agree: what it does
otherwise from the n-th member on is seen for each n below the largest of them. For a larger n it needs a number beyond
``LARGEST`` that decides something, a list that is as long, or something that keeps count where no trace looks. The
first is refused as it runs: a whole number that traced code names, that is a size, or that is computed from such is a
`Whole`, and so are the parts of a Fraction. It adds and multiplies and is an exact number in a formula, unless larger
ones cancel to it; once beyond ``LARGEST`` it answers no comparison, remainder, repetition or truth test. Other numbers
are unknown. The second is refused as a constant, and a text is a `Text`, which is compared and no more. The third has
no place to stand: code runs if each of its steps is a listed one, without ``del``, ``nonlocal``, slices,
items that are set, or methods that change a list; and what it names is a function that is traced likewise, a number, an
object of the library, or has a stand-in. Everything else is `Unknown`: code that does not run may name it, and using
it is an error.

Main definitions: ``admitted`` (code, and what it may not do), ``Whole``, ``Text``, ``counted``, ``plain``,
``constant``, ``Unknown``, ``unread``.
"""

from __future__ import annotations

import dis
import functools
import inspect
import linecache
import re
import types
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NoReturn

from splitcrit.frozen import complaint, shown
from splitcrit.proof.undecided import Undecided

RULE = "a traced formula may use only arithmetic, sums and sizes"
REMEDY = "write a sum or a comprehension over all members, with m.where for cases"
LARGEST = 12  # a larger number decides nothing in traced code
STEPS = re.compile(  # of CPython 3.11 to 3.13
    r"NOP|CACHE|RESUME|EXTENDED_ARG|PRECALL|PUSH_NULL|POP_(TOP|EXCEPT)|COPY(_FREE_VARS)?|SWAP|MAKE_(CELL|FUNCTION)"
    r"|KW_NAMES|SET_FUNCTION_ATTRIBUTE|(RETURN|FORMAT|UNARY)_\w+|YIELD_VALUE|LOAD_(CONST|DEREF|GLOBAL|CLOSURE|ATTR|METHOD)"
    r"|(LOAD|STORE|DELETE)_FAST\w*|LOAD_ASSERTION_ERROR|STORE_DEREF|BINARY_(OP|SUBSCR)|(COMPARE|IS|CONTAINS)_OP|TO_BOOL"
    r"|(POP_)?JUMP\w*|(FOR|GET)_ITER|END_FOR|BUILD_(LIST|TUPLE|STRING|MAP|CONST_KEY_MAP)|LIST_(APPEND|EXTEND|TO_TUPLE)"
    r"|DICT_MERGE|UNPACK_SEQUENCE|CALL|CALL_(KW|FUNCTION_EX|INTRINSIC_1)|CONVERT_VALUE|BEFORE_WITH|WITH_EXCEPT_START"
    r"|PUSH_EXC_INFO|RERAISE|RAISE_VARARGS"
)
WORDS = {
    "DELETE_SUBSCR": "del of items", "STORE_SUBSCR": "an item that is set", "BUILD_SLICE": "a slice",
    "BINARY_SLICE": "a slice",
    "STORE_ATTR": "an attribute that is set", "LOAD_BUILD_CLASS": "class", "CHECK_EXC_MATCH": "except",
    "MAP_ADD": "a dictionary by members", "DICT_UPDATE": "a dictionary that is changed",
    "BUILD_SET": "a set by members",
}  # fmt: skip
LISTS = ("BUILD_LIST", "BUILD_TUPLE", "LIST_EXTEND", "LIST_TO_TUPLE")  # steps that make one
FLOAT_ALONE = "OverflowError"  # what may be caught, since no exact number raises it
METHODS = {  # and what terms and families hold
    "inner", "member", "axis", "bit_length", "bit_count", *vars(list), *vars(dict), *vars(set), *vars(str),
    *vars(bytes), *vars(types.GeneratorType), *vars(types.FunctionType), *vars(types.CodeType),
} - {"append", "values", "__call__", "__name__", "__module__"}  # fmt: skip


class Refused(Undecided):
    """Traced code uses what it may not; ``word`` names it."""

    def __init__(self, word: str) -> None:
        self.word = word
        super().__init__(complaint(RULE, word, REMEDY))


class Unknown:
    """What traced code may name and not use; ``value`` is a kind that ``isinstance`` asks for."""

    def __init__(self, word: str, value: Any = None) -> None:
        self._word, self._value = word, value

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise Refused(self._word)

    def __or__(self, other: Any) -> Unknown:
        return Unknown(self._word, self._value | (other._value if isinstance(other, Unknown) else other))


for _name in ("call", "iter", "len", "bool", "getitem", "contains", "enter", "exit", "add", "radd", "mul", "rmul",
              "sub", "rsub", "truediv", "rtruediv", "pow", "eq", "ne", "lt", "le", "gt", "ge", "getattr"):  # fmt: skip
    setattr(Unknown, f"__{_name}__", Unknown._refuse)


class Whole(int):
    """A whole number of traced code; ``reach`` is the largest of the numbers that it is computed from."""

    reach: Any
    __hash__ = int.__hash__

    def __new__(cls, value: Any) -> Whole:
        whole = int.__new__(cls, value)
        whole.reach = _reach(int(whole))
        return whole

    def __format__(self, spec: str) -> str:
        raise Refused("the text of a number")

    __str__ = __format__  # type: ignore[assignment]

    @property
    def numerator(self) -> Whole:
        """The number, for a Fraction that is made of it."""
        return self


class Text(str):
    """A text of traced code, which is compared with others; it has no parts, and nothing is made of it."""

    def _refuse(self, *_: Any) -> NoReturn:
        raise Refused("what is made of a text")

    __add__ = __radd__ = __mul__ = __rmul__ = __mod__ = __rmod__ = __getitem__ = __len__ = _refuse
    __contains__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse

    def __iter__(self) -> Any:
        letters = str(self)
        return map(Text, letters) if str.__len__(letters) <= LARGEST else self._refuse()


class Named(Fraction):
    """A Fraction that traced code names, made of `Whole`; the text of what is computed from it is refused."""

    __slots__ = ()

    def __str__(self) -> str:
        return str(plain(self))

    __repr__ = __str__


def _reach(x: Any) -> Any:
    return x.reach if isinstance(x, Whole) else abs(x) if isinstance(x, int | float | Fraction) else 0


def decided_by(*values: Any) -> None:
    """Refuse a number that reaches beyond ``LARGEST`` and decides; a place in a list at hand is none of these."""
    for x in values:
        if type(x) is not int and _reach(x) > LARGEST:
            raise Refused(f"the number {shown(_reach(x))} in a decision")


def _method(name: str, deciding: bool) -> Callable[..., Any]:
    method = getattr(int, name)

    def run(self: Whole, *others: Any) -> Any:
        if deciding and all(isinstance(x, int | float | Fraction) for x in others):
            decided_by(self, *others)
        elif any(isinstance(x, list | tuple | str | bytes) for x in others):  # repeated
            decided_by(self)
        result = counted(method(self, *others))
        if isinstance(result, Whole):
            result.reach = max(map(_reach, (result, self, *others)))
        return result

    return run


for _name in ("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv", "pow", "rpow", "neg", "pos", "abs"):
    setattr(Whole, f"__{_name}__", _method(f"__{_name}__", False))
for _name in ("bool", "eq", "ne", "lt", "le", "gt", "ge", "floordiv", "rfloordiv", "mod", "rmod", "and", "rand", "or",
              "ror", "xor", "rxor", "lshift", "rlshift", "rshift", "rrshift", "invert"):  # fmt: skip
    setattr(Whole, f"__{_name}__", _method(f"__{_name}__", True))


def counted(x: Any, of: Callable[[Any], Any] | None = None) -> Any:
    """A constant with numbers made of `Whole`, and lists as tuples; long ones and other numbers are unknown."""
    if isinstance(x, bool):
        return x
    if isinstance(x, int) or (isinstance(x, float) and x.is_integer()):
        return Whole(x)
    if type(x) is str:
        return Text(x)
    if type(x) is Fraction:
        return _made_of(Whole(x.numerator), Whole(x.denominator), Named)
    if isinstance(x, float | complex | bytes):
        return Unknown(f"the {type(x).__name__} {shown(x)}")
    if isinstance(x, list | tuple | frozenset) and not (x and all(isinstance(y, str) for y in x)):
        return tuple(map(of or counted, x)) if len(x) <= LARGEST else Unknown(f"a list of {len(x)} constants")
    return x


def _made_of(numerator: int, denominator: int, kind: type[Fraction] = Fraction) -> Fraction:
    number = Fraction.__new__(kind)
    number._numerator, number._denominator = numerator, denominator  # type: ignore[attr-defined]
    return number


def plain(x: Any) -> Any:
    """A number or a text as code takes it which is not traced, in tuples too."""
    if isinstance(x, Fraction):
        return _made_of(int(x.numerator), int(x.denominator))
    return int(x) if isinstance(x, Whole) else tuple(map(plain, x)) if type(x) is tuple else x


def constant(x: Any) -> Any:
    """A number of a formula as it is; refuse one that larger ones cancel to: for more members it may differ."""
    for part in (x.numerator, x.denominator):
        if isinstance(part, Whole) and abs(int(part)) < part.reach > LARGEST:
            raise Refused(f"what the number {shown(part.reach)} cancels to")
    return plain(x)


def unread(items: Any) -> list[Any]:
    """The items of something that is iterated; refuse a generator that was read before."""
    if isinstance(items, types.GeneratorType) and inspect.getgeneratorstate(items) != inspect.GEN_CREATED:
        raise Refused("a generator that is read twice")
    return list(items)


@functools.cache
def admitted(
    code: types.CodeType, own: bool = False, outer: frozenset[str] = frozenset()
) -> tuple[types.CodeType, str, tuple[str, ...]]:
    """Code whose whole numbers are `Whole`, what it may not do, if anything, and the names that it asks for.

    Code that is a claim's ``own`` has no f-strings, by which a text may grow; the library names its objects by them.
    ``outer`` are the names of lists around the code.
    """
    steps = list(dis.get_instructions(code))
    lists = outer & {*code.co_freevars}
    for _ in range(2):  # a loop may go on with what it stored
        stores = (i for i, x in enumerate(steps) if x.opname in ("STORE_FAST", "STORE_DEREF"))
        lists |= {steps[i].argval for i in stores if _makes_list(steps, _maker(steps, i, 0), lists)}
    words = [word for i in range(len(steps)) if (word := _word(code, steps, i, own, lists))]
    inner = {x: admitted(x, own, lists) for x in code.co_consts if isinstance(x, types.CodeType)}
    constants = tuple(inner[x][0] if isinstance(x, types.CodeType) else counted(x) for x in code.co_consts)
    faults = [*words, *filter(None, (fault for _, fault, _ in inner.values())), ""]
    names = (*code.co_names, *(name for *_, more in inner.values() for name in more))
    return code.replace(co_consts=constants), faults[0], names


def _word(code: types.CodeType, steps: list[dis.Instruction], place: int, own: bool, lists: frozenset[str]) -> str:
    """The fault of a step that traced code may not take, in words, and its place; nothing if it may take it."""
    step, before, word = steps[place], steps[max(place - 2, 0) : place], ""
    name = step.opname
    if name in ("LOAD_ATTR", "LOAD_METHOD") and step.argval in METHODS:
        word = f".{step.argval}"
    elif name == "STORE_DEREF" and step.argval in code.co_freevars:
        word = "nonlocal"
    elif name == "BUILD_SLICE" and step.arg == 2 and all(x.argval is None for x in before):
        word = ""  # a copy; other slices leave out some members, and slices of slices any number of them
    elif name in ("COMPARE_OP", "CONTAINS_OP") and any(
        _makes_list(steps, _maker(steps, place, depth), lists) for depth in ((0, 1) if name == "COMPARE_OP" else (1,))
    ):  # whose length or depth may have grown
        word = "a comparison of lists"
    elif name in ("FORMAT_VALUE", "FORMAT_SIMPLE", "FORMAT_WITH_SPEC") and own:
        word = "an f-string"
    elif name in ("BUILD_LIST", "BUILD_TUPLE", "BUILD_MAP") and (step.arg or 0) > LARGEST:
        word = f"a list of {step.arg} items"
    elif not STEPS.fullmatch(name) and (name != "CHECK_EXC_MATCH" or before[-1].argval != FLOAT_ALONE):
        word = WORDS.get(name, name)
    line = (step.positions.lineno if step.positions else None) or code.co_firstlineno
    where = f"{code.co_name}, line {line}: {linecache.getline(code.co_filename, line).strip()}"
    return f"{word} in {where}" if word else ""


def _makes_list(steps: list[dis.Instruction], place: int, lists: frozenset[str]) -> bool:
    """True if a step makes a list or a tuple that the code itself builds, or loads one of the names of such."""
    step = steps[place]
    if step.opname == "BINARY_OP":  # lists are joined, or repeated
        return any(_makes_list(steps, _maker(steps, place, depth), lists) for depth in (0, 1))
    if step.opname == "CALL":
        called = steps[_maker(steps, place - (steps[place - 1].opname == "PRECALL"), step.arg or 0)]
        return called.opname == "GET_ITER" or called.argval in ("list", "tuple")  # a comprehension, or a copy
    named = step.opname.startswith("LOAD") and isinstance(step.argval, str) and step.argval in lists
    return named or step.opname in LISTS or (step.opname == "LOAD_CONST" and isinstance(step.argval, tuple))


def _maker(steps: list[dis.Instruction], place: int, depth: int) -> int:
    """The place of the step that makes the value so deep in the stack before the step at a place."""
    while place > 1 and (depth or steps[place - 1].opname.startswith(("STORE", "POP"))):
        place -= 1
        depth -= dis.stack_effect(steps[place].opcode, steps[place].arg, jump=False)
    return place - 1
