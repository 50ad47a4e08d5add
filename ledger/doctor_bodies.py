"""Whether functions and triggers of the database are still what the migrations made of them.

A guard whose body was replaced has its name, its trigger and its rights, and guards nothing. What
the migrations made is read out of their own SQL, in their order, as the database was told it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations import RunSQL

STATEMENTS: Final = re.compile(
    r"""
    --[^\n]*
    | \bCREATE\ (?:OR\ REPLACE\ )?FUNCTION\ (?P<function>\w+)\s*\((?P<arguments>.*?)\)
      (?P<header>\s+(?:RETURNS|LANGUAGE)\b.*?)\sAS\ \$\$(?P<body>.*?)\$\$
    | \bDO\ \$\$.*?\$\$
    | \bDROP\ FUNCTION\ (?P<gone_functions>[^;]+);?
    | \bCREATE\ (?:CONSTRAINT\ )?TRIGGER\ (?P<trigger>\w+)\s+(?P<when>BEFORE|AFTER)\s+
      (?P<events>.*?)\s+ON\ (?P<table>\w+)(?P<rest>.*?)EXECUTE\ FUNCTION\ (?P<calls>\w+)\(\)
    | \bDROP\ TRIGGER\ (?P<gone_trigger>\w+)\ ON\ (?P<gone_table>\w+)
    """,
    re.VERBOSE | re.DOTALL,
)
SETTING: Final = re.compile(
    r"\bSET (\w+) = (.+?)(?=\s+(?:SET|LANGUAGE|SECURITY|STABLE|VOLATILE|IMMUTABLE)\b|\s*\Z)",
    re.DOTALL,
)
WRITTEN_SHORT: Final[Mapping[str, str]] = {
    "timestamptz": "timestamp with time zone",
    "timestamptz[]": "timestamp with time zone[]",
    "int": "integer",
}
"""The names of types that the catalogue writes in full."""

BITS: Final[Mapping[str, int]] = {"INSERT": 4, "DELETE": 8, "UPDATE": 16, "TRUNCATE": 32}
"""What a trigger fires at, as `pg_trigger.tgtype` writes it; 1: for each row, 2: before."""

# What came with an extension is its own; what is called by no path is nobody's.
FUNCTIONS: Final = """
SELECT CASE WHEN pronamespace = current_schema()::regnamespace THEN proname
            ELSE pronamespace::regnamespace || '.' || proname END,
       oidvectortypes(proargtypes), prosrc, lanname, prosecdef, provolatile,
       coalesce(proconfig, '{}')
FROM pg_proc JOIN pg_language ON pg_language.oid = prolang
WHERE (pronamespace = current_schema()::regnamespace OR proname LIKE 'ledger\\_%')
  AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_proc'::regclass
                  AND objid = pg_proc.oid AND deptype = 'e')
ORDER BY 1, 2
"""
TRIGGERS: Final = """
SELECT relname, tgname, proname, tgtype, tgqual IS NOT NULL, cardinality(tgattr::smallint[])
FROM pg_trigger
JOIN pg_class ON pg_class.oid = tgrelid
JOIN pg_proc ON pg_proc.oid = tgfoid
WHERE relnamespace = current_schema()::regnamespace AND NOT tgisinternal
ORDER BY 1, 2
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Function:
    """What a function does, and as whom."""

    body: str
    language: str
    is_definer: bool
    volatility: str
    """`v`, `s` or `i`, as the catalogue writes it."""
    settings: frozenset[str]

    def differs_from(self, other: Function) -> list[str]:
        """Return in words what is not the same."""
        parts = {
            "body": self.body != other.body,
            "language": self.language != other.language,
            "owner's rights": self.is_definer != other.is_definer,
            "volatility": self.volatility != other.volatility,
            "settings": self.settings != other.settings,
        }
        return [word for word, differs in parts.items() if differs]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trigger:
    """What a trigger calls, and when."""

    calls: str
    kind: int
    """As `pg_trigger.tgtype`."""
    has_condition: bool
    columns: int
    """It watches so many; 0 for all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """What the migrations left in the database."""

    functions: Mapping[tuple[str, str], Function]
    """By name and types of what is handed over: `("web_frozen", "")`."""
    triggers: Mapping[tuple[str, str], Trigger]
    """By table and name."""


def altered() -> Iterator[str]:
    """Yield, in sentences, every function and trigger that is not what the migrations made."""
    wanted = made()
    yield from _altered_functions(wanted.functions)
    yield from _altered_triggers(wanted.triggers)


@cache
def made() -> Made:
    """Return what the migrations of this release make, were they run on an empty database."""
    return read("\n".join(_statements()))


def read(sql: str) -> Made:
    """Return what functions and triggers are left once *sql* has run."""
    functions: dict[tuple[str, str], Function] = {}
    triggers: dict[tuple[str, str], Trigger] = {}
    for found in STATEMENTS.finditer(sql):
        if name := found["function"]:
            functions[name, _types(found["arguments"])] = _function(found)
        elif found["gone_functions"]:
            gone = {each.split("(")[0].strip() for each in found["gone_functions"].split(",")}
            for key in [key for key in functions if key[0] in gone]:
                del functions[key]
        elif name := found["trigger"]:
            triggers[found["table"], name] = _trigger(found)
        elif name := found["gone_trigger"]:
            triggers.pop((found["gone_table"], name), None)
    return Made(functions=functions, triggers=triggers)


def _altered_functions(wanted: Mapping[tuple[str, str], Function]) -> Iterator[str]:
    standing = {
        (name, types): Function(
            body=body,
            language=language,
            is_definer=is_definer,
            volatility=volatility,
            settings=frozenset(settings),
        )
        for name, types, body, language, is_definer, volatility, settings in _rows(FUNCTIONS)
    }
    for key in sorted(wanted.keys() - standing.keys()):
        yield f"function {key[0]} is missing"
    for key, function in standing.items():
        if key not in wanted:
            # What a site adds beside the books is its own affair.
            if "ledger_" in key[0]:
                yield f"function {key[0]}({key[1]}) is none that the migrations made"
        elif parts := function.differs_from(wanted[key]):
            yield f"function {key[0]} is not what the migrations made: its {', its '.join(parts)}"


def _altered_triggers(wanted: Mapping[tuple[str, str], Trigger]) -> Iterator[str]:
    for table, name, calls, kind, has_condition, columns in _rows(TRIGGERS):
        trigger = Trigger(calls=calls, kind=kind, has_condition=has_condition, columns=columns)
        made_so = wanted.get((table, name))
        if made_so is None:
            if table.startswith("ledger_"):
                yield f"trigger {name} on {table} is none that the migrations made"
        elif trigger != made_so:
            yield f"trigger {name} on {table} is not what the migrations made"


def _rows(statement: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return list(cursor.fetchall())


def _statements() -> Iterator[str]:
    graph = MigrationLoader(None).graph
    seen = set()
    for leaf in sorted(graph.leaf_nodes()):
        for node in graph.forwards_plan(leaf):
            if node in seen:
                continue
            seen.add(node)
            for operation in graph.nodes[node].operations:
                if isinstance(operation, RunSQL) and isinstance(operation.sql, str):
                    yield f"{operation.sql};"


def _function(found: re.Match[str]) -> Function:
    header = re.sub(r"--[^\n]*", "", found["header"])
    language = re.search(r"\bLANGUAGE (\w+)", header)
    volatility = re.search(r"\b(VOLATILE|STABLE|IMMUTABLE)\b", header)
    return Function(
        body=found["body"],
        language=language[1] if language else "",
        is_definer="SECURITY DEFINER" in header,
        volatility=(volatility[1] if volatility else "VOLATILE")[0].lower(),
        settings=frozenset(f"{name}={value}" for name, value in SETTING.findall(header)),
    )


def _types(arguments: str) -> str:
    types = []
    for argument in arguments.split(","):
        words = argument.split()
        if words and words[0] != "OUT":
            _name, *written = words
            types.append(WRITTEN_SHORT.get(written[0], " ".join(written)))
    return ", ".join(types)


def _trigger(found: re.Match[str]) -> Trigger:
    events, _, columns = found["events"].partition(" OF ")
    rest = found["rest"]
    kind = sum(BITS[event] for event in events.split(" OR "))
    return Trigger(
        calls=found["calls"],
        kind=kind + ("FOR EACH ROW" in rest) + 2 * (found["when"] == "BEFORE"),
        has_condition=re.search(r"\bWHEN \(", rest) is not None,
        columns=len(columns.split(",")) if columns else 0,
    )
