"""A name server of a test: every name has the one address that the test sets."""

import socket
import struct
import threading
from contextlib import suppress

HEADER = 12  # bytes
ADDRESS_OF_NAME = b"\xc0\x0c" + struct.pack(">HHIH", 1, 1, 1, 4)  # type A, class IN, TTL 1 s


class NameServer:
    """Answers questions for IPv4 addresses at `port`, over UDP."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.port = int(self.socket.getsockname()[1])
        threading.Thread(target=self._answer, daemon=True).start()

    def stop(self) -> None:
        self.socket.close()

    def _answer(self) -> None:
        with suppress(OSError):
            while True:
                query, sender = self.socket.recvfrom(512)
                end = query.index(b"\0", HEADER) + 5  # of the name, its type and class
                head = query[:2] + struct.pack(">HHHHH", 0x8180, 1, 1, 0, 0)
                answer = ADDRESS_OF_NAME + socket.inet_aton(self.address)
                self.socket.sendto(head + query[HEADER:end] + answer, sender)
