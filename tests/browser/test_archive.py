"""The archive of the demo's finished event, opened from a disk: accessible in both colours, and it asks for nothing."""

import io
import zipfile

import pytest

from judging.archive import archive_of
from tests.browser.accessible import no_violations_in_either_scheme
from tests.judging.test_archive import event_of_the_demo

pytestmark = [pytest.mark.browser, pytest.mark.django_db]
TABS = ["Standings", *(f"Round {number}" for number in range(1, 6)), "Forces"]


def test_it_opens_from_a_disk_without_a_request_and_axe_finds_nothing(page, tmp_path):
    zipfile.ZipFile(io.BytesIO(archive_of(event_of_the_demo()))).extractall(tmp_path)
    (folder,) = tmp_path.iterdir()
    asked, faults = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("requestfailed", lambda request: faults.append(request.url))
    page.on("console", lambda line: faults.append(line.text))
    page.set_viewport_size({"width": 360, "height": 780})
    page.goto((folder / "index.html").as_uri())
    tabs = page.get_by_role("navigation").get_by_role("link")
    assert tabs.all_inner_texts() == TABS
    for name in TABS:
        tabs.get_by_text(name, exact=True).click()
        if name == "Forces":
            assert page.get_by_role("heading", level=2).count() == 24
        else:
            assert page.get_by_role("table").count() == 1
        assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), name
        no_violations_in_either_scheme(page, preload=False)  # what axe loads by itself no browser allows from a disk
    pages = {f"{folder.as_uri()}/{file.name}" for file in folder.iterdir()}
    assert set(asked) == pages
    assert faults == []
