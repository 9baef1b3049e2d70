"""Documents in view by the score that raters of another study gave them.

A document names another study of the corpus (`documents_scored_in`), a question of it
(`documents_scored_on`), a pool (`documents_scored_by`), and the least score of documents in view.
The launch copies the scores (`freezing`): later changes have no effect.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import floor
from typing import Any

from django.db.models import Count, Max, QuerySet, Sum
from django.utils.translation import gettext, ngettext

from annotation.models import Batch, Corpus, Study, Topic
from annotation.models.studies import StudyQuerySet
from annotation.studies.drafts.kinds import instruments_of
from annotation.studies.drafts.paths import joined, names
from annotation.studies.drafts.schema import Document
from annotation.studies.instruments import Fault
from annotation.texts.sentences import Sentence
from annotation.texts.translation import translated_error
from judging.designers.designs import DealtDesign, UndealtDesign, shows_documents
from judging.designers.questionnaires import CannotDesign
from judging.instruments.copying import figures_of
from judging.instruments.schema import InstrumentFile
from judging.items.kinds import KINDS
from judging.models import Instrument, Judgment, Question, Scale
from judging.raters.pools import Pool, UnknownPool, pool_of

AT_LEAST, IN, ON, BY, ANNOTATIONS = (
    "documents_scored_at_least",
    "documents_scored_in",
    "documents_scored_on",
    "documents_scored_by",
    "documents_annotations",
)
ITEMS = "passage"  # the kind of items of which a question gives a passage by itself a score
MOST_NAMED = 20  # topics


class NoDocumentScores(CannotDesign):
    """Refusal of scores for documents; `field` is the wrong setting."""

    def __init__(self, field: str, sentence: str) -> None:
        self.field = field
        super().__init__("no_document_scores", sentence)


@dataclass(frozen=True)
class ScoreSource:
    """Source of scores: a question of a study, answered by a pool of raters."""

    study: Study
    question: Question
    pool: Pool

    @property
    def judgments(self) -> "QuerySet[Judgment]":
        judgments = self.pool.judgments(study=self.study)
        return judgments.filter(question=self.question, score__isnull=False)

    @property
    def label_of(self) -> dict[int, str]:
        """The label of each score of a scale with options."""
        options = self.question.scale.spec.get("options", [])
        return {int(o["score"]): o["label"] for o in options if o.get("score") is not None}


def source_of(figures: Mapping[str, Any], *, corpus: Corpus) -> ScoreSource | None:
    """Return the source of an instrument with these figures, None without one. Raises NoScores."""
    if figures.get(AT_LEAST) is None:
        return None
    study = _study(figures[IN], corpus)
    question = _question(study, figures[ON])
    try:
        pool = pool_of(name=figures[BY], study=study)
    except UnknownPool as error:
        raise NoDocumentScores(BY, error.args[0]) from error
    return ScoreSource(study, question, pool)


def _study(name: str, corpus: Corpus) -> Study:
    if not name.strip():
        raise NoDocumentScores(IN, Sentence("Enter the study that scored the documents."))
    judging = Study.objects.filter(corpus=corpus, kind=Study.Kind.JUDGING)
    study = judging.named(name).first()
    if study is None:
        raise NoDocumentScores(
            IN,
            Sentence(
                "This corpus has no study {name!r}. Enter a link name and version, such as "
                "my-study/1.",
                name=name,
            ),
        )
    if study.batches.filter(state__in=Batch.RUNNING).exists():
        raise NoDocumentScores(
            IN,
            Sentence(
                "Close study {name} first.",
                name=name,
            ),
        )
    return study


def _question(study: Study, key: str) -> Question:
    rows = Question.objects.filter(
        instrument__study=study, instrument__item_kind=ITEMS, arity=Question.Arity.ITEM
    ).exclude(scale__kind=Scale.Kind.TEXT)
    every = [
        row
        for row in rows.select_related("instrument", "scale").order_by("position")
        if _is_whole(row.scale.spec)
    ]
    if not every:
        raise NoDocumentScores(
            IN,
            Sentence(
                "Study {study} doesn't score passages in whole numbers.",
                study=_name(study),
            ),
        )
    for question in every:
        if key.strip() in ("", question.key, f"{question.instrument.key}.{question.key}"):
            return question
    raise NoDocumentScores(
        ON,
        Sentence(
            "Question {key!r} in {study} doesn't score passages in whole numbers. Available: "
            "{known}.",
            study=_name(study),
            key=key,
            known=", ".join(question.key for question in every),
        ),
    )


def _is_whole(spec: Mapping[str, Any]) -> bool:
    """Return whether all scores of a scale are whole numbers."""
    if spec["kind"] == "range":
        return bool(spec["min"] % 1 == 0 and spec.get("step", 1) % 1 == 0)
    scores = [option["score"] for option in spec["options"] if option.get("score") is not None]
    return bool(scores) and all(score % 1 == 0 for score in scores)


def _name(study: Study) -> str:
    return f"{study.slug}/{study.version}"


def scores_of(source: ScoreSource) -> dict[int, int]:
    """Return the score of each passage: the mean of its raters, halves up, as in the qrels."""
    rows = source.judgments.order_by().values_list("item__slots__passage")
    sums = rows.annotate(n=Count("pk"), total=Sum("score"))
    return {passage: floor(total / n + 0.5) for passage, n, total in sums if passage is not None}


def reached(source: ScoreSource, *, at_least: int) -> dict[int, int]:
    """Return all scores if some reach the least one. Raises NoScores."""
    scores = scores_of(source)
    if not scores:
        raise NoDocumentScores(
            IN,
            Sentence(
                "{study} has no passage scores by {pool}.",
                study=_name(source.study),
                pool=source.pool,
            ),
        )
    if (highest := max(scores.values())) < at_least:
        raise NoDocumentScores(
            AT_LEAST,
            Sentence(
                "No document in {study} scores {at_least} or more. The highest score is {highest}.",
                at_least=at_least,
                study=_name(source.study),
                highest=highest,
            ),
        )
    return scores


def scores_for(figures: Mapping[str, Any], *, corpus: Corpus) -> dict[int, int]:
    """Return the scores of a new study with these figures. Raises NoScores."""
    source = source_of(figures, corpus=corpus)
    return reached(source, at_least=figures[AT_LEAST]) if source else {}


def kept_scores(instrument: Instrument) -> dict[int, int]:
    """Return the scores copied at the launch."""
    if instrument.design.get(AT_LEAST) is None:
        return {}
    return dict(instrument.document_scores.values_list("passage", "score"))


# -- What is said of them ----------------------------------------------------------------------


def score_faults(file: InstrumentFile, corpus: str) -> Iterator[Fault]:
    """Yield the faults of an instrument's source of scores, with paths below the instrument."""
    figures, kind = figures_of(file), KINDS.get(file.item_kind)
    if figures[AT_LEAST] is None or kind is None or not shows_documents(kind):
        return
    corpus_row = Corpus.objects.filter(slug=corpus).first()
    if corpus_row is None:
        return
    try:
        scores_for(figures, corpus=corpus_row)
    except NoDocumentScores as error:
        yield Fault(f"defaults/{error.field}", translated_error(error))


def said_of(made: UndealtDesign | DealtDesign) -> list[str]:
    """Return sentences on the documents in view of pairs, and on topics without any."""
    figures = made.parameters
    if figures.documents_scored_at_least is None:
        return []
    documents = {item.topic: len(item.contents) - 2 for item in made.items}
    low, high = min(documents.values()), max(documents.values())
    sentences = [
        ngettext(
            "Documents: {shown}, scored {at_least} or more in {study}.",
            "Documents per topic: {shown}, scored {at_least} or more in {study} ({topics} topics).",
            len(documents),
        ).format(
            at_least=figures.documents_scored_at_least,
            study=figures.documents_scored_in,
            shown=low if low == high else gettext("{low} to {high}").format(low=low, high=high),
            topics=len(documents),
        )
    ]
    if made.left_out:
        sentences.append(_left_out(made.left_out))
    return sentences


def _left_out(topics: Sequence[int]) -> str:
    rows = Topic.objects.filter(pk__in=topics).order_by("pk")
    keys = list(rows.values_list("key", flat=True)[:MOST_NAMED])
    more = len(topics) - len(keys)
    listed = ", ".join(keys)
    if more:
        listed = gettext("{listed} and {more} more").format(listed=listed, more=more)
    return ngettext(
        "Skipped {n} topic without such documents: {listed}.",
        "Skipped {n} topics without such documents: {listed}.",
        len(topics),
    ).format(n=len(topics), listed=listed)


# -- Other studies that a document draws on ----------------------------------------------------


def drawn_on(document: Document) -> Iterator[tuple[str, str]]:
    """Yield the path of each setting that names another study, with the name."""
    files: Iterable[InstrumentFile] = instruments_of(document)
    for name, file in zip(names(document.instruments), files, strict=True):
        if file.defaults.documents_scored_in.strip():
            at = joined("instruments", name, "defaults", IN)
            yield at, file.defaults.documents_scored_in


def state_of(document: Document) -> list[Any]:
    """Return numbers that differ once the scores behind a document have changed."""
    numbers: list[Any] = []
    for file in instruments_of(document):
        if file.defaults.documents_scored_at_least is None:
            continue
        corpus = Corpus.objects.filter(slug=document.corpus).first()
        if corpus is None:
            continue
        try:
            source = source_of(figures_of(file), corpus=corpus)
        except NoDocumentScores as error:
            numbers.append(str(error))
            continue
        assert source is not None  # a score is asked for
        counted = {"n": Count("pk"), "sum": Sum("pk"), "last": Max("answered_at")}
        now = source.judgments.order_by().aggregate(**counted, total=Sum("score"))
        numbers.append([source.study.pk, source.question.pk, *map(str, now.values())])
    return numbers


def offered(document: Document, studies: StudyQuerySet) -> dict[str, list[str]]:
    """Return by path the studies whose passage scores an instrument could use."""
    asks = studies.filter(kind=Study.Kind.JUDGING, instruments__item_kind=ITEMS)
    asks = asks.filter(corpus__slug=document.corpus).exclude(batches__state__in=Batch.RUNNING)
    studies_by_path: dict[str, list[str]] = {}
    for name, file in zip(names(document.instruments), instruments_of(document), strict=True):
        kind = KINDS.get(file.item_kind)
        if kind is not None and shows_documents(kind):
            names_of_studies = asks.distinct().values_list("slug", "version")
            at = joined("instruments", name, "defaults", IN)
            studies_by_path[at] = sorted(f"{slug}/{version}" for slug, version in names_of_studies)
    return studies_by_path
