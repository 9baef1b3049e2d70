"""All formats of other systems whose rows hold lists or parts. `file_format` says how to add one.

Pure.
"""

from annotation.corpora.formats import (
    argilla,
    beir,
    completions,
    conversations,
    fastchat,
    judgments,
    label_studio,
    nuggets,
    pairs,
    ragelo_experiment,
    report_requests,
    reports,
    reranking,
    rubric_corpus,
    transcripts,
    translations,
)
from annotation.corpora.formats.file_format import FileFormat, FileSample, Signature
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
        label_studio.TASKS,
        label_studio.MINIMAL,
        argilla.FORMAT,
        fastchat.QUESTIONS,
        fastchat.ANSWERS,
        judgments.FORMAT,
        translations.FORMAT,
        completions.FORMAT,
        transcripts.FORMAT,
        beir.FORMAT,
        pairs.FORMAT,
        ragelo_experiment.FORMAT,
        conversations.CONVERSATIONS,
    )
}


def recognised_formats(sample: FileSample) -> list[tuple[FileFormat, Signature]]:
    """Return the formats that a file may have, the most certain one first."""
    scored = [
        (file_format, signature)
        for file_format in FORMATS.values()
        if (signature := file_format.signature(sample))
    ]
    return sorted(scored, key=lambda pair: -pair[1].score)


def labelling_format(sample: FileSample) -> FileFormat | None:
    """Return the format of a file if its rows hold labels, or None."""
    formats = recognised_formats(sample)
    return formats[0][0] if formats and formats[0][0].labels else None


def brought_kinds(kind: str) -> tuple[RowKind, ...]:
    """Return the kinds of rows that a file of this kind or format brings."""
    if kind in FORMATS:
        return FORMATS[kind].brings
    return (RowKind(kind),) if kind in list(RowKind) else ()
