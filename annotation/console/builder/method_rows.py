"""Rows of the page Methods: the built-in methods of each question, and their cost. Only reads."""

import time
from collections.abc import Collection
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, NamedTuple

import msgspec
from django.utils.translation import gettext

from annotation.corpora.contents import holdings, state_of
from annotation.corpora.shared_reads import shared_reads
from annotation.corpora.systems import number_with_texts
from annotation.models import Corpus, Study
from annotation.studies.drafts import making
from annotation.studies.drafts.kinds import Method, Outline, registered_kinds
from annotation.studies.drafts.schema import Document
from annotation.studies.drafts.workload import (
    NoOutline,
    cached_outlines,
    kept_together,
    outline_or_why,
)
from annotation.texts.sentences import marked


class MethodQuestion(NamedTuple):
    title: str
    hint: str


QUESTIONS = {
    "ranking": MethodQuestion(
        marked("Which system is better?"),
        marked("Ranks systems. Finds small differences."),
    ),
    "grades": MethodQuestion(
        marked("How good is each answer?"),
        marked("Grades that are comparable across studies."),
    ),
    "sources": MethodQuestion(
        marked("Do the sources support it?"),
        marked("Checks citations, statement by statement."),
    ),
    "content": MethodQuestion(
        marked("Does it cover what matters?"),
        marked("Compares content with a list or other answers."),
    ),
    "human texts": MethodQuestion(
        marked("What would people write?"),
        marked("Answers that people write from the same passages."),
    ),
}
MAX_METHODS = 4  # of a question in the short list
MAX_SECONDS = 0.15  # for costs before the page is sent
LACKS = {
    "response": marked("Needs answers."),
    "passage": marked("Needs passages."),
}
LACKS_PARTS = marked("Needs summaries with sections.")


@dataclass
class Row:
    """A method with its workload and cost for a corpus. `lacks` is why it can't be used."""

    kind: str
    name: str
    source: str
    method: Method
    lacks: str = ""
    outline: Outline | None = None
    refused: str = ""
    is_pending: bool = False  # its cost takes longer than the page may
    is_recommended: bool = False

    @property
    def key(self) -> str:
        return f"{self.kind}/{self.name}"


@dataclass(frozen=True)
class MethodList:
    """The rows of each question, the selected row, and the number of all methods."""

    questions: list[tuple[MethodQuestion, list[Row]]]
    selected: Row
    total: int

    @property
    def is_pending(self) -> bool:
        return any(row.is_pending for _, rows in self.questions for row in rows)


def method_list(
    corpus: Corpus | None, *, selected: str, shows_all: bool, waits: bool = False
) -> MethodList:
    """Return the methods for a corpus: of each question up to four, unless `shows_all`.

    Methods that the corpus can be used with come first. `selected` is the key of a method; the
    default is the recommended one. Costs that take long stay pending, unless it `waits` for them.
    """
    rows = _rows(corpus)
    recommended = _recommended(rows, corpus)
    recommended.is_recommended = corpus is not None and not recommended.lacks
    chosen = next((row for row in rows if row.key == selected), recommended)
    questions = []
    for key, question in QUESTIONS.items():
        answering = [row for row in rows if row.method.question == key]
        answering.sort(key=lambda row: bool(row.lacks))
        shown = [
            row
            for number, row in enumerate(answering)
            if shows_all or number < MAX_METHODS or row in (chosen, recommended)
        ]
        questions.append((question, shown))
    if corpus is not None:
        with shared_reads(of_many=waits), kept_together():
            _add_costs(
                [chosen, *(row for _, shown in questions for row in shown)], corpus, waits=waits
            )
    return MethodList(questions, chosen, len(rows))


def outlined(kind: str, name: str, corpus: Corpus) -> Outline | None:
    """Return the outline of a method with a corpus, if there is one."""
    return outline_or_why(_document(kind, name, corpus), corpus)[0]


def _document(kind: str, name: str, corpus: Corpus) -> Document:
    document = making.document_of_methods(
        kind=kind,
        instruments=[registered_kinds()[kind].load(name, Study.Language.EN)],
        title="A look",
        corpus=corpus,
    )
    return msgspec.structs.replace(document, slug="a-look-at-a-method")


def _rows(corpus: Corpus | None) -> list[Row]:
    available = holdings(corpus) if corpus else None
    rows = []
    for kind, study_kind in sorted(registered_kinds().items()):
        for name, method in study_kind.methods.items():
            instrument: Any = study_kind.load(name, Study.Language.EN)
            missing = study_kind.needs(instrument) - available if available is not None else ()
            rows.append(Row(kind, name, str(instrument.source), method, _lacks(missing)))
    return rows


def _recommended(rows: list[Row], corpus: Corpus | None) -> Row:
    """Return the method for the number of systems of a corpus, or else the first that fits."""
    systems = number_with_texts(corpus) if corpus else 2
    usable = [row for row in rows if not row.lacks]
    fitting = [row for row in usable if systems in row.method.systems]
    return (fitting or usable or rows)[0]


def _add_costs(rows: list[Row], corpus: Corpus, *, waits: bool) -> None:
    """Set the outlines of rows; those that take too long stay pending."""
    state = state_of(corpus)
    usable = list({row.key: row for row in rows if not row.lacks}.values())
    documents = [_document(row.kind, row.name, corpus) for row in usable]
    cached = cached_outlines(documents, corpus, state)
    until = time.monotonic() + MAX_SECONDS
    for number, (row, document, outline) in enumerate(zip(usable, documents, cached, strict=True)):
        if isinstance(outline, NoOutline):
            row.refused = outline.sentence
            continue
        if outline is None and not waits and number and time.monotonic() > until:
            row.is_pending = True
            continue
        made, row.refused = (outline, "") if outline else outline_or_why(document, corpus, state)
        if made is not None:
            row.outline = _as_launched(made, document)


def _as_launched(outline: Outline, document: Document) -> Outline:
    """Return the outline with the minutes and the pay of a draft that begins with it."""
    document = making.as_suggested(document, outline)
    minutes = document.minutes
    return replace(outline, minutes=minutes, pay=Decimal(document.recruitment.pay))


def _lacks(missing: Collection[str]) -> str:
    """Return what a corpus is missing; responses first, since parts belong to them."""
    for part in sorted(missing, key=lambda part: list(LACKS).index(part) if part in LACKS else 9):
        return gettext(LACKS.get(part, LACKS_PARTS))
    return ""
