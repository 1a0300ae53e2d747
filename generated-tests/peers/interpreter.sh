#!/bin/sh
# What an evaluation costs in `eomgen simulate`, against the compiled module: `sh generated-tests/peers/interpreter.sh [MODEL]...`.
# The rate of the state by the instructions and by the compiled module, both at changing states, each the least of five measurements; and the
# processor time of a motion of 100 s less that of a short one, the integrator, the rows and the audit in it.
set -eu
cd "$(dirname "$0")/../.."
: "${EOMGEN:=target/release/eomgen}"
: "${INTERPRETED:=target/release/interpreted}"
[ $# -gt 0 ] || set -- double_pendulum four_bar ur5 panda7
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

for model in "$@"; do
    file=generated-tests/models/$model.eom
    inputs=$(sed -n 's/^input \([^:]*\).*/\1/p' "$file" | tr ',' '\n' | tr -d ' ' | sed '/^$/d; s/.*/--input &=0/')
    "$EOMGEN" derive "$file" -o "$folder/module.rs" --force 2> /dev/null
    EOMGEN=$EOMGEN INTERPRETED=$INTERPRETED FILE=$file INPUTS=$inputs FOLDER=$folder MODEL=$model python3 - <<'PYTHON'
import os, re, resource, subprocess
eomgen, program, file, inputs, folder, model = (os.environ[k] for k in ("EOMGEN", "INTERPRETED", "FILE", "INPUTS", "FOLDER", "MODEL"))

def motion(seconds):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [eomgen, "simulate", file, *inputs.split(), "--duration", str(seconds), "--step", str(seconds), "-o", folder + "/run.csv", "--force"]
    said = subprocess.run(command, capture_output=True, text=True).stderr
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    count = re.search(r"steps +(\d+) accepted, (\d+) rejected, (\d+) evaluations", said)
    return after.ru_utime - before.ru_utime, *map(int, count.groups())

brief = min(motion(0.01) for _ in range(3))
long = min((motion(100.0) for _ in range(3)), key=lambda m: m[0])
interpreted = float(subprocess.run([program, file], capture_output=True, text=True, check=True).stdout)
steps = long[1] + long[2]
text = open(folder + "/module.rs").read()
arguments = "".join([", &i" if "pub struct Inputs" in text else ""])
names = re.search(r"pub struct Inputs \{(.*?)\}", text, re.S)
fields = re.findall(r"pub (\w+): f64", names.group(1)) if names else []
given = "let i = module::Inputs { %s };" % ", ".join(f"{f}: 0.0" for f in fields) if fields else ""
fallible = re.search(r"pub fn derivative\(.*?-> (Result)?", text, re.S).group(1)
unwrap = ".unwrap_or([f64::NAN; module::STATES])" if fallible else ""
open(folder + "/main.rs", "w").write(f"""
mod module;
fn main() {{
    let model = module::Model::new(&module::Params::default());
    {given}
    let mut x = module::State::default().to_array();
    for (k, x) in x.iter_mut().enumerate() {{ *x += 0.1 + 0.05 * k as f64; }}
    let start = x;
    let (count, mut sum) = (2_000_000u32, 0.0);
    let clock = std::time::Instant::now();
    for n in 0..count {{
        let rate = model.derivative(0.0, &x{arguments}){unwrap};
        for k in 0..x.len() {{ x[k] = start[k] + 1e-9 * rate[k]; }}
        if n % 1000 == 0 {{ sum += rate[0]; }}
    }}
    println!("{{}} {{sum}}", clock.elapsed().as_nanos() as f64 / f64::from(count));
}}
""".replace("Params::default()", "Params::default()" if "pub struct Params" in text else "Params {}"))
subprocess.run(["rustc", "-O", "-C", "target-cpu=native", "--edition", "2024", "-A", "warnings", "main.rs"], cwd=folder, check=True)
compiled = min(float(subprocess.run([folder + "/main"], capture_output=True, text=True).stdout.split()[0]) for _ in range(5))
print(f"{model:>16} {steps:>7} steps in {long[0] - brief[0]:6.3f} s, {interpreted:8.1f} ns an evaluation, compiled {compiled:7.1f} ns, factor {interpreted / compiled:5.1f}")
PYTHON
done
