"""Rows of the participants of a study, over all their assignments.

People who did not agree to the consent text or withdrew are left out.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from analysis.exports.assignments import (
    KINDS,
    State,
    form_cells,
    form_columns,
    is_finished,
    money_of,
    rounded_seconds,
    works_of,
)
from analysis.exports.cells import iso
from analysis.exports.encodings import Row
from analysis.exports.export_column import (
    ANSWER,
    BOOLEAN,
    CURRENCY,
    MOMENT_CELL,
    MONEY,
    NUMBER,
    TEXT,
    TIME,
    WORKER,
    ExportColumn,
    header,
)
from analysis.exports.source import ExportSource
from analysis.inputs import judged_items
from annotation.fieldwork.work.admission import attempts_of
from annotation.models import (
    Assignment,
    Consent,
    ScreeningResult,
    Study,
    Worker,
)
from annotation.studies.active_time import active_times


def _screens(source: ExportSource) -> bool:
    return bool(_asked(source.study))


def _screens_twice(source: ExportSource) -> bool:
    return _screens(source) and attempts_of(source.study) > 1


PARTICIPANT = (
    WORKER,
    ExportColumn(
        "platform", TEXT, "prolific",
        "where the participant came from: prolific, link, upwork or invitation",
    ),
    ExportColumn("arrived_at", TIME, MOMENT_CELL, "first arrival; ISO 8601, UTC"),
    ExportColumn("agreed_at", TIME, MOMENT_CELL, "first consent; ISO 8601, UTC"),
    ExportColumn(
        "consent_version", TEXT, "1",
        "version of the consent text that the participant last agreed to",
    ),
    ExportColumn("assignments", NUMBER, "3", "number of assignments started"),
    ExportColumn(
        "submitted", NUMBER, "2",
        "number of assignments submitted, with any decision",
    ),
    ExportColumn("accepted", NUMBER, "2", "number of assignments approved"),
    ExportColumn("rejected", NUMBER, "0", "number of assignments rejected"),
    ExportColumn("unfinished", NUMBER, "1", "number of assignments not submitted"),
    ExportColumn(
        "active_seconds", "number, s", "612.4",
        "active time of all assignments, s; empty if unknown",
    ),
    CURRENCY,
    *MONEY,
)  # fmt: skip
SCREENING = (
    ExportColumn(
        "screened_at", TIME, MOMENT_CELL,
        "time of the answers to the screening questions; ISO 8601, UTC", when=_screens,
    ),
    ExportColumn(
        "screening_passed", BOOLEAN, "True",
        "whether the participant passed; only in studies with screening", when=_screens,
    ),
    ExportColumn("screening_attempts", NUMBER, "2", "number of attempts", when=_screens),
    ExportColumn(
        "screening_right", NUMBER, "2",
        "number of correct answers in the last attempt", when=_screens,
    ),
    ExportColumn("screening_asked", NUMBER, "3", "number of screening questions", when=_screens),
    ExportColumn(
        "screening_{question}", ANSWER, "b",
        "code of the answer to each screening question, last attempt",
        names=lambda source: form_columns("screening", _asked(source.study)),
    ),
    ExportColumn(
        "screening_first_right", NUMBER, "1",
        "number of correct answers in the first of two attempts; empty if the participant "
        "passed it",
        when=_screens_twice,
    ),
    ExportColumn(
        "screening_first_{question}", ANSWER, "a",
        "code of each answer in the first of two attempts", when=_screens_twice,
        names=lambda source: form_columns("screening_first", _asked(source.study)),
    ),
)  # fmt: skip
PARTICIPANTS = (*PARTICIPANT, *SCREENING)


def participants(source: ExportSource) -> Iterator[Row]:
    """Yield one row per participant, by pseudonym."""
    study = source.study
    people = Worker.objects.filter(pk__in=works_of(study).values("worker"))
    for pks in judged_items.chunks(
        people.order_by(judged_items.in_order("pseudonym")), source.step
    ):
        by_pk = Worker.objects.defer("external_id").in_bulk(list(pks))
        works: dict[int, list[Assignment]] = defaultdict(list)
        for work in works_of(study).filter(worker__in=pks).order_by("pk").defer("exit_answers"):
            works[work.worker_id].append(work)
        every = [work.pk for some in works.values() for work in some]
        money, active = money_of(every), active_times(study, only=every)
        consents = _consents(study, pks)
        screened = {
            result.worker_id: result
            for result in ScreeningResult.objects.filter(slug=study.slug, worker__in=pks)
        }
        for pk in pks:
            mine = works[pk]
            seconds = [active[work.pk].seconds for work in mine if work.pk in active]
            row: Row = {
                "worker": by_pk[pk].pseudonym,
                "platform": by_pk[pk].platform,
                "arrived_at": iso(min(work.arrived_at for work in mine)),
                "agreed_at": iso(min(work.started_at for work in mine if work.started_at)),
                "consent_version": consents.get(pk, ""),
                "assignments": len(mine),
                "submitted": sum(is_finished(work.state) for work in mine),
                "accepted": sum(work.state == State.ACCEPTED for work in mine),
                "rejected": sum(work.state == State.REJECTED for work in mine),
                "unfinished": sum(not is_finished(work.state) for work in mine),
                "active_seconds": rounded_seconds(sum(seconds)) if seconds else None,
                "currency": study.currency,
            }
            row |= {name: round(sum(money[work.pk][name] for work in mine), 2) for name in KINDS}
            yield row | _screening(source, screened.get(pk))


def _consents(study: Study, workers: Sequence[int]) -> Mapping[int, str]:
    """Return the version of the consent text that each worker agreed to last."""
    rows = Consent.objects.filter(study=study, worker__in=workers, withdrawn_at=None)
    return dict(rows.order_by("given_at").values_list("worker", "version"))


def _screening(source: ExportSource, result: ScreeningResult | None) -> Row:
    study = source.study
    if not _asked(study):
        return {}
    if result is None:
        return dict.fromkeys(header(SCREENING, source))
    row: Row = {
        "screened_at": iso(result.answered_at),
        "screening_passed": result.is_passed,
        "screening_attempts": result.attempts,
        "screening_right": result.right,
        "screening_asked": result.asked,
    }
    row |= form_cells("screening", _asked(study), result.answers)
    if attempts_of(study) > 1:
        first = result.earlier[0] if result.earlier else {"answers": {}, "right": None}
        row["screening_first_right"] = first["right"]
        row |= form_cells("screening_first", _asked(study), first["answers"])
    return row


def _asked(study: Study) -> list[dict[str, Any]]:
    return list(study.screening.get("questions", []))
