"""Whole robots and other machines: eomgen's modules and CasADi's C for the same, interleaved in one process.

Run by `robots.sh`, in an environment that has casadi. Arguments: the eomgen program, a folder for what is built, and optionally names of machines.
"""

import json
import pathlib
import re
import subprocess
import sys

import compare
from compare import HEAD, TAIL, array, names_of, with_casadi
from machines import hand, speeds_of_platform, speeds_of_wagon
from tree import tree

HERE = pathlib.Path(__file__).parent
ROBOTS = HERE.parent / "robots"
NAMES = ["kinova", "tiago", "a1_ff", "solo12_ff", "anymal_c_ff", "hyq_ff", "talos_ff", "cassie_ff", "biped"]
NAMES += ["ladder_2", "ladder_4", "ladder_8", "ladder_16", "ladder_32"]
NAMES += ["ladder_uneven_2", "ladder_uneven_4", "ladder_uneven_8", "ladder_uneven_16", "ladder_uneven_32"]
NAMES += ["wagon_flat", "wagon_tilt", "stewart", "stewart_quat"]
# The same with the rows that depend on others taken out by hand.
BY_HAND = {"wagon_flat": "wagon_flat_rows", "wagon_tilt": "wagon_tilt_rows"}
# The same with speeds declared, by their values from those of the coordinates and rates.
BY_SPEEDS = {
    "wagon_flat": ("wagon_flat_speeds", speeds_of_wagon),
    "stewart": ("stewart_speeds", speeds_of_platform),
    "stewart_quat": ("stewart_quat_speeds", speeds_of_platform),
}
ROWS = [
    ("eomgen", []),
    ("eomgen, --math std", ["--math", "std"]),
    ("eomgen, --prefer operations", ["--prefer", "operations"]),
    ("eomgen, --fma", ["--fma"]),
]
QUATERNION = {"e0": "qw", "e1": "qx", "e2": "qy", "e3": "qz"}


def state_of(names, reference, state, speeds=None):
    """The state array of a module from a reference state: joints of robots are q[1], q[2], ... in the texts."""
    own = reference["coordinates"]
    if "inputs" in reference:
        known = dict(zip(own, state["q"])) | {f"{n}'": x for n, x in zip(own, state["qd"])}
        known |= speeds(known) if speeds else {}
        return [known[name] for name in names]
    joints = [c for c in reference["coordinates"] if c not in ("px", "py", "pz", *QUATERNION.values())]
    speeds = reference.get("speeds", reference["coordinates"])
    values = []
    for name in names:
        if name.endswith(".norm'"):
            # How fast a quaternion's length changes.
            values.append(0.0)
            continue
        joint = re.fullmatch(r"q\[(\d+)\]('?)", name)
        if joint:
            wanted = joints[int(joint.group(1)) - 1]
            order, kind = (speeds, "qd") if joint.group(2) else (reference["coordinates"], "q")
        elif name in speeds:
            wanted, order, kind = name, speeds, "qd"
        else:
            wanted, order, kind = QUATERNION.get(name, name), reference["coordinates"], "q"
        values.append(state[kind][order.index(wanted)])
    return values


def with_eomgen(text, eomgen, folder, options):
    module = "_".join([f"eomgen_{text}", *(o.strip("-") for o in options)])
    path = folder / f"{module}.rs"
    floating = text.endswith("_ff")
    function = "speed_rates" if floating else "accelerations"
    output = ["--output", function] if floating else []
    command = [eomgen, "derive", str(ROBOTS / f"{text}.eom"), "-o", str(path), "--force", "--only", function]
    subprocess.run([*command, *output, *options], check=True, stderr=subprocess.DEVNULL)
    code = path.read_text()
    fields = re.search(r"pub struct Inputs \{(.*?)\n\}", code, re.S)
    fields = re.findall(r"pub (\w+): f64", fields.group(1))
    count = re.search(rf"^//! - `{function}`: (\d+)", code, re.M)
    found = re.search(rf"    pub fn {function}\s*\(\s*&self,(.*?)\)\s*->\s*([^{{]*)\{{", code, re.S)
    types = {"f64": "0.0", "&[f64; STATES]": "black_box(&s.0)", "&Inputs": "black_box(&s.1)"}
    arguments = [types[a.split(":", 1)[1].strip()] for a in found.group(1).split(",") if a.strip()]
    call = f"model.{function}({', '.join(arguments)})" + (".unwrap()" if "Result" in found.group(2) else "")
    return module, code, fields, int(count.group(1)) if count else None, call


def main():
    eomgen, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    chosen = sys.argv[3:] or NAMES
    folder.mkdir(parents=True, exist_ok=True)
    modules, externs, body, objects, counts, lines = [], [], [], [], {}, {}
    for number, name in enumerate(chosen):
        print(f"building {name}", file=sys.stderr, flush=True)
        reference = json.loads((ROBOTS / f"{name}.json").read_text())
        states = reference["states"]
        for s in states:
            s.setdefault("tau", list(s.get("inputs", {}).values()))
        sizes = [len(states[0][k]) for k in ("q", "qd", "tau")]
        expected = ", ".join(f"&{array(s['qdd'])}[..]" for s in states)
        body.append(f"    expected.push(vec![{expected}]);")
        kind = "(" + ", ".join(f"[f64; {n}]" for n in sizes) + ")"
        data = ", ".join("(" + ", ".join(array(s[k]) for k in ("q", "qd", "tau")) + ")" for s in states)
        body.append(f"    let data: &'static [{kind}; {len(states)}] = Box::leak(Box::new([{data}]));")

        def row(label, setup, call, places):
            body.append(
                f"""    {{
        {setup}
        rows.push(Row {{
            model: {number}, name: "{label}", times: Vec::new(), count: 0, each: 1,
            run: Box::new(move |count| for i in 0..count {{
                let s = &data[i % {len(states)}];
                black_box({call});
            }}),
            values: Box::new(move |i| {{ let s = &data[i]; let found = {call}; {places}.iter().map(|k: &usize| found[*k]).collect() }}),
        }});
    }}"""
            )

        rows_of = [(name, label, options) for label, options in ROWS]
        if name in BY_HAND:
            rows_of += [(BY_HAND[name], f"{label}, rows by hand", options) for label, options in ROWS if "--math" not in options]
        declared, values = BY_SPEEDS.get(name, (None, None))
        if declared:
            rows_of += [(declared, f"{label}, speeds declared", options) for label, options in ROWS if "--math" not in options]
        for text, label, options in rows_of:
            module, code, fields, count, call = with_eomgen(text, eomgen, folder, options)
            modules.append(f'#[path = "{module}.rs"]\nmod {module};')
            counts[name, label], lines[name, label] = count, code.count("\n")
            own = []
            for s in states:
                x = array(state_of(names_of(code, "StateIndex"), reference, s, values if text == declared else None))
                u = ", ".join(f"{field}: {float(v)!r}" for field, v in zip(fields, s["tau"]))
                own.append(f"({x}, {module}::Inputs {{ {u} }})")
            setup = f"let data: &'static _ = Box::leak(Box::new([{', '.join(own)}])); {compare.model_of(module, code)}"
            # A speed that a quaternion's norm leaves idle is none of the reference.
            speeds = names_of(code, "Speed") if name.endswith("_ff") else []
            places = [k for k, n in enumerate(speeds) if not n.endswith(".norm'") and n not in {c + "'" for c in QUATERNION}]
            if "inputs" in reference:
                found = names_of(code, "StateIndex")
                places = [found.index(c) for c in reference["coordinates"]]
            row(label, setup, call, places or list(range(sizes[1])))
        work, count = with_casadi(name, hand(name) or tree(name), folder, *sizes)
        objects.append(f"casadi_{name}.o")
        externs.append(f"    fn casadi_{name}(arg: *mut *const f64, res: *mut *mut f64, iw: *mut i64, w: *mut f64, mem: i32) -> i32;")
        modules.append(
            f"""fn run_casadi_{name}(s: &{kind}) -> [f64; {sizes[1]}] {{
    let mut out = [0.0; {sizes[1]}];
    let mut w = [0.0; {max(work, 1)}];
    let mut arg = [s.0.as_ptr(), s.1.as_ptr(), s.2.as_ptr()];
    let mut res = [out.as_mut_ptr()];
    unsafe {{ casadi_{name}(arg.as_mut_ptr(), res.as_mut_ptr(), std::ptr::null_mut(), w.as_mut_ptr(), 0) }};
    out
}}"""
        )
        peer = "casadi, by hand" if hand(name) else "casadi, aba"
        counts[name, peer] = count
        row(peer, "", f"run_casadi_{name}(black_box(s))", list(range(sizes[1])))
    quoted = ", ".join(f'"{name}"' for name in chosen)
    source = [HEAD, f"const MODELS: [&str; {len(chosen)}] = [{quoted}];", 'unsafe extern "C" {', *externs, "}", *modules]
    source += ["fn main() {", "    let mut rows: Vec<Row> = Vec::new();", "    let mut expected: Vec<Vec<&'static [f64]>> = Vec::new();"]
    (folder / "main.rs").write_text("\n".join([*source, *body, TAIL]))
    links = [argument for o in objects for argument in ("-C", f"link-arg={o}")]
    print("compiling", file=sys.stderr, flush=True)
    command = ["rustc", "--edition", "2024", "-O", "-C", "target-cpu=native", "main.rs", "-o", "main"]
    subprocess.run(command + links, cwd=folder, check=True)
    print("running", file=sys.stderr, flush=True)
    run = subprocess.run([str(folder / "main")], check=True, capture_output=True, text=True)
    sys.stderr.write(run.stderr)
    compare.table(chosen, counts, [line.split("\t") for line in run.stdout.splitlines()])


if __name__ == "__main__":
    main()
