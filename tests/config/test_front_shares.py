"""Pages shared between readers: only marked ones made without a session, within the memory limit."""

import pytest
from django.urls import URLResolver, get_resolver, reverse

from config import front as front_module
from config.front import Front, Key
from config.site import Site
from events import stream
from events.sharing import parameters_of
from tests.asgi import run, scope
from tests.config.odd_requests import Given, Odd, send
from tests.events.match_pages import play

pytestmark = pytest.mark.django_db(transaction=True)

MARKED = {
    "bracket", "broadcast", "chart", "clock", "cross-table", "display", "entries", "entry", "event", "outside", "path", "prizes",
    "round", "rounds", "standings", "table",
}  # fmt: skip
HOST = (b"host", b"testserver")


@pytest.fixture(autouse=True)
def _hub(monkeypatch):
    monkeypatch.setattr(stream, "HUB", stream.Hub())
    monkeypatch.setattr("config.front.HUB", stream.HUB)


@pytest.fixture
def session(staff, settings):
    """Return the head judge's session cookie as bytes."""
    key = staff.client("head_judge").cookies[settings.SESSION_COOKIE_NAME].value
    return f"{settings.SESSION_COOKIE_NAME}={key}".encode()


def address(staff, name="standings") -> str:
    return reverse(f"events:{name}", args=[staff.event.public_id])


def ask(front, where, *headers, method="GET", **more) -> Given:
    asked = {**scope(where, method), "headers": [HOST, *headers]} | more
    return run(send(front, Odd([], asked)))


def views(resolver):
    for one in resolver.url_patterns:
        yield from views(one) if isinstance(one, URLResolver) else [one]


def test_these_views_are_marked_and_no_others():
    """A page that joins this list must look the same to everyone who isn't signed in."""
    assert {one.name for one in views(get_resolver()) if parameters_of(one.callback) is not None} == MARKED


@pytest.mark.parametrize("harmless", [b"theme=dark", b"", b"x=1"])
@pytest.mark.parametrize("first", [True, False])
def test_two_cookie_headers_put_nobodys_page_on_the_shelf(staff, session, harmless, first):
    front = Front(Site())
    cookies = [(b"cookie", session + b"; x=1"), (b"cookie", harmless)]
    ask(front, address(staff), *(cookies if first else cookies[::-1]))
    assert not front.pages
    assert b"/accounts/logout/" not in ask(front, address(staff)).body


@pytest.mark.parametrize(
    "twice",
    [
        (b"cookie", b"theme=dark"),
        (b"Cookie", b"theme=dark"),
        (b"host", b"testserver"),
        (b"accept-language", b"fr"),
        (b"accept_language", b"fr"),
        (b"x-forwarded-proto", b"https"),
        (b"x-forwarded-host", b"elsewhere.example"),
        (b"x-forwarded-for", b"198.51.100.7"),
        (b"authorization", b"Bearer x"),
    ],
)
def test_a_header_twice_is_never_shared(staff, twice):
    front = Front(Site())
    other = (twice[0].lower().replace(b"_", b"-"), b"testserver" if twice[0] == b"host" else b"")
    ask(front, address(staff), other, twice)
    assert not front.pages
    ask(front, address(staff))
    assert front.pages


@pytest.mark.parametrize(
    ("name", "is_shared"),
    [("marked", True), ("unmarked", False), ("writes_session", False), ("sets_cookie", False), ("makes_token", False)],
)
def test_only_a_marked_view_that_met_no_session_is_shared(staff, settings, name, is_shared):
    settings.ROOT_URLCONF = "tests.config.public_pages"
    front = Front(Site())
    where = f"/events/{staff.event.public_id}/{name}/"
    assert ask(front, where).status == 200
    assert bool(front.pages) == is_shared


@pytest.mark.parametrize("name", ["marked", "unmarked"])
def test_the_site_refuses_by_itself_where_the_front_fails(staff, session, settings, monkeypatch, name):
    """The second check: even if the key's request carried the visitor's cookie, nothing would be shared."""
    settings.ROOT_URLCONF = "tests.config.public_pages"
    plain = Key.request
    monkeypatch.setattr(Key, "request", lambda key: plain(key) | {"headers": [HOST, (b"cookie", session)]})
    monkeypatch.setattr(front_module, "is_public", lambda path, query: True)
    front = Front(Site())
    where = f"/events/{staff.event.public_id}/{name}/"
    assert staff.head_judge.name.encode() not in ask(front, where).body
    assert not front.pages


def test_the_front_refuses_by_itself_where_the_site_fails(staff, session, monkeypatch):
    """The first check: even if the site called every page shareable, a session wouldn't reach the cache."""
    monkeypatch.setattr("config.site.may_be_shared", lambda request, response: True)
    front = Front(Site())
    ask(front, address(staff), (b"cookie", session + b"; x=1"), (b"cookie", b"theme=dark"))
    ask(front, address(staff, "console"), (b"cookie", session))
    assert not front.pages


@pytest.mark.parametrize(
    "query", ["x=1", "round=1&x=1", "Round=1", "q=Player", "round=" + "1" * 600, "a" * 600, "%FF", "round[]=1"]
)
def test_other_parameters_than_the_page_reads_fill_no_memory(staff, query):
    front = Front(Site())
    assert ask(front, f"{address(staff)}?{query}").status == 200
    assert not front.pages
    assert not front.unshared


@pytest.mark.parametrize(
    "headers",
    [
        [(b"accept-language", b"fr," * 200)],
        [(b"cookie", b"django_language=" + b"f" * 1000)],
        [(b"range", b"bytes=0-9")],
        [(b"authorization", b"")],
        [(b"hx-request", b"true")],
        [(b"cookie", b"messages=x")],
    ],
)
def test_other_requests_go_to_django(staff, headers):
    front = Front(Site())
    ask(front, address(staff), *headers)
    assert not front.pages


@pytest.mark.parametrize("host", [b"elsewhere.example", b"", b"testserver" * 60, b"testserver@x", b"[::1"])
def test_a_host_that_is_not_ours_is_not_shared(staff, host):
    front = Front(Site())
    asked = scope(address(staff)) | {"headers": [(b"host", host)]}
    run(send(front, Odd([], asked)))
    assert not front.pages


def test_phones_with_other_languages_read_one_page(staff):
    front = Front(Site())
    french = [ask(front, address(staff), (b"accept-language", one)).body for one in (b"fr", b"fr-BE,fr;q=0.9,en;q=0.1")]
    english = [ask(front, address(staff), (b"accept-language", one)).body for one in (b"en", b"de,en;q=0.5", b"")]
    chosen = ask(front, address(staff), (b"cookie", b"django_language=fr"), (b"accept-language", b"en")).body
    assert {b'lang="fr"' in page[:100] for page in (*french, chosen)} == {True}
    assert len(set(english)) == 1
    assert len(front.pages) == 2


def test_a_made_up_counter_changes_nothing(staff):
    front = Front(Site())
    before = ask(front, address(staff))
    for said in (b"999999999999999", b"0", b"-1", b"x", b"9" * 400):
        assert ask(front, address(staff), (b"x-live", said)).header(b"etag") == before.header(b"etag")
    assert len(front.pages) == 1


@pytest.mark.parametrize("behind_proxy", [True, False])
def test_the_scheme_tells_pages_apart_only_where_the_proxy_is_trusted(staff, settings, behind_proxy):
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if behind_proxy else None
    front = Front(Site())
    for said in (b"https", b"http", b"gopher", b"https, http"):
        assert ask(front, address(staff), (b"x-forwarded-proto", said)).status == 200
    assert len(front.pages) == (2 if behind_proxy else 1)


def test_the_memory_bound_counts_compressed_pages(staff, monkeypatch):
    play(staff.event, 40, 2)
    front = Front(Site())
    pages = [address(staff, name) for name in ("standings", "entries", "rounds", "event", "chart")]
    for where in pages:
        ask(front, where)
    bare = sum(len(page.body) for page in front.pages.values())
    monkeypatch.setattr(front_module, "MAX_HELD", bare + 100)
    for where in pages:
        for encoding in (b"br", b"gzip"):
            assert ask(front, where, (b"accept-encoding", encoding)).status == 200
            assert sum(page.size for page in front.pages.values()) <= front_module.MAX_HELD
    assert 0 < len(front.pages) < len(pages)
    assert any(page.encoded for page in front.pages.values())


def test_addresses_that_lead_nowhere_fill_no_memory(staff):
    front = Front(Site())
    for n in range(6):
        ask(front, f"/events/{staff.event.public_id}/entries/{1000 + n}/")
        ask(front, f"/events/{staff.event.public_id}/nothing-{n}/")
    assert not front.pages
    assert len(front.unshared) == 6


def test_no_more_is_remembered_than_the_bound(staff, monkeypatch):
    monkeypatch.setattr(front_module, "MAX_PAGES", 3)
    front = Front(Site())
    for n in range(5):
        ask(front, f"/events/{staff.event.public_id}/entries/{1000 + n}/")
        ask(front, f"{address(staff)}?round={n}")
    assert len(front.unshared) == len(front.pages) == 3
