"""The problem and its answer: groups of signatures, packings, their order, digest and verifier.

In: `lexicon`, `compiled`, numpy. Out: Problem, Packings, Counts, and words from packings.
"""
