"""What the tablet does: each deed makes one call of a service and says in words what was done."""

from __future__ import annotations

from datetime import datetime

from django.utils.translation import gettext as _

from casino.staff.actors import Signer
from casino.web.amounts import amount_text
from casino.web.errors import NotFoundError
from tables import games
from tables.chips.models import CountKind
from tables.chips.selectors import latest_count
from tables.chips.services.counts import record_count, witness_count
from tables.chips.services.opening import confirm_opener
from tables.errors import ApprovalRequiredError
from tables.floor.models import Patron
from tables.floor.services.patrons import describe_patron
from tables.floor.services.seats import seat_patron
from tables.floor.services.sessions import abort_opening, begin_opening
from tables.floor.states import SessionState
from tables.money.services.buy_ins import buy_in_cash, void_buy_in
from tables.rounds.models import Round
from tables.rounds.services import betting, entering
from tables.rounds.services.closing import close_round
from tables.rounds.services.entering import BANK, HOUSE_WAY, Dealt
from tables.rounds.services.leaving import leave_seat
from tables.rounds.services.settling import settle_round
from tables.rounds.services.voiding import void_round
from tables.settlement.services.closing import accept_closer, begin_closing, resume_play
from tables.tablet import forms
from tables.tablet.acts import Signers
from tables.tablet.desk import Desk

# --- the session


def open_table(*, desk: Desk, form: forms.ActForm, signers: Signers, at: datetime) -> str:
    """Take the table for a new session."""
    begin_opening(table_id=desk.table.pk, actor=desk.actor, at=at)
    return _("Count the tray.")


def abort(*, desk: Desk, form: forms.ActForm, signers: Signers, at: datetime) -> str:
    """Give the table back."""
    abort_opening(session_id=desk.in_session().pk, actor=desk.actor, at=at)
    return _("Table %(table)s was not opened.") % {"table": desk.table.code}


def count(*, desk: Desk, form: forms.CountForm, signers: Signers, at: datetime) -> str:
    """Record what the dealer counted."""
    session = desk.in_session()
    is_opening = session.state == SessionState.OPENING
    record_count(
        session_id=session.pk,
        kind=CountKind.OPENER if is_opening else CountKind.CLOSER,
        pieces=form.pieces(),
        dealer=desk.actor,
        at=at,
    )
    return _("Counted. The floor signs next.")


def witness(*, desk: Desk, form: forms.WitnessForm, signers: Signers, at: datetime) -> str:
    """Sign the count as the floor."""
    session = desk.in_session()
    is_opening = session.state == SessionState.OPENING
    counted = latest_count(session, CountKind.OPENER if is_opening else CountKind.CLOSER)
    if counted is None:
        raise NotFoundError(_("There is no count to sign."))
    floor = signers["floor"]
    assert floor is not None, "the form asks for number and PIN"
    witness_count(count_id=counted.pk, floor=floor, at=at)
    return _("Signed by %(number)s.") % {"number": floor.number}


def confirm_opening(*, desk: Desk, form: forms.ReasonForm, signers: Signers, at: datetime) -> str:
    """Open the table on its signed count."""
    confirm_opener(
        session_id=desk.in_session().pk,
        actor=desk.actor,
        at=at,
        reason=form.cleaned_data["reason"],
    )
    return _("Table %(table)s is open.") % {"table": desk.table.code}


def end_play(*, desk: Desk, form: forms.ActForm, signers: Signers, at: datetime) -> str:
    """Take no more rounds."""
    begin_closing(session_id=desk.in_session().pk, actor=desk.actor, at=at)
    return _("Play has ended. Count the tray.")


def resume(*, desk: Desk, form: forms.ActForm, signers: Signers, at: datetime) -> str:
    """Play on."""
    resume_play(session_id=desk.in_session().pk, actor=desk.actor, at=at)
    return _("Play goes on.")


def accept_closing(*, desk: Desk, form: forms.ActForm, signers: Signers, at: datetime) -> str:
    """Take the signed closer as it is."""
    accept_closer(session_id=desk.in_session().pk, actor=desk.actor, at=at)
    return _("The closer is accepted.")


# --- seats and money


def take_seat(*, desk: Desk, form: forms.SeatPatronForm, signers: Signers, at: datetime) -> str:
    """Seat a known patron, or one who is only described."""
    patron = _patron(desk, form, at=at)
    seat = form.cleaned_data["seat"]
    seat_patron(session_id=desk.in_session().pk, seat=seat, patron=patron, actor=desk.actor, at=at)
    return _("Seat %(seat)d: %(patron)s.") % {"seat": seat, "patron": patron.name}


def leave(*, desk: Desk, form: forms.SeatForm, signers: Signers, at: datetime) -> str:
    """Note that a patron has left."""
    seat = form.cleaned_data["seat"]
    leave_seat(session_id=desk.in_session().pk, seat=seat, actor=desk.actor, at=at)
    return _("Seat %(seat)d is empty.") % {"seat": seat}


def buy_in(*, desk: Desk, form: forms.BuyInForm, signers: Signers, at: datetime) -> str:
    """Take cash and pass chips."""
    seat, amount = form.cleaned_data["seat"], form.cleaned_data["amount"]
    buy_in_cash(
        session_id=desk.in_session().pk,
        seat=seat,
        amount=amount,
        key=form.cleaned_data["key"].hex,
        actor=desk.actor,
        verifier=signers["floor"],
        at=at,
    )
    return _("Seat %(seat)d bought in for %(amount)s.") % {
        "seat": seat,
        "amount": amount_text(amount, desk.currency),
    }


def take_back_buy_in(
    *, desk: Desk, form: forms.VoidBuyInForm, signers: Signers, at: datetime
) -> str:
    """Void a buy-in that was entered wrongly."""
    found = desk.in_session().buy_ins.filter(pk=form.cleaned_data["buy_in"]).first()
    if found is None:
        raise NotFoundError(_("There is no such buy-in at this table."))
    void_buy_in(
        buy_in_id=found.pk,
        reason=form.cleaned_data["reason"],
        proposer=desk.actor,
        floor=required(signers, "floor"),
        at=at,
    )
    return _("The buy-in of %(amount)s at seat %(seat)d is taken back.") % {
        "amount": amount_text(found.amount, desk.currency),
        "seat": found.seat,
    }


# --- the round


def wager(*, desk: Desk, form: forms.WagerForm, signers: Signers, at: datetime) -> str:
    """Place a wager, or another amount in its stead."""
    seat, amount = form.cleaned_data["seat"], form.cleaned_data["amount"]
    betting.place_wager(
        session_id=desk.in_session().pk,
        seat=seat,
        amount=amount,
        actor=desk.actor,
        at=at,
        revision=form.cleaned_data["revision"],
    )
    return _("Seat %(seat)d: %(amount)s placed.") % {
        "seat": seat,
        "amount": amount_text(amount, desk.currency),
    }


def withdraw(*, desk: Desk, form: forms.SeatForm, signers: Signers, at: datetime) -> str:
    """Take a wager back."""
    seat = form.cleaned_data["seat"]
    betting.withdraw_wager(
        session_id=desk.in_session().pk,
        seat=seat,
        actor=desk.actor,
        at=at,
        revision=form.cleaned_data["revision"],
    )
    return _("Seat %(seat)d: wager withdrawn.") % {"seat": seat}


def repeat(*, desk: Desk, form: forms.ActForm, signers: Signers, at: datetime) -> str:
    """Place the last round's wagers again."""
    round_ = betting.repeat_wagers(session_id=desk.in_session().pk, actor=desk.actor, at=at)
    return _("Round %(number)d: the last wagers are placed again.") % {"number": round_.number}


def lock(*, desk: Desk, form: forms.RoundForm, signers: Signers, at: datetime) -> str:
    """Fix the wagers."""
    betting.no_more_bets(
        round_id=_round(desk, form).pk,
        actor=desk.actor,
        at=at,
        revision=form.cleaned_data["revision"],
    )
    return _("No more bets.")


def enter_hands(*, desk: Desk, form: forms.HandsForm, signers: Signers, at: datetime) -> str:
    """Enter every hand that is whole; one that is not yet counts as not entered."""
    round_ = _round(desk, form)
    layout = games.layout(round_.profile.game)
    hands: dict[str, Dealt | None] = {}
    for position, tokens, way in form.hands():
        is_house_way = position == BANK or way == HOUSE_WAY
        placed = {"low": tokens[: layout.low_size], "high": tokens[layout.low_size :]}
        hands[position] = (
            Dealt(hand=tokens, given_set=HOUSE_WAY if is_house_way else placed)
            if len(tokens) >= layout.hand_size
            else None
        )
    entering.enter_hands(
        round_id=round_.pk,
        hands=hands,
        actor=desk.actor,
        at=at,
        revision=form.cleaned_data["revision"],
    )
    missing = sum(hand is None for hand in hands.values())
    return _("All hands are entered.") if not missing else _("Entered so far.")


def set_house_way(*, desk: Desk, form: forms.RoundSeatForm, signers: Signers, at: datetime) -> str:
    """Set the hand of one seat as the dealer must set the bank's."""
    round_, seat = _round(desk, form), form.cleaned_data["seat"]
    entering.set_hand(
        round_id=round_.pk,
        position=str(seat),
        given_set=HOUSE_WAY,
        actor=desk.actor,
        at=at,
        revision=form.cleaned_data["revision"],
    )
    return _("Seat %(seat)d is set the house way.") % {"seat": seat}


def enter_result(*, desk: Desk, form: forms.ResultForm, signers: Signers, at: datetime) -> str:
    """Enter how one seat's wager ended."""
    seat = form.cleaned_data["seat"]
    entering.enter_result(
        round_id=_round(desk, form).pk,
        seat=seat,
        outcome=form.cleaned_data["outcome"],
        actor=desk.actor,
        at=at,
        revision=form.cleaned_data["revision"],
    )
    return _("Seat %(seat)d is entered.") % {"seat": seat}


def settle(*, desk: Desk, form: forms.RoundForm, signers: Signers, at: datetime) -> str:
    """Confirm the settlement."""
    done = settle_round(
        round_id=_round(desk, form).pk,
        actor=desk.actor,
        at=at,
        revision=form.cleaned_data["revision"],
    )
    return _("Round %(number)d is settled.") % {"number": done.round.number}


def next_round(*, desk: Desk, form: forms.RoundForm, signers: Signers, at: datetime) -> str:
    """Go on: everybody is paid."""
    closed = close_round(
        round_id=_round(desk, form).pk,
        actor=desk.actor,
        at=at,
        revision=form.cleaned_data["revision"],
    )
    return _("Round %(number)d is closed.") % {"number": closed.number}


def void(*, desk: Desk, form: forms.VoidForm, signers: Signers, at: datetime) -> str:
    """Void a round, before payment or after it."""
    round_ = _round(desk, form)
    void_round(
        round_id=round_.pk,
        reason=form.cleaned_data["reason"],
        proposer=desk.actor,
        floor=required(signers, "floor"),
        pit_boss=signers["boss"],
        at=at,
        revision=form.cleaned_data["revision"],
    )
    return _("Round %(number)d is void.") % {"number": round_.number}


def required(signers: Signers, name: str) -> Signer:
    """Return who signs as *name*; refuse where nobody does."""
    signer = signers[name]
    if signer is None:
        raise ApprovalRequiredError(role="floor supervisor", pointer=f"/{name}")
    return signer


def _round(desk: Desk, form: forms.RoundForm) -> Round:
    found = desk.in_session().rounds.select_related("profile")
    round_ = found.filter(pk=form.cleaned_data["round"]).first()
    if round_ is None:
        raise NotFoundError(_("There is no such round at this table."))
    return round_


def _patron(desk: Desk, form: forms.SeatPatronForm, *, at: datetime) -> Patron:
    known = form.cleaned_data["patron"]
    if known is None:
        return describe_patron(
            property_id=desk.casino.pk,
            description=form.cleaned_data["description"],
            key=form.cleaned_data["key"],
            actor=desk.actor,
            at=at,
        )
    patron = Patron.objects.filter(pk=known, property=desk.casino).first()
    if patron is None:
        raise NotFoundError(_("There is no such patron."))
    return patron
