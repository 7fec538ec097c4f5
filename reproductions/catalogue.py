"""Which experiments can be reproduced: one module a paper, each with a tuple ``EXPERIMENTS``.

Main definitions: ``PAPERS``, ``experiments_of``.
"""

from __future__ import annotations

from importlib import import_module

from splitcrit.frozen import complaint

from .runner import Experiment

PAPERS: tuple[str, ...] = ("breiman1996", "ghosh2017", "wang2024", "wilton2024", "yang2019")


def experiments_of(paper: str, names: tuple[str, ...] = ()) -> tuple[Experiment, ...]:
    """The experiments of a paper, or those of the given names.

    Raises
    ------
    ValueError
        If a name is not among them.
    """
    experiments: dict[str, Experiment] = {e.name: e for e in import_module(f".{paper}", __package__).EXPERIMENTS}
    if unknown := [name for name in names if name not in experiments]:
        rule = f"an experiment of {paper} is reproduced by its name"
        raise ValueError(complaint(rule, f"{unknown[0]!r}", f"one of {', '.join(experiments)}"))
    return tuple(experiments[name] for name in names) if names else tuple(experiments.values())
