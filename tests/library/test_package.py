"""The modules that `import wordpack` loads, and its public names."""

import pkgutil
import subprocess
import sys

import pytest

import wordpack

CODE = """
import sys
import wordpack
dir(wordpack)
assert not {"numpy", "numba", "click", "rich", "pandas"} & set(sys.modules), set(sys.modules)
assert callable(wordpack.solve) and "wordpack.library.solving" in sys.modules
"""


def test_the_import_alone_loads_nothing_heavy() -> None:
    subprocess.run([sys.executable, "-c", CODE], check=True)


def test_no_public_name_is_a_submodule() -> None:
    """An attribute and a submodule of one name would overwrite each other."""
    submodules = {each.name for each in pkgutil.iter_modules(wordpack.__path__)}
    assert {"solving", "library"} <= submodules
    submodules |= {"baselines", "kernels"}  # an editable install has them elsewhere
    assert not submodules & set(wordpack.__all__)


@pytest.mark.parametrize("name", wordpack.__all__)
def test_every_public_name_is_there_and_described(name: str) -> None:
    assert name in dir(wordpack)
    assert (getattr(wordpack, name).__doc__ or "").strip()


def test_another_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'slove'"):
        wordpack.slove  # type: ignore[attr-defined]  # noqa: B018  it raises
