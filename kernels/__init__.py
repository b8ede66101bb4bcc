"""Our own engines, which carry no published program: each does what it can best."""
