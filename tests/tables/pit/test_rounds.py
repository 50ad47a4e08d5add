"""A round down to its written steps; a replay says whether the rules still say the same."""

from __future__ import annotations

import copy

import pytest

from casino.staff.actors import Actor
from tables.pit.access import Reader
from tables.pit.records import Difference
from tables.pit.replay import replay
from tables.pit.rounds import round_view
from tables.rounds.models import Source
from tables.rounds.services.betting import place_wager
from tables.rounds.services.settling import record_round
from tests import factories

from .conftest import read

TILES = {
    "bank": {"holder": "house", "hand": ["66", "42", "64", "51"], "set": "house_way"},
    "seats": [
        {"seat": 1, "wager": 5000, "hand": ["55", "61", "62", "65"], "set": "house_way"},
        {
            "seat": 3,
            "wager": 2000,
            "hand": ["22", "64", "11", "43"],
            "set": {"low": ["22", "64"], "high": ["11", "43"]},
        },
    ],
}


@pytest.fixture
def dealt(open_table):
    """Return a round of tiles: seat 1 wins, seat 3 pushes."""
    shift = open_table()
    return record_round(
        session_id=shift.session.pk,
        given=TILES,
        source=Source.TABLET,
        actor=shift.crew.dealer,
        occurred_at=shift.clock,
        at=shift.clock,
    )


def test_a_round_is_shown_as_dealt_as_set_and_as_settled(pit_boss, dealt):
    page = pit_boss.get(f"/pit/rounds/{dealt.round.pk}/")
    text = read(page)
    assert "Seat 1 · Wei Chen WIN Pay 47.50 after 2.50 commission Wager 50.00" in text
    assert "Low: 7 (top 55) beats 6 (top 64) High: 9 (top 65) beats 8 (top 66)" in text
    assert "Seat 3 · Tomás Silva PUSH Leave the wager Wager 20.00" in text
    assert "Low: 4 (top 22) loses to 6 (top 64)" in text
    assert "Bank set the house way Seat 1 set the house way Seat 3 set as it was placed" in text
    assert "Seat 1 wins 50.00, less 2.50 commission: pay 47.50." in text
    assert "Bank Seat 1 main wager 50.00 Seat 1 House commission 2.50 House net −47.50" in text
    assert "Dealt by Mei Tran DL-210 Device Tablet T1 Recorded through tablet" in text
    assert "Rules Pai Gow, pai-gow-house version 1" in text
    assert dealt.round.profile.digest in text
    assert f"/pit/entries/{dealt.entry.id}/" in page.text
    assert 'aria-label="six-six, Heaven"' in page.text


def test_a_replay_of_what_is_stored_is_equal(pit_boss, dealt, open_table):
    cards = open_table("T2").play(3)
    for done in (dealt, *cards):
        text = read(pit_boss.get(f"/pit/rounds/{done.round.pk}/replay/"))
        assert text.startswith("Equal. Settled again under Pai Gow")
    whole = pit_boss.get(f"/pit/rounds/{dealt.round.pk}/?replay=1")
    assert "the record comes to the stored result, to the last written step." in read(whole)


def test_a_replay_names_each_member_that_differs(dealt):
    round_ = dealt.round
    round_.result = copy.deepcopy(round_.result)
    round_.result["seats"][0]["commission"] = 225
    del round_.result["steps"][-1]
    round_.house_net = -4_775
    again = replay(round_)
    assert not again.is_equal
    assert again.differences == (
        Difference(place="/seats/0/commission", stored="225", replayed="250"),
        Difference(
            place=f"/steps/{len(round_.result['steps'])}",
            stored="—",
            replayed='"Seat 3 pushes: 2000 stays with the player."',
        ),
        Difference(place="/house_net", stored="-4775", replayed="-4750"),
    )


def test_a_record_that_the_rules_refuse_says_why(dealt):
    round_ = dealt.round
    round_.record = copy.deepcopy(round_.record)
    round_.record["seats"][0]["hand"][0] = "99"
    again = replay(round_)
    assert not again.is_equal
    assert "99" in again.refusal


def test_a_round_that_differs_is_shown_as_it_is_stored(casino, dealt):
    round_ = dealt.round
    round_.result = copy.deepcopy(round_.result)
    round_.result["seats"][0]["commission"] = 225
    actor = Actor(kind="employee", ref="4", role="pit_boss", property_id=casino.pk, employee_id=4)
    view = round_view(Reader(actor=actor, casino=casino, own_table_id=None), round_)
    assert "The rules settle this record otherwise today." in view.warning
    assert view.seats[0].commission == 225
    assert view.steps == tuple(round_.result["steps"])
    assert view.seats[0].low_text == "Low: 7 (top 55) against 6 (top 64), the player wins it"


def test_outcomes_alone_cannot_be_replayed(pit_boss, casino, open_table):
    factories.record_outcomes_alone(casino, factories.a_table(casino))
    shift = open_table()
    done = record_round(
        session_id=shift.session.pk,
        given={
            "bank": {"holder": "house"},
            "seats": [{"seat": 1, "wager": 5000, "result": {"outcome": "lose"}}],
        },
        source=Source.TABLET,
        actor=shift.crew.dealer,
        occurred_at=shift.clock,
        at=shift.clock,
    )
    text = read(pit_boss.get(f"/pit/rounds/{done.round.pk}/"))
    assert "Outcomes alone were recorded: a replay needs every tile or card." in text
    assert "Seat 1 · Wei Chen LOSE Take 50.00" in text
    assert pit_boss.get(f"/pit/rounds/{done.round.pk}/replay/").status_code == 404


def test_a_round_without_a_result_shows_what_is_wagered(pit_boss, open_table):
    shift = open_table()
    placed = place_wager(
        session_id=shift.session.pk, seat=2, amount=5_000, actor=shift.crew.dealer, at=shift.clock
    )
    address = f"/pit/rounds/{placed.round.pk}/"
    text = read(pit_boss.get(address))
    assert "Round 1, table T1 betting" in text
    assert "2 Aisha Rahman main wager 50.00" in text
    assert "no result yet that a replay could be held against" in text
    assert pit_boss.get(f"{address}replay/").status_code == 404


def test_a_voided_round_says_why_and_who_signed(pit_boss, open_table):
    shift = open_table()
    done = next(done for done in shift.play(5) if done.entry)
    shift.void(done, "Misdeal.")
    text = read(pit_boss.get(f"/pit/rounds/{done.round.pk}/"))
    assert "Reason of the void Misdeal. Void proposed by Mei Tran DL-210" in text
    assert "Void signed by Grace Liu FS-031, Daniel Reyes PB-004" in text
    assert text.count("Legs Account Event") == 2
