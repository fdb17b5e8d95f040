"""A web server on loopback that can be told to behave badly, page by page."""

import contextlib
import re
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote

RANGE = re.compile(r'bytes=(\d+)-(\d*)')


@dataclass
class Page:
    """A file, and all that is wrong with how it is served."""

    data: bytes = b''
    headers: dict = field(default_factory=lambda: {'ETag': '"one"'})
    answers: list = field(default_factory=list)  # (status, headers, body) before it
    breaks: list = field(default_factory=list)  # the bytes that answers send
    ranges: bool = True
    length: bool = True
    head: int = 200  # the status that HEAD gets
    stalls: bool = False  # keeps silent where it should break
    late: float = 0  # seconds before an answer
    pause: float = 0  # seconds behind each 16 KB
    then: 'Page | None' = None  # takes its place after one answer to GET


class Handler(BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def log_message(self, *args):
        pass

    def do_GET(self):
        self.rfile.read(int(self.headers['Content-Length'] or 0))
        path = unquote(self.path.partition('?')[0])
        if refusal := self.server.gate(self):
            self.say(*refusal)
            return
        self.server.asked.append((self.command, path, self.headers['Range']))
        page = self.server.pages.get(path)
        self.server.ends.wait(page.late if page else 0)
        if page is None:
            self.say(404)
        elif page.answers:
            self.say(*page.answers.pop(0))
        elif self.command == 'HEAD' and page.head != 200:
            self.say(page.head)
        else:
            self.serve(page)
            if page.then and self.command == 'GET':
                self.server.pages[path] = page.then

    do_HEAD = do_PUT = do_GET

    def serve(self, page):
        data, size, status, more = page.data, len(page.data), 200, {}
        asked = RANGE.match(self.headers['Range'] or '')
        if page.ranges and asked:
            begin, end = int(asked[1]), int(asked[2] or size - 1)
            if begin >= size:
                return self.say(416, {'Content-Range': f'bytes */{size}'})
            status, data = 206, data[begin : end + 1]
            more = {'Content-Range': f'bytes {begin}-{begin + len(data) - 1}/{size}'}
        more['Content-Length'] = str(len(data)) if page.length else None
        if page.breaks and self.command == 'GET':
            data = data[: page.breaks.pop(0)]
        return self.say(status, {**page.headers, **more}, data, page)

    def say(self, status, headers=None, data=b'', page=None):
        page = page or Page()
        told = {'Content-Length': str(len(data)), **(headers or {})}
        self.send_response(status)
        for name, value in {**told, 'Connection': 'close'}.items():
            if value is not None:
                self.send_header(name, value)
        self.end_headers()
        self.close_connection = True
        with contextlib.suppress(ConnectionError):
            if self.command != 'HEAD':
                send(self, data, pause=page.pause)
        if page.stalls and len(data) < int(told['Content-Length']):
            self.server.ends.wait(10)


def send(told, data, piece=16 << 10, pause=0):
    """Write bytes, and count what the system took before the client went away."""
    for start in range(0, len(data), piece):
        told.wfile.write(data[start : start + piece])
        told.server.sent += len(data[start : start + piece])
        if pause:
            time.sleep(pause)


class Site(ThreadingHTTPServer):
    """The server: what it has, and what it was asked for."""

    daemon_threads = True

    def __init__(self):
        super().__init__(('127.0.0.1', 0), Handler)
        self.pages, self.asked, self.ends = {}, [], threading.Event()
        self.sent = 0  # bytes, of bodies
        self.gate = lambda request: None  # the answer to a request that is refused
        self.url = f'http://127.0.0.1:{self.server_port}'

    def handle_error(self, request, client_address):
        """Keep quiet: clients that go away are what is tested."""

    def ranges(self):
        """The ranges that were asked for."""
        return [place for method, _, place in self.asked if method == 'GET']


def rate_limit(requests, seconds):
    """A gate that answers 403 to more requests in some seconds, as CloudFront does."""
    times, turn = [], threading.Lock()

    def gate(request):
        with turn:
            now = time.monotonic()
            times[:] = [moment for moment in times if moment > now - seconds]
            if len(times) >= requests:
                return 403, {'Server': 'CloudFront'}, b'<H1>403 ERROR</H1>'
            times.append(now)
            return None

    return gate


def signed_only(request):
    """A gate that answers as S3 does to a request without a signature."""
    if request.headers.get('Authorization', '').startswith('AWS4-HMAC-SHA256 '):
        return None
    return 403, {}, b'<Error><Code>AccessDenied</Code><Message>No</Message></Error>'


@contextlib.contextmanager
def serving():
    """A site that is up."""
    site = Site()
    thread = threading.Thread(target=site.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield site
    finally:
        site.ends.set()
        site.shutdown()
        site.server_close()
