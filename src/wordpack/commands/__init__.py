"""The command line, with one module per command; only this room uses click.

Uses every other room. Offers nothing; no room imports this one.
"""
