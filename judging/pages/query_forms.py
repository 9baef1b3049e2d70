"""Form of a round of queries."""

from typing import Any

from django import forms

from judging.calls.prompts import LIMIT
from judging.models import QueryRound
from judging.pages.askers import MOST_SEED, NEW, AskerForm, copy_of, count_field
from judging.queries.joining import MOST_TOKENS
from judging.queries.passage_choice import PassageChoice
from judging.queries.setting_up import MOST_QUERIES, Manner
from judging.queries.wording import READY


class RoundForm(AskerForm):
    currency = forms.RegexField("^[A-Z]{3}$")
    number = count_field(least=1, most=MOST_QUERIES)
    examples = forms.CharField(required=False, max_length=LIMIT)
    from_topics = count_field(most=100, required=False)
    sought = forms.CharField(required=False, max_length=200)
    drawn = count_field(least=1, most=10_000_000, required=False)
    joined = count_field(least=100, most=MOST_TOKENS, required=False)
    drawn_by = count_field(most=MOST_SEED, required=False)

    def choice(self) -> PassageChoice:
        data = self.cleaned_data
        return PassageChoice(
            sought=data["sought"],
            drawn=data["drawn"],
            seed=data["drawn_by"] or 0,
            joined=data["joined"],
        )

    def manner(self, examples: tuple[str, ...]) -> Manner:
        return Manner(examples=examples, **self.settings("number", "currency"))


def begun() -> dict[str, Any]:
    """Return the initial values of a new round."""
    return NEW | {
        "currency": "USD",
        "prompt": READY.key,
        "system": READY.system,
        "user": READY.user,
        "max_tokens": 1000,
        "number": 3,
        "drawn_by": 1,
    }


def like(round: QueryRound) -> dict[str, Any]:
    """Return the initial values of a copy of this round, without its key."""
    # What the round left to the endpoint, its copy leaves to it as well.
    unset = {"temperature": None, "seed": None}
    return (
        unset
        | copy_of(round)
        | {
            "currency": round.currency,
            "number": round.number,
            "examples": "\n".join(round.examples),
            "sought": round.sought,
            "drawn": round.drawn,
            "drawn_by": round.seed,
            "joined": round.joined,
        }
    )
