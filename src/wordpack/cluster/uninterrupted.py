"""Ignore Ctrl-C in local workers: the client stops them.

This is a module because Dask writes code given as text into the shared temporary folder.
"""

import signal

signal.signal(signal.SIGINT, signal.SIG_IGN)
