"""Quick runs of the experiments of papers: every task has rows, figures lie in their range, pictures are drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reproductions import Options, run
from reproductions.catalogue import experiments_of
from reproductions.results import Results, rows_of

PAPERS: dict[str, tuple[tuple[str, ...], dict[str, Any], float]] = {  # experiments, options, the largest accuracy
    "ghosh2017": (("table1", "figure1"), {}, 100),
    "wilton2024": (("trees", "figure6", "halted", "budget", "gce"), {}, 100),
    "wang2024": (("table5", "table6", "table7_8", "ablation", "variants", "open"), {}, 1),
    "yang2019": (
        ("table3", "sampled", "exchanged", "symmetric", "figure1", "figure2", "variants"),
        {"sets": ("sklearn breast cancer",)},
        1,
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("paper", PAPERS)
def test_a_quick_run_has_every_task_and_figures_in_range(paper: str, data: Path, tmp_path: Path) -> None:
    names, options, most = PAPERS[paper]
    options = {"quick": True, "data": data, **options}
    for experiment in experiments_of(paper, names):
        said = run(experiment, Options(tmp_path, **options), show=False)
        rows, results = rows_of(tmp_path / f"{experiment.name}.csv"), Results(tmp_path, "x", experiment.keys, {})
        assert {results.key(row) for row in rows} == {
            results.key(task) for task in experiment.tasks(Options(tmp_path, **options))
        }
        shares = [row[name] for row in rows for name in row if name.startswith("accuracy") and row[name] is not None]
        assert all((paper != "wang2024") * 0.3 * most <= share <= most for share in shares)
        assert "flipped" not in rows[0] or all(0 <= row["flipped"] <= 0.6 for row in rows)
        assert said and all(picture.stat().st_size > 5_000 for picture in tmp_path.glob("*.png"))
    assert any(tmp_path.glob("*.png")) == (paper not in ("wang2024", "wilton2024"))  # whose pages draw
