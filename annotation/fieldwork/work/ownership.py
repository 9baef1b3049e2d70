"""Proof of whose work is whose, beyond the ID that a link names.

Knowing the ID of a participant proves nothing. A person is the same who shows

- the platform's submission, a random ID that only the participant knows; where the platform signed
  the first arrival of the work, it has to sign each further one;
- the browser, by its signed cookie; or
- the personal link of an assignment (/w/TOKEN/).

Other people may take a new place, but neither see nor resume nor withdraw what was begun under the
same ID.
"""

from dataclasses import dataclass

from django.db.models import Q, QuerySet

from annotation.models import Assignment
from annotation.people.pseudonyms import SUBMISSION, hashed


@dataclass(frozen=True)
class Proof:
    """Hashes of the submission and the browser; '' for what a platform does not have."""

    session: str = ""
    browser: str = ""
    signed: bool = False

    @property
    def of_submission(self) -> Q:
        """The filter for assignments of the submission."""
        same = Q(session_hash=self.session)
        return same if self.signed or not self.session else same & Q(signed=False)

    @property
    def owned(self) -> Q:
        """The filter for assignments of a worker that this proves to be theirs."""
        same = self.of_submission
        return same | Q(browser_hash=self.browser) if self.browser else same

    def owns(self, assignment: Assignment) -> bool:
        """Return whether `owned` includes this assignment."""
        same = assignment.session_hash == self.session
        if self.session and not self.signed:
            same = same and not assignment.signed
        return same or (self.browser != "" and assignment.browser_hash == self.browser)


def proof_of(*, platform: str, submission: str, browser: str, signed: bool = False) -> Proof:
    """Return the proof that a request gives."""
    return Proof(
        session=hashed(platform=f"{platform}{SUBMISSION}", external_id=submission)
        if submission
        else "",
        browser=hashed(platform="browser", external_id=browser) if browser else "",
        signed=signed,
    )


def proof_for(assignment: Assignment) -> Proof:
    """Return the proof that the personal link of an assignment gives."""
    return Proof(assignment.session_hash, assignment.browser_hash, assignment.signed)


def together_with(assignment: Assignment) -> QuerySet[Assignment]:
    """Return all work that belongs to the holder of an assignment's personal link."""
    return Assignment.objects.filter(proof_for(assignment).owned, worker=assignment.worker_id)
