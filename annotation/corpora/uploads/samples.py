"""A sample of each kind of file. Together they are a small corpus; the table is one by itself."""

from pathlib import Path
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from annotation.corpora.schema import RowKind

FOLDER = Path(__file__).parent / "samples"


class SampleFile(NamedTuple):
    """A file that can be copied or kept, and what its columns are."""

    kind: RowKind
    title: "str | Promise"
    said: "str | Promise"

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
            gettext_lazy("One table of answers"),
            gettext_lazy(
                "question, answer, system (who answered); perhaps passages (what the answer "
                "cites, as a list), topic, response. Each row is an answer. Nothing else is "
                "needed: topics are made from the questions, systems from the names, and what has "
                "no id is numbered by Crowdwright."
            ),
        ),
        SampleFile(
            RowKind.TOPICS,
            gettext_lazy("Topics"),
            gettext_lazy("topic (the id), query; perhaps description"),
        ),
        SampleFile(
            RowKind.PASSAGES,
            gettext_lazy("Passages"),
            gettext_lazy("topic, passage (the id), text; perhaps rank, title"),
        ),
        SampleFile(
            RowKind.SYSTEMS,
            gettext_lazy("Systems"),
            gettext_lazy("system (the id), name; perhaps origin (human or llm)"),
        ),
        SampleFile(
            RowKind.RESPONSES,
            gettext_lazy("Responses"),
            gettext_lazy(
                "response (the id), topic, text; perhaps system, origin (human or llm), style "
                "(bullet, essay or news; free if it has none). A text cites the passages of its "
                "topic from 0: [0] is the passage of rank 1, unless you say otherwise."
            ),
        ),
        SampleFile(
            RowKind.RANKINGS,
            gettext_lazy("Rankings"),
            gettext_lazy("system, topic, passage, rank; perhaps score"),
        ),
    )
}
