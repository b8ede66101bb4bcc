"""Plays equal games of its own making."""

from fakes import player
from fakes.player import Player
from wordpack.games.play import Games, Play


class Bystander(Player):
    """Another play than the one given."""

    def run(self) -> Games:
        """Play a copy's games."""
        copy = Play(self.play.answers, self.play.starts, self.play.letters)
        return Games(copy, super().run().guesses)


class Fake(player.Fake):
    """The backend."""

    search = Bystander
