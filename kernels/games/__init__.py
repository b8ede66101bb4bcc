"""Whole games of the hint solver as a tree of sets of answers, on any device.

Uses `wordpack.games` and `device`. Offers three backends of games.
"""
