"""Numbers with their words."""

from annotation.texts.plurals import counted, there_are


def test_a_number_has_the_form_of_its_word():
    assert [counted(n, "topic") for n in (0, 1, 2, 1200)] == [
        *("0 topics", "1 topic", "2 topics", "1,200 topics"),
    ]
    assert counted(2, "person", "people") == "2 people"
    assert (there_are(1, "topic"), there_are(2, "topic")) == (
        "there is 1 topic",
        "there are 2 topics",
    )
    assert (there_are(1), there_are(0)) == ("there is 1", "there are 0")
