"""Questions that built-in methods answer, by `Method.question`."""

from typing import NamedTuple

from annotation.texts.sentences import marked


class Question(NamedTuple):
    title: str
    hint: str


QUESTIONS = {
    "ranking": Question(
        marked("Which system is better?"),
        marked("Ranks systems. Finds small differences."),
    ),
    "grades": Question(
        marked("How good is each answer?"),
        marked("Grades that you can compare between studies."),
    ),
    "sources": Question(
        marked("Do the sources support it?"),
        marked("Checks citations, statement by statement."),
    ),
    "content": Question(
        marked("Does it cover what matters?"),
        marked("Compares content with a list or with other answers."),
    ),
    "human texts": Question(
        marked("What would people write?"),
        marked("Answers by people from the same passages."),
    ),
}
