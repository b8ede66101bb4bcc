"""Machine code for NVIDIA GPUs: a common text after CUDA's prelude, compiled by NVRTC and kept.

No GPU and no header is needed to compile; a text takes some tenths of a second, once on a machine.
`nvrtc` is CuPy's module of this name everywhere here.
Source: NVIDIA's NVRTC reference.
"""

import hashlib
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from wordpack.compiled import code_cache
from wordpack.errors import Unavailable


def whole(text: str, defines: Mapping[str, int]) -> str:
    """Return what the compiler gets: the definitions, the prelude, the text."""
    prelude = (files("wordpack.kernels.device") / "cuda_prelude.cu").read_text(encoding="utf-8")
    return "".join(f"#define {name} {value}\n" for name, value in defines.items()) + prelude + text


def machine_code(nvrtc: Any, source: str, target: str) -> tuple[bytes, str]:
    """Compile for 'sm_90', say, or for 'compute_90', which the driver turns into machine code.

    Returns the code, and what the assembler says of each kernel's registers and stack. Raises
    RuntimeError, with the compiler's words, for a source that it does not take.
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
    """Return what to compile for: `architecture`, as 90, or the last before it that NVRTC knows.

    Raises Unavailable where NVRTC is not there or knows only younger ones.
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
    """Return the code of `source` for `architecture`, compiled where the cache does not have it.

    `release` is CUDA's: code of another one is compiled again.
    """
    key = hashlib.sha256(f"{release}\0{source}".encode()).hexdigest()[:20]
    name = f"cuda-{architecture}-{key}.kernel"
    code = code_cache.read(name)
    if code is None:
        code, _ = machine_code(nvrtc, source, target(nvrtc, architecture))
        code_cache.keep(name, code)
    return code
