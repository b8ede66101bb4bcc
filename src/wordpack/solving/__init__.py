"""Named instances from words to a verified answer: loading, one solve, sweeps, published systems.

In: the domain, `backend`, `machine`, `text`. Out: reports, rows of a sweep, known answers.
"""
