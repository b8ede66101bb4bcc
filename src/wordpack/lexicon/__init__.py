"""From a file to signatures: alphabets, the rules of a word list, the reader, the embedded lists.

In: `compiled`, `text`, numpy. Out: a Lexicon of words, and their letters as bitmasks.
"""
