"""Pages of reproductions with their results as they are or changed, in a folder of their own."""

import csv
import gzip
import shutil
from pathlib import Path

from reproductions.results import stored

ROOT = Path(__file__).parents[1]


def page_of(paper):
    return ROOT / "docs" / "reproductions" / f"{paper}.md"


def copied(paper, folder):
    """Copy the page of a paper and its results to a folder that is made, and return the page there."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copytree(page_of(paper).with_suffix(""), folder / paper)
    return Path(shutil.copy(page_of(paper), folder))


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
