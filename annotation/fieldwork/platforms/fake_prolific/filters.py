"""Some of Prolific's participant filters, in the shape of its list."""

from typing import Any

COUNTRIES = (
    "United Kingdom", "United States", "Ireland", "Germany", "Australia", "Canada", "New Zealand",
)  # fmt: skip
FILTERS: list[dict[str, Any]] = [
    {
        "filter_id": "first-language",
        "title": "First language",
        "type": "select",
        "data_type": "ChoiceID",
        "choices": {"0": "German", "1": "English", "2": "French"},
    },
    {
        "filter_id": "current-country-of-residence",
        "title": "Current country of residence",
        "type": "select",
        "data_type": "ChoiceID",
        "choices": {str(number): name for number, name in enumerate(COUNTRIES)},
    },
    {
        "filter_id": "approval_rate",
        "title": "Approval rate",
        "type": "range",
        "data_type": "integer",
        "min": 0,
        "max": 100,
    },
    {
        "filter_id": "approval_numbers",
        "title": "Number of approved submissions",
        "type": "range",
        "data_type": "integer",
        "min": 0,
        "max": 100_000,
    },
]
