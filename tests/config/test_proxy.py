"""The nginx.conf of the repository in a real nginx, before a real web server, under attack."""

import contextlib
import http.client
import re
import socket
import ssl
import time
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from annotation.models import CorpusUpload
from annotation.people.access.making_keys import make_key
from tests.cast import rita
from tests.services.children import ROOT
from tests.services.proxy import Proxy

pytestmark = pytest.mark.django_db(transaction=True)

CONFIG = (ROOT / "nginx.conf").read_text()
SLOW = 40


@pytest.fixture
def web(web_processes):
    return web_processes(1)[0]


@pytest.fixture
def proxy(web, tmp_path):
    server = Proxy(tmp_path, upstream=web.port)
    yield server
    server.stop()


TEN_SECONDS, TWO = "client_body_timeout 10s;", "client_body_timeout 2s;"
LONG = "client_body_timeout 600s;"


@pytest.fixture
def patient_proxy(web, tmp_path):
    """Run a proxy that gives up no silent body while a busy machine answers."""
    server = Proxy(tmp_path, upstream=web.port, other={TEN_SECONDS: LONG})
    yield server
    server.stop()


def ask(proxy: Proxy, path: str, **headers: str) -> http.client.HTTPResponse:
    trust = ssl.create_default_context(cafile=str(proxy.certificate))
    link = http.client.HTTPSConnection("localhost", proxy.https, timeout=30, context=trust)
    link.request("GET", path, headers=headers)
    return link.getresponse()


def post(proxy: Proxy, path: str, body: str, **headers: str) -> http.client.HTTPResponse:
    trust = ssl.create_default_context(cafile=str(proxy.certificate))
    link = http.client.HTTPSConnection("localhost", proxy.https, timeout=30, context=trust)
    form = {"Content-Type": "multipart/form-data; boundary=x", "Referer": "https://localhost/"}
    link.request("POST", path, body, headers={**form, **headers})
    return link.getresponse()


@contextlib.contextmanager
def slow_bodies(
    port: int, trust: ssl.SSLContext | None = None, *, path: str = "/login/", more: bytes = b""
):
    """Open connections that send headers and one byte of a body, and then nothing."""
    with contextlib.ExitStack() as stack:
        for _ in range(SLOW):
            link = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
            if trust:
                link = stack.enter_context(trust.wrap_socket(link, server_hostname="localhost"))
            link.sendall(
                b"POST "
                + path.encode()
                + b" HTTP/1.1\r\nHost: localhost\r\n"
                + more
                + b"Content-Length: 1000\r\n"
                b"Cookie: csrftoken=" + b"a" * 32 + b"\r\n"
                b"Content-Type: application/x-www-form-urlencoded\r\n\r\na"
            )
        time.sleep(1)  # until they are all with the server
        yield


def test_forty_connections_with_one_byte_of_a_body_hold_up_nobody(patient_proxy):
    rita()  # where there is nobody, log-in leads to the set-up
    trust = ssl.create_default_context(cafile=str(patient_proxy.certificate))
    with slow_bodies(patient_proxy.https, trust):
        for _ in range(10):
            assert ask(patient_proxy, "/login/").status == 200


def test_the_same_connections_hold_every_thread_where_no_proxy_stands(web):
    """What `serve` says that it cannot stand; were it untrue, the proxy would show nothing."""
    link = http.client.HTTPConnection("127.0.0.1", web.port, timeout=3)
    with slow_bodies(web.port):
        link.request("GET", "/login/")
        with pytest.raises(TimeoutError):
            link.getresponse()


@pytest.mark.parametrize("path", ["/login/", "/w/none/save/", "/hooks/prolific/", "/api/drafts/"])
def test_a_page_of_another_site_holds_no_thread_even_without_a_proxy(web, path):
    """What `serve` answers on this machine: the form is refused before its body is read."""
    rita()
    others = b"Sec-Fetch-Site: cross-site\r\nOrigin: https://other.example\r\n"
    link = http.client.HTTPConnection("127.0.0.1", web.port, timeout=60)
    with slow_bodies(web.port, path=path, more=others):
        for _ in range(5):
            link.request("GET", "/login/")
            assert link.getresponse().read()


@pytest.fixture
def hasty_proxy(web, tmp_path):
    """Run a proxy that waits two seconds for a silent body instead of ten."""
    server = Proxy(tmp_path, upstream=web.port, other={TEN_SECONDS: TWO})
    yield server
    server.stop()


def test_a_silent_body_is_given_up_after_ten_seconds(hasty_proxy):
    plain = socket.create_connection(("127.0.0.1", hasty_proxy.https), timeout=30)
    trust = ssl.create_default_context(cafile=str(hasty_proxy.certificate))
    with trust.wrap_socket(plain, server_hostname="localhost") as link:
        began = time.monotonic()
        link.sendall(b"POST /login/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\na")
        with contextlib.suppress(ConnectionResetError):
            link.recv(1000)  # in half of nginx's own 60 s
        assert time.monotonic() - began > 1.6


def test_http_is_sent_to_https(proxy):
    link = http.client.HTTPConnection("localhost", proxy.http, timeout=30)
    link.request("GET", "/login/?next=/")
    answer = link.getresponse()
    assert answer.status == 301
    assert answer.headers["Location"] == "https://localhost/login/?next=/"


def test_a_static_file_is_kept_by_the_proxy_and_outlives_the_web_server(proxy, web):
    first = ask(proxy, "/static/css/base.css")
    assert first.status == 200
    web.stop()
    assert ask(proxy, "/static/css/base.css").read() == first.read()
    answer = ask(proxy, "/login/")
    assert answer.status == 503  # pages wait, instead of a 502
    assert answer.headers["Retry-After"] == "5"


def test_too_large_a_body_is_refused_by_the_site_in_a_sentence_or_by_the_proxy(proxy):
    limit = re.search(r"client_max_body_size (\d+)m;", CONFIG)
    assert limit
    assert int(limit[1]) << 20 > settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    assert int(limit[1]) << 20 < 2 * settings.DATA_UPLOAD_MAX_MEMORY_SIZE


def test_files_of_a_corpus_pass_for_who_is_logged_in_and_for_nobody_else(proxy):
    """Nobody else's body is read; elsewhere none of that size is."""
    limit = re.search(r"client_max_body_size (\d+)m;\s+limit_conn", CONFIG)
    assert limit
    assert int(limit[1]) << 20 > settings.UPLOAD_MOST_BYTES + 100_000
    rita()
    upload = CorpusUpload.objects.create(owner=User.objects.get(), name="Lamps", slug="lamps")
    client = Client()
    client.force_login(User.objects.get())
    cookie = f"sessionid={client.cookies['sessionid'].value}; csrftoken={'a' * 32}"
    body = (
        f"--x\r\nContent-Disposition: form-data; name=csrfmiddlewaretoken\r\n\r\n{'a' * 32}\r\n"
        "--x\r\nContent-Disposition: form-data; name=files; filename=a.csv\r\n\r\ntopic,query\n"
        f"{'t,' + 'q' * 2_000_000}\r\n--x--\r\n"
    )
    said = [
        post(proxy, f"/uploads/{upload.pk}/files/", body, Cookie=each).headers["Location"]
        for each in ("", cookie)
    ]
    login = f"https://localhost:{proxy.https}/login/?next=/uploads/new/"
    assert said == [login, f"/uploads/{upload.pk}/"]
    assert upload.files.get().size > 2_000_000
    assert ask(proxy, "/uploads/may-send/").status == 404


def test_files_of_a_program_pass_with_its_key_and_without_one_are_not_read(proxy):
    user = rita()
    upload = CorpusUpload.objects.create(owner=user, name="Lamps", slug="lamps")
    _, secret = make_key(user=user, name="n", scopes=["edit"], now=timezone.now())
    body = (
        "--x\r\nContent-Disposition: form-data; name=files; filename=a.csv\r\n\r\ntopic,query\n"
        f"{'t,' + 'q' * 2_000_000}\r\n--x--\r\n"
    )
    at = f"/api/uploads/{upload.pk}/files/"
    status = [
        post(proxy, at, body, Authorization=f"Bearer {each}").status for each in ("cw_no", secret)
    ]
    assert status == [401, 200]
    assert upload.files.get().size > 2_000_000


def test_no_token_and_no_platform_id_reaches_a_log(proxy):
    ask(proxy, "/w/a-secret-token/judging/finish/")
    ask(proxy, "/w/another-secret/?q=1")
    ask(proxy, "/s/lamps/?PROLIFIC_PID=somebody&SESSION_ID=somewhen")
    deadline = time.monotonic() + 60
    while proxy.log.read_text().count(" GET ") < 3 and time.monotonic() < deadline:
        time.sleep(0.05)
    said = Path(proxy.log).read_text()
    assert "/w/-/judging/finish/" in said
    for secret in ("a-secret-token", "another-secret", "somebody", "somewhen"):
        assert secret not in said


def test_the_web_server_learns_whom_the_proxy_was_asked_by():
    appended = "proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;"
    assert appended in CONFIG  # so that BEHIND_PROXY=1 means the last entry
    assert "proxy_set_header X-Forwarded-Proto $scheme;" in CONFIG
    assert "proxy_request_buffering on;" in CONFIG
