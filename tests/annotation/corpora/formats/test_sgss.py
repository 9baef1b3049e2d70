"""Structured summaries as JSON: read, written, degraded."""

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from annotation.corpora.formats.sgss import (
    SgssText,
    StructuredSummary,
    SummarySection,
    degraded,
    written,
)

KEYS = st.text("abc/-", min_size=1, max_size=4)
PARTS = st.builds(SgssText, text=st.text(min_size=1), citations=st.lists(KEYS, max_size=3))
SECTIONS = st.builds(
    SummarySection, heading=st.text(), statements=st.lists(PARTS, min_size=1, max_size=3)
)
SUMMARIES = st.builds(
    StructuredSummary,
    summary=KEYS,
    topic=KEYS,
    overview=PARTS,
    sections=st.lists(SECTIONS, max_size=3),
    overview_last=st.booleans(),
    system=st.none() | KEYS,
    documents=st.none() | st.lists(KEYS, max_size=3),
)


def read(content):
    return [msgspec.json.decode(line, type=StructuredSummary) for line in content.splitlines()]


@given(st.lists(SUMMARIES, max_size=3))
def test_what_is_written_is_read_without_a_difference(rows):
    content = b"".join(written(rows))
    assert read(content) == rows
    assert b"".join(written(read(content))) == content


@given(SUMMARIES)
def test_degraded_copies_keep_the_lines_of_headings(row):
    """Sakai et al., 4.3: NoHeadings and NoSection1; a heading that was deleted stays a line."""
    copies = {each.without: each for each in degraded(row)}
    n = len(row.sections)
    assert set(copies) == {"headings", "first_section"} if n > 1 else len(copies) == min(n, 1)
    if n:
        bare = copies["headings"]
        assert [s.statements for s in bare.sections] == [s.statements for s in row.sections]
        assert {s.heading for s in bare.sections} == {""}
        assert bare.copy_of == row.summary
        assert degraded(bare) == []
    if n > 1:
        assert copies["first_section"].sections == row.sections[1:]
