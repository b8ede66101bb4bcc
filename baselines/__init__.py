"""The published algorithms, faithful and readable: each is self-contained in a file of its name.

Uses the domain, `wordpack.compiled` and `wordpack.backend`. Offers one backend per file.
"""
