"""The problem and its answer: groups of signatures, packings, their order, digest and verifier.

Uses `lexicon`, `compiled`, numpy. Offers Problem, Packings, Counts, and words from packings.
"""
