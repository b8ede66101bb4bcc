"""Our own engines: a search planned for each problem, and counters that search for nothing."""
