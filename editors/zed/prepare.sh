#!/bin/sh
# `sh editors/zed/prepare.sh FOLDER` puts the extension into a folder of its own, with the grammar of this clone as it was committed last:
# "zed: install dev extension" takes that folder.
set -eu
[ $# -eq 1 ] || { echo "usage: prepare.sh FOLDER" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
root=$(git -C "$here" rev-parse --show-toplevel)
commit=$(git -C "$here" rev-parse HEAD)
mkdir -p "$1"
cp -R "$here/Cargo.toml" "$here/Cargo.lock" "$here/src" "$here/languages" "$1"
sed -e "s|/PATH/TO/eomgen|$root|" -e "s|COMMIT|$commit|" "$here/extension.toml" > "$1/extension.toml"
