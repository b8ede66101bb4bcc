"""The planned search on a processor: cuts and plans, buckets of bitset rows, the walk, slices.

In: the domain, `wordpack.compiled`, `wordpack.backend`. Out: the backend `bitset_rows`; plans and
buckets for `device`.
"""
