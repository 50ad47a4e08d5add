"""A dealer's tablet by its own requests: it reads the page that stands and sends the forms in it.

Every field that is hidden in a form (request key, revision, protection against forgery) goes back
as the page gave it, and a request whose answer was lost is sent again as it was.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode, urljoin

from rules.registry import game
from tables.demo import house
from tests.shift.asking import Asker, Reply
from tests.shift.pages import Page

PINS = {person.number: person.pin or "" for person in house.STAFF}
FLOOR = "FS-031"
PIT_BOSS = "PB-004"
SIGNED_BY_FLOOR = {"floor_number": FLOOR, "floor_pin": PINS[FLOOR]}
SIGNED_BY_PIT_BOSS = {"boss_number": PIT_BOSS, "boss_pin": PINS[PIT_BOSS]}
DONE = 200
REFUSED = 403
OURS = frozenset({DONE, 403, 409, 412, 422, 429})
"""What the page's script swaps in; anything else leaves the page and its forms as they stand."""


class Tablet:
    """One tablet at one table, from its enrolment on."""

    def __init__(self, enrolment: str, *, dealer: str) -> None:
        self.asker = Asker()
        self.url = enrolment
        self._open(enrolment)
        self.press("Sign in", number=dealer, pin=PINS[dealer])
        assert urljoin(self.url, "/tablet/") == self.url, self.page.said

    # --- what any browser can do

    def look(self, where: str = "") -> None:
        """Draw the screen, or a view of it, anew."""
        self._open(urljoin(self.url, f"/tablet/{where}"))

    def follow(self, link: str) -> None:
        """Follow a link of the page that stands."""
        self._open(urljoin(self.url, self.page.link_to(link)))

    def press(self, button: str, *, expect: int = DONE, **entered: str) -> None:
        """Fill in fields of the form that has *button*, press it, and see the answer."""
        form, pressed = self.page.form_with(button)
        assert entered.keys() <= form.fields.keys() | form.choices.keys(), (entered, form.fields)
        sent = {**form.fields, **entered, **({pressed.name: pressed.value} if pressed.name else {})}
        reply = self.asker.ask(
            urljoin(self.url, pressed.action or form.action),
            data=urlencode(sent).encode(),
            headers={"HX-Request": "true"},
        )
        self._see(reply)
        assert reply.status == expect, f"{button}: {reply.status} {self.page.said}"

    def _open(self, address: str) -> None:
        reply = self.asker.ask(address)
        self._see(reply)
        assert reply.status == DONE, f"{address}: {reply.status} {self.page.said}"

    def _see(self, reply: Reply) -> None:
        assert reply.status in OURS, f"{reply.url}: {reply.status}\n{reply.body}"
        self.page = Page(reply.body)
        if "/tablet/" in reply.url and reply.headers.get("HX-Reswap") is None:
            self.url = urljoin(reply.url, "/tablet/") if "sign-in" not in reply.url else reply.url

    # --- a session

    def count(self, pieces: Mapping[int, int]) -> None:
        """Enter a count by denomination, and have the floor sign it."""
        self.press("Count is done", **{f"pieces_{value}": str(n) for value, n in pieces.items()})
        self.press("Sign the count", **SIGNED_BY_FLOOR)

    def open_table(self, pieces: Mapping[int, int]) -> None:
        """Open the table on a counted tray."""
        self.look()
        self.press("Open the table")
        self.count(pieces)
        self.press("Open the table")

    def end_play(self) -> None:
        """Take no more rounds."""
        self.look("?view=close")
        self.press("End play and count")

    def close_table(self, pieces: Mapping[int, int]) -> None:
        """Count the tray after the last round and accept what was counted."""
        self.count(pieces)
        self.press("Accept and close")

    # --- seats and money

    def seat(self, seat: int, patron: str) -> None:
        """Seat a known patron."""
        self.look(f"?seat={seat}")
        self.press(patron)

    def buy_in(self, seat: int, amount: int) -> None:
        """Take cash for chips; the floor verifies it where the tablet asks for that."""
        self.look(f"?seat={seat}")
        is_large = amount > house.SETTINGS["verify_buyin_over"]
        self.press("Buy in", amount=_typed(amount), expect=REFUSED if is_large else DONE)
        if is_large:
            self.press("Buy in", **SIGNED_BY_FLOOR)

    def take_back_buy_in(self, seat: int) -> None:
        """Void the buy-in of a seat."""
        self.look("?view=buy-ins")
        self.press(
            "Take back",
            buy_in=self.page.choice("buy_in", f"Seat {seat} "),
            reason="Entered at the wrong seat.",
            **SIGNED_BY_FLOOR,
        )

    # --- rounds

    def play(self, given: Mapping[str, Any], *, rules: Mapping[str, Any]) -> None:
        """Enter a round from the wagers to the payment, every hand as its tiles or cards.

        Args:
            given: the round as programs send it; every hand is set the house way.
            rules: game and options of the session.
        """
        self.look()
        if self.page.offers("Next round"):  # a card reader's round is still being paid
            self.go_on()
        for seat in given["seats"]:
            self.look(f"?seat={seat['seat']}")
            self.press("Wager", amount=_typed(seat["wager"]))
        self.press("No more bets")
        hands = {f"hand_{seat['seat']}": _as_set(seat["hand"], rules) for seat in given["seats"]}
        self.press("Enter hands", hand_bank=" ".join(given["bank"]["hand"]), **hands)
        self.press("Confirm")

    def go_on(self) -> None:
        """Everybody is paid."""
        self.press("Next round")

    def void_round(self) -> None:
        """Void the round that was just settled; the pit boss signs where the tablet asks."""
        self.follow("Void this round")
        form, _button = self.page.form_with("Void the round")
        signed = SIGNED_BY_FLOOR | (SIGNED_BY_PIT_BOSS if "boss_pin" in form.fields else {})
        self.press("Void the round", reason="Seat 2 was paid for a push.", **signed)


def _typed(amount: int) -> str:
    return f"{amount // 100}.{amount % 100:02d}"


def _as_set(hand: Sequence[str], rules: Mapping[str, Any]) -> str:
    """Return the hand as it is tapped when the patron sets it as the house would: low first."""
    played = game(rules["game"])
    options = played.options.resolve(rules["options"], complete=True)
    setting = played.house_way(options=options, hand=hand)
    return " ".join((*setting.low, *setting.high))
