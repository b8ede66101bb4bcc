"""Right games, by the definition; the other fakes of games add one fault each."""

from typing import Any, ClassVar

import numpy as np

from wordpack.backend.base import Backend, Options, Prepared
from wordpack.games.play import Games, Play, replay


class Player(Prepared):
    """Games whose numbers a fault may change at the end."""

    device = "a test"

    def __init__(self, play: Play, _options: Options) -> None:
        self.play = play

    def run(self) -> Games:
        """Play all games."""
        table = [
            [len(replay(self.play, start, answer)) for answer in range(len(self.play.answers))]
            for start in range(len(self.play.starts))
        ]
        return Games(self.play, np.array(table, self.play.dtype))


class Fake(Backend):
    """The backend that the other fakes modify."""

    search: ClassVar[type[Prepared]] = Player

    def probe(self) -> str:
        """Run anywhere."""
        return "nothing but patience"

    def accepts(self, _play: Play, _options: Options) -> None:
        """Accept everything."""

    def prepare(self, problem: Any, options: Options) -> Any:
        """Return its search."""
        return self.search(problem, options)
