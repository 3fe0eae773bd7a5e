"""A bare Debian, copied from the running one, in which a command runs without anything else and without a network.

It uses namespaces for mounts and network where these are allowed (unshare). Elsewhere, as in most containers, root can
at least chroot and filter the system calls that make Internet sockets: run as a script, this file does so.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import shutil
import stat
import struct
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

HOME = "/home/player"
AS_ROOT = os.geteuid() == 0
PLAYER = 1000
ENTER = """
root=$1 player=$2
shift 2
mount --rbind /dev "$root/dev" && mount --rbind /proc "$root/proc" && exec chroot $player "$root" "$@"
"""
"""Run in the namespace: mount /dev and /proc, and chroot into the bare system."""

DEVICES = {"null": 3, "zero": 5, "random": 8, "urandom": 9}
"""Minor numbers of the memory devices that every program expects."""


def named(relation: str) -> str:
    """The package name in a relation: "libc6:any (>= 2.36)" -> "libc6"."""
    return relation.partition("(")[0].partition(":")[0].strip()


def essential() -> list[str]:
    """The essential packages with their dependencies."""
    form = "${Package}\t${Essential}\t${Provides}\t${Pre-Depends}, ${Depends}\n"
    shown = subprocess.run(["dpkg-query", "-W", "-f", form], capture_output=True, text=True, check=True).stdout
    rows = [line.split("\t") for line in shown.splitlines()]
    needs = {name: needed for name, _, _, needed in rows}
    real = {named(one): name for name, _, provided, _ in rows for one in provided.split(",")}
    found: set[str] = set()
    wanted = [name for name, kind, _, _ in rows if kind == "yes"]
    while wanted:
        name = wanted.pop()
        name = name if name in needs else real.get(name, "")
        if name in needs and name not in found:
            found.add(name)
            wanted += [named(one) for one in needs[name].replace("|", ",").split(",")]
    return sorted(found)


def copy_bare_system(root: Path) -> None:
    """Copy the files of those packages, and make a home for the player."""
    listed = subprocess.run(["dpkg-query", "-L", *essential()], capture_output=True, text=True, check=True).stdout
    (root / "usr").mkdir(parents=True)
    for name in ("bin", "lib", "lib64", "sbin"):
        link = Path("/", name)
        if link.is_symlink():  # to the folder of that name in /usr
            (root / link.readlink()).mkdir(exist_ok=True)
            (root / name).symlink_to(link.readlink())
    for path in sorted({Path(line) for line in listed.splitlines() if line.startswith("/")}):
        target = root / path.relative_to("/")
        if "/usr/share/" in f"{path}/" or not os.path.lexists(path) or os.path.lexists(target):
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir() and not path.is_symlink():
            target.mkdir()
        else:
            shutil.copy(path, target, follow_symlinks=False)
    for name in ("dev", "proc", "tmp", HOME.strip("/")):
        (root / name).mkdir(parents=True, exist_ok=True)
        (root / name).chmod(0o777)
    for name, minor in DEVICES.items():
        with contextlib.suppress(OSError):  # only root may, and needs it only where it may not mount
            os.mknod(root / "dev" / name, stat.S_IFCHR, os.makedev(1, minor))
            (root / "dev" / name).chmod(0o666)
    root.chmod(0o755)


@dataclass(frozen=True, slots=True)
class BareSystem:
    """A bare system."""

    root: Path
    enter: tuple[str, ...]  # the command that enters it; its arguments are the root, the player and another command

    def run(self, *command: str, typed: str = "", by_root: bool = False) -> subprocess.CompletedProcess[str]:
        """Run a command without a network, as a player who may write at home and in /tmp, or as root."""
        player = f"--userspec={PLAYER}:{PLAYER}" if AS_ROOT and not by_root else ""
        return subprocess.run(
            [*self.enter, str(self.root), player, *command],
            env={"HOME": HOME, "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"},
            cwd="/",
            input=typed,
            capture_output=True,
            encoding="utf-8",
            check=False,
            timeout=300,
        )


def bare_system(root: Path) -> BareSystem:
    """A bare system that can be entered. Raises RuntimeError with the reasons if none can."""
    copy_bare_system(root)
    shut_off = ("unshare", "--net", "--mount")
    ways = [
        (*shut_off, *(() if AS_ROOT else ("--map-root-user",)), "sh", "-c", ENTER, "sh"),
        (sys.executable, __file__),
    ]
    reasons = []
    for way in ways:
        found = BareSystem(root, way)
        entered = found.run("true")
        if entered.returncode == 0:
            return found
        reasons.append(entered.stderr.strip())
    raise RuntimeError("; ".join(reasons))


def confine(root: str, player: str) -> None:
    """Chroot, and deny this process and its children Internet sockets. Raises OSError."""
    libc = ctypes.CDLL(None, use_errno=True)
    os.chroot(root)
    os.chdir("/")
    if player:
        os.setgroups([])
        os.setgid(PLAYER)
        os.setuid(PLAYER)
    socket = {"x86_64": 41, "aarch64": 198}[os.uname().machine]
    rules = [  # linux/filter.h: code, jump if true, jump if false, operand
        (0x20, 0, 0, 0),  # load the number of the system call
        (0x15, 0, 4, socket),
        (0x20, 0, 0, 16),  # load its first argument
        (0x15, 1, 0, 2),  # AF_INET
        (0x15, 0, 1, 10),  # AF_INET6
        (0x06, 0, 0, 0x00050001),  # refused: EPERM
        (0x06, 0, 0, 0x7FFF0000),  # allowed
    ]
    packed = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *rule) for rule in rules))
    program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(rules), ctypes.addressof(packed)))
    libc.prctl(38, 1, 0, 0, 0)  # PR_SET_NO_NEW_PRIVS
    if libc.prctl(22, 2, ctypes.c_void_p(ctypes.addressof(program)), 0, 0):  # PR_SET_SECCOMP
        raise OSError(ctypes.get_errno(), "no filter for system calls")


if __name__ == "__main__":
    confine(*sys.argv[1:3])
    os.execvp(sys.argv[3], sys.argv[3:])
