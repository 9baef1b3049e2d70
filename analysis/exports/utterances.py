"""Export of the utterances of recorded sessions, with the page at which each was said."""

from collections import defaultdict
from collections.abc import Iterator, Mapping

from analysis.exports.encodings import Row
from analysis.exports.export_column import NUMBER, TEXT, WHOLE, ExportColumn
from analysis.exports.other_answers import POSITION
from analysis.exports.source import CannotExport, ExportSource
from judging.banks.secrets import works_with
from judging.coding.reconciling import final_codes
from judging.models import Coding, CodingUnit, Instrument, ModeratedSession, Utterance
from judging.sessions.alignment import utterances_with_pages

BETWEEN = " | "  # codes of an utterance
UTTERANCES = (
    ExportColumn("assignment", WHOLE, "812", "number of the participant's assignment"),
    ExportColumn("worker", TEXT, "w-7f3a", "pseudonym of the participant"),
    ExportColumn("utterance", NUMBER, "12", "number of the utterance in the session"),
    ExportColumn("start", NUMBER, "83.5", "seconds from the start of the recording"),
    ExportColumn("end", NUMBER, "86.2", "seconds from the start of the recording"),
    ExportColumn(
        "offset", NUMBER, "-2.4", "seconds from consent to the start of the recording",
    ),
    ExportColumn("since_consent", NUMBER, "81.1", "`start` plus `offset`"),
    ExportColumn("speaker", TEXT, "Bob", "speaker as in the transcript"),
    ExportColumn("text", TEXT, "Both are fine.", "text of the utterance"),
    POSITION,
    ExportColumn("instrument", TEXT, "best-worst", "key of the method of the page"),
    ExportColumn(
        "codes", TEXT, "Talk: usability/navigation",
        "coding and key of each final code of closed codings, separated by ` | `",
    ),
)  # fmt: skip


def spoken(source: ExportSource) -> None:
    """Raise CannotExport (no_utterances) without a transcript."""
    if not Utterance.objects.filter(session__assignment__study=source.study).exists():
        raise CannotExport("no_utterances", f"Study {source.study.slug} has no transcripts.")


def utterances(source: ExportSource) -> Iterator[Row]:
    """Yield a row per utterance. Those on secret entries, or between such pages, have no words."""
    codes = _codes_by_source(source)
    rows = ModeratedSession.objects.filter(assignment__study=source.study).order_by("assignment")
    about = works_with(source.study, source.silent_items)
    silent_works = frozenset(about.values_list("assignment", flat=True))
    keys = dict(Instrument.objects.filter(study=source.study).values_list("pk", "key"))
    for session in rows.select_related("assignment__worker"):
        between = session.assignment_id in silent_works
        for row, visit in utterances_with_pages(session):
            is_silent = between if visit is None else visit.item in source.silent_items
            yield {
                "assignment": session.assignment_id,
                "worker": session.assignment.worker.pseudonym,
                "utterance": row.position,
                "start": row.start,
                "end": row.end,
                "offset": session.offset,
                "since_consent": round(row.start + session.offset, 3),
                "speaker": row.speaker,
                "text": "" if is_silent else row.text,
                "position": visit.position if visit else None,
                "instrument": keys.get(visit.instrument, "") if visit else "",
                "codes": BETWEEN.join(codes.get(f"utterance:{session.pk}:{row.position}", ())),
            }


def _codes_by_source(source: ExportSource) -> Mapping[str, list[str]]:
    """Return the final codes of coded utterances by the key of the comment."""
    codes: dict[str, list[str]] = defaultdict(list)
    closed = Coding.objects.filter(study=source.study, closed_at__isnull=False).order_by("pk")
    for coding in closed:
        final = final_codes(coding)
        units = CodingUnit.objects.filter(coding=coding, kind=CodingUnit.Kind.UTTERANCE)
        for pk, key in units.values_list("pk", "source"):
            codes[key] += [f"{coding.name}: {code}" for code in sorted(final.get(pk, ()))]
    return codes
