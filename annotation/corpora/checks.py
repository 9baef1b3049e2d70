"""Rows of an upload against each other, and against what a corpus holds."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from hashlib import blake2b
from itertools import count
from operator import attrgetter
from typing import TypeVar

import msgspec
from django.db.models import Model, QuerySet
from django.utils.translation import gettext

from annotation.corpora.import_report import FirstDefinition, ImportReport, KeyLedger
from annotation.corpora.remedies import Problem, Remedy, RemedyChoices
from annotation.corpora.schema import BadLine, FileLine, RowKind

M = TypeVar("M", bound=Model)
MOST_OF_AN_ID = 200  # characters


def _digest(content: object) -> bytes:
    return blake2b(msgspec.json.encode(content), digest_size=16).digest()


def because(reason: str, cause: str) -> str:
    """Return the reason of a line that is bad because of another one, with its place."""
    if not cause:
        return reason
    return gettext("{reason} because {cause} can't be imported").format(reason=reason, cause=cause)


class LineChecks:
    """Refusals within a batch of lines; each bad line is named once."""

    def __init__(self, *, ledger: KeyLedger, report: ImportReport, choices: RemedyChoices) -> None:
        self._ledger = ledger
        self._report = report
        self._choices = choices
        # Lines of this batch: bad ones, those of them that are skipped, and the keys of each.
        self._refused: set[tuple[int, int]] = set()
        self._skipped: set[tuple[int, int]] = set()
        self._keys: dict[tuple[int, int], list[tuple[str, str, str]]] = defaultdict(list)
        self._is_early = False  # a file is read for its topics, and once more for all

    def begin_batch(self) -> None:
        """Forget the lines of the batch before."""
        self._refused.clear()
        self._skipped.clear()
        self._keys.clear()

    def refuse(self, bad: BadLine) -> None:
        """Skip an unreadable line if that was chosen; else refuse it, and record its keys."""
        if self._choices.skips(bad.code, bad.value):
            self._report.skip(bad)
            return
        self._report.refuse(bad)
        if bad.brings:
            self._ledger.miss(bad.brings, bad.place)

    def _refuse(
        self,
        line: FileLine,
        field: str,
        reason: str,
        *,
        follows: str = "",
        code: str = Problem.OTHER,
        value: str = "",
    ) -> None:
        if line.identity in self._refused:
            return
        self._refused.add(line.identity)
        bad = line.bad(field, reason, follows=follows, code=code, value=value)
        if self._choices.skips(code, value):
            self._skipped.add(line.identity)
            self._ledger.forget(self._keys.pop(line.identity, ()))
            self._report.skip(bad)
            return
        self._report.refuse(bad)
        if line.brings:
            self._ledger.miss(line.brings, follows or bad.place)

    def _is_there(self, line: FileLine, field: str, key: str, stored: Mapping[str, int]) -> bool:
        if key not in stored:
            self._refuse_missing(line, field, key, cause=self._ledger.cause(field, "", key))
        return key in stored

    def _refuse_missing(self, line: FileLine, field: str, key: str, *, cause: str) -> None:
        """Refuse a line for what it names: it is not there, perhaps for the cause of a bad line."""
        reason = because(gettext("{key!r} not found").format(key=key), cause)
        reason = reason if cause else self._missing(field, key)
        self._refuse(line, field, reason, follows=cause, code=f"missing_{field}", value=key)

    def _missing(self, field: str, key: str) -> str:
        return gettext("{key!r} not found").format(key=key)

    def _is_first(self, line: FileLine, field: str, topic: str, key: str) -> bool:
        """Return whether a key is new here. A repeated row is skipped with a remark."""
        before = self._first(line, field, topic, key)
        if before and before.is_same:
            self._report.note_repeated(field, f"{line.file}:{line.number}", before.place)
        elif before and not self._is_early:
            of_topic = gettext(" in topic {topic!r}").format(topic=topic) if topic else ""
            self._refuse(
                line,
                field,
                gettext("{key!r} is a duplicate{of_topic}, first seen in {before}").format(
                    key=key, of_topic=of_topic, before=before.place
                ),
                code=Problem.DUPLICATE_ID,
            )
        return not before

    def _first(
        self, line: FileLine, field: str, scope: str, key: str, content: object = None
    ) -> FirstDefinition | None:
        """Note a key of a line; return where it was given before, or nothing."""
        digest = _digest(line.row if content is None else content)
        before = self._ledger.first(line=line, kind=field, scope=scope, key=key, content=digest)
        if not before:
            self._keys[line.identity].append((field, scope, key))
        return before

    def _free_key(
        self, line: FileLine, field: str, key: str, *, content: object = None
    ) -> str | None:
        """Return the id of an answer: a free one for a duplicate that is kept, None if it is not.

        A repeated row is skipped with a remark, unless both are kept.
        """
        before = self._first(line, field, "", key, content)
        if not before:
            return key
        code = Problem.DUPLICATE_ROW if before.is_same else Problem.DUPLICATE_ANSWER
        reason = gettext("{key!r} is a duplicate, first seen in {before}").format(
            key=key, before=before.place
        )
        if self._choices[code].remedy is Remedy.RENAME:
            self._report.mend(line.bad(field, reason, code=code, value=key))
            numbered = (f"{key[: MOST_OF_AN_ID - 8]}/{number}" for number in count(2))
            return next(k for k in numbered if not self._first(line, field, "", k, content))
        if before.is_same:
            self._report.note_repeated(field, f"{line.file}:{line.number}", before.place)
            self._report.mend(line.bad(field, reason, code=code, value=key))
        else:
            self._refuse(line, field, reason, code=code, value=key)
        return None

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
                reason = gettext("{old!r} already exists with a different {differing}").format(
                    old=attrgetter("key")(old), differing=differing[0]
                )
                self._refuse(line, differing[0], reason, code=Problem.CONTRADICTION)
                self._report.contradicting[kind.value] += 1
            else:
                self._report.unchanged[kind.value] += 1
        return list(rows.values())
