"""How every process logs: one JSON object a line for machines, plain text at a terminal.

Tracebacks carry no local variables: they could hold a token or a PIN.
"""

from __future__ import annotations

import re
import sys
from collections.abc import MutableMapping
from typing import Any, Final

import structlog

ENROLMENT: Final = re.compile(r"(/tablet/enrol/)[^/?\s]+")
"""An address that makes whoever opens it a tablet of ours."""


def hide_enrolments(_logger: object, _method: str, line: MutableMapping[str, Any]) -> Any:
    """Leave out of a line the secret of an enrolment address (a structlog processor)."""
    for name, value in line.items():
        if isinstance(value, str) and "/tablet/enrol/" in value:
            line[name] = ENROLMENT.sub(r"\1***", value)
    return line


SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]
"""What is added to a line, whichever library wrote it."""


def logging_config(*, level: str = "INFO") -> dict[str, Any]:
    """Set structlog up and return Django's LOGGING."""
    structlog.configure(
        processors=[*SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": SHARED,
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    hide_enrolments,
                    *_rendering(),
                ],
            }
        },
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
        # It writes four lines for each wrong password; casino.staff writes the one that is read.
        "loggers": {"axes": {"level": "ERROR"}},
        "root": {"handlers": ["console"], "level": level},
    }


def _rendering() -> list[Any]:
    if sys.stderr.isatty():
        return [structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)]
    return [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
