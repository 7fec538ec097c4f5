"""The line that is written while loops are compiled; a whole line is in the tests of the estimators."""

from __future__ import annotations

import gc

import pytest
from splitcrit.compile_notice import reporting_compilation

numba = pytest.importorskip("numba")

from numba.core import event  # noqa: E402


@pytest.mark.parametrize("terminal", [False, True])
def test_a_line_names_what_is_compiled_or_how_far_it_is(
    terminal: bool, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: terminal)
    from splitcrit.jit import called

    inner = called(lambda x: x + 1)
    with reporting_compilation(), reporting_compilation():
        numba.njit(lambda x: inner(x) + 2)(1)
    said = capfd.readouterr().err
    assert said.count("splitcrit: compiling once") == (1 if not terminal else said.count("function"))
    assert said.count("\n") == 1 and said.endswith(" s\n")


def test_a_block_that_is_not_aloud_says_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    for aloud in (False, True):
        function = numba.njit(lambda x: x + 1)
        with reporting_compilation(aloud=aloud), reporting_compilation():
            function(1)
        assert ("<lambda>" in capfd.readouterr().err) is aloud


@pytest.mark.parametrize("collecting", [False, True])
@pytest.mark.parametrize("aloud", [False, True])
def test_garbage_waits_until_all_is_compiled(collecting: bool, aloud: bool) -> None:
    from splitcrit.jit import called

    before, seen = gc.isenabled(), list[bool]()

    @called
    def inner(x):
        return x + 1

    class Watch(event.Listener):
        def on_start(self, _: object) -> None:
            seen.append(gc.isenabled())

        def on_end(self, _: object) -> None:
            pass

    (gc.enable if collecting else gc.disable)()
    try:
        with reporting_compilation(aloud=aloud), event.install_listener("numba:compile", Watch()):
            numba.njit(lambda x: inner(x) + 2)(1)
            assert gc.isenabled() is collecting
            with pytest.raises(numba.TypingError):
                numba.njit(lambda x: inner(x) + "2")(1)
        assert gc.isenabled() is collecting and seen == [False] * len(seen) and len(seen) > 2
    finally:
        (gc.enable if before else gc.disable)()


@pytest.mark.parametrize("aloud", [False, True])
def test_garbage_is_collected_again_after_a_block_that_ends_while_others_compile(aloud: bool) -> None:
    assert gc.isenabled()
    data = {"dispatcher": numba.njit(lambda x: x)}
    try:
        with reporting_compilation(aloud=aloud):
            event.start_event("numba:compile", data=data)
            assert not gc.isenabled()
        assert gc.isenabled()
        event.end_event("numba:compile", data=data)
        assert gc.isenabled()
    finally:
        gc.enable()
