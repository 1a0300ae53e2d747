#!/usr/bin/env python3
"""Whether the estimate by which plans are compared ranks them as measured times do.

    ranks.py EOMGEN FOLDER [MODEL...]

Derives the machines of `models` and `robots` by several plans each, compiles all accelerations into one program (`rustc -O -C target-cpu=native`) and times them in
turn. Prints a line for each plan; then the rank correlation of estimates and times over all (Spearman), how many pairs of plans of one machine whose times differ by
a tenth or more are ranked rightly, and how much longer the plan of the least estimate takes than the quickest, as geometric mean and worst. Needs rustc, nothing else.
"""

import itertools
import math
import pathlib
import random
import re
import subprocess
import sys

TESTS = pathlib.Path(__file__).parent.parent
WAYS = [
    [*plan, *prefer]
    for plan in ([], ["--plan", "reduced"], ["--plan", "bordered"], ["--plan", "newton-euler"])
    for prefer in ([], ["--prefer", "operations"])
]
# Derivations of a machine that take longer are left out.
PATIENCE = 120

MAIN = """#![allow(warnings)]
use std::hint::black_box;
use std::time::Instant;
%s
fn main() {
    let mut rows: Vec<Box<dyn FnMut(usize)>> = vec![%s];
    let mut counts = Vec::new();
    for row in &mut rows {
        let mut count = 1;
        loop {
            let start = Instant::now();
            row(count);
            if start.elapsed().as_secs_f64() > 1e-4 {
                break;
            }
            count *= 2;
        }
        counts.push(count);
    }
    let mut least = vec![f64::MAX; rows.len()];
    for _ in 0..501 {
        for ((row, count), least) in rows.iter_mut().zip(&counts).zip(&mut least) {
            let start = Instant::now();
            row(*count);
            *least = least.min(start.elapsed().as_secs_f64() / *count as f64 * 1e9);
        }
    }
    for time in least {
        println!("{time:.2}");
    }
}
"""


def derived(eomgen, path, folder, options):
    """A module and the row of its plan: operations, critical path, estimated cycles. Nothing where no plans are compared."""
    module = "_".join([path.stem, *(o.strip("-").replace("-", "_") for o in options)])
    command = [eomgen, "derive", str(path), *options]
    file = folder / f"{module}.rs"
    try:
        table = subprocess.run([*command, "--explain-plan"], capture_output=True, text=True, timeout=PATIENCE).stdout
        row = re.search(r"^\s*\*\s+(\d+)\s+(\d+)\s+(\d+)", table, re.M)
        if not row:
            return None
        made = subprocess.run([*command, "-o", str(file), "--force", "--only", "accelerations"], capture_output=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return None
    return None if made.returncode else (module, file.read_text(), tuple(map(int, row.groups())))


def row(module, code, seed):
    """The text of a closure that calls a module's accelerations at random states; nothing where it needs functions of the user's."""
    draw = random.Random(seed)
    fields = lambda kind: re.findall(r"pub (\w+): f64", found[1]) if (found := re.search(rf"pub struct {kind} \{{(.*?)\}}", code, re.S)) else None
    params, inputs = fields("Params"), fields("Inputs")
    states = int(re.search(r"const STATES: usize = (\d+);", code)[1])
    maker = "unchecked" if "pub fn unchecked(" in code else "new"
    given = "" if params is None else f"&{module}::Params {{ {', '.join(f'{p}: {draw.uniform(0.8, 1.6)!r}' for p in params)} }}"
    if "impl Default for Params" in code:
        given = f"&{module}::Params::default()"
    data = []
    for _ in range(8):
        x = ", ".join(repr(draw.uniform(0.1, 1.2)) for _ in range(states))
        u = ", ".join(f"{name}: {draw.uniform(0, 2)!r}" for name in inputs or [])
        data.append(f"([{x}], {f'{module}::Inputs {{ {u} }}' if inputs else '()'})")
    arguments = re.search(r"    pub fn accelerations\s*\(\s*&self,(.*?)\)\s*->", code, re.S)[1]
    known = {"f64": "0.0", "&[f64; STATES]": "black_box(&s.0)", "&Inputs": "black_box(&s.1)"}
    kinds = [a.split(":", 1)[1].strip() for a in arguments.split(",") if a.strip()]
    if not set(kinds) <= set(known):
        return None
    return (
        f"{{ let model = {module}::Model::{maker}({given}); let data = [{', '.join(data)}]; "
        f"Box::new(move |count: usize| for i in 0..count {{ let s = &data[i % 8]; black_box(model.accelerations({', '.join(known[k] for k in kinds)})); }}) }}"
    )


def ranks(values):
    order = sorted(range(len(values)), key=values.__getitem__)
    at = [0.0] * len(values)
    for _, group in itertools.groupby(enumerate(order), key=lambda pair: values[pair[1]]):
        group = list(group)
        for _, index in group:
            at[index] = sum(place for place, _ in group) / len(group)
    return at


def spearman(a, b):
    a, b = ranks(a), ranks(b)
    mean = (len(a) - 1) / 2
    product = lambda x, y: sum((p - mean) * (q - mean) for p, q in zip(x, y))
    return product(a, b) / math.sqrt(product(a, a) * product(b, b))


def verdict(plans):
    """Prints how the estimates rank; a plan is its machine, its estimate and its time."""
    print(f"{len(plans)} plans, rank correlation {spearman([p[1] for p in plans], [p[2] for p in plans]):.3f}")
    right = wrong = 0
    losses = []
    for _, group in itertools.groupby(plans, key=lambda plan: plan[0]):
        group = list(group)
        for (_, estimate, time), (_, other, longer) in itertools.permutations(group, 2):
            if longer > 1.1 * time:
                right += estimate < other
                wrong += estimate >= other
        if len(group) > 1:
            chosen = min(group, key=lambda plan: plan[1])
            losses.append(chosen[2] / min(plan[2] for plan in group))
    print(f"pairs of one machine: {right} of {right + wrong} ranked rightly")
    mean = math.exp(sum(map(math.log, losses)) / len(losses))
    print(f"the least estimate takes {mean:.3f} times the quickest on the average, {max(losses):.2f} at worst, of {len(losses)} machines")


def main():
    eomgen, folder = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    paths = sorted((TESTS / "models").glob("*.eom")) + sorted((TESTS / "robots").glob("*.eom"))
    wanted = set(sys.argv[3:])
    mods, closures, plans = [], [], []
    for path in paths:
        if wanted and path.stem not in wanted:
            continue
        print(f"deriving {path.stem}", file=sys.stderr, flush=True)
        known = set()
        for options in WAYS:
            found = derived(eomgen, path, folder, options)
            if not found:
                continue
            module, code, numbers = found
            body = re.sub(r"^\s*//.*$", "", code, flags=re.M)
            text = row(module, code, path.stem)
            if body in known or text is None:
                continue
            known.add(body)
            mods.append(f'#[path = "{module}.rs"]\nmod {module};')
            closures.append(text)
            plans.append((path.stem, " ".join(options), *numbers))
    (folder / "main.rs").write_text(MAIN % ("\n".join(mods), ",\n".join(closures)))
    print("compiling", file=sys.stderr, flush=True)
    subprocess.run(["rustc", "--edition", "2024", "-O", "-C", "target-cpu=native", "main.rs", "-o", "main"], cwd=folder, check=True)
    times = subprocess.run([str((folder / "main").resolve())], check=True, capture_output=True, text=True).stdout.split()
    print("| model | options | operations | path | estimate | ns |\n|---|---|--:|--:|--:|--:|")
    for plan, time in zip(plans, times):
        print("| " + " | ".join(map(str, plan)) + f" | {time} |")
    print()
    verdict([(model, estimate, float(time)) for (model, _, _, _, estimate), time in zip(plans, times)])


if __name__ == "__main__":
    main()
