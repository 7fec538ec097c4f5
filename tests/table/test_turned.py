"""A table turned over: counts, and the names that belong to them."""

from __future__ import annotations

import numpy as np

from splitcrit import Table


def test_rows_and_classes_change_places_with_their_names() -> None:
    table = Table.of(["red", "red", "blue", "pink"], ["no", "yes", "no", "no"])
    assert (table.row_names, table.class_names) == (("blue", "pink", "red"), ("no", "yes"))
    turned = table.T
    assert (turned.row_names, turned.class_names) == (("no", "yes"), ("blue", "pink", "red"))
    for i, row in enumerate(table.row_names):
        for j, name in enumerate(table.class_names):
            assert turned.counts[turned.row_names.index(name), turned.class_names.index(row)] == table.counts[i, j]
    assert turned == Table.of(["no", "yes", "no", "no"], ["red", "red", "blue", "pink"])
    assert turned.T == table != turned


def test_every_table_of_a_batch_is_turned() -> None:
    batch = np.arange(12).reshape(2, 2, 3)
    assert Table.of(batch).T.counts.tolist() == [table.T.tolist() for table in batch]
