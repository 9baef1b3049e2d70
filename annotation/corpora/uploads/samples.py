"""A sample of each kind of file. Together they are a small corpus; the table is one by itself."""

from pathlib import Path
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from annotation.corpora.schema import RowKind

FOLDER = Path(__file__).parent / "samples"


class SampleFile(NamedTuple):
    """A file to copy or download, and its columns."""

    kind: RowKind
    title: "str | Promise"
    columns: "str | Promise"

    @property
    def path(self) -> Path:
        return FOLDER / f"{self.kind}.csv"

    @property
    def name(self) -> str:
        return "answers.csv" if self.kind is RowKind.TABLE else self.path.name

    @property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")


SAMPLES = {
    sample.kind: sample
    for sample in (
        SampleFile(
            RowKind.TABLE,
            gettext_lazy("Table of answers"),
            gettext_lazy(
                "question, answer, system. Optional: topic, response (IDs), passages (cited)."
            ),
        ),
        SampleFile(
            RowKind.TOPICS,
            gettext_lazy("Topics"),
            gettext_lazy("topic (ID), query. Optional: description."),
        ),
        SampleFile(
            RowKind.PASSAGES,
            gettext_lazy("Passages"),
            gettext_lazy("topic, passage (ID), text. Optional: rank, title."),
        ),
        SampleFile(
            RowKind.SYSTEMS,
            gettext_lazy("Systems"),
            gettext_lazy("system (ID), name. Optional: origin (human or llm)."),
        ),
        SampleFile(
            RowKind.RESPONSES,
            gettext_lazy("Answers"),
            gettext_lazy(
                "response (ID), topic, text. Optional: system, origin, style. [0] cites the "
                "first passage."
            ),
        ),
        SampleFile(
            RowKind.RANKINGS,
            gettext_lazy("Rankings"),
            gettext_lazy("system, topic, passage, rank. Optional: score."),
        ),
    )
}
