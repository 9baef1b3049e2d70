"""Static files under hashed names, for production."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStaticFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Also rewrites the `import` lines of our ES modules, so that they find each other."""

    support_js_module_import_aggregation = True
