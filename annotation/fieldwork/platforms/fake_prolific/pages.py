"""Pages for a trial participant: take a place, return with a code, see states and payments."""

import html
from http.cookies import SimpleCookie
from urllib.parse import parse_qs

import nh3

from annotation.fieldwork.platforms.fake_prolific.api import FakeApi, FakeRequest, ProlificReply
from annotation.fieldwork.platforms.fake_prolific.signing import link
from annotation.fieldwork.platforms.fake_prolific.world import (
    COMPLETABLE,
    RUNNING,
    ApiError,
    FakeStudy,
    Submission,
)

COMPLETE = "/submissions/complete"
TAGS = {"p", "br", "b", "i", "u", "ul", "ol", "li"}  # that Prolific shows of a description
COOKIE = "participant"
PEOPLE = ("Alice", "Bob", "Charlie", "Dora")  # their ids are made from these names
STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
    "table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.25rem .5rem;"
    "border-bottom:1px solid #ccc}form{display:inline}button,select{font:inherit}"
    ".wide{overflow-x:auto}"
)


def answer(api: FakeApi, request: FakeRequest) -> ProlificReply:
    try:
        with api.lock:
            if request.method == "POST":
                return _acted(api, request)
            if request.path == COMPLETE:
                return _completed(api, request)
            if request.path == "/":
                return _page("Trial Prolific", _overview(api))
    except ApiError as no:
        return _page("That did not work", f"<p>{html.escape(no.detail)}</p>", no.status)
    return _page("Not found", "<p>Page not found.</p>", 404)


def _acted(api: FakeApi, request: FakeRequest) -> ProlificReply:
    fields = {name: values[0] for name, values in parse_qs(request.body.decode()).items()}
    if request.path == "/take/":
        person = fields.get("person", PEOPLE[0])
        study = api.world.study(fields.get("study", ""))
        mine = [s for s in api.world.of(study) if s.participant == participant_id(person)]
        running = [s for s in mine if s.status in RUNNING]  # who goes back to it goes on
        submission = running[0] if running else api.world.reserve(study, participant_id(person))
        api.world.begin(submission)
        return ProlificReply(
            303,
            b"",
            {
                "Location": link(submission, signer=api.signer, now=api.world.now()),
                "Set-Cookie": f"{COOKIE}={submission.participant}; Path=/; HttpOnly; SameSite=Lax",
            },
        )
    submission = api.world.submission(fields.get("submission", ""))
    if request.path == "/return/":
        api.world.leave(submission)
    elif request.path == "/time-out/":
        api.world.time_out(submission)
    else:
        raise ApiError(404, "There is no such page.")
    return ProlificReply(303, b"", {"Location": "/"})


def _completed(api: FakeApi, request: FakeRequest) -> ProlificReply:
    """Take the code of a returning participant, whom a cookie identifies (on Prolific: sign-in)."""
    cookie = SimpleCookie(request.headers.get("Cookie", "")).get(COOKIE)
    whose, code = cookie.value if cookie else "", request.query.get("cc", "")
    open_ = [s for s in api.world.submissions.values() if s.participant == whose]
    open_ = [s for s in open_ if s.completed_at is None and s.status in COMPLETABLE]
    mine = next((s for s in open_ if s.study.code(code)), open_[-1] if open_ else None)
    if mine is None:
        raise ApiError(400, "You have no open submission. Did you take a place in this browser?")
    api.world.complete(mine, code)
    warning = "" if mine.study.code(code) else "<p>No outcome of the study has this code.</p>"
    thanks = f"<p>Thank you. Your submission is <strong>{mine.status}</strong>.</p>{warning}"
    return _page("Thank you", f'{thanks}<p><a href="/">All studies</a></p>')


def participant_id(person: str) -> str:
    """Return 24 hexadecimal digits, as theirs are, the same for one name."""
    return person.encode().hex()[:24].ljust(24, "0")


def _overview(api: FakeApi) -> str:
    studies = "".join(_study(api, study) for study in api.world.studies.values())
    paid = sum(payment.amount for payment in api.world.payments)
    return (
        "<p>This is a simulation: no one is recruited or paid.</p>"
        f"<p>Total paid: {_money(paid)}</p>"
        + (studies or "<p>No study yet: publish one from Crowdwright.</p>")
    )


def _study(api: FakeApi, study: FakeStudy) -> str:
    name = html.escape(str(study.fields["name"]))
    taken = study.places - api.world.free(study)
    rows = "".join(_row(api, submission) for submission in api.world.of(study))
    table = (
        "<div class=wide><table><thead><tr><th>Participant<th>Status<th>Code<th>Paid<th></thead>"
        f"<tbody>{rows}</tbody></table></div>"
    )
    text = nh3.clean(str(study.fields["description"]), tags=TAGS, attributes={})
    return (
        f"<h2>{name}</h2><div>{text}</div><p>{study.status} · {taken} of {study.places} places · "
        f"{_money(study.reward)}</p>{_take(study)}{table if rows else ''}"
    )


def _take(study: FakeStudy) -> str:
    if study.status != "ACTIVE":
        return ""
    people = "".join(f"<option>{person}</option>" for person in PEOPLE)
    return (
        '<form method="post" action="/take/">'
        f'<input type="hidden" name="study" value="{study.id}">'
        f'<label>Take a place as <select name="person">{people}</select></label> '
        "<button>Take it</button></form>"
    )


def _row(api: FakeApi, submission: Submission) -> str:
    paid = sum(p.amount for p in api.world.payments if p.submission == submission.id)
    person = next(
        (p for p in PEOPLE if participant_id(p) == submission.participant), submission.participant
    )
    acts = ""
    if submission.status in RUNNING:
        acts = "".join(
            f'<form method="post" action="/{where}/"><button name="submission" '
            f'value="{submission.id}">{label}</button></form> '
            for where, label in (("return", "Return"), ("time-out", "Time out"))
        )
    cells = (html.escape(person), submission.status, html.escape(submission.entered_code or ""))
    return "<tr>" + "".join(f"<td>{c}</td>" for c in (*cells, _money(paid), acts)) + "</tr>"


def _money(amount: int) -> str:
    return f"{amount / 100:,.2f}"


def _page(title: str, content: str, status: int = 200) -> ProlificReply:
    text = (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{STYLE}</style><h1>{title}</h1>{content}</html>"
    )
    return ProlificReply(status, text.encode(), {"Content-Type": "text/html; charset=utf-8"})
