"""An entry says who, when, what caused it and where it landed, in words."""

from __future__ import annotations

from casino.web.amounts import amount_text
from ledger import selectors as ledger

from .conftest import read


def test_an_entry_shows_each_leg_as_it_is_booked(pit_boss, open_table):
    shift = open_table()
    entry = next(done.entry for done in shift.play(5) if done.entry)
    text = read(pit_boss.get(f"/pit/entries/{entry.id}/"))
    detail = ledger.entry_detail(entry.id)
    assert f"Table inventory (tray), table T1 1120/{shift.table.ref}" in text
    for line in detail.lines:
        side = "Dr" if line.balance_after > 0 else "Cr"
        assert (
            f"{amount_text(abs(line.amount), 'USD')} "
            f"{amount_text(abs(line.balance_after), 'USD')} {side}"
        ) in text
    debits = amount_text(sum(line.amount for line in detail.lines if line.amount > 0), "USD")
    assert f"Sum {debits} {debits}" in text
    assert "Session T1 #1 Time 2026-03-14 12:06:" in text
    assert "PDT Gaming day 2026-03-14 , shift day By Mei Tran DL-210" in text


def test_a_reversal_and_what_it_takes_back_lead_to_each_other(pit_boss, open_table):
    shift = open_table()
    done = next(done for done in shift.play(5) if done.entry)
    shift.void(done, "Misdeal.")
    done.round.refresh_from_db()
    reversal = done.round.voiding.entry_id
    original = pit_boss.get(f"/pit/entries/{done.entry.id}/")
    taken_back = pit_boss.get(f"/pit/entries/{reversal}/")
    assert f'Taken back by</dt><dd class="code"><a href="/pit/entries/{reversal}/"' in original.text
    assert f'Takes back</dt><dd class="code"><a href="/pit/entries/{done.entry.id}/"' in (
        taken_back.text
    )
    assert "Approved by Daniel Reyes PB-004 Memo Misdeal." in read(taken_back)
    for page in (original, taken_back):
        assert f'href="/pit/rounds/{done.round.pk}/">Round {done.round.number}, table T1' in (
            page.text
        )


def test_a_variance_leads_to_the_count_that_found_it(pit_boss, casino, open_table):
    shift = open_table()
    shift.close(variance=-2_500)
    (entry,) = ledger.entries(casino.pk, kind="count_below_expected")
    page = pit_boss.get(f"/pit/entries/{entry.id}/")
    closer = shift.session.counts.get(kind="closer")
    address = f"/pit/sessions/{shift.session.pk}/#count-{closer.pk}"
    assert f'href="{address}">Closer of session T1 #1' in page.text
    assert "By service, settlement" in read(page)
    assert "Over/short - table chips, session T1 #1 4900/" in read(page)
    assert f'id="count-{closer.pk}"' in pit_boss.get(address).text


def test_an_entry_outside_any_session_is_the_whole_pits_alone(sign_in, pit_boss, casino):
    (opening,) = ledger.entries(casino.pk, kind="opening_balance")
    text = read(pit_boss.get(f"/pit/entries/{opening.id}/"))
    assert "Opening balance" in text
    assert "Cage cash, window main 1010/window:main" in text
    assert sign_in("FS-031").get(f"/pit/entries/{opening.id}/").status_code == 404


def test_what_is_not_there_is_not_found(pit_boss):
    for page in ("entries/999999", "rounds/999999", "sessions/999999", "entries/0"):
        assert pit_boss.get(f"/pit/{page}/").status_code == 404
    assert pit_boss.get(f"/pit/entries/{2**70}/").status_code == 404
