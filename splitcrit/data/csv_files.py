"""CSV files, read block by block: by pyarrow where it is installed, and by Python's ``csv`` otherwise.

Both cut a file into the same cells, each a text as it stands there; ``formats`` says what they are. The beginning of a
file tells its ``Layout``, or that it is no CSV file. A block that pyarrow refuses is read, with all below it, by
``csv``, which names the row that is wrong, if one is.

Files that are held in memory are read once; larger ones are read once to find the formats of their columns, before they
are counted part by part.

Main definitions: ``blocks``, ``layout_of``; ``csv_columns`` (in memory), ``csv_formats`` and ``csv_pieces`` (in parts);
``opened``, ``seems``; ``Watch`` (receives the progress).
"""

from __future__ import annotations

import csv
import gzip
import io
import re
import zlib
from codecs import EncodedFile, getincrementaldecoder
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import lru_cache, partial
from itertools import chain, islice, repeat, tee
from pathlib import Path
from typing import IO, Any, NamedTuple

from splitcrit.data import row_parts
from splitcrit.data.columns import InMemoryColumn
from splitcrit.data.formats import (
    AS_WRITTEN,
    WHOLE,
    ChosenFormat,
    FileOptions,
    FormatCounts,
    distinct,
    formats_of,
    forms_of,
)
from splitcrit.data.row_parts import Piece, RowPart
from splitcrit.frozen import complaint

START = 2**16  # bytes at the beginning of a file that tell what it is
LONGEST = 2**26  # characters at most of a row, the blank lines above it too
FIRST = 100  # rows at most that tell what separates cells
ROWS = 2**9  # of a block of csv: so few lists that the garbage collector hardly looks at them
BYTES, WIDE = 2**20, 2**10  # of a block of pyarrow, and columns for which it is once more as large
SPARE = 3  # bytes that pyarrow needs for a text, less the separator that the file needs
LARGE = 2**20  # bytes of files for which pyarrow is worth its import
TOLD = 2**14  # rows from one news to the next; the total is estimated from the part that has been read
GZIPPED = b"\x1f\x8b"
EXCEL = re.compile(r"sep=(.)\r?\n")  # the first line of some files of Excel
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
    **{bytes([0x80, protocol]): PICKLE for protocol in range(2, 6)},
}


class Layout(NamedTuple):
    """How a CSV file is laid out: its encoding and separator, lines before the header, and the names of its columns.

    ``header`` tells whether the first row holds the names; ``notes`` tell what was guessed.
    """

    encoding: str
    separator: str
    before: int
    names: list[str]
    header: bool
    notes: tuple[str, ...]


def layout_of(path: Path, options: FileOptions = AS_WRITTEN) -> Layout:
    """How a CSV file, gzipped or not, is laid out.

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If it is damaged or no text.
    """
    with _sentences(path):
        return _layout(path, options.header, path.stat().st_mtime_ns, path.stat().st_size)


@lru_cache(64)
def _layout(path: Path, header: bool | None, *stamp: int) -> Layout:
    """How a file is laid out, found once as long as its time and its size stay."""
    encoding = _encoding(path)
    with opened(path) as (meant, _file), _decoded(meant, encoding) as text:
        start = text.read(START)
    lines = list(io.StringIO(start, newline=""))
    chosen = EXCEL.fullmatch(lines[0]) if lines else None
    before = comments = 1 if chosen else _comments(lines)
    before += next((i for i, line in enumerate(lines[before:]) if line.strip("\r\n")), 0)
    separator = chosen[1] if chosen else _separator_of(lines[before:], len(start) < START)
    with opened(path) as (meant, _file), _decoded(meant, encoding) as text:
        rows = list(islice(_rows(text, before, separator, path), FIRST))
    first = [name.strip() for name in rows[0]] if rows else []
    filled = (next((j for j in range(len(row), 0, -1) if row[j - 1].strip()), 1) for row in rows)
    first = first[: max(filled, default=1)]
    named = _is_header(first, rows[1:]) if header is None else header
    names = _numbered(first) if named else [f"column {place + 1}" for place in range(len(first))]
    guesses = {
        f"{path.name} is text in {encoding}.": encoding == "cp1252",
        f"{path.name} begins with {comments} lines of comments.": comments and not chosen,
        f"the first row of {path.name} holds no names, but data; pass header=True (--header) if it does.": not named
        and header is None,
        f"columns of one name are numbered: {', '.join(sorted(set(names) - set(first)))}.": named and names != first,
    }
    return Layout(encoding, separator, before, names, named, tuple(note for note in guesses if guesses[note]))


def _comments(lines: list[str]) -> int:
    """How many of the first lines are comments: they begin with #, and the line below has other cells."""
    number = next((i for i, line in enumerate(lines) if not line.startswith("#")), 0)
    divide = max(NAMES, key=lines[number].count) if number else COMMA
    return number - (number > 0 and lines[number - 1].count(divide) == lines[number].count(divide) > 0)


def _is_header(first: list[str], rows: list[list[str]]) -> bool:
    """Whether the first row holds names: not where numbers stand above all numbers, and no names are such."""
    read = [forms_of(name) for name in first]
    plain = [name for name, forms in zip(first, read, strict=True) if forms.keys() >= WHOLE]
    if sum(map(bool, read)) == len(plain) == len(set(plain)):  # most often none
        return True
    below = [[row[j].strip() for row in rows if len(row) > j and row[j].strip()] for j in range(len(first))]
    numeric = [j for j, cells in enumerate(below) if cells and all(map(forms_of, cells))]
    return not (numeric and all(read[j] for j in numeric))


def _numbered(names: list[str]) -> list[str]:
    """Names that differ: the second "a" is "a.1".

    Examples
    --------
    >>> _numbered(["a", "b", "a", "a"])
    ['a', 'b', 'a.1', 'a.2']
    """
    taken, times = dict[str, None](), Counter[str]()
    for name in names:
        new = name
        while new in taken:
            times[name] += 1
            new = f"{name}.{times[name]}"
        taken[new] = None
    return list(taken)


def _encoding(path: Path) -> str:
    """The encoding of a text: UTF-8, UTF-16 with a mark, or Windows-1252, which holds Latin-1."""
    with opened(path) as (meant, _file):
        start = meant.read(START)
        if start.startswith((b"\xff\xfe", b"\xfe\xff")):
            return "utf-16"
        if seeming := seems(start):
            got = f"{path}, which seems to be {seeming.what}"
            raise ValueError(complaint("a CSV file is text", got, seeming.remedy))
        decoder, plain = getincrementaldecoder("utf-8")(), True
        # The last part is empty at the end of a file. What is left over there is a letter of Latin-1, or half of one of
        # UTF-8.
        more = islice(iter(partial(meant.read, BYTES), b""), LONGEST // BYTES)
        for part in chain([start], more, map(meant.read, [1])):
            try:
                plain = decoder.decode(part, not part).isascii() and plain
            except UnicodeDecodeError:
                if b"\0" in start or not (part or plain):
                    raise
                part.decode("cp1252")
                return "cp1252"
    return "utf-8-sig"


@contextmanager
def _sentences(path: Path) -> Iterator[None]:
    """Raise one sentence about a file that cannot be read inside."""
    try:
        yield
    except csv.Error as error:
        raise ValueError(complaint("a CSV file holds rows of cells", f"{error} in {path}", "write it again")) from None
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise ValueError(complaint("a gzip file must be complete", f"{path}: {error}", "download it again")) from None
    except UnicodeDecodeError as error:
        rule, remedy = "a CSV file is text in UTF-8, UTF-16 or Latin-1", "save it as UTF-8"
        raise ValueError(complaint(rule, f"byte {error.object[error.start]:#x} in {path}", remedy)) from None


def blocks(path: Path, fast: bool, options: FileOptions = AS_WRITTEN) -> Iterator[RowPart]:
    """Yield the rows of a CSV file, gzipped or not, lists of texts or Arrow arrays of them; ``fast`` allows pyarrow.

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If the file is damaged or empty, or has no rows, or rows of unequal length.
    """
    layout = layout_of(path, options)
    with _sentences(path):
        done = (yield from _by_arrow(path, layout)) if fast and not options.skip_footer else 0
        if done is not None:
            yield from _by_csv(path, layout, done, options.skip_footer)


@contextmanager
def opened(path: Path) -> Iterator[tuple[IO[bytes], IO[bytes]]]:
    """Open a file, gzipped or not: the bytes it means, and the file itself, which tells how far it has been read."""
    with path.open("rb") as raw:
        packed = raw.read(len(GZIPPED)) == GZIPPED
        raw.seek(0)
        unpacked: Any = gzip.GzipFile(fileobj=raw) if packed else nullcontext(raw)
        with unpacked as meant:
            yield meant, raw


def _decoded(meant: IO[bytes], encoding: str) -> IO[str]:
    """The text of a CSV file, whose line ends stand as they are."""
    return io.TextIOWrapper(meant, encoding, newline="")


def _rows(text: IO[str], before: int, divider: str, path: Path) -> Iterator[list[str]]:
    """Yield the rows of a CSV file below its first lines by ``csv``; blank lines do not count."""
    left, what = LONGEST, "header row"

    def lines() -> Iterator[str]:
        nonlocal left
        while line := text.readline(left):
            if (left := left - len(line)) <= 0:
                raise ValueError(complaint(f"a {what} has at most 64 MB", f"a longer one in {path}", "close its quote"))
            yield line

    for row in filter(None, csv.reader(islice(lines(), before, None), delimiter=divider)):
        left, what = LONGEST, "row"
        yield row


def _by_csv(path: Path, layout: Layout, done: int, footer: int) -> Iterator[RowPart]:
    """Yield the rows of a file, but for those that are done and those at the end that are none."""
    size, names = path.stat().st_size, layout.names
    row, comment = done + 1 + layout.header, layout.before > 0
    with opened(path) as (meant, raw), _decoded(meant, layout.encoding) as text:
        below, ahead = tee(islice(_rows(text, layout.before, layout.separator, path), done + layout.header, None))
        rows = (cells for cells, _ in zip(below, islice(ahead, footer, None), strict=False))
        while some := list(islice(rows, ROWS)):
            if set(map(len, some)) != {len(names)}:
                some = [cells if any(cells[len(names) :]) else cells[: len(names)] for cells in some
                        if len(cells) == len(names)
                        or not (" ".join(cells).isspace() or (comment and cells[0].startswith("#")))]  # fmt: skip
                number, cells = next(
                    ((i, len(cells)) for i, cells in enumerate(some, row) if len(cells) != len(names)), (0, 0)
                )
                if number:
                    rule, got = f"every row has the {len(names)} cells of the header", f"{cells} cells in row {number}"
                    raise ValueError(complaint(rule, f"{got} of {path}", "correct the row"))
            columns = map(list, zip(*some, strict=True)) if some else repeat([], len(names))
            yield RowPart(dict(zip(names, columns, strict=True)), len(some), raw.tell() / size)
            row += len(some)
    if row == 1 + layout.header:
        what = "only a header row" if names else "an empty file"
        raise ValueError(complaint("a CSV file holds a header row and data", f"{what}: {path}", "pass another file"))


def _by_arrow(path: Path, layout: Layout) -> Generator[RowPart, None, int | None]:
    """Yield the rows of a file as far as pyarrow reads it; return their number, None if all."""
    try:
        import pyarrow.csv
    except ModuleNotFoundError:
        return 0
    rows, done, size = 0, 0, path.stat().st_size
    with opened(path) as (meant, raw):
        try:
            reader = pyarrow.csv.open_csv(
                _LineEnds(meant if layout.encoding == "utf-8-sig" else EncodedFile(meant, "utf-8", layout.encoding)),
                pyarrow.csv.ReadOptions(
                    use_threads=False, block_size=BYTES * (1 + len(layout.names) // WIDE), column_names=layout.names,
                    skip_rows=layout.before, skip_rows_after_names=int(layout.header),
                ),
                pyarrow.csv.ParseOptions(delimiter=layout.separator, newlines_in_values=True),
                pyarrow.csv.ConvertOptions(column_types=dict.fromkeys(layout.names, pyarrow.string())),
            )  # fmt: skip
            for batch in (batch for batch in reader if batch.num_rows):
                rows += batch.num_rows
                done += batch.nbytes - SPARE * batch.num_rows * batch.num_columns
                part = done / meant.tell() * raw.tell() / size  # Arrow reads ahead
                yield RowPart(dict(zip(layout.names, batch.columns, strict=True)), batch.num_rows, part)
        except (pyarrow.ArrowException, OSError, EOFError, zlib.error):
            return rows
    return None if rows else 0


class _LineEnds:
    """The bytes of a file for pyarrow, which loses a line feed between two reads: none ends with a carriage return."""

    closed = False

    def __init__(self, file: Any) -> None:
        self.file = file

    def read(self, size: int) -> bytes:
        """Some bytes, none at the end of the file."""
        part: bytes = self.file.read(max(1, size - 1))
        while part.endswith(b"\r") and (more := self.file.read(1)):
            part += more
        return part


def _all_blocks(
    paths: Sequence[Path], fast: bool, options: FileOptions, watch: Watch | None = None
) -> Iterator[RowPart]:
    """Yield the rows of files; raise a ValueError unless a file has the columns of those before it."""
    rows, names = 0, list[str]()
    for path in paths:
        for block in blocks(path, fast, options):
            if names and (odd := min(set(names) ^ set(block.columns), default=None)):
                where = path.name if odd in names else f"the files before {path.name}"
                rule, got = "files to count have the same columns", f"no column {odd!r} in {where}"
                raise ValueError(complaint(rule, got, "write them with one header"))
            names = list(block.columns)
            yield block
            before, rows = rows, rows + block.num_rows
            if watch is not None and before // TOLD < rows // TOLD:
                watch(rows, max(rows, round(rows / block.part)) if len(paths) == 1 else None)


def _joined(reading: Iterator[RowPart], most: int) -> Iterator[RowPart]:
    """Yield blocks joined up to a number of rows; the cells of each are forgotten once they are joined."""
    while some := list(_until(reading, most)):
        columns = {name: _together([block.columns.pop(name) for block in some]) for name in list(some[0].columns)}
        yield RowPart(columns, sum(block.num_rows for block in some))


def _until(reading: Iterator[RowPart], rows: int) -> Iterator[Any]:
    """Yield blocks up to a number of rows."""
    while rows > 0 and (block := next(reading, None)):
        rows -= block.num_rows
        yield block


def _together(cells: list[Any]) -> Any:
    """The cells of a column, block by block, in one list or Arrow array."""
    if any(isinstance(some, list) for some in cells):
        return [text for some in cells for text in (some if isinstance(some, list) else some.to_pylist())]
    import pyarrow

    return pyarrow.chunked_array(cells).combine_chunks()


def csv_columns(
    paths: Sequence[Path], watch: Watch | None = None, options: FileOptions = AS_WRITTEN
) -> dict[str, InMemoryColumn]:
    """The columns of CSV files; spaces around cells do not count.

    Raises
    ------
    OSError, ValueError
        As ``blocks`` does, or if files have different columns.
    """
    fast = sum(path.stat().st_size for path in paths) >= LARGE
    read: list[Any] = list(_all_blocks(paths, fast, options, watch))
    coded = {name: distinct(_together([block.columns.pop(name) for block in read])) for name in list(read[0].columns)}
    counts = {name: FormatCounts(options.missing).add(*each) for name, each in coded.items()}
    chosen = formats_of(counts, options, layout_of(paths[0], options).separator)
    return {name: chosen[name].column(*coded.pop(name), options.missing, counts[name].numbers) for name in counts}


def csv_formats(
    paths: Sequence[Path], watch: Watch | None = None, options: FileOptions = AS_WRITTEN
) -> tuple[int, dict[str, ChosenFormat]]:
    """The number of rows and the formats of the columns of CSV files; see ``csv_columns`` for what is raised."""
    counts: dict[str, FormatCounts] = {}
    for block in _all_blocks(paths, True, options, watch):
        for name, cells in block.columns.items():
            counts.setdefault(name, FormatCounts(options.missing)).add(*distinct(cells))
    rows = max((column.rows for column in counts.values()), default=0)
    return rows, formats_of(counts, options, layout_of(paths[0], options).separator)


def csv_pieces(paths: Sequence[Path], formats: Mapping[str, ChosenFormat], options: FileOptions) -> list[Piece]:
    """The rows of CSV files, a piece for each file."""
    return [Piece(partial(_parts, path, formats, options), path) for path in paths]


def _parts(
    path: Path, formats: Mapping[str, ChosenFormat], options: FileOptions, wanted: list[str]
) -> Iterator[RowPart]:
    """Yield the columns wanted of a file, some rows at a time."""
    for block in _joined(blocks(path, True, options), row_parts.BATCH):
        columns = {}
        for name in wanted:
            try:
                columns[name] = formats[name].column(*distinct(block.columns[name]), options.missing)
            except ValueError as error:
                rule = "a file must not change while it is counted"
                raise ValueError(complaint(rule, f"{error} in {name!r}", "count it again")) from None
        yield RowPart(columns, block.num_rows)


def seems(start: bytes) -> Seeming | None:
    """The kind of a file by its first bytes; None if it may be text.

    Examples
    --------
    >>> seems(b"%PDF-1.7").what, seems(b"size,label")
    ('a PDF document', None)
    """
    if match := next((seeming for mark, seeming in SIGNATURES.items() if start.startswith(mark)), None):
        office = any(part in start for part in (b"[Content_Types].xml", b"xl/", b"opendocument"))
        return OFFICE if start.startswith(b"PK") and office else match
    if start.removeprefix(b"\xef\xbb\xbf").lstrip()[:14].lower().startswith((b"<!doctype html", b"<html", b"<head")):
        return HTML
    first = start[:16]  # every other byte is 0, as in the Latin letters of UTF-16 without a mark
    alternate = any(not any(first[i::2]) and all(first[1 - i :: 2]) for i in (0, 1))
    return Seeming("text in UTF-16", "save it as UTF-8") if len(first) > 3 and alternate else None


def _separator_of(lines: list[str], whole: bool) -> str:
    """The separator of cells in the first lines: a comma, else a semicolon, a tab or a bar.

    It is a comma wherever commas divide the first rows into equally many cells, unless all stand between digits and
    another separator does so too; else what does so; where nothing does, the header decides.

    Examples
    --------
    >>> _separator_of(["size;label", "1,5;a", "2,5;b"], True), _separator_of(["1,5;2,5", "3,5;4,5"], True)
    (';', ';')
    """
    decimal = not re.search(r"^,|\D,|,\D|,$", "".join(lines))

    def rank(separator: str) -> tuple[bool, bool, int]:
        try:
            lengths = [len(row) for row in islice(filter(None, csv.reader(lines, delimiter=separator)), FIRST)]
        except csv.Error:
            lengths = []
        lengths = lengths if whole or not 1 < len(lengths) < FIRST else lengths[:-1]  # the last row may go on
        head = lengths[0] if lengths else 0
        even = head > 1 and len(set(lengths)) == 1 and not (decimal and separator == COMMA)
        return even, head > 1 and separator == COMMA, head

    return max(NAMES, key=rank)
