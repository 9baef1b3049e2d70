"""The description is valid, and a client generated from it runs a study from files to results."""

import gzip
import io
import json
import zipfile

import pytest
from django.utils.translation import override
from drf_spectacular.generators import SchemaGenerator
from openapi_spec_validator import validate

from annotation.corpora.uploads import checking
from annotation.models import Study
from tests.analysis.conftest import few_analyses as few_analyses
from tests.analysis.exports.exported import analysed
from tests.annotation.console.api.generated import Generated, NotDescribed
from tests.annotation.console.api.test_studies_by_program import Program
from tests.annotation.corpora.small_corpora import as_jsonl
from tests.annotation.corpora.uploads.conftest import uploads_dir as uploads_dir
from tests.cast import alice, begun, bob, handed_in

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def description():
    with override("en"):
        made = SchemaGenerator().get_schema(public=True)
    return json.loads(json.dumps(made))


@pytest.fixture
def client(description):
    return Generated(description, Program().client)


def schemas_in(part):
    """Every schema of the description, wherever it is."""
    if isinstance(part, dict):
        yield part
        for each in part.values():
            yield from schemas_in(each)
    elif isinstance(part, list):
        for each in part:
            yield from schemas_in(each)


def operations(description):
    for path, methods in description["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def test_the_description_is_valid(description):
    validate(description)


def test_every_default_is_among_the_values(description):
    components = description["components"]["schemas"]

    def values(schema):
        parts = [schema, *schema.get("oneOf", ()), *schema.get("allOf", ())]
        for part in parts:
            if "$ref" in part:
                yield from values(components[part["$ref"].rpartition("/")[2]])
            yield from part.get("enum", ())

    for schema in schemas_in(description):
        known = set(values(schema)) if "default" in schema else set()
        assert not known or schema["default"] in known, schema


def test_no_component_is_called_as_what_clients_have_themselves(description):
    names = {name.casefold() for name in description["components"]["schemas"]}
    assert not names & {"response", "request", "file", "error", "client", "unset"}


def test_every_operation_describes_its_refusals(description):
    for path, method, operation in operations(description):
        statuses = set(operation["responses"])
        assert {"400", "401", "403", "406", "429"} <= statuses, path
        assert "{" not in path or "404" in statuses, path
        assert method != "post" or {"409", "413", "415"} <= statuses, path


def test_files_are_described_as_bytes_and_pages_as_pages(description):
    components = description["components"]["schemas"]
    assert components["FilesRequest"]["properties"]["files"]["items"] == {
        "type": "string", "format": "binary",
    }  # fmt: skip
    assert components["LabelsRequest"]["properties"]["file"]["format"] == "binary"
    paged = {
        operation["operationId"]
        for _, _, operation in operations(description)
        if any(parameter["name"] == "page" for parameter in operation.get("parameters", ()))
    }
    assert paged == {"topics", "responses", "raters", "proposals"}
    for _, _, operation in operations(description):
        if operation["operationId"] in paged:
            ((_, content),) = operation["responses"]["200"]["content"].items()
            page = components[content["schema"]["$ref"].rpartition("/")[2]]
            assert set(page["properties"]) == {"count", "next", "previous", "results"}


TOPICS = [{"topic": f"t{n}", "query": f"Why {n} lamps?"} for n in range(3)]
RESPONSES = [
    {"response": f"r{n}{letter}", "topic": f"t{n}", "style": "essay", "origin": "llm",
     "text": f"- Lamp {letter} of {n} is bright. " * 20}
    for n in range(3)
    for letter in "ab"
]  # fmt: skip


def test_a_generated_client_runs_a_study_from_files_to_results(client, few_analyses):
    # Files
    upload = client.begin_upload(body={"name": "Lamps", "licence": "CC0"})["id"]
    files = {"topics.jsonl": as_jsonl(TOPICS), "responses.jsonl": as_jsonl(RESPONSES)}
    assert client.send_files(pk=upload, files={"files": files})["left_out"] == []
    client.import_upload(pk=upload, said=409)  # it was not checked
    client.check_upload(pk=upload, body={})
    checking.work_on(pk=upload)
    assert client.upload(pk=upload)["report"]["bad"] == 0
    client.import_upload(pk=upload)
    checking.work_on(pk=upload)
    corpus = client.uploads()[0]["corpus"]
    assert client.corpus(slug=corpus)["responses"] == 6
    assert client.topics(slug=corpus)["count"] == 3
    assert client.responses(slug=corpus, page=1)["results"][0]["system"] is None
    client.responses(slug=corpus, page=9, said=404)
    # Draft and launch
    assert "crowdrag-pairwise" in client.methods()["judging"]
    wanted = {"instruments": ["crowdrag-pairwise"], "corpus": corpus, "title": "By a client"}
    draft = client.make_draft(body=wanted)
    assert client.drafts()[0]["id"] == draft["id"]
    revision = {"revision": draft["revision"]}
    assert client.launch_draft(pk=draft["id"], body=revision, said=409)["faults"]
    share = "instruments/crowdrag-pairwise/defaults/reversed_share"
    changes = [{"path": "contact", "value": "Rita"}, {"path": share, "value": 0.0}]
    changed = client.change_draft(pk=draft["id"], body=revision | {"changes": changes})
    assert changed["faults"] == []
    study = client.launch_draft(pk=draft["id"], body={"revision": changed["revision"]})
    at = {"slug": study["slug"], "version": study["version"]}
    # Work, which is done by people
    launched = Study.objects.get(slug=study["slug"])
    for person in (bob(), alice()):
        handed_in(begun(launched, person))
    assert client.study(**at)["funnel"]["submitted"] == 2
    client.studies_batches_close_retrieve(**at, number=1)
    client.studies_batches_close_create(**at, number=1, body={"confirmed": True})
    client.studies_batches_close_create(**at, number=1, body={}, said=409)
    # Results
    client.findings(**at, said=404)
    client.analyse(**at, body={})
    analysed(launched)
    assert client.runs(**at)[0]["state"] in ("done", "running", "queued")
    assert client.findings(**at)
    assert client.raters(**at)["count"] == 2
    names = client.exports(**at)
    assert {"votes.csv", "export.zip"} <= set(names)
    for name in names:
        assert client.export(**at, name=name)
    rows = gzip.decompress(client.export(**at, name="responses.jsonl.gz")).splitlines()
    assert len(rows) == 6
    with zipfile.ZipFile(io.BytesIO(client.export(**at, name="export.zip"))) as archive:
        assert "DATA.md" in archive.namelist()
    client.export(**at, name="secrets.csv", said=404)
    client.export(**at, name="labels.csv", said=409)
    client.erasure_preview(**at, pseudonym="bob")


def test_lists_and_refusals_are_as_described(client):
    client.corpora()
    client.studies()
    client.corpus(slug="nothing", said=404)
    client.draft(pk=7, said=404)
    client.begin_upload(body={"name": ""}, said=400)
    client.make_draft(body={"instruments": ["nothing"]}, said=400)


def test_the_client_knows_nothing_but_the_description(client):
    with pytest.raises(NotDescribed, match="no parameters"):
        client.corpora(owner="rita")
    with pytest.raises(KeyError):
        client.delete_corpus(slug="lamps")
    with pytest.raises(NotDescribed, match="body"):
        client.make_draft(body={"kind": "painting"})
