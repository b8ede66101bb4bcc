"""The published algorithms, faithful and readable: each stands alone, in a file of its name.

In: the domain, `wordpack.compiled`, `wordpack.backend`. Out: one backend a file.
"""
