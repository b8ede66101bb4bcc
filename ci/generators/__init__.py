"""What the fuzzers and their tests draw their inputs from; problems are in `wordpack.testing`.

A generator is a function of a `Draw`. Hypothesis draws from it in the tests and shrinks; a long run
draws from the same generator by seed, and hands what failed to Hypothesis to shrink.
"""
