"""Settings of the documentation site: `make docs` builds it with Sphinx, warnings are errors."""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

project = "Crowdwright"
author = "The Crowdwright developers"
copyright = author
html_title = project

extensions = [
    "myst_parser",
    "docs.site.generated",
    "docs.site.mathml",
    "docs.site.strict_csp",
]
source_suffix = {".md": "markdown"}
exclude_patterns = ["site"]

myst_enable_extensions = ["dollarmath", "tasklist"]
myst_fence_as_directive = ["math"]  # as GitHub draws them
myst_heading_anchors = 4  # the slugs of GitHub, where these files are read too
myst_links_external_new_tab = False
html_math_renderer = "mathml"


html_theme = "furo"
html_theme_options = {
    "sidebar_hide_name": False,
    "light_css_variables": {
        "color-brand-primary": "#2854b5",  # the accents of static/css/tokens.css
        "color-brand-content": "#2854b5",
        "color-brand-visited": "#1f4494",
    },
    "dark_css_variables": {
        "color-brand-primary": "#8db0ff",
        "color-brand-content": "#8db0ff",
        "color-brand-visited": "#b0c8ff",
    },
}
html_static_path = ["site/static"]
html_css_files = ["site.css"]
html_favicon = "../static/icon.svg"
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_show_copyright = False
html_last_updated_fmt = None
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
