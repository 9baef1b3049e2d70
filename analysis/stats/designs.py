"""What a design must have before a number is read as a result, said in one place."""

LEAST_WORKERS = 10  # with fewer no interval over workers reaches its coverage
LEAST_WORKERS_OF_POSITION = 5
LEAST_UNITS = 10  # items or topics; benchmarks/coverage.py measures both


def few_clusters(what: str, *, units: int, workers: int) -> str:
    """Why no interval over workers and units is offered; empty where one is."""
    lacking = [
        f"{least} {name} and there are {number}"
        for name, number, least in (
            ("workers", workers, LEAST_WORKERS),
            ("items or topics", units, LEAST_UNITS),
        )
        if number < least
    ]
    if not lacking:
        return ""
    return f"No interval of {what} is offered because it takes {', and '.join(lacking)}."


def few_workers(what: str, workers: int) -> str:
    """Why no interval over workers is offered; empty where one is."""
    if workers >= LEAST_WORKERS_OF_POSITION:
        return ""
    return (
        f"No interval of {what} is offered because it takes "
        f"{LEAST_WORKERS_OF_POSITION} workers and there are {workers}."
    )
