"""``splitcrit doctor``: what is installed here, what is compiled, and which problems there are.

Main definitions: ``run``, ``Diagnosis`` (all that was found), ``examined``, ``allows`` (a version and its bounds).
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import shutil
import subprocess
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, distribution, version
from typing import Any

from splitcrit import __version__
from splitcrit.compiling import cache_folder, compiles
from splitcrit.frozen import visible
from splitcrit.proofs.command import tell
from splitcrit.proofs.status import FINE, WRONG

REQUIREMENT = re.compile(r"([\w.-]+)(?:\[[\w,.-]+\])?\s*([^;]*?)\s*(?:;.*\bextra == ['\"]([\w.-]+)['\"].*)?")
BOUND = re.compile(r"(>=|<)\s*([\d.]+)")
VARIABLES = ("OMP_NUM_THREADS", "NUMBA_NUM_THREADS", "NUMBA_CACHE_DIR", "NUMBA_DISABLE_JIT", "SPLITCRIT_DATA")


@dataclass(frozen=True)
class Diagnosis:
    """What was found: versions of packages (None is not installed), what each extra lacks, and the problems."""

    splitcrit: str
    python: str
    system: str
    packages: dict[str, str | None]
    extras: dict[str, list[str]]
    loops: dict[str, Any] | None
    coqc: str | None
    cores: int
    variables: dict[str, str]
    problems: list[str]


def allows(bounds: str, version: str) -> bool:
    """Whether a version lies in the bounds of a requirement.

    Examples
    --------
    >>> allows(">=1.9,<1.10", "1.9.2"), allows(">=1.9,<1.10", "1.10.0"), allows(">=2.1", "2.0.3")
    (True, False, False)
    """
    each = BOUND.findall(bounds)
    return all((_release(version) >= _release(bound)) is (sign == ">=") for sign, bound in each)


def _release(text: str) -> tuple[int, ...]:
    """The numbers of a release, without zeros at the end."""
    numbers = list(map(int, re.findall(r"\d+", re.split(r"[^\d.]", text)[0])))
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _required() -> list[tuple[str, str, str]]:
    """Name, bounds and extra (none: always needed) of what the package requires, by its own metadata."""
    listed = (distribution("splitcrit").requires or []) if _version("splitcrit") else []
    matches = [match.groups(default="") for text in listed if (match := REQUIREMENT.fullmatch(text))]
    return [(name, bounds, extra) for name, bounds, extra in matches if name != "splitcrit"]


def examined() -> Diagnosis:
    """The findings on this machine; nothing is compiled."""
    required = _required()
    problems = list[str]()
    extras = dict[str, list[str]]()
    packages = {name: _version(name) for name, _, _ in required}
    if not required:
        problems.append("splitcrit runs from a folder without being installed, so its extras are unknown")
    for name, bounds, extra in required:
        version = packages[name]
        fits = version is not None and allows(bounds, version)
        if version is not None and not fits:
            problems.append(f"{name} {version} is installed; splitcrit {__version__} needs {name}{bounds}")
        if extra and extra != "all":  # the others together
            extras.setdefault(extra, [])
            extras[extra] += [] if fits else [f"{name}{bounds}"]
    loops = _loops() if packages.get("numba") else None
    if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
        problems.append("NUMBA_DISABLE_JIT is set: nothing is compiled, and trees take many times as long")
    elif loops and not loops["writable"]:
        problems.append(f"{loops['folder']} is not writable, so every process compiles; set NUMBA_CACHE_DIR")
    variables = {name: os.environ[name] for name in VARIABLES if name in os.environ}
    return Diagnosis(
        __version__, platform.python_version(), f"{platform.system()} {platform.machine()}", packages, extras, loops,
        _coqc(), _cores(), variables, problems,
    )  # fmt: skip


def _loops() -> dict[str, Any]:
    """Count the compiled functions kept on disk, of any version; return their folder as well."""
    folder = cache_folder()
    functions = sum(1 for _ in folder.glob("*.nbc"))
    lowest = next(path for path in (folder, *folder.parents) if path.exists())
    return {"kept": functions, "folder": str(folder), "writable": os.access(lowest, os.W_OK)}


def _cores() -> int:
    """The number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _coqc() -> str | None:
    """The version of the compiler of Rocq, None without one."""
    if shutil.which("coqc") is None:
        return None
    ran = subprocess.run(["coqc", "--print-version"], capture_output=True, text=True, check=False, timeout=60)
    return ran.stdout.partition(" ")[0] or None


def shown(report: Diagnosis) -> str:
    """The findings as text, with the problems below."""
    lines = [f"splitcrit {report.splitcrit}, Python {report.python}, {report.system}", ""]
    wide = max(map(len, ["numpy", *report.packages, *report.extras])) + 2
    lines += [f"{name:<{wide}}{version or 'not installed'}" for name, version in report.packages.items()]
    lines += ["", "extras"]
    for extra, lacks in report.extras.items():
        lacking = f"lacks {', '.join(lacks)}; pip install 'splitcrit[{extra}]'" if lacks else "complete"
        lines.append(f"{extra:<{wide}}{lacking}")
    lines.append("")
    if report.loops:
        more = "" if report.loops["kept"] else "; splitcrit doctor --compile makes those that most calls need"
        lines.append(f"{report.loops['kept']} compiled functions are kept in {report.loops['folder']}{more}")
    lines.append(f"coqc {report.coqc or 'not found, so the Rocq proofs cannot be compiled here'}")
    lines.append(f"{report.cores} cores" if report.cores != 1 else "1 core")
    lines += [f"{name}={value}" for name, value in report.variables.items()]
    return "\n".join(map(visible, [*lines, "", *(report.problems or ["no problems found"])]))


def run(args: argparse.Namespace) -> int:
    """Run ``splitcrit doctor`` and return the exit status: 1 if there is a problem."""
    if args.compile and compiles():
        from splitcrit.cli.compile import compile_all

        compile_all(_cores())
    report = examined()
    tell(args.json, lambda: asdict(report), shown(report))
    return WRONG if report.problems else FINE
