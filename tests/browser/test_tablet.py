"""A shift at the tables as a dealer lives it: everything is found by its role and name."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.utils import timezone
from playwright.sync_api import Page, Route, expect

from casino.properties.models import Property
from casino.staff.actors import client_actor
from casino.staff.services.devices import make_enrolment
from tables.demo import house
from tables.floor.selectors import latest_session
from tables.money.models import BuyIn
from tables.rounds.models import Source
from tables.rounds.services.settling import record_round
from tables.settlement.services.running import run_settlement
from tests import factories
from tests.browser.conftest import TABLET

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PINS = {person.number: person.pin for person in house.STAFF}


class Dealer:
    """A dealer at one table's tablet."""

    def __init__(self, page: Page, server: str, casino: Property, code: str) -> None:
        self.page, self.code = page, code
        self.table = factories.a_table(casino, code)
        token = make_enrolment(
            property=casino, place=self.table.ref, name=f"Table {code}", at=timezone.now()
        )
        page.goto(f"{server}/tablet/enrol/{token}")

    def sign_in(self, number: str) -> None:
        self.page.get_by_label("Employee number").fill(number)
        self.page.get_by_label("PIN").fill(PINS[number] or "")
        self.press("Sign in")

    def press(self, *names: str) -> None:
        for name in names:
            self.page.get_by_role("button", name=name, exact=True).click()

    def sees(self, heading: str) -> None:
        """Wait for a screen, and find nothing wrong with it."""
        expect(self.page.get_by_role("heading", name=heading, exact=True)).to_be_visible()
        found = Axe().run(self.page).response["violations"]
        assert [(each["id"], [node["target"] for node in each["nodes"]]) for each in found] == []

    def says(self, text: str) -> None:
        expect(self.page.locator("#status")).to_have_text(text)

    def count(self, pieces: dict[int, int]) -> None:
        for value, number in pieces.items():
            chip = str(value // 100) if value % 100 == 0 else f"0.{value}"
            self.page.get_by_role("textbox", name=f"Pieces of {chip}", exact=True).fill(str(number))
        self.press("Count is done")

    def floor_signs(self, act: str) -> None:
        self.page.get_by_label("Number").first.fill("FS-031")
        self.page.get_by_label("PIN").first.fill(PINS["FS-031"] or "")
        self.press(act)

    def opens(self) -> None:
        spec = next(spec for spec in house.TABLES if spec.code == self.code)
        self.sees(f"Table {self.code} is closed")
        self.press("Open the table")
        self.sees("Opening count")
        self.count(dict(spec.tray))
        self.sees("Opening count: the floor signs")
        self.floor_signs("Sign the count")
        self.sees("Opening count")
        expect(self.page.get_by_text("none", exact=True)).to_be_visible()
        self.press("Open the table")
        self.sees("Round 1")

    def seats(self, seat: int, patron: str) -> None:
        self.page.get_by_role("radio", name=f"Seat {seat}").check(force=True)
        self.sees(f"Seat {seat}")
        self.page.get_by_role("button", name=patron).click()
        self.sees(f"Seat {seat} · {patron}")

    def wagers(self, *chips: str) -> None:
        self.press(*(f"Add {chip}" for chip in chips))
        self.press("Wager")

    def fits(self) -> None:
        """Find the whole screen on the tablet, the line that says what was done included."""
        tall = self.page.evaluate("document.documentElement.scrollHeight")
        assert tall <= TABLET["height"]

    def turns_to(self, link: str) -> None:
        self.page.get_by_text("More", exact=True).click()
        self.page.get_by_role("link", name=link).click()

    def taps(self, *names: str) -> None:
        for name in names:
            self.page.locator("[data-picker]").get_by_role("button", name=name).first.click()


@pytest.fixture
def dealer(server: str, page: Page) -> Callable[[str, str], Dealer]:
    casino = factories.a_casino()

    def at(code: str, number: str) -> Dealer:
        dealer = Dealer(page, server, casino, code)
        dealer.sign_in(number)
        return dealer

    return at


def test_a_dealer_opens_the_table_and_plays_a_round_of_pai_gow(dealer):
    mei = dealer("T1", "DL-210")
    mei.opens()
    mei.seats(1, "Wei Chen")
    mei.seats(2, "Aisha Rahman")
    mei.press("Add 500", "Buy in")
    mei.says("Seat 2 bought in for 500.00.")

    mei.page.get_by_role("radio", name="Seat 1").check(force=True)
    mei.sees("Seat 1 · Wei Chen")
    mei.wagers("25")
    mei.says("Seat 1: 25.00 placed.")
    mei.sees("Seat 2 · Aisha Rahman")
    mei.wagers("100")
    mei.says("Seat 2: 100.00 placed.")
    mei.press("No more bets")
    mei.says("No more bets.")
    mei.sees("Round 1")
    mei.taps("six-six", "four-two", "four-four", "one-one")
    mei.taps("five-five", "six-four", "three-three", "two-one")
    mei.taps("six-two", "five-three", "six-five", "six-five")
    mei.sees("Round 1: pay and take")
    expect(mei.page.get_by_text("Pay 95.00", exact=True)).to_be_visible()
    expect(mei.page.get_by_text("after 5.00 commission", exact=True)).to_be_visible()
    expect(mei.page.get_by_text("Take 25.00", exact=True)).to_be_visible()
    mei.press("Confirm")
    mei.says("Round 1 is settled.")
    mei.sees("Round 1")
    mei.press("Repeat wagers 125.00")
    mei.says("Round 2: the last wagers are placed again.")


def test_a_round_and_a_buy_in_are_taken_back_with_the_floor(dealer):
    mei = dealer("T1", "DL-210")
    mei.opens()
    mei.seats(1, "Wei Chen")
    mei.press("Add 500", "Buy in")
    mei.says("Seat 1 bought in for 500.00.")
    mei.wagers("25")
    mei.says("Seat 1: 25.00 placed.")
    mei.turns_to("Void this round")
    mei.sees("Void round 1")
    mei.floor_signs("Void the round")
    expect(mei.page.get_by_text("Give the reason in a few words.")).to_be_visible()
    mei.sees("Void round 1")
    mei.page.get_by_label("Reason").fill("Dealt to the wrong seat.")
    mei.floor_signs("Void the round")
    mei.says("Round 1 is void.")

    mei.turns_to("Take back a buy-in")
    mei.sees("Take back a buy-in")
    mei.page.get_by_role("radio", name="500.00").check()
    mei.page.get_by_label("Reason").fill("Counted twice.")
    mei.floor_signs("Take back")
    mei.says("The buy-in of 500.00 at seat 1 is taken back.")


def test_a_table_closes_and_the_screen_follows_its_settlement(dealer):
    mei = dealer("T1", "DL-210")
    mei.opens()
    mei.turns_to("Close the table")
    mei.sees("Close table T1")
    mei.press("End play and count")
    mei.sees("Closing count")
    mei.count({25: 80, 100: 180, 500: 360, 2_500: 240, 10_000: 70, 50_000: 9})
    mei.sees("Closing count: the floor signs")
    mei.floor_signs("Sign the count")
    mei.sees("Closing count")
    expect(mei.page.get_by_text("−500.00")).to_be_visible()
    mei.page.get_by_role("link", name="Count once more").click()
    mei.sees("Recount")
    mei.count({25: 80, 100: 180, 500: 360, 2_500: 240, 10_000: 70, 50_000: 10})
    mei.sees("Closing count: the floor signs")
    mei.floor_signs("Sign the count")
    mei.sees("Closing count")
    mei.press("Accept and close")
    mei.sees("The session is being settled")
    session = latest_session(mei.table)
    assert session is not None
    run_settlement(session_id=session.pk, version=1, at=timezone.now())
    mei.sees("Table T1 is closed")


def test_a_dealer_plays_pai_gow_poker(dealer):
    omar = dealer("T2", "DL-214")
    omar.opens()
    omar.seats(3, "Tomás Silva")
    omar.wagers("100")
    omar.says("Seat 3: 100.00 placed.")
    omar.press("No more bets")
    omar.says("No more bets.")
    omar.sees("Round 1")
    omar.taps("ace of spades", "king of spades", "queen of hearts", "nine of clubs")
    omar.taps("eight of diamonds", "four of hearts", "two of clubs")
    omar.taps("ace of hearts", "ace of clubs")
    omar.taps(
        "ten of clubs", "ten of diamonds", "ten of hearts", "three of spades", "five of clubs"
    )
    omar.sees("Round 1: pay and take")
    omar.press("Confirm")
    omar.says("Round 1 is settled.")
    omar.press("Next round")
    omar.sees("Round 2")


def test_a_round_of_two_seats_takes_nineteen_taps(dealer):
    mei = dealer("T1", "DL-210")
    mei.opens()
    mei.seats(1, "Wei Chen")
    mei.seats(2, "Aisha Rahman")
    mei.page.get_by_role("radio", name="Seat 1").check(force=True)
    mei.sees("Seat 1 · Wei Chen")
    mei.page.evaluate(
        "window.taps = 0; addEventListener('click', (event) => { taps += event.isTrusted }, true)"
    )
    mei.wagers("25")
    mei.says("Seat 1: 25.00 placed.")
    mei.wagers("100")
    mei.says("Seat 2: 100.00 placed.")
    mei.press("No more bets")
    mei.says("No more bets.")
    mei.taps("six-six", "four-two", "four-four", "one-one")
    mei.taps("five-five", "six-four", "three-three", "two-one")
    mei.taps("six-two", "five-three", "six-five", "six-five")
    mei.press("Confirm", "Next round")
    mei.sees("Round 2")
    assert mei.page.evaluate("window.taps") == 4 + 1 + 12 + 1 + 1


def test_a_full_table_is_seen_without_scrolling(dealer):
    mei = dealer("T1", "DL-210")
    mei.opens()
    patrons = "Wei Chen", "Aisha Rahman", "Tomás Silva", "Nora Lindqvist", "Hassan Jaber"
    for seat, patron in enumerate((*patrons, "Ivy Nakamura"), start=1):
        mei.seats(seat, patron)
        mei.wagers("100")
        mei.says(f"Seat {seat}: 100.00 placed.")
    mei.fits()
    mei.press("No more bets")
    mei.says("No more bets.")
    mei.taps("six-six", "four-two", "four-four", "one-one")
    mei.taps("six-two", "five-three", "six-five", "six-five")
    mei.fits()
    mei.taps("six-six", "one-one", "four-four", "three-one")
    mei.taps("five-five", "five-five", "three-three", "three-three")
    mei.taps("two-two", "two-two", "six-four", "six-four")
    mei.taps("six-one", "six-one", "five-one", "five-one")
    mei.taps("six-three", "five-four", "five-two", "four-three")
    mei.sees("Round 1: pay and take")
    mei.fits()


def test_a_trembling_finger_buys_in_once(dealer):
    mei = dealer("T1", "DL-210")
    mei.opens()
    mei.seats(1, "Wei Chen")
    mei.press("Add 500")
    mei.page.get_by_role("button", name="Buy in").dblclick()
    mei.says("Seat 1 bought in for 500.00.")
    assert BuyIn.objects.count() == 1


def test_an_act_whose_answer_is_lost_counts_once_when_it_is_sent_again(dealer):
    mei = dealer("T1", "DL-210")
    mei.opens()
    mei.seats(1, "Wei Chen")

    def lose_the_answer(route: Route) -> None:
        route.fetch()
        route.fulfill(status=502)

    mei.page.route("**/tablet/buy-in/", lose_the_answer, times=1)
    mei.press("Add 500", "Buy in")
    expect(mei.page.get_by_role("alert")).to_have_text(
        "No answer came. Tap the same button again: it counts once."
    )
    mei.press("Buy in")
    mei.says("Seat 1 bought in for 500.00.")
    expect(mei.page.get_by_role("alert")).to_be_hidden()
    assert BuyIn.objects.count() == 1


def test_a_large_buy_in_is_verified_at_the_table(dealer):
    mei = dealer("T1", "DL-210")
    mei.opens()
    mei.seats(1, "Wei Chen")
    mei.press("Add 500", "Add 500", "Add 500", "Buy in")
    expect(mei.page.get_by_text("A buy-in of this amount is verified")).to_be_visible()
    mei.sees("Seat 1 · Wei Chen")
    mei.floor_signs("Buy in")
    mei.says("Seat 1 bought in for 1,500.00.")


def test_a_round_that_comes_by_another_door_shows_by_itself(dealer):
    mei = dealer("T1", "DL-210")
    mei.opens()
    mei.seats(1, "Wei Chen")
    expect(mei.page.get_by_role("status").filter(has_text="Connected")).to_be_visible()
    record_round(
        session_id=latest_session(mei.table).pk,
        given={
            "bank": {"holder": "house", "hand": ["66", "42", "44", "11"], "set": "house_way"},
            "seats": [
                {"seat": 1, "wager": 2_500, "hand": ["55", "64", "33", "21"], "set": "house_way"}
            ],
        },
        source=Source.API,
        actor=client_actor(name="reader-1", property_id=mei.table.property_id),
        occurred_at=timezone.now(),
        at=timezone.now(),
    )
    expect(mei.page.get_by_text("Take 25.00", exact=True)).to_be_visible()
    mei.sees("Round 1")


def test_outcomes_alone_are_entered_where_a_table_records_no_hands(dealer):
    omar = dealer("T2", "DL-214")
    factories.record_outcomes_alone(omar.table.property, omar.table, at=timezone.now())
    omar.opens()
    omar.seats(3, "Tomás Silva")
    omar.wagers("100")
    omar.press("No more bets")
    omar.says("No more bets.")
    omar.sees("Seat 3 · Tomás Silva")
    omar.press("WIN")
    omar.sees("Round 1: pay and take")
    expect(omar.page.get_by_text("Pay 95.00", exact=True)).to_be_visible()
    omar.press("Confirm")
    omar.says("Round 1 is settled.")


def test_a_hand_is_set_the_house_way_and_says_why(dealer):
    mei = dealer("T1", "DL-210")
    mei.opens()
    mei.seats(1, "Wei Chen")
    mei.wagers("25")
    mei.press("No more bets")
    mei.says("No more bets.")
    mei.taps("six-six", "four-two", "four-four", "one-one")
    mei.taps("five-five", "six-four", "three-three", "two-one")
    mei.sees("Round 1: pay and take")
    mei.press("Seat 1: set the house way")
    mei.says("Seat 1 is set the house way.")
    mei.page.get_by_text("Why").first.click()
    expect(mei.page.get_by_text("Seat 1: The best low hand is played")).to_be_visible()
    mei.sees("Round 1: pay and take")
    mei.page.get_by_role("link", name="Correct the hands").click()
    mei.sees("Round 1")
    mei.page.get_by_role("button", name="Take back two-one").click()
    mei.taps("two-two")
    mei.sees("Round 1: pay and take")
