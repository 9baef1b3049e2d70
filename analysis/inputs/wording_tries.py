"""Grades of the two wordings of an entry in a study that tried the new one. Only reads."""

from collections import defaultdict
from dataclasses import dataclass

from analysis.stats.retrieval.leaderboards import grade_levels, middle_of
from annotation.models import Ranking, Response, Study
from judging.answering.scales import ends_of
from judging.banks.trying_wordings import DEPTH, OF_ANSWERS, frame_of
from judging.models import ItemSlot, Judgment, MachineJudge
from judging.raters.cells import counted


@dataclass(frozen=True)
class WordingTry:
    """A new wording, and what a judge said about both wordings.

    texts: of each system, those that the sample was drawn from. covered: text -> covered by the
    earlier and by the new wording, where both were graded. asked: number of sampled texts.
    """

    study: Study
    judge: MachineJudge | None
    wording: str
    texts: dict[str, list[int]]
    covered: dict[int, tuple[bool, bool]]
    asked: int


def wording_try(study: Study, old: str, topic: int) -> WordingTry:
    """Return the newest judge's grades; `old` is the key of the earlier wording."""
    instrument = study.instruments.select_related("study__corpus").get()
    question = study.questions.select_related("scale").get()
    ends = ends_of(question.scale.spec) or (0.0, 1.0)
    of_answers = instrument.item_kind == OF_ANSWERS
    least = ends[1] if of_answers else middle_of(grade_levels(*ends))
    new = instrument.criteria.exclude(key=old).filter(topic=topic).get()
    judge = study.machine_judges.order_by("pk").last()
    grades: dict[int, dict[str, bool]] = defaultdict(dict)
    texts, criteria = _contents(study)
    judgments = counted(Judgment.objects.filter(item__study=study, score__isnull=False))
    rows = judgments.filter(rater=judge.rater_id if judge else None)
    for item, slot, score in rows.values_list("item", "slot", "score"):
        assert score is not None  # by the filter
        own = criteria[item]
        key = own.get(slot) or next(iter(own.values()))
        grades[texts[item]][key] = score >= least
    return WordingTry(
        study=study,
        judge=judge,
        wording=new.definition,
        texts=_texts_of_systems(frame_of(instrument, topic), instrument.item_kind, topic),
        covered={
            text: (of[old], of[new.key]) for text, of in grades.items() if {old, new.key} <= {*of}
        },
        asked=len(set(texts.values())),
    )


def _contents(study: Study) -> tuple[dict[int, int], dict[int, dict[str, str]]]:
    """Return the text of each item, and the keys of its entries by slot."""
    texts: dict[int, int] = {}
    criteria: dict[int, dict[str, str]] = defaultdict(dict)
    columns = ("item", "name", "criterion__key", "passage", "response")
    slots = ItemSlot.objects.filter(item__study=study)
    for item, name, key, passage, response in slots.values_list(*columns):
        if key:
            criteria[item][name] = key
        else:
            texts[item] = passage or response
    return texts, criteria


def _texts_of_systems(frame: list[int], kind: str, topic: int) -> dict[str, list[int]]:
    """Return the texts of each system among those of the frame, by name."""
    answers = Response.objects.filter(pk__in=frame, system__isnull=False)
    ranked = Ranking.objects.filter(topic=topic, rank__lte=DEPTH, passage__in=frame)
    pairs = (
        answers.order_by("pk").values_list("system__name", "pk")
        if kind == OF_ANSWERS
        else ranked.order_by("rank").values_list("system__name", "passage")
    )
    texts: dict[str, list[int]] = {}
    for system, text in sorted(pairs, key=lambda pair: pair[0]):
        texts.setdefault(system, []).append(text)
    return texts
