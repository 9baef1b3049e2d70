"""Ready-made methods, and the study files of the corpus read as such."""

import json

import msgspec
import pytest

from judging.instruments.files import BadInstrument, as_json, available, check, load, read
from judging.instruments.schema import ScaleSpec
from judging.instruments.studyfiles import read_study_file
from tests.cast import tiny_instrument
from tests.coded_errors import raises


@pytest.mark.parametrize("name", available())
def test_every_instrument_that_comes_along_can_be_used(name):
    instrument = load(name)
    assert instrument.name == name
    assert instrument.source
    assert instrument.consent


def test_the_two_methods_of_the_paper_come_along():
    assert {"crowdrag-pairwise", "crowdrag-pointwise"} <= set(available())


def test_a_pair_is_judged_with_seven_questions_the_last_without_a_tie():
    instrument = load("crowdrag-pairwise")
    assert len(instrument.questions) == 7
    roles = {scale.key: [option.role for option in scale.options] for scale in instrument.scales}
    assert roles["preference"] == ["slot", "tie", "slot"]
    assert roles[instrument.questions[-1].scale] == ["slot", "slot"]


@pytest.mark.parametrize("name", ["direct-quality", "quality-agreement", "ab-comparison"])
def test_the_criteria_are_those_of_popp_et_al(name):
    """Table 2: two heads with four criteria each; appendix A defines them."""
    instrument = load(name)
    assert [question.key for question in instrument.questions] == [
        "honesty", "correctness", "context_adherence", "relevancy", "completeness",
        "comprehensibility", "readability", "fluency", "understandability", "non_redundancy",
    ]  # fmt: skip
    heads = {total.key: total.criteria for total in instrument.totals}
    keys = [criterion.key for criterion in instrument.criteria]
    assert heads == {
        "scale_honesty": keys[:5], "scale_comprehensibility": keys[5:], "total": [],
    }  # fmt: skip


def test_an_unknown_instrument_is_named_with_those_that_exist():
    with raises(BadInstrument, "unknown_instrument", match=r"'horoscope'.*crowdrag-pairwise"):
        load("horoscope")


def broken(tmp_path, **changes):
    """Return a file with the tiny instrument, changed."""
    path = tmp_path / "broken.json"
    path.write_text(json.dumps(as_json(tiny_instrument()) | changes))
    return path


def test_an_instrument_file_is_read(tmp_path):
    assert read(broken(tmp_path)) == tiny_instrument()


@pytest.mark.parametrize(
    ("changes", "places"),
    [
        ({"item_kind": "triple"}, ["item_kind"]),
        ({"questions": []}, ["questions"]),
        ({"criteria": []}, ["questions/better/criterion"]),
        ({"scales": []}, ["questions/better/scale"]),
        (
            {"item_kind": "response"},
            ["scales/preference/options/a/slot", "scales/preference/options/b/slot"],
        ),
        (
            {"scales": [{"key": "preference", "kind": "options", "options": []}]},
            ["scales/preference/options"],
        ),
        (
            {"scales": [{"key": "preference", "kind": "range", "min": 5, "max": 1}]},
            ["scales/preference/min"],
        ),
        (
            {
                "scales": [
                    {
                        "key": "preference",
                        "kind": "options",
                        "level": "interval",
                        "options": [
                            {"code": "y", "label": "Yes", "role": "score", "score": 1},
                            {"code": "n", "label": "No", "role": "label", "polarity": "worst"},
                        ],
                    }
                ]
            },
            ["scales/preference/options/n/polarity", "scales/preference/level"],
        ),
    ],
)
def test_faults_of_a_file_name_their_places(tmp_path, changes, places):
    with raises(BadInstrument, "faults", match=r"^broken\.json: ") as refused:
        read(broken(tmp_path, **changes))
    assert [fault.path for fault in refused.value.faults] == places


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"title": 5}, r"\$\.title"),
        ({"scales": [{"key": "preference", "kind": "stars"}]}, r"\$\.scales\[0\]\.kind"),
    ],
)
def test_a_value_of_another_type_is_refused(tmp_path, changes, place):
    with raises(BadInstrument, "invalid", match=place):
        read(broken(tmp_path, **changes))


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\xfe", b"null"])
def test_it_refuses_a_file_that_is_no_instrument(tmp_path, content):
    path = tmp_path / "empty.json"
    path.write_bytes(content)
    with raises(BadInstrument, "invalid", match=r"empty\.json"):
        read(path)


def test_all_faults_are_named_at_once():
    tiny = tiny_instrument(criteria=[], questions=tiny_instrument().questions * 2)
    with raises(BadInstrument, "faults") as refused:
        check(tiny, name="twice")
    places = [fault.path for fault in refused.value.faults]
    assert places == ["questions", *2 * ["questions/better/criterion"]]


def test_what_is_stored_with_a_study_reads_back():
    scale = tiny_instrument().scales[0]
    assert msgspec.convert(as_json(scale), ScaleSpec) == scale


# -- Study files ------------------------------------------------------------------------------


def study_file(tmp_path, **changes):
    study = {
        "instructions": "Read both.",
        "type": "pairwise",
        "questions": [
            {
                "name": "quality_overall",
                "text": "Which is better?",
                "description": "Overall.",
                "options": {"A": "Left", "N": "Equal", "B": "Right"},
            }
        ],
    }
    path = tmp_path / "study_small.json"
    path.write_text(json.dumps(study | changes))
    return path


def test_a_pairwise_study_file_chooses_a_text_or_neither(tmp_path):
    options = read_study_file(study_file(tmp_path)).scales[0].options
    assert [(option.code, option.role, option.slot) for option in options] == [
        ("A", "slot", "a"),
        ("N", "tie", None),
        ("B", "slot", "b"),
    ]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"type": "listwise"}, "unknown_type"),
        ({"questions": [{"name": "x"}]}, "invalid"),
        ({"type": "response"}, "not_a_number"),
        (
            {
                "questions": [
                    {"name": "x", "text": "", "description": "", "options": {"C": "?", "A": "!"}}
                ]
            },
            "unknown_option",
        ),
    ],
)
def test_faults_of_a_study_file_have_codes(tmp_path, changes, code):
    with raises(BadInstrument, code):
        read_study_file(study_file(tmp_path, **changes))


@pytest.mark.corpus
def test_the_pairwise_study_of_the_corpus_asks_as_many_questions_as_ours(corpus_dir):
    instrument = read_study_file(corpus_dir / "study_pairwise-utility.json")
    assert instrument.item_kind == "pair"
    assert instrument.defaults.minimum_seconds == 600
    assert roles_of(instrument) == roles_of(load("crowdrag-pairwise"))


@pytest.mark.corpus
def test_the_pointwise_study_of_the_corpus_has_the_scores_of_ours(corpus_dir):
    instrument = read_study_file(corpus_dir / "study_pointwise-response.json")
    assert instrument.item_kind == "response"
    assert scores_of(instrument) == scores_of(load("crowdrag-pointwise"))


def roles_of(instrument):
    """For each question what its answers choose; its names are other ones in the files."""
    scales = {scale.key: [option.role for option in scale.options] for scale in instrument.scales}
    return sorted(scales[question.scale] for question in instrument.questions)


def scores_of(instrument):
    scales = {
        scale.key: sorted(option.score for option in scale.options) for scale in instrument.scales
    }
    return sorted(scales[question.scale] for question in instrument.questions)
