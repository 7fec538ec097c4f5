"""A claim made from named arguments, and what it says when some of them are changed.

Main definitions: ``Law``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from splitcrit.display import summary
from splitcrit.proof.scope import Scope
from splitcrit.proof.theorem import NearMiss
from splitcrit.proof.verdicts import Claim, Verdict


class Law:
    """The claim ``make(**arguments)``; `but` makes a near-miss of it by naming what changes.

    Examples
    --------
    >>> from splitcrit.proof import Identity
    >>> def square(power, factor=1):
    ...     return Identity({"x": "real"}, lambda v, m: v.x * v.x, lambda v, m: factor * v.x**power)
    >>> law = Law(square, power=2)
    >>> law.settle().status.value, law.but(factor=2).says
    ('settled', 'factor = 2')
    """

    def __init__(self, make: Callable[..., Claim], /, **arguments: Any) -> None:
        self.make, self.arguments = make, arguments

    def __repr__(self) -> str:
        return summary(self, make=self.make, arguments=self.arguments)

    @property
    def claim(self) -> Claim:
        """The claim, made."""
        return self.make(**self.arguments)

    def settle(self) -> Verdict:
        return self.claim.settle()

    def scope(self) -> Scope:
        return self.claim.scope()

    def grounds(self) -> tuple[str, ...]:
        return self.claim.grounds()

    def but(
        self, says: str = "", *, alters: Literal["conclusion", "hypothesis"] = "conclusion", **changed: Any
    ) -> NearMiss:
        """Return the near-miss with some arguments changed, named after them by default."""
        words = says or ", ".join(f"{name} = {value}" for name, value in changed.items())
        return NearMiss(words, Law(self.make, **{**self.arguments, **changed}), alters)
