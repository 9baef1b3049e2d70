"""Template filters for the banks of a study."""

from django import template

from annotation.models import Study
from judging.models import Instrument

register = template.Library()


@register.simple_tag
def instruments_with_banks(study: Study) -> list[Instrument]:
    """Return one instrument of the study for each bank that it uses."""
    rows = Instrument.objects.filter(study=study).exclude(bank=None).select_related("bank")
    return list({row.bank_id: row for row in rows.order_by("pk")}.values())
