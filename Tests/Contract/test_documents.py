"""The documents of the project: what they link to exists, and the exchanges of the protocol document are valid.

Run with `/usr/bin/python3 -m unittest discover Tests/Contract`; needs git and Debian's python3-jsonschema.
"""

import json
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

from jsonschema import Draft7Validator

ROOT = Path(__file__).resolve().parent.parent.parent
PROTOCOL = ROOT / "public" / "docs" / "protocol.md"

# A path in a document or a comment is checked when it begins with one of these folders.
FOLDERS = r"(?:Sources|Tests|sql|public|scripts|\.ci)/"
LINK = re.compile(r"\[[^\]]*\]\(<?([^()\s<>]+)>?\)")
CODE = re.compile(r"(`+)(.+?)\1")
CODE_PATH = re.compile(rf"{FOLDERS}\S*")
BARE_PATH = re.compile(rf"(?<![\w./`-]){FOLDERS}[\w./+-]+\.(?:md|swift|sql|json|js|c|h|cpp|py)\b(?:#[\w-]+)?")
FENCE = re.compile(r"\s*(?:```|~~~)")
COMMENT = {
    ".swift": re.compile(r"(?<!:)//+(.*)"),
    ".c": re.compile(r"(?<!:)(?://+|/\*+|^\s*\*)(.*)"),
    ".h": re.compile(r"(?<!:)(?://+|/\*+|^\s*\*)(.*)"),
    ".cpp": re.compile(r"(?<!:)(?://+|/\*+|^\s*\*)(.*)"),
    ".modulemap": re.compile(r"(?<!:)//+(.*)"),
    ".sql": re.compile(r"--+(.*)"),
}
# Design papers that are not in the repository.
OUTSIDE = re.compile(r"\b(?:DESIGN|PROTOCOL)\b(?!_)")


class Text:
    """The prose of a Markdown file, or the comments of a source file, by line."""

    def __init__(self, path):
        self.path = path
        self.lines = []
        is_code = False
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if path.suffix == ".md":
                if FENCE.match(line):
                    is_code = not is_code
                elif not is_code:
                    self.lines.append((number, line))
            elif comment := COMMENT[path.suffix].search(line):
                self.lines.append((number, comment[1]))

    def targets(self):
        """The line and target of each link and each path; a path counts from the root, a link from the file's folder."""
        for number, line in self.lines:
            for code in CODE.finditer(line):
                # Of a command, the program; without a line number or the end of a sentence.
                if path := CODE_PATH.match(code[2].strip()):
                    yield number, re.sub(r"(?::\d+)?[.,;:]*$", "", path[0]), True
            prose = CODE.sub("", line)
            for path in BARE_PATH.finditer(LINK.sub("", prose)):
                yield number, path[0], True
            for link in LINK.finditer(prose):
                # `[Int](repeating:)` in a comment is no link.
                is_link = self.path.suffix == ".md" or re.search(r"[/.#]", link[1])
                if is_link and not re.match(r"[a-z][a-z0-9+.-]*:|//", link[1], re.IGNORECASE):
                    yield number, link[1], False

    def anchors(self):
        """The anchors of the headings, as GitHub names them."""
        anchors = set()
        for _, line in self.lines:
            if heading := re.match(r" {0,3}#{1,6}\s+(.*?)\s*#*$", line):
                words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1]).lower()
                slug = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
                count = 1
                anchor = slug
                while anchor in anchors:
                    anchor = f"{slug}-{count}"
                    count += 1
                anchors.add(anchor)
        return anchors


def complaint(root, origin, target, is_from_root):
    """What is wrong with a link or path, or None."""
    path, _, anchor = target.partition("#")
    place = origin if not path else (root if is_from_root else origin.parent) / path
    if is_from_root and re.search(r"[<*{…]|NNNN", path):
        # A placeholder stands for the whole of its part of the path.
        parts = ["*" if re.search(r"[<*{…]|NNNN", part) else part for part in path.rstrip("/").split("/")]
        return None if any(root.glob("/".join(parts))) else f"no path is like {target}"
    place = place.resolve()
    if not place.is_relative_to(root.resolve()) or not place.exists():
        return f"{target} does not exist"
    if anchor and place.suffix == ".md" and anchor not in Text(place).anchors():
        return f"{target}: there is no such heading"
    return None


def broken(root, files):
    """Each broken link and path, as file:line: what is wrong."""
    for file in files:
        for number, target, is_from_root in Text(root / file).targets():
            if problem := complaint(root, root / file, target, is_from_root):
                yield f"{file}:{number}: {problem}"


def files(*patterns):
    """The project's files, those included that git does not know yet."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", "--", *patterns]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    return sorted({name for name in names if name and (ROOT / name).is_file()})


MARKDOWN = files("*.md")
SOURCES = [name for name in files("Sources") if Path(name).suffix in COMMENT]
MIGRATIONS = files("sql/*.sql")


class Links(unittest.TestCase):
    def check(self, problems):
        problems = list(problems)
        if problems:
            self.fail("\n" + "\n".join(problems))

    def test_links_and_paths_of_documents_exist(self):
        self.check(broken(ROOT, MARKDOWN))

    def test_links_and_paths_of_comments_exist(self):
        self.check(broken(ROOT, SOURCES))

    def test_no_comment_cites_a_paper_that_is_not_in_the_repository(self):
        self.check(
            f"{name}:{number}: cites {found[0]}: {line.strip()}"
            for name in MARKDOWN + SOURCES + MIGRATIONS
            for number, line in Text(ROOT / name).lines
            if (found := OUTSIDE.search(line))
        )

    def test_what_is_broken_is_found_with_its_line(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "Sources" / "Core").mkdir(parents=True)
            (root / "Sources" / "Core" / "README.md").write_text("# The rule\n\n## Two *words*, `code`\n## Two words, code\n")
            (root / "README.md").write_text(
                "[fine](Sources/Core/README.md#the-rule) [fine](https://example.org/none) `Sources/<Target>/README.md`\n"
                "[gone](Sources/None.md)\n"
                "[fine](Sources/Core/README.md#two-words-code-1), [no heading](Sources/Core/README.md#nothing)\n"
                "```\n[not a link](none.md)\n```\n"
                "`Sources/Core/README.md`, `scripts/none --flag` and [outside](../../etc)\n"
            )
            (root / "Sources" / "Core" / "Core.swift").write_text(
                "/// See Sources/Core/README.md and `Sources/Core/None.swift`; [Int](repeating:) is code.\n"
                'let text = "`Sources/None.swift`" // [rule](README.md#the-rule), [no rule](README.md#a-rule)\n'
            )
            self.assertEqual(
                list(broken(root, ["README.md", "Sources/Core/Core.swift"])),
                [
                    "README.md:2: Sources/None.md does not exist",
                    "README.md:3: Sources/Core/README.md#nothing: there is no such heading",
                    "README.md:7: scripts/none does not exist",
                    "README.md:7: ../../etc does not exist",
                    "Sources/Core/Core.swift:1: Sources/Core/None.swift does not exist",
                    "Sources/Core/Core.swift:2: README.md#a-rule: there is no such heading",
                ],
            )


class Exchanges(unittest.TestCase):
    """The exchanges of public/docs/protocol.md: a line with an arrow begins a frame, a request or an answer."""

    @staticmethod
    def steps():
        """Each step of each block: its line, its arrow and its text."""
        is_code = False
        steps = []
        for number, line in enumerate(PROTOCOL.read_text(encoding="utf-8").splitlines(), start=1):
            if FENCE.match(line):
                is_code = not is_code
            elif is_code and line[:2] in ("→ ", "← "):
                steps.append([number, line[0], line[2:]])
            elif is_code and line.startswith(" ") and steps:
                steps[-1][2] += " " + line.strip()
            elif is_code and line.startswith("data: "):
                steps.append([number, "←", line.removeprefix("data: ")])
        return steps

    def test_every_message_of_the_contract_is_named(self):
        text = PROTOCOL.read_text(encoding="utf-8")
        contract = json.loads((ROOT / "public" / "asyncapi.json").read_text(encoding="utf-8"))
        for message in contract["components"]["messages"].values():
            with self.subTest(message["name"]):
                self.assertRegex(text, rf"[`\"]{re.escape(message['name'])}[`\"]")

    def test_every_exchange_is_as_the_contracts_say(self):
        entries, bodies, asked = [], [], None
        for number, arrow, text in self.steps():
            with self.subTest(line=number):
                if text.startswith("{"):
                    entries.append({"direction": "sent" if arrow == "→" else "received", "frame": json.loads(text)})
                    continue
                head, _, body = text.partition(" {")
                value = json.loads("{" + body) if body else None
                if arrow == "→":
                    asked = head.split()
                    bodies.append((number, *asked, value))
                else:
                    method, path = asked
                    answer = {"method": method, "path": path, "status": int(head), "body": value}
                    entries.append({"direction": "answered", **answer})
        self.assertGreater(len(entries), 70)
        run = subprocess.run(
            [ROOT / "scripts" / "validate-frames"],
            input="\n".join(json.dumps(entry) for entry in entries),
            capture_output=True,
            text=True,
        )
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        for number, method, path, body in bodies:
            with self.subTest(line=number):
                self.check_body(method, path.split("?")[0], body)

    def check_body(self, method, path, body):
        contract = json.loads((ROOT / "public" / "openapi.json").read_text(encoding="utf-8"))
        found = [
            operations[method.lower()]
            for pattern, operations in contract["paths"].items()
            if re.fullmatch(re.sub(r"\\{[^}]*}", "[^/]+", re.escape(pattern)), path)
        ]
        self.assertTrue(found, f"no such operation: {method} {path}")
        if body is not None:
            schema = found[0]["requestBody"]["content"]["application/json"]["schema"]
            Draft7Validator({"allOf": [schema], "components": contract["components"]}).validate(body)


if __name__ == "__main__":
    unittest.main()
