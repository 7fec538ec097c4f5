"""One kernel runs page after page, or notebook after notebook, since to start one takes some four seconds.

None sees anything of those before it: names are forgotten, cells are counted from 1, pictures have the settings of a
new kernel, and the folder is its own.

Main definitions: ``begin_anew``.
"""

from __future__ import annotations

from typing import Any

ANEW = """
import os
os.chdir({folder!r})
get_ipython().reset(new_session=True)
import sys
if "matplotlib" in sys.modules:
    import matplotlib.pyplot
    matplotlib.pyplot.close("all")
    matplotlib.rc_file_defaults()
del sys
"""


def begin_anew(client: Any, folder: str) -> None:
    """Let the kernel of a client of notebooks be as new, in a folder."""
    asked = client.kc.execute(ANEW.format(folder=folder), silent=True)
    reply = client.wait_for_reply(asked)["content"]
    if reply["status"] != "ok":
        raise RuntimeError(f"the kernel does not begin anew: {reply}")
