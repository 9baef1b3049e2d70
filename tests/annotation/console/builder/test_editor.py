"""The editor of a draft as it works without JavaScript, and what its script is answered."""

import itertools
import json
import re
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from annotation.console.builder.annotated_sections import anchor_of
from annotation.fieldwork.screening.qualifying import qualify
from annotation.models import Draft, Study
from annotation.studies.drafts import document_files, making, paths
from annotation.studies.drafts.editor_forms import SECTIONS
from annotation.studies.drafts.kinds import registered_kinds
from annotation.studies.drafts.recruitment_schema import Recruitment
from judging.instruments.files import available, load
from judging.instruments.methods import METHODS
from tests.annotation.people.access.people import join
from tests.annotation.studies.drafts.drafted import drafted, judging_document
from tests.cast import NOW, bob, small_corpus, small_study
from tests.hooks import element, elements, invalid_fields

FORMULAS = re.compile(r"<script type=\"module\"[^>]*data-katex[^>]*></script>")
pytestmark = pytest.mark.django_db
METHOD = "instruments/crowdrag-pairwise"


def form_of(client: Client, draft: Draft, section: str) -> dict[str, Any]:
    """All that the form of a section sends, as a browser has it."""
    html = client.get(reverse("draft_section", args=[draft.pk, section])).text
    sheet = html[html.index('id="sheet"') : html.index("</form>", html.index('id="sheet"'))]
    sent: dict[str, Any] = {"revision": re.search(r'name="revision" value="(\d+)"', sheet)[1]}
    sent["boxes"] = re.findall(r'name="boxes" value="([^"]+)"', sheet)
    for name, checked in re.findall(
        r'type="checkbox"[^>]* name="([^"]+)" value="yes"( checked)?', sheet
    ):
        if checked:
            sent[name] = "yes"
    for name, value in re.findall(
        r'<input class="input"[^>]* name="([^"]+)" value="([^"]*)"', sheet
    ):
        sent[name] = unescaped(value)
    for name, value in re.findall(
        r'<textarea[^>]* name="([^"]+)"[^>]*>\n(.*?)</textarea>', sheet, re.S
    ):
        sent[name] = unescaped(value).replace("\n", "\r\n")
    for name, options in re.findall(r'<select[^>]* name="([^"]+)".*?>(.*?)</select>', sheet, re.S):
        chosen = re.search(r'value="([^"]*)" selected', options)
        sent[name] = unescaped(chosen[1]) if chosen else ""
    return sent


def unescaped(text: str) -> str:
    from html import unescape

    return unescape(text)


def post(client: Client, draft: Draft, section: str, sent: dict[str, Any], **more: Any) -> Any:
    return client.post(reverse("draft_section", args=[draft.pk, section]), sent, **more)


@pytest.mark.parametrize("kind", ["judging", "writing"])
@pytest.mark.parametrize(
    "section", ["texts", "instructions", "forms", "design", "recruitment", "quality"]
)
def test_a_form_that_nobody_changed_changes_nothing(
    client: Client, kind: str, section: str
) -> None:
    method = {"judging": "crowdrag-pairwise", "writing": "crowdrag-writing"}[kind]
    document = making.document_of_methods(
        kind=kind,
        instruments=[registered_kinds()[kind].load(method)],
        title="Lamps",
        corpus=small_corpus(),
    )
    draft = drafted(document)
    before = draft.document
    response = post(client, draft, section, form_of(client, draft, section))
    draft.refresh_from_db()
    assert (response.status_code, draft.revision) == (302, 0)
    assert draft.document == before


@pytest.mark.parametrize("method", available())
def test_the_form_of_every_method_is_what_its_document_says(client: Client, method: str) -> None:
    draft = drafted(judging_document(method=method))
    before = draft.document
    for section in ("texts", "forms", "design"):
        post(client, draft, section, form_of(client, draft, section))
    draft.refresh_from_db()
    assert draft.document == before


def test_a_form_is_saved_as_a_whole(client: Client) -> None:
    draft = drafted()
    sent = form_of(client, draft, "recruitment")
    sent |= {"recruitment/pay": "5,50", "recruitment/platform": "prolific"}
    response = post(client, draft, "recruitment", sent)
    assert response.status_code == 302
    draft.refresh_from_db()
    hired = draft.document["recruitment"]
    assert (hired["pay"], hired["platform"], draft.revision) == ("5.50", "prolific", 1)


def test_a_wrong_value_is_said_at_its_field_and_the_rest_is_saved(client: Client) -> None:
    draft = drafted()
    sent = form_of(client, draft, "recruitment")
    sent |= {"recruitment/pay": "<much>", "recruitment/currency": "EUR"}
    response = post(client, draft, "recruitment", sent)
    assert response.status_code == 422
    assert invalid_fields(response.text) == ["recruitment/pay"]
    assert 'value="&lt;much&gt;"' in response.text
    draft.refresh_from_db()
    assert draft.document["recruitment"]["currency"] == "EUR"


def test_two_browsers_that_edit_one_field_lose_nobodys_words(client: Client) -> None:
    draft = drafted()
    mine, theirs = form_of(client, draft, "texts"), form_of(client, draft, "texts")
    post(client, draft, "texts", theirs | {"title": "Which lamp?"})
    response = post(client, draft, "texts", mine | {"title": "Which light?", "language": "de"})
    assert response.status_code == 409
    assert 'value="Which light?"' in response.text
    assert ">Which lamp?</blockquote>" in response.text
    assert invalid_fields(response.text) == ["title"]
    draft.refresh_from_db()
    assert (draft.title, draft.document["language"]) == ("Which lamp?", "de")
    again = form_of(client, draft, "texts") | {"title": "Which light?"}
    assert post(client, draft, "texts", again).status_code == 302


def test_the_script_is_answered_what_it_shows(client: Client) -> None:
    draft = drafted()
    sent = {"revision": "0", "title": "", f"{METHOD}/defaults/quota": "no"}
    body = post(client, draft, "texts", sent, headers={"accept": "application/json"}).json()
    assert body["revision"] == 1
    assert [fault["todo"] for fault in body["faults"] if fault["at"] == anchor_of("title")] == [
        True
    ]
    (refused,) = body["refused"]
    assert refused["sentence"]
    sent = {"revision": "0", "title": "Which light?"}
    body = post(client, draft, "texts", sent, headers={"accept": "application/json"}).json()
    assert (body["refused"][0]["conflict"], body["refused"][0]["theirs"]) == (True, "")


def pressed(client: Client, draft: Draft, button: str, section: str = "texts") -> Any:
    response = post(client, draft, section, form_of(client, draft, section) | {"do": button})
    draft.refresh_from_db()
    return response


def questions(draft: Draft) -> list[str]:
    return [question["key"] for question in draft.document["instruments"][0]["questions"]]


def test_undo_and_redo_look_as_if_they_did_something_where_they_do(client: Client) -> None:
    draft = drafted()
    address = reverse("draft_section", args=[draft.pk, "texts"])

    def offered() -> dict[str, bool]:
        page = client.get(address).text
        return {
            name: f'data-can-{name} aria-disabled="true"' not in page for name in ("undo", "redo")
        }

    assert offered() == {"undo": False, "redo": False}
    sent = {"revision": "0", "title": "Lights"}
    told = client.post(address, sent, headers={"Accept": "application/json"}).json()
    assert (told["can_undo"], told["can_redo"]) == (True, False)
    assert offered() == {"undo": True, "redo": False}
    client.post(reverse("draft_undo", args=[draft.pk]))
    assert offered() == {"undo": False, "redo": True}


def test_questions_are_added_moved_and_removed_by_buttons(client: Client) -> None:
    draft = drafted()
    before = questions(draft)
    pressed(client, draft, f"add {METHOD}/questions")
    assert questions(draft) == [*before, "question-1"]
    added = draft.document["instruments"][0]["criteria"][-1]
    assert added["key"] == "question-1"
    response = pressed(client, draft, f"up {METHOD}/questions/question-1")
    assert questions(draft) == [*before[:-1], "question-1", before[-1]]
    assert response.url.endswith("#" + anchor_of(f"{METHOD}/questions/question-1"))
    pressed(client, draft, f"move {METHOD}/questions/question-1 0")
    assert questions(draft) == ["question-1", *before]
    pressed(client, draft, f"remove {METHOD}/questions/question-1")
    assert questions(draft) == before
    assert all(
        criterion["key"] != "question-1"
        for criterion in draft.document["instruments"][0]["criteria"]
    )
    client.post(reverse("draft_undo", args=[draft.pk]))
    draft.refresh_from_db()
    assert questions(draft) == ["question-1", *before]


@pytest.mark.parametrize(
    "path",
    [f"{METHOD}/scales", f"{METHOD}/scales/preference/options", f"{METHOD}/criteria"],
)
def test_everything_else_is_added_too(client: Client, path: str) -> None:
    draft = drafted()
    before = len(paths.at(draft.document, path))
    pressed(client, draft, f"add {path}")
    assert len(paths.at(draft.document, path)) == before + 1


def test_form_fields_and_their_answers_are_added(client: Client) -> None:
    draft = drafted()
    pressed(client, draft, f"add {METHOD}/exit_form", "forms")
    field = f"{METHOD}/exit_form/question-1"
    pressed(client, draft, f"add {field}/options", "forms")
    assert paths.at(draft.document, f"{field}/options/answer-1")["label"] == ""


@pytest.mark.parametrize(
    "button",
    ["up nowhere", "remove x", "add title", "add nowhere", "fly", "method none", "move a b"],
)
def test_a_button_that_nobody_made_does_nothing(client: Client, button: str) -> None:
    draft = drafted()
    assert pressed(client, draft, button).status_code in (302, 422)
    assert draft.revision == 0


def test_a_second_method_is_added_and_removed(client: Client) -> None:
    draft = drafted()
    pressed(client, draft, "method direct-quality")
    assert [instrument["name"] for instrument in draft.document["instruments"]] == [
        "crowdrag-pairwise",
        "direct-quality",
    ]
    pressed(client, draft, "remove instruments/direct-quality")
    assert len(draft.document["instruments"]) == 1


@pytest.mark.parametrize(
    "begin", ["judging/", "writing/", "judging/nuggets", "writing/crowdrag-writing"]
)
def test_a_draft_begins_with_a_method_or_blank(client: Client, begin: str) -> None:
    corpus = small_corpus()
    response = client.post(reverse("begin_draft"), {"of": begin, "corpus": corpus.slug})
    draft = Draft.objects.get()
    assert response.url == draft.get_absolute_url()
    assert (draft.kind, draft.corpus) == (begin.partition("/")[0], corpus)
    client.get(draft.get_absolute_url(), follow=True)


def test_a_file_comes_in_and_goes_out(client: Client, tmp_path: Any) -> None:
    content = document_files.file_of(judging_document())
    file = tmp_path / "study.json"
    file.write_bytes(content)
    with file.open("rb") as opened:
        client.post(reverse("bring_draft"), {"file": opened})
    draft = Draft.objects.get()
    assert client.get(reverse("draft_document", args=[draft.pk])).content == content
    file.write_text("query,text")
    with file.open("rb") as opened:
        response = client.post(reverse("bring_draft"), {"file": opened}, follow=True)
    assert "study.json" in element(response.text, "data-error-code", "json").text


def test_a_launch_says_what_it_does_and_does_it_once(client: Client) -> None:
    draft = drafted(judging_document(responses=3))
    at = reverse("draft_launch", args=[draft.pk])
    page = client.get(at).text
    assert "<dt>Tasks</dt><dd>1</dd>" in page
    assert "1 × 5 participants = 5 places" in page
    no_pilot = page.split("data-no-pilot", 1)[1].split("</p>", 1)[0]
    assert f'href="{reverse("draft_section", args=[draft.pk, "design"])}"' in no_pilot
    response = client.post(at, {"revision": "0"})
    again = client.post(at, {"revision": "0"})
    study = Study.objects.get()
    assert response.url == reverse("recruit", args=[study.slug, study.version])
    assert again.url == study.get_absolute_url()
    assert study.worker_link in client.get(response.url).text
    assert client.get(reverse("draft_section", args=[draft.pk, "texts"])).status_code == 200
    assert post(client, draft, "texts", {"revision": "0", "title": "x"}).status_code == 410


@pytest.mark.parametrize(("pay", "warned"), [("2.50", True), ("3.00", False)])
def test_pay_under_the_target_is_said_before_the_launch(
    client: Client, pay: str, warned: bool
) -> None:
    """15 minutes; the target is 12 an hour."""
    draft = drafted(judging_document(responses=3, recruitment=Recruitment(pay=Decimal(pay))))
    page = client.get(reverse("draft_launch", args=[draft.pk])).text
    field = f"#{anchor_of('recruitment/pay')}"
    remarks = elements(page, "data-remark")
    warnings = [each for each in remarks if each.attributes["data-remark"].endswith(field)]
    assert [warning.numbers for warning in warnings] == ([[10, 2.5, 15, 12]] if warned else [])


def test_a_launch_of_what_was_changed_meanwhile_is_looked_at_again(client: Client) -> None:
    draft = drafted(judging_document(responses=3))
    post(client, draft, "texts", form_of(client, draft, "texts") | {"title": "Other"})
    response = client.post(reverse("draft_launch", args=[draft.pk]), {"revision": "0"})
    assert response.status_code == 409
    assert "data-sentence" in response.text
    assert not Study.objects.exists()


def test_a_new_version_shows_what_changed(client: Client) -> None:
    draft = drafted(judging_document(responses=3))
    client.post(reverse("draft_launch", args=[draft.pk]), {"revision": "0"})
    client.post(reverse("new_version", args=["lamps-compared", 1]))
    version = Draft.objects.get(study=None)
    post(client, version, "texts", form_of(client, version, "texts") | {"title": "Other lamps"})
    page = client.get(reverse("draft_changes", args=[version.pk])).text
    assert "<del>Lamps compared</del>" in page
    assert "<ins>Other lamps</ins>" in page


def test_a_draft_is_deleted_by_its_name_and_brought_back(client: Client) -> None:
    draft = drafted()
    at = reverse("draft_delete", args=[draft.pk])
    assert client.post(at, {"name": "Lamps"}).status_code == 422
    assert "data-restore" in client.post(at, {"name": "Lamps compared"}).text
    assert client.get(draft.get_absolute_url()).status_code == 404
    assert reverse("draft_restore", args=[draft.pk]) in client.get("/").text
    client.post(reverse("draft_restore", args=[draft.pk]))
    assert client.get(draft.get_absolute_url()).status_code == 302


@pytest.mark.parametrize(("kind", "screens"), [
    ("judging", ["consent", "instructions", "page", "finish"]),
    ("writing", ["consent", "instructions", "entry", "page", "finish"]),
])  # fmt: skip
def test_every_screen_of_a_worker_is_shown_and_nothing_is_kept(
    client: Client, kind: str, screens: list[str], django_assert_max_num_queries: Any
) -> None:
    client.post(
        reverse("begin_draft"),
        {"of": f"{kind}/crowdrag-{'pairwise' if kind == 'judging' else 'writing'}"},
    )
    draft = Draft.objects.get()
    for screen in screens:
        with django_assert_max_num_queries(9):
            response = client.get(reverse("draft_page", args=[draft.pk, screen]))
        assert response.status_code == 200, screen
        assert "<script" not in FORMULAS.sub("", response.text)
        assert "Opening" not in response.text  # no script would ever say that it is open
        assert response["X-Frame-Options"] == "SAMEORIGIN"
        assert "frame-ancestors 'self'" in response["Content-Security-Policy"]
        assert 'class="note"' not in response.text or screen != "page"
        if (kind, screen) == ("judging", "instructions"):  # as the text beside it says
            assert "<strong>up to 15</strong>" in response.text
    assert not Study.objects.exists()


@pytest.mark.parametrize("method", available())
def test_every_method_has_its_page_and_its_row(client: Client, method: str) -> None:
    response = client.get(reverse("method_page", args=["judging", method]))
    assert 'id="questions"' in response.text
    assert load(method).questions[0].text in unescaped(response.text)
    assert method in METHODS
    corpus = small_corpus(topics=2, responses=4)
    query = {"corpus": corpus.slug, "method": f"judging/{method}"}
    methods = client.get(reverse("instruments"), query).context["methods"]
    assert methods.selected.name == method
    assert not methods.is_pending


def test_the_page_of_a_method_is_made_once_for_everybody(
    client: Client, django_assert_max_num_queries: Any
) -> None:
    cache.clear()
    address = reverse("method_page", args=["judging", "crowdrag-pairwise"])
    with django_assert_max_num_queries(12):
        first = client.get(address)
    other = Client()
    other.force_login(User.objects.create_superuser("bea"))
    with django_assert_max_num_queries(3):
        again = other.get(address)
    assert again.content == first.content
    assert "csrfmiddlewaretoken" not in again.text
    assert again["X-Frame-Options"] == "SAMEORIGIN"
    assert other.get(address, {"language": "de"}).content != first.content


def test_others_in_the_draft_are_seen(client: Client) -> None:
    draft = drafted()
    other = Client()
    other.force_login(User.objects.create_superuser("bea"))
    at = reverse("draft_here", args=[draft.pk])
    assert client.post(at, {"section": "texts"}).json() == {"revision": 0, "people": []}
    data = json.loads(other.post(at, {"section": "design"}).content)
    titles = {section.key: section.title for section in SECTIONS}
    assert data["people"] == [{"name": "rita", "section": titles["texts"]}]


def test_the_editor_asks_few_queries(client: Client, django_assert_max_num_queries: Any) -> None:
    draft = drafted(judging_document(method="direct-quality"))
    address = reverse("draft_section", args=[draft.pk, "texts"])
    client.get(address)  # the first page of a login notes it
    with django_assert_max_num_queries(13):  # six of them for the dock
        assert client.get(address).status_code == 200


def test_qualifications_that_there_are_are_offered_and_one_that_nobody_has_is_said(client: Client):
    draft = drafted(judging_document(method="direct-quality"))
    earlier = small_study(slug="earlier", corpus=draft.corpus)
    join(User.objects.get(username="rita"), earlier, "owner")
    qualify(workers=[bob()], name="Reads German", by="rita", now=NOW, study=earlier)
    stranger = small_study(slug="stranger", corpus=draft.corpus)
    qualify(workers=[bob()], name="Reads Frisian", by="olga", now=NOW, study=stranger)
    form = reverse("draft_section", args=[draft.pk, "forms"])
    assert '<option value="Reads German">' in client.get(form).text
    assert "Reads Frisian" not in client.get(form).text
    post(client, draft, "forms", {"screening/requires": "Reads Greek"})
    post(client, draft, "recruitment", {"recruitment/platform": "prolific"})
    check = client.get(reverse("draft_check", args=[draft.pk])).text
    assert [row for row in elements(check, "data-remark") if "Reads Greek" in row.text]


def test_another_method_is_one_that_is_not_asked_yet(client):
    draft = drafted()
    page = client.get(reverse("draft_section", args=[draft.pk, "texts"])).text
    offered = set(re.findall(r'name="do" value="method ([^"]+)"', page))
    assert offered == set(available()) - {"crowdrag-pairwise"}


@pytest.mark.parametrize("number", ["²", "9" * 5000])
def test_a_revision_that_is_no_number_is_that_which_is_there(client: Client, number: str) -> None:
    draft = drafted(judging_document(responses=3))
    for name in ("draft_section", "draft_launch"):
        more = ["texts"] if name == "draft_section" else []
        answer = client.post(reverse(name, args=[draft.pk, *more]), {"revision": number})
        assert answer.status_code in (200, 302, 409, 422), name


def test_each_section_leads_to_the_next_and_the_last_one_to_plan(client: Client) -> None:
    draft = drafted()
    keys = ["texts", "instructions", "forms", "design", "recruitment", "quality"]
    for key, after in itertools.pairwise(keys):
        html = client.get(reverse("draft_section", args=[draft.pk, key])).text
        following = re.search(r'data-next-section href="([^"]*)">', html)
        assert following[1] == reverse("draft_section", args=[draft.pk, after])  # type: ignore[index]
    html = client.get(reverse("draft_section", args=[draft.pk, "quality"])).text
    assert f'data-next-section href="{reverse("draft_plan", args=[draft.pk])}">' in html


def test_beside_a_consent_text_stands_what_takes_the_place_of_its_bracket(client: Client) -> None:
    draft = drafted()
    address = reverse("draft_section", args=[draft.pk, "instructions"])

    def has_hint() -> bool:
        field = element(client.get(address).text, "data-field", f"{METHOD}/consent")
        return "data-hint" in field.attributes

    assert has_hint()
    sent = form_of(client, draft, "instructions") | {f"{METHOD}/consent": "Rita runs this."}
    post(client, draft, "instructions", sent)
    assert not has_hint()


def test_the_first_title_gets_a_free_link_name(client: Client) -> None:
    document = making.document_of_methods(
        kind="judging",
        instruments=[load("crowdrag-pairwise")],
        corpus=small_corpus(),
    )
    draft = drafted(document)
    small_study(slug="which-lamp", corpus=draft.corpus)
    post(client, draft, "texts", form_of(client, draft, "texts") | {"title": "Which lamp?"})
    draft.refresh_from_db()
    assert (draft.document["title"], draft.document["slug"]) == ("Which lamp?", "which-lamp-2")


@pytest.mark.parametrize(("method", "is_asked"), [("judging", True), ("writing", False)])
def test_only_judging_asks_what_an_empty_answer_does(
    client: Client, method: str, is_asked: bool
) -> None:
    name = {"judging": "crowdrag-pairwise", "writing": "crowdrag-writing"}[method]
    document = making.document_of_methods(
        kind=method,
        instruments=[registered_kinds()[method].load(name)],
        corpus=small_corpus(),
    )
    html = client.get(reverse("draft_section", args=[drafted(document).pk, "design"])).text
    assert bool(elements(html, "name", "design/empty_answers")) == is_asked
