"""Exact counts without a search: subset sums on any device, and merged states.

Uses the domain and, for subset sums, `device`. Offers four backends that count. The two algorithms
share no file, because each confirms the other.
"""
