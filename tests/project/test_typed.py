"""The public names as mypy sees them from outside: in an environment where the package is installed, not its source."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from layers import PACKAGE

pytest.importorskip("mypy")
pytestmark = pytest.mark.slow

USER = '''\
"""A small program of a user."""

import numpy as np

from splitcrit import Channel, Criterion, ForestClassifier, Impurity, Loss, NullMoments, Table, Tables, TreeClassifier
from splitcrit import decrease, gini, gini_null, gini_pvalue, ne, rank_features, sgini, symmetric, twoing
from splitcrit.criteria.base import as_criterion
from splitcrit.impurities import gce
from splitcrit.audits import audit
from splitcrit.inference import split_test
from splitcrit.nulls import selected_pvalue
from splitcrit.nulls.pvalue import PValue


def mine(w: list[float], k: int, m: object) -> float:
    return (1 - w[k]) ** 2


def study(feature: list[str], label: list[int]) -> float:
    table: Table = Table.of(feature, label)
    impurity: Impurity = ne(0.5)
    criterion: Criterion = decrease(impurity)
    own: Criterion = Criterion.from_loss(Loss("mine", mine))
    noise: Channel = symmetric(0.2)
    law: NullMoments = gini_null(table.row_totals, table.column_totals)
    p: PValue = gini_pvalue(table)
    tables: Tables = Tables.of({"x": feature, "y": label}, "y")
    names: list[str] = [each.name for each in (criterion, own, twoing, sgini, as_criterion(gce(0.7)))]
    scores = rank_features(np.zeros((4, 2)), label)
    print(names, noise, law.mean, tables.rows, gini, scores, selected_pvalue, audit, split_test)
    tree: TreeClassifier = TreeClassifier(criterion=own, max_depth=3)
    print(tree.fit([[1.0], [2.0]], label), ForestClassifier(10, criterion="gini"))
    return float(p) + float(criterion(table))
'''
WRONG = """\

gini_null([3, 7], [4, 6], order="three")
value: Impurity = decrease(gini)
unknown: int = gini_null([3, 7], [4, 6]).median
TreeClassifier(criterion="ginny")
split_test([[1.0], [2.0]], [0, 1], correction="none")
"""


def installed(home: Path) -> Path:
    """The package in an environment that is made in a folder, with its dependencies by a path."""
    venv.create(home, with_pip=False, symlinks=True)
    (site,) = home.glob("lib/python*/site-packages")
    (site / "others.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    left_out = shutil.ignore_patterns("__pycache__", "*.csv", "*.v")
    return Path(shutil.copytree(PACKAGE, site / "splitcrit", ignore=left_out))


def checked(folder: Path, text: str) -> list[str]:
    """What mypy says, in strict mode and without the settings of this project, of the file of a user in a folder."""
    (folder / "user.py").write_text(text)
    call = [sys.executable, "-m", "mypy", "--strict", "--python-executable", "bin/python", "user.py"]
    alone = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "MYPYPATH")}
    ran = subprocess.run(call, cwd=folder, env=alone, capture_output=True, text=True, check=False)
    assert ran.stdout, ran.stderr
    return ran.stdout.splitlines()


def test_a_program_of_a_user_is_typed_unless_the_marker_is_missing(tmp_path: Path) -> None:
    package = installed(tmp_path)
    assert checked(tmp_path, USER) == ["Success: no issues found in 1 source file"]
    *errors, _ = checked(tmp_path, USER + WRONG)
    first = len(USER.splitlines()) + 2
    assert [int(line.split(":")[1]) for line in errors] == [*range(first, first + 5)], errors
    (package / "py.typed").unlink()
    assert any("missing library stubs or py.typed marker" in line for line in checked(tmp_path, USER))
