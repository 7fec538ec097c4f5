"""What distributed trees send over a network, beside the Dask trees of XGBoost: bytes and seconds, on the same rows.

Each worker is a process in a network namespace of its own, joined to the others by a bridge; bytes are what its network
device says it has sent (which needs root and ``ip``). Rows are made by the workers and held there before a tree grows.

Run: ``python reproductions/studies/dask_network.py [ROWS] [--save]``; ``--save`` writes
``reproductions/studies/distributed_network.md``.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import dask.array as da
import distributed
import numpy as np
import xgboost.collective
import xgboost.dask

from splitcrit import DaskTreeClassifier, TreeClassifier
from splitcrit.atomic_files import write_text

FEATURES, BINS, PARTS = 20, 255, 8
DEPTHS = (6, 10, 13, 0)  # 0: full
LONG = 200_000  # from here on a full tree of XGBoost sends gigabytes, and takes minutes
BRIDGE, NET = "treebridge", "10.77.0"


def ip(*words: str) -> None:
    """Run ``ip``."""
    subprocess.run(["ip", *words], check=True)


@contextmanager
def namespace(number: int) -> Iterator[str]:
    """Make a network namespace with an address on the bridge."""
    name, device = f"tree{number}", f"treedev{number}"
    ip("netns", "add", name)
    try:
        ip("link", "add", device, "type", "veth", "peer", "name", "eth0", "netns", name)
        ip("link", "set", device, "master", BRIDGE, "up")
        ip("-n", name, "addr", "add", f"{NET}.{number + 2}/24", "dev", "eth0")
        for link in ("eth0", "lo"):
            ip("-n", name, "link", "set", link, "up")
        yield name
    finally:
        ip("netns", "del", name)


@contextmanager
def network(workers: int) -> Iterator[tuple[distributed.Client, Callable[[], int]]]:
    """Start workers in namespaces; yield a client, and what tells how many bytes they have sent."""
    with ExitStack() as stack:
        ip("link", "add", BRIDGE, "type", "bridge")
        stack.callback(ip, "link", "del", BRIDGE)
        ip("addr", "add", f"{NET}.1/24", "dev", BRIDGE)
        ip("link", "set", BRIDGE, "up")
        cluster = stack.enter_context(distributed.LocalCluster(n_workers=0, host=f"{NET}.1", dashboard_address=None))
        client = stack.enter_context(distributed.Client(cluster))
        names = [stack.enter_context(namespace(number)) for number in range(workers)]
        for number, name in enumerate(names):
            command = ["ip", "netns", "exec", name, sys.executable, "-m", "distributed.cli.dask_worker"]
            options = ["--nthreads", "1", "--no-dashboard", "--no-nanny", "--host", f"{NET}.{number + 2}"]
            process = subprocess.Popen([*command, cluster.scheduler_address, *options], stderr=subprocess.DEVNULL)
            stack.callback(process.wait)
            stack.callback(process.terminate)
        client.wait_for_workers(workers, timeout=120)
        yield client, lambda: sum(map(_sent, names))


def _sent(name: str) -> int:
    """How many bytes the device of a namespace has sent."""
    command = ["ip", "netns", "exec", name, "cat", "/proc/net/dev"]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return int(next(line for line in lines if "eth0:" in line).split(":")[1].split()[8])


def busy(client: distributed.Client) -> float:
    """The CPU seconds of the workers and the client."""
    return time.process_time() + sum(client.run(time.process_time).values())


def generated(rows: int) -> tuple[Any, Any]:
    """Normal features in float32, and labels that a sum of three of them predicts with noise."""
    part = rows // PARTS
    x = da.random.default_rng(0).normal(size=(rows, FEATURES), chunks=(part, FEATURES)).astype(np.float32)
    noise = da.random.default_rng(1).normal(size=rows, chunks=part)
    return x, (x[:, 0] + x[:, 1] * x[:, 2] + noise > 0).astype(np.int64)


def ours(depth: int, x: Any, y: Any, _: Any) -> int:
    """The number of nodes of our tree."""
    return int(DaskTreeClassifier(max_depth=depth or None, max_bins=BINS).fit(x, y).tree_.node_count)


def theirs(depth: int, x: Any, y: Any, client: Any) -> int:
    """The number of nodes of one tree of XGBoost, which splits as we do: no penalty, any gain."""
    rules: dict[str, Any] = {
        "lambda": 0,
        "min_child_weight": 0,
        "max_depth": depth,
        "max_bin": BINS,
        "tree_method": "hist",
    }
    data = xgboost.dask.DaskQuantileDMatrix(client, x, y, max_bin=BINS)
    where = xgboost.collective.Config(tracker_host_ip=f"{NET}.1")
    rules |= {"objective": "binary:logistic", "nthread": 1}
    trained = xgboost.dask.train(client, rules, data, 1, coll_cfg=where)
    return len(trained["booster"].trees_to_dataframe())


def main() -> None:
    """Measure and print, and write the page."""
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    rows = numbers[0] if numbers else 1_000_000
    lines = []
    for workers in (1, 2):
        with network(workers) as (client, sent):
            x, y = client.persist(generated(rows))
            distributed.wait([x, y])
            small = client.persist(generated(20_000))
            for depth in DEPTHS:
                for name, fit in (("splitcrit", ours), ("XGBoost", theirs)):
                    if fit is theirs and not depth and rows >= LONG:
                        continue
                    fit(0, *small, client)  # compiled, connected
                    before, cpu, start = sent(), busy(client), time.perf_counter()
                    nodes = fit(depth, x, y, client)
                    seconds, cpu, moved = time.perf_counter() - start, busy(client) - cpu, (sent() - before) / 1e6
                    first = f"| {workers} | {depth or 'full'} | {name} | {nodes:,} |"
                    lines.append(f"{first} {seconds:.1f} | {cpu:.1f} | {moved:,.1f} |")
                    print(lines[-1], flush=True)
    x, y = (a.compute() for a in generated(rows))
    for depth in DEPTHS:
        cpu, start = time.process_time(), time.perf_counter()
        nodes = TreeClassifier(max_depth=depth or None).fit(x, y).tree_.node_count
        seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
        lines.append(f"| in memory | {depth or 'full'} | TreeClassifier | {nodes:,} | {seconds:.1f} | {cpu:.1f} | |")
        print(lines[-1], flush=True)
    if "--save" in sys.argv:
        write_text(Path(__file__).with_name("distributed_network.md"), page(rows, lines))


def page(rows: int, lines: list[str]) -> str:
    """The page of results."""
    return f"""# What distributed trees send, beside XGBoost's

Written by `python reproductions/studies/dask_network.py {rows} --save`: one tree of {rows:,} rows and {FEATURES} normal
features in float32, 2 classes, at most {BINS} bins, {PARTS} partitions. Each worker is a process of one thread in a
network namespace of its own; what it sends, to the other worker, the scheduler and the client, is counted by its
network device, headers included. Rows lie on the workers before a tree grows. The tree in memory is grown on all
values, not on bins. XGBoost is {xgboost.__version__}; its tree has no penalties. Two cores serve the workers, the
scheduler and the client, and other work shared them, so seconds say little; CPU seconds, of workers and client, and
bytes say more.

What our tree sends besides histograms (at most 5 MB down to depth 6, between two workers) is sketches and rows: those
of small nodes, once, in bins, and partitions that Dask moves to a worker that has nothing to do, which differs from run
to run.

| workers | depth | tree | nodes | seconds | CPU s | MB sent |
|--:|--:|---|--:|--:|--:|--:|
{chr(10).join(lines)}
"""


if __name__ == "__main__":
    main()
