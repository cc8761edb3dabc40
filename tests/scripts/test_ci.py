"""`.ci/run`: brings what is missing, says what it can't bring, and fails when the checks fail."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the script is for Debian")

SCRIPT = Path(__file__).parent.parent.parent / ".ci" / "run"
TOOLS = ("ip", "nft", "tmux")


class Machine:
    """A machine with nothing on its path but bash and the programs that the test puts there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("bash", "dirname"):
            found = shutil.which(name)
            assert found is not None
            (folder / name).symlink_to(found)

    def install(self, name: str, script: str) -> None:
        (self.folder / name).write_text(f"#!{self.folder}/bash\n{script}\n")
        (self.folder / name).chmod(0o755)

    def run(self) -> subprocess.CompletedProcess[str]:
        command = [str(self.folder / "bash"), str(SCRIPT)]
        path = {"PATH": str(self.folder)}
        return subprocess.run(command, env=path, capture_output=True, text=True, check=False)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@pytest.mark.parametrize("code", [0, 1])
def test_its_exit_code_is_that_of_the_checks(code: int, machine: Machine) -> None:
    for name in TOOLS:
        machine.install(name, "")
    machine.install("apt-get", "exit 9")
    machine.install("python3", f"echo $*; exit {code}")
    done = machine.run()
    assert (done.returncode, done.stdout) == (code, "scripts/test.py\n")


def test_it_installs_what_is_missing(machine: Machine) -> None:
    machine.install("ip", "")
    machine.install("apt-get", "echo apt-get $*")
    machine.install("python3", "")
    done = machine.run()
    assert done.returncode == 0
    _, update, install = done.stdout.splitlines()
    assert update.startswith("apt-get update")
    assert set(install.split()) >= {"install", "nftables", "tmux"}
    assert "iproute2" not in install


@pytest.mark.parametrize("step", ["update", "install"])
def test_it_says_what_it_could_not_install(step: str, machine: Machine) -> None:
    machine.install("apt-get", f'[ "$1" != {step} ]')
    machine.install("python3", "echo the checks ran")
    done = machine.run()
    assert done.returncode == 1
    assert "the checks ran" not in done.stdout
    assert done.stderr.startswith("The tests need ")
    assert done.stderr.endswith(", and apt-get could not install them.\n")
