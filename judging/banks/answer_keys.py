"""Check whether extracted answers match the correct answers of an entry. Pure.

Follows the Autograder Workbench (Dietz 2024, section 3.2). Texts are lowercased, stripped of
punctuation and stop words, and stemmed (Porter). Two texts match if they are equal or if their
ratio of the longest common subsequence (`fuzz.ratio`) is above 80 of 100. For a key of true or
false, the answers yes and no count as well.
"""

import re
from collections.abc import Collection

import snowballstemmer

from judging.queries.similarity import rouge_l

CLOSE = 80
SHORTEST_SAME, SHORTEST_CLOSE = 2, 4  # characters of a text without stop words
TRUE, FALSE = {"true", "yes", "correct"}, {"false", "no", "incorrect"}
NO_ANSWER = {"unanswerable", "no answer", "not enough information", "unknown"}
_WORD = re.compile(r"\w+")
STOP_WORDS = frozenset(
    _WORD.findall(
        "a about above after again against all am an and any are as at be because been before "
        "being below between both but by can did do does doing don down during each few for from "
        "further had has have having he her here hers herself him himself his how i if in into is "
        "it its itself just me more most my myself no nor not now of off on once only or other "
        "our ours ourselves out over own s same she should so some such t than that the their "
        "theirs them themselves then there these they this those through to too under until up "
        "very was we were what when where which while who whom why will with you your yours "
        "yourself yourselves"
    )
)
_STEMMER = snowballstemmer.stemmer("porter")


def is_correct(answer: str, key: Collection[str], *, every: bool = False) -> bool | None:
    """Return whether an answer matches a correct answer, or None if the key is empty.

    With `every`, the answer must contain the words of each correct answer.
    """
    key = [text for text in map(_plain, key) if text]
    if not key:
        return None
    answer = _plain(answer)
    if answer in NO_ANSWER:
        return False
    truth = {text for text in key if text in TRUE | FALSE}
    if len(key) == 1 and truth:
        return answer in (TRUE if key[0] in TRUE else FALSE)
    if every and len(key) > 1:
        words = set(_stems(answer))
        return all(words >= set(_stems(text)) for text in key)
    return any(_matches(answer, text) for text in key)


def _matches(answer: str, text: str) -> bool:
    one, other = " ".join(_stems(answer)), " ".join(_stems(text))
    if len(one) >= SHORTEST_SAME and one == other:
        return True
    if len(one) >= SHORTEST_CLOSE:
        return round(100 * rouge_l(list(one), list(other))) > CLOSE
    return answer == text


def _plain(text: str) -> str:
    return text.strip().removesuffix(".").strip().casefold()


def _stems(text: str) -> list[str]:
    words = _WORD.findall(text.replace("'", "").replace("’", ""))
    stems: list[str] = _STEMMER.stemWords([word for word in words if word not in STOP_WORDS])
    return stems
