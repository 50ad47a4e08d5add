"""The seal of an entry, found among many without reading them."""

from __future__ import annotations

import pytest
from django.db import transaction

from ledger import selectors
from ledger.models import Seal
from ledger.services.sealing import begin_epoch, seal_next
from tests.ledger.conftest import AT, house, poster
from tests.ledger.tampering import restore_elsewhere

pytestmark = pytest.mark.django_db(transaction=True)


def test_every_entry_names_the_seal_that_it_is_under(post, casino, owner):
    others = poster(house("macau"))
    for number in range(9):
        post(key=f"{number}")
        others(key=f"{number}")
    with transaction.atomic():  # under one seal, however many are asked for
        several = [post(key=f"together:{number}") for number in range(3)]
    while seal_next(property_id=casino.pk, at=AT, at_most=2):
        pass
    restore_elsewhere(owner, post(key="left over").id)
    begin_epoch(property_id=casino.pk, actor="owner", reason="restored", at=AT)
    later = [post(key=f"later:{number}") for number in range(3)]
    while seal_next(property_id=casino.pk, at=AT, at_most=1):
        pass
    waiting = post(key="waiting")

    seals = Seal.objects.filter(property_id=casino.pk)
    under = {entry_id: seal.number for seal in seals for entry_id in seal.entry_ids}
    ids = [row.id for row in selectors.entries(casino.pk)]
    assert {entry_id: selectors.seal_of(entry_id) for entry_id in ids} == {
        **under,
        waiting.id: None,
    }
    assert len({under[each.id] for each in several}) == 1
    assert len({under[each.id] for each in later}) == 3


def test_entry_of_books_without_a_seal_is_under_none(post):
    assert selectors.seal_of(post().id) is None
