"""Stored scores that took support, fluency and relevance for OS, OF and OR are removed.

Version 1 of the overview asked for these three, and runs scored them as overview sufficiency,
faithfulness and representativeness. What rests on that (XUX, SGSS, learned weights) leaves the
results of such studies; comprehensiveness and all other numbers stay. A new analysis scores the
parts that were asked for.
"""

import hashlib
from typing import Any

from django.db import migrations

ASKED = ("support", "fluency", "relevance")
SCORES = ("xux", "xux_f", "xux_g", "sgss")
LEARNED = ("weights", "agreement", "degraded")
WHY = (
    "Earlier scores were removed: they took support, fluency and relevance of the overview for "
    "sufficiency, faithfulness and representativeness. Analyse again."
)


def remove_scores(apps: Any, schema_editor: Any) -> None:
    Question, Result = apps.get_model("judging", "Question"), apps.get_model("analysis", "Result")
    studies = Question.objects.filter(instrument__item_kind="overview", key__in=ASKED)
    changed = set()
    results = Result.objects.filter(step__run__study__in=studies.values("study"))
    for result in results.select_related("step").iterator():
        data = {name: without_scores(table) for name, table in result.data.items()}
        if result.step.analysis == "summaries":
            data |= {n: table | {"rows": []} for n, table in data.items() if n in LEARNED}
            if "undefined" in data:
                rows = [*data["undefined"]["rows"], ["overview", WHY]]
                data["undefined"] = data["undefined"] | {"rows": rows}
        if data != result.data:
            Result.objects.filter(pk=result.pk).update(data=data)
            changed.add(result.step.run_id)
    for run in apps.get_model("analysis", "AnalysisRun").objects.filter(pk__in=changed):
        # Asked for again, the same data are analysed again and not answered from this run.
        run.key = hashlib.sha256(f"{run.key} without scores".encode()).hexdigest()
        run.save(update_fields=["key"])


def without_scores(table: Any) -> Any:
    if not isinstance(table, dict) or "rows" not in table:
        return table
    return table | {"rows": [row for row in table["rows"] if not any(map(is_score, row))]}


def is_score(cell: Any) -> bool:
    return isinstance(cell, str) and cell.partition("@")[0] in SCORES


class Migration(migrations.Migration):
    dependencies = [
        ("analysis", "0001_squashed_0013_certainty_is_simulated_by_workers"),
        ("judging", "0024_instruments_have_a_version"),
    ]

    operations = [migrations.RunPython(remove_scores, migrations.RunPython.noop)]
