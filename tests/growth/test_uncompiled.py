"""Where numba is told not to compile, the loops run as Python and grow the same trees."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest

import uncompiled

pytest.importorskip("numba")


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.slow)])
def test_trees_are_the_same_without_compiling(step: int) -> None:
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-W", "error", uncompiled.__file__, str(step)]
    answer = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert (answer.returncode, answer.stderr) == (0, "")
    found, fits = json.loads(answer.stdout), uncompiled.every(step)
    assert found.keys() == fits.keys()
    for name, fit in fits.items():
        *parts, verdicts = uncompiled.told(fit())
        for part, expected in zip(found[name], [*parts, verdicts], strict=True):
            if name.endswith("poisson"):  # numpy's logarithm and that of compiled code may differ in the last digit
                np.testing.assert_allclose(part, expected, rtol=1e-12)
            else:
                assert json.dumps(part) == json.dumps(expected), name
