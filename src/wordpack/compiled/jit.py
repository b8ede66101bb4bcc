"""Compile a kernel with numba once, and keep its machine code between processes.

Importing numba takes longer than most searches here, and numba's own cache needs that import. So
a kernel is compiled as a C function (`numba.cfunc`), its machine code is kept in the user's cache
folder, and later processes load it with llvmlite alone. A kernel is a plain function whose
annotations give its C signature. It gets every array from its caller, allocates nothing, raises
nothing, and calls only functions of its own package. It runs without the GIL. If no folder can be
written, or the file is damaged or from another version or processor, the kernel is simply compiled
again. Related arguments may be passed as a NamedTuple (`arguments`).
"""

import ctypes
import hashlib
import importlib
import importlib.util
import inspect
import os
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Annotated, Any, TypeGuard

import numpy as np
import numpy.typing as npt

from wordpack.compiled import arguments, code_cache, instructions, linking
from wordpack.compiled.arguments import Parameter, flatten
from wordpack.errors import Unavailable
from wordpack.system.libraries import loaded, set_up

Uint16Table = Annotated[npt.NDArray[np.uint16], "uint16", 2]
Uint8Table = Annotated[npt.NDArray[np.uint8], "uint8", 2]
Uint8s = Annotated[npt.NDArray[np.uint8], "uint8", 1]
Uint64s = Annotated[npt.NDArray[np.uint64], "uint64", 1]
Int64s = Annotated[npt.NDArray[np.int64], "int64", 1]
Float64s = Annotated[npt.NDArray[np.float64], "float64", 1]
Float64Table = Annotated[npt.NDArray[np.float64], "float64", 2]
Int64Table = Annotated[npt.NDArray[np.int64], "int64", 2]
Int32s = Annotated[npt.NDArray[np.int32], "int32", 1]
Int32Table = Annotated[npt.NDArray[np.int32], "int32", 2]
Uint64Table = Annotated[npt.NDArray[np.uint64], "uint64", 2]
Uint32Table = Annotated[npt.NDArray[np.uint32], "uint32", 2]
"""C-contiguous arrays, as parameters of a kernel. Other parameters and the result are int."""


MISSING = "numba is not installed: reinstall wordpack."


def versions() -> str:
    """Return numba's and LLVM's versions; raise Unavailable if either is missing or broken."""
    with loaded("llvmlite", "llvmlite is not installed: reinstall numba."):
        llvmlite = importlib.import_module("llvmlite")
        llvm = importlib.import_module("llvmlite.binding")
        release = ".".join(map(str, llvm.llvm_version_info))
        made = f"llvmlite {llvmlite.__version__}, LLVM {release}"
    return f"numba {_numba_version()}, {made}"


def _numba_version() -> str:
    """Read the version from numba's files, to avoid importing numba."""
    found = importlib.util.find_spec("numba")
    if found is None or found.origin is None:
        raise Unavailable(MISSING)
    try:
        text = Path(found.origin).with_name("_version.py").read_text()
    except OSError:
        text = ""
    version = re.search(r'"version": "([^"]+)"', text)
    return version[1] if version else str(getattr(_numba(), "__version__", "of no version"))


def _numba() -> Any:
    """Import numba; Unavailable says why that fails."""
    with loaded("numba", MISSING):
        return importlib.import_module("numba")


class KernelError(TypeError):
    """A function of ours breaks a rule of kernels; the message says which rule."""


class Kernel:
    """A compiled function; call it with the arrays, ints and named tuples of its annotations."""

    def __init__(self, function: Callable[..., int], **instead: Any) -> None:
        self._parameters = arguments.parameters(function, instead)
        self._engine, address = _machine_code(function, self._parameters)
        types = arguments.flat_types(self._parameters)
        self._call = ctypes.CFUNCTYPE(ctypes.c_int64, *types)(address)

    def __call__(self, *values: Any) -> int:
        """Run the kernel, without the GIL."""
        return int(self._call(*flatten(self._parameters, values)))

    def bind(self, *first: Any) -> Callable[..., int]:
        """Bind the first arguments once, for kernels that run for microseconds."""
        flat = flatten(self._parameters[: len(first)], first)
        others = self._parameters[len(first) :]

        def bound(*values: Any, _keep: Any = first) -> int:
            return int(self._call(*flat, *flatten(others, values)))

        return bound


@cache
def kernel(function: Callable[..., int], **instead: Any) -> Kernel:
    """Return `function` compiled; types in `instead` override its annotations.

    The same function and types give the same object.
    """
    return Kernel(function, **instead)


def _machine_code(function: Callable[..., int], parameters: list[Parameter]) -> tuple[object, int]:
    """Return an object to keep alive, and the address of `function` as a C function.

    Raises Unavailable if numba or LLVM fails, whatever they raise.
    """
    release = versions()
    with set_up("numba", f"used for {function.__name__}", passing=(KernelError,)):
        return _kept_or_made(function, parameters, release)


def _kept_or_made(
    function: Callable[..., int], parameters: list[Parameter], release: str
) -> tuple[object, int]:
    import llvmlite.binding as llvm

    machine = linking.target_machine(llvm)
    parts = [
        *(Path(path).read_bytes() for path in sorted(_files(function))),
        Path(__file__).read_bytes(),
        Path(arguments.__file__).read_bytes(),
        Path(instructions.__file__).read_bytes(),
        Path(linking.__file__).read_bytes(),
        repr((function.__name__, parameters, _constants(function), release)).encode(),
        repr(linking.processor(llvm)).encode(),
        # numba's settings change the code: unoptimised code must not be shared
        repr(sorted(item for item in os.environ.items() if item[0].startswith("NUMBA_"))).encode(),
    ]
    key = hashlib.sha256(b"\0".join(parts)).hexdigest()[:20]
    name = f"{Path(inspect.getfile(function)).stem}-{key}.kernel"

    def make() -> bytes:
        compiled = _compile(function, parameters)
        code = machine.emit_object(llvm.parse_assembly(compiled.inspect_llvm()))
        return bytes(compiled.native_name.encode() + b"\n" + code)

    symbol, _, code = code_cache.once(name, make).partition(b"\n")
    # the process that compiled it also runs the kept code, so that all run the same
    engine, address = linking.link(llvm, machine, symbol.decode(), code)
    if not address:
        raise Unavailable(f"the code of {function.__name__} could not be linked: report this.")
    return engine, address


def _constants(function: Callable[..., int]) -> list[Any]:
    """Return the ints, named tuples and own-package functions that `function` uses."""
    found: list[Any] = []
    for name, value in sorted(inspect.getclosurevars(function).globals.items()):
        if isinstance(value, int):
            found.append((name, value))
        elif arguments.is_group(value):
            found.append((name, value.__name__, arguments.field_names(value)))
        elif _is_own(value, function):
            found.append((name, _constants(value)))
    return found


def _files(function: Callable[..., int]) -> set[str]:
    """Return the files of `function` and of all functions that it calls."""
    called = inspect.getclosurevars(function).globals.values()
    own = [_files(value) for value in called if _is_own(value, function)]
    return {inspect.getfile(function)}.union(*own)


def _is_own(value: object, function: Callable[..., int]) -> TypeGuard[Callable[..., int]]:
    """Whether `value` is a function from the package of `function`, or from its file if none."""
    if not inspect.isfunction(value):
        return False
    one, other = (
        each.__module__.rpartition(".")[0] or each.__module__ for each in (value, function)
    )
    return one == other


def _compile(function: Callable[..., int], parameters: list[Parameter]) -> Any:
    """Compile a C function that rebuilds arrays and tuples and calls `function`."""
    numba = _numba()
    if numba.config.DISABLE_JIT:
        raise Unavailable("NUMBA_DISABLE_JIT is set, so numba compiles nothing: unset it.")
    types = []
    for field in (field for parameter in parameters for field in parameter.fields):
        if field.dtype:
            types.append(numba.types.CPointer(getattr(numba.types, field.dtype.name)))
        types += [numba.types.int64] * (field.dimensions if field.dtype else 1)
    scope = {"carray": numba.carray, "kernel": _njit(numba, function, {})}
    scope |= {f"group{i}": parameter.group for i, parameter in enumerate(parameters)}
    exec(arguments.entry_source(parameters), scope)  # noqa: S102  only numbers go into the text
    signature = numba.types.int64(*types)
    compiled = numba.cfunc(signature, error_model="numpy")(scope["entry"])
    if re.search(r"@NRT_(MemInfo_)?[Aa]lloc", compiled.inspect_llvm()):
        raise KernelError(
            f"{function.__name__} allocates: a kernel gets all arrays from its caller"
        )
    return compiled


def _njit(numba: Any, function: Any, done: dict[Any, Any]) -> Any:
    """Compile `function` and the functions of its package that it calls, each once."""
    if function in done:
        return done[function]
    scope = dict(function.__globals__)
    generators = instructions.generators(numba)
    for name, value in inspect.getclosurevars(function).globals.items():
        if inspect.isfunction(value) and value in generators:
            scope[name] = numba.extending.intrinsic(generators[value])
        elif _is_own(value, function):
            scope[name] = _njit(numba, value, done)
        elif not (isinstance(value, int) or _is_foreign_module(value) or arguments.is_group(value)):
            # the cache would miss a change in another package of ours
            raise KernelError(
                "a kernel uses ints, modules, NamedTuples and its own package's functions, "
                f"not {name}"
            )
    # compile copies: plain Python may call the original functions
    plain = FunctionType(function.__code__, scope)
    done[function] = numba.njit(error_model="numpy", forceinline=True)(plain)
    return done[function]


def _is_foreign_module(value: object) -> bool:
    return inspect.ismodule(value) and value.__name__.partition(".")[0] != "wordpack"
