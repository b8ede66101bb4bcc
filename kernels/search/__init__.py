"""The planned search on a processor: cuts and plans, buckets of bitset rows, the walk, slices.

Uses the domain, `wordpack.compiled` and `wordpack.backend`. Offers the backend `bitset_rows`, and
plans and buckets to `device`.
"""
