"""Limits on everything that is read: each attack ends in a sentence that says what is wrong, and costs little."""

import gzip
import json
import tracemalloc
import zlib

import pytest

from rules.uploads import LIMITS, MB, TooLarge, Unreadable, most_named, read_json, refuse_archives, unpacked
from tests.tables import every_row


def bomb(megabytes):
    return gzip.compress(b" " * (megabytes * MB), 9)


def test_a_bomb_is_not_unpacked():
    with pytest.raises(Unreadable, match=r"at most .* once decompressed"):
        unpacked(bomb(LIMITS["event-file"].expanded // MB + 1), "event-file")


@every_row(
    "content, says",
    [
        (gzip.compress(b"{}", mtime=0) + gzip.compress(b"[]", mtime=0), "extra data after"),
        (gzip.compress(b"{}", mtime=0) + b"\0" * 20, "extra data after"),
        (gzip.compress(gzip.compress(b"{}", mtime=0), mtime=0), "compressed twice"),
        (gzip.compress(b"{}" * 1000, mtime=0)[:-9], "end is missing"),
        (b"\x1f\x8b" + b"\xff" * 40, "can't be decompressed"),
        (gzip.compress(b"{}", mtime=0)[:-8] + b"\0" * 8, "can't be decompressed"),
    ],
)
def test_files_that_are_not_unpacked(content, says):
    with pytest.raises(Unreadable, match=says):
        unpacked(content, "event-file")


def test_a_bomb_is_given_up_at_its_limit():
    small = bomb(60)
    tracemalloc.start()
    with pytest.raises(TooLarge):
        unpacked(small, "catalogue")
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 3 * LIMITS["catalogue"].expanded


def test_compressed_and_plain_files_are_unpacked():
    assert unpacked(gzip.compress(b"[1]", mtime=0), "event-file") == unpacked(b"[1]", "event-file") == b"[1]"


@every_row(
    "text, says",
    [
        ("[" * 15_000, "nested at most 32 levels"),
        ("[" * 33 + "]" * 33, "nested at most 32 levels"),
        ('{"a":' * 500 + "1" + "}" * 500, "nested at most 32 levels"),
        ("[" + "0," * 20_001 + "0]", "20.000 values"),
        ('["' + "x" * 100_001 + '"]', "at most"),
        ("[1" + "0" * 1_000_000 + "]", "at most"),
        ("[1" + "0" * 5_000 + "]", "is too large"),
        ("[1e400]", "is too large"),
        ('{"a": 1, "b": 2, "a": 3}', 'The key "a" is given twice in one object.'),
        ("[NaN]", "NaN isn't a JSON number"),
        ("[-Infinity]", "isn't a JSON number"),
        ('["\\ud800"]', "aren't text"),
        ('{"\\udfff": 1}', "aren't text"),
        ('["a\\u0000"]', "aren't text"),
        ('["\ud800"]', "aren't text"),
        ('["\0"]', "isn't valid JSON"),
        ("", "isn't valid JSON"),
        ("{} {}", "isn't valid JSON"),
        (b'\xff\xfe["a"]', "can't be read as text"),
        (b'["\xe9"]', "can't be read as text"),
    ],
)
def test_what_is_no_document(text, says):
    with pytest.raises(Unreadable, match=says):
        read_json(text, "battle")


@every_row("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_json_in_any_of_its_encodings(encoding):
    value = {"name": "Café \U0001f9b8", "list": [1, 2.5, None, True, {"a": []}]}
    text = json.dumps(value, ensure_ascii=False)
    assert read_json(text.encode(encoding), "battle") == value
    assert read_json(json.dumps(value), "battle") == value


def test_a_backslash_before_a_number_is_no_nul():
    assert read_json('["a\\\\u0000", "\\ud83e\\uddb8"]', "battle") == ["a\\u0000", "\U0001f9b8"]


def test_a_long_text_is_named():
    with pytest.raises(TooLarge, match="can't contain any text longer than"):
        read_json('["' + "x" * 1_000_001 + '"]', "event-file")


@every_row(
    "content, says",
    [(b"PK\x03\x04rest", "workbook"), (gzip.compress(b"a", mtime=0), "gzip"), (b"7z\xbc\xaf\x27\x1crest", "7z")],
)
def test_archives_are_not_opened(content, says):
    with pytest.raises(Unreadable, match=says):
        refuse_archives(content)


def test_a_million_names_are_not_listed():
    assert len(most_named(((f"n{number}", 1) for number in range(5_000)), 200)) == 200
    assert most_named([("b", 1), ("a", 3)]) == {"a": 3, "b": 1}


def test_damaged_in_the_middle():
    packed = bytearray(gzip.compress(bytes(range(256)) * 400))
    packed[60] ^= 255
    with pytest.raises(Unreadable):
        unpacked(bytes(packed), "event-file")
    assert zlib.decompress(gzip.compress(b"ok", mtime=0), wbits=31) == b"ok"
