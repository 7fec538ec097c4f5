"""Parquet and Arrow files of one schema, read batch by batch.

Main definitions: ``Files``, ``schema_of_files``, ``read_files``.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from splitcrit.table.arrow import pyarrow
from splitcrit.values import complaint

FORMATS = {".parquet": "parquet", ".pq": "parquet", ".arrow": "ipc", ".feather": "ipc", ".ipc": "ipc"}

BUFFER = 2**20  # bytes of a column read at a time


@dataclass(frozen=True)
class Files:
    """A dataset of files, whose schemas agree; folders named ``key=value`` are columns."""

    dataset: Any
    schema: Any
    rows: int


def schema_of_files(path: str | os.PathLike[str]) -> Files:
    """Return the files of a folder, or one file; names that begin with a dot or an underscore are passed over.

    Raises
    ------
    FileNotFoundError
        If a folder holds no such file.
    ValueError
        If a file cannot be read, files are of different formats, or their schemas differ.
    """
    pa, root = pyarrow(), Path(path)
    found = _listed(root)
    formats = {FORMATS.get(file.suffix.lower(), "parquet") for file in found}
    if len(formats) > 1:
        got = f"both in {root}"
        raise ValueError(complaint("files to count are all parquet or all Arrow", got, "keep one of the formats"))
    base = str(root) if root.is_dir() else None
    try:
        dataset = pa.dataset.dataset(
            list(map(str, found)), format=formats.pop(), partitioning="hive", partition_base_dir=base
        )
        return Files(dataset, _agreed(dataset), dataset.count_rows())
    except pa.ArrowInvalid as error:
        message = " ".join(str(error).split())
        raise ValueError(complaint("a parquet or Arrow file must be whole", message, "write it again")) from None


def _listed(root: Path) -> list[Path]:
    if root.is_file():
        return [root]
    inside = (file for file in sorted(root.rglob("*")) if file.suffix.lower() in FORMATS and file.is_file())
    found = [file for file in inside if not any(part[0] in "._" for part in file.relative_to(root).parts)]
    if not found:
        raise FileNotFoundError(complaint("a folder to count holds parquet files", f"none in {root}", "check the path"))
    return found


def _plain(kind: Any) -> Any:
    """Return what a column's values are, however they are encoded."""
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


def read_files(files: Files, columns: list[str], size: int) -> Iterator[Any]:
    """Yield the record batches of all files, one after the other, each in the types of its file.

    A parquet file is read through its own reader, page by page: the scanner of a dataset decodes whole row groups.
    """
    pa = pyarrow()
    for fragment in files.dataset.get_fragments():
        keys = pa.dataset.get_partition_keys(fragment.partition_expression)
        inside = [name for name in columns if name in fragment.physical_schema.names]
        with fragment.filesystem.open_input_file(fragment.path) as opened:
            for batch in _batches(opened, fragment.format.default_extname, inside, size):
                held = {name: batch.column(name) for name in inside}
                for name in columns:
                    if name not in held:
                        value = pa.scalar(keys.get(name), files.schema.field(name).type)
                        held[name] = pa.repeat(value, batch.num_rows)
                yield pa.record_batch(held)


def _batches(opened: Any, extension: str, columns: list[str], size: int) -> Iterator[Any]:
    pa = pyarrow()
    if extension == "parquet":
        yield from pa.parquet.ParquetFile(opened, buffer_size=BUFFER, pre_buffer=False).iter_batches(
            size, columns=columns
        )
        return
    reader = pa.ipc.open_file(opened)
    yield from (reader.get_batch(i) for i in range(reader.num_record_batches))
