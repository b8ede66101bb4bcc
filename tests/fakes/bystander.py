"""Plays equal games of its own making."""

from fakes.player import Player, accepts, probe
from wordpack.games.play import Games, Play

__all__ = ["accepts", "prepare", "probe"]


class Bystander(Player):
    """Another play than the one given."""

    def run(self) -> Games:
        """Play a copy's games."""
        copy = Play(self.play.answers, self.play.starts, self.play.letters)
        return Games(copy, super().run().guesses)


prepare = Bystander
