"""The indices of values and of lists of them: what is free in one is renamed in it, wherever it stands."""

from __future__ import annotations

from typing import Any

import pytest

from splitcrit.arith.tracing import Node
from splitcrit.proof.family_trees import first_member, free_of, moved

J, K = Node("index", ("j",)), Node("index", ("k",))
SUM = Node("sum", ("k", Node("+", (J, K))))


@pytest.mark.parametrize("held", [J, [J], (J,), [K, J], (K, J), [[J], (K, [J])], [SUM]], ids=repr)
def test_a_free_index_is_renamed_in_whatever_holds_it(held: Any) -> None:
    assert "j" in free_of(held)
    renamed = moved(held, "j", "m")
    assert type(renamed) is type(held)
    assert "j" not in free_of(renamed)
    assert free_of(renamed) == {"m" if x == "j" else x for x in free_of(held)}


def test_a_bound_index_stays() -> None:
    assert moved([SUM, K], "k", "l") == [SUM, Node("index", ("l",))]
    assert first_member(Node("+", (Node("index", ("j'",)), K))) == Node("+", (J, K))
