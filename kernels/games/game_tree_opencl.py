"""Game tree with OpenCL: whole games of the hint solver on any GPU, or on a CPU through PoCL.

Cost and source: those of `device_games`, and the start of the device.
"""

from wordpack.backend.base import Options, Refusal
from wordpack.games.play import Play
from wordpack.kernels.device import opencl
from wordpack.kernels.games.device_games import DeviceGames, refusal


def probe() -> str:
    """Return the device and versions; raise Unavailable where nothing can run."""
    return opencl.probe()


def accepts(play: Play, _options: Options) -> Refusal | None:
    """Refuse what cannot be played, as `device_games` says."""
    return refusal(play)


def prepare(play: Play, options: Options) -> DeviceGames:
    """Compile, upload, work out the feedback of all pairs of answers."""
    games = DeviceGames(play, options, opencl.the_device())
    opencl.kernels_kept().seal()
    return games
