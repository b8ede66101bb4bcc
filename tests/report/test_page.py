"""The report's page as text: what it says, and that untrusted names stay names."""

from __future__ import annotations

import base64
import hashlib
import re
import sys

import pytest

from handmade_page import HOSTILE, Search, named, page_of_three, searches
from outline import Outline
from wordpack.errors import InputError
from wordpack.report import numbers
from wordpack.report.measurements import Measurements
from wordpack.report.page import About, render

ABOUT = About((), "", "0", "2025")


@pytest.fixture(scope="module")
def page() -> str:
    return page_of_three()


@pytest.fixture(scope="module")
def outline(page: str) -> Outline:
    return Outline(page)


def test_the_policy_names_the_scripts_and_nothing_else(outline: Outline) -> None:
    """The policy has the sha256 of each script and no other, and nothing is loaded."""
    run = [text for given, text in outline.scripts if "type" not in given]
    hashes = {
        f"'sha256-{base64.b64encode(hashlib.sha256(each.encode()).digest()).decode()}'"
        for each in run
    }
    rules = dict(rule.strip().split(" ", 1) for rule in outline.policy.split(";"))
    assert set(rules["script-src"].split()) == hashes
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    assert set(rules) == {
        *("default-src", "script-src", "style-src", "img-src", "base-uri", "form-action"),
    }
    assert not {"unsafe-eval", "unsafe-inline", "http:", "https:", "*"} & set(
        rules["script-src"].replace("'", "").split()
    )


def test_the_page_loads_nothing(outline: Outline, page: str) -> None:
    """Links lead within the page or to a file beside it; its style imports nothing."""
    assert all(link.startswith("#") or link == "report.csv" for link in outline.links)
    assert not {"link", "img", "iframe", "object", "embed"} & {tag for tag, _ in outline.elements}
    style = page[page.index("<style>") : page.index("</style>")]
    assert "url(" not in style
    assert "@import" not in style


@pytest.mark.parametrize("text", HOSTILE)
def test_names_add_no_element_and_no_attribute(text: str) -> None:
    """With hostile names the page has the same elements and scripts as with plain ones."""
    plain, hostile = Outline(render(*named("name"))), Outline(render(*named(text)))
    assert hostile.elements == plain.elements
    assert [script for given, script in hostile.scripts if "type" not in given] == [
        script for given, script in plain.scripts if "type" not in given
    ]
    assert all(link.startswith("#") or ":" not in link for link in hostile.links)
    assert numbers.plain(text) in hostile.data["texts"]


def test_invisible_characters_are_shown() -> None:
    """Direction marks, control characters and lone surrogates become U+FFFD."""
    assert (
        numbers.plain("a\u202eb\x00c\ud800d\u200be\nf\u2028g")
        == "a\ufffdb\ufffdc\ufffdd\ufffde f g"
    )
    assert numbers.plain("Größe 5 µs, 中文") == "Größe 5 µs, 中文"


def test_ids_are_unique_and_links_within_the_page_lead_somewhere(page: str) -> None:
    """Every # link of the page has its target."""
    body = page[: page.index('<script type="application/json"')]
    ids = re.findall(r' id="([^"]+)"', body)
    assert len(ids) == len(set(ids))
    assert {link[1:] for link in re.findall(r'href="(#[^"]+)"', body)} <= set(ids)


def test_tables_have_captions_and_scopes(outline: Outline) -> None:
    """Each table has a caption, and each of its headings a scope."""
    tags = [tag for tag, _ in outline.elements]
    assert tags.count("table") == tags.count("caption") > 0
    assert all("scope" in given for tag, given in outline.elements if tag == "th")


def test_without_its_libraries_the_page_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(InputError, match=r"pip install 'wordpack\[report\]'"):
        page_of_three()


def test_nothing_measured_is_a_page_too() -> None:
    """Without any measurement the page says so in each section."""
    text = " ".join(Outline(render(Measurements(), ABOUT)).texts)
    assert "No search was measured" in text
    assert "Growth was not measured" in text


def test_without_a_search_there_is_no_speedup_to_choose() -> None:
    """Without possible speed-ups no sentence mentions them, and no instance has an empty name."""
    growth = Outline(render(searches(Search("m", "b"), series="growth"), ABOUT))
    failed = Outline(render(searches(Search("m", "b", value=None)), ABOUT))
    assert not {"Speed-up"} & {text.strip() for text in growth.texts + failed.texts}
    hidden = [tag for tag, given in failed.elements if "hidden" in given]
    assert hidden == ["form", "p"]
    assert not any("hidden" in given for _, given in growth.elements)


def test_figures_of_zero_are_told_beside_the_chart() -> None:
    """A logarithmic axis has no zero: the page says how many figures the chart leaves out."""
    found = searches(Search("m", "a", value=0.0), Search("m", "b"), Search("m", "c", value=0.0))
    text = " ".join(Outline(render(found, ABOUT)).texts)
    assert "a logarithmic axis has no zero: 2 measured as 0." in text
    assert "a logarithmic axis has no zero" not in " ".join(Outline(page_of_three()).texts)


def test_hollow_triangles_are_explained(outline: Outline) -> None:
    """The history's caption explains the chart's marks."""
    assert any("hollow ones are not certain" in text for text in outline.texts)
