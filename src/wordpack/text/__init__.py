"""What people and programs read: numbers with nouns, rows of words, tables, progress bars.

In: the standard library; Rich if a table or bar is drawn. Out: sentences, rows, bars.
"""
