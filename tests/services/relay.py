"""A relay of TCP connections, to take a server away from a process and bring it back."""

import socket
import threading
from contextlib import suppress


class Relay:
    """Hands connections to its `port` on to another one of this machine, until it is `cut`."""

    def __init__(self, to: int, *, at: tuple[str, int] = ("127.0.0.1", 0)) -> None:
        self.to, self.is_cut = to, False
        self.open: list[socket.socket] = []
        self.listener = socket.create_server(at)
        self.port = int(self.listener.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        self.is_cut = True
        self._close_all()

    def mend(self) -> None:
        self.is_cut = False

    def stop(self) -> None:
        self.cut()
        self.listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                here, _ = self.listener.accept()
                if self.is_cut:
                    here.close()
                    continue
                there = socket.create_connection(("127.0.0.1", self.to))
                self.open += [here, there]
                for pair in ((here, there), (there, here)):
                    threading.Thread(target=self._copy, args=pair, daemon=True).start()

    def _copy(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                target.sendall(data)
        for end in (source, target):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _close_all(self) -> None:
        for end in self.open:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        self.open.clear()
