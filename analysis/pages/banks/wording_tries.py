"""New wordings of an entry that a model graded on a sample of texts: the systems that gain or lose.

The intervals of a wording hold together, for all systems and all texts (Bonferroni).
"""

from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext

from analysis.inputs.wording_tries import WordingTry, wording_try
from analysis.stats.retrieval.sampled_change import SampledChange, sampled_change
from annotation.models import Study
from annotation.people.access import user_of
from judging.banks.entries_at import EntryAt
from judging.banks.trying_wordings import tries_of, try_wording
from judging.models import Bank

CONFIDENCE = 0.95
MOST_TRIES = 5
MOST_DIGITS = 9


def tried(request: HttpRequest, bank: Bank, entry: EntryAt) -> Study:
    """Create the study of the wording in a form. Raises Refusal."""
    typed = request.POST.get("texts", "")
    is_number = typed.isascii() and typed.isdigit() and len(typed) <= MOST_DIGITS
    return try_wording(
        bank=bank,
        entry=entry,
        text=request.POST.get("text", ""),
        texts=int(typed) if is_number else 0,
        by=user_of(request),
    )


def tries_shown(bank: Bank, entry: EntryAt) -> list[dict[str, Any]]:
    """Return the newest wordings that were tried, with a row for all texts and each system."""
    rows = []
    for study in tries_of(bank, entry.pk)[:MOST_TRIES]:
        one = wording_try(study, entry.key, entry.topic_id)
        rows.append(
            {
                "study": study,
                "judge": one.judge,
                "wording": one.wording,
                "asked": one.asked,
                "graded": len(one.covered),
                "rows": rows_of(one),
            }
        )
    return rows


def rows_of(one: WordingTry) -> list[dict[str, Any]]:
    """Return the changes of all texts and of each system, those that lose most first."""
    every = sorted({text for texts in one.texts.values() for text in texts})
    level = 1 - (1 - CONFIDENCE) / (len(one.texts) + 1)
    found = [(name, _change(one, texts, level)) for name, texts in one.texts.items()]
    known = [(name, change) for name, change in found if change is not None]
    whole = _change(one, every, level)
    rows = [(gettext("All texts"), whole)] if whole else []
    rows += sorted(known, key=lambda pair: (pair[1].change, pair[0]))
    return [_row(name, change) for name, change in rows]


def _change(one: WordingTry, texts: Iterable[int], level: float) -> SampledChange | None:
    texts = list(texts)
    pairs = [one.covered[text] for text in texts if text in one.covered]
    before, after = [old for old, _ in pairs], [new for _, new in pairs]
    return sampled_change(before, after, len(texts), confidence=level)


def _row(name: str, change: SampledChange) -> dict[str, Any]:
    verdict = "gains" if change.low > 0 else "loses" if change.high < 0 else ""
    return {
        "name": name,
        "n": change.n,
        "total": change.total,
        "before": f"{change.before:.0%}",
        "after": f"{change.after:.0%}",
        "ends": f"{_points(change.low)}, {_points(change.high)}",
        "change": _points(change.change),
        "verdict": verdict,
    }


def _points(share: float) -> str:
    """Return a difference of shares in percentage points."""
    return f"{100 * share:+.0f}".replace("-", "−")
