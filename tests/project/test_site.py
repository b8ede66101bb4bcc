"""The documentation site: it builds without warnings, no link is broken, a phone shows it."""

import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import pytest
from filelock import FileLock

from tree import ROOT
from wordpack.backend import registry

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow

SOURCES = ("docs", "kernels", "baselines", "src", "bench", "tests", "ci")
"""Folders of pages, and of files that pages link to."""

SIGNATURES = 46
"""Of the toy's fifty words."""

PHONE = {"width": 390, "height": 844}
"""Pixels of a small phone of these years."""


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a copy of the tree's pages as `make docs` does; a warning is an error."""
    for package in ("sphinx", "myst_nb", "numpydoc", "pydata_sphinx_theme", "matplotlib"):
        pytest.importorskip(package, reason="pip install 'wordpack[docs]'")
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ or folder.name.startswith("popen-"):
        folder = folder.parent  # of all workers: the first that comes here builds
    built = folder / "site"
    with FileLock(folder / "site.lock"):
        if not built.exists():
            build(tmp_path_factory.mktemp("tree"), built)
    return built


def build(tree: Path, built: Path) -> None:
    """Build the site in a copy of this tree."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    command = re.search(r"^docs:.*\n\t\$\(BIN\)/python (.*) site$", makefile, re.MULTILINE)
    assert command is not None
    for name in (*ROOT.glob("*.md"), *map(ROOT.joinpath, SOURCES)):
        copy(name, tree / name.relative_to(ROOT))
    made = subprocess.run(
        [sys.executable, *command[1].split(), str(built)],
        capture_output=True,
        text=True,
        check=False,
        cwd=tree,
    )
    assert made.returncode == 0, made.stderr


def copy(here: Path, there: Path) -> None:
    if here.is_dir():
        shutil.copytree(here, there, ignore=shutil.ignore_patterns("__pycache__", "algorithms"))
    else:
        shutil.copy(here, there)


def pages_of(site: Path) -> list[Path]:
    """Return the pages: the theme's templates and the example report are none."""
    every = [path.relative_to(site) for path in sorted(site.rglob("*.html"))]
    return [site / path for path in every if path.parts[0] not in ("_static", "_downloads")]


class Links(HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep what a tag leads to, and what it is called."""
        for name, value in attrs:
            if value and name in ("href", "src") and tag in ("a", "img", "link", "script"):
                self.links.append(value)
            if value and name in ("id", "name"):
                self.anchors.add(value)


def test_no_link_inside_the_site_is_broken(site: Path) -> None:
    """Each leads to a file of the site, and to an anchor that this file has."""
    pages = {path: Links(path.read_text(encoding="utf-8")) for path in pages_of(site)}
    assert len(pages) > 2 * len(registry.ROWS)
    broken = []
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            anchors = pages[target].anchors if target in pages else set()
            if not target.exists() or unquote(parts.fragment) not in anchors | {""}:
                broken.append(f"{path.relative_to(site)}: {link}")
    assert broken == [], broken[:40]


def test_every_backend_has_a_page_with_its_counters(site: Path) -> None:
    """The tree of plain combinations is all choices of five of the toy's signatures."""
    for row in registry.ROWS:
        page = (site / "docs" / "algorithms" / f"{row.name}.html").read_text(encoding="utf-8")
        assert page.count("<svg") >= 1
    page = (site / "docs" / "algorithms" / "combinations.html").read_text(encoding="utf-8")
    assert f"{comb(SIGNATURES, 5):,}" in page


def test_the_tutorial_was_executed(site: Path) -> None:
    """Its page has the published counts, a plot, a table of two machines and a game."""
    page = (site / "docs" / "tutorial.html").read_text(encoding="utf-8")
    for said in ("538 packings, 831 solutions", "epyc-2", "3.7028077", 'alt="../_images'):
        assert said in page


def test_no_page_is_wider_than_a_phone_or_asks_the_network(site: Path, browser: "Browser") -> None:
    """Neither does any page log an error."""
    seen: list[str] = []
    context = browser.new_context(viewport=PHONE)  # type: ignore[arg-type]
    page = context.new_page()
    page.on("pageerror", lambda error: seen.append(f"error: {error}"))
    page.on(
        "request",
        lambda request: (
            seen.append(request.url)
            if "://" in request.url and not request.url.startswith("file:")
            else None
        ),
    )
    for path in set(pages_of(site)) - {site / "index.html"}:  # it leads to another at once
        page.goto(path.as_uri())
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        if wide > 0:
            seen.append(f"{path.relative_to(site)} is {wide} pixels too wide")
    context.close()
    assert seen == []
