"""The hint solver's domain: feedback, filters, scores, whole games, and their named instances.

In: `lexicon`, `compiled`, `text`, numpy. Out: words that fit, and the guesses that games take.
"""
