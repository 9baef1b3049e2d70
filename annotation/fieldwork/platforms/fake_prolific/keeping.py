"""What this Prolific knows, kept in a file from one start to the next: the books of the demo.

Who subscribed to webhooks and which troubles wait is told again at each start.
"""

import json
import os
from dataclasses import asdict
from pathlib import Path

from annotation.fieldwork.platforms.fake_prolific.bonuses import Bonuses, BonusList
from annotation.fieldwork.platforms.fake_prolific.world import (
    FakePayment,
    FakeStudy,
    Json,
    Status,
    Submission,
    World,
)

LINKED = {"study", "status", "rejection"}  # of a submission: not as it is in JSON


def as_json(world: World, bonuses: Bonuses) -> Json:
    return {
        "made": world.made,
        "studies": [asdict(each) for each in world.studies.values()],
        "submissions": [
            asdict(each) | {"study": each.study.id} for each in world.submissions.values()
        ],
        "payments": [asdict(each) for each in world.payments],
        "bonuses": [
            {
                "id": each.id,
                "study": each.study.id,
                "rows": [(submission.id, amount) for submission, amount in each.rows],
                "times_paid": each.times_paid,
            }
            for each in bonuses.lists.values()
        ],
    }


def put_back(said: Json, *, world: World, bonuses: Bonuses) -> None:
    world.made = said["made"]
    world.studies = {each["id"]: FakeStudy(**each) for each in said["studies"]}
    for each in said["submissions"]:
        plain = {name: value for name, value in each.items() if name not in LINKED}
        world.submissions[each["id"]] = Submission(
            **plain,
            study=world.studies[each["study"]],
            status=Status(each["status"]),
            rejection=tuple(each["rejection"]) if each["rejection"] else None,
        )
    world.payments = [FakePayment(**each) for each in said["payments"]]
    for each in said["bonuses"]:
        rows = [(world.submissions[key], amount) for key, amount in each["rows"]]
        study = world.studies[each["study"]]
        bonuses.lists[each["id"]] = BonusList(each["id"], study, rows, each["times_paid"])


class SavedWorld:
    """The file. It is written whole and put in its place, so that a kill leaves the last one."""

    def __init__(self, path: Path) -> None:
        self.path, self.written = path, ""

    def read(self, *, world: World, bonuses: Bonuses) -> None:
        if self.path.exists():
            self.written = self.path.read_text()
            put_back(json.loads(self.written), world=world, bonuses=bonuses)

    def write(self, *, world: World, bonuses: Bonuses) -> None:
        """As it stands now, if that is not what is written."""
        text = json.dumps(as_json(world, bonuses))
        if text == self.written:
            return
        draft = self.path.with_name(f"{self.path.name}.new")
        draft.write_text(text)
        os.replace(draft, self.path)
        self.written = text
