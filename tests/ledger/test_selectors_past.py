"""What the books said then, against a plain sum of all postings; and how little is read for it."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from functools import partial
from itertools import count
from typing import NamedTuple

import pytest
from django.db import connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger import selectors
from ledger.errors import UnknownAccountError, UnknownEntryError
from ledger.selectors import Held
from ledger.services.batches import post_entries
from ledger.services.days import close_day, close_shift
from ledger.services.posting import EntryDraft
from tests.ledger.conftest import AT, AUDITOR, DAY, NEXT_DAY, PIT_BOSS, house, legs, poster
from tests.ledger.reading import analyze, rows_read

pytestmark = pytest.mark.django_db

CODES = (
    "1120",
    "1120/table:3",
    "1120/table:3/currency:HKD",
    "2400",
    "4010/session:7",
    "4020",
)
PAIRS = (
    ("1120/table:3", "4010/session:7"),
    ("1120/table:30", "4010/session:7"),
    ("1120/table:3-b", "4010/session:7"),
    ("1120/table:3", "2400/meter:a"),
    ("4020/session:7/wager:lucky", "2400/meter:a"),
    ("1120/table:3/currency:HKD", "4010/session:7/currency:HKD"),
    ("1120/table:3", "1120/table:3"),
)
numbers = count()


class Post(NamedTuple):
    """An entry: on which of the days that are open, how late by the told clock, and how often."""

    pair: int
    amount: int
    day: int
    minutes: int
    times: int


class Close(NamedTuple):
    """The close of the first day that is open, or of one of its shifts."""

    minutes: int
    shift: str


ACTS = st.lists(
    st.one_of(
        st.builds(
            Post,
            pair=st.integers(0, len(PAIRS) - 1),
            amount=st.integers(-500, 500).filter(bool),
            day=st.integers(0, 2),
            minutes=st.integers(0, 90),
            times=st.integers(1, 3),
        ),
        st.builds(Close, minutes=st.integers(0, 90), shift=st.sampled_from(["", "", "swing"])),
    ),
    min_size=1,
    max_size=16,
)
every_example = settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))


class Story(NamedTuple):
    """Books as acts have made them, and the moments between the acts."""

    property_id: int
    moments: list[datetime]
    entries: list[int]
    days: list[date]


def play(acts, *, is_sandbox) -> Story:
    casino = house(f"casino-{next(numbers)}", is_sandbox=is_sandbox)
    first_open, moments, entries, swings = DAY, [AT - timedelta(days=1)], [], set()
    for act in acts:
        at = AT + timedelta(minutes=act.minutes)
        if isinstance(act, Close):
            signed = {"actor": PIT_BOSS, "approver": AUDITOR, "at": at}
            if act.shift:
                swings.add(first_open)
                close_shift(property_id=casino.pk, gaming_day=first_open, shift=act.shift, **signed)
            else:
                close_day(property_id=casino.pk, gaming_day=first_open, **signed)
                first_open += timedelta(days=1)
        else:
            day = first_open + timedelta(days=act.day)
            debit, credit = PAIRS[act.pair]
            posted = post_entries(
                property_id=casino.pk,
                entries=[
                    EntryDraft(
                        key=f"key:{next(numbers)}",
                        kind="round_settled",
                        legs=legs((debit, act.amount), (credit, -act.amount)),
                        source="round:812",
                        actor="employee:12",
                        at=at,
                        gaming_day=day,
                        late_day=DAY if first_open > DAY else None,
                        shift="" if day in swings else "swing",
                    )
                    for _time in range(act.times)
                ],
            )
            entries += [each.id for each in posted]
        moments.append(at if is_sandbox else clock())
    days = [DAY + timedelta(days=offset) for offset in range(-1, (first_open - DAY).days + 4)]
    return Story(casino.pk, moments, entries, days)


def by_version(line):
    return line.version


def clock():
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        return cursor.fetchone()[0]


POSTINGS = """
SELECT account.code, posting.currency, posting.amount, posting.shard,
       posting.account_version AS version, entry.id AS entry_id, entry.recorded_at,
       entry.gaming_day
FROM ledger_posting AS posting
JOIN ledger_entry AS entry ON entry.id = posting.entry_id
JOIN ledger_account AS account ON account.id = posting.account_id
WHERE posting.property_id = %s
"""


class Line(NamedTuple):
    """A posting, as the plain sums need it."""

    code: str
    currency: str
    amount: int
    shard: int
    version: int
    entry_id: int
    recorded_at: datetime
    gaming_day: date


def postings(property_id):
    with connection.cursor() as cursor:
        cursor.execute(POSTINGS, [property_id])
        return [Line(*row) for row in cursor.fetchall()]


def summed(lines, code, is_counted):
    """Return what the lines add up to that count: the answer without any snapshot."""
    totals = {}
    for line in lines:
        if line.code == code or line.code.startswith(f"{code}/"):
            amount = line.amount if is_counted(line) else 0
            totals[line.currency] = totals.get(line.currency, 0) + amount
    return tuple(Held(currency, totals[currency]) for currency in sorted(totals))


def told(read, property_id, code, *args, **kwargs):
    try:
        return read(property_id, code, *args, **kwargs)
    except UnknownAccountError:
        return ()


@pytest.mark.parametrize("is_sandbox", [False, True])
@every_example
@given(acts=ACTS)
def test_balance_of_a_moment_is_what_was_recorded_by_then(is_sandbox, acts):
    story = play(acts, is_sandbox=is_sandbox)
    lines = postings(story.property_id)
    for code in CODES:
        for at in story.moments:
            said = told(selectors.balance_at, story.property_id, code, at=at)
            assert said == summed(lines, code, lambda line: line.recorded_at <= at)  # noqa: B023


@pytest.mark.parametrize("is_sandbox", [False, True])
@every_example
@given(acts=ACTS)
def test_balance_after_an_entry_is_what_its_last_line_left(is_sandbox, acts):
    story = play(acts, is_sandbox=is_sandbox)
    lines = postings(story.property_id)
    for entry_id in story.entries[::3]:
        its = [line for line in lines if line.entry_id == entry_id]
        last = {(line.code, line.shard): line.version for line in sorted(its, key=by_version)}
        at = its[0].recorded_at

        def is_counted(line, last=last, at=at):
            place = (line.code, line.shard)
            # An account that the entry moved is asked at its own line, another by the clock.
            return line.version <= last[place] if place in last else line.recorded_at <= at

        for code in CODES:
            said = told(selectors.balance_after_entry, story.property_id, code, entry_id)
            assert said == summed(lines, code, is_counted)


@pytest.mark.parametrize("is_sandbox", [False, True])
@every_example
@given(acts=ACTS)
def test_balance_of_a_day_is_all_that_was_posted_to_it_and_before(is_sandbox, acts):
    story = play(acts, is_sandbox=is_sandbox)
    lines = postings(story.property_id)
    for code in CODES:
        for day in story.days:
            said = told(selectors.balance_on, story.property_id, code, day)
            assert said == summed(lines, code, lambda line: line.gaming_day <= day)  # noqa: B023


def page(property_id, code, **asked):
    return list(told(selectors.statement, property_id, code, **asked))


@every_example
@given(acts=ACTS, first=st.integers(0, 5), length=st.integers(0, 2))
def test_statement_of_days_has_their_postings_and_no_other(acts, first, length):
    story = play(acts, is_sandbox=False)
    days = (DAY + timedelta(days=first), DAY + timedelta(days=first + length))
    for code in ("1120/table:3", "2400/meter:a", "4010/session:7"):
        every = page(story.property_id, code, limit=1000)
        wanted = [row for row in every if days[0] <= row.gaming_day <= days[1]]
        read = partial(page, story.property_id, code, days=days)
        assert read(limit=1000) == wanted
        assert read(limit=1000, newest_first=True) == wanted[::-1]
        for row in wanted[:2]:
            place = (row.shard, row.version)
            after = [each for each in wanted if (each.shard, each.version) > place]
            assert read(after=place, limit=2) == after[:2]
            before = [each for each in wanted if (each.shard, each.version) < place]
            assert read(before=place, newest_first=True, limit=2) == before[::-1][:2]


def test_account_or_entry_that_was_never_is_refused(post, casino):
    posted = post()
    other = poster(house("macau"))()
    for read in (
        partial(selectors.balance_at, at=AT),
        partial(selectors.balance_after_entry, entry_id=posted.id),
        partial(selectors.balance_on, gaming_day=DAY),
    ):
        with pytest.raises(UnknownAccountError):
            read(casino.pk, "1120/table:4")
    with pytest.raises(UnknownEntryError):
        selectors.balance_after_entry(casino.pk, "1120/table:3", other.id)


def test_late_entry_counts_to_the_day_that_it_is_posted_to(post, casino):
    post()
    close_day(property_id=casino.pk, gaming_day=DAY, actor=PIT_BOSS, approver=AUDITOR, at=AT)
    post(key="late", gaming_day=NEXT_DAY, late_day=DAY)
    assert selectors.balance_on(casino.pk, "1120", DAY) == (Held("USD", 500),)
    assert selectors.balance_on(casino.pk, "1120", NEXT_DAY) == (Held("USD", 1000),)


def fill(casino, count, *, day=DAY, key="r"):
    """Post *count* entries, in batches, to a tray and to a meter with many balance rows."""
    for start in range(0, count, 250):
        post_entries(
            property_id=casino.pk,
            entries=[
                EntryDraft(
                    key=f"{key}:{number}",
                    kind="round_settled",
                    legs=legs(("1120/table:3", 5), ("2400/meter:a", -5)),
                    source="round:812",
                    actor="employee:12",
                    at=AT,
                    gaming_day=day,
                )
                for number in range(start, min(start + 250, count))
            ],
        )


def sign(casino, day):
    close_day(property_id=casino.pk, gaming_day=day, actor=PIT_BOSS, approver=AUDITOR, at=AT)


@pytest.mark.parametrize("is_sandbox", [False, True])
def test_past_balances_read_no_more_as_history_grows(is_sandbox):
    """One day of two hundred entries lies on a short history, then on one ten times as long."""
    read = {}
    for history in (1_000, 10_000):
        casino = house(f"history-{history}", is_sandbox=is_sandbox)
        fill(casino, history, key="old")
        fill(casino, 50, day=NEXT_DAY, key="early")
        sign(casino, DAY)
        fill(casino, 150, day=NEXT_DAY, key="new")
        at = AT if is_sandbox else clock()
        middle = selectors.entries(casino.pk, newest_first=True, limit=100)[-1]
        analyze()
        for code in ("1120/table:3", "2400/meter:a"):
            for name, ask in {
                "at": partial(selectors.balance_at, at=at),
                "entry": partial(selectors.balance_after_entry, entry_id=middle.id),
                "day": partial(selectors.balance_on, gaming_day=NEXT_DAY),
                "closed": partial(selectors.balance_on, gaming_day=DAY),
                "statement": partial(selectors.statement, days=(NEXT_DAY, NEXT_DAY), limit=50),
                "newest": partial(selectors.statement, newest_first=True, limit=50),
                "trial": lambda property_id, _code: selectors.trial_balance(property_id, NEXT_DAY),
            }.items():
                rows = rows_read(partial(ask, casino.pk, code))
                read.setdefault((code, name), []).append(rows)
    for (code, name), (short, long) in read.items():
        # Nine thousand entries more, and halving asks four of them.
        assert long <= short + 200, (code, name, short, long)


@pytest.mark.django_db(transaction=True)
def test_rows_that_share_an_account_are_added_up_as_they_stood(post, casino, together):
    """Each connection posts to a balance row of its own, and days close between them."""
    meter = legs(("4020/session:7/wager:lucky", 3), ("2400/meter:a", -3))
    moments = []
    for number, day in enumerate((DAY, NEXT_DAY, NEXT_DAY)):
        acts = [
            partial(post, key=f"{number}:{each}", gaming_day=of, legs=meter)
            for each, of in enumerate((day, day, day, NEXT_DAY))
        ]
        moments.append(clock())
        together(*acts)
        moments.append(clock())
        if day == DAY:
            sign(casino, DAY)
    lines = postings(casino.pk)
    assert len({line.shard for line in lines if line.code == "2400/meter:a"}) > 1
    for at in moments:
        said = told(selectors.balance_at, casino.pk, "2400/meter:a", at=at)
        assert said == summed(lines, "2400", lambda line: line.recorded_at <= at)  # noqa: B023
    for day in (DAY, NEXT_DAY):
        said = selectors.balance_on(casino.pk, "2400", day)
        assert said == summed(lines, "2400", lambda line: line.gaming_day <= day)  # noqa: B023
    places = [(row.shard, row.version) for row in selectors.statement(casino.pk, "2400/meter:a")]
    assert places == sorted(places)
    newest = selectors.statement(casino.pk, "2400/meter:a", newest_first=True, limit=3)
    assert [(row.shard, row.version) for row in newest] == places[::-1][:3]
    assert all(row.balance_after is None for row in newest)
