"""Run the notebooks, each as in a clean kernel: `python notebooks/run.py [--write] [NAME ...]`.

Without --write what a cell prints must be what the file holds, numbers to six digits; of cells tagged `varies`, which
print times, only the words; cells tagged `optional`, for libraries that may be missing, need only run. With --write the
file takes what was printed.
"""

import argparse
import math
import os
import re
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

HOME = Path(__file__).parent
sys.path.insert(0, str(HOME.parent))

from tools.kernels import begin_anew  # noqa: E402

NUMBER = re.compile(r"-?\d+\.\d+(?:e[-+]?\d+)?")
NOTICE = re.compile(r"\r?splitcrit: compiling once.*?\.\.\. [\d.]+ s\r?\n", re.DOTALL)


def executed(client: NotebookClient, path: Path) -> Any:
    """Return the notebook as a clean kernel leaves it; the client keeps its kernel for the next one."""
    client.nb = notebook = nbformat.read(path, as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        client.resources = {"metadata": {"path": folder}}
        if client.kc is not None:
            begin_anew(client, folder)
        client.execute(cleanup_kc=False)
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        if cell.cell_type == "code":
            cell.outputs = [part for part in cell.outputs if part.get("name") != "stderr"]
    return notebook


def printed(cell: Any) -> str:
    """Return the text that a cell shows, without the notice that something is compiled."""
    texts = (part.get("text", "") or part.get("data", {}).get("text/plain", "") for part in cell.outputs)
    return NOTICE.sub("", "".join(texts))


def same(kept: str, found: str, tags: list[str]) -> bool:
    """Tell whether two texts agree as far as the tags of their cell ask."""
    if "optional" in tags:
        return True
    if NUMBER.sub("#", kept) != NUMBER.sub("#", found):
        return False
    if "varies" in tags:
        return True
    pairs = zip(NUMBER.findall(kept), NUMBER.findall(found), strict=True)
    return all(math.isclose(float(a), float(b), rel_tol=1e-6, abs_tol=1e-9) for a, b in pairs)


def differences(kept: Any, found: Any) -> list[str]:
    """Return a sentence for each cell that prints something else than the file holds."""
    pairs = [(a, b) for a, b in zip(kept.cells, found.cells, strict=True) if a.cell_type == "code"]
    return [
        f"cell {i} printed\n{printed(b)}\nand the file holds\n{printed(a)}"
        for i, (a, b) in enumerate(pairs, 1)
        if not same(printed(a), printed(b), a.metadata.get("tags", []))
    ]


def main() -> int:
    """Run what was asked for; 1 if a cell failed or printed something else."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="the beginning of a file name, such as 03; all by default")
    parser.add_argument("--write", action="store_true", help="keep what is printed")
    given = parser.parse_args()
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    wrong = 0
    client = NotebookClient(nbformat.v4.new_notebook(), timeout=300, kernel_name="python3")
    for path in sorted(HOME.glob("*.ipynb")):
        if given.names and not path.name.startswith(tuple(given.names)):
            continue
        start = time.perf_counter()
        try:
            found = executed(client, path)
        except CellExecutionError as error:
            wrong += 1
            print(f"{path.name}: a cell failed\n{error}")
            continue
        bad = [] if given.write else differences(nbformat.read(path, as_version=4), found)
        if given.write:
            nbformat.write(found, path)
        wrong += bool(bad)
        print(
            f"{path.name}: {'; '.join(bad) or 'as kept' if not given.write else 'written'}, "
            f"{time.perf_counter() - start:.0f} s",
            flush=True,
        )
    if client.km is not None:
        client._cleanup_kernel()
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
