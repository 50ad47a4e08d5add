"""A rule profile is a version of all options of a game; it never changes."""

from __future__ import annotations

import pytest

from casino.staff.errors import RoleError
from casino.staff.roles import Role
from tables.demo.loading import signer_at
from tables.errors import RoundRefusedError
from tables.floor.models import RuleProfile
from tables.floor.services.profiles import publish_profile
from tests import factories
from tests.tables.deals import everything

pytestmark = pytest.mark.django_db


def publish(casino, *, actor=None, **options):
    return publish_profile(
        property_id=casino.pk,
        code="evening",
        game="pai_gow",
        options={"bank_mode": "house_only", **options},
        actor=actor or signer_at(factories.a_table(casino), "AD-001", Role.ADMIN).actor,
        at=factories.NOON,
    )


def test_the_same_options_are_the_same_version(casino):
    first = publish(casino, commission_rate="0.05")
    before = everything()

    assert publish(casino, commission_rate="0.05") == first

    assert everything() == before


def test_a_change_is_a_new_version_beside_the_old(casino):
    first = publish(casino, commission_rate="0.05")
    second = publish(casino, commission_rate="0.04")

    assert (first.version, second.version) == (1, 2)
    assert first.digest != second.digest
    assert RuleProfile.objects.get(pk=first.pk).options["commission_rate"] == "0.05"


@pytest.mark.parametrize(
    ("options", "pointer"),
    [({"luck": 7}, "/options/luck"), ({"commission_rate": "2"}, "/options/commission_rate")],
)
def test_an_option_that_the_game_does_not_have_is_refused_by_name(casino, options, pointer):
    before = everything()

    with pytest.raises(RoundRefusedError) as refused:
        publish(casino, **options)

    assert refused.value.pointer == pointer
    assert everything() == before


def test_only_the_administration_publishes_rules(casino):
    before = everything()

    with pytest.raises(RoleError):
        publish(casino, actor=factories.dealer(casino))

    assert everything() == before


@pytest.mark.django_db(transaction=True)
def test_two_publishers_at_one_moment_get_two_versions(casino, together):
    made = together(
        lambda: publish(casino, commission_rate="0.05"),
        lambda: publish(casino, commission_rate="0.04"),
    )

    assert sorted(profile.version for profile in made) == [1, 2]
