"""Tests for any backend: small problems of every shape, compared with plain Python.

Uses `backend`, `packing`, and `racing`, which finds backends of other packages. Offers problems by
seed, and a check of everything a backend answers. This project's own tests and its long
differential run use both. `pytest --pyargs wordpack.testing` tests the backends of other packages.
"""
