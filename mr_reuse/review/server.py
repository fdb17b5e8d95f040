"""The local web server of `review`: who may ask, and what is answered.

It listens on 127.0.0.1 only. Every address holds a random token, and the headers of
a request have to say that it was made by this very page, so that neither another
user of the machine nor another site in the same browser gets anywhere.
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

HERE = '127.0.0.1'
STATIC = {
    'review.html': 'text/html',
    'review.css': 'text/css',
    'review.js': 'text/javascript',
}
FETCHED = ('Site', 'Mode', 'Dest')
# A person may follow a link to the page, from a notebook's terminal for example.
FOLLOWED = {'Mode': 'navigate', 'Dest': 'document'}
MOST = 64 << 10  # bytes of a request
CONNECTIONS = 64  # a browser has six
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
WRONG = (
    'This address is not complete: use the one that the command printed, which holds '
    'a token and is new with each start.\n'
)


class Listener(TcpWSGIServer):
    """Listens; of too many connections the oldest that is not being answered is closed.

    Other users of the machine can open many and send a byte now and then, which keeps
    waitress waiting for more of it; at its own limit it would hear nobody else.
    """

    def handle_accept(self) -> None:
        """Take a connection."""
        super().handle_accept()
        old = list(self.active_channels.values())[:-1]
        if len(old) >= CONNECTIONS:
            min(old, key=_is_answered).handle_close()


def _is_answered(one: HTTPChannel) -> bool:
    """Whether a request is worked on, or its answer still on the way."""
    return bool(one.requests or one.total_outbufs_len)


class Server:
    """The page for one task, until it is interrupted."""

    def __init__(self, answers: Blueprint, port: int):
        token = secrets.token_urlsafe(24)
        app = application(token, answers)
        logging.getLogger('waitress').setLevel(logging.CRITICAL)
        try:
            self._server = Listener(
                app,
                host=HERE,
                port=port,
                threads=4,
                ident=None,
                connection_limit=2 * CONNECTIONS,  # never reached
                max_request_body_size=MOST,
                max_request_header_size=MOST,
            )
        except (OSError, OverflowError) as error:
            raise UserError(f'port {port}: {error}; try another') from None
        app.config['PORT'] = self._server.effective_port
        self.url = f'http://{HERE}:{self._server.effective_port}/{token}/'

    def run(self) -> None:
        """Answer until somebody interrupts."""
        try:
            self._server.run()  # ends when it is interrupted
        finally:
            self._server.close()


def application(token: str, answers: Blueprint) -> Flask:
    """What is asked goes through here, and what is answered."""
    app = Flask(__name__, static_folder=None)
    app.config['MAX_CONTENT_LENGTH'] = MOST
    app.register_blueprint(answers, url_prefix=f'/{token}')
    app.register_error_handler(Exception, refused)

    @app.before_request
    def may_ask() -> None:
        must_be_from_here(app.config['PORT'])
        top = f'/{token}/'.encode()
        given = request.path.encode('utf-8', 'replace')[: len(top)]
        if not hmac.compare_digest(given, top):
            raise Forbidden(WRONG)

    @app.after_request
    def with_headers(response: Response) -> Response:
        response.headers.update(HEADERS)
        return response

    return app


def answers(about: dict[str, Any], book: Book, showcase: Showcase) -> Blueprint:
    """What is answered to those who may ask."""
    pages = Blueprint('review', __name__)

    @pages.get('/')
    @pages.get('/<any("review.css", "review.js"):name>')
    def static(name: str = 'review.html') -> Response:
        file = os.path.join(os.path.dirname(__file__), 'static', name)
        return Response(storage.read_text(file), mimetype=STATIC[name])

    @pages.get('/state')
    def state() -> Response:
        return jsonify(about | book.state())

    @pages.get('/items/<int(min=1):place>')
    def item(place: int) -> Response:
        return shown(showcase.item, place)

    @pages.get('/items/<int(min=1):place>/pages/<int:number>')
    def page(place: int, number: int) -> Response:
        return shown(showcase.page, place, number)

    @pages.get('/items/<int(min=1):place>/labels/<int:label>/<int:number>')
    def source(place: int, label: int, number: int) -> Response:
        return shown(showcase.source, place, label, number)

    @pages.post('/judgements')
    def judge() -> Response:
        return jsonify(book.judge(*asked(body())))

    @pages.post('/undo')
    def undo() -> Response:
        body()
        return jsonify(book.undo())

    return pages


def must_be_from_here(port: int) -> None:
    """Refuse what another site has made a browser ask, or a name that is not ours.

    A page of another site can send requests here, and can be given this address by
    its own name server; but it cannot lie in these headers.
    """
    names = {f'{HERE}:{port}', f'localhost:{port}'}
    if request.headers.get('Host') not in names:
        raise Forbidden('not the name of this server')
    origin = request.headers.get('Origin')
    same = origin == f'http://{request.headers["Host"]}'
    if not same and (origin is not None or request.method not in ('GET', 'HEAD')):
        raise Forbidden('asked by another site')
    fetched = {name: request.headers.get(f'Sec-Fetch-{name}') for name in FETCHED}
    if fetched['Site'] not in (None, 'none', 'same-origin') and not (
        FOLLOWED.items() <= fetched.items()
    ):
        raise Forbidden('asked by another site')


def shown(how: Callable[..., dict[str, Any]], *place: int) -> Response:
    """What there is to see, if there is such a thing."""
    try:
        return jsonify(how(*place))
    except IndexError:
        raise NotFound from None


def body() -> Any:
    """The body of a request, which has to be JSON."""
    try:
        return request.get_json()
    except RecursionError:
        raise BadRequest('no judgement') from None


def asked(given: Any) -> tuple[int, list[str], str]:
    """Place, keys and note out of a request, whatever it is.

    >>> asked({'place': 1, 'keys': ['a'], 'note': ''})
    (1, ['a'], '')
    """
    types = {'place': int, 'keys': list, 'note': str}
    if not isinstance(given, dict) or {n: type(v) for n, v in given.items()} != types:
        raise BadRequest('no judgement')
    if not all(type(key) is str for key in given['keys']):
        raise BadRequest('no judgement')
    return given['place'], given['keys'], given['note']


def refused(error: Exception) -> Response:
    """An error, as the page shows it."""
    code, why = 500, f'an error of review itself: {type(error).__name__}'
    if isinstance(error, HTTPException):
        code, why = error.code or 500, error.description or error.name
    elif isinstance(error, UserError):
        code, why = (400 if isinstance(error, UsageError) else 409), str(error)
    else:
        logging.getLogger(__name__).error('%s', why, exc_info=error)
    return Response(f'{why}\n', code, mimetype='text/plain')
