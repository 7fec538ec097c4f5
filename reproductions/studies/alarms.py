"""Where do alarms of rows that are not independent fire: in real data sets as they are given, and in a random order?

``python reproductions/studies/alarms.py`` writes a line for each data set of ``$SPLITCRIT_DATA``, of its first 6,000
rows, to docs/data/alarms.csv: how many rows recur, whether they are copies with their labels, how many columns are in
serial order where the label is, as given and in ten random orders of the rows, and in how many of these orders rows of
the second half are among those of the first beyond chance; ``table`` prints those that fire.

Main definitions: ``results``, ``table``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from reports import Report, Row

from reproductions.datasets.folder import load, names
from splitcrit.data.columns import read_columns
from splitcrit.nulls.alarms import recurring_rows, serial_columns, shared_rows

ROWS, ORDERS, COLUMNS = 6_000, 10, 100
REPORT = Report("alarms", ("data set", "rows", "recurring", "copies", "serial", "serial, shuffled", "shared halves"))


def results() -> Iterator[Row]:
    """What recurs and follows in each data set."""
    for name in names():
        data = load(name)
        columns = [np.unique(column, return_inverse=True)[1] for column in data.X[:ROWS, :COLUMNS].T]
        labels = np.unique(data.y[:ROWS], return_inverse=True)[1]
        recurring, copies = recurring_rows(columns, labels)
        rng, shuffled, shared = np.random.default_rng(0), 0, 0
        for _ in range(ORDERS):
            order = rng.permutation(len(labels))
            shuffled += serial_columns([column[order] for column in columns], labels[order]) > 0
            grew, tested = np.array_split(order, 2)
            pairs = zip(*(read_columns(np.transpose(columns)[part]).values() for part in (tested, grew)), strict=True)
            shared += len(shared_rows(pairs, labels[tested], labels[grew]))
        alarms: dict[str, Any] = {
            "data set": name, "rows": len(labels), "recurring": recurring, "copies": int(recurring > 0 and copies),
            "serial": serial_columns(columns, labels), "serial, shuffled": shuffled,
            "shared halves": shared,
        }  # fmt: skip
        yield {key: str(value) for key, value in alarms.items()}


def table(rows: list[Row]) -> str:
    """The data sets in which an alarm fires, and how many there are."""
    lines = [
        "| data set | rows | rows that recur | serial columns | serial in ten orders | halves that share rows |",
        "|---|---|---|---|---|---|",
    ]
    fires = [row for row in rows if any(int(row[key]) for key in REPORT.fields[2:])]
    for row in fires:
        recurring = f"{row['recurring']}{', copies' * int(row['copies'])}" if int(row["recurring"]) else "-"
        serial = row["serial"] if int(row["serial"]) else "-"
        cells = f"`{row['data set']}`", row["rows"], recurring, serial, row["serial, shuffled"], row["shared halves"]
        lines.append(f"| {' | '.join(cells)} |")
    recur, follow = (sum(int(row[key]) > 0 for row in rows) for key in ("recurring", "serial"))
    orders, halves = (sum(int(row[key]) for row in rows) for key in ("serial, shuffled", "shared halves"))
    sentence = f"Of {len(rows)} data sets rows recur in {recur}, neighbours are alike in {follow} as given"
    sentence = f"{sentence}, and in {orders} of {ORDERS * len(rows)} random orders of their rows"
    lines += ["", f"{sentence}; their halves share rows in {halves}."]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    REPORT.main(results, table)
