"""The Python of docs/library.md runs, in order, as a reader would type it."""

import re

import pytest

from tree import ROOT

PAGE = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")


def test_the_code_of_the_page_runs(
    tmp_path: object, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every block runs in one namespace and a new folder; the first prints what the page says."""
    monkeypatch.chdir(str(tmp_path))
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert len(blocks) == PAGE.count("```") // 2 - PAGE.count("```text")
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, "docs/library.md", "exec"), names)  # noqa: S102  the page's own code
    assert capsys.readouterr().out.startswith("fjord gucks nymph vibex waltz\n")
