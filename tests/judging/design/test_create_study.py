"""`create_study`: a study from an instrument, previewed before anything is written."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Batch, Study, Task
from annotation.studies.batching import NotReady
from annotation.studies.creating import StudyExists
from judging.design.material import texts_of
from judging.instruments import files as instruments
from judging.models import Item, Question
from tests.cast import bob, draft_study, small_corpus, submitted
from tests.coded_errors import command_ends

pytestmark = pytest.mark.django_db

PAIRS = {"corpus": "lamps", "instrument": "crowdrag-pairwise"}

# As the study definitions of Gienapp et al. (SIGIR 2025) are written; the words are ours.
STUDY_FILE = {
    "instructions": "Read **both** texts.",
    "type": "pairwise",
    "questions": [
        {
            "name": "clarity",
            "text": "Which one is clearer?",
            "description": "Short sentences.",
            "options": {"A": "Left", "N": "Equal", "B": "Right"},
            "justification": False,
        }
    ],
}


def create(slug="study", **options):
    output = StringIO()
    call_command("create_study", slug, stdout=output, **(PAIRS | options))
    return output.getvalue()


@pytest.fixture
def corpus():
    return small_corpus(topics=3, responses=4)


@pytest.mark.usefixtures("corpus")
class TestTheDesign:
    def test_the_preview_writes_nothing(self):
        output = create(pay="2.50", reversed=0)
        assert "3 topics, 18 items (0 reversed), 2 questionnaires x 5 workers" in output
        assert "10 assignments, 630 judgments" in output
        assert "pay 2.50" in output
        assert "total 25.00" in output
        assert "Nothing was written" in output
        assert not Study.objects.exists()
        assert not Item.objects.exists()

    def test_only_texts_of_the_systems_that_are_named_are_judged(self, corpus):
        for letter, key in zip("abc", ("ash", "birch", "cedar"), strict=True):
            system = corpus.systems.create(key=key, name=key)
            corpus.responses.filter(key__endswith=letter).update(system=system)
        output = create(system=["ash", "cedar"], reversed=0, write=True)
        assert "3 topics, 3 items" in output
        texts = set(Item.objects.values_list("slots__response__system__key", flat=True))
        assert texts == {"ash", "cedar"}
        with pytest.raises(CommandError, match=r"'elm'.*\bash, birch"):
            create(slug="other", system="elm")

    def test_write_makes_what_the_preview_promised(self):
        assert "Nothing was written" not in create(write=True, reversed=0)
        study = Study.objects.get()
        assert (study.launched_at, study.batches.get().state) == (None, Batch.State.DRAFT)
        assert (study.items.count(), Task.objects.count()) == (18, 2)
        assert study.questions.count() == 7
        assert all(task.places.count() == 5 for task in Task.objects.all())

    def test_launch_lets_workers_in(self):
        output = create(launch=True, reversed=0, contact="Rita, rita@example.org")
        study = Study.objects.get()
        assert f"Participant link: http://localhost:8000{study.public_path}" in output
        assert study.batches.get().state == Batch.State.OPEN
        assert submitted(study, bob()).state == "submitted"

    def test_a_launch_on_prolific_says_the_whole_address_and_the_codes(self):
        output = create(launch=True, recruitment="prolific", contact="Rita, rita@example.org")
        study = Study.objects.get()
        ids = ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID")
        query = "&".join(f"{name}={{{{%{name}%}}}}" for name in ids)
        assert f"Participant link: http://localhost:8000/s/study/?{query}\n" in output
        assert f"Completion code: {study.completion_code}\n" in output
        assert f"Code without consent: {study.no_consent_code}\n" in output

    def test_a_draft_is_launched_with_what_was_edited(self):
        create(write=True, reversed=0, pay="2.50", contact="Rita, rita@example.org")
        draft = Study.objects.get()
        draft.instructions, draft.title = "Read twice.", "Which lamp?"
        draft.save()
        output = create(launch=True, reversed=0, pay="2.50", contact="Rita, rita@example.org")
        study = Study.objects.get()
        assert study.launched_at is not None
        assert (study.version, study.instructions, study.title) == (1, "Read twice.", "Which lamp?")
        assert study.batches.get().state == Batch.State.OPEN
        assert "unchanged: 2 tasks, 10 places, 2.50 USD each" in output
        assert f"Participant link: http://localhost:8000{study.public_path}" in output
        assert submitted(study, bob()).state == "submitted"

    def test_launching_a_draft_wants_no_other_option(self):
        create(write=True, contact="Rita, rita@example.org")
        call_command("create_study", "study", launch=True, stdout=StringIO())
        assert Study.objects.get().launched_at is not None

    def test_the_contact_may_be_said_when_a_draft_is_launched(self):
        create(write=True)
        with command_ends(NotReady, "no_contact"):
            create(launch=True)
        assert Study.objects.get().launched_at is None
        create(launch=True, contact="Rita, rita@example.org")
        assert "Rita, rita@example.org" in Study.objects.get().consent

    def test_no_draft_is_launched_that_says_otherwise_than_the_command(self):
        create(write=True, pay="2.50", contact="Rita, rita@example.org")
        with pytest.raises(CommandError, match=r"--pay 3\.00 .*2\.50"):
            create(launch=True, pay="3.00")
        assert Study.objects.get().launched_at is None

    def test_a_draft_is_not_written_over(self):
        create(write=True)
        with command_ends(StudyExists, match="--launch"):
            create(write=True)

    def test_a_launched_study_is_not_launched_again(self):
        create(launch=True, contact="Rita, rita@example.org")
        with command_ends(StudyExists, match=r"'study'.*--new-version"):
            create(launch=True)

    def test_a_new_version_of_a_draft_starts_afresh(self):
        create(write=True)
        create(launch=True, new_version=True, contact="Rita, rita@example.org")
        versions = Study.objects.order_by("version").values_list("version", "launched_at")
        assert [(version, at is None) for version, at in versions] == [(1, True), (2, False)]

    def test_no_slug_stands_where_workers_read_a_title(self):
        create("which-lamp_is-best", write=True, reversed=0)
        assert Study.objects.get().title == "Which lamp is best"

    def test_the_settings_are_those_that_were_given(self):
        create(
            write=True,
            title="Which lamp?",
            items=4,
            quota=2,
            reversed=0,
            pay="1.20",
            currency="EUR",
            tasks_per_worker=3,
            recruitment="prolific",
            completion_code="LAMP1",
            seed=7,
            topics=2,
        )
        study = Study.objects.get()
        assert (study.title, study.seed, study.tasks_per_worker) == ("Which lamp?", 7, 3)
        assert (str(study.pay), study.currency) == ("1.20", "EUR")
        assert (study.recruitment, study.completion_code) == ("prolific", "LAMP1")
        assert study.items.values("topic").distinct().count() == 2
        assert {task.quota for task in Task.objects.all()} == {2}
        assert study.batches.get().design["seed"] == 7

    def test_the_same_seed_designs_the_same_study(self):
        keys = []
        for slug in ("one", "two", "three"):
            create(slug, write=True, seed=2 if slug == "three" else 1, topics=2, reversed=0)
            study = Study.objects.get(slug=slug)
            keys.append(
                [
                    list(task.items.order_by("task_items__position").values_list("key", flat=True))
                    for task in Task.objects.filter(batch__study=study)
                ]
            )
        assert keys[0] == keys[1] != keys[2]

    def test_a_share_of_the_pairs_is_shown_in_reverse(self):
        assert "24 items (6 reversed)" in create(reversed=0.334, items=3)

    def test_scores_are_asked_of_every_response(self):
        create(write=True, instrument="crowdrag-pointwise")
        assert Item.objects.filter(kind="response").count() == 12

    def test_a_study_file_of_the_paper_is_an_instrument(self, tmp_path):
        path = tmp_path / "clarity.json"
        path.write_text(json.dumps(STUDY_FILE))
        create(write=True, instrument=str(path), reversed=0)
        question = Question.objects.get()
        assert (question.key, question.text) == ("clarity", "Which one is clearer?")
        options = question.scale.spec["options"]
        assert [(option["code"], option["role"]) for option in options] == [
            ("A", "slot"),
            ("N", "tie"),
            ("B", "slot"),
        ]
        assert Study.objects.get().instructions == "Read **both** texts."

    def test_an_instrument_of_ones_own_is_read_from_its_file(self, tmp_path):
        path = tmp_path / "own.json"
        path.write_text(
            json.dumps(
                instruments.as_json(instruments.load("crowdrag-pointwise")) | {"name": "own"}
            )
        )
        create(write=True, instrument=str(path))
        assert Study.objects.get().instrument == "own"

    @pytest.mark.parametrize(
        ("options", "shown"),
        [
            ({"corpus": None}, "--corpus"),
            ({"instrument": None}, "--instrument"),
            ({"corpus": "candles"}, r"'candles'.*\blamps\b"),
            ({"instrument": "tarot"}, "tarot"),
            ({"instrument": "nowhere/tarot.json"}, "nowhere/tarot.json"),
            ({"pay": "much"}, "--pay .*'much'"),
            ({"pay": "-1"}, "--pay"),
            ({"pay": "NaN"}, "--pay"),
            ({"pay": "12345678"}, "--pay"),
            ({"topics": 9}, "topics"),
            ({"topics": 0}, "topics"),
            ({"items": -3}, r"\b1\b"),
            ({"quota": -1}, "quota|workers"),
            ({"reversed": 2.0}, "reversed"),
            ({"tasks_per_worker": 0}, "tasks-per-worker"),
            ({"slug": "no slug!"}, "slug"),
            ({"currency": "EURO"}, "currency"),
        ],
    )
    def test_what_cannot_be_is_one_sentence(self, options, shown):
        with pytest.raises(CommandError, match=shown) as refusal:
            create(**({"write": True, "slug": "study"} | options))
        assert "\n" not in str(refusal.value)
        assert not Study.objects.exists()

    @pytest.mark.parametrize(
        "content",
        [
            "{",
            "[]",
            json.dumps(STUDY_FILE | {"type": "listwise"}),
            json.dumps(STUDY_FILE | {"questions": []}),
            json.dumps(
                STUDY_FILE | {"questions": [STUDY_FILE["questions"][0] | {"options": {"Z": "?"}}]}
            ),
        ],
    )
    def test_a_file_that_is_no_instrument_is_one_sentence(self, content, tmp_path):
        path = tmp_path / "broken.json"
        path.write_text(content)
        with pytest.raises(CommandError, match=r"broken\.json|Option 'Z'"):
            create(write=True, instrument=str(path))
        assert not Study.objects.exists()


def test_a_slug_that_is_taken_is_one_sentence():
    draft_study(slug="lamps")
    with command_ends(StudyExists, match=r"'lamps'.*--new-version"):
        create("lamps", write=True)


def test_without_any_corpus_it_says_so():
    with pytest.raises(CommandError, match="'lamps'"):
        create()


def test_a_corpus_without_pairs_cannot_be_compared():
    small_corpus(topics=2, responses=1)
    with pytest.raises(CommandError):
        create(write=True)
    assert texts_of(small_corpus(slug="empty", topics=0)) == []
    with pytest.raises(CommandError):
        create(write=True, corpus="empty")
