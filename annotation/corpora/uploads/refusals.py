"""Why an upload cannot be taken, one sentence each."""

from django.utils.translation import gettext

from annotation.corpora.lines import megabytes
from annotation.refusals import Refusal
from annotation.texts.sentences import Sentence


class UploadTooLarge(Refusal):
    status = 413

    def __init__(self, most: int) -> None:
        super().__init__(
            sentence=gettext(
                "The files of an upload may have {megabytes} MB together. Pack them (.gz), "
                "or bring them in several uploads into the same corpus."
            ).format(megabytes=megabytes(most))
        )


class NoRoom(Refusal):
    status = 413  # too large for the room that is left
    sentence = Sentence("The server has no room for these files. Please tell whoever runs it.")


class NotNow(Refusal):
    """The upload is in another state than the page that asks."""

    def __init__(self, state: str) -> None:
        super().__init__(
            sentence=gettext("This upload cannot be changed now. It is: {state}.").format(
                state=state
            )
        )


class NothingToCheck(Refusal):
    """`file`: the key of the one that has to be looked at, or 0."""

    status = 400

    def __init__(self, reason: str, *, file: int = 0) -> None:
        super().__init__(sentence=reason)
        self.file = file


class NameTaken(Refusal):
    status = 400

    def __init__(self, name: str) -> None:
        super().__init__(
            sentence=gettext(
                "A corpus is called {name} already. Take another name, or bring the files "
                "into that corpus."
            ).format(name=name)
        )
