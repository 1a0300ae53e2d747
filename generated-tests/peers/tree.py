"""The articulated-body algorithm for trees of hinges and sliders, on a fixed or a floating base, as a person writes it for a generator. Loops are closed
by forces at their ends: a recursion without velocities for each says what it does, and together they close all loops.

Spatial vectors are pairs (of rotation, of translation) in the axes of a joint at its origin; inertias are three blocks [[a, b], [b^T, c]]. Parameters
are numbers. Featherstone, Rigid Body Dynamics Algorithms (2008), table 7.1.
"""

import json
import pathlib

from models import add, apply, cross, dot, mul, plus, product, solve, sub, transpose

HERE = pathlib.Path(__file__).parent


def skew(p):
    return [[0, -p[2], p[1]], [p[2], 0, -p[0]], [-p[1], p[0], 0]]


def minus(u, v):
    return [sub(x, y) for x, y in zip(u, v)]


def scaled(k, v):
    return [mul(k, x) for x in v]


def of_matrices(f, a, b):
    return [[f(x, y) for x, y in zip(u, v)] for u, v in zip(a, b)]


def symmetric(entry):
    m = [[0] * 3 for _ in range(3)]
    for i in range(3):
        for j in range(i, 3):
            m[i][j] = m[j][i] = entry(i, j)
    return m


def turned(r, m):
    """r m r^T of a symmetric matrix."""
    half = product(r, m)
    return symmetric(lambda i, j: dot(half[i], r[j]))


def rotation(ops, axis, angle):
    """By an angle about a unit vector; about a coordinate axis without products of zeros."""
    s, c = ops.sin(angle), ops.cos(angle)
    k = skew(axis)
    own = [[0] * 3 for _ in range(3)]
    for i in range(3):
        for j in range(3):
            along = axis[i] * axis[j]
            across = (1 if i == j else 0) - along
            own[i][j] = add(along, mul(across, c), mul(k[i][j], s))
    return own


def inertia_of(link):
    m, com = link["m"], link["com"]
    h = [m * x for x in com]
    square = sum(x * x for x in com)
    about = [[link["I"][i][j] + m * ((square if i == j else 0) - com[i] * com[j]) for j in range(3)] for i in range(3)]
    return about, skew(h), [[m if i == j else 0 for j in range(3)] for i in range(3)]


def times(inertia, motion):
    a, b, c = inertia
    w, v = motion
    return plus(apply(a, w), apply(b, v)), plus(apply(transpose(b), w), apply(c, v))


def to_child(turn, p, motion):
    w, v = motion
    back = transpose(turn)
    return apply(back, w), apply(back, plus(v, cross(w, p)))


def to_parent(turn, p, force):
    n, f = force
    f = apply(turn, f)
    return plus(apply(turn, n), cross(p, f)), f


def inertia_to_parent(turn, p, inertia):
    a, b, c = inertia
    a, b, c = turned(turn, a), product(product(turn, b), transpose(turn)), turned(turn, c)
    k = skew(p)
    shifted = of_matrices(add, b, product(k, c))
    # a + p x b^T - (b + p x c) p x
    grown = product(k, transpose(b))
    less = product(shifted, k)
    return symmetric(lambda i, j: sub(add(a[i][j], grown[i][j]), less[i][j])), shifted, c


def bias_force(inertia, motion):
    w, v = motion
    n, f = times(inertia, motion)
    return plus(cross(w, n), cross(v, f)), cross(w, f)


def solve6(inertia, force):
    """The base: 6 x 6, by its factors."""
    a, b, c = inertia
    full = [a[i] + b[i] for i in range(3)] + [transpose(b)[i] + c[i] for i in range(3)]
    x = solve(full, [*force[0], *force[1]])
    return x[:3], x[3:]


def tree(name):
    """The rates of the speeds: of a floating base the components of its velocity and angular velocity in its own axes, then of the joints."""
    return of_chain(json.loads((HERE / f"chain_{name}.json").read_text()))


def of_chain(chain):
    """The same of a tree that is not in a file."""
    joints, base = chain["joints"], chain["base"]
    loops = rows_of(joints, chain.get("loops", []))

    def model(ops, q, qd, tau):
        angles, rates, forces = (q[7:], qd[6:], tau[6:]) if base else (q, qd, tau)
        turns, places, axes, motions, biases, inertias, loads = [], [], [], [], [], [], []
        still = ([0, 0, 0], [0, 0, 0])
        start = (qd[3:6], qd[0:3]) if base else still
        for joint, angle, rate in zip(joints, angles, rates):
            axis = joint["axis"]
            if joint["kind"] == "R":
                turn, p = product(joint["R"], rotation(ops, axis, angle)), joint["p"]
                s = (axis, [0, 0, 0])
            else:
                turn, p = joint["R"], plus(joint["p"], scaled(angle, apply(joint["R"], axis)))
                s = ([0, 0, 0], axis)
            parent = motions[joint["parent"]] if joint["parent"] >= 0 else start
            own = tuple(scaled(rate, x) for x in s)
            carried = to_child(turn, p, parent)
            motion = tuple(plus(x, y) for x, y in zip(carried, own))
            w, v = motion
            turns.append(turn)
            places.append(p)
            axes.append(s)
            motions.append(motion)
            biases.append((cross(w, own[0]), plus(cross(v, own[0]), cross(w, own[1]))))
            inertias.append(inertia_of(joint))
            loads.append(bias_force(inertias[-1], motion))
        floating = inertia_of(base) if base else None
        push = bias_force(floating, start) if base else None
        kept = [None] * len(joints)
        for i in reversed(range(len(joints))):
            s = axes[i]
            u = times(inertias[i], s)
            d = add(dot(s[0], u[0]), dot(s[1], u[1]))
            inverse = 1 / d
            rest = sub(forces[i], add(dot(s[0], loads[i][0]), dot(s[1], loads[i][1])))
            kept[i] = (u, inverse, rest)
            parent = joints[i]["parent"]
            if parent < 0 and not base:
                continue
            v = tuple(scaled(inverse, x) for x in u)
            less = (
                symmetric(lambda a, b: mul(u[0][a], v[0][b])),
                [[mul(x, y) for y in v[1]] for x in u[0]],
                symmetric(lambda a, b: mul(u[1][a], v[1][b])),
            )
            felt = tuple(of_matrices(sub, x, y) for x, y in zip(inertias[i], less))
            moved = times(felt, biases[i])
            share = mul(rest, inverse)
            force = tuple(plus(plus(x, y), scaled(share, z)) for x, y, z in zip(loads[i], moved, u))
            force = to_parent(turns[i], places[i], force)
            felt = inertia_to_parent(turns[i], places[i], felt)
            if parent < 0:
                floating = tuple(of_matrices(add, x, y) for x, y in zip(floating, felt))
                push = tuple(plus(x, y) for x, y in zip(push, force))
            else:
                inertias[parent] = tuple(of_matrices(add, x, y) for x, y in zip(inertias[parent], felt))
                loads[parent] = tuple(plus(x, y) for x, y in zip(loads[parent], force))
        up = [-x for x in chain["gravity"]]
        if base:
            # Against gravity, in the axes of the base.
            ex, ey, ez, e = q[3:7]
            r = [
                [1 - 2 * (ey * ey + ez * ez), 2 * (ex * ey - e * ez), 2 * (ex * ez + e * ey)],
                [2 * (ex * ey + e * ez), 1 - 2 * (ex * ex + ez * ez), 2 * (ey * ez - e * ex)],
                [2 * (ex * ez - e * ey), 2 * (ey * ez + e * ex), 1 - 2 * (ex * ex + ey * ey)],
            ]
            first = solve6(floating, (minus(tau[3:6], push[0]), minus(tau[0:3], push[1])))
            lifted = apply(transpose(r), up)
        else:
            first, lifted = ([0, 0, 0], up), []

        def outwards(first, rests, biases):
            """The accelerations of the links, and the rates of the speeds."""
            found, out = [], [*first[1], *first[0]] if base else []
            for i, joint in enumerate(joints):
                parent = found[joint["parent"]] if joint["parent"] >= 0 else first
                a = to_child(turns[i], places[i], parent)
                a = tuple(plus(x, y) for x, y in zip(a, biases[i]))
                u, inverse, _ = kept[i]
                rate = mul(sub(rests[i], add(dot(u[0], a[0]), dot(u[1], a[1]))), inverse)
                found.append(tuple(plus(x, scaled(rate, y)) for x, y in zip(a, axes[i])))
                out.append(rate)
            return found, out

        def response(pushes):
            """The same to forces on links alone, as a dictionary, the machine being at rest."""
            felt, rests, on_base = dict(pushes), [0] * len(joints), None
            for i in reversed(range(len(joints))):
                if i not in felt:
                    continue
                s, (u, inverse, _) = axes[i], kept[i]
                rests[i] = add(dot(s[0], felt[i][0]), dot(s[1], felt[i][1]))
                share = mul(rests[i], inverse)
                force = tuple(minus(x, scaled(share, y)) for x, y in zip(felt[i], u))
                force = to_parent(turns[i], places[i], force)
                parent = joints[i]["parent"]
                if parent >= 0:
                    felt[parent] = tuple(plus(x, y) for x, y in zip(felt[parent], force)) if parent in felt else force
                else:
                    on_base = tuple(plus(x, y) for x, y in zip(on_base, force)) if on_base else force
            first = solve6(floating, on_base) if base and on_base else still
            return outwards(first, rests, [still] * len(joints))

        def up_to(root, i, v):
            """A vector of link i in the axes of a link that it hangs on."""
            while i != root:
                v, i = apply(turns[i], v), joints[i]["parent"]
            return v

        def opened(root, ends, found, moving):
            """How the points of a loop are accelerated apart, in the axes of a link."""
            apart = []
            for i, r in ends:
                a = plus(found[i][1], cross(found[i][0], r))
                if moving:
                    w, v = motions[i]
                    a = plus(a, cross(w, plus(v, cross(w, r))))
                apart.append(up_to(root, i, a))
            return minus(*apart)

        found, out = outwards(first, [x[2] for x in kept], biases)
        rows = [(root, ends, k) for root, ends, independent in loops for k in independent]
        if rows:
            open_now = {id(ends): opened(root, ends, found, True) for root, ends, _ in rows}
            answers = []
            for root, ends, k in rows:
                pushes = {}
                for sign, (i, r) in zip((1, -1), ends):
                    f, at = [sign if k == n else 0 for n in range(3)], i
                    path = []
                    while at != root:
                        path.append(at)
                        at = joints[at]["parent"]
                    for at in reversed(path):
                        f = apply(transpose(turns[at]), f)
                    pushes[i] = (cross(r, f), f)
                answers.append(response(pushes))
            table = [[None] * len(rows) for _ in rows]
            for n, (root, ends, k) in enumerate(rows):
                for m in range(n, len(rows)):
                    table[n][m] = table[m][n] = opened(root, ends, answers[m][0], False)[k]
            sizes = solve(table, [sub(0, open_now[id(ends)][k]) for _, ends, k in rows])
            out = [add(x, *(mul(size, of[1][n]) for size, of in zip(sizes, answers))) for n, x in enumerate(out)]
        if base:
            out[:3] = minus(out[:3], lifted)
        return out

    return model


def rows_of(joints, loops):
    """Of each loop the nearest link that both ends hang on, the ends, and the components in its axes of which none says what others say."""

    def path(i):
        return [i] + (path(joints[i]["parent"]) if joints[i]["parent"] >= 0 else [])

    found = []
    for loop in loops:
        ends = [(loop[k]["index"], loop[k]["point"]) for k in "ab"]
        common = next(i for i in path(ends[0][0]) if i in path(ends[1][0]))
        # A loop of two rows lies in the plane of the first two axes.
        found.append((common, ends, range(loop["independent"])))
    return found
