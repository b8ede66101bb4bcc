"""A child process's end of the connection: orders on standard input, messages on its output."""

import os
import queue
import sys
import threading
from typing import IO

from wordpack.racing.conversation import Message, line


class Talk:
    """The connection to the process that started this one."""

    def __init__(self) -> None:
        # what a library prints is not a message: send it to standard error
        self._stream: IO[bytes] = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)
        self.orders: queue.SimpleQueue[str] = queue.SimpleQueue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        for order in sys.stdin:
            self.orders.put(order)
        os._exit(0)  # the other end is gone: stop at once, whatever is running

    def say(self, message: Message) -> None:
        """Send one message."""
        self._stream.write(line(message))
        self._stream.flush()
