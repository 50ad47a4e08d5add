"""The tablet's components as a dealer's finger and a screen reader meet them."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.gallery import SCREENS

pytestmark = pytest.mark.browser

PORTRAIT = {"width": 800, "height": 1280}


def violations(page: Page) -> list[str]:
    """Return what axe finds wrong, by rule and place."""
    return [
        f"{found['id']}: {node['target']}"
        for found in Axe().run(page).response["violations"]
        for node in found["nodes"]
    ]


@pytest.mark.parametrize("language", ["en", "ar"])
@pytest.mark.parametrize("screen", SCREENS)
def test_every_component_is_accessible_in_both_directions(
    page: Page, components: str, screen: str, language: str
) -> None:
    page.goto(f"{components}/{screen}?lang={language}")
    assert page.locator("html").get_attribute("dir") == ("rtl" if language == "ar" else "ltr")
    assert violations(page) == []


@pytest.mark.parametrize("screen", SCREENS)
def test_no_component_is_wider_than_an_upright_tablet(
    page: Page, components: str, screen: str
) -> None:
    page.set_viewport_size(PORTRAIT)
    page.goto(f"{components}/{screen}")
    assert page.evaluate("document.documentElement.scrollWidth") == PORTRAIT["width"]


@pytest.mark.parametrize("screen", ["round", "tiles", "cards", "count"])
def test_everything_a_dealer_taps_is_large_enough(page: Page, components: str, screen: str) -> None:
    page.goto(f"{components}/{screen}")
    small = page.evaluate(
        """() => [...document.querySelectorAll(
               'main button:not(.slot), main .seat, main summary')]
             .filter((one) => one.checkVisibility())
             .map((one) => ({text: one.textContent.trim(), box: one.getBoundingClientRect()}))
             .filter(({box}) => box.width < 44 || box.height < 44)
             .map(({text, box}) => `${text} ${box.width}x${box.height}`)"""
    )
    assert small == []


def test_keys_and_chips_make_up_an_amount(page: Page, components: str) -> None:
    page.goto(f"{components}/round")
    amount = page.get_by_label("Wager at seat 3")
    for key in ("1", "2", "Point", "5"):
        page.get_by_role("button", name=key, exact=True).click()
    expect(amount).to_have_value("12.5")
    page.get_by_role("button", name="Add 25", exact=True).click()
    expect(amount).to_have_value("37.50")
    page.get_by_role("button", name="5", exact=True).click()
    expect(amount).to_have_value("37.50")  # a third decimal digit is no amount of this currency
    page.get_by_role("button", name="Delete the last digit").click()
    expect(amount).to_have_value("37.5")
    page.get_by_role("button", name="Clear", exact=True).click()
    page.get_by_role("button", name="Add 100", exact=True).click()
    page.get_by_role("button", name="Add 5", exact=True).click()
    expect(amount).to_have_value("105")


def test_a_seat_is_chosen_by_touch_or_by_key(page: Page, components: str) -> None:
    page.goto(f"{components}/round")
    expect(page.get_by_role("radio", name="Seat 3")).to_be_checked()
    page.locator("#seat-1").click()
    expect(page.get_by_role("radio", name="Seat 1 Lin Mei-hua Wager 100.00")).to_be_checked()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="Seat 2 Empty")).to_be_checked()
    expect(page.get_by_role("radio", name="Seat 7")).to_be_disabled()


def test_seat_one_stays_at_the_dealers_left_in_every_language(page: Page, components: str) -> None:
    for language in ("en", "ar"):
        page.goto(f"{components}/round?lang={language}")
        left = [page.locator(f"#seat-{number}").bounding_box() for number in range(1, 8)]
        places = [box["x"] for box in left if box]
        assert places == sorted(places)
        assert len(places) == 7


def test_tiles_fill_the_chosen_hand_and_run_out(page: Page, components: str) -> None:
    page.goto(f"{components}/tiles")
    seat_3 = page.locator("input[name='seat_3']")
    expect(page.get_by_role("button", name="six-six, Heaven", exact=True)).to_be_disabled()
    expect(page.get_by_role("button", name="two-one, Gee Joon three", exact=True)).to_be_disabled()
    five_five = page.get_by_role("button", name="five-five, Plum", exact=True)
    expect(five_five).to_be_enabled()  # one of its two lies at seat 1
    five_five.click()
    expect(seat_3).to_have_value("21 55")
    expect(five_five).to_be_disabled()

    for name in ("one-one, Earth", "four-four, Man"):
        page.get_by_role("button", name=name, exact=True).click()
    expect(seat_3).to_have_value("21 55 11 44")
    expect(page.get_by_role("button", name="Seat 3 4/4")).to_have_attribute("aria-pressed", "false")
    expect(page.get_by_role("button", name="Seat 4 0/4")).to_have_attribute("aria-pressed", "true")


def test_a_tile_is_taken_back_and_may_be_tapped_again(page: Page, components: str) -> None:
    page.goto(f"{components}/tiles")
    page.get_by_role("group", name="Seat 1").get_by_role("button", name="Take back six-six").click()
    expect(page.locator("input[name='seat_1']")).to_have_value("55 62")
    expect(page.get_by_role("button", name="Seat 1 2/4")).to_be_focused()
    expect(page.get_by_role("button", name="six-six, Heaven", exact=True)).to_be_enabled()


def test_a_tile_taken_back_from_the_low_hand_is_replaced_there(page: Page, components: str) -> None:
    page.goto(f"{components}/tiles")
    seat_1 = page.get_by_role("group", name="Seat 1")
    seat_1.get_by_role("button", name="Take back five-five").click()
    expect(page.locator("input[name='seat_1']")).to_have_value("62 66")
    page.get_by_role("button", name="four-one, Mixed five", exact=True).click()
    expect(page.locator("input[name='seat_1']")).to_have_value("41 62 66")
    expect(seat_1.locator(".slot--low")).to_have_text(
        ["Take back four-one, Mixed five", "Take back six-two, Mixed eight"]
    )


def test_hands_are_entered_only_when_all_are_whole(page: Page, components: str) -> None:
    page.goto(f"{components}/cards")
    enter = page.get_by_role("button", name="Enter hands")
    expect(enter).to_be_disabled()
    page.evaluate(
        """() => {
            const rest = [...document.querySelectorAll('[data-picker] [data-face]:not(:disabled)')];
            for (const face of rest) if (!face.disabled) face.click();
        }"""
    )
    sizes = page.evaluate(
        "[...document.querySelectorAll('[data-tokens]')].map((one) => one.value.split(' ').length)"
    )
    assert sizes == [7] * 6
    expect(enter).to_be_enabled()
    assert page.locator("[data-picker] [data-face]:enabled").count() == 0


def test_the_count_adds_up_while_it_is_typed(page: Page, components: str) -> None:
    page.goto(f"{components}/count")
    total = page.locator("[data-total]")
    ones = page.get_by_role("textbox", name="Pieces of 1", exact=True)
    expect(total).to_have_text("5,240.00")
    page.get_by_label("Pieces of 500").fill("3")
    expect(total).to_have_text("6,740.00")
    ones.focus()
    page.get_by_role("button", name="Clear").click()
    for key in "12":
        page.get_by_role("button", name=key, exact=True).click()
    expect(ones).to_have_value("12")
    expect(total).to_have_text("6,712.00")


def test_the_page_says_when_it_is_not_connected(page: Page, components: str) -> None:
    page.goto(f"{components}/round?stream=ended")
    connection = page.locator("[data-behaviour='live']")
    expect(connection).to_have_text("Not connected", use_inner_text=True)
    page.goto(f"{components}/round")
    expect(connection).to_have_text("Connected", use_inner_text=True)


def test_a_stream_that_falls_silent_counts_as_lost(page: Page, components: str) -> None:
    page.clock.install()
    page.goto(f"{components}/round")
    connection = page.locator("[data-behaviour='live']")
    expect(connection).to_have_text("Connected", use_inner_text=True)
    page.clock.fast_forward(16_000)
    expect(connection).to_have_text("Not connected", use_inner_text=True)


def test_a_lost_stream_is_taken_up_where_it_ended(page: Page, components: str) -> None:
    page.goto(f"{components}/round?stream=ended")
    with page.expect_request(
        lambda request: request.headers.get("last-event-id") == "7-0"
    ) as again:
        expect(page.locator("[data-behaviour='live']")).to_contain_text("Not connected")
    assert again.value.url == f"{components}/ended"


def test_an_event_redraws_what_it_made_old_and_nothing_else(page: Page, components: str) -> None:
    page.goto(f"{components}/settlement?stream=one-event")
    expect(page.locator("[data-seen='3-0']")).to_have_text("Redrawn")
    expect(page.locator("[data-seen='4-0']")).to_have_text("After")
    expect(page.locator("[data-live='round.voided']")).to_have_text("Another event's")
    expect(page.get_by_label("Typed")).to_have_count(0)


def test_an_event_wipes_nothing_that_is_being_typed(page: Page, components: str) -> None:
    page.goto(f"{components}/settlement?stream=held")
    page.get_by_label("Typed").fill("12")
    page.evaluate("fetch('/release')")
    expect(page.locator("[data-seen='3-0']")).to_have_text("Redrawn")
    expect(page.get_by_label("Typed")).to_have_value("12")
