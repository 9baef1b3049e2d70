"""Refusals of workers: a status, a title and a sentence each."""

from collections.abc import Sequence

from annotation.refusals import Refusal
from annotation.texts.sentences import Sentence


class StudyNotOpen(Refusal):
    """A study that is planned, paused or closed (`state`), or does not exist ('')."""

    status = 410
    lets_nobody_in = True
    title = Sentence("There is no study here")
    sentence = Sentence(
        "No study is open at this address. You did nothing wrong: perhaps a letter of the link got "
        "lost, or the study is gone. Please ask the people who gave you the link."
    )
    SAID = {
        "planned": (
            Sentence("This study has not begun yet"),
            Sentence(
                "You did nothing wrong: the link is right, and the study is not open yet. Please "
                "come back later with the same link."
            ),
        ),
        "paused": (
            Sentence("This study is taking a break"),
            Sentence(
                "You did nothing wrong: the link is right, and the study lets nobody in at the "
                "moment. It may go on, so you may try the same link again later."
            ),
        ),
        "closed": (
            Sentence("This study has ended"),
            Sentence(
                "You did nothing wrong: the link is right, but the study is closed and needs "
                "nobody else. Thank you for your interest."
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
        "A task was done already with this submission, and it is good for one. If you want to "
        "take part again, open the study again from the page where you found it."
    )


class UnknownLink(Refusal):
    status = 404
    title = Sentence("This link leads nowhere")
    sentence = Sentence(
        "We do not know this link. Please open the study again from the page where you found it."
    )


class OtherSession(Refusal):
    """Live work under the same ID in another session (`assignment`)."""

    title = Sentence("You are at work on this study already")
    sentence = Sentence(
        "There is a task that you began in another session. Please go on in the browser where you "
        "began, or with the link of that task if you copied it. If you have neither, or it was not "
        "you, write a message to the researchers on the page where you found this study: they see "
        "that you came, and let you in with one click. Then open the study again from there."
    )

    def __init__(self, assignment: int = 0) -> None:
        self.assignment = assignment
        super().__init__()


class DoneInOtherSession(OtherSession):
    """Nothing left to do, because of work that another session did under the same ID."""

    title = Sentence("This study was done under your id already")
    sentence = Sentence(
        "All that one person may do in this study was done under your id already, in another "
        "session. If that was you, thank you: there is nothing more to do. If it was not you, "
        "write a message to the researchers on the page where you found this study: they see that "
        "you came, and can let you in. Then open the study again from there."
    )


class BegunInOtherSession(DoneInOtherSession):
    """No task because of another session's screening, onboarding or texts."""

    title = Sentence("Somebody has been here under your id")
    sentence = Sentence(
        "Somebody has taken part in this study under your id before, in another session, and what "
        "they did leaves no task for you. If that was you, thank you: there is nothing more to do. "
        "If it was not you, write a message to the researchers on the page where you found this "
        "study: they see that you came, and can let you in. Then open the study again from there."
    )


class NoTaskLeft(Refusal):
    lets_nobody_in = True
    title = Sentence("All places are taken at the moment")
    sentence = Sentence(
        "You did nothing wrong: others have all places of this study just now. Places come back "
        "when somebody stops, so you may try again in a few minutes."
    )


class NothingNew(Refusal):
    lets_nobody_in = True
    title = Sentence("There is nothing new for you")
    sentence = Sentence(
        "There is nothing left in this study that you have not seen yet. Thank you!"
    )


class CapReached(Refusal):
    lets_nobody_in = True
    title = Sentence("You have done your part")

    def __init__(self, cap: int) -> None:
        super().__init__(
            sentence=Sentence(
                "You have already done the one task that one person may do in this study. "
                "Thank you!",
                "You have already done all {cap} tasks that one person may do in this study. "
                "Thank you!",
                cap,
                cap=cap,
            )
        )


class BeingRead(Refusal):
    """Submitted onboarding work that waits for a decision."""

    title = Sentence("Your work is being read")
    sentence = Sentence(
        "Thank you: you have handed in enough for now. A person reads it and writes you feedback. "
        "Please come back later with the same link."
    )


class OnboardingOver(Refusal):
    """An onboarding that the worker can no longer pass."""

    title = Sentence("The onboarding ends here for you")

    def __init__(self, required: int) -> None:
        super().__init__(
            sentence=Sentence(
                "One onboarding task has to be accepted before the other tasks of this study, and "
                "there are not enough left for you to get there. Thank you for the work you did.",
                "{required} onboarding tasks have to be accepted before the other tasks of this "
                "study, and there are not enough left for you to get there. Thank you for the "
                "work you did.",
                required,
                required=required,
            )
        )


class NothingOpenYet(Refusal):
    title = Sentence("You passed the onboarding")
    sentence = Sentence(
        "There is no task open for you at the moment. Please come back later with the same link."
    )


class TermsChanged(Refusal):
    """Pay or time that differ from what the worker agreed to."""

    title = Sentence("Please look once more")
    sentence = Sentence(
        "The time or the pay of this study has changed since you opened this page. Please look at "
        "them again before you agree."
    )


class ScreenedOut(Refusal):
    """A failed screening, which is not repeated."""

    status = 410
    title = Sentence("This study ends here for you.")
    sentence = Sentence(
        "You have answered the questions before this study already, and it looks for people with "
        "other answers. They are asked once. That says nothing about the quality of your work. "
        "Thank you for your time."
    )


def not_qualified() -> Refusal:
    return Refusal(
        "NotQualified",
        Sentence(
            "Only people who have shown in another study that they know this kind of work can take "
            "part in this one. Thank you for your interest."
        ),
        status=403,
        title=Sentence("This study is for people from an earlier one"),
    )


def consent_withdrawn() -> Refusal:
    return Refusal(
        "ConsentWithdrawn",
        Sentence("You withdrew your consent to this study, so it is closed for you."),
        status=410,
        title=Sentence("This study is closed for you"),
    )


class NotLive(Refusal):
    """An assignment that is closed; `state` says why."""

    status = 410
    title = Sentence("This task is closed")
    SENTENCES = {
        "submitted": Sentence(
            "You have already submitted this work, so it cannot change any more."
        ),
        "accepted": Sentence("You have already submitted this work, so it cannot change any more."),
        "rejected": Sentence("This work was reviewed and is closed."),
        "returned": Sentence("You returned this task, so it is closed."),
        "expired": Sentence(
            "The time for this task ran out and its place was given to somebody else. "
            "Your answers are kept."
        ),
        "withdrawn": Sentence("You withdrew your consent, so this task is closed."),
        "arrived": Sentence("Please read and accept the consent page first."),
    }

    def __init__(self, state: str) -> None:
        self.state = state
        if state == "arrived":  # it has not begun
            self.title = Sentence("Please look once more")
        super().__init__(sentence=self.SENTENCES.get(state, ""))


class OtherTab(Refusal):
    title = Sentence("Open somewhere else")
    sentence = Sentence(
        "This task is open in another tab or on another device. Your answer is kept here; "
        "choose “Continue here” to go on in this tab."
    )

    def __init__(self, *, after: int = 0) -> None:
        """`after` is the number (work.ordering_requests) that the tab has to exceed."""
        self.after = after
        super().__init__()


class Superseded(Refusal):
    """A late form: the task was returned, or the work went on, since it was sent."""

    title = Sentence("Please look once more")
    sentence = Sentence(
        "You have gone on with this task since this was sent, so it was not handed in. "
        "Please look at it once more and submit again."
    )


class Incomplete(Refusal):
    """Work with open questions on the pages `positions`, or with nothing in it."""

    status = 422
    sentence = Sentence("Nothing has been done in this task yet, so it cannot be handed in.")

    def __init__(self, positions: Sequence[int] = ()) -> None:
        self.positions = list(positions)
        if not positions:
            super().__init__()
            return
        places = ", ".join(map(str, positions[:5]))
        if len(positions) > 5:
            more = Sentence("Pages {places} and more still have open questions.", places=places)
            super().__init__(sentence=more)
            return
        super().__init__(
            sentence=Sentence(
                "Page {places} still has open questions.",
                "Pages {places} still have open questions.",
                len(positions),
                places=places,
            )
        )


class NotAnAnswer(Refusal):
    """Content that is no answer to a question of this task."""

    status = 422

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence=sentence)
