"""Lists of bonuses: created first, paid later, and paid again by each call that pays."""

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from annotation.fieldwork.platforms.fake_prolific.world import (
    ApiError,
    FakeStudy,
    Submission,
    World,
)

MAX_LIST_LENGTH = 200
FEE = Decimal(1) / 3  # of the amount


@dataclass
class BonusList:
    id: str
    study: FakeStudy
    rows: list[tuple[Submission, int]]
    times_paid: int = 0

    @property
    def amount(self) -> int:
        return sum(amount for _, amount in self.rows)

    @property
    def fees(self) -> float:
        return float(round(self.amount * FEE, 2))


class Bonuses:
    def __init__(self, world: World) -> None:
        self.world = world
        self.lists: dict[str, BonusList] = {}

    def create(self, study: FakeStudy, text: str) -> BonusList:
        """Create a list from rows of a submission or participant, and an amount in major units."""
        lines = [line for line in text.replace("\r", "").split("\n") if line.strip()]
        if not 1 <= len(lines) <= MAX_LIST_LENGTH:
            raise ApiError(400, f"csv_bonuses: between 1 and {MAX_LIST_LENGTH} rows.")
        rows = [self._row(study, line) for line in lines]
        made = BonusList(self.world.new_id(), study, rows)
        self.lists[made.id] = made
        return made

    def pay(self, made: BonusList) -> None:
        made.times_paid += 1
        for submission, amount in made.rows:
            self.world.pay_bonus(submission, amount)

    def _row(self, study: FakeStudy, line: str) -> tuple[Submission, int]:
        whose, _, written = line.partition(",")
        theirs = [s for s in self.world.of(study) if whose.strip() in (s.id, s.participant)]
        if not theirs:
            raise ApiError(400, "csv_bonuses: somebody is not in this study.")
        try:
            amount = Decimal(written.strip()) * 100
        except InvalidOperation as error:
            raise ApiError(400, f"csv_bonuses: {written!r} is not an amount.") from error
        if amount <= 0 or amount != int(amount):
            raise ApiError(400, f"csv_bonuses: {written!r} is not an amount.")
        return theirs[0], int(amount)
