"""Game tree with CUDA: whole games of the hint solver on an NVIDIA GPU.

Cost and source: those of `device_games`, and the start of the device.
"""

from wordpack.backend.base import Options, Refusal
from wordpack.games.play import Play
from wordpack.kernels.device import cuda_start
from wordpack.kernels.games.device_games import DeviceGames, refusal


def probe() -> str:
    """Return the device and versions; raise Unavailable where nothing can run."""
    return cuda_start.device().described


def accepts(play: Play, _options: Options) -> Refusal | None:
    """Refuse what cannot be played, as `device_games` says."""
    return refusal(play)


def prepare(play: Play, options: Options) -> DeviceGames:
    """Compile, upload, work out the feedback of all pairs of answers."""
    return DeviceGames(play, options, cuda_start.device())
