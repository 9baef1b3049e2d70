"""Two-step log-in: nobody is in before the code, a code counts once, guesses are limited."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from axes.models import AccessAttempt
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.utils import timezone
from django_otp.oath import TOTP
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice
from playwright.sync_api import expect

from annotation.refusals import Refusal
from config import logging_in, login_views, verifying
from config.verifying import AlreadyOn, WrongCode
from tests.cast import rita
from tests.config.addresses import addresses
from tests.hooks import element, invalid_fields
from tests.refusals import refused

pytestmark = pytest.mark.django_db
PASSWORD = "a long password"
PRIVATE = ["/", "/two-step/", "/api/studies/", "/admin/", "/admin/auth/user/"]


def phone_code(user: User, *, steps: int = 0) -> str:
    """Return the code on the phone now, or `steps` half minutes later."""
    phone = TOTPDevice.objects.get(user=user)
    totp = TOTP(phone.bin_key)
    totp.time = time.time() + 30 * steps
    return f"{totp.token():06}"


def turned_on(user: User) -> list[str]:
    """Turn it on as the page does, and return the recovery codes; the phone shows a next code."""
    verifying.prepare(user=user)
    codes = verifying.turn_on(user=user, code=phone_code(user))
    TOTPDevice.objects.update(last_t=-1)  # as if half a minute had passed
    return codes


def wait_over() -> None:
    for model in (TOTPDevice, StaticDevice):
        model.objects.update(throttling_failure_timestamp=None)


def show_password(client: Client, *, to: str = "/login/"):
    return client.post(to, {"username": "rita", "password": PASSWORD})


def show_code(client: Client, code: str):
    return client.post("/login/code/", {"code": code})


def is_in(client: Client) -> bool:
    return client.get("/").status_code == 200


def test_without_it_the_password_is_enough():
    rita()
    client = Client()
    assert show_password(client).url == "/"
    assert is_in(client)


def test_nobody_is_logged_in_between_the_two_steps():
    turned_on(rita())
    client = Client()
    assert show_password(client, to="/login/?next=/api/studies/").url == "/login/code/"
    for address in PRIVATE:
        assert client.get(address).status_code in {302, 401, 403}, address
    assert "_auth_user_id" not in client.session
    assert logging_in.KNOWN not in client.cookies  # nor is the browser a known one


def test_no_address_lets_in_whoever_has_shown_the_password_alone():
    """The console and the records, from the URL configuration."""
    user = rita()
    turned_on(user)
    client, stranger = Client(), Client()
    show_password(client)
    for path, name in addresses():
        if "<" not in path and name != "login_code":
            said, wanted = client.get(f"/{path}"), stranger.get(f"/{path}")
            assert said.status_code == wanted.status_code, path


def test_the_code_lets_in_and_leads_on():
    user = rita()
    turned_on(user)
    client = Client()
    show_password(client, to="/login/?next=/api/studies/")
    before = client.session.session_key
    code = phone_code(user)
    assert show_code(client, f" {code[:3]} {code[3:]} ").url == "/api/studies/"
    assert is_in(client)
    assert client.session.session_key != before
    assert login_views.WAITING not in client.session
    assert logging_in.KNOWN in client.cookies
    assert client.post("/logout/").status_code == 302


def test_the_second_step_leads_to_no_other_site():
    user = rita()
    turned_on(user)
    client = Client()
    show_password(client, to="/login/?next=https://elsewhere.example/")
    assert show_code(client, phone_code(user)).url == "/"


def test_a_code_counts_once():
    user = rita()
    turned_on(user)
    code = phone_code(user)
    statuses = []
    for _ in range(2):
        client = Client()
        show_password(client)
        statuses.append(show_code(client, code).status_code)
        wait_over()
    assert statuses == [302, 422]


@pytest.mark.storage
@pytest.mark.django_db(transaction=True)
def test_of_two_requests_with_one_code_one_is_let_in():
    user = rita()
    recovery = turned_on(user)[0]

    def tries(code: str) -> bool:
        try:
            verifying.take(user=user, code=code)
        except Refusal as refusal:
            if refusal.code not in ("WrongCode", "TooSoon"):
                raise
            return False
        finally:
            connection.close()
        return True

    for code in (phone_code(user), recovery):
        with ThreadPoolExecutor(4) as pool:
            assert sum(pool.map(tries, [code] * 4)) == 1
        wait_over()


def test_a_recovery_code_lets_in_once():
    user = rita()
    codes = turned_on(user)
    assert len(set(codes)) == verifying.RECOVERY_CODES
    client = Client()
    show_password(client)
    assert show_code(client, codes[3].upper()).status_code == 302
    assert is_in(client)
    assert verifying.recovery_codes_left(user) == verifying.RECOVERY_CODES - 1
    with pytest.raises(WrongCode):
        verifying.take(user=user, code=codes[3])


def test_the_password_is_wanted_before_a_code():
    user = rita()
    turned_on(user)
    client = Client()
    page = show_code(client, phone_code(user))
    assert page.url == "/login/"
    assert not is_in(client)
    client.post("/login/", {"username": "rita", "token": phone_code(user), "password": ""})
    client.post("/login/", {"username": "rita", "token": phone_code(user), "password": "guess"})
    assert not is_in(client)


@pytest.mark.parametrize("change", ["late", "password", "inactive", "off"])
def test_a_shown_password_does_not_wait_for_ever(change):
    user = rita()
    turned_on(user)
    client = Client()
    show_password(client)
    code = phone_code(user)
    if change == "late":
        session = client.session
        waiting = session[login_views.WAITING]
        session[login_views.WAITING] = {
            **waiting,
            "since": waiting["since"] - login_views.WAITS - 1,
        }
        session.save()
    elif change == "password":
        user.set_password("another long password")
        user.save()
    elif change == "inactive":
        User.objects.update(is_active=False)
    else:
        verifying.turn_off(user=user)
    assert show_code(client, code).url == "/login/"
    assert not is_in(client)


def test_after_a_wrong_code_even_the_right_one_waits(monkeypatch):
    now = timezone.now()  # the second to wait may not pass while a busy machine answers
    monkeypatch.setattr(timezone, "now", lambda: now)
    monkeypatch.setattr(verifying, "database_now", lambda: now)
    user = rita()
    turned_on(user)
    client = Client()
    show_password(client)
    assert element(show_code(client, "000000").text, "role", "alert").numbers == []
    page = show_code(client, phone_code(user))
    assert page.status_code == 422
    assert element(page.text, "role", "alert").numbers == [1]  # second to wait
    TOTPDevice.objects.update(throttling_failure_count=9)
    with refused("TooSoon") as caught:
        verifying.take(user=user, code=phone_code(user))
    assert caught.value.said.values == {"seconds": 256}


@pytest.mark.parametrize("wrong", ["", "000000", "x" * 5000, "\0", "١٢٣٤٥٦", "-12345", "abcdefgh"])
def test_whatever_is_typed_is_answered_with_a_sentence(wrong):
    turned_on(rita())
    client = Client()
    show_password(client)
    page = show_code(client, wrong)
    assert page.status_code == 422
    assert element(page.text, "role", "alert").numbers == []
    assert invalid_fields(page.text) == ["code"]


def test_guesses_of_the_code_lock_an_address_out_as_those_of_the_password_do():
    user = rita()
    turned_on(user)
    client = Client()
    show_password(client)
    statuses = []
    for n in range(logging_in.GUESSES):
        wait_over()
        statuses.append(show_code(client, f"{n:06}").status_code)
    assert statuses == [422] * 9 + [429]
    wait_over()
    assert show_code(client, phone_code(user)).status_code == 429  # even the right one
    assert show_password(Client()).status_code == 429
    assert not is_in(client)
    kept = AccessAttempt.objects.get()
    assert "000001" not in kept.post_data
    other = Client(REMOTE_ADDR="198.51.100.7")
    show_password(other)
    assert show_code(other, phone_code(user)).status_code == 302  # the owner, elsewhere


def test_the_page_turns_it_on_by_a_first_code_and_shows_recovery_codes_once():
    user, client = rita(), Client()
    client.force_login(user)
    assert 'class="qr-code"' not in client.get("/two-step/").content.decode()
    assert client.post("/two-step/prepare/").url == "/two-step/"
    page = client.get("/two-step/").content.decode()
    assert 'class="qr-code"' in page
    assert "style=" not in page
    assert not verifying.is_on(user)
    assert client.post("/two-step/on/", {"code": "000000"}).status_code == 422
    assert not verifying.is_on(user)
    wait_over()
    shown = client.post("/two-step/on/", {"code": phone_code(user)})
    assert "no-store" in shown.headers["Cache-Control"]
    assert verifying.is_on(user)
    for token in StaticToken.objects.all():
        assert token.token in shown.content.decode()
        assert token.token not in client.get("/two-step/").content.decode()
    again = client.post("/two-step/on/", {"code": phone_code(user)})  # a reload
    assert again.url == "/two-step/"


def test_the_secret_is_shown_to_nobody_once_it_is_on():
    user, client = rita(), Client()
    turned_on(user)
    client.force_login(user)
    assert "data-secret" not in client.get("/two-step/").content.decode()
    with pytest.raises(AlreadyOn):
        verifying.prepare(user=user)
    assert client.post("/two-step/prepare/").url == "/two-step/"
    assert TOTPDevice.objects.count() == 1
    for name in ("otp_totp/totpdevice", "otp_static/staticdevice"):
        assert client.get(f"/admin/{name}/").status_code == 404


def test_turning_it_off_wants_a_code():
    user, client = rita(), Client()
    turned_on(user)
    client.force_login(user)
    assert client.post("/two-step/off/", {"code": "000000"}).status_code == 422
    assert verifying.is_on(user)
    wait_over()
    assert client.post("/two-step/off/", {"code": phone_code(user)}).url == "/two-step/"
    assert not verifying.is_on(user)
    assert not StaticToken.objects.exists()
    assert show_password(Client()).url == "/"


def test_an_administrator_turns_it_off_for_somebody_who_lost_the_phone(capsys):
    turned_on(rita())
    call_command("turn_off_two_step", "rita")
    assert "rita" in capsys.readouterr().out
    assert show_password(Client()).url == "/"
    with pytest.raises(CommandError, match="rita"):
        call_command("turn_off_two_step", "rita")
    with pytest.raises(CommandError, match="charlie"):
        call_command("turn_off_two_step", "charlie")


@pytest.mark.browser
def test_rita_turns_it_on_logs_in_with_it_and_turns_it_off(
    live_server, page, axe, transactional_db
):
    user = rita()
    faults = []
    code = page.locator("[name=code]")
    page.on("console", lambda message: faults.append(message.text))
    page.goto(f"{live_server.url}/login/")
    _send_password(page)
    _in_the_account_menu(page).locator("a[href='/two-step/']").click()
    page.locator("form[action='/two-step/prepare/']").wait_for()
    assert axe(page) == []
    page.locator("form[action='/two-step/prepare/'] button").click()
    page.locator(".qr-code").wait_for()
    assert axe(page) == []
    code.fill(phone_code(user))
    page.locator("form[action='/two-step/on/'] button").click()
    page.locator("[data-recovery-codes]").wait_for()
    assert axe(page) == []
    recovery = page.get_by_role("listitem").all_inner_texts()
    _in_the_account_menu(page).locator("form[action='/logout/'] button").click()
    _send_password(page)
    code.wait_for()
    assert axe(page) == []
    code.fill("000000")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_have_id("code-error")
    assert axe(page) == []
    code.fill(recovery[0])
    page.keyboard.press("Enter")
    page.wait_for_url(f"{live_server.url}/")
    _in_the_account_menu(page).locator("a[href='/two-step/']").click()
    page.locator("form[action='/two-step/off/']").wait_for()
    assert axe(page) == []
    code.fill(recovery[1])
    page.locator("form[action='/two-step/off/'] button").click()
    expect(page.locator("[data-message=success]")).to_be_visible()
    expect(page.locator("form[action='/two-step/prepare/']")).to_be_visible()
    assert not verifying.is_on(user)
    assert [fault for fault in faults if "422" not in fault] == []


def _send_password(page):
    page.locator("[name=username]").fill("rita")
    page.locator("[name=password]").fill(PASSWORD)
    page.locator(".login .button-primary").click()


def _in_the_account_menu(page):
    menu = page.locator("details.console-user")
    menu.locator("summary").click()
    return menu
