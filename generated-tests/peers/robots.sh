#!/bin/sh
# Accelerations of whole robots and other machines by eomgen's modules and by CasADi's C, made from the articulated-body algorithm or a program by hand, side by side on this machine.
#
#   robots.sh EOMGEN [MACHINE...]
#
# EOMGEN is the program, best an optimised build. CasADi comes from the Python package index into an environment of its own, in
# the folder PEERS_DIR (a temporary one if that is not set), where everything is built. Takes some ten minutes and asks nothing.
# Needs python3 with venv, gcc and rustc. The table goes to standard output.
set -eu
if [ $# -lt 1 ]; then
    echo "usage: robots.sh EOMGEN [MACHINE...]" >&2
    exit 2
fi
eomgen=$(realpath "$1")
shift
here=$(dirname "$(realpath "$0")")
folder=${PEERS_DIR:-${TMPDIR:-/tmp}/eomgen-peers}
mkdir -p "$folder"
if [ ! -x "$folder/venv/bin/python" ]; then
    python3 -m venv "$folder/venv"
fi
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check wrenfold==0.5.3 casadi==3.8.2 >&2
exec "$folder/venv/bin/python" -B "$here/robots.py" "$eomgen" "$folder/robots" "$@"
