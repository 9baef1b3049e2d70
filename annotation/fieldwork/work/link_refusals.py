"""Refusals of links to a study, by their codes."""

from collections.abc import Mapping

from annotation.refusals import Refusal
from annotation.texts.sentences import Sentence

NO_LINK = Sentence("This link does not work")

LINK_REASONS: Mapping[str, tuple[int, str, str]] = {
    "TrialEnded": (
        410,
        Sentence("This trial is over"),
        Sentence(
            "With this link a study could be tried while it was prepared. The trial has ended, "
            "and nothing of it is kept. If somebody sent you the link, please ask them for "
            "another one."
        ),
    ),
    "IncompleteLink": (
        400,
        NO_LINK,
        Sentence(
            "This link is incomplete. Please open the study again from the page where you found it."
        ),
    ),
    "UnsignedLink": (
        403,
        NO_LINK,
        Sentence(
            "This link does not show who sent you. Please open the study again from the page "
            "where you found it."
        ),
    ),
    "ForgedLink": (
        403,
        NO_LINK,
        Sentence(
            "This link was changed on its way. Please open the study again from the page where "
            "you found it."
        ),
    ),
    "SubmissionEnded": (
        410,
        Refusal.title,
        Sentence(
            "The page where you found this study says that your submission has ended. If you "
            "want to take part, open the study again from there."
        ),
    ),
    "OldLink": (
        403,
        NO_LINK,
        Sentence(
            "This link was good for two minutes only. Please open the study again from the page "
            "where you found it."
        ),
    ),
    "NotCheckedYet": (
        503,
        NO_LINK,
        Sentence(
            "We could not check this link yet. Please wait a minute, then open the study again "
            "from the page where you found it."
        ),
    ),
    "UsedLink": (
        403,
        NO_LINK,
        Sentence(
            "This link was opened before, and it is good once. Please open the study again from "
            "the page where you found it."
        ),
    ),
    "NoPersonalLink": (
        404,
        Sentence("This study needs your personal link"),
        Sentence(
            "People take part in this study with a link of their own, and this one is incomplete "
            "or unknown. Please open the whole link that you were sent, or ask whoever sent it."
        ),
    ),
    "LinkRevoked": (
        410,
        Sentence("This link is no longer valid"),
        Sentence(
            "Your personal link was ended or replaced by a new one. Please look for a newer "
            "link, or ask whoever sent it. What you handed in is kept."
        ),
    ),
    "OthersLink": (
        403,
        Sentence("This link is for somebody else"),
        Sentence(
            "Somebody has worked on this study in this browser with another personal link. "
            "Please use the link that was sent to you, or a browser of your own."
        ),
    ),
}


def link_refused(code: str) -> Refusal:
    """Return the refusal of a link that gives no access; `code` is the reason."""
    status, title, sentence = LINK_REASONS[code]
    return Refusal(code, sentence, status=status, title=title)
