"""The only place that knows all apps."""

import os

from config import memory

memory.look_seldom()  # from the first of our own lines on, and all that they load

from config.celery import app as celery_app  # noqa: E402

__all__ = ["celery_app"]

# Said before numpy is loaded, which is later than this, in every process of ours: steps of analyses
# run side by side, and threads of linear algebra that wait for each other's cores take 25 times as
# long. Whoever has cores to spare sets them.
for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")
