"""Completion codes, and how a researcher passes on a study: the link and the codes."""

import html
import re

import pytest
from django.urls import reverse

from annotation.fieldwork.recruiting import completion_codes
from annotation.fieldwork.review import reviewing
from annotation.models import ReviewDecision, Study
from annotation.studies import batching
from tests.cast import (
    NOW,
    begun,
    bob,
    charlie,
    design_batch,
    draft_study,
    prolific_id,
    prolific_link,
    rita,
    small_study,
    submitted,
)
from tests.hooks import element, values

Decision = ReviewDecision.Decision
pytestmark = pytest.mark.django_db
RANDOM = re.compile(r"[A-HJ-NP-Z2-9]{8}")
PLACEHOLDERS = (
    "?PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}"
)


def page(client, address):
    return html.unescape(client.get(address, follow=True).content.decode())


# -- Codes ------------------------------------------------------------------------------------


def test_codes_for_prolific_are_random_and_one_for_each_outcome():
    corpus = None
    seen = set()
    for number in range(3):
        study = draft_study(slug=f"s{number}", corpus=corpus, recruitment="prolific", seed=1)
        corpus = study.corpus
        seen |= {study.completion_code, study.no_consent_code}
    assert len(seen) == 6
    assert all(RANDOM.fullmatch(code) for code in seen)


def test_a_code_that_was_chosen_is_kept():
    study = draft_study(recruitment="prolific", completion_code="LAMP1")
    assert study.completion_code == "LAMP1"
    assert RANDOM.fullmatch(study.no_consent_code)


def test_a_draft_that_becomes_one_for_prolific_gets_its_codes_at_launch():
    study = draft_study()
    assert (study.completion_code, study.no_consent_code) == ("", "")
    design_batch(study)
    study.recruitment = Study.Recruitment.PROLIFIC
    study.save()
    batching.launch(study=study, now=NOW)
    assert RANDOM.fullmatch(study.completion_code)
    assert RANDOM.fullmatch(study.no_consent_code)


def test_a_launched_study_keeps_its_codes():
    study = small_study(recruitment="prolific", completion_code="CW-000001")
    Study.objects.update(no_consent_code="")
    batching.open_batch(batch=design_batch(Study.objects.get()), now=NOW)
    study.refresh_from_db()
    assert (study.completion_code, study.no_consent_code) == ("CW-000001", "")


def test_by_a_plain_link_everybody_has_a_code_of_their_own(client):
    study = small_study(quota=2)
    works = [submitted(study, bob()), submitted(study, charlie())]
    own = [completion_codes.completion_code(work) for work in works]
    assert own[0] != own[1]
    for work, code in zip(works, own, strict=True):
        assert RANDOM.fullmatch(code)
        assert code in page(client, reverse("done", args=[work.token]))
    assert [
        completion_codes.completion_code(work) for work in works
    ] == own  # the same at every look


def test_a_plain_link_with_a_code_for_all_keeps_it(client):
    work = submitted(small_study(completion_code="CW-000001"), bob())
    assert "CW-000001" in page(client, reverse("done", args=[work.token]))


def test_a_researcher_looks_up_whose_code_it_is(client):
    study = small_study(quota=2)
    bobs, _ = submitted(study, bob()), submitted(study, charlie())
    client.force_login(rita())
    code = completion_codes.completion_code(bobs)
    for written in (code, f" {code.lower()} "):
        shown = page(client, f"{study.get_absolute_url()}recruit/?code={written}")
        note = element(shown, "data-code-of", str(bobs.pk))
        assert "bob" in note.text
        assert "data-redo" not in note.attributes
    for wrong in ("nobody", "\x00", "é"):
        shown = page(client, f"{study.get_absolute_url()}recruit/?code={wrong}")
        assert values(shown, "data-code-of") == [""]


def test_a_code_is_found_while_its_work_is_redone(client):
    study = small_study()
    work = submitted(study, bob())
    code = completion_codes.completion_code(work)
    reviewing.decide(
        assignment=work, decision=Decision.REDO, reviewer="rita", reason="Again.", now=NOW
    )
    assert completion_codes.work_of(study=study, code=code) == work
    client.force_login(rita())
    shown = page(client, f"{study.get_absolute_url()}recruit/?code={code}")
    note = element(shown, "data-code-of", str(work.pk))
    assert "bob" in note.text
    assert note.attributes["data-redo"] == "open"


def test_a_code_of_another_study_is_nobodys():
    study = small_study()
    other = small_study(slug="other", corpus=study.corpus)
    code = completion_codes.completion_code(submitted(other, bob()))
    assert completion_codes.work_of(study=study, code=code) is None


def test_work_that_is_not_handed_in_has_no_code(client):
    work = begun(small_study(), bob())
    assert (
        completion_codes.work_of(study=work.study, code=completion_codes.completion_code(work))
        is None
    )
    assert completion_codes.completion_code(work) not in page(
        client, reverse("work", args=[work.token])
    )


# -- Declining --------------------------------------------------------------------------------


def test_who_declines_is_led_back_to_prolific_with_the_code_for_it(client):
    study = small_study(recruitment="prolific")
    shown = client.post(prolific_link("bob"), {"agree": "no"}).content.decode()
    back = f"https://app.prolific.com/submissions/complete?cc={study.no_consent_code}"
    assert f'href="{back}"' in shown
    assert study.completion_code not in shown


def test_who_declines_where_there_is_no_code_is_asked_to_return_the_submission(client):
    small_study(recruitment="prolific")
    Study.objects.update(no_consent_code="")
    shown = client.post(prolific_link("bob"), {"agree": "no"}).content.decode()
    assert "data-return-submission" in shown


# -- What is passed on ------------------------------------------------------------------------


def test_the_link_of_a_study_on_prolific_has_its_placeholders(client):
    study = small_study(recruitment="prolific")
    assert study.worker_link == f"http://localhost:8000/s/lamps/{PLACEHOLDERS}"
    client.force_login(rita())
    shown = page(client, f"{study.get_absolute_url()}recruit/")
    for copied in (study.worker_link, study.completion_code, study.no_consent_code):
        assert f'data-copy="{copied}"' in shown


def test_the_link_that_is_passed_on_works_once_prolific_has_filled_it_in(client):
    study = small_study(recruitment="prolific")
    link = re.sub(r"\{\{%(\w+)%\}\}", lambda name: prolific_id(name[1]), study.worker_link)
    assert client.get(link.removeprefix("http://localhost:8000")).status_code == 200


def test_a_plain_link_has_no_placeholders():
    assert small_study().worker_link == "http://localhost:8000/s/lamps/"
