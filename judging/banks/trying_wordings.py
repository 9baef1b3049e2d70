"""Trial of a new wording of an entry: a study in which a model grades both wordings on a sample.

The model is a judge of that study, with its forecast, budget and retries. Once the wording is
saved, its grades count for the entry, because a key belongs to a text.
"""

import random
from collections.abc import Collection
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from msgspec.structs import replace

from annotation.corpora.formats.rubric import entry_id
from annotation.models import Ranking, Study
from annotation.refusals import Refusal
from annotation.texts.sentences import Sentence
from judging.banks.entries_at import EntryAt
from judging.banks.secrets import secret_entries
from judging.banks.studies import METHODS
from judging.design.designing import create_study, write_plans
from judging.design.material import material_of
from judging.design.plans import plans_from
from judging.designers.texts import DesignParameters, DesignText, Material
from judging.instruments.entries import entries_of
from judging.instruments.files import load
from judging.instruments.schema import CriterionSpec
from judging.items.kinds import Holds, item_kind
from judging.models import Bank, Criterion, Instrument

OF_ANSWERS = "response_entries"  # kind of items: an answer with entries
SUPPORT = "nugget-support"
DEPTH = 20  # of rankings whose passages are sampled, as on the board
MOST_TEXTS = 500
LONGEST = 10_000


@transaction.atomic
def try_wording(*, bank: Bank, entry: EntryAt, text: str, texts: int, by: User | None) -> Study:
    """Create a study about both wordings on a random sample of texts. Raises Refusal."""
    text = " ".join(text.replace("\x00", "").split())[:LONGEST]
    key = entry_id(entry.topic, text, entry.facet)
    if entry.pk in secret_entries(bank):
        raise Refusal("SecretEntry", Sentence("You can't try secret entries."), status=422)
    if not text or key == entry.key:
        raise Refusal("SameWording", Sentence("Enter a new wording."), status=422)
    if not 1 <= texts <= MOST_TEXTS:
        sentence = Sentence("Enter 1 to {n} texts.", n=MOST_TEXTS)
        raise Refusal("SampleSize", sentence, status=422)
    number = tries_of(bank, entry.pk).count() + 1
    study = _study(bank, entry, {entry.key: entry.text, key: text}, number=number, by=by)
    instrument = study.instruments.select_related("study__corpus").get()
    frame = frame_of(instrument, entry.topic_id)
    if not frame:
        raise Refusal("NoTexts", Sentence("This topic has no texts to grade."), status=422)
    chosen = set(random.Random(study.slug).sample(frame, min(texts, len(frame))))

    def material(instrument: Instrument, parameters: DesignParameters) -> Material:
        return _only(chosen, material_of(instrument=instrument), instrument)

    plans = plans_from([instrument], seed=study.seed, material=material)
    write_plans(study=study, plans=plans)
    return study


def tries_of(bank: Bank, entry: int) -> "QuerySet[Study]":
    """Return the studies that tried another wording of an entry, the newest first."""
    rows = Study.objects.filter(corpus=bank.corpus_id, instruments__bank=bank)
    return rows.filter(slug__startswith=f"{_stem(bank, entry)}-").order_by("-pk")


def frame_of(instrument: Instrument, topic: int) -> list[int]:
    """Return the texts of a topic that a sample is drawn from, in order.

    These are the answers of systems or the passages that a system ranks; all without rankings.
    """
    holds = _holds(instrument)
    texts = [text for text in material_of(instrument=instrument)[holds] if text.topic == topic]
    if holds == Holds.RESPONSE:
        return sorted(text.id for text in texts if not text.is_empty)
    rows = Ranking.objects.filter(topic=topic, rank__lte=DEPTH)
    ranked = set(rows.values_list("passage", flat=True))
    return sorted(text.id for text in texts if not ranked or text.id in ranked)


def _study(
    bank: Bank, entry: EntryAt, wordings: dict[str, str], *, number: int, by: User | None
) -> Study:
    """Create the draft study with the method that graded the entry last."""
    last = Criterion.objects.filter(instrument__bank=bank, key=entry.key).order_by("pk").last()
    answers = last is not None and last.instrument.item_kind == OF_ANSWERS
    ready = load(SUPPORT if answers else METHODS[Bank.Kind(bank.kind)])
    own = {row.key for row in entries_of(ready)}
    short = Criterion._meta.get_field("name").max_length or 0
    both = [CriterionSpec(key, text[:short], text, entry.topic) for key, text in wordings.items()]
    file = replace(
        ready,
        criteria=[row for row in ready.criteria if row.key not in own] + both,
        defaults=replace(ready.defaults, depth=None, cells="all"),
        bank=bank.name,
        bank_revision=bank.revision,
    )
    *_, new = wordings.values()
    return create_study(
        slug=f"{_stem(bank, entry.pk)}-{number}", title=f"{bank.name}: {new}"[:200],
        corpus=bank.corpus, instruments=[file], seed=number, team=bank.corpus.team, created_by=by,
    )  # fmt: skip


def _stem(bank: Bank, entry: int) -> str:
    return f"bank-{bank.pk}-wording-{entry}"


def _holds(instrument: Instrument) -> Holds:
    slots = item_kind(instrument.item_kind).slots
    return next(slot.holds for slot in slots if slot.holds != Holds.CRITERION)


def _only(chosen: Collection[int], whole: Material, instrument: Instrument) -> dict[Holds, Any]:
    holds = _holds(instrument)
    kept: list[DesignText] = [text for text in whole[holds] if text.id in chosen]
    return {**whole, holds: kept}
