"""The title and description under which a platform offers a study. Only computes.

Researchers edit the description as Markdown. Prolific takes a few HTML tags
(docs.prolific.com, *Supported HTML in description*, read November 2026).
"""

import re
from dataclasses import dataclass

import nh3
from django.utils import translation
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, ngettext

from annotation.fieldwork.work.placeholders import PLACEHOLDER, filled
from annotation.models import Study
from annotation.refusals import Refusal
from annotation.studies.measured_time import measured_minutes
from annotation.texts.markdown import rendered
from annotation.texts.number_formats import money
from annotation.texts.task_times import time_sentence

MAX_TITLE, MAX_DESCRIPTION = 255, 3000  # characters; of the description as HTML
TAGS = {"p", "br", "b", "i", "u", "ul", "ol", "li"}
TABLE = re.compile(r"<table.*?</table>", re.DOTALL)
HEADING = re.compile(r"<h[1-6][^>]*>(.*?)</h[1-6]>", re.DOTALL)
SAME = (("strong", "b"), ("em", "i"))


@dataclass(frozen=True)
class Advert:
    """`text` is Markdown."""

    title: str
    text: str

    @property
    def description(self) -> SafeString:
        """The description as HTML of the few tags that Prolific takes."""
        html = TABLE.sub("", f"{rendered(self.text)}")
        html = HEADING.sub(r"<p><b>\1</b></p>", html)
        for tag, other in SAME:
            html = re.sub(rf"(</?){tag}>", rf"\1{other}>", html)
        return mark_safe(nh3.clean(html, tags=TAGS, attributes={}).strip())  # cleaned just now


def proposed(study: Study) -> Advert:
    """Return the proposed advert: title, instructions, time, pay, and screening questions.

    `study` is on the terms of what is offered.
    """
    with translation.override(study.language):
        instructions = filled(KEYS_IN_MARKDOWN.sub("", study.instructions), study).strip()
        facts = "\n".join(f"- {fact}" for fact in _facts(study))
        text = f"{instructions}\n\n{facts}" if instructions else facts
    advert = Advert(study.title, text)
    return advert if len(advert.description) <= MAX_DESCRIPTION else Advert(study.title, facts)


# A table of keys under its heading says nothing to somebody who chooses a study.
KEYS_IN_MARKDOWN = re.compile(r"^#+ *(Keyboard|Tastatur) *\n+(\|.*\n?)+", re.MULTILINE)


def _facts(study: Study) -> list[str]:
    pay = money(study.pay, study.currency)
    facts = [
        time_sentence(study.minutes, measured_minutes(study), language=study.language),
        gettext("You are paid {pay}.").format(pay=pay),
    ]
    if questions := len(study.screening.get("questions") or ()):
        facts.append(
            ngettext(
                "The study starts with {n} short question.",
                "The study starts with {n} short questions.",
                questions,
            ).format(n=questions)
            + " "
            + _screening(study)
        )
    return [*facts, gettext("You can stop at any time and return your submission.")]


def _screening(study: Study) -> str:
    if reward := study.screening_reward:
        paid = gettext("If you don't match the study, it ends there and you are paid {reward}.")
        return paid.format(reward=money(reward, study.currency))
    return gettext(
        "If you don't match the study, it ends there and we ask you to return your submission "
        "without pay."
    )


def checked(*, title: str, text: str) -> Advert:
    """Return what a researcher typed. Raises Refusal."""
    advert = Advert(" ".join(title.split()), text.replace("\r\n", "\n").strip())
    if not advert.title or not advert.description:
        raise Refusal("NoAdvertText", gettext("A Prolific study needs a title and a description."))
    if len(advert.title) > MAX_TITLE:
        raise Refusal(
            "TitleTooLong",
            gettext("The title has {length} characters. The limit is {most}.").format(
                length=len(advert.title), most=MAX_TITLE
            ),
        )
    if len(advert.description) > MAX_DESCRIPTION:
        raise Refusal(
            "DescriptionTooLong",
            gettext(
                "The description has {length:,} characters as HTML. The limit is {most:,}."
            ).format(length=len(advert.description), most=MAX_DESCRIPTION),
        )
    if placeholder := PLACEHOLDER.search(advert.title + advert.text):
        raise Refusal(
            "UnfilledPlaceholder",
            gettext(
                "The placeholder {placeholder} doesn't work here. Enter the value instead."
            ).format(placeholder=placeholder[0]),
        )
    return advert
