"""Columns of frames, Arrow tables, CSV and parquet files, counted by class: exactly in memory, or in two passes.

``splitcrit.table`` offers what is public here: ``Tables`` (``many_tables``) and ``Column`` (``two_passes``).

Main definitions: ``Tables``, ``Column``; ``source_of`` (``sources``) makes a source of whatever holds columns.
"""
