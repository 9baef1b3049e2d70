"""The document of a study: everything that its researcher decides before the launch.

A document is kept and sent as JSON with every key said, so that it is the same after going out
and coming in. What an instrument holds, its kind of study says (`kinds`). Pure: no Django.
"""

import math
import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from typing import Any, Literal, TypeVar

import msgspec

from annotation.texts.sentences import Sentence

FORMAT: Literal["crowdwright-study-1"] = "crowdwright-study-1"
_NOT_KEPT = re.compile("[\x00\ud800-\udfff]")  # NUL, and half of a pair
T = TypeVar("T")
# Numbers of a document: whatever is made of a few of them is finite, and a seed is kept.
LARGEST = 2**63 - 1
MAX_TITLE_LENGTH = 400  # characters
MAX_TEXT_LENGTH = 50_000  # characters of any other text
MAX_BYTES = 4_000_000  # of a whole document
SMALLEST = Decimal("1e-9")  # that is not 0


class BadDocument(ValueError):
    """No document is like this; the message says where and why."""


class BadBank(BadDocument):
    """A file of many lines that a kind of study reads, and here cannot: no other kind has to."""


class Design(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`chosen_topics`: the keys of those that take part, all of the corpus where it is null.
    `topics`: how many of them are drawn, all where it is null. `one_page`: what several instruments
    ask of the same item stands on one page. `systems`: the keys of those whose texts are judged
    (`annotation.corpora.systems`), all of the corpus where it is null."""

    topics: int | None = None
    seed: int = 1
    one_page: bool = False
    systems: list[str] | None = None
    chosen_topics: list[str] | None = None


class Onboarding(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What newcomers to a writing study do first; `accepted` is all of it where it is null."""

    topics: int = 0
    writers: int = 10
    accepted: int | None = None


class Recruitment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How people come, and what they get for one task. `hourly_wage` is the target, `budget` what
    the study may cost with fees; null is no limit."""

    platform: Literal["link", "prolific", "upwork", "invitation"] = "link"
    pay: Decimal = Decimal(0)
    currency: str = "USD"
    hourly_wage: Decimal = Decimal(12)
    budget: Decimal | None = None
    tasks_per_worker: int = 1
    completion_code: str = ""
    no_consent_code: str = ""
    signed_links: bool = False
    late_work: Literal["if_free", "add_place"] = "if_free"

    @property
    def has_fees(self) -> bool:
        """As `Study.has_fees`."""
        return self.platform in ("prolific", "upwork")


class ScreeningAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    code: str
    label: str


class ScreeningQuestion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`right` is the code of the right answer."""

    key: str
    label: str
    options: list[ScreeningAnswer] = []
    right: str = ""


class Screening(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Questions before the work, of which `pass_mark` have to be answered rightly in one of the
    `attempts`: 1 for a screener, 2 for a comprehension check, which shows the instructions.

    `told` is what people read who do not pass, and `reward` what they get. `gives` and `requires`
    are names of qualifications: of what people get who pass, and of what they need to take part.
    """

    introduction: str = ""
    questions: list[ScreeningQuestion] = []
    pass_mark: int = 0
    attempts: int = 1
    told: str = ""
    reward: Decimal = Decimal(0)
    gives: str = ""
    requires: str = ""


class Policy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What becomes of work that a check has marked: a person looks at it, or it is rejected, paid
    or not. Nobody but a person decides unless it is `automatic`. `least`: of attention and gold
    items, how many have to be failed."""

    act: Literal["review", "reject", "pay_anyway"] = "review"
    automatic: bool = False
    least: int = 1


class Policies(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """For each check what becomes of the work that it marks."""

    attention: Policy = Policy()
    gold: Policy = Policy()
    fast: Policy = Policy()
    same: Policy = Policy()
    copied: Policy = Policy()


class Quality(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an instrument says of its time and its checks stands there; here only what is of the
    whole study."""

    time_limit_minutes: int = 120
    policies: Policies = Policies()


class Retention(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Through which day each sort of data is kept; null is without an end. Writers alone have
    logs."""

    platform_ids_until: date | None = None
    demographics_until: date | None = None
    logs_until: date | None = None


class Document(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`corpus` is its slug, `contact` stands in the consent text for who runs the study.

    `instruments` are whole instrument files, in the order in which they are asked: texts of the
    pages, consent, questions, forms, and the figures of each (items, quota, minutes, ...).
    """

    format: Literal["crowdwright-study-1"] = FORMAT
    kind: Literal["judging", "writing"]
    slug: str = ""
    title: str = ""
    language: str = "en"
    corpus: str = ""
    contact: str = ""
    instruments: list[dict[str, Any]] = []
    design: Design = Design()
    onboarding: Onboarding = Onboarding()
    recruitment: Recruitment = Recruitment()
    quality: Quality = Quality()
    screening: Screening = Screening()
    retention: Retention = Retention()


def typed(data: Any, as_type: type[T], *, where: str = "") -> T:
    """Plain data as one of our types. Raises BadDocument."""
    try:
        return msgspec.convert(data, as_type)
    except msgspec.ValidationError as error:
        raise BadDocument(f"{where}{error}") from error


def plain(value: Any) -> Any:
    """As JSON has it, every key said. Raises BadDocument for what no database or file keeps."""
    kind = type(value)
    if value is None or kind is bool or kind is int:  # most of what there is, with texts
        return value
    if kind is str and _keepable(value):
        return value
    if isinstance(value, msgspec.Struct):
        return {name: plain(getattr(value, name)) for name in value.__struct_fields__}
    if isinstance(value, dict):
        return {str(plain(key)): plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if isinstance(value, Decimal | date):
        value = str(value)
    if isinstance(value, float) and not math.isfinite(value):
        raise BadDocument(Sentence("A number is not finite."))
    if isinstance(value, str) and not _keepable(value):
        raise BadDocument(
            Sentence("A text has a character that cannot be kept (NUL, or half of one).")
        )
    return value


def require_short(value: Any, *, path: str = "") -> None:
    """Refuse plain data that has a text too long for a document. Raises BadDocument."""
    limit = MAX_TITLE_LENGTH if path == "title" else MAX_TEXT_LENGTH
    if isinstance(value, str) and len(value) > limit:
        raise BadDocument(
            Sentence(
                "This text has {length} characters. Use at most {limit}.",
                length=f"{len(value):,}",
                limit=f"{limit:,}",
            )
        )
    if isinstance(value, dict):
        for name, part in value.items():
            require_short(name)
            require_short(part, path=name if not path else f"{path}/{name}")
    if isinstance(value, list):
        for part in value:
            require_short(part, path=f"{path}/")


def require_small(document: Any) -> None:
    """Refuse a document in plain data that is too large to work with. Raises BadDocument."""
    if len(msgspec.json.encode(document)) > MAX_BYTES:
        raise BadDocument(
            Sentence(
                "A study may have {limit} MB at most, with all its texts.",
                limit=MAX_BYTES // 1_000_000,
            )
        )


def odd_numbers(value: Any) -> Iterator[Decimal]:
    """The numbers of typed data that nothing can be computed with: no new ones are taken, but a
    draft may have been kept with some."""
    if isinstance(value, msgspec.Struct):
        value = [getattr(value, name) for name in value.__struct_fields__]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for each in value:
            yield from odd_numbers(each)
    elif isinstance(value, int | float | Decimal):
        exact = Decimal(value)  # of some whole numbers no float can be made
        size = exact.copy_abs()
        if not exact.is_finite() or size > LARGEST or 0 < size < SMALLEST:
            yield exact


def _keepable(text: str) -> bool:
    return _NOT_KEPT.search(text) is None
