"""``splitcrit doctor --compile``: afterwards no tree waits for a compiler."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest
from numba.core import event

from splitcrit import ForestClassifier, ForestRegressor, TreeClassifier, TreeRegressor, selected_pvalue
from splitcrit.cli.main import main
from splitcrit.criteria import as_criterion
from splitcrit.nulls.criterion_names import NAMES


def test_nothing_is_left_to_compile(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--compile", "--json"]) in (0, 1)  # 1: the package is not installed here, say
    assert json.loads(capsys.readouterr().out)["loops"]["kept"] > 20
    draw = np.random.default_rng(1)
    x, y, kinds = draw.normal(size=(90, 4)), draw.normal(size=90), draw.integers(0, 4, 90)
    seen = event.RecordingListener()
    with event.install_listener("numba:compile", seen):
        for name, criterion in NAMES.items():
            how = {"criterion": name, "min_gain": None}
            for kind in (TreeClassifier(**how), ForestClassifier(2, **how)):
                kind.fit(x, kinds % 2 if as_criterion(criterion).classes == 2 else kinds)
        for splitter in ("best", "random"):
            TreeRegressor(splitter=splitter).fit(x, y)
            TreeClassifier(splitter=splitter).fit(x, kinds)
            TreeClassifier(splitter=splitter).fit(x, kinds, sample_weight=draw.random(90))
        ForestRegressor(2, max_features=2).fit(x, y)
        selected_pvalue(x[:, 0], kinds % 2)
    assert [each.data["dispatcher"].py_func.__name__ for _, each in seen.buffer] == []


WITHOUT = """
import sys

class Without:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "sklearn":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Without())
from splitcrit.cli.main import main

sys.exit(main(["doctor", "--compile"]))
"""


def test_where_scikit_learn_is_missing_one_sentence_says_what_to_install() -> None:
    ran = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=False)
    assert ran.returncode == 3 and "got no module sklearn; pip install 'splitcrit[trees]'\n" in ran.stderr
    assert ran.stderr.startswith("splitcrit: ") and ran.stderr.count("\n") == 1


def test_where_nothing_is_compiled_it_says_so() -> None:
    command = [sys.executable, "-m", "splitcrit", "doctor", "--compile"]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "NUMBA_DISABLE_JIT": "1"})
    assert done.returncode == 1 and "NUMBA_DISABLE_JIT is set: nothing is compiled" in done.stdout
