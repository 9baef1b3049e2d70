"""Refusals of uploads that are raised in several places."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.utils.translation import gettext

from annotation.corpora.reading.lines import megabytes
from annotation.models import CorpusUpload
from annotation.refusals import Refusal
from annotation.texts.sentences import Sentence

FULL = {errno.ENOSPC, errno.EDQUOT}


class NothingToCheck(Refusal):
    """An upload that cannot be checked or imported because of `file` (its key, or 0)."""

    status = 400

    def __init__(self, reason: str, *, file: int = 0) -> None:
        super().__init__(sentence=reason)
        self.file = file


def upload_too_large() -> Refusal:
    return Refusal(
        "UploadTooLarge",
        gettext(
            "The limit is {megabytes} MB per upload. Compress (.gz) or split the files."
        ).format(megabytes=megabytes(settings.UPLOAD_MOST_BYTES)),
        status=413,
    )


def no_room() -> Refusal:
    return Refusal(
        "NoRoom",
        Sentence("The server is out of storage. Ask your administrator."),
        status=413,
    )


@contextmanager
def refusing_full_disk() -> Iterator[None]:
    """Raise `no_room` where the disk of the uploads is full."""
    try:
        yield
    except OSError as error:
        if error.errno in FULL:
            raise no_room() from error
        raise


def not_now(upload: CorpusUpload) -> Refusal:
    """Return the refusal of an upload in another state than the page shows."""
    state = upload.get_state_display()
    return Refusal("NotNow", gettext("This upload is {state}.").format(state=state))


def name_taken(name: str) -> str:
    return gettext("Corpus {name} already exists. Choose another name or add files to it.").format(
        name=name
    )
