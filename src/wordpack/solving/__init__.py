"""From named instances to verified answers: loading, solving, sweeps, published systems.

In: the domain, `backend`, `machine`, `text`. Out: reports, rows of a sweep, known answers.
"""
