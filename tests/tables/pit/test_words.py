"""Whatever the books write as a code has its words on the pages."""

from __future__ import annotations

from ledger.chart import CHART, Place
from ledger.models import Entry, Posting
from ledger.services.templates import EventKind
from tables.pit.words import ENTRY_KINDS, EVENTS, PLACES, kind_words


def test_every_kind_and_event_that_is_posted_here_has_its_words(casino, open_table, pit_boss):
    shift = open_table()
    shift.void(shift.play(30)[-1], "Misdeal.")
    shift.close(variance=-2_500)
    kinds = set(Entry.objects.values_list("kind", flat=True))
    events = set(Posting.objects.values_list("event", flat=True))
    assert {"opening_balance", "round_settled", "reversal", "count_below_expected"} <= kinds
    assert (kinds - ENTRY_KINDS.keys(), events - EVENTS.keys()) == (set(), set())


def test_every_event_of_the_chart_and_every_place_has_its_words():
    assert {kind for kind in EventKind if not str(EVENTS.get(kind, ""))} == set()
    places = {place for rule in CHART.values() for place in rule.places}
    assert places | {Place.INSTRUMENT, Place.CURRENCY} <= PLACES.keys()
    assert len({str(words) for words in ENTRY_KINDS.values()}) == len(ENTRY_KINDS)


def test_a_kind_of_its_authors_own_reads_as_words_too():
    assert kind_words("seat_paid_twice") == "Seat paid twice"
    assert kind_words("entry_correction") == "Correction of an entry"
    assert kind_words("") == ""
