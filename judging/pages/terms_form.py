"""Form of the terms on which a model is asked: address, key, prices, budget, speed."""

from decimal import Decimal
from typing import Any

from django import forms

from judging.calls.asking import MOST_AT_ONCE, Terms
from judging.models.calls import Asker


def _price() -> forms.DecimalField:
    return forms.DecimalField(required=False, min_value=Decimal(0), max_digits=12, decimal_places=4)


class TermsForm(forms.Form):
    """Terms, which may change later."""

    base_url = forms.CharField(max_length=300)
    key = forms.CharField(required=False, max_length=500)
    price_in, price_out = _price(), _price()
    budget = forms.DecimalField(
        required=False, min_value=Decimal(0), max_digits=10, decimal_places=2
    )
    at_most = forms.IntegerField(min_value=1, max_value=MOST_AT_ONCE)
    repeats = forms.BooleanField(required=False)

    def terms(self) -> Terms:
        data = self.cleaned_data
        names = ("base_url", "price_in", "price_out", "budget", "at_most", "repeats")
        return Terms(**{name: data[name] for name in names})


def terms_of(judge: Asker) -> dict[str, Any]:
    return {
        "base_url": judge.base_url,
        "price_in": _typed(judge.price_in),
        "price_out": _typed(judge.price_out),
        "budget": judge.budget,
        "at_most": judge.at_most,
        "repeats": judge.repeats,
    }


def _typed(price: Decimal | None) -> str:
    """Return the price without the zeros of its column."""
    return "" if price is None else f"{price.normalize():f}"
