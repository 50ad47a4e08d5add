"""The books are read whole by those who read the whole property; what they see of trays is kept."""

from __future__ import annotations

from datetime import timedelta

import pytest

from casino.staff.models import Employee
from casino.web.amounts import amount_text
from ledger.services.reversal import reverse_entry
from tables.chips.selectors import expected_tray
from tables.floor.models import TraySight
from tables.floor.services.sessions import begin_opening
from tests.tables.pit.conftest import read

from .conftest import DAY, content_of, rows_of

WHOLE_PIT = ["PB-004", "SV-009", "AU-002"]
OTHERS = ["FS-031", "CC-117", "AD-001"]


@pytest.fixture
def played(open_table):
    """Return T1 in play."""
    shift = open_table()
    shift.play(2)
    return shift


@pytest.fixture
def pages(played):
    """Return the address of every page and file of the books."""
    tray = f"account=1120/{played.table.ref}"
    return {
        "entries": "/pit/books/entries/",
        "entries file": "/pit/books/entries.csv",
        "accounts": "/pit/books/accounts/",
        "below": "/pit/books/accounts/?under=1120",
        "found": "/pit/books/accounts/?find=tray",
        "statement": f"/pit/books/statement/?{tray}",
        "statement file": f"/pit/books/statement.xlsx?{tray}",
        "trial balance": "/pit/books/trial-balance/?day=2026-03-14",
        "trial balance file": "/pit/books/trial-balance.csv?day=2026-03-14",
        "seals": "/pit/books/seals/",
    }


@pytest.mark.parametrize("number", WHOLE_PIT)
def test_pit_boss_surveillance_and_auditor_read_the_books(sign_in, pages, number):
    browser = sign_in(number)
    for address in pages.values():
        assert content_of(browser.get(address)), address
    assert "Books" in read(browser.get("/pit/sessions/"))
    assert browser.get("/pit/books/").url == "/pit/books/entries/"


@pytest.mark.parametrize("number", OTHERS)
def test_nobody_else_does(sign_in, pages, number):
    browser = sign_in(number)
    for address in pages.values():
        response = browser.get(address)
        assert response.status_code == 403, address
        assert "who may not do this. Nothing was changed." in response.text


def test_a_floor_supervisor_is_not_shown_the_way(sign_in, played):
    browser = sign_in("FS-031")
    assert "Books" not in read(browser.get("/pit/sessions/"))
    address = f"/pit/entries/{played.session.rounds.latest('pk').entry_id}/"
    assert "/pit/books/" not in browser.get(address).text


def test_who_is_not_signed_in_comes_back_after_signing_in(client, pages):
    address = pages["seals"]
    assert client.get(address).url == f"/sign-in/?next={address}"


def test_the_books_are_only_read(pit_boss, pages):
    for address in pages.values():
        assert pit_boss.post(address).status_code == 405, address


@pytest.mark.parametrize(
    "page",
    [
        "accounts",
        "below",
        "found",
        "statement",
        "statement file",
        "trial balance",
        "trial balance file",
    ],
)
@pytest.mark.parametrize("number", WHOLE_PIT)
def test_sod_14_who_was_shown_a_running_tray_is_remembered(sign_in, played, pages, number, page):
    browser = sign_in(number)
    for _ in range(2):
        content_of(browser.get(pages[page]))
    sight = TraySight.objects.get()
    assert (sight.session, sight.employee.number) == (played.session, number)


@pytest.mark.parametrize("page", ["entries", "entries file", "seals"])
def test_what_tells_no_balance_is_no_sight(pit_boss, played, pages, page):
    content_of(pit_boss.get(pages[page]))
    assert TraySight.objects.count() == 0


def test_the_balance_of_another_account_is_no_sight(pit_boss, played):
    for account in (f"4010/{played.session.ref}", "1010/window:main"):
        assert pit_boss.get(f"/pit/books/statement/?account={account}").status_code == 200
    pit_boss.get("/pit/books/accounts/?under=1010")
    assert TraySight.objects.count() == 0


def test_another_tables_tray_is_no_sight_of_this_one(pit_boss, played, open_table):
    other = open_table("T2")
    pit_boss.get(f"/pit/books/statement/?account=1120/{other.table.ref}")
    assert [sight.session for sight in TraySight.objects.all()] == [other.session]


def test_a_day_before_the_session_tells_nothing_of_its_tray(pit_boss, played):
    pit_boss.get("/pit/books/trial-balance/?day=2026-03-13")
    assert TraySight.objects.count() == 0


def test_a_counted_tray_is_no_sight(pit_boss, played, pages):
    played.close()
    for page in ("accounts", "statement", "trial balance"):
        content_of(pit_boss.get(pages[page]))
    assert TraySight.objects.count() == 0


def test_an_entry_from_before_the_session_tells_nothing_of_its_tray(sign_in, played, post):
    settled = played.session.rounds.latest("pk").entry_id
    played.close()
    later = begin_opening(
        table_id=played.table.pk, actor=played.crew.dealer, at=played.clock + timedelta(minutes=1)
    )
    browser = sign_in("PB-004")
    browser.get(f"/pit/entries/{settled}/")
    assert TraySight.objects.count() == 0

    # What is taken back now belongs to the old session and moves the tray of the new one.
    auditor = Employee.objects.get(number="AU-002")
    taken_back = reverse_entry(
        property_id=played.table.property_id,
        entry_id=settled,
        key="void",
        actor=str(played.crew.dealer),
        approver=f"employee:{auditor.pk}",
        at=played.clock + timedelta(minutes=2),
        gaming_day=DAY,
        reason="Paid twice.",
    )
    supervisor = sign_in("FS-031")
    page = read(supervisor.get(f"/pit/entries/{taken_back.id}/"))
    assert amount_text(expected_tray(later), "USD") not in page
    assert TraySight.objects.count() == 0
    browser.get(f"/pit/entries/{taken_back.id}/")
    sight = TraySight.objects.get()
    assert (sight.session, sight.employee.number) == (later, "PB-004")


def test_the_shown_balance_is_the_tray(pit_boss, played, pages):
    tray = amount_text(expected_tray(played.session), "USD")
    assert rows_of(pit_boss.get(pages["statement"]))[0][-1] == f"{tray} Dr"
    assert f"Holds now {tray} Dr" in read(pit_boss.get(pages["statement"]))


def test_no_page_needs_a_script_or_a_style_in_it(pit_boss, pages):
    for name, address in pages.items():
        if "file" not in name:
            page = pit_boss.get(address).text
            assert "<style" not in page
            assert " style=" not in page
            assert "<script>" not in page
