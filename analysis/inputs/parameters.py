"""Settings of an analysis that a researcher can change, each declared once.

The form of the console, the option `--set` of `analyse` and the API read them from here. A name
with dots is a field of a nested setting: `summaries.weights.os`.
"""

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from analysis.inputs.left_out import GROUNDS, LeftOut
from analysis.inputs.scorers import SCORERS
from analysis.inputs.settings import COMPAT, DEFAULTS, FIRTH, RANKINGS, SHARED, TIES
from analysis.inputs.summaries import SummarySettings
from analysis.stats.agreement.spam_filter import KeepRule
from analysis.stats.errors import BadSetting
from analysis.stats.summaries.user_experience import CHARACTERS_A_MINUTE, PARTS
from annotation.texts.sentences import marked

NESTED = {"keep": KeepRule, "summaries": SummarySettings, "left_out": LeftOut}
PART_NAMES = {
    "os": marked("Weight of OS (overview sufficiency)"),
    "of": marked("Weight of OF (overview faithfulness)"),
    "or_": marked("Weight of OR (overview representativeness)"),
    "hr": marked("Weight of HR (heading representativeness)"),
    "srel": marked("Weight of SRel (statement relevance)"),
    "sf": marked("Weight of SF (statement faithfulness)"),
}


class BadParameter(ValueError):
    """An unknown setting, or a value that it cannot have; `name` is the setting."""

    def __init__(self, name: str, sentence: str) -> None:
        super().__init__(f"{name}: {sentence}")
        self.name, self.sentence = name, sentence


@dataclass(frozen=True)
class Parameter:
    """One setting. `kind`: number, whole, wholes (a list of whole numbers), names or choice.

    `low` and `high` are the limits, with `beyond` exclusive. `words` are allowed beside numbers.
    """

    name: str
    group: str
    title: str
    kind: str
    default: Any = None
    hint: str = ""
    low: float = -math.inf
    high: float = math.inf
    beyond: bool = False
    choices: tuple[str, ...] = ()
    words: tuple[str, ...] = ()

    def checked(self, value: Any) -> Any:
        """Return a value of the right type. Raises BadParameter."""
        if self.kind == "choice":
            return self._chosen(value)
        if self.kind == "wholes":
            if not isinstance(value, list) or not value:
                raise BadParameter(self.name, gettext("enter at least one whole number"))
            return [self._number(part) for part in value]
        if self.kind == "names":
            return self._names(value)
        return value if value in self.words else self._number(value)

    def parsed(self, text: str) -> Any:
        """Return the value of typed text. Raises BadParameter."""
        if self.kind == "choice" or text in self.words:
            return self.checked(text)
        if self.kind == "names":
            return self.checked(text.replace(",", " ").split())
        try:
            numbers = [_number_of(word) for word in text.replace(",", " ").split()]
        except ValueError as error:
            raise BadParameter(self.name, gettext("this is not a number")) from error
        if self.kind == "wholes":
            return self.checked(numbers)
        if len(numbers) != 1:
            raise BadParameter(self.name, gettext("enter one number"))
        return self.checked(numbers[0])

    def _names(self, value: Any) -> list[str]:
        if not isinstance(value, list) or not value or not all(isinstance(v, str) for v in value):
            raise BadParameter(self.name, gettext("enter at least one name"))
        return sorted(dict.fromkeys(value))

    def _chosen(self, value: Any) -> str:
        if value not in self.choices:
            listed = ", ".join(self.choices)
            raise BadParameter(self.name, gettext("choose one of {listed}").format(listed=listed))
        return str(value)

    def _number(self, value: Any) -> float | int:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not math.isfinite(value):
            raise BadParameter(self.name, gettext("this is not a number"))
        if self.kind != "number" and int(value) != value:
            raise BadParameter(self.name, gettext("this is not a whole number"))
        outside = value < self.low or value > self.high
        if outside or (self.beyond and value in (self.low, self.high)):
            raise BadParameter(self.name, self._range())
        return float(value) if self.kind == "number" else int(value)

    def _range(self) -> str:
        if self.high == math.inf:
            sentence = (
                gettext("enter a number above {low}")
                if self.beyond
                else gettext("enter {low} or more")
            )
            return sentence.format(low=f"{self.low:g}")
        sentence = (
            gettext("enter a number between {low} and {high}")
            if self.beyond
            else gettext("enter a number from {low} to {high}")
        )
        return sentence.format(low=f"{self.low:g}", high=f"{self.high:g}")


def _number_of(text: str) -> float | int:
    return int(text) if text.lstrip("+-").isdecimal() else float(text)


GENERAL, RANKING, LABELS, PASSAGES, SUMMARIES = (
    marked("All analyses"),
    marked("Ranking"),
    marked("Gold labels and agreement"),
    marked("Passages"),
    marked("Structured summaries (SGSS)"),
)


def _of(name: str, group: str, title: str, kind: str, hint: str = "", **more: Any) -> Parameter:
    top, _, rest = name.partition(".")
    if not rest:
        default = DEFAULTS[name]
    elif "." in rest:
        default = None
    else:
        default = getattr(NESTED[top](), rest)
    return Parameter(name, group, title, kind, default, hint, **more)


WEIGHTS = marked(
    "If all weights are empty, a line is worth at most 1. Otherwise, empty weights count as 1."
)
METHODS = tuple(dict.fromkeys(each.method for some in SCORERS.values() for each in some))
PARAMETERS: Mapping[str, Parameter] = {
    each.name: each
    for each in (
        _of(
            "confidence", GENERAL, marked("Confidence level"), "number",
            marked("Applies to all intervals."), low=0, high=1, beyond=True,
        ),
        _of(
            "draws", GENERAL, marked("Bootstrap draws"), "whole",
            marked("Fewer draws are faster but less precise."), low=10, high=100_000,
        ),
        _of(
            "votes_per_item", GENERAL, marked("Votes per item"), "whole",
            marked("Uses the first votes on each item. Default: all votes."), low=1,
        ),
        _of(
            "copies", GENERAL, marked("Duplicate accounts"), "choice",
            marked("“out” keeps one account per person."), choices=("out",),
        ),
        _of(
            "left_out.workers", GENERAL, marked("Excluded participants"), "names",
            marked("Separate pseudonyms with spaces."),
        ),
        _of(
            "left_out.ground", GENERAL, marked("Reason for exclusion"), "choice",
            marked("Shown on the results page."), choices=GROUNDS,
        ),
        _of(
            "fee", GENERAL, marked("Platform fee"), "number",
            marked("Share of pay. For example, 0.33 means 33%."), low=0, high=10,
        ),
        _of(
            "compat", RANKING, marked("Published pipeline"), "choice",
            marked("Matches Gienapp et al. (2025)."), choices=(COMPAT,),
        ),
        _of("ranking", RANKING, marked("Ranked by"), "choice", choices=tuple(RANKINGS)),
        _of("ties", RANKING, marked("Tie model"), "choice", choices=tuple(TIES)),
        _of(
            "tie_parameter", RANKING, marked("Tie parameter"), "number",
            marked("Enter a number or “estimated”."), low=0, words=("estimated",), beyond=True,
        ),
        _of(
            "ridge", RANKING, marked("Bradley-Terry ridge"), "number",
            marked("Enter a number, or “firth” if there are few comparisons."),
            low=0, words=(FIRTH,), beyond=True,
        ),
        _of(
            "score", RANKING, marked("Score for comparisons"), "choice",
            marked("“shared” makes scores comparable across topics."),
            choices=(SHARED, *METHODS),
        ),
        _of(
            "margin", RANKING, marked("Equivalence margin"), "number",
            marked("In logits. A margin of 0.2 means 45 to 55 of 100 votes."), low=0, beyond=True,
        ),
        _of(
            "mace", LABELS, marked("MACE: published EM"), "choice",
            marked("Matches the published code."), choices=(COMPAT,),
        ),
        _of("restarts", LABELS, marked("MACE restarts"), "whole", low=0, high=1000),
        _of(
            "start_checks", LABELS, marked("Random starts for label stability"), "whole",
            low=0, high=1000,
        ),
        _of(
            "null_draws", LABELS, marked("Random draws for the chance level"), "whole",
            marked("The smallest possible p-value is .05 with 19 draws and .01 with 99."),
            low=1, high=10_000,
        ),
        _of(
            "keep.most_spam", LABELS, marked("Highest spam probability"), "number",
            marked("Corrected agreement keeps participants up to this spam probability."),
            low=0, high=1,
        ),
        _of(
            "keep.drop_worst", LABELS, marked("Share of participants to drop"), "number",
            marked("Replaces the highest spam probability."), low=0, high=1,
        ),
        _of(
            "keep.minimum", LABELS, marked("Minimum votes per item"), "whole",
            low=0, high=1000,
        ),
        _of(
            "cutoffs", PASSAGES, marked("Cut-offs"), "wholes",
            marked("Ranks for measures, such as 5 10 20."), low=1, high=1000,
        ),
        _of(
            "levels", PASSAGES, marked("Grades that count as relevant"), "wholes",
            marked("Default: the upper half of the scale."), low=1, high=100,
        ),
        *(
            _of(
                f"summaries.weights.{part}", SUMMARIES, PART_NAMES[part], "number",
                WEIGHTS if part == PARTS[0] else "", low=0, high=1000,
            )
            for part in PARTS
        ),
        _of(
            "summaries.comp", SUMMARIES, marked("Weight of Comp in SGSS"), "number",
            low=0, high=1000,
        ),
        _of(
            "summaries.most_lines", SUMMARIES, marked("Lines read (Lmax)"), "whole",
            marked("Default: all lines."), low=1, high=100_000,
        ),
        _of(
            "summaries.minutes", SUMMARIES, marked("Reading time in minutes"), "number",
            marked("Sets Lmax from the reading speed."), low=0, high=1000, beyond=True,
        ),
        _of(
            "summaries.language", SUMMARIES, marked("Summary language"), "choice",
            marked("Sets the reading speed."),
            choices=tuple(sorted(CHARACTERS_A_MINUTE)),
        ),
        _of(
            "summaries.characters_a_minute", SUMMARIES, marked("Characters per minute"), "number",
            marked("Default: depends on the language."), low=0, high=10_000, beyond=True,
        ),
        _of(
            "summaries.stop", SUMMARIES, marked("Stopping probability of XUX_G"), "number",
            low=0, high=1,
        ),
        _of(
            "summaries.ridge", SUMMARIES, marked("Ridge for learned weights"), "number",
            marked("A value above 0 avoids infinite weights."), low=0,
        ),
        _of(
            "summaries.train", SUMMARIES, marked("Share of topics for training"), "number",
            marked("Weights are tested on the other topics."),
            low=0, high=1, beyond=True,
        ),
    )
}  # fmt: skip


def parameter_named(name: str) -> Parameter:
    """Return a setting by its name. Raises BadParameter."""
    if name not in PARAMETERS:
        listed = ", ".join(sorted(PARAMETERS))
        raise BadParameter(
            name, gettext("unknown setting. Available: {listed}.").format(listed=listed)
        )
    return PARAMETERS[name]


def flat(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Return the stored parameters that are set, by their names with dots."""
    return {
        name: value
        for name in PARAMETERS
        if (value := _within(stored, name.split("."))) is not None
    }


def _within(stored: Any, path: Iterable[str]) -> Any:
    for step in path:
        if not isinstance(stored, Mapping) or step not in stored:
            return None
        stored = stored[step]
    return stored


def nested(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return checked settings as parameters are stored: `given` has names with dots.

    Raises BadParameter where a value, or two together, are not allowed.
    """
    checked: dict[str, Any] = {}
    for name, value in values.items():
        *path, last = name.split(".")
        place = checked
        for step in path:
            place = place.setdefault(step, {})
        place[last] = parameter_named(name).checked(value)
    keep = checked.get("keep", {})
    if keep.get("drop_worst") is not None:
        if keep.get("most_spam") is not None:
            raise BadParameter(
                "keep.drop_worst", gettext("set either this or the highest spam probability")
            )
        keep["most_spam"] = None
    for name, as_type in NESTED.items():
        try:
            as_type(**checked.get(name, {}))
        except BadSetting as error:
            raise BadParameter(name, str(error)) from error
    return checked


def unnested(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Return parameters in their stored layout by names with dots. Raises BadParameter."""
    values: dict[str, Any] = {}
    for name, value in stored.items():
        _unfold(name, value, values)
    return values


def _unfold(name: str, value: Any, values: dict[str, Any]) -> None:
    if isinstance(value, Mapping):
        for inner_value, inner in value.items():
            _unfold(f"{name}.{inner_value}", inner, values)
    elif value is not None:
        parameter_named(name)
        values[name] = value


def typed(lines: Iterable[str]) -> dict[str, Any]:
    """Return the settings in lines of the form name=value. Raises BadParameter."""
    values = {}
    for line in lines:
        name, sign, text = (part.strip() for part in line.partition("="))
        if not sign or not text:
            raise BadParameter(name, gettext("use the format name=value"))
        values[name] = parameter_named(name).parsed(text)
    return values


def field_text(value: Any) -> str:
    """Return a value as a field shows it, with all digits, since the field is saved again."""
    if value is None:
        return ""
    if isinstance(value, list):
        return " ".join(map(field_text, value))
    if isinstance(value, str):
        return value
    return repr(value).removesuffix(".0") if isinstance(value, float) else str(value)


def as_text(stored: Mapping[str, Any]) -> str:
    """Return stored parameters as one text, to detect changes by others."""
    return json.dumps(stored, sort_keys=True)
