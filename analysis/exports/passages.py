"""Graded passages in the files of Rubric, and as qrels and runs of TREC.

The grades are those of the first question about passages and points (entries of a bank).
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

import pandas as pd
from django.db.models import QuerySet

from analysis.exports.cells import number
from analysis.exports.export_column import TEXT, Columns, ExportColumn, lines
from analysis.exports.kept_passages import Exams, KeptPassages
from analysis.exports.source import CannotExport, ExportSource
from analysis.inputs import judged_items
from analysis.stats.retrieval.coverage import GRADES, By, qrels_of
from annotation.corpora.formats import rubric, trec
from annotation.models import Passage, Ranking, Study, Topic
from judging.banks.secrets import secret_keys
from judging.instruments.entries import entry_text
from judging.models import Criterion, PassageFile, Question, Scale
from judging.raters.pools import EVERYBODY, Pool

KIND = "passage_criterion"
KINDS = (KIND, "passage")  # what a run can be compared with
WELL = 4  # the grade from which a passage is relevant by threshold
RIGHT = 1  # the grade from which an entry counts as answered, as Rubric counts
RUN_FILE = "run_"
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9._-]")
BANK = (
    ExportColumn("query_id", TEXT, "", "key of the topic"),
    ExportColumn(
        "items", TEXT, "",
        "the entries: nugget_id (topic and md5 of the text) and nugget_text",
    ),
)  # fmt: skip
PARAGRAPHS = lines(
    "key of the topic and its graded passages; exam_grades contains the grades of each rater "
    "(llm is the pseudonym), paragraph_data the rankings"
)
QREL_LINES: dict[By, Columns] = {
    "maximum": lines("topic, 0, passage, its highest grade"),
    "count": lines("topic, 0, passage, number of entries with grade 1 or more"),
    "threshold": lines("topic, 0, passage, 1 if an entry has grade 4 or more, else 0"),
}
RUN = lines("topic, Q0, passage, rank, score (strictly decreasing), system")


class Grade(NamedTuple):
    """Grade of a passage on a criterion by a rater."""

    topic: str
    passage: str
    criterion: str
    rater: str
    kind: str
    grade: int
    comment: str


def question_of(study: Study, *, kind: str = KIND) -> Question | None:
    """Return the question that grades passages on points, or items of another kind."""
    questions = Question.objects.filter(
        instrument__study=study, instrument__item_kind=kind, arity=Question.Arity.ITEM
    ).exclude(scale__kind=Scale.Kind.TEXT)
    return questions.select_related("scale").order_by("instrument__position", "position").first()


def is_on_points(source: ExportSource, *, kind: str = KIND) -> bool:
    """Return whether a question grades passages on points, or items of another kind."""
    return any(
        question.item_kind == kind and not question.per_slot and question.kind != Scale.Kind.TEXT
        for question in source.questions
    )


# -- Whether there is anything -----------------------------------------------------------------
def on_points(source: ExportSource) -> None:
    """Raise CannotExport (no_point_grades)."""
    if not is_on_points(source) or not _topics(source).exists():
        raise CannotExport(
            "no_point_grades",
            f"Study {source.study.slug} has no numeric grades of passages on entries, so it has no "
            "files for Rubric and trec_eval.",
        )


def for_trec(source: ExportSource) -> None:
    """Raise CannotExport (no_point_grades, white_space_in_key, no_passage_grades)."""
    on_points(source)
    of_words(source)
    require_grades(source)


def require_grades(source: ExportSource) -> None:
    """Raise CannotExport (no_passage_grades) if the pool of the run has no answers."""
    pool = Pool(source.run.pool) if source.run else Pool()
    if not pool.judgments(study=source.study).exists():
        raise CannotExport(
            "no_passage_grades",
            f"Study {source.study.slug} has no passage grades by {pool}.",
        )


def of_words(source: ExportSource) -> None:
    """Raise CannotExport if the key of a topic or passage contains white space."""
    passages = Passage.objects.filter(topic__in=_topics(source))
    for keys in (_topics(source).values_list("key"), passages.values_list("key")):
        for (key,) in keys.iterator():
            _require_word(key)


def ranked(source: ExportSource) -> None:
    """Raise CannotExport (white_space_in_key, no_runs), also if no question is about passages."""
    of_words(source)
    systems = _rankings(source).values_list("system__key", flat=True).distinct()
    for key in systems:
        _require_word(key)
    if not systems:
        raise CannotExport(
            "no_runs", f"Study {source.study.slug} has no runs: no system ranked its passages."
        )


def _require_word(key: str) -> None:
    if key.split() != [key]:
        raise CannotExport(
            "white_space_in_key",
            f"TREC files are separated by white space, so keys can't contain any: {key!r}.",
        )


def _topics(source: ExportSource) -> "QuerySet[Topic]":
    about = source.study.items.filter(kind__in=KINDS).values("topic")
    return Topic.objects.filter(pk__in=about).order_by(judged_items.in_order("key"))


def _rankings(source: ExportSource) -> "QuerySet[Ranking]":
    rankings = Ranking.objects.filter(topic__in=_topics(source).order_by())
    return rankings.order_by(
        judged_items.in_order("system__key"), judged_items.in_order("topic__key"), "rank"
    )


def grades(source: ExportSource, pool: Pool, *, once: bool = False) -> Iterator[Grade]:
    """Yield the grades by raters of a pool, by item, without answers that are no whole number.

    With `once`, each person counts once per item, as in the analysis. Words that a rater extracted
    stand in the place of the comment.
    """
    question = question_of(source.study)
    same = {"instrument": question.instrument_id if question else None}
    of_text = set(
        Question.objects.filter(scale__kind=Scale.Kind.TEXT, **same).values_list("pk", flat=True)
    )
    rows = source.judged(details=True, pool=pool)
    for item in rows:
        extracted = {vote.worker: vote.value for vote in item.votes if vote.question in of_text}
        votes = [vote for vote in item.votes if question and vote.question == question.pk]
        for vote in source.of_persons(votes) if once else votes:
            grade = number(vote.value)
            if isinstance(grade, int):
                passage, criterion = item.contents["passage"], item.contents["criterion"]
                words = extracted.get(vote.worker, "") or vote.comment
                yield Grade(item.topic, passage, criterion, vote.worker, vote.kind, grade, words)


# -- TREC --------------------------------------------------------------------------------------
def qrels(source: ExportSource, by: By) -> Iterator[str]:
    """Yield one line per graded passage: the mean over raters of an entry, halves up."""
    pool = Pool(source.run.pool) if source.run else Pool()
    rows = [(*grade[:3], grade.grade) for grade in grades(source, pool, once=True)]
    frame = pd.DataFrame(rows, columns=list(GRADES))
    means = frame.groupby(["topic", "passage", "entry"])["grade"].mean().reset_index()
    means["grade"] = ((means["grade"] + 0.5) // 1).astype(int)
    grades_by_topic = qrels_of(means, by, level=WELL if by == "threshold" else RIGHT)
    yield from trec.written_qrels(
        trec.Graded(topic, passage, grade)
        for topic, graded in sorted(grades_by_topic.items())
        for passage, grade in sorted(graded.items())
    )


QRELS = {by: partial(qrels, by=by) for by in QREL_LINES}


def run_files(source: ExportSource) -> dict[str, str]:
    """Return the systems that rank passages, each by the name of its file without the ending.

    trec_eval takes a file for the run of one system, so each has a file of its own.
    """
    systems = _rankings(source).order_by().values_list("system__key", flat=True).distinct()
    files: dict[str, str] = {}
    for key in sorted(systems):
        stem = base = RUN_FILE + _NOT_IN_NAMES.sub("_", key)
        number = 2
        while stem in files:
            stem, number = f"{base}-{number}", number + 1
        files[stem] = key
    return files


def run(source: ExportSource, system: str) -> Iterator[str]:
    """Yield the lines of a system's ranking of the topics that the study is about."""
    rows = _rankings(source).filter(system__key=system)
    columns = ("system__key", "topic__key", "passage__key", "rank", "score")
    yield from trec.written_run(
        trec.RankedPassage(*row) for row in rows.values_list(*columns).iterator()
    )


# -- Rubric ------------------------------------------------------------------------------------
def banks(source: ExportSource) -> Iterator[rubric.RubricBank]:
    """Yield one bank per topic: the criteria that its passages are graded on.

    Secret entries of a bank are left out unless an owner chose them.
    """
    secret = frozenset() if source.secret else secret_keys(source.study)
    for topic in _topics(source):
        items = [
            rubric.RubricEntry(query_id=topic.key, nugget_id=key, nugget_text=_text(criterion))
            for criterion, key in _entries(source.study, topic)
            if key not in secret
        ]
        yield rubric.RubricBank(
            query_id=topic.key,
            test_collection=topic.corpus.slug,
            query_text=topic.query,
            hash=rubric.digest(topic.query),
            items=items,
        )


def _entries(study: Study, topic: Topic) -> list[tuple[Criterion, str]]:
    """Return the criteria of a topic with their ids in Rubric.

    An id is the md5 of the criterion's text, or the name in an imported file.
    """
    items = study.items.filter(kind=KIND, topic=topic)
    criteria = Criterion.objects.filter(pk__in=items.values("slots__criterion")).order_by("pk")
    return [
        (
            criterion,
            rubric.own_id(criterion.key, _text(criterion))
            if criterion.key.startswith(f"{topic.key}/")
            else rubric.entry_id(topic.key, _text(criterion)),
        )
        for criterion in criteria
    ]


def _text(criterion: Criterion) -> str:
    return entry_text(key=criterion.key, name=criterion.name, definition=criterion.definition)


def paragraphs(source: ExportSource) -> Iterator[Any]:
    """Yield the lines of each topic: graded passages by rank, with all grades.

    Lines of a file that the study imported come first, as they were where no grade changed.
    """
    hidden = frozenset() if source.secret else secret_keys(source.study)
    files = PassageFile.objects.filter(study=source.study)
    kept = KeptPassages(files, exams_of, hidden=hidden)
    by_topic: dict[str, dict[str, list[Grade]]] = defaultdict(lambda: defaultdict(list))
    for grade in grades(source, EVERYBODY):
        by_topic[grade.topic][grade.passage].append(grade)
    for topic in _topics(source):
        graded = by_topic[topic.key]
        names = {criterion.key: key for criterion, key in _entries(source.study, topic)}
        lines, present = kept.merged(topic.key, graded, names)
        yield from lines
        passages = topic.passages.filter(key__in=set(graded) - present).order_by("rank")
        if passages or not lines:
            yield topic.key, new_paragraphs(topic, passages, graded, names)


def new_paragraphs(
    topic: Topic,
    passages: Iterable[Passage],
    graded: Mapping[str, list[Grade]],
    names: dict[str, str],
    exams: Exams | None = None,
) -> list[rubric.Paragraph]:
    """Return passages that no imported file has, with their rankings and grades."""
    places = _places(topic)
    return [
        rubric.Paragraph(
            paragraph_id=passage.key,
            text=passage.text,
            paragraph_data=rubric.ParagraphData(judgments=[], rankings=places[passage.pk]),
            exam_grades=(exams or exams_of)(graded[passage.key], names),
        )
        for passage in passages
    ]


def _places(topic: Topic) -> dict[int, list[rubric.PassageRank]]:
    places: dict[int, list[rubric.PassageRank]] = defaultdict(list)
    rows = Ranking.objects.filter(topic=topic).order_by(judged_items.in_order("system__key"))
    for row in rows.select_related("system", "passage"):
        places[row.passage_id].append(
            rubric.PassageRank(
                method=row.system.key,
                paragraphId=row.passage.key,
                queryId=topic.key,
                rank=row.rank,
                score=-float(row.rank) if row.score is None else row.score,
            )
        )
    return places


def exams_of(
    graded: Iterable[Grade], names: dict[str, str], *, kind_of_entry: str = "nugget"
) -> list[rubric.ExamGrades]:
    """Return the grades of each rater, by name; entries in the order of the bank (`names`)."""
    by_rater: dict[tuple[str, str], list[Grade]] = defaultdict(list)
    order = {key: place for place, key in enumerate(names)}
    for grade_row in sorted(graded, key=lambda grade: order[grade.criterion]):
        by_rater[grade_row.rater, grade_row.kind].append(grade_row)
    exams = []
    for (rater, kind), rater_grades in sorted(by_rater.items()):
        well = [
            names[grade_row.criterion] for grade_row in rater_grades if grade_row.grade >= RIGHT
        ]
        exams.append(
            rubric.ExamGrades(
                correctAnswered=well,
                wrongAnswered=[
                    names[grade_row.criterion]
                    for grade_row in rater_grades
                    if grade_row.grade < RIGHT
                ],
                answers=[
                    (names[grade_row.criterion], grade_row.comment) for grade_row in rater_grades
                ],
                llm=rater,
                llm_options={"rater": kind},
                exam_ratio=len(well) / len(rater_grades),
                prompt_info={"prompt_class": "Crowdwright", "is_self_rated": True},
                self_ratings=[
                    rubric.SelfRating(
                        self_rating=grade_row.grade,
                        **{f"{kind_of_entry}_id": names[grade_row.criterion]},
                    )
                    for grade_row in rater_grades
                ],
                prompt_type=kind_of_entry,
            )
        )
    return exams
