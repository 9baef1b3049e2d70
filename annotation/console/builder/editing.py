"""Save a form of the editor: all values that are valid; of the others, the typed text."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.utils.text import slugify
from django.utils.translation import gettext

from annotation.console.builder import topic_choice
from annotation.console.builder.suggestions import following_changes, suggested_change
from annotation.console.builder.system_choice import changes_of, is_of_systems
from annotation.console.builder.typed_input import BadValue, blank, read, type_at
from annotation.models import Draft
from annotation.models.corpus import CorpusQuerySet
from annotation.people.access import visible_corpora
from annotation.studies.drafts import making, paths, saving
from annotation.studies.drafts.changes import DraftChange
from annotation.studies.drafts.faults import CHOSEN_TOPICS
from annotation.studies.drafts.kinds import kind_of
from annotation.studies.drafts.method_texts import as_method, text_changes
from annotation.studies.drafts.plain_data import plain
from annotation.studies.drafts.saving import Conflict, NotSaved
from annotation.texts.translation import translated_error

# What a form sends besides its fields, which are named by their paths.
OTHERS = ("csrfmiddlewaretoken", "revision", "do", "boxes")
MAX_REFUSED = 20  # fields of one form that are refused one by one
TAKE = "take "  # of a button that takes what is suggested for a field


@dataclass
class EditResult:
    """The result of an edit.

    `kept` is unsaved input by path, `faults` the reasons, `theirs` the conflicting values of
    others. `focus` is the path of an added or moved element, `said` an announcement.
    """

    draft: Draft
    kept: dict[str, str] = field(default_factory=dict)
    faults: dict[str, str] = field(default_factory=dict)
    theirs: dict[str, Any] = field(default_factory=dict)
    focus: str = ""
    said: str = ""


def edit(
    *, draft: Draft, sent: Mapping[str, str], boxes: list[str], user: User, now: datetime
) -> EditResult:
    """Save the fields of a form, then do what its button says. Raises DraftClosed."""
    sent_revision = sent.get("revision", "")
    revision = (
        int(sent_revision)
        if sent_revision.isdecimal() and len(sent_revision) < 18
        else draft.revision
    )
    revision = min(revision, draft.revision)
    draft.document = saving.complete(draft.document)
    edited = EditResult(draft)
    typed = {name: text for name, text in sent.items() if name not in OTHERS}
    typed |= {path: "yes" if path in sent else "no" for path in boxes}
    document_seen = saving.document_at(draft, revision)
    changes = _changes(edited, typed, document_seen, visible_corpora(user))
    pressed = _pressed(edited, sent.get("do", ""))
    changes += pressed
    if sent.get("do", "").startswith(TAKE):
        changes += following_changes(pressed, document_seen, draft=draft)
    for _ in range(MAX_REFUSED):
        if not changes:
            break
        try:
            edited.draft = saving.save(
                draft=draft, revision=revision, changes=changes, user=user, now=now
            )
            break
        except NotSaved as error:
            changes = _without(edited, changes, typed, error)
            if any(pressed_change not in changes for pressed_change in pressed):
                changes = [change for change in changes if change not in pressed]
                edited.focus, edited.said = "", translated_error(error)
    else:  # each try checks the document again: an honest form has a few wrong fields
        fault = gettext("Not saved: correct the other fields first.")
        for change in changes:
            edited.kept[change.path] = typed.get(change.path, "")
            edited.faults[change.path] = fault
    return edited


def _changes(
    edited: EditResult, typed: dict[str, str], seen: Any, corpora: CorpusQuerySet
) -> list[DraftChange]:
    """Return the changes of typed values; identities come last, since they move paths."""
    changes = []
    for path, text in typed.items():
        if is_of_systems(path) or path == CHOSEN_TOPICS:
            continue
        try:
            value = read(type_at(edited.draft.kind, path), text)
        except BadValue as error:
            edited.kept[path], edited.faults[path] = text, translated_error(error)
        except paths.NoSuchPlace:
            continue
        else:
            if path == "corpus" and value and not corpora.filter(slug=value).exists():
                edited.kept[path], edited.faults[path] = text, gettext("Corpus not found.")
            elif value != paths.get(seen, path):
                changes.append(DraftChange("set", path, value))
    changes += _address(changes, seen)
    draft = edited.draft
    changes += changes_of(typed, seen=seen, now=draft.document, corpus=draft.corpus)
    changes += topic_choice.changes_of(typed, seen=seen, draft=draft)
    changes += text_changes(changes, seen)
    changes += following_changes(changes, seen, draft=draft)
    return sorted(changes, key=lambda each: paths.above(each.path)[1] in paths.IDENTITY)


def _address(changes: list[DraftChange], seen: Any) -> list[DraftChange]:
    """Return the change that derives the address from the first title."""
    value_by_path = {change.path: change.value for change in changes}
    if seen["slug"] or seen["title"] or "slug" in value_by_path or not value_by_path.get("title"):
        return []
    wanted = slugify(value_by_path["title"])[:80].strip("-")
    return [DraftChange("set", "slug", making.free_slug(wanted) if wanted else "")]


def _without(
    edited: EditResult, changes: list[DraftChange], typed: dict[str, str], error: NotSaved
) -> list[DraftChange]:
    """Record a refusal and return the other changes."""
    refused = [change for change in changes if change.path == error.path] or changes[:1]
    for refused_change in refused:
        edited.kept[refused_change.path] = typed.get(refused_change.path, "")
        edited.faults[refused_change.path] = translated_error(error)
        if isinstance(error, Conflict):
            edited.theirs[refused_change.path] = error.theirs
    return [change for change in changes if change not in refused]


def _pressed(edited: EditResult, button: str) -> list[DraftChange]:
    """Return the changes of a button: add, method, take, remove, up, down or move, with a path."""
    action, _, rest = button.partition(" ")
    if not action:
        return []
    try:
        changes, edited.focus, edited.said = _asked(edited.draft, action, rest)
    except (NotSaved, paths.NoSuchPlace, BadValue) as error:
        edited.faults[rest], edited.said = translated_error(error), translated_error(error)
        return []
    return changes


def _asked(draft: Draft, what: str, rest: str) -> tuple[list[DraftChange], str, str]:
    """Return the changes, the path to focus and the announcement."""
    if what == "add":
        return _adding(draft, rest)
    if what == "method":
        return _method(draft, rest)
    if what == TAKE.strip():
        change = suggested_change(draft.document, rest, draft=draft)
        return (
            [change] if change else [],
            rest,
            gettext("Replaced."),
        )
    if what == "remove":
        also = kind_of(draft.kind).removing(draft.document, rest)
        announcement = gettext("Removed.")
        return [DraftChange("remove", rest), *also], paths.above(rest)[0], announcement
    return _moving(draft, what, rest)


def _place(number: str) -> int:
    return int(number) if number.isdecimal() and len(number) < 9 else 0


def _moving(draft: Draft, what: str, rest: str) -> tuple[list[DraftChange], str, str]:
    path, _, number = rest.rpartition(" ") if what == "move" else (rest, "", "")
    head, name = paths.above(path)
    names = paths.names(paths.at(draft.document, head))
    if name not in names or what not in ("up", "down", "move"):
        raise paths.NoSuchPlace(path)
    steps = {"up": -1, "down": 1}.get(what)
    position = names.index(name) + steps if steps else _place(number)
    position = max(0, min(position, len(names) - 1))
    announcement = gettext("Moved to position {position} in {names}.").format(
        position=position + 1, names=len(names)
    )
    return [DraftChange("move", path, position=position)], path, announcement


def _adding(draft: Draft, path: str) -> tuple[list[DraftChange], str, str]:
    changes = kind_of(draft.kind).adding(draft.document, path)
    elements = paths.at(draft.document, path)
    if changes is None:
        as_type = type_at(draft.kind, f"{path}/new")
        name = paths.free_name(paths.names(elements), STEMS.get(paths.above(path)[1], "new"))
        changes = [DraftChange("add", path, plain(blank(as_type, name=name)))]
    element = changes[-1].value
    return changes, f"{path}/{paths.joined(paths.names([element])[0])}", gettext("Added.")


STEMS = {
    "exit_form": "question",
    "entry_form": "question",
    "options": "answer",
    "questions": "question",
    "criteria": "point",
}


def _method(draft: Draft, name: str) -> tuple[list[DraftChange], str, str]:
    """Ask one more method in the same questionnaire."""
    kind = kind_of(draft.kind)
    if name not in kind.available():
        raise NotSaved("instruments", gettext("Choose a method to add."))
    instrument = as_method(
        kind.load(name, draft.document["language"]),
        platform=draft.document["recruitment"]["platform"],
    )
    if draft.document["instruments"]:  # one text to agree to
        instrument["consent"] = draft.document["instruments"][0]["consent"]
    path = paths.joined("instruments", name)
    return (
        [DraftChange("add", "instruments", instrument)],
        path,
        gettext("{title} added.").format(title=instrument["title"]),
    )
