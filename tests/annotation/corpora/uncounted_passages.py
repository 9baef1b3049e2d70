"""Passages of the days when nobody had counted their words (`tests.earlier`)."""

from typing import Any

BEFORE = [("annotation", "0050_a_redo_that_ran_out_waits_again")]
PAIRS = "pairs"  # the study of tests.judging.older_studies, which has a corpus
TOPIC = "uncounted"
MANY = 1001  # more than are counted at once, and one more


def fill(old: Any) -> dict[str, Any]:
    corpus = old.get_model("annotation", "Study").objects.get(slug=PAIRS).corpus
    topic = old.get_model("annotation", "Topic").objects.create(
        corpus=corpus, key=TOPIC, query="Who counts?"
    )
    old.get_model("annotation", "Passage").objects.bulk_create(
        old.get_model("annotation", "Passage")(
            topic=topic, key=f"p{rank}", rank=rank, text=" lamp\n" * (rank % 7)
        )
        for rank in range(1, MANY + 1)
    )
    return {}


def today() -> dict[str, Any]:
    from annotation.models import Passage

    rows = Passage.objects.filter(topic__key=TOPIC).order_by("rank")
    found = list(rows.values_list("rank", "words"))
    Passage.objects.filter(topic__key=TOPIC).delete()
    return {"words": found}
