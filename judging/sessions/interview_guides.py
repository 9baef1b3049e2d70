"""Interview guides: one question a line, sections after `#`; a template after Popp et al."""

from datetime import datetime
from itertools import groupby
from typing import Any

from django.db import transaction

from annotation.models import Study
from annotation.people import access
from annotation.refusals import Refusal
from annotation.texts.sentences import Sentence
from annotation.texts.untrusted import storable
from judging.models import InterviewGuide
from judging.sessions.saving_sessions import LONGEST_QUESTION

MOST_QUESTIONS = 100
LIMIT = 50_000  # characters of a guide
# Themes of the debriefing of Popp et al. (appendix D), in our words.
TEMPLATE = """# Deciding
How did you go about judging the texts?
How did you decide on each criterion?
What did you like or dislike about this way of judging?
What was difficult?

# The study
Have you taken part in studies like this one?
What do you think of the layout and design?
Was anything hard to find or to use?
Was the way the texts were shown a problem?
How satisfied are you overall?
What would you improve?
"""
Question = dict[str, str]  # section, question


def read(text: str) -> list[Question]:
    """Return the questions of a guide as it is typed. Raises Refusal."""
    section, questions = "", []
    for line in map(str.strip, storable(text[: LIMIT + 1]).splitlines()):
        if line.startswith("#"):
            section = " ".join(line.lstrip("#").split())
        elif line:
            questions.append({"section": section, "question": " ".join(line.split())})
    is_long = any(len(words) > LONGEST_QUESTION for row in questions for words in row.values())
    if is_long or len(text) > LIMIT or len(questions) > MOST_QUESTIONS:
        sentence = Sentence(
            "A guide can have up to {n} questions of up to {most} characters each.",
            n=MOST_QUESTIONS,
            most=LONGEST_QUESTION,
        )
        raise Refusal("BadGuide", sentence, status=422)
    return questions


def typed(questions: list[Question]) -> str:
    """Return a guide as it is typed."""
    parts = [
        "\n".join([*([f"# {section}"] if section else []), *(row["question"] for row in rows)])
        for section, rows in groupby(questions, key=lambda row: row["section"])
    ]
    return "\n\n".join(parts)


def questions_of(study: Study) -> list[Question]:
    guide = InterviewGuide.objects.filter(study=study).first()
    return list(guide.questions) if guide else []


@transaction.atomic
def save(*, study: Study, text: str, by: Any, now: datetime) -> list[Question]:
    """Save the guide of a study; notes keep the question they were taken on. Raises Refusal."""
    questions = read(text)
    InterviewGuide.objects.update_or_create(
        study=study, defaults={"questions": questions, "saved_at": now}
    )
    what = f"{len(questions)} questions"
    access.record(user=by, act="saved an interview guide", what=what, of=study)
    return questions
