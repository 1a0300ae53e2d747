#!/usr/bin/env python3
"""What the compiler keeps in memory because registers are few: counts in the machine code of `accelerations`.

    spills.py EOMGEN [MODEL...]

EOMGEN is the program, best an optimised build. Each model is derived with its parameters fixed and compiled by `rustc -O -C target-cpu=native`; of the function's
instructions those are counted that read from or write to the stack (operands relative to %rsp). Where it can fail, its form without checks is taken. x86-64 only. The table goes to standard output. Nothing but Python's library and rustc is needed.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

MODELS = pathlib.Path(__file__).parent.parent / "models"
USUAL = ["disc", "pend_abs_10", "pend_abs_20", "pend_rel_10", "ur5", "panda7"]
STORE = re.compile(r",\s*-?\d*\(%rsp\)$")


def exported(text):
    """A function of its own for the quickest form of the method, and the text with the method inlined there."""
    arguments, result = re.search(r"    pub fn accelerations\s*\(\s*&self,(.*?)\)\s*->\s*([^{]*?)\s*\{", text, re.S).groups()
    names = [argument.split(":")[0].strip() for argument in arguments.split(",") if argument.strip()]
    of = "<false>" if "const CHECKED" in text else ""
    text = text.replace("    pub fn accelerations(", "    #[inline(always)]\n    pub fn accelerations(")
    return (
        text
        + f"\n#[inline(never)]\npub fn accelerations_alone(model: &Model{of}, {arguments.strip().rstrip(',')}) -> {result} {{\n"
        + f"    model.accelerations({', '.join(names)})\n}}\n"
    )


def instructions(assembly, function):
    """The machine instructions of a function."""
    label = rf"^\S*{len(function)}{function}(?:\.llvm\.\d+|17h[0-9a-f]+E)?:\n(.*?)\.cfi_endproc"
    body = re.search(label, assembly, re.S | re.M)
    if body is None:
        sys.exit(f"no code of {function}")
    lines = (line for line in body.group(1).split("\n") if line.startswith("\t"))
    return [line.split("#")[0].rstrip() for line in lines if not line.startswith("\t.")]


def counted(eomgen, model, folder):
    path = os.path.join(folder, f"{model}.rs")
    command = [eomgen, "derive", str(MODELS / f"{model}.eom"), "--fix", "all", "-o", path]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    # What is inlined has no code of its own.
    text = exported(re.sub(r" *#\[inline\]\n", "", pathlib.Path(path).read_text()))
    pathlib.Path(path).write_text(text)
    out = os.path.join(folder, f"{model}.s")
    options = ["-O", "-C", "target-cpu=native", "-C", "codegen-units=1", "--edition", "2024"]
    subprocess.run(["rustc", *options, "--crate-type", "lib", "--emit", "asm", path, "-o", out], check=True)
    code = instructions(pathlib.Path(out).read_text(), "accelerations_alone")
    stores = sum(STORE.search(line) is not None for line in code)
    loads = sum("(%rsp" in line and STORE.search(line) is None and "\tlea" not in line for line in code)
    return len(code), stores, loads


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    print("| model | instructions | stores to the stack | loads from it |")
    print("|---|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as folder:
        for model in sys.argv[2:] or USUAL:
            all_, stores, loads = counted(sys.argv[1], model, folder)
            print(f"| {model} | {all_} | {stores} | {loads} |", flush=True)


main()
