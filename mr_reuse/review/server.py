"""The local web server of `review`: access control and routes.

It listens on 127.0.0.1 only. Every address has a random token, which keeps out other
users of the machine. The headers of a request must show that this page made it, which
keeps out other sites in the same browser.
"""

import hmac
import logging
import os
import secrets
from collections.abc import Callable
from typing import Any

from flask import Blueprint, Flask, Response, jsonify, request
from waitress.channel import HTTPChannel
from waitress.server import TcpWSGIServer
from werkzeug.exceptions import BadRequest, Forbidden, HTTPException, NotFound

from mr_reuse import storage
from mr_reuse.errors import UsageError, UserError
from mr_reuse.review.book import Book
from mr_reuse.review.showcase import Showcase
from mr_reuse.review.sides.parts import SideShowcase

ADDRESS = '127.0.0.1'
STATIC = {
    'review.html': 'text/html',
    'review.css': 'text/css',
    'review.js': 'text/javascript',
    'sides.js': 'text/javascript',
}
FETCH_HEADERS = ('Site', 'Mode', 'Dest')
# A person may follow a link to the page, for example from a terminal in a notebook.
LINK_FOLLOWED = {'Mode': 'navigate', 'Dest': 'document'}
MAX_REQUEST = 64 << 10  # bytes
MAX_CONNECTIONS = 64  # a browser opens six
HEADERS = {
    'Content-Security-Policy': "default-src 'none'; script-src 'self'; "
    "style-src 'self'; connect-src 'self'; frame-ancestors 'none'; "
    "form-action 'none'; base-uri 'none'; require-trusted-types-for 'script'; "
    "trusted-types 'none'",
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
}
WRONG_TOKEN = (
    'This address is incomplete or old. Use the address that the command printed; each '
    'start prints a new one.\n'
)


class Listener(TcpWSGIServer):
    """A listener that closes the oldest idle connection if there are too many.

    Other users of the machine can open many connections and send a byte now and then.
    At the connection limit of waitress, these would lock out the judge.
    """

    def handle_accept(self) -> None:
        """Accept a connection."""
        super().handle_accept()
        old = list(self.active_channels.values())[:-1]
        if len(old) >= MAX_CONNECTIONS:
            # The first of the minimum is the oldest: the dict is in order of arrival.
            min(old, key=_is_busy).handle_close()


def _is_busy(channel: HTTPChannel) -> bool:
    """Return True while a request is processed or its response is being sent."""
    return bool(channel.requests or channel.total_outbufs_len)


class Server:
    """The server of one task, which runs until it is interrupted."""

    def __init__(self, routes: Blueprint, port: int):
        token = secrets.token_urlsafe(24)
        app = application(token, routes)
        logging.getLogger('waitress').setLevel(logging.CRITICAL)
        try:
            self._server = Listener(
                app,
                host=ADDRESS,
                port=port,
                threads=4,
                ident=None,
                connection_limit=2 * MAX_CONNECTIONS,  # never reached, see Listener
                max_request_body_size=MAX_REQUEST,
                max_request_header_size=MAX_REQUEST,
            )
        except (OSError, OverflowError) as error:
            raise UserError(f'port {port}: {error}; try another') from None
        app.config['PORT'] = self._server.effective_port
        self.url = f'http://{ADDRESS}:{self._server.effective_port}/{token}/'

    def run(self) -> None:
        """Serve until an interrupt."""
        try:
            self._server.run()
        finally:
            self._server.close()


def application(token: str, routes: Blueprint) -> Flask:
    """Build the application, which checks each request and adds security headers."""
    app = Flask(__name__, static_folder=None)
    app.config['MAX_CONTENT_LENGTH'] = MAX_REQUEST
    app.register_blueprint(routes, url_prefix=f'/{token}')
    app.register_error_handler(Exception, error_response)

    @app.before_request
    def check_request() -> None:
        refuse_other_sites(app.config['PORT'])
        prefix = f'/{token}/'.encode()
        start = request.path.encode('utf-8', 'replace')[: len(prefix)]
        # In constant time, so that the token cannot be guessed byte by byte.
        if not hmac.compare_digest(start, prefix):
            raise Forbidden(WRONG_TOKEN)

    @app.after_request
    def add_headers(response: Response) -> Response:
        response.headers.update(HEADERS)
        return response

    return app


def routes(
    about: dict[str, Any], book: Book, showcase: Showcase | SideShowcase
) -> Blueprint:
    """Build the routes of the page, of its items and of judgements."""
    pages = Blueprint('review', __name__)

    @pages.get('/')
    @pages.get('/<any("review.css", "review.js", "sides.js"):name>')
    def static(name: str = 'review.html') -> Response:
        file = os.path.join(os.path.dirname(__file__), 'static', name)
        return Response(storage.read_text(file), mimetype=STATIC[name])

    @pages.get('/state')
    def state() -> Response:
        return jsonify(about | book.state())

    @pages.get('/items/<int(min=1):place>')
    def item(place: int) -> Response:
        return json_or_404(showcase.item, place)

    @pages.get('/items/<int(min=1):place>/pages/<int:number>')
    def page(place: int, number: int) -> Response:
        return json_or_404(showcase.page, place, number)

    @pages.get('/items/<int(min=1):place>/pages/<int:label>/beside/<int:number>')
    @pages.get('/items/<int(min=1):place>/labels/<int:label>/<int:number>')
    def source(place: int, label: int, number: int) -> Response:
        return json_or_404(showcase.source, place, label, number)

    @pages.post('/judgements')
    def judge() -> Response:
        return jsonify(book.judge(*parse_judgement(json_body())))

    @pages.post('/undo')
    def undo() -> Response:
        json_body()  # refuses a form, which another site could send
        return jsonify(book.undo())

    return pages


def refuse_other_sites(port: int) -> None:
    """Refuse requests that another site made in the browser, and foreign host names.

    A page of another site can send requests to this server, also under a host name of
    its own that resolves to 127.0.0.1. But it cannot set these headers.
    """
    names = {f'{ADDRESS}:{port}', f'localhost:{port}'}
    if request.headers.get('Host') not in names:
        raise Forbidden('not the name of this server')
    origin = request.headers.get('Origin')
    same = origin == f'http://{request.headers["Host"]}'
    if not same and (origin is not None or request.method not in ('GET', 'HEAD')):
        raise Forbidden('asked by another site')
    fetched = {name: request.headers.get(f'Sec-Fetch-{name}') for name in FETCH_HEADERS}
    if fetched['Site'] not in (None, 'none', 'same-origin') and not (
        LINK_FOLLOWED.items() <= fetched.items()
    ):
        raise Forbidden('asked by another site')


def json_or_404(method: Callable[..., dict[str, Any]], *indexes: int) -> Response:
    """Respond with the result of a method; with 404 if it raises IndexError."""
    try:
        return jsonify(method(*indexes))
    except IndexError:
        raise NotFound from None


def json_body() -> Any:
    """Parse the body of the request, which must be JSON."""
    try:
        return request.get_json()
    except RecursionError:  # thousands of nested brackets
        raise BadRequest('no judgement') from None


def parse_judgement(data: Any) -> tuple[int, list[str], str]:
    """Return position, keys and note of a request; BadRequest for anything else.

    >>> parse_judgement({'place': 1, 'keys': ['a'], 'note': ''})
    (1, ['a'], '')
    """
    types = {'place': int, 'keys': list, 'note': str}
    if not isinstance(data, dict) or {n: type(v) for n, v in data.items()} != types:
        raise BadRequest('no judgement')
    if not all(type(key) is str for key in data['keys']):
        raise BadRequest('no judgement')
    return data['place'], data['keys'], data['note']


def error_response(error: Exception) -> Response:
    """Convert an error to a response with its message as text."""
    code, why = 500, f'internal error of review: {type(error).__name__}'
    if isinstance(error, HTTPException):
        code, why = error.code or 500, error.description or error.name
    elif isinstance(error, UserError):
        code, why = (400 if isinstance(error, UsageError) else 409), str(error)
    else:
        logging.getLogger(__name__).error('%s', why, exc_info=error)
    return Response(f'{why}\n', code, mimetype='text/plain')
