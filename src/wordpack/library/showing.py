"""Show answers in a notebook, and convert them for pandas."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from wordpack.errors import Unavailable


def data_frame(rows: Sequence[Any], columns: Sequence[str]) -> Any:
    """Return a pandas DataFrame; Unavailable if pandas is not installed."""
    try:
        import pandas as pd  # type: ignore[import-untyped]
    except ImportError:
        raise Unavailable("pandas is not installed: run `pip install pandas`.") from None
    return pd.DataFrame(rows, columns=list(columns))


def html_table(
    caption: str, columns: Sequence[str], rows: Iterable[Sequence[object]], more: int = 0
) -> str:
    """Return an HTML table for notebooks; a note says that `more` rows are left out."""
    from html import escape

    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows
    )
    left = f"<p>and {more:,} more</p>" if more else ""
    return (
        f"<table><caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table>{left}"
    )


def refuse_unknown(function: str, given: Mapping[str, object], known: Iterable[str]) -> None:
    """Raise TypeError, as Python does, for a keyword argument that `function` lacks."""
    for name in given:
        if name not in known:
            raise TypeError(f"{function}() got an unexpected keyword argument {name!r}")
