"""The nightly backup: the commands of its unit, as they stand in the file, beside a server that runs."""

import re
import subprocess

from conftest import ROOT


def test_the_nightly_backup_is_made_verified_and_kept_for_two_weeks(server):
    folder = server.folder / "backups"
    folder.mkdir()
    configuration = server.folder / "muster.conf"
    configuration.write_text("public-url = https://muster.example\n", encoding="utf-8")
    for day in range(1, 21):
        (folder / f"2020-01-{day:02}-033000").mkdir()
    unit = (ROOT / "public/ops/muster-backup.service").read_text(encoding="utf-8")
    commands = re.findall(r"^ExecStart=/bin/sh -c '(.*)'$", unit, re.MULTILINE)
    assert len(commands) == 3
    said = []
    for command in commands:
        for place, here in (("/usr/local/bin/muster", server.binary), ("/etc/muster.conf", configuration), ("/var/lib/muster", server.folder / "data"),
                            ("/var/backups/muster", folder), ("/usr/local/share/muster/sql", ROOT / "sql"), ("%%", "%")):
            command = command.replace(place, str(here))
        done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stderr
        said.append(done.stdout)
    assert said[0].startswith("saved ") and said[1].startswith("verified ")
    kept = sorted(path.name for path in folder.iterdir())
    assert len(kept) == 14 and kept[0] == "2020-01-08-033000"
    newest = folder / kept[-1]
    assert sorted(path.name for path in newest.iterdir()) == ["backup.json", "database.dump", "muster.conf", "secret.key"]
    assert (newest / "secret.key").read_bytes() == (server.folder / "data/secret.key").read_bytes()
    assert newest.stat().st_mode & 0o777 == 0o700
