"""Worker processes that do not inherit threads; where there are fork servers a module is loaded once for all.

Importing this module imports nothing heavy, so that a server can load them while the process that asks for it does.

Main definitions: ``ahead`` (start the server), ``pool``.
"""

from __future__ import annotations

import multiprocessing
import signal
from concurrent.futures import ProcessPoolExecutor
from typing import Any

LOADED = "splitcrit.proofs.loaded"


def _context(loaded: str = LOADED) -> Any:
    served = "forkserver" in multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("forkserver" if served else "spawn")
    context.set_forkserver_preload([loaded])
    return context


def ahead() -> None:
    """Start the server of worker processes, where there is one."""
    if _context().get_start_method() == "forkserver":
        from multiprocessing import forkserver

        forkserver.ensure_running()


def _quiet() -> None:
    """Let an interrupt end a worker without a word; the parent has its say."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def pool(jobs: int, loaded: str = LOADED) -> ProcessPoolExecutor:
    """A number of worker processes, which need the module ``loaded`` (the statements of the ledger)."""
    return ProcessPoolExecutor(jobs, mp_context=_context(loaded), initializer=_quiet)
