"""The broker of the embedded mode: kombu's folder of messages, in which none is read too early.

Kombu writes a message under the name by which it is found, and reads without asking for the lock
that the writer holds. On a busy machine a worker then takes an empty file for a message: the
message is lost, and the worker ends. Here a file gets its name when it is whole.
"""

import os
import time
import uuid
from contextlib import suppress
from pathlib import Path
from typing import Any

from kombu.transport import filesystem
from kombu.utils.json import dumps

PATIENCE = 0.3  # seconds that a worker waits for a message before it looks up


class Channel(filesystem.Channel):
    """A folder into which whole messages are moved."""

    def _put(self, queue: str, payload: Any, **kwargs: Any) -> None:  # type: ignore[override]
        name = f"{time.monotonic_ns():020}_{uuid.uuid4()}.{queue}.msg"  # in the order they came
        written = _write(Path(self.data_folder_out), dumps(payload))
        os.replace(written, Path(self.data_folder_out, name))

    def _queue_bind(self, exchange: str, routing_key: str, pattern: str | None, queue: str) -> None:
        """Kombu fills the table of an exchange; it finds one that can be read already."""
        table = Path(self.control_folder, f"{exchange}.exchange")
        if not table.exists():
            written = _write(table.parent, "[]")
            with suppress(FileExistsError):  # another process was faster
                os.link(written, table)
            written.unlink()
        super()._queue_bind(exchange, routing_key, pattern, queue)


def _write(folder: Path, text: str) -> Path:
    """Write a file that no reader looks for: its name does not end in .msg or .exchange."""
    path = folder / f"{uuid.uuid4()}.written"
    path.write_text(text)
    return path


class Transport(filesystem.Transport):
    """Transport for `CELERY_BROKER_TRANSPORT`."""

    Channel = Channel

    def drain_events(  # type: ignore[override]
        self, connection: Any, timeout: float | None = None
    ) -> None:
        """Wait at most two seconds at a time, so that a worker notices its end."""
        super().drain_events(connection, None if timeout is None else min(timeout, PATIENCE))
