"""Every instrument that comes along, from `create_study` through a crowd to the exported files."""

from io import StringIO

import pytest
from django.core.management import call_command

from annotation.models import Assignment, Study
from judging.instruments.files import available, load
from judging.models import Judgment
from tests.cast import in_sections, small_corpus

# The steps of an analysis are handed out when they are committed, and a test in a transaction never
# commits: `analyse` would wait for them for ever.
pytestmark = pytest.mark.django_db(transaction=True)


def corpus():
    """Two topics, each with four responses in sections, and three passages."""
    made = small_corpus(topics=2, responses=4)
    for topic in made.topics.all():
        for rank in (1, 2, 3):
            text = f"Passage {rank} tells of {topic.query}"
            topic.passages.create(key=f"p{rank}", rank=rank, text=text)  # the same in both topics
    for response in made.responses.all():
        in_sections(response)
    return made


def command(name, *arguments, **options):
    output = StringIO()
    call_command(name, *arguments, stdout=output, **options)
    return output.getvalue()


@pytest.mark.parametrize("name", available())
def test_it_goes_from_its_file_to_exported_files(name, tmp_path):
    corpus()
    options = {"corpus": "lamps", "instrument": name, "items": 4, "quota": 3}
    output = command("create_study", "lamps", launch=True, contact="Rita", **options)
    assert "Participant link: " in output
    output = command("simulate", "lamps", workers=40, seed=2)
    study = Study.objects.get()
    places = sum(task.quota for batch in study.batches.all() for task in batch.tasks.all())
    done = study.assignments.filter(state=Assignment.State.SUBMITTED)
    assert 0 < done.count() <= places
    assert {item.kind for item in study.items.all()} == {load(name).item_kind}
    asked = set(study.questions.values_list("key", flat=True))
    assert set(Judgment.objects.values_list("question__key", flat=True)) == asked
    command("close_batch", "lamps")
    assert "run " in command("analyse", "lamps", draws=20)
    written = command("export", "lamps", out=tmp_path)
    assert "DATA.md" in {file.name for file in tmp_path.iterdir()}
    assert f"{Judgment.objects.count():,} rows" in written
