"""Leaves out a guess of a game that the verifier does not replay."""

from fakes.player import Player, accepts, probe
from wordpack.games.play import Games

__all__ = ["accepts", "prepare", "probe"]


class Cheater(Player):
    """One guess short."""

    def run(self) -> Games:
        """Play all, and count one game short."""
        games = super().run()
        games.guesses[1, 7] -= 1
        return games


prepare = Cheater
