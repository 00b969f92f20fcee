"""The containers of `compose.yaml`: what they may not do, their packages, and the runtime stage in a bare Debian.

Run with `/usr/bin/python3 -m unittest discover Tests/Contract`; needs Debian's python3-yaml. The test of the runtime stage needs
`debootstrap`, the superuser and Debian's servers, and takes minutes: MUSTER_RUNTIME_STAGE=1 asks for it.
"""

import os
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent.parent

#: Packages of `scripts/setup` that the image of the build stage has already: what the compiler needs.
WITH_THE_COMPILER = {"binutils", "git", "libc6-dev", "libncurses6", "libsqlite3-0", "libstdc++-12-dev"}
#: Packages of `scripts/setup` that only running needs, and what stands for them in the runtime stage.
RUNTIME_ONLY = {"libwebsockets-evlib-uv", "postgresql-15", "postgresql-15-postgis-3"}


def stages(services):
    """The instructions of each stage of the image: pairs of a word and the rest, with continued lines joined."""
    text = re.sub(r"\\\n", " ", services["muster"]["build"]["dockerfile_inline"])
    found = []
    for line in text.splitlines():
        if not line.strip():
            continue
        word, _, rest = line.strip().partition(" ")
        if word == "FROM":
            found.append([])
        found[-1].append((word, rest.replace("$$", "$").strip()))
    return found


def installed(stage):
    """The packages that a stage installs."""
    command = next(rest for word, rest in stage if word == "RUN" and "apt-get install" in rest)
    names = command.split("apt-get install", 1)[1].split("&&")[0].split()
    return {name for name in names if not name.startswith("-")}


def listed(name):
    """The packages of a list of `scripts/setup`."""
    text = (ROOT / "scripts/setup").read_text(encoding="utf-8")
    body = re.search(rf"^{name}=\((.*?)\)$", text, re.DOTALL | re.MULTILINE)[1]
    return set(re.sub(r"#.*", "", body).split())


class Compose(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.services = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))["services"]
        cls.build, cls.runtime = stages(cls.services)

    def test_containers_write_only_to_their_volumes_and_gain_nothing(self):
        for name, service in self.services.items():
            with self.subTest(name):
                self.assertIs(service["read_only"], True)
                self.assertEqual(service["cap_drop"], ["ALL"])
                self.assertNotIn("cap_add", service)
                self.assertNotIn("privileged", service)
                self.assertIn("no-new-privileges:true", service["security_opt"])
                self.assertTrue(0 < service["pids_limit"] <= 1024)
                self.assertRegex(str(service["mem_limit"]), r"^\d+g$")
                self.assertTrue(any(mount.startswith("/tmp:") for mount in service["tmpfs"]))
                self.assertFalse([each for each in service.get("volumes", []) if each.startswith(("/", "."))], "a folder of the host")
        self.assertEqual(self.services["postgres"]["user"], "postgres")
        users = [rest for word, rest in self.runtime if word == "USER"]
        self.assertTrue(users and users[-1] not in ("root", "0"))
        # Not one of the accounts that packages create.
        self.assertRegex(next(rest for word, rest in self.runtime if word == "RUN"), r"useradd [^&]*--uid 1\d{4} ")

    def test_the_build_stage_has_the_packages_of_the_setup(self):
        fonts = {name for name in listed("run_packages") if name.startswith("fonts-")}
        wanted = listed("run_packages") - WITH_THE_COMPILER - RUNTIME_ONLY - fonts
        self.assertEqual(wanted - installed(self.build), set(), "packages of scripts/setup that the build stage lacks")
        self.assertEqual(installed(self.build) - wanted, set(), "packages of the build stage that scripts/setup lacks")
        self.assertEqual((RUNTIME_ONLY | fonts) - installed(self.runtime), set())

    def test_the_runtime_stage_has_a_library_for_each_that_is_linked(self):
        """By the names of libraries: those of a package for development, without `-dev` and versions."""
        def stem(name):
            name = re.sub(r"-dev$", "", name)
            return re.sub(r"[\d.]+(-openssl|-dev)?$|[\d.]+$|-openssl$", "", name.replace("1g", ""))

        headers_only = {"libprotozero-dev"}
        # Packages that another one of the runtime stage brings along.
        brought = {"libcairo2-dev": "libpangocairo-1.0-0", "libpango1.0-dev": "libpangocairo-1.0-0", "libfontconfig-dev": "libpangocairo-1.0-0"}
        has = installed(self.runtime)
        stems = {stem(name) for name in has}
        for package in installed(self.build):
            if not package.endswith("-dev") or package in headers_only:
                continue
            with self.subTest(package):
                self.assertTrue(stem(package) in stems or brought.get(package) in has, f"{stem(package)} is not in {sorted(stems)}")

    def test_the_runtime_stage_starts_the_programs_in_a_bare_debian(self):
        if os.environ.get("MUSTER_RUNTIME_STAGE") != "1":
            self.skipTest("it takes minutes; MUSTER_RUNTIME_STAGE=1 asks for it")
        if shutil.which("debootstrap") is None or os.geteuid() != 0:
            self.skipTest("debootstrap cannot run here: it is not installed, or this is not the superuser")
        built = [ROOT / ".build" / kind for kind in ("release", "debug") if (ROOT / ".build" / kind / "muster").exists()]
        if not built:
            self.skipTest("there is no built muster")
        with tempfile.TemporaryDirectory(prefix="muster-runtime-") as folder:
            root = Path(folder) / "root"
            made = subprocess.run(["debootstrap", "--variant=minbase", "bookworm", root], capture_output=True, text=True, check=False)
            if made.returncode != 0:
                self.skipTest(f"debootstrap cannot run here: {made.stdout[-300:]}{made.stderr[-300:]}")
            self.assertEqual(self.enter(root, "apt-get -o APT::Sandbox::User=root update >/dev/null && true"), (0, ""))
            for word, rest in self.runtime:
                if word == "RUN":
                    status, said = self.enter(root, f"export DEBIAN_FRONTEND=noninteractive; {rest.replace('rm -rf /var/lib/apt/lists/*', 'true')}")
                    self.assertEqual(status, 0, said[-2000:])
                elif word == "COPY":
                    self.copy(rest, root, built[0])
            libraries = Path("/opt/swift/usr/lib/swift/linux")
            if libraries.exists():
                # Programs of the tests are linked with the compiler's libraries; those of the image have them inside.
                shutil.copytree(libraries, root / "opt/swift/usr/lib/swift/linux", ignore=shutil.ignore_patterns("x86_64", "*.swiftmodule"))
            user = next(rest for word, rest in self.runtime if word == "USER")
            as_user = f"cd /srv/muster && export LD_LIBRARY_PATH=/opt/swift/usr/lib/swift/linux && setpriv --reuid {user} --regid {user} --clear-groups --no-new-privs"
            for command in ("muster --version || muster --help", "muster-imaging --check", "osmium --version", "/usr/lib/postgresql/15/bin/initdb --version"):
                status, said = self.enter(root, f"{as_user} sh -c {shlex.quote(command)}")
                self.assertEqual(status, 0, f"{command}: {said[-2000:]}")
            shutil.copy(ROOT / "scripts/demo/monaco.osm.pbf", root / "srv/muster/monaco.osm.pbf")
            status, said = self.enter(root, f"{as_user} muster import map monaco.osm.pbf")
            self.assertEqual(status, 0, said[-2000:])
            self.assertIn("monaco: wrote", said)

    @staticmethod
    def enter(root, command):
        """Runs a command inside of the root, with /proc and /dev; gives its status and output."""
        script = 'mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && cp /etc/resolv.conf "$1/etc/" && exec chroot "$1" sh -c "$2"'
        ran = subprocess.run(["unshare", "--mount", "--pid", "--fork", "sh", "-c", script, "sh", root, command], capture_output=True, text=True, check=False)
        return ran.returncode, ran.stdout + ran.stderr

    @staticmethod
    def copy(rest, root, built):
        """Copies what the image copies; programs from those that are built here."""
        *sources, target = [part for part in rest.split() if not part.startswith("--from")]
        target = root / target.lstrip("/")
        for source in sources:
            if source.startswith("/usr/local/bin/"):
                target.mkdir(parents=True, exist_ok=True)
                shutil.copy(built / Path(source).name, target)
            elif source == "/bundle":
                continue
            else:
                shutil.copytree(ROOT / source, target)


if __name__ == "__main__":
    unittest.main()
