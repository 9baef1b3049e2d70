"""Files that arrive, and an upload with them."""

from typing import Any

from django.contrib.auth.models import User
from django.core.files.uploadedfile import TemporaryUploadedFile

from annotation.corpora.uploads import checking, gathering
from annotation.models import CorpusUpload
from annotation.tasks import work_on_upload
from tests.annotation.corpora.small_corpora import (
    PASSAGE,
    RESPONSE,
    SYSTEM,
    TOPIC,
    as_csv,
    as_jsonl,
)
from tests.cast import rita

GOOD = {
    "topics.jsonl": as_jsonl([TOPIC]),
    "passages.csv": as_csv([PASSAGE]),
    "systems.jsonl": as_jsonl([SYSTEM]),
    "responses.jsonl": as_jsonl([RESPONSE]),
}


def arrived(name: str, content: bytes) -> TemporaryUploadedFile:
    """Return a file as the upload handler has put it on the disk."""
    file = TemporaryUploadedFile(name, "application/octet-stream", len(content), None)
    file.write(content)
    file.flush()
    return file


def uploaded(files: dict[str, bytes], **of: Any) -> CorpusUpload:
    """Return an upload of Rita's with these files."""
    owner = of.pop("owner", None) or User.objects.first() or rita()
    of = of if "corpus" in of else {"name": "Lamps", **of}
    upload = gathering.begin(owner=owner, **of)
    gathering.add_files(upload=upload, files=[arrived(*pair) for pair in files.items()])
    return upload


def checked(upload: CorpusUpload) -> CorpusUpload:
    """Return the upload as a worker has left it."""
    checking.ask_to_check(upload=upload, task=work_on_upload)
    checking.work_on(pk=upload.pk)
    upload.refresh_from_db()
    return upload


def imported(upload: CorpusUpload) -> CorpusUpload:
    checking.ask_to_import(upload=checked(upload), task=work_on_upload)
    checking.work_on(pk=upload.pk)
    upload.refresh_from_db()
    return upload
