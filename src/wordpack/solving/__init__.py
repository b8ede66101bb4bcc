"""From named instances to verified answers: loading, solving, sweeps, published systems.

Uses the domain, `backend`, `machine`, `text`. Offers reports, rows of a sweep, known answers.
"""
