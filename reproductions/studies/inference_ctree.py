"""The roots of partykit's conditional inference trees, asked of R.

Main definitions: ``CTREES``, ``installed``, ``ctree_roots``.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

CTREES = {
    "ctree": "ctree_control(alpha = 0.05)",
    "ctree, best split tested": (
        "ctree_control(alpha = 0.05, splittest = TRUE, testtype = c('MonteCarlo', 'Bonferroni'), nresample = 999)"
    ),
}
SCRIPT = """
suppressMessages(library(partykit))
rows <- read.csv("rows.csv"); set.seed(1)
for (s in unique(rows$sample)) {{
  one <- rows[rows$sample == s, -1]; one$y <- factor(one$y)
  root <- node_party(ctree(y ~ ., data = one, control = {control}, stump = TRUE))
  cat(if (is.terminal(root)) -1 else split_node(root)$varid - 2, "\\n")
}}
"""


@cache
def installed() -> bool:
    """Whether R has partykit."""
    if shutil.which("Rscript") is None:
        return False
    asked = subprocess.run(["Rscript", "-e", "library(partykit)"], capture_output=True, check=False)
    return asked.returncode == 0


def ctree_roots(samples: list[Any], control: str) -> list[int | None]:
    """The feature that the root of each sample's tree splits by, None where it does not."""
    with tempfile.TemporaryDirectory() as folder:
        table = np.concatenate(
            [np.column_stack([np.full(len(s.y), number), s.y, s.x]) for number, s in enumerate(samples)]
        )
        names = ["sample", "y", *(f"x{j}" for j in range(table.shape[1] - 2))]
        np.savetxt(Path(folder, "rows.csv"), table, delimiter=",", header=",".join(names), comments="", fmt="%.9g")
        Path(folder, "trees.R").write_text(SCRIPT.format(control=CTREES[control]))
        printed = subprocess.run(["Rscript", "trees.R"], cwd=folder, capture_output=True, text=True, check=True)
    return [None if int(word) < 0 else int(word) for word in printed.stdout.split()]
