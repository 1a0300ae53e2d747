#!/bin/sh
# Robots that eomgen imports, against Pinocchio and MuJoCo on the same files: accelerations at random states, and how long both take.
#
#   import.sh EOMGEN [ROBOT...]
#
# EOMGEN is the program, best an optimised build. The tools and the robots come from the Python package index into an environment of
# their own, in the folder PEERS_DIR (a temporary one if that is not set), where everything is built. Takes about an hour and asks
# nothing. Needs python3 with venv, gcc, g++ and rustc. The table goes to standard output, what went wrong to standard error.
set -eu
if [ $# -lt 1 ]; then
    echo "usage: import.sh EOMGEN [ROBOT...]" >&2
    exit 2
fi
eomgen=$(realpath "$1")
shift
here=$(dirname "$(realpath "$0")")
folder=${PEERS_DIR:-${TMPDIR:-/tmp}/eomgen-peers}
mkdir -p "$folder"
if [ ! -x "$folder/robots/bin/python" ]; then
    python3 -m venv "$folder/robots"
fi
"$folder/robots/bin/python" -m pip install --quiet --disable-pip-version-check pin==4.1.0 mujoco==4.0.0 example-robot-data==6.0.0 cmeel-eigen==3.4.1 >&2
"$folder/robots/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps gymnasium==1.2.1 dm-control==1.0.50 >&2
exec "$folder/robots/bin/python" -B "$here/import.py" "$eomgen" "$folder/imported" "$@"
