"""Rows of an upload against each other, and against what a corpus holds."""

from collections.abc import Callable, Mapping
from hashlib import blake2b
from operator import attrgetter
from typing import TypeVar

import msgspec
from django.db.models import Model, QuerySet
from django.utils.translation import gettext

from annotation.corpora.import_report import ImportReport, KeyLedger
from annotation.corpora.schema import BadLine, FileLine, RowKind

M = TypeVar("M", bound=Model)


def _digest(content: object) -> bytes:
    return blake2b(msgspec.json.encode(content), digest_size=16).digest()


def because(reason: str, cause: str) -> str:
    """Return the reason of a line that is bad because of another one, with its place."""
    if not cause:
        return reason
    return gettext("{reason}: what brings it is bad itself, in {cause}").format(
        reason=reason, cause=cause
    )


class LineChecks:
    """What is refused in a batch: each bad line is named once."""

    def __init__(self, *, ledger: KeyLedger, report: ImportReport) -> None:
        self._ledger = ledger
        self._report = report
        self._refused: set[tuple[int, int]] = set()  # lines of this batch
        self._is_early = False  # a file is read for its topics, and once more for all

    def refuse(self, bad: BadLine) -> None:
        """Refuse an unreadable line, and record the keys it would have defined."""
        self._report.refuse(bad)
        if bad.brings:
            self._ledger.miss(bad.brings, bad.place)

    def _refuse(self, line: FileLine, field: str, reason: str, *, follows: str = "") -> None:
        if line.identity not in self._refused:
            self._refused.add(line.identity)
            self._report.refuse(bad := line.bad(field, reason, follows=follows))
            if line.brings:
                self._ledger.miss(line.brings, follows or bad.place)

    def _is_there(self, line: FileLine, field: str, key: str, stored: Mapping[str, int]) -> bool:
        if key not in stored:
            self._refuse_missing(line, field, key, cause=self._ledger.cause(field, "", key))
        return key in stored

    def _refuse_missing(self, line: FileLine, field: str, key: str, *, cause: str) -> None:
        """Refuse a line for what it names: it is not there, perhaps for the cause of a bad line."""
        reason = because(gettext("{key!r} is not there").format(key=key), cause)
        self._refuse(line, field, reason if cause else self._missing(field, key), follows=cause)

    def _missing(self, field: str, key: str) -> str:
        return gettext("{key!r} is not there").format(key=key)

    def _is_first(
        self, line: FileLine, field: str, topic: str, key: str, *, content: object = None
    ) -> bool:
        """Return whether a key is new here. A repeated row is skipped with a remark.

        `content`: what makes two rows the same, if that is not the row of the line.
        """
        digest = _digest(line.row if content is None else content)
        before = self._ledger.first(line=line, kind=field, scope=topic, key=key, content=digest)
        if before and before.is_same:
            self._report.note_repeated(field, f"{line.file}:{line.number}", before.place)
        elif before and not self._is_early:
            of_topic = gettext(" for the topic {topic!r}").format(topic=topic) if topic else ""
            self._refuse(
                line,
                field,
                gettext("{key!r} is given twice{of_topic}, first in {before}").format(
                    key=key, of_topic=of_topic, before=before.place
                ),
            )
        return not before

    def _new(
        self,
        kind: RowKind,
        rows: dict[object, tuple[FileLine, M]],
        stored: "QuerySet[M]",
        key: str | tuple[str, str],
        same: dict[str, str],
    ) -> list[tuple[FileLine, M]]:
        """Return what is not there yet. `same`: attributes to compare, and their row's field."""
        key_of: Callable[[M], object] = attrgetter(*([key] if isinstance(key, str) else key))
        for old in stored.iterator(chunk_size=100):
            if (pair := rows.pop(key_of(old), None)) is None:
                continue
            line, wanted = pair
            differing = [
                field
                for attribute, field in same.items()
                if getattr(line.row, field) is not None
                and getattr(old, attribute) != getattr(wanted, attribute)
            ]
            if differing:
                reason = gettext("{old!r} is there already with another {differing}").format(
                    old=attrgetter("key")(old), differing=differing[0]
                )
                self._refuse(line, differing[0], reason)
                self._report.contradicting[kind.value] += 1
            else:
                self._report.unchanged[kind.value] += 1
        return list(rows.values())
