"""Reproductions of published experiments: one resumable runner, one module a paper; `python -m reproductions`.

Main definitions: ``Experiment``, ``Options``, ``run`` (and, a paper each, the modules that list experiments).
"""

from .runner import Experiment, Options, run

__all__ = ["Experiment", "Options", "run"]
