"""Files of a request go to disk as they come; whoever sends too much is not read on."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import TemporaryUploadedFile
from django.core.files.uploadhandler import StopUpload, TemporaryFileUploadHandler
from django.http import HttpRequest

from annotation.corpora.uploads.refusals import refusing_full_disk
from annotation.refusals import Refusal

ROOM = 100_000  # bytes that a form has around its files


def is_too_large(request: HttpRequest, *, most: int | None = None) -> bool:
    """Return whether the request declares too large a body; nothing of it is read.

    `most` is the limit in bytes, by default that of an upload.
    """
    length = request.META.get("CONTENT_LENGTH") or "0"
    limit = settings.UPLOAD_MOST_BYTES if most is None else most
    return not length.isdigit() or int(length) > limit + ROOM


class ArrivingFiles(TemporaryFileUploadHandler):
    """Every file goes to the disk where uploads are kept, in chunks, whatever its size.

    Raises the refusal `no_room` from the first use of the request's body; nothing of it is left.
    """

    def __init__(self, request: HttpRequest | None = None, *, most: int | None = None) -> None:
        super().__init__(request)
        self.has_stopped = False
        self._most = settings.UPLOAD_MOST_BYTES if most is None else most
        self._arrived = 0

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes | None:
        self._arrived += len(raw_data)
        if self._arrived > self._most:
            self.has_stopped = True
            raise StopUpload(connection_reset=True)
        with self._removing():
            return super().receive_data_chunk(raw_data, start)

    def file_complete(self, file_size: int) -> Any:
        with self._removing():
            self.file.flush()  # writes what is buffered
        return super().file_complete(file_size)

    @contextmanager
    def _removing(self) -> Iterator[None]:
        try:
            with refusing_full_disk():
                yield
        except Refusal:
            self.upload_interrupted()  # deletes the file; Django does not for errors
            raise


def arrived(request: HttpRequest, field: str) -> list[TemporaryUploadedFile]:
    """Return the complete files of a field."""
    files = request.FILES.getlist(field)
    return [file for file in files if isinstance(file, TemporaryUploadedFile)]
