"""``python -m rules`` as an auditor calls it: a program of its own."""

import json
import subprocess
import sys
from io import StringIO

import pytest

from rules.__main__ import run
from tests.rules.specification import rows

HOUSE_WAY = {"op": "house_way", "game": "pai_gow", "hand": ["66", "61", "53", "41"]}
SETTLE = {
    "op": "settle",
    "game": "pai_gow",
    "round": {
        "bank": {"hand": ["66", "11", "63", "44"], "set": "house_way"},
        "seats": [
            {
                "seat": 1,
                "hand": ["55", "62", "64", "53"],
                "set": {"low": ["64", "53"], "high": ["55", "62"]},
                "wager": 10_000,
            }
        ],
    },
}


def call(*arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "rules", *arguments], input=given, capture_output=True, check=False
    )


def ask(*requests: object) -> tuple[list[dict], int]:
    """Return the answers to *requests*, and the status."""
    lines = [
        request if isinstance(request, bytes) else json.dumps(request).encode()
        for request in requests
    ]
    out = StringIO()
    status = run(lines, out, pretty=False)
    return [json.loads(line) for line in out.getvalue().splitlines()], status


def test_lines_are_answered_in_order_and_a_bad_one_stops_nothing():
    lines = b"\n".join([json.dumps(HOUSE_WAY).encode(), b"{", json.dumps(SETTLE).encode()])
    done = call(given=lines + b"\n")
    first, second, third = map(json.loads, done.stdout.splitlines())
    assert (first["low"], first["high"]) == (["61", "41"], ["66", "53"])
    assert second["error"]["code"] == "malformed"
    assert third["bank"] == {
        "holder": "house",
        "set": {"low": ["11", "44"], "high": ["66", "63"], "by": "house_way"},
        "net": 10_000,
        "share": 0,
        "commission": 0,
    }
    assert (done.returncode, done.stderr) == (1, b"")


def test_nothing_asked_is_nothing_answered():
    done = call()
    assert (done.stdout, done.stderr, done.returncode) == (b"", b"", 0)


def test_a_wrong_call_has_its_own_status():
    done = call("--loud")
    assert (done.stdout, done.returncode) == (b"", 2)
    assert b"--loud" in done.stderr


def test_pretty_answers_are_for_people():
    done = call("--pretty", given=json.dumps(HOUSE_WAY).encode())
    assert done.stdout.count(b"\n") > 3
    assert json.loads(done.stdout)["low"] == ["61", "41"]


def test_the_help_names_every_op_and_game():
    done = call("--help")
    for word in (b"describe", b"value", b"legal_sets", b"house_way", b"settle", b"pai_gow"):
        assert word in done.stdout
    assert done.returncode == 0


def test_an_answer_comes_before_the_next_question():
    with subprocess.Popen(
        [sys.executable, "-m", "rules"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as engine:
        for number in range(2):
            engine.stdin.write(json.dumps(HOUSE_WAY | {"id": number}).encode() + b"\n")
            engine.stdin.flush()
            assert json.loads(engine.stdout.readline())["id"] == number
        engine.stdin.close()
        assert engine.wait() == 0


def test_a_reader_that_leaves_is_no_crash():
    with subprocess.Popen(
        [sys.executable, "-m", "rules"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as engine:
        engine.stdout.close()
        engine.stdin.write(json.dumps(HOUSE_WAY).encode() + b"\n")
        engine.stdin.close()
        assert engine.stderr.read() == b""
        assert engine.wait() == 1


def test_a_settlement_has_the_members_of_the_specification():
    (answer,), status = ask(SETTLE)
    assert status == 0
    assert answer.keys() == {"seats", "bank", "transfers", "steps"}
    assert answer["seats"] == [
        {
            "seat": 1,
            "set": {"low": ["64", "53"], "high": ["55", "62"], "by": "player"},
            "foul": False,
            "low": {
                "winner": "bank",
                "copy": False,
                "player": "8 (top 64)",
                "bank": "Day gong",
            },
            "high": {
                "winner": "bank",
                "copy": False,
                "player": "8 (top 55)",
                "bank": "Teen wong",
            },
            "outcome": "lose",
            "covered": 10_000,
            "returned": 0,
            "commission": 0,
            "net": -10_000,
            "side_bets": {},
        }
    ]
    assert answer["transfers"] == [
        {"from": "seat:1", "to": "bank", "amount": 10_000, "reason": "main"}
    ]
    assert answer["steps"][-1] == "Seat 1 loses: take 10000."


def test_value_and_legal_sets_are_answered():
    answers, status = ask(
        {"op": "value", "game": "pai_gow", "cards": ["66", "54"]},
        {"op": "legal_sets", "game": "pai_gow", "hand": ["66", "66", "11", "11"]},
        {"op": "describe", "game": "pai_gow", "id": "d"},
    )
    assert answers[0] == {"class": "wong", "key": [2, 0, 17], "text": "Teen wong"}
    assert answers[1] == {
        "sets": [
            {"low": ["11", "11"], "high": ["66", "66"]},
            {"low": ["66", "11"], "high": ["66", "11"]},
        ]
    }
    assert (answers[2]["id"], answers[2]["hand_size"], status) == ("d", 4, 0)


def test_a_rate_written_as_a_json_number_is_taken_exactly():
    request = json.dumps(SETTLE | {"options": {}}).replace(
        '"options": {}', '"options": {"commission_rate": 0.1}'
    )
    (answer,), status = ask(request.encode())
    assert "error" not in answer
    assert status == 0


@pytest.mark.parametrize(
    ("request_", "code", "pointer"),
    [
        (b"", "malformed", ""),
        (b"\xff\xfe\xff", "malformed", ""),
        (b"[" * 100_000, "malformed", ""),
        (b"[]", "malformed", ""),
        (b'{"op": NaN}', "malformed", ""),
        (b'{"op": "describe", "op": "settle"}', "malformed", ""),
        ({}, "missing_member", "/op"),
        ({"op": 1, "game": "pai_gow"}, "malformed", "/op"),
        ({"op": "deal", "game": "pai_gow"}, "unknown_op", "/op"),
        ({"op": "describe"}, "missing_member", "/game"),
        ({"op": "describe", "game": "baccarat"}, "unknown_game", "/game"),
        ({"op": "describe", "game": "paohuzi"}, "not_built", "/game"),
        ({"op": "start", "game": "pai_gow", "total": 9}, "not_built", "/op"),
        ({"op": "odds", "game": "pai_gow"}, "not_built", "/op"),
        ({"op": "legal", "game": "bao_huang", "seat": 1}, "not_built", "/op"),
        ({"op": "replay", "game": "paohuzi", "record": ""}, "not_built", "/op"),
        ({"op": "play", "game": "ban_sugoroku", "seed": 1}, "not_built", "/op"),
        (HOUSE_WAY | {"hands": []}, "unknown_member", "/hands"),
        (HOUSE_WAY | {"id": [1]}, "malformed", "/id"),
        (HOUSE_WAY | {"id": True}, "malformed", "/id"),
        (
            HOUSE_WAY | {"options": {"commission_rate": "1e-999999999"}},
            "option_value",
            "/options/commission_rate",
        ),
        (HOUSE_WAY | {"hand": [" 66", "61", "53", "41"]}, "unknown_token", "/hand/0"),
        (HOUSE_WAY | {"hand": ["66", "61", "53", "٤١"]}, "unknown_token", "/hand/3"),
        (json.dumps(HOUSE_WAY).encode("utf-16"), "malformed", ""),
        (b'{"id": ' + b"9" * 5_000 + b"}", "malformed", ""),
        (HOUSE_WAY | {"options": []}, "malformed", "/options"),
        (HOUSE_WAY | {"options": {"house_way": "vegas"}}, "option_value", "/options/house_way"),
        (HOUSE_WAY | {"hand": None}, "missing_member", "/hand"),
        (HOUSE_WAY | {"hand": "6661"}, "malformed", "/hand"),
        (HOUSE_WAY | {"hand": ["66", "61", "53", 41]}, "malformed", "/hand/3"),
        ({"op": "value", "game": "pai_gow"}, "missing_member", "/cards"),
        ({"op": "value", "game": "pai_gow", "cards": ["66"]}, "hand_size", "/cards"),
        ({"op": "settle", "game": "pai_gow"}, "missing_member", "/round"),
        ({"op": "settle", "game": "pai_gow", "round": []}, "malformed", "/round"),
    ],
    ids=lambda part: str(part)[:60],
)
def test_a_bad_line_is_refused_at_its_place(request_, code, pointer):
    (answer,), status = ask(request_)
    assert (answer["error"]["code"], answer["error"]["pointer"]) == (code, pointer)
    assert answer["error"]["detail"]
    assert status == 1


@pytest.mark.parametrize(
    ("line", "detail"),
    [
        (b'{"op": \n', "not JSON at column 8: Expecting value"),
        (b"\xff\xfe", "a line is written in UTF-8"),
        (b"[" * 100_000, "the line is nested too deeply"),
        (b'{"id": ' + b"9" * 5_000 + b"}", "a number has too many digits"),
    ],
    ids=["broken", "not-utf-8", "deep", "long-number"],
)
def test_what_is_no_line_of_json_is_told_in_a_sentence(line, detail):
    (answer,), _ = ask(line)
    assert answer["error"]["detail"] == detail


def test_the_worked_examples_of_the_house_way_are_answered_by_the_program():
    examples = [
        row
        for row in rows("rules/pai-gow.md", section="8.6", first_cell=r"W\d\d")
        if ("traditional" in row[2] or "all" in row[2]) and "free" not in row[2]
    ]
    asked = [
        {"op": "house_way", "game": "pai_gow", "id": row[0], "hand": row[1].split()}
        for row in examples
    ]
    done = call(given="\n".join(map(json.dumps, asked)).encode())
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) > 15
    assert [(each["id"], sorted(each["low"]), sorted(each["high"])) for each in answers] == [
        (row[0], sorted(row[3].split()), sorted(row[4].split())) for row in examples
    ]
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_refusal_quotes_no_more_than_a_person_reads():
    (answer,), _ = ask(HOUSE_WAY | {"hand": ["6" * 1_000_000, "61", "53", "41"]})
    assert len(answer["error"]["detail"]) < 120
    (answer,), _ = ask(HOUSE_WAY | {"options": {"wager_min": [HOUSE_WAY] * 1_000}})
    assert answer["error"]["detail"] == (
        "wager_min must be a whole number of minor units from 1 to 1000000000000000, not a list"
    )


def test_tiles_may_be_written_either_way_round_and_with_the_mark_of_their_copy():
    (answer,), status = ask(HOUSE_WAY | {"hand": ["66a", "16", "35b", "14"]})
    assert (answer["low"], answer["high"], status) == (["61", "41"], ["66", "53"], 0)


def test_a_refusal_carries_the_id_of_its_question():
    (answer,), _ = ask(HOUSE_WAY | {"id": "q7", "hand": []})
    assert (answer["id"], answer["error"]["code"]) == ("q7", "hand_size")


def test_each_line_is_answered_before_the_next_is_read():
    out = StringIO()
    read = 0

    def lines():
        nonlocal read
        for read in range(1, 51):
            # Nothing is held back, so a million lines need the memory of one.
            assert out.getvalue().count("\n") == read - 1
            yield json.dumps(HOUSE_WAY | {"id": read}).encode()

    assert run(lines(), out, pretty=False) == 0
    assert [json.loads(line)["id"] for line in out.getvalue().splitlines()] == [*range(1, 51)]
