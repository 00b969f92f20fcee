"""What the tests of operating share: one real server behind proxies, and where the tools are."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "Tests" / "Browser"))

from muster_server import MusterServer  # noqa: E402

#: Unpacked by `scripts/setup --test`.
TOOLS = ROOT / ".build/operations-tools/usr"


@pytest.fixture(scope="module")
def server():
    place = MusterServer("--trusted-proxy", "127.0.0.1", "--public-url", "https://muster.example", guesses=False)
    try:
        place.start()
        yield place
        place.stop()
        assert place.problems() == []
    finally:
        place.remove()
