"""Plays games of its own copy instead of the given ones."""

from fakes import player
from fakes.player import Player
from wordpack.games.play import Games, Play


class Bystander(Player):
    """Uses a copy of the given play."""

    def run(self) -> Games:
        """Play the copy's games."""
        copy = Play(self.play.answers, self.play.starts, self.play.letters)
        return Games(copy, super().run().guesses)


class Fake(player.Fake):
    """The backend."""

    search = Bystander
