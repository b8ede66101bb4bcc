"""Find every way to pick words that share no letter, and measure how fast it can be done."""

__version__ = "0.1.0"
