"""Device code for NVIDIA GPUs, compiled to machine code here: no register spills, no stack."""

import re
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import pytest
from conftest import absent

from wordpack.kernels.device import levels
from wordpack.kernels.device.cuda_code import machine_code, target, whole
from wordpack.kernels.device.structs import DEFINES
from wordpack.kernels.games.game_tree_on_device import MOST, defines

ARCHITECTURES = (75, 80, 86, 89, 90, 100, 120)
SUMS = (files("wordpack.kernels.counting") / "subset_sums.c").read_text(encoding="utf-8")
GAMES = (files("wordpack.kernels.games") / "game_tree.c").read_text(encoding="utf-8")
PROGRAMS = {
    **{
        f"games of {n} words": (GAMES, defines(n, length))
        for length, n in ((1, 26), (5, 2315), (5, MOST))
    },
    "levels": (levels.text(), DEFINES | {"SPAN": 1}),
    **{f"sums of {64 * limbs} bits": (SUMS, {"LIMBS": limbs}) for limbs in (1, 2, 3, 4)},
}

SPILLS = """
KERNEL void __launch_bounds__(1024) many(GLOBAL const ulong *from, GLOBAL ulong *to)
{
    ulong held[60];
    for (int i = 0; i < 60; i++) held[i] = from[i * LOCAL_SIZE + LOCAL_ID];
    __syncthreads();
    for (int i = 0; i < 60; i++) to[i * LOCAL_SIZE + LOCAL_ID] = held[i] * held[59 - i];
}
"""

STACK = """
KERNEL void indexed(GLOBAL const ulong *from, GLOBAL ulong *to, int n)
{
    ulong table[64];
    for (int i = 0; i < 64; i++) table[i] = from[i];
    for (int i = 0; i < n; i++) table[from[i] & 63] += table[from[i + 1] & 63];
    for (int i = 0; i < 64; i++) to[i] = table[i];
}
"""


OF = re.compile(r"(?:entry function '|Function properties for )(\w+)")
NUMBERS = re.compile(r"(\d+) (registers|bytes (?:stack frame|spill stores|spill loads))")


@dataclass
class Resources:
    """The resources that one function takes per work-item."""

    stack: int = 0
    """Bytes of memory for its arrays and spilled registers."""
    spilled: int = 0
    """Bytes stored and loaded for lack of registers."""
    registers: int = 0


def resources(report: str) -> dict[str, Resources]:
    """Parse the assembler's `report` on kernels and functions that are not inlined, by name."""
    found: dict[str, Resources] = {}
    of = Resources()
    for line in report.splitlines():
        if begun := OF.search(line):
            of = found.setdefault(begun[1], Resources())
        numbers = {what: int(n) for n, what in NUMBERS.findall(line)}
        of.stack = max(of.stack, numbers.get("bytes stack frame", 0))
        of.spilled += numbers.get("bytes spill stores", 0) + numbers.get("bytes spill loads", 0)
        of.registers = max(of.registers, numbers.get("registers", 0))
    return found


@pytest.fixture(scope="module")
def nvrtc() -> Any:
    """Return CuPy's NVRTC, no GPU needed; skip without it, or fail if WORDPACK_REQUIRE_NVRTC=1."""
    try:
        from cupy.cuda import nvrtc

        nvrtc.getVersion()
    except (ImportError, RuntimeError, OSError) as error:
        absent(f"NVRTC cannot be loaded: {error}", "WORDPACK_REQUIRE_NVRTC")
    return nvrtc


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("program", PROGRAMS)
def test_no_kernel_spills_or_has_a_stack(nvrtc: Any, program: str, architecture: int) -> None:
    """The report covers every kernel, and each keeps everything in registers."""
    text, defines = PROGRAMS[program]
    code, report = machine_code(nvrtc, whole(text, defines), f"sm_{architecture}")
    assert code.startswith(b"\x7fELF")
    found = resources(report)
    assert set(re.findall(r"KERNEL void (\w+)", text)) <= set(found)
    assert {name: (each.stack, each.spilled) for name, each in found.items()} == dict.fromkeys(
        found, (0, 0)
    )
    assert all(0 < each.registers <= 128 for each in found.values())


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_what_spills_on_purpose_is_seen(nvrtc: Any, architecture: int) -> None:
    """The check above can fail: too many values, and a table indexed at run time."""
    source = whole(SPILLS + STACK, {"SPAN": 1})
    found = resources(machine_code(nvrtc, source, f"sm_{architecture}")[1])
    assert found["many"].spilled > 0
    assert found["many"].stack > 0
    assert found["indexed"].stack >= 64 * 8


def test_each_architecture_has_machine_code_of_its_own(nvrtc: Any) -> None:
    """A newer GPU gets code that its driver finishes compiling."""
    for architecture in ARCHITECTURES:
        assert target(nvrtc, architecture) == f"sm_{architecture}"
    known = nvrtc.getSupportedArchs()
    assert target(nvrtc, max(known) + 1) == f"compute_{max(known)}"
    source = whole(SUMS, {"LIMBS": 1})
    assert b".target sm_" in machine_code(nvrtc, source, f"compute_{max(known)}")[0]


def test_a_mistake_is_shown_in_the_compilers_words(nvrtc: Any) -> None:
    with pytest.raises(RuntimeError, match=r"identifier .*nonsense.* is undefined"):
        machine_code(nvrtc, whole("KERNEL void f(int n) { nonsense = n; }", {"SPAN": 1}), "sm_80")


def test_cupy_has_what_the_made_up_one_has(nvrtc: Any) -> None:
    """Every name that the host uses, with errors as exception types."""
    del nvrtc
    from cupy import cuda

    from fakes.cuda import Cuda, Nvrtc

    made_up = Cuda()
    for name in ("runtime", "driver", "memory", "function"):
        for attribute in vars(getattr(made_up, name)):
            assert hasattr(getattr(cuda, name), attribute), (name, attribute)
    for name in ("Stream", "Event", "MemoryPool", "alloc_pinned_memory", "get_elapsed_time"):
        assert hasattr(cuda, name)
        assert hasattr(made_up, name)
    for attribute in (name for name in vars(Nvrtc) if not name.startswith("_")):
        assert hasattr(cuda.nvrtc, attribute)
    for error in (cuda.runtime.CUDARuntimeError, cuda.driver.CUDADriverError):
        assert issubclass(error, RuntimeError)
    assert issubclass(cuda.memory.OutOfMemoryError, MemoryError)
    for attribute in ("copy_from_host_async", "copy_to_host_async", "memset_async", "ptr"):
        assert hasattr(cuda.MemoryPointer, attribute)
