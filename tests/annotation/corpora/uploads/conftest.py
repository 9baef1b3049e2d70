import pytest


@pytest.fixture(autouse=True)
def uploads_dir(tmp_path, settings):
    """Return a folder of uploads for this test alone."""
    settings.UPLOADS_DIR = tmp_path / "uploads"
    settings.FILE_UPLOAD_TEMP_DIR = settings.UPLOADS_DIR / "arriving"
    settings.FILE_UPLOAD_TEMP_DIR.mkdir(parents=True)
    return settings.UPLOADS_DIR


@pytest.fixture
def researcher(client):
    """Return Rita's browser."""
    from tests.cast import rita  # models are not loaded before

    client.force_login(rita())
    return client
