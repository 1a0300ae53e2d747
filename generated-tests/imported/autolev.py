"""Writes the reference numbers of the Autolev files in this folder: accelerations of machines that are stated here a second time, by places
and orientations alone, by d'Alembert's principle with derivatives taken as differences in 60 digits. Needs the Python package mpmath 1.3.
"""

import json
import pathlib
import random

from mpmath import cos, lu_solve, matrix, mp, mpf, norm, pi, sin, sqrt

mp.dps = 60
STEP = mpf(10) ** -15
HERE = pathlib.Path(__file__).parent
RANDOM = random.Random(22)


def rot(axis, angle):
    c, s = cos(angle), sin(angle)
    rows = {
        1: [[1, 0, 0], [0, c, -s], [0, s, c]],
        2: [[c, 0, s], [0, 1, 0], [-s, 0, c]],
        3: [[c, -s, 0], [s, c, 0], [0, 0, 1]],
    }
    return matrix(rows[axis])


def vec(x, y, z):
    return matrix([x, y, z])


def cross(a, b):
    return vec(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def rate(f, t=0):
    """The derivative of a function of time, to the fourth order."""
    h = STEP
    return (8 * (f(t + h) - f(t - h)) - (f(t + 2 * h) - f(t - 2 * h))) / (12 * h)


def spin(r, t=0):
    """The angular velocity of an orientation that depends on time."""
    w = rate(r, t) * r(t).T
    return vec(w[2, 1], w[0, 2], w[1, 0])


class Machine:
    """Bodies, forces and constraints as functions of the coordinates and time."""

    names = []
    inputs = []

    def bodies(self, q, t):
        """(mass, inertia in own axes, place, orientation) of each; particles have no inertia."""
        raise NotImplementedError

    def loads(self, q, v, t, u):
        """(force, place) and (torque, orientation), each of functions of (q, t)."""
        return [], []

    def rows(self, q, v, t):
        """What vanishes, linear in the rates."""
        return []

    def accelerations(self, q, v, t, u):
        n = len(q)

        def path(a):
            return lambda s: [q[i] + v[i] * s + a[i] * s * s / 2 for i in range(n)]

        def unit(i):
            return [mpf(int(k == i)) for k in range(n)]

        def balance(a):
            """Generalized inertia forces at these accelerations."""
            along = path(a)
            out = matrix(n, 1)
            for k, (m, inertia, _, _) in enumerate(self.bodies(q, t)):
                place = lambda s: self.bodies(along(s), t + s)[k][2]
                acc = (place(STEP) - 2 * place(mpf(0)) + place(-STEP)) / STEP**2
                turn = lambda s: self.bodies(along(s), t + s)[k][3]
                moment = None
                if inertia is not None:
                    def momentum(s):
                        r = turn(s)
                        return r * inertia * r.T * spin(turn, s)
                    moment = rate(momentum)
                for i in range(n):
                    e = unit(i)
                    shifted = lambda s: [q[j] + s * e[j] for j in range(n)]
                    out[i] += m * dot(acc, rate(lambda s: self.bodies(shifted(s), t)[k][2]))
                    if moment is not None:
                        out[i] += dot(moment, spin(lambda s: self.bodies(shifted(s), t)[k][3]))
            return out

        zero = [mpf(0)] * n
        base = balance(zero)
        columns = [balance(unit(i)) - base for i in range(n)]
        active = matrix(n, 1)
        forces, torques = self.loads(q, v, t, u)
        for i in range(n):
            e = unit(i)
            shifted = lambda s: [q[j] + s * e[j] for j in range(n)]
            for force, place in forces:
                active[i] += dot(force, rate(lambda s: place(shifted(s), t)))
            for torque, turn in torques:
                active[i] += dot(torque, spin(lambda s: turn(shifted(s), t)))
        rows = len(self.rows(q, v, t))
        system, right = matrix(n + rows, n + rows), matrix(n + rows, 1)
        for i in range(n):
            right[i] = active[i] - base[i]
            for j in range(n):
                system[j, i] = columns[i][j]
        along = path(zero)
        for k in range(rows):
            free = rate(lambda s: self.rows(along(s), v, t + s)[k])
            # Rows may contain rates of what they differentiate: along the path these change, too.
            right[n + k] = -free
            at_rest = self.rows(q, zero, t)[k]
            for j in range(n):
                system[n + k, j] = self.rows(q, unit(j), t)[k] - at_rest
                system[j, n + k] = system[n + k, j]
        return lu_solve(system, right)[:n]

    def state(self):
        """Coordinates, and free rates that are made to satisfy the rows."""
        q = [mpf(RANDOM.uniform(0.2, 0.9)) for _ in self.names]
        v = [mpf(RANDOM.uniform(-1, 1)) for _ in self.names]
        return q, v

    def consistent(self, q, v, t):
        n, rows = len(q), len(self.rows(q, v, t))
        if rows == 0:
            return v
        zero = [mpf(0)] * n
        a = matrix(rows, n)
        for k in range(rows):
            for j in range(n):
                e = [mpf(int(i == j)) for i in range(n)]
                a[k, j] = self.rows(q, e, t)[k] - self.rows(q, zero, t)[k]
        wrong = matrix(self.rows(q, v, t))
        change = a.T * lu_solve(a * a.T, wrong)
        return [v[j] - change[j] for j in range(n)]


def diag(a, b, c):
    return matrix([[a, 0, 0], [0, b, 0], [0, 0, c]])


class Pendula(Machine):
    names, inputs = ["Q1", "Q2"], ["T1"]

    def bodies(self, q, t):
        a, b = q
        one, two = mpf("0.8"), mpf("0.6")
        joint = vec(one * sin(a), -one * cos(a), 0)
        return [
            (mpf("1.5"), diag(0, 0, mpf("0.08")), joint / 2, rot(3, a)),
            (mpf("0.9"), diag(0, 0, mpf("0.027")), joint + vec(two * sin(b), -two * cos(b), 0) / 2, rot(3, b)),
        ]

    def loads(self, q, v, t, u):
        g = mpf("9.81")
        places = [lambda q, t, k=k: self.bodies(q, t)[k][2] for k in range(2)]
        drive = vec(0, 0, u[0] - mpf("0.05") * (v[1] - v[0]))
        turns = [lambda q, t, k=k: self.bodies(q, t)[k][3] for k in range(2)]
        weights = [(vec(0, -m * g, 0), place) for m, place in zip([mpf("1.5"), mpf("0.9")], places)]
        return weights, [(drive, turns[1]), (-drive, turns[0])]


class Disc(Machine):
    names = ["q1", "q2", "q3", "co_x", "co_y", "co_z"]

    def turn(self, q):
        return rot(3, q[0]) * rot(1, q[1]) * rot(2, q[2])

    def bodies(self, q, t):
        m, r = mpf(2), mpf("0.3")
        return [(m, diag(m * r**2 / 4, m * r**2 / 2, m * r**2 / 4), vec(q[3], q[4], q[5]), self.turn(q))]

    def loads(self, q, v, t, u):
        return [(vec(0, 0, 2 * mpf("9.81")), lambda q, t: vec(q[3], q[4], q[5]))], []

    def rows(self, q, v, t):
        lean = rot(3, q[0]) * rot(1, q[1])
        w = vec(0, 0, v[0]) + rot(3, q[0]) * vec(v[1], 0, 0) + lean * vec(0, v[2], 0)
        touching = lean * vec(0, 0, mpf("0.3"))
        return list(vec(v[3], v[4], v[5]) + cross(w, touching))


class Bicycle(Machine):
    names, inputs = [f"q{k}" for k in range(1, 9)], ["t1", "t2", "t3"]

    def parts(self, q):
        rr, rf, cs, ls, tilt = mpf("0.3"), mpf("0.35"), mpf("0.95"), mpf("0.25"), 18 * pi / 180
        heading = rot(3, q[2])
        lean = heading * rot(1, q[3])
        rear = lean * rot(2, q[4])
        axis = rear * rot(2, tilt)
        fork = axis * rot(3, q[6])
        hub = vec(q[0], q[1], 0) - lean * vec(0, 0, rr)
        front = hub + axis * vec(cs, 0, 0) + fork * vec(mpf("0.05"), 0, ls)
        down = vec(0, 0, 1) - fork[2, 1] * fork * vec(0, 1, 0)
        return {
            "heading": heading, "rear": rear, "fork": fork, "hub": hub, "front": front,
            "rear wheel": rear * rot(2, q[5]), "front wheel": fork * rot(2, q[7]),
            "frame centre": hub + rear * vec(mpf("0.35"), 0, mpf("-0.5")),
            "fork centre": hub + axis * vec(cs, 0, 0) + fork * vec(mpf("-0.02"), 0, mpf("-0.3")),
            "rear contact": lean * vec(0, 0, rr), "front contact": rf * down / sqrt(dot(down, down)),
        }

    masses = [mpf(80), mpf("2.2"), mpf("4.1"), mpf("2.9")]
    centres = ["frame centre", "hub", "fork centre", "front"]
    turns = ["rear", "rear wheel", "fork", "front wheel"]

    def bodies(self, q, t):
        p = self.parts(q)
        tensors = [
            matrix([[mpf("9.2"), 0, mpf("2.4")], [0, 11, 0], [mpf("2.4"), 0, mpf("2.8")]]),
            diag(mpf("0.06"), mpf("0.12"), mpf("0.06")),
            matrix([[mpf("0.058"), 0, mpf("-0.009")], [0, mpf("0.06"), 0], [mpf("-0.009"), 0, mpf("0.008")]]),
            diag(mpf("0.14"), mpf("0.28"), mpf("0.14")),
        ]
        return [(m, i, p[c], p[r]) for m, i, c, r in zip(self.masses, tensors, self.centres, self.turns)]

    def loads(self, q, v, t, u):
        g = mpf("9.81")
        forces = [(vec(0, 0, m * g), lambda q, t, c=c: self.parts(q)[c]) for m, c in zip(self.masses, self.centres)]
        turn = {name: (lambda q, t, name=name: self.parts(q)[name]) for name in self.turns}
        p = self.parts(q)
        lean, pedal, steer = (p["heading"] * vec(u[0], 0, 0), p["rear"] * vec(0, u[1], 0), p["fork"] * vec(0, 0, u[2]))
        torques = [(lean, "rear"), (pedal, "rear wheel"), (-pedal, "rear"), (steer, "fork"), (-steer, "rear")]
        return forces, [(torque, turn[name]) for torque, name in torques]

    def rows(self, q, v, t):
        def moved(s):
            return self.parts([q[i] + v[i] * s for i in range(8)])
        p = moved(mpf(0))
        a1, a2 = p["heading"][:, 0], p["heading"][:, 1]
        out = []
        for wheel, centre, contact in [("rear wheel", "hub", "rear contact"), ("front wheel", "front", "front contact")]:
            slip = rate(lambda s: moved(s)[centre]) + cross(spin(lambda s: moved(s)[wheel]), p[contact])
            out += [dot(slip, a1), dot(slip, a2)]
        height = lambda s: (moved(s)["front"] + moved(s)["front contact"] - moved(s)["hub"] - moved(s)["rear contact"])[2]
        return out + [rate(height)]

    def state(self):
        q, v = super().state()
        # The pitch with which both wheels touch the ground.
        height = lambda pitch: (lambda p: (p["front"] + p["front contact"] - p["hub"] - p["rear contact"])[2])(
            self.parts(q[:4] + [pitch] + q[5:]))
        q = [x / 2 for x in q]
        pitch = mpf(0)
        for _ in range(12):
            pitch -= height(pitch) / rate(height, pitch)
        q[4] = pitch
        return q, v


class Satellite(Machine):
    names, inputs = ["E1", "E2", "E3", "E4", "S", "Phi", "X1", "X2", "X3"], ["Tau"]

    def turn(self, q):
        x, y, z, w = q[:4]
        return matrix([
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ])

    def bodies(self, q, t):
        r, place = self.turn(q), vec(q[6], q[7], q[8])
        tensor = matrix([[mpf("0.9"), 0, 0], [0, mpf("1.1"), mpf("-0.05")], [0, mpf("-0.05"), mpf("1.3")]])
        return [
            (mpf(12), tensor, place, r),
            (mpf("1.5"), diag(mpf("0.02"), mpf("0.012"), mpf("0.012")), place, r * rot(1, -q[5])),
            (mpf("0.4"), None, place + r * vec(0, mpf("0.4"), q[4]), r),
        ]

    def loads(self, q, v, t, u):
        r = self.turn(q)
        place = lambda q, t: self.bodies(q, t)[2][2]
        hole = lambda q, t: vec(q[6], q[7], q[8]) + self.turn(q) * vec(0, mpf("0.4"), 0)
        pull, drive = r * vec(0, 0, -30 * q[4]), r * vec(u[0], 0, 0)
        body = lambda q, t: self.bodies(q, t)[0][3]
        wheel = lambda q, t: self.bodies(q, t)[1][3]
        return [(pull, place), (-pull, hole)], [(drive, wheel), (-drive, body)]

    def rows(self, q, v, t):
        return [sum(q[i] * v[i] for i in range(4))]

    def state(self):
        q, v = super().state()
        length = norm(q[:4])
        return [x / length for x in q[:4]] + q[4:], v


class Coupler(Machine):
    names, inputs = ["Q1", "Q2", "Y"], ["F"]

    def bodies(self, q, t):
        return [
            (mpf("1.2"), None, vec(q[0], q[1], 0), None),
            (mpf("0.7"), None, vec(0, 0, q[2]), None),
        ]

    def loads(self, q, v, t, u):
        first, second = (lambda q, t: vec(q[0], q[1], 0)), (lambda q, t: vec(0, 0, q[2]))
        apart = second(q, t) - first(q, t)
        pull = u[0] * apart / sqrt(dot(apart, apart))
        spring = 40 * (q[2] - pi / 10) + mpf("0.4") * v[2]
        return [(vec(mpf("1.2") * mpf("9.81"), 0, 0), first), (pull, first), (-pull, second), (vec(0, 0, -spring), second)], []

    def rows(self, q, v, t):
        return [q[0] * v[0] + q[1] * v[1]]


class Gyro(Machine):
    names, inputs = ["q1", "q2", "q3"], ["volt"]
    current = mpf("0.3")

    def bodies(self, q, t):
        ring = rot(3, q[0]) * rot(1, q[1])
        base = vec(0, 0, mpf("0.1") * sin(3 * t))
        return [
            (mpf("0.4"), diag(mpf("0.003"), mpf("0.0025"), mpf("0.005")), base, ring),
            (mpf("1.1"), diag(mpf("0.004"), mpf("0.004"), mpf("0.007")), base + ring * vec(0, 0, mpf("0.12")), ring * rot(3, q[2])),
        ]

    def loads(self, q, v, t, u):
        g = mpf("9.81")
        weights = [(vec(0, 0, -m * g), lambda q, t, k=k: self.bodies(q, t)[k][2]) for k, m in enumerate([mpf("0.4"), mpf("1.1")])]
        return weights, [(vec(0, 0, mpf("0.3") * self.current), lambda q, t: rot(3, q[0]))]


def main():
    for name, machine in [("pendula", Pendula()), ("disc", Disc()), ("bicycle", Bicycle()), ("satellite", Satellite()),
                          ("coupler", Coupler()), ("gyro", Gyro())]:
        states = []
        for _ in range(3):
            t = mpf(RANDOM.uniform(0, 1)) if name == "gyro" else mpf(0)
            q, v = machine.state()
            q = [mpf(float(x)) for x in q] if not machine.rows(q, v, t) else q
            v = machine.consistent(q, v, t)
            u = [mpf(RANDOM.uniform(-2, 2)) for _ in machine.inputs]
            a = machine.accelerations(q, v, t, u)
            pairs = lambda names, values: {name: float(value) for name, value in zip(names, values)}
            state = {"q": pairs(machine.names, q), "qdot": pairs(machine.names, v), "inputs": pairs(machine.inputs, u),
                     "qddot": pairs(machine.names, a), "t": float(t)}
            if name == "gyro":
                state["states"] = {"i": float(machine.current)}
            states.append(state)
        (HERE / f"{name}.json").write_text(json.dumps({"states": states}, indent=1) + "\n")
        print(name)


main()
