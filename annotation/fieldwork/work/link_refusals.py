"""Refusals of links to a study, by their codes."""

from collections.abc import Mapping

from annotation.refusals import Refusal
from annotation.texts.sentences import Sentence

NO_LINK = Sentence("This link doesn't work")

LINK_REASONS: Mapping[str, tuple[int, str, str]] = {
    "TrialEnded": (
        410,
        Sentence("This trial has ended"),
        Sentence(
            "This link was for trying out a study before its launch. The trial has ended and "
            "its data is deleted. If someone sent you this link, please ask them for a new "
            "one."
        ),
    ),
    "IncompleteLink": (
        400,
        NO_LINK,
        Sentence("This link is incomplete. Please open the study again from where you found it."),
    ),
    "UnsignedLink": (
        403,
        NO_LINK,
        Sentence(
            "Your ID is missing from this link. Please open the study again from where you "
            "found it."
        ),
    ),
    "ForgedLink": (
        403,
        NO_LINK,
        Sentence(
            "This link has been altered. Please open the study again from where you found it."
        ),
    ),
    "SubmissionEnded": (
        410,
        Refusal.title,
        Sentence(
            "The platform says that your submission has ended. To take part, open the study "
            "there again."
        ),
    ),
    "OldLink": (
        403,
        NO_LINK,
        Sentence(
            "This link expired after two minutes. Please open the study again from where you "
            "found it."
        ),
    ),
    "NotCheckedYet": (
        503,
        NO_LINK,
        Sentence(
            "We couldn't check this link yet. Please wait a minute, then open the study again "
            "from where you found it."
        ),
    ),
    "UsedLink": (
        403,
        NO_LINK,
        Sentence(
            "This link works only once and was already opened. Please open the study again "
            "from where you found it."
        ),
    ),
    "NoPersonalLink": (
        404,
        Sentence("This study needs your personal link"),
        Sentence(
            "Each participant in this study has a personal link. This one is incomplete or "
            "unknown. Please open the full link you were sent, or ask the person who sent it."
        ),
    ),
    "LinkRevoked": (
        410,
        Sentence("This link is no longer valid"),
        Sentence(
            "Your personal link was revoked or replaced. Please look for a newer link, or "
            "ask the person who sent it. Your submissions are kept."
        ),
    ),
    "OthersLink": (
        403,
        Sentence("This link is for someone else"),
        Sentence(
            "Someone used this browser for this study with a different personal link. Please "
            "use the link that was sent to you, or another browser."
        ),
    ),
}


def link_refused(code: str) -> Refusal:
    """Return the refusal of a link that gives no access; `code` is the reason."""
    status, title, sentence = LINK_REASONS[code]
    return Refusal(code, sentence, status=status, title=title)
