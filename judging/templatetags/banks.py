"""Template filters for the banks of a study."""

from django import template

from annotation.models import Study
from judging.banks.studies import retired_since
from judging.models import Bank, Instrument

register = template.Library()


@register.simple_tag
def instruments_with_banks(study: Study) -> list[Instrument]:
    """Return one instrument of the study for each bank that it uses."""
    rows = Instrument.objects.filter(study=study).exclude(bank=None).select_related("bank")
    return list({row.bank_id: row for row in rows.order_by("pk")}.values())


@register.simple_tag
def retired_entries(study: Study) -> list[tuple[Bank, int]]:
    """Return the banks of a study with the number of its entries that they retired since."""
    return retired_since(study)
