"""The description of the API has the document of a study with the words and limits declared."""

import json

import pytest
from django.utils.translation import override
from drf_spectacular.generators import SchemaGenerator
from jsonschema import Draft4Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT4

from annotation.studies.drafts.kinds import registered_kinds
from annotation.studies.drafts.plain_data import plain
from annotation.studies.drafts.schema import Document
from annotation.studies.drafts.setting import declared_in, structs_in
from tests.annotation.console.api.generated import as_json_schema

LANGUAGES = ("en", "de")


@pytest.fixture(scope="module")
def description():
    with override("en"):
        return json.loads(json.dumps(SchemaGenerator().get_schema(public=True)))


@pytest.fixture
def errors_of(description):
    resource = Resource.from_contents(as_json_schema(description), default_specification=DRAFT4)
    registry = Registry().with_resource("urn:api", resource)
    schema = {"$ref": "urn:api#/components/schemas/StudyDocument"}
    return lambda data: list(Draft4Validator(schema, registry=registry).iter_errors(data))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", ["judging", "writing"])
def test_a_document_of_every_method_is_described(errors_of, kind, language):
    methods = registered_kinds()[kind]
    for name in methods.available():
        document = Document(kind=kind, instruments=[plain(methods.load(name, language))])
        assert errors_of(plain(document)) == []


@pytest.mark.parametrize(
    ("section", "value"),
    [
        ("recruitment", {"tasks_per_worker": 0}),
        ("recruitment", {"platform": "pigeon"}),
        ("screening", {"attempts": 3}),
        ("screening", {"gives": "x" * 81}),
        ("retention", {"logs_until": 5}),
        ("quality", {"unheard": 1}),
        ("instruments", [{"name": "x"}]),
    ],
)
def test_a_value_outside_the_declaration_is_not_described(errors_of, section, value):
    assert errors_of({"kind": "judging", section: value})


def test_settings_have_their_words_and_defaults(description):
    schemas = description["components"]["schemas"]
    for struct in structs_in(Document):
        properties = schemas[f"Study{struct.__name__}"]["properties"]
        for name, setting in declared_in(struct).items():
            if isinstance(setting.title, str):
                assert properties[name].get("title", "") == setting.title
            if isinstance(setting.help, str):
                assert properties[name].get("description", "").startswith(setting.help)
            for code, _ in setting.choices:
                assert f"`{code}`" in properties[name]["description"]
    assert schemas["StudyScreening"]["properties"]["attempts"]["maximum"] == 2
    assert schemas["StudyRecruitment"]["properties"]["platform"]["default"] == "link"
