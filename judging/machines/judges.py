"""Machine judges as askers: their calls are about items of a study."""

from annotation.clock import database_now
from judging.calls.askers import AskerKind
from judging.machines import preparing, recording
from judging.machines.answers import Reader
from judging.models import MachineCall, MachineJudge

JUDGES = AskerKind(
    askers=MachineJudge,
    calls=MachineCall,
    related=("study__team", "prompt", "rater"),
    shows="item",
    missing=preparing.count_missing,
    prepare=lambda judge, go_on: preparing.prepare(judge=judge, go_on=go_on),
    reader=Reader,
    take=lambda judge: recording.take_answers(judge=judge, now=database_now()),
)
