"""Subset sums with OpenCL: packings of words of one length counted without search on any device.

Cost and source: those of `device_sums`, and the start of the device.
"""

from wordpack.backend.base import Options, Refusal
from wordpack.kernels.counting import letter_sets
from wordpack.kernels.counting.device_sums import DeviceSums
from wordpack.kernels.device import opencl
from wordpack.packing.problem import Problem


def probe() -> str:
    """Return the device and versions; raise Unavailable where nothing can run."""
    return opencl.probe()


def accepts(problem: Problem, options: Options) -> Refusal | None:
    """Refuse what cannot be summed, as `letter_sets` says."""
    return letter_sets.refusal(problem, options)


def prepare(problem: Problem, options: Options) -> DeviceSums:
    """Place the words, compile, upload. The counter iterations are the sets summed."""
    search = DeviceSums(problem, options, opencl.the_device())
    opencl.kernels_kept().seal()
    return search


def seconds(problem: Problem, _options: Options) -> float:
    """Return about how long it takes to start and to sum: 60 ns a set on one core of a CPU."""
    device = opencl.the_device()
    each = 6e-8 / device.units if device.is_cpu else 1e-11
    return opencl.START + each * 2.0 ** len(letter_sets.letters(problem.groups[0]))
