"""Write what the package of R in bindings/r takes from the library: the C header, and the test vectors.

python tools/r_package.py           writes both files
python tools/r_package.py --check   fails, in a sentence, if they are not those that the library prints
"""

from __future__ import annotations

import math
import re
import sys
from fractions import Fraction
from pathlib import Path

from splitcrit import __version__
from splitcrit.export import Case, header, vectors

PACKAGE = Path(__file__).parents[1] / "bindings" / "r"
COLUMNS = ("table", "mean", "variance", "third", "sgini", "scan", "selected_pvalue")


def line(case: Case) -> str:
    """A case as a line of a table of R: rows of counts apart by semicolons, doubles with all their digits."""
    scores = [math.copysign(float(abs(x)) ** 0.5, x) for x in case.scan]
    p = case.selected_pvalue
    numbers: list[Fraction | float] = [case.mean, case.variance, case.third_moment, case.sgini]
    cells = ";".join(",".join(map(str, row)) for row in case.table)
    columns = [
        cells,
        *(repr(float(x)) for x in numbers),
        ";".join(map(repr, scores)),
        "NA" if p is None else repr(float(p)),
    ]
    return "\t".join(columns) + "\n"


def taken() -> dict[Path, str]:
    """The files and their text."""
    lines = ["\t".join(COLUMNS) + "\n", *map(line, vectors())]
    description = (PACKAGE / "DESCRIPTION").read_text(encoding="utf-8")
    version = ".".join(re.findall(r"\d+", __version__))  # R knows numbers alone
    return {
        PACKAGE / "DESCRIPTION": re.sub(r"(?m)^Version: .*", f"Version: {version}", description),
        PACKAGE / "src" / "splitcrit.h": header(),
        PACKAGE / "tests" / "vectors.tsv": "".join(lines),
    }


def main(arguments: list[str]) -> int:
    """Write the files, or compare them."""
    status = 0
    for path, text in taken().items():
        if arguments != ["--check"]:
            path.write_text(text, encoding="utf-8")
        elif not path.is_file() or path.read_text(encoding="utf-8") != text:
            print(f"{path} is not what the library prints; run python tools/r_package.py")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
