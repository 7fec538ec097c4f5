"""Reproductions of published experiments: one resumable runner, one module a paper.

Main definitions: ``Experiment``, ``Options``, ``run`` (and, a paper each, the modules that list experiments).
"""

from splitcrit.experiments.runner import Experiment, Options, run

__all__ = ["Experiment", "Options", "run"]
