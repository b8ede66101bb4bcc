"""Results of any number of machines, as one page and as tables."""
