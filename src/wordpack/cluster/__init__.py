"""Run searches, sweeps and games on the workers of a Dask cluster, with checkpoints.

Uses the domain, `solving`, `backend`, `text`; Dask only when a cluster is used. Offers the same
reports as one process gives, and parts as files.
"""
