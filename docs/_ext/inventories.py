"""Inventories of other projects, fetched once and kept; a project whose inventory cannot be had is left out."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.request import urlopen

SECONDS = 4


def fetched(url: str, file: Path) -> bool:
    """Fetch one inventory into a file unless it is there; tell whether it is then."""
    if not file.is_file():
        try:
            with urlopen(f"{url}objects.inv", timeout=SECONDS) as answer:
                data = answer.read()
        except OSError:
            return False
        if not data.startswith(b"# Sphinx inventory"):
            return False
        file.write_bytes(data)
    return True


def reachable(urls: dict[str, str], folder: Path) -> dict[str, tuple[str, str]]:
    """The ``intersphinx_mapping``: the projects whose inventories are here or can be fetched."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {name: folder / f"{name}.inv" for name in urls}
    with ThreadPoolExecutor(len(urls)) as pool:
        good = list(pool.map(fetched, urls.values(), files.values()))
    return {name: (url, str(files[name])) for (name, url), there in zip(urls.items(), good, strict=True) if there}
