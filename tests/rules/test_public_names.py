"""A package hands out the names that callers may use, and no others."""

import rules
import rules.pai_gow


def test_the_rules_are_reached_by_their_modules():
    assert not hasattr(rules, "__all__")


def test_pai_gow_hands_out_its_game():
    assert rules.pai_gow.__all__ == ["GAME", "HouseRules", "PaiGow"]
    for name in rules.pai_gow.__all__:
        assert hasattr(rules.pai_gow, name)
