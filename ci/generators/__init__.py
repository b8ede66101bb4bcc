"""Generators of inputs for the fuzzers and their tests; problems are in `wordpack.testing`.

A generator is a function of a `Draw`. In tests Hypothesis draws from it and shrinks; a long run
draws from it by seed, and gives a failing input to Hypothesis to shrink.
"""
