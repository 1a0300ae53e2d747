"""Imports robots with eomgen, derives their equations, and compares the accelerations with Pinocchio's and MuJoCo's on the same files.

Run by `import.sh`. Arguments: the eomgen program, a folder for what is built, and optionally names of robots. Nothing but the file of a robot
is shared: angles, damping, friction and couplings are read here again, and the equations of loops are solved here. Then both are timed at
the same states, one after the other: the module, and `aba.cpp` or `forward.c`, which call the library that the package brings along.
"""

import math
import os
import pathlib
import re
import resource
import subprocess
import sys
import xml.etree.ElementTree as tree

import mujoco
import numpy as np
import pinocchio as pin

HERE = pathlib.Path(__file__).resolve().parent
STATES = 8
TOLERANCE = 1e-9
SLIP = 0.01

# Name, file within the package, arguments of the import.
FREE = ["--base", "free-quaternion"]
EULER = ["--base", "free-euler"]
ROBOTS = [
    ("double_pendulum", "double_pendulum_description/urdf/double_pendulum.urdf", []),
    ("asr_twodof", "asr_twodof_description/urdf/TwoDofs.urdf", []),
    ("finger_edu", "finger_edu_description/robots/finger_edu.urdf", []),
    ("iris", "iris_description/robots/iris_simple.urdf", FREE),
    ("hector", "hector_description/robots/quadrotor_base.urdf", FREE),
    ("borinot", "borinot_description/urdf/borinot_flying_arm_2.urdf", FREE),
    ("hextilt", "hextilt_description/urdf/hextilt_flying_arm_5.urdf", FREE),
    ("so100", "so_arm_description/urdf/so100.urdf", []),
    ("so101", "so_arm_description/urdf/so101.urdf", []),
    ("ur3", "ur_description/urdf/ur3_robot.urdf", []),
    ("ur5", "ur_description/urdf/ur5_robot.urdf", []),
    ("ur10", "ur_description/urdf/ur10_robot.urdf", []),
    ("kinova", "kinova_description/robots/kinova.urdf", []),
    ("z1", "z1_description/urdf/z1.urdf", []),
    ("xarm7", "xarm_description/urdf/xarm7.urdf", []),
    ("panda", "panda_description/urdf/panda.urdf", []),
    ("ur5_gripper", "ur_description/urdf/ur5_gripper.urdf", []),
    ("bolt", "bolt_description/robots/bolt.urdf", FREE),
    ("solo8", "solo_description/robots/solo.urdf", FREE),
    ("solo12", "solo_description/robots/solo12.urdf", FREE),
    ("a1", "a1_description/urdf/a1.urdf", FREE),
    ("go1", "go1_description/urdf/go1.urdf", FREE),
    ("go2", "go2_description/urdf/go2.urdf", FREE),
    ("b1", "b1_description/urdf/b1.urdf", FREE),
    ("b1_z1", "b1_description/urdf/b1-z1.urdf", FREE),
    ("laikago", "laikago_description/urdf/laikago.urdf", FREE),
    ("hyq", "hyq_description/robots/hyq_no_sensors.urdf", FREE),
    ("anymal_b", "anymal_b_simple_description/robots/anymal.urdf", FREE),
    ("anymal_c", "anymal_c_simple_description/urdf/anymal.urdf", FREE),
    ("anymal_kinova", "anymal_b_simple_description/robots/anymal-kinova.urdf", FREE),
    ("quadruped", "quadruped_description/urdf/quadruped.urdf", EULER),
    ("alexander_legs", "alexander_description/urdf/alexander_v1.lowerBodyOnly.urdf", FREE),
    ("allegro_hand", "allegro_hand_description/urdf/allegro_right_hand.urdf", []),
    ("talos_arm", "talos_data/robots/talos_left_arm.urdf", []),
    ("baxter", "baxter_description/urdf/baxter.urdf", []),
    ("tiago_no_hand", "tiago_description/robots/tiago_no_hand.urdf", []),
    ("tiago_dual", "tiago_description/robots/tiago_dual.urdf", ["--lock", "*hand*=0", "--lock", "wheel*=0"]),
    ("simple_humanoid", "simple_humanoid_description/urdf/simple_humanoid.urdf", FREE),
    ("g1", "g1_description/urdf/g1_29dof_rev_1_0.urdf", FREE),
    ("icub", "icub_description/robots/icub_reduced.urdf", FREE),
    ("talos", "talos_data/robots/talos_reduced.urdf", FREE),
    ("centauro", "centauro_description/urdf/centauro.urdf", FREE),
]

# The same for MuJoCo, within its own packages of models.
SUITE = "dm_control/suite"
GYM = "gymnasium/envs/mujoco/assets"
BODIES = [
    ("pendulum", f"{SUITE}/pendulum.xml"),
    ("acrobot", f"{SUITE}/acrobot.xml"),
    ("cartpole", f"{SUITE}/cartpole.xml"),
    ("reacher", f"{SUITE}/reacher.xml"),
    ("ball_in_cup", f"{SUITE}/ball_in_cup.xml"),
    ("finger", f"{SUITE}/finger.xml"),
    ("hopper", f"{SUITE}/hopper.xml"),
    ("walker", f"{SUITE}/walker.xml"),
    ("cheetah", f"{SUITE}/cheetah.xml"),
    ("humanoid", f"{SUITE}/humanoid.xml"),
    ("humanoid_CMU", f"{SUITE}/humanoid_CMU.xml"),
    ("gym_ant", f"{GYM}/ant.xml"),
    ("gym_half_cheetah", f"{GYM}/half_cheetah.xml"),
    ("gym_hopper", f"{GYM}/hopper.xml"),
    ("gym_humanoid", f"{GYM}/humanoid.xml"),
    ("gym_inverted_double_pendulum", f"{GYM}/inverted_double_pendulum.xml"),
    ("gym_pusher", f"{GYM}/pusher_v5.xml"),
    ("gym_walker2d", f"{GYM}/walker2d_v5.xml"),
]


def robots_folder():
    return pathlib.Path(pin.__file__).parents[4] / "share/example-robot-data/robots"


def meant(text):
    """An angle as it is read: the multiple of 5 degrees that it is the rounded or cut decimal of."""
    value = float(text)
    mantissa = text.lower().split("e")
    if len(mantissa) > 1:
        return 0.0 if abs(value) < 1e-12 else value
    places = len(text.split(".")[1].rstrip("0")) if "." in text else 0
    degrees = 5 * round(math.degrees(abs(value)) / 5)
    target = math.radians(degrees)
    if degrees == 0 or places < (2 if degrees % 90 == 0 else 4):
        return value
    if places > 14:
        close = abs(abs(value) - target) < 1e-15 * target
    else:
        digits = round(abs(value) * 10**places)
        close = digits in (round(target * 10**places), math.floor(target * 10**places))
    return math.copysign(target, value) if close else value


def urdf_text(path):
    """The file with its angles as they are read, and what of it acts on joints."""
    root = tree.parse(path).getroot()
    for origin in root.iter("origin"):
        if "rpy" in origin.attrib:
            origin.set("rpy", " ".join(repr(meant(word)) for word in origin.get("rpy").split()))
    joints = {}
    for joint in root.findall("joint"):
        dynamics, mimic = joint.find("dynamics"), joint.find("mimic")
        joints[joint.get("name")] = {
            "damping": float(dynamics.get("damping", 0)) if dynamics is not None else 0.0,
            "friction": float(dynamics.get("friction", 0)) if dynamics is not None else 0.0,
            "mimic": None
            if mimic is None
            else (mimic.get("joint"), float(mimic.get("multiplier", 1)), float(mimic.get("offset", 0))),
        }
        # What follows is solved for here.
        if mimic is not None:
            joint.remove(mimic)
    # Shapes do not matter, and their files may be missing.
    for link in root.findall("link"):
        for kind in ("visual", "collision"):
            for shape in link.findall(kind):
                link.remove(shape)
    return tree.tostring(root, encoding="unicode"), joints


class Module:
    """A derived module, compiled and run."""

    def __init__(self, eomgen, folder, name, model):
        rust = folder / f"{name}.rs"
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            [eomgen, "derive", model, "-o", rust, "--force", "--only", "derivative"],
            capture_output=True,
            text=True,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode != 0:
            raise RuntimeError(f"derive: {done.stderr[-1500:]}")
        self.seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        text = rust.read_text()
        body = "\n".join(line for line in text.splitlines() if not line.strip().startswith("//"))
        # Arithmetic, sines and cosines of the one function there is, in the text as it stands.
        self.operations = len(re.findall(r" [-+*/] |\.(?:sin|cos|sin_cos|tanh|mul_add|sqrt|recip|powi)\(", body))
        self.state = fields(text, "State")
        self.inputs = fields(text, "Inputs")
        self.coordinates = int(re.search(r"COORDINATES: usize = (\d+)", text)[1])
        self.binary = folder / name
        signature = re.search(r"\n    pub fn derivative\(([^)]*)\) -> ([^{]*)\{", text)
        failing = "Result<" in signature[2]
        takes_inputs = "inputs" in signature[1]
        inputs = ", ".join(f"{field}: v[{len(self.state) + i}]" for i, field in enumerate(self.inputs))
        main = folder / f"{name}_main.rs"
        call = f"model.derivative(0.0, &p.0{', &p.1' if takes_inputs else ''})" + (".unwrap()" if failing else "")
        main.write_text(
            f'#[path = "{rust.name}"] mod m;\n'
            "use std::{hint::black_box, io::BufRead, time::Instant};\nfn main() {\n"
            " let model = m::Model::new(&m::Params::default());\n"
            " let points: Vec<_> = std::io::stdin().lock().lines().map(|line| {\n"
            "  let v: Vec<f64> = line.unwrap().split(' ').map(|x| x.parse().unwrap()).collect();\n"
            "  let s: [f64; m::STATES] = v[..m::STATES].try_into().unwrap();\n"
            + (f"  (s, m::Inputs {{ {inputs} }})\n" if takes_inputs else "  (s, ())\n")
            + " }).collect();\n"
            " if std::env::args().count() > 1 {\n  let mut least = f64::INFINITY;\n  for _ in 0..201 {\n   let start = Instant::now();\n"
            "   for i in 0..512 {\n    let p = black_box(&points[i % points.len()]);\n"
            f"    black_box({call});\n   }}\n"
            "   least = least.min(start.elapsed().as_secs_f64()*1e9/512.0);\n  }\n  println!(\"{least}\");\n  return;\n }\n"
            f" for p in &points {{\n  let d = {call};\n"
            '  println!("{}", d.iter().map(|x| format!("{x:e}")).collect::<Vec<_>>().join(" "));\n }\n}\n'
        )
        subprocess.run(
            ["rustc", "--edition", "2024", "-O", "-C", "target-cpu=native", "-A", "warnings", main, "-o", self.binary],
            check=True,
            cwd=folder,
        )

    def text_of(self, states):
        lines = []
        for state, inputs in states:
            numbers = [state[field] for field in self.state] + [inputs.get(field, 0.0) for field in self.inputs]
            lines.append(" ".join(repr(float(number)) for number in numbers))
        return "\n".join(lines) + "\n"

    def run(self, states):
        """Derivatives of states: each is two dictionaries, of the state's fields and of the inputs."""
        done = subprocess.run([self.binary], input=self.text_of(states), capture_output=True, text=True, check=True)
        rows = [[float(word) for word in line.split()] for line in done.stdout.splitlines()]
        return [dict(zip(self.state, row)) for row in rows]

    def compare_times(self, states, program, model, peer_states):
        """Sets the ratio of the least times of one evaluation: the module's to that of a program that reads a model and states."""
        numbers = pathlib.Path(f"{self.binary}_states.txt")
        numbers.write_text("".join(" ".join(repr(float(x)) for x in state) + "\n" for state in peer_states))
        commands = [([self.binary, "time"], self.text_of(states)), ([program, model, numbers], None)]
        least = [math.inf, math.inf]
        for _ in range(3):
            for which, (command, text) in enumerate(commands):
                done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
                least[which] = min(least[which], float(done.stdout))
        self.nanoseconds, self.ratio = least[0], least[0] / least[1]


def fields(text, struct):
    found = re.search(r"pub struct " + struct + r" \{(.*?)\n\}", text, re.S)
    return re.findall(r"\n    pub (\w+):", found[1]) if found else []


def clean(name):
    name = re.sub(r"[^A-Za-z0-9_]", "_", name)
    return name if re.match(r"[A-Za-z_]", name) else f"_{name}"


def renamed(model):
    """The table of renames in a model's header."""
    lines = [line[3:] for line in model.read_text().splitlines() if line.startswith("// ")]
    joined = re.sub(r"\n  ", " ", "\n".join(lines))
    table = {}
    for line in joined.splitlines():
        if line.startswith("Renamed: "):
            for pair in line[9:].split("; "):
                old, _, new = pair.partition(" is ")
                table[old] = new
    return table


def field_of(name, table):
    """The field of a joint in the module: a name of Rust."""
    return clean(table.get(f"{name} (joint)", table.get(name, name)))


def input_names(joint, field, table):
    """What the field of a joint's input may be called; in a part the letter stands behind the part's name."""
    use, dot, own = table.get(joint, "").partition(".")
    for letter in ("tau", "f", "F"):
        yield f"{clean(use)}_{letter}_{clean(own)}" if dot else f"{letter}_{field}"


def snake_fields(state):
    return {field.lower().replace("_", ""): field for field in state}


def compare_urdf(eomgen, folder, name, path, arguments):
    model_file = folder / f"{name}.eom"
    done = subprocess.run([eomgen, "import", path, *arguments, "-o", model_file, "--force"], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"import: {done.stdout[-800:]}{done.stderr[-800:]}")
    module = Module(eomgen, folder, name, model_file)
    table = renamed(model_file)
    text, joints = urdf_text(path)
    free = "--base" in arguments
    euler = "free-euler" in arguments
    full = pin.buildModelFromXML(text, pin.JointModelFreeFlyer()) if free else pin.buildModelFromXML(text)
    known = snake_fields(module.state[: module.coordinates])
    here = {}
    held = []
    for index in range(1 + free, full.njoints):
        joint = full.names[index]
        field = known.get(field_of(joint, table).lower().replace("_", ""))
        if field is None:
            held.append(index)
        else:
            here[joint] = field
    robot = pin.buildReducedModel(full, held, pin.neutral(full)) if held else full
    data = robot.createData()
    random = np.random.default_rng(1)
    states, expected, peer = [], [], []
    for _ in range(STATES):
        q, v = pin.neutral(robot), random.uniform(-1, 1, robot.nv)
        angle = {joint: random.uniform(-1, 1) for joint in here}
        rate = {joint: random.uniform(-1, 1) for joint in here}
        rows = []
        for joint in here:
            if joints[joint]["mimic"] and joints[joint]["mimic"][0] in here:
                leader, factor, offset = joints[joint]["mimic"]
                angle[joint] = factor * angle[leader] + offset
                rate[joint] = factor * rate[leader]
                rows.append((joint, leader, factor))
        tau, force = {}, np.zeros(robot.nv)
        state = {}
        inputs = {}
        for joint, field in here.items():
            j = robot.joints[robot.getJointId(joint)]
            if j.nq == 2:
                q[j.idx_q : j.idx_q + 2] = math.cos(angle[joint]), math.sin(angle[joint])
            else:
                q[j.idx_q] = angle[joint]
            v[j.idx_v] = rate[joint]
            state[field] = angle[joint]
            state[f"{field}_dot"] = rate[joint]
            acts = joints[joint]
            tau[joint] = 0.0 if acts["mimic"] else random.uniform(-5, 5)
            for name in input_names(joint, field, table):
                inputs[name] = tau[joint]
            friction = acts["friction"] * math.tanh(rate[joint] / SLIP)
            force[j.idx_v] = tau[joint] - acts["damping"] * rate[joint] - friction
        if free:
            base_state(q, v, state, random, euler)
        mass = pin.crba(robot, data, q)
        mass = np.triu(mass) + np.triu(mass, 1).T
        bias = pin.nonLinearEffects(robot, data, q, v)
        jacobian = np.zeros((len(rows), robot.nv))
        for row, (joint, leader, factor) in enumerate(rows):
            jacobian[row, robot.joints[robot.getJointId(joint)].idx_v] = 1
            jacobian[row, robot.joints[robot.getJointId(leader)].idx_v] = -factor
        if rows:
            zero = np.zeros((len(rows), len(rows)))
            system = np.block([[mass, jacobian.T], [jacobian, zero]])
            a = np.linalg.solve(system, np.concatenate([force - bias, np.zeros(len(rows))]))[: robot.nv]
        else:
            # The articulated-body recursion loses fewer digits than M.
            a = pin.aba(robot, data, q, v, force, pin.Convention.LOCAL)
        states.append((state, inputs))
        peer.append([*q, *v, *force])
        expected.append((a, v, q))
    worst = 0.0
    for (a, v, q), derivative, (state, _) in zip(expected, module.run(states), states):
        largest = np.abs(a).max()
        for joint, field in here.items():
            index = robot.joints[robot.getJointId(joint)].idx_v
            if f"{field}_dot" in derivative:
                worst = max(worst, abs(derivative[f"{field}_dot"] - a[index]) / largest)
        if free and not euler:
            for index, field in enumerate(["vx", "vy", "vz", "wx", "wy", "wz"]):
                worst = max(worst, abs(derivative[field] - a[index]) / largest)
        if euler:
            worst = max(worst, np.abs(euler_error(derivative, state, a, v)).max() / largest)
    written = folder / f"{name}.model"
    robot.saveToText(str(written))
    module.compare_times(states, folder / "aba", written, peer)
    return module, len(here) + (6 if free else 0), worst


def rotation(yaw, pitch, roll):
    return pin.rpy.rpyToMatrix(roll, pitch, yaw)


def base_state(q, v, state, random, euler):
    """A random place of the base: in q, v and in the state."""
    place = random.uniform(-1, 1, 3)
    state.update(zip(["px", "py", "pz"], place))
    if euler:
        yaw, pitch, roll = random.uniform(-1, 1, 3)
        turn = rotation(yaw, pitch, roll)
        state.update(yaw=yaw, pitch=pitch, roll=roll)
        rates = np.linalg.solve(body_rates(pitch, roll), v[3:6])
        state.update(zip(["yaw_dot", "pitch_dot", "roll_dot"], rates))
        state.update(zip(["px_dot", "py_dot", "pz_dot"], turn @ v[:3]))
        quaternion = pin.Quaternion(turn)
        q[3:7] = quaternion.coeffs()
    else:
        parts = random.normal(size=4)
        parts /= np.linalg.norm(parts)
        state.update(zip(["e0", "e1", "e2", "e3"], parts))
        q[3:7] = parts[1], parts[2], parts[3], parts[0]
        state.update(zip(["vx", "vy", "vz", "wx", "wy", "wz"], v[:6]))
    q[:3] = place


def body_rates(pitch, roll):
    """Columns: the angular velocity in body axes by the rates of yaw, pitch, roll."""
    s, c = math.sin, math.cos
    return np.array(
        [[-s(pitch), 0, 1], [c(pitch) * s(roll), c(roll), 0], [c(pitch) * c(roll), -s(roll), 0]]
    )


def euler_error(derivative, state, a, v):
    """Accelerations of the base, in its own axes, less those expected."""
    yaw, pitch, roll = (state[name] for name in ("yaw", "pitch", "roll"))
    rates = np.array([state[f"{name}_dot"] for name in ("yaw", "pitch", "roll")])
    turn = rotation(yaw, pitch, roll)
    linear = turn.T @ np.array([derivative[f"p{axis}_dot"] for axis in "xyz"])
    second = np.array([derivative[f"{name}_dot"] for name in ("yaw", "pitch", "roll")])
    s, c = math.sin, math.cos
    p, r = rates[1], rates[2]
    change = np.array(
        [
            [-c(pitch) * p, 0, 0],
            [-s(pitch) * s(roll) * p + c(pitch) * c(roll) * r, -s(roll) * r, 0],
            [-s(pitch) * c(roll) * p - c(pitch) * s(roll) * r, -c(roll) * r, 0],
        ]
    )
    angular = body_rates(pitch, roll) @ second + change @ rates
    return np.concatenate([linear - np.cross(v[3:6], v[:3]) - a[:3], angular - a[3:6]])


def compare_mjcf(eomgen, folder, name, path):
    """MuJoCo's smooth accelerations: without contacts, limits and its soft constraints."""
    model = mujoco.MjModel.from_xml_path(str(path))
    written = folder / f"{name}.xml"
    # Written out by MuJoCo itself: one file, with the masses that it made of shapes and settings.
    mujoco.mj_saveLastXML(str(written), model)
    model_file = folder / f"{name}.eom"
    done = subprocess.run(
        [eomgen, "import", written, "--keep-angles", "-o", model_file, "--force"], capture_output=True, text=True
    )
    if done.returncode != 0:
        raise RuntimeError(f"import: {done.stdout[-800:]}{done.stderr[-800:]}")
    # What was written has decimals; the comparison is on the same file.
    model = mujoco.MjModel.from_xml_path(str(written))
    if model.eq_active0.any():
        raise RuntimeError("its couplings are soft in MuJoCo: see generated-tests/imported")
    module = Module(eomgen, folder, name, model_file)
    table = renamed(model_file)
    off = mujoco.mjtDisableBit
    model.opt.disableflags |= (
        off.mjDSBL_CONTACT | off.mjDSBL_LIMIT | off.mjDSBL_FRICTIONLOSS | off.mjDSBL_EQUALITY | off.mjDSBL_CLAMPCTRL
    )
    model.actuator_forcelimited[:] = 0
    model.jnt_actfrclimited[:] = 0
    data = mujoco.MjData(model)
    known = snake_fields(module.state)
    random = np.random.default_rng(1)

    def field(text):
        return known.get(clean(text).lower().replace("_", ""))

    def joint_name(index):
        own = model.joint(index).name
        body = model.jnt_bodyid[index]
        if own:
            return own
        before = index - model.body_jntadr[body]
        base = model.body(body).name or f"body_{body}"
        free = int(model.jnt_type[index]) == int(mujoco.mjtJoint.mjJNT_FREE)
        return base if free else f"{base}_joint" + (f"_{before + 1}" if before else "")

    # Accelerations in the directions of the module's speeds, as functions of MuJoCo's.
    states, expected, peer = [], [], []
    for _ in range(STATES):
        data.qpos[:], data.qvel[:] = 0, random.uniform(-1, 1, model.nv)
        data.ctrl[:] = random.uniform(-1, 1, model.nu)
        state, read = {}, []
        for index in range(model.njnt):
            joint, q, v = joint_name(index), model.jnt_qposadr[index], model.jnt_dofadr[index]
            kind = mujoco.mjtJoint(int(model.jnt_type[index]))
            if kind in (mujoco.mjtJoint.mjJNT_FREE, mujoco.mjtJoint.mjJNT_BALL):
                free = kind == mujoco.mjtJoint.mjJNT_FREE
                parts = random.normal(size=4)
                parts /= np.linalg.norm(parts)
                data.qpos[q + 3 * free : q + 3 * free + 4] = parts
                for part, end in zip(parts, ("e0", "e1", "e2", "e3")):
                    state[field(f"{joint}_{end}")] = part
                w = data.qvel[v + 3 * free : v + 3 * free + 3]
                names = [field(f"{joint}_w{axis}") for axis in "xyz"]
                state.update(zip(names, w))
                read += [(own, v + 3 * free + i) for i, own in enumerate(names)]
                if free:
                    place = random.uniform(-1, 1, 3)
                    data.qpos[q : q + 3] = place
                    for value, axis in zip(place, "xyz"):
                        state[field(f"{joint}_p{axis}")] = value
                    turn = pin.Quaternion(parts[0], parts[1], parts[2], parts[3]).matrix()
                    linear = turn.T @ data.qvel[v : v + 3]
                    names = [field(f"{joint}_v{axis}") for axis in "xyz"]
                    state.update(zip(names, linear))
                    read.append((names, v, turn, np.cross(w, linear)))
            else:
                data.qpos[q] = random.uniform(-1, 1)
                own = field(table.get(joint, joint)) or field(f"q_{joint}")
                if own is None:
                    raise RuntimeError(f"no coordinate for {joint}")
                state[own], state[f"{own}_dot"] = data.qpos[q], data.qvel[v]
                read.append((f"{own}_dot", v))
        mujoco.mj_forward(model, data)
        mass = np.zeros((model.nv, model.nv))
        mujoco.mj_fullM(model, mass, data.qM) if hasattr(data, "qM") else mujoco.mj_fullM(model, data, mass)
        friction = model.dof_frictionloss * np.tanh(data.qvel / SLIP)
        force = data.qfrc_passive + data.qfrc_actuator - data.qfrc_bias - friction
        a = np.linalg.solve(mass, force)
        inputs = {}
        for index in range(model.nu):
            own = model.actuator(index).name or f"u_{index + 1}"
            own = table.get(f"{own} (motor)", own)
            wanted = clean(own).lower().replace("_", "")
            for candidate in module.inputs:
                if candidate.lower().replace("_", "") == wanted:
                    inputs[candidate] = data.ctrl[index]
        states.append((state, inputs))
        peer.append([*data.qpos, *data.qvel, *data.ctrl])
        expected.append((a, read))
    worst = 0.0
    for (a, read), derivative in zip(expected, module.run(states)):
        largest = np.abs(a).max()
        for entry in read:
            if len(entry) == 2:
                found, wanted = [derivative.get(entry[0])], [a[entry[1]]]
            else:
                names, v, turn, across = entry
                found, wanted = [derivative[own] for own in names], turn.T @ a[v : v + 3] - across
            for one, other in zip(found, wanted):
                if one is not None:
                    worst = max(worst, abs(one - other) / largest)
    module.compare_times(states, folder / "forward", written, peer)
    return module, model.nv, worst


def build(folder):
    """The programs that call Pinocchio and MuJoCo."""
    prefix = pathlib.Path(pin.__file__).parents[4]
    mpl = ["CFG_NO_PREPROCESSED_HEADERS", "LIMIT_LIST_SIZE=30", "LIMIT_VECTOR_SIZE=30"]
    command = ["g++", "-std=c++17", "-w", *(f"-DBOOST_MPL_{flag}" for flag in mpl), "-I", prefix / "include", "-I", prefix / "include/eigen3"]
    libraries = ["-L", prefix / "lib", "-lpinocchio_default", "-lboost_serialization"]
    libraries += [f"-Wl,-rpath,{prefix}/lib", f"-Wl,-rpath-link,{prefix}/lib"]
    fast = ["-O3", "-march=native"]
    if not (folder / "aba").exists():
        subprocess.run([*command, *fast, HERE / "aba.cpp", *libraries, "-o", folder / "aba"], check=True)
    prefix = pathlib.Path(mujoco.__file__).parent
    library = next(prefix.glob("libmujoco.so*"))
    command = ["gcc", *fast, "-I", prefix / "include", HERE / "forward.c", library, f"-Wl,-rpath,{prefix}", "-o", folder / "forward"]
    subprocess.run(command, check=True)


def main():
    eomgen, folder = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    # MuJoCo writes its log into the current folder.
    os.chdir(folder)
    wanted = sys.argv[3:]
    build(folder)
    print("| robot | degrees of freedom | largest difference | derivation | operations | time | ratio |")
    print("|---|--:|--:|--:|--:|--:|--:|", flush=True)
    jobs = [(name, compare_urdf, (robots_folder() / path, arguments)) for name, path, arguments in ROBOTS]
    packages = robots_folder().parents[3]
    jobs += [(f"mjcf_{name}", compare_mjcf, (packages / path,)) for name, path in BODIES]
    failed = 0
    for name, compare, arguments in jobs:
        if wanted and name not in wanted:
            continue
        try:
            module, freedoms, worst = compare(eomgen, folder, name, *arguments)
        except Exception as error:
            failed += 1
            print(f"{name}: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
            continue
        if not worst < TOLERANCE:
            failed += 1
            print(f"{name}: the difference {worst:.1e} is too large", file=sys.stderr)
        row = [name, freedoms, f"{worst:.0e}", f"{module.seconds:.1f} s", module.operations, f"{module.nanoseconds:.0f} ns", f"{module.ratio:.2g}"]
        print("|", " | ".join(map(str, row)), "|", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
