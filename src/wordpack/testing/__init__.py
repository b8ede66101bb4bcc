"""The tests of a backend: small problems of every shape, solved by plain Python too.

In: `backend`, `packing`, and `racing`, which finds backends of other packages.
Out: problems by seed, and a check of all that a backend answers, with which this project's own
tests and its long differential run draw and check too. `pytest --pyargs wordpack.testing` runs
them on backends of other packages.
"""
