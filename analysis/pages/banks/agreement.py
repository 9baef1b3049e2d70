"""Agreement of the grades on a bank with judgments of the passages themselves."""

from typing import Any

from analysis.inputs.bank_cells import grade_levels_of, is_open, passage_grades
from analysis.inputs.judged_passages import judged_of_corpus
from analysis.pages.banks.boards import Choice, checked
from analysis.stats.errors import CannotCompute
from analysis.stats.retrieval.grade_agreement import KAPPAS, kappa_tables
from analysis.stats.retrieval.leaderboards import middle_of
from analysis.stats.retrieval.mean_grades import qrels_from
from analysis.stats.retrieval.oversight import relevant_from
from judging.banks.entries_at import confirmed_at
from judging.models import Bank

ENDS = ("low", "high")


def agreement_with_judgments(bank: Bank, choice: Choice) -> dict[str, Any]:
    """Return kappa tables of a pool's grades with each rater of passages, as plain data.

    While a study is open there are no intervals. Raises Refusal.
    """
    checked(bank, choice)
    pool, grades = passage_grades(bank, choice.pool)
    level = middle_of(grade_levels_of(bank))
    confirmed = [row.key for row in confirmed_at(bank, choice.revision)]
    grades = grades[grades["entry"].isin(confirmed)]
    judged, open_now = judged_of_corpus(bank.corpus), is_open(bank)
    rows, reasons = [], list[str]()
    for rater, part in judged.groupby("rater", sort=True) if len(judged) else ():
        relevant = relevant_from(part["grade"].tolist())
        try:
            found = kappa_tables(grades, qrels_from(part), level=level, relevant=relevant)
        except CannotCompute as reason:
            reasons.append(str(reason))
            continue
        for row in found.to_dict("records"):
            shown = {name: _plain(row[name], hidden=open_now and name in ENDS) for name in KAPPAS}
            rows.append({"judge": str(rater), **shown})
    return {
        "bank": bank.name,
        "revision": bank.revision if choice.revision is None else choice.revision,
        "raters": pool,
        "level": level,
        "is_open": open_now,
        "kappas": rows,
        "reasons": reasons,
    }


def _plain(value: Any, *, hidden: bool) -> Any:
    return None if hidden or (isinstance(value, float) and value != value) else value
