"""Measurements of wordpack, which are not installed with it."""
