"""A file of an upload as its page shows it: what its rows are, how they are read, what is open."""

import json
from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext, gettext_lazy

from annotation.console.upload_columns import chosen_fields, columns_of, first_values
from annotation.corpora.detection.kinds import AUTHORS, PLAIN, SNAPSHOTS
from annotation.corpora.formats.registry import FORMATS
from annotation.corpora.reading.encodings import CODE_PAGES, UTF_8
from annotation.corpora.reading.encodings import TITLES as TITLES_OF_ENCODINGS
from annotation.corpora.reading.headers import FOUND
from annotation.corpora.reading.headers import NONE as NO_HEADER
from annotation.corpora.reading.opening import EXCEL, PARQUET, TABLE
from annotation.corpora.resolving import FORMS, OPTIONAL
from annotation.corpora.rows import CitationsFrom
from annotation.corpora.schema import OWN_KEYS, RowKind, fields_of
from annotation.corpora.uploads import counting_from_one, gathering
from annotation.corpora.uploads.checking import forms_of
from annotation.corpora.uploads.field_titles import title_of
from annotation.corpora.uploads.files import kind_of
from annotation.corpora.uploads.id_preview import ids_of, numbered_fields
from annotation.corpora.uploads.questions import (
    AS_THEY_ARE,
    is_to_choose,
    may_number,
    open_questions,
    unread_columns,
)
from annotation.models import CorpusUpload, UploadedFile
from annotation.texts.citation_marks import Form, NoMark

KINDS: "dict[str, Any]" = {
    RowKind.TABLE: gettext_lazy("Table of answers"),
    RowKind.PASSAGE_TABLE: gettext_lazy("Passages with questions"),
    RowKind.TOPICS: gettext_lazy("Topics"),
    RowKind.ANSWERED_TOPICS: gettext_lazy("Topics"),
    RowKind.PASSAGES: gettext_lazy("Passages"),
    RowKind.RESPONSES: gettext_lazy("Answers"),
    RowKind.SYSTEMS: gettext_lazy("Systems"),
    RowKind.RANKINGS: gettext_lazy("Rankings"),
    RowKind.RAG_ANSWERS: gettext_lazy("TREC RAG answers"),
    RowKind.SUMMARIES: gettext_lazy("Structured summaries"),
    RowKind.RETRIEVAL: gettext_lazy("Crowd RAG topics and passages"),
    SNAPSHOTS: gettext_lazy("Crowd RAG texts with history"),
    AUTHORS: gettext_lazy("Crowd RAG authors"),
}
# The columns that others have for topics, passages and responses are read as they are.
KINDS |= {kind: KINDS[plain] for kind, plain in PLAIN.items()}
KINDS |= {name: gettext_lazy(file_format.title) for name, file_format in FORMATS.items()}
TO_CHOOSE = [
    RowKind.TABLE,
    RowKind.PASSAGE_TABLE,
    RowKind.TOPICS,
    RowKind.PASSAGES,
    RowKind.RESPONSES,
    RowKind.SYSTEMS,
    RowKind.RANKINGS,
]
MARKS = {
    Form.BRACKET: gettext_lazy("[1], [1, 2], [1-3]"),
    Form.FOOTNOTE: gettext_lazy("[^1]"),
    Form.LENTICULAR: gettext_lazy("【1†source】"),
    Form.WORD: gettext_lazy("[doc 1], (Source: 1)"),
    Form.LINK: gettext_lazy("numbered links"),
    Form.TAG: gettext_lazy("tags, such as <sup>1</sup>"),
    Form.HASH: gettext_lazy("##1$$"),
    Form.ID: gettext_lazy("passage IDs in brackets"),
    NoMark.CODE: gettext_lazy("brackets in code"),
    NoMark.FORMULA: gettext_lazy("brackets in formulas"),
    NoMark.NAME: gettext_lazy("indexes in code, such as items[2]"),
    NoMark.NUMBERS: gettext_lazy("lists and intervals of numbers"),
    NoMark.DEFINITION: gettext_lazy("link definitions, such as [1]: https://…"),
    NoMark.UNSURE: gettext_lazy("numbers in parentheses or superscript"),
}
MOST_CANDIDATES = 3
UNICODE = {UTF_8: "UTF-8", "utf-16-le": "UTF-16", "utf-16-be": "UTF-16", "utf-32-le": "UTF-32"}
SEPARATORS = {
    ",": gettext_lazy("comma"),
    ";": gettext_lazy("semicolon"),
    "\t": gettext_lazy("tab"),
    "|": gettext_lazy("vertical bar"),
    "^": "^",
    "~": "~",
    ":": gettext_lazy("colon"),
}
# The check decides from where numbers count, where no column and nobody says it.
NONE = {
    "citations_from": gettext_lazy("Detect 0 or 1"),
    "ranks_from": gettext_lazy("Detect 0 or 1"),
}


def is_alone(file: UploadedFile, upload: CorpusUpload, files: list[UploadedFile]) -> bool:
    """Return whether nothing else brings what a file numbers, so that its numbers begin with 1."""
    brings = {RowKind.TABLE, RowKind.TOPICS, RowKind.RESPONSES, *AS_THEY_ARE}
    others = {kind_of(other) for other in files if other.pk != file.pk}
    return upload.corpus_id is None and others.isdisjoint({kind_of(file), *brings})


def shown(file: UploadedFile, *, begins_at_1: bool = True) -> dict[str, Any]:
    """Return a file for the page: its kind, columns, first rows and open questions."""
    look, mapping, kind = file.look, file.mapping, kind_of(file)
    is_ours = kind in list(RowKind) and look["names"] != [""]
    can_map = not look["fault"] and look["names"] != [""] and kind not in AS_THEY_ARE
    numbered = numbered_fields(look, mapping, kind) if can_map else []
    ids = ids_of(look, mapping, kind) if numbered and begins_at_1 else []
    fields = _fields(look, mapping, kind) if is_ours else []
    columns = columns_of(look, mapping, kind) if look["names"] != [""] else []
    return {
        "row": file,
        "fault": look["fault"],
        "numbered": _numbered(kind, numbered, ids),
        "preview": list(zip(ids or [[]] * len(look["rows"]), look["rows"], strict=True)),
        "may_number": can_map and may_number(look, mapping),
        "kind": kind,
        "kind_name": KINDS.get(kind, ""),
        "questions": [] if look["fault"] else open_questions(look, mapping),
        "can_map": can_map,
        "is_ranked_from_0": bool(counting_from_one.ranked_from_zero([file])),
        "unread": _unread(look, mapping, kind),
        "hint": gettext(FORMATS[kind].hint) if kind in FORMATS and FORMATS[kind].hint else "",
        "fields": fields,
        "columns": columns,
        "wholes": _wholes(fields, chosen_fields(look, mapping, kind).values()) if can_map else [],
        "kinds": _kinds(kind),
        "candidates": _candidates(look, mapping),
        "opened": _opened(look),
        "as_shown": json.dumps(
            {
                "kind": kind,
                "fields": chosen(fields),
                "columns": {str(column["number"]): column["chosen"] for column in columns},
            }
        ),
    }


def _unread(look: dict[str, Any], mapping: dict[str, Any], kind: str) -> list[str]:
    """Return the columns or fields of a file that no corpus gets."""
    if kind in FORMATS:
        return list(look.get("unkept", ()))
    return unread_columns(look, mapping)


def _numbered(kind: str, names: list[str], ids: list[list[str]]) -> list[dict[str, Any]]:
    """Return the ids that Crowdwright numbers, with the first of them where they are known."""
    return [
        {"title": title_of(kind, name), "values": first_values(row[place] for row in ids)}
        for place, name in enumerate(names)
    ]


def _wholes(fields: list[dict[str, Any]], read: Iterable[str]) -> list[dict[str, Any]]:
    """Return the fields that all rows may have in common, or that may be numbered."""
    in_columns = set(read)
    wholes = []
    for field in fields:
        choices = [pair for pair in field["choices"] if pair[0].startswith(("all:", "number:"))]
        if choices and field["name"] not in in_columns:
            wholes.append(field | {"choices": choices})
    return wholes


def _candidates(look: dict[str, Any], mapping: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what the rows may be, with the reasons, where somebody has to choose."""
    if look["fault"] or not is_to_choose(look, mapping):
        return []
    return [
        {"kind": one["kind"], "title": KINDS.get(one["kind"], ""), "reasons": one["reasons"]}
        for one in look["ranking"][:MOST_CANDIDATES]
    ]


def _opened(look: dict[str, Any]) -> dict[str, Any]:
    """Return how a file is opened, and what else could be chosen."""
    opening = look.get("opening") or {}
    container, separator = opening.get("container", ""), opening.get("separator", "")
    encoding = opening.get("encoding", UTF_8)
    is_text = container not in ("", EXCEL, PARQUET)
    others = {} if encoding in CODE_PAGES else {encoding: UNICODE.get(encoding, encoding)}
    encodings = others | {UTF_8: "UTF-8"} | {name: TITLES_OF_ENCODINGS[name] for name in CODE_PAGES}
    separators = (
        SEPARATORS if separator in SEPARATORS else {separator: repr(separator)} | SEPARATORS
    )
    return {
        "choices": ("sheet", "encoding", "separator", "header"),
        "notes": opening.get("notes", ()),
        "sheet": opening.get("sheet", ""),
        "sheets": opening.get("sheets", ()),
        "encoding": encoding,
        "encoding_title": encodings[encoding],
        "is_guess": bool(opening.get("is_encoding_guessed")),
        "encodings": encodings.items() if is_text else [],
        "separator": separator,
        "separator_title": separators[separator],
        "separators": separators.items() if container == TABLE else [],
        "headers": _headers(opening) if container in (TABLE, EXCEL) else [],
    }


def _headers(opening: dict[str, Any]) -> list[tuple[str, str, bool]]:
    """Return the possible rows of the header: value, title, and whether it is the chosen one."""
    titles = {FOUND: gettext("Detected"), NO_HEADER: gettext("No header row")}
    return [
        (
            value,
            titles.get(number) or gettext("Row {number}").format(number=number),
            number == opening.get("header", FOUND),
        )
        for value, number in gathering.HEADERS.items()
    ]


def _kinds(kind: str) -> list[tuple[str, Any]]:
    """Return the possible kinds of its rows, including the current one."""
    here = {plain: theirs for theirs, plain in PLAIN.items() if theirs == kind}
    return [(here.get(row_kind, row_kind).value, KINDS[row_kind]) for row_kind in TO_CHOOSE]


def chosen(fields: list[dict[str, Any]]) -> dict[str, str]:
    return {field["name"]: field["chosen"] for field in fields}


def _fields(look: dict[str, Any], mapping: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    """Our fields of the kind, each with the columns it may be."""
    columns = mapping.get("columns") or {name: name for name in look["names"]}
    fixed = mapping.get("fixed", {})
    fields = []
    for name, is_needed in fields_of(RowKind(kind)).items():
        shown = f"all:{fixed[name]}" if name in fixed else f"column:{columns.get(name, '')}"
        if name in mapping.get("numbered", ()):
            shown = "number:"
        if name == "answer" and mapping.get("systems"):
            shown = "systems:"
        choices = _choices(look, kind, name, columns.get(name, ""))
        is_numbered = kind == RowKind.TABLE and name in ("topic", "response")
        fields.append(
            {
                "name": name,
                "title": title_of(kind, name),
                "none": gettext("Numbered automatically") if is_numbered else NONE.get(name, "–"),
                "needed": is_needed or name in NONE,
                "chosen": shown if any(value == shown for value, _ in choices) else "",
                "choices": choices,
            }
        )
    return fields


def _of_all_rows(value: str) -> str:
    if value == CitationsFrom.IDS:
        return gettext("Passage IDs")
    return value


def marks_of(upload: CorpusUpload) -> list[dict[str, Any]]:
    """Return the kinds of marks that a check has found, with what the page offers for each."""
    chosen_forms = forms_of(upload)
    kinds: dict[str, dict[str, Any]] = {}
    for kind, counts, count, sample, place in upload.report.get("marks", ()):
        row = kinds.setdefault(
            kind,
            {
                "kind": kind,
                "title": MARKS[kind],
                "may_count": kind in FORMS | OPTIONAL,
                "is_chosen": kind in chosen_forms,
                "citations": 0,
                "others": 0,
                "sample": sample,
                "place": place,
            },
        )
        row["citations" if counts else "others"] += count
    return list(kinds.values())


def _choices(look: dict[str, Any], kind: str, name: str, now: str) -> list[tuple[str, str]]:
    """Return the choices of a field: a column, a value for all rows, or a generated number."""
    if name in NONE:
        choices = [(f"all:{value}", _of_all_rows(value)) for value in gathering.FIXED[name]]
        return choices + [
            (f"column:{column}", gettext("from column “{column}”").format(column=column))
            for column in look["names"]
            if column == now or _says_0_or_1(look, column)
        ]
    choices = [(f"column:{column}", column) for column in look["names"]]
    choices += [(f"all:{value}", value) for value in gathering.FIXED.get(name, ())]
    if name == "answer" and (systems := gathering.systems_of(look)):
        listed = ", ".join(f"“{column}”" for column in systems)
        sentence = gettext("{columns}: one system per column").format(columns=listed[:200])
        choices.append(("systems:", sentence))
    if name == OWN_KEYS.get(RowKind(kind)):
        choices.append(("number:", gettext("Numbered automatically")))
    return choices


def _says_0_or_1(look: dict[str, Any], column: str) -> bool:
    place = look["names"].index(column)
    values = {row[place] for row in look["rows"] if place < len(row)} - {""}
    return bool(values) and values <= {"0", "1"}
