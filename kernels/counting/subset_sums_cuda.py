"""Subset sums with CUDA: packings of words of one length counted without search on an NVIDIA GPU.

Cost and source: those of `device_sums`, and the start of the device.
"""

from wordpack.backend.base import Options, Refusal
from wordpack.kernels.counting import letter_sets
from wordpack.kernels.counting.device_sums import DeviceSums
from wordpack.kernels.device import cuda, cuda_start
from wordpack.packing.problem import Problem


def probe() -> str:
    """Return the device and versions; raise Unavailable where nothing can run."""
    return cuda_start.device().described


def accepts(problem: Problem, options: Options) -> Refusal | None:
    """Refuse what cannot be summed, as `letter_sets` says."""
    return letter_sets.refusal(problem, options)


def prepare(problem: Problem, options: Options) -> DeviceSums:
    """Place the words, compile, upload. The counter iterations are the sets summed."""
    return DeviceSums(problem, options, cuda_start.device())


def seconds(problem: Problem, _options: Options) -> float:
    """Return about how long it takes to start and to sum: assumed, for want of a GPU."""
    return cuda.START + 1e-11 * 2.0 ** len(letter_sets.letters(problem.groups[0]))
