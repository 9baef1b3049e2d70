"""Walk through a study with the package pyrolific: `python read_pyrolific.py ORIGIN`.

The package is generated from Prolific's description of its API. The script prints, as JSON,
the parsed answers and their undescribed fields.
"""

import importlib
import json
import sys
import urllib.request
from typing import Any

from pyrolific import AuthenticatedClient, models

TOKEN = "trial"
STATUSES = [  # every one that an answer may have
    "RESERVED", "ACTIVE", "TIMED-OUT", "AWAITING REVIEW", "APPROVED", "PARTIALLY APPROVED",
    "REJECTED", "RETURNED", "SCREENED OUT",
]  # fmt: skip
CODES = {  # type -> what follows it
    "COMPLETED": [{"action": "MANUALLY_REVIEW"}],
    "NO_CONSENT": [{"action": "REQUEST_RETURN", "return_reason": "No consent"}],
    "FAILED_ATTENTION_CHECK": [{"action": "MANUALLY_REVIEW"}],
    "OTHER": [{"action": "AUTOMATICALLY_APPROVE"}],
}
NEWER = ("FIXED_SCREENOUT", "SCREENED_IN", "SCREENED_OUT")
REASON = "The answers contradict each other: the same text was called best and worst. " * 2


class Reader:
    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.client = AuthenticatedClient(
            base_url=origin, token=TOKEN, prefix="Token", raise_on_unexpected_status=True
        )
        self.parsed: list[str] = []
        self.unknown: list[list[str]] = []

    def ask(self, name: str, *arguments: Any, **named: Any) -> Any:
        """Call the function of this name; what it parsed must say all that was sent."""
        function = importlib.import_module(f"pyrolific.api.{name}")
        named = {"client": self.client, "authorization": f"Token {TOKEN}", **named}
        response = function.sync_detailed(*arguments, **named)
        assert response.parsed is not None, f"{name}: {response.status_code}"
        sent = json.loads(response.content)
        if isinstance(sent, dict):
            again = response.parsed.to_dict()
            lost = {key for key in sent if again.get(key) != sent[key] and not _is_time(key)}
            assert not lost, f"{name}: {lost} came back otherwise"
        self.parsed.append(name)
        self.headers = response.headers
        return response.parsed

    def try_to_parse(self, name: str, model: Any, content: dict[str, Any], value: str) -> None:
        try:
            model.from_dict(content)
        except ValueError:
            self.unknown.append([name, value])

    def control(self, path: str, **fields: Any) -> Any:
        request = urllib.request.Request(
            f"{self.origin}/control/{path}", json.dumps(fields).encode(), method="POST"
        )
        return json.load(urllib.request.urlopen(request))

    def raw(self, path: str) -> Any:
        headers = {"Authorization": f"Token {TOKEN}"}
        request = urllib.request.Request(f"{self.origin}/api/v1/{path}", headers=headers)
        return json.load(urllib.request.urlopen(request))


def _is_time(key: str) -> bool:
    return key.endswith("_at") or key == "results"


def draft(reader: Reader) -> Any:
    fields = {
        "name": "Which answer is better?",
        "description": "You read and compare texts.",
        "external_study_url": "https://example.org/?PROLIFIC_PID={{%PROLIFIC_PID%}}",
        "prolific_id_option": "url_parameters",
        "completion_codes": [
            {"code": kind, "code_type": kind, "actions": actions, "actor": "participant"}
            for kind, actions in CODES.items()
        ],
        "total_available_places": 20,
        "estimated_completion_time": 20,
        "reward": 300,
        "filters": [
            {"filter_id": "approval_rate", "selected_range": {"lower": 99, "upper": 100}},
            {"filter_id": "first-language", "selected_values": ["4"]},
        ],
    }
    body = models.CreateStudy.from_dict(fields)
    return reader.ask("studies.create_study", body=body)


def study(reader: Reader) -> str:
    key = draft(reader).id
    for action in ("PUBLISH", "PAUSE", "START"):
        body = models.StudyTransition(action=action)
        reader.ask("studies.publish_study", key, body=body)
    more = models.BaseStudy(total_available_places=30)
    reader.ask("studies.update_study", key, body=more)
    reader.ask("studies.get_study", key)
    return str(key)


def decisions(reader: Reader, key: str) -> list[str]:
    done = [reader.control("places/", study=key)["id"] for _ in range(3)]
    for each in done:
        reader.control(f"submissions/{each}/complete/", code="COMPLETED")
    transition = "submissions.transition_submission"
    body = models.SubmissionTransition.from_dict({"action": "APPROVE"})
    reader.ask(transition, done[0], body=body)
    body = models.SubmissionTransition.from_dict(
        {"action": "REJECT", "rejection_category": "LOW_EFFORT", "message": REASON}
    )
    reader.ask(transition, done[1], body=body)
    ids = models.SubmissionIDs.from_dict({"submission_ids": done[2:]})
    reader.ask("submissions.bulk_approve_submissions", body=ids)
    reader.ask("studies.get_study_submissions", key)
    reader.ask("submissions.get_submissions", study=key)
    return done


def money(reader: Reader, key: str, submission: str) -> None:
    body = models.CreateBonusPaymentsBody(study_id=key, csv_bonuses=f"{submission},4.25")
    made = reader.ask("bonuses.create_bonus_payments", body=body)
    reader.ask("bonuses.pay_bonus_payments", made.id)
    found = reader.ask("submissions.get_submission", submission)
    assert found.bonus_payments == [425], found.bonus_payments


def webhooks(reader: Reader) -> None:
    body = models.CreateSecret(workspace_id="w1")
    reader.ask("hooks.create_secret", body=body)
    wanted = {
        "event_type": "submission.status.change",
        "target_url": "http://127.0.0.1:9/",
        "workspace_id": "w1",
    }
    body = models.SubscriptionDetail.from_dict(wanted)
    made = reader.ask("hooks.create_subscription", body=body)
    proof = models.SubscriptionDetail.from_dict(
        {**wanted, "secret": reader.headers["X-Hook-Secret"]}
    )
    confirmed = reader.ask("hooks.confirm_subscription", made.results[0].id, body=proof)
    assert confirmed.is_enabled
    reader.ask("hooks.get_subscriptions")


def values(reader: Reader, key: str) -> None:
    """Every status in both shapes of a submission, and every type of codes."""
    submission = reader.control("places/", study=key)["id"]
    for status in STATUSES:
        reader.control(f"submissions/{submission}/", status=status)
        detail = reader.raw(f"submissions/{submission}/")
        reader.try_to_parse("submission", models.SubmissionDetail, detail, status)
        rows = reader.raw(f"submissions/?study={key}&page_size=100")["results"]
        row = next(row for row in rows if row["id"] == submission)
        reader.try_to_parse("row of submissions", models.SubmissionShort, row, status)
    content = reader.raw(f"studies/{key}/")
    for kind in NEWER:
        codes = [{"code": "A", "code_type": kind, "actions": []}]
        changed = {**content, "completion_codes": codes}
        reader.try_to_parse("type of codes", models.Study, changed, kind)


def main(origin: str) -> None:
    reader = Reader(origin)
    key = study(reader)
    first = decisions(reader, key)[0]
    money(reader, key, first)
    webhooks(reader)
    reader.ask("studies.get_studies")
    values(reader, key)
    print(json.dumps({"parsed": reader.parsed, "unknown": reader.unknown}))


if __name__ == "__main__":
    main(sys.argv[1])
