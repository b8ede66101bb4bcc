"""Machine code for NVIDIA GPUs: CUDA's prelude and a common text, compiled by NVRTC and cached.

Compiling needs neither a GPU nor headers, and takes a few tenths of a second, once per machine.
Throughout, `nvrtc` is CuPy's module of that name.
Source: NVIDIA's NVRTC reference.
"""

import hashlib
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from wordpack.compiled import code_cache
from wordpack.errors import Unavailable


def whole(text: str, defines: Mapping[str, int]) -> str:
    """Return the complete source: definitions, prelude, text."""
    prelude = (files("wordpack.kernels.device") / "cuda_prelude.cu").read_text(encoding="utf-8")
    return "".join(f"#define {name} {value}\n" for name, value in defines.items()) + prelude + text


def machine_code(nvrtc: Any, source: str, target: str) -> tuple[bytes, str]:
    """Compile for a GPU ('sm_90'), or for the driver to translate ('compute_90').

    Returns the code and the assembler's report on each kernel's registers and stack. Raises
    RuntimeError with the compiler's message if the source does not compile.
    """
    program = nvrtc.createProgram(source, "wordpack.cu", (), ())
    try:
        nvrtc.compileProgram(program, (f"--gpu-architecture={target}", "--ptxas-options=-v"))
        code = nvrtc.getCUBIN if target.startswith("sm_") else nvrtc.getPTX
        return bytes(code(program)), str(nvrtc.getProgramLog(program))
    except nvrtc.NVRTCError as error:
        raise RuntimeError(f"{error}: {nvrtc.getProgramLog(program)}") from None
    finally:
        nvrtc.destroyProgram(program)


def target(nvrtc: Any, architecture: int) -> str:
    """Return the target for `architecture` (90, say), or the latest before it that NVRTC knows.

    Raises Unavailable if NVRTC is missing or knows only newer ones.
    """
    try:
        known = nvrtc.getSupportedArchs()
    except (RuntimeError, OSError) as error:
        lines = str(error).splitlines() or [""]
        raise Unavailable(
            f"NVRTC, which compiles for the GPU, cannot be loaded ({lines[0]}): "
            "pip install 'wordpack[cuda12]' or 'wordpack[cuda13]', as for CuPy."
        ) from None
    if architecture in known:
        return f"sm_{architecture}"
    older = [each for each in known if each < architecture]
    if not older:
        raise Unavailable(
            f"this NVRTC compiles for compute capability {min(known) / 10} at least, and the GPU "
            f"has {architecture / 10}: use an older CUDA, or the backend opencl."
        )
    return f"compute_{max(older)}"


def kept(nvrtc: Any, source: str, architecture: int, release: int) -> bytes:
    """Return the code of `source` for `architecture`, from the cache or newly compiled.

    `release` is CUDA's; code from another release is compiled again.
    """
    key = hashlib.sha256(f"{release}\0{source}".encode()).hexdigest()[:20]
    name = f"cuda-{architecture}-{key}.kernel"
    code = code_cache.read(name)
    if code is None:
        code, _ = machine_code(nvrtc, source, target(nvrtc, architecture))
        code_cache.keep(name, code)
    return code
