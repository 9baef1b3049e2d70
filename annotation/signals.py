"""Signals of the platform, sent inside the transaction of the event.

The platform knows none of the study kinds; they listen.
"""

from django.dispatch import Signal

# assignment: is it complete? Its kind answers True or raises a Refusal; other kinds answer nothing.
submitting = Signal()
# study, only: the active time of its submissions, {id: studies.wages.Active}, or of those with the
# ids `only`; other kinds answer nothing.
active_times = Signal()
# studies: what waits for people there, {id: studies.waiting.Waiting}, at most one of each answerer
waiting = Signal()
# batch: why somebody should think before people are let into it as it is now, as sentences
confirming = Signal()
# draft, study, user, now: the draft was launched as this study
launched = Signal()
opened = Signal()  # batch: workers are let in, for the first time
deleting = Signal()  # of: a draft or corpus, which is about to be deleted
submitted = Signal()  # assignment: the worker handed it in
# assignments, of one person: what is kept of their content, as sentences for that person
kept = Signal()
# assignments: how much of each kind of data a withdrawal erases (keys of consenting.erasing.NAMES)
erasable = Signal()
# study, what ("logs"): erase it (annotation.fieldwork.consenting.erasing_study_data); how many
forgetting = Signal()
# responses: primary keys of texts whose words are about to be erased or deleted
erasing_texts = Signal()
left_team = Signal()  # team, user: somebody has no role there any more
screened_out = Signal()  # assignment: its worker answered the questions before it otherwise
withdrawn = Signal()  # assignment: erase what the worker answered
# assignments, decisions: on submitted work in one act, the decision of each; up to a thousand
all_decided = Signal()
# study, pools: who of these pools of raters answered, or what they said, is not what it was
raters_changed = Signal()
# opened(data, purpose, what): the text and whether it is sealed with the new key already. What a
# kind has sealed (annotation.encryption), it seals again; how many of what.
rekeying = Signal()
# assignments, worker: they are known as this worker's from now on; so is what they answered
set_apart = Signal()
# batch: somebody opened, paused, resumed, extended or closed it
batch_moved = Signal()
platform_called = Signal()  # outcome: a status, or "no answer"
batch_closed = Signal()  # batch: nobody can add to it any more
