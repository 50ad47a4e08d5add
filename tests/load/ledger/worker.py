"""One client of one contestant: a process that keeps its connection warm and does what it is told.

It reads one JSON object a line, `{"do": name, ...}`, and answers with one line each. Contestants
live in environments of their own, so this module knows the standard library alone.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

Act = Callable[[], int]
"""One transaction; answers how many entries (or reads) it did."""


def serve(ways: Mapping[str, Callable[..., Act]], tasks: Mapping[str, Callable[..., Any]]) -> None:
    """Answer the driver until it hangs up.

    Args:
        ways: by name, what makes an act from the options of a run.
        tasks: by name, what else can be asked for; called with the line's other fields.
    """
    answers = sys.stdout
    sys.stdout = sys.stderr  # whatever a library prints is no answer

    def say(answer: Any) -> None:
        answers.write(json.dumps(answer) + "\n")
        answers.flush()

    for line in sys.stdin:
        given = json.loads(line)
        name = given.pop("do")
        if name == "run":
            act = prepared(ways[given["way"]], **given["options"])
            say("ready")  # what was prepared is not measured
            say(run(act, **json.loads(sys.stdin.readline())))
        else:
            say(tasks[name](**given))


def prepared(way: Callable[..., Act], *, warm: bool = True, **options: Any) -> Act:
    """Return the act, done once already unless that would leave nothing to measure."""
    act = way(**options)
    if warm:
        act()
    return act


def run(act: Act, *, start: float, seconds: float) -> dict[str, float]:
    """Repeat an act from *start* (the system's monotonic clock, in seconds) for *seconds*.

    It ends early when the act finds nothing to do.
    """
    time.sleep(max(0.0, start - time.monotonic()))
    done, cpu, began = 0, time.process_time(), time.monotonic()
    end = start + seconds
    while time.monotonic() < end:
        if not (more := act()):
            break
        done += more
    return {"done": done, "cpu": time.process_time() - cpu, "span": time.monotonic() - began}
