"""A study by program alone: from its draft to its export; and what the description says of it."""

import gzip
import json

import pytest
from django.test import Client
from django.utils import timezone

from annotation.models import Corpus, Study
from annotation.people.access import making_keys
from annotation.studies.consent_texts import KNOWN_BY, PLATFORM
from judging.instruments.files import load
from tests.annotation.studies.drafts.drafted import judging_document
from tests.cast import begun, bob, handed_in, rita, small_corpus, small_study
from tests.config.addresses import addresses

pytestmark = pytest.mark.django_db


class Program:
    """What a notebook does: JSON in, JSON out."""

    def __init__(self) -> None:
        _, secret = making_keys.make_key(
            user=rita(), name="Notebook", scopes=making_keys.SCOPES, now=timezone.now()
        )
        self.client = Client(headers={"authorization": f"Bearer {secret}"})

    def get(self, path: str, said: int = 200):
        answer = self.client.get(f"/api/{path}")
        assert answer.status_code == said, answer.text
        return answer.json()

    def post(self, path: str, data: object = None, said: int = 200):
        answer = self.client.post(
            f"/api/{path}", json.dumps(data or {}), content_type="application/json"
        )
        assert answer.status_code == said, answer.text
        return answer.json()


def test_a_study_from_its_draft_to_its_export():
    program = Program()
    judging_document()  # brings the corpus
    corpus = program.get(f"corpora/{Corpus.objects.get().slug}/")
    assert corpus["responses"] == Corpus.objects.get().responses.count()
    assert "crowdrag-pairwise" in program.get("methods/")["judging"]
    wanted = {"instruments": ["crowdrag-pairwise"], "corpus": corpus["slug"], "title": "By program"}
    draft = program.post("drafts/", wanted, 201)
    assert "contact" in [fault["path"] for fault in draft["faults"]]
    refused = program.post(f"drafts/{draft['id']}/launch/", {"revision": draft["revision"]}, 409)
    assert "contact" in [fault["path"] for fault in refused["faults"]]
    share = "instruments/crowdrag-pairwise/defaults/reversed_share"
    changes = [{"path": "contact", "value": "Rita"}, {"path": share, "value": 0.0}]
    seen = {"revision": draft["revision"], "changes": changes}
    changed = program.post(f"drafts/{draft['id']}/changes/", seen)
    assert changed["faults"] == []
    assert changed["document"]["contact"] == "Rita"
    study = program.post(f"drafts/{draft['id']}/launch/", {"revision": changed["revision"]}, 201)
    program.post(f"drafts/{draft['id']}/launch/", {"revision": changed["revision"]}, 409)
    launched = Study.objects.get(slug=study["slug"])
    handed_in(begun(launched, bob()))
    at = f"studies/{study['slug']}/{study['version']}/"
    assert program.get(at)["funnel"]["submitted"] == 1
    program.post(f"{at}batches/1/close/")
    program.post(f"{at}batches/1/close/", said=409)
    assert program.get(at)["study"]["places"][0]["state"] == "closed"
    assert "votes.csv" in program.get(f"{at}exports/")
    program.post(f"{at}runs/", {"pool": "nobody"}, 400)
    program.post(f"{at}runs/", said=202)
    file = program.client.get(f"/api/{at}exports/responses.jsonl.gz")
    rows = [json.loads(line) for line in gzip.decompress(file.getvalue()).splitlines()]
    assert len(rows) == corpus["responses"]


def test_a_draft_begins_in_the_language_that_is_asked_for():
    wanted = {"instruments": ["nuggets"], "title": "Lampen", "language": "de"}
    program = Program()
    document = program.post("drafts/", wanted, 201)["document"]
    assert document["language"] == "de"
    assert document["instruments"][0]["title"] == load("nuggets", "de").title
    program.post("drafts/", wanted | {"language": "xx"}, 400)


def test_two_programs_that_change_the_same_place_are_told():
    program = Program()
    judging_document()
    draft = program.post("drafts/", {"instruments": ["crowdrag-pairwise"]}, 201)
    at = f"drafts/{draft['id']}/changes/"

    def change(path: str, value: object, said: int = 200):
        changes = [{"path": path, "value": value}]
        return program.post(at, {"revision": draft["revision"], "changes": changes}, said)

    change("title", "Mine")
    change("contact", "Rita")  # another place: both stay
    refused = change("title", "Theirs", 409)
    assert refused["faults"][0]["path"] == "title"
    change("nowhere", "x", 400)
    document = program.get(f"drafts/{draft['id']}/")["document"]
    assert (document["title"], document["contact"]) == ("Mine", "Rita")


def test_a_program_names_the_systems_that_take_part():
    corpus = small_corpus(responses=3)
    for letter, key in zip("ab", ("ash", "birch"), strict=True):
        system = corpus.systems.create(key=key, name=key)
        corpus.responses.filter(key__endswith=letter).update(system=system)
    program = Program()
    methods = {"instruments": ["direct-quality"], "corpus": corpus.slug, "title": "Lamps"}
    draft = program.post("drafts/", methods, 201)
    assert draft["document"]["design"]["systems"] is None

    def name(revision, systems):
        changes = [{"path": "design/systems", "value": systems}]
        seen = {"revision": revision, "changes": changes}
        said = program.post(f"drafts/{draft['id']}/changes/", seen)
        assert said["document"]["design"]["systems"] == systems
        return {fault["path"] for fault in said["faults"] if fault["path"].startswith("design")}

    assert name(0, ["ash", "elm"]) == {"design/systems/elm"}
    assert name(1, []) == {"design/systems"}
    assert name(2, ["ash", "birch"]) == set()


def test_what_people_read_follows_the_way_they_come_by_program_too():
    program = Program()
    judging_document()
    draft = program.post("drafts/", {"instruments": ["crowdrag-pairwise"]}, 201)

    def consent_by(platform: object, said: int = 200) -> str:
        seen = {"revision": draft["revision"], "changes": []}
        seen["changes"] = [{"path": "recruitment/platform", "value": platform}]
        program.post(f"drafts/{draft['id']}/changes/", seen, said)
        draft.update(program.get(f"drafts/{draft['id']}/"))
        return str(draft["document"]["instruments"][0]["consent"])

    assert KNOWN_BY["en"][PLATFORM] in consent_by("prolific")
    assert KNOWN_BY["en"]["link"] in consent_by("link")
    for odd in ([], {}, 7, "nowhere"):
        assert KNOWN_BY["en"]["link"] in consent_by(odd, 400)


def test_figures_of_an_act_stand_in_the_address_of_what_it_would_do():
    program, study = Program(), small_study(quota=2)
    at = f"studies/{study.slug}/{study.version}/batches/1/extend/"
    one, two = program.get(at), program.get(f"{at}?votes=2")
    assert two["places"] - one["places"] == study.batches.get().tasks.count()
    assert program.get(f"{at}?votes=many", 400)["votes"]


@pytest.mark.parametrize(
    "sent",
    [{"document": {"kind": "singing"}}, {"document": 5}, {"instruments": ["nothing"]}, {"kind": 3}],
)
def test_no_draft_is_made_of_nonsense(sent):
    assert Program().post("drafts/", sent, 400)


def test_the_document_of_a_study_goes_out_and_in_unchanged():
    program = Program()
    judging_document()
    first = program.post("drafts/", {"instruments": ["best-worst"], "title": "One"}, 201)
    second = program.post("drafts/", {"document": first["document"]}, 201)
    assert second["document"] == first["document"]


def test_every_address_of_the_api_is_described():
    described = Program().get("schema/")["paths"]
    chosen_paths = [path for path, _ in addresses() if path.startswith("api/")]
    wanted = {
        "/"
        + path.replace("<slug:", "{").replace("<int:", "{").replace("<str:", "{").replace(">", "}")
        for path in chosen_paths
    }
    assert wanted == {*described, "/api/schema/"}
    for path, methods in described.items():
        for method, said in methods.items():
            assert said["operationId"], (method, path)
            assert said["description"], (method, path)
            assert {"key": []} in said["security"], (method, path)
