"""Questions about a file that are open before it can be checked. Only reads."""

from collections import Counter
from typing import Any

from django.utils.translation import gettext

from annotation.corpora.detection.kinds import AUTHORS, MOST_UNREAD, SNAPSHOTS
from annotation.corpora.formats.registry import FORMATS
from annotation.corpora.schema import OWN_KEYS, RowKind, fields_of
from annotation.corpora.uploads.field_titles import title_of

KEYS = ("topic", "passage", "response", "system")  # fields that hold an id, and no text
# Their rows hold lists and parts: there is nothing to map.
AS_THEY_ARE = (
    *(SNAPSHOTS, AUTHORS, *FORMATS),
    *(RowKind.RETRIEVAL, RowKind.SUMMARIES, RowKind.RAG_ANSWERS, RowKind.ANSWERED_TOPICS),
)


def read_columns(mapping: dict[str, Any]) -> list[str]:
    """Return the columns that a mapping reads."""
    return [*mapping.get("columns", {}).values(), *mapping.get("systems", {})]


def unread_columns(look: dict[str, Any], mapping: dict[str, Any]) -> list[str]:
    """Return the unused columns of a mapped file."""
    read = read_columns(mapping)
    return [name for name in look["names"] if name not in read] if read else []


def unread_texts(look: dict[str, Any], mapping: dict[str, Any]) -> list[str]:
    """Return the unused columns that hold texts."""
    return [name for name in unread_columns(look, mapping) if name in look.get("texts", {})]


def leaves_most_text(look: dict[str, Any], mapping: dict[str, Any]) -> bool:
    """Return whether unused columns hold most of the text."""
    texts = look.get("texts", {})
    unread = sum(texts[name] for name in unread_texts(look, mapping))
    return bool(unread > MOST_UNREAD * sum(texts.values()))


def open_questions(look: dict[str, Any], mapping: dict[str, Any]) -> list[str]:
    """Return the reasons why the rows cannot be read yet."""
    if look.get("opening", {}).get("is_encoding_guessed"):
        return [gettext("The encoding is a guess: check the first values.")]
    kind = mapping.get("kind") or look["kind"]
    if is_to_choose(look, mapping):
        return [_choice(look)]
    if kind in AS_THEY_ARE or (look["names"] == [""] and kind):
        return []
    if not kind:
        return [gettext("Choose how to read the rows.")]
    return _about_columns(look, mapping, RowKind(kind))


def is_to_choose(look: dict[str, Any], mapping: dict[str, Any]) -> bool:
    """Return whether several kinds fit, and nobody has chosen one."""
    return bool(look.get("is_unsure")) and not mapping.get("is_chosen")


def _choice(look: dict[str, Any]) -> str:
    best = look["ranking"][0]
    if best["systems"]:
        return gettext(
            "Do {columns} contain one system each? Confirm this or change “Read as”."
        ).format(columns=_listed(best["systems"]))
    unread = [name for name in look["texts"] if name not in best["columns"].values()]
    if unread and leaves_most_text(look, best):
        return gettext("Most text is ignored: {columns}. Choose how to read the rows.").format(
            columns=_listed(unread)
        )
    return gettext("Choose how to read the rows.")


def _listed(columns: Any) -> str:
    return ", ".join(f"“{name[:60]}”" for name in list(columns)[:6])


def _about_columns(look: dict[str, Any], mapping: dict[str, Any], kind: RowKind) -> list[str]:
    fields = fields_of(kind)
    columns = mapping.get("columns", {})
    decided = {*columns, *mapping.get("fixed", {}), *mapping.get("numbered", ())}
    if mapping.get("systems"):
        decided.add("answer")
    if not decided:
        unknown = [name for name in look["names"] if name not in fields]
        decided = set(look["names"])
        if unknown:
            return [gettext("Choose what the column “{unknown}” is.").format(unknown=unknown[0])]
    twice = [column for column, times in Counter(columns.values()).items() if times > 1]
    return [
        gettext("“{column}” is used for {fields}. Keep one.").format(
            column=column,
            fields=", ".join(
                title_of(kind, ours) for ours in fields if columns.get(ours) == column
            ),
        )
        for column in twice
    ] + [_asked(kind, name) for name in fields if fields[name] and name not in decided]


def _asked(kind: RowKind, name: str) -> str:
    sentence = gettext("Choose the column for “{field}”.")
    if name == OWN_KEYS.get(kind):
        sentence = gettext("Choose the column for “{field}”, or number the rows.")
    return sentence.format(field=title_of(kind, name))


def may_number(look: dict[str, Any], mapping: dict[str, Any]) -> bool:
    """Return whether the rows have no id of their own, and it is not said yet that they get one."""
    kind = mapping.get("kind") or look["kind"]
    id_field = OWN_KEYS.get(RowKind(kind)) if kind in list(RowKind) else None
    if id_field is None or look["names"] == [""] or is_to_choose(look, mapping):
        return False
    fields = mapping.get("columns") or look["names"]
    return id_field not in fields and id_field not in mapping.get("numbered", ())
