"""CSV files, read block by block: by pyarrow where it is installed, and by Python's ``csv`` otherwise.

Both cut a file into the same cells, each a text as it stands there; ``texts`` says what they are. The beginning of a
file tells what separates its cells, or that it is no CSV file. A block that pyarrow refuses is read, with all below it,
by ``csv``, which names the row that is wrong, if one is.

A column is one of numbers if all texts of all files are some, else of texts. Files that are held in memory are read
once, and again for a column where a text stands below numbers; larger ones are read once to find the kinds of their
columns, before they are counted part by part.

Main definitions: ``blocks``; ``csv_columns`` (in memory), ``kinds_of`` and ``csv_pieces`` (in parts); ``opened``,
``separator``, ``seems``; ``Watch`` (receives the progress).
"""

from __future__ import annotations

import csv
import gzip
import io
import zlib
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from itertools import islice
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np

from splitcrit.arguments import Array
from splitcrit.data.arrow_files import Piece
from splitcrit.data.in_memory import InMemoryColumn
from splitcrit.data.integers import as_objects, joined
from splitcrit.data.row_parts import BATCH, RowPart
from splitcrit.data.texts import Read, distinct, read_numbers, stripped
from splitcrit.frozen import complaint

START = 2**16  # bytes at the beginning of a file that tell what it is
LONGEST = 2**26  # characters at most of a row, the blank lines above it too
FIRST = 100  # rows at most that tell what separates cells
ROWS = 2**9  # of a block of csv: so few lists that the garbage collector hardly looks at them
BYTES = 2**20  # of a block of pyarrow
SPARE = 3  # bytes that pyarrow needs for a text, less the separator that the file needs
LARGE = 2**20  # bytes of files for which pyarrow is worth its import
TOLD = 2**14  # rows from one news to the next; the total is estimated from the part that has been read
GZIPPED = b"\x1f\x8b"
TEXT = "text"
COMMA = ","
NAMES = {COMMA: "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars"}
Watch = Callable[[int, "int | None"], None]

csv.field_size_limit(LONGEST)  # a cell may be as long as a row


class Seeming(NamedTuple):
    """What a file seems to be, and what its owner may do."""

    what: str
    remedy: str


UNPACK = "unpack it first, or pack it by gzip"
SHEET = "save its sheet as CSV"
UTF16 = Seeming("text in UTF-16", "save it as UTF-8")
OFFICE = Seeming("an Office file (xlsx, docx, ods or the like)", SHEET)
HTML = Seeming("a page of HTML", "download the data, not the page about them")
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


class Block(NamedTuple):
    """Some rows of a CSV file: the cells of each column, and the part of the file that has been read so far.

    Cells are a tuple of texts or an Arrow array of them.
    """

    columns: dict[str, Any]
    rows: int
    part: float


def blocks(path: Path, fast: bool) -> Iterator[Block]:
    """Yield the rows of a CSV file with a header row, gzipped or not; ``fast`` allows pyarrow.

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If the file is damaged or empty, has no rows, rows of unequal length, or two columns of one name.
    """
    try:
        divider = separator(path)
        with opened(path) as (meant, _), _decoded(meant) as text:
            given = next(_rows(text, divider, path), [])
        names = [name.strip() for name in given]
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise ValueError(complaint("column names must differ", f"{twice!r} twice in {path}", "rename one column"))
        done = (yield from _by_arrow(path, divider, given)) if fast else 0
        if done is not None:
            yield from _by_csv(path, divider, names, done)
    except csv.Error as error:
        raise ValueError(complaint("a CSV file holds rows of cells", f"{error} in {path}", "write it again")) from None
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise ValueError(complaint("a gzip file must be complete", f"{path}: {error}", "download it again")) from None
    except UnicodeDecodeError as error:
        rule, remedy = "a CSV file is UTF-8 text", "save it as UTF-8; iconv -f latin1 -t utf8 does, if it is Latin-1"
        raise ValueError(complaint(rule, f"byte {error.object[error.start]:#x} in {path}", remedy)) from None


@contextmanager
def opened(path: Path) -> Iterator[tuple[IO[bytes], IO[bytes]]]:
    """Open a file, gzipped or not: the bytes it means, and the file itself, which tells how far it has been read."""
    with path.open("rb") as raw:
        packed = raw.read(len(GZIPPED)) == GZIPPED
        raw.seek(0)
        unpacked: Any = gzip.GzipFile(fileobj=raw) if packed else nullcontext(raw)
        with unpacked as meant:
            yield meant, raw


_decoded = partial(io.TextIOWrapper, encoding="utf-8-sig", newline="")  # whose line ends stand as they are


def _rows(text: IO[str], divider: str, path: Path) -> Iterator[list[str]]:
    """Yield the rows of a CSV file by ``csv``, the header first; blank lines do not count, and no row is endless."""
    left, what = LONGEST, "header row"

    def lines() -> Iterator[str]:
        nonlocal left
        while line := text.readline(left):
            if (left := left - len(line)) <= 0:
                raise ValueError(complaint(f"a {what} has at most 64 MB", f"a longer one in {path}", "close its quote"))
            yield line

    for row in filter(None, csv.reader(lines(), delimiter=divider)):
        left, what = LONGEST, "row"
        yield row


def _by_csv(path: Path, divider: str, names: list[str], done: int) -> Iterator[Block]:
    """Yield the rows of a file, but for those that are done."""
    size, row = path.stat().st_size, done + 2
    with opened(path) as (meant, raw), _decoded(meant) as text:
        rows = islice(_rows(text, divider, path), done + 1, None)
        while some := list(islice(rows, ROWS)):
            if set(map(len, some)) != {len(names)}:
                number, cells = next((i, len(cells)) for i, cells in enumerate(some, row) if len(cells) != len(names))
                rule, got = f"every row has the {len(names)} cells of the header", f"{cells} cells in row {number}"
                raise ValueError(complaint(rule, f"{got} of {path}", "correct the row"))
            yield Block(dict(zip(names, zip(*some, strict=True), strict=True)), len(some), raw.tell() / size)
            row += len(some)
    if row == 2:
        what = "only a header row" if names else "an empty file"
        raise ValueError(complaint("a CSV file holds a header row and data", f"{what}: {path}", "pass another file"))


def _by_arrow(path: Path, divider: str, given: list[str]) -> Generator[Block, None, int | None]:
    """Yield the rows of a file as far as pyarrow reads it; return their number, None if all."""
    try:
        import pyarrow.csv
    except ModuleNotFoundError:
        return 0
    rows, done, size = 0, 0, path.stat().st_size
    with opened(path) as (meant, raw):
        try:
            reader = pyarrow.csv.open_csv(
                _LineEnds(meant),
                pyarrow.csv.ReadOptions(use_threads=False, block_size=BYTES),
                pyarrow.csv.ParseOptions(delimiter=divider, newlines_in_values=True),
                pyarrow.csv.ConvertOptions(column_types=dict.fromkeys(given, pyarrow.string())),
            )
            if reader.schema.names != given:
                return 0
            for batch in (batch for batch in reader if batch.num_rows):
                done += batch.nbytes - SPARE * batch.num_rows * batch.num_columns
                rows += batch.num_rows
                part = done / meant.tell() * raw.tell() / size  # Arrow reads ahead
                columns = dict(zip((name.strip() for name in given), batch.columns, strict=True))
                yield Block(columns, batch.num_rows, part)
        except (pyarrow.ArrowException, OSError, EOFError, zlib.error):
            return rows
    return None if rows else 0


class _LineEnds:
    """The bytes of a file for pyarrow, which loses a line feed between two reads: none ends with a carriage return."""

    closed = False

    def __init__(self, file: IO[bytes]) -> None:
        self.file = file

    def read(self, size: int) -> bytes:
        """Return some bytes, none at the end of the file."""
        found = self.file.read(max(1, size - 1))
        while found.endswith(b"\r") and (more := self.file.read(1)):
            found += more
        return found


class ColumnBuilder:
    """A column that is being read: numbers, until a text is none."""

    def __init__(self, text: bool = False) -> None:
        self.text = text
        self.late = False  # whether there were numbers above the first text that is none
        self.parts: list[Read] = []
        self.places: dict[str, int] = {}

    def add(self, cells: Any) -> None:
        """Add cells; numbers that turn out to be texts are forgotten."""
        found = None if self.text else read_numbers(cells)
        if found is None and not self.text:
            self.text, self.late, self.parts = True, bool(self.parts), []
        if not self.late:
            self.parts.append(self._coded(*distinct(cells)) if found is None else found)

    def _coded(self, names: list[str], codes: Array) -> Read:
        """Return texts as their places among all texts so far, and which are not empty."""
        at = [-1 if name is None else self.places.setdefault(name, len(self.places)) for name in stripped(names)]
        found = np.array(at, dtype=np.int64)[codes]
        return np.maximum(found, 0), found >= 0

    def forget(self) -> None:
        """Keep of the cells so far what tells the kind of the column: the least and the largest number."""
        if self.text:
            self.late, self.parts, self.places = True, [], {}
        else:
            values, present = map(joined, zip(*self.parts, strict=True))
            self.parts = [(values[[values.argmin(), values.argmax()]], np.full(2, present.any()))]

    def kind(self) -> str:
        """Return the kind of a column: texts, or numbers of a dtype."""
        return TEXT if self.text or not self.parts[0][1].any() else self.parts[0][0].dtype.name

    def column(self) -> InMemoryColumn:
        """Return the column, and forget its parts; in a column with fractions -0 is 0, as it is among integers."""
        values, present = map(joined, zip(*self.parts, strict=True))
        self.parts = []
        if self.text or not present.any():
            return InMemoryColumn("text", values, present, tuple(self.places))
        if values.dtype.kind == "f":
            values += 0.0  # in place: joined is a copy
        return InMemoryColumn("ordered", values, present)


def _added(
    columns: dict[str, ColumnBuilder], paths: Sequence[Path], fast: bool, watch: Watch | None = None,
    wanted: Sequence[str] = (),
) -> Iterator[int]:  # fmt: skip
    """Add the cells of files to the columns wanted, to all where none is named; yield the rows of every block.

    Raise a ValueError unless a file has the columns of those before it.
    """
    rows = 0
    for path in paths:
        for block in blocks(path, fast):
            if not wanted and columns and (odd := min(set(columns) ^ set(block.columns), default=None)):
                where = path.name if odd in columns else f"the files before {path.name}"
                rule, got = "files to count have the same columns", f"no column {odd!r} in {where}"
                raise ValueError(complaint(rule, got, "write them with one header"))
            for name in wanted or block.columns:
                if name not in columns:
                    columns[name] = ColumnBuilder()
                columns[name].add(block.columns[name])
            before, rows = rows, rows + block.rows
            if watch is not None and before // TOLD < rows // TOLD:
                watch(rows, max(rows, round(rows / block.part)) if len(paths) == 1 else None)
            yield block.rows


def csv_columns(paths: Sequence[Path], watch: Watch | None = None) -> dict[str, InMemoryColumn]:
    """Return the columns of CSV files; spaces around cells do not count.

    Raises
    ------
    OSError, ValueError
        As ``blocks`` does, or if files have different columns.
    """
    fast = sum(path.stat().st_size for path in paths) >= LARGE
    found: dict[str, ColumnBuilder] = {}
    for _ in _added(found, paths, fast, watch):
        pass
    if late := {name: ColumnBuilder(text=True) for name, column in found.items() if column.late}:
        for _ in _added(late, paths, fast, watch, list(late)):
            pass
    return {name: column.column() for name, column in (found | late).items()}


class Kinds(NamedTuple):
    """What the columns of some files are: a dtype, or texts; and the rows there are."""

    columns: dict[str, str]
    rows: int


def kinds_of(paths: Sequence[Path], watch: Watch | None = None) -> Kinds:
    """Return the kinds of the columns of CSV files; see ``csv_columns`` for what is raised."""
    found: dict[str, ColumnBuilder] = {}
    rows = 0
    for more in _added(found, paths, True, watch):
        rows += more
        for column in found.values():
            column.forget()
    return Kinds({name: column.kind() for name, column in found.items()}, rows)


def csv_pieces(paths: Sequence[Path], kinds: Kinds) -> list[Piece]:
    """Return the rows of CSV files, a piece for each file."""
    return [Piece(path, partial(_parts, path, kinds)) for path in paths]


def _parts(path: Path, kinds: Kinds, wanted: list[str]) -> Iterator[RowPart]:
    """Yield the columns wanted of a file, some rows at a time."""
    found: dict[str, ColumnBuilder] = {}
    rows = 0
    reading = _added(found, [path], True, None, wanted)
    while True:
        found.update({name: ColumnBuilder(kinds.columns[name] == TEXT) for name in wanted})
        rows = 0
        while rows < BATCH and (more := next(reading, 0)):
            rows += more
        if not rows:
            return
        yield RowPart({name: _typed(found[name].column(), kinds.columns[name]) for name in wanted}, rows)


def _typed(part: InMemoryColumn, kind: str) -> InMemoryColumn:
    """Return a part of a column in the type of the whole."""
    if kind == TEXT:
        return part
    if part.kind == TEXT and part.present.any():
        rule, got = "a file must not change while it is counted", f"the text {part.names[0]!r} among numbers"
        raise ValueError(complaint(rule, got, "count it again"))
    values = as_objects(part.values) if kind == "object" else part.values.astype(kind)
    return InMemoryColumn("ordered", values, part.present)


def separator(path: Path) -> str:
    """Return the separator of the cells of a CSV file, gzipped or not.

    Raises
    ------
    ValueError
        If the file seems to be no CSV file.
    """
    with opened(path) as (meant, _):
        return separator_of(meant.read(START), path)


def seems(start: bytes) -> Seeming | None:
    """Return the kind of a file by its first bytes; None if it may be text.

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
    """Tell whether every other byte is 0, as in the Latin letters of UTF-16 without a mark."""
    return any(not any(first[i::2]) and all(first[1 - i :: 2]) for i in (0, 1))


def separator_of(start: bytes, path: Path) -> str:
    """Return the separator of the cells of a CSV file that begins so: a comma, else a semicolon, a tab or a bar.

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
    """Weigh a separator: rows that agree, a comma, and the cells of the header speak for it."""
    head = lengths[0] if lengths else 0
    return head > 1 and len(set(lengths)) == 1, head > 1 and separator == COMMA, head


def _lengths(text: str, separator: str, whole: bool) -> list[int]:
    """Return into how many cells a separator divides each of the first rows."""
    reader = filter(None, csv.reader(io.StringIO(text, newline=""), delimiter=separator))
    try:
        found = [len(row) for row in islice(reader, FIRST + 1)]
    except csv.Error:
        return []
    cut = not whole and 1 < len(found) <= FIRST  # the last row goes on after what is looked at
    return found[: -1 if cut else FIRST]
