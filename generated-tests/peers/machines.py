"""The machines that are no robots, as a person writes them for a generator of code: each in the way that is quickest by hand.

Each function takes (ops, q, qd, tau) and returns q'' in the order of the references. Parameters are numbers, those of the texts in `robots/`.
"""

import math
import pathlib
import re

from models import add, apply, cross, dot, mul, plus, product, solve, sub, transpose
from tree import of_chain

ROBOTS = pathlib.Path(__file__).parent.parent / "robots"
GRAVITY = 9.81


def planar(parent, place, mass, centre, moment, kind="R", axis=(0, 0, 1)):
    """A link of a planar tree, as `tree` takes it."""
    unit = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    inertia = [[0, 0, 0], [0, 0, 0], [0, 0, moment]]
    return {
        "parent": parent,
        "kind": kind,
        "axis": list(axis),
        "R": unit,
        "p": [*place, 0],
        "m": mass,
        "com": [*centre, 0],
        "I": inertia,
    }


def biped(ops, q, qd, tau):
    """Articulated bodies: two sliders and a hinge carry the torso."""
    lengths = [0.38, 0.35, 0.21, 0.13, 0.07]
    masses = [3.1, 2.4, 1.1, 0.6, 0.25]
    centres = [0.17, 0.16, 0.09, 0.055, 0.03]
    moments = [0.041, 0.027, 0.0052, 0.0011, 0.00021]
    none = ((0, 0), 0, (0, 0), 0)
    links = [planar(-1, *none, kind="P", axis=(1, 0, 0)), planar(0, *none, kind="P", axis=(0, 1, 0))]
    links.append(planar(1, (0, 0), 18, (0, 0.3), 0.9))
    for _ in range(2):
        parent, place = 2, (0, 0)
        for k in range(5):
            links.append(planar(parent, place, masses[k], (0, -centres[k]), moments[k]))
            parent, place = len(links) - 1, (0, -lengths[k])
    chain = {"joints": links, "base": None, "gravity": [0, -GRAVITY, 0]}
    return of_chain(chain)(ops, q, qd, [0, 0, 0, *tau])


def ladder(rods, couplers):
    """Four-bars in a row: every rate and every acceleration is a multiple of the first rod's and a rest, from one stage to the next; the energy
    of the whole then gives the first."""

    def model(ops, q, qd, tau):
        n = len(couplers)
        p, r = q[: n + 1], q[n + 1 :]
        dp, dr = qd[: n + 1], qd[n + 1 :]
        rods_now, couplers_now = [(ops.sin(x), ops.cos(x)) for x in p], [(ops.sin(x), ops.cos(x)) for x in r]
        # q'' = k p0'' + e of every angle.
        k, e = [1], [0]
        inertia, force = 0, tau[0]
        tips = []
        for i in range(n + 1):
            length, mass, centre, moment = rods[i]
            s, c = rods_now[i]
            if i > 0:
                span = couplers[i - 1][0]
                before = rods[i - 1][0]
                (s0, c0), (sq, cq) = rods_now[i - 1], couplers_now[i - 1]
                # before u(p0) + span u(q) = length u(p1): along the coupler, and along the rod.
                cross_ = sub(mul(s, cq), mul(c, sq))
                inverse = 1 / cross_
                a, b = sub(mul(s, c0), mul(c, s0)), sub(mul(s0, cq), mul(c0, sq))
                square0, squareq, square1 = mul(before, mul(dp[i - 1], dp[i - 1])), mul(span, mul(dr[i - 1], dr[i - 1])), mul(length, mul(dp[i], dp[i]))
                # Components of the differentiated loop across the one and the other.
                dot01, dotq1, dot0q = add(mul(c, c0), mul(s, s0)), add(mul(c, cq), mul(s, sq)), add(mul(cq, c0), mul(sq, s0))
                rest_q = sub(square1, add(mul(square0, dot01), mul(squareq, dotq1)))
                rest_p = sub(add(mul(square0, dot0q), squareq), mul(square1, dotq1))
                kq = mul(-1, mul(mul(before / span, mul(a, inverse)), k[-1]))
                eq = sub(mul(mul(rest_q, inverse), -1 / span), mul(mul(before / span, mul(a, inverse)), e[-1]))
                kp = mul(mul(before / length, mul(b, inverse)), k[-1])
                ep = add(mul(mul(rest_p, inverse), 1 / length), mul(mul(before / length, mul(b, inverse)), e[-1]))
                _, mass_c, centre_c, moment_c = couplers[i - 1]
                # The coupler: its centre moves with the tip of the rod before and about it.
                tip_k, tip_e = tips[-1]
                at_k = [sub(tip_k[0], mul(centre_c, mul(sq, kq))), add(tip_k[1], mul(centre_c, mul(cq, kq)))]
                turn = mul(centre_c, mul(dr[i - 1], dr[i - 1]))
                at_e = [sub(tip_e[0], add(mul(centre_c, mul(sq, eq)), mul(turn, cq))), add(tip_e[1], sub(mul(centre_c, mul(cq, eq)), mul(turn, sq)))]
                inertia = add(inertia, mul(moment_c, mul(kq, kq)), mul(mass_c, dot(at_k, at_k)))
                felt = [at_e[0], add(at_e[1], GRAVITY)]
                force = sub(force, add(mul(moment_c, mul(kq, eq)), mul(mass_c, dot(at_k, felt))))
                k.append(kp)
                e.append(ep)
                rates_of.append((kq, eq))
            else:
                rates_of = []
            kp, ep = k[-1], e[-1]
            tip_k = [mul(-length, mul(s, kp)), mul(length, mul(c, kp))]
            turn = mul(length, mul(dp[i], dp[i]))
            tip_e = [sub(mul(-length, mul(s, ep)), mul(turn, c)), sub(mul(length, mul(c, ep)), mul(turn, s))]
            tips.append((tip_k, tip_e))
            about = moment + mass * centre * centre
            inertia = add(inertia, mul(about, mul(kp, kp)))
            force = sub(force, mul(kp, add(mul(about, ep), mul(mass * centre * GRAVITY, c))))
        first = force / inertia
        return [add(mul(x, first), y) for x, y in zip(k, e)] + [add(mul(x, first), y) for x, y in rates_of]

    return model


def equal_ladder(n, rho=1.5, a=0.4, d=0.5):
    bar = lambda length: (length, rho * length, length / 2, rho * length**3 / 12)
    return ladder([bar(a)] * (n + 1), [bar(d)] * n)


def uneven_ladder(name):
    """The lengths stand in the text."""
    text = (ROBOTS / f"{name}.eom").read_text()
    lengths = {k: [float(x) for x in re.search(rf"^param {k}\[.*?= \[(.*?)\]", text, re.M).group(1).split(",")] for k in "ads"}
    bar = lambda length: (length, 1.5 * length, length / 2, 1.5 * length**3 / 12)
    return ladder([bar(x) for x in lengths["a"]], [bar(x) for x in lengths["d"]])


def wagon(tilts):
    """Two speeds, that of the front axle's middle along itself and the king pin's rate: nothing is singular. Each inertia with its partial velocities and
    what its acceleration has beside them."""
    r, b, l = 0.2, 0.35, 0.9

    def model(ops, q, qd, tau):
        yaw, steer = q[3], q[6 if tilts else 4]
        dx, dy, turn, rate = qd[0], qd[1], qd[3], qd[6 if tilts else 4]
        sy, cy, s, c = ops.sin(yaw), ops.cos(yaw), ops.sin(steer), ops.cos(steer)
        forward = dx * cy + dy * sy
        speed = forward * c + l * turn * s
        # Derivatives of yaw' = speed s/l and of forward = speed c by the steering.
        turned = speed * rate * c / l
        braked = -speed * rate * s
        k = s / l
        entries = [
            (35, (c - 0.02 * k, 0), braked - 0.02 * turned - turn * (0.4 * turn)),
            (35, (0.4 * k, 0), 0.4 * turned + turn * (forward - 0.02 * turn)),
            (5.2 + 2 * 0.017, (k, 0), turned),
            (0.36 + 2 * 0.017, (k, 1), turned),
            (4, (1, 0), 0),
        ]
        wheels = [((c - b * k, 0), braked - b * turned), ((c + b * k, 0), braked + b * turned)]
        wheels += [((1 - b * k, -b), -b * turned), ((1 + b * k, b), b * turned)]
        entries += [(1.6 + 0.033 / r**2, partial, rest) for partial, rest in wheels]
        m = [[0, 0], [0, 0]]
        f = [2 * tau[1] * c / r, tau[0]]
        for mass, partial, rest in entries:
            for i in range(2):
                f[i] = sub(f[i], mul(mul(mass, partial[i]), rest))
                for j in range(i + 1):
                    m[i][j] = m[j][i] = add(m[i][j], mul(mul(mass, partial[i]), partial[j]))
        dspeed, drate = solve(m, f)
        dforward = dspeed * c + braked
        dturn = dspeed * k + turned
        spins = [add(mul(p[0], dspeed), mul(p[1], drate), rest) / r for p, rest in wheels]
        tilt = [0, 0] if tilts else []
        return [dforward * cy - forward * turn * sy, dforward * sy + forward * turn * cy, 0, dturn, *tilt, drate, *spins]

    return model


def stewart(quaternion):
    """The platform's six equations with what it feels of each leg, by the leg's inverse Jacobian, which is diagonal along and across the leg."""
    ax = [0.5942, 0.5942, -0.2248, -0.3694, -0.3694, -0.2248]
    ay = [-0.0835, 0.0835, 0.5563, 0.4728, -0.4728, -0.5563]
    bx = [0.2463, 0.2463, 0.1498, -0.3961, -0.3961, 0.1498]
    by = [-0.3152, 0.3152, 0.3709, 0.0557, -0.0557, -0.3709]
    del ax, ay  # The ground joints: the state has the legs' angles and lengths.
    own = [[0.31, 0.01, 0.015], [0.01, 0.34, -0.02], [0.015, -0.02, 0.55]]
    mass, com = 12, [0.01, -0.02, 0.05]

    def model(ops, q, qd, tau):
        first = 7 if quaternion else 6
        if quaternion:
            e0, e1, e2, e3 = q[3:7]
            d0, d1, d2, d3 = qd[3:7]
            turn = [
                [1 - 2 * (e2 * e2 + e3 * e3), 2 * (e1 * e2 - e0 * e3), 2 * (e1 * e3 + e0 * e2)],
                [2 * (e1 * e2 + e0 * e3), 1 - 2 * (e1 * e1 + e3 * e3), 2 * (e2 * e3 - e0 * e1)],
                [2 * (e1 * e3 - e0 * e2), 2 * (e2 * e3 + e0 * e1), 1 - 2 * (e1 * e1 + e2 * e2)],
            ]
            body = [
                2 * (e0 * d1 - e1 * d0 - e2 * d3 + e3 * d2),
                2 * (e0 * d2 - e2 * d0 - e3 * d1 + e1 * d3),
                2 * (e0 * d3 - e3 * d0 - e1 * d2 + e2 * d1),
            ]
        else:
            sy, cy, sp, cp, sr, cr = [f(x) for x in q[3:6] for f in (ops.sin, ops.cos)]
            turn = [
                [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
                [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
                [-sp, cp * sr, cp * cr],
            ]
            dyaw, dpitch, droll = qd[3:6]
            body = [droll - dyaw * sp, dpitch * cr + dyaw * cp * sr, dyaw * cp * cr - dpitch * sr]
        w = apply(turn, body)
        inward = lambda v: cross(w, cross(w, v))
        # The platform alone, about its corner C, in inertial axes.
        centre = apply(turn, com)
        tilde = lambda v: [[0, sub(0, v[2]), v[1]], [v[2], 0, sub(0, v[0])], [sub(0, v[1]), v[0], 0]]
        inertia = product(product(turn, own), transpose(turn))
        push = [mass * x for x in inward(centre)]
        push[2] = push[2] + mass * GRAVITY
        moved = [[mass * x for x in row] for row in tilde(centre)]
        square = product(moved, tilde(centre))
        top = [[mass if i == j else 0 for j in range(3)] for i in range(3)]
        side = [[-x for x in row] if any(not isinstance(x, int) for x in row) else row for row in moved]
        low = [[sub(inertia[i][j], square[i][j]) for j in range(3)] for i in range(3)]
        force = [-x for x in push]
        spin = cross(w, apply(inertia, w))
        moment = [-(x + y) for x, y in zip(spin, cross(centre, push))]
        legs = []
        for i in range(6):
            a, b, s = q[first + 3 * i : first + 3 * i + 3]
            da, db, ds = qd[first + 3 * i : first + 3 * i + 3]
            sa, ca, sb, cb = ops.sin(a), ops.cos(a), ops.sin(b), ops.cos(b)
            axes = [[cb, 0, sb], [sa * sb, ca, -(sa * cb)], [-(ca * sb), sa, ca * cb]]
            h = s - 0.2
            about = 0.9 * (h * h)
            ia, ib, ic = about + (0.03 + 1.4 * 0.0625 + 0.021), about + (0.031 + 1.4 * 0.0625 + 0.0215), 0.0029
            both = sb * cb
            ma = ia * (cb * cb) + ic * (sb * sb)
            growth = 1.8 * h * ds
            less = (ic - ia) * both
            weight = GRAVITY * (0.35 + 0.9 * h)
            qa = weight * (sa * cb) - growth * (cb * cb) * da - 2 * less * db * da
            qb = weight * (ca * sb) - growth * db + less * (da * da)
            around = cb * cb * (da * da) + db * db
            qs = tau[i] - 0.9 * GRAVITY * (ca * cb) + 0.9 * h * around
            rest = [2 * ds * db + s * both * (da * da), 2 * (s * sb * db - ds * cb) * da, -s * around]
            across = s * cb
            u, v = 1 / s, 1 / across
            phi = [ib * u * u, ma * v * v, 0.9]
            hold = [qb * u, -(qa * v), qs]
            arm = apply(turn, [bx[i], by[i], 0])
            bias = apply(transpose(axes), inward(arm))
            lost = [sub(x, y) for x, y in zip(bias, rest)]
            kappa = apply(axes, [h_ - p * y for h_, p, y in zip(hold, phi, lost)])
            seen = [[axes[j][k] * phi[k] if not isinstance(axes[j][k], int) else 0 for k in range(3)] for j in range(3)]
            big = [[None] * 3 for _ in range(3)]
            for j in range(3):
                for k in range(j, 3):
                    big[j][k] = big[k][j] = dot(seen[j], axes[k])
            t = tilde(arm)
            coupled = product(big, t)
            turned = product(t, coupled)
            top = [[add(x, y) for x, y in zip(u_, v_)] for u_, v_ in zip(top, big)]
            side = [[sub(x, y) for x, y in zip(u_, v_)] for u_, v_ in zip(side, coupled)]
            low = [[sub(x, y) for x, y in zip(u_, v_)] for u_, v_ in zip(low, turned)]
            force = plus(force, kappa)
            moment = plus(moment, cross(arm, kappa))
            legs.append((arm, axes, lost, u, v))
        whole = [[*top[i], *side[i]] for i in range(3)] + [[*transpose(side)[i], *low[i]] for i in range(3)]
        found = solve(whole, [*force, *moment])
        lift, alpha = found[:3], found[3:]
        out = list(lift)
        rate = apply(transpose(turn), alpha)
        if quaternion:
            square = (body[0] * body[0] + body[1] * body[1] + body[2] * body[2]) / 4
            half = [x / 2 for x in rate]
            out += [
                -e1 * half[0] - e2 * half[1] - e3 * half[2] - square * e0,
                e0 * half[0] + e2 * half[2] - e3 * half[1] - square * e1,
                e0 * half[1] + e3 * half[0] - e1 * half[2] - square * e2,
                e0 * half[2] + e1 * half[1] - e2 * half[0] - square * e3,
            ]
        else:
            ddyaw = (rate[1] * sr + rate[2] * cr + droll * dpitch + dyaw * sp * dpitch) / cp
            ddpitch = rate[1] * cr - rate[2] * sr - droll * dyaw * cp
            out += [ddyaw, ddpitch, rate[0] + ddyaw * sp + dyaw * cp * dpitch]
        for arm, axes, lost, u, v in legs:
            end = apply(transpose(axes), plus(lift, cross(alpha, arm)))
            end = plus(end, lost)
            out += [-(end[1] * v), end[0] * u, end[2]]
        return out

    return model


def speeds_of_wagon(state):
    """The speeds of `wagon_flat_speeds`."""
    yaw, steer = state["yaw"], state["steer"]
    ahead = state["x'"] * math.cos(yaw) + state["y'"] * math.sin(yaw)
    aside = 0.9 * state["yaw'"]
    return {"forward": ahead * math.cos(steer) + aside * math.sin(steer), "turning": state["steer'"]}


def speeds_of_platform(state):
    """The speeds of `stewart_speeds` and `stewart_quat_speeds`."""
    if "yaw" in state:
        pitch, roll = state["pitch"], state["roll"]
        dyaw, dpitch, droll = state["yaw'"], state["pitch'"], state["roll'"]
        w = [
            droll - dyaw * math.sin(pitch),
            dpitch * math.cos(roll) + dyaw * math.cos(pitch) * math.sin(roll),
            dyaw * math.cos(pitch) * math.cos(roll) - dpitch * math.sin(roll),
        ]
    else:
        e0, e1, e2, e3 = (state[f"e{k}"] for k in range(4))
        d0, d1, d2, d3 = (state[f"e{k}'"] for k in range(4))
        w = [
            2 * (e0 * d1 - e1 * d0 - e2 * d3 + e3 * d2),
            2 * (e0 * d2 - e2 * d0 - e3 * d1 + e1 * d3),
            2 * (e0 * d3 - e3 * d0 - e1 * d2 + e2 * d1),
        ]
    return {f"v{k}": state[f"{k}'"] for k in "xyz"} | {f"w{k}": x for k, x in zip("xyz", w)}


def hand(name):
    """The program for a machine; `None` for a robot, which `tree` does."""
    ladders = re.fullmatch(r"ladder_(uneven_)?(\d+)", name)
    if ladders:
        return uneven_ladder(name) if ladders.group(1) else equal_ladder(int(ladders.group(2)))
    known = {
        "biped": biped,
        "wagon_flat": wagon(False),
        "wagon_tilt": wagon(True),
        "stewart": stewart(False),
        "stewart_quat": stewart(True),
    }
    return known.get(name)
