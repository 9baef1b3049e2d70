"""Withdrawals in a file beside the database, which a restore of an older backup reads.

A line has a time and the hash of an assignment's token. It names nobody without the database.
"""

import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import structlog
from django.conf import settings
from django.db import transaction

from annotation import marking
from annotation.models import Assignment, ServiceMark

log = structlog.get_logger(__name__)

# A withdrawal has the time of its request, and the mark that of a failure after the commit.
SLACK = timedelta(hours=1)
# At the end: a line that was cut off by a full disk may stand before it.
LINE = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?\+00:00) ([0-9a-f]{64})\n$")


def path() -> Path:
    """Return the file, in the folder that all hosts share."""
    return Path(settings.UPLOADS_DIR) / "withdrawals"


def note(at: datetime, token_hashes: list[str]) -> None:
    """Append withdrawals to the file, and wait until the disk has them."""
    lines = "".join(
        f"{at.astimezone(UTC).isoformat()} {token_hash}\n" for token_hash in token_hashes
    )
    file = os.open(path(), os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(file, lines.encode())
        os.fsync(file)
    finally:
        os.close(file)


def note_or_mark(at: datetime, token_hashes: list[str]) -> None:
    """Note withdrawals; if the disk refuses, set the mark that `/ready` and `catch_up` read."""
    try:
        note(at, token_hashes)
    except OSError as error:
        log.error("withdrawals are not in the journal yet", error=str(error))
        marking.mark_first(marking.JOURNAL)


def catch_up() -> None:
    """Note the withdrawals that the disk refused. One that is in the file twice counts once."""
    try:
        with transaction.atomic():
            mark = ServiceMark.objects.select_for_update().filter(name=marking.JOURNAL).first()
            if mark is None:
                return
            left = Assignment.objects.filter(
                state=Assignment.State.WITHDRAWN, ended_at__gte=mark.marked_at - SLACK
            )
            for at, token_hash in left.values_list("ended_at", "token_hash"):
                note(at or mark.marked_at, [token_hash])
            mark.delete()
    except OSError as error:
        log.error("withdrawals are still not in the journal", error=str(error))


def noted() -> Iterator[tuple[datetime, str]]:
    """Yield time and token hash of each withdrawal; skip lines that were cut off."""
    try:
        lines = path().open(encoding="ascii", errors="replace")
    except FileNotFoundError:
        return
    with lines:
        for line in lines:
            if match := LINE.search(line):
                yield datetime.fromisoformat(match[1]), match[2]
