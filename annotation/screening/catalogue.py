"""All qualifications that the studies of somebody give or ask for. Only reads."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from django.db.models import Count

from annotation.models import Qualified, Study
from annotation.screening.admission import requirement_of


@dataclass
class Known:
    """A qualification: how many people have it, of them `given` by each of the studies and
    `elsewhere` by others; the studies that ask for it. A study that would give it to whoever passes
    its screening is among `given`, be it with nobody yet."""

    name: str
    people: int = 0
    given: list[tuple[Study, int]] = field(default_factory=list)
    asking: list[Study] = field(default_factory=list)

    @property
    def elsewhere(self) -> int:
        return self.people - sum(n for _, n in self.given)


def known_in(studies: Iterable[Study]) -> list[Known]:
    """By name, those that have to do with these studies; as many queries whatever their number."""
    mine = list(studies)
    counts: dict[tuple[str, int | None], int] = {}
    people: dict[str, int] = defaultdict(int)
    rows = Qualified.objects.values_list("qualification__name", "study")
    for name, study, n in rows.annotate(n=Count("pk")).order_by():
        counts[name, study] = n
        people[name] += n
    found: dict[str, Known] = {}
    for study in mine:
        if name := requirement_of(study):
            _in(found, name).asking.append(study)
        earned = str(study.screening.get("gives", "")).strip()
        by_it = {name for name, giver in counts if giver == study.pk}
        for name in sorted({*by_it, *([earned] if earned else [])}):
            _in(found, name).given.append((study, counts.get((name, study.pk), 0)))
    for name, each in found.items():
        each.people = people[name]
    return sorted(found.values(), key=lambda each: each.name.casefold())


def _in(found: dict[str, Known], name: str) -> Known:
    return found.setdefault(name, Known(name))
