"""What is wrong with the questions before the work."""

from collections import Counter
from collections.abc import Iterable

from django.utils.translation import gettext, ngettext

from annotation.studies.drafts.paths import joined
from annotation.studies.drafts.schema import Screening, ScreeningQuestion
from annotation.studies.instruments import Fault

MAX_ATTEMPTS = 2
NAME_LENGTH = 80  # of the column of qualifications


def screening_faults(said: Screening) -> Iterable[Fault]:
    asked = len(said.questions)
    if asked and not 1 <= said.pass_mark <= asked:
        sentence = ngettext(
            "There is {n} question: say how many right answers it takes, from 1 to {n}.",
            "There are {n} questions: say how many right answers it takes, from 1 to {n}.",
            asked,
        )
        yield Fault("screening/pass_mark", sentence.format(n=asked))
    if not 1 <= said.attempts <= MAX_ATTEMPTS:
        yield Fault("screening/attempts", gettext("Enter 1 or 2 attempts."))
    if said.reward < 0:
        yield Fault("screening/reward", gettext("It cannot be negative."))
    for name in ("gives", "requires"):
        if len(getattr(said, name)) > NAME_LENGTH:
            yield Fault(
                f"screening/{name}",
                gettext("It has more than {name_length} characters.").format(
                    name_length=NAME_LENGTH
                ),
            )
    if said.gives.strip() and not asked:
        yield Fault("screening/gives", gettext("Nothing is asked that people could pass."))
    for key, times in Counter(each.key for each in said.questions).items():
        if times > 1 or not key.strip():
            yield Fault(
                "screening/questions",
                gettext("The name {key!r} does not tell one question.").format(key=key),
            )
    for question in said.questions:
        yield from _question_faults(question)


def _question_faults(question: ScreeningQuestion) -> Iterable[Fault]:
    where = joined("screening", "questions", question.key)
    codes = [each.code for each in question.options]
    if not question.label.strip():
        yield Fault(f"{where}/label", gettext("Write the question."))
    if len(codes) < 2 or len(set(codes)) < len(codes):
        yield Fault(
            f"{where}/options", gettext("It needs two answers or more, each with its own code.")
        )
    elif question.right not in codes:
        yield Fault(f"{where}/right", gettext("Say which answer is right."))
    if any(not each.label.strip() for each in question.options):
        yield Fault(f"{where}/options", gettext("Say what each answer is called."))
