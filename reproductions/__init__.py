"""Reproductions of published experiments: one resumable runner, one module a paper; `python -m reproductions`.

Imports inside are relative: until 0.5 the package offers this folder as ``splitcrit.experiments``, too.

Main definitions: ``Experiment``, ``Options``, ``run`` (and, a paper each, the modules that list experiments).
"""

import warnings

from .runner import Experiment, Options, run

__all__ = ["Experiment", "Options", "run"]

if __name__ == "splitcrit.experiments":
    warnings.warn(
        "splitcrit.experiments leaves the package with version 0.5; a checkout has it as reproductions",
        DeprecationWarning,
        stacklevel=2,
    )
