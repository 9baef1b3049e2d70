"""The world of the fake: studies, submissions and payments, and their changes of state.

Amounts are minor units. Every change of a submission's status calls `on_change`.
"""

import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, TypeVar

from annotation.fieldwork.platforms.fake_prolific.eligibility import JOIN, admits, fault_of

Json = dict[str, Any]
Thing = TypeVar("Thing")


class Status(StrEnum):
    RESERVED = "RESERVED"
    ACTIVE = "ACTIVE"
    TIMED_OUT = "TIMED-OUT"
    AWAITING_REVIEW = "AWAITING REVIEW"
    APPROVED = "APPROVED"
    PARTIALLY_APPROVED = "PARTIALLY APPROVED"
    REJECTED = "REJECTED"
    RETURNED = "RETURNED"
    SCREENED_OUT = "SCREENED OUT"


FREEING = {Status.RETURNED, Status.TIMED_OUT, Status.REJECTED}
NO_PLACE = {*FREEING, Status.SCREENED_OUT}
RUNNING = {Status.RESERVED, Status.ACTIVE}
COMPLETABLE = {*RUNNING, Status.TIMED_OUT}  # a code is taken after a time-out, and only noted
CATEGORIES = {
    "TOO_QUICKLY", "TOO_SLOWLY", "FAILED_INSTRUCTIONS", "INCOMP_LONGITUDINAL", "FAILED_CHECK",
    "LOW_EFFORT", "MALINGERING", "NO_CODE", "BAD_CODE", "NO_DATA", "UNSUPP_DEVICE", "OTHER",
}  # fmt: skip
CODE_TYPES = {
    "COMPLETED", "FAILED_ATTENTION_CHECK", "FOLLOW_UP_STUDY", "GIVE_BONUS", "INCOMPATIBLE_DEVICE",
    "NO_CONSENT", "OTHER", "FIXED_SCREENOUT", "SCREENED_IN", "SCREENED_OUT",
}  # fmt: skip
APPROVE, SCREEN_OUT = "AUTOMATICALLY_APPROVE", "FIXED_SCREEN_OUT_PAYMENT"
SHORTEST_MESSAGE = 100  # characters of a rejection
MOST_APPROVED = 1000
MOVES = {  # of a study: action -> from, to
    "PUBLISH": ({"UNPUBLISHED"}, "ACTIVE"),
    "PAUSE": ({"ACTIVE"}, "PAUSED"),
    "START": ({"PAUSED"}, "ACTIVE"),
    "STOP": ({"ACTIVE", "PAUSED"}, "AWAITING REVIEW"),
}


class ApiError(Exception):
    """An answer with a status from 400 on."""

    def __init__(self, status: int, detail: str) -> None:
        self.status, self.detail = status, detail
        super().__init__(detail)


@dataclass
class FakeStudy:
    id: str
    fields: Json
    status: str = "UNPUBLISHED"
    took_part: dict[str, list[str]] = field(default_factory=dict)  # by study, when it was published

    @property
    def places(self) -> int:
        return int(self.fields["total_available_places"])

    @property
    def reward(self) -> int:
        return int(self.fields["reward"])

    def code(self, entered: str) -> Json | None:
        codes = self.fields["completion_codes"]
        return next((code for code in codes if code["code"] == entered), None)


@dataclass
class Submission:
    id: str
    study: FakeStudy
    participant: str
    started_at: float
    status: Status = Status.RESERVED
    completed_at: float | None = None
    entered_code: str | None = None
    rejection: tuple[str, str] | None = None
    bonuses: list[int] = field(default_factory=list)
    return_reasons: list[str] = field(default_factory=list)  # of requests to return it
    messages: list[str] = field(default_factory=list)  # that its participant was sent


@dataclass(frozen=True)
class FakePayment:
    kind: str  # reward, screen out or bonus
    submission: str
    amount: int


class World:
    def __init__(self, *, on_change: Callable[[Submission], None] = lambda _: None) -> None:
        self.on_change = on_change
        self.skew = 0.0  # seconds that their clock is ahead of ours
        self.studies: dict[str, FakeStudy] = {}
        self.submissions: dict[str, Submission] = {}
        self.payments: list[FakePayment] = []
        self.groups: dict[str, list[str]] = defaultdict(list)  # participants
        self.made = 0  # things with an id

    def now(self) -> float:
        return time.time() + self.skew

    def new_id(self) -> str:
        """Return 24 hexadecimal digits, as theirs are, from a counter, so that runs are alike."""
        self.made += 1
        return f"{0x65A0000000000000:x}{self.made:08x}"

    # -- Studies ------------------------------------------------------------------------------
    def create(self, fields: Json) -> FakeStudy:
        check_study(fields)
        study = FakeStudy(self.new_id(), fields)
        self.studies[study.id] = study
        return study

    def change(self, study: FakeStudy, fields: Json) -> FakeStudy:
        """Change a study; a published one only gets more places."""
        if study.status != "UNPUBLISHED":
            if set(fields) - {"total_available_places", "internal_name"}:
                raise ApiError(400, "A published study can only get more places.")
            if fields.get("total_available_places", study.places) < study.places:
                raise ApiError(400, "The number of places can only be increased.")
        check_study(study.fields | fields)
        study.fields |= fields
        if study.status in {"AWAITING REVIEW", "COMPLETED"} and self.free(study):
            study.status = "ACTIVE"
        return study

    def move(self, study: FakeStudy, action: str) -> FakeStudy:
        if action not in MOVES:
            raise ApiError(400, f"{action!r} is not an action.")
        before, after = MOVES[action]
        if study.status not in before:
            raise ApiError(400, f"A study that is {study.status} cannot {action}.")
        study.status = after
        if action == "PUBLISH":
            study.took_part = {
                other.id: [s.participant for s in self.of(other)] for other in self.studies.values()
            }
        return study

    def is_underpaying(self, study: FakeStudy) -> bool:
        """Return whether the median time is longer than planned: the reward an hour is lower."""
        times = [
            s.completed_at - s.started_at for s in self.of(study) if s.completed_at is not None
        ]
        planned = 60 * int(study.fields["estimated_completion_time"])
        return bool(times) and statistics.median(times) > planned

    def free(self, study: FakeStudy) -> int:
        """Return the places that nobody has; screen-outs use slots of their own."""
        return study.places - sum(s.status not in NO_PLACE for s in self.of(study))

    def of(self, study: FakeStudy) -> list[Submission]:
        return [s for s in self.submissions.values() if s.study is study]

    # -- What participants do -----------------------------------------------------------------
    def reserve(self, study: FakeStudy, participant: str) -> Submission:
        if study.status != "ACTIVE":
            raise ApiError(400, f"This study is {study.status}.")
        if any(s.participant == participant for s in self.of(study)):
            raise ApiError(400, "You have taken part in this study.")
        if not admits(study.fields, participant, took_part=study.took_part, groups=self.groups):
            raise ApiError(400, "You are not eligible for this study.")
        if not self.free(study):
            raise ApiError(400, "No place is free.")
        submission = Submission(self.new_id(), study, participant, self.now())
        self.submissions[submission.id] = submission
        self.put(submission, Status.RESERVED)
        return submission

    def begin(self, submission: Submission) -> None:
        if submission.status == Status.RESERVED:
            self.put(submission, Status.ACTIVE)

    def complete(self, submission: Submission, entered: str) -> None:
        """Enter a completion code and do its actions; after a time-out it is only noted."""
        if submission.status not in COMPLETABLE:
            raise ApiError(400, f"This submission is {submission.status}.")
        submission.entered_code, submission.completed_at = entered, self.now()
        if submission.status == Status.TIMED_OUT:
            return
        code = submission.study.code(entered) or {"actions": []}
        actions = {action["action"]: action for action in code["actions"]}
        if JOIN in actions:
            self.groups[actions[JOIN]["participant_group"]].append(submission.participant)
        if SCREEN_OUT in actions:
            amount = int(actions[SCREEN_OUT].get("fixed_screen_out_reward", 0))
            self._pay("screen out", submission, amount)
            self.put(submission, Status.SCREENED_OUT)
            self._pause_without_slots(submission.study, int(actions[SCREEN_OUT]["slots"]))
            return
        self.put(submission, Status.AWAITING_REVIEW)
        if APPROVE in actions:
            self.approve(submission)

    def _pause_without_slots(self, study: FakeStudy, slots: int) -> None:
        out = sum(s.status == Status.SCREENED_OUT for s in self.of(study))
        if out >= slots and study.status == "ACTIVE":
            study.status = "PAUSED"

    def leave(self, submission: Submission) -> None:
        """Return the submission, which gives up its place."""
        if submission.status not in RUNNING | {Status.AWAITING_REVIEW}:
            raise ApiError(400, f"This submission is {submission.status}.")
        self.put(submission, Status.RETURNED)

    def time_out(self, submission: Submission) -> None:
        if submission.status not in RUNNING:
            raise ApiError(400, f"This submission is {submission.status}.")
        self.put(submission, Status.TIMED_OUT)

    # -- What researchers decide --------------------------------------------------------------
    def approve(self, submission: Submission) -> None:
        if submission.status != Status.AWAITING_REVIEW:
            raise ApiError(400, f"Only AWAITING REVIEW can be approved, not {submission.status}.")
        self._pay("reward", submission, submission.study.reward)
        self.put(submission, Status.APPROVED)

    def reject(self, submission: Submission, category: str, message: str) -> None:
        if submission.status != Status.AWAITING_REVIEW:
            raise ApiError(400, f"Only AWAITING REVIEW can be rejected, not {submission.status}.")
        if category not in CATEGORIES:
            raise ApiError(400, f"{category!r} is not a category of rejections.")
        if len(message) < SHORTEST_MESSAGE:
            raise ApiError(400, f"The message needs at least {SHORTEST_MESSAGE} characters.")
        submission.rejection = (category, message)
        self.put(submission, Status.REJECTED)

    def request_return(self, submission: Submission, reasons: list[str]) -> None:
        """Note a request to return a submission."""
        if submission.status not in RUNNING | {Status.AWAITING_REVIEW}:
            raise ApiError(400, f"A submission that is {submission.status} cannot be returned.")
        if not reasons or not all(reasons):
            raise ApiError(400, "request_return_reasons: this field is required.")
        submission.return_reasons += reasons

    def tell(self, study: FakeStudy, participant: str, body: str) -> None:
        """Send a message to a participant of the study."""
        theirs = [s for s in self.of(study) if s.participant == participant]
        if not theirs:
            raise ApiError(400, "recipient_id: this person has not taken part in the study.")
        if not body:
            raise ApiError(400, "body: this field is required.")
        theirs[-1].messages.append(body)

    def approve_all(self, ids: list[str]) -> None:
        """Approve the submissions that can be approved."""
        if not 1 <= len(ids) <= MOST_APPROVED:
            raise ApiError(
                400, f"Between 1 and {MOST_APPROVED:,} submissions can be approved at once."
            )
        for submission in [self.submission(key) for key in ids]:
            if submission.status == Status.AWAITING_REVIEW:
                self.approve(submission)

    # -- Looking up ---------------------------------------------------------------------------
    def study(self, study_id: str) -> FakeStudy:
        return found(self.studies, study_id)

    def submission(self, submission_id: str) -> Submission:
        return found(self.submissions, submission_id)

    def put(self, submission: Submission, status: Status) -> None:
        """Change a status, call `on_change`, and end a study without places and people."""
        submission.status = status
        self.on_change(submission)
        study = submission.study
        states = {s.status for s in self.of(study)}
        if study.status == "ACTIVE" and not self.free(study) and not states & RUNNING:
            study.status = "AWAITING REVIEW"
        if study.status == "AWAITING REVIEW" and not states & {*RUNNING, Status.AWAITING_REVIEW}:
            study.status = "COMPLETED"

    def _pay(self, kind: str, submission: Submission, amount: int) -> None:
        self.payments.append(FakePayment(kind, submission.id, amount))

    def pay_bonus(self, submission: Submission, amount: int) -> None:
        submission.bonuses.append(amount)
        self._pay("bonus", submission, amount)

    def paid(self) -> Counter[tuple[str, str]]:
        """Return what was paid in all: (submission, kind) -> minor units."""
        total: Counter[tuple[str, str]] = Counter()
        for payment in self.payments:
            total[payment.submission, payment.kind] += payment.amount
        return total


def found(things: dict[str, Thing], key: str) -> Thing:
    if key not in things:
        raise ApiError(404, "Not found.")
    return things[key]


def check_study(fields: Json) -> None:
    for name in ("name", "description", "external_study_url", "completion_codes"):
        if not fields.get(name):
            raise ApiError(400, f"{name}: this field is required.")
    for name in ("reward", "total_available_places", "estimated_completion_time"):
        if not isinstance(fields.get(name), int) or fields[name] < 1:
            raise ApiError(400, f"{name}: a whole number from 1 on is required.")
    if fault := fault_of(fields):
        raise ApiError(400, fault)
    codes = fields["completion_codes"]
    for action in (action for code in codes for action in code["actions"]):
        if action["action"] == SCREEN_OUT:
            _check_screen_out(action, int(fields["reward"]))
    if len({code["code"] for code in codes}) < len(codes):
        raise ApiError(400, "completion_codes: each code must be unique within a study.")
    if unknown := {code["code_type"] for code in codes} - CODE_TYPES:
        raise ApiError(400, f"completion_codes: {_listed(unknown)} is not a type of codes.")


def _check_screen_out(action: Json, reward: int) -> None:
    if not isinstance(action.get("slots"), int) or action["slots"] < 1:
        raise ApiError(400, "slots: a whole number from 1 on is required.")
    if not 0 < int(action.get("fixed_screen_out_reward", 0)) < reward:
        raise ApiError(400, "fixed_screen_out_reward: more than 0 and less than the reward.")


def _listed(words: Iterable[str]) -> str:
    return ", ".join(sorted(words))


def iso(moment: float | None) -> str | None:
    return None if moment is None else datetime.fromtimestamp(moment, UTC).isoformat()
