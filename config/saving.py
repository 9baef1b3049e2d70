"""The short path of requests that save: answers of judging pages and chunks of interaction logs.

Most requests are of these two kinds, and Django's handling of a request costs more than saving.
Here the view's function is called by itself, without a request object, resolving and middleware.
Only plain successes are answered here. The long path, with all middleware, takes everything else:
refusals, faults, a session cookie (a researcher's trial), maintenance, a connection to be opened or
checked, and the first request of each host and scheme, whose headers are repeated here. So what the
middleware guarantees holds as follows:

- HTTPS, hosts, security and content policies, framing, caching: a host or scheme that is refused or
  redirected never gets the 200 whose headers are repeated.
- Request ids and metrics: the same functions are called.
- Maintenance, pages of other sites, NULs, encodings, the size limit: such requests are not plain.
- Static files, GZip (an answer has about 20 bytes), Common, messages, htmx, frames of trials: these
  are of other addresses.
- Sessions, their owners, sign-in, CSRF, axes: the token in the address is the authority, and no
  cookie acts for a worker.
- Language: a success has no words.
"""

import io
import json
import re
from collections.abc import Callable, Iterable
from time import perf_counter
from typing import Any

from django.conf import settings
from django.db import connection
from django.http import HttpResponse

from annotation import request_ids
from annotation.outages import is_outage
from config.maintenance import watch
from config.middleware import OTHERS
from config.quiet_connections import is_ready
from config.request_middleware import FAILURE
from judging.answering.views import save_answers
from writing.editor.views import save_chunk

ADDRESS = re.compile(r"/w/([A-Za-z0-9_-]+)/(judging/answers|writing/log)/")
SAVERS: dict[str, tuple[str, Callable[[str, bytes], dict[str, Any]]]] = {
    "judging/answers": ("judging:answers", save_answers),
    "writing/log": ("writing:log", save_chunk),
}
# All that headers of an answer depend on.
ADDRESSED_BY = (
    *("wsgi.url_scheme", "HTTP_HOST", "SERVER_NAME", "SERVER_PORT"),
    *("HTTP_X_FORWARDED_PROTO", "HTTP_X_FORWARDED_HOST", "HTTP_X_FORWARDED_PORT"),
)
OWN = {request_ids.HEADER.lower(), "content-length"}  # of each answer
ONCE = {"set-cookie", "content-encoding"}  # an answer with these is no model
MAX_KINDS = 100  # of hosts and schemes whose headers are kept
MAX_DIGITS = 20  # of a length; int() refuses thousands, and zeros may precede

Headers = list[tuple[str, str]]
Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


class ShortPath:
    """A WSGI application before Django's, which answers plain requests that save."""

    def __init__(self, application: Application) -> None:
        self.application = application
        self.headers: dict[tuple[str | None, ...], Headers] = {}
        self.observe: Callable[[str, int, float], None] | None = None
        if settings.METRICS_TOKEN:
            from config import metrics

            self.observe = metrics.count

    def __call__(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        address = ADDRESS.fullmatch(environ["PATH_INFO"])
        if address is None or not is_plain(environ):
            return joined(self.application(environ, start))
        token, what = address.groups()
        kind = (what, *map(environ.get, ADDRESSED_BY))
        headers = self.headers.get(kind)
        if headers is None:
            return joined(self.application(environ, self._learning(kind, start)))
        if not is_ready() or watch.look():
            return joined(self.application(environ, start))
        began = perf_counter()
        body = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))
        route, save = SAVERS[what]
        request_id = request_ids.accepted(environ.get("HTTP_X_REQUEST_ID"))
        content: bytes | None = None
        try:
            with request_ids.under(request_id):
                content = json.dumps(save(token, body)).encode()
        except Exception as error:  # noqa: BLE001 - raised again below, and answered or reported
            if connection.vendor == "sqlite" and is_outage(error):
                environ[FAILURE] = error  # it has waited for a lock; twice would be too long
        if content is None:  # outside the handler, or reports would have the error twice
            environ["wsgi.input"] = io.BytesIO(body)
            return joined(self.application(environ, start))
        own = [(request_ids.HEADER, request_id), ("Content-Length", str(len(content)))]
        start("200 OK", [*headers, *own])
        if self.observe is not None:
            self.observe(route, 200, perf_counter() - began)
        return [content]

    def _learning(
        self, kind: tuple[str | None, ...], start: Callable[..., Any]
    ) -> Callable[..., Any]:
        """Return a `start` that keeps the headers of a good answer."""

        def learn(status: str, headers: Headers, *error: Any) -> Any:
            names = {name.lower() for name, _ in headers}
            if status.startswith("200") and not names & ONCE:
                if len(self.headers) >= MAX_KINDS:  # made-up hosts keep no real one out
                    self.headers.clear()
                self.headers[kind] = [pair for pair in headers if pair[0].lower() not in OWN]
            return start(status, headers, *error)

        return learn


def is_plain(environ: dict[str, Any]) -> bool:
    """Return whether a request to an address of this path has nothing that middleware looks at."""
    length, cookies = environ.get("CONTENT_LENGTH") or "", environ.get("HTTP_COOKIE", "")
    return (
        environ["REQUEST_METHOD"] == "POST"
        and environ.get("CONTENT_TYPE") == "application/json"
        and not environ.get("QUERY_STRING")
        and not environ.get("SCRIPT_NAME")
        and length.isdecimal()
        and len(length) < MAX_DIGITS
        and int(length) <= (settings.DATA_UPLOAD_MAX_MEMORY_SIZE or 0)
        and environ.get("HTTP_SEC_FETCH_SITE") not in OTHERS
        and "\x00" not in environ.get("HTTP_USER_AGENT", "")
        and "\\" not in cookies  # it may quote a NUL, or the name below
        and settings.SESSION_COOKIE_NAME not in cookies
    )


def joined(response: Iterable[bytes]) -> Iterable[bytes]:
    """Return a whole answer as a list, which the server sends at once."""
    if not isinstance(response, HttpResponse):
        return response
    content = response.content
    response.close()
    return [content]
