#!/bin/sh
# The machines of the gallery in motion: `sh docs/gallery-motion/make.sh` writes all pictures of this folder.
set -eu
cd "$(dirname "$0")/../.."
: "${EOMGEN:=cargo run --quiet --package eomgen --}"

# A model, then the options of its motion.
move() {
    model=$1
    shift
    # shellcheck disable=SC2086
    $EOMGEN simulate "generated-tests/models/$model.eom" "$@" \
        --quiet --force --animate -o "docs/gallery-motion/$model.svg"
}

move double_pendulum --duration 6 --initial theta1=2 --initial theta2=1
move bead_on_hoop --duration 3 --initial theta=0.1
move n_pendulum_cart --duration 4 --input F=0 --initial 'q[1]=1.2' --initial 'q[2]=1.2' --initial 'q[3]=1.2' --initial 'q[4]=1.2'
move furuta --duration 4 --input tau1=0 --input tau2=0 --initial theta2=2.5 --initial "theta1'=1"
move crane --duration 6 --input 'fx = 4*sin(t)' --input fy=0 --input 'fl = -49 - 200*(l - 1.4) - 60*l'"'" --initial tx=0.5 --initial ty=0.3
move ball_and_beam --duration 4 --input "tau = 0.49*r*cos(theta) + 0.6*(0.3*r + 0.25*r' - theta) - 0.12*theta'" --initial r=0.4
move four_bar --duration 2.5 --initial q1=1 --initial "q1'=5"
move slider_crank --duration 1 --input alpha2=0 --input Q3=0 --initial q1=0.4 --initial "q1'=12"
move watt_governor --duration 3 --input tau=0 --initial alpha=0.4 --initial beta=0.4 --initial "psi'=9"
move gyropendulum --duration 3 --input torque=0 --initial "phi'=60"
move yo_yo --duration 1 --function 'h = 0.05*sin(6*t)'
move pogo --duration 0.25 --initial x=-0.15 --initial y=0.95 --initial "x'=1.5" --initial "y'=-1"
move e1_appell --duration 4 --function 'Fx = -x' --function 'Fy = -2*y' --function 'Fz = -0.5' --initial x=1 --initial "y'=1" --initial "z'=1"
move e4_sleigh --duration 10 --initial u1=-1 --initial u2=0.2
move e5_wheel_axle --duration 6 --initial "phi'=0.8"
move rolling_disc --duration 4 --initial q2=0.3 --initial u2=6 --initial u1=0.8
move snakeboard --duration 8 --input 'upsi = 1.5*cos(2*t)' --input 'uf = 0.12*cos(2*t) - 0.3*phif' --input 'ub = -0.12*cos(2*t) - 0.3*phib' --initial phif=0.3 --initial phib=-0.3
move quadrotor --duration 1 --input T1=1.62 --input T2=1.6 --input T3=1.62 --input T4=1.61 --input Omega=0
move whipple_bicycle --duration 5 --initial "rear'=15" --initial "lean'=0.8"
move ur5 --duration 1.5 --input tau1=0 --input tau2=0 --input tau3=0 --input tau4=0 --input tau5=0 --input tau6=0 --initial q2=-1 --initial q3=0.6
