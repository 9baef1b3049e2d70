"""Work lists of a bank: which entries and passages, their evidence, and what an act does to them.

The grades are the hand vector of Dietz (2024) in shared form: X ranks p1 and p2, Y ranks p3.
"""

import gzip
import json
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.urls import reverse
from django.utils import timezone

from analysis.pages.banks import work_lists
from analysis.pages.banks.evidence import shown_rows
from analysis.pages.banks.work_lists import Finding, Findings, WorkLists
from annotation.models import CorpusLabels, Ranking
from judging.banks import adding, deciding, oversight
from judging.banks.appending import Change
from judging.banks.grids import grid_of, written
from judging.models import ItemSlot, Judgment, Scale
from tests.cast import NOW, rita
from tests.config.askers import client_of, person
from tests.judging.banks.cast import bank_of, entry, states
from tests.judging.banks.test_bank_studies import graded, study_of

pytestmark = [pytest.mark.django_db, pytest.mark.storage]
JUDGED = {"p1": 3, "p2": 0, "p3": 2}
GRADES = {  # entry -> grades of p1, p2, p3
    "a": (5, 4, 0),
    "b": (2, 4, 0),
    "c": (0, 1, 3),
    "d": (0, 0, 1),
}
BY = {"by": None, "now": NOW}


@pytest.fixture
def bank():
    bank = bank_of([*GRADES], state="confirmed")
    corpus = bank.corpus
    topic = corpus.topics.get(key="t1")
    for name, keys in (("x", ["p1", "p2"]), ("y", ["p3"])):
        system = corpus.systems.create(key=name, name=name)
        for rank, key in enumerate(keys, start=1):
            Ranking.objects.create(
                system=system, topic=topic, passage=topic.passages.get(key=key), rank=rank
            )
    judgments(corpus)
    study = study_of(bank)
    for text, row in GRADES.items():
        for key, grade in zip(JUDGED, row, strict=True):
            graded(study, bank, text, key, grade)
    return bank


def judgments(corpus):
    rows = [{"topic": "t1", "passage": key, "value": str(n)} for key, n in JUDGED.items()]
    content = gzip.compress("\n".join(map(json.dumps, rows)).encode())
    CorpusLabels.objects.create(corpus=corpus, name="q", count=3, raters=0, content=content)


def grade_again(bank, text, key, score, at=NOW):
    """Change the grade of a passage on an entry."""
    items = ItemSlot.objects.filter(criterion__key=entry(bank, text).key).values("item")
    rows = Judgment.objects.filter(item__in=items, item__slots__passage__key=key)
    Judgment.objects.filter(pk__in=rows.values("pk")).update(score=score, answered_at=at)


def lists(bank):
    """Return the entries or passages of each list."""
    by_name = WorkLists.of(bank).by_name
    return {
        name: [row.entry.text if row.entry else row.texts[0] for row in rows]
        for name, rows in by_name.items()
    }


def model_grades(bank, text, key, grade):
    study = bank.instruments.get().study
    graded(study, bank, text, key, grade, kind="model", name="judge")


def act(client, bank, do, of, **more):
    row = entry(bank, of)
    address = reverse("corpus_bank_act", args=[bank.corpus.slug, bank.pk])
    sent = {"do": do, "entry": f"{row.pk}:{row.revision}"} | more
    return client.post(address, sent, headers={"HX-Request": "true"})


def page(client, bank, name):
    address = reverse("corpus_bank_oversight", args=[bank.corpus.slug, bank.pk])
    answer = client.get(address, {"list": name})
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_lists_of_the_hand_vector(bank):
    p3 = f"p{bank.corpus.topics.get(key='t1').passages.get(key='p3').pk}"
    assert lists(bank) == {
        "spurious": ["a", "b"],  # p2 was judged 0 and graded 4
        "uncovered": [p3],  # judged 2, highest grade 3
        "universal": [],
        "hard": ["c", "d"],  # no passage has 4 or more
        "apart": [],
        "stale": [],
    }


def test_an_entry_that_all_systems_cover_is_universal(bank):
    grade_again(bank, "a", "p3", 5)
    assert lists(bank)["universal"] == ["a"]


def test_raters_far_apart_are_shown_side_by_side(bank):
    model_grades(bank, "b", "p2", 1)
    assert lists(bank)["apart"] == ["b"]
    works = WorkLists.of(bank)
    (row,) = shown_rows(works, works.by_name["apart"], secrets=True, systems=False)
    (text,) = row.texts
    assert (text.key, text.people, text.models, text.judgment) == ("p2", [4], [1], 0)


def test_only_topics_with_new_grades_are_read_again(bank, monkeypatch):
    second = bank.corpus.topics.get(key="t2")
    adding.add_all(bank=bank, entries=[adding.NewEntry(second, "e")], state="confirmed", **BY)
    study = study_of(bank, "second")
    graded(study, bank, "e", second.passages.order_by("pk").first().key, 5, topic="t2")
    read, of = [], work_lists.BankGrades.of

    def read_now(bank, topics):
        read.append(set(topics))
        return of(bank, topics=topics)

    monkeypatch.setattr(work_lists.BankGrades, "of", read_now)
    before = lists(bank)
    grade_again(bank, "c", "p3", 5, at=NOW + timedelta(minutes=1))
    after = lists(bank)
    first = bank.corpus.topics.get(key="t1")
    assert read == [{first.pk, second.pk}, {first.pk}]
    cache.clear()
    assert lists(bank) == after != before


def test_rows_of_all_topics_are_in_one_order():
    def part(topic, *found):
        rows = [Finding(topic, entry, {"passages": n}, [], 0) for entry, n in found]
        lists = {name: [] for name in work_lists.ORDERS} | {"spurious": rows}
        return Findings(lists, {}, {}, {}, {})

    merged = Findings.merged([part(1, ("a", 9), ("b", 2)), part(2, ("c", 9), ("d", 5))])
    assert [row.entry for row in merged.lists["spurious"]] == ["a", "c", "d", "b"]


def test_an_edited_entry_waits_for_grades_of_its_texts(bank):
    old = entry(bank, "a")
    deciding.edit(bank=bank, entry=old.pk, shown=old.revision, text="A", **BY)
    assert lists(bank)["stale"] == ["A"]
    study = study_of(bank, "second")
    for key in ("p1", "p2"):
        graded(study, bank, "A", key, 1)
    (row,) = WorkLists.of(bank).by_name["stale"]
    assert (row.figures["old"], row.figures["missing"]) == (3, 1)
    graded(study, bank, "A", "p3", 1)
    assert lists(bank)["stale"] == []


@pytest.mark.parametrize("do", ["keep", "retire"])
def test_an_act_ends_the_work_and_undo_restores_it(client, bank, do):
    client.force_login(rita())
    assert act(client, bank, do, "a", list="spurious").status_code == 200
    assert lists(bank)["spurious"] == ["b"]
    act(client, bank, "back", "a", list="spurious")
    assert lists(bank)["spurious"] == ["a", "b"]
    assert states(bank)["a"] == "confirmed"


def test_an_edit_leaves_the_list_and_joins_that_of_old_grades(client, bank):
    client.force_login(rita())
    act(client, bank, "edit", "a", list="spurious", text="A")
    assert lists(bank)["spurious"] == ["b"]
    assert lists(bank)["stale"] == ["A"]
    act(client, bank, "back", "A", list="stale")
    assert lists(bank)["spurious"] == ["a", "b"]


def test_a_kept_entry_returns_with_a_new_grade(client, bank):
    client.force_login(rita())
    act(client, bank, "keep", "a", list="spurious")
    assert entry(bank, "a").reason == "kept: spurious"
    grade_again(bank, "a", "p2", 5, at=timezone.now())
    assert lists(bank)["spurious"] == ["a", "b"]


def test_a_row_shows_its_acts_and_its_evidence(client, bank):
    client.force_login(rita())
    shown = page(client, bank, "spurious")
    assert shown.count("data-oversight") == 2
    for value in ("keep", "retire"):
        assert shown.count(f'value="{value}"') == 2
    assert shown.count("data-edit") == shown.count("data-new-entry") == 2
    answer = act(client, bank, "keep", "a", list="spurious").content.decode()
    assert "data-kept" in answer
    assert 'value="back"' in answer
    assert 'name="list" value="spurious"' in answer


def test_a_passage_leads_to_a_new_entry_that_is_listed_below_it(client, bank):
    client.force_login(rita())
    passage = bank.corpus.topics.get(key="t1").passages.get(key="p3")
    new = f"?bank={bank.pk}&amp;passage={passage.pk}"
    assert new in page(client, bank, "uncovered")
    address = reverse("corpus_entry_new", args=[bank.corpus.slug])
    client.post(address, {"bank": bank.pk, "passage": passage.pk, "text": "e"})
    shown = page(client, bank, "uncovered")
    assert f'id="entry-{entry(bank, "e").pk}"' in shown


def test_every_list_has_a_page_and_an_empty_bank_too(client, bank):
    client.force_login(rita())
    for name in WorkLists.of(bank).by_name:
        assert f'data-list-name="{name}"' in page(client, bank, name)
    empty = bank_of([], corpus=bank.corpus, name="empty")
    assert "data-oversight" not in page(client, empty, "hard")


def test_viewers_see_the_lists_without_acts_and_secret_texts(bank):
    row = entry(bank, "a")
    deciding.decide(bank=bank, shown={row.pk: row.revision}, change=Change(secret=True), **BY)
    study = bank.instruments.get().study
    shown = page(client_of(person("viewer", study)), bank, "spurious")
    assert shown.count("data-oversight") == 2
    assert 'value="keep"' not in shown
    assert '<p class="strong fill" dir="auto">a</p>' not in shown


def test_retired_entries_are_in_no_list(bank):
    for text in GRADES:
        row = entry(bank, text)
        deciding.decide(bank=bank, shown={row.pk: row.revision}, change=Change("retired"), **BY)
    assert [name for name, rows in lists(bank).items() if rows] == ["uncovered"]


def test_grades_on_two_scales_are_compared_on_one(bank):
    second = study_of(bank, "second")
    scale = second.questions.get().scale
    Scale.objects.filter(pk=scale.pk).update(spec=scale.spec | {"max": 10})
    graded(second, bank, "a", "p1", 10, name="Ben")  # 5 of 5
    graded(second, bank, "b", "p2", 2, name="Ben")  # 1 of 5, and 4
    assert lists(bank)["apart"] == ["b"]
    topic = bank.corpus.topics.get(key="t1")
    grid, _ = grid_of(bank, topic)
    texts = {pk: row for row, (_, pk) in enumerate(grid.texts)}
    for text, key, grades in (("a", "p1", [5, 5]), ("b", "p2", [4, 1])):
        passage, row = topic.passages.get(key=key).pk, entry(bank, text)
        cell = grid.means("people")[texts[passage], grid.entries.index(row.pk)]
        assert cell == sum(grades) / 2
        found = oversight.cell_grades(bank, row.key, passage=passage)
        assert [grade.score for grade in found] == grades
        (shown,) = [each for each in oversight.graded_texts(bank, row.key) if each.key == key]
        assert shown.people == grades


def test_lists_read_the_pool_with_more_grades_and_round_half_up(bank):
    model_grades(bank, "c", "p1", 5)  # one of a model beside twelve of a person
    assert "c" in lists(bank)["hard"]
    study = bank.instruments.get().study
    graded(study, bank, "c", "p3", 4, name="Ben")  # 3.5 with the 3 of another
    assert lists(bank)["uncovered"] == []


@pytest.mark.parametrize(("grade", "shown"), [(2.25, "2.3"), (2.5, "2.5"), (3.0, "3")])
def test_grades_of_a_grid_are_rounded_half_up(grade, shown):
    assert written(grade) == shown
