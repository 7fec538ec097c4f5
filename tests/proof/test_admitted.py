"""A formula that does something else from the n-th member on is refused, by whatever mechanism it counts."""

# ruff: noqa: SIM113 - plants count by themselves
import collections
import functools
import heapq
import inspect
import itertools
import random
import re
import textwrap
from collections.abc import Callable
from fractions import Fraction
from types import ModuleType
from typing import Any

import pytest

from refusals import refused
from splitcrit.impurities import library
from splitcrit.nulls import formulas, permutation
from splitcrit.proof import Induction, Status
from splitcrit.proof.admitted import LARGEST, Unknown, Whole, admitted, plain
from splitcrit.proof.control_flow import SIZES, traced
from splitcrit.proof.families import retraced
from splitcrit.proof.family_trees import TRACE
from splitcrit.proof.property_rows import _Study
from splitcrit.proof.undecided import Undecided
from splitcrit.proofs.rocq.definitions import printed
from splitcrit.proofs.rocq.printed import null_law
from splitcrit.proofs.rocq.variables import row

Formula = Callable[..., Any]
PLANTS: dict[str, tuple[Formula, str]] = {}
WEIGHTS, LEAST = [1] * 20 + [0] * 99, 4
HALF, WORD, BYTES, TABLE = Fraction(1, 2), "y" * 20 + "n" * 99, bytes([1] * 20 + [0] * 99), dict.fromkeys(range(20), 1)


def plant(reason: str) -> Callable[[Formula], Formula]:
    """List a function of numbers that gives some of them only, and the reason for which it is refused."""

    def listed(function: Formula) -> Formula:
        PLANTS[function.__name__] = function, reason
        return function

    return listed


def claim(some: Formula) -> Induction:
    """The claim that (sum x)^2 is at least the sum of the squares of some of them, which all of them keep."""
    return Induction(
        "K",
        {"x": "count"},
        lambda es, v, m: sum(e.x for e in es) ** 2 - sum(x**2 for x in some([e.x for e in es])),
        lambda e, v, m: [e.x, e.x**2],
        lambda s, v, m: s[0] ** 2 - s[1],
        relation=">=",
        keeps=lambda s, v, m: [s[0] >= 0],
    )


@plant("DELETE|del of items")
def without_the_seventh(xs: Any) -> Any:
    ys = [*xs]
    del ys[6]
    return ys


@plant(r"\.pop")
def popped(xs: Any) -> Any:
    ys = [*xs]
    while len(ys) > 5:
        ys.pop()
    return ys


@plant("except|next")
def tried(xs: Any) -> Any:
    it, ys = iter(xs), []
    for _ in range(9):
        try:
            ys.append(next(it))
        except StopIteration:
            break
    return ys


class Tally:
    """Counts the calls of ``below``."""

    def __init__(self) -> None:
        self.n = 0

    def below(self) -> bool:
        self.n += 1
        return self.n < 20


TALLY = Tally()


@plant("number 20")
def bound_by_a_default(xs: Any, most: int = 20) -> Any:
    ys, i = [], 0
    for x in xs:
        ys = [*ys, x] if i < most else ys
        i += 1
    return ys


@plant("nonlocal")
def counted_in_a_closure(xs: Any) -> Any:
    n = 0

    def below() -> bool:
        nonlocal n
        n += 1
        return n < 20

    return [x for x in xs if below()]


@plant("tuple|append|a comparison of lists")
def counted_in_a_default(xs: Any, seen: list[Any] = []) -> Any:  # noqa: B006
    ys = []
    for x in xs:
        seen.append(1)
        ys = [*ys, x] if seen == [1] else ys
    return ys


@plant("a generator that is read twice")
def read_twice(xs: Any) -> Any:
    again = (x for x in xs)
    return [sum(again) - sum(again), *xs]


@plant("cancels to")
def a_polynomial_of_the_place(xs: Any) -> Any:
    ys, i = [], 0
    for x in xs:
        w = 1
        for j in range(7):
            w = w * (i - 2 * j) * (i - 2 * j - 1)
        ys = [*ys, x * (1 + w)]
        i += 1
    return ys


@plant("cancels to")
def an_exponent_by_the_number(xs: Any) -> Any:
    n = 0
    for _ in xs:
        n += 1
    w = (n - 2) * (n - 3) * (n - 8) * (n - 2 * 7)
    return [x ** (1 + w * w) for x in xs]


@plant("number 20")
def a_generator_function(xs: Any) -> Any:
    def first():
        i = 0
        for x in xs:
            i += 1
            if i > 20:
                return
            yield x

    return first()


@plant("number 20")
def recursion(xs: Any) -> Any:
    def take(ys, depth):
        return ys if depth == 20 else take(ys, depth + 1)

    return take([*xs], 0)


@plant("UNPACK_EX")
def unpacked(xs: Any) -> Any:
    a, b, *rest = [*xs]
    return [a, b, *rest[:3]]


@plant("a comparison of lists")
def as_many_as_a_list_that_doubles(xs: Any) -> Any:
    some = (0,)
    for _ in range(5):
        some = some + some
    each = tuple([0 for _ in xs])
    return [x for x in xs if each != some]


@plant("a comparison of lists")
def nested_tuples(xs: Any) -> Any:
    depth, end = (), ()
    for _ in range(10):
        end = ((end,),)
    ys = []
    for x in xs:
        ys = [*ys, x] if depth != end else ys
        depth = (depth,)
    return ys


ONE = {  # an expression, and the reason for which it is refused
    "first_five": ("itertools.islice(xs, 5)", "islice"),
    "selected": ("itertools.compress(xs, [1] * 5)", "compress"),
    "mapped_with_six": ("map(lambda x, w: x * w, xs, [1] * 6)", "got map in"),
    "last_twenty": ("collections.deque(xs, 20)", "deque"),
    "smallest": ("heapq.nsmallest(5, xs)", "nsmallest"),
    "sorted_seven": ("sorted(xs)[:7]", "sorted"),
    "sliced_seven": ("[*xs][:7]", "a slice in"),
    "strided": ("[*xs][::20]", "a slice in"),
    "accumulated": ("[x for x, n in zip(xs, itertools.accumulate([1 for _ in xs])) if n < 20]", "accumulate"),
    "teed": ("itertools.tee(xs)[0]", "tee"),
    "zipped_longest": ("[x for x, w in itertools.zip_longest(xs, [1] * 5) if w]", "zip_longest"),
    "zipped_with_twenty": ("[x for x, _ in zip(xs, [1] * 20, strict=False)]", "number 20"),
    "zipped_with_six": ("[x for x, _ in zip(xs, [1, 1, 1, 1, 1, 1], strict=False)]", "run over one axis"),
    "until_a_sentinel": ("[[*xs][i] for i in iter([0, 1, 2].__len__, 0)]", "__len__"),
    "without_the_fifth": ("[*xs, -[*xs][4], [*xs][4]]", "range|index|LookupError"),
    "among_lists": ("[x for x in xs if [0 for _ in xs] not in [[0] * 10, [0] * 11]]", "a comparison of lists"),
    "reduced": ("functools.reduce(lambda ys, x: [*ys, x] if len(ys) < 20 else ys, xs, [])", "reduce"),
    "counted_by_an_object": ("[x for x in xs if TALLY.below()]", "Tally"),
    "weighed_by_min": ("[x for i, x in enumerate([*xs]) if min(i, 20) == i]", "min"),
    "at_random": ("[x for x in xs if random.random() < 2]", "random|_inst|Random|method"),
    "first_nine": ("[x for i, x in enumerate([*xs, 0]) if i < 9]", "another formula|number"),
    "places_by_a_difference": ("[x for i, x in enumerate([*xs, 0]) if i - 10 < 8]", "number 1[3-9]"),
    "grouped": ("[x for _, group in itertools.groupby(xs) for x in group]", "groupby"),
    "as_many_as_two_lists": ("[x for x in xs if [0 for _ in xs] != [0] * 12 + [0] * 8]", "a comparison of lists"),
}  # fmt: skip

COUNTED = {  # a count's beginning, up to where members are taken, how it goes on, and the reason
    "digits": ("0", 'i < int("20")', "i += 1", "int"),
    "length_of_a_text": ("0", 'i < len("a text of 20 letters")', "i += 1", "made of a text"),
    "quotients": ("0", "divmod(i, 20)[0] == 0", "i += 1", "divmod"),
    "floor_quotients": ("0", "i // 20 == 0", "i += 1", "number 20"),
    "in_a_range": ("0", "i in range(20)", "i += 1", "number 20"),
    "in_a_tuple": ("0", "i in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)", "i += 1", "list of 16"),
    "counted_in_floats": ("0.0", "i < 20.0", "i += 1.0", "number 20"),
    "counted_down": ("-20", "i", "i += 1", "number 20"),
    "told_by_its_text": ("0", 'f"{i}" in "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19"', "i += 1", "an f-string"),
    "first_thirteen": ("0", "i <= 12", "i += 1", "number 13"),
    "first_sixteen_by_halves": ("0", "i / 2 < 8", "i += 1", "number 1[3-9]|float"),
    "first_eleven": ("0", "i < 11", "i += 1", "another formula for 14 members|number 1[34]"),
    "letters_of_a_constant": ("0", '"yyyyyyyyyyyyyyyyyyyyn"[i] == "y"', "i += 1", "made of a text"),
    "letters_of_a_module": ("0", 'WORD[i] == "y"', "i += 1", "made of a text"),
    "imaginary": ("0", "(i * 1j).imag < 20", "i += 1", "the complex"),
    "halves_of_a_count": ("0", "HALF * i < 10", "i += 1", "number"),
    "count_of_halves": ("HALF", "i < 10", "i += HALF", "number"),
    "a_fraction_that_shrinks": ("HALF", "i > HALF**20", "i = i * HALF", "number"),
    "a_growing_text": ('""', 'i != "aaaaaaaaaaaaaaaaaaaa"', 'i = i + "a"', "made of a text"),
    "membership_in_text": ('"a"', 'i in "aaaaaaaaaaaaaaaaaaaa"', 'i = i + "a"', "made of a text"),
    "a_text_as_truth": ('"aaaaaaaaaaaaaaaaaaaa"', "i", "i = i[1:]", "a slice in"),
    "percent": ("0", '"%d" % i != "20"', "i += 1", "made of a text"),
    "text_times": ("0", '"a" * i != "aaaaaaaaaaaaaaaaaaaa"', "i += 1", "made of a text"),
    "numbers_in_sets": ("0", "{i} != {20}", "i += 1", "a set"),
    "float_powers": ("1.0", "i > 1e-6", "i = i * 0.5", "the float"),
    "true_counts": ("False", "i < 20", "i = i + True", "number 20"),
    "as_long_as": ("0", "len([1 for _ in ys]) < 20", "i += 1", "number 20|number 1[34]"),
    "counted_by_itertools": ("itertools.count()", "next(i) < 5", "pass", "itertools|count"),
    "counted_by_a_class": ("Tally()", "i.below()", "pass", "Tally"),
    "counted_in_a_dictionary": ("{0: 0}", "i[0] < 20", "i[0] = i[0] + 1", "an item that is set"),
    "counted_in_new_dictionaries": ("{0: 0}", "i[0] < 20", "i = {**i, 0: i[0] + 1}", "a dictionary that is changed"),
    "shifted_bits": ("1", "i < 2**20", "i = i + i", "number"),
}  # fmt: skip

WEIGHED = {  # factors of the members, and the reason
    "looked_up": ("WEIGHTS[i]", "list of 119 constants"),
    "bytes_as_weights": (r'b"\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x00"[i]', "the bytes"),
    "bytes_of_a_module": ("BYTES[i]", "bytes"),
    "zero_to_a_power": ("(1 - 0 ** ((20 - i) * (20 - i)))", "cancels to"),
    "mapping_of_places": ("TABLE[i]", "number 13"),
}  # fmt: skip


def written(name: str, *lines: str) -> Formula:
    """The function of numbers with these lines; it stands in no file, so that a reason is none of its own text."""
    scope = {**globals(), **{module.__name__: module for module in (collections, functools, random)}}
    exec("\n    ".join([f"def {name}(xs):", *lines]), scope)
    return scope[name]


for name, (members, reason) in ONE.items():
    PLANTS[name] = written(name, f"return {members}"), reason
for name, (first, taken, then, reason) in COUNTED.items():
    loop = f"for x in xs: ys = [*ys, x] if {taken} else ys; {then}"
    PLANTS[name] = written(name, f"ys, i = [], {first}", loop, "return ys"), reason
for name, (factor, reason) in WEIGHED.items():
    PLANTS[name] = written(name, "ys, i = [], 0", f"for x in xs: ys = [*ys, x * {factor}]; i += 1", "return ys"), reason


@pytest.mark.parametrize("name", PLANTS)
def test_what_begins_at_the_nth_member_is_refused_for_its_reason(name: str) -> None:
    some, reason = PLANTS[name]
    said = claim(some).apart
    assert said and re.search(reason, said), said


def test_what_is_refused_settles_nothing() -> None:
    for name in ("first_five", "bound_by_a_default", "counted_in_a_default", "looked_up"):
        assert claim(PLANTS[name][0]).settle().status is not Status.PROVED, name


TRUE: dict[str, Formula] = {
    "the list": lambda xs: xs,
    "a copy": lambda xs: [*xs],
    "a tuple": lambda xs: tuple(xs),
    "a generator": lambda xs: (x for x in xs),
    "an open slice": lambda xs: [*xs][:],
    "zipped with itself": lambda xs: [x for x, _ in zip(xs, xs, strict=True)],
    "with their numbers": lambda xs: [x for _, x in enumerate(xs)],
    "a large factor": lambda xs: [x * 4 * 5 / 20 for x in xs],
    "a large power": lambda xs: [x**20 / x**19 for x in xs],
    "halves": lambda xs: [2 * (HALF * x) for x in xs],
    "where texts are compared": lambda xs: [x for x in xs if "one" != "other"],
    "where tuples are made and numbers compared": lambda xs: [x for x, i in [(x, 3) for x in xs] if i == 3],
    "where a number is among others": lambda xs: [x for x in xs if 3 in (3, 4)],
    "where a small number decides": lambda xs: [x for x in xs if 3 < 4],
    "a helper": lambda xs: helped(xs),
}


def helped(xs: Any, times: int = 1, *, more: int = 0) -> list[Any]:
    found = []
    for x in xs:
        found.append(x * times + more)
    return found


@pytest.mark.parametrize("name", TRUE)
def test_formulas_of_all_members_are_linked(name: str) -> None:
    assert claim(TRUE[name]).apart == ""


def test_one_of_them_settles() -> None:
    assert claim(TRUE["a helper"]).settle().status is Status.PROVED


# The printer.

GINI = "total([x * x for x in p])"
OF_GINI = {
    "islice": "total([x * x for x in itertools.islice(p, 5)])",
    "compress": "total([x * x for x in itertools.compress(p, [1] * 5)])",
    "a slice": "total([x * x for x in p][:7])",
    "a long slice": "total([x * x for x in p][:40])",
    "enumerate": "total([x * x if i < 9 else 0 for i, x in enumerate(p)])",
    "a list of six": "total([x * w for x, w in zip(p, [1] * 6)])",
    "map": "total([*map(lambda x, w: x * x * w, p, [1] * 6)])",
    "pop": "total([x * x for x in p] if [*p].pop() is None else [x * x for x in p])",
    "a walrus": "total([x * x for x in p if (i := LEAST * 5) < 21])",
    "except": "total([x * x for x in p]) + next(iter([0] * 9))",
}


def text(run: Any) -> str:
    return printed(traced(run).tree)


@pytest.mark.parametrize("name", OF_GINI)
def test_the_printer_refuses_or_prints_another_gini(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "itertools", itertools, raising=False)
    monkeypatch.setattr(library, "LEAST", LEAST, raising=False)
    found = planted(library, "_gini", GINI, OF_GINI[name])
    before = text(lambda: retraced(library._gini)(row("p"), TRACE))
    try:
        after = text(lambda: retraced(found)(row("p"), TRACE))
    except Undecided as error:
        assert "line" in str(error)
    else:
        assert after != before and name == "enumerate"


def test_a_function_of_the_same_name_is_no_stand_in() -> None:
    names: dict[str, Any] = {"total": lambda xs: sum([x * x for x in xs]), "__name__": __name__}
    exec("def squares(p):\n    return total(p)", names)
    assert text(lambda: retraced(names["squares"])(row("p"))) == r"(\sum_(k < K) ((p k) * (p k)))"


# Properties.


def test_a_sum_over_five_classes_is_no_property_of_all() -> None:
    def five(p: Any, m: Any) -> Any:
        return 1 - sum(x * x for x in itertools.islice(p, 5))

    def counted(p: Any, m: Any) -> Any:
        found: Any = 1
        for i, x in enumerate([*p, 0]):
            found = found - x * x if i < 20 else found
        return found

    for formula in (five, counted):
        study = _Study.of(formula, [2], 50_000)
        assert {study.finding(x, "all").verdict for x in ("concave", "strictly concave", "symmetric")} == {"open"}


# The numbers.


def test_a_whole_number_is_exact_and_decides_nothing_above_the_largest() -> None:
    small, large = Whole(LARGEST), Whole(LARGEST + 1)
    assert small == 12 and small > 3 and small % 5 == 2 and not small - 12 and len([0] * small) == 12
    assert type(small * 2) is type(2 * small) is type(small - 40) is type(-large) is type(large**2) is Whole
    got = plain((large, (large,)))
    assert got[0] == 13 and type(got[1][0]) is int and type(plain(large)) is int
    for ask in (
        lambda: large == 1, lambda: large > 1, lambda: bool(large), lambda: large % 2, lambda: 5 // large,
        lambda: [1] * large, lambda: large * (1,), lambda: small < 20.5, lambda: large in (1, 2), lambda: large | 1,
        lambda: f"{small}",
    ):  # fmt: skip
        refused(r"in a decision|the text of a number", ask, error=Undecided)


def test_sizes_go_beyond_what_decides() -> None:
    assert {2, 3, 8} <= set(SIZES) and max(SIZES) > LARGEST


def test_what_is_unknown_may_be_named_and_not_used() -> None:
    def names_it(p: Any) -> Any:
        return sum(p) if isinstance(3, int) else heapq.nlargest(3, p)

    assert text(lambda: retraced(names_it)(row("p"))) == r"(\sum_(k < K) (p k))"
    thing = Unknown("a thing")
    for use in (lambda: thing(), lambda: [*thing], lambda: thing.part, lambda: thing == 1, lambda: bool(thing)):
        refused("got a thing", use, error=Undecided)


def test_code_that_is_admitted_is_the_same_but_for_its_numbers() -> None:
    def poly(x: Any) -> Any:
        return [3 * x + 20 for _ in range(2)]

    code, fault, names = admitted(poly.__code__)
    assert not fault and set(names) == {"range"}
    assert (code.co_code, code.co_names) == (poly.__code__.co_code, poly.__code__.co_names)


# Changes of the library's source that a printer could not see, each of which it refuses or prints.

PIECES = {  # what stands in the place of the totals of columns, and the reason for which it is refused
    "set(columns)": "a set in",
    "sorted(columns)": "sorted",
    "{b: b for b in columns}": "a dictionary by members",
    "{*columns}": "a set by members",
    "dict.fromkeys(columns)": "fromkeys",
}
GUARDS = {  # a function, a line of it, and a condition on which something else is returned before; and the reason
    ("exact_mean", "unlike = ", "isinstance(n, int) and n == 41"): "isinstance of a term",
    ("exact_variance", "n, r, d =", "isinstance(sum(rows), int) and sum(rows) > 200"): "isinstance of a term",
    ("uneven_row", "return ", "isinstance(n, float)"): "its class",
    ("exact_mean", "unlike = ", "type(n) is int and n == 41"): "got type in",
    ("exact_mean", "unlike = ", "n.__class__ is int and n == 41"): "its class",
    ("exact_mean", "unlike = ", "f'{n}' == '41'"): "its text",
    ("exact_mean", "unlike = ", "n.bit_length() > 8"): "bit_length|its class",
    ("exact_mean", "unlike = ", "isinstance(rows, list) and rows[0] == 41"): "isinstance of a term or a family",
}
CHANGED = [("exact_mean", "for b in columns", f"for b in {new}", reason) for new, reason in PIECES.items()]
CHANGED += [  # of some members alone
    ("exact_mean", "b * b for b in columns", "b * b for i, b in enumerate([*columns, 0]) if i < 20", "number 20"),
    ("exact_mean", "sum(rows)", "(sum(rows) if len(rows) < 20 else sum([*rows].pop(0) for _ in rows))", r"\.pop"),
    ("exact_variance", "sum(d // a for a in rows)", "sum(d // a for a, _ in zip(rows, range(4 * 5)))", "number 20"),
]
CHANGED += [
    (name, f"    {line}", f"    if {condition}:\n        return n\n    {line}", reason)
    for (name, line, condition), reason in GUARDS.items()
]


def planted(module: ModuleType, name: str, old: str, new: str) -> Any:
    """A function of a module with one piece of its source changed."""
    source = textwrap.dedent(inspect.getsource(getattr(module, name)))
    assert old in source, f"{name} holds no {old!r}"
    scope = dict(vars(module))
    exec(compile(source.replace(old, new, 1), str(module.__file__), "exec"), scope)
    return scope[name]


@pytest.mark.parametrize(("name", "old", "new", "reason"), CHANGED)
def test_the_printer_notices(name: str, old: str, new: str, reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module = permutation if hasattr(permutation, name) else formulas
    monkeypatch.setattr(module, name, planted(module, name, old, new))
    refused(reason, list, null_law.definitions(), error=Undecided)


def test_the_functions_as_they_are_print() -> None:
    assert {"py_exact_mean", "py_exact_variance"} <= {d.name for d in null_law.definitions()}
