"""Whose work is whose: what a person shows by following a link, beside the id it names.

Knowing the id of a participant proves nothing. What proves that somebody is the same person:

- the platform's submission, a random id that the platform tells the participant alone; where the
  platform signed that the work's first arrival was theirs, it has to sign each further one;
- the browser, which has a signed cookie since it first came;
- the personal link of an assignment (/w/TOKEN/), which the worker's pages know anyway.

Whoever shows none of them may take a new place, but neither sees nor goes on with nor withdraws
what was begun under the same id.
"""

from dataclasses import dataclass

from django.db.models import Q, QuerySet

from annotation.models import Assignment
from annotation.people.pseudonyms import SUBMISSION, hashed


@dataclass(frozen=True)
class Proof:
    """Hashes of the submission and of the browser; '' for what a platform does not have."""

    session: str = ""
    browser: str = ""
    signed: bool = False

    @property
    def of_submission(self) -> Q:
        """The assignments that were begun for the submission."""
        same = Q(session_hash=self.session)
        return same if self.signed or not self.session else same & Q(signed=False)

    @property
    def owned(self) -> Q:
        """The assignments, among those of one worker, that this proves to be theirs."""
        same = self.of_submission
        return same | Q(browser_hash=self.browser) if self.browser else same

    def owns(self, assignment: Assignment) -> bool:
        """As `owned`, of one that is at hand."""
        same = assignment.session_hash == self.session
        if self.session and not self.signed:
            same = same and not assignment.signed
        return same or (self.browser != "" and assignment.browser_hash == self.browser)


def proof_of(*, platform: str, submission: str, browser: str, signed: bool = False) -> Proof:
    """Compute the proof from what comes with a request."""
    return Proof(
        session=hashed(platform=f"{platform}{SUBMISSION}", external_id=submission)
        if submission
        else "",
        browser=hashed(platform="browser", external_id=browser) if browser else "",
        signed=signed,
    )


def proof_for(assignment: Assignment) -> Proof:
    """What a person shows by having the personal link of an assignment."""
    return Proof(assignment.session_hash, assignment.browser_hash, assignment.signed)


def together_with(assignment: Assignment) -> QuerySet[Assignment]:
    """All work of its worker that belongs to the holder of its personal link, itself included."""
    return Assignment.objects.filter(proof_for(assignment).owned, worker=assignment.worker_id)
