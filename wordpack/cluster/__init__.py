"""Large searches, many small ones and whole games on many machines, by Dask distributed."""
