"""Refusals of workers: a status, a title and a sentence each."""

from collections.abc import Sequence

from annotation.refusals import Refusal
from annotation.texts.sentences import Sentence


class StudyNotOpen(Refusal):
    """A study that is planned, paused or closed (`state`), or does not exist ('')."""

    status = 410
    lets_nobody_in = True
    title = Sentence("Study not found")
    sentence = Sentence(
        "There is no open study at this address. The link may be incomplete, or the study may have "
        "been deleted. Please ask the people who gave you "
        "the link."
    )
    SAID = {
        "planned": (
            Sentence("This study hasn't started yet"),
            Sentence(
                "The link is correct, but the study isn't open yet. "
                "Please come back later with the same link."
            ),
        ),
        "paused": (
            Sentence("This study is paused"),
            Sentence(
                "The link is correct, but the study is paused. You can "
                "try the same link again later."
            ),
        ),
        "closed": (
            Sentence("This study has ended"),
            Sentence(
                "The link is correct, but the study needs no more "
                "participants. Thank you for your interest."
            ),
        ),
    }

    def __init__(self, state: str = "") -> None:
        self.state = state
        self.title, sentence = self.SAID.get(state, (self.title, self.sentence))
        super().__init__(sentence=sentence)


class SubmissionUsed(Refusal):
    """A submission that has had a task already: a platform pays it once."""

    sentence = Sentence(
        "You already did a task with this submission, and each submission allows one task. To "
        "take part again, open the study again from where you found it."
    )


class UnknownLink(Refusal):
    status = 404
    title = Sentence("Unknown link")
    sentence = Sentence(
        "We don't recognize this link. Please open the study again from where you found it."
    )


class OtherSession(Refusal):
    """Live work under the same ID in another session (`assignment`)."""

    title = Sentence("You have already started this study")
    sentence = Sentence(
        "You started a task in another session. Please continue in that browser, or with the "
        "task's link if you copied it. If you have neither, or if it wasn't you, message the "
        "researchers on the platform where you found this study. They can see your visit "
        "and let you in with one click. Then open the study there again."
    )

    def __init__(self, assignment: int = 0) -> None:
        self.assignment = assignment
        super().__init__()


class DoneInOtherSession(OtherSession):
    """Nothing left to do, because of work that another session did under the same ID."""

    title = Sentence("Someone already did this study with your ID")
    sentence = Sentence(
        "All the tasks that one person can do were already done with your ID in another "
        "session. If that was you, thank you: you are finished. If it wasn't, message the "
        "researchers on the platform where you found this study. They can see your visit "
        "and let you in. Then open the study there again."
    )


class BegunInOtherSession(DoneInOtherSession):
    """No task because of another session's screening, onboarding or texts."""

    title = Sentence("Someone has already used your ID")
    sentence = Sentence(
        "Someone took part in this study with your ID in another session, so there is no task "
        "left for you. If that was you, thank you: you are finished. If it wasn't, message "
        "the researchers on the platform where you found this study. They can see your "
        "visit and let you in. Then open the study there again."
    )


class NoTaskLeft(Refusal):
    lets_nobody_in = True
    title = Sentence("All places are taken right now")
    sentence = Sentence(
        "Other people are using all the places in this study. Places "
        "become free when someone stops, so please try again in a few minutes."
    )


class NothingNew(Refusal):
    lets_nobody_in = True
    title = Sentence("No new tasks for you")
    sentence = Sentence("You have already seen everything in this study. Thank you!")


class CapReached(Refusal):
    lets_nobody_in = True
    title = Sentence("You have finished this study")

    def __init__(self, cap: int) -> None:
        super().__init__(
            sentence=Sentence(
                "You have done the one task that each person can do in this study. Thank you!",
                "You have done all {cap} tasks that each person can do in this study. Thank you!",
                cap,
                cap=cap,
            )
        )


class BeingRead(Refusal):
    """Submitted onboarding work that waits for a decision."""

    title = Sentence("Your work is being reviewed")
    sentence = Sentence(
        "Thank you, that is all for now. A reviewer will read your work and write feedback. "
        "Please come back later with the same link."
    )


class OnboardingOver(Refusal):
    """An onboarding that the worker can no longer pass."""

    title = Sentence("Your onboarding has ended")

    def __init__(self, required: int) -> None:
        super().__init__(
            sentence=Sentence(
                "You need one approved onboarding task before you can do the other tasks, but "
                "none are left. Thank you for your work.",
                "You need {required} approved onboarding tasks before you can do the other tasks, "
                "but not enough are left. Thank you for your work.",
                required,
                required=required,
            )
        )


class NothingOpenYet(Refusal):
    title = Sentence("You passed the onboarding")
    sentence = Sentence(
        "There is no open task for you right now. Please come back later with the same link."
    )


class TermsChanged(Refusal):
    """Pay or time that differ from what the worker agreed to."""

    title = Sentence("Please check again")
    sentence = Sentence(
        "The time or pay of this study changed after you opened this page. Please check both "
        "before you agree."
    )


class ScreenedOut(Refusal):
    """A failed screening, which is not repeated."""

    status = 410
    title = Sentence("This study ends here for you.")
    sentence = Sentence(
        "You have already answered the questions for this study. You can answer them only "
        "once, and the study needs people with different answers. This says nothing about the "
        "quality of your work. Thank you for your time."
    )


def _not_admitted(code: str, sentence: str, title: str) -> Refusal:
    """Return the refusal of a person whose place at the platform should become free again."""
    refusal = Refusal(code, sentence, status=403, title=title)
    refusal.asks_return = True
    return refusal


def not_qualified() -> Refusal:
    return _not_admitted(
        "NotQualified",
        Sentence(
            "Only people who qualified in an earlier study can take part. Thank you for your "
            "interest."
        ),
        title=Sentence("This study is for earlier participants"),
    )


def excluded() -> Refusal:
    return _not_admitted(
        "Excluded",
        Sentence(
            "You took part in a related study, so you can't take part in this one. Thank you for "
            "your interest."
        ),
        title=Sentence("You took part in a related study"),
    )


def consent_withdrawn() -> Refusal:
    return Refusal(
        "ConsentWithdrawn",
        Sentence("You withdrew your consent to this study, so you can't continue."),
        status=410,
        title=Sentence("This study is closed for you"),
    )


class NotLive(Refusal):
    """An assignment that is closed; `state` says why."""

    status = 410
    title = Sentence("This task is closed")
    SENTENCES = {
        "submitted": Sentence("You have already submitted this task, so you can't change it."),
        "accepted": Sentence("You have already submitted this task, so you can't change it."),
        "rejected": Sentence("This task was reviewed and is closed."),
        "returned": Sentence("You returned this task, so it is closed."),
        "expired": Sentence(
            "The time for this task ran out and your place went to someone else. Your answers "
            "are kept."
        ),
        "withdrawn": Sentence("You withdrew your consent, so this task is closed."),
        "arrived": Sentence("Please read the consent page and agree first."),
    }

    def __init__(self, state: str) -> None:
        self.state = state
        if state == "arrived":  # it has not begun
            self.title = Sentence("Please check again")
        super().__init__(sentence=self.SENTENCES.get(state, ""))


class OtherTab(Refusal):
    title = Sentence("Open elsewhere")
    sentence = Sentence(
        "This task is open in another tab or on another device. Your answer is safe. Select "
        "“Continue here” to use this tab."
    )

    def __init__(self, *, after: int = 0) -> None:
        """`after` is the number (work.ordering_requests) that the tab has to exceed."""
        self.after = after
        super().__init__()


class Superseded(Refusal):
    """A late form: the task was returned, or the work went on, since it was sent."""

    title = Sentence("Please check again")
    sentence = Sentence(
        "Your work changed while you submitted it, so it wasn't submitted. Please check it and "
        "submit again."
    )


class Incomplete(Refusal):
    """Work with open questions on the pages `positions`, or with nothing in it."""

    status = 422
    sentence = Sentence("You haven't done anything in this task yet, so you can't submit it.")

    def __init__(self, positions: Sequence[int] = ()) -> None:
        self.positions = list(positions)
        if not positions:
            super().__init__()
            return
        places = ", ".join(map(str, positions[:5]))
        if len(positions) > 5:
            more = Sentence("Pages {places} and others have unanswered questions.", places=places)
            super().__init__(sentence=more)
            return
        super().__init__(
            sentence=Sentence(
                "Page {places} has unanswered questions.",
                "Pages {places} have unanswered questions.",
                len(positions),
                places=places,
            )
        )


class NotAnAnswer(Refusal):
    """Content that is no answer to a question of this task; `reason` is a code of the fault."""

    status = 422

    def __init__(self, sentence: str, reason: str = "") -> None:
        super().__init__(sentence=sentence)
        self.reason = reason
