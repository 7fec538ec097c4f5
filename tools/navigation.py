"""Count clicks from the start page to the answers of ten questions, and their ranks in the search of the pages.

``python tools/navigation.py docs/_build/html`` reads the built pages. A click follows a link in the text or in the side
bar. The rank is that of Sphinx's own score: words in titles count 15, in the text 5, and a page must hold all words.

Main definitions: ``QUESTIONS``, ``clicks``, ``ranked``.
"""

from __future__ import annotations

import json
import re
import sys
from collections import deque
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urldefrag

from snowballstemmer import stemmer  # type: ignore[import-untyped]

QUESTIONS = (  # what is searched for, the page that answers
    ("feature selection", "select-columns"),
    ("multiple comparisons", "multiple-comparisons"),
    ("audit LightGBM", "audit"),
    ("categories many levels", "many-levels"),
    ("label noise", "noisy-labels"),
    ("own loss", "own-loss"),
    ("p-value best cut", "split-tests"),
    ("Hellinger", "generated/criteria"),
    ("exact statistics C", "exact-statistics-in-your-code"),
    ("which properties impurity", "your-impurity"),
)
STEM = stemmer("english").stemWord


class Links(HTMLParser):
    """The links of a page to pages of the same folder."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, None] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep a link."""
        target = urldefrag(dict(attrs).get("href") or "")[0] if tag == "a" else ""
        if target.endswith(".html") and "://" not in target:
            self.found.setdefault(target)


def links(root: Path, page: str) -> list[str]:
    """Return the pages that a page links to, by their names without ending."""
    parser = Links()
    parser.feed((root / f"{page}.html").read_text(encoding="utf-8"))
    there = [((root / page).parent / target).resolve() for target in parser.found]
    inside = [path for path in there if path.is_relative_to(root) and path.is_file()]
    return [path.relative_to(root).with_suffix("").as_posix() for path in inside]


def clicks(root: Path, start: str = "index") -> dict[str, int]:
    """Return how far each page is from the start page, in clicks."""
    far, waiting = {start: 0}, deque([start])
    while waiting:
        page = waiting.popleft()
        for target in links(root, page):
            if target not in far:
                far[target] = far[page] + 1
                waiting.append(target)
    return far


def ranked(root: Path, query: str) -> list[str]:
    """Return the pages that the search lists for a query, best first."""
    text = (root / "searchindex.js").read_text(encoding="utf-8")
    index = json.loads(text[text.index("(") + 1 : text.rindex(")")])
    score = dict.fromkeys(range(len(index["docnames"])), 0.0)
    for word in map(STEM, re.findall(r"\w+", query.lower())):
        here = dict.fromkeys(score, 0.0)
        for terms, weight in ((index["terms"], 5.0), (index["titleterms"], 15.0)):
            places = terms.get(word, [])
            for place in [places] if isinstance(places, int) else places:
                here[place] = max(here.get(place, 0.0), weight)
        if any(here.values()):  # words that the index leaves out, such as "a", are no condition
            score = {place: score[place] + here[place] for place in score if here[place]}
    for title, places in index["alltitles"].items():
        if query.lower() in title.lower():
            score |= {place: score.get(place, 0.0) + 15 for place, _ in places}
    order = sorted(
        (place for place in score if score[place]), key=lambda place: (-score[place], index["docnames"][place])
    )
    return [index["docnames"][place] for place in order]


def main(root: Path) -> None:
    """Print a line a question."""
    far = clicks(root.resolve())
    print(f"{'question':28} {'page':32} clicks  rank")
    for query, page in QUESTIONS:
        found = ranked(root, query)
        rank = found.index(page) + 1 if page in found else "-"
        print(f"{query:28} {page:32} {far.get(page, '-'):>6} {rank:>5}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
