"""All formats of other systems whose rows hold lists or parts. `file_format` says how to add one.

Pure.
"""

from annotation.corpora.formats import (
    conversations,
    nuggets,
    pairs,
    ragelo_experiment,
    report_requests,
    reports,
    reranking,
    rubric_corpus,
)
from annotation.corpora.formats.file_format import FileFormat, Sample, Signature
from annotation.corpora.row_kinds import RowKind

FORMATS: dict[str, FileFormat] = {
    file_format.name: file_format
    for file_format in (
        rubric_corpus.BANK,
        rubric_corpus.PASSAGES,
        reports.FORMAT,
        report_requests.FORMAT,
        reranking.FORMAT,
        nuggets.FORMAT,
        pairs.FORMAT,
        ragelo_experiment.FORMAT,
        conversations.CONVERSATIONS,
    )
}


def recognised_formats(sample: Sample) -> list[tuple[FileFormat, Signature]]:
    """Return the formats that a file may have, the most certain one first."""
    scored = [
        (file_format, signature)
        for file_format in FORMATS.values()
        if (signature := file_format.signature(sample))
    ]
    return sorted(scored, key=lambda pair: -pair[1].score)


def brought_kinds(kind: str) -> tuple[RowKind, ...]:
    """Return the kinds of rows that a file of this kind or format brings."""
    if kind in FORMATS:
        return FORMATS[kind].brings
    return (RowKind(kind),) if kind in list(RowKind) else ()
