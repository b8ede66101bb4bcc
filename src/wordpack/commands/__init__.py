"""The command line, with one module per command; only this room uses click.

In: every other room. Out: nothing; no room imports this one.
"""
