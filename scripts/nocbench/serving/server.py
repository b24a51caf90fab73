"""The server: pages, and questions that worker processes answer.

It listens on loopback unless told otherwise. A request must name the server's own address as its host, and must come
from the server's own pages if it says where it comes from: pages of other sites learn nothing, even with another name
for the address. For other machines, a token takes the place of the name. Requests, connections, questions at work and
their time are limited.
"""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import json
import multiprocessing
import resource
import secrets
from concurrent.futures import TimeoutError as AnswerTimeoutError
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

import tornado.httpserver
import tornado.web
from pebble import ProcessExpired, ProcessPool
from tornado.netutil import bind_sockets

from nocbench.serving import answers
from nocbench.support.errors import InputError, NocbenchError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tornado.iostream import IOStream

_BODY_BYTES_MAX = 256 * 1024
_HEADER_BYTES_MAX = 16 * 1024
_CONNECTIONS_MAX = 200
_QUESTIONS_MAX = 16
"""Most questions that work or wait; further ones are refused."""

_ANSWER_SECONDS_MAX = 60
_IDLE_SECONDS_MAX = 60
_MEMORY_BYTES_MAX = 8 << 30
_FILE_BYTES_MAX = 512 << 20
_QUESTIONS_OF_A_WORKER = 100
_TOO_MANY = 503
_LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")
_COOKIE = "nocbench_token"
_TYPES = {
    "html": "text/html",
    "js": "text/javascript",
    "css": "text/css",
    "svg": "image/svg+xml",
    "png": "image/png",
    "txt": "text/plain",
}
_QUESTIONS: Mapping[str, Callable[[answers.Question], answers.Answer]] = {
    "curve": answers.curve,
    "fields": answers.fields,
    "kernel": answers.kernel,
    "tests": lambda _: answers.tests(),
}


@dataclass(frozen=True)
class Service:
    """A service to offer.

    Attributes:
        host: address to listen on.
        port: port; 0: any free one.
        pages: returns the content of a page or file by its name, or None if there is none.
        token: secret that requests must have; empty: none is needed.
        runs_kernels: True if kernels may be pasted.
        jobs: number of worker processes.
    """

    host: str
    port: int
    pages: Callable[[str], bytes | None]
    token: str = ""
    runs_kernels: bool = True
    jobs: int = 2


def is_loopback(host: str) -> bool:
    """Returns True for an address of this machine alone. Raises InputError unless it is an address or "localhost"."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        raise InputError(f"--host: expected an address such as 127.0.0.1, found {host}") from None


def make_token() -> str:
    """Returns a new secret."""
    return secrets.token_urlsafe(24)


def answer(kind: str, question: answers.Question) -> tuple[str, Any]:
    """Answers a question in a worker process. Returns "answer" with it, or "fault" with a message."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    # Compilers inherit the limit, and so end although nobody waits for them any more.
    _limit(resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime) + _ANSWER_SECONDS_MAX)
    try:
        return "answer", _QUESTIONS[kind](question)
    except NocbenchError as error:
        return "fault", str(error)


def prepare_worker() -> None:
    """Limits the memory and files of a worker process, and of compilers that it starts; reads what questions need."""
    _limit(resource.RLIMIT_AS, _MEMORY_BYTES_MAX)
    _limit(resource.RLIMIT_FSIZE, _FILE_BYTES_MAX)
    _limit(resource.RLIMIT_CORE, 0)
    answers.warm_up()


def prepared() -> None:
    """Does nothing, in a worker process that is prepared by then."""


def _limit(what: int, most: int) -> None:
    _, hard = resource.getrlimit(what)
    resource.setrlimit(what, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


class LimitedServer(tornado.httpserver.HTTPServer):
    """HTTP server that closes connections beyond a limit at once."""

    def handle_stream(self, stream: IOStream, address: tuple[str, int]) -> None:
        """Serves a new connection, unless there are too many."""
        if len(self._connections) >= _CONNECTIONS_MAX:
            stream.close()
            return
        super().handle_stream(stream, address)


class Handler(tornado.web.RequestHandler):
    """Answers requests of the server's own pages."""

    def initialize(self, service: Service, pool: ProcessPool, waiting: list[int]) -> None:
        """Takes what all requests share."""
        self._service = service
        self._pool = pool
        self._waiting = waiting

    def set_default_headers(self) -> None:
        """Sets the headers of all answers."""
        self.clear_header("Server")
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Referrer-Policy", "no-referrer")
        self.set_header("Cross-Origin-Resource-Policy", "same-origin")
        self.set_header("X-Frame-Options", "DENY")

    def write_error(self, status_code: int, **_: Any) -> None:  # noqa: ANN401 - of the base
        """Answers with a line of text that tells nothing of the server."""
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish(f"{self._reason}\n" if status_code != _TOO_MANY else "too many questions at once; try again\n")

    def prepare(self) -> None:
        """Refuses requests from elsewhere."""
        host = self.request.headers.get("Host", "")
        origin = self.request.headers.get("Origin")
        if self._service.token:  # it protects against other names of the address, too
            self._require_token()
        elif host not in {f"{name}:{self.settings['port']}" for name in _LOOPBACK_NAMES}:
            raise tornado.web.HTTPError(403)
        if origin is not None and urlsplit(origin).netloc != host:
            raise tornado.web.HTTPError(403)
        if self.request.method == "POST" and self.request.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
            raise tornado.web.HTTPError(403)

    def get(self, name: str) -> None:
        """Sends a page or a file."""
        if self._service.token and self.get_query_argument("token", None) is not None:
            self.set_cookie(_COOKIE, self._service.token, httponly=True, samesite="Strict")
            self.redirect(f"/{name}")
            return
        content = self._service.pages(name or "index.html")
        if content is None:
            raise tornado.web.HTTPError(404)
        kind = _TYPES.get((name or "index.html").rpartition(".")[2], "application/octet-stream")
        self.set_header("Content-Type", f"{kind}; charset=utf-8" if kind.startswith("text/") else kind)
        self.finish(content)

    async def post(self, name: str) -> None:
        """Answers a question."""
        kind = name.removeprefix("api/")
        if not name.startswith("api/") or kind not in _QUESTIONS:
            raise tornado.web.HTTPError(404)
        if kind == "kernel" and not self._service.runs_kernels:
            raise tornado.web.HTTPError(403, reason="kernels are not run for other machines")
        if self.request.headers.get("Content-Type", "").partition(";")[0] != "application/json":
            raise tornado.web.HTTPError(415)
        try:
            question = json.loads(self.request.body)
        except (ValueError, RecursionError):
            raise tornado.web.HTTPError(400) from None
        if not isinstance(question, dict):
            raise tornado.web.HTTPError(400)
        if self._waiting[0] >= _QUESTIONS_MAX:
            raise tornado.web.HTTPError(_TOO_MANY)
        self._waiting[0] += 1
        try:
            outcome, content = await self._answer(kind, question)
        finally:
            self._waiting[0] -= 1
        self.set_header("Content-Type", "application/json")
        self.finish(json.dumps({outcome: content}))

    async def _answer(self, kind: str, question: answers.Question) -> tuple[str, Any]:
        future = self._pool.schedule(answer, args=(kind, question), timeout=_ANSWER_SECONDS_MAX)
        try:
            return cast("tuple[str, Any]", await asyncio.wrap_future(future))
        except (TimeoutError, AnswerTimeoutError, ProcessExpired):
            return "fault", f"this took longer than {_ANSWER_SECONDS_MAX} s, or more memory than there is for it"

    def _require_token(self) -> None:
        given = self.get_query_argument("token", None) or self.get_cookie(_COOKIE) or ""
        if not hmac.compare_digest(given.encode(), self._service.token.encode()):
            raise tornado.web.HTTPError(401)


async def serve(service: Service, ready: Callable[[int], None], until: asyncio.Event) -> None:
    """Serves until an event is set.

    Args:
        service: service to offer.
        ready: told the port when connections are accepted.
        until: event that ends the service.

    Raises:
        InputError: the address cannot be listened on.
    """
    with ProcessPool(
        max_workers=service.jobs,
        max_tasks=_QUESTIONS_OF_A_WORKER,
        initializer=prepare_worker,
        context=multiprocessing.get_context("forkserver"),
    ) as pool:
        settings = {"service": service, "pool": pool, "waiting": [0]}
        application = tornado.web.Application([(r"/(.*)", Handler, settings)], log_function=lambda _: None)
        server = LimitedServer(
            application,
            max_header_size=_HEADER_BYTES_MAX,
            max_body_size=_BODY_BYTES_MAX,
            body_timeout=_IDLE_SECONDS_MAX,
            idle_connection_timeout=_IDLE_SECONDS_MAX,
        )
        try:
            sockets = bind_sockets(service.port, service.host)
        except OSError as error:
            raise InputError(f"{service.host}:{service.port}: cannot be listened on: {error.strerror}") from None
        application.settings["port"] = sockets[0].getsockname()[1]
        server.add_sockets(sockets)
        for _ in range(service.jobs):  # starts the workers before the first question
            pool.schedule(prepared)
        ready(application.settings["port"])
        try:
            await until.wait()
        finally:
            server.stop()
            pool.stop()  # type: ignore[no-untyped-call]
