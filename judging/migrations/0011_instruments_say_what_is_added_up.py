"""What is added up belongs to the instrument, not to the keys of five that came with the program."""

from typing import Any

from django.db import migrations, models

HEADS = {
    "scale_honesty": ["honesty", "correctness", "completeness", "no_invention", "openness"],
    "scale_comprehensibility": [
        "comprehensibility",
        "fluency",
        "no_repetition",
        "clarity",
        "order",
    ],
}
ADDED_UP = [
    "direct-quality",
    "quality-agreement",
    "ab-comparison",
    "best-worst-two",
    "answer-quality",
]


def say_what_is_added_up(apps: Any, schema_editor: Any) -> None:
    rows = apps.get_model("judging", "Instrument").objects.filter(key__in=ADDED_UP)
    for instrument in rows.prefetch_related("criteria"):
        asked = {criterion.key for criterion in instrument.criteria.all()}
        heads = [
            {"key": key, "criteria": keys} for key, keys in HEADS.items() if asked.issuperset(keys)
        ]
        instrument.totals = [*heads, {"key": "total"}]
        instrument.save(update_fields=["totals"])


class Migration(migrations.Migration):
    dependencies = [("judging", "0010_questions_may_be_left_out")]

    operations = [
        migrations.AddField(
            model_name="instrument",
            name="totals",
            field=models.JSONField(
                blank=True, default=list, help_text="key of each and its criteria, none: all asked"
            ),
        ),
        migrations.RunPython(say_what_is_added_up, migrations.RunPython.noop),
    ]
