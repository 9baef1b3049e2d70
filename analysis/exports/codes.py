"""Export of closed codings: one row per unit, coder and code, plus the reconciled codes."""

from collections.abc import Collection, Iterator

from analysis.exports.encodings import Row
from analysis.exports.export_column import NUMBER, TEXT, ExportColumn
from analysis.exports.source import CannotExport, ExportSource
from judging.banks.secrets import units_about
from judging.coders.given import codes_of, llm_coders
from judging.coding.coding_units import codes_for
from judging.coding.reconciling import codes_by_coder, decisions, final_codes
from judging.models import AddedCode, Code, Coding

RECONCILED = "reconciled"
LLM = "llm:"  # before the name of an LLM coder
CODES = (
    ExportColumn("coding", TEXT, "Feedback", "name of the coding"),
    ExportColumn("codebook", TEXT, "Feedback on a study 1", "codebook and its version"),
    ExportColumn("unit", NUMBER, "12", "number of the comment in the coding"),
    ExportColumn("kind", TEXT, "page", "see comments"),
    ExportColumn("assignment", NUMBER, "17", "number of the assignment"),
    ExportColumn("worker", TEXT, "w-7f3a", "pseudonym of the participant"),
    ExportColumn("instrument", TEXT, "best-worst", "key of the instrument; empty for a form"),
    ExportColumn("question", TEXT, "coherence", "see comments"),
    ExportColumn("text", TEXT, "Hard to read.", "text of the comment or marked passage when coded"),
    ExportColumn("whole", NUMBER, "9", "number of the comment that contains the marked passage"),
    ExportColumn("start", NUMBER, "20", "number of characters before the passage in that comment"),
    ExportColumn(
        "coder", TEXT, "1",
        "number of a coder who coded every comment, `reconciled`, or `llm:` and the name of "
        "the LLM coder",
    ),
    ExportColumn("code", TEXT, "usability/navigation", "key of the code; empty if no code applies"),
    ExportColumn("group", TEXT, "Usability", "group of the code"),
    ExportColumn("name", TEXT, "Navigation", "name of the code"),
    ExportColumn("note", TEXT, "The wish is the point.", "reason for the decision, if given"),
)  # fmt: skip


def coded(source: ExportSource) -> None:
    """Raise CannotExport (no_codings) without a closed coding; open ones are still blind."""
    if not _closed(source):
        raise CannotExport("no_codings", f"Study {source.study.slug} has no closed coding.")


def codes(source: ExportSource) -> Iterator[Row]:
    """Yield a row per unit, coder and code, sorted by coding and unit."""
    units = units_about(source.study, source.silent_items)
    silent = frozenset(units.values_list("pk", flat=True))
    for coding in _closed(source):
        yield from _of_coding(coding, silent)


def _closed(source: ExportSource) -> list[Coding]:
    rows = Coding.objects.filter(study=source.study, closed_at__isnull=False)
    return list(rows.select_related("version__codebook").order_by("pk"))


def _of_coding(coding: Coding, silent: Collection[int]) -> Iterator[Row]:
    named = {code.key: code for code in codes_for(coding, None)}
    models = [(f"{LLM}{one.name}", codes_of(one)) for one in llm_coders(coding)]
    added = AddedCode.objects.filter(coding=coding, unit__in=silent)
    silent_names = frozenset(added.values_list("key", flat=True))
    given, final, decided = codes_by_coder(coding), final_codes(coding), decisions(coding)
    fields = (
        "pk", "position", "kind", "assignment", "assignment__worker__pseudonym",
        "instrument__key", "question", "text", "whole__position", "start",
    )  # fmt: skip
    for pk, position, kind, work, worker, instrument, question, text, whole, start in (
        coding.units.order_by("position").values_list(*fields).iterator()
    ):
        by_coder = {str(number): keys for number, keys in given.get(pk, {}).items()}
        by_coder |= {RECONCILED: final[pk]} if pk in final else {}
        by_coder |= {name: own[pk] for name, own in models if pk in own}
        for coder, keys in by_coder.items():
            note = decided[pk].note if coder == RECONCILED and pk in decided else ""
            for key in [key for key in named if key in keys] or [""]:
                code = named.get(key)
                yield {
                    "coding": coding.name,
                    "codebook": str(coding.version),
                    "unit": position,
                    "kind": kind,
                    "assignment": work,
                    "worker": worker,
                    "instrument": instrument or "",
                    "question": question,
                    "text": "" if pk in silent else text,
                    "whole": whole,
                    "start": start,
                    "coder": coder,
                    "code": key,
                    "group": code.group if isinstance(code, Code) else "",
                    "name": key if key in silent_names else str(code or ""),
                    "note": "" if pk in silent else note,
                }
