"""The archive of an event in a browser, opened from a disk: accessible in both colours, and it asks for nothing."""

import io
import zipfile

import pytest

from judging.archive import archive_of
from tests.browser.accessible import no_violations
from tests.judging.test_finish import played

pytestmark = [pytest.mark.browser, pytest.mark.django_db]


def test_it_opens_from_a_disk_without_a_request_and_axe_finds_nothing(staff, page, tmp_path):
    zipfile.ZipFile(io.BytesIO(archive_of(played(staff)))).extractall(tmp_path)
    (folder,) = tmp_path.iterdir()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto((folder / "index.html").as_uri())
    for name in ("Standings", "Round 1", "Round 2"):
        page.get_by_role("navigation").get_by_role("link", name=name).click()
        assert page.get_by_role("table").count() == 1
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            no_violations(page, preload=False)  # what axe loads by itself no browser allows from a disk
    assert all(address.startswith("file://") for address in asked)
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
