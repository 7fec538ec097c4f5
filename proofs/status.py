"""How a command ends: its exit status, and one sentence on the standard error stream if something is wrong.

Main definitions: ``attempt``; the statuses ``FINE``, ``WRONG`` (something was found to be), ``MISTAKE`` (in what was
given), ``MISSING`` (an extra is not installed). An interrupt ends in 130, a reader who has seen enough in 141.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from splitcrit.frozen import LONG, complaint, is_ours, visible

FINE, WRONG, MISTAKE, MISSING = range(4)


def attempt(command: Callable[[], int], extras: str = "") -> int:
    """Run a command that needs some extras; a mistake ends in one sentence on the standard error stream."""
    try:
        status = command()
        sys.stdout.flush()
        return status
    except BrokenPipeError:  # who reads has seen enough, as in splitcrit criteria | head
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except ModuleNotFoundError as error:
        return refused(absent(error, extras), MISSING)
    except (OSError, ValueError, KeyError, TypeError) as error:
        if isinstance(error, TypeError) and not is_ours(error):
            raise
        return refused(_sentence(error), MISTAKE)
    except MemoryError:
        rule, remedy = "what a command reads must fit into memory", "pass less, or check that it is the right file"
        return refused(complaint(rule, "more", remedy), MISTAKE)
    except KeyboardInterrupt:
        return refused("interrupted", 130)


def _sentence(error: Exception) -> object:
    """What an error says, that of the system about a file in the form of the library's own."""
    if isinstance(error, OSError) and error.filename and error.strerror:
        return complaint("files must exist and be accessible", f"{error.filename}: {error.strerror}", "check the path")
    return error.args[0] if isinstance(error, KeyError) else error


def refused(text: object, status: int) -> int:
    """Print one line on the standard error stream, and return a status."""
    print(f"splitcrit: {visible(text, 4 * LONG)}", file=sys.stderr)
    return status


def absent(error: ModuleNotFoundError, extras: str) -> str:
    """Return a sentence about a package that is not installed, or raise the error if no extra would bring it."""
    if "pip install" in str(error):  # a sentence of the library
        return str(error)
    if not extras:
        raise error
    named = " and ".join(repr(extra) for extra in extras.split(","))
    rule, remedy = f"this command needs the extras {named}", f"pip install 'splitcrit[{extras}]'"
    return complaint(rule if "," in extras else rule.replace("extras", "extra"), f"no module {error.name}", remedy)
