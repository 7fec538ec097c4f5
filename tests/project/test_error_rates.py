"""Sentences with a number and a word of error rates: what backs each that is listed is there; figures are computed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import norm

from tests import error_rates


@pytest.mark.slow
def test_every_sentence_is_listed_and_every_listed_one_stands() -> None:
    """List it beside its test, study or theorem, or take it out: ``python -m tests.error_rates`` prints both kinds."""
    places, backed = error_rates.found(), error_rates.listed()
    assert len(places) > 50
    assert {sentence: files for sentence, files in places.items() if sentence not in backed} == {}
    assert [sentence for sentence in backed if sentence not in places] == []


def test_what_backs_a_sentence_is_there() -> None:
    keys, backing = error_rates.theorem_keys(), error_rates.listed()
    assert all(backing.values())
    assert [why for by in backing.values() for what in by if (why := error_rates.missing_backing(what, keys))] == []
    there = "tests/project/test_error_rates.py"
    for wrong in ("inference.no_such_key", f"{there}::test_that_is_not", "reproductions/none.py"):
        assert error_rates.missing_backing(wrong, keys)
    assert error_rates.missing_backing(f"{there}::test_what_backs_a_sentence_is_there", keys) == ""


@pytest.mark.parametrize(
    "planted",
    [
        "The labels depend on dose (wrong with probability at most 0.05, whatever the others do).",
        "With probability .95, none of those kept\nis false.",
        "So 5 % of [the features](page.md) pass at this rate.",
    ],
)
def test_a_planted_sentence_is_found(planted: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    backed, plain = error_rates.listed(), planted.replace("\n", " ")
    for source in (f"SAID = {plain!r}", f"SAID = f{plain!r}", f"yield ({plain!r}\n' More.')"):
        (found,) = error_rates.of_code(source)
        assert found not in backed
    monkeypatch.setattr(error_rates, "ROOT", tmp_path)
    monkeypatch.setattr(error_rates.prose, "ROOT", tmp_path)
    page = f"# A page\n\nFirst this. {planted} Then that.\n\n```\n5 % at most of code\n```\n"
    cell = f"```{{code-cell}}\n:tags: [remove-input]\n\nMarkdown({plain!r})\n```\n"
    for name, text in {"page.md": page, "cell.md": cell}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        assert len([*error_rates.of_prose(name)]) == 1


def test_other_strings_are_no_results() -> None:
    code = '''"""A rule that errs with a probability of at most 0.05."""\nrule = "a rate of a class is at most 0.5"
raise ValueError("a probability is at most 1, and 0 or more")'''
    assert list(error_rates.of_code(code)) == []
    said, again = "At *most* 5 % of `x`, [so](a.md): 1e-3.", "at most 10 % of x, [so](a.md): {p:g}"
    assert error_rates.key(said) == error_rates.key(again)


def test_figures_of_pages_that_a_formula_gives() -> None:
    assert 0.5 / 100**0.5 <= 0.05  # honest-trees: a share of 100 samples
    assert 2 * norm.sf(norm.isf(0.025) / 2**0.5) == pytest.approx(0.17, abs=0.005)  # forests: twice the variance


def test_figures_of_pages_that_data_give() -> None:
    from sklearn.datasets import load_wine

    wine = load_wine(as_frame=True)
    low, third = wine.data["alcohol"] <= 12.44, wine.target == 2
    assert [(low & third).sum(), third.sum(), (low & ~third).sum(), (~third).sum()] == [4, 48, 51, 130]


def test_a_pvalue_is_not_the_probability_of_noise() -> None:
    rng = np.random.default_rng(0)
    noise = rng.random(20_000) < 0.9
    p = np.where(noise, rng.random(20_000), norm.sf(rng.normal(2.0, 1.0, 20_000)))
    assert noise[np.abs(p - 0.03) < 0.01].mean() > 0.3
