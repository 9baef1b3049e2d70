"""Workload of a launch: tasks, places, reading time and cost, counted without dealing.

Making items is quick, dealing them into questionnaires is slow: all figures follow from the items.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from django.utils.translation import gettext, ngettext

from annotation.corpora.shared_reads import shared, shared_product, shared_reads
from annotation.corpora.systems import name_of
from annotation.models import Corpus
from annotation.studies.drafts.kinds import Outline, Wave, instruments_of
from annotation.studies.drafts.paths import joined, names
from annotation.studies.drafts.schema import Design, Document
from annotation.studies.instruments import Fault
from annotation.studies.wages import WORDS_PER_MINUTE
from judging.design.document_scores import AT_LEAST, said_of, scores_for
from judging.design.material import material_for, point, response_texts, topic_ids
from judging.design.plans import check_quotas
from judging.design.previews import answers_of, balance_of, pages_of, part_of
from judging.designers.blocks import Blocks
from judging.designers.decided import DecidedTexts
from judging.designers.designs import UndealtDesign, questionnaires_of, undealt
from judging.designers.questionnaires import CannotDesign
from judging.designers.texts import DesignParameters, DesignText, Material
from judging.drafts.systems import SYSTEMS
from judging.instruments.copying import banks_of, check_topics, designer_of, figures_of
from judging.instruments.schema import InstrumentFile
from judging.items.kinds import Holds, item_kind
from judging.raters.cells import known_texts

FEW_SHOWN = 5  # systems with few texts that are named
EVERYTHING = Design()


@dataclass(frozen=True)
class DesignPart:
    """Items and the instruments that ask about each of them."""

    made: UndealtDesign
    instruments: tuple[InstrumentFile, ...]


@dataclass(frozen=True)
class ArmPart:
    """The workload of an arm, or of the whole study if it has no arms."""

    files: list[InstrumentFile]
    parts: tuple[DesignPart, ...]

    @cached_property
    def sheets(self) -> int:
        return questionnaires_of([part.made for part in self.parts])

    @property
    def places(self) -> int:
        return self.sheets * self.parts[0].made.parameters.quota

    @property
    def items(self) -> int:
        return sum(len(part.made.planned) for part in self.parts)

    @property
    def topics(self) -> set[int]:
        return {topic for part in self.parts for topic in part.made.topics}

    @property
    def minutes(self) -> int:
        return sum(file.defaults.minutes for file in self.files)

    @property
    def reading_minutes(self) -> float:
        words = sum(part.made.figures.words for part in self.parts)
        return words / self.sheets / WORDS_PER_MINUTE

    @property
    def judgments(self) -> int:
        return self.parts[0].made.parameters.quota * sum(map(_answers, self.parts))


@shared_reads()
def outline(document: Document, corpus: Corpus) -> Outline:
    """Return the workload of a document. Raises BadInstrument, CannotDesign."""
    files: list[InstrumentFile] = instruments_of(document)
    if not files:
        raise CannotDesign("no_method", gettext("No method yet."))
    are_arms = document.design.arms == "one"
    arms = [
        ArmPart(some, tuple(parts_of(some, corpus=corpus, wanted=document.design)))
        for some in ([[file] for file in files] if are_arms else [files])
    ]
    parts = [part for arm in arms for part in arm.parts]
    made = [part.made for part in parts]
    sheets, quota = sum(arm.sheets for arm in arms), made[0].parameters.quota
    topics = {topic for design in made for topic in design.topics}
    items = sum(len(design.planned) for design in made)
    return Outline(
        waves=(Wave("main", sheets, sum(arm.places for arm in arms)),),
        minutes=max(arm.minutes for arm in arms),
        reading_minutes=max(arm.reading_minutes for arm in arms),
        pay=document.recruitment.pay,
        currency=document.recruitment.currency,
        judgments=sum(arm.judgments for arm in arms),
        most_answers=max(arm.judgments / arm.places for arm in arms),
        words_a_page=sum(design.figures.words for design in made) / items,
        topics=tuple(sorted(topics)),
        sum=tuple(
            sentence
            for arm in arms
            for sentence in _sum([part.made for part in arm.parts], sheets=arm.sheets, quota=quota)
        ),
        pages=(
            min(arm.items // arm.sheets for arm in arms),
            max(-(-arm.items // arm.sheets) for arm in arms),
        ),
        notes=(
            *(sentence for arm in arms for sentence in _notes(arm, quota, alone=not are_arms)),
            *(note for design in made for note in said_of(design)),
            *(decided_note(design.decided) for design in made if design.decided),
            *(balance_of(*p.balance) for design in made if isinstance(p := design.planned, Blocks)),
        ),
        arm_tasks=tuple(arm.sheets for arm in arms) if are_arms else (),
        lacking=tuple(lacking_in(document, parts)),
        sparse=tuple(sparse_in(files, corpus, document.design)),
    )


def _notes(arm: ArmPart, quota: int, *, alone: bool) -> Iterator[str]:
    """Yield sentences on the items of an arm, with its title if the study has arms."""
    made = [part.made for part in arm.parts]
    sentence = _to_judge(made, topics=len(arm.topics), quota=quota, sheets=arm.sheets)
    if not alone:
        yield f"{arm.files[0].title}: {sentence}"
    else:
        yield sentence
        if len(arm.files) > 1:
            for part in arm.parts:
                for file in part.instruments:
                    items = len(part.made.planned)
                    yield part_of(title=file.title, items=items, sheets=arm.sheets)


def _to_judge(made: Sequence[UndealtDesign], *, topics: int, quota: int, sheets: int) -> str:
    items = sum(len(design.planned) for design in made)
    again = sum(design.figures.again for design in made)
    pages = pages_of(sheets, items=items)
    sentence = gettext("{topics}, {items}, {pages} per task.").format(
        topics=ngettext("{n} topic", "{n} topics", topics).format(n=f"{topics:,}"),
        items=ngettext("{n} item", "{n} items", items).format(n=f"{items:,}"),
        pages=pages,
    )
    if not again:
        return sentence
    swapped = gettext(
        "{again} pairs are also shown reversed and get {twice} votes, others {quota}."
    ).format(again=f"{again:,}", twice=2 * quota, quota=quota)
    return f"{sentence} {swapped}"


def decided_note(pairs: Sequence[DecidedTexts]) -> str:
    """Return a sentence with the number of pairs decided by the rule on empty answers."""
    ties = sum(pair.winner == "tie" for pair in pairs)
    return ngettext(
        "{n:,} pair with an empty answer is decided without participants (ties: {ties:,}).",
        "{n:,} pairs with an empty answer are decided without participants (ties: {ties:,}).",
        len(pairs),
    ).format(n=len(pairs), ties=ties)


def _sum(made: Sequence[UndealtDesign], *, sheets: int, quota: int) -> tuple[str, ...]:
    """Return sentences on the numbers of tasks and places, and on reversed pairs."""
    items = sum(len(design.planned) for design in made)
    again = sum(design.figures.again for design in made)
    pages = ngettext("{n} page", "{n} pages", items).format(n=f"{items:,}")
    if again:
        pages = gettext("{once} pairs + {again} reversed = {pages}").format(
            once=f"{items - again:,}", again=f"{again:,}", pages=pages
        )
    tasks = gettext("{pages}; {tasks} of {each}; {workers} = {places}.").format(
        pages=pages,
        tasks=ngettext("{n} task", "{n} tasks", sheets).format(n=f"{sheets:,}"),
        each=pages_of(sheets, items=items),
        workers=ngettext("{n} participant each", "{n} participants each", quota).format(n=quota),
        places=ngettext("{n} place", "{n} places", n := sheets * quota).format(n=f"{n:,}"),
    )
    if not again:
        votes = ngettext("Each item gets {n} vote.", "Each item gets {n} votes.", quota)
        return tasks, votes.format(n=quota)
    return (
        tasks,
        gettext("Reversed pairs get {twice} votes, others {quota}.").format(
            twice=2 * quota, quota=quota
        ),
    )


def parts_of(
    files: Sequence[InstrumentFile], *, corpus: Corpus, wanted: Design
) -> list[DesignPart]:
    """Return the items of instruments; those of the same design share items.

    Raises BadInstrument, CannotDesign.
    """
    id_by_key = dict(topic_ids(corpus))
    files_by_parameters: dict[tuple[DesignParameters, str], list[InstrumentFile]] = {}
    for file in files:
        check_topics(file=file, corpus=corpus, topics=id_by_key)
        parameters = DesignParameters(
            seed=wanted.seed,
            kind=file.item_kind,
            designer=designer_of(file),
            topics=wanted.topics,
            systems=None if wanted.systems is None else tuple(wanted.systems),
            chosen_topics=None if wanted.chosen_topics is None else tuple(wanted.chosen_topics),
            empty_answers=wanted.empty_answers,
            **figures_of(file),
        )
        files_by_parameters.setdefault((parameters, _criteria(file)), []).append(file)
    check_quotas([parameters for parameters, _ in files_by_parameters])
    return [
        DesignPart(
            _undealt(
                material_for(
                    kind=item_kind(parameters.kind),
                    corpus=corpus,
                    points=lambda file=some[0]: _points(file, id_by_key, corpus),  # type: ignore[misc]
                    scores=scores_for(figures_of(some[0]), corpus=corpus),
                    parameters=parameters,
                    systems=parameters.systems,
                    chosen_topics=parameters.chosen_topics,
                ),
                parameters,
            ),
            tuple(some),
        )
        for (parameters, _), some in files_by_parameters.items()
    ]


def _undealt(material: Material, parameters: DesignParameters) -> UndealtDesign:
    """Return a design; outlines that share reads share those that differ in their tasks alone.

    Raises CannotDesign.
    """
    alone = replace(parameters, items_per_questionnaire=1, quota=1)
    made = shared_product(
        lambda: undealt(material=material, parameters=alone),
        of=list(material.values()),
        by=(alone, tuple(material)),
    )
    return made.in_tasks(items=parameters.items_per_questionnaire, quota=parameters.quota)


def _criteria(file: InstrumentFile) -> str:
    """Return the instrument whose criteria its items show: as in plans.plans_of."""
    shows = any(slot.holds == Holds.CRITERION for slot in item_kind(file.item_kind).slots)
    return file.name if shows else ""


def _points(file: InstrumentFile, topics: Mapping[str, int], corpus: Corpus) -> list[DesignText]:
    """Return the criteria on items: those without a question about them."""
    asked_criteria = {question.criterion for question in file.questions}
    bank = banks_of(corpus, [file]).get(file.bank) if file.defaults.cells == "unknown" else None
    texts_in_bank = known_texts(bank) if bank else {}
    return [
        point(
            pk=number,
            topic=topics.get(c.topic),
            name=c.name,
            definition=c.definition,
            known=texts_in_bank.get(c.key, frozenset()),
        )
        for number, c in enumerate(file.criteria, start=1)
        if c.key not in asked_criteria
    ]


def _answers(part: DesignPart) -> int:
    questions = [
        (question.arity, question.about) for file in part.instruments for question in file.questions
    ]
    kind = part.made.parameters.kind
    return answers_of(kind=kind, sizes=part.made.figures.sizes, asked=questions)


@shared
def _topics_by_system(
    corpus: Corpus, systems: tuple[str, ...] | None, chosen_topics: tuple[str, ...] | None
) -> list[tuple[str, frozenset[int]]]:
    """Return the topics of the responses of each system, or of each origin without one."""
    keys = None if chosen_topics is None else set(chosen_topics)
    wanted = None if keys is None else {pk for key, pk in topic_ids(corpus) if key in keys}
    topics: defaultdict[tuple[int, str], set[int]] = defaultdict(set)
    for text in response_texts(corpus, systems):
        if text.topic is not None and (wanted is None or text.topic in wanted):
            topics[text.system, text.origin].add(text.topic)
    names = dict(corpus.systems.values_list("pk", "name"))
    by_name: defaultdict[str, set[int]] = defaultdict(set)
    for (system, origin), topics_of_system in topics.items():
        by_name[names.get(system) or name_of(origin)] |= topics_of_system
    return [(name, frozenset(topics_of_system)) for name, topics_of_system in by_name.items()]


def sparse_in(
    files: Sequence[InstrumentFile], corpus: Corpus, wanted: Design = EVERYTHING
) -> Iterator[Fault]:
    """Yield faults for systems with texts for fewer than half of the topics."""
    slots = [slot.holds for file in files for slot in item_kind(file.item_kind).slots]
    if Holds.RESPONSE not in slots:
        return
    systems = None if wanted.systems is None else tuple(wanted.systems)
    chosen = None if wanted.chosen_topics is None else tuple(wanted.chosen_topics)
    topics_of = _topics_by_system(corpus, systems, chosen)
    topics = len(frozenset().union(*(topics_of_system for _, topics_of_system in topics_of)))
    few = {
        name: len(topics_of_system)
        for name, topics_of_system in topics_of
        if 2 * len(topics_of_system) < topics
    }
    if few:
        systems_named = ", ".join(
            gettext("“{system}” for {n}").format(system=name, n=n)
            for name, n in sorted(few.items())[:FEW_SHOWN]
        )
        more = len(few) - FEW_SHOWN
        if more > 0:
            systems_named += gettext(" and {more} more").format(more=more)
        yield Fault(
            SYSTEMS,
            gettext("Systems with few texts for the {topics} topics: {systems}.").format(
                topics=topics, systems=systems_named
            ),
        )


def lacking_in(document: Document, parts: Sequence[DesignPart]) -> Iterator[Fault]:
    """Yield faults for topics that are left out because no document has the least score."""
    keys = [instrument["name"] for instrument in document.instruments]
    paths = dict(zip(keys, names(document.instruments), strict=True))
    for part in parts:
        if part.made.left_out:
            at = joined("instruments", paths[part.instruments[0].name], "defaults", AT_LEAST)
            yield Fault(at, " ".join(said_of(part.made)))
