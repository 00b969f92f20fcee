"""What stands for people without a picture: the page has the rule that the server has."""

import json
import re
from pathlib import Path

CASES = json.loads((Path(__file__).resolve().parent.parent / "Fixtures" / "badges.json").read_text(encoding="utf-8"))


def test_colours_are_those_that_the_server_draws(window):
    nobody = window().open()
    for members in CASES["colours"]:
        found = nobody.page.evaluate(
            """async (users) => {
              const { assignLooks, avatar } = await import("/app/ui/avatar.js");
              assignLooks(users);
              return users.map((user) => {
                const picture = avatar({ user, name: "Somebody" });
                document.body.append(picture);
                const hue = getComputedStyle(picture).getPropertyValue("--hue");
                picture.remove();
                return hue.trim();
              });
            }""",
            [member["user"] for member in members])
        assert all(re.fullmatch("#[0-9a-f]{6}", colour) for colour in found)
        assert found == [member["colour"] for member in members]
