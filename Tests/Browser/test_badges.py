"""What stands for people without a picture: the page has the rule that the server has."""

import json
import re
from pathlib import Path

CASES = json.loads((Path(__file__).resolve().parent.parent / "Fixtures" / "badges.json").read_text(encoding="utf-8"))


def in_page(window, script, argument):
    """What a script says of its argument, with what the page gives people their look by."""
    return window.page.evaluate(
        "async (argument) => { const { initials } = await import('/app/ui/text.js');"
        " const { assignLooks, avatar } = await import('/app/ui/avatar.js');"
        f" return ({script})(argument); }}", argument)


def test_initials_are_those_that_the_server_draws(pair):
    ada, _ = pair
    found = in_page(ada, "(names) => names.map(initials)", [row["name"] for row in CASES["initials"]])
    assert found == [row["initials"] for row in CASES["initials"]]


def test_colours_are_those_that_the_server_draws(pair):
    ada, _ = pair
    for members in CASES["colours"]:
        found = in_page(
            ada,
            "(users) => { assignLooks(users); return users.map((user) => {"
            " const picture = avatar({ user, name: 'Somebody' }); document.body.append(picture);"
            " const hue = getComputedStyle(picture).getPropertyValue('--hue'); picture.remove(); return hue.trim(); }); }",
            [member["user"] for member in members])
        assert all(re.fullmatch("#[0-9a-f]{6}", colour) for colour in found)
        assert found == [member["colour"] for member in members]
