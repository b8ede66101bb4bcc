"""What people and programs read: numbers with nouns, rows of words, tables, progress bars.

Uses the standard library; Rich if a table or bar is drawn. Offers sentences, rows, bars.
"""
