"""Backends: their interface, the table of them, choosing one, and searching in slices.

Uses `packing`, `compiled`, `text`. A backend's module is imported by name, when it is needed.
Offers a prepared Search, or the reason why no backend can run.
"""
