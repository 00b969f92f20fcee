"""What operators watch Muster with: every metric of the dashboard and of the alert rules exists, and the files are valid."""

import json
import re
import shutil
import subprocess
import time
import urllib.request

import pytest
from conftest import ROOT, TOOLS

OPS = ROOT / "public/ops"


@pytest.fixture(scope="module")
def metrics(server):
    """The names of all metrics, once the server has all of them."""
    for _ in range(200):
        text = urllib.request.urlopen(f"{server.url}/metrics", timeout=10).read().decode()
        names = set(re.findall(r"^# TYPE (\w+)", text, re.MULTILINE))
        if "muster_users" in names:
            return names
        time.sleep(0.1)
    raise AssertionError("the metrics of the world did not come")


def used(expression):
    """The metrics of an expression, without what a histogram or a summary adds to its name."""
    return {re.sub(r"_(bucket|sum|count)$", "", name) for name in re.findall(r"\bmuster_\w+", expression)}


def test_the_alert_rules_are_valid_and_name_metrics_that_exist(metrics):
    checked = subprocess.run([TOOLS / "bin/promtool", "check", "rules", OPS / "alerts.yml"], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    text = (OPS / "alerts.yml").read_text(encoding="utf-8")
    expressions = re.findall(r"^\s+expr: (.+)$", text, re.MULTILINE)
    assert len(expressions) == text.count("- alert:") == text.count("remedy:")
    for expression in expressions:
        assert used(expression) <= metrics, expression


def test_the_dashboard_names_metrics_that_exist(metrics, tmp_path):
    board = json.loads((OPS / "grafana.json").read_text(encoding="utf-8"))
    panels = [panel for panel in board["panels"] if panel["type"] != "row"]
    assert len({panel["id"] for panel in board["panels"]}) == len(board["panels"])
    expressions = [target["expr"] for panel in panels for target in panel["targets"]]
    for expression in expressions:
        assert used(expression) and used(expression) <= metrics, expression
    # Recording rules of the same expressions: Prometheus reads each.
    rules = tmp_path / "board.yml"
    rules.write_text(json.dumps({"groups": [{"name": "board", "rules": [
        {"record": f"board:{number}", "expr": expression} for number, expression in enumerate(expressions)]}]}), encoding="utf-8")
    checked = subprocess.run([TOOLS / "bin/promtool", "check", "rules", rules], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_prometheus_reads_the_metrics_without_a_complaint(server):
    text = urllib.request.urlopen(f"{server.url}/metrics", timeout=10).read()
    checked = subprocess.run([TOOLS / "bin/promtool", "check", "metrics"], input=text, capture_output=True, check=False)
    # Status 3 is of style alone: names of units and totals.
    assert checked.returncode in (0, 3), checked.stderr.decode()


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed here")
def test_the_unit_is_confined():
    checked = subprocess.run(["systemd-analyze", "security", "--offline=true", OPS / "muster.service"], capture_output=True, text=True, check=False)
    exposure = re.search(r"exposure level for \S+ (\d+\.\d+)", checked.stdout)
    assert exposure is not None, checked.stdout + checked.stderr
    assert float(exposure.group(1)) <= 2.0, checked.stdout
