"""The published algorithms, faithful and readable: each stands alone, in a file of its name."""
