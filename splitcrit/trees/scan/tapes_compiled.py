"""Tapes replayed in one compiled loop: a stretch of every number stays in the cache while all steps are done.

The loop holds no formula, a tape is data; the operations are those that IEEE 754 rounds correctly, so that the floats
are numpy's.

Main definitions: ``replay``; ``registers``; ``all_steps`` (within compiled code).
"""

from __future__ import annotations

import numpy as np

from splitcrit.arguments import Array
from splitcrit.compiling import called, kernel
from splitcrit.trees.scan.records import CompiledTape

ADD, SUB, MUL, DIV, NEG, ABS, SQRT, MAX, MIN, WHERE, EQ, NE, LT, LE = range(14)
STRETCH = 128
U = np.uint64


@called(_nrt=False)
def _arithmetic(op, v, x, y, z, m):  # type: ignore[no-untyped-def]
    if op == ADD:
        for i in range(m):
            v[z + i] = v[x + i] + v[y + i]
    elif op == SUB:
        for i in range(m):
            v[z + i] = v[x + i] - v[y + i]
    elif op == MUL:
        for i in range(m):
            v[z + i] = v[x + i] * v[y + i]
    elif op == DIV:
        for i in range(m):
            v[z + i] = v[x + i] / v[y + i]
    elif op == NEG:
        for i in range(m):
            v[z + i] = -v[x + i]
    elif op == ABS:
        for i in range(m):
            v[z + i] = abs(v[x + i])
    elif op == SQRT:
        for i in range(m):
            v[z + i] = np.sqrt(0.0 if v[x + i] < 0 else v[x + i])
    elif op == MAX:
        for i in range(m):
            v[z + i] = v[x + i] if v[x + i] >= v[y + i] or v[x + i] != v[x + i] else v[y + i]
    else:
        for i in range(m):
            v[z + i] = v[x + i] if v[x + i] <= v[y + i] or v[x + i] != v[x + i] else v[y + i]


@called(_nrt=False)
def _comparison(op, v, x, y, z, m):  # type: ignore[no-untyped-def]
    if op in (EQ, NE):
        equal = 1.0 if op == EQ else 0.0
        for i in range(m):
            v[z + i] = equal if v[x + i] == v[y + i] else 1.0 - equal
    elif op == LT:
        for i in range(m):
            v[z + i] = 1.0 if v[x + i] < v[y + i] else 0.0
    else:
        for i in range(m):
            v[z + i] = 1.0 if v[x + i] <= v[y + i] else 0.0


@called(_nrt=False)
def _choice(v, x, y, other, z, m):  # type: ignore[no-untyped-def]
    for i in range(m):
        a, b = v[y + i], v[other + i]
        v[z + i] = a if v[x + i] != 0 else b


@called(_nrt=False)
def all_steps(steps, flat, size):  # type: ignore[no-untyped-def]
    """Do the steps of a tape on the first numbers of every register."""
    m = U(size)
    for s in range(len(steps)):
        op, x, y, z = int(steps[s, 0]), U(steps[s, 1] * STRETCH), U(steps[s, 2] * STRETCH), U(steps[s, 4] * STRETCH)
        if op < WHERE:
            _arithmetic(op, flat, x, y, z, m)
        elif op == WHERE:
            _choice(flat, x, y, U(steps[s, 3] * STRETCH), z, m)
        else:
            _comparison(op, flat, x, y, z, m)


def registers(tape: CompiledTape, more: int = 0) -> Array:
    """Return a stretch for every register of a tape, which holds its constants, and for some ``more``."""
    found = np.ones((tape.registers + more, STRETCH))
    found[tape.places] = tape.constants[:, None]
    return found.ravel()


def replay(tape: CompiledTape, left: Array, right: Array, out: Array) -> None:
    """Write the outputs ``(o, 2 m)`` of a tape (``Recorded``) for inputs ``(k, m)``, the left before the right."""
    _replay(tape, left, right, registers(tape), out)


@kernel(_nrt=False)
def _replay(tape, left, right, flat, out):  # type: ignore[no-untyped-def]
    """Do so with space for every register."""
    k, m = left.shape
    steps, outputs = tape.steps, tape.outputs
    for side in range(2):
        for start in range(0, m, STRETCH):
            size = min(STRETCH, m - start)
            for c in range(k):
                for i in range(size):
                    flat[U(c * STRETCH + i)] = right[c, start + i] if side else left[c, start + i]
            all_steps(steps, flat, size)
            for o in range(len(outputs)):
                for i in range(size):
                    out[o, side * m + start + i] = flat[U(outputs[o] * STRETCH + i)]
