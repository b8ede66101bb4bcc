"""Right games, by the definition; the other fakes of games are this one with one fault."""

import numpy as np

from wordpack.backend.base import Options
from wordpack.games.play import Games, Play, replay


def probe() -> str:
    """Run anywhere."""
    return "nothing but patience"


def accepts(_play: Play, _options: Options) -> None:
    """Take everything."""


class Player:
    """Games whose numbers a fault may change on their way out."""

    device = "a test"

    def __init__(self, play: Play, _options: Options) -> None:
        self.play = play

    def run(self) -> Games:
        """Play all."""
        table = [
            [len(replay(self.play, start, answer)) for answer in range(len(self.play.answers))]
            for start in range(len(self.play.starts))
        ]
        return Games(self.play, np.array(table, self.play.dtype))


prepare = Player
