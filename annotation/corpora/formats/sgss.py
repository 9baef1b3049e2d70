"""Structured summaries (SGSS, Sakai et al.) as JSON, one summary a line. Pure.

A summary is an overview and sections, each a heading and statements; what a part cites is named by
the keys of documents. What is not said is not written.
"""

from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from annotation.corpora.formats.faults import Strict

Without = Literal["headings", "first_section"]


class SgssText(Strict):
    """An overview, or a statement."""

    text: str
    citations: list[str] = []


class SummarySection(Strict):
    """A heading that was taken away is an empty line, and stays one."""

    heading: str
    statements: list[SgssText]


class StructuredSummary(Strict):
    """`overview_last`: it stands at the end. `documents` are listed at the end of the summary.

    `copy_of` is the key of the summary that this is a degraded copy of, `without` what it lacks.
    """

    summary: str
    topic: str
    overview: SgssText
    sections: list[SummarySection]
    overview_last: bool = False
    system: str | None = None
    origin: str | None = None
    documents: list[str] | None = None
    copy_of: str | None = None
    without: Without | None = None


def written(rows: Iterable[StructuredSummary]) -> Iterator[bytes]:
    """Yield the lines of a file."""
    for row in rows:
        yield msgspec.json.encode(row) + b"\n"


# -- Degraded copies ---------------------------------------------------------------------------
def degraded(summary: StructuredSummary) -> list[StructuredSummary]:
    """NoHeadings and NoSection1: copies that are worse, to see whether a score says so.

    A heading stays as an empty line: without the line, a summary would gain by having no headings.
    The only section of a summary stays. A copy has no copies.
    """
    if summary.copy_of is not None or not summary.sections:
        return []
    bare = [
        SummarySection(heading="", statements=section.statements) for section in summary.sections
    ]
    copies = [_copy(summary, "headings", "no-headings", bare)]
    if len(summary.sections) > 1:
        later_sections = summary.sections[1:]
        copies.append(_copy(summary, "first_section", "no-section-1", later_sections))
    return copies


def _copy(
    summary: StructuredSummary, without: Without, name: str, sections: list[SummarySection]
) -> StructuredSummary:
    """Return a degraded copy, of another system so that it does not lower the system's means."""
    return StructuredSummary(
        **msgspec.structs.asdict(summary)
        | {
            "summary": f"{summary.summary}/{name}",
            "system": f"{summary.system}/{name}" if summary.system else None,
            "sections": sections,
            "copy_of": summary.summary,
            "without": without,
        }
    )
