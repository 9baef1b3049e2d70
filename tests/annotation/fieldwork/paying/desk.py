"""Prolific as orders to pay meet it: it keeps what it paid, and can lose the answer or us."""

from collections import Counter
from dataclasses import dataclass, field
from itertools import count

from annotation.fieldwork.platforms.calls import CallRefused, OutcomeUnknown


class Killed(BaseException):
    """The process is gone: nothing after it is done."""


@dataclass
class Desk:
    """A desk whose calls fail once as `trouble` says.

    Before the call is done (`refused`, `lost`), or after it (`killed`, `unknown`).
    """

    statuses: dict[str, str] = field(default_factory=dict)
    trouble: dict[str, str] = field(default_factory=dict)
    paid: Counter[str] = field(default_factory=Counter)  # rewards, by submission
    bonuses: dict[str, list[int]] = field(default_factory=dict)
    lists: dict[str, list[tuple[str, int]]] = field(default_factory=dict)
    calls: list[str] = field(default_factory=list)
    numbers: count = field(default_factory=count)

    def meet(self, name, act):
        self.calls.append(name)
        trouble = self.trouble.pop(name, "")
        if trouble == "refused":
            raise CallRefused(400, "The platform refused.")
        if trouble == "away":
            raise CallRefused(0, "The platform could not be reached.")
        if trouble == "lost":
            raise OutcomeUnknown(name, "it did not answer in time")
        answer = act()
        if trouble == "killed":
            raise Killed
        if trouble == "unknown":
            raise OutcomeUnknown(name, "it did not answer in time")
        return answer

    def submission(self, submission_id):
        return {
            "id": submission_id,
            "study_id": "study",
            "status": self.statuses.get(submission_id, "AWAITING REVIEW"),
            "bonus_payments": list(self.bonuses.get(submission_id, [])),
        }

    def _approve(self, submission_id):
        if self.submission(submission_id)["status"] != "AWAITING REVIEW":
            raise CallRefused(400, "Only what awaits review can be approved.")
        self.statuses[submission_id] = "APPROVED"
        self.paid[submission_id] += 1
        return {}

    def approve(self, submission_id):
        return self.meet("approve", lambda: self._approve(submission_id))

    def bulk_approve(self, submission_ids):
        return self.meet(
            "bulk", lambda: [self._approve(submission_id) for submission_id in submission_ids]
        )

    def reject(self, submission_id, *, category, message):
        assert category
        assert len(message) >= 100
        return self.meet("reject", lambda: self.statuses.update({submission_id: "REJECTED"}))

    def create_bonuses(self, study_id, rows):
        def made():
            key = f"list{next(self.numbers)}"
            self.lists[key] = list(rows)
            return {"id": key}

        assert study_id == "study"
        return self.meet("list", made)

    def pay_bonuses(self, bulk_id):
        """Each call pays once more."""

        def pay():
            for submission, amount in self.lists[bulk_id]:
                self.bonuses.setdefault(submission, []).append(amount)

        return self.meet("pay", pay)

    @property
    def spent(self):
        return sum(map(sum, self.bonuses.values()))
