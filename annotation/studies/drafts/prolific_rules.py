"""Warnings where Prolific would refuse or correct the study, each with its dated source."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from django.conf import settings
from django.utils.translation import gettext

from annotation.studies.consent_texts import for_platform
from annotation.studies.drafts.paths import joined, names
from annotation.studies.drafts.schema import Document
from annotation.studies.drafts.screening_schema import names_in
from annotation.studies.instruments import Fault
from annotation.studies.wages import TaskTerms


@dataclass(frozen=True)
class RuleSource:
    """A page of Prolific, and the day of its text as we read it."""

    address: str
    day: str

    def __str__(self) -> str:
        return f"{self.address}, {self.day}"


CHECK_POLICY = RuleSource("researcher-help.prolific.com/en/article/fb63bb", "17 Jan 2022")
PAYMENT = RuleSource("researcher-help.prolific.com, “Prolific’s payment principles”", "Nov 2026")
SCREENING = RuleSource("Prolific, “Update to in-study screening rewards”", "Jul 2025")
STUDY_OBJECT = RuleSource("docs.prolific.com/api-reference/studies/the-study-object", "Nov 2026")
# The least reward an hour, and of a screen-out, by the currency of the account.
HOURLY = {"USD": Decimal(8), "GBP": Decimal(6)}
SCREEN_OUT = {"USD": Decimal("0.14"), "GBP": Decimal("0.10")}
SHORT_MINUTES = 5  # shorter studies may reject after one failed attention check
ATTENTION_FAILURES = 2  # in others
COMPREHENSION_ATTEMPTS = 2
ELSEWHERE = re.compile(
    r"\b(Upwork|Mechanical Turk|MTurk|CloudResearch|Nobody tells us who you are"
    r"|Niemand sagt uns, wer Sie sind|under which you were invited"
    r"|unter der Sie eingeladen wurden)\b"
)


def _said(sentence: str, source: RuleSource) -> str:
    return gettext("{sentence} (Prolific's rule: {source})").format(
        sentence=sentence, source=source
    )


def currency(document: Document) -> Iterator[Fault]:
    """Check that Prolific accounts can pay in the currency."""
    recruitment = document.recruitment
    if recruitment.currency not in HOURLY:
        sentence = gettext("Prolific pays in {currencies}, not in {currency}.").format(
            currencies=", ".join(HOURLY), currency=recruitment.currency
        )
        yield Fault("recruitment/currency", _said(sentence, STUDY_OBJECT))


def hourly_reward(document: Document, expected: TaskTerms) -> Iterator[Fault]:
    """Check the minimum reward an hour, by the announced minutes."""
    recruitment = document.recruitment
    least = HOURLY.get(recruitment.currency)
    if least is None or not recruitment.pay or not expected.minutes:
        return
    wage = recruitment.pay * 60 / expected.minutes
    if wage < least:
        sentence = gettext(
            "{wage:.2f} an hour ({pay:.2f} {currency}, {minutes} min), below Prolific's "
            "minimum of {least:.2f}."
        ).format(
            pay=recruitment.pay,
            currency=recruitment.currency,
            minutes=expected.minutes,
            wage=wage,
            least=least,
        )
        yield Fault("recruitment/pay", _said(sentence, PAYMENT))


def screening_reward(document: Document) -> Iterator[Fault]:
    """Check that a screen-out pays a minimum, and less than the study."""
    recruitment, screening = document.recruitment, document.screening
    if not screening.questions or not screening.reward:
        return
    least = SCREEN_OUT.get(recruitment.currency)
    if least is not None and screening.reward < least:
        sentence = gettext("Pay at least {least:.2f} {currency} for a screen-out.").format(
            least=least, currency=recruitment.currency
        )
        yield Fault("screening/reward", _said(sentence, SCREENING))
    elif recruitment.pay and screening.reward >= recruitment.pay:
        sentence = gettext("Pay less for a screen-out than the reward of {pay:.2f} {currency}.")
        sentence = sentence.format(pay=recruitment.pay, currency=recruitment.currency)
        yield Fault("screening/reward", _said(sentence, STUDY_OBJECT))


def comprehension(document: Document) -> Iterator[Fault]:
    """Check that questions before the work pay a screen-out or have two attempts."""
    screening = document.screening
    attempts = screening.attempts
    if screening.questions and not screening.reward and attempts < COMPREHENSION_ATTEMPTS:
        sentence = gettext(
            "Pay screened-out participants, or check comprehension with two attempts."
        )
        yield Fault("screening/reward", _said(sentence, CHECK_POLICY))


def attention_checks(document: Document, expected: TaskTerms) -> Iterator[Fault]:
    """Check that a rejection takes two failed attention checks, one in studies under 5 minutes."""
    policy = document.quality.policies.attention
    if policy.act != "reject" or expected.minutes < SHORT_MINUTES:
        return
    items = sum(len(instrument.get("attention") or ()) for instrument in document.instruments)
    if policy.least < ATTENTION_FAILURES or items < ATTENTION_FAILURES:
        sentence = gettext(
            "In a {minutes}-minute study, you can reject a submission after {least} failed "
            "attention checks. This study has {items} and rejects a submission after {after}."
        ).format(
            minutes=expected.minutes,
            least=ATTENTION_FAILURES,
            items=items,
            after=policy.least,
        )
        yield Fault("quality/policies/attention", _said(sentence, CHECK_POLICY))


def groups(document: Document) -> Iterator[Fault]:
    """Check that the screening can become a group of participants there."""
    screening = document.screening
    of_group = {
        "requires": bool(screening.requires.strip()),
        "excludes": bool(screening.excludes.strip()),
        "required_studies": len(names_in(screening.required_studies)) > 1,
    }
    if settings.PROLIFIC_WORKSPACE:
        return
    for name in (name for name, needs in of_group.items() if needs):
        yield Fault(
            f"screening/{name}",
            gettext(
                "To check this on Prolific, set PROLIFIC_WORKSPACE. Without it, unqualified "
                "participants are refused before consent."
            ),
        )


def consent(document: Document) -> Iterator[Fault]:
    """Check that the consent text fits participants from Prolific."""
    if document.recruitment.platform != "prolific":
        return
    for name, instrument in zip(names(document.instruments), document.instruments, strict=True):
        phrase = ELSEWHERE.search(
            for_platform(instrument["consent"], document.recruitment.platform)
        )
        if phrase is not None:
            yield Fault(
                joined("instruments", name, "consent"),
                gettext(
                    "The consent text says “{words}”, but Prolific knows who these "
                    "participants are."
                ).format(words=phrase[0]),
            )
