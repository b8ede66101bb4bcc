"""Ignore Ctrl-C in local workers: the client stops them.

As a module, since Dask writes code that it is given as text into the shared temporary folder.
"""

import signal

signal.signal(signal.SIGINT, signal.SIG_IGN)
