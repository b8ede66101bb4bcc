"""Sphinx's settings: `make docs` builds the site from the Markdown pages and the docstrings.

The source folder is the repository's root, so a link between two files is the same on the site and
in the repository.
"""

import os
import sys
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

import wordpack

DOCS = Path(__file__).parent
sys.path.insert(0, str(DOCS))
# the tutorial's commands are those of this environment
os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
os.environ["DOCS"] = str(DOCS)

project = "wordpack"
author = "The wordpack authors"
version = release = wordpack.__version__

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.viewcode",
    "numpydoc",
    "algorithm_pages",
]
root_doc = "docs/index"
include_patterns = [
    "README.md",
    "METHODOLOGY.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "docs/**.md",
    "kernels/README.md",
    "src/wordpack/lexicon/lists/SOURCES.md",
]
exclude_patterns = [".*", "build", "site", "tests"]
suppress_warnings = ["autosummary.import_cycle"]

# a single backquote in a docstring marks a name
default_role = "code"
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
autosummary_generate = True
numpydoc_show_class_members = False

myst_heading_anchors = 3
myst_enable_extensions = ["attrs_block"]
nb_execution_raise_on_error = True
nb_execution_timeout = 300
nb_execution_in_temp = True
# matplotlib says so when it first looks for fonts
nb_output_stderr = "remove"

html_theme = "pydata_sphinx_theme"
html_title = "wordpack"
html_copy_source = False
html_additional_pages = {"index": "to_start.html"}
templates_path = ["templates"]
html_theme_options = {"show_prev_next": False, "footer_start": ["copyright"], "footer_end": []}
html_sidebars = {"docs/index": [], "README": [], "docs/tutorial": [], "docs/reference": []}


def plain_fields(
    _app: object, _what: str, _name: str, _it: object, _options: object, lines: list[str]
) -> None:
    """Show no docstring for a field of a NamedTuple that has none of its own."""
    if lines and lines[0].startswith("Alias for field number"):
        lines.clear()


def no_source(_app: object, tree: nodes.document) -> None:
    """Link no keyword arguments to their source: viewcode gives a module one name, `wordpack`."""
    for signature in tree.findall(addnodes.desc_signature):
        if signature.get("module", "").startswith("wordpack.library."):
            signature["module"] = ""


def setup(app: Sphinx) -> None:
    """Connect what is not a setting."""
    app.connect("doctree-read", no_source, priority=400)  # before viewcode's 500
    app.connect("autodoc-process-docstring", plain_fields)
