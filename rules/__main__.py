"""``python -m rules``: the engine as a tool, JSON Lines in, JSON Lines out.

The invariant: each line is one question, answered by one call into a game, and no line
touches another; a million of them pass in constant memory.

Source:
    rules-cli.md.
"""

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final, NoReturn, TextIO

from rules import errors
from rules.registry import GAMES, NOT_BUILT, Game, game
from rules.rounds import read_tokens

Request = Mapping[str, object]
Answer = dict[str, object]

_MEMBERS: Final = frozenset({"op", "game", "id", "options", "cards", "hand", "round"})
"""What a request may carry; ``id`` is handed back, so that a caller can match the answers."""

_MEMBERS_NOT_BUILT: Final = frozenset(
    {"total", "number", "record", "position", "seat", "seed", "seats", "points", "stacks", "dealer"}
)
"""What only ops that are not built read; their refusal is about the op, not its members."""


def _describe(table_game: Game[Any], _: Request) -> Answer:
    return table_game.describe()


def _value(table_game: Game[Any], request: Request) -> Answer:
    rules = table_game.options.resolve(_options(request))
    return table_game.value(options=rules, cards=_tokens(request, "cards")).as_dict()


def _legal_sets(table_game: Game[Any], request: Request) -> Answer:
    rules = table_game.options.resolve(_options(request))
    found = table_game.legal_sets(options=rules, hand=_tokens(request, "hand"))
    return {"sets": [{"low": list(one.low), "high": list(one.high)} for one in found]}


def _house_way(table_game: Game[Any], request: Request) -> Answer:
    rules = table_game.options.resolve(_options(request))
    return table_game.house_way(options=rules, hand=_tokens(request, "hand")).as_dict()


def _settle(table_game: Game[Any], request: Request) -> Answer:
    rules = table_game.options.resolve(_options(request))
    given = request.get("round")
    if given is None:
        raise errors.MissingMemberError("round")
    if not isinstance(given, Mapping):
        raise errors.MalformedError("an object is needed here", pointer="/round")
    return table_game.settle(options=rules, round=given).as_dict()


_OPS: Final[Mapping[str, Callable[[Game[Any], Request], Answer]]] = {
    "describe": _describe,
    "value": _value,
    "legal_sets": _legal_sets,
    "house_way": _house_way,
    "settle": _settle,
}

_OPS_NOT_BUILT: Final = ("start", "odds", "legal", "replay", "play")


def _options(request: Request) -> object:
    given = request.get("options")
    return {} if given is None else given


def _tokens(request: Request, name: str) -> tuple[str, ...]:
    given = request.get(name)
    if given is None:
        raise errors.MissingMemberError(name)
    return read_tokens(given, name)


def respond(line: bytes) -> Answer:
    """Return the answer to one line, which is an error object where it cannot be answered."""
    try:
        request = _read(line)
    except errors.RulesError as error:
        return {"error": error.as_dict()}
    identity = {"id": request["id"]} if "id" in request else {}
    try:
        return _answer(request) | identity
    except errors.RulesError as error:
        return {"error": error.as_dict()} | identity


def _read(line: bytes) -> Request:
    try:
        request = json.loads(
            # Left to itself it would guess UTF-16 and 32 too, where a line end is no line end.
            line.decode("utf-8-sig").rstrip("\r\n"),
            parse_float=Decimal,
            parse_constant=_refuse_constant,
            object_pairs_hook=_object,
        )
    except json.JSONDecodeError as error:
        raise errors.MalformedError(f"not JSON at column {error.colno}: {error.msg}") from None
    except UnicodeDecodeError:
        raise errors.MalformedError("a line is written in UTF-8") from None
    except RecursionError:
        raise errors.MalformedError("the line is nested too deeply") from None
    except ValueError:  # what is left is the interpreter's limit for one number
        raise errors.MalformedError("a number has too many digits") from None
    if not isinstance(request, dict):
        raise errors.MalformedError("a request is an object")
    for name in request:
        if name not in _MEMBERS | _MEMBERS_NOT_BUILT:
            raise errors.UnknownMemberError(name, known=_MEMBERS)
    identity = request.get("id")
    if isinstance(identity, bool) or not isinstance(identity, str | int | None):
        raise errors.MalformedError("an id is a string or a whole number", pointer="/id")
    return request


def _refuse_constant(name: str) -> NoReturn:
    raise errors.MalformedError(f"{name} is not JSON")


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    # JSON leaves open which of two members of one name counts; money must not hang on it.
    members = dict(pairs)
    if len(members) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise errors.MalformedError(f"an object has the member {twice!r} twice")
    return members


def _answer(request: Request) -> Answer:
    op = _operation(_name(request, "op"))
    return op(game(_name(request, "game")), request)


def _operation(name: str) -> Callable[[Game[Any], Request], Answer]:
    if name in _OPS_NOT_BUILT:
        raise errors.NotBuiltError(f"the op {name}", pointer="/op")
    if name not in _OPS:
        raise errors.UnknownOpError(name, known=_OPS)
    return _OPS[name]


def _name(request: Request, member: str) -> str:
    given = request.get(member)
    if given is None:
        raise errors.MissingMemberError(member)
    if not isinstance(given, str):
        raise errors.MalformedError("a name is a string", pointer=errors.pointer_to(member))
    return given


_HELP: Final = f"""\
Reads one JSON object from each line of standard input and writes one answer line for each.

ops
  describe    game                  options, seats, hand size, house ways, side bets
  value       game, options, cards  class, key and words of a low or high hand
  legal_sets  game, options, hand   every legal low and high hand
  house_way   game, options, hand   how the dealer sets the hand, and why
  settle      game, options, round  outcomes, commission, transfers and the steps in words

games         {", ".join(GAMES)}
not built     ops {", ".join(_OPS_NOT_BUILT)}; games {", ".join(NOT_BUILT)}

Amounts are whole numbers of minor units. What options leave out has its default. A line may
carry an "id", which its answer repeats. A line that cannot be answered gets
{{"error": {{"code", "detail", "pointer"}}}}; the others are still answered.

exit status   0 every line was answered, 1 some line was not, 2 the call itself was wrong

example
  echo '{{"op": "house_way", "game": "pai_gow", "hand": ["66", "61", "53", "41"]}}' \\
    | python -m rules --pretty
"""


def run(lines: Iterable[bytes], out: TextIO, *, pretty: bool) -> int:
    """Answer *lines* in order; return 0, or 1 if any could not be answered."""
    status = 0
    for line in lines:
        answer = respond(line)
        if "error" in answer:
            status = 1
        out.write(json.dumps(answer, indent=2 if pretty else None) + "\n")
        out.flush()  # whoever asked may wait for this answer before the next question
    return status


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m rules",
        description="Ask the rules of the games.",
        epilog=_HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--pretty", action="store_true", help="print answers for people")
    given = parser.parse_args(arguments)
    try:
        return run(sys.stdin.buffer, sys.stdout, pretty=given.pretty)
    except BrokenPipeError:
        # The reader has seen enough; the interpreter must not try to flush to it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


if __name__ == "__main__":
    sys.exit(main())
