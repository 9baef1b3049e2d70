"""Pairs that a draft would ask about, as input of the simulation."""

import numpy as np
from django.utils.translation import gettext

from analysis.analyses.groups import UNNAMED
from analysis.stats.bradley_terry.simulated_votes import PairDesign
from annotation.models import Corpus
from annotation.studies.drafts.kinds import Outline, instruments_of
from annotation.studies.drafts.schema import Document
from judging.designers.designs import questionnaires_of
from judging.drafts.workload import DesignPart, parts_of
from judging.instruments.schema import InstrumentFile
from judging.items.kinds import item_kind

WRITING = "A writing study has no comparisons. Plan power in the study that judges its texts."
TIES = ("tie", "both_bad")  # roles of answers that prefer neither


class NoCurve(ValueError):
    """Reason why there is no power curve for this draft."""


def method_of(document: Document) -> InstrumentFile:
    """Return the first method of the draft that compares two texts. Raises NoCurve."""
    if document.kind == "writing":
        raise NoCurve(WRITING)
    files: list[InstrumentFile] = instruments_of(document)
    comparing = next((file for file in files if item_kind(file.item_kind).compares_texts), None)
    if comparing is None:
        raise NoCurve(
            gettext(
                "Power is computed only for comparisons of two texts. For other methods, run a "
                "pilot."
            )
        )
    return comparing


def method_position(document: Document) -> int:
    """Return the position of the chosen method in the study, from 0. Raises NoCurve."""
    return instruments_of(document).index(method_of(document))


def pairs_of(document: Document, corpus: Corpus, outline: Outline) -> PairDesign:
    """Return the pairs of that method. Raises CannotCompute (unfit_design), NoCurve."""
    method = method_of(document)
    are_arms = document.design.arms == "one"
    files: list[InstrumentFile] = [method] if are_arms else instruments_of(document)
    parts = parts_of(files, corpus=corpus, wanted=document.design)
    part = next(part for part in parts if method in part.instruments)
    tasks = questionnaires_of([part.made]) if are_arms else outline.tasks
    on_each = -(-len(part.made.planned) // tasks) * document.recruitment.tasks_per_worker
    return _design(part, corpus, on_each)


def has_ties(method: InstrumentFile) -> bool:
    """Return whether participants may prefer neither text."""
    return any(option.role in TIES for scale in method.scales for option in scale.options)


def _design(part: DesignPart, corpus: Corpus, pairs_per_worker: int) -> PairDesign:
    """Return the design; the two compared texts are the first slots of an item."""
    sides = np.array([item.contents[:2] for item in part.made.items])
    texts, place = np.unique(sides, return_inverse=True)
    place = place.reshape(sides.shape)
    topic = np.zeros(len(texts), dtype=np.int64)
    topic[place[:, 0]] = topic[place[:, 1]] = [item.topic for item in part.made.items]
    rows = corpus.responses.values_list("pk", "system__name", "origin")
    named = {pk: system or UNNAMED[origin] for pk, system, origin in rows}
    system = np.array([named[pk] for pk in texts.tolist()])
    return PairDesign(
        system=np.unique(system, return_inverse=True)[1],
        topic=np.unique(topic, return_inverse=True)[1],
        a=place[:, 0],
        b=place[:, 1],
        pairs_per_worker=max(1, pairs_per_worker),
    )
