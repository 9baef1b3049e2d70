"""Prolific as a test wants it to answer, without its rules (those are the fake's)."""

from tests.cast import prolific_id

THEIRS = "6" * 24


class Answers:
    """Answers as Prolific's API does; `rows` are its submissions."""

    def __init__(self):
        self.rows, self.asked, self.broken = {}, 0, None

    def says(self, name, status, **more):
        key = prolific_id(f"first of {name}")
        self.rows[key] = {
            "id": key,
            "study_id": THEIRS,
            "participant_id": prolific_id(name),
            "status": status,
        } | more

    def submission(self, key):
        self.asked += 1
        if self.broken:
            raise self.broken
        return self.rows[key]

    def submissions(self, study):
        if self.broken:
            raise self.broken
        return iter(self.rows.values())

    def study(self, study):
        return {"id": study, "status": "ACTIVE"}
