"""Structured log lines on stderr: key=value for people or JSON, one shape for every library.

Whoever has a worker's address acts for the worker, and whoever has an invitation or a link for a
new password for a researcher, so no line has one, nor a platform's ids.
"""

import logging
import re
from typing import Any

import structlog

_shared: list[Any] = [
    structlog.contextvars.merge_contextvars,  # the id of the request
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.format_exc_info,
]

# Parameters of addresses that let somebody in or say who a person is: tokens, ids of platforms,
# completion codes, and what was searched for, which may be a name or an id.
PARAMETERS = "PROLIFIC_PID|SESSION_ID|prolific_token|person|admission|token|code|email|username|q"
SECRET = re.compile(
    rf"""(?P<before>(?:/|%2F)(?:w|invitations|new-password(?:/|%2F)[^/%]+)(?:/|%2F)"""
    rf"""|(?:[?&]|%3F|%26)(?:{PARAMETERS})(?:=|%3D))(?:(?!%26)[^/\s'"&?\\<>])+""",
    re.IGNORECASE,
)

MAX_CAUSE = 200  # characters
CHATTER = ("celery.beat", "celery.app.trace", "celery.worker.strategy")


def masked(line: str) -> str:
    """Return the line without tokens of addresses and platform ids."""
    return SECRET.sub(r"\g<before>***", line)


class MaskingFormatter(structlog.stdlib.ProcessorFormatter):
    """Masks the line as a whole: event, values and traceback, whoever logged it."""

    def format(self, record: logging.LogRecord) -> str:
        return masked(super().format(record))


class OutageFilter(logging.Filter):
    """Leaves a line of the traceback of a database that is away: there is one for each request."""

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        # Django's models are not needed to configure logging, which Django does before them.
        from annotation.outages import is_outage

        if is_outage(error):
            record.exc_info = record.exc_text = None
            cause = " ".join(str(error).split())[:MAX_CAUSE]
            record.msg, record.args = f"{record.getMessage().splitlines()[0]}: {cause}", ()
        return True


def logging_config(
    level: str, *, as_json: bool = False, mails_errors: bool = False
) -> dict[str, Any]:
    """Configure structlog and return Django's LOGGING dictionary for the same lines."""
    renderer: Any = structlog.processors.KeyValueRenderer(
        key_order=["timestamp", "level", "logger", "event"]
    )
    if as_json:
        renderer = structlog.processors.JSONRenderer(default=str, ensure_ascii=False)
    more = {}
    if mails_errors:
        more["mail"] = {
            "class": "config.error_reports.MailHandler",
            "level": "ERROR",
            "formatter": "line",
            "filters": ["outages"],
        }
    structlog.configure(
        processors=[*_shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    chatter = "DEBUG" if level == "DEBUG" else "WARNING"
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {
                "()": MaskingFormatter,
                "foreign_pre_chain": _shared,
                "processor": renderer,
            }
        },
        "filters": {"outages": {"()": OutageFilter}},
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "formatter": "line",
                "filters": ["outages"],
            },
            **more,
        },
        "root": {"handlers": ["stderr", *more], "level": level},
        "loggers": {
            "axes": {"level": "WARNING"},
            # Each beat and each job in a line: more than anybody reads.
            **{name: {"level": chatter} for name in CHATTER},
            # Its lines have whole addresses, with ids of submissions in them.
            "httpx": {"level": "WARNING"},
            # It warns that a filesystem broker has no host name.
            "kombu.connection": {"level": "ERROR"},
        },
    }
