"""Plans: a design for each instrument of a study, dealt together."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import groupby
from typing import Any

from django.utils.translation import gettext

from annotation.models import Batch, Study
from judging.design.material import material_of
from judging.designers.designs import DealtDesign, UndealtDesign, design, together, undealt
from judging.designers.questionnaires import CannotDesign
from judging.designers.texts import DesignParameters, Material
from judging.items.kinds import Holds, item_kind
from judging.models import Instrument

FIGURES = {field.name for field in fields(DesignParameters)}


@dataclass(frozen=True)
class Plan:
    """A design with the instruments that ask about its items.

    `arm` is the key of its arm, or '' if all workers get it.
    """

    design: DealtDesign
    instruments: tuple[Instrument, ...]
    arm: str = ""


def plans_of(
    *,
    study: Study,
    seed: int,
    without: Collection[int] = (),
    as_in: Batch | None = None,
    **wishes: Any,
) -> list[Plan]:
    """Return the plans of a study, in the order of its instruments.

    An instrument has its own figures or those of a batch (`as_in`), except `wishes` that are not
    None (fields of Parameters). Topics `without` are left out. Instruments of the same design ask
    about the same items. All plans of an arm have the same number of questionnaires.

    Raises CannotDesign.
    """
    return plans_from(
        study.instruments.select_related("study__corpus"),
        seed=seed,
        material=lambda each, parameters: _material(each, parameters, without),
        arms=study.arms == Study.Arms.ONE,
        as_in=as_in,
        empty_answers=study.empty_answers,
        **wishes,
    )


def plans_from(
    instruments: Iterable[Instrument],
    *,
    seed: int,
    material: Callable[[Instrument, DesignParameters], Material],
    arms: bool = False,
    as_in: Batch | None = None,
    **wishes: Any,
) -> list[Plan]:
    """Return the plans of these instruments for any material, of each apart if they are arms.

    Raises CannotDesign.
    """
    if arms:
        some: dict[str, Any] = {"seed": seed, "material": material, "as_in": as_in, **wishes}
        return [
            replace(plan, arm=instrument.key)
            for instrument in instruments
            for plan in plans_from([instrument], **some)
        ]
    instruments_by_parameters = _asked(instruments, seed, as_in, wishes)
    designs = [
        design(material=material(some[0], parameters), parameters=parameters)
        for parameters, some in instruments_by_parameters
    ]
    return [
        Plan(dealt, tuple(some))
        for dealt, (_, some) in zip(together(designs), instruments_by_parameters, strict=True)
    ]


def arms_of(plans: Sequence[Plan]) -> list[list[Plan]]:
    """Return the plans grouped by arm; plans of an arm share questionnaires."""
    return [list(arm) for _, arm in groupby(plans, key=lambda plan: plan.arm)]


def asked_in(plans: Sequence[Plan], number: int) -> list[tuple[int, int, Instrument]]:
    """Return plan, item and instrument of each page of questionnaire `number`, from 0 on."""
    return [
        (at, index, instrument)
        for at, plan in enumerate(plans)
        for index in plan.design.questionnaires[number]
        for instrument in plan.instruments
    ]


def undealt_of(
    *,
    study: Study,
    seed: int,
    without: Collection[int] = (),
    as_in: Batch | None = None,
    **wishes: Any,
) -> list[list[UndealtDesign]]:
    """Return the designs of `plans_of` by arm, before the slow dealing. Raises CannotDesign."""
    instruments = list(study.instruments.select_related("study__corpus"))
    arms = (
        [[instrument] for instrument in instruments]
        if study.arms == Study.Arms.ONE
        else [instruments]
    )
    return [
        [
            undealt(material=_material(some[0], parameters, without), parameters=parameters)
            for parameters, some in _asked(
                arm, seed, as_in, {"empty_answers": study.empty_answers, **wishes}
            )
        ]
        for arm in arms
    ]


def _asked(
    instruments: Iterable[Instrument], seed: int, as_in: Batch | None, wishes: Mapping[str, Any]
) -> list[tuple[DesignParameters, list[Instrument]]]:
    """Return the instruments by their parameters. Raises CannotDesign."""
    instruments_by_parameters: dict[tuple[DesignParameters, int], list[Instrument]] = {}
    for instrument in instruments:
        # What was chosen is in the batch: further topics are others.
        figures = designed(as_in, instrument.key) | {"seed": seed, "chosen_topics": None}
        given_wishes = {name: wish for name, wish in wishes.items() if wish is not None}
        parameters = parameters_of(instrument=instrument, **(figures | given_wishes))
        instruments_by_parameters.setdefault((parameters, _criteria(instrument)), []).append(
            instrument
        )
    check_quotas([parameters for parameters, _ in instruments_by_parameters])
    return [(parameters, some) for (parameters, _), some in instruments_by_parameters.items()]


def _material(
    instrument: Instrument, parameters: DesignParameters, without: Collection[int]
) -> Material:
    material = material_of(
        instrument=instrument,
        systems=parameters.systems,
        chosen_topics=parameters.chosen_topics,
    )
    return {
        holds: [text for text in texts if text.topic is None or text.topic not in without]
        for holds, texts in material.items()
    }


def designed(batch: Batch | None, key: str) -> dict[str, Any]:
    """Return the figures of a batch for an instrument."""
    design: dict[str, Any] = batch.design if batch else {}
    figures: dict[str, Any] = design.get("instruments", {}).get(key, design)
    return {name: figure for name, figure in figures.items() if name in FIGURES}


def parameters_of(*, instrument: Instrument, seed: int, **wishes: Any) -> DesignParameters:
    """Return the parameters of an instrument's design."""
    wanted = {name: wish for name, wish in wishes.items() if wish is not None}
    for named in {"systems", "chosen_topics"} & wanted.keys():
        wanted[named] = tuple(wanted[named])  # JSON and documents have lists
    fixed = {"seed": seed, "kind": instrument.item_kind, "designer": instrument.designer}
    return DesignParameters(**(instrument.design | wanted | fixed))


def _criteria(instrument: Instrument) -> int:
    """Return the ID of an instrument whose items show its own criteria, else 0."""
    kind = item_kind(instrument.item_kind)
    shows = any(slot.holds == Holds.CRITERION for slot in kind.slots)
    return instrument.pk if shows else 0


def check_quotas(parameters: Sequence[DesignParameters]) -> None:
    """Raise CannotDesign."""
    quotas = {parameter.quota for parameter in parameters}
    if len(quotas) > 1:
        raise CannotDesign(
            "different_quotas",
            gettext("Methods in one questionnaire need the same quota, not {listed}.").format(
                listed=" and ".join(map(str, sorted(quotas)))
            ),
        )


def systems_of(study: Study) -> list[str] | None:
    """Return the systems named in the design, None for all.

    No query if the study's batches are prefetched.
    """
    return _figures_of(study).get("systems")


def chosen_topics_of(study: Study) -> list[str] | None:
    """Return the topics chosen in the design, None for all."""
    return _figures_of(study).get("chosen_topics")


def _figures_of(study: Study) -> dict[str, Any]:
    """Return the figures of the first batch for its first instrument."""
    main = next((batch for batch in study.batches.all() if not batch.onboarding), None)
    design: dict[str, Any] = main.design if main else {}
    figures: dict[str, Any] = next(iter(design.get("instruments", {"": design}).values()), {})
    return figures
