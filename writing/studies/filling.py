"""The rest of a text whose study its researcher tries, from the sentences of its passages.

The limits of a text, its last look and the exit form are seen when it is long enough, and nobody
writes 250 words for that. What a person wrote stays as it is. Only reads: the editor puts the rest
into the text, so that it comes with the log like whatever is written there.
"""

from itertools import chain, repeat

from annotation.fieldwork.work.item_order import generator
from annotation.fieldwork.work.refusals import UnknownLink
from annotation.models import Assignment, Study
from annotation.texts.words import count_words
from writing.log.collecting import events_of
from writing.log.eventlog import Edit
from writing.models import Brief, Writing
from writing.studies.simulating import ELSEWHERE, sentences

FILLED = "insertFilled"  # as the log has it: static/js/writing-rest.js
MOST_ROUNDS = 1_000  # through the passages, where these are short


def rest_of(*, assignment: Assignment, words: int) -> str:
    """Return cited sentences that extend a text of `words` words to its target length.

    Empty if the text is long enough. Raises UnknownLink outside trials.
    """
    study = assignment.study
    if study.purpose != Study.Purpose.TRIAL:
        raise UnknownLink
    task = assignment.task.writing_task
    passages = [passage.text for passage in task.passages]
    rng = generator("writing", study.seed, "rest", task.style)
    lines = ((n, " ".join(each.split())) for n, each in sentences(passages, rng))
    said = [f"{each[:-1]} [{n}]{each[-1]}" for n, each in lines] or [ELSEWHERE]
    target, found = Brief.objects.get(study=study).target_words, ""
    for sentence in chain.from_iterable(repeat(said, MOST_ROUNDS)):
        if words + count_words(found) >= target:
            break
        found += f"\n- {sentence}" if task.style == "bullet" else f" {sentence}"
    return found if words else found.lstrip()


def words_by_hand(assignment: Assignment) -> tuple[int, int, int]:
    """Return the number of words that a person wrote, of all words, and the minimum."""
    writing = Writing.objects.get(assignment=assignment)
    low = Brief.objects.get(study=assignment.study_id).low_words
    words = count_words(writing.text)
    filled = sum(
        count_words(each.inserted)
        for each in events_of(assignment)
        if isinstance(each, Edit) and each.input == FILLED
    )
    return max(0, words - filled), words, low
