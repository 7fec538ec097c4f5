"""What stands beside results: summaries, pictures and texts.

Main definitions: ``saved``, ``told``, ``Summary``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from splitcrit.atomic_files import ready, write_text, writing

from .results import Row, save_summary
from .runner import Options


def saved(figure: Any, options: Options, name: str) -> Path:
    """Write a picture beside the results, whole or not at all, and return where it is."""
    path = ready(options.out) / f"{name}.png"
    with writing(path) as part:
        figure.savefig(part, format="png", dpi=110, metadata={"Software": None})
    return path


def told(lines: Sequence[str], options: Options, name: str) -> str:
    """Write what an experiment has to say beside its results, for the page that shows it, and return it."""
    text = "\n".join(line.rstrip() for line in lines)
    write_text(ready(options.out) / f"{name}.txt", text + "\n")
    return text


@dataclass(frozen=True)
class Summary:
    """What most experiments end with: their rows summed up, as a CSV file, a picture and a text.

    Parameters
    ----------
    name : str
        The name of the experiment, and of its picture.
    kind : str
        What the file of the summary is called after the name: ``NAME_KIND.csv``.
    of, shown : callable
        The summary of the rows, and its text.
    drawn : callable, optional
        The figure of the summary; without it there is none.
    """

    name: str
    kind: str
    of: Callable[[list[Row]], list[Row]]
    shown: Callable[[list[Row]], str]
    drawn: Callable[[list[Row]], Any] | None = None

    def __call__(self, rows: list[Row], options: Options) -> str:
        """Write the summary and its picture, and return the text."""
        summary = self.of(rows)
        save_summary(summary, options.out / f"{self.name}_{self.kind}.csv")
        if self.drawn is not None:
            saved(self.drawn(summary), options, self.name)
        return self.shown(summary)
