"""Filters of the fake: their list, what is accepted of them, and whom they admit.

Participants of the fake have no demographic data, so only lists of studies and groups admit or
exclude them. As at Prolific, lists of studies are read when a study is published, groups at once.
"""

from collections.abc import Collection, Mapping
from typing import Any

Json = dict[str, Any]
COUNTRIES = (
    "United Kingdom", "United States", "Ireland", "Germany", "Australia", "Canada", "New Zealand",
)  # fmt: skip
ALLOWED, BLOCKED = "previous_studies_allowlist", "previous_studies_blocklist"
GROUPS_ALLOWED, GROUPS_BLOCKED = "participant_group_allowlist", "participant_group_blocklist"
LISTS = (ALLOWED, BLOCKED, GROUPS_ALLOWED, GROUPS_BLOCKED)
DEVICES = {"desktop", "tablet", "mobile"}
EQUIPMENT = {"audio", "camera", "download", "microphone"}
JOIN = "ADD_TO_PARTICIPANT_GROUP"


def _select(key: str, title: str, *names: str) -> Json:
    choices = {str(number): name for number, name in enumerate(names)}
    kind = {"type": "select", "data_type": "ChoiceID"}
    return {"filter_id": key, "title": title, **kind, "choices": choices}


def _range(key: str, title: str, low: int, high: int) -> Json:
    kind = {"type": "range", "data_type": "integer"}
    return {"filter_id": key, "title": title, **kind, "min": low, "max": high}


# Some of Prolific's participant filters, in the shape of its list.
FILTERS: list[Json] = [
    _select("first-language", "First language", "German", "English", "French"),
    _select("current-country-of-residence", "Current country of residence", *COUNTRIES),
    _range("approval_rate", "Approval rate", 0, 100),
    _range("approval_numbers", "Number of approved submissions", 0, 100_000),
    _range("age", "Age", 18, 100),
    _select("sex", "Sex", "Male", "Female"),
    _select("handedness", "Handedness", "Left", "Right", "Ambidextrous"),
]


def fault_of(fields: Json) -> str:
    """Return what is wrong with filters, devices and quotas of a study; '' if nothing."""
    filters = fields.get("filters") or []
    if fault := next(filter(None, map(_fault_of_filter, filters)), ""):
        return fault
    if any("weightings" in one for one in filters) != (fields.get("study_type") == "QUOTA"):
        return "study_type: QUOTA is for filters with weightings."
    if set(fields.get("device_compatibility") or ()) - DEVICES:
        return "device_compatibility: not a device."
    if set(fields.get("peripheral_requirements") or ()) - EQUIPMENT:
        return "peripheral_requirements: not a requirement."
    return ""


def _fault_of_filter(one: Json) -> str:
    key, values = one.get("filter_id"), one.get("selected_values")
    listed = next((entry for entry in FILTERS if entry["filter_id"] == key), None)
    if key in LISTS:
        return "" if values else f"{key}: selected_values is required."
    if listed is None:
        return f"{key!r} is not a filter."
    if listed["type"] == "range":
        return "" if one.get("selected_range") else f"{key}: selected_range is required."
    if not values or set(values) - set(listed["choices"]):
        return f"{key}: selected_values are its choices."
    if set(one.get("weightings") or values) != set(values):
        return f"{key}: weightings need a number for each value."
    return ""


def admits(
    fields: Json,
    participant: str,
    *,
    took_part: Mapping[str, Collection[str]],
    groups: Mapping[str, Collection[str]],
) -> bool:
    """Return whether a study is shown to a participant.

    `took_part`: participants by study, as when this one was published; `groups`: members by group.
    """
    for one in fields.get("filters") or []:
        key, values = one["filter_id"], one.get("selected_values") or []
        members_of = groups if key in (GROUPS_ALLOWED, GROUPS_BLOCKED) else took_part
        is_in = any(participant in members_of.get(value, ()) for value in values)
        if (key in (ALLOWED, GROUPS_ALLOWED) and not is_in) or (
            key in (BLOCKED, GROUPS_BLOCKED) and is_in
        ):
            return False
    return True
