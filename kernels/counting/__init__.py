"""Exact counts without a search: subset sums on any device, and merged states.

In: the domain and, for subset sums, `device`. Out: four backends that count. The two algorithms
share no file, since they confirm each other.
"""
