"""Where nothing is compiled, the loops run as Python and grow the same trees."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

import uncompiled
from splitcrit.trees.growth import by_reference

ABSENT = (
    "import runpy, sys; sys.modules['numba'] = None; sys.argv[:1] = []; runpy.run_path(sys.argv[0], None, '__main__')"
)
SAID = {
    "told": "splitcrit: NUMBA_DISABLE_JIT is set; loops run in Python, many times slower than compiled; unset it\n",
    "absent": "splitcrit: numba is not installed; trees of classes are grown in numpy, all else by loops in Python, "
    "many times slower than compiled; pip install numba\n",
}


@pytest.mark.parametrize(
    ("how", "step"), [("told", 8), ("absent", 11), pytest.param("absent", 1, marks=pytest.mark.slow)]
)
def test_trees_are_the_same_without_compiling(how: str, step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_reference, "budget", lambda: 0.0)  # loops grow small trees, too
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1" if how == "told" else "0"}
    run = [uncompiled.__file__] if how == "told" else ["-c", ABSENT, uncompiled.__file__]
    command = [sys.executable, "-W", "error", *run, str(step)]
    answer = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert (answer.returncode, answer.stderr) == (0, SAID[how])
    found, fits = json.loads(answer.stdout), uncompiled.every(step)
    assert found.keys() == fits.keys() and len(fits) > 40 // step
    for name, fit in fits.items():
        for part, expected in zip(found[name], uncompiled.told(fit()), strict=True):
            if name.endswith("poisson"):  # numpy's logarithm and that of compiled code may differ in the last digit
                np.testing.assert_allclose(part, expected, rtol=1e-12)
            else:
                assert json.dumps(part) == json.dumps(expected), name
