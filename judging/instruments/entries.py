"""Entries of a bank in an instrument: the key of each is the md5 of its own text.

An edited entry is a new entry, so that no grade of the old wording applies to it. Keys without an
md5, such as those of the ready-made points, are names and stay.
"""

import msgspec

from annotation.corpora.formats.rubric import has_digest, own_id
from judging.instruments.schema import CriterionSpec, InstrumentFile


def entry_text(*, key: str, name: str, definition: str) -> str:
    """Return the text of an entry: its definition, or what a page shows of both."""
    if has_digest(key) and definition and not definition.startswith(name):
        return f"{name}\n\n{definition}"
    return definition or name


def own_key(criterion: CriterionSpec) -> str:
    """Return the key that the text of an entry has now."""
    text = entry_text(key=criterion.key, name=criterion.name, definition=criterion.definition)
    return own_id(criterion.key, text)


def entries_of(file: InstrumentFile) -> list[CriterionSpec]:
    """Return the criteria on items: those without a question about them."""
    asked_criteria = {question.criterion for question in file.questions}
    return [criterion for criterion in file.criteria if criterion.key not in asked_criteria]


def edited_in(file: InstrumentFile) -> list[CriterionSpec]:
    """Return the entries whose text was changed after they got their keys."""
    return [entry for entry in entries_of(file) if own_key(entry) != entry.key]


def with_own_keys(file: InstrumentFile) -> InstrumentFile:
    """Return the instrument with a new key for each edited entry."""
    renamed = {edited.key: own_key(edited) for edited in edited_in(file)}
    if not renamed:
        return file
    criteria = [
        msgspec.structs.replace(criterion, key=renamed.get(criterion.key, criterion.key))
        for criterion in file.criteria
    ]
    return msgspec.structs.replace(file, criteria=criteria)
