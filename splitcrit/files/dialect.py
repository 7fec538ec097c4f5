"""What the beginning of a file says: that it is no CSV file, or what separates its cells.

Main definitions: ``separator_of``, ``seems`` (what the first bytes say a file is), ``Seeming``.
"""

from __future__ import annotations

import csv
import io
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from splitcrit.frozen import complaint

START = 2**16  # bytes that are looked at
ROWS = 100  # and rows at most
COMMA = ","
NAMES = {COMMA: "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars"}


class Seeming(NamedTuple):
    """What a file seems to be, and what its owner may do."""

    what: str
    remedy: str


UNPACK = "unpack it first, or pack it by gzip"
SHEET = "save its sheet as CSV"
UTF16 = Seeming("text in UTF-16", "save it as UTF-8")
OFFICE = Seeming("an Office file (xlsx, docx, ods or the like)", SHEET)
HTML = Seeming("a page of HTML", "fetch the data themselves, not a page about them")
PICKLE = Seeming("a pickle, which is never loaded", "write what it holds as CSV or parquet")
SIGNATURES = {
    b"PAR1\x15": Seeming("a parquet file", "give it a name that ends in .parquet"),
    b"ARROW1\x00": Seeming("an Arrow file", "give it a name that ends in .arrow"),
    b"PK\x03\x04": Seeming("a zip archive", UNPACK),
    b"PK\x05\x06": Seeming("an empty zip archive", "pass the data"),
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": Seeming("an Office file (xls, doc or the like)", SHEET),
    b"\x1f\x8b": Seeming("a gzipped file inside another", "unpack it once"),
    **{b"BZh%d1AY&SY" % level: Seeming("a file packed by bzip2", UNPACK) for level in range(1, 10)},
    b"\xfd7zXZ\x00": Seeming("a file packed by xz", UNPACK),
    b"\x28\xb5\x2f\xfd": Seeming("a file packed by zstd", UNPACK),
    b"\x89PNG": Seeming("a PNG picture", "pass the data behind it"),
    b"\xff\xd8\xff": Seeming("a JPEG picture", "pass the data behind it"),
    b"%PDF-": Seeming("a PDF document", "pass the data behind it"),
    b"SQLite format 3\x00": Seeming("an SQLite database", "write a table of it as CSV"),
    b"\x93NUMPY": Seeming("an array of numpy", "write it as CSV, with a header row"),
    b"\xff\xfe": UTF16,
    b"\xfe\xff": UTF16,
    **{bytes([0x80, protocol]): PICKLE for protocol in range(2, 6)},
}


def seems(start: bytes) -> Seeming | None:
    """Return what a file seems to be by its first bytes; None if it may be text.

    Examples
    --------
    >>> seems(b"%PDF-1.7").what, seems(b"size,label")
    ('a PDF document', None)
    """
    if found := next((seeming for mark, seeming in SIGNATURES.items() if start.startswith(mark)), None):
        office = any(part in start for part in (b"[Content_Types].xml", b"xl/", b"opendocument"))
        return OFFICE if start.startswith(b"PK") and office else found
    if start.removeprefix(b"\xef\xbb\xbf").lstrip()[:14].lower().startswith((b"<!doctype html", b"<html", b"<head")):
        return HTML
    first = start[:16]
    return UTF16 if len(first) > 3 and _every_other(first) else None


def _every_other(first: bytes) -> bool:
    """Return whether every other byte is 0, as in the Latin letters of UTF-16 without a mark."""
    return any(not any(first[i::2]) and all(first[1 - i :: 2]) for i in (0, 1))


def separator_of(start: bytes, path: Path) -> str:
    """Return what separates the cells of a CSV file that begins so: a comma, else a semicolon, a tab or a bar.

    It is a comma wherever commas divide the first rows into equally many cells, else what does so; where nothing does,
    the header decides.

    Raises
    ------
    ValueError
        If it seems to be no CSV file.

    Examples
    --------
    >>> separator_of(b"size;label\\n1,5;a\\n2,5;b\\n", Path("data.csv"))
    ';'
    """
    if seeming := seems(start):
        raise ValueError(complaint("a CSV file is text", f"{path}, which seems to be {seeming.what}", seeming.remedy))
    text, whole = start.decode("utf-8-sig", errors="replace"), len(start) < START
    return max(NAMES, key=lambda separator: _rank(separator, _lengths(text, separator, whole)))


def _rank(separator: str, lengths: list[int]) -> tuple[bool, bool, int]:
    """Return how much speaks for a separator: that rows agree, that it is a comma, and the cells of the header."""
    head = lengths[0] if lengths else 0
    return head > 1 and len(set(lengths)) == 1, head > 1 and separator == COMMA, head


def _lengths(text: str, separator: str, whole: bool) -> list[int]:
    """Return into how many cells a separator divides each of the first rows."""
    reader = filter(None, csv.reader(io.StringIO(text, newline=""), delimiter=separator))
    try:
        found = [len(row) for row in islice(reader, ROWS + 1)]
    except csv.Error:
        return []
    cut = not whole and 1 < len(found) <= ROWS  # the last row goes on after what is looked at
    return found[: -1 if cut else ROWS]
