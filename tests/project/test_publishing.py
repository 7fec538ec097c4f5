"""What a release needs is there, and the fields of ``publishing.toml`` reach every file that shows them."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

import splitcrit
from tools import publishing

ROOT = Path(__file__).parents[2]
if not (ROOT / "publishing.toml").is_file():
    pytest.skip("needs a checkout", allow_module_level=True)
FIELDS: dict[str, Any] = tomllib.loads((ROOT / "publishing.toml").read_text())
FULL: dict[str, Any] = {
    "repository": "https://example.org/code", "documentation": "https://example.org/docs", "contact": "a@example.org",
    "doi": "10.1/x",
    "authors": [{"given": "Ada", "family": "Lovelace", "orcid": "0000-0001", "affiliation": "London"},
                {"given": "Emmy", "family": "Noether", "affiliation": "Erlangen"}],
}  # fmt: skip


def test_what_the_fields_and_the_version_say_is_written() -> None:
    assert set(FIELDS) == set(FULL)
    assert publishing.filled(FIELDS) == {name: (ROOT / name).read_text() for name in publishing.FILES}


def test_fields_reach_their_files_once_however_often() -> None:
    made: dict[str, str] = publishing.filled(FULL)
    again = {name: publishing.FILES[name](text, FULL) for name, text in made.items()}
    assert again == made
    project = tomllib.loads(made["pyproject.toml"])["project"]
    assert project["urls"]["Repository"] == FULL["repository"] and project["authors"][1]["name"] == "Emmy Noether"
    assert 'family-names: "Lovelace"' in made["CITATION.cff"] and made["CITATION.cff"].count("doi:") == 1
    assert 'name: "Erlangen"\n    index: 1' in made["paper/paper.md"] and "title:" in made["paper/paper.md"]
    assert f'homepage: "{FULL["repository"]}"' in made["conda/recipe.yaml"]


def test_links_of_the_description_lead_to_files_of_the_repository() -> None:
    texts = (ROOT / "README.md").read_text(), publishing.filled(FULL)["README.md"]
    before, after = (re.findall(r"\]\(([^)]+)\)", text) for text in texts)
    assert len(before) == len(after) > 10 and all(link.startswith("https://") for link in after)
    for link in after:
        place = re.fullmatch(re.escape(FULL["repository"]) + r"/(blob|raw)/main/(.+)", link)
        assert place is None or ((ROOT / place[2]).is_file() and (place[1] == "raw") == place[2].endswith(".png")), link


def test_versions_and_bounds_agree() -> None:
    recipe, project = (ROOT / "conda/recipe.yaml").read_text(), tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert splitcrit.__version__ in (ROOT / "CHANGELOG.md").read_text()
    bounds = [*project["project"]["dependencies"], *project["project"]["optional-dependencies"]["trees"]]
    assert [each for each in bounds if re.sub(r"(?=[<>])", " ", each, count=1) not in recipe] == []


def test_every_source_of_the_paper_is_listed() -> None:
    text, listed = (ROOT / "paper/paper.md").read_text(), (ROOT / "paper/references.bib").read_text()
    assert set(re.findall(r"@(\w+\d{4})", text)) == set(re.findall(r"@\w+\{(\w+),", listed))
