"""Searches, sweeps and games shared among the workers of a Dask cluster, with checkpoints.

In: the domain, `solving`, `backend`, `text`; Dask where a cluster is reached. Out: the same reports
as one process gives, and parts as files.
"""
