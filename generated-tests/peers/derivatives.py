"""Jacobians of the Panda's accelerations by coordinates and speeds: operations and time, beside the accelerations alone.

    python derivatives.py FOLDER

What is built goes to FOLDER. Needs casadi and gcc; with Pinocchio (`pin`) its algorithms are timed too, calls from Python included, whose
cost is told from an algorithm that does next to nothing. The rows of eomgen are those of the module's header and of its benchmarks.
"""

import os
import pathlib
import subprocess
import sys
import time

import casadi

import models

HERE = pathlib.Path(__file__).parent
SIZE = 7


class CasadiOps:
    sin, cos = staticmethod(casadi.sin), staticmethod(casadi.cos)


def operations(f):
    free = {casadi.OP_CONST, casadi.OP_INPUT, casadi.OP_OUTPUT, casadi.OP_PARAMETER}
    return sum(f.instruction_id(i) not in free for i in range(f.n_instructions()))


def best(call, count=2000, runs=15):
    least = float("inf")
    for _ in range(runs):
        start = time.perf_counter()
        for _ in range(count):
            call()
        least = min(least, (time.perf_counter() - start) / count)
    return least * 1e6


def with_casadi(folder):
    q, v, tau = (casadi.SX.sym(name, SIZE) for name in ("q", "v", "tau"))
    parts = [[x[i] for i in range(SIZE)] for x in (q, v, tau)]
    out = casadi.cse(casadi.vertcat(*models.MODELS["panda7"][1](CasadiOps, *parts)))
    slopes = casadi.cse(casadi.jacobian(out, casadi.vertcat(q, v)))
    both = casadi.cse([out, slopes])
    functions = [casadi.Function("acc", [q, v, tau], [out]), casadi.Function("both", [q, v, tau], both)]
    main = """
#include <stdio.h>
#include <time.h>
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + 1e-9 * t.tv_nsec; }
int main(void) {
  static double q[7], v[7], tau[7], a[7], j[98], w[100000]; const double *arg[8]; double *res[8]; long long iw[8];
  int k, n, r; double least;
  for (k = 0; k < 7; k++) { q[k] = 0.3 + 0.1 * k; v[k] = 0.2 - 0.1 * k; tau[k] = 0.5; }
  for (n = 0; n < 2; n++) {
    least = 1e9;
    for (r = 0; r < 30; r++) {
      double t = now();
      for (k = 0; k < 2000; k++) {
        arg[0] = q; arg[1] = v; arg[2] = tau; res[0] = a; res[1] = j;
        if (n) both(arg, res, iw, w, 0); else acc(arg, res, iw, w, 0);
        __asm__ volatile("" ::: "memory");
      }
      t = (now() - t) / 2000; if (t < least) least = t;
    }
    printf("%.3f\\n", least * 1e6);
  }
}
"""
    before = os.getcwd()
    os.chdir(folder)
    text = ""
    for f in functions:
        f.generate(f"{f.name()}.c")
        # One unit each, since they define the same helpers.
        subprocess.run(["gcc", "-O3", "-march=native", "-c", f"{f.name()}.c"], check=True)
        text += f"int {f.name()}(const double**, double**, long long*, double*, int);\n"
    pathlib.Path("main.c").write_text(text + main)
    subprocess.run(["gcc", "-O3", "main.c", "acc.o", "both.o", "-lm", "-o", "timed"], check=True)
    times = subprocess.run(["./timed"], check=True, capture_output=True, text=True).stdout.split()
    os.chdir(before)
    return [operations(f) for f in functions], [float(x) for x in times]


def with_pinocchio():
    import json

    import numpy
    import pinocchio

    model = pinocchio.Model()
    parent = 0
    for joint in json.loads((HERE / "chain_panda7.json").read_text())["joints"]:
        place = pinocchio.SE3(numpy.array(joint["R"], float), numpy.array(joint["p"], float))
        kind = pinocchio.JointModelRevoluteUnaligned(numpy.array(joint["axis"], float))
        parent = model.addJoint(parent, kind, place, joint["name"])
        inertia = pinocchio.Inertia(joint["m"], numpy.array(joint["com"], float), numpy.array(joint["I"], float))
        model.appendBodyToJoint(parent, inertia, pinocchio.SE3.Identity())
    data = model.createData()
    q, v, tau = (numpy.linspace(a, b, SIZE) for a, b in ((0.3, 0.9), (0.2, -0.4), (0.5, 0.5)))
    call = best(lambda: pinocchio.computeTotalMass(model, data))
    algorithms = {
        "aba": lambda: pinocchio.aba(model, data, q, v, tau),
        "computeABADerivatives": lambda: pinocchio.computeABADerivatives(model, data, q, v, tau),
        "crba": lambda: pinocchio.crba(model, data, q),
        "rnea": lambda: pinocchio.rnea(model, data, q, v, tau),
        "computeRNEADerivatives": lambda: pinocchio.computeRNEADerivatives(model, data, q, v, tau),
        "computeJointJacobians": lambda: pinocchio.computeJointJacobians(model, data, q),
        "computeCoriolisMatrix": lambda: pinocchio.computeCoriolisMatrix(model, data, q, v),
    }
    return call, {name: best(algorithm) for name, algorithm in algorithms.items()}


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    counts, times = with_casadi(folder)
    print(f"casadi: accelerations {counts[0]} operations, {times[0]:.3f} us; with Jacobians {counts[1]}, {times[1]:.3f} us")
    try:
        call, found = with_pinocchio()
    except ImportError:
        print("pinocchio: not installed")
        return
    print(f"pinocchio, less {call:.2f} us of a call:")
    for name, of in found.items():
        print(f"  {name}: {of - call:.2f} us")


main()
