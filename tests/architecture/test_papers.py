"""What the papers promise holds: links lead somewhere, examples run, names are the code's."""

from __future__ import annotations

import json
import re
import shlex

import pytest
from django.conf import settings
from django.urls import Resolver404, resolve

from casino.settings import env
from rules.__main__ import respond
from rules.registry import GAMES, game
from tables.demo import house
from tests.architecture.papers import PAPERS, ROOT, anchor_of, blocks, headings, name_of, prose

LINK = re.compile(r"\]\(([^)\s]+)\)")
ADDRESS = re.compile(r"/api/v1/[\w./:{}$-]*")
each_paper = pytest.mark.parametrize("paper", PAPERS, ids=name_of)


@each_paper
def test_links_lead_somewhere(paper):
    for link in LINK.findall(prose(paper)):
        if re.match(r"https?:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (paper.parent / path).resolve() if path else paper
        assert target.is_relative_to(ROOT), f"{link} leads out of the project"
        assert target.exists(), f"{link} leads nowhere"
        if anchor:
            assert anchor in {anchor_of(text) for _, text in headings(target)}, link


@each_paper
def test_json_blocks_are_json(paper):
    for block in blocks(paper, "json"):
        decoder, rest = json.JSONDecoder(), block.strip()
        while rest:
            _, end = decoder.raw_decode(rest)
            rest = rest[end:].strip()


@each_paper
def test_questions_to_the_rules_are_answered(paper):
    for block in blocks(paper, "sh"):
        for line in re.findall(r"^echo ('\{.*?\}')", block, re.MULTILINE | re.DOTALL):
            (question,) = shlex.split(line)
            assert "error" not in respond(question.encode()), question


def test_the_readme_asks_the_rules_something():
    asked = [block for block in blocks(ROOT / "README.md", "sh") if "-m rules" in block]
    assert len(asked) == 2


@pytest.mark.parametrize("name", ["README.md", "docs/api.md"])
def test_addresses_of_the_examples_are_served(name):
    found = {
        address
        for block in blocks(ROOT / name, "sh")
        for address in ADDRESS.findall(block)
        if address != "/api/v1/"
    }
    assert found
    for address in found:
        try:
            resolve(address.replace("$SESSION", "ses_1"))
        except Resolver404:
            pytest.fail(f"{address} is not served")


def test_the_round_of_the_guide_settles_as_it_says():
    guide = ROOT / "docs" / "api.md"
    (written,) = re.findall(
        r"^cat > round\.json <<END\n(.*?)^END",
        "".join(blocks(guide, "sh")),
        re.DOTALL | re.MULTILINE,
    )
    sent = json.loads(re.sub(r"\$\(.*?\)|\$SESSION", "", written))
    said = next(
        shown
        for block in blocks(guide, "json")
        if "transfers" in (shown := json.loads(block)).get("result", {})
    )

    settled = (
        game("pai_gow")
        .settle(options=game("pai_gow").options.resolve({}), round=sent["round"])
        .as_dict()
    )

    assert settled["transfers"] == said["result"]["transfers"]
    assert settled["steps"][-1:] == said["result"]["steps"]
    for shown, seat in zip(said["result"]["seats"], settled["seats"], strict=True):
        assert shown.items() <= seat.items()


@pytest.mark.parametrize("name", GAMES)
def test_every_option_of_a_game_is_on_the_page_of_options(name):
    page = (ROOT / "docs" / "options.md").read_text(encoding="utf-8")
    for option, described in game(name).describe()["options"].items():
        for word in (option, *described["aliases"]):
            assert f"`{word}`" in page, f"{name}: {word}"
    for option in game(name).options.unbuilt:
        assert f"`{option}`" in page, f"{name}: {option}"


def test_every_variable_of_the_environment_is_in_the_runbook():
    page = (ROOT / "docs" / "runbook.md").read_text(encoding="utf-8")
    source = (ROOT / "casino" / "settings" / "env.py").read_text(encoding="utf-8")
    read = set(re.findall(r'"([A-Z][A-Z_]{3,})"', source))
    assert {"DATABASE_URL", "SECRET_KEY"} <= read
    assert env.Environment.read.__doc__
    for variable in read:
        assert f"`{variable}`" in page, variable


def test_the_logins_of_the_readme_are_the_demos():
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    pins = dict(re.findall(r"\*\*([A-Z]{2}-\d{3})\*\*(?: with|,) PIN \*\*(\d{4})\*\*", page))
    passwords = dict(re.findall(r"\*\*([A-Z]{2}-\d{3})\*\* with password \*\*([\w-]+)\*\*", page))
    staff = {person.number: person for person in house.STAFF}

    assert pins == {number: staff[number].pin for number in ("DL-210", "DL-214", "FS-031")}
    assert passwords == {"PB-004": staff["PB-004"].password}
    assert f"-u {house.API_CLIENT}:{house.API_SECRET} " in page


def test_the_guide_names_every_scope():
    named = re.findall(r"`(\w+:(?:read|write))`", prose(ROOT / "docs" / "api.md"))
    assert set(named) == set(settings.OAUTH2_PROVIDER["SCOPES"])


def test_decisions_are_numbered_and_listed():
    decisions = sorted((ROOT / "docs" / "adr").glob("[0-9]*.md"))
    index = (ROOT / "docs" / "adr" / "README.md").read_text(encoding="utf-8")
    for decision in decisions:
        number = int(decision.name[:4])
        _, title = headings(decision)[0]
        assert re.match(rf"{number}\. [A-Z]", title), f"{decision.name} is titled {title!r}"
        line = f"| {number} | [{title.partition('. ')[2]}]({decision.name}) |"
        assert line in index, f"the index lacks {line}"
