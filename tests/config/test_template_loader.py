"""Templates without indentation."""

from django.template import Engine

WHOLE = """\
<ul>
  {% for word in words %}
    <li>{{ word }}</li>
  {% endfor %}
</ul>
<textarea>
{{ text }}</textarea>
"""


def test_a_page_is_sent_without_the_indentation_of_its_template(tmp_path):
    (tmp_path / "page.html").write_text(WHOLE)
    (tmp_path / "letter.txt").write_text("  {{ text }}")
    engine = Engine(dirs=[tmp_path], loaders=["config.template_loader.Loader"])
    page = engine.render_to_string("page.html", {"words": ["a", "b"], "text": "  typed\n  so"})
    assert [line for line in page.splitlines() if line] == [
        *("<ul>", "<li>a</li>", "<li>b</li>", "</ul>", "<textarea>", "  typed", "  so</textarea>")
    ]
    assert engine.render_to_string("letter.txt", {"text": "typed"}) == "  typed"
