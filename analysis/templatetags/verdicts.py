"""Verdict words beside figures: `{% raters_word n %}`. One rule each, of stats.verdicts."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from analysis.stats.verdicts import (
    LEAST_WORKERS,
    agreement_of,
    raters_verdict,
    topics_verdict,
)
from annotation.texts.sentences import marked

register = template.Library()

# verdict: its word, and the badge that it is shown as
WORDS = {
    "enough": (marked("Enough"), "good"),
    "too few": (marked("Too few"), "warn"),
    "unclear": (marked("Unclear"), "soft"),
    "low": (marked("Low"), "warn"),
    "low or typical": (marked("Low or typical"), "soft"),
    "typical": (marked("Typical"), "good"),
    "typical or high": (marked("Typical or high"), "good"),
    "high": (marked("High"), "good"),
    "found": (marked("Found"), "warn"),
    "none found": (marked("None found"), "good"),
}


def badge_of(verdict: str) -> SafeString:
    """Return the word of a verdict as a badge."""
    word, kind = WORDS[verdict]
    mark = '<span class="badge badge-{}" data-verdict="{}">{}</span>'
    return format_html(mark, kind, verdict.replace(" ", "-"), gettext(word))


@register.simple_tag
def raters_word(raters: int) -> SafeString:
    """Return whether raters are enough for claims about others like them."""
    return badge_of(raters_verdict(raters))


@register.simple_tag
def least_raters() -> int:
    """Return how many raters are enough."""
    return LEAST_WORKERS


@register.simple_tag
def topics_word(topics: int) -> SafeString:
    """Return whether topics are enough for an interval."""
    return badge_of(topics_verdict(topics))


@register.simple_tag
def bias_word(verdict: str) -> SafeString:
    """Return whether a bias was found."""
    return badge_of(verdict)


@register.simple_tag
def agreement_word(alpha: float, low: float | None, high: float | None) -> SafeString:
    """Return how the interval of alpha compares with published crowds."""
    return badge_of(agreement_of(alpha, low, high))
