"""Backends: their interface, the table of them, choosing one, and searching in slices.

In: `packing`, `compiled`, `text`. A backend's module is imported by name, when it is needed.
Out: a prepared Search, or the reason why no backend can run.
"""
