"""A loop of one line, for the time that numba itself takes in a new process."""

import numba


@numba.njit(cache=True)
def total(x):  # type: ignore[no-untyped-def]
    return x.sum()
