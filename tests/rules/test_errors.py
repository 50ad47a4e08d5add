"""Refusals name their place, and each has a code of its own."""

import pytest

from rules import errors
from tests.rules.specification import SPECIFICATIONS


def test_a_pointer_grows_towards_the_root():
    with (
        pytest.raises(errors.HandSizeError) as refused,
        errors.at("round"),
        errors.at("seats", 0),
        errors.at("hand"),
    ):
        raise errors.HandSizeError(3, wanted=(4,), noun="tile")
    assert refused.value.as_dict() == {
        "code": "hand_size",
        "detail": "4 tiles are needed here, not 3",
        "pointer": "/round/seats/0/hand",
    }


def test_a_ready_pointer_is_put_in_front_as_it_is():
    with pytest.raises(errors.MissingMemberError) as refused, errors.at("/round/seats/0"):
        raise errors.MissingMemberError("wager")
    assert refused.value.pointer == "/round/seats/0/wager"


def test_a_name_with_a_slash_is_escaped():
    assert errors.pointer_to("options", "a/b~c", 2) == "/options/a~1b~0c/2"


def test_other_errors_pass_untouched():
    with pytest.raises(ZeroDivisionError), errors.at("round"):
        _ = 1 // 0


def test_every_cause_has_its_own_code():
    causes = [
        cause
        for cause in vars(errors).values()
        if isinstance(cause, type) and issubclass(cause, errors.RulesError)
    ]
    causes.remove(errors.RulesError)
    codes = sorted(cause.code for cause in causes)
    assert codes == sorted(set(codes))
    assert "malformed" in codes


def test_the_tree_in_the_docstring_names_every_cause():
    for name, cause in vars(errors).items():
        if isinstance(cause, type) and issubclass(cause, errors.RulesError):
            assert name in (errors.__doc__ or "")


def test_the_specification_lists_every_code():
    text = (SPECIFICATIONS / "design" / "rules-cli.md").read_text(encoding="utf-8")
    for cause in vars(errors).values():
        if isinstance(cause, type) and issubclass(cause, errors.RulesError):
            assert cause is errors.RulesError or f"`{cause.code}`" in text
