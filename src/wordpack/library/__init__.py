"""What `import wordpack` offers: problems, answers, counts, races and games as Python values.

In: every room below but `commands`. Out: the public names of the package.
"""
