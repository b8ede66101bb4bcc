"""Parse an HTML page into its elements, scripts, links and text."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from typing import Any


class Outline(HTMLParser):
    """A page's elements with the names of their attributes, its scripts, links and text."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, tuple[str, ...]]] = []
        self.links: list[str] = []
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self.texts: list[str] = []
        self.policy = ""
        self._within = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Record an element."""
        given = dict(attrs)
        self.elements.append((tag, tuple(given)))
        self.links += [str(given[key]) for key in ("href", "src", "action") if key in given]
        if given.get("http-equiv") == "Content-Security-Policy":
            self.policy = str(given["content"])
        self._within = tag
        if tag == "script":
            self.scripts.append((given, ""))

    def handle_endtag(self, tag: str) -> None:  # noqa: ARG002  html.parser's signature
        """Leave the element."""
        self._within = ""

    def handle_data(self, data: str) -> None:
        """Record text, with a script's kept apart."""
        if self._within == "script":
            attributes, text = self.scripts[-1]
            self.scripts[-1] = (attributes, text + data)
        else:
            self.texts.append(data)

    @property
    def data(self) -> Any:
        """Return the page's embedded JSON, parsed strictly."""
        (text,) = (text for given, text in self.scripts if given.get("id") == "data")
        return json.loads(text, parse_constant=_refuse)


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")
