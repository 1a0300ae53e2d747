"""Builds the rows of the table, runs them interleaved in one process, and prints times with ratios.

Run by `compare.sh`, in an environment that has wrenfold and casadi. Arguments: the eomgen program, a folder for what is built, and
optionally names of models.
"""

import json
import os
import pathlib
import re
import subprocess
import sys

import casadi
import wrenfold
from wrenfold import sym
from wrenfold import code_generation as generation

import models
from sizes import compiled

HERE = pathlib.Path(__file__).parent
TESTS = HERE.parent


class CasadiOps:
    sin, cos = staticmethod(casadi.sin), staticmethod(casadi.cos)


class WrenfoldOps:
    sin, cos = staticmethod(sym.sin), staticmethod(sym.cos)


def reference(name):
    return json.loads((TESTS / "reference" / f"{name}.json").read_text())


def with_casadi(name, model, folder, coordinates, speeds, inputs):
    """C by CasADi's SX: the functions' text and the number of operations."""
    q, qd, tau = (casadi.SX.sym(v, k) for v, k in (("q", coordinates), ("qd", speeds), ("tau", inputs)))
    parts = [[v[i] for i in range(v.shape[0])] for v in (q, qd, tau)]
    out = casadi.vertcat(*model(CasadiOps, *parts))
    # The tool's own sharing.
    out = casadi.cse(out)
    f = casadi.Function(f"casadi_{name}", [q, qd, tau], [out])
    free = {casadi.OP_CONST, casadi.OP_INPUT, casadi.OP_OUTPUT, casadi.OP_PARAMETER}
    count = sum(f.instruction_id(i) not in free for i in range(f.n_instructions()))
    before = os.getcwd()
    os.chdir(folder)
    f.generate(f"casadi_{name}.c")
    os.chdir(before)
    subprocess.run(
        ["gcc", "-O3", "-march=native", "-c", f"casadi_{name}.c", "-o", f"casadi_{name}.o"],
        cwd=folder,
        check=True,
    )
    return f.sz_w(), count


def with_wrenfold(name, model, folder, size, inputs):
    """Rust by wrenfold, with a scalar argument for every number: nothing stands between the compiler and the arithmetic."""
    names = [f"q{i}" for i in range(size)] + [f"v{i}" for i in range(size)] + [f"f{i}" for i in range(inputs)]

    def body(*given):
        q, qd, tau = given[:size], given[size : 2 * size], given[2 * size :]
        out = model(WrenfoldOps, list(q), list(qd), list(tau))
        return [generation.OutputArg(x, name=f"out{i}") for i, x in enumerate(out)]

    scope = {"body": body, "FloatScalar": wrenfold.FloatScalar}
    arguments = ", ".join(f"{n}: FloatScalar" for n in names)
    exec(f"def wrenfold_{name}({arguments}):\n    return body({', '.join(names)})", scope)
    code = generation.generate_function(scope[f"wrenfold_{name}"], wrenfold.RustGenerator())
    count = int(re.search(r"total: (\d+)", code).group(1))
    lines = [
        "#![allow(warnings)]",
        re.sub(r"^#!\[.*$", "", code, flags=re.M),
        "#[inline(never)]",
        f"pub fn run(q: &[f64; {size}], v: &[f64; {size}], f: &[f64; {inputs}]) -> [f64; {size}] {{",
        f"    let mut out = [0.0; {size}];",
        "    {",
        "        let [" + ", ".join(f"o{i}" for i in range(size)) + "] = &mut out;",
        f"        wrenfold_{name}("
        + ", ".join([f"q[{i}]" for i in range(size)] + [f"v[{i}]" for i in range(size)] + [f"f[{i}]" for i in range(inputs)])
        + ", "
        + ", ".join(f"o{i}" for i in range(size))
        + ");",
        "    }",
        "    out",
        "}",
    ]
    (folder / f"wrenfold_{name}.rs").write_text("\n".join(lines) + "\n")
    return count


def names_of(code, kind):
    """The names in one of the module's index enums."""
    found = re.search(rf"impl {kind} \{{.*?NAMES: \[&'static str; \d+\] = \[(.*?)\];", code, re.S)
    return re.findall(r'"([^"]*)"', found.group(1)) if found else []


# What a user can ask eomgen for: the row's name, the options, and whether the model must have parameters.
ROWS = [
    ("eomgen, parameters", [], True),
    ("eomgen, parameters, --math std", ["--math", "std"], True),
    ("eomgen, parameters, --prefer operations", ["--prefer", "operations"], True),
    ("eomgen, numbers fixed", ["--fix", "all"], False),
    ("eomgen, numbers fixed, --fma", ["--fix", "all", "--fma"], False),
    ("the same, --prefer operations", ["--fix", "all", "--fma", "--prefer", "operations"], False),
    ("the same, --plan reduced", ["--fix", "all", "--fma", "--plan", "reduced"], False),
]


def with_eomgen(name, eomgen, folder, options):
    """A module by eomgen; how its accelerations are called."""
    module = "_".join([f"eomgen_{name}", *(o.strip("-") for o in options)])
    path = folder / f"{module}.rs"
    command = [eomgen, "derive", str(TESTS / "models" / f"{name}.eom"), "--method", "kane", "-o", str(path)]
    subprocess.run(command + options, check=True)
    code = path.read_text()
    arguments, result = re.search(r"    pub fn accelerations\s*\(\s*&self,(.*?)\)\s*->\s*([^{]*)\{", code, re.S).groups()
    types = {
        "f64": "0.0",
        "&[f64; STATES]": "black_box(&s.0)",
        "&Inputs": "black_box(&s.1)",
    }
    call = ", ".join(types[a.split(":", 1)[1].strip()] for a in arguments.split(",") if a.strip())
    fields = re.search(r"pub struct Inputs \{(.*?)\n\}", code, re.S)
    fields = re.findall(r"pub (\w+): f64", fields.group(1)) if fields else []
    doc = re.search(r"^//! - `accelerations`: (.*)$", code, re.M).group(1)
    return {
        "module": module,
        "setup": model_of(module, code),
        "call": f"model.accelerations({call})" + (".unwrap()" if "Result" in result else ""),
        "states": names_of(code, "State"),
        "inputs": fields,
        "doc": doc,
        "bytes": len(code.encode()),
        "lines": code.count("\n"),
    }


def model_of(module, code):
    """The quickest model of a module: without checks, if there are any."""
    maker = "unchecked" if "pub fn unchecked(" in code else "new"
    params = f"&{module}::Params::default()" if "pub struct Params" in code else ""
    return f"let model = {module}::Model::{maker}({params});"


# How many states at once.
BATCHES = [4, 16, 1024]

# Functions of many states: the row's name, the options, and whether the model must have parameters.
BATCH_ROWS = [
    ("eomgen, columns, parameters", ["--batch"], True),
    ("eomgen, columns, numbers fixed", ["--batch", "--fix", "all"], False),
    ("eomgen, columns, numbers fixed, --fma", ["--batch", "--fix", "all", "--fma"], False),
]


def many(name, eomgen, folder, options, states):
    """A module with functions of many states: set-ups and calls for columns of each length, and for arrays of four."""
    module = "_".join([f"eomgen_{name}", *(o.strip("-") for o in options)])
    path = folder / f"{module}.rs"
    command = [eomgen, "derive", str(TESTS / "models" / f"{name}.eom"), "--method", "kane", "-o", str(path)]
    subprocess.run(command + options, check=True)
    code = path.read_text()
    length = int(re.search(r"out: &mut \[&mut \[f64\]; (\d+)\]", code[code.index("pub fn accelerations_batch") :]).group(1))
    fallible = "pub fn unchecked(" in code
    fields = re.search(r"pub struct Inputs \{(.*?)\n\}", code, re.S)
    fields = re.findall(r"pub (\w+): f64", fields.group(1)) if fields else []
    own = names_of(code, "State")
    coordinates = [c for c in own if not c.endswith("'")]
    params = f"&{module}::Params::default()" if "pub struct Params" in code else ""
    model = f"let model = {module}::Model::new({params}); "
    rows = []
    for count, lanes in [(4, True), *((count, False) for count in BATCHES)]:
        # The given states again and again.
        at = [states[k % len(states)] for k in range(min(count, len(states)))]
        column = lambda values: f"column::<{count}>(&{array(values)})"
        given = [column([entry(s, n) for s in at]) for n in own]
        pushed = [column([s["inputs"][i] for s in at]) for i in range(len(fields))]
        setup = model + f"let t = [0.0; {count}]; "
        setup += f"let states: [[f64; {count}]; {len(given)}] = [{', '.join(given)}]; "
        setup += f"let inputs: [[f64; {count}]; {len(pushed)}] = [{', '.join(pushed)}]; "
        if lanes:
            setup += f"let out = [[0.0; {count}]; {length}];"
            function, arguments = "lanes", ["&t", "black_box(&states)", "black_box(&inputs)", "black_box(&mut out)"]
        else:
            # Columns somewhere in memory, and slices of them that are there already.
            setup += "let states: &'static _ = Box::leak(Box::new(states)); let inputs: &'static _ = Box::leak(Box::new(inputs)); "
            setup += "let states = states.each_ref().map(|c| &c[..]); let inputs = inputs.each_ref().map(|c| &c[..]); "
            setup += f"let out: &'static mut [[f64; {count}]; {length}] = Box::leak(Box::new([[0.0; {count}]; {length}])); "
            setup += "let mut out = out.each_mut().map(|c| &mut c[..]);"
            function = "batch"
            arguments = ["&t[..1]", "black_box(&states)", "black_box(&inputs)", "black_box(&mut out)"]
        if not pushed:
            arguments.remove("black_box(&inputs)")
        call = f"{module}::accelerations_{function}(black_box(&model), {', '.join(arguments)})"
        if fallible or not lanes:
            call += ".unwrap()"
        rows.append((count, lanes, setup, call))
    return module, rows


def entry(state, name):
    """A coordinate or a rate of a reference state."""
    kind = "qd" if name.endswith("'") else "q"
    return state[kind][state["names"].index(name.rstrip("'"))]


def each_count(name, eomgen, options):
    """Operations of one evaluation of the plan that was chosen."""
    command = [eomgen, "derive", str(TESTS / "models" / f"{name}.eom"), "--method", "kane", "--explain-plan"]
    options = [o for o in options if o in ("--fix", "all", "--plan", "reduced", "--prefer", "operations")]
    text = subprocess.run(command + options, check=True, capture_output=True, text=True).stdout
    found = re.search(r"^\s*\*\s+(\d+)", text, re.M)
    return int(found.group(1)) if found else None


def array(numbers):
    return "[" + ", ".join(repr(float(x)) for x in numbers) + "]"


HEAD = """#![allow(warnings)]
use std::hint::black_box;
use std::time::Instant;

struct Row {
    model: usize,
    name: &'static str,
    run: Box<dyn FnMut(usize)>,
    values: Box<dyn FnMut(usize) -> Vec<f64>>,
    times: Vec<f64>,
    count: usize,
    /// How many states one run takes.
    each: usize,
}

/// Values again and again.
fn column<const N: usize>(values: &[f64]) -> [f64; N] {
    std::array::from_fn(|k| values[k % values.len()])
}

const ROUNDS: usize = 201;
/// Seconds that one row runs in each round.
const SLICE: f64 = 1e-3;

fn check(model: &str, row: &mut Row, expected: &[&[f64]]) {
    let mut worst: f64 = 0.0;
    // Functions of many states write what they find.
    (row.run)(1);
    for (i, e) in expected.iter().enumerate() {
        let found = (row.values)(i);
        if found.is_empty() && i >= row.each {
            continue;
        }
        let size = e.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
        for (x, y) in found.iter().zip(*e) {
            let off = (x - y).abs() / size;
            worst = if off.is_nan() { f64::INFINITY } else { worst.max(off) };
        }
        assert_eq!(found.len(), e.len());
    }
    assert!(worst < 1e-9, "{model}, {}: off by {worst:e}", row.name);
    eprintln!("{model}, {}: within {worst:.0e} of the reference", row.name);
}
"""

TAIL = """
    for row in &mut rows {
        check(MODELS[row.model], row, &expected[row.model]);
    }
    for row in &mut rows {
        let mut count = 1;
        loop {
            let start = Instant::now();
            (row.run)(count);
            let took = start.elapsed().as_secs_f64();
            if took > SLICE {
                break;
            }
            count *= 2;
        }
        row.count = count;
    }
    for _ in 0..ROUNDS {
        for row in &mut rows {
            let start = Instant::now();
            (row.run)(row.count);
            let took = start.elapsed().as_secs_f64();
            row.times.push(took / (row.count * row.each) as f64 * 1e9);
        }
    }
    for row in &mut rows {
        row.times.sort_by(f64::total_cmp);
        println!("{}\\t{}\\t{:.2}\\t{:.2}", MODELS[row.model], row.name, row.times[0], row.times[ROUNDS / 2]);
    }
}
"""


def main():
    eomgen, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    chosen = sys.argv[3:] or list(models.MODELS)
    folder.mkdir(parents=True, exist_ok=True)
    modules, externs, body, objects, counts, sizes = [], [], [], [], {}, {}
    for number, name in enumerate(chosen):
        method, model = models.MODELS[name]
        given = reference(name)
        states = given["states"]
        size, inputs = len(states[0]["q"]), len(states[0]["inputs"])
        print(f"building {name}", file=sys.stderr, flush=True)
        expected = ", ".join(f"&{array(s['accelerations'])}[..]" for s in states)
        body.append(f"    expected.push(vec![{expected}]);")
        data = ", ".join(f"({array(s['q'])}, {array(s['qd'])}, {array(s['inputs'])})" for s in states)
        kind = f"([f64; {size}], [f64; {size}], [f64; {inputs}])"
        body.append(f"    let data: &'static [{kind}; {len(states)}] = Box::leak(Box::new([{data}]));")

        def row(label, setup, call):
            body.append(
                f"""    {{
        {setup}
        let n = data.len();
        rows.push(Row {{
            model: {number},
            name: "{label}",
            run: Box::new(move |count| {{
                for i in 0..count {{
                    let s = &data[i % {len(states)}];
                    black_box({call});
                }}
            }}),
            values: Box::new(move |i| {{
                let s = &data[i];
                {call}.to_vec()
            }}),
            times: Vec::new(),
            count: 0,
            each: 1,
        }});
    }}"""
            )

        def row_of_many(label, count, lanes, setup, call):
            values = "out.iter().map(|c| c[i]).collect()"
            body.append(
                f"""    {{
        {setup}
        let n = data.len().min({count});
        let shared = std::rc::Rc::new(std::cell::RefCell::new(out));
        let own = shared.clone();
        rows.push(Row {{
            model: {number},
            name: "{label}, {count}{' in arrays' if lanes else ''}",
            run: Box::new(move |count| {{
                let mut out = own.borrow_mut();
                let out = &mut *out;
                for _ in 0..count {{
                    let _ = black_box({call.replace("&mut out", "&mut *out")});
                }}
            }}),
            values: Box::new(move |i| {{
                let out = shared.borrow();
                if i < n {{ {values} }} else {{ Vec::new() }}
            }}),
            times: Vec::new(),
            count: 0,
            each: {count},
        }});
    }}"""
            )

        for label, options, parameters in ROWS:
            if parameters and not given["params"]:
                continue
            ours = with_eomgen(name, eomgen, folder, options)
            module = ours["module"]
            modules.append(f"#[path = \"{module}.rs\"]\nmod {module};")
            sizes[module] = (ours["bytes"], ours["lines"])
            by_name = {c: ("q", i) for i, c in enumerate(given["coordinates"])}
            by_name |= {c + "'": ("qd", i) for i, c in enumerate(given["coordinates"])}
            list_of = []
            for s in states:
                x = [s[by_name[n][0]][by_name[n][1]] for n in ours["states"]]
                pairs = zip(ours["inputs"], s["inputs"])
                u = ", ".join(f"{field}: {float(value)!r}" for field, value in pairs)
                list_of.append(f"({array(x)}, {module}::Inputs {{ {u} }})")
            setup = f"let data: &'static _ = Box::leak(Box::new([{', '.join(list_of)}]));"
            setup += " " + ours["setup"]
            row(label, setup, ours["call"])
            counts[name, label] = each_count(name, eomgen, options)

        for label, options, parameters in BATCH_ROWS:
            if parameters and not given["params"]:
                continue
            named = [{"names": given["coordinates"], **s} for s in states]
            module, rows_of_many = many(name, eomgen, folder, options, named)
            modules.append(f"#[path = \"{module}.rs\"]\nmod {module};")
            for count, lanes, setup, call in rows_of_many:
                row_of_many(label, count, lanes, setup, call)

        work, count = with_casadi(name, model, folder, size, size, inputs)
        objects.append(f"casadi_{name}.o")
        externs.append(
            f"    fn casadi_{name}(arg: *mut *const f64, res: *mut *mut f64, iw: *mut i64, w: *mut f64, mem: i32) -> i32;"
        )
        modules.append(
            f"""fn run_casadi_{name}(s: &{kind}) -> [f64; {size}] {{
    let mut out = [0.0; {size}];
    let mut w = [0.0; {max(work, 1)}];
    let mut arg = [s.0.as_ptr(), s.1.as_ptr(), s.2.as_ptr()];
    let mut res = [out.as_mut_ptr()];
    unsafe {{ casadi_{name}(arg.as_mut_ptr(), res.as_mut_ptr(), std::ptr::null_mut(), w.as_mut_ptr(), 0) }};
    out
}}"""
        )
        counts[name, f"casadi, {method}"] = count
        row(f"casadi, {method}", "", f"run_casadi_{name}(black_box(s))")

        count = with_wrenfold(name, model, folder, size, inputs)
        modules.append(f"#[path = \"wrenfold_{name}.rs\"]\nmod wrenfold_{name};")
        counts[name, f"wrenfold, {method}"] = count
        row(
            f"wrenfold, {method}",
            "",
            f"{{ let s = black_box(s); wrenfold_{name}::run(&s.0, &s.1, &s.2) }}",
        )
    quoted = ", ".join(f'"{name}"' for name in chosen)
    source = [HEAD, f"const MODELS: [&str; {len(chosen)}] = [{quoted}];", 'unsafe extern "C" {']
    source += externs + ["}"] + modules
    source += ["fn main() {", "    let mut rows: Vec<Row> = Vec::new();", "    let mut expected: Vec<Vec<&'static [f64]>> = Vec::new();"]
    source += body + [TAIL]
    (folder / "main.rs").write_text("\n".join(source))
    links = [argument for o in objects for argument in ("-C", f"link-arg={o}")]
    print("compiling", file=sys.stderr, flush=True)
    command = ["rustc", "--edition", "2024", "-O", "-C", "target-cpu=native", "main.rs", "-o", "main"]
    subprocess.run(command + links, cwd=folder, check=True)
    print("running", file=sys.stderr, flush=True)
    lines = subprocess.run([str(folder / "main")], check=True, capture_output=True, text=True)
    sys.stderr.write(lines.stderr)
    rows = [line.split("\t") for line in lines.stdout.splitlines()]
    one = [r for r in rows if not r[1].startswith("eomgen, columns")]
    table(chosen, counts, one)
    table_of_many(chosen, rows)
    sizes_of(folder, sizes)
    versions(eomgen)


def sizes_of(folder, sizes):
    """Bytes, lines, and rustc's processor time and memory for each module by itself."""
    print()
    print("| module | bytes | lines | rustc -O, s | MiB |")
    print("|---|--:|--:|--:|--:|")
    for module, (size, lines) in sizes.items():
        seconds, memory = compiled(folder / f"{module}.rs", folder / f"lib{module}.rlib")
        print(f"| {module} | {size} | {lines} | {seconds:.1f} | {memory:.0f} |")


def table(chosen, counts, rows):
    print("| model | code | operations | ns, least | ns, median | ratio of least | ratio of medians |")
    print("|---|---|--:|--:|--:|--:|--:|")
    for name in chosen:
        own = [r for r in rows if r[0] == name]
        peers = [r for r in own if not r[1].startswith(("eomgen", "the same"))]
        least, median = min(float(r[2]) for r in peers), min(float(r[3]) for r in peers)
        for _, label, low, middle in own:
            ratios = ["", ""]
            if label.startswith(("eomgen", "the same")):
                ratios = [f"{float(low) / least:.2f}", f"{float(middle) / median:.2f}"]
            count = counts.get((name, label))
            cells = [name, label, str(count or "-"), low, middle, *ratios]
            print("| " + " | ".join(cells) + " |")


def table_of_many(chosen, rows):
    """Time for each state of a batch, and its ratio to the quicker peer's for one state."""
    heads = ["4 in arrays", *map(str, BATCHES)]
    print()
    print("| model | code | " + " | ".join(f"{head}, ns" for head in heads) + " | " + " | ".join(heads) + " |")
    print("|---|---|" + "--:|" * (2 * len(heads)))
    for name in chosen:
        own = [r for r in rows if r[0] == name]
        peers = [r for r in own if not r[1].startswith(("eomgen", "the same"))]
        least = min(float(r[2]) for r in peers)
        for label, _, _ in BATCH_ROWS:
            times = [r[2] for head in heads for r in own if r[1] == f"{label}, {head}"]
            if times:
                ratios = [f"{float(t) / least:.2f}" for t in times]
                print("| " + " | ".join([name, label, *times, *ratios]) + " |")


def versions(eomgen):
    def first(*command):
        return subprocess.run(command, capture_output=True, text=True).stdout.splitlines()[0]

    print()
    print(
        "; ".join(
            [
                first(eomgen, "--version"),
                f"wrenfold {wrenfold.__version__}",
                f"CasADi {casadi.__version__}",
                first("gcc", "--version"),
                first("rustc", "--version"),
            ]
        )
    )


if __name__ == "__main__":
    main()
