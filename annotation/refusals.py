"""Refusals: requests that cannot be met, each with a status and a sentence for the reader."""

from annotation.texts.sentences import Sentence


class Refusal(Exception):
    """Raised by the domain; the interface answers with `status` and the sentence.

    `code` is for programs. A subclass exists only where it is caught by name; its name is then
    the code. Everything else is `raise Refusal("NoRoom", Sentence("..."), status=413)`.
    """

    status = 409
    title: str = Sentence("This isn't possible right now")
    sentence: str = Sentence("You can't do this now.")
    lets_nobody_in = False  # only earlier work of the person is left to see
    asks_return = False  # refused before consent: the place at the platform should be returned
    # For a person who follows a link: an eligibility.OnboardingProgress, the study, who runs it,
    # and the address of their work there (recruiting.arriving).
    onboarding: object = None
    study: object = None
    contact: str = ""
    own_work: str = ""

    def __init__(
        self, code: str = "", sentence: str = "", *, status: int = 0, title: str = ""
    ) -> None:
        super().__init__(sentence or self.sentence)
        self.code = code or type(self).__name__
        self.status = status or self.status
        self.title = title or self.title

    @property
    def said(self) -> str:
        """The sentence, which can be translated."""
        sentence: str = self.args[0]
        return sentence


def too_large() -> Refusal:
    return Refusal(
        "TooLarge",
        Sentence("Your text is too long. Please shorten it."),
        status=413,
        title=Sentence("Too large"),
    )


def too_often(seconds: float | None) -> Refusal:
    """Return the refusal of an account that asks for costly work more often than it may."""
    return Refusal(
        "TooOften",
        Sentence(
            "You sent this form too many times in a minute. Please try again in {seconds} seconds.",
            seconds=max(1, round(seconds or 60)),
        ),
        status=429,
        title=Sentence("Too many requests"),
    )
