"""The models by hand, over any scalars: what a person writes for a generator that shares sub-expressions and nothing more.

Each function takes (ops, q, qd, tau) and returns q''. `ops` has sin and cos. Parameters are numbers: the peers may fold them.
"""

import json
import pathlib

HERE = pathlib.Path(__file__).parent


# Sums and products that leave out zeros and ones, as a person would.
def add(*terms):
    total = 0
    for term in terms:
        if isinstance(term, (int, float)) and term == 0:
            continue
        total = term if isinstance(total, (int, float)) and total == 0 else total + term
    return total


def mul(a, b):
    for x, y in ((a, b), (b, a)):
        if isinstance(x, (int, float)):
            if x == 0:
                return 0
            if x == 1:
                return y
    return a * b


def sub(a, b):
    if isinstance(b, (int, float)) and b == 0:
        return a
    if isinstance(a, (int, float)) and a == 0:
        return -b
    return a - b


def dot(u, v):
    return add(*[mul(x, y) for x, y in zip(u, v)])


def cross(u, v):
    return [sub(mul(u[(i + 1) % 3], v[(i + 2) % 3]), mul(u[(i + 2) % 3], v[(i + 1) % 3])) for i in range(3)]


def apply(m, v):
    return [dot(row, v) for row in m]


def transpose(m):
    return [list(column) for column in zip(*m)]


def product(a, b):
    columns = transpose(b)
    return [[dot(row, column) for column in columns] for row in a]


def plus(u, v):
    return [add(x, y) for x, y in zip(u, v)]


def solve(m, b):
    """L D L^T, m symmetric positive definite, by its lower triangle."""
    n = len(b)
    low = [[0] * n for _ in range(n)]
    diagonal = [0] * n
    inverse = [0] * n
    for j in range(n):
        diagonal[j] = sub(m[j][j], add(*[mul(mul(low[j][k], low[j][k]), diagonal[k]) for k in range(j)]))
        inverse[j] = 1 / diagonal[j]
        for i in range(j + 1, n):
            rest = sub(m[i][j], add(*[mul(low[i][k], mul(low[j][k], diagonal[k])) for k in range(j)]))
            low[i][j] = mul(rest, inverse[j])
    y = [0] * n
    for i in range(n):
        y[i] = sub(b[i], add(*[mul(low[i][k], y[k]) for k in range(i)]))
    x = [0] * n
    for i in reversed(range(n)):
        x[i] = sub(mul(y[i], inverse[i]), add(*[mul(low[k][i], x[k]) for k in range(i + 1, n)]))
    return x


def sleigh(ops, q, qd, tau, m1=1.3, m2=0.7, l=0.9):
    """`hand`: reduced to the speed along the blade and the turn rate."""
    s, c = ops.sin(q[2]), ops.cos(q[2])
    w = qd[2]
    u = qd[0] * c + qd[1] * s
    along = tau[0] * c + tau[1] * s
    across = tau[1] * c - tau[0] * s
    u_dot = along * (1 / (m1 + m2)) - (m1 * l / (m1 + m2)) * (w * w)
    w_dot = (u * w) * (1 / l) + (tau[2] - l * across) * (1 / (m1 * l * l))
    a1 = u_dot + l * (w * w)
    a2 = u * w - l * w_dot
    return [a1 * c - a2 * s, a1 * s + a2 * c, w_dot]


def disc(ops, q, qd, tau, m=2.5, r=0.4, g=9.81):
    """`schur`: M q'' = F + A^T lambda with M factored, then the two multipliers."""
    i, iy = m * r * r / 4, m * r * r / 2
    s1, c1, s2, c2 = ops.sin(q[2]), ops.cos(q[2]), ops.sin(q[3]), ops.cos(q[3])
    p1, p2, p3 = qd[2], qd[3], qd[4]
    columns = [
        [1, 0, 0],
        [0, 1, 0],
        [r * (c1 * s2), r * (s1 * s2), 0],
        [r * (s1 * c2), -(r * (c1 * c2)), -(r * s2)],
        [0, 0, 0],
    ]
    both = 2 * (p1 * p2)
    squares = p1 * p1 + p2 * p2
    bias = [
        r * (both * (c1 * c2) - squares * (s1 * s2)),
        r * (both * (s1 * c2) + squares * (c1 * s2)),
        -(r * (p2 * p2 * c2)),
    ]
    mass = [[mul(m, dot(a, b)) for a in columns] for b in columns]
    mass[2][2] = mass[2][2] + (iy * (s2 * s2) + i * (c2 * c2))
    mass[2][4] = mass[4][2] = iy * s2
    mass[3][3] = mass[3][3] + i
    mass[4][4] = iy
    spin = p3 + p1 * s2
    h = [
        0,
        0,
        iy * (p1 * p2 * c2 * s2 + spin * p2 * c2) - 2 * i * (p1 * p2 * c2 * s2),
        i * (p1 * p1 * c2 * s2) - iy * (spin * p1 * c2),
        iy * (p1 * p2 * c2),
    ]
    given = [0, 0, tau[0], tau[1] + m * g * r * s2, tau[2]]
    force = [sub(sub(f, x), mul(m, dot(column, bias))) for f, x, column in zip(given, h, columns)]
    rows = [[1, 0, 0, 0, -(r * c1)], [0, 1, 0, 0, -(r * s1)]]
    b = [-(r * (p3 * p1 * s1)), r * (p3 * p1 * c1)]
    free = solve(mass, force)
    turned = [solve(mass, row) for row in rows]
    g_matrix = [[dot(a, t) for t in turned] for a in rows]
    rest = [sub(x, dot(row, free)) for x, row in zip(b, rows)]
    forces = solve(g_matrix, rest)
    return [add(x, mul(turned[0][k], forces[0]), mul(turned[1][k], forces[1])) for k, x in enumerate(free)]


def pendulum_parameters(n):
    masses = [2.0] + [0.5 + 0.1 * (k % 5) for k in range(n)]
    lengths = [0.6 + 0.1 * (k % 3) for k in range(n)]
    return [round(x, 12) for x in masses], [round(x, 12) for x in lengths], 9.81


def pend_abs(ops, q, qd, tau):
    """`projection`: M = J^T m J of the tips with absolute angles, factored."""
    n = len(q) - 1
    masses, lengths, g = pendulum_parameters(n)
    beyond = [sum(masses[k:]) for k in range(n + 1)]
    s = [ops.sin(x) for x in q[1:]]
    c = [ops.cos(x) for x in q[1:]]
    arms = [(l * a, l * b) for l, a, b in zip(lengths, c, s)]
    pulls = [(w * w * a[0], w * w * a[1]) for w, a in zip(qd[1:], arms)]
    m = [[0] * (n + 1) for _ in range(n + 1)]
    m[0][0] = beyond[0]
    for i in range(n):
        m[i + 1][0] = m[0][i + 1] = beyond[i + 1] * arms[i][0]
        for j in range(i + 1):
            both = arms[i][0] * arms[j][0] + arms[i][1] * arms[j][1] if i != j else lengths[i] ** 2
            m[i + 1][j + 1] = m[j + 1][i + 1] = beyond[i + 1] * both
    force = [add(tau[0], *[beyond[i + 1] * pulls[i][1] for i in range(n)])]
    for i in range(n):
        # a_x = -w^2 l s, a_y = w^2 l c of all links before the tips beyond, and gravity.
        x = add(*[-(beyond[max(i, j) + 1] * pulls[j][1]) for j in range(n) if j != i])
        y = add(*[beyond[max(i, j) + 1] * pulls[j][0] for j in range(n) if j != i], g * beyond[i + 1])
        force.append(tau[i + 1] - (arms[i][0] * x + arms[i][1] * y))
    return solve(m, force)


def pend_rel(ops, q, qd, tau):
    """`aba`: the articulated-body algorithm in the plane, every link in its own axes, motion as (omega, vx, vy) of its joint."""
    n = len(q) - 1
    masses, lengths, g = pendulum_parameters(n)
    s = [ops.sin(x) for x in q[1:]]
    c = [ops.cos(x) for x in q[1:]]
    # Of a point mass at (0, -l): inertia about the joint; forces and what the joints' turning adds to accelerations.
    inertia, force, extra = [], [], []
    omega = 0
    for i in range(n):
        m, l = masses[i + 1], lengths[i]
        inertia.append([[m * l * l, m * l, 0], [m * l, m, 0], [0, 0, m]])
        # The joint's own acceleration: omega^2 l upwards along the link before, in this link's axes.
        inward = mul(lengths[i - 1], mul(omega, omega)) if i > 0 else 0
        extra.append([0, mul(s[i], inward), mul(c[i], inward)])
        omega = add(omega, qd[i + 1])
        force.append([0, 0, m * l * (omega * omega)])
    u, d, rest = [0] * n, [0] * n, [0] * n
    cart, push = sum(masses[:1]), 0
    for i in reversed(range(n)):
        a, p = inertia[i], force[i]
        u[i] = [a[r][0] for r in range(3)]
        d[i] = 1 / u[i][0]
        rest[i] = sub(tau[i + 1], p[0])
        scaled = [mul(x, d[i]) for x in u[i]]
        a = [[sub(a[r][t], mul(u[i][r], scaled[t])) if r and t else 0 for t in range(3)] for r in range(3)]
        p = plus(p, plus(apply(a, extra[i]), [mul(x, rest[i]) for x in scaled]))
        # What is left, in the axes of the link before and about its joint, which is l above.
        turn = [[1, 0, 0], [0, c[i], -s[i]], [0, s[i], c[i]]]
        a = product(product(turn, a), transpose(turn))
        p = apply(turn, p)
        if i == 0:
            cart, push = add(cart, a[1][1]), add(push, p[1])
            lift = a[1][2]
            break
        l = lengths[i - 1]
        shift = [[1, l, 0], [0, 1, 0], [0, 0, 1]]
        a = product(product(shift, a), transpose(shift))
        p = apply(shift, p)
        inertia[i - 1] = [plus(x, y) for x, y in zip(inertia[i - 1], a)]
        force[i - 1] = plus(force[i - 1], p)
    # Gravity as an upward acceleration of the rail.
    x = (tau[0] - push - mul(lift, g)) / cart
    out, a = [x], [0, x, g]
    for i in range(n):
        if i > 0:
            a = [a[0], add(a[1], mul(lengths[i - 1], a[0])), a[2]]
        a = apply([[1, 0, 0], [0, c[i], s[i]], [0, -s[i], c[i]]], a)
        a = plus(a, extra[i])
        new = mul(sub(rest[i], dot(u[i], a)), d[i])
        out.append(new)
        a = [add(a[0], new), a[1], a[2]]
    return out


def arm(name):
    """`crba`: composite bodies for M, recursive Newton-Euler for the rest, M factored."""
    joints = json.loads((HERE / f"chain_{name}.json").read_text())["joints"]

    def model(ops, q, qd, tau):
        n = len(q)
        turns = []
        for joint, angle in zip(joints, q):
            s, c = ops.sin(angle), ops.cos(angle)
            axis = [abs(x) for x in joint["axis"]].index(1)
            if joint["axis"][axis] < 0:
                s = -s
            own = [[0] * 3 for _ in range(3)]
            i, j = (axis + 1) % 3, (axis + 2) % 3
            own[axis][axis] = 1
            own[i][i] = own[j][j] = c
            own[i][j], own[j][i] = -s, s
            turns.append(product(joint["R"], own))
        # Newton-Euler at q'' = 0, with gravity as an upward acceleration of the base.
        w, alpha, a = [0, 0, 0], [0, 0, 0], [0, 0, 9.81]
        forces, moments = [], []
        for joint, r, rate in zip(joints, turns, qd):
            p = joint["p"]
            a = plus(a, plus(cross(alpha, p), cross(w, cross(w, p))))
            back = transpose(r)
            a, w, alpha = apply(back, a), apply(back, w), apply(back, alpha)
            spin = [mul(x, rate) for x in joint["axis"]]
            alpha = plus(alpha, cross(w, spin))
            w = plus(w, spin)
            h = joint["com"]
            center = plus(a, plus(cross(alpha, h), cross(w, cross(w, h))))
            f = [mul(joint["m"], x) for x in center]
            t = plus(apply(joint["I"], alpha), cross(w, apply(joint["I"], w)))
            forces.append(f)
            moments.append(plus(t, cross(h, f)))
        bias = [0] * n
        for i in reversed(range(n)):
            bias[i] = dot(joints[i]["axis"], moments[i])
            if i > 0:
                f, t = apply(turns[i], forces[i]), apply(turns[i], moments[i])
                forces[i - 1] = plus(forces[i - 1], f)
                moments[i - 1] = plus(moments[i - 1], plus(t, cross(joints[i]["p"], f)))
        # Composite bodies: mass, first moment, second moment about the joint.
        composite = []
        for joint in joints:
            m, h = joint["m"], joint["com"]
            square = dot(h, h)
            second = [[joint["I"][i][j] + m * ((square if i == j else 0) - h[i] * h[j]) for j in range(3)] for i in range(3)]
            composite.append((m, [m * x for x in h], second))
        mass = [[0] * n for _ in range(n)]
        for i in reversed(range(n)):
            m, h, second = composite[i]
            axis = joints[i]["axis"]
            f, t = cross(axis, h), apply(second, axis)
            mass[i][i] = dot(axis, t)
            j = i
            while j > 0:
                p = joints[j]["p"]
                f, t = apply(turns[j], f), apply(turns[j], t)
                t = plus(t, cross(p, f))
                j -= 1
                mass[i][j] = mass[j][i] = dot(joints[j]["axis"], t)
            if i > 0:
                r, p = turns[i], joints[i]["p"]
                h = apply(r, h)
                second = product(product(r, second), transpose(r))
                shifted = [add(x, mul(m, y)) for x, y in zip(h, p)]
                across, along = dot(h, p), dot(shifted, p)
                moved = [
                    [
                        sub(add(second[i1][j1], add(across, along) if i1 == j1 else 0), add(mul(h[j1], p[i1]), mul(p[j1], shifted[i1])))
                        for j1 in range(3)
                    ]
                    for i1 in range(3)
                ]
                m0, h0, second0 = composite[i - 1]
                composite[i - 1] = (m0 + m, plus(h0, shifted), [plus(x, y) for x, y in zip(second0, moved)])
        return solve(mass, [sub(x, y) for x, y in zip(tau, bias)])

    return model


# Model file, reference file, the rows to build: name of the method and the model by hand.
MODELS = {
    "sleigh_ref": ("hand", sleigh),
    "disc": ("schur", disc),
    "pend_abs_5": ("projection", pend_abs),
    "pend_abs_10": ("projection", pend_abs),
    "pend_abs_20": ("projection", pend_abs),
    "pend_rel_10": ("aba", pend_rel),
    "ur5": ("crba", arm("ur5")),
    "panda7": ("crba", arm("panda7")),
}
