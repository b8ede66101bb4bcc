"""Measurements of wordpack: not installed with it."""
