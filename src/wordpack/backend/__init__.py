"""What a backend is, the table of them all, which one takes a problem, and searches in slices.

In: `packing`, `compiled`, `text`. A backend's module is imported by name, when it is asked for.
Out: a prepared Search, or the reason why there is none.
"""
