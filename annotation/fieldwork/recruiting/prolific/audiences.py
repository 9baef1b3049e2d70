"""The audience of a study on Prolific: filters, quotas, groups, devices, project. Only computes.

Prolific shows a study only to the people whom its filters admit, so nobody takes a place and is
refused here. `Audience.filters` has one filter a line, in the words of Prolific's list:

| line | meaning |
|---|---|
| `Handedness: Left, Ambidextrous` | one of these answers |
| `Age: 25-40`, `Age: 25-` | a range; an end may be open |
| `Sex: Male = 1, Female = 1` | a quota: places in this proportion |
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext, gettext_lazy

from annotation.fieldwork.recruiting.prolific import screened_groups
from annotation.models import PlatformStudy, Study
from annotation.refusals import Refusal
from annotation.studies.drafts.screening_schema import names_in

Json = dict[str, Any]
ENGLISH_SPEAKING = (
    "Australia",
    "Canada",
    "Ireland",
    "New Zealand",
    "United Kingdom",
    "United States",
)
# Who sees the study there. The second are the people of the Crowd RAG Corpus 2025 (its paper).
EVERYBODY, CROWDRAG25 = "everybody", "crowdrag25"
PEOPLE = {
    EVERYBODY: gettext_lazy("Everyone on Prolific"),
    CROWDRAG25: gettext_lazy(
        "As in CrowdRAG-25: first language English, English-speaking country, 99% of 500 or "
        "more submissions approved"
    ),
}
RANGES: tuple[Json, ...] = (
    {"filter_id": "approval_rate", "selected_range": {"lower": 99, "upper": 100}},
    {"filter_id": "approval_numbers", "selected_range": {"lower": 500, "upper": 100_000}},
)
CHOICES = {
    "first-language": ("English",),
    "current-country-of-residence": ENGLISH_SPEAKING,
}
DEVICES = {
    "desktop": gettext_lazy("Desktop"),
    "tablet": gettext_lazy("Tablet"),
    "mobile": gettext_lazy("Phone"),
}
EQUIPMENT = {
    "audio": gettext_lazy("Speakers"),
    "microphone": gettext_lazy("Microphone"),
    "camera": gettext_lazy("Camera"),
    "download": gettext_lazy("Software to download"),
}
BLOCKED, ALLOWED = "previous_studies_blocklist", "previous_studies_allowlist"
GROUPS_BLOCKED, GROUPS_ALLOWED = "participant_group_blocklist", "participant_group_allowlist"
LISTS = (BLOCKED, ALLOWED, GROUPS_BLOCKED, GROUPS_ALLOWED)
RANGE = re.compile(r"(\d*)\s*[-–]\s*(\d*)")
WEIGHT = re.compile(r"=\s*\d+\s*$")
ID = re.compile(r"[0-9a-f]{24}")
MAX_LENGTH = 4000  # characters of the filters


class NoSuchChoice(LookupError):
    """A filter of a prepared set that Prolific does not have."""

    def __init__(self, name: str) -> None:
        super().__init__(
            gettext(
                "Prolific no longer has the filter “{name}”. Set filters on Prolific before "
                "you publish."
            ).format(name=name)
        )


@dataclass(frozen=True, kw_only=True)
class Audience:
    """Wishes for the people of a study; IDs are Prolific's, with commas or spaces.

    `devices` are those of the study if empty. People of `required_studies` and `excluded_studies`
    come in addition to those that the study itself requires and excludes. Who completes the study
    joins the group `joins`.
    """

    people: str = EVERYBODY
    filters: str = ""
    devices: Sequence[str] = ()
    equipment: Sequence[str] = ()
    required_studies: str = ""
    excluded_studies: str = ""
    required_groups: str = ""
    excluded_groups: str = ""
    joins: str = ""
    project: str = ""

    @property
    def needs_list(self) -> bool:
        """True if Prolific's list of filters is needed."""
        return self.people != EVERYBODY or bool(self.filters.strip())


ALL = Audience()


@dataclass(frozen=True)
class ListedFilter:
    """A filter of Prolific's list; `choices`: name by id, empty for a range."""

    key: str
    title: str
    choices: Mapping[str, str] = field(default_factory=dict)


def checked(audience: Audience) -> Audience:
    """Return the audience. Raises Refusal for wrong IDs, devices or lengths."""
    if audience.people not in PEOPLE:
        raise Refusal("UnknownPeople", gettext("Unknown audience."))
    if len(audience.filters) > MAX_LENGTH or "\x00" in audience.filters:
        raise Refusal(
            "BadFilter", gettext("Enter filters of up to {n:,} characters.").format(n=MAX_LENGTH)
        )
    known = {*DEVICES, *EQUIPMENT}
    if unknown := {*audience.devices, *audience.equipment} - known:
        raise Refusal(
            "BadDevice", gettext("Prolific has no device “{name}”.").format(name=min(unknown))
        )
    for name in (
        *("required_studies", "excluded_studies", "required_groups", "excluded_groups"),
        *("joins", "project"),
    ):
        for key in ids_in(getattr(audience, name)):
            if not ID.fullmatch(key):
                raise Refusal(
                    "BadProlificId",
                    gettext("“{key}” isn't a Prolific ID. IDs have 24 hexadecimal digits.").format(
                        key=key[:40]
                    ),
                )
    for name in ("joins", "project"):
        if len(ids_in(getattr(audience, name))) > 1:
            raise Refusal("BadProlificId", gettext("Enter one ID."))
    return audience


def ids_in(text: str) -> list[str]:
    return list(dict.fromkeys(re.split(r"[\s,;]+", text.strip().lower()))) if text.strip() else []


def filters_of(audience: Audience, study: Study, listed: Json | None) -> list[Json]:
    """Return the filters of a draft. Raises Refusal and NoSuchChoice.

    Without Prolific's list, names are used as they are.
    """
    known = None if listed is None else _known(listed)
    made = [] if audience.people == EVERYBODY else [*RANGES, *_prepared(known)]
    for number, line in enumerate(audience.filters.splitlines(), start=1):
        if line.strip():
            made.append(_own(line, number, known))
    keys = [one["filter_id"] for one in made]
    if twice := {key for key in keys if keys.count(key) > 1}:
        raise Refusal(
            "BadFilter", gettext("Filter {name} is listed twice.").format(name=min(twice))
        )
    lists = {
        ALLOWED: [*studies_there(study, "required_studies"), *ids_in(audience.required_studies)],
        BLOCKED: [
            *studies_there(study, "excluded_studies"),
            *earlier_versions(study),
            *ids_in(audience.excluded_studies),
        ],
        GROUPS_ALLOWED: ids_in(audience.required_groups),
        GROUPS_BLOCKED: ids_in(audience.excluded_groups),
    }
    for key, group in screened_groups.placeholders(study).items():
        if key == GROUPS_ALLOWED and lists[key]:  # Prolific admits members of any of them
            raise Refusal(
                "GroupsClash",
                gettext("This study's screening uses its own group. Remove the required groups."),
            )
        lists[key].append(group)
    return [
        *made,
        *(
            {"filter_id": key, "selected_values": list(dict.fromkeys(ids))}
            for key, ids in lists.items()
            if ids
        ),
    ]


def has_quotas(filters: Sequence[Json]) -> bool:
    return any("weightings" in one for one in filters)


def studies_there(study: Study, setting: str) -> list[str]:
    """Return Prolific's IDs of the studies that this one requires or excludes by its settings."""
    slugs = names_in(str(study.screening.get(setting, "")))
    return _ids(PlatformStudy.objects.filter(study__slug__in=slugs, study__team=study.team_id))


def earlier_versions(study: Study) -> list[str]:
    """Return Prolific's IDs of this study and its versions, if a participant has one task."""
    if study.tasks_per_worker > 1:
        return []
    return _ids(PlatformStudy.objects.filter(study__slug=study.slug, study__team=study.team_id))


def _ids(rows: Any) -> list[str]:
    return list(rows.filter(platform="prolific").values_list("external_id", flat=True))


def _known(listed: Json) -> dict[str, ListedFilter]:
    """Return the filters by ID and by title in small letters."""
    known = {}
    for entry in listed.get("results") or []:
        key, title = str(entry.get("filter_id")), str(entry.get("title", ""))
        choices = {str(k): str(name) for k, name in (entry.get("choices") or {}).items()}
        known[key] = known[title.casefold()] = ListedFilter(key, title, choices)
    return known


def _prepared(known: Mapping[str, ListedFilter] | None) -> list[Json]:
    chosen = []
    for key, names in CHOICES.items():
        choices = known[key].choices if known and key in known else {}
        ids = {name: choice for choice, name in choices.items()}
        if known is not None and (missing := [name for name in names if name not in ids]):
            raise NoSuchChoice(missing[0])
        chosen.append({"filter_id": key, "selected_values": [ids.get(n, n) for n in names]})
    return chosen


def _own(line: str, number: int, known: Mapping[str, ListedFilter] | None) -> Json:
    """Return the filter of a line. Raises Refusal with its number."""
    name, colon, rest = (part.strip() for part in line.partition(":"))
    if not (name and colon and rest):
        raise _bad(number, gettext("write a filter as Name: choice, choice"))
    listed = ListedFilter(name, name)
    if known is not None:
        if name.casefold() not in known and name not in known:
            raise _bad(number, gettext("Prolific has no filter “{name}”").format(name=name[:60]))
        listed = known.get(name) or known[name.casefold()]
    if (ends := RANGE.fullmatch(rest)) and any(ends.groups()) and not listed.choices:
        lower, upper = (int(end) if end else None for end in ends.groups())
        if lower is not None and upper is not None and lower > upper:
            raise _bad(number, gettext("the range is empty"))
        given = {"lower": lower, "upper": upper}
        selected = {end: value for end, value in given.items() if value is not None}
        return {"filter_id": listed.key, "selected_range": selected}
    if known is not None and not listed.choices:
        raise _bad(number, gettext("enter a range such as 25-40"))
    return _selected(listed, rest, number, checks=known is not None)


def _selected(listed: ListedFilter, rest: str, number: int, *, checks: bool) -> Json:
    ids = {name.casefold(): key for key, name in listed.choices.items()}
    weights: dict[str, int] = {}
    values = []
    for part in _parts(rest, {*ids, *map(str.casefold, listed.choices)}):
        name, equals, weight = (piece.strip() for piece in part.partition("="))
        key = ids.get(name.casefold(), name)
        if checks and key not in listed.choices:
            raise _bad(number, gettext("“{name}” isn't a choice").format(name=name[:60]))
        if equals and (not weight.isdigit() or not 0 < int(weight) < 10_000):
            raise _bad(number, gettext("a proportion must be a whole number of 1 or more"))
        values.append(key)
        if equals:
            weights[key] = int(weight)
    if len(set(values)) < len(values):
        raise _bad(number, gettext("a choice is listed twice"))
    if weights and len(weights) < len(values):
        raise _bad(number, gettext("each quota choice needs a proportion"))
    quota = {"weightings": weights} if weights else {}
    return {"filter_id": listed.key, "selected_values": values, **quota}


def _parts(rest: str, known: Collection[str]) -> Iterator[str]:
    """Yield the choices of a line; the name of a known one may have commas itself."""
    parts = rest.split(",")
    while parts:
        joined = (",".join(parts[:n]) for n in range(len(parts), 1, -1))
        choice = next((text for text in joined if _name(text) in known), parts[0])
        yield choice
        parts = parts[choice.count(",") + 1 :]


def _name(choice: str) -> str:
    return WEIGHT.sub("", choice).strip().casefold()


def _bad(number: int, why: str) -> Refusal:
    return Refusal(
        "BadFilter", gettext("Filters, line {number}: {why}.").format(number=number, why=why)
    )
