"""From a file to signatures: alphabets, the rules of a word list, the reader, the embedded lists.

Uses `compiled`, `text`, numpy. Offers a Lexicon of words, and their letters as bitmasks.
"""
