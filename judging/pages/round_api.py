"""Parts of the API that LLM judges of banks, LLM authors and LLM coders share."""

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib.auth.models import User
from rest_framework import serializers

from annotation.console.api.resource import DomainRefusal
from judging.calls import running_rounds
from judging.calls.asking import MOST_AT_ONCE, BadAsker, Terms
from judging.calls.prompts import LIMIT
from judging.calls.running_rounds import Round
from judging.models.calls import Asker
from judging.pages.askers import MOST_SEED, RoundActSerializer

__all__ = [
    "NewRoundSerializer",
    "RoundActSerializer",
    "RoundSerializer",
    "TermsSerializer",
    "act_on_round",
    "terms_in",
]
TERMS = ("base_url", "price_in", "price_out", "budget", "at_most", "repeats")


class TermsSerializer(serializers.Serializer[Any]):
    """Terms of calls: address, key, prices, budget, speed.

    `repeats` retries calls that got no response. With `run` false, no call is sent.
    """

    base_url = serializers.CharField(max_length=300)
    key = serializers.CharField(max_length=500, default="", allow_blank=True, write_only=True)
    price_in = serializers.DecimalField(12, 4, default=None, min_value=0, allow_null=True)
    price_out = serializers.DecimalField(12, 4, default=None, min_value=0, allow_null=True)
    budget = serializers.DecimalField(10, 2, default=None, min_value=0, allow_null=True)
    at_most = serializers.IntegerField(default=8, min_value=1, max_value=MOST_AT_ONCE)
    repeats = serializers.BooleanField(default=False)
    run = serializers.BooleanField(default=True)


class NewRoundSerializer(TermsSerializer):
    """Settings of a round's model, its prompt and its terms."""

    name = serializers.CharField(max_length=100)
    model = serializers.CharField(max_length=100)
    protocol = serializers.ChoiceField(choices=Asker.Protocol.choices, default="chat")
    seed = serializers.IntegerField(default=None, min_value=0, max_value=MOST_SEED, allow_null=True)
    temperature = serializers.FloatField(default=0, min_value=0, max_value=2, allow_null=True)
    system = serializers.CharField(max_length=LIMIT, default="", allow_blank=True)
    user = serializers.CharField(max_length=LIMIT, default="", allow_blank=True)


class RoundSerializer(serializers.Serializer[Any]):
    """A round and its progress."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    state = serializers.ChoiceField(choices=Asker.State.choices)
    said = serializers.CharField()
    model = serializers.CharField()
    prompt = serializers.CharField()
    made_at = serializers.DateTimeField()
    calls = serializers.IntegerField()
    unprepared = serializers.IntegerField()
    answered = serializers.IntegerField()
    failed = serializers.IntegerField()
    unread = serializers.IntegerField()
    cost = serializers.FloatField(allow_null=True)


def terms_in(data: Mapping[str, Any]) -> Terms:
    """Return the terms in the data of a TermsSerializer."""
    return Terms(**{name: data[name] for name in TERMS})


def act_on_round(
    one: Round, do: str, *, person: Any, run: Callable[[Any, User | None], None]
) -> bool:
    """Run, pause, restore or delete a round; return False if it is deleted for good.

    Raises DomainRefusal.
    """
    by = person if isinstance(person, User) else None
    try:
        if do == "run":
            run(one, by)
        elif do == "pause":
            running_rounds.pause(round=one, by=by)
        elif do == "restore":
            running_rounds.restore(round=one, by=by)
        else:
            return running_rounds.delete(round=one, by=by)
    except BadAsker as error:
        raise DomainRefusal(error) from error
    return True
