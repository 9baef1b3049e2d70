"""Raw records of analyses."""

from analysis import models
from annotation.console.records import show

show(models.AnalysisRun, "study", "state", "version", "seed", "created_at", "finished_at")
show(models.AnalysisStep, "run", "analysis", "question", "state", "attempts", "error")
show(models.Result, "step", "missing")
