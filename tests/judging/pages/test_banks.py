"""Pages of banks: lists, filters, decisions row by row, history, secrets."""

import re
from collections import Counter

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Corpus, Draft, Membership
from annotation.people.access.roles import Role
from annotation.studies.drafts import plain_data
from judging.banks import adding, deciding, listing, oversight
from judging.banks.adding import NewEntry
from judging.banks.appending import Change
from judging.banks.entries_at import entries_at
from judging.banks.spans import span_of
from judging.models import Bank, BankEntry
from judging.raters.cells import cells_of
from tests.cast import NOW, rita
from tests.judging.banks.cast import TEXTS, bank_of, entry, shown, states
from tests.judging.banks.test_bank_studies import graded, study_of
from tests.prose.budgets import ROWS, Budget, words_of

pytestmark = pytest.mark.django_db
HTMX = {"HTTP_HX_REQUEST": "true"}


def address(bank: Bank, then: str = "") -> str:
    return f"/corpora/{bank.corpus.slug}/banks/{bank.pk}/{then}"


def act(client, bank, do, *texts, **sent):
    """Send an act on these entries, as their rows show them."""
    chosen = [f"{pk}:{revision}" for text in texts for pk, revision in shown(bank, text).items()]
    return client.post(address(bank, "act/"), {"do": do, "entry": chosen} | sent, **HTMX)


def row_states(page) -> list[str]:
    return re.findall(r'data-row\s+data-state="(\w+)"', page.content.decode())


@pytest.fixture
def researcher(client):
    client.force_login(rita())
    return client


def test_a_bank_is_made_and_listed(researcher):
    corpus = bank_of().corpus
    here = f"/corpora/{corpus.slug}/banks/"
    made = researcher.post(here, {"name": "Exam", "kind": "questions"}, follow=True)
    assert made.redirect_chain[-1][0] == address(Bank.objects.get(name="Exam"))
    again = researcher.post(here, {"name": "Exam", "kind": "questions"})
    assert (again.status_code, "data-refused" in again.content.decode()) == (422, True)
    assert researcher.get(here).content.decode().count("<tr data-row") == 2


def test_a_bank_too_large_for_a_draft_is_refused(researcher, monkeypatch):
    bank = bank_of(state="confirmed")
    monkeypatch.setattr(plain_data, "MAX_BYTES", 1_000)
    answer = researcher.post(address(bank, "study/"))
    assert (answer.status_code, answer.url) == (302, address(bank))
    assert not Draft.objects.exists()
    monkeypatch.undo()
    researcher.post(address(bank, "study/"))
    assert Draft.objects.count() == 1


def test_rows_are_filtered(researcher):
    bank = bank_of(importance="vital")
    act(researcher, bank, "confirm", TEXTS[0])
    act(researcher, bank, "retire", TEXTS[1])
    for query, expected in {
        "": ["confirmed", "proposed"],
        "?state=retired": ["retired"],
        "?state=all": ["confirmed", "retired", "proposed"],
        "?importance=okay": [],
        "?importance=vital&q=METRES": ["proposed"],
        "?q=eiffel": ["confirmed", "proposed"],  # of the topic as well
        "?topic=999999999999999999999": ["confirmed", "proposed"],
    }.items():
        assert row_states(researcher.get(address(bank, query))) == expected, query


def test_an_entry_is_decided_on_in_its_row_and_undone(researcher):
    bank = bank_of()
    for do, state in {"confirm": "confirmed", "retire": "retired", "back": "confirmed"}.items():
        assert row_states(act(researcher, bank, do, TEXTS[0])) == [state]
    act(researcher, bank, "importance", TEXTS[0], importance="okay")
    act(researcher, bank, "secret", TEXTS[0])
    one = entry(bank, TEXTS[0])
    assert (one.importance, one.secret) == ("okay", True)
    act(researcher, bank, "back", TEXTS[0])
    act(researcher, bank, "back", TEXTS[0])  # an undo is undone
    assert entry(bank, TEXTS[0]).secret


def test_an_edit_in_a_row_is_another_entry_and_its_undo_shows_the_first(researcher):
    bank = bank_of()
    old = entry(bank, TEXTS[0])
    opened = researcher.get(address(bank, f"entries/{old.pk}/?edit"), **HTMX).content.decode()
    assert 'data-impact="0"' in opened
    edited = act(researcher, bank, "edit", TEXTS[0], text="By Gustave Eiffel")
    new = entry(bank, "By Gustave Eiffel")
    assert f'id="entry-{new.pk}"' in edited.content.decode()
    undone = act(researcher, bank, "back", "By Gustave Eiffel")
    assert f'id="entry-{old.pk}"' in undone.content.decode()
    assert states(bank) == dict.fromkeys(TEXTS, "proposed") | {"By Gustave Eiffel": "retired"}


def test_a_refused_edit_keeps_what_was_typed(researcher):
    bank = bank_of()
    refused = act(researcher, bank, "edit", TEXTS[0], text="…").content.decode()
    assert 'data-said-of="refused"' in refused
    assert ">…</textarea>" in refused
    late = researcher.post(
        address(bank, "act/"), {"do": "confirm", "entry": f"{entry(bank, TEXTS[0]).pk}:99"}, **HTMX
    )
    assert 'data-said-of="refused"' in late.content.decode()
    assert states(bank)[TEXTS[0]] == "proposed"


def test_selected_entries_are_merged_into_the_first(researcher):
    bank = bank_of()
    act(researcher, bank, "merge", TEXTS[1], TEXTS[0])
    assert states(bank) == dict(zip(TEXTS, ["retired", "confirmed", "proposed"], strict=True))
    act(researcher, bank, "back", TEXTS[0])
    assert states(bank) == dict.fromkeys(TEXTS, "proposed")


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"do": "confirm"},
        {"do": "confirm", "entry": "x"},
        {"do": "nothing", "entry": "1:1"},
        {"do": "confirm", "entry": f"{10**17}:1"},
        {"do": "importance", "importance": "huge", "entry": "1:1"},
        {"do": "merge", "entry": "1:1"},
        {"do": "edit", "entry": ["1:1", "2:2"], "text": "x"},
        {"do": "answers", "entry": "1:1", "answers": "a\n" * 3, "aggregator": "xor"},
    ],
)
def test_what_is_no_decision_changes_nothing(researcher, sent):
    bank = bank_of()
    there = researcher.post(address(bank, "act/"), sent | {"next": "https://elsewhere.example/"})
    assert (there.status_code, there.url) == (302, address(bank))
    assert Bank.objects.get().revision == 3


def test_similar_entries_and_duplicates_are_shown(researcher):
    bank = bank_of([*TEXTS, "finished in 1889.", "It is 330 metres high"])
    page = researcher.get(address(bank)).content.decode()
    assert re.findall(r'data-like="([\d.]+)"', page) == ["1.00", "0.75"]


def test_the_history_has_every_wording_and_decision(researcher):
    bank = bank_of()
    act(researcher, bank, "edit", TEXTS[0], text="Second")
    act(researcher, bank, "edit", "Second", text="Third")
    page = researcher.get(address(bank, f"entries/{entry(bank, TEXTS[0]).pk}/")).content.decode()
    assert page.count("data-wording") == 3
    assert "rita" in page
    act(
        researcher, bank, "answers", "Third", answers="Eiffel\n\n Eiffel \nGustave", aggregator="or"
    )
    answers = [answer["answer"] for answer in entry(bank, "Third").answers]
    assert (answers, entry(bank, "Third").aggregator) == (["Eiffel", "Gustave"], "or")


def test_viewers_read_no_secret_entry(client):
    bank = bank_of(secret=True)
    viewer = rita()
    viewer.is_staff = viewer.is_superuser = False
    viewer.save()
    Membership.objects.filter(user=viewer).delete()
    Membership.objects.create(team=bank.corpus.team, user=viewer, role=Role.VIEWER)
    client.force_login(viewer)
    one = entry(bank, TEXTS[0])
    for then in ("", f"entries/{one.pk}/", f"entries/{one.pk}/?edit"):
        for headers in ({}, HTMX):
            page = client.get(address(bank, then), **headers).content.decode()
            assert TEXTS[0] not in page, then
    assert row_states(client.get(address(bank, "?q=built"))) == []


def test_an_entry_is_added_from_a_marked_span(researcher):
    bank = bank_of()
    passage = bank.corpus.topics.get(key="t1").passages.get(key="p1")
    here = f"/corpora/{bank.corpus.slug}/banks/entry/"
    marked = {"passage": passage.pk, "selected": "finished in 1889"}
    form = researcher.get(here, marked).content.decode()
    assert "finished in 1889</textarea>" in form
    sent = marked | {"bank": bank.pk, "text": "Completed in 1889", "importance": "vital"}
    researcher.post(here, sent)
    new = entry(bank, "Completed in 1889")
    assert (new.passage_id, new.state, new.importance) == (passage.pk, "confirmed", "vital")
    assert passage.text[new.start : new.end] == "finished in 1889"
    assert researcher.post(here, sent).status_code == 422


def test_a_model_can_be_asked_about_a_marked_span(researcher):
    bank = bank_of()
    passage = bank.corpus.topics.get(key="t1").passages.get(key="p1")
    here = f"/corpora/{bank.corpus.slug}/banks/entry/"
    sent = {"passage": passage.pk, "selected": "a {set}", "bank": bank.pk, "do": "model"}
    form = researcher.post(here, sent, follow=True).context["form"]
    assert (form["which"].value(), form["topic"].value()) == ("one", passage.topic_id)
    values = {name: form[name].value() for name in form.fields}
    typed = {name: value for name, value in values.items() if value is not None} | {"model": "m"}
    there = address(bank, "rounds/new/")
    told = researcher.post(there, typed | {"do": "preview"}).context["preview"]["told"]
    assert told[-1]["content"].endswith("a {set}")
    assert Bank.objects.get().revision == 3


def test_a_span_is_found_beside_markup():
    assert span_of("It is **330 metres**\nhigh.", "330 metres high") == (8, 25)
    assert span_of("one two", "three") is None
    assert span_of("one two", " … ") is None


def test_a_bank_is_deleted(researcher):
    bank = bank_of()
    researcher.post(address(bank, "delete/"))
    assert not Bank.objects.exists()


def test_a_large_bank_is_read_in_pages_with_as_many_queries(researcher):
    small = bank_of()
    corpus = Corpus.objects.create(slug="large", name="large")
    bank = adding.make(corpus=corpus, name="b", kind="nuggets", by=None, now=NOW)
    topics = [corpus.topics.create(key=f"q{n}", query=f"what is {n}?") for n in range(54)]
    new = [NewEntry(topic, f"Fact {topic.key} {n}") for topic in topics for n in range(10)]
    adding.add_all(bank=bank, entries=new, state="proposed", by=None, now=NOW)
    counts = []
    for one in (small, bank):
        with CaptureQueriesContext(
            connection,
        ) as captured:
            page = researcher.get(address(one))
        counts.append(len(captured))
    assert len(row_states(page)) == 50
    assert len(page.content) < 300_000
    assert counts[0] == counts[1]
    assert words_of(page.content.decode(), Budget("Bank", "", 120, without=ROWS)) <= 120
    assert BankEntry.objects.filter(bank=bank).count() == 540
    deciding.decide(
        bank=bank,
        shown=shown(bank, "Fact q7 3"),
        change=Change(state="confirmed"),
        by=None,
        now=NOW,
    )
    assert row_states(researcher.get(address(bank, "?state=confirmed"))) == ["confirmed"]
    assert entries_at(bank)[0].state == "proposed"


def test_a_page_counts_the_cells_of_all_studies_and_an_edit_names_them(researcher):
    bank = bank_of(state="confirmed")
    for slug in ("first", "second"):
        study = study_of(bank, slug)
        graded(study, bank, TEXTS[0], "p1", 3)
    graded(study, bank, TEXTS[1], "p2", 5, kind="model", name="m")
    cells = Counter(cell.entry for cell in cells_of(bank))
    assert listing.grades_of(bank, [row.key for row in entries_at(bank)]) == cells
    assert cells.total() == 3
    old = entry(bank, TEXTS[0])
    opened = researcher.get(address(bank, f"entries/{old.pk}/?edit"), **HTMX).content.decode()
    assert 'data-impact="2"' in opened
    act(researcher, bank, "edit", TEXTS[0], text="By Eiffel")
    assert listing.grades_of(bank, [entry(bank, "By Eiffel").key]).total() == 0
    page = researcher.get(f"/studies/{study.slug}/{study.version}/").content.decode()
    assert address(bank) in page
    assert study.get_absolute_url() in researcher.get(address(bank)).content.decode()


def test_entries_with_raters_far_apart_are_a_work_list(researcher):
    bank = bank_of(state="confirmed")
    study = study_of(bank, "first")
    for text, passage, grades in (
        (TEXTS[0], "p1", (5, 4)),
        (TEXTS[1], "p1", (0, 5)),
        (TEXTS[1], "p2", (2, 2)),
        (TEXTS[2], "p3", (3, 3)),
    ):
        graded(study, bank, text, passage, grades[0])
        graded(study, bank, text, passage, grades[1], kind="model", name="m")
    one = entry(bank, TEXTS[1])
    texts = oversight.graded_texts(bank, one.key)
    assert [(text.key, text.people, text.models) for text in texts] == [
        ("p1", [0], [5]),
        ("p2", [2], [2]),
    ]
    page = researcher.get(address(bank, "oversight/?list=apart")).content.decode()
    assert re.findall(r'id="entry-(\d+)"', page) == [str(one.pk), str(entry(bank, TEXTS[0]).pk)]
    page = researcher.get(address(bank, f"entries/{one.pk}/")).content.decode()
    assert page.count("data-graded") == 2
