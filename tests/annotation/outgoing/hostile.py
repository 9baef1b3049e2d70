"""A server that speaks HTTP as badly as it can: one behaviour for each connection."""

import contextlib
import gzip
import itertools
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator

OK = b"HTTP/1.1 200 OK\r\n"
JSON = b"Content-Type: application/json\r\n"
DRIP = 0.02  # seconds between two bytes
BOMB = gzip.compress(gzip.compress(b"0" * 200_000_000, 9), 9)


def read_request(conn: socket.socket) -> None:
    data = b""
    while b"\r\n\r\n" not in data:
        data += conn.recv(65_536)
    head, _, body = data.partition(b"\r\n\r\n")
    length = 0
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    while len(body) < length:
        body += conn.recv(65_536)


def drip(conn: socket.socket, data: bytes) -> None:
    for byte in data:
        conn.sendall(bytes([byte]))
        time.sleep(DRIP)


def repeat(conn: socket.socket, data: bytes, *, pause: float = 0) -> None:
    while True:
        conn.sendall(data)
        time.sleep(pause)


def silence(conn: socket.socket) -> None:
    conn.recv(1)  # ends when the client leaves
    time.sleep(30)


def never_reads(conn: socket.socket) -> None:
    time.sleep(30)


def after_request(act: Callable[[socket.socket], None]) -> Callable[[socket.socket], None]:
    def behave(conn: socket.socket) -> None:
        read_request(conn)
        act(conn)

    return behave


def sends(data: bytes) -> Callable[[socket.socket], None]:
    return after_request(lambda conn: conn.sendall(data))


def reset(conn: socket.socket) -> None:
    conn.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def endless_blocks(conn: socket.socket) -> None:
    conn.sendall(OK + b"Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n")
    block = gzip.compress(b"")
    repeat(conn, b"%x\r\n%s\r\n" % (len(block), block))


def endless_headers(conn: socket.socket) -> None:
    conn.sendall(OK)
    for number in itertools.count():
        conn.sendall(b"X-%d: a\r\n" % number)


def slow_reader(conn: socket.socket) -> None:
    conn.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    while conn.recv(1024):
        time.sleep(DRIP)


CHUNKED = OK + JSON + b"Transfer-Encoding: chunked\r\n\r\n"
BEHAVIOURS: dict[str, Callable[[socket.socket], None]] = {
    # Time
    "drips its headers": after_request(lambda conn: drip(conn, OK + b"X-Slow: " + b"a" * 10_000)),
    "drips its status": after_request(lambda conn: drip(conn, b"HTTP/1.1 200 " + b"O" * 10_000)),
    "drips its body": after_request(
        lambda conn: (conn.sendall(OK + b"Content-Length: 9999\r\n\r\n"), drip(conn, b" " * 9999))
    ),
    "drips chunks": after_request(
        lambda conn: (conn.sendall(CHUNKED), repeat(conn, b"1\r\n \r\n", pause=DRIP))
    ),
    "drips interim answers": after_request(
        lambda conn: repeat(conn, b"HTTP/1.1 100 Continue\r\n\r\n", pause=DRIP)
    ),
    "is silent": after_request(silence),
    "is silent in its body": after_request(
        lambda conn: (conn.sendall(OK + b"Content-Length: 10\r\n\r\n{"), silence(conn))
    ),
    "never reads": never_reads,
    "reads slowly": slow_reader,
    # Bytes
    "sends interim answers without end": after_request(
        lambda conn: repeat(conn, b"HTTP/1.1 100 Continue\r\n\r\n" * 100)
    ),
    "sends hints without end": after_request(
        lambda conn: repeat(conn, b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" * 100)
    ),
    "sends one header without end": after_request(
        lambda conn: (conn.sendall(OK + b"X-Long: "), repeat(conn, b"a" * 10_000))
    ),
    "sends headers without end": after_request(endless_headers),
    "sends a thousand headers": sends(
        OK + b"".join(b"A%d: b\r\n" % n for n in range(1000)) + b"Content-Length: 0\r\n\r\n"
    ),
    "sends a body without end": after_request(
        lambda conn: (conn.sendall(OK + JSON + b"\r\n"), repeat(conn, b" " * 65_536))
    ),
    "sends tiny chunks without end": after_request(
        lambda conn: (conn.sendall(CHUNKED), repeat(conn, b"1\r\n \r\n" * 1000))
    ),
    "sends chunk extensions without end": after_request(
        lambda conn: (conn.sendall(CHUNKED + b"1;a="), repeat(conn, b"b" * 10_000))
    ),
    "pads every chunk": after_request(
        lambda conn: (conn.sendall(CHUNKED), repeat(conn, b"1;" + b"b" * 8000 + b"\r\n \r\n"))
    ),
    "sends trailers without end": after_request(
        lambda conn: (conn.sendall(CHUNKED + b"0\r\n"), repeat(conn, b"X-More: a\r\n" * 500))
    ),
    # Compression
    "sends a bomb": sends(
        OK + b"Content-Encoding: gzip, gzip\r\nContent-Length: %d\r\n\r\n" % len(BOMB) + BOMB
    ),
    "sends empty gzip blocks without end": after_request(endless_blocks),
    "sends brotli": sends(OK + b"Content-Encoding: br\r\nContent-Length: 2\r\n\r\n{}"),
    "compresses the transfer": sends(OK + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"),
    # Nonsense
    "hangs up": after_request(lambda conn: None),
    "hangs up before it has read": lambda conn: None,
    "resets": after_request(reset),
    "ends too early": sends(OK + b"Content-Length: 10\r\n\r\n{"),
    "contradicts itself": sends(OK + b"Content-Length: 2\r\nContent-Length: 4\r\n\r\n{}"),
    "has a negative length": sends(OK + b"Content-Length: -1\r\n\r\n{}"),
    "has an absurd length": sends(OK + b"Content-Length: " + b"9" * 400 + b"\r\n\r\n{}"),
    "has a chunk of absurd size": sends(CHUNKED + b"f" * 400 + b"\r\n{}"),
    "does not speak HTTP": sends(b"SSH-2.0-OpenSSH_9.6\r\n" * 10),
    "speaks HTTP/2": sends(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    "switches protocols": sends(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"),
    "sends a status that is none": sends(b"HTTP/1.1 99999 OK\r\n\r\n"),
    "redirects to nonsense": sends(
        b"HTTP/1.1 302 Found\r\nLocation: http://[::1:\xff/\r\nContent-Length: 0\r\n\r\n"
    ),
    "floods with cookies": sends(
        OK + b"".join(b"Set-Cookie: a=%s\r\n" % (b"b" * 4000) for _ in range(14))
        + b"Content-Length: 2\r\n\r\n{}"
    ),
    "nests without end": sends(OK + JSON + b"Content-Length: 200000\r\n\r\n" + b"[" * 200_000),
    "names an encoding that does not exist": sends(
        OK + b"Content-Type: application/json; charset=hex\r\nContent-Length: 2\r\n\r\n{}"
    ),
}  # fmt: skip


@contextlib.contextmanager
def hostile_server(behave: Callable[[socket.socket], None]) -> Iterator[int]:
    """Serve one behaviour on a port of this machine."""
    listener = socket.create_server(("127.0.0.1", 0))
    ended = threading.Event()
    open_ones: list[socket.socket] = []

    def talk(conn: socket.socket) -> None:
        with conn, contextlib.suppress(OSError):
            behave(conn)

    def serve() -> None:
        while not ended.is_set():
            try:
                conn, _ = listener.accept()
            except OSError:
                return
            open_ones.append(conn)
            threading.Thread(target=talk, args=(conn,), daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield listener.getsockname()[1]
    finally:
        ended.set()
        listener.close()
        for conn in open_ones:
            with contextlib.suppress(OSError):
                conn.shutdown(socket.SHUT_RDWR)
