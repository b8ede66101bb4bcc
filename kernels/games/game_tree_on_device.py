"""Games on a device: a work-group plays all games of a start word, in rounds.

Memory: one byte per pair of answers for its feedback (2,315 answers: 5.4 MB), seven bytes per
answer for each group, and one byte per game of a slice of start words.
Cost: a walk along a set of answers per game and guess; as many rounds as the longest game.
Source: ours.
"""

from importlib.resources import files

import numpy as np

from wordpack.backend.base import Backend, Options, Prepared, Refusal
from wordpack.games.play import Games, Play
from wordpack.kernels.device.device import Device, room_on
from wordpack.kernels.device.on_device import HostedBackend, OnDevice
from wordpack.kernels.games.feedback_codes import NARROW, columns

MOST = 4_500
"""Most answers, at seven bytes each, that fit the 32 KiB a group has on every device."""

BATCH = 1 << 12
"""Start words per launch: a second or two on two cores, so that Ctrl-C is noticed."""

STEP = 512
"""A group's room grows in these steps, so that lists of similar length share compiled code."""


def defines(n: int, length: int) -> dict[str, int]:
    """Return the text's defines for n answers of `length` letters."""
    room = min(-(-n // STEP) * STEP, MOST)
    return {"ROOM": room, "LENGTH": length, "FEEDBACKS": 3**length, "SPAN": 1}


class GameTreeOnDevice(HostedBackend, Backend):
    """Games in rounds, on a device."""

    def accepts(self, play: Play, _options: Options) -> Refusal | None:
        """Refuse whatever does not fit a group's memory or a byte."""
        n, length = play.answers.shape
        if n > MOST:
            return Refusal("shape", f"a group's memory holds {MOST:,} answers, and there are {n:,}")
        if length > NARROW:
            return Refusal("shape", f"a feedback has 8 bits: words have at most {NARROW} letters")
        if play.dtype != np.uint8:
            return Refusal(
                "shape", f"a game may have {play.longest} guesses: more than a byte holds"
            )
        return None

    def prepare(self, play: Play, _options: Options) -> "DeviceGames":
        """Compile, upload, compute the feedback of all pairs of answers."""
        games = DeviceGames(play, self._host.device())
        self._host.compiled()
        return games


class DeviceGames(OnDevice, Prepared):
    """Prepared games on a device."""

    def __init__(self, play: Play, device: Device, slice_of: int | None = None) -> None:
        """Compile, upload, compute all feedback; play `slice_of` start words at a time."""
        super().__init__(device)
        self._play = play
        n, length = play.answers.shape
        text = (files("wordpack.kernels.games") / "game_tree.c").read_text(encoding="utf-8")
        fitting = max(1, device.shape.memory // n)
        self._slice = min(slice_of or len(play.starts), len(play.starts), fitting)
        self._begun = 0
        with room_on(device):
            self._program = device.compile(text, defines(n, length))
            self._starts = device.upload(np.ascontiguousarray(play.starts))
            self._answers = device.upload(columns(play.answers))
            self._held = device.empty(n * n)
            self._guesses = device.empty(self._slice * n)
            rows = device.upload(np.ascontiguousarray(play.answers))
            self._program.launch(
                "hold", min(n, device.shape.groups), rows, self._answers, np.int32(n), self._held
            )
            # launch on no start word, since some devices finish compiling only now
            self._launch(0, 0, 0)
            device.finish()

    def progress(self) -> float:
        """Return the share of start words begun in the current run, 0 to 1."""
        return self._begun / len(self._play.starts)

    def run(self) -> Games:
        """Play all games."""
        play, device = self._play, self._device
        shape = len(play.starts), len(play.answers)
        with device.alone, room_on(device):
            if self._slice == shape[0]:
                self._play_starts(0, self._slice)
                return Games(play, device.fetch(self._guesses, shape, np.uint8))
            guesses = np.empty(shape, np.uint8)
            for first in range(0, shape[0], self._slice):
                some = guesses[first : first + self._slice]
                self._play_starts(first, first + len(some))
                device.read(self._guesses, some)
        return Games(play, guesses)

    def _play_starts(self, first: int, last: int) -> None:
        """Play the games of start words first..last into the buffer."""
        for start in range(first, last, BATCH):
            end = min(start + BATCH, last)
            self._launch(start, end, first)
            if end < last:
                self._device.finish()
            self._begun = end

    def _launch(self, first: int, last: int, base: int) -> None:
        self._program.launch(
            "play_starts",
            max(1, min(last - first, self._device.shape.groups)),
            *(self._starts, self._answers, np.int32(len(self._play.answers)), self._held),
            *(np.uint32(first), np.uint32(last), np.uint32(base), self._guesses),
        )
