"""Pages of reproductions are run in a folder of their own, with their results as they are or changed."""

import csv
import gzip
import html
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from reproductions.results import stored

ROOT = Path(__file__).parents[1]
RUN = "from myst_nb.docutils_ import cli_html5; cli_html5()"
OPTIONS = ("--nb-read-as-md=yes", "--nb-eval-name-regex=", "--report=4")


def page_of(paper):
    return ROOT / "docs" / "reproductions" / f"{paper}.md"


def copied(paper, folder):
    """Copy the page of a paper and its results to a folder that is made, and return the page there."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copytree(page_of(paper).with_suffix(""), folder / paper)
    return Path(shutil.copy(page_of(paper), folder))


def built(page):
    """What a reader sees of a page, without its code."""
    done = subprocess.run(
        [sys.executable, "-c", RUN, *OPTIONS, page.name], cwd=page.parent, env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, encoding="utf-8",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    shown = re.sub(r'<div class="cell_input.*?</pre>', "", done.stdout, flags=re.S)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", shown)).split())


def rows(path):
    """The rows of a CSV file, or of its compressed form that is there instead, as texts."""
    path = stored(path)
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def changed(path, change):
    """Write the rows of a file anew, each changed in place."""
    found = rows(path)
    for row in found:
        change(row)
    with path.open("w", newline="", encoding="utf-8") as file:  # it goes before a compressed one
        writer = csv.DictWriter(file, found[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(found)
