"""Loads the demo casino, once: a second load changes nothing but prints the addresses again.

Everything is written in one transaction, so a load that was cut off leaves nothing behind; then
yesterday's books are closed.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random

from django.db import transaction
from django.utils.crypto import salted_hmac

from casino.properties.models import Property
from casino.properties.selectors import gaming_day_of, get_gaming_day
from casino.properties.services import open_property, set_setting
from casino.staff.actors import Actor, Signer, system_actor
from casino.staff.models import Device, Employee, Enrolment
from casino.staff.roles import Role, SigningMethod
from casino.staff.services.devices import enrol
from casino.staff.tokens import hashed
from casino.web.clients import create_client
from casino.web.models import ApiClient
from ledger.chart import Number
from ledger.services.posting import post_entry
from ledger.services.templates import EventKind, opening_legs
from tables.chips.models import ChipSet, Denomination
from tables.demo import house
from tables.demo.shift import Crew, TableShift
from tables.floor.models import Patron, Pit, Table
from tables.floor.services.limits import set_limits
from tables.floor.services.profiles import publish_profile
from tables.settlement.services.periods import close_gaming_day

SEED = 20260314
ROUNDS_YESTERDAY = 140
ROUNDS_TODAY = 12
TODAY_BEGAN_AGO = timedelta(minutes=40)


def load(*, at: datetime, seed: int = SEED, rounds: int = ROUNDS_YESTERDAY) -> Property:
    """Return the demo property, loaded with a shift behind it that ended before *at*.

    Args:
        rounds: played at each table yesterday, through the services.
    """
    with transaction.atomic():
        found = Property.objects.filter(code=house.PROPERTY["code"]).first()
        if found is not None:
            return found
        casino = furnish(at)
        _play(casino, at=at, random=Random(seed), rounds=rounds)  # noqa: S311  a demo shift
    # Once it is committed, so that the chain of seals reaches over the day that closes.
    _close_yesterday(casino, at=at)
    return casino


def furnish(at: datetime) -> Property:
    """Make the casino as it stands before its first session: nothing has been played."""
    casino = open_property(at=at, **house.PROPERTY)
    began = get_gaming_day(casino, gaming_day_of(casino, at) - timedelta(days=1)).starts_at
    loader = system_actor(name="demo", property_id=casino.pk)
    staff = {
        person.number: Employee.objects.create_employee(
            property=casino,
            number=person.number,
            name=person.name,
            roles=(person.role,),
            pin=person.pin,
            password=person.password,
        )
        for person in house.STAFF
    }
    for setting, value in house.SETTINGS.items():
        set_setting(
            property=casino,
            name=setting,
            value=value,
            effective_from=gaming_day_of(casino, began),
            set_by=f"employee:{staff['AD-001'].pk}",
            approved_by=f"employee:{staff['AU-002'].pk}",
            at=began,
        )
    for ref, name in house.PATRONS:
        Patron.objects.create(property=casino, ref=ref, name=name)
    chip_set = ChipSet.objects.create(property=casino, code="main")
    for value, kind, colour, pieces in house.DENOMINATIONS:
        Denomination.objects.create(
            chip_set=chip_set, value=value, kind=kind, colour=colour, pieces_in_service=pieces
        )
    pit = Pit.objects.create(property=casino, code="P1", name="Main pit")
    tables = [
        _table(casino, spec, pit=pit, chip_set=chip_set, loader=loader, began=began)
        for spec in house.TABLES
    ]
    _opening_balances(casino, tables, loader, began)
    for table in tables:
        enrol(token=enrolment_token(table), at=began)
    _api_client(casino)
    return casino


def _api_client(casino: Property) -> None:
    create_client(name=house.API_CLIENT, property_id=casino.pk, scopes=house.API_SCOPES)
    application = ApiClient.objects.get(name=house.API_CLIENT).application
    # A key that everybody knows, so that the examples of the guide run: in a sandbox only.
    assert casino.is_sandbox
    application.client_id = house.API_CLIENT
    application.client_secret = house.API_SECRET
    application.save()


def enrolment_token(table: Table) -> str:
    """Return the token of the address that enrols a browser at *table*; always the same.

    A demo is started again and again, and an address that somebody has noted must go on working.
    """
    token = salted_hmac("tables.demo.enrolment", table.code).hexdigest()
    Enrolment.objects.get_or_create(
        token_hash=hashed(token),
        defaults={
            "property": table.property,
            "name": f"Tablet {table.code}",
            "place": table.ref,
            "made_at": table.profile.created_at,
            "expires_at": None,
        },
    )
    return token


def _table(
    casino: Property,
    spec: house.TableSpec,
    *,
    pit: Pit,
    chip_set: ChipSet,
    loader: Actor,
    began: datetime,
) -> Table:
    profile = publish_profile(
        property_id=casino.pk,
        code=spec.profile,
        game=spec.game,
        options=spec.options,
        actor=loader,
        at=began,
    )
    table = Table.objects.create(
        property=casino,
        pit=pit,
        code=spec.code,
        profile=profile,
        chip_set=chip_set,
        seats=spec.seats,
    )
    set_limits(
        table=table,
        wager_min=house.WAGER_MIN,
        wager_max=house.WAGER_MAX,
        wager_increment=house.WAGER_INCREMENT,
        actor=loader,
        at=began,
    )
    return table


def _opening_balances(
    casino: Property, tables: list[Table], loader: Actor, began: datetime
) -> None:
    trays = {
        f"{Number.TRAY}/{table.ref}": sum(value * pieces for value, pieces in spec.tray.items())
        for table, spec in zip(tables, house.TABLES, strict=True)
    }
    chips_out = house.CAGE_CHIPS + sum(trays.values()) + house.CHIPS_WITH_PATRONS
    balances = {
        f"{Number.CAGE_CASH}/window:main": house.CAGE_CASH,
        f"{Number.CAGE_CHIP_BANK}": house.CAGE_CHIPS,
        f"{Number.VAULT}": house.CHIPS_IN_SERVICE - chips_out,
        f"{Number.CHIPS_IN_SERVICE}/chip_set:main": -house.CHIPS_IN_SERVICE,
        **trays,
    }
    post_entry(
        property_id=casino.pk,
        key="property:opening_balances",
        kind=EventKind.OPENING_BALANCE,
        legs=opening_legs(balances),
        source=f"property:{casino.pk}",
        actor=str(loader),
        at=began,
        gaming_day=gaming_day_of(casino, began),
    )


def _play(casino: Property, *, at: datetime, random: Random, rounds: int) -> None:
    patrons = list(Patron.objects.filter(property=casino).order_by("pk"))
    yesterday = get_gaming_day(casino, gaming_day_of(casino, at) - timedelta(days=1))
    for n, table in enumerate(Table.objects.filter(property=casino).order_by("code")):
        shift = TableShift(
            table=table,
            crew=_crew(table, "DL-210" if n == 0 else "DL-214"),
            patrons=dict(enumerate(patrons[n * 4 : n * 4 + 4], start=1)),
            random=random,
            clock=yesterday.starts_at + timedelta(hours=4 + 2 * n),
        )
        shift.open()
        settled = shift.play(rounds)
        shift.void(settled[-1], "Seat 2 was paid for a push; the round is entered again.")
        shift.play_round()
        # A real floor is not always right to the cent: one table closes a green chip short.
        shift.close(variance=-2_500 if n == 0 else 0)
    # Just after roll-over this is still yesterday's session; its rounds never lie ahead of us.
    _open_today(casino, patrons, at=at - TODAY_BEGAN_AGO, random=random)


def _close_yesterday(casino: Property, *, at: datetime) -> None:
    """Close the day behind us, as a pit boss and an auditor do in the morning."""
    yesterday = gaming_day_of(casino, at) - timedelta(days=1)
    if gaming_day_of(casino, at - TODAY_BEGAN_AGO) == yesterday:
        return  # a table of it still plays
    table = Table.objects.get(property=casino, code="T1")
    close_gaming_day(
        casino=casino,
        gaming_day=yesterday,
        pit_boss=signer_at(table, "PB-004", Role.PIT_BOSS),
        auditor=signer_at(table, "AU-002", Role.AUDITOR),
        at=at,
    )


def _open_today(casino: Property, patrons: list[Patron], *, at: datetime, random: Random) -> None:
    """Leave the tiles table open, so that a newcomer can enter a round at once."""
    table = Table.objects.get(property=casino, code="T1")
    shift = TableShift(
        table=table,
        crew=_crew(table, "DL-210"),
        patrons={1: patrons[0], 2: patrons[1], 4: patrons[3]},
        random=random,
        clock=at,
    )
    shift.open()
    shift.play(ROUNDS_TODAY)


def _crew(table: Table, dealer: str) -> Crew:
    return Crew(
        dealer=signer_at(table, dealer, Role.DEALER).actor,
        floor=signer_at(table, "FS-031", Role.FLOOR_SUPERVISOR),
        pit_boss=signer_at(table, "PB-004", Role.PIT_BOSS),
    )


def signer_at(table: Table, number: str, role: Role) -> Signer:
    """Return a member of the demo staff as one who has just signed at the table's own tablet."""
    return Signer(
        employee_id=Employee.objects.get(number=number).pk,
        number=number,
        role=role,
        method=SigningMethod.PIN,
        device_id=Device.objects.filter(place=table.ref).earliest("enrolled_at").pk,
        property_id=table.property_id,
    )
