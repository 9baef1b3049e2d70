"""The world of the fake, kept in a file between starts, without subscriptions and trouble."""

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
        "studies": [asdict(study) for study in world.studies.values()],
        "submissions": [
            asdict(submission) | {"study": submission.study.id}
            for submission in world.submissions.values()
        ],
        "groups": world.groups,
        "payments": [asdict(payment) for payment in world.payments],
        "bonuses": [
            {
                "id": bonus_list.id,
                "study": bonus_list.study.id,
                "rows": [(submission.id, amount) for submission, amount in bonus_list.rows],
                "times_paid": bonus_list.times_paid,
            }
            for bonus_list in bonuses.lists.values()
        ],
    }


def put_back(said: Json, *, world: World, bonuses: Bonuses) -> None:
    world.made = said["made"]
    world.groups.update(said.get("groups", {}))
    world.studies = {entry["id"]: FakeStudy(**entry) for entry in said["studies"]}
    for entry in said["submissions"]:
        plain = {name: value for name, value in entry.items() if name not in LINKED}
        world.submissions[entry["id"]] = Submission(
            **plain,
            study=world.studies[entry["study"]],
            status=Status(entry["status"]),
            rejection=tuple(entry["rejection"]) if entry["rejection"] else None,
        )
    world.payments = [FakePayment(**entry) for entry in said["payments"]]
    for entry in said["bonuses"]:
        rows = [(world.submissions[key], amount) for key, amount in entry["rows"]]
        study = world.studies[entry["study"]]
        bonuses.lists[entry["id"]] = BonusList(entry["id"], study, rows, entry["times_paid"])


class SavedWorld:
    """The file, which is replaced as a whole, so that a kill leaves the last one."""

    def __init__(self, path: Path) -> None:
        self.path, self.written = path, ""

    def read(self, *, world: World, bonuses: Bonuses) -> None:
        if self.path.exists():
            self.written = self.path.read_text()
            put_back(json.loads(self.written), world=world, bonuses=bonuses)

    def write(self, *, world: World, bonuses: Bonuses) -> None:
        """Write the world, if it differs from the file."""
        text = json.dumps(as_json(world, bonuses))
        if text == self.written:
            return
        draft = self.path.with_name(f"{self.path.name}.new")
        draft.write_text(text)
        os.replace(draft, self.path)
        self.written = text
