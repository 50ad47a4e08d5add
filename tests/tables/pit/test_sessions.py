"""A session's page adds up to what the settlement says, and its lists go on by cursors."""

from __future__ import annotations

import re
from html import unescape

import pytest

from casino.web.amounts import amount_text
from ledger import selectors as ledger
from tables.chips.models import CountKind
from tables.chips.selectors import expected_tray
from tables.chips.services.counts import record_count, witness_count
from tables.chips.services.opening import confirm_opener
from tables.floor.services.sessions import begin_opening
from tables.money.services.buy_ins import void_buy_in
from tables.pit.hold import hold_text
from tables.settlement.models import SessionTotals
from tests import factories

from .conftest import queries, read


def money(minor: int) -> str:
    return amount_text(minor, "USD")


def links(response, word: str) -> list[str]:
    """Return where the links that say *word* lead."""
    return [unescape(href) for href in re.findall(rf'href="([^"]+)">{word}<', response.text)]


@pytest.fixture
def settled(open_table):
    """Return T1, played, closed a green chip short and settled."""
    shift = open_table()
    shift.void(shift.play(4)[-1], "Seat 2 was paid for a push.")
    shift.close(variance=-2_500)
    return shift


def address_of(shift) -> str:
    return f"/pit/sessions/{shift.session.pk}/"


def test_the_figures_are_those_of_the_settlement(pit_boss, settled):
    totals = SessionTotals.objects.get()
    text = read(pit_boss.get(address_of(settled)))
    for figure in (
        f"O Opener {money(totals.opener)}",
        f"F Fills {money(totals.fills)}",
        f"CR Credits {money(totals.credits)}",
        f"DB Drop box, recorded buy-ins {money(totals.box_recorded)}",
        f"D Drop, recorded = DB + MI − MR + FM {money(totals.drop)}",
        f"DS Statistical drop, recorded = DB + MI + FM − MRc {money(totals.drop)}",
        f"Handle: all wagers of rounds that were paid {money(totals.handle)}",
        f"Rounds paid {totals.rounds}",
        f"Hm Main wagers, net {money(totals.main_net)}",
        f"K Commission taken {money(totals.commission)}",
        f"E Expected tray = O + F − CR − DB + Hm + Hs + K {money(totals.expected_tray)}",
        f"C Closer, counted {money(totals.closer)}",
        "V Chip variance = C − E −25.00",
        f"W Win, estimated = C + CR + D − O − F {money(totals.estimated_win)}",
        f"H Hold, estimated = W ÷ DS {hold_text(totals.hold_bps)}",
    ):
        assert figure in text
    win = money(totals.estimated_win)
    assert (
        "Proved: three roads, one win. "
        f"By rounds and variance Hm + Hs + K + V {win} By counts and drop W {win} "
        f"By the ledger's revenue R {win}"
    ) in text


def test_both_counts_stand_beside_each_other_with_their_signatures(pit_boss, settled):
    text = read(pit_boss.get(address_of(settled)))
    totals = SessionTotals.objects.get()
    assert f"Counted {money(totals.opener)} {money(totals.closer)}" in text
    assert f"By the books {money(totals.opener)} {money(totals.expected_tray)}" in text
    assert "Difference 0.00 −25.00" in text
    for count in ("Opener", "Closer"):
        assert f"{count} Mei Tran DL-210 Dealer Dealer PIN at an enrolled device 2026-03-14" in text
        assert f"{count} Grace Liu FS-031 Floor supervisor Floor PIN at an enrolled" in text
    assert text.count("as signed") == 4
    assert "changed since" not in text


def test_every_step_of_the_settlement_says_when_it_was_done(pit_boss, settled):
    text = read(pit_boss.get(address_of(settled)))
    assert text.count(" done 2026-03-14 ") == 8
    assert "S10 Session closed, provisionally done 2026-03-14" in text
    assert "not done yet" not in text


def test_a_running_session_is_estimated_and_says_when_it_was_read(pit_boss, open_table):
    shift = open_table()
    shift.play(2)
    text = read(pit_boss.get(address_of(shift)))
    assert "C Closer, counted — V Chip variance = C − E —" in text
    assert "W Win, estimated = E + CR + D − O − F" in text
    assert "the expected tray stands for the closer until it is counted" in text
    assert "as of 20" in text


def test_rounds_go_on_from_the_newest_to_the_first(pit_boss, open_table):
    shift = open_table()
    shift.play(27)
    first = pit_boss.get(address_of(shift))
    assert "Round 27 2026-03-14" in read(first)
    assert "Round 3 2026-03-14" in read(first)
    assert "Round 2 2026-03-14" not in read(first)
    (onward,) = links(first, "Go on")
    second = pit_boss.get(onward.removesuffix("#rounds"))
    assert re.findall(r"Round (\d+) 2026-03-14", read(second)) == ["2", "1"]
    (start,) = links(second, "From the start")
    assert start == f"{address_of(shift)}#rounds"


def test_the_ledger_goes_on_from_the_first_entry(pit_boss, casino, open_table):
    shift = open_table()
    shift.play(60)
    booked = ledger.entries(casino.pk, session=shift.session.ref, limit=100)
    assert len(booked) > 50
    first = pit_boss.get(address_of(shift))
    shown = re.findall(r'href="/pit/entries/(\d+)/">(?:Round settled|Cash buy-in)', first.text)
    assert [int(each) for each in shown] == [entry.id for entry in booked[:50]]
    (onward,) = [each for each in links(first, "Go on") if each.endswith("#entries")]
    second = pit_boss.get(onward.removesuffix("#entries"))
    shown = re.findall(r'href="/pit/entries/(\d+)/">(?:Round settled|Cash buy-in)', second.text)
    assert [int(each) for each in shown] == [entry.id for entry in booked[50:]]


def test_a_cursor_of_another_list_is_refused_in_words(pit_boss, open_table):
    shift = open_table()
    shift.play(27)
    (onward,) = links(pit_boss.get(address_of(shift)), "Go on")
    cursor = onward.removesuffix("#rounds").partition("?rounds=")[2]
    refused = pit_boss.get(f"{address_of(shift)}?entries={cursor}")
    assert refused.status_code == 400
    assert "This cursor was given out for another filter" in refused.text
    assert "Round 27" in refused.text


def test_a_buy_in_leads_to_its_entry_and_says_why_it_was_taken_back(pit_boss, open_table):
    shift = open_table()
    buy_in = shift.session.buy_ins.order_by("pk")[0]
    void_buy_in(
        buy_in_id=buy_in.pk,
        reason="Counted twice.",
        proposer=shift.crew.dealer,
        floor=shift.crew.floor,
        at=shift.clock,
    )
    page = pit_boss.get(address_of(shift))
    assert f'id="buy-in-{buy_in.pk}"' in page.text
    assert f'href="/pit/entries/{buy_in.entry_id}/"' in page.text
    assert f"taken back Counted twice. {money(buy_in.amount)}" in read(page)
    entry = pit_boss.get(f"/pit/entries/{buy_in.entry_id}/")
    assert f'href="{address_of(shift)}#buy-in-{buy_in.pk}"' in entry.text


def test_a_session_asks_no_more_for_more_rounds(pit_boss, open_table):
    shift = open_table()
    shift.play(3)
    few = queries(pit_boss, address_of(shift))
    shift.play(12)
    assert queries(pit_boss, address_of(shift)) == few


def test_sessions_are_listed_by_gaming_day(pit_boss, settled, open_table):
    running = open_table("T2")
    totals = SessionTotals.objects.get()
    text = read(pit_boss.get("/pit/sessions/"))
    assert "Gaming day 2026-03-14 T2 #1 Pai Gow Poker open" in text
    assert (
        f"{money(totals.drop)} {money(totals.estimated_win)} {hold_text(totals.hold_bps)} −25.00"
    ) in text
    assert f"/pit/sessions/{running.session.pk}/" in pit_boss.get("/pit/sessions/").text
    assert "T1 #1" in read(pit_boss.get("/pit/sessions/?day=2026-03-14"))
    assert "T1 #1" not in read(pit_boss.get("/pit/sessions/?day=2026-03-13"))


def test_a_day_that_is_none_is_refused_beside_its_field(pit_boss, settled):
    refused = pit_boss.get("/pit/sessions/?day=tomorrow")
    assert refused.status_code == 400
    assert 'id="day-error">Write the gaming day as 2026-03-14.' in refused.text


def test_the_list_of_sessions_asks_no_more_for_more(pit_boss, settled, open_table):
    few = queries(pit_boss, "/pit/sessions/")
    open_table("T2").close()
    assert queries(pit_boss, "/pit/sessions/") == few
    assert few == 4


@pytest.mark.parametrize(
    ("difference", "words"),
    [
        (0, "Difference 0.00"),
        (2_500, "Difference 25.00 above the alert amount"),
        (-2_525, "Difference −25.25 above the alert amount written report due"),
        (
            10_000,
            "Difference 100.00 above the alert amount written report due copy to the regulator due",
        ),
    ],
)
def test_an_opener_says_what_its_difference_asks_for(pit_boss, casino, difference, words):
    session = begin_opening(
        table_id=factories.a_table(casino).pk, actor=factories.dealer(casino), at=factories.NOON
    )
    tray = expected_tray(session) + difference
    count = record_count(
        session_id=session.pk,
        kind=CountKind.OPENER,
        pieces={50_000: tray // 50_000, 25: tray % 50_000 // 25},
        dealer=factories.dealer(casino),
        at=factories.NOON,
    )
    witness_count(count_id=count.pk, floor=factories.floor(casino), at=factories.NOON)
    address = f"/pit/sessions/{session.pk}/"
    assert "alert amount" not in read(pit_boss.get(address))

    confirm_opener(
        session_id=session.pk, actor=factories.dealer(casino), at=factories.NOON, reason="found"
    )

    text = read(pit_boss.get(address))
    assert f"{words} Signatures" in text
