"""The command line, one module for each command; click is used here and nowhere else.

In: every other room. Out: nothing: no room imports this one.
"""
