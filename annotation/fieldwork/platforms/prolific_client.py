"""Prolific's API, one method a call.

Methods take and return the dictionaries of the API; money is in minor units here. A dry run, which
is the default, raises `calls.NotSent` for whatever would change something there.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, cast
from urllib.parse import quote, urljoin

from django.conf import settings

from annotation.fieldwork.platforms import calls
from annotation.texts.sentences import Sentence

READ_SUBMISSIONS = "read submissions"
PAGE_SIZE = 100
MAX_APPROVED = 1000  # submissions in one bulk approval
MAX_BONUSES = 200  # rows in one list of bonuses
KEYS = "/.well-known/study/jwks.json"  # of the host, not of the API
STATUS_CHANGED = "submission.status.change"

Json = dict[str, Any]


class ProlificClient:
    def __init__(self, caller: calls.Caller, *, token: str) -> None:
        self._caller, self._token = caller, token

    # -- Studies ------------------------------------------------------------------------------
    def create_study(self, payload: Json) -> Json:
        """Create a draft. Not repeated: it would create a second study."""
        return self._change("create a study", "POST", "studies/", payload, may_be_repeated=False)

    def study(self, study_id: str) -> Json:
        return self._get("read a study", f"studies/{_part(study_id)}/")

    def publish(self, study_id: str) -> Json:
        return self._move(study_id, "PUBLISH")

    def pause(self, study_id: str) -> Json:
        return self._move(study_id, "PAUSE")

    def start(self, study_id: str) -> Json:
        """Resume a paused study."""
        return self._move(study_id, "START")

    def stop(self, study_id: str) -> Json:
        return self._move(study_id, "STOP")

    def set_places(self, study_id: str, total: int) -> Json:
        """Set the number of all places, with those that are taken."""
        payload = {"total_available_places": total}
        return self._change("set places", "PATCH", f"studies/{_part(study_id)}/", payload)

    def _move(self, study_id: str, action: str) -> Json:
        path = f"studies/{_part(study_id)}/transition/"
        return self._change(f"{action.lower()} a study", "POST", path, {"action": action})

    def filters(self) -> Json:
        """Return the filters by which participants are chosen, with their choices."""
        return self._get("read filters", "filters/")

    # -- Groups of participants ---------------------------------------------------------------
    def create_group(self, name: str, *, workspace: str, members: Sequence[str]) -> Json:
        """Create a group of participants. Not repeated: it would create a second group."""
        payload = {"name": name, "workspace_id": workspace, "participant_ids": list(members)}
        return self._change(
            "create a group", "POST", "participant-groups/", payload, may_be_repeated=False
        )

    def set_group(self, group_id: str, members: Sequence[str]) -> Json:
        """Set all members of a group; studies with it admit or exclude them at once."""
        payload = {"participant_ids": list(members)}
        return self._change(
            "set a group", "PATCH", f"participant-groups/{_part(group_id)}/", payload
        )

    # -- Submissions --------------------------------------------------------------------------
    def submissions(self, study_id: str) -> Iterator[Json]:
        """Yield all submissions of a study, page by page."""
        seen_ids: set[str] = set()
        for page in range(1, 100_000):
            answer = self._get(
                READ_SUBMISSIONS,
                "submissions/",
                params={"study": study_id, "page": page, "page_size": PAGE_SIZE},
            )
            rows = answer.get("results")
            if not isinstance(rows, list) or not all(map(_is_submission, rows)):
                why = Sentence("the response has no results")
                raise calls.OutcomeUnknown(READ_SUBMISSIONS, why)
            fresh = [row for row in rows if row["id"] not in seen_ids]
            yield from map(_with_status, fresh)
            seen_ids.update(row["id"] for row in fresh)
            following = (answer.get("_links") or {}).get("next") or {}
            if not fresh or not following.get("href"):
                return

    def submission(self, submission_id: str) -> Json:
        """Return a submission with its paid bonuses (minor units)."""
        path = f"submissions/{_part(submission_id)}/"
        return _with_status(self._get("read a submission", path))

    def approve(self, submission_id: str) -> Json:
        """Pay the reward; only submissions that await review can be approved, and only once."""
        return self._decide("approve", submission_id, {"action": "APPROVE"})

    def reject(self, submission_id: str, *, category: str, message: str) -> Json:
        payload = {"action": "REJECT", "rejection_category": category, "message": message}
        return self._decide("reject", submission_id, payload)

    def _decide(self, name: str, submission_id: str, payload: Json) -> Json:
        return self._change(
            name, "POST", f"submissions/{_part(submission_id)}/transition/", payload
        )

    def bulk_approve(self, submission_ids: Sequence[str]) -> None:
        """Approve up to 1,000 submissions, which Prolific does later."""
        if len(submission_ids) > MAX_APPROVED:
            raise ValueError(f"at most {MAX_APPROVED:,} submissions in one bulk approval")
        payload = {"submission_ids": list(submission_ids)}
        self._change("bulk approve", "POST", "submissions/bulk-approve/", payload)

    def request_return(self, submission_id: str, *, reason: str) -> Json:
        """Ask a participant to return a submission. Not repeated: each call writes to them."""
        path = f"submissions/{_part(submission_id)}/request-return/"
        payload = {"request_return_reasons": [reason]}
        return self._change("request a return", "POST", path, payload, may_be_repeated=False)

    def send_message(self, *, recipient: str, study: str, body: str) -> None:
        """Send a participant a message about a study. Not repeated: each call sends it again."""
        payload = {"recipient_id": recipient, "study_id": study, "body": body}
        self._change("send a message", "POST", "messages/", payload, may_be_repeated=False)

    # -- Bonuses ------------------------------------------------------------------------------
    def create_bonuses(self, study_id: str, rows: Iterable[tuple[str, int]]) -> Json:
        """Create a list of up to 200 unpaid bonuses: (submission, minor units).

        Returns the ID to pay it by, the amount and the fees in minor units. An unpaid list costs
        nothing, so this may be repeated.
        """
        lines = [f"{submission},{major_units(amount)}" for submission, amount in rows]
        if not 1 <= len(lines) <= MAX_BONUSES:
            raise ValueError(f"between 1 and {MAX_BONUSES} bonuses in one list")
        payload = {"study_id": study_id, "csv_bonuses": "\n".join(lines)}
        return self._change("list bonuses", "POST", "submissions/bonus-payments/", payload)

    def pay_bonuses(self, bulk_id: str) -> None:
        """Pay a list. Never repeated, because each call pays once more.

        After `OutcomeUnknown`, the bonuses of each `submission` show whether it was paid.
        """
        path = f"bulk-bonus-payments/{_part(bulk_id)}/pay/"
        self._change("pay bonuses", "POST", path, None, may_be_repeated=False)

    # -- What they tell us --------------------------------------------------------------------
    def create_secret(self, workspace: str) -> str:
        """Create the secret that signs webhooks; an earlier one ends."""
        answer = self._change(
            "make a secret", "POST", "hooks/secrets/", {"workspace_id": workspace}
        )
        return str(answer["value"])

    def subscribe(self, *, workspace: str, address: str, event: str = STATUS_CHANGED) -> Json:
        """Subscribe to an event and confirm it. Not repeated: each subscription sends messages."""
        payload = {"workspace_id": workspace, "event_type": event, "target_url": address}
        answer = self._send("subscribe", "POST", "hooks/subscriptions/", payload, False)
        path = f"hooks/subscriptions/{_part(_object('subscribe', answer.content)['id'])}/"
        return self._change(
            "confirm", "POST", path, {"secret": answer.headers.get("X-Hook-Secret", "")}
        )

    def jwks(self) -> Json:
        """Return the public keys that sign `prolific_token`."""
        answer = self._caller.call(
            "read keys", "GET", urljoin(self._caller.url, KEYS), may_be_repeated=True
        )
        return _object("read keys", answer.content)

    # -- How -----------------------------------------------------------------------------------
    def _get(self, name: str, path: str, *, params: Any = None) -> Json:
        self._needs_token()
        answer = self._caller.call(name, "GET", path, params=params, may_be_repeated=True)
        return _object(name, answer.content)

    def _change(
        self, name: str, method: str, path: str, payload: Any, *, may_be_repeated: bool = True
    ) -> Json:
        answer = self._send(name, method, path, payload, may_be_repeated)
        # Bulk calls answer with a sentence: they are done later.
        return answer.content if isinstance(answer.content, dict) else {}

    def _send(
        self, name: str, method: str, path: str, payload: Any, may_be_repeated: bool
    ) -> calls.CallAnswer:
        if not self._caller.dry_run:
            self._needs_token()
        return self._caller.call(
            name, method, path, payload=payload, may_be_repeated=may_be_repeated
        )

    def _needs_token(self) -> None:
        if not self._token:
            raise calls.NoToken("PROLIFIC_TOKEN")


def client_for_settings() -> ProlificClient:
    token = settings.PROLIFIC_TOKEN
    headers = {"Authorization": f"Token {token}", "User-Agent": f"Crowdwright/{settings.VERSION}"}
    caller = calls.Caller(
        url=settings.PROLIFIC_URL, headers=headers, dry_run=settings.RECRUITING_DRY_RUN
    )
    return ProlificClient(caller, token=token)


def major_units(amount: int) -> str:
    """Return an amount in minor units as Prolific writes it: 425 -> 4.25."""
    if amount <= 0:
        raise ValueError(f"a bonus is more than 0, not {amount}")
    return f"{amount // 100}.{amount % 100:02}"


def _part(external_id: str) -> str:
    """Return an ID as one part of a path, whatever is in it."""
    return quote(external_id, safe="")


def _is_submission(row: Any) -> bool:
    return isinstance(row, dict) and isinstance(row.get("id"), str)


def _with_status(row: Json) -> Json:
    """Return the row with the status TIMED-OUT, which their lists call TIME-OUT."""
    return {**row, "status": "TIMED-OUT"} if row.get("status") == "TIME-OUT" else row


def _object(name: str, content: Any) -> Json:
    if not isinstance(content, dict):
        raise calls.OutcomeUnknown(name, Sentence("the response isn't a JSON object"))
    return cast(Json, content)
