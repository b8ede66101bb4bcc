"""The bar on standard error while rows are written."""

import io
import sys
import threading

import pytest

from wordpack.text.progress import bar, share_bar


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        """Return True."""
        return True


@pytest.mark.parametrize(("total", "shown"), [(1200, "1,200 of 1,200 rows"), (None, "1,200 rows")])
def test_it_says_how_many_rows(
    monkeypatch: pytest.MonkeyPatch, total: int | None, shown: str
) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("COLUMNS", "100")
    with bar(total) as wrote:
        wrote(1000)
        wrote(200)
    assert shown in terminal.getvalue()


def test_nobody_looks_and_nothing_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    with bar(5) as wrote:
        wrote(5)
    assert capsys.readouterr() == ("", "")


def test_a_share_is_followed_while_the_work_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another thread updates the share a few times a second."""
    terminal, asked = Terminal(), threading.Event()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("TERM", "xterm")

    def share() -> float:
        if "40%" in terminal.getvalue():
            asked.set()
        return 0.4

    with share_bar(share):
        assert asked.wait(30)


def test_without_a_terminal_a_share_is_not_shown(capsys: pytest.CaptureFixture[str]) -> None:
    with share_bar(lambda: 0.5):
        pass
    assert capsys.readouterr().err.strip() == ""
