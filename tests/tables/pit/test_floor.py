"""The floor shows what the services say, in the same queries however much there is."""

from __future__ import annotations

from casino.web.amounts import amount_text
from tables.chips.selectors import expected_tray
from tables.floor.models import Pit, Table
from tables.floor.services.sessions import begin_opening
from tables.pit.hold import hold_text
from tables.settlement import figures
from tables.settlement.models import SessionTotals
from tables.settlement.services.steps import hold_bps

from .conftest import queries, read


def row_of(browser, table: Table) -> str:
    return read(browser.get(f"/pit/tables/{table.pk}/row/"))


def test_a_running_table_is_estimated_by_its_expected_tray(pit_boss, open_table):
    shift = open_table()
    shift.play(5)
    tray = expected_tray(shift.session)
    box = figures.box_recorded(shift.session)
    win = tray + box - shift.session.opener.total
    assert win == figures.revenue(shift.session)
    money = [amount_text(each, "USD") for each in (tray, win, box)]
    assert row_of(pit_boss, shift.table) == (
        f"T1 Pai Gow open Mei Tran DL-210 5 2026-03-14 12:10:17 PDT 3 {money[0]} Tray normal "
        f"{money[1]} {money[2]} {hold_text(hold_bps(win, box))}"
    )


def test_a_table_that_was_never_opened_says_so(pit_boss, casino):
    table = Table.objects.get(code="T2")
    assert row_of(pit_boss, table) == "T2 Pai Gow Poker not opened yet — — — — — — —"


def test_a_table_at_its_opening_count_has_a_tray_and_no_win(pit_boss, casino, open_table):
    shift = open_table()
    shift.play(1)
    shift.close()
    session = begin_opening(table_id=shift.table.pk, actor=shift.crew.dealer, at=shift.clock)
    tray = amount_text(expected_tray(session), "USD")
    assert row_of(pit_boss, shift.table) == (f"T1 Pai Gow opening — — 0 {tray} Tray high — 0.00 —")


def test_a_closed_table_shows_its_settled_figures(pit_boss, open_table):
    shift = open_table()
    shift.play(3)
    shift.close(variance=-2_500)
    totals = SessionTotals.objects.get()
    row = row_of(pit_boss, shift.table)
    assert row.endswith(
        f"— — {amount_text(totals.estimated_win, 'USD')} {amount_text(totals.drop, 'USD')} "
        f"{hold_text(totals.hold_bps)}"
    )
    assert "closed, provisional" in row


def test_hold_is_read_as_a_percentage():
    assert hold_text(1838) == "18.38 %"
    assert hold_text(-5) == "−0.05 %"
    assert hold_text(None) == "n/a"


def test_the_floor_asks_no_more_for_more_tables(pit_boss, casino, open_table):
    open_table("T1").play(1)
    one = queries(pit_boss, "/pit/")
    open_table("T2").play(6)
    tiles = Table.objects.get(code="T1")
    for number in range(3, 8):
        Table.objects.create(
            property=casino,
            pit=tiles.pit,
            code=f"T{number}",
            profile=tiles.profile,
            chip_set=tiles.chip_set,
            seats=6,
        )
    assert queries(pit_boss, "/pit/") == one
    assert one == 14


def test_a_row_names_its_table_and_the_event_it_shows(pit_boss, open_table):
    shift = open_table()
    row = pit_boss.get(f"/pit/tables/{shift.table.pk}/row/").text
    assert f'hx-get="/pit/tables/{shift.table.pk}/row/"' in row
    assert f'data-table="{shift.table.pk}" data-seen="' in row


def test_pits_are_looked_at_one_at_a_time(pit_boss, casino):
    Pit.objects.create(property=casino, code="P2", name="Garden pit")
    first, second = pit_boss.get("/pit/"), pit_boss.get("/pit/?pit=P2")
    assert "T1 Pai Gow" in read(first)
    assert "No table stands in this pit." in read(second)
    assert 'data-stream="/pit/events/?pit=P2"' in second.text
    assert pit_boss.get("/pit/?pit=P3").status_code == 404
