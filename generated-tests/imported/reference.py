"""Writes the reference numbers of this folder: accelerations of the robots by Pinocchio and MuJoCo, from the files themselves.

Needs the Python packages pin 4.1.0 and mujoco 4.0.0. Angles of the URDF files are taken as the right angles that they mean, as the importer does.
"""

import json
import math
import pathlib

import mujoco
import numpy as np
import pinocchio as pin

HERE = pathlib.Path(__file__).parent
RANDOM = np.random.default_rng(22)
STATES = 4
ANGLES = {"1.5708": repr(math.pi / 2), "0.7854": repr(math.pi / 4)}


def right(text):
    """The description with right angles in place of their decimals; without the coupling, which is solved here."""
    lines = [line for line in text.splitlines() if "<mimic" not in line and "mesh" not in line]
    for written, meant in ANGLES.items():
        lines = [line.replace(written, meant) if "rpy" in line else line for line in lines]
    text = "\n".join(lines)
    while "<visual>" in text:
        before, _, after = text.partition("<visual>")
        text = before + after.partition("</visual>")[2]
    return text


def quaternion(random):
    parts = random.normal(size=4)
    return parts / np.linalg.norm(parts)


def product(a, b):
    """Of quaternions, scalar first."""
    w = a[0] * b[0] - a[1:] @ b[1:]
    return np.concatenate([[w], a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])])


def spun(e, w, dw=None):
    """Rates of a quaternion by the angular velocity in body axes, or second rates."""
    rate = product(e, np.concatenate([[0], w])) / 2
    if dw is None:
        return rate
    return (product(rate, np.concatenate([[0], w])) + product(e, np.concatenate([[0], dw]))) / 2


def solved(mass, force, rows, right):
    n = len(mass)
    if not len(rows):
        return np.linalg.solve(mass, force)
    rows = np.array(rows)
    system = np.block([[mass, rows.T], [rows, np.zeros((len(rows), len(rows)))]])
    return np.linalg.solve(system, np.concatenate([force, right]))[:n]


def by_pinocchio(name, base, coordinates, loads):
    """`coordinates`: of each joint, its kind and the names in the model; `loads(q, qd, u)`: by joint."""
    text = right((HERE / f"{name}.urdf").read_text())
    robot = pin.buildModelFromXML(text, pin.JointModelFreeFlyer()) if base else pin.buildModelFromXML(text)
    data = robot.createData()
    states = []
    for _ in range(STATES):
        value, rate = {}, {}
        q, v = pin.neutral(robot), np.zeros(robot.nv)
        for joint, (kind, names) in coordinates.items():
            if kind in ("hinge", "slide", "wheel"):
                value[names[0]], rate[names[0]] = RANDOM.uniform(-1, 1, 2)
        inputs = {}
        rows, kinds = loads["couple"](value, rate, robot)
        for joint, (kind, names) in coordinates.items():
            j = robot.joints[robot.getJointId(joint)]
            if kind in ("hinge", "slide"):
                q[j.idx_q], v[j.idx_v] = value[names[0]], rate[names[0]]
            elif kind == "wheel":
                q[j.idx_q : j.idx_q + 2] = math.cos(value[names[0]]), math.sin(value[names[0]])
                v[j.idx_v] = rate[names[0]]
            elif kind == "planar":
                x, y, th, dx, dy, dth = RANDOM.uniform(-1, 1, 6)
                value.update(zip(names, (x, y, th)))
                rate.update(zip(names, (dx, dy, dth)))
                c, s = math.cos(th), math.sin(th)
                q[j.idx_q : j.idx_q + 4] = x, y, c, s
                v[j.idx_v : j.idx_v + 3] = c * dx + s * dy, -s * dx + c * dy, dth
            else:
                place, e = RANDOM.uniform(-1, 1, 3), quaternion(RANDOM)
                linear, w = RANDOM.uniform(-1, 1, 3), RANDOM.uniform(-1, 1, 3)
                turn = pin.Quaternion(*e).matrix()
                q[j.idx_q : j.idx_q + 7] = [*place, e[1], e[2], e[3], e[0]]
                v[j.idx_v : j.idx_v + 6] = [*linear, *w]
                value.update(zip(names, [*place, *e]))
                rate.update(zip(names, [*(turn @ linear), *spun(e, w)]))
        force = np.zeros(robot.nv)
        for joint, (input_name, load) in loads["joints"].items():
            index = robot.joints[robot.getJointId(joint)].idx_v
            u = RANDOM.uniform(-5, 5) if input_name else 0.0
            if input_name:
                inputs[input_name] = u
            own = coordinates[joint][1][0]
            force[index] = u + load(rate[own])
        mass = pin.crba(robot, data, q)
        mass = np.triu(mass) + np.triu(mass, 1).T
        a = solved(mass, force - pin.nonLinearEffects(robot, data, q, v), rows, np.zeros(len(rows)))
        second = {}
        for joint, (kind, names) in coordinates.items():
            i = robot.joints[robot.getJointId(joint)].idx_v
            if kind in ("hinge", "slide", "wheel"):
                second[names[0]] = a[i]
            elif kind == "planar":
                th, w = value[names[2]], v[i + 2]
                c, s = math.cos(th), math.sin(th)
                # The velocity in the turning axes changes by itself, too.
                x, y = a[i] - w * v[i + 1], a[i + 1] + w * v[i]
                second.update(zip(names, (c * x - s * y, s * x + c * y, a[i + 2])))
            else:
                e = np.array([value[own] for own in names[3:]])
                turn = pin.Quaternion(*e).matrix()
                w = v[i + 3 : i + 6]
                linear = turn @ (a[i : i + 3] + np.cross(w, v[i : i + 3]))
                second.update(zip(names, [*linear, *spun(e, w, a[i + 3 : i + 6])]))
        states.append({"q": value, "qdot": rate, "inputs": inputs, "qddot": second})
    write(name, f"Pinocchio {pin.__version__}", states)


def write(name, tool, states):
    plain = [
        {key: {own: float(x) for own, x in part.items()} for key, part in state.items()} for state in states
    ]
    (HERE / f"{name}.json").write_text(json.dumps({"by": tool, "states": plain}, indent=1) + "\n")


def free_names(prefix):
    return [f"{prefix}{end}" for end in ("px", "py", "pz", "e0", "e1", "e2", "e3")]


def joints():
    def couple(value, rate, robot):
        value["follower"], rate["follower"] = -2.5 * value["N_2"] + 0.1, -2.5 * rate["N_2"]
        row = np.zeros(robot.nv)
        row[robot.joints[robot.getJointId("follower")].idx_v] = 1
        row[robot.joints[robot.getJointId("N")].idx_v] = 2.5
        return [row], None

    coordinates = {
        "shoulder": ("hinge", ["shoulder"]),
        "rail": ("slide", ["rail"]),
        "N": ("wheel", ["N_2"]),
        "follower": ("hinge", ["follower"]),
        "table": ("planar", ["table_x", "table_y", "table_angle"]),
        "drone_joint": ("free", free_names("drone_joint_")),
    }
    loads = {
        "couple": couple,
        "joints": {
            "shoulder": ("tau_shoulder", lambda v: -0.7 * v),
            "rail": ("F_rail", lambda v: -1.5 * v - 0.8 * math.tanh(v / 0.01)),
            "N": ("tau_N_2", lambda v: 0.0),
        },
    }
    by_pinocchio("joints", False, coordinates, loads)


def legs():
    coordinates = {"root_joint": ("free", free_names(""))}
    drives = {}
    for side in ("left", "right"):
        for joint in ("hip", "knee"):
            coordinates[f"{side}_{joint}"] = ("hinge", [f"{side}.{joint}"])
            drives[f"{side}_{joint}"] = (f"{side}.tau_{joint}", lambda v: 0.0)
    by_pinocchio("legs", True, coordinates, {"couple": lambda value, rate, robot: ([], None), "joints": drives})


def by_mujoco(name):
    model = mujoco.MjModel.from_xml_path(str(HERE / f"{name}.xml"))
    off = mujoco.mjtDisableBit
    model.opt.disableflags |= off.mjDSBL_CONTACT | off.mjDSBL_LIMIT | off.mjDSBL_EQUALITY | off.mjDSBL_CLAMPCTRL
    return model, mujoco.MjData(model)


def forces(model, data):
    mujoco.mj_forward(model, data)
    mass = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, mass)
    return mass, data.qfrc_passive + data.qfrc_actuator - data.qfrc_bias


def bodies():
    model, data = by_mujoco("bodies")
    hinges = {"slew": "slew", "luff": "luff", "reach": "reach", "spin": "spin", "counter": "q_counter"}
    motors = {"slewing": "slewing", "luffing": "luffing", "spin": "u_spin", "reaching": "reaching"}
    states = []
    for _ in range(STATES):
        value, rate, second = {}, {}, {}
        at = {own: (int(model.joint(own).qposadr[0]), int(model.joint(own).dofadr[0])) for own in hinges}
        data.qvel[:] = RANDOM.uniform(-1, 1, model.nv)
        for own in hinges:
            data.qpos[at[own][0]] = RANDOM.uniform(-1, 1)
        # y = 0.1 - 2 x + 0.3 x^2, x from the reference of 15 degrees.
        x, dx = data.qpos[at["spin"][0]] - math.radians(15), data.qvel[at["spin"][1]]
        data.qpos[at["counter"][0]] = 0.1 - 2 * x + 0.3 * x * x
        data.qvel[at["counter"][1]] = (-2 + 0.6 * x) * dx
        row = np.zeros(model.nv)
        row[at["counter"][1]], row[at["spin"][1]] = 1, 2 - 0.6 * x
        ball, free = model.joint("swivel"), model.joint("free")
        qb, vb = int(ball.qposadr[0]), int(ball.dofadr[0])
        qf, vf = int(free.qposadr[0]), int(free.dofadr[0])
        data.qpos[qb : qb + 4] = quaternion(RANDOM)
        data.qpos[qf : qf + 3] = RANDOM.uniform(-1, 1, 3)
        data.qpos[qf + 3 : qf + 7] = quaternion(RANDOM)
        for index in range(model.nu):
            data.ctrl[index] = RANDOM.uniform(-1, 1)
        inputs = {motors[model.actuator(i).name]: data.ctrl[i] for i in range(model.nu)}
        mass, force = forces(model, data)
        a = solved(mass, force, [row], [0.6 * dx * dx])
        for own, name in hinges.items():
            value[name], rate[name], second[name] = data.qpos[at[own][0]], data.qvel[at[own][1]], a[at[own][1]]
        names = [f"swivel_e{i}" for i in range(4)]
        e, w = data.qpos[qb : qb + 4].copy(), data.qvel[vb : vb + 3].copy()
        value.update(zip(names, e))
        rate.update(zip(names, spun(e, w)))
        second.update(zip(names, spun(e, w, a[vb : vb + 3])))
        names = free_names("free_")
        e, w = data.qpos[qf + 3 : qf + 7].copy(), data.qvel[vf + 3 : vf + 6].copy()
        value.update(zip(names, [*data.qpos[qf : qf + 3], *e]))
        rate.update(zip(names, [*data.qvel[vf : vf + 3], *spun(e, w)]))
        second.update(zip(names, [*a[vf : vf + 3], *spun(e, w, a[vf + 3 : vf + 6])]))
        states.append({"q": value, "qdot": rate, "inputs": inputs, "qddot": second})
    write("bodies", f"MuJoCo {mujoco.__version__}", states)


def loop():
    """The closing equation by positions written out here; everything else by MuJoCo."""
    model, data = by_mujoco("loop")
    mujoco.mj_forward(model, data)
    anchor = data.body("coupler").xpos + data.body("coupler").xmat.reshape(3, 3) @ [0.5, 0, 0]
    there = data.body("rocker").xmat.reshape(3, 3).T @ (anchor - data.body("rocker").xpos)

    # About the y-axis by angles a, a + b, c - 0.5: x to x cos - z sin.
    def gap(q):
        a, b, c = q[0], q[0] + q[1], q[2] - 0.5
        x = 0.2 * np.cos(a) + 0.5 * np.cos(b) - (0.4 + there[0] * np.cos(c) + there[2] * np.sin(c))
        z = -0.2 * np.sin(a) - 0.5 * np.sin(b) - (-0.3 - there[0] * np.sin(c) + there[2] * np.cos(c))
        return np.array([x, z])

    def slope(q):
        a, b, c = q[0], q[0] + q[1], q[2] - 0.5
        ax, bx = -0.2 * np.sin(a), -0.5 * np.sin(b)
        az, bz = -0.2 * np.cos(a), -0.5 * np.cos(b)
        cx = there[0] * np.sin(c) - there[2] * np.cos(c)
        cz = there[0] * np.cos(c) + there[2] * np.sin(c)
        return np.array([[ax + bx, bx, cx], [az + bz, bz, cz]])

    def second(q, v):
        a, b, c = q[0], q[0] + q[1], q[2] - 0.5
        da, db, dc = v[0] ** 2, (v[0] + v[1]) ** 2, v[2] ** 2
        x = -0.2 * np.cos(a) * da - 0.5 * np.cos(b) * db + (there[0] * np.cos(c) + there[2] * np.sin(c)) * dc
        z = 0.2 * np.sin(a) * da + 0.5 * np.sin(b) * db + (-there[0] * np.sin(c) + there[2] * np.cos(c)) * dc
        return np.array([x, z])

    names = ["crank_joint", "coupler_joint", "rocker_joint"]
    states = []
    for crank in (0.0, 0.3, -0.4, 0.7):
        q = np.array([crank, 0.0, 0.0])
        for _ in range(60):
            q[1:] -= np.linalg.solve(slope(q)[:, 1:], gap(q))
        assert np.abs(gap(q)).max() < 1e-14, gap(q)
        jacobian = slope(q)
        v = np.array([RANDOM.uniform(-2, 2), 0, 0])
        v[1:] = np.linalg.solve(jacobian[:, 1:], -jacobian[:, 0] * v[0])
        data.qpos[:], data.qvel[:], data.ctrl[0] = q, v, RANDOM.uniform(-3, 3)
        mass, force = forces(model, data)
        a = solved(mass, force, jacobian, -second(q, v))
        states.append(
            {
                "q": dict(zip(names, q)),
                "qdot": dict(zip(names, v)),
                "inputs": {"drive": data.ctrl[0]},
                "qddot": dict(zip(names, a)),
            }
        )
    write("loop", f"MuJoCo {mujoco.__version__}", states)


def assembled():
    """Files that are put together: hinges and slides, all of them by their names."""
    model, data = by_mujoco("assembled")
    names = [model.joint(i).name for i in range(model.njnt)]
    random = np.random.default_rng(23)
    states = []
    for _ in range(STATES):
        data.qpos[:], data.qvel[:] = random.uniform(-1, 1, model.nq), random.uniform(-1, 1, model.nv)
        data.ctrl[:] = random.uniform(-1, 1, model.nu)
        mass, force = forces(model, data)
        a = solved(mass, force, [], [])
        states.append(
            {
                "q": dict(zip(names, data.qpos.copy())),
                "qdot": dict(zip(names, data.qvel.copy())),
                "inputs": {model.actuator(i).name: data.ctrl[i] for i in range(model.nu)},
                "qddot": dict(zip(names, a)),
            }
        )
    write("assembled", f"MuJoCo {mujoco.__version__}", states)


joints()
legs()
bodies()
loop()
assembled()
