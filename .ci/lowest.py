"""Print pyproject.toml's lower bounds as exact pins, a pip constraints file for `make lowest`."""

import re
import tomllib
from itertools import chain
from pathlib import Path


def pinned(requirement: str) -> str:
    """`scikit-learn>=1.9,<1.10` becomes `scikit-learn==1.9`; an extra is dropped, as constraints allow none."""
    return re.sub(r"^([\w.-]+)(?:\[.*\])?>=([\w.]+).*", r"\1==\2", requirement)


if __name__ == "__main__":
    with (Path(__file__).parents[1] / "pyproject.toml").open("rb") as file:
        tables = tomllib.load(file)
    project = tables["project"]
    lists = [project["dependencies"], *project["optional-dependencies"].values(), *tables["dependency-groups"].values()]
    stated = {item for item in chain.from_iterable(lists) if isinstance(item, str) and ">=" in item}
    print("\n".join(sorted(pinned(requirement) for requirement in stated)))
