"""Why an upload cannot be taken, one sentence each."""

from annotation.corpora.lines import megabytes
from annotation.work.refusals import Refusal


class TooLarge(Refusal):
    status = 413

    def __init__(self, most: int) -> None:
        super().__init__(
            f"The files of an upload may have {megabytes(most)} MB together. Pack them (.gz), or "
            "bring them in several uploads into the same corpus."
        )


class NoRoom(Refusal):
    status = 413  # too large for the room that is left
    sentence = "The server has no room for these files. Please tell whoever runs it."


class NotNow(Refusal):
    """The upload is in another state than the page that asks."""

    def __init__(self, state: str) -> None:
        super().__init__(f"This upload cannot be changed now. It stands at: {state}.")


class NothingToCheck(Refusal):
    status = 400


class NameTaken(Refusal):
    status = 400

    def __init__(self, name: str) -> None:
        super().__init__(
            f"A corpus is called {name} already. Take another name, or bring the files into that "
            "corpus."
        )
