"""What we ask of Prolific's API and tell it, one method a call.

The methods take and return what the API does, as dictionaries; money is minor units on our side.
In a dry run, which is the default, whatever would change something there raises `calls.NotSent`.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, cast
from urllib.parse import quote, urljoin

from django.conf import settings

from annotation.fieldwork.platforms import calls
from annotation.texts.sentences import Sentence

READ_SUBMISSIONS = "read submissions"
PAGE_SIZE = 100
MOST_APPROVED = 1000  # submissions in one bulk approval
MOST_BONUSES = 200  # rows in one list of bonuses
KEYS = "/.well-known/study/jwks.json"  # of the host, not of the API
STATUS_CHANGED = "submission.status.change"

Json = dict[str, Any]


class ProlificClient:
    def __init__(self, caller: calls.Caller, *, token: str) -> None:
        self._caller, self._token = caller, token

    # -- Studies ------------------------------------------------------------------------------
    def create_study(self, payload: Json) -> Json:
        """Make a draft. Not repeated: a second one would be a second study."""
        return self._change("create a study", "POST", "studies/", payload, may_be_repeated=False)

    def study(self, study_id: str) -> Json:
        return self._get("read a study", f"studies/{_part(study_id)}/")

    def publish(self, study_id: str) -> Json:
        return self._move(study_id, "PUBLISH")

    def pause(self, study_id: str) -> Json:
        return self._move(study_id, "PAUSE")

    def start(self, study_id: str) -> Json:
        """Go on with a paused study."""
        return self._move(study_id, "START")

    def stop(self, study_id: str) -> Json:
        return self._move(study_id, "STOP")

    def set_places(self, study_id: str, total: int) -> Json:
        """How many places the study has in all, with those that are taken."""
        payload = {"total_available_places": total}
        return self._change("set places", "PATCH", f"studies/{_part(study_id)}/", payload)

    def _move(self, study_id: str, action: str) -> Json:
        path = f"studies/{_part(study_id)}/transition/"
        return self._change(f"{action.lower()} a study", "POST", path, {"action": action})

    def filters(self) -> Json:
        """By what people can be chosen, with the ids of the choices."""
        return self._get("read filters", "filters/")

    # -- Submissions --------------------------------------------------------------------------
    def submissions(self, study_id: str) -> Iterator[Json]:
        """All submissions of a study, page by page."""
        seen: set[str] = set()
        for page in range(1, 100_000):
            found = self._get(
                READ_SUBMISSIONS,
                "submissions/",
                params={"study": study_id, "page": page, "page_size": PAGE_SIZE},
            )
            rows = found.get("results")
            if not isinstance(rows, list) or not all(map(_is_submission, rows)):
                why = Sentence("the answer has no results")
                raise calls.OutcomeUnknown(READ_SUBMISSIONS, why)
            fresh = [row for row in rows if row["id"] not in seen]
            yield from map(_with_status, fresh)
            seen.update(row["id"] for row in fresh)
            following = (found.get("_links") or {}).get("next") or {}
            if not fresh or not following.get("href"):
                return

    def submission(self, submission_id: str) -> Json:
        """One submission, with the bonuses that were paid on it (minor units)."""
        path = f"submissions/{_part(submission_id)}/"
        return _with_status(self._get("read a submission", path))

    def approve(self, submission_id: str) -> Json:
        """Pay the reward. Only a submission that awaits review can be approved, so a repetition
        pays nobody twice."""
        return self._decide("approve", submission_id, {"action": "APPROVE"})

    def reject(self, submission_id: str, *, category: str, message: str) -> Json:
        payload = {"action": "REJECT", "rejection_category": category, "message": message}
        return self._decide("reject", submission_id, payload)

    def _decide(self, name: str, submission_id: str, payload: Json) -> Json:
        return self._change(
            name, "POST", f"submissions/{_part(submission_id)}/transition/", payload
        )

    def bulk_approve(self, submission_ids: Sequence[str]) -> None:
        """Approve up to 1,000 submissions; they do it later, the statuses tell when."""
        if len(submission_ids) > MOST_APPROVED:
            raise ValueError(f"at most {MOST_APPROVED:,} submissions in one bulk approval")
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
        """Make a list of up to 200 bonuses, (submission, minor units), that is not paid yet.

        The answer has the id to pay it by, the amount and their fees in minor units. A list that
        nobody pays costs nothing, so this may be repeated.
        """
        lines = [f"{submission},{major_units(amount)}" for submission, amount in rows]
        if not 1 <= len(lines) <= MOST_BONUSES:
            raise ValueError(f"between 1 and {MOST_BONUSES} bonuses in one list")
        payload = {"study_id": study_id, "csv_bonuses": "\n".join(lines)}
        return self._change("list bonuses", "POST", "submissions/bonus-payments/", payload)

    def pay_bonuses(self, bulk_id: str) -> None:
        """Pay a list. Each call pays it once more, so it is never repeated: after `Unknown`, the
        bonuses of each `submission` tell whether it was paid."""
        path = f"bulk-bonus-payments/{_part(bulk_id)}/pay/"
        self._change("pay bonuses", "POST", path, None, may_be_repeated=False)

    # -- What they tell us --------------------------------------------------------------------
    def create_secret(self, workspace: str) -> str:
        """Make the secret with which they sign their webhooks; an earlier one ends."""
        answer = self._change(
            "make a secret", "POST", "hooks/secrets/", {"workspace_id": workspace}
        )
        return str(answer["value"])

    def subscribe(self, *, workspace: str, address: str, event: str = STATUS_CHANGED) -> Json:
        """Subscribe to an event and confirm it. Not repeated: each would tell us once more."""
        payload = {"workspace_id": workspace, "event_type": event, "target_url": address}
        answer = self._send("subscribe", "POST", "hooks/subscriptions/", payload, False)
        path = f"hooks/subscriptions/{_part(_object('subscribe', answer.content)['id'])}/"
        return self._change(
            "confirm", "POST", path, {"secret": answer.headers.get("X-Hook-Secret", "")}
        )

    def jwks(self) -> Json:
        """The public keys with which they sign `prolific_token`."""
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
    """An amount in minor units as Prolific writes it: 425 -> 4.25."""
    if amount <= 0:
        raise ValueError(f"a bonus is more than 0, not {amount}")
    return f"{amount // 100}.{amount % 100:02}"


def _part(external_id: str) -> str:
    """An id as one part of a path, whatever is in it."""
    return quote(external_id, safe="")


def _is_submission(row: Any) -> bool:
    return isinstance(row, dict) and isinstance(row.get("id"), str)


def _with_status(row: Json) -> Json:
    """Their list says TIME-OUT of what everything else of theirs calls TIMED-OUT."""
    return {**row, "status": "TIMED-OUT"} if row.get("status") == "TIME-OUT" else row


def _object(name: str, content: Any) -> Json:
    if not isinstance(content, dict):
        raise calls.OutcomeUnknown(name, Sentence("the answer is not an object"))
    return cast(Json, content)
