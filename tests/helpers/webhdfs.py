"""A NameNode and DataNodes on loopback, each with an IP of its own, that do as told."""

import contextlib
import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

from webserver import send

ENDS = {'FileNotFoundException': 404, 'IllegalArgumentException': 400}


class Handler(BaseHTTPRequestHandler):
    lost = False
    protocol_version = 'HTTP/1.1'
    disable_nagle_algorithm = True

    def log_message(self, *args):
        pass

    def handle_one_request(self):
        with contextlib.suppress(ConnectionError):
            super().handle_one_request()

    def do_GET(self):
        parts = urlsplit(self.path)
        path = unquote(parts.path).removeprefix('/webhdfs/v1')
        asked = {key: value for key, [value] in parse_qs(parts.query).items()}
        body = self.rfile.read(int(self.headers['Content-Length'] or 0))
        self.server.asked.append((asked['op'], path, asked.get('excludedatanodes')))
        if self.server.refusals:
            status, data = self.server.refusals.pop(0)
            return self.say(status, data)
        if asked['op'] in self.server.lost:
            self.server.lost.remove(asked['op'])
            self.lost = True
        return self.server.answer(self, path, asked, body)

    do_PUT = do_DELETE = do_GET

    def say(self, status=200, told=None, headers=(), cut=None):
        """An answer, bytes or JSON, of which only the first `cut` bytes are sent."""
        if self.server.breaks:
            cut = self.server.breaks.pop()
        if self.lost:
            self.lost, self.close_connection = False, True
            return
        data = told if isinstance(told, bytes) else json.dumps(told or {}).encode()
        self.send_response(status)
        for name, value in {'Content-Length': str(len(data)), **dict(headers)}.items():
            self.send_header(name, value)
        self.end_headers()
        send(self, data[:cut])
        self.close_connection = cut is not None

    def fail(self, kind, why):
        self.say(ENDS.get(kind, 403), remote(kind, why))


def remote(kind: str, why: str) -> dict:
    """An exception as Hadoop tells it."""
    return {'RemoteException': {'exception': kind, 'message': why}}


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, ip: str, hdfs: 'Hdfs'):
        super().__init__((ip, 0), Handler)
        self.hdfs, self.asked, self.refusals, self.sent = hdfs, [], [], 0
        self.lost = []  # operations whose answers never come
        self.breaks = []  # the bytes of answers that break off
        self.accepted = 0
        self.url = f'http://{ip}:{self.server_port}'
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    def handle_error(self, request, client_address):
        """Keep quiet: clients that go away are what is tested."""

    def get_request(self):
        self.accepted += 1
        return super().get_request()

    def stop(self):
        """Be gone: whoever calls is refused."""
        self.shutdown()
        self.server_close()


class DataNode(Server):
    def answer(self, told, path, asked, body):
        if asked['op'] == 'CREATE':
            self.hdfs.write(path, body)
            return told.say(201)
        data, cuts = self.hdfs.files[path][0], self.hdfs.cuts
        cut = cuts.pop(0) if cuts else None
        begin, size = int(asked['offset']), int(asked.get('length', len(data)))
        return told.say(200, data[begin : begin + size], cut=cut)


class NameNode(Server):
    def answer(self, told, path, asked, body):
        op = asked['op']
        if op == 'GETHOMEDIRECTORY':
            told.say(200, {'Path': '/'})
        elif op in ('CREATE', 'OPEN'):
            self.send_on(told, asked)
        elif op == 'RENAME':
            self.rename(told, path, asked['destination'], 'renameoptions' in asked)
        elif op == 'MKDIRS':
            self.hdfs.folders.add(path)
            told.say(200, {'boolean': True})
        elif op == 'DELETE':
            told.say(200, {'boolean': self.hdfs.remove(path)})
        elif (status := self.hdfs.status(path)) is None:
            told.fail('FileNotFoundException', f'File does not exist: {path}')
        elif op == 'LISTSTATUS':
            told.say(200, {'FileStatuses': {'FileStatus': self.hdfs.listing(path)}})
        else:
            told.say(200, {'FileStatus': status})

    def send_on(self, told, asked):
        left = self.hdfs.not_in(asked.get('excludedatanodes', ''))
        if not left:
            return told.fail('IOException', 'Failed to find datanode')
        place = f'{left[0]}{told.path.partition("&excl")[0]}'
        return told.say(307, headers={'Location': place})

    def rename(self, told, old, new, replaces):
        files = self.hdfs.files
        if replaces and old not in files:
            return told.fail('FileNotFoundException', 'no such file')
        inside = [path for path in files if path.startswith(f'{old}/')]
        done = old in files and (replaces or new not in files)
        if done:
            files[new] = files.pop(old)
        elif inside and not self.hdfs.status(new):
            files |= {new + path[len(old) :]: files.pop(path) for path in inside}
            self.hdfs.folders.discard(old)
            done = True
        return told.say(200, {'boolean': done})


class Hdfs:
    """Files, a NameNode, and the addresses of its DataNodes, of which some are dead."""

    def __init__(self):
        self.files, self.cuts, self.numbers = {}, [], iter(range(10**6))
        self.folders = set()  # that were made; others are there by their files
        self.name_node = NameNode('127.0.0.1', self)
        self.data_nodes = [DataNode(f'127.0.0.{n}', self) for n in (2, 3)]
        self.nodes = [node.url for node in self.data_nodes]

    def write(self, path, data):
        self.files[path] = data, int(time.time() * 1000), next(self.numbers)

    def status(self, path):
        """What Hadoop tells of a file or folder; None if nothing has this name."""
        if path in self.files:
            data, changed, number = self.files[path]
            about = {'length': len(data), 'modificationTime': changed}
            return {**about, 'type': 'FILE', 'fileId': number}
        if path in self.folders or self.below(path):
            return {'length': 0, 'modificationTime': 0, 'type': 'DIRECTORY'}
        return None

    def below(self, path):
        """All files and folders in a folder, at any depth."""
        top = f'{path.rstrip("/")}/'
        return [p for p in [*self.files, *self.folders] if p.startswith(top)]

    def listing(self, path):
        top = f'{path.rstrip("/")}/'
        names = sorted({p[len(top) :].partition('/')[0] for p in self.below(path)})
        return [{**self.status(top + name), 'pathSuffix': name} for name in names]

    def remove(self, path):
        gone = [path, *self.below(path)]
        found = [self.files.pop(p, None) for p in gone]
        self.folders.difference_update(gone)
        return any(found)

    def not_in(self, excluded: str) -> list[str]:
        """The DataNodes that one can be sent to; as in Hadoop an IP excludes one."""
        return [
            n for n in self.nodes if urlsplit(n).hostname not in excluded.split(',')
        ]


@contextlib.contextmanager
def serving() -> Iterator[Hdfs]:
    """An HDFS that is up."""
    made = Hdfs()
    servers = [made.name_node, *made.data_nodes]
    try:
        yield made
    finally:
        for server in servers:
            with contextlib.suppress(OSError):
                server.stop()
