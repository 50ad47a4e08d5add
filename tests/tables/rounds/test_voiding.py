"""A round is voided once, with approval, and every leg of its entry is taken back."""

from __future__ import annotations

import pytest

from casino.staff.errors import RoleError, SegregationError
from casino.staff.models import Signature
from casino.staff.roles import Role
from ledger import selectors as ledger
from tables.demo.loading import signer_at
from tables.errors import (
    ApprovalRequiredError,
    InvalidStateError,
    ReasonRequiredError,
    StaleRevisionError,
)
from tables.rounds.models import RoundVoid, Source
from tables.rounds.services.betting import no_more_bets, place_wager
from tables.rounds.services.entering import enter_hand
from tables.rounds.services.settling import record_round, settle_round
from tables.rounds.services.voiding import chips_moved, needs_pit_boss, void_round
from tables.settlement import figures
from tables.settlement.services.closing import begin_closing
from tests.tables.deals import WIN_AND_LOSE, everything

pytestmark = pytest.mark.django_db


@pytest.fixture
def shift(open_table):
    return open_table()


def record(shift, scale=1):
    seats = [seat | {"wager": seat["wager"] * scale} for seat in WIN_AND_LOSE["seats"]]
    return record_round(
        session_id=shift.session.pk,
        given={**WIN_AND_LOSE, "seats": seats},
        source=Source.TABLET,
        actor=shift.crew.dealer,
        occurred_at=shift.clock,
        at=shift.clock,
    ).round


def void(shift, round_, **more):
    signed = {
        "reason": "wrong seat paid",
        "proposer": shift.crew.dealer,
        "floor": shift.crew.floor,
        "pit_boss": None,
    }
    return void_round(round_id=round_.pk, at=shift.clock, **(signed | more))


def amounts(entry_id):
    return sorted((line.account, line.amount) for line in ledger.entry_detail(entry_id).lines)


def test_every_leg_is_taken_back_and_the_round_counts_nowhere(shift):
    tray = ledger.balances(shift.session.property_id, "1120")
    round_ = record(shift)

    voiding = void(shift, round_)

    assert (voiding.kind, voiding.reason) == ("after_payment", "wrong seat paid")
    assert amounts(voiding.entry_id) == sorted(
        (account, -amount) for account, amount in amounts(round_.entry_id)
    )
    assert ledger.balances(shift.session.property_id, "1120") == tray
    shifts = {ledger.entry_detail(each.entry_id).entry.shift for each in (round_, voiding)}
    assert shifts == {"day"}
    hands = figures.hands_of(shift.session)
    assert (hands.main_net, hands.commission, hands.handle, hands.rounds) == (0, 0, 0, 0)
    assert hands.by_seat == hands.by_dealer == ()


def test_before_payment_the_wagers_go_back_and_nothing_is_posted(shift):
    round_ = place_wager(
        session_id=shift.session.pk,
        seat=1,
        amount=5_000,
        actor=shift.crew.dealer,
        at=shift.clock,
    ).round

    voiding = void(shift, round_)

    assert (voiding.kind, voiding.entry_id) == ("before_payment", None)
    assert record(shift).number == 2


def test_a_round_is_voided_once(shift):
    round_ = record(shift)
    void(shift, round_)
    before = everything()

    with pytest.raises(InvalidStateError):
        void(shift, round_)

    assert everything() == before


@pytest.mark.parametrize("reason", ["", "  \n ", "x" * 201])
def test_a_void_says_why_in_a_few_words(shift, reason):
    round_ = record(shift)
    before = everything()

    with pytest.raises(ReasonRequiredError):
        void(shift, round_, reason=reason)

    assert everything() == before


def test_the_dealer_of_a_round_does_not_sign_its_void(shift):
    round_ = record(shift)
    other = signer_at(shift.table, "DL-214", Role.DEALER).actor
    promoted = signer_at(shift.table, "DL-210", Role.FLOOR_SUPERVISOR)
    before = everything()

    with pytest.raises(SegregationError) as refused:
        void(shift, round_, proposer=other, floor=promoted)

    assert refused.value.rule == "SOD-03"
    assert everything() == before


def test_a_relief_who_settled_the_round_is_its_dealer(shift):
    relief = signer_at(shift.table, "DL-214", Role.DEALER).actor
    round_ = place_wager(
        session_id=shift.session.pk,
        seat=1,
        amount=10_000,
        actor=shift.crew.dealer,
        at=shift.clock,
    ).round
    no_more_bets(round_id=round_.pk, actor=shift.crew.dealer, at=shift.clock)
    for position, dealt in (("bank", WIN_AND_LOSE["bank"]), ("1", WIN_AND_LOSE["seats"][0])):
        enter_hand(
            round_id=round_.pk,
            position=position,
            hand=dealt["hand"],
            given_set=dealt["set"],
            actor=shift.crew.dealer,
            at=shift.clock,
        )
    settled = settle_round(round_id=round_.pk, actor=relief, at=shift.clock).round
    before = everything()

    assert settled.actor == str(relief)
    with pytest.raises(SegregationError) as refused:
        void(shift, settled, floor=signer_at(shift.table, "DL-214", Role.FLOOR_SUPERVISOR))
    assert refused.value.rule == "SOD-03"
    assert everything() == before


@pytest.mark.parametrize(
    ("proposed_as", "rule"), [(Role.DEALER, "SOD-13"), (Role.FLOOR_SUPERVISOR, "SOD-01")]
)
def test_who_proposes_a_void_does_not_sign_it_in_any_role(shift, proposed_as, rule):
    round_ = record(shift)
    proposer = signer_at(shift.table, "FS-031", proposed_as).actor
    before = everything()

    with pytest.raises(SegregationError) as refused:
        void(shift, round_, proposer=proposer)

    assert refused.value.rule == rule
    assert everything() == before


@pytest.mark.parametrize(
    "more",
    [
        {"floor": ("PB-004", Role.PIT_BOSS)},
        {"floor": ("DL-214", Role.DEALER)},
        {"pit_boss": ("FS-031", Role.FLOOR_SUPERVISOR)},
    ],
)
def test_a_signature_in_another_role_does_not_count(shift, more):
    round_ = record(shift)
    signers = {name: signer_at(shift.table, *who) for name, who in more.items()}
    before = everything()

    with pytest.raises(RoleError) as refused:
        void(shift, round_, **signers)

    assert refused.value.pointer == f"/{next(iter(more))}"
    assert everything() == before


def test_one_person_does_not_sign_for_floor_and_pit(shift):
    round_ = record(shift)
    both = signer_at(shift.table, "FS-031", Role.PIT_BOSS)
    before = everything()

    with pytest.raises(SegregationError) as refused:
        void(shift, round_, pit_boss=both)

    assert refused.value.rule == "SOD-01"
    assert everything() == before


def test_above_the_limit_the_pit_boss_signs_too(shift):
    round_ = record(shift, scale=4)  # 400.00 less commission, and 200.00: above 500.00 in all
    assert chips_moved(round_) == 58_000
    assert needs_pit_boss(round_, at=shift.clock)
    before = everything()

    with pytest.raises(ApprovalRequiredError) as refused:
        void(shift, round_)
    assert refused.value.pointer == "/pit_boss"
    assert everything() == before

    void(shift, round_, pit_boss=shift.crew.pit_boss)
    groups = Signature.objects.filter(document=round_.ref).values_list("role", "signer_group")
    assert sorted(groups) == [("floor_supervisor", "floor"), ("pit_boss", "approver")]


def test_nothing_is_voided_after_closing_began(shift):
    round_ = record(shift)
    begin_closing(session_id=shift.session.pk, actor=shift.crew.dealer, at=shift.clock)
    before = everything()

    with pytest.raises(InvalidStateError):
        void(shift, round_)

    assert everything() == before


def test_a_stale_screen_voids_nothing(shift):
    round_ = record(shift)
    before = everything()

    with pytest.raises(StaleRevisionError):
        void(shift, round_, revision=round_.revision - 1)

    assert everything() == before
    assert not RoundVoid.objects.exists()
