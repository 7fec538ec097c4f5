"""The files of paths, and the rows of parquet and Arrow files of one schema, read batch by batch.

Main definitions: ``listed`` (the files of paths), ``dataset_of``, ``pieces`` (rows that are read on their own).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from splitcrit.data.columns import pyarrow
from splitcrit.frozen import complaint

FORMATS = {".parquet": "parquet", ".pq": "parquet", ".arrow": "ipc", ".feather": "ipc", ".ipc": "ipc"}

DELIMITED = (".csv", ".csv.gz")


class Piece(NamedTuple):
    """Some rows, read in batches of the columns wanted, and the file in which they are."""

    read: Callable[[list[Any]], Iterator[Any]]
    path: Path | None = None


def listed(roots: Sequence[Path]) -> list[Path]:
    """Return the files that paths are or hold; names that begin with a dot or an underscore are passed over.

    Raises
    ------
    FileNotFoundError
        If a path does not exist, or a folder holds no file to count.
    ValueError
        If a file stands twice, or files are of different formats.
    """
    found = [file for root in roots for file in _inside(root)]
    if twice := next((file for file, times in Counter(found).items() if times > 1), None):
        raise ValueError(complaint("a file is counted once", f"{twice} twice", "name it once"))
    formats = {format_of(file) for file in found}
    if len(formats) > 1:
        rule = "files to count are all parquet or all Arrow, or all CSV"
        raise ValueError(complaint(rule, f"both in {', '.join(map(str, roots[:3]))}", "keep one of the formats"))
    return found


def format_of(file: Path) -> str:
    """Return the format of a file; what is neither parquet nor Arrow is CSV."""
    return FORMATS.get(file.suffix.lower(), "csv")


def _inside(root: Path) -> list[Path]:
    if not root.exists():
        raise FileNotFoundError(complaint("the data must exist", root, "check the path"))
    if root.is_file():
        return [root]
    if not root.is_dir():
        rule, got = "data are files, which are read more than once", f"{root}, which is none"
        raise ValueError(complaint(rule, got, "write them to a file first"))
    ends = (*FORMATS, *DELIMITED)
    inside = (file for file in sorted(root.rglob("*")) if file.name.lower().endswith(ends) and file.is_file())
    found = [file for file in inside if not any(part[0] in "._" for part in file.relative_to(root).parts)]
    if not found:
        rule = "a folder to count holds parquet files, or Arrow or CSV files"
        raise FileNotFoundError(complaint(rule, f"none in {root}", "check the path"))
    return found


def dataset_of(found: Sequence[Path], base: Path | None) -> tuple[Any, Any]:
    """Return parquet or Arrow files as one dataset, and their schema; folders below ``base`` may be columns.

    Raises
    ------
    ValueError
        If a file cannot be read, or their schemas differ.
    """
    pa = pyarrow()
    names = {"format": format_of(found[0]), "partition_base_dir": None if base is None else str(base)}
    try:
        dataset = pa.dataset.dataset(list(map(str, found)), partitioning="hive", **names)
        return dataset, _agreed(dataset)
    except pa.ArrowInvalid as error:
        message = " ".join(str(error).split())
        raise ValueError(complaint("a parquet or Arrow file must be complete", message, "write it again")) from None


def _plain(kind: Any) -> Any:
    """Return the type of a column's values, however they are encoded."""
    types = pyarrow().types
    kind = kind.value_type if types.is_dictionary(kind) else kind
    text = types.is_large_string(kind) or types.is_string_view(kind)
    return pyarrow().string() if text else kind


def _agreed(dataset: Any) -> Any:
    """Return the schema of all files, or say which column of one has no like in another; nulls are like any."""
    first: dict[str, tuple[Any, str]] = {}
    for number, fragment in enumerate(dataset.get_fragments()):
        kinds = {field.name: _plain(field.type) for field in fragment.physical_schema}
        path = Path(fragment.path).name
        for name in {**first, **kinds} if number else ():
            if (name in kinds) != (name in first):
                got = f"no column {name!r} in {path if name not in kinds else 'the files before ' + path}"
                raise ValueError(complaint("files to count have the same columns", got, "write them with one schema"))
        for name, kind in kinds.items():
            known, where = first.setdefault(name, (kind, path))
            if pyarrow().types.is_null(known):
                first[name] = kind, path
            elif kind != known and not pyarrow().types.is_null(kind):
                got = f"{name!r} as {known} in {where} and as {kind} in {path}"
                raise ValueError(complaint("a column has one type in all files", got, "write them with one schema"))
    kinds = {name: kind for name, (kind, _) in first.items()}
    void = pyarrow().types.is_null
    return pyarrow().schema([f.with_type(kinds[f.name]) if void(f.type) else f for f in dataset.schema])


def pieces(dataset: Any, schema: Any, size: int) -> list[Piece]:
    """Return the rows of all files in pieces, the row groups of parquet files, which are read in batches of a size."""
    return [
        Piece(partial(_read, part, schema, size), Path(fragment.path))
        for fragment in dataset.get_fragments()
        for part in (fragment.split_by_row_group() if hasattr(fragment, "split_by_row_group") else [fragment])
    ]


def _read(fragment: Any, schema: Any, size: int, columns: list[str]) -> Iterator[Any]:
    """Yield the record batches of a piece, in the types of all files."""
    yield from fragment.to_batches(schema, columns=columns, batch_size=size, batch_readahead=1, fragment_readahead=0)
