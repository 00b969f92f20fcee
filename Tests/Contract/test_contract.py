"""The published contracts: their own examples are valid, and a mutilated frame is not.

Run with `/usr/bin/python3 -m unittest discover Tests/Contract`; needs Debian's python3-jsonschema.
"""

import copy
import json
import re
import subprocess
import unittest
from pathlib import Path

from jsonschema import Draft7Validator

ROOT = Path(__file__).resolve().parent.parent.parent
ASYNC = json.loads((ROOT / "public" / "asyncapi.json").read_text(encoding="utf-8"))
HTTP = json.loads((ROOT / "public" / "openapi.json").read_text(encoding="utf-8"))


def validate(lines):
    """Runs scripts/validate-frames over entries; gives its exit code and all that it said."""
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    run = subprocess.run([ROOT / "scripts" / "validate-frames"], input=text, capture_output=True, text=True)
    return run.returncode, run.stdout + run.stderr


def directions(name):
    """From which sides, as a client sees it, a message travels."""
    found = set()
    for operation in ASYNC["operations"].values():
        names = [each["$ref"].rsplit("/", 1)[1] for each in operation["messages"]]
        replies = [each["$ref"].rsplit("/", 1)[1] for each in operation.get("reply", {}).get("messages", [])]
        if name in names:
            found.add("sent" if operation["action"] == "receive" else "received")
        if name in replies:
            found.add("received")
    return found


def examples():
    """Every example of the contract as an entry for validate-frames."""
    for name, message in ASYNC["components"]["messages"].items():
        for example in message["examples"]:
            for direction in directions(name):
                yield {"direction": direction, "frame": example["payload"]}


def example(name):
    """The first example of a message."""
    return copy.deepcopy(ASYNC["components"]["messages"][name]["examples"][0]["payload"])


def references(value):
    """Every `$ref` within a document."""
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        value = value.values()
    if not isinstance(value, str) and hasattr(value, "__iter__"):
        for each in value:
            yield from references(each)


class FrameContract(unittest.TestCase):
    def test_every_message_travels_and_has_an_example(self):
        for name, message in ASYNC["components"]["messages"].items():
            with self.subTest(name):
                self.assertTrue(directions(name))
                self.assertTrue(message["examples"])
                Draft7Validator.check_schema(message["payload"]["schema"])

    def test_every_example_is_valid(self):
        lines = list(examples())
        code, said = validate(lines)
        self.assertEqual(code, 0, said)
        self.assertIn(f"{len(lines)} frames", said)

    def test_a_mutilated_frame_is_invalid(self):
        def without(field):
            return lambda frame: frame.pop(field)

        def put(*path):
            *steps, last, value = path

            def change(frame):
                for step in steps:
                    frame = frame[step]
                frame[last] = value

            return change

        table = [
            ("received", "welcome", without("session")),
            ("received", "welcome", put("secret", "undocumented")),
            ("received", "welcome", put("user", "id", 7)),
            ("received", "welcome", put("groups", 0, "settings", "radius", 5)),
            ("received", "ok.group", put("group", "role", "admin")),
            ("received", "ok.invite", without("expiresAt")),
            ("received", "ok.locate", put("devices", -1)),
            ("received", "ok.spot", put("spot", "photo", "9")),
            ("received", "ok.spots.nearby", lambda frame: frame["spots"][0].pop("distance")),
            ("received", "ok.spots.all", without("next")),
            ("received", "ok.pin", put("pin", "link", "javascript:alert(1)")),
            ("received", "ok.pins", without("total")),
            ("received", "error", put("code", "oops")),
            ("received", "error", without("retry")),
            ("received", "ack", put("rejected", 0, "reason", "ok")),
            ("received", "roster", put("members", 0, "lat", 91)),
            ("received", "roster", lambda frame: frame["members"][0].pop("presence")),
            ("received", "roster", without("gathering")),
            ("received", "update", put("members", 0, "owner", True)),
            ("received", "update", lambda frame: frame["members"][0].pop("lon")),
            ("received", "gathering", put("state", "apart")),
            ("received", "left_without_you", put("place", "radius", 3)),
            ("received", "left_without_you", put("at", "yesterday")),
            ("sent", "hello", without("device")),
            ("sent", "hello", put("device", "kind", "toaster")),
            ("sent", "location", put("seq", 0)),
            ("sent", "locations", put("fixes", [example("location")] * 201)),
            ("sent", "group.create", put("name", "")),
            ("sent", "sharing.set", put("mode", "ghost")),
            ("sent", "spot.add", put("comment", "")),
            ("sent", "pin.post", put("text", "t" * 201)),
            ("sent", "spots.nearby", put("radius", 50_001)),
            ("sent", "welcome", put("session", "9001")),
        ]
        for direction, name, mutilate in table:
            frame = example(name)
            mutilate(frame)
            with self.subTest(direction=direction, frame=frame):
                code, said = validate([{"direction": direction, "frame": frame}])
                self.assertEqual(code, 1, said)
                self.assertIn("line 1: ", said)

    def test_a_client_may_send_fields_of_a_later_version(self):
        frame = {**example("location"), "floor": 3}
        self.assertEqual(validate([{"direction": "sent", "frame": frame}])[0], 0)

    def test_what_was_broken_on_purpose_is_passed_over(self):
        code, said = validate([{"direction": "sent", "invalid": True, "frame": "{nonsense"}])
        self.assertEqual(code, 0, said)
        self.assertIn("1 passed over", said)

    def test_nobody_excuses_a_received_frame_or_an_unreadable_line(self):
        for line in [{"direction": "received", "invalid": True, "frame": {"type": "pong"}}, "{", {"direction": "up"}]:
            with self.subTest(line):
                self.assertEqual(validate([line])[0], 1)

    def test_no_more_than_twenty_are_told(self):
        code, said = validate([{"direction": "received", "frame": {"type": "pong"}}] * 25)
        self.assertEqual(code, 1)
        self.assertEqual(said.count("line "), 20)
        self.assertIn("5 more", said)


class References(unittest.TestCase):
    def test_every_reference_leads_somewhere(self):
        for document in (ASYNC, HTTP):
            for reference in references(document):
                with self.subTest(reference):
                    target = document
                    for step in reference.removeprefix("#/").split("/"):
                        target = target[step.replace("~1", "/").replace("~0", "~")]


class Page(unittest.TestCase):
    def test_the_page_offers_every_kind_of_notification(self):
        schema = HTTP["components"]["schemas"]["PushSettings"]["properties"]
        page = (ROOT / "public" / "app" / "notify" / "push.js").read_text(encoding="utf-8")
        offered = re.findall(r'"(\w+)"', re.search(r"const KINDS = \[(.*?)\]", page, re.DOTALL).group(1))
        self.assertEqual(sorted(offered), sorted(schema["kinds"]["properties"]))
        self.assertEqual(sorted(offered), sorted(schema["quiet"]["properties"]["kinds"]["items"]["enum"]))


if __name__ == "__main__":
    unittest.main()
