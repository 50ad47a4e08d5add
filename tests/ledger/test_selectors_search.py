"""Entries found by what is known of them: every filter, all together, and what they cost."""

from __future__ import annotations

from datetime import date, timedelta
from functools import partial
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger import selectors
from ledger.services.batches import post_entries
from ledger.services.days import close_day
from ledger.services.posting import EntryDraft
from ledger.services.reversal import reverse_entry
from tests.ledger.conftest import AT, AUDITOR, DAY, NEXT_DAY, PIT_BOSS, house, legs, poster
from tests.ledger.reading import analyze, rows_read
from tests.ledger.test_selectors_past import every_example

pytestmark = pytest.mark.django_db

LATER = date(2026, 3, 16)
NEVER = "00000000-0000-4000-8000-000000000000"


@pytest.fixture
def story(post, casino):
    """Return the ids of a small story by name: a win, a buy-in, a void, and one that came late."""
    win = post(table="table:3", session="session:7", memo="Copied by HAND 50%")
    buy_in = post(
        key="buy",
        kind="cash_buy_in",
        source="buy_in:4",
        table="table:30",
        actor="employee:9",
        legs=legs(("1020/session:70", 2000), ("1120/table:30", -2000)),
    )
    void = reverse_entry(
        property_id=casino.pk,
        entry_id=win.id,
        key="void",
        actor="employee:12",
        approver=PIT_BOSS,
        at=AT,
        gaming_day=DAY,
        reason="misdeal",
    )
    close_day(property_id=casino.pk, gaming_day=DAY, actor=PIT_BOSS, approver=AUDITOR, at=AT)
    late = post(key="late", source="round:813", gaming_day=NEXT_DAY, late_day=DAY)
    poster(house("macau"))(table="table:3", session="session:7")
    return {"win": win, "buy_in": buy_in, "void": void, "late": late}


@pytest.mark.parametrize(
    ("asked", "names"),
    [
        ({}, "late void buy_in win"),
        ({"newest_first": False}, "win buy_in void late"),
        ({"limit": 2}, "late void"),
        ({"days": (DAY, DAY)}, "void buy_in win"),
        ({"days": (NEXT_DAY, LATER)}, "late"),
        ({"days": (DAY, LATER), "limit": 1}, "late"),
        ({"table": "table:3"}, "void win"),
        ({"session": "session:7"}, "void win"),
        ({"source": "buy_in:4"}, "buy_in"),
        ({"kind": "reversal"}, "void"),
        ({"account": "1120"}, "late void buy_in win"),
        ({"account": "1120/table:3"}, "late void win"),
        ({"account": "1120/table"}, ""),
        ({"account": "1020"}, "buy_in"),
        ({"amount": 500}, "late void win"),
        ({"amount": 501}, ""),
        ({"amounts": (501, 2000)}, "buy_in"),
        ({"amounts": (0, 500)}, "late void win"),
        ({"amount": 2000, "account": "1120/table:30"}, "buy_in"),
        ({"amount": 500, "account": "1020"}, ""),
        ({"person": PIT_BOSS}, "void"),
        ({"person": "employee:12"}, "late void win"),
        ({"text": "by hand", "days": (DAY, DAY)}, "win"),
        ({"text": "50%", "days": (DAY, DAY)}, "win"),
        ({"text": "5%", "days": (DAY, DAY)}, ""),
        ({"text": "ROUND:81", "session": "session:7"}, "void win"),
        ({"text": NEVER}, ""),
        ({"late": True}, "late"),
        ({"late": False}, "void buy_in win"),
        ({"reversed": True}, "win"),
        ({"reversed": False}, "late void buy_in"),
        ({"reversed": True, "late": True}, ""),
        ({"table": "table:3", "kind": "reversal", "person": PIT_BOSS, "amount": 500}, "void"),
    ],
)
def test_entries_are_found_by_what_is_known_of_them(story, casino, asked, names):
    found = selectors.search_entries(casino.pk, **asked)
    assert [row.id for row in found] == [story[name].id for name in names.split()]


def test_public_id_finds_its_entry_alone_however_old_it_is(story, casino):
    wanted = story["buy_in"]
    for text in (str(wanted.public_id), f"ent_{wanted.public_id}", f" ent_{wanted.public_id} "):
        assert [row.id for row in selectors.search_entries(casino.pk, text=text)] == [wanted.id]
    macau = house("elsewhere")
    assert selectors.search_entries(macau.pk, text=str(wanted.public_id)) == []


def test_text_is_not_looked_for_in_all_of_history(casino):
    with pytest.raises(ValueError, match="within days"):
        selectors.search_entries(casino.pk, text="misdeal")


def test_pages_go_on_both_ways(story, casino):
    newest = selectors.search_entries(casino.pk, limit=2)
    older = selectors.search_entries(casino.pk, before=newest[-1].id, limit=2)
    assert [row.id for row in newest + older] == sorted(
        (each.id for each in story.values()), reverse=True
    )
    back = selectors.search_entries(casino.pk, after=older[0].id, newest_first=False, limit=2)
    assert back[::-1] == newest


FILTERS = st.fixed_dictionaries(
    {},
    optional={
        "table": st.sampled_from(["table:3", "table:30"]),
        "person": st.sampled_from(["employee:12", PIT_BOSS]),
        "account": st.sampled_from(["1120/table:3", "4010"]),
        "amounts": st.sampled_from([(1, 600), (601, 9000)]),
        "late": st.booleans(),
        "reversed": st.booleans(),
        "days": st.sampled_from([(DAY, DAY), (NEXT_DAY, LATER)]),
    },
)


@every_example
@given(asked=FILTERS, newest_first=st.booleans())
def test_filters_combine_as_each_alone_would(story, casino, asked, newest_first):
    search = partial(selectors.search_entries, casino.pk, newest_first=newest_first)
    expected = {each.id for each in story.values()}
    for name, value in asked.items():
        if name != "amounts" or "account" not in asked:
            expected &= {row.id for row in search(**{name: value})}
    if asked.keys() >= {"amounts", "account"}:  # of one leg
        both = {name: asked[name] for name in ("amounts", "account")}
        expected &= {row.id for row in search(**both)}
    assert [row.id for row in search(**asked)] == sorted(expected, reverse=newest_first)


def test_kinds_are_those_of_the_propertys_own_entries(story, casino):
    assert selectors.kinds(casino.pk) == ["cash_buy_in", "reversal", "round_settled"]
    assert selectors.kinds(house("empty").pk) == []


@every_example
@given(posted=st.lists(st.text("ab_", min_size=1, max_size=3), max_size=12))
def test_each_kind_is_found_once_however_often_it_was_posted(db, posted):
    casino = house(f"kinds-{uuid4().hex}")
    for number, kind in enumerate(posted):
        poster(casino)(key=f"kind:{number}", kind=kind)
    found = selectors.kinds(casino.pk)
    assert (set(found), len(found)) == (set(posted), len(set(posted)))


def test_search_reads_the_days_or_the_session_and_not_history():
    read = {}
    for history in (1_000, 10_000):
        casino = house(f"history-{history}")
        for start in range(0, history + 100, 250):
            post_entries(
                property_id=casino.pk,
                entries=[draft(number, history) for number in range(start, start + 250)],
            )
        analyze()
        for name, asked in {
            "days": {"days": (DAY, DAY)},
            "session": {"session": "session:7"},
            "source": {"source": "round:5"},
            "account": {"account": "4010/session:7"},
            "account and days": {"account": "1120", "days": (DAY, DAY), "amount": 5},
            "text": {"text": "hand", "days": (DAY, DAY)},
            "public id": {"text": NEVER},
            "late": {"late": True, "days": (DAY, DAY)},
            "seldom kind": {"kind": "cash_buy_in"},
            "newest": {"limit": 50},
        }.items():
            rows = rows_read(partial(selectors.search_entries, casino.pk, **asked))
            read.setdefault(name, []).append(rows)
        kinds = rows_read(partial(selectors.kinds, casino.pk))
        read.setdefault("kinds", []).append(kinds)
    for name, (short, long) in read.items():
        assert long <= short + 400, (name, short, long)


def draft(number, history):
    """Return an entry: the first twenty are of a day of their own, the first ten of a session."""
    is_first = number < 20
    table, session = "3" if is_first else "4", "7" if number < 10 else f"x{number // 100}"
    return EntryDraft(
        key=f"round:{history}:{number}",
        kind="cash_buy_in" if number < 3 else "round_settled",
        legs=legs((f"1120/table:{table}", 5), (f"4010/session:{session}", -5)),
        source=f"round:{number}",
        actor="employee:12",
        at=AT,
        gaming_day=DAY if is_first else NEXT_DAY + timedelta(days=number // 1000),
        table=f"table:{table}",
        session=f"session:{session}",
        memo="by hand" if is_first else "",
    )
