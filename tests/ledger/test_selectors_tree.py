"""The chart as a tree: totals that add up, and pages below a number however much hangs there."""

from __future__ import annotations

from functools import partial
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger import selectors
from ledger.chart import AccountType
from ledger.errors import UnknownAccountError
from ledger.selectors import Held
from ledger.services.accounts import close_account, open_account
from ledger.services.batches import post_entries
from ledger.services.posting import EntryDraft
from tests.ledger.conftest import AT, DAY, NEXT_DAY, house, legs, poster
from tests.ledger.reading import analyze, rows_read
from tests.ledger.test_selectors_past import every_example

pytestmark = pytest.mark.django_db

FOREIGN = "1120/table:3/currency:HKD"
numbers = count()


def test_tree_has_types_numbers_and_totals_by_currency(post, casino):
    post()
    post(key="b", legs=legs(("1020/session:7", 300), ("1120/table:3", -300)))
    post(
        key="hkd",
        gaming_day=NEXT_DAY,
        legs=legs(("1120/table:3/currency:HKD", 70), ("4010/session:7/currency:HKD", -70)),
    )
    assets, revenue = selectors.account_tree(casino.pk)
    assert (assets.type, assets.totals) == (
        AccountType.ASSET,
        (Held("HKD", 70), Held("USD", 500)),
    )
    assert [(node.number, node.name, node.totals) for node in assets.numbers] == [
        ("1020", "Table drop box - currency (recorded)", (Held("USD", 300),)),
        ("1120", "Table inventory (tray)", (Held("HKD", 70), Held("USD", 200))),
    ]
    assert (revenue.type, revenue.totals) == (
        AccountType.REVENUE,
        (Held("HKD", -70), Held("USD", -500)),
    )
    then = selectors.account_tree(casino.pk, DAY)
    assert [node.totals for node in then] == [(Held("USD", 500),), (Held("USD", -500),)]
    assert selectors.account_tree(house("macau").pk) == []


def test_child_has_what_is_its_own_and_what_hangs_below(post, casino):
    post(legs=legs(("1220/session:7/seat:3", 7), ("1220/session:7/seat:4", -7)))
    post(key="b", legs=legs(("1120/table:3", 5), ("4010/session:7", -5)))
    post(key="c", legs=legs((FOREIGN, 9), ("4010/session:7/currency:HKD", -9)))
    (session,) = selectors.account_children(casino.pk, "1220")
    assert (session.code, session.own, session.is_open) == ("1220/session:7", None, None)
    assert (session.totals, session.has_children) == ((Held("USD", 0),), True)
    assert [node.code for node in selectors.account_children(casino.pk, session.code)] == [
        "1220/session:7/seat:3",
        "1220/session:7/seat:4",
    ]
    (tray,) = selectors.account_children(casino.pk, "1120")
    assert (tray.own, tray.is_open, tray.has_children) == (Held("USD", 5), True, True)
    assert tray.totals == (Held("HKD", 9), Held("USD", 5))
    (foreign,) = selectors.account_children(casino.pk, tray.code)
    assert (foreign.code, foreign.own, foreign.has_children) == (FOREIGN, Held("HKD", 9), False)
    assert selectors.account_children(casino.pk, foreign.code) == []


def test_above_all_are_the_numbers(post, casino):
    post(legs=legs(("1100", 7), ("1120/table:3", -7)))
    vault, tray = selectors.account_children(casino.pk, "")
    assert (vault.code, vault.own, vault.has_children) == ("1100", Held("USD", 7), False)
    assert (tray.code, tray.own, tray.totals) == ("1120", None, (Held("USD", -7),))
    assert selectors.account_children(casino.pk, "", limit=1) == [vault]
    assert selectors.account_children(casino.pk, "", after="1100") == [tray]
    assert selectors.child_at(casino.pk, "", vault.place) == "1100"


def test_closed_account_says_so(casino):
    open_account(property_id=casino.pk, code="1120/table:3", at=AT)
    close_account(property_id=casino.pk, code="1120/table:3", at=AT)
    (tray,) = selectors.account_children(casino.pk, "1120")
    assert (tray.is_open, tray.own, tray.name) == (False, Held("USD", 0), "Table inventory (tray)")


def test_place_leads_back_to_its_child(post, casino):
    post(legs=legs(("1220/session:7/seat:3", 7), ("1220/session:8/seat:4", -7)))
    poster(house("macau"))()
    for node in selectors.account_children(casino.pk, "1220"):
        assert selectors.child_at(casino.pk, "1220", node.place) == node.code
    with pytest.raises(UnknownAccountError):
        selectors.child_at(casino.pk, "1120", node.place)


# Names that sort between an account and what is below it, and beginnings of one another.
NAMES = st.sampled_from(["7", "7-b", "7.b", "7_b", "70", "7A", "8", "7-b-c", "77"])
CODES = st.lists(
    st.builds(
        lambda name, below: f"1210/patron:{name}/marker:{below}",
        NAMES,
        st.sampled_from(["1", "2", "1-a/holder:cage", "1/holder:cage"]),
    )
    | st.builds(lambda name: f"1120/table:{name}", NAMES)
    | st.builds(lambda name: f"1120/table:{name}/currency:HKD", NAMES),
    min_size=1,
    max_size=14,
    unique=True,
)


@every_example
@given(codes=CODES, limit=st.integers(1, 4))
def test_pages_of_children_are_all_of_them_once(codes, limit):
    casino = house(f"tree-{next(numbers)}")
    for code in codes:
        open_account(property_id=casino.pk, code=code, at=AT)
    parents = {code.rpartition("/")[0] for code in codes} | {"1120", "1210"}
    for parent in parents:
        below = [code.removeprefix(f"{parent}/") for code in codes if code.startswith(f"{parent}/")]
        found, after = [], ""
        while page := selectors.account_children(casino.pk, parent, after=after, limit=limit):
            assert len(page) <= limit
            found += page
            after = page[-1].code
        expected = {f"{parent}/{rest.partition('/')[0]}" for rest in below}
        assert len(found) == len(expected)
        assert {node.code for node in found} == expected
        for node in found:
            assert (node.own is not None) == (node.code in codes)
            assert node.has_children == any(code.startswith(f"{node.code}/") for code in codes)


def test_page_of_children_reads_no_more_as_accounts_grow():
    read = []
    for sessions in (200, 2_000):
        casino = house(f"sessions-{sessions}")
        for start in range(0, sessions, 100):
            post_entries(
                property_id=casino.pk,
                entries=[
                    EntryDraft(
                        key=f"session:{number}",
                        kind="round_settled",
                        legs=legs(
                            (f"1220/session:{number}/seat:1", 5),
                            (f"1220/session:{number}/seat:2", -5),
                        ),
                        source="round:812",
                        actor="employee:12",
                        at=AT,
                        gaming_day=DAY,
                    )
                    for number in range(start, start + 100)
                ],
            )
        analyze()
        page = partial(selectors.account_children, casino.pk, "1220", after="1220/session:150")
        read.append(rows_read(partial(page, limit=20)))
    assert read[1] <= read[0] + 100, read
