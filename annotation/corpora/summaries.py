"""Structured summaries as responses with their parts, and back."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from django.db.models import QuerySet
from django.utils.translation import gettext

from annotation.corpora.foreign_rows import SummaryRow
from annotation.corpora.formats.sgss import SgssText, StructuredSummary, SummarySection
from annotation.corpora.rows import CitationsFrom, ResponseRow
from annotation.models import Corpus, Passage, Response, Segment, Style
from annotation.models.corpus import erased_text
from annotation.texts.citations import CITATION

Kind = Segment.Kind


class PoolPlace(NamedTuple):
    """A passage, and the number by which texts cite it, from 0."""

    number: int
    pk: int


Pool = Mapping[str, Mapping[str, PoolPlace]]  # topic -> passage -> place, by their keys


def pool_of(topics: Iterable[int]) -> Pool:
    """Return the passages of topics."""
    pool: dict[str, dict[str, PoolPlace]] = defaultdict(dict)
    stored = Passage.objects.filter(topic__in=set(topics)).order_by("topic", "rank")
    for topic, key, pk in stored.values_list("topic__key", "key", "pk").iterator():
        pool[topic][key] = PoolPlace(len(pool[topic]), pk)
    return pool


def citing(row: SummaryRow) -> list[list[str]]:
    """Return the document lists of a summary: citations of each part, then its final list."""
    parts = [
        row.overview,
        *(statement for section in row.sections for statement in section.statements),
    ]
    return [*(part.citations for part in parts), *([row.documents] if row.documents else [])]


def fault_of(row: SummaryRow) -> str:
    """Return the reason for refusing the parts of a summary, or nothing."""
    if any(not section.statements for section in row.sections):
        return gettext("has a section without statements")
    for part in (row.overview, *(statement for s in row.sections for statement in s.statements)):
        if not part.text.strip():
            return gettext("has an empty overview or statement")
    if mark := CITATION.search("\n".join(texts_of(row))):
        return gettext("contains the citation {mark}. Use the citations field instead").format(
            mark=mark[0][:40]
        )
    if any("\0" in text for text in texts_of(row)):
        return gettext("contains a NUL character")
    if any(len(cited) != len(set(cited)) for cited in citing(row)):
        return gettext("cites a document twice in one citation")
    return ""


def texts_of(row: SummaryRow) -> list[str]:
    texts = [row.overview.text]
    for section in row.sections:
        texts += [section.heading, *(statement.text for statement in section.statements)]
    return texts


def without_unknown(row: SummaryRow, places: Mapping[str, PoolPlace]) -> SummaryRow:
    """Return the row without documents that its topic lacks."""

    def cut(part: SgssText) -> SgssText:
        return SgssText(text=part.text, citations=[key for key in part.citations if key in places])

    changed = {
        "overview": cut(row.overview),
        "sections": [
            SummarySection(
                heading=section.heading, statements=[cut(part) for part in section.statements]
            )
            for section in row.sections
        ],
        "documents": [key for key in row.documents or () if key in places] or None,
    }
    return SummaryRow(**row.fields() | changed)


def as_response(row: SummaryRow, places: Mapping[str, PoolPlace]) -> ResponseRow:
    """Return the whole text as readable Markdown, with citations by number."""

    def line(part: SgssText) -> str:
        numbers = ", ".join(str(places[key].number) for key in part.citations if key in places)
        return f"{part.text} [{numbers}]" if numbers else part.text

    lines = []
    for section in row.sections:
        lines += [f"## {section.heading}"] if section.heading.strip() else []
        lines += map(line, section.statements)
    overview = line(row.overview)
    ordered = [*lines, overview] if row.overview_last else [overview, *lines]
    return ResponseRow(
        response=row.summary,
        topic=row.topic,
        style=Style.FREE,
        text="\n\n".join(ordered),
        origin=row.origin,
        system=row.system,
        citations_from=CitationsFrom.EDITOR,
    )


# -- Parts ---------------------------------------------------------------------------------------
def write_parts(responses: Mapping[str, Response], rows: Iterable[SummaryRow], pool: Pool) -> None:
    """Write the parts of new responses, and what each of them cites."""
    write_segments(
        (segment, [pool[row.topic][key].pk for key in keys])
        for row in rows
        for segment, keys in _parts(row, responses[row.summary])
    )


def write_segments(parts: Iterable[tuple[Segment, list[int]]]) -> None:
    """Write parts, each with the ids of the passages that it cites."""
    cited = list(parts)
    made = [segment for segment, _ in cited]
    sections = [segment for segment in made if segment.kind == Kind.SECTION]
    Segment.objects.bulk_create(sections, batch_size=500)  # before what stands in them
    Segment.objects.bulk_create([s for s in made if s.kind != Kind.SECTION], batch_size=500)
    through = Segment.cited.through
    through.objects.bulk_create(
        [
            through(segment_id=segment.pk, passage_id=passage)
            for segment, passages in cited
            for passage in passages
        ],
        batch_size=500,
    )


def _parts(row: SummaryRow, response: Response) -> Iterator[tuple[Segment, list[str]]]:
    """Yield the parts by line, each with the keys of its citations."""
    line = 0

    def part(kind: Kind, text: str, parent: Segment | None = None) -> Segment:
        nonlocal line
        line += 1
        return Segment(response=response, kind=kind, line=line, text=text, parent=parent)

    if not row.overview_last:
        yield part(Kind.OVERVIEW, row.overview.text), row.overview.citations
    for row_section in row.sections:
        section = part(Kind.SECTION, "")
        yield section, []
        yield part(Kind.HEADING, row_section.heading, section), []
        for statement in row_section.statements:
            yield part(Kind.STATEMENT, statement.text, section), statement.citations
    if row.overview_last:
        yield part(Kind.OVERVIEW, row.overview.text), row.overview.citations
    if row.documents:
        yield part(Kind.DOCUMENTS, ""), row.documents


def link(row: SummaryRow, corpus: Corpus) -> bool:
    """Say of which summary a degraded copy is; whether that one is there."""
    original = corpus.responses.filter(key=row.copy_of).values_list("pk", flat=True).first()
    if original is None:
        return False
    copy = corpus.responses.filter(key=row.summary)
    return bool(copy.update(copy_of=original, without=row.without))


# -- Back ----------------------------------------------------------------------------------------
def structured(responses: "QuerySet[Response]") -> "QuerySet[Response]":
    """Those that have an overview and were not withdrawn."""
    overviews = Segment.objects.filter(kind=Kind.OVERVIEW)
    return responses.exclude(erased_text()).filter(pk__in=overviews.values("response"))


def summary_of(response: Response) -> StructuredSummary:
    """Return a response as it was imported."""
    parts = list(response.segments.order_by("line"))
    through = Segment.cited.through.objects.filter(segment__response=response).order_by("pk")
    cited: dict[int, list[str]] = defaultdict(list)
    for segment, key in through.values_list("segment", "passage__key"):
        cited[segment].append(key)
    statements: dict[int | None, list[SgssText]] = defaultdict(list)
    for part in parts:
        if part.kind == Kind.STATEMENT:
            statements[part.parent_id].append(SgssText(text=part.text, citations=cited[part.pk]))
    headings = {part.parent_id: part.text for part in parts if part.kind == Kind.HEADING}
    sections = [part for part in parts if part.kind == Kind.SECTION]
    overview = next(part for part in parts if part.kind == Kind.OVERVIEW)
    return StructuredSummary(
        summary=response.key,
        topic=response.topic.key,
        system=response.system.key if response.system else None,
        origin=response.origin,
        overview=SgssText(text=overview.text, citations=cited[overview.pk]),
        sections=[
            SummarySection(heading=headings.get(part.pk, ""), statements=statements[part.pk])
            for part in sections
        ],
        overview_last=bool(sections) and overview.line > sections[0].line,
        documents=next((cited[part.pk] for part in parts if part.kind == Kind.DOCUMENTS), None),
        copy_of=response.copy_of.key if response.copy_of else None,
        without=response.without or None,  # type: ignore[arg-type]  # of Without, in the database
    )


def is_as_stored(row: SummaryRow, response: Response) -> bool:
    """Return whether the parts of a response are those of the row."""
    stored = summary_of(response)
    names = ("overview", "sections", "overview_last", "documents", "copy_of", "without")
    return all(getattr(row, name) == getattr(stored, name) for name in names)


def summaries_of(responses: "QuerySet[Response]") -> Iterator[StructuredSummary]:
    """Yield the structured summaries, originals before their copies."""
    summaries = structured(responses).select_related("topic", "system", "copy_of")
    for response in summaries.order_by("topic", "id").iterator(chunk_size=100):
        yield summary_of(response)
