"""The unit of analysis: what each question does, on which items, and answered by whom."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.exports.exporting import write_bundle
from analysis.inputs import frames
from analysis.inputs.measures import Does, measures_of
from analysis.pages.results import findings_json
from analysis.runs import findings
from annotation.models import Study
from judging.answering import recording
from judging.answering.scales import canonical, level_of, polarity_of
from judging.instruments.files import load
from judging.instruments.schema import OptionSpec, QuestionSpec, ScaleSpec
from judging.items import drawing
from judging.items.kinds import KINDS, Holds, ItemKind, Slot
from judging.models import Criterion, Instrument, Item, ItemSlot, Judgment
from tests.analysis.exports.exported import table
from tests.analysis.inputs.measured import measure, measure_of
from tests.analysis.runs.polls import analysed, poll
from tests.cast import MINUTE, NOW, begun, small_study, tiny_instrument, worker

STARS = ScaleSpec(
    "stars", "options", options=[OptionSpec(n, n, "score", score=int(n)) for n in "123"]
)
SLIDER = ScaleSpec("slider", "range", min=0, max=100)
KINDS_OF_TEXT = ScaleSpec(
    "kinds", "options", options=[OptionSpec(code, code, "label") for code in ("how", "why")]
)
PLACES = [OptionSpec(slot, f"Text {slot}", "slot", slot) for slot in "abcd"]
BEST = ScaleSpec("best", "options", options=PLACES)
WORDS = ScaleSpec("words", "text")


def question(key, arity="item"):
    return QuestionSpec(key, "better", key, f"{key.capitalize()}?", arity=arity)


def every_way(*, analysis=None):
    """Blocks of four, on which three workers answer in every way there is."""
    study = small_study(
        instrument=tiny_instrument(
            name="best-worst",
            item_kind="block",
            scales=[STARS, SLIDER, BEST, KINDS_OF_TEXT, WORDS],
            questions=[
                question("stars", arity="slot"),
                question("slider"),
                question("best", arity="choose"),
                question("kinds"),
                question("words"),
            ],
        ),
        responses=8, quota=9, batch={"closes_when_full": False}, analysis=analysis or {},
    )  # fmt: skip
    for n, name in enumerate(("bob", "dora", "emil")):
        work = begun(study, worker(name))
        shown = drawing.draw_presentations(assignment=work)
        by_key = sorted(shown, key=lambda each: each.item.key)
        answers = [
            recording.GivenAnswer(each.position, *given)
            for at, each in enumerate(by_key)
            for given in (
                *(("stars", str(1 + (n + at + k) % 3), slot) for k, slot in enumerate("abcd")),
                ("slider", str(40 + 10 * at + n)),
                ("best", "a"),
                ("kinds", ("how", "why")[(n + at) % 2]),
                ("words", "Fine."),
            )
        ]
        recording.record(assignment=work, answers=answers, now=NOW)
        recording.submit(assignment=work, now=NOW + MINUTE)
    return study


# -- What a question does ----------------------------------------------------------------------


@pytest.mark.django_db
def test_a_question_does_what_its_scale_says():
    found = {each.key: (each.does, each.level, each.kind) for each in measures_of(every_way())}
    assert found == {
        "stars": (Does.SCORES, "ordinal", "block"),
        "slider": (Does.SCORES, "interval", "block"),
        "best": (Does.CHOOSES, "nominal", "block"),
        "kinds": (Does.LABELS, "nominal", "block"),
        "words": (Does.TELLS, "nominal", "block"),
    }


@pytest.mark.django_db
def test_two_texts_that_change_places_are_compared():
    assert measure_of(poll({})).does == Does.COMPARES


def test_vote_for_the_worse_text_prefers_the_other():
    assert measure("a", "n", "b").outcomes == {"a": 1, "n": 0, "b": -1}
    better = measure("a", "b").options
    worse = tuple(type(each)(each.label, each.title, polarity="worst") for each in better)
    assert type(measure())(**{**vars(measure()), "options": worse}).outcomes == {"a": -1, "b": 1}


@pytest.mark.django_db
def test_vote_for_neither_text_lies_between_them():
    """Ordinal agreement reads the order: pages that show ties last make them no far end."""
    instrument = load("ab-comparison")
    assert [option.role for option in instrument.scales[0].options] == [
        "slot", "slot", "tie", "both_bad",
    ]  # fmt: skip
    found = measure_of(small_study(instrument=instrument), "honesty")
    assert (found.does, found.level, found.labels) == (Does.COMPARES, "ordinal", tuple("anxb"))


@pytest.mark.parametrize(
    "name",
    ["crowdrag-pairwise", "crowdrag-pointwise", "best-worst", "nuggets", "retrieval-relevance"],
)
def test_a_scale_that_does_not_say_has_the_level_of_its_kind(name):
    for scale in load(name).scales:  # they say what they would have had
        silent = {
            "kind": scale.kind,
            "options": [{"role": option.role} for option in scale.options],
        }
        assert level_of(silent) == scale.level


def test_a_scale_has_the_level_that_it_says():
    assert level_of({"kind": "range", "level": "ordinal"}) == "ordinal"


def test_an_option_that_does_not_say_so_is_the_worst_by_a_score_below_zero():
    for scale in load("best-worst").scales:
        for option in scale.options:
            silent = {"role": "slot", "score": option.score}
            assert polarity_of(silent) == option.polarity == scale.key
    assert polarity_of({"role": "tie"}) == ""


@pytest.mark.django_db
def test_questions_on_one_criterion_have_titles_of_their_own():
    study = small_study(instrument="best-worst", responses=4, quota=1)
    titles = [each.title for each in measures_of(study)]
    assert [title.partition(" (")[2] for title in titles] == ["best)", "worst)"]


# -- Which measure it is -----------------------------------------------------------------------


@pytest.mark.django_db
def test_a_measure_is_called_as_its_question_where_that_is_the_only_one():
    assert [each.key for each in measures_of(poll({}))] == ["better"]
    assert [each.key for each in measures_of(Study.objects.get(), pool="models")] == [
        "better@models"
    ]


@pytest.mark.django_db
def test_one_key_in_two_instruments_is_two_measures():
    study = poll()
    question = study.questions.get()
    other = Instrument.objects.get(pk=question.instrument_id)
    other.pk, other.key, other.position = None, "other", 2
    other.save()
    question.pk, question.instrument, question.position = None, other, 9
    question.save()
    own, second = measures_of(study)
    assert (own.key.endswith(".better"), second.key) == (True, "other.better")
    assert second.title == f"{question.criterion.name} (other)"
    _, models = measures_of(study, pool="models")
    assert models.title == f"{question.criterion.name} (other, models)"
    assert len(frames.votes(study=study, measure=own)) == 12
    assert frames.votes(study=study, measure=second).empty


# -- One run for all of them ------------------------------------------------------------------


@pytest.mark.django_db
def test_one_run_has_every_measure():
    run = analysed(every_way(analysis={"draws": 20}))
    assert run.state == "done"
    assert {key for key in run.inputs if not key.startswith("(")} == {
        "stars", "slider", "best", "kinds"
    }  # fmt: skip
    alphas = findings.tables(run, "agreement", "agreement")
    alphas = alphas[(alphas["measure"] == "alpha") & (alphas["resampled"] == "items")]
    assert alphas.set_index("question")["level"].to_dict() == {
        "stars": "ordinal", "slider": "interval", "best": "nominal", "kinds": "nominal",
    }  # fmt: skip
    assert alphas.set_index("question").loc["slider", "value"] > 0.9
    assert any("Better (words)" in remark for remark in run.remarks)


@pytest.mark.django_db
def test_a_range_for_one_text_has_means_and_ratings(tmp_path):
    study = small_study(
        instrument=tiny_instrument(
            name="crowdrag-pointwise", item_kind="response",
            scales=[SLIDER], questions=[question("slider")],
        ),
        responses=2, quota=2, analysis={"draws": 20},
    )  # fmt: skip
    for name, number in (("bob", "40"), ("dora", "50")):
        work = begun(study, worker(name))
        answers = [
            recording.GivenAnswer(presentation.position, "slider", number)
            for presentation in drawing.draw_presentations(assignment=work)
        ]
        recording.record(assignment=work, answers=answers, now=NOW)
        recording.submit(assignment=work, now=NOW + MINUTE)
    run = analysed(study)
    assert set(findings_json.as_json(run)["means"]) == {"t1a", "t1b"}
    assert findings_json.as_json(run)["means"]["t1a"]["slider"]["value"] == 45.0
    manifest = write_bundle(study=study, out=tmp_path)
    rows = table(tmp_path / "ratings.csv")
    assert set(rows[0]) == {"submission_id", "query_id", "response", "worker", "slider_vote"}
    assert sorted(row["slider_vote"] for row in rows) == ["40", "40", "50", "50"]
    assert "no gold labels" in manifest.left_out["gold.csv"]


@pytest.mark.django_db
def test_the_digest_changes_with_an_answer_on_a_range():
    study = every_way()
    before = frames.digest(frames.votes(study=study, measure=measure_of(study, "slider")))
    one = Judgment.objects.filter(question__key="slider").first()
    Judgment.objects.filter(pk=one.pk).update(value="99", score=99)
    after = frames.digest(frames.votes(study=study, measure=measure_of(study, "slider")))
    assert before != after


# -- Slots -------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_the_text_that_was_chosen_of_four_is_a_slot_whatever_the_order():
    study = every_way()
    frame = frames.votes(study=study, measure=measure_of(study, "best"))
    assert set(frame["shown"].str[0]) > {"a"}  # everybody chose what stood in the first place
    assert (frame["value"] == frame["shown"].str[0]).all()
    assert frame[["a", "b", "c", "d"]].notna().all(axis=None)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("kind", "columns"),
    [
        ("response", ["response"]),
        ("passage", ["passage"]),
        ("passage_criterion", ["criterion", "passage"]),
        ("block", ["c", "d"]),
        ("statements", ["statement", "d1", "d2", "d10"]),
    ],
)
def test_a_frame_has_the_slots_of_its_kind(kind, columns, monkeypatch):
    documents = Slot("d", "Document", holds=Holds.PASSAGE, repeated=True)
    statement = Slot("statement", "Statement", holds=Holds.SEGMENT)
    monkeypatch.setitem(KINDS, "statements", ItemKind("statements", (statement, documents)))
    study = poll({"bob": "aab"})
    passage = study.corpus.topics.first().passages.create(key="p1", rank=1, text="Oil.")
    item = study.items.first()
    Item.objects.update(kind=kind)
    Instrument.objects.update(item_kind=kind)
    ItemSlot.objects.filter(item__study=study).delete()
    response = study.corpus.responses.first()
    segment = response.segments.create(kind="statement", line=3, text="Oil.")
    contents = {
        "statement": {"segment": segment}, "criterion": {"criterion": Criterion.objects.get()},
    } | {key: {"response": response} for key in ("response", "c", "d")}  # fmt: skip
    for at, name in enumerate(columns):
        ItemSlot.objects.create(
            item=item, name=name, position=at, **contents.get(name, {"passage": passage})
        )
    frame = frames.votes(study=study, measure=measure_of(study))
    assert list(frame.columns) == [*frames.VOTES, *columns]
    row = frame.set_index("item").loc[item.key]
    keys = {"statement": "t1a:3", "criterion": "better", "response": "t1a", "c": "t1a", "d": "t1a"}
    assert [row[name] for name in columns] == [keys.get(name, "p1") for name in columns]
    others = frame.set_index("item").drop(item.key)
    assert others[columns].isna().all(axis=None)


def test_no_slot_is_called_as_a_column_of_votes():
    names = {slot.name for kind in KINDS.values() for slot in kind.slots}
    assert names & set(frames.VOTES) == {"a", "b"}


@given(st.data())
def test_a_choice_is_canonical_under_any_order_of_any_number_of_slots(data):
    places = tuple("abcdefgh"[: data.draw(st.integers(2, 8))])
    shown = tuple(data.draw(st.permutations(places)))
    place = data.draw(st.sampled_from(places))
    contents = {slot: f"text {slot}" for slot in places}
    options = [{"code": f"c{place}", "role": "slot", "slot": place} for place in places]
    answer = canonical(
        spec={"kind": "options", "options": options},
        raw=f"c{place}", shown=shown, places=places, contents=contents,
    )  # fmt: skip
    frame = frames.pd.DataFrame({"raw": [answer.raw], "value": [answer.value]} | contents)
    chosen = measure(choosing=frozenset(option["code"] for option in options))
    labels = frames._labels(frame, chosen, places)
    assert labels[0] == shown[places.index(place)]
