"""An unknown command or option is answered by the one that it nearly is, in one sentence below the usage."""

from __future__ import annotations

import pytest

from splitcrit.cli import main

HELP = "splitcrit --help lists the commands, COMMAND --help their options"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["rnak", "x.csv"], "got 'rnak'; did you mean rank?"),
        (["verrify"], "got 'verrify'; did you mean verify?"),
        (["--json", "criterio"], "got '--json'; "),
        (["zzz"], f"got 'zzz'; {HELP}"),
        (["--versoin"], "splitcrit has options that --help lists; got '--versoin'; did you mean --version?"),
        (["rank", "x.csv", "--taget", "y"], "splitcrit rank has options that --help lists; got '--taget'; did you "),
        (["rank", "x.csv", "--target", "y", "--nul=permutations"], "options that --help lists; got '--nul'; "),
        (["rank", "x.csv", "--target", "y", "--dat=day-frist"], "invalid choice: 'day-frist'"),
        (["rank", "x.csv", "--missin=NA", "--jsno"], "got '--jsno'; did you mean --json?"),
        (["rank", "x.csv", "-target", "y"], "got '-target'; did you mean --target?"),
        (["rank", ""], "a file or folder needs a name; got an empty text; name it"),
        (["rank", "x.csv", "--target", "y", "--resume="], "argument --resume: a file or folder needs a name"),
        (["rank", "x.csv", "--target", "y", "--json", "out"], "arguments: out; the FILE of --json has a name"),
        (["explain", "a.key", "other"], "unrecognized arguments: other"),
        (["explain", "--zzz"], f"got '--zzz'; {HELP}"),
        (["criteria", "--js\x1bon"], r"got '--js\x1bon'; did you mean --json?"),
        (["criteria", "--", "--jsn", "--json", "\x1b"], ""),
    ],
)
def test_the_near_match_is_named(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    if not said:  # behind two dashes nothing is an option
        assert main(words) == 2
        assert "got '--jsn'" in capsys.readouterr().err
        return
    with pytest.raises(SystemExit, match="2"):
        main(words)
    printed = capsys.readouterr()
    last = printed.err.splitlines()[-1]
    assert printed.err.startswith("usage: splitcrit") and said in last and last.isprintable() and printed.out == ""


@pytest.mark.parametrize("words", [["verify", "--jobs", "-1", "--lis", "noise"], ["--version"], ["rank", "--help"]])
def test_what_argparse_understands_passes(words: list[str]) -> None:
    try:
        status = main(words)
    except SystemExit as left:
        status = left.code
    assert status == 0
