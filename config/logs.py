"""Structured log lines on stderr: key=value for people, one shape for every library."""

from typing import Any

import structlog

_shared: list[Any] = [
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.format_exc_info,
]

CHATTER = ("celery.beat", "celery.app.trace", "celery.worker.strategy")


def logging_config(level: str) -> dict[str, Any]:
    """Configure structlog and return Django's LOGGING dictionary for the same lines."""
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
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": _shared,
                "processor": structlog.processors.KeyValueRenderer(
                    key_order=["timestamp", "level", "logger", "event"]
                ),
            }
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            "axes": {"level": "WARNING"},
            # Each beat and each job in a line: more than anybody reads.
            **{name: {"level": chatter} for name in CHATTER},
            # It warns that a filesystem broker has no host name.
            "kombu.connection": {"level": "ERROR"},
        },
    }
