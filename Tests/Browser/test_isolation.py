"""Names that people type cannot turn the words of the page around them: by the rule that `IsolationTests.swift` holds the server to."""

import pytest
from test_client import origin, page  # noqa: F401


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ada", "Ada"),
        ("Zoë 🧗", "Zoë 🧗"),
        ("אבא", "\u2068אבא\u2069"),
        ("a\u202eb", "\u2068a\u202eb\u2069"),
        ("a\u2069\u202eb", "\u2068a\u202eb\u2069"),
        ("\u2067a", "\u2068\u2067a\u2069\u2069"),
        ("\u2066a\u2069\u2069b", "\u2068\u2066a\u2069b\u2069"),
    ],
)
def test_a_text_that_may_turn_its_neighbours_is_isolated(page, text, expected):  # noqa: F811
    assert page.evaluate("async (text) => (await import('/app/ui/text.js')).isolated(text)", text) == expected


@pytest.mark.parametrize(("text", "most", "expected"), [("abc", 3, "abc"), ("abcd", 3, "abc…"), ("a👍🏽b", 2, "a👍🏽…"), ("👨‍👩‍👧x", 2, "👨‍👩‍👧x")])
def test_an_excerpt_ends_between_characters(page, text, most, expected):  # noqa: F811
    assert page.evaluate("async ([text, most]) => (await import('/app/ui/text.js')).excerpt(text, most)", [text, most]) == expected


def test_names_in_a_list_are_isolated_one_by_one(page):  # noqa: F811
    said = page.evaluate("async () => (await import('/app/ui/text.js')).people(['אבא', 'Ada', 'a\\u202eb'])")
    assert said == "\u2068אבא\u2069, Ada and \u2068a\u202eb\u2069"
