"""Money: what people of a study are owed and were paid, what an hour earns them, orders to pay."""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation import jobs, tasks
from annotation.clock import database_now
from annotation.fieldwork.paying import budgeting, budgets, ordering, orders, sending, totals
from annotation.fieldwork.paying.dues import Due, is_by_platform
from annotation.fieldwork.paying.ordering import CATEGORIES, MIN_REJECTION_LENGTH
from annotation.fieldwork.paying.orders import OrderPreview
from annotation.fieldwork.paying.statements import statement
from annotation.lists import page_of, parameter, search_words
from annotation.models import Assignment, Payment, Study, Worker
from annotation.people import access
from annotation.people.access import Act, user_of
from annotation.people.access.roles import check
from annotation.people.pseudonyms import people_with_id
from annotation.refusals import Refusal
from annotation.texts.sentences import marked
from annotation.texts.spreadsheets import EXCEL
from annotation.texts.translation import translated_error

ROWS = 100
MOST_MONEY = 10**6  # in major units, of one entry: columns hold ten digits


@login_required
@require_GET
def money(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    study = access.study_for(request.user, slug=slug, version=version, may=Act.VIEW)
    return render(request, "console/money/money.html", _shown(request, study))


def _shown(request: HttpRequest, study: Study) -> dict[str, Any]:
    accounts, q = totals.accounts_of(study), search_words(request)
    with_id = set(people_with_id(Worker.objects.all(), q).values_list("pk", flat=True))
    hours = sum(account.hours for account in accounts)
    timed = [account for account in accounts if account.wage is not None]
    under = [account for account in timed if (account.wage or 0) < study.hourly_wage]
    only = parameter(request, "only")
    shown = {"timed": timed, "under": under}.get(only, accounts)
    by_platform = is_by_platform(study)
    going = Payment.objects.filter(study=study).exclude(state=Payment.State.PAID)
    waiting = orders.waiting_of(study)
    return {
        "study": study,
        "sums": totals.sums_over(accounts),
        "people": len(accounts),
        "wage": _over_all(timed, hours),
        "timed": sum(account.n for account in accounts),
        "under": len(under),
        "only": only,
        "timed_people": len(timed),
        "page": page_of(
            [
                account
                for account in shown
                if q.lower() in account.worker.pseudonym.lower() or account.worker.pk in with_id
            ],
            request,
            rows_a_page=ROWS,
        ),
        "q": q,
        "payable": waiting[Due.PAYABLE],
        "settleable": waiting[Due.SETTLED_BY_BONUS],
        "slower": any(at.is_slower for at in study.platform_studies.all()),
        "dues": [due for due in waiting.values() if due.n],
        "rejectable": orders.rejectable(study) if by_platform else [],
        "by_platform": by_platform,
        "dry_run": by_platform and not sending.is_on(),
        "budget": budgets.budgets_of([study]).get(study.pk),
        "going": going.select_related("worker", "assignment").order_by("-pk")[:ROWS],
    }


def _over_all(timed: list[totals.Account], hours: float) -> float | None:
    """All pay by all hours (studies.wages)."""
    return sum((account.wage or 0) * account.hours for account in timed) / hours if hours else None


@login_required
@require_GET
def money_statement(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """Send the sums of pay as CSV, or with `?excel` as a file for Excel."""
    study = access.study_for(request.user, slug=slug, version=version, may=Act.EXPORT)
    excel = "excel" in request.GET
    text = statement(study, totals.accounts_of(study), excel=excel)
    access.record(user=request.user, act="downloaded the pay statement", of=study)
    name = f"{study.slug}-pay.{EXCEL if excel else 'csv'}"
    return HttpResponse(
        text,
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@login_required
@require_POST
def money_budget(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """Set the budget of a study; an empty field means no limit."""
    study = access.study_for(request.user, slug=slug, version=version, may=Act.RUN)
    typed = request.POST.get("budget", "").strip()
    try:
        amount = _amount(typed) if typed else None
        budgeting.set_budget(study=study, amount=amount, user=user_of(request), now=database_now())
    except Refusal as error:
        messages.error(request, translated_error(error))
    return redirect("money", study.slug, study.version)


# -- Orders for many ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Order:
    """An order for many: what it would come to, and what orders it as it was looked at."""

    key: str
    title: str
    button: str
    look: Callable[[Study], OrderPreview]
    do: Callable[..., list[Payment]]


ORDERS = {
    each.key: each
    for each in (
        Order(
            "pay",
            marked("Pay approved work"),
            marked("Pay"),
            orders.payable,
            ordering.pay,
        ),
        Order(
            "settle",
            marked("Pay as bonuses"),
            marked("Pay as bonuses:"),
            orders.settleable,
            ordering.settle,
        ),
        Order(
            "lift",
            marked("Top up to target wage"),
            marked("Pay bonuses:"),
            orders.shortfalls,
            ordering.lift,
        ),
        Order(
            "adjust",
            marked("Top up to planned wage"),
            marked("Pay bonuses:"),
            orders.adjustments,
            ordering.adjust,
        ),
    )
}


@login_required
@require_http_methods(["GET", "POST"])
def money_order(request: HttpRequest, slug: str, version: int, order: str) -> HttpResponse:
    """Preview an order with people and money, and place it as previewed."""
    may = Act.RUN if request.method == "POST" else Act.VIEW
    study = access.study_for(request.user, slug=slug, version=version, may=may)
    if (chosen := ORDERS.get(order)) is None:
        raise Http404("Order not found.")
    refused = ""
    if request.method == "POST":
        try:
            made = chosen.do(
                study=study,
                stamp=request.POST.get("stamp", ""),
                user=request.user,
                now=database_now(),
            )
        except Refusal as error:
            refused = translated_error(error)
        else:
            return _ordered(request, study, len(made))
    preview = chosen.look(study)
    context = {
        "study": study,
        "order": chosen,
        "preview": preview,
        "shown": orders.works_of(preview.dues[:ROWS]),
        "by_platform": is_by_platform(study),
        "slower": [at for at in study.platform_studies.all() if at.is_slower],
        "refused": refused,
    }
    status = 409 if refused else 200
    return render(request, "console/money/order.html", context, status=status)


def _ordered(request: HttpRequest, study: Study, number: int) -> HttpResponse:
    if is_by_platform(study):
        jobs.send_after_commit(tasks.pay_people)
        message = ngettext(
            "{number} order is in progress.",
            "{number} orders are in progress.",
            number,
        )
    else:
        message = ngettext(
            "{number} order marked as paid.", "{number} orders marked as paid.", number
        )
    messages.success(request, message.format(number=number))
    return redirect("money", study.slug, study.version)


# -- Orders for one -----------------------------------------------------------------------------


@login_required
@require_http_methods(["GET", "POST"])
def money_bonus(request: HttpRequest, slug: str, version: int, pk: int) -> HttpResponse:
    """Pay a bonus for a submission."""
    study, work = _work(request, slug, version, pk)
    given = Payment.objects.filter(assignment=work, kind=Payment.Kind.BONUS)

    def do() -> None:
        ordering.give_bonus(
            work=work,
            amount=_amount(request.POST.get("amount", "")),
            reason=request.POST.get("reason", ""),
            number=_number(request.POST.get("number", "")),
            user=user_of(request),
            now=database_now(),
        )

    context = {"number": given.count(), "given": given, "amount": request.POST.get("amount", "")}
    context["shut"] = ordering.no_bonus_for(work)
    return _for_one(request, study, work, do, "console/money/bonus.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def money_reject(request: HttpRequest, slug: str, version: int, pk: int) -> HttpResponse:
    """Report a rejection to the platform, with a category and a message for the worker."""
    study, work = _work(request, slug, version, pk)
    last = work.decisions.last()

    def do() -> None:
        ordering.reject(
            work=work,
            category=request.POST.get("category", ""),
            message=request.POST.get("reason", ""),
            user=user_of(request),
            now=database_now(),
        )

    context = {
        "categories": CATEGORIES,
        "fewest": MIN_REJECTION_LENGTH,
        "category": request.POST.get("category", ""),
        "reason": request.POST.get("reason", last.reason if last else ""),
        "shut": ordering.no_rejection_of(work),
    }
    return _for_one(request, study, work, do, "console/money/reject.html", context)


def _for_one(
    request: HttpRequest,
    study: Study,
    work: Assignment,
    do: Callable[[], None],
    template: str,
    context: dict[str, Any],
) -> HttpResponse:
    refused = ""
    if request.method == "POST":
        try:
            do()
        except Refusal as error:
            refused = translated_error(error)
        else:
            return _ordered(request, study, 1)
    values = {
        "study": study,
        "work": work,
        "refused": refused,
        "reason": request.POST.get("reason"),
    }
    values["by_platform"] = is_by_platform(study)
    status = 422 if refused else 409 if context["shut"] else 200
    return render(request, template, values | context, status=status)


@login_required
@require_POST
def money_say(request: HttpRequest, slug: str, version: int, pk: int) -> HttpResponse:
    """Somebody has looked at the platform, and says what became of a payment."""
    study = access.study_for(request.user, slug=slug, version=version, may=Act.VIEW)
    payment = get_object_or_404(Payment, pk=pk, study=study)
    check(study, Act.RUN)
    try:
        ordering.say(
            payment=payment,
            was_paid=request.POST.get("paid") == "yes",
            user=user_of(request),
            now=database_now(),
        )
    except Refusal as error:
        messages.error(request, translated_error(error))
    return redirect("money", study.slug, study.version)


def _work(request: HttpRequest, slug: str, version: int, pk: int) -> tuple[Study, Assignment]:
    study = access.study_for(request.user, slug=slug, version=version, may=Act.RUN)
    rows = Assignment.objects.filter(study=study).select_related("worker", "task__batch", "study")
    return study, get_object_or_404(rows, pk=pk)


def _amount(typed: str) -> Decimal:
    """Parse an amount. Raises Refusal."""
    try:
        amount = Decimal(typed.strip().replace(",", "."))
    except InvalidOperation as error:
        raise Refusal("NoAmount", gettext("Enter an amount, such as 0.50.")) from error
    if not amount.is_finite() or abs(amount) > MOST_MONEY:
        raise Refusal("AmountTooLarge", gettext("This amount is too large."))
    if amount != round(amount, 2):
        raise Refusal("TooManyDecimals", gettext("Enter at most two decimals."))
    return amount


def _number(sent: str) -> int:
    return int(sent) if sent.isdecimal() and len(sent) < 6 else -1
