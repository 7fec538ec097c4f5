"""Write the version and the fields of ``publishing.toml`` where they belong: ``python tools/publishing.py``.

It names what is empty. The version is that of ``splitcrit/__init__.py``.

Main definitions: ``filled``, ``main``.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
(VERSION,) = re.findall(r'^__version__ = "(.+)"$', (ROOT / "splitcrit/__init__.py").read_text(encoding="utf-8"), re.M)


def project(text: str, fields: dict[str, Any]) -> str:
    """Fill in ``pyproject.toml``: authors and addresses."""
    names = ", ".join(f'{{ name = "{a["given"]} {a["family"]}" }}' for a in fields["authors"])
    text = re.sub(r"^authors = .*$", f"authors = [{names}]", text, flags=re.M) if names else text
    urls = "".join(f'{name.title()} = "{fields[name]}"\n' for name in ("repository", "documentation") if fields[name])
    text = re.sub(r"^\[project\.urls\]\n(?:.+\n)*\n", "", text, flags=re.M)
    return text.replace("[project.scripts]\n", f"[project.urls]\n{urls}\n[project.scripts]\n") if urls else text


def citation(text: str, fields: dict[str, Any]) -> str:
    """Fill in ``CITATION.cff``: version, authors, repository and DOI."""
    text = re.sub(r"^version: .*$", f"version: {VERSION}", text, flags=re.M)
    people = "".join(
        f'  - given-names: "{a["given"]}"\n    family-names: "{a["family"]}"\n'
        + (f'    orcid: "https://orcid.org/{a["orcid"]}"\n' if a.get("orcid") else "")
        for a in fields["authors"]
    )
    text = re.sub(r"^authors:\n(?:  .*\n)+", f"authors:\n{people}", text, flags=re.M) if people else text
    text = re.sub(r"^(?:repository-code|doi): .*\n", "", text, flags=re.M)
    keys = {"repository-code": fields["repository"], "doi": fields["doi"]}
    return text + "".join(f'{key}: "{value}"\n' for key, value in keys.items() if value)


def paper(text: str, fields: dict[str, Any]) -> str:
    """Fill in the authors of ``paper/paper.md``."""
    places = sorted({a["affiliation"] for a in fields["authors"]})
    people = "".join(
        f'  - name: "{a["given"]} {a["family"]}"\n    orcid: {a.get("orcid", "")}\n'
        f"    affiliation: {places.index(a['affiliation']) + 1}\n"
        for a in fields["authors"]
    )
    rows = "".join(f'  - name: "{place}"\n    index: {i}\n' for i, place in enumerate(places, 1))
    header = f"authors:\n{people}affiliations:\n{rows}" if people else "authors: []\n"
    return re.sub(r"^authors:.*\n(?:  .*\n)*(?:affiliations:\n(?:  .*\n)*)?", header, text, count=1, flags=re.M)


def recipe(text: str, fields: dict[str, Any]) -> str:
    """Fill in version and page of the project in ``conda/recipe.yaml``."""
    text = re.sub(r'^  version: ".*"$', f'  version: "{VERSION}"', text, flags=re.M)
    return re.sub(r'^  homepage: ".*"$', f'  homepage: "{fields["repository"]}"', text, flags=re.M)


def readme(text: str, fields: dict[str, Any]) -> str:
    """Make the links of README lead somewhere from the package index, too: to files and pictures of the repository."""
    if not (home := fields["repository"].rstrip("/")):
        return text
    here = r"\((?!https?:|#)([^)\s]+)\)"
    text = re.sub(rf"(?<=!)(\[[^\]]*\]){here}", rf"\1({home}/raw/main/\2)", text)
    return re.sub(rf"(\[[^\]]*\]){here}", rf"\1({home}/blob/main/\2)", text)


FILES: dict[str, Callable[[str, dict[str, Any]], str]] = {
    "pyproject.toml": project, "CITATION.cff": citation, "paper/paper.md": paper, "conda/recipe.yaml": recipe,
    "README.md": readme,
}  # fmt: skip


def filled(fields: dict[str, Any]) -> dict[str, str]:
    """Each file with the fields filled in."""
    return {name: fill((ROOT / name).read_text(encoding="utf-8"), fields) for name, fill in FILES.items()}


def main() -> None:
    """Write the files, and name the fields that are empty."""
    fields = tomllib.loads((ROOT / "publishing.toml").read_text(encoding="utf-8"))
    for name, text in filled(fields).items():
        (ROOT / name).write_text(text, encoding="utf-8")
    empty = [name for name, value in fields.items() if not value]
    print(f"empty in publishing.toml: {', '.join(empty)}" if empty else "all fields are filled in")


if __name__ == "__main__":
    main()
