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
    lines = ((n, " ".join(sentence_text.split())) for n, sentence_text in sentences(passages, rng))
    cited_lines = [f"{line[:-1]} [{n}]{line[-1]}" for n, line in lines] or [ELSEWHERE]
    target, text = Brief.objects.get(study=study).target_words, ""
    for sentence in chain.from_iterable(repeat(cited_lines, MOST_ROUNDS)):
        if words + count_words(text) >= target:
            break
        text += f"\n- {sentence}" if task.style == "bullet" else f" {sentence}"
    return text if words else text.lstrip()


def words_by_hand(assignment: Assignment) -> tuple[int, int, int]:
    """Return the number of words that a person wrote, of all words, and the minimum."""
    writing = Writing.objects.get(assignment=assignment)
    low = Brief.objects.get(study=assignment.study_id).low_words
    words = count_words(writing.text)
    filled = sum(
        count_words(event.inserted)
        for event in events_of(assignment)
        if isinstance(event, Edit) and event.input == FILLED
    )
    return max(0, words - filled), words, low
