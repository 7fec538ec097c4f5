"""The package of R holds what the library prints, gives the digits of Python, and passes R's own checks."""

import importlib.util
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from r_library import PACKAGE, ROOT, installed_from, run
from splitcrit import gini_null, gini_pvalue, sgini
from splitcrit.nulls import selected_pvalue, sgini_scan

REPOSITORIES = ("CRAN", "BioCsoft", "BioCann", "BioCexp")  # R's check asks them for packages; here an empty folder
TABLES = [
    [[3, 0], [1, 6]],
    [[30, 10], [10, 30]],
    [[400, 380], [100, 160]],
    [[0, 0], [12, 5], [7, 0], [2, 9]],
    [[5, 1, 0], [2, 2, 9], [4, 4, 4]],
    [[1, 0]] * 40 + [[0, 1]] * 25 + [[1, 0]] * 10,
]

pytestmark = pytest.mark.skipif(not PACKAGE.is_dir(), reason="needs a checkout")
if PACKAGE.is_dir():
    spec = importlib.util.spec_from_file_location("r_package", ROOT / "tools" / "r_package.py")
    assert spec is not None and spec.loader is not None
    r_package = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(r_package)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return installed_from(PACKAGE, tmp_path_factory.mktemp("r") / "library")


def numbers(library: Path, expressions: list[str]) -> list[list[float]]:
    """What R gives for expressions, every digit of it."""
    code = ["library(splitcrit)"]
    code += [f"cat(sprintf('%.17g', as.numeric(unlist({each}))), '\\n')" for each in expressions]
    (library / "asked.R").write_text("\n".join(code))
    done = run(["Rscript", "--vanilla", "asked.R"], library, R_LIBS=str(library))
    assert done.returncode == 0, done.stderr
    return [[float(x) for x in line.replace("Inf", "inf").split()] for line in done.stdout.splitlines()]


def in_r(table: Any) -> str:
    return "rbind(" + ", ".join(f"c({', '.join(map(str, row))})" for row in table) + ")"


def test_the_files_taken_from_the_library_are_what_it_prints() -> None:
    for path, text in r_package.taken().items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name}: run python tools/r_package.py"


def test_an_older_copy_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(r_package, "PACKAGE", Path(shutil.copytree(PACKAGE, tmp_path / "r")))
    assert r_package.main(["--check"]) == 0
    header = tmp_path / "r" / "src" / "splitcrit.h"
    header.write_text(header.read_text().replace("1e-24", "1e-23"))
    assert r_package.main(["--check"]) == 1 and "splitcrit.h is not what" in capsys.readouterr().out
    monkeypatch.setattr(r_package, "__version__", "1.2.0rc3")
    assert r_package.main([]) == 0 == r_package.main(["--check"])
    assert "\nVersion: 1.2.0.3\n" in (tmp_path / "r" / "DESCRIPTION").read_text()


def test_r_gives_the_digits_of_python(library: Path) -> None:
    asked: dict[str, list[float]] = {}
    for table in TABLES:
        given, classes = in_r(table), len(table[0])
        rows, columns = [sum(row) for row in table], [sum(column) for column in zip(*table, strict=True)]
        law, pearson = gini_null(rows, columns, order=3), float(gini_pvalue(table, method="pearson3"))
        exact = [float(law.mean), float(law.variance), float(law.third)]
        asked[f"gini_null(rowSums({given}), colSums({given}), order = 3)"] = exact
        asked[f"sgini({given})"] = [float(sgini(table))]
        asked[f"gini_pvalue({given}, method = 'pearson3')$p.value"] = [pearson]
        if classes == len(table) == 2:
            asked[f"gini_pvalue({given})$p.value"] = [float(gini_pvalue(table))]
        for statistic in ("sgini", "gini", "pairwise_gain") if classes == 2 else ():
            for least in (1, 4):
                best = selected_pvalue(table, statistic=statistic, min_leaf=least)  # type: ignore[arg-type]
                exact = [float(best), -best.surprise, best.score, best.cut]
                asked[f"selected_pvalue({given}, statistic = '{statistic}', min_leaf = {least})"] = exact
        codes = [j for row in table for j, count in enumerate(row) for _ in range(count)]
        values = [i for i, row in enumerate(table) for _ in range(sum(row))]
        vectors = f"c({', '.join(map(str, codes))}), c({', '.join(map(str, values))})"
        asked[f"sgini_scan({vectors})"] = sgini_scan(codes, values=values).tolist()
    for (expression, exact), found in zip(asked.items(), numbers(library, [*asked]), strict=True):
        # a p-value of a best cut rounds once a place of its walk, in R and in Python: a thousand of 1.1e-16 each
        rel = 1e-12 if expression.startswith("selected_pvalue") else 1e-13
        assert found == pytest.approx(exact, rel=rel, abs=1e-300), expression


def test_the_lines_of_a_page_print_what_is_shown(library: Path) -> None:
    page = (ROOT / "docs" / "exact-statistics-in-your-code.md").read_text(encoding="utf-8")
    ((code, output),) = re.findall(r"^```r\n(.*?)^```\n\n```text\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    done = run(["Rscript", "--vanilla", "-e", code], library, R_LIBS=str(library))
    assert [line.rstrip() for line in done.stdout.splitlines()] == output.splitlines(), done.stderr


@pytest.mark.parametrize("name", ["vectors", "refused"])
def test_the_tests_of_the_package_pass(name: str, library: Path) -> None:
    done = run(["Rscript", "--vanilla", f"{name}.R"], PACKAGE / "tests", R_LIBS=str(library))
    assert done.returncode == 0, done.stderr


def test_a_wrong_header_fails_the_tests_of_the_package(tmp_path: Path) -> None:
    wrong = Path(shutil.copytree(PACKAGE, tmp_path / "wrong"))
    path = wrong / "src" / "splitcrit.h"
    right, text = "(double)((m - at))", path.read_text()
    assert text.count(right) == 1
    path.write_text(text.replace(right, "(double)((m - at + 1))"))
    library = installed_from(wrong, tmp_path / "library", MAKEFLAGS="CFLAGS=-O0")
    done = run(["Rscript", "--vanilla", "vectors.R"], PACKAGE / "tests", R_LIBS=str(library))
    assert done.returncode != 0 and "near(found$p.value" in done.stderr


def test_ci_goes_on_where_there_is_no_apt() -> None:
    if not (ROOT / ".ci").is_dir():
        pytest.skip("needs a checkout")
    done = subprocess.run(["/bin/bash", ".ci/r"], cwd=ROOT, env={"PATH": "/nowhere"}, capture_output=True, text=True)
    assert done.returncode == 1 and done.stdout.startswith("The package of R is not checked here: there is no Rscript")


@pytest.mark.slow
def test_r_finds_nothing_to_say(tmp_path: Path) -> None:
    """No error, no warning and no note; examples, pages and tests are among what it checks. No host is asked."""
    if shutil.which("R") is None or shutil.which("make") is None or shutil.which("cc") is None:
        pytest.skip("no R, or no make and C compiler, is installed")
    built = run(["R", "CMD", "build", PACKAGE], tmp_path)
    assert built.returncode == 0, built.stderr
    (archive,) = tmp_path.glob("*.tar.gz")
    (tmp_path / "src" / "contrib").mkdir(parents=True)
    (tmp_path / "src" / "contrib" / "PACKAGES").touch()
    profile, places = tmp_path / "profile.R", [f"{name} = '{tmp_path.as_uri()}'" for name in REPOSITORIES]
    profile.write_text(f"options(repos = c({', '.join(places)}))\n")
    done = run(["R", "CMD", "check", "--no-manual", archive.name], tmp_path, R_PROFILE=str(profile))
    assert done.returncode == 0 and "Status: OK" in done.stdout, done.stdout
    assert "unable to access" not in done.stdout + done.stderr
    assert "checking tests" in done.stdout and "checking examples ... OK" in done.stdout
