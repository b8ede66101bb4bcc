"""Whole games of the hint solver as a tree of sets of answers, on any device.

In: `wordpack.games` and `device`. Out: three backends of games.
"""
