"""What every refusal is: an error of a known kind, in one sentence that says the words."""

from collections.abc import Callable
from typing import Any

import pytest


def refused(
    words: str, call: Callable[..., Any], *arguments: Any, error: Any = ValueError, **options: Any
) -> BaseException:
    """The error of a call that is refused: one line, in which the words, a regular expression, are."""
    __tracebackhide__ = True
    with pytest.raises(error, match=words) as refusal:
        call(*arguments, **options)
    assert "\n" not in str(refusal.value), str(refusal.value)
    return refusal.value
