"""The recipes for other libraries run and print what the page shows, each where its library is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("sphinx", reason="the recipes are read by an extension of Sphinx")

import recipes

PAGE = Path(__file__).parents[2] / "docs" / "with-other-libraries.md"
FOUND = recipes.recipes(PAGE.read_text(encoding="utf-8"))
COMPARED = recipes.recipes(PAGE.with_name("comparison.md").read_text(encoding="utf-8"))
SMALL = "# A page\n\n>>> x = 2\n\n## A section\n\n```{{ran}} {package}\n```\n\n```python\n>>> x + 1\n{result}\n\n```\n"


def test_every_section_is_a_recipe_and_each_library_of_the_comparison_has_commands() -> None:
    page, compared = PAGE.read_text(encoding="utf-8"), PAGE.with_name("comparison.md").read_text(encoding="utf-8")
    assert len(FOUND) == page.count("\n## ") == 7 and len(COMPARED) == compared.count("\n## ") - 1 == 13  # the sources
    named = {name for recipe in FOUND for name in recipe.packages}
    assert named == {
        "scikit-learn", "cleanlab", "Boruta", "imbalanced-learn", "imodels", "capymoa", "river", "splitcrit-sklearn",
    }  # fmt: skip
    assert all(">>> from splitcrit" in recipe.text for recipe in COMPARED)


@pytest.mark.parametrize("recipe", FOUND + COMPARED, ids=lambda recipe: recipe.title)
def test_the_recipe_prints_what_the_page_shows(recipe: recipes.Recipe) -> None:
    if absent := recipe.missing():
        pytest.skip(f"the recipe needs the package {' and '.join(absent)}, which is not installed")
    if recipes.recorded(recipe):
        return
    attempted, wrong = recipes.result(recipe)
    assert not wrong and attempted == recipe.text.count("\n>>> ")


def test_another_output_is_seen() -> None:
    (right,), (wrong,) = (recipes.recipes(SMALL.format(package="numpy", result=x)) for x in (3, 4))
    assert recipes.result(right) == (2, "") and "Expected:\n    4\nGot:\n    3" in recipes.result(wrong)[1]
    assert recipes.Recipe("", ("no-such-package", "numpy"), "").missing() == ["no-such-package"]
