"""Tables scored where they lie, against the copy bandwidth: ``python reproductions/studies/arrays.py [TABLES]``.

Every array library that imports scores a batch of 2 x 2 tables of int64 counts, 10^7 of them on a GPU and 10^6 on a
CPU, on the device; arrays.md shows the times, beside numpy's in the same process. Bytes read are those of the counts;
the bandwidth is that of a copy of 256 MiB, read and write counted, by the library that copies fastest there. A score
that read the counts once, wrote its result and did nothing else would reach 0.8; more than 1 says that the counts lay
in a cache.
"""

from __future__ import annotations

import importlib
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from splitcrit import decrease, gini, sgini, twoing
from splitcrit.arith import arithmetic_of

RESULTS = Path(__file__).with_name("arrays.md")
COPIED = 2**25  # float64 numbers in the copy whose bandwidth is the limit
RUNS = 5


class Device(NamedTuple):
    """A library, its device in words, and how to place an array there, copy one into another and wait for one."""

    name: str
    words: str
    place: Callable[[np.ndarray], Any]
    copy: Callable[[Any, Any], Any]
    wait: Callable[[Any], object]
    compiled: Callable[[Callable[[Any], Any]], Callable[[Any], Any]] | None
    gpu: bool


def torch_device(torch: Any) -> Device:
    gpu = torch.cuda.is_available()
    words = torch.cuda.get_device_name() if gpu else f"CPU, {torch.get_num_threads()} threads"
    where = "cuda" if gpu else "cpu"
    wait = (lambda x: torch.cuda.synchronize()) if gpu else (lambda x: x)
    return Device("torch", words, lambda x: torch.asarray(x, device=where), lambda to, x: to.copy_(x), wait, None, gpu)


def jax_device(jax: Any) -> Device:
    jax.config.update("jax_enable_x64", True)
    device = jax.devices()[0]
    gpu = device.platform != "cpu"
    copy = jax.jit(lambda to, x: x + 1)  # jax writes where it likes; a sum is one pass as well
    return Device("jax", str(device), jax.numpy.asarray, copy, lambda x: x.block_until_ready(), jax.jit, gpu)


def cupy_device(cupy: Any) -> Device:
    words = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()

    def wait(x: Any) -> None:
        cupy.cuda.Device().synchronize()

    return Device("cupy", words, cupy.asarray, cupy.copyto, wait, None, True)


def devices() -> Iterator[Device]:
    """Yield numpy and every library that imports and finds its device."""
    words = f"{platform.machine()} CPU"
    yield Device("numpy", words, np.asarray, np.copyto, lambda x: x, None, False)
    for name, maker in (("torch", torch_device), ("jax", jax_device), ("cupy", cupy_device)):
        try:
            yield maker(importlib.import_module(name))
        except Exception as error:  # a library without its device is left out, and said so
            print(f"{name}: left out ({error})", file=sys.stderr)


def seconds(device: Device, action: Callable[[], Any]) -> float:
    """The median time of an action after a warm-up, the device waited for."""
    device.wait(action())
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        device.wait(action())
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def ways(device: Device) -> Iterator[tuple[str, Callable[[Any], Any]]]:
    """Yield what is timed: the public function, which checks counts, the formula alone, and the formula compiled."""
    for criterion in (twoing, decrease(gini), sgini):
        yield repr(criterion), criterion

    def formula(counts: Any) -> Any:
        m: Any = arithmetic_of(counts)
        return twoing.score(m.cells(counts), m)

    if device.name != "numpy":
        yield "twoing, formula alone", formula
    if device.compiled:
        yield "twoing, formula compiled", device.compiled(formula)


def rows(tables: int | None, each: Iterable[Device]) -> Iterator[tuple[Any, ...]]:
    """Yield device, what, tables, seconds, seconds of numpy, share of the bandwidth; numpy is the first device."""
    rng, base, limit = np.random.default_rng(0), {}, {}
    for device in each:
        size = tables or (10**7 if device.gpu else 10**6)
        counts = rng.integers(0, 1000, (size, 2, 2))
        there, blocks = device.place(counts), [device.place(np.ones(COPIED)) for _ in range(2)]
        own = 2 * 8 * COPIED / seconds(device, lambda blocks=blocks, copy=device.copy: copy(*blocks))
        limit[device.gpu] = bandwidth = max(own, limit.get(device.gpu, 0.0))
        for what, score in ways(device):
            took = seconds(device, lambda score=score, there=there: score(there))
            base.setdefault(what.partition(",")[0], took / size)
            ratio = took / size / base[what.partition(",")[0]]
            yield device, what, size, took, ratio, bandwidth, counts.nbytes / took / bandwidth


def listed(tables: int | None, each: Iterable[Device]) -> list[str]:
    """Measure, and return the table of results; a line is printed as soon as it is known."""
    lines = ["| library | device | what | tables | seconds | of numpy's time | copy, GB/s | share of the bandwidth |"]
    lines += ["|---|---|---|---|---|---|---|---|"]
    for device, what, size, took, ratio, bandwidth, share in rows(tables, each):
        line = f"| {device.name} | {device.words} | {what} | {size} | {took:.3g} "
        line += f"| {ratio:.2f} | {bandwidth / 1e9:.1f} | {share:.3f} |"
        print(line, flush=True)
        lines.append(line)
    return lines


def main() -> None:
    """Measure and write."""
    tables = int(sys.argv[1]) if len(sys.argv) > 1 else None
    lines = [
        "# Arrays\n",
        "Written by `python reproductions/studies/arrays.py`: 2 x 2 tables of int64 counts, scored where they lie; "
        f"medians of {RUNS} runs. A share above 1 says that the counts lay in a cache.",
        f"Load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores: above the number of cores other work took "
        "part of the time, and the figures are rough.\n",
    ]
    lines += listed(tables, devices())
    RESULTS.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
