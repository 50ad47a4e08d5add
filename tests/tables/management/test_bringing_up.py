"""A property is brought up by commands alone, and every one of them says who did what."""

from __future__ import annotations

import io
import json
import re
import sys
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.utils.timezone import now

from casino.properties.models import Property, Setting
from casino.properties.selectors import gaming_day_of, get_setting
from casino.staff.models import AuditRow, Device, Employee, Signature
from casino.staff.roles import Role
from casino.staff.services.devices import enrol
from ledger import selectors as ledger
from tables.chips.models import ChipSet
from tables.floor.guards import limits_at
from tables.floor.models import Pit, RuleProfile, Table, TableLimits
from tables.rounds.models import Round
from tests.tables.deals import everything

pytestmark = pytest.mark.django_db

PASSWORD = "a long password"
RULES = {
    "code": "house",
    "game": "pai_gow",
    "options": {"bank_mode": "house_only", "commission_rate": "0.05", "commission_unit": 25},
}
UTC = ["--time-zone", "UTC", "--currency", "USD"]
TABLE = [
    *("add_table", "pearl", "T1", "--pit", "P1", "--rules", "house", "--chip-set", "main"),
    *("--seats", "6", "--min", "25.00", "--max", "500", "--increment", "5"),
    *("--pit-boss", "PB-1", "--by", "AD-1"),
]


@pytest.fixture
def run(monkeypatch, capsys):
    """Return a function that runs a command, types what it asks for, and returns what it says."""

    def run_one(*arguments, typed=""):
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        call_command(*arguments)
        return capsys.readouterr().out.strip()

    return run_one


@pytest.fixture
def refused(run):
    """Return a function that runs a command, expects its refusal, and that nothing changed."""

    def refuse(*arguments, typed=""):
        before = everything()
        with pytest.raises(CommandError) as error:
            run(*arguments, typed=typed)
        assert everything() == before
        return str(error.value)

    return refuse


@pytest.fixture
def staffed(run):
    """Return a property with an administrator, an auditor and a pit boss."""
    run(
        *("open_property", "pearl", "Pearl", "--time-zone", "America/Los_Angeles"),
        *("--currency", "USD", "--shift", "day=06:00", "--shift", "swing=14:00"),
    )
    for number, role in (("AD-1", "admin"), ("AU-1", "auditor"), ("PB-1", "pit_boss")):
        run(
            *("employ", "pearl", number, f"Person {number}", "--role", role, "--password"),
            typed=f"{PASSWORD}\n",
        )
    return Property.objects.get(code="pearl")


@pytest.fixture
def furnished(run, staffed, tmp_path):
    """Return the property with a pit, chips and published rules."""
    file = tmp_path / "rules.json"
    file.write_text(json.dumps(RULES))
    run("add_pit", "pearl", "P1", "Main pit", "--by", "AD-1")
    run(
        *("add_chip_set", "pearl", "main", "--piece", "0.25:pink:400:fractional"),
        *("--piece", "5:red:30000", "--piece", "100.00:black:4000"),
    )
    run("publish_rules", "pearl", str(file))
    return staffed


def trail(casino):
    return set(AuditRow.objects.filter(property=casino).values_list("action", "actor", "approver"))


def of(number):
    return f"employee:{Employee.objects.get(number=number).pk}"


def test_a_property_opens_for_play_without_a_shell(run, furnished, tmp_path):
    said = run(*TABLE, typed=f"{PASSWORD}\n")
    balances = tmp_path / "balances.json"
    balances.write_text(json.dumps({"1120/table:T1": "5000.00", "1110": "95000.25"}))
    run(
        *("opening_balances", "pearl", str(balances), "--approved-by", "AU-1", "--by", "AD-1"),
        typed=f"{PASSWORD}\n",
    )
    address = run("enrol_tablet", "pearl", "T1")

    table = Table.objects.get(property=furnished, code="T1")
    assert said == f"added table T1, {table.ref}"
    limits = limits_at(table, now())
    amounts = (limits.wager_min, limits.wager_max, limits.wager_increment)
    assert amounts == (2_500, 50_000, 500)
    assert ledger.balance(furnished.pk, f"1120/{table.ref}") == 500_000
    assert ledger.balance(furnished.pk, "1110") == 9_500_025
    device = enrol(token=address.removeprefix("/tablet/enrol/"), at=now()).device
    assert (device.property, device.place) == (furnished, table.ref)
    assert trail(furnished) >= {
        ("property.opened", "system:operator", ""),
        ("employee.employed", "system:operator", ""),
        ("pit.added", of("AD-1"), ""),
        ("chip_set.added", "system:operator", ""),
        ("rule_profile.published", "system:operator", ""),
        ("table.added", of("AD-1"), ""),
        ("table.rules_activated", of("AD-1"), of("PB-1")),
        ("table.limits_changed", of("PB-1"), ""),
        ("property.opening_balances", of("AD-1"), of("AU-1")),
        ("enrolment.made", "system:operator", ""),
    }
    (signature,) = Signature.objects.filter(employee__number="PB-1")
    assert (signature.role, signature.method) == (Role.PIT_BOSS, "password")


def test_opening_balances_are_booked_once(run, refused, furnished, tmp_path):
    file = tmp_path / "balances.json"
    book = ["opening_balances", "pearl", str(file), "--approved-by", "AU-1"]
    file.write_text(json.dumps({"1110": "1.00"}))
    run(*book, typed=f"{PASSWORD}\n")
    file.write_text(json.dumps({"1110": "2.00"}))

    assert "property:opening_balances" in refused(*book, typed=f"{PASSWORD}\n")
    assert ledger.balance(furnished.pk, "1110") == 100


def test_limits_and_rules_of_a_table_change(run, furnished, tmp_path):
    run(*TABLE, typed=f"{PASSWORD}\n")
    newer = tmp_path / "newer.json"
    newer.write_text(json.dumps(RULES | {"options": RULES["options"] | {"commission_unit": 100}}))
    run("publish_rules", "pearl", str(newer), "--by", "AD-1")
    table = Table.objects.get()
    assert table.profile.version == 1

    run(
        *("activate_rules", "pearl", "T1", "house", "--pit-boss", "PB-1", "--by", "AD-1"),
        typed=f"{PASSWORD}\n",
    )
    run(
        *("set_limits", "pearl", "T1", "--min", "10", "--max", "1000", "--increment", "2.50"),
        *("--by", "PB-1"),
    )

    table.refresh_from_db()
    assert table.profile.version == 2
    newest = TableLimits.objects.latest("effective_at")
    assert (newest.wager_min, newest.wager_max, newest.wager_increment) == (1_000, 100_000, 250)
    assert newest.set_by == of("PB-1")


def test_the_tablets_of_a_table_are_revoked(run, refused, furnished):
    run(*TABLE, typed=f"{PASSWORD}\n")
    revoke = ["revoke_device", "pearl", "T1", "--reason", "lost on the floor", "--by", "PB-1"]
    assert refused(*revoke) == "table: no tablet is enrolled at T1"
    enrol(token=run("enrol_tablet", "pearl", "T1").removeprefix("/tablet/enrol/"), at=now())

    assert run(*revoke) == "revoked at T1: 1"

    assert Device.objects.get().revoked_at is not None
    row = AuditRow.objects.get(action="device.revoked")
    assert (row.actor, row.reason) == (of("PB-1"), "lost on the floor")


@pytest.mark.parametrize(
    ("name", "typed_value", "value"),
    [
        ("variance_alert", "30.00", 3_000),
        ("opener_alert_amount", "off", None),
        ("record_depth", "result", "result"),
        ("max_clock_skew", "60", 60),
        ("tray_band", '{"low": 50, "high": 200}', {"low": 50, "high": 200}),
    ],
)
def test_a_setting_changes(run, staffed, name, typed_value, value):
    run(
        *("set_setting", "pearl", name, typed_value, "--by", "AD-1", "--approved-by", "AU-1"),
        typed=f"{PASSWORD}\n",
    )

    assert get_setting(staffed.pk, name, day=gaming_day_of(staffed, now())) == value
    row = AuditRow.objects.get(action="setting.changed")
    assert (row.actor, row.approver, row.after["value"]) == (of("AD-1"), of("AU-1"), value)


def test_a_setting_of_one_table_leaves_the_others(run, furnished):
    run(*TABLE, typed=f"{PASSWORD}\n")

    run("set_setting", "pearl", "record_depth", "result", "--table", "T1", "--from", "2199-01-01")

    setting = Setting.objects.get()
    assert (setting.scope, setting.set_by) == (Table.objects.get().ref, "system:operator")
    assert setting.effective_from.isoformat() == "2199-01-01"


@pytest.mark.parametrize(
    ("arguments", "typed", "said"),
    [
        (["--by", "AD-1"], "", "--approved-by: variance_alert is about money: a second person"),
        (["--approved-by", "AU-1"], PASSWORD, "--by: a setting about money is an administrator's"),
        (["--by", "PB-1", "--approved-by", "AU-1"], PASSWORD, "--by: PB-1 is no admin"),
        (["--by", "AD-1", "--approved-by", "AD-1"], PASSWORD, "--approved-by: AD-1 cannot be"),
        (["--by", "AD-1", "--approved-by", "PB-1"], PASSWORD, "--approved-by: PB-1 is no admin"),
        (["--by", "AD-1", "--approved-by", "XX-9"], PASSWORD, "--approved-by: nobody works at"),
    ],
)
def test_a_money_setting_keeps_its_second_person(refused, staffed, arguments, typed, said):
    sentence = refused("set_setting", "pearl", "variance_alert", "30", *arguments, typed=typed)
    assert sentence.startswith(said)


def test_a_wrong_password_of_the_second_person_is_counted(run, staffed):
    with pytest.raises(CommandError, match="password: The number or the password is not right"):
        run(
            *("set_setting", "pearl", "variance_alert", "30"),
            *("--by", "AD-1", "--approved-by", "AU-1"),
            typed="a wrong password\n",
        )
    assert not Setting.objects.exists()
    assert AuditRow.objects.filter(action="signer.refused").count() == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["set_setting", "pearl", "no_such", "1"], "name: there is no setting"),
        (["set_setting", "pearl", "record_depth", "half"], "value: record_depth is one of"),
        (["set_setting", "pearl", "record_depth", "full", "--from", "x"], "--from: 'x' is no day"),
        (
            ["set_setting", "pearl", "record_depth", "full", "--from", "2001-01-01"],
            "--from: record_depth can change from gaming day",
        ),
        (["set_setting", "pearl", "record_depth", "full", "--table", "T9"], "--table: pearl has"),
        (["set_setting", "coral", "record_depth", "full"], "property: there is no property"),
        (["add_pit", "pearl", "P1", "Again"], "code: P1 stands already"),
        (["add_pit", "pearl", "P 2", "Second"], "code: A code is 1 to 20 characters"),
        (["add_pit", "pearl", "P2", " "], "name: Give a name"),
        (["add_pit", "pearl", "P2", "Second", "--by", "PB-1"], "--by: PB-1 is no admin"),
        (["add_chip_set", "pearl", "two", "--piece", "5:red"], "--piece: '5:red' is none"),
        (["add_chip_set", "pearl", "two", "--piece", "5.005:red:1"], "--piece: Write the amount"),
        (["add_chip_set", "pearl", "two", "--piece", "0:red:1"], "--piece: Give an amount above"),
        (
            ["add_chip_set", "pearl", "two", "--piece", "5:red:1", "--piece", "5:blue:1"],
            "--piece: A face value stands twice",
        ),
        (["add_chip_set", "pearl", "main", "--piece", "5:red:1"], "code: main stands already"),
        (["publish_rules", "pearl", "no-such.json"], "file: no-such.json: No such file"),
        (["enrol_tablet", "pearl", "T9"], "table: pearl has no table 'T9'"),
        (
            ["open_property", "pearl", "P", *["--time-zone", "UTC", "--currency", "USD"]],
            "code: there",
        ),
        (
            ["open_property", "coral", "C", *["--time-zone", "Mars", "--currency", "USD"]],
            "--time-zone: there is no zone",
        ),
        (
            ["open_property", "coral", "C", *["--time-zone", "UTC", "--currency", "ABC"]],
            "--currency: the ledger does not know 'ABC'",
        ),
        (
            [
                "open_property",
                "c",
                "C",
                *["--time-zone", "UTC", "--currency", "USD", "--shift", "six"],
            ],
            "--shift: 'six'",
        ),
    ],
)
def test_what_cannot_be_is_one_sentence_that_names_the_argument(
    refused, furnished, arguments, said
):
    sentence = refused(*arguments)
    assert sentence.startswith(said)
    assert "\n" not in sentence


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (("--seats", "13"), "--seats: A table has 1 to 12 seats"),
        (("--min", "25.005"), "--min: Write the amount in plain digits"),
        (("--max", "20"), "--max: The maximum is below the minimum"),
        (("--increment", "3"), "--min: This is no multiple"),
        (("--pit", "P9"), "--pit: pearl has no pit 'P9'"),
        (("--rules", "none"), "rules: pearl has published no rules 'none'"),
        (("--pit-boss", "AU-1"), "--pit-boss: AU-1 is no pit_boss"),
    ],
)
def test_a_table_that_cannot_be_is_not_added(refused, furnished, changed, said):
    arguments = [*TABLE, *changed]
    assert refused(*arguments, typed=f"{PASSWORD}\n").startswith(said)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is no JSON"),
        ("[]", "holds no JSON object"),
        ('{"code": "x"}', "its members are code, game, options"),
        ('{"code": "x", "game": "pai_gow", "options": 1}', "options is no dict"),
        ('{"code": "x", "game": "pai_gow", "options": {"bank": 1}}', "bank"),
    ],
)
def test_rules_that_cannot_be_are_not_published(refused, staffed, tmp_path, text, said):
    file = tmp_path / "rules.json"
    file.write_text(text)
    assert said in refused("publish_rules", "pearl", str(file))
    assert RuleProfile.objects.count() == 0


def test_nothing_stands_before_it_is_added(staffed):
    counts = [model.objects.count() for model in (Pit, Table, ChipSet, RuleProfile, Round)]
    assert counts == [0] * 5


@pytest.fixture
def balanced(run, furnished, tmp_path):
    """Return the property with opening balances, booked on a day that is over."""
    file = tmp_path / "balances.json"
    file.write_text('{"1010/window:main": "100.00"}')
    with time_machine.travel(datetime(2026, 3, 14, 20, tzinfo=ZoneInfo("UTC")), tick=False):
        run(
            *("opening_balances", "pearl", str(file), "--approved-by", "AU-1"),
            typed=f"{PASSWORD}\n",
        )
    return furnished


CLOSE_DAY = ("close_gaming_day", "pearl", "2026-03-14", "--pit-boss", "PB-1", "--auditor", "AU-1")


def test_two_people_close_a_day_with_their_own_passwords(run, balanced):
    said = run(*CLOSE_DAY, typed=f"{PASSWORD}\n{PASSWORD}\n").splitlines()
    assert said[0] == "gaming day 2026-03-14 is closed"
    assert re.fullmatch("report hash [0-9a-f]{64}", said[1])
    assert ("gaming_day.closed", of("PB-1"), of("AU-1")) in trail(balanced)

    again = run(*CLOSE_DAY, typed=f"{PASSWORD}\n{PASSWORD}\n").splitlines()
    assert again == ["gaming day 2026-03-14 was closed before", *said[1:]]


def test_a_shift_is_closed_by_its_name(run, balanced):
    said = run(
        *("close_shift", "pearl", "2026-03-14", "day", "--pit-boss", "PB-1"),
        typed=f"{PASSWORD}\n",
    )
    assert said == "shift day of gaming day 2026-03-14 is closed"


@pytest.mark.parametrize(
    ("arguments", "typed", "said"),
    [
        (
            ("close_gaming_day", "pearl", "14.3.", "--pit-boss", "PB-1", "--auditor", "AU-1"),
            "",
            "day: '14.3.' is no day; write 2026-03-14",
        ),
        (
            ("close_gaming_day", "pearl", "2026-03-14", "--pit-boss", "PB-1", "--auditor", "PB-1"),
            f"{PASSWORD}\n",
            "--auditor: PB-1 is no auditor",
        ),
        (
            ("close_shift", "pearl", "2026-03-14", "graveyard", "--pit-boss", "PB-1"),
            "",
            "shift: pearl has day, swing",
        ),
    ],
)
def test_a_close_that_cannot_be_names_its_argument(refused, balanced, arguments, typed, said):
    assert refused(*arguments, typed=typed) == said
