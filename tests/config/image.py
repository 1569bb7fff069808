"""A Dockerfile read, and built and run without Docker: in roots made by Debian's own tools, as root, on Linux."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BASE = re.compile(r"python:(3\.\d+)-slim-(\w+)")
INSIDE = ("python3", "python3-venv", "python3-pip", "ca-certificates", "netbase", "tzdata")
"""What stands for the base image: Debian's own Python of the same version, and what `slim` adds to Debian."""
FIRST_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
SHELL = ("/bin/sh", "-c")


@dataclass
class Stage:
    """One stage of a Dockerfile: its base image, its name, and the instructions after FROM."""

    base: str
    name: str
    instructions: list[tuple[str, str]] = field(default_factory=list)

    def all_of(self, word: str) -> list[str]:
        return [text for have, text in self.instructions if have == word]


def stages_of(dockerfile: Path) -> list[Stage]:
    """Return the stages of a Dockerfile."""
    lines = [line for line in dockerfile.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    found: list[Stage] = []
    for line in filter(None, re.sub(r"\\\n\s*", "", "\n".join(lines)).splitlines()):
        word, _space, text = line.partition(" ")
        if word == "FROM":
            base, _as, name = text.partition(" AS ")
            found.append(Stage(base, name))
        else:
            found[-1].instructions.append((word, text.strip()))
    return found


def ignored_but(dockerignore: Path) -> tuple[list[str], list[str]]:
    """Return what a file of the form "nothing but …" lets into the build, and what it keeps out of that."""
    lines = [
        line for line in dockerignore.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")
    ]
    assert lines[0] == "*"
    return [line[1:] for line in lines if line.startswith("!")], [
        line for line in lines[1:] if not line.startswith("!")
    ]


def context(folder: Path) -> Path:
    """Copy what is sent to the builder into a folder."""
    taken, left_out = ignored_but(ROOT / ".dockerignore")
    for name in taken:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name)
        else:
            folder.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    for pattern in left_out:
        for one in list(folder.glob(pattern)):
            shutil.rmtree(one) if one.is_dir() else one.unlink(missing_ok=True)
    return folder


def size_of(root: Path) -> int:
    """Return the bytes that a root takes on the disk."""
    return int(subprocess.run(["du", "-sxk", root], capture_output=True, check=True).stdout.split()[0]) * 1024


class Builder:
    """Builds the stages of the Dockerfile, each in a root of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.context = folder, context(folder / "context")
        self.roots: dict[str, Path] = {}
        self.env: dict[str, str] = {}
        self.workdir = self.user = self.cmd = self.healthcheck = ""

    def base(self, image: str) -> Path:
        """Return a root that stands for the base image, made once."""
        version, suite = BASE.fullmatch(image).groups()
        root = self.folder / f"base-{suite}"
        if not root.exists():
            making = ["mmdebstrap", "--variant=minbase", f"--include={','.join(INSIDE)}", suite, root]
            without_ours = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
            done = subprocess.run(making, env=without_ours, capture_output=True, encoding="utf-8", check=False)
            assert done.returncode == 0, done.stderr[-3000:]
            (root / "usr/local/bin/python").symlink_to("/usr/bin/python3")
            shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
            if bundle := os.environ.get("SSL_CERT_FILE"):  # a network's own authorities
                shutil.copy(bundle, root / "etc/ssl/certs/ca-certificates.crt")
        told = self.run(root, "python --version", env={"PATH": FIRST_PATH}).split()[1]
        assert told.startswith(f"{version}."), f"{image}: {suite} has Python {told}"
        return root

    def run(self, root: Path, command: str, env: dict[str, str], workdir: str = "/") -> str:
        """Run a shell command in a root, as RUN does."""
        own = {name: os.environ[name] for name in os.environ if name.startswith("PIP_") and "FIND" not in name}
        done = subprocess.run(
            ["unshare", "--mount", "--pid", "--fork", f"--root={root}", "--mount-proc", f"--wd={workdir}", *SHELL, command],
            env={"DEBIAN_FRONTEND": "noninteractive"} | own | env, capture_output=True, encoding="utf-8", check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"RUN {command}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
        return done.stdout

    def build(self) -> Path:
        """Carry out every instruction; return the last stage's root."""
        for number, stage in enumerate(stages_of(ROOT / "Dockerfile")):
            root = self.folder / f"stage-{number}"
            subprocess.run(["cp", "-a", self.base(stage.base), root], check=True)
            self.roots[stage.name or str(number)] = root
            self.env, self.workdir, self.user = {"PATH": FIRST_PATH}, "/", ""
            for word, text in stage.instructions:
                getattr(self, f"_{word.lower()}")(root, text)
        return root

    def _workdir(self, root: Path, text: str) -> None:
        self.workdir = text
        (root / text.lstrip("/")).mkdir(parents=True, exist_ok=True)

    def _env(self, _root: Path, text: str) -> None:
        for pair in shlex.split(text):
            name, _is, value = pair.partition("=")
            self.env[name] = re.sub(r"\$(\w+)", lambda found: self.env.get(found[1], ""), value)

    def _copy(self, root: Path, text: str) -> None:
        *options, source, target = text.split()
        there = self.context
        for option in options:
            there = self.roots[option.removeprefix("--from=")]
        into = root / os.path.join(self.workdir, target).lstrip("/")
        into.parent.mkdir(parents=True, exist_ok=True)
        found = there / source.lstrip("/")
        if found.is_dir():
            shutil.copytree(found, into, dirs_exist_ok=True)
        else:
            shutil.copy2(found, into)

    def _run(self, root: Path, text: str) -> None:
        self.run(root, text, self.env, self.workdir)

    def _user(self, _root: Path, text: str) -> None:
        self.user = text

    def _volume(self, _root: Path, text: str) -> None:
        assert text == "/data"

    def _expose(self, _root: Path, text: str) -> None:
        assert text == "8000"

    def _cmd(self, _root: Path, text: str) -> None:
        self.cmd = text

    def _healthcheck(self, _root: Path, text: str) -> None:
        self.healthcheck = text.partition(" CMD ")[2]


DRIVER = """
import json, os, signal, subprocess, sys, time, urllib.request
given = json.load(open("/tmp/given.json", encoding="utf-8"))
service = subprocess.Popen(given["cmd"], stdout=open("/tmp/log", "w"), stderr=subprocess.STDOUT)
told = {"healthy": False, "user": os.getuid()}
for _second in range(given["seconds"]):
    if service.poll() is not None:
        break
    if subprocess.run(given["healthcheck"], stderr=subprocess.DEVNULL).returncode == 0:
        told["healthy"] = True
        break
    time.sleep(1)
for page in given["pages"] if told["healthy"] else []:
    answer = urllib.request.urlopen(f"http://127.0.0.1:8000{page}", timeout=30)
    told[page] = [answer.status, answer.read().decode()]
try:
    open("/opt/written", "w")
    told["read_only"] = False
except OSError:
    told["read_only"] = True
began = time.monotonic()
service.send_signal(signal.SIGTERM)
told["status"] = service.wait(30)
told["seconds_to_stop"] = time.monotonic() - began
told["log"] = open("/tmp/log").read()
print(json.dumps(told))
"""
START = """
set -e
ip link set lo up
mount --bind {root} {root}
mount -o remount,ro,bind {root}
mount --bind {data} {root}/data
mount --bind {tmp} {root}/tmp
mount -t proc proc {root}/proc
exec chroot --userspec={user} {root} "$@"
"""


def serve(builder: Builder, root: Path, data: Path, pages: list[str], **environment: str) -> dict:
    """Run the image's command as its user, with a root that can't be written to, alone on a network; ask for pages."""
    tmp = builder.folder / "tmp"
    shutil.rmtree(tmp, ignore_errors=True)
    tmp.mkdir()
    given = {
        "cmd": json.loads(builder.cmd),
        "healthcheck": json.loads(builder.healthcheck),
        "pages": pages,
        "seconds": 90,
    }
    (tmp / "given.json").write_text(json.dumps(given), encoding="utf-8")
    for one in (data, *data.rglob("*"), tmp):
        os.chown(one, *map(int, builder.user.split(":")))
    env = [f"{name}={value}" for name, value in (builder.env | {"HOME": "/data"} | environment).items()]
    start = START.format(root=root, data=data, tmp=tmp, user=builder.user)
    command = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", start, "start"]
    command += ["/usr/bin/env", "-i", *env, "python", "-c", DRIVER]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=200, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)
