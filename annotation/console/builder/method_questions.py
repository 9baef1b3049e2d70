"""Questions that built-in methods answer, by `Method.question`."""

from typing import NamedTuple

from annotation.texts.sentences import marked


class MethodQuestion(NamedTuple):
    title: str
    hint: str


QUESTIONS = {
    "ranking": MethodQuestion(
        marked("Which system is better?"),
        marked("Ranks systems. Finds small differences."),
    ),
    "grades": MethodQuestion(
        marked("How good is each answer?"),
        marked("Grades comparable between studies."),
    ),
    "sources": MethodQuestion(
        marked("Do the sources support it?"),
        marked("Checks citations, statement by statement."),
    ),
    "content": MethodQuestion(
        marked("Does it cover what matters?"),
        marked("Compares content with a list or other answers."),
    ),
    "human texts": MethodQuestion(
        marked("What would people write?"),
        marked("Answers by people from the same passages."),
    ),
}
