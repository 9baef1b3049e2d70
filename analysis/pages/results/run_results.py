"""Results of a run as pages read them, with the words for codes."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import Any, TypeVar

import pandas as pd
from django.core.cache import cache
from django.db.models.fields.json import KeyTransform
from django.urls import reverse
from django.utils.translation import get_language

from analysis.exports.readable_tables import CODES, Words
from analysis.inputs.analysis_input import without_flat_intervals
from analysis.inputs.definition import offered_analyses
from analysis.inputs.measures import Does, Measure, measures_of
from analysis.inputs.scorers import comparing_scorer, scored_measures
from analysis.inputs.settings import OF_WORKERS, PEOPLE, RANKINGS, TIES, in_force
from analysis.models import AnalysisRun, Result
from analysis.plots.text_fitting import percent
from analysis.runs import findings
from analysis.stats.effects.cost import LEAST_PAYMENTS
from annotation.corpora.text_names import text_name
from judging.items.kinds import Holds, item_kind

# Of which works there have to be enough, by the table: those of whose pay it speaks.
WORKS = {("cost", "units"): "payments", ("cost", "wage"): "assignments"}
RANGES = (
    "Rank ranges follow from {percent} intervals for strengths over the participants of a topic."
)
RANGES_OF_LABELS = (
    "Rank ranges are {percent} bootstrap intervals over pairs; they ignore the uncertainty of "
    "labels."
)


DRAWN = "new topics and raters, or for these raters on new topics (labels, or fewer than 10 raters)"
DRAWN_TOPICS = "new topics (bootstrap)"


KEPT_SECONDS = 24 * 60 * 60
T = TypeVar("T")
COMPARED = ("group", "other")  # columns of what was not compared
MOST_NAMED = 4  # of what a sentence is said: of more it says how many


@dataclass
class RunResults:
    """Results of a run; its tables and derived values are cached on the object."""

    run: AnalysisRun
    _tables: dict[tuple[str, str], pd.DataFrame] = field(default_factory=dict)
    _kept: dict[str, tuple[Any]] = field(default_factory=dict)

    @cached_property
    def measures(self) -> list[Measure]:
        """Measures of the study, in the order of its questions."""
        return measures_of(self.run.study, pool=self.run.pool)

    @cached_property
    def scored(self) -> list[Measure]:
        """Measures that give scores; the best and the worst are one together."""
        return scored_measures(self.measures)

    def called(self, question: str) -> str:
        """Return the name of a score by this measure, where groups are compared by it."""
        how = self.run.parameters
        return next((comparing_scorer(m, how).name for m in self.scored if m.key == question), "")

    def possible(self, question: str) -> tuple[float, float] | None:
        """Return the limits of the scores, where they are known; no axis exceeds them."""
        how = self.run.parameters
        ranges = (comparing_scorer(m, how).possible for m in self.scored if m.key == question)
        return next(ranges, None)

    def ends(self, question: str) -> tuple[float, float] | None:
        """Return the ends of the scale whose ratings are averaged; None for other scores."""
        if self.called(question) != "score":
            return None
        return next((m.ends for m in self.scored if m.key == question), None)

    @cached_property
    def scores_called(self) -> str:
        """Name of the scores of all measures together, such as merits."""
        how = self.run.parameters
        names = dict.fromkeys(comparing_scorer(measure, how).name for measure in self.scored)
        return " and ".join(f"{name}s" for name in names)

    @cached_property
    def scores_said(self) -> str:
        """Description of the scores that compare systems."""
        how = self.run.parameters
        scorers = dict.fromkeys(comparing_scorer(measure, how) for measure in self.scored)
        phrases = [f"{self.scores_called} over topics", *(scorer.said for scorer in scorers)]
        if any(item_kind(m.kind).subject.holds == Holds.PASSAGE for m in self.scored):
            phrases.append("a passage counts for the responses that cite it")
        return "; ".join(phrases)

    @cached_property
    def said(self) -> dict[str, str]:
        """Values for the placeholders in texts of analyses."""
        ranking = self.parameters["ranking"]
        ranges = RANGES if ranking in OF_WORKERS else RANGES_OF_LABELS
        return {
            "neither": self._neither,
            "percent": self.percent,
            "scores": self.scores_said,
            "drawn": DRAWN_TOPICS if self.parameters["compat"] else DRAWN,
            "ties": TIES[self.parameters["ties"]],
            "ranked_by": RANKINGS.get(ranking, ranking),
            "ranges": ranges.format(percent=self.percent),
        }

    @property
    def _neither(self) -> str:
        """Sentence that several answers count as a tie; '' unless a question has several."""
        titles = [
            dict.fromkeys(option.title for option in m.options if not m.outcomes[option.label])
            for m in self.measures
            if m.does == Does.COMPARES
        ]
        several = next((list(names) for names in titles if len(names) > 1), [])
        return f"{' and '.join(f'“{name}”' for name in several)} count as ties. " if several else ""

    @cached_property
    def words(self) -> Words:
        names = {measure.key: measure.title for measure in [*self.measures, *self.scored]}
        return Words(questions=names, codes=CODES, systems=self.systems, confidence=self.confidence)

    @cached_property
    def systems(self) -> dict[str, str]:
        """Current names of the systems, by key."""
        return dict(self.run.study.corpus.systems.values_list("key", "name"))

    def named(self, columns: Collection[str]) -> dict[str, Mapping[str, str]]:
        """Return the names of the keys in columns of a table."""
        names: dict[str, Mapping[str, str]] = {}
        if "topic" in columns:
            names["topic"] = self._topics
        if "response" in columns:
            names["response"] = self._responses
        if "unit" in columns:  # a text or a system
            names["unit"] = self.systems
        return names

    @cached_property
    def _topics(self) -> dict[str, str]:
        return dict(self.run.study.corpus.topics.values_list("key", "query"))

    @cached_property
    def _responses(self) -> dict[str, str]:
        texts = self.run.study.corpus.responses.values_list(
            "key", "system__name", "origin", "style"
        )
        return {key: text_name(*who) for key, *who in texts}

    @cached_property
    def pages(self) -> dict[str, str]:
        """Addresses of the things that columns name, with {} for the key."""
        named = {"topic": "topic_page", "response": "response_page"}
        if self.run.pool == PEOPLE:  # others may have no page
            named |= {"worker": "worker_page", "other_worker": "worker_page"}
        at = [self.run.study.slug, self.run.study.version]
        return {
            column: reverse(page, args=[*at, "@"]).replace("@", "{}")
            for column, page in named.items()
        }

    @property
    def confidence(self) -> float:
        return self.run.confidence

    @cached_property
    def parameters(self) -> dict[str, Any]:
        """All parameters of the run, with defaults."""
        return in_force(self.run.parameters)

    @property
    def percent(self) -> str:
        """Confidence as pages write it: 95%."""
        return percent(self.confidence)

    @cached_property
    def missing(self) -> list[tuple[str, str, str]]:
        """Reasons as (analysis, question, sentence)."""
        return findings.missing(self.run)

    @cached_property
    def analyses(self) -> set[str]:
        """Analyses of the run."""
        return set(self.run.steps.order_by().values_list("analysis", flat=True).distinct())

    @cached_property
    def people(self) -> str:
        """Digest of the people whose work counts now; tables of raters omit all others."""
        return sha256("\n".join(sorted(findings.people_of(self.run))).encode()).hexdigest()

    @cached_property
    def _state(self) -> str:
        """Digest of what may change after the run: the counted people, and names."""
        names = [f"{key}={name}" for key, name in sorted(self.systems.items())]
        parts = (str(self.run.finished_at), self.people, get_language() or "", *names)
        return sha256("\n".join(parts).encode()).hexdigest()

    def kept(self, name: str, make: Callable[[], T]) -> T:
        """Return the result of `make` from the cache that all servers share.

        A running run has no final tables, so nothing is cached. Deleting a run deletes its cache
        (analysis/receivers.py).
        """
        if self.run.finished_at is None:
            return make()
        if name in self._kept:
            (value,) = self._kept[name]
            return value  # type: ignore[no-any-return]
        key = f"{self.run.kept_under}{name}:{self._state}"
        stored: tuple[T] | None = cache.get(key)  # a tuple: what is found may be None
        if stored is None:
            stored = (make(),)
            cache.set(key, stored, KEPT_SECONDS)
        self._kept[name] = stored
        return stored[0]

    @cached_property
    def _undefined(self) -> dict[str, list[tuple[str, dict[str, Any]]]]:
        """Questions and rows without a value, by analysis."""
        reasons: dict[str, list[tuple[str, dict[str, Any]]]] = {}
        results = Result.objects.filter(step__run=self.run, missing="").order_by("step")
        for analysis, question, data in results.values_list(
            "step__analysis", "step__question", KeyTransform("undefined", "data")
        ):
            rows = data["rows"] if data else []
            reasons.setdefault(analysis, []).extend(
                (question, dict(zip(data["columns"], row, strict=True))) for row in rows
            )
        return reasons

    def without(self, analysis: str) -> set[str]:
        """Return the questions for which an analysis has rows without a value."""
        return {question for question, _ in self._undefined.get(analysis, [])}

    @property
    def computed(self) -> set[str]:
        """Analyses that have a result for some question."""
        return set(self._undefined)

    @property
    def headline(self) -> str:
        """Question of the summary: the one on overall quality, or else the last."""
        keys = [measure.key for measure in self.scored] or list(self.words.questions)
        return next((key for key in keys if "overall" in key), keys[-1] if keys else "")

    def table(self, analysis: str, name: str) -> pd.DataFrame:
        """Return a table, empty and without columns if the run has none."""
        key = (analysis, name)
        if key not in self._tables:
            keys: Sequence[str] = list(self.words.questions)
            frame = findings.tables(self.run, analysis, name, questions=keys)
            self._tables[key] = without_too_few(analysis, name, frame)
        return self._tables[key]

    def read(self, analysis: str, names: Sequence[str]) -> None:
        """Read several tables at once that `table` returns later."""
        keys: Sequence[str] = list(self.words.questions)
        wanted = [name for name in names if (analysis, name) not in self._tables]
        if not wanted:
            return
        for name, frame in findings.several_tables(
            self.run, analysis, wanted, questions=keys
        ).items():
            self._tables[analysis, name] = without_too_few(analysis, name, frame)

    def records(self, analysis: str, name: str, **where: Any) -> list[dict[str, Any]]:
        """Return the rows that have these values."""
        rows = findings.records(self.table(analysis, name))
        return [row for row in rows if all(row.get(key) == value for key, value in where.items())]

    def sentences(self, analysis: str, titles: Mapping[str, str] | None = None) -> list[str]:
        """Return why results of an analysis are missing, each reason once.

        `titles` are those of its tables by name.
        """
        questions_by_reason: dict[
            str, dict[str, list[str]]
        ] = {}  # reason -> of what -> of which questions
        for name, question, reason in self.missing:
            if name == analysis:
                questions_by_reason.setdefault(reason, {}).setdefault("", []).append(question)
        for question, row in self._undefined.get(analysis, []):
            table = (titles or {}).get(row.get("table", ""))
            told = row | {"table": table} if table else row
            # The name of a group says by what it is grouped.
            others = ("reason", *COMPARED, *(["by"] if row.get("group") else []))
            about = [question, *(value for key, value in told.items() if key not in others)]
            parts = [part for value in about if value for part in self._parts(value)]
            question_key = next((part for part in parts if part in self.words.questions), "")
            names = [self._said(part) for part in parts if part != question_key]
            if compared := [row[name] for name in COMPARED if row.get(name)]:
                names.append(" and ".join(map(self.words.of_group, compared)))
            what = ", ".join(dict.fromkeys(names))
            questions_by_reason.setdefault(row["reason"], {}).setdefault(what, []).append(
                question_key
            )
        return [
            said_of(reason, self._about(about)) for reason, about in questions_by_reason.items()
        ]

    def hides_intervals(self, analysis: str) -> bool:
        """Return whether intervals of an analysis appear only when the study is closed."""
        offered = offered_analyses().get(analysis)
        if offered is None or not self.run.is_sequential or analysis not in self.computed:
            return False
        kept = offered.sequential and not self.run.compat
        return offered.grows_with(self.run.study.kind) and not kept

    def _parts(self, value: str) -> list[str]:
        """Return the parts of a test, a question and perhaps a style: "overall, bullet"."""
        front, comma, rest = value.partition(", ")
        return [front, rest] if comma and front in self.words.questions else [value]

    def _said(self, part: str) -> str:
        """Return the word for a code, or the code without underscores."""
        word = self.words.of(part)
        return word.replace("_", " ") if word == part else word

    def _about(self, said: Mapping[str, list[str]]) -> list[str]:
        """Return the subjects of a reason; questions only if not all of them share it."""
        names = []
        for what, questions in said.items():
            titles = list(
                dict.fromkeys(self.words.of(question) if question else "" for question in questions)
            )
            if len(titles) == len(self.measures) > 1:
                titles = [""]
            names += [", ".join(filter(None, (title, what))) for title in titles]
        return names if all(names) else []


def said_of(reason: str, about: list[str]) -> str:
    """Return the reason after its subjects."""
    names = list(dict.fromkeys(name for name in about if name))
    if not names:
        return reason
    if len(names) > MOST_NAMED:
        return f"{'; '.join(names[:2])}; and {len(names) - 2:,} more: {reason}"
    return f"{'; '.join(names)}: {reason}"


def without_too_few(analysis: str, name: str, frame: pd.DataFrame) -> pd.DataFrame:
    """Return a stored table without intervals over too few works, or of no width.

    Earlier versions computed them; stored tables and their files keep them.
    """
    frame = without_flat_intervals(frame)
    works = WORKS.get((analysis, name), "")
    if not {works, "low", "high"} <= set(frame):
        return frame
    enough = frame[works] >= LEAST_PAYMENTS
    return frame.assign(low=frame["low"].where(enough), high=frame["high"].where(enough))
