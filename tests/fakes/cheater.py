"""Leaves out a guess of a game that the verifier does not replay."""

from fakes import player
from fakes.player import Player
from wordpack.games.play import Games


class Cheater(Player):
    """Reports one guess too few."""

    def run(self) -> Games:
        """Play all games, and report one guess less in one."""
        games = super().run()
        games.guesses[1, 7] -= 1
        return games


class Fake(player.Fake):
    """The backend."""

    search = Cheater
