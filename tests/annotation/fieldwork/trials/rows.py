"""What stands in the database, to see that nothing of a trial is left."""

from typing import Any

import msgspec
from django.apps import apps

from annotation.studies.drafts import making
from annotation.studies.drafts.kinds import kind_of
from tests.cast import small_corpus

# That somebody tried stays, and the open page of a draft says who is there.
KEPT = {"annotation.AuditEntry", "annotation.DraftVisit", "annotation.Kept"}
KEPT |= {"annotation.Foreseen", "analysis.Forecast"}  # what Plan found


def rows() -> dict[str, int]:
    """Table -> how many rows it has."""
    models = apps.get_models(include_auto_created=True)
    return {
        model._meta.label: model._base_manager.count()
        for model in models
        if model._meta.label not in KEPT
    }


def writing_document(**said: Any) -> Any:
    corpus = small_corpus(slug="letters", topics=3)
    for topic in corpus.topics.all():
        for rank in range(1, 4):
            text = f"Lamp {rank} shines by itself. It is lit by gas. It was dear."
            topic.passages.create(key=f"{topic.key}p{rank}", rank=rank, text=text * 3)
    document = making.document_of_methods(
        kind="writing",
        instruments=[kind_of("writing").load("crowdrag-writing")],
        title="Letters",
        corpus=corpus,
    )
    return msgspec.structs.replace(document, contact="Rita, University of Lamps", **said)
