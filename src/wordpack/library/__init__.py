"""What `import wordpack` offers: problems, answers, counts, races and games as Python values.

Uses every room below but `commands`. Offers the public names of the package.
"""
