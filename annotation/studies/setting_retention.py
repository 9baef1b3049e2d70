"""Until when a study keeps which data."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext, gettext_lazy

from annotation.models import Keeping, Study
from annotation.people import access
from annotation.refusals import Refusal

LOGS, PLATFORM_IDS, DEMOGRAPHICS = "logs", "platform_ids", "demographics"
RECORDINGS = "recordings"
NAMES = {
    LOGS: gettext_lazy("writing recordings"),
    PLATFORM_IDS: gettext_lazy("platform IDs"),
    DEMOGRAPHICS: gettext_lazy("demographic data"),
    RECORDINGS: gettext_lazy("session recordings"),
}


def data_kinds(study: Study) -> list[str]:
    """Return the kinds of data that a study has.

    Only writing studies have logs, and only recorded studies have recordings.
    """
    has = {LOGS: study.kind == Study.Kind.WRITING, RECORDINGS: study.recorded}
    return [kind for kind in NAMES if has.get(kind, True)]


@dataclass(frozen=True)
class RetentionPeriod:
    """One sort of data of a study: until when, and when it was erased."""

    what: str
    until: date | None
    erased_at: datetime | None

    @property
    def name(self) -> str:
        return str(NAMES[self.what])


def retention_periods(study: Study) -> list[RetentionPeriod]:
    keeping = Keeping.objects.filter(study=study).first() or Keeping(study=study)
    return [retention_of(keeping, kind) for kind in data_kinds(study)]


def retention_of(keeping: Keeping, what: str) -> RetentionPeriod:
    return RetentionPeriod(
        what, getattr(keeping, f"{what}_until"), getattr(keeping, f"{what}_erased_at")
    )


@transaction.atomic
def promise(*, study: Study, until: Mapping[str, date | None], user: User | None) -> Keeping:
    """Say until when each sort of data is kept. Raises Refusal."""
    Study.every.select_for_update(no_key=True).get(pk=study.pk)
    keeping, _ = Keeping.objects.get_or_create(study=study)
    is_promised = study.consents.exists()
    changes = []
    for kind, day in until.items():
        before = getattr(keeping, f"{kind}_until")
        if day == before:
            continue
        if is_promised and before is not None and (day is None or day > before):
            # People have read this date on their receipts.
            raise Refusal(
                "BrokenPromise",
                gettext(
                    "Participants agreed to the storage of {names} until {until:%-d %B %Y}. "
                    "Choose that date or an earlier one."
                ).format(names=NAMES[kind], until=before),
            )
        setattr(keeping, f"{kind}_until", day)
        changes.append(f"{NAMES[kind]} {f'until {day:%-d %B %Y}' if day else 'with no end date'}")
    if changes:
        keeping.save()
        access.record(user=user, act="set data retention", what="; ".join(changes), of=study)
    return keeping
