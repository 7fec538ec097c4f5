"""Print pyproject.toml's lower bounds as exact pins, a pip constraints file for `make lowest`."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path


def bounds(project: dict[str, object]) -> Iterator[str]:
    """Every requirement the project states, its own extras and included groups left out."""
    for table in (project["project"], project["project"]["optional-dependencies"], project["dependency-groups"]):
        for name, requirements in table.items():
            if table is not project["project"] or name == "dependencies":
                yield from (r for r in requirements if isinstance(r, str) and ">=" in r)


def pinned(requirement: str) -> str:
    """`scikit-learn>=1.9,<1.10` becomes `scikit-learn==1.9`; an extra is dropped, as constraints allow none."""
    name, lowest = re.fullmatch(r"([\w.-]+)(?:\[.*\])?>=([\w.]+).*", requirement).groups()
    return f"{name}=={lowest}"


if __name__ == "__main__":
    with (Path(__file__).parents[1] / "pyproject.toml").open("rb") as file:
        print("\n".join(sorted({pinned(r) for r in bounds(tomllib.load(file))})))
