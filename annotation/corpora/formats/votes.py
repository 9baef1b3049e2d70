"""Votes in rows of pairs as labels: arena, LMSYS, MT-bench, AlpacaEval, preferences. Pure."""

import math
from collections.abc import Iterable, Mapping
from typing import Any

from annotation.corpora.formats.reranking import first_text
from annotation.texts.sentences import marked

PREFERRED = ("chosen", "rejected")
ONE_HOT = {"winner_model_a": "a", "winner_model_b": "b", "winner_tie": "tie"}  # LMSYS
GAMES = ("g1_winner", "g2_winner")  # MT-bench asks its judge in both orders
# The side that a 0 and a 1 mean: PKU-SafeRLHF counts answers, SHP says whether A is preferred.
COUNTED = {"better_response_id": "ab", "labels": "ba"}
WINNERS = (
    *("winner", "vote", "label", "choice", "preferred", "better", "preference"),
    *(*ONE_HOT, *GAMES, *COUNTED),
)
RATERS = (
    *("judge", "judge_id", "annotator", "annotator_id", "rater"),
    *("worker", "worker_id", "user_id"),
)
TIMES = ("tstamp", "timestamp", "created_at")
BROKEN = ("error", "-1")  # of a judge whose answer could not be read
VOTES, SAME, UNREAD = (
    marked("votes"),
    marked("votes on identical answers"),
    marked("unreadable votes by a judge"),
)


def vote_of(row: Mapping[str, Any], *, is_preference: bool = False) -> str:
    """Return the vote in a row, a or b or tie or the word of the file; empty if there is none."""
    if is_preference:
        return "a"
    if set(GAMES) <= row.keys():
        first, second = (str(row[name]).strip() for name in GAMES)
        return _side(first) if first == second or "error" in (first, second) else "tie"
    for name, side in ONE_HOT.items():
        if str(row.get(name) or "0").strip().casefold() in ("1", "1.0", "true"):
            return side
    for name, sides in COUNTED.items():
        if (place := str(row.get(name)).removesuffix(".0")) in ("0", "1"):
            return sides[int(place)]
    for name in WINNERS:
        if name not in (*ONE_HOT, *GAMES, *COUNTED) and not _is_empty(value := row.get(name)):
            return _of_alpaca_eval(value) if name == "preference" else _side(str(value).strip())
    return ""


def _is_empty(value: Any) -> bool:
    return value is None or isinstance(value, list | dict) or not str(value).strip()


def _side(word: str) -> str:
    """Return the side of MT-bench's model_1, which a study knows as its slot a."""
    return {"model_1": "a", "model_2": "b"}.get(word, word)


def _of_alpaca_eval(value: Any) -> str:
    """Return the side of a preference from 1, the first output, to 2, the second; 0 is a tie."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        return _side(str(value).strip())
    if number in (0, 1.5):
        return "tie"
    if not math.isfinite(number) or not 1 <= number <= 2:
        return f"{number:g}"
    return "a" if number < 1.5 else "b"  # weighted by the certainty of a model


def by_whom(row: Mapping[str, Any]) -> dict[str, str]:
    """Return the columns of a label on its rater: name, kind of a model, and time.

    MT-bench writes a model as a list of its name and that of its prompt.
    """
    judge = next((row[name] for name in RATERS if not _is_nothing(row.get(name))), "")
    columns: dict[str, str] = {}
    if isinstance(judge, list | tuple):
        columns = {"rater": " ".join(map(str, judge))[:100], "kind": "model"}
    elif judge != "":
        columns = {"rater": str(judge).strip()[:100]}
    if columns and "raw_completion" in row:  # of the model that annotates for AlpacaEval
        columns["kind"] = "model"
    time = first_text(dict(row), TIMES)
    return columns | ({"answered_at": time} if time else {})


def _is_nothing(value: Any) -> bool:
    return value is None or value == "" or value == [] or isinstance(value, dict | bool)


def label_of(
    row: Mapping[str, Any], topic: str, keys: Iterable[str], *, is_preference: bool = False
) -> dict[str, str]:
    """Return the columns of the vote on two responses, empty if the row has no vote."""
    vote = vote_of(row, is_preference=is_preference)
    if not vote:
        return {}
    first, second = keys
    sides = {"topic": topic, "response_a": first, "response_b": second}
    return {**sides, "value": vote, **by_whom(row)}
