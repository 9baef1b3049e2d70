"""The leaderboard of a bank: golden scores, zeros, revisions, impact, pages, API, command."""

import io
import json
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.urls import reverse

from analysis.analyses import bank_board as analysis
from analysis.analyses.bank_board import impacts
from analysis.inputs.bank_cells import is_open
from analysis.pages.banks import boards
from analysis.pages.banks.boards import (
    Choice,
    agreements,
    as_json,
    assignments,
    causes,
    shown_board,
)
from analysis.pages.banks.impact_view import impact_of
from annotation import signals
from annotation.models import Corpus, Kept, Membership, OfficialOrder
from annotation.people.access.roles import Role
from annotation.refusals import Refusal
from annotation.studies import batching
from judging.banks import adding, deciding
from judging.banks.adding import NewEntry
from judging.banks.deleting import board_cache_prefix
from judging.banks.entries_at import entries_at
from judging.design.designing import create_study, write_plans
from judging.design.plans import plans_of
from judging.instruments.files import load
from judging.labels.importing import import_labels
from judging.models import ItemSlot, Judgment
from judging.raters.registering import register
from tests.analysis.pages.banks.cast import (
    BY,
    POINTS,
    bank_with,
    decided,
    entry,
    grade,
    ranked_bank,
    study_of,
    values,
)
from tests.analysis.runs.polls import analysed
from tests.cast import NOW, draft_study, in_sections, open_study, rita
from tests.hooks import elements

pytestmark = pytest.mark.django_db
HTMX = {"HTTP_HX_REQUEST": "true"}
RULED = {f"t{n}": {"v": "vital"} for n in range(12)}
NUGGETS = {"t1": {"v1": "vital", "v2": "vital", "o1": "okay"}}
GIVEN = {"x": {"v1": 1.0, "v2": 0.5, "o1": 0.0}, "y": {"v1": 0.0, "v2": 0.0, "o1": 1.0}}


def given(system, topic, text):
    return GIVEN.get(system, {}).get(text)


@pytest.fixture
def bank():
    bank = bank_with(NUGGETS, ["x", "y", "z"])
    grade(study_of(bank), given)
    return bank


@pytest.fixture
def researcher(client):
    client.force_login(rita())
    return client


def address(bank, then="board/"):
    return f"/corpora/{bank.corpus.slug}/banks/{bank.pk}/{then}"


def test_scores_are_nuggetizers_on_our_own_cells(bank):
    """Vital supported, vital partial, okay not: .5, 1/3, .75, .5 (calculate_nugget_scores)."""
    found = values(shown_board(bank, Choice()))
    names = ("strict vital", "strict all", "vital", "all")
    assert [found["x", name] for name in names] == pytest.approx([0.5, 1 / 3, 0.75, 0.5])
    assert found["y", "okay"] == 1


def test_ungraded_systems_are_named_and_topics_without_an_answer_count_as_zero():
    bank = bank_with({"t1": {"v1": "vital"}, "t2": {"w1": "vital"}}, ["x", "y", "z"])
    bank.corpus.responses.filter(key="t2/y").delete()
    grade(study_of(bank), lambda system, topic, text: 1.0 if system != "z" else None)
    board = shown_board(bank, Choice()).board
    assert board.ungraded == ("z",)
    assert board.zeros.to_numpy().tolist() == [["y", "t2", "no answer"]]
    found = values(shown_board(bank, Choice()))
    assert (found["x", "vital"], found["y", "vital"]) == (1, 0.5)


def test_people_and_models_are_never_pooled(bank):
    study = bank.instruments.get().study
    grade(study, lambda *_: 1.0, kind="model", name="judge")
    assert shown_board(bank, Choice()).board.pool == "models"  # it has more grades
    people, models = (values(shown_board(bank, Choice(pool=p))) for p in ("people", "models"))
    assert (people["x", "vital"], models["x", "vital"]) == (0.75, 1)
    assert ("z", "vital") not in people


def test_two_studies_of_a_bank_are_read_together(bank):
    other = study_of(bank, slug="other")
    register(name="Ben", kind="expert", team=other.team)
    grade(other, lambda system, *_: 1.0 if system == "z" else None, name="Ben")
    assert values(shown_board(bank, Choice()))["z", "strict all"] == 1


def test_a_new_grade_is_on_the_next_board(bank):
    assert ("z", "all") not in values(shown_board(bank, Choice()))
    study = bank.instruments.get().study
    grade(study, lambda system, *_: 0.5 if system == "z" else None, name="Ben")
    assert values(shown_board(bank, Choice()))["z", "all"] == 0.5


def test_an_open_study_offers_no_claims(researcher):
    bank = bank_with(RULED, ["x", "y"])
    study = study_of(bank)
    grade(study, lambda s, t, e: float((s == "x") == (t in ("t1", "t2", "t3", "t4"))))
    closed = shown_board(bank, Choice())
    assert closed.lead.first == "y"
    assert closed.board.rows["low"].notna().any()
    batch = batching.open_batch(batch=study.batches.get(), now=NOW)
    shown = shown_board(bank, Choice())
    assert (shown.is_open, shown.lead) == (True, None)
    assert shown.board.rows[["low", "high"]].isna().all(axis=None)
    assert shown.board.rows["value"].equals(closed.board.rows["value"])
    answer = researcher.get(f"/api{address(bank)}").json()
    assert (answer["is_open"], answer["lead"]) == (True, None)
    assert {(row["low"], row["high"]) for row in answer["rows"]} == {(None, None)}
    page = researcher.get(address(bank)).content.decode()
    assert elements(page, "data-open")
    assert not elements(page, "data-lead")
    assert [row.attributes["data-system"] for row in elements(page, "data-system")] == ["x", "y"]
    _, found = impact_of(bank, entries_at(bank)[0], Choice())
    assert {one.leaders for one in found} == {("", "")}
    batching.close_batch(batch=batch, now=NOW)
    assert shown_board(bank, Choice()).lead == closed.lead


def test_other_studies_of_the_corpus_leave_the_board_alone(bank):
    open_study(draft_study(slug="other", corpus=bank.corpus), items=60)
    assert not is_open(bank)


@pytest.mark.analyses("means")
def test_results_name_the_entries_that_the_bank_retired_since(bank, researcher):
    study = bank.instruments.get().study
    analysed(study, pool="experts")
    here = reverse("results", args=[study.slug, study.version]) + "?pool=experts"
    assert not elements(researcher.get(here).content.decode(), "data-retired")
    decided(bank, "o1", state="retired")
    assert elements(researcher.get(here).content.decode(), "data-retired", "1")


def test_a_bank_whose_graded_entries_are_retired_has_a_page(researcher):
    bank = ranked_bank()
    new = [NewEntry(bank.corpus.topics.get(), "later", importance="vital")]
    adding.add_all(bank=bank, entries=new, state="confirmed", **BY)
    for text in POINTS:
        decided(bank, text, state="retired")
    assert shown_board(bank, Choice()).board.rows["judged"].isna().all()
    assert researcher.get(address(bank)).status_code == 200
    assert researcher.get(f"/api{address(bank)}").status_code == 200


def test_measures_of_trec_eval_are_a_table_of_their_own(researcher):
    bank = ranked_bank()
    page = researcher.get(address(bank)).content.decode()
    assert elements(page, "data-relevance")
    assert "MAP" not in "".join(
        row.attributes["data-measure"] for row in elements(page, "data-measure")
    )


@pytest.mark.parametrize("measure", ["vital", "strict all", "weighted"])
def test_a_difference_is_that_of_two_boards(measure):
    """A topic whose only vital entry becomes okay counts 0 on the board, and here as well."""
    bank = bank_with({"t1": {"v1": "vital", "o1": "okay"}, "t2": {"v2": "vital"}}, ["x", "y"])
    grade(study_of(bank), lambda s, t, e: 1.0 if s == "x" else 0.5)
    old = bank.revision
    decided(bank, "v1", importance="okay")
    shown = shown_board(bank, Choice(measure=measure, before=old))
    now, before = values(shown), values(shown_board(bank, Choice(revision=old)))
    for row in shown.changed.board.to_dict("records"):
        assert row["now"] == pytest.approx(now[row["system"], measure])
        assert row["before"] == pytest.approx(before[row["system"], measure])
    assert shown.changed.left_out == ()


def test_a_decision_reads_the_cells_once(bank, monkeypatch):
    shown_board(bank, Choice())
    monkeypatch.setattr(boards, "topic_cells", None)  # would fail
    decided(bank, "o1", state="retired")
    assert ("x", "okay") not in values(shown_board(bank, Choice()))


def test_a_new_grade_computes_its_topic_alone(monkeypatch):
    bank = bank_with({"t1": {"v1": "vital"}, "t2": {"v2": "vital"}}, ["x", "y"])
    grade(study_of(bank), lambda system, topic, text: 1.0)
    shown_board(bank, Choice())
    computed, part = [], analysis.topic_part

    def counted(cells, *how):
        computed.append(cells.topic)
        return part(cells, *how)

    monkeypatch.setattr(analysis, "topic_part", counted)
    new = Judgment.objects.filter(item__topic__key="t2", item__slots__response__system__key="x")
    new.update(score=0.0, answered_at=NOW + timedelta(days=1))
    assert values(shown_board(bank, Choice()))["x", "vital"] == 0.5
    assert computed == ["t2"]


def test_a_difference_is_split_among_the_entries_that_caused_it(bank):
    old = bank.revision
    decided(bank, "v2", importance="okay")
    decided(bank, "o1", state="retired")
    shown = shown_board(bank, Choice(measure="all", before=old))
    rows = shown.changed.board.set_index("system")
    assert rows["before"]["x"] == pytest.approx(0.5)
    assert rows["now"]["x"] == pytest.approx(0.75)
    assert rows["difference"]["y"] == pytest.approx(-1 / 3)
    (only,) = causes(shown, secret=True)  # `all` weighs vital and okay alike
    assert (only["text"], only["change"]) == ("o1", "retired")
    assert only["shares"] == pytest.approx({"x": 0.25, "y": -1 / 3})
    vital = shown_board(bank, Choice(measure="vital", before=old))
    assert [row["text"] for row in causes(vital, secret=True)] == ["v2"]


def test_an_edit_is_one_cause_with_the_earlier_wording(bank):
    old, row = bank.revision, entry(bank, "v1")
    deciding.edit(bank=bank, entry=row.pk, shown=row.revision, text="reworded", **BY)
    bank.refresh_from_db()
    shown = shown_board(bank, Choice(measure="vital", before=old))
    (only,) = causes(shown, secret=True)
    assert (only["text"], only["before"], only["change"]) == ("reworded", "v1", "replaced")
    assert only["shares"] == pytest.approx({"x": -0.5, "y": 0})


def test_secret_entries_have_no_text_for_others(bank):
    old = bank.revision
    decided(bank, "o1", state="retired", secret=True)
    shown = shown_board(bank, Choice(measure="all", before=old))
    assert [row["text"] for row in causes(shown, secret=False)] == [None]


def test_an_impact_equals_the_board_after_the_decision(bank):
    before = values(shown_board(bank, Choice()))
    shown = shown_board(bank, Choice(measure="vital"))
    found = impacts(shown.board, "vital", entry(bank, "v2").key, ["edit", "retire", "okay"])
    expected = {one.decision: one.differences for one in found}
    assert expected["edit"] == pytest.approx({"x": -0.25})
    decided(bank, "v2", importance="okay")
    after = values(shown_board(bank, Choice()))
    for system in ("x", "y"):
        change = after[system, "vital"] - before[system, "vital"]
        assert expected["okay"].get(system, 0) == pytest.approx(change)
    decided(bank, "v2", state="retired")
    after = values(shown_board(bank, Choice()))
    assert expected["retire"]["x"] == pytest.approx(after["x", "vital"] - before["x", "vital"])


def test_the_last_entry_takes_its_topic_along():
    bank = bank_with({"t1": {"v1": "vital"}, "t2": {"w1": "vital"}}, ["x", "y"])
    grade(study_of(bank), lambda s, t, e: float((s == "x") == (t == "t1")))
    board = shown_board(bank, Choice(measure="vital")).board
    (retired,) = impacts(board, "vital", entry(bank, "v1").key, ["retire"])
    assert retired.differences == {"x": -0.5, "y": 0.5}
    assert retired.leaders == ("x", "y")


def test_an_impact_is_on_a_measure_that_counts_the_entry(bank):
    measures = {}
    for text in ("v1", "o1"):
        shown, found = impact_of(bank, entry(bank, text), Choice())
        measures[text] = shown.choice.measure
        assert found[0].differences
    assert measures == {"v1": "strict vital", "o1": "strict all"}


def test_support_is_that_of_the_cited_statements_of_the_corpus(bank):
    """Of four statements three cite: precision is over the three, recall over the four."""
    corpus = bank.corpus
    topic = corpus.topics.get()
    for n in (1, 2):
        topic.passages.create(key=f"p{n}", rank=n, text="Text.")
    for response in corpus.responses.exclude(key="t1/z"):
        in_sections(response)
    file = load("statement-support")
    study = create_study(
        slug="cited", title="c", corpus=corpus, instruments=[file], seed=1, contact="Rita"
    )
    write_plans(study=study, plans=plans_of(study=study, seed=1))
    rater = register(name="Ann", kind="expert", team=study.team)
    given = {"Statement 1a.": 1.0, "Statement 1b.": 0.5, "Statement 2a.": 1.0}
    slots = ItemSlot.objects.filter(item__study=study, segment__response__key="t1/x")
    for item, text in slots.values_list("item", "segment__text"):
        Judgment.objects.create(
            rater=rater, item_id=item, question=study.questions.get(), raw="x", value="x",
            score=given[text], first_at=NOW, answered_at=NOW,
        )  # fmt: skip
    found = values(shown_board(bank, Choice()))
    assert found["x", "support precision"] == pytest.approx(2.5 / 3)
    assert found["x", "support recall"] == pytest.approx(2.5 / 4)
    assert found["y", "support precision"] == 0  # cited and not judged
    assert found["x", "all"] == 0.5


def test_a_deleted_corpus_leaves_no_board_behind(bank):
    shown_board(bank, Choice())
    kept = Kept.objects.filter(cache_key__contains=board_cache_prefix(bank.pk))
    assert kept.exists()
    signals.deleting.send(sender=Corpus, of=bank.corpus)
    assert not kept.exists()


def test_a_board_is_compared_with_the_official_order():
    systems = ["w", "x", "y", "z"]
    bank = bank_with(NUGGETS, systems)
    grade(study_of(bank), lambda s, t, e: float("zyxw".index(s) >= {"v1": 1, "v2": 2, "o1": 3}[e]))
    scores = {"w": 4, "x": 3, "y": 2, "z": 1}
    OfficialOrder.objects.create(corpus=bank.corpus, name="track", values=scores, better="higher")
    rows = {row["measure"]: row for row in agreements(shown_board(bank, Choice()))}
    assert (rows["all"]["rho"], rows["all"]["tau"], rows["all"]["tau_ap"]) == (1, 1, 1)
    assert rows["all"]["top"][1] == 1


@pytest.mark.parametrize(
    "choice",
    [
        Choice(pool="all"),
        Choice(measure="best"),
        Choice(before=99),
        Choice(revision=-1),
        Choice(k=0),
    ],
)
def test_what_a_board_cannot_have_is_refused(bank, choice):
    with pytest.raises(Refusal):
        shown_board(bank, choice)


def test_the_page_shows_the_board_and_its_change(bank, researcher):
    old = bank.revision
    decided(bank, "o1", state="retired")
    page = researcher.get(address(bank), {"before": old, "measure": "all"}).content.decode()
    for hook in ("data-answer", 'data-system="x"', "data-changed", 'data-cause="retired"'):
        assert hook in page
    refused = researcher.get(address(bank), {"before": "9x"})
    assert (refused.status_code, "data-refused" in refused.content.decode()) == (422, True)


def test_a_bank_without_grades_has_a_page(researcher):
    bank = bank_with(NUGGETS, ["x"])
    assert researcher.get(address(bank)).status_code == 200
    one = entry(bank, "v1").pk
    page = researcher.get(address(bank, f"entries/{one}/impact/"), **HTMX).content.decode()
    assert "data-decision" not in page


def test_the_form_of_an_entry_loads_the_impact_of_each_decision(bank, researcher):
    one = entry(bank, "v1").pk
    here = address(bank, f"entries/{one}/")
    assert f'hx-get="{here}impact/"' in researcher.get(here).content.decode()
    assert f'hx-get="{here}impact/"' in researcher.get(f"{here}?edit", **HTMX).content.decode()
    for headers in ({}, HTMX):
        page = researcher.get(f"{here}impact/", **headers).content.decode()
        assert [f'data-decision="{d}"' in page for d in ("edit", "retire", "okay", "vital")] == [
            True, True, True, False,
        ]  # fmt: skip


def test_viewers_see_the_board_and_no_impact(bank, client):
    viewer = User.objects.create_user("vera")
    Membership.objects.create(team=bank.corpus.team, user=viewer, role=Role.VIEWER)
    client.force_login(viewer)
    assert client.get(address(bank)).status_code == 200
    one = entry(bank, "v1").pk
    assert client.get(address(bank, f"entries/{one}/impact/")).status_code == 403


def test_the_api_and_the_command_have_the_same_board(bank, researcher):
    wanted = as_json(shown_board(bank, Choice()))
    wanted = json.loads(json.dumps(wanted))
    assert researcher.get(f"/api{address(bank)}").json() == wanted
    out = io.StringIO()
    call_command("bank_board", bank.corpus.slug, "b", "--json", stdout=out)
    assert json.loads(out.getvalue()) == wanted
    printed = io.StringIO()
    call_command("bank_board", bank.corpus.slug, "b", "--before", "1", stdout=printed)
    assert len(printed.getvalue().splitlines()) > 1 + len(wanted["rows"])
    one = entry(bank, "v1").pk
    impact = researcher.get(f"/api{address(bank, f'entries/{one}/impact/')}").json()
    assert [row["decision"] for row in impact["decisions"]] == ["edit", "retire", "okay", "avoid"]
    assert researcher.get(f"/api{address(bank)}?measure=none").status_code == 400


@pytest.mark.parametrize("options", [["nothing"], ["b", "--before", "99"]])
def test_the_command_refuses_in_a_sentence(bank, options):
    with pytest.raises(CommandError):
        call_command("bank_board", Corpus.objects.get().slug, *options)


def nuggetizer_means(lines):
    """Return nuggetizer's four global metrics of a file of assignments, by plain loops."""
    points = {"support": 1.0, "partial_support": 0.5}
    sums = {"strict_vital": [], "strict_all": [], "vital": [], "all": []}
    for line in lines:
        nuggets = json.loads(line)["nuggets"]
        vital = [nugget for nugget in nuggets if nugget["importance"] == "vital"]
        for name, part in (("vital", vital), ("all", nuggets)):
            given = [points.get(nugget["assignment"], 0.0) for nugget in part]
            sums[name].append(sum(given) / len(part) if part else 0.0)
            full = sum(value == 1 for value in given)
            sums[f"strict_{name}"].append(full / len(part) if part else 0.0)
    return {name: sum(each) / len(each) for name, each in sums.items()}


def test_our_assignments_give_nuggetizers_scores(bank):
    """Vital supported, vital partial, okay not: .5, 1/3, .75, .5 in nuggetizer 0.0.5."""
    lines = [line for line in assignments(bank, Choice()) if json.loads(line)["run_id"] == "x"]
    expected = {"strict_vital": 0.5, "strict_all": 1 / 3, "vital": 0.75, "all": 0.5}
    assert nuggetizer_means(lines) == pytest.approx(expected)
    assert json.loads(lines[0])["answer_text"] == "x on t1."


def test_assignments_leave_out_avoided_and_secret_entries_and_name_missing_grades(bank):
    study = bank.instruments.get().study
    grade(study, lambda s, t, e: 0.5 if (s, e) == ("z", "v1") else None, name="Ben")
    decided(bank, "o1", secret=True)
    decided(bank, "v2", importance="avoid")
    decided(bank, "v1", importance="")
    (line,) = [line for line in assignments(bank, Choice()) if json.loads(line)["run_id"] == "z"]
    (nugget,) = json.loads(line)["nuggets"]
    assert nugget == {"text": "v1", "importance": "okay", "assignment": "partial_support"}
    decided(bank, "v2", importance="vital")
    (line,) = [line for line in assignments(bank, Choice()) if json.loads(line)["run_id"] == "z"]
    assert [n["assignment"] for n in json.loads(line)["nuggets"]] == ["partial_support", "failed"]


def test_our_assignments_are_read_as_labels_again(bank, researcher, tmp_path):
    file = tmp_path / "assignments.jsonl"
    answer = researcher.get(f"/api{address(bank, 'assignments/')}")
    file.write_bytes(answer.content)
    other = study_of(bank, slug="again")
    rater = register(name="file", kind="model", model="m", team=other.team)
    report = import_labels(study=other, path=file, rater=rater, now=NOW)
    assert report.added == 6
    people, models = (values(shown_board(bank, Choice(pool=p))) for p in ("people", "models"))
    assert people == models
    out = io.StringIO()
    call_command(
        "bank_board", bank.corpus.slug, "b", "--pool", "people", "--assignments", stdout=out
    )
    assert out.getvalue() == file.read_text()
