"""Form of a round of queries."""

from typing import Any

from django import forms

from judging.calls.prompts import LIMIT
from judging.models import QueryRound
from judging.pages.terms_form import TermsForm, terms_of
from judging.queries.passage_choice import PassageChoice
from judging.queries.setting_up import MOST_QUERIES, Manner
from judging.queries.wording import READY

MOST_SEED = 2**31 - 1


def _count(*, most: int, least: int = 0, required: bool = True) -> forms.IntegerField:
    return forms.IntegerField(required=required, min_value=least, max_value=most)


class RoundForm(TermsForm):
    name = forms.CharField(max_length=100)
    model = forms.CharField(max_length=100)
    protocol = forms.ChoiceField(choices=QueryRound.Protocol.choices)
    currency = forms.RegexField("^[A-Z]{3}$")
    prompt = forms.SlugField(max_length=40)
    system = forms.CharField(required=False, max_length=LIMIT, strip=False)
    user = forms.CharField(max_length=LIMIT, strip=False)
    structured = forms.BooleanField(required=False)
    temperature = forms.FloatField(required=False, min_value=0, max_value=2)
    max_tokens = _count(least=1, most=100_000)
    seed = _count(most=MOST_SEED, required=False)
    number = _count(least=1, most=MOST_QUERIES)
    examples = forms.CharField(required=False, max_length=LIMIT)
    from_topics = _count(most=100, required=False)
    sought = forms.CharField(required=False, max_length=200)
    drawn = _count(least=1, most=10_000_000, required=False)
    drawn_by = _count(most=MOST_SEED, required=False)

    def choice(self) -> PassageChoice:
        data = self.cleaned_data
        return PassageChoice(sought=data["sought"], drawn=data["drawn"], seed=data["drawn_by"] or 0)

    def manner(self, examples: tuple[str, ...]) -> Manner:
        data = self.cleaned_data
        names = ("protocol", "structured", "temperature", "max_tokens", "seed", "number")
        settings = {name: data[name] for name in (*names, "currency")}
        return Manner(model=data["model"].strip(), examples=examples, **settings)


def begun() -> dict[str, Any]:
    """Return the initial values of a new round."""
    return {
        "protocol": "chat",
        "currency": "USD",
        "prompt": READY.key,
        "system": READY.system,
        "user": READY.user,
        "structured": True,
        "temperature": 0,
        "max_tokens": 1000,
        "number": 3,
        "drawn_by": 1,
        "at_most": 8,
    }


def like(round: QueryRound) -> dict[str, Any]:
    """Return the initial values of a copy of this round, without its key."""
    return terms_of(round) | {
        "model": round.model,
        "protocol": round.protocol,
        "currency": round.currency,
        "prompt": round.prompt.key,
        "system": round.prompt.system,
        "user": round.prompt.user,
        "structured": round.structured,
        "number": round.number,
        "examples": "\n".join(round.examples),
        "sought": round.sought,
        "drawn": round.drawn,
        "drawn_by": round.seed,
        # What it left to the endpoint, this one does, too.
        **({"temperature": None, "seed": None} | round.settings),
    }
