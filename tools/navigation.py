"""Count clicks from the start page to the answers of some questions, and their ranks in the search of the pages.

``python tools/navigation.py docs/_build/html`` reads the built pages. A click follows a link in the text or in the side
bar. The rank is the place in the list of the search page: its own scripts run in node, on its own index.

Main definitions: ``QUESTIONS``, ``NEWCOMERS``, ``clicks``, ``ranked``.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import deque
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urldefrag

QUESTIONS = (  # what is searched for, the page that answers
    ("feature selection", "rank-columns"),
    ("multiple comparisons", "rank-columns"),
    ("audit LightGBM", "audit"),
    ("categories many levels", "categories"),
    ("label noise", "noisy-labels"),
    ("own loss", "own-loss"),
    ("p-value best cut", "split-tests"),
    ("p-value", "split-tests"),
    ("Hellinger", "generated/criteria"),
    ("exact statistics C", "exact-statistics-in-your-code"),
    ("which properties impurity", "your-impurity"),
)
NEWCOMERS = (  # words of people who do not know ours yet; the page stands first
    ("German CSV", "files-as-they-are"),
    ("missing target", "rank-columns"),
    ("imbalanced", "with-other-libraries"),
    ("imbalanced classes", "with-other-libraries"),
    ("regression target", "rank-columns"),
    ("e-value", "glossary"),
    ("patients with several visits", "groups"),
    ("offline", "installation"),
    ("offline install", "installation"),
)
SEARCH = """
const { readFileSync } = require("fs"), { runInThisContext } = require("vm"), [root, query] = process.argv.slice(1);
Object.assign(globalThis, {  // what the scripts ask of a browser
  window: globalThis, location: { search: "?q=" + encodeURIComponent(query) }, localStorage: { setItem() {} },
  document: { getElementById: () => null, documentElement: { dataset: {} } }, SPHINX_HIGHLIGHT_ENABLED: false,
  _: (text) => text, _ready() {},
});
for (const name of ["documentation_options", "searchtools", "language_data", "../searchindex"])
  runInThisContext(readFileSync(`${root}/_static/${name}.js`, "utf8"));
globalThis.found = runInThisContext("(query) => Search._performSearch(...Search._parseQuery(query))")(query);
console.log(JSON.stringify(found.reverse().map(([page]) => page)));
"""


class Links(HTMLParser):
    """The links of a page to pages of the same folder."""

    def __init__(self) -> None:
        super().__init__()
        self.targets: dict[str, None] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep a link."""
        target = urldefrag(dict(attrs).get("href") or "")[0] if tag == "a" else ""
        if target.endswith(".html") and "://" not in target:
            self.targets.setdefault(target)


def links(root: Path, page: str) -> list[str]:
    """The pages that a page links to, by their names without ending."""
    parser = Links()
    parser.feed((root / f"{page}.html").read_text(encoding="utf-8"))
    there = [((root / page).parent / target).resolve() for target in parser.targets]
    inside = [path for path in there if path.is_relative_to(root) and path.is_file()]
    return [path.relative_to(root).with_suffix("").as_posix() for path in inside]


def clicks(root: Path, start: str = "index") -> dict[str, int]:
    """How far each page is from the start page, in clicks."""
    far, waiting = {start: 0}, deque([start])
    while waiting:
        page = waiting.popleft()
        for target in links(root, page):
            if target not in far:
                far[target] = far[page] + 1
                waiting.append(target)
    return far


def ranked(root: Path, query: str) -> list[str]:
    """The pages that the search page lists for a query, best first."""
    command = ["node", "-e", SEARCH, str(root.resolve()), query]
    pages: list[str] = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return pages


def main(root: Path) -> None:
    """Print a line a question."""
    far = clicks(root.resolve())
    print(f"{'question':28} {'page':32} clicks  rank")
    for query, page in (*QUESTIONS, *NEWCOMERS):
        pages = ranked(root, query)
        rank = pages.index(page) + 1 if page in pages else "-"
        print(f"{query:28} {page:32} {far.get(page, '-'):>6} {rank:>5}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
