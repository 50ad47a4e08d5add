"""Games are found by name; what comes later and what never was are told apart."""

import subprocess
import sys

import pytest

from rules import errors
from rules.registry import GAMES, NOT_BUILT, game


@pytest.mark.parametrize("name", GAMES)
def test_a_built_game_is_found_under_its_name(name):
    found = game(name)
    assert found.name == name
    assert found.describe().keys() == {
        "options",
        "seats",
        "hand_size",
        "house_ways",
        "side_bets",
    }


@pytest.mark.parametrize("name", GAMES)
def test_a_described_choice_is_accepted_and_its_default_too(name):
    schema = game(name).options
    for option, told in schema.describe().items():
        for value in told["values"] or ():
            schema.resolve({option: value})
        if told["default"] is not None:
            schema.resolve({option: told["default"]})


@pytest.mark.parametrize("name", NOT_BUILT)
def test_a_game_that_comes_later_is_refused_by_name(name):
    with pytest.raises(errors.NotBuiltError, match=name):
        game(name)


def test_a_game_that_never_was_is_refused():
    with pytest.raises(errors.UnknownGameError) as refused:
        game("baccarat")
    assert refused.value.pointer == "/game"


def test_a_package_is_imported_when_its_game_is_asked_for():
    program = (
        "import sys; from rules.registry import game; "
        "assert 'rules.pai_gow' not in sys.modules; game('pai_gow'); "
        "assert 'rules.pai_gow_poker' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_the_rules_load_nothing_but_the_standard_library():
    program = (
        "import sys; from rules.registry import game; import rules.__main__; game('pai_gow'); "
        "outside = {name.partition('.')[0] for name in sys.modules} - sys.stdlib_module_names; "
        "assert outside <= {'rules', '__main__'}, outside"
    )
    subprocess.run(
        [sys.executable, "-I", "-S", "-c", "import sys; sys.path.insert(0, '.');" + program],
        check=True,
    )
