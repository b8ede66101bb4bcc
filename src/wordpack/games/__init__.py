"""The hint solver's domain: feedback, filters, scores, whole games, and their named instances.

Uses `lexicon`, `compiled`, `text`, numpy. Offers words that fit, and the guesses that games take.
"""
