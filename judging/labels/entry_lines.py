"""Labels of single entries, for studies that show an answer with all its entries."""

from collections.abc import Sequence
from dataclasses import replace

from annotation.models import Study
from judging.labels.files import LabelLine
from judging.models import Criterion

KIND = "response_entries"


def of_entries(study: Study, lines: list[LabelLine]) -> list[LabelLine]:
    """Return the lines with the item and the slot of their entry (such as e3).

    Entries are matched by topic and by the md5 at the end of their key, because keys in nuggetizer
    files also contain the importance.
    """
    if not any(set(line.contents) == {"response", "criterion"} for line in lines):
        return lines
    rows = Criterion.objects.filter(
        instrument__study=study, instrument__item_kind=KIND, questions=None
    )
    entries = list(rows.order_by("pk").values_list("topic__key", "key"))
    return [_placed(line, entries) for line in lines]


def _placed(line: LabelLine, entries: Sequence[tuple[str | None, str]]) -> LabelLine:
    """Return the line with all entries of its topic, in the designer's order."""
    if set(line.contents) != {"response", "criterion"}:
        return line
    keys = [key for topic, key in entries if topic in (line.topic, None)]
    wanted = _digest(line.contents["criterion"])
    place = next((n for n, key in enumerate(keys, start=1) if _digest(key) == wanted), 0)
    if not place:
        return line
    contents = {f"e{n}": key for n, key in enumerate(keys, start=1)}
    return replace(
        line, slot=f"e{place}", contents={"response": line.contents["response"], **contents}
    )


def _digest(key: str) -> str:
    return key.rpartition("/")[2]
