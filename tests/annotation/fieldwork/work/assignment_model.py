"""What should happen to assignments, in plain Python: the model of the assignment machine."""

from dataclasses import dataclass, field

from tests.annotation.fieldwork.work import invariants

LIMIT = 60  # minutes
REDO_TERM = 3 * 24 * 60
HOLD = 15  # minutes, before the first answer


@dataclass
class Work:
    """An assignment as the model knows it."""

    person: str
    task: int
    expires: int
    state: str = "arrived"
    begun: bool = False
    worked: bool = False
    decision: str = ""
    answers: dict[int, str] = field(default_factory=dict)

    @property
    def live(self):
        return self.state in ("arrived", "active")


@dataclass
class Model:
    """What should happen. Methods return what the worker gets: a state, or a refusal's name."""

    quota: int
    cap: int
    units: dict[int, set[str]]  # per task
    needed: int = 0  # tasks of the onboarding to be accepted
    first: set[int] = field(default_factory=set)  # the tasks of the onboarding
    now: int = 0
    open: bool = True  # the batch that is not of the onboarding, which stays open
    works: list[Work] = field(default_factory=list)

    def of(self, person):
        return [work for work in self.works if work.person == person]

    def has_place(self, task):
        held = [w for w in self.works if w.task == task and w.state in invariants.HOLDING]
        return len(held) < self.quota

    def counted(self, person):
        mine = [work for work in self.of(person) if work.task not in self.first]
        return len([work for work in mine if work.state not in ("returned", "expired")])

    def arrive(self, person):
        """Return the work the person gets, or the name of the refusal."""
        mine = self.of(person)
        if live := [work for work in mine if work.live]:
            return live[0]
        if not self.open and not self.needed:
            return "StudyNotOpen"
        if any(work.state == "withdrawn" for work in mine):
            return "ConsentWithdrawn"
        refusal, tasks, late = self.turn(person)
        if refusal:
            return refusal
        late = [work for work in late if self.has_place(work.task)]
        return self._go_on(late[-1]) if late else self._take(person, tasks)

    def turn(self, person):
        """Return a refusal's name, the tasks that are the person's turn, and their late work."""
        mine = self.of(person)
        met = set().union(*[self.units[work.task] for work in mine])
        unmet = {task for task in self.units if not self.units[task] & met}
        late = [work for work in mine if work.state == "expired"]
        if self.accepted(person) < self.needed:
            first = [work for work in late if work.task in self.first]
            return self._onboarding(person, unmet & self.first, first)
        if self.counted(person) >= self.cap:
            return "CapReached", set(), []
        if self.needed and not self.open:
            return "NothingOpenYet", set(), []
        late = [work for work in late if self.open and work.task not in self.first]
        return "", unmet - self.first, late

    def accepted(self, person):
        return len([w for w in self.of(person) if w.task in self.first and w.state == "accepted"])

    def _onboarding(self, person, tasks, late):
        mine = [work for work in self.of(person) if work.task in self.first]
        good = len([work for work in mine if work.state in ("submitted", "accepted")])
        if good >= self.needed:
            return "BeingRead", set(), []
        if good + len(late) + self._at_most(tasks) < self.needed:
            return "OnboardingOver", set(), []
        if not any(work.state in (*invariants.HOLDING, "rejected") for work in mine):
            tasks = {task for task in tasks if self._spare(task, person)}
            late = [work for work in late if self._spare(work.task, person)]
            if len(late) + self._at_most(tasks) < self.needed:
                return "NoTaskLeft", set(), []
        return "", tasks, late

    def _at_most(self, tasks):
        return min(len(tasks), len(set().union(*[self.units[task] for task in tasks])))

    def _spare(self, task, person):
        """Whether there is a place beside those for the others who are on their way."""
        places = self.quota - len(
            [w for w in self.works if w.task == task and w.state in invariants.HOLDING]
        )
        others = {work.person for work in self.works} - {person}
        return places > len([other for other in others if self._needs(other, task)])

    def _needs(self, person, task):
        been = [w for w in self.of(person) if w.task in self.first and w.state != "expired"]
        good = [work for work in been if work.state in invariants.HOLDING]
        begun = good or any(work.state == "rejected" for work in been)
        reach = len(good) + len(self.first) - len(been)
        on_the_way = begun and self.accepted(person) < self.needed <= reach
        return bool(on_the_way) and task not in {work.task for work in been}

    def _take(self, person, tasks):
        free = [task for task in sorted(tasks) if self.has_place(task)]
        if not free:
            return "NoTaskLeft" if tasks else "NothingNew"
        self.works.append(Work(person, free[0], self.now + HOLD))
        return self.works[-1]

    def _go_on(self, work):
        work.state = "active" if work.begun else "arrived"
        work.expires = self.now + (LIMIT if work.worked else HOLD)
        return work

    def revive(self, work):
        if work.live:
            return work.state
        others = any(other.live for other in self.of(work.person))
        if work.state != "expired" or others or not self.has_place(work.task):
            return "NotLive"
        if work not in self.turn(work.person)[2]:
            return "NotLive"
        return self._go_on(work).state

    def move(self, work, sources, target, allowed=()):
        if work.state in sources:
            work.state = target
        elif work.state not in (target, *allowed):
            return "NotLive"
        return work.state

    def begin(self, work):
        work.begun |= work.state == "arrived"
        return self.move(work, ["arrived"], "active")

    def save(self, work, position, raw):
        if work.state != "active":
            return "NotLive"
        work.answers[position] = raw
        if not work.worked:
            work.worked, work.expires = True, self.now + LIMIT
        return work.state

    def submit(self, work):
        if work.state == "active" and len(work.answers) < len(self.units[work.task]):
            return "Incomplete"
        closes = work.state == "active" and work.task not in self.first
        outcome = self.move(work, ["active"], "submitted", ["accepted"])
        done = [w for w in self.works if w.state in ("submitted", "accepted")]
        done = [w for w in done if w.task not in self.first]
        if closes and len(done) == self.quota * len(self.units.keys() - self.first):
            self.open = False
        return outcome

    def decide(self, work, decision):
        others = any(other.live for other in self.of(work.person))
        place = work.state != "rejected" or self.has_place(work.task)
        possible = {
            "accept": work.state in ("submitted", "accepted", "rejected") and place,
            "reject": work.state in ("submitted", "accepted", "rejected"),
            "reject_but_pay": work.state in ("submitted", "accepted", "rejected"),
            "redo": work.state == "submitted" and not others,
        }[decision]
        if not possible or (work.state != "submitted" and work.decision == decision):
            return "CannotReview"
        work.decision = decision
        work.state = {"accept": "accepted", "redo": "active"}.get(decision, "rejected")
        if decision == "redo":
            work.expires = self.now + REDO_TERM
        return work.state

    def withdraw(self, work):
        for each in self.of(work.person):
            each.state, each.answers = "withdrawn", {}
        return "withdrawn"

    def expire(self):
        due = [work for work in self.works if work.live and work.expires <= self.now]
        for work in due:
            # A redo waits for its reviewer again, who may ask for another one.
            work.state = "submitted" if work.decision == "redo" else "expired"
            work.decision = "" if work.decision == "redo" else work.decision
        return len(due)
