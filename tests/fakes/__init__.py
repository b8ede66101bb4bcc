"""Backends that misbehave, each in one way, for the tests of the race and of `solve`."""
