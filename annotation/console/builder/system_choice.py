"""Choice of the systems of a study: one of the ready choices, or a box for each. Only reads.

With all of them (null in the document) every box is ticked; who unticks one names the others.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext, ngettext

from annotation.corpora.systems import SystemTexts, systems_with_texts
from annotation.models import Corpus
from annotation.studies.drafts.changes import DraftChange
from annotation.studies.drafts.editor_forms import EditorSection, Field, FieldGroup
from annotation.studies.drafts.paths import joined, names
from annotation.studies.drafts.schema import Document

SYSTEMS = "design/systems"  # where a document names them
ALL, CHOSEN, NONE = "all", "chosen", "none"


def systems_group(document: Document) -> FieldGroup:
    """Return the group with the choice of systems, by their keys."""
    named = document.design.systems
    boxes = [_box(key, key, is_ticked=True) for key in named or ()]
    return _group(named, boxes)


def of_corpus(section: EditorSection, document: Document, corpus: Corpus | None) -> EditorSection:
    """Return the section with a box for each system of the corpus. One query."""
    if corpus is None or not any(map(_is, section.groups)):
        return section
    named = document.design.systems
    group = _group(named, _boxes(named, systems_with_texts(corpus)))
    return replace(section, groups=tuple(group if _is(old) else old for old in section.groups))


def as_frozen(section: EditorSection, document: Document, corpus: Corpus) -> EditorSection:
    """Return the section of a launched study with the names of its systems."""
    if not any(map(_is, section.groups)):
        return section
    line = (_line(document, corpus),)
    groups = (
        replace(group, fields=line, boxes=()) if _is(group) else group for group in section.groups
    )
    return replace(section, groups=tuple(groups))


def _is(group: FieldGroup) -> bool:
    return any(field.path == SYSTEMS for field in group.fields)


def _group(named: Sequence[str] | None, boxes: Iterable[Field]) -> FieldGroup:
    choice = Field(
        SYSTEMS,
        gettext("Systems"),
        ALL if named is None else CHOSEN,
        "choice",
        choices=(
            (ALL, gettext("All")),
            (CHOSEN, gettext("Selected systems")),
            (NONE, gettext("Clear all")),  # done once, it is those that are ticked
        ),
        help=gettext("Texts without a system are grouped by author."),
        wide=True,
        shapes=True,
    )
    return FieldGroup("design", "", (choice,), boxes=tuple(boxes))


def _boxes(named: Sequence[str] | None, there: Sequence[SystemTexts]) -> Iterable[Field]:
    """One for each system of the corpus; those that are named and not there can be unticked."""
    for system in there:
        is_ticked = named is None or system.key in named
        # Who unticks the first of all names the others, and the choice above follows.
        yield _box(
            system.key, system.name, is_ticked=is_ticked, unit=_counts(system), shapes=named is None
        )
    keys = {texts.key for texts in there}
    for key in dict.fromkeys(named or ()):
        if key not in keys:
            yield _box(key, key, is_ticked=True, unit=gettext("no texts"))


def _box(key: str, label: str, *, is_ticked: bool, unit: str = "", shapes: bool = False) -> Field:
    return Field(_path(key), label, is_ticked, "yes", unit=unit, shapes=shapes)


def _path(key: str) -> str:
    return f"{SYSTEMS}/{joined(key)}"


def _counts(one: SystemTexts) -> str:
    texts = ngettext("{n} text", "{n} texts", one.texts).format(n=f"{one.texts:,}")
    topics = ngettext("{n} topic", "{n} topics", one.topics).format(n=f"{one.topics:,}")
    return f"{texts}, {topics}"


def _line(document: Document, corpus: Corpus) -> Field:
    named = document.design.systems
    text = gettext("All")
    if named is not None:
        name_by_key = {system.key: system.name for system in systems_with_texts(corpus)}
        text = ", ".join(name_by_key.get(key, key) for key in named)
    return Field(SYSTEMS, gettext("Systems"), text)


def is_of_systems(path: str) -> bool:
    return path == SYSTEMS or path.startswith(f"{SYSTEMS}/")


def changes_of(
    typed: Mapping[str, str], *, seen: Any, now: Any, corpus: Corpus | None
) -> list[DraftChange]:
    """Return the changes of the system boxes, from what the user saw applied to the present.

    Others may have changed the systems since.
    """
    sent = {path: text for path, text in typed.items() if is_of_systems(path)}
    if not sent:
        return []
    was, named = seen["design"]["systems"], now["design"]["systems"]
    choice = sent.pop(SYSTEMS, "")
    if choice == NONE or (choice == ALL and was is not None):
        return [DraftChange("set", SYSTEMS, [] if choice == NONE else None)]
    unticked_paths = {path for path, text in sent.items() if text == "no"}
    if was is not None:
        unticked_paths &= set(map(_path, was))
    if named is None:
        return _naming(unticked_paths, corpus, chosen=choice == CHOSEN and was is None)
    ticked_paths = {path for path, text in sent.items() if text == "yes"} - set(map(_path, named))
    ticked_paths -= {path for path in ticked_paths if was is None or path in map(_path, was)}
    return [*_unticked(unticked_paths, named), *_ticked(ticked_paths, corpus)]


def _naming(gone: Set[str], corpus: Corpus | None, *, chosen: bool) -> list[DraftChange]:
    """All systems were taken: who unticks one, or chooses those that are ticked, names the rest."""
    if not gone and not chosen:
        return []
    available = [system.key for system in systems_with_texts(corpus)] if corpus else []
    left = [key for key in available if _path(key) not in gone]
    return [DraftChange("set", SYSTEMS, left)] if chosen or left != available else []


def _unticked(unticked: Set[str], named: list[str]) -> list[DraftChange]:
    removed = [key for key in named if _path(key) in unticked]
    if not set(removed) <= set(names(named)):  # programs may name one twice: it has no path then
        return [DraftChange("set", SYSTEMS, [key for key in named if key not in removed])]
    return [DraftChange("remove", _path(key)) for key in removed]


def _ticked(ticked: Set[str], corpus: Corpus | None) -> list[DraftChange]:
    if not ticked or corpus is None:
        return []
    available = systems_with_texts(corpus)
    return [
        DraftChange("add", SYSTEMS, system.key)
        for system in available
        if _path(system.key) in ticked
    ]
