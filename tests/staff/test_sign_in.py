"""The doors: a PIN at an enrolled tablet, a password at a console, five tries, one role a shift."""

from __future__ import annotations

from datetime import timedelta

import pytest
from axes.models import AccessAttempt
from django.contrib.auth.hashers import MD5PasswordHasher, identify_hasher
from django.db import connection
from django.http import HttpRequest
from django.test import Client

from casino.staff.errors import CredentialsError, LockedError
from casino.staff.models import AuditRow, RoleChoice
from casino.staff.roles import Role
from casino.staff.services.sign_in import know_at_tablet

from .conftest import AT, PASSWORD, PIN, enrol_tablet, hire

WRONG_PIN = "The number or the PIN is not right."
WRONG_PASSWORD = "The number or the password is not right."


def by_pin(tablet, number="DL-210", pin=PIN, **more):
    return tablet.browser.post("/sign-in/tablet/", {"number": number, "pin": pin, **more})


def by_password(browser, number="PB-007", password=PASSWORD, **more):
    return browser.post("/sign-in/", {"number": number, "password": password, **more})


def is_signed_in(browser):
    return "_auth_user_id" in browser.session


@pytest.fixture
def count_hashes(monkeypatch):
    """Return a function that begins a list of what is hashed from then on."""

    def begin():
        hashed = []
        kept = MD5PasswordHasher.encode

        def encode(self, password, salt):
            hashed.append(password)
            return kept(self, password, salt)

        monkeypatch.setattr(MD5PasswordHasher, "encode", encode)
        return hashed

    return begin


def test_the_bare_address_leads_a_tablet_to_its_table_and_others_to_the_pit(tablet, client):
    assert tablet.browser.get("/").url == "/tablet/"
    assert client.get("/").url == "/pit/"


def test_a_dealer_signs_in_by_pin_and_comes_to_the_table(tablet, dealer):
    response = by_pin(tablet)
    assert (response.status_code, response.url) == (302, "/tablet/")
    session = tablet.browser.session
    assert (session["role"], session["device_id"]) == ("dealer", tablet.device.pk)


@pytest.mark.parametrize("typed", ["DL-210", "dl-210", " DL-210 ", "210"])
def test_a_keypad_without_letters_is_enough(tablet, dealer, typed):
    assert by_pin(tablet, number=typed).status_code == 302


def test_digits_that_two_badges_share_mean_nobody(tablet, dealer, house):
    hire(house, "RN-210", Role.RUNNER)
    assert by_pin(tablet, number="210").status_code == 422
    assert by_pin(tablet, number="DL-210").status_code == 302


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("PB-007", "sign_in.refused: PB-007 at a console"),
        # Most of a PIN may have been typed into the wrong field.
        ("PB-2101", "sign_in.refused: an unknown number at a console"),
    ],
)
def test_a_wrong_password_is_one_line_of_the_log(client, pit_boss, caplog, typed, said):
    by_password(client, number=typed, password="nonsense")
    assert [line.getMessage() for line in caplog.records if "axes" in line.name] == []
    staff = [line for line in caplog.records if line.name.startswith("casino.staff")]
    assert [(line.levelname, line.getMessage()) for line in staff] == [("WARNING", said)]


def test_the_line_of_the_log_says_when_a_number_is_locked(tablet, dealer, caplog):
    for _ in range(5):
        by_pin(tablet, pin="0000")
    said = [each.getMessage() for each in caplog.records if each.name.startswith("casino.staff")]
    place = f"sign_in.refused: DL-210 at device {tablet.device.pk}"
    assert said == [place] * 4 + [f"{place}, locked"]


def test_a_pit_boss_signs_in_by_password_and_comes_to_the_pit(client, pit_boss):
    response = by_password(client)
    assert (response.status_code, response.url) == (302, "/pit/")
    assert client.session["role"] == "pit_boss"


@pytest.mark.parametrize(
    ("number", "pin"), [("DL-210", "2581"), ("DL-999", PIN), ("DL-210", "abcd"), ("DL-210", "٢٥٨٠")]
)
def test_a_wrong_number_or_pin_is_refused_beside_the_field(tablet, dealer, number, pin):
    response = by_pin(tablet, number=number, pin=pin)
    assert response.status_code == 422
    assert response.context["form"].errors == {"pin": [WRONG_PIN]}
    assert not is_signed_in(tablet.browser)


def test_a_wrong_password_is_refused_beside_the_field(client, pit_boss):
    response = by_password(client, password="guess")
    assert response.status_code == 422
    assert response.context["form"].errors == {"password": [WRONG_PASSWORD]}
    assert not is_signed_in(client)


def test_a_pin_counts_at_no_other_browser(client, dealer):
    response = client.post("/sign-in/tablet/", {"number": "DL-210", "pin": PIN})
    assert response.status_code == 403
    assert "This device is not enrolled" in response.text
    assert not is_signed_in(client)


def test_a_pin_is_no_password(client, pit_boss):
    assert by_password(client, password="4826").status_code == 422
    assert not is_signed_in(client)


def test_a_password_is_no_pin(tablet, pit_boss):
    assert by_pin(tablet, number="PB-007", pin=PASSWORD[:8]).status_code == 422
    assert not is_signed_in(tablet.browser)


def test_a_pin_session_is_worth_nothing_at_another_browser(tablet, dealer):
    by_pin(tablet)
    thief = Client()
    thief.cookies["sessionid"] = tablet.browser.cookies["sessionid"].value
    thief.get("/sign-in/")
    assert not is_signed_in(thief)


def test_a_tablet_of_another_property_knows_nobody_of_this_one(other_house, dealer):
    assert by_pin(enrol_tablet(other_house)).status_code == 422


def test_a_person_who_left_is_nobody(tablet, dealer):
    by_pin(tablet)
    dealer.is_active = False
    dealer.save()
    assert tablet.browser.get("/sign-in/role/").url == "/sign-in/tablet/"
    assert by_pin(tablet).status_code == 422


def test_a_role_without_a_place_at_the_door_is_refused(tablet, pit_boss, dealer, client):
    response = by_pin(tablet, number="PB-007", pin="4826")
    assert response.context["form"].errors == {"number": ["PB-007 has no role at a table tablet."]}
    dealer.set_password(PASSWORD)
    dealer.save()
    response = by_password(client, number="DL-210")
    assert response.context["form"].errors == {"number": ["DL-210 has no role at a console."]}
    assert not is_signed_in(client)


def test_five_wrong_pins_lock_the_number_for_the_right_one_too(tablet, dealer):
    statuses = [by_pin(tablet, pin="0000").status_code for _ in range(5)]
    assert statuses == [422, 422, 422, 422, 429]
    response = by_pin(tablet)
    assert response.status_code == 429
    (sentence,) = response.context["form"].errors["number"]
    assert sentence.startswith("Too many wrong tries for DL-210. Try again in ")
    assert response["Retry-After"].isdigit()
    assert not is_signed_in(tablet.browser)


def test_the_lock_is_of_the_number_whatever_the_tablet_or_door(house, tablet, dealer, floor):
    second = enrol_tablet(house, place="table:4", name="Table 4")
    for _ in range(3):
        by_pin(tablet, pin="0000")
    for _ in range(2):
        by_pin(second, number="210", pin="0000")
    assert by_pin(tablet).status_code == 429
    assert by_password(Client(), number="DL-210", password="x").status_code == 429
    assert by_pin(tablet, number="FS-031", pin="1379").status_code == 302


def test_the_lock_ends_a_quarter_of_an_hour_after_the_fifth_try(tablet, dealer):
    def attempt(pin, *, minutes):
        return know_at_tablet(
            request=HttpRequest(),
            device=tablet.device,
            number="DL-210",
            pin=pin,
            at=AT + timedelta(minutes=minutes),
        )

    for minute in range(4):
        with pytest.raises(CredentialsError):
            attempt("0000", minutes=minute)
    with pytest.raises(LockedError, match=r"Try again in 15 minutes\."):
        attempt("0000", minutes=4)
    with pytest.raises(LockedError, match=r"Try again in 1 minute\.") as refused:
        attempt(PIN, minutes=18.5)
    assert refused.value.until == AT + timedelta(minutes=19)
    assert refused.value.retry_after_seconds == 30
    assert attempt(PIN, minutes=19.5) == dealer


@pytest.mark.parametrize("typed", ["dl-210", " DL-210 ", "Dl-210", "210", "\t210"])
def test_the_lock_holds_however_the_number_is_typed(tablet, dealer, typed):
    for _ in range(5):
        by_pin(tablet, pin="0000")
    assert by_pin(tablet, number=typed).status_code == 429
    assert not is_signed_in(tablet.browser)


def test_no_more_than_five_pins_are_compared_however_many_come_at_once(
    together, tablet, dealer, count_hashes
):
    def attempt():
        return know_at_tablet(
            request=HttpRequest(), device=tablet.device, number="DL-210", pin="0000", at=AT
        )

    hashed = count_hashes()
    ended = together(*[attempt] * 9)
    assert len(hashed) == 5
    assert [type(each) for each in ended].count(CredentialsError) == 4
    assert [type(each) for each in ended].count(LockedError) == 5


def test_nobody_learns_which_numbers_there_are(client, tablet, dealer, pit_boss):
    known, unknown = (
        [by_password(client, number=number, password="wrong") for _ in range(5)]
        for number in ("PB-007", "PB-999")
    )
    assert [each.status_code for each in known] == [each.status_code for each in unknown]
    said = [
        [str(each.context["form"].errors).replace("PB-007", "…").replace("PB-999", "…")]
        for each in (*known, *unknown)
    ]
    assert said[:5] == said[5:]


def test_an_unknown_number_takes_as_many_hashes_as_a_known_one(
    client, tablet, dealer, pit_boss, count_hashes
):
    hashed = count_hashes()
    counts = []
    for attempt in (
        lambda: by_password(client, password="wrong"),
        lambda: by_password(client, number="PB-999", password="wrong"),
        lambda: by_password(client, number="DL-210", password="wrong"),
        lambda: by_pin(tablet, pin="0000"),
        lambda: by_pin(tablet, number="DL-999", pin="0000"),
    ):
        hashed.clear()
        attempt()
        counts.append(len(hashed))
    assert counts == [1, 1, 1, 1, 1]


def test_a_session_id_from_before_the_sign_in_is_worth_nothing(client, pit_boss):
    client.get("/sign-in/")
    session = client.session
    session["planted"] = True
    session.save()
    client.cookies["sessionid"] = planted = session.session_key
    by_password(client)
    assert client.session.session_key != planted
    other = Client()
    other.cookies["sessionid"] = planted
    assert not is_signed_in(other)


def test_signing_out_ends_the_session_on_the_server(client, pit_boss):
    by_password(client)
    stolen = client.session.session_key
    client.post("/sign-out/")
    other = Client()
    other.cookies["sessionid"] = stolen
    assert other.get("/pit/").status_code == 302


def test_a_try_during_the_lock_does_not_lengthen_it(tablet, dealer):
    for _ in range(5):
        by_pin(tablet, pin="0000")
    before = AccessAttempt.objects.values().get()
    by_pin(tablet)
    by_pin(tablet, pin="0000")
    assert AccessAttempt.objects.values().get() == before


def test_no_secret_is_written_anywhere(tablet, dealer, pit_boss, client):
    by_pin(tablet, pin="73519")
    by_pin(tablet)
    by_password(client, password="tr0ub4dor")
    tables = ("axes_accessattempt", "axes_accesslog", "staff_auditrow", "staff_employee")
    with connection.cursor() as cursor:
        for table in tables:
            cursor.execute(f"SELECT string_agg(t::text, ' ') FROM {table} t")  # noqa: S608
            (text,) = cursor.fetchone()
            assert "73519" not in text
            assert "tr0ub4dor" not in text


def test_a_pin_is_peppered_and_then_hashed_slowly(dealer, settings):
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
    dealer.set_pin(PIN)
    assert identify_hasher(dealer.pin_hash).algorithm == "argon2"
    assert dealer.has_pin(PIN)
    settings.PIN_PEPPER = "another"
    assert not dealer.has_pin(PIN)


@pytest.mark.parametrize("pin", ["", "123", "123456789", "12a4", "１２３４", "1234\n"])
def test_a_pin_is_four_to_eight_digits(dealer, pin):
    before = dealer.pin_hash
    with pytest.raises(ValueError, match="4 to 8 digits"):
        dealer.set_pin(pin)
    assert dealer.pin_hash == before


def test_one_with_two_roles_chooses_one(client, two_roles):
    response = by_password(client, number="FS-040", next="/pit/tables/")
    assert response.url == "/sign-in/role/?next=%2Fpit%2Ftables%2F"
    assert "role" not in client.session
    page = client.get(response.url)
    assert [value for value, _ in page.context["form"].fields["role"].choices] == [
        "floor_supervisor",
        "pit_boss",
    ]
    response = client.post("/sign-in/role/", {"role": "pit_boss", "next": "/pit/tables/"})
    assert response.url == "/pit/tables/"
    assert client.session["role"] == "pit_boss"
    assert RoleChoice.objects.get().role == "pit_boss"


def test_the_choice_stands_for_the_whole_shift(client, two_roles):
    by_password(client, number="FS-040")
    client.post("/sign-in/role/", {"role": "pit_boss"})
    client.post("/sign-out/")
    again = Client()
    assert by_password(again, number="FS-040").url == "/pit/"
    assert again.session["role"] == "pit_boss"
    refused = again.post("/sign-in/role/", {"role": "floor_supervisor"})
    assert refused.status_code == 422
    assert "works as Pit boss in this shift" in refused.text
    assert again.session["role"] == "pit_boss"


def test_a_pit_boss_of_this_shift_is_no_floor_supervisor_at_a_tablet(client, tablet, two_roles):
    by_password(client, number="FS-040")
    client.post("/sign-in/role/", {"role": "pit_boss"})
    response = by_pin(tablet, number="FS-040")
    assert "works as Pit boss in this shift, which has no place here." in response.text
    assert not is_signed_in(tablet.browser)


@pytest.mark.parametrize("role", ["admin", "dealer", "king", ""])
def test_no_role_is_taken_that_the_person_does_not_hold(client, two_roles, role):
    by_password(client, number="FS-040")
    response = client.post("/sign-in/role/", {"role": role})
    assert response.status_code == 422
    assert response.context["form"].errors.keys() == {"role"}
    assert "role" not in client.session


@pytest.mark.parametrize(
    "wanted",
    [
        "https://example.com/",
        "//example.com/",
        "///example.com",
        "/\\example.com",
        "\\\\example.com",
        "http:example.com",
        "javascript:alert(1)",
        " //example.com",
        "/\t/example.com",
        "https://testserver@example.com/",
    ],
)
def test_nobody_is_sent_to_another_site(client, pit_boss, wanted):
    page = client.get("/sign-in/", {"next": wanted}).content.decode()
    assert 'name="next"' not in page
    assert by_password(client, next=wanted).url == "/pit/"


def test_signing_out_is_a_post_and_keeps_the_tablet_enrolled(tablet, dealer):
    by_pin(tablet)
    assert tablet.browser.get("/sign-out/").status_code == 405
    assert is_signed_in(tablet.browser)
    assert tablet.browser.post("/sign-out/").url == "/sign-in/tablet/"
    assert not is_signed_in(tablet.browser)
    assert tablet.browser.get("/sign-in/tablet/").status_code == 200


@pytest.mark.parametrize("address", ["/sign-in/", "/sign-in/role/", "/sign-out/"])
def test_a_form_from_elsewhere_is_refused(pit_boss, address):
    browser = Client(enforce_csrf_checks=True)
    assert browser.post(address, {"number": "PB-007"}).status_code == 403


def test_sessions_are_audited(tablet, dealer):
    by_pin(tablet, pin="0000")
    by_pin(tablet, number="XX-1")
    by_pin(tablet)
    tablet.browser.post("/sign-out/")
    person, device = f"employee:{dealer.pk}", tablet.device.pk
    rows = AuditRow.objects.exclude(action__in=["enrolment.made", "device.enrolled"])
    assert list(
        rows.order_by("id").values_list("action", "subject", "actor", "role", "device_id")
    ) == [
        ("sign_in.refused", person, f"system:device-{device}", "", None),
        ("sign_in.refused", "number:XX-1", f"system:device-{device}", "", None),
        ("session.opened", person, person, "dealer", device),
        ("session.closed", person, person, "dealer", device),
    ]


@pytest.mark.parametrize("number", ["DL\0210", "x" * 400, "'; --", "Ü-1"])
def test_a_number_that_nobody_can_have_is_refused(tablet, number):
    assert by_pin(tablet, number=number).status_code == 422
    assert not AccessAttempt.objects.exists()
