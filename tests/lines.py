"""A network line between processes that adds a delay and can be cut."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

CHUNK = 1 << 16


class Line:
    """Forwards connections to a port with `delay` seconds of delay each way."""

    def __init__(self, host: str, port: int, delay: float) -> None:
        """Listen on a free loopback port, in a thread's event loop."""
        self._to, self._delay = (host, port), delay
        self.carried = 0
        """Bytes carried, both ways together."""
        self._loop = asyncio.new_event_loop()
        self._writers: set[asyncio.StreamWriter] = set()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._whole = asyncio.Event()
        self._whole.set()
        listen = asyncio.start_server(self._accepted, "127.0.0.1", 0)
        self._server = asyncio.run_coroutine_threadsafe(listen, self._loop).result()
        self.address = "{}:{}".format(*self._server.sockets[0].getsockname())

    async def _accepted(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._whole.wait()
        try:
            there, back = await asyncio.open_connection(*self._to)
        except OSError:
            writer.close()
            return
        self._writers |= {writer, back}
        await asyncio.gather(self._forward(reader, back), self._forward(there, writer))

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry one direction; data in transit keeps its order and timing."""
        under_way: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

        async def arrive() -> None:
            data = b"x"
            while data:
                due, data = await under_way.get()
                await asyncio.sleep(due - self._loop.time())
                await self._whole.wait()
                self.carried += len(data)
                writer.write(data)
                await writer.drain()

        arriving = asyncio.create_task(arrive())
        with suppress(OSError):
            while data := await reader.read(CHUNK):
                under_way.put_nowait((self._loop.time() + self._delay, data))
        under_way.put_nowait((self._loop.time() + self._delay, b""))
        try:
            with suppress(OSError):
                await arriving
        finally:
            arriving.cancel()
            writer.close()
            self._writers.discard(writer)

    def cut(self) -> None:
        """Carry nothing, as if unplugged: neither end of a connection is told."""
        self._loop.call_soon_threadsafe(self._whole.clear)

    def mend(self) -> None:
        """Carry again, starting with the data in transit."""
        self._loop.call_soon_threadsafe(self._whole.set)

    def reset(self) -> None:
        """Reset all connections, like a router that has lost their state."""

        def abort() -> None:
            for writer in self._writers:
                writer.transport.abort()

        self._loop.call_soon_threadsafe(abort)

    def close(self) -> None:
        """Stop listening and end all connections."""

        async def ended() -> None:
            self._server.close()
            tasks = asyncio.all_tasks() - {asyncio.current_task()}
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

        asyncio.run_coroutine_threadsafe(ended(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


@contextmanager
def line(address: str, delay: float) -> Iterator[Line]:
    """Provide a line to `address`, host:port."""
    host, _, port = address.rpartition(":")
    made = Line(host, int(port), delay)
    try:
        yield made
    finally:
        made.close()
