#!/usr/bin/env python3
"""What modules cost before they run: bytes, lines, and time and memory of deriving and of compiling them.

    sizes.py EOMGEN [MODEL[:NAME=VALUE]...]

EOMGEN is the program, best an optimised build. Each module is derived with all outputs and compiled by itself, optimised
(`rustc -O --crate-type lib`), one after the other; times are processor seconds. Memory is the most that the process held at once (resident set, Linux). The table
goes to standard output. Nothing but Python's library and rustc is needed.
"""

import os
import pathlib
import sys
import tempfile

MODELS = pathlib.Path(__file__).parent.parent / "models"
USUAL = ["sleigh_ref", "disc", "pend_abs_20", "ur5", "panda7", "tree", "chain_revolute:n=50"]


def measured(command):
    """Processor seconds and mebibytes of a command; the former do not grow with what else the machine does."""
    null = [(os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0)]
    child = os.posix_spawnp(command[0], command, os.environ, file_actions=null)
    _, status, usage = os.wait4(child, 0)
    if status != 0:
        sys.exit(f"failed: {' '.join(command)}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def compiled(path, library):
    """What compiling a module by itself takes, optimised."""
    options = ["--edition", "2024", "-O", "--crate-type", "lib", "--cap-lints", "allow"]
    return measured(["rustc", *options, str(path), "-o", str(library)])


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    eomgen = sys.argv[1]
    # What is kept of earlier runs would be read, not derived.
    os.environ["EOMGEN_CACHE"] = "off"
    print("| model | lines | kB | derived in s | MiB | rustc -O, s | MiB |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as folder:
        for name in sys.argv[2:] or USUAL:
            model, _, setting = name.partition(":")
            path = os.path.join(folder, f"{model}.rs")
            command = [eomgen, "derive", str(MODELS / f"{model}.eom"), "-o", path]
            derived = measured(command + (["--set", setting] if setting else []))
            text = pathlib.Path(path).read_bytes()
            seconds, memory = compiled(path, os.path.join(folder, "lib.rlib"))
            lines = len(text.splitlines())
            size = f"{lines} | {len(text) / 1000:.0f}"
            print(f"| {name} | {size} | {derived[0]:.2f} | {derived[1]:.0f} | {seconds:.1f} | {memory:.0f} |", flush=True)


if __name__ == "__main__":
    main()
