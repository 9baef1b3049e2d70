"""Faults of single settings: empty, outside their limits, or refused by their column."""

from collections import Counter
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

import msgspec
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, ngettext

from annotation.clock import database_now
from annotation.models import Study
from annotation.studies.act_effects import FEES
from annotation.studies.drafts.columns import PATHS, columns_of
from annotation.studies.drafts.paths import joined
from annotation.studies.drafts.schema import SETTINGS, Document
from annotation.studies.drafts.screening_schema import ScreeningQuestion
from annotation.studies.drafts.setting import Setting, declared_in
from annotation.studies.instruments import Fault

MAX_DIGITS = 12  # before the point: more than any column of money has


def column_faults(document: Document) -> Iterable[Fault]:
    """Yield empty texts, values that no column takes, and values outside declared limits."""
    columns = columns_of(document)
    blank = [
        setting
        for setting in SETTINGS.values()
        if setting.if_blank and not setting.value_in(document).strip()
    ]
    titled = bool(document.title.strip())
    for setting in blank:
        if setting.path != "slug" or titled:  # the first title gives the name in addresses
            yield Fault(setting.path, gettext(setting.if_blank))
    checked = set(columns) - {setting.column for setting in blank}
    reasons = _refused_columns(columns, checked)
    for column, sentences in reasons.items():
        yield Fault(PATHS[column], " ".join(sentences))
    for setting in SETTINGS.values():
        if setting.column not in reasons and not setting.path.startswith("screening/"):
            yield from _limit_faults(document, setting)


def _refused_columns(columns: dict[str, Any], checked: set[str]) -> dict[str, list[str]]:
    others = {field.name for field in Study._meta.fields} - checked
    try:
        Study(**columns).clean_fields(exclude=others)
    except ValidationError as error:
        return error.message_dict
    return {}


def part_faults(part: msgspec.Struct, *, at: str = "") -> Iterable[Fault]:
    """Yield empty texts and values outside declared limits, of a method or a part of it."""
    for setting in sorted(declared_in(type(part)).values(), key=_counts_first):
        value, path = setting.value_in(part), f"{at}{setting.path}"
        if setting.if_blank and not value.strip():
            yield Fault(path, gettext(setting.if_blank).format(key=getattr(part, "key", "")))
        elif setting.if_outside and setting.is_outside(value):
            yield Fault(path, gettext(setting.if_outside).format(longest=setting.max_length))


def _counts_first(setting: Setting) -> tuple[int, int, bool]:
    return -(setting.minimum or 0), setting.maximum or 0, setting.default is None


def _limit_faults(document: Document, setting: Setting) -> Iterable[Fault]:
    if setting.if_outside and setting.is_outside(setting.value_in(document)):
        sentence = gettext(setting.if_outside).format(name_length=setting.max_length)
        yield Fault(setting.path, sentence)


def screening_faults(document: Document) -> Iterable[Fault]:
    """Yield the faults of the questions before the work."""
    screening = document.screening
    count = len(screening.questions)
    if count and not 1 <= screening.pass_mark <= count:
        sentence = ngettext(
            "Enter a pass mark from 1 to {n}.",
            "Enter a pass mark from 1 to {n}.",
            count,
        )
        yield Fault("screening/pass_mark", sentence.format(n=count))
    for setting in SETTINGS.values():
        if setting.path.startswith("screening/"):
            yield from _limit_faults(document, setting)
    if screening.gives.strip() and not count:
        yield Fault("screening/gives", gettext("Add questions with correct answers."))
    for key, times in Counter(question.key for question in screening.questions).items():
        if times > 1 or not key.strip():
            yield Fault(
                "screening/questions",
                gettext("{key!r} is listed twice.").format(key=key),
            )
    for question in screening.questions:
        yield from _question_faults(question)


def _question_faults(question: ScreeningQuestion) -> Iterable[Fault]:
    where = joined("screening", "questions", question.key)
    codes = [option.code for option in question.options]
    if not question.label.strip():
        yield Fault(f"{where}/label", gettext("Enter the question."))
    if len(codes) < 2 or len(set(codes)) < len(codes):
        yield Fault(f"{where}/options", gettext("Add at least two answers with different codes."))
    elif question.right not in codes:
        yield Fault(f"{where}/right", gettext("Mark the correct answer."))
    if any(not option.label.strip() for option in question.options):
        yield Fault(f"{where}/options", gettext("Enter a label for each answer."))


def budget_faults(document: Document) -> Iterable[Fault]:
    """Yield a budget that is too small for one task."""
    recruitment = document.recruitment
    pay, budget = recruitment.pay, recruitment.budget
    if budget is None or not (_is_money(pay) and _is_money(budget)):
        return
    place = pay * (1 + FEES.get(recruitment.platform, Decimal(0)))
    if budget <= 0 or budget < place:
        yield Fault(
            "recruitment/budget",
            gettext("The budget doesn't cover one task ({place} with fees).").format(
                place=f"{place:.2f} {recruitment.currency}"
            ),
        )


def retention_faults(document: Document) -> Iterable[Fault]:
    """Yield the days until which data are kept that are over."""
    today = database_now().date()
    for name in document.retention.__struct_fields__:
        day = getattr(document.retention, name)
        if day is not None and day < today:
            yield Fault(f"retention/{name}", gettext("This date is in the past."))


def _is_money(amount: Decimal) -> bool:
    """Return whether an amount can be compared and multiplied; others have a fault of their own."""
    return amount.is_finite() and amount.adjusted() < MAX_DIGITS
