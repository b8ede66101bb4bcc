"""Leaves out a guess of a game that the verifier does not replay."""

from fakes import player
from fakes.player import Player
from wordpack.games.play import Games


class Cheater(Player):
    """One guess short."""

    def run(self) -> Games:
        """Play all, and count one game short."""
        games = super().run()
        games.guesses[1, 7] -= 1
        return games


class Fake(player.Fake):
    """The backend."""

    search = Cheater
