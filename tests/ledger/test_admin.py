"""The pages of the books: two roles read those of their property, and can send nothing to them."""

from __future__ import annotations

import re
from functools import partial

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from django.urls import NoReverseMatch, reverse

from casino.properties.models import Property
from casino.staff.roles import CONSOLE_ROLES, Role
from ledger.admin import base
from ledger.admin.books import PAGES
from ledger.admin.site import READERS
from ledger.models import Account, Entry, Inspection, Posting
from ledger.services.posting import Leg
from ledger.services.reversal import reverse_entry
from tests.ledger.conftest import AT, DAY, NEXT_DAY, books, house, legs, poster
from tests.staff.conftest import PASSWORD, hire

pytestmark = pytest.mark.django_db

LISTS = sorted(model._meta.model_name for model in PAGES)
ROWS = (Account, Entry, Posting, Inspection)
"""What has a page for each row; the keys of the others are composite."""

# The database writes these by functions that other tests call; here each table needs a row.
OTHER_ROWS = """
INSERT INTO ledger_snapshot (account_id, gaming_day, property_id, shard, debit, credit, held_debit,
                             held_credit, upto_version, taken_at)
    SELECT account_id, '2026-03-14', property_id, shard, debit, credit, debit, credit, version,
           now()
    FROM ledger_balance WHERE property_id = %(property)s;
INSERT INTO ledger_series VALUES (%(property)s, 'fill_slip', 42);
INSERT INTO ledger_slip VALUES (%(property)s, 'fill_slip', 41, %(document)s, now(), 'employee:7');
INSERT INTO ledger_epoch VALUES (%(property)s, 1, 0, now(), %(document)s, 'first');
INSERT INTO ledger_seal (property_id, number, epoch, first_txid, upto_txid, entries, entry_ids,
                         digests, prev_hash, hash, sealed_at)
    SELECT property_id, 7, 1, '1', '9', 1, ARRAY[id], decode(repeat('00', 48), 'hex'),
           sha256(''), sha256(%(document)s::bytea), now()
    FROM ledger_entry WHERE property_id = %(property)s;
INSERT INTO ledger_inspection (property_id, kind, at, actor, findings)
    VALUES (%(property)s, 'verify', now(), %(document)s, ARRAY['seal 7 is not what it was']);
"""


def fill_books(place: Property, document: str) -> None:
    """Write a row into every table of the books of *place*, recognisable by *document*."""
    counted = [
        Leg(account="1120/table:3", amount=5000, event="fill_received", pieces=((2500, 2),)),
        Leg(account="1130/document:F-41", amount=-5000, event="fill_received", pieces=((2500, 2),)),
    ]
    poster(place)(key=f"{document}:1", source=document, legs=counted, memo="two greens")
    with connection.cursor() as cursor:
        cursor.execute("SET ROLE NONE")
        cursor.execute(OTHER_ROWS, {"property": place.pk, "document": document})
        cursor.execute("RESET ROLE")


@pytest.fixture
def own(db):
    place = house("golden-gate")
    fill_books(place, "document:ours")
    return place


@pytest.fixture
def other(own):
    place = house("bay")
    fill_books(place, "document:theirs")
    return place


def signed_in(place: Property, role: Role) -> Client:
    """Return the browser of somebody of *role* who came by the console's door."""
    number = f"X-{role.name.replace('_', '-')}"
    hire(place, number, role, pin=None)
    browser = Client()
    browser.post("/sign-in/", {"number": number, "password": PASSWORD})
    return browser


@pytest.fixture
def auditor(own):
    return signed_in(own, Role.AUDITOR)


def list_address(name: str) -> str:
    return reverse(f"admin:ledger_{name}_changelist")


def row_addresses(property_id: int) -> list[str]:
    """Return a page of one row of each kind."""
    return [
        reverse(
            f"admin:ledger_{model._meta.model_name}_change",
            args=[model.objects.filter(property_id=property_id).order_by("pk").first().pk],
        )
        for model in ROWS
    ]


def addresses(property_id: int) -> list[str]:
    """Return every page of the books of a property, but of each kind of row the first alone."""
    return [reverse("admin:index"), *map(list_address, LISTS), *row_addresses(property_id)]


def text(response) -> str:
    """Return what a person reads on the page."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


def test_every_table_of_the_books_has_its_pages():
    assert set(PAGES) == set(apps.get_app_config("ledger").get_models())


@pytest.mark.parametrize("role", READERS)
def test_readers_see_every_page(own, role):
    browser = signed_in(own, role)
    for address in addresses(own.pk):
        assert browser.get(address).status_code == 200, address


@pytest.mark.parametrize("role", sorted(CONSOLE_ROLES - set(READERS)))
def test_other_roles_see_no_page(own, role):
    browser = signed_in(own, role)
    for address in addresses(own.pk):
        response = browser.get(address)
        assert response.status_code == 403, address
        assert "who may not do this" in text(response)


def test_a_dealer_at_a_tablet_sees_no_page(own):
    hire(own, "DL-210", Role.DEALER)
    browser = Client()
    assert browser.post("/sign-in/", {"number": "DL-210", "password": PASSWORD}).status_code == 422
    assert browser.get(reverse("admin:index")).status_code == 302


def test_who_is_not_signed_in_is_sent_to_the_projects_own_door(own, client):
    for address in addresses(own.pk):
        response = client.get(address)
        assert (response.status_code, response["Location"]) == (302, f"/sign-in/?next={address}")


def test_who_signed_out_sees_no_page_any_more(auditor):
    auditor.post("/sign-out/")
    assert auditor.get(reverse("admin:index")).status_code == 302


@pytest.mark.parametrize("name", sorted(set(LISTS) - {"currency"}))
def test_a_list_shows_the_rows_of_ones_own_property_alone(own, other, name):
    ours, theirs = (
        signed_in(place, Role.AUDITOR if place == own else Role.PIT_BOSS) for place in (own, other)
    )
    shown = [each.get(list_address(name)).context["cl"].result_list for each in (ours, theirs)]
    for rows, place in zip(shown, (own, other), strict=True):
        assert {row.property_id for row in rows} == {place.pk}


def test_a_row_of_another_property_is_not_there(auditor, other):
    for address in row_addresses(other.pk):
        assert auditor.get(address).status_code == 404, address
    assert "theirs" not in text(auditor.get(list_address("entry"), {"q": "document:theirs"}))


def test_a_finding_in_all_books_is_counted_and_not_told(auditor, own):
    with connection.cursor() as cursor:
        cursor.execute("SET ROLE NONE")
        cursor.execute(
            "INSERT INTO ledger_inspection (kind, at, actor, findings) VALUES"
            " ('doctor', now(), 'system:beat', ARRAY['account 1110 of property 9']) RETURNING id"
        )
        (pk,) = cursor.fetchone()
        cursor.execute("RESET ROLE")
    page = text(auditor.get(reverse("admin:ledger_inspection_change", args=[pk])))
    assert "Whoever runs the database has them" in page
    assert "property 9" not in page


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_nothing_can_be_sent_to_any_page(auditor, own, method):
    before = books()
    for address in addresses(own.pk):
        sent = {"action": "delete_selected", "_selected_action": "1", "memo": "changed", "_save": 1}
        assert getattr(auditor, method)(address, sent).status_code == 405, address
    assert books() == before


def test_a_page_has_no_form_but_search_and_the_way_out(auditor, own):
    for address in addresses(own.pk):
        page = auditor.get(address).content.decode()
        forms = re.findall(r"<form[^>]*>", page)
        assert [form for form in forms if 'method="post"' in form] == [
            '<form id="logout-form" method="post" action="/sign-out/">'
        ], address
        assert all('id="changelist-search"' in form for form in forms[1:]), address
        assert (
            re.findall(r'name="_save|name="action"|/add/|/delete/|/history/|password', page) == []
        )


def test_a_page_has_nothing_that_the_security_policy_refuses(auditor, own):
    for address in addresses(own.pk):
        page = auditor.get(address).content.decode()
        assert re.findall(r"<style|<script(?![^>]* src=)|\sstyle=|\son[a-z]+=", page) == [], address


@pytest.mark.parametrize(
    "path",
    [
        "login/",
        "logout/",
        "password_change/",
        "jsi18n/",
        "autocomplete/",
        "ledger/entry/add/",
        "ledger/entry/1/change/",
        "ledger/entry/1/delete/",
        "ledger/entry/1/history/",
        "ledger/balance/1/",
        "auth/group/",
        "staff/employee/",
    ],
)
def test_no_other_page_of_djangos_is_there(auditor, own, path):
    address = f"/admin/{path}"
    assert auditor.get(address, follow=True).redirect_chain in ([], [("/admin/", 302)])
    assert auditor.post(address).status_code in {404, 405}


@pytest.mark.parametrize("name", ["add", "delete", "history"])
def test_no_address_writes(name):
    with pytest.raises(NoReverseMatch):
        reverse(f"admin:ledger_entry_{name}", args=[] if name == "add" else [1])


def test_an_entry_shows_its_postings_with_their_chips(auditor, own):
    entry = Entry.objects.get(source="document:ours")
    page = text(auditor.get(reverse("admin:ledger_entry_change", args=[entry.pk])))
    for said in (
        "document:ours",
        "two greens",
        "1120/table:3",
        "1130/document:F-41",
        "fill_received",
        "USD 50.00",
        "2 × 25.00",
        "2026-03-14 20:30:00 UTC",
    ):
        assert said in page, said


def test_an_account_shows_what_it_holds_and_its_way_there(auditor, own):
    account = Account.objects.get(property=own, code="1120/table:3")
    response = auditor.get(reverse("admin:ledger_account_change", args=[account.pk]))
    balance, postings, closings = response.context["parts"]
    assert balance.rows == ((0, "50.00", "0.00", "50.00", "–", 1),)
    assert [row[4:] for row in postings.rows] == [("50.00", "50.00")]
    assert [row[:4] for row in closings.rows] == [("2026-03-14", "50.00", "0.00", 1)]
    statement = auditor.get(re.search(r'href="([^"]+)"', postings.more)[1])
    assert [row.amount for row in statement.context["cl"].result_list] == [5000]


def test_an_entry_names_those_that_took_it_back(auditor, own):
    entry = Entry.objects.get(source="document:ours")
    reverse_entry(
        property_id=own.pk,
        entry_id=entry.pk,
        key="document:ours:reversed",
        actor="employee:7",
        approver="employee:9",
        at=AT,
        gaming_day=DAY,
        reason="counted twice",
    )
    (reversal,) = Entry.objects.filter(reverses=entry)
    response = auditor.get(reverse("admin:ledger_entry_change", args=[entry.pk]))
    _postings, later = response.context["parts"]
    assert [row[1:] for row in later.rows] == [
        ("2026-03-14", reversal.kind, "employee:7", "employee:9", "counted twice")
    ]
    back = text(auditor.get(reverse("admin:ledger_entry_change", args=[reversal.pk])))
    assert f"reverses {entry.pk}" in back


SEARCHES = {
    "entry": ("document:ours", "{entry.pk}", "{entry.public_id}", "ent_{entry.public_id}"),
    "posting": ("1120/table:3", "{posting.pk}"),
    "account": ("1120/table:3", "1120/"),
    "balance": ("1120/table:3", "1120"),
    "snapshot": ("1120/table:",),
    "denomination": ("{posting.pk}",),
    "key": ("document:ours:1", "document:"),
    "slip": ("fill_slip", "fill_slip 41"),
    "seal": ("7",),
}


@pytest.mark.parametrize("name", SEARCHES)
def test_a_row_is_found_by_what_names_it(auditor, own, name):
    entry = Entry.objects.get(source="document:ours")
    posting = entry.postings.get(line=1)
    for pattern in SEARCHES[name]:
        term = pattern.format(entry=entry, posting=posting)
        response = auditor.get(list_address(name), {"q": term})
        assert len(response.context["cl"].result_list) == 1, term
    nothing = auditor.get(list_address(name), {"q": "nowhere 99999999999999999999"})
    assert len(nothing.context["cl"].result_list) == 0
    assert "There are none." in text(nothing)


def test_every_list_with_a_search_is_tried(auditor):
    assert {model._meta.model_name for model in PAGES if PAGES[model].search_fields} == set(
        SEARCHES
    )


def entry_sources(browser: Client, **asked: str) -> list[str]:
    response = browser.get(list_address("entry"), asked)
    return [row.source for row in response.context["cl"].result_list]


def test_entries_of_the_newest_day_are_shown_unless_another_is_named(auditor, own):
    post = partial(poster(own), gaming_day=NEXT_DAY)
    post(key="round:1", source="round:1")
    post(key="count:1", source="count:1", kind="count")
    assert entry_sources(auditor) == ["count:1", "round:1"]
    assert entry_sources(auditor, day="2026-03-14") == ["document:ours"]
    assert entry_sources(auditor, day="2026-03-15", kind="count") == ["count:1"]
    assert entry_sources(auditor, day="2020-01-01") == []
    assert entry_sources(auditor, q="document:ours") == ["document:ours"]


def test_postings_are_filtered_by_the_number_of_their_account(auditor, own):
    response = auditor.get(list_address("posting"), {"number": "1130"})
    assert [row.account.code for row in response.context["cl"].result_list] == [
        "1130/document:F-41"
    ]


@pytest.mark.parametrize(
    "asked", [{"memo__contains": "two"}, {"property_id": "2"}, {"postings__amount": "1"}]
)
def test_a_list_is_narrowed_by_its_own_filters_alone(auditor, own, asked):
    assert auditor.get(list_address("entry"), asked).status_code == 400


@pytest.mark.parametrize("day", ["yesterday", "2026-02-30", ""])
def test_a_day_that_is_none_leads_back_to_the_list(auditor, own, day):
    response = auditor.get(list_address("entry"), {"day": day}, follow=True)
    assert response.status_code == 200
    assert [row.source for row in response.context["cl"].result_list] == ["document:ours"]


def test_books_without_a_day_are_shown_empty(own):
    browser = signed_in(house("new"), Role.PIT_BOSS)
    for name in LISTS:
        assert browser.get(list_address(name)).status_code == 200


def test_a_list_counts_no_further_than_it_shows(auditor, own, monkeypatch):
    monkeypatch.setattr(base, "MOST", 3)
    for number in range(4):
        poster(own)(key=f"round:{number}", source=f"round:{number}")
    response = auditor.get(list_address("entry"))
    assert response.context["cl"].result_count == 3
    assert "Only the first of them" in text(response)


@pytest.mark.parametrize("name", LISTS)
def test_a_list_asks_as_often_however_many_rows_it_shows(
    auditor, own, name, django_assert_max_num_queries
):
    for number in range(20):
        poster(own)(
            key=f"round:{number}",
            source=f"round:{number}",
            legs=legs((f"1120/table:{number}", 500), (f"4010/session:{number}", -500)),
        )
    with django_assert_max_num_queries(9) as asked:
        auditor.get(list_address(name))
    counts = [each["sql"] for each in asked if "COUNT(" in each["sql"]]
    assert len(counts) == 1
    assert f"LIMIT {base.MOST}" in counts[0]


def test_a_row_asks_as_often_however_many_lines_it_has(auditor, own, django_assert_max_num_queries):
    sides = [(f"1120/table:{number}", 100) for number in range(20)]
    posted = poster(own)(key="many", source="many", legs=legs(*sides, ("4010/session:7", -2000)))
    with django_assert_max_num_queries(9):
        auditor.get(reverse("admin:ledger_entry_change", args=[posted.id]))
