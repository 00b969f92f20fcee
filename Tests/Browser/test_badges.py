"""What stands for people without a picture: the page has the rule that the server has."""

import json
from pathlib import Path

CASES = json.loads((Path(__file__).resolve().parent.parent / "Fixtures" / "colours.json").read_text(encoding="utf-8"))


def test_colours_are_those_that_the_server_draws(window):
    nobody = window().open()
    found = nobody.page.evaluate(
        """async (people) => {
          const { hueOf } = await import("/app/ui/avatar.js");
          return people.map(hueOf);
        }""",
        [case["person"] for case in CASES])
    assert len(set(found)) > 5
    assert found == [case["hue"] for case in CASES]
