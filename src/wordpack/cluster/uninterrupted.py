"""Imported first by each local worker: Ctrl-C, which all of a terminal get, is the client's alone.

As a module, since Dask writes code that it is given as text into the shared temporary folder.
"""

import signal

signal.signal(signal.SIGINT, signal.SIG_IGN)
