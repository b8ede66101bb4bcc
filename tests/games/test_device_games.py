"""Whole games on every host of the device code: the first checks to run on a new GPU."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from wordpack.backend.base import Options
from wordpack.errors import InputError
from wordpack.games.instances import PLAYS
from wordpack.games.loading import checked, load
from wordpack.games.play import Play, replay
from wordpack.kernels.device import cuda_host, opencl_host
from wordpack.kernels.device.device import Device, OutOfDeviceMemory
from wordpack.kernels.device.opencl_host import OpenClHost
from wordpack.kernels.games import game_tree_on_device
from wordpack.kernels.games.game_tree_on_device import MOST, DeviceGames, GameTreeOnDevice, defines

pytestmark = pytest.mark.slow

OPEN: dict[str, Callable[[], Device]] = {
    "opencl": opencl_host.the_device,
    "cuda": cuda_host.the_device,
}


@pytest.mark.parametrize("host", OPEN)
@pytest.mark.parametrize("name", ["play-all", "play-best-start"])
def test_every_game_is_as_known(host: str, name: str) -> None:
    """Sums and digest are as known; run twice, since buffers are reused."""
    play = load(PLAYS[name].spec)
    search = DeviceGames(play, OPEN[host]())
    for _ in range(2):
        assert checked(search.run(), play) == vars(PLAYS[name].expected)
    assert search.progress() == 1


@pytest.mark.parametrize("host", OPEN)
def test_little_memory_is_enough_in_slices(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A few start words per slice, a shorter last slice and shorter launches change no game."""
    play = load(PLAYS["play-best-start"].spec)
    some = Play(play.answers, play.starts[::100], play.letters)
    whole = DeviceGames(some, OPEN[host]())
    sliced = DeviceGames(some, OPEN[host](), slice_of=7)
    due = whole.run().digest()
    assert sliced.run().digest() == due
    assert sliced.progress() == whole.progress() == 1
    monkeypatch.setattr(game_tree_on_device, "BATCH", 3)
    assert sliced.run().digest() == whole.run().digest() == due


@pytest.mark.parametrize("host", OPEN)
@pytest.mark.parametrize("length", [1, 2, 3, 4, 5])
def test_words_of_every_length_that_is_taken(host: str, length: int) -> None:
    """Lists have up to a thousand words of four letters; some games are checked by definition."""
    words = np.indices((4,) * length, np.uint8).reshape(length, -1).T
    order = np.random.default_rng(length).permutation(len(words))
    play = Play(np.ascontiguousarray(words[order]), words[::37].copy(), 4)
    games = DeviceGames(play, OPEN[host]()).run()
    for start in range(len(play.starts)):
        for answer in range(0, len(words), 101):
            assert games.guesses[start, answer] == len(replay(play, start, answer))


def test_the_most_answers_fit_into_a_groups_memory() -> None:
    """Seven bytes per answer, one number per feedback, and one more, fit in 32 KiB."""
    said = defines(MOST, 5)
    assert said["ROOM"] == MOST
    assert 7 * said["ROOM"] + 4 * said["FEEDBACKS"] + 4 <= 32 << 10
    assert defines(2315, 5)["ROOM"] == 2560
    words = np.indices((9,) * 4, np.uint8).reshape(4, -1).T
    many = Play(np.ascontiguousarray(words[: MOST + 1]), words[:1].copy(), 9)
    backend = GameTreeOnDevice(OpenClHost())
    why_not = backend.accepts(many, Options())
    assert why_not is not None
    assert why_not.kind == "shape"
    assert backend.accepts(replace(many, answers=many.answers[:-1]), Options()) is None


class Full:
    """A device that refuses every buffer."""

    name = "a full device"

    def __init__(self, device: Device) -> None:
        self._device = device
        self.shape = device.shape

    def compile(self, *given: object) -> object:
        """Compile on the real device."""
        return self._device.compile(*given)  # type: ignore[arg-type]

    def upload(self, array: np.ndarray) -> None:
        """Refuse the buffer."""
        raise OutOfDeviceMemory(array.nbytes, 3)


@pytest.mark.parametrize("host", OPEN)
def test_a_device_without_room_says_so_in_a_line(host: str) -> None:
    device = Full(OPEN[host]())
    with pytest.raises(InputError, match=r"a full device: .* bytes .*choose another backend"):
        DeviceGames(load(PLAYS["play-all"].spec), device)  # type: ignore[arg-type]
