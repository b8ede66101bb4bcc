"""Our own engines: a planned search, counters that never search, and compiled games."""
