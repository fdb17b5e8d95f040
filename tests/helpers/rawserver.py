"""A web server on loopback that answers each path with fixed bytes, valid or not."""

import contextlib
import socketserver
import threading
from collections.abc import Iterator


class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        with contextlib.suppress(OSError, IndexError):
            method, path = self.rfile.readline().decode().split()[:2]
            while self.rfile.readline().strip():
                pass
            self.server.asked.append((method, path))
            self.wfile.write(self.server.answers.get(path, b'HTTP/1.1 404 \r\n\r\n'))


class Raw(socketserver.ThreadingTCPServer):
    """The server: its answers by path, and what it was asked for."""

    daemon_threads = True

    def __init__(self):
        super().__init__(('127.0.0.1', 0), Handler)
        self.answers: dict[str, bytes] = {}
        self.asked: list[tuple[str, str]] = []
        self.url = f'http://127.0.0.1:{self.server_address[1]}'


@contextlib.contextmanager
def serving() -> Iterator[Raw]:
    """A server that is up."""
    server = Raw()
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
