"""LLVM's side of a kernel: the machine to compile for, and machine code as a function."""

import ctypes
import os
import re
from contextlib import suppress
from typing import Any


def target_machine(llvm: Any) -> Any:
    """Return the machine that LLVM compiles and links for."""
    # newer llvmlite initialises itself and says so by raising
    with suppress(AttributeError, RuntimeError):
        llvm.initialize()
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    cpu, features = processor(llvm)
    target = llvm.Target.from_default_triple()
    return target.create_target_machine(cpu=cpu, features=features, opt=3, jit=True)


def processor(llvm: Any) -> tuple[str, str]:
    """Return the processor to compile for and its features; NUMBA_CPU_NAME overrides the host."""
    name = os.environ.get("NUMBA_CPU_NAME")
    if name:
        return name, os.environ.get("NUMBA_CPU_FEATURES", "")
    return llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()


def link(llvm: Any, machine: Any, symbol: str, code: bytes) -> tuple[object, int]:
    """Return an engine that holds machine code, and the address of its function `symbol`."""
    # No kernel reaches numba's error paths, but the code has them: link them to abort().
    # These names hold for the whole process until numba is imported and sets its own.
    abort = ctypes.cast(ctypes.CDLL(None).abort, ctypes.c_void_p).value
    for name in set(re.findall(rb"(?:numba|NRT)_\w+", code)):
        if llvm.address_of_symbol(name.decode()) is None:
            llvm.add_symbol(name.decode(), abort)
    module = llvm.parse_assembly("")
    # the layout decides how symbols are decorated (with an underscore on macOS)
    module.triple = machine.triple
    module.data_layout = str(machine.target_data)
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return engine, engine.get_function_address(symbol)
