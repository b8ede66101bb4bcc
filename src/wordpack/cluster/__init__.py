"""Run searches, sweeps and games on the workers of a Dask cluster, with checkpoints.

In: the domain, `solving`, `backend`, `text`; Dask only when a cluster is used. Out: the same
reports as one process gives, and parts as files.
"""
