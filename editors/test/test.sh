#!/bin/sh
# The server with real editors, as far as they are there: what is missing is named and left out. `EOMGEN` may name the program; without it
# the server alone is built. `sh editors/test/test.sh --all` fails where something is left out.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
failed=0
missing=0

if [ -z "${EOMGEN:-}" ]; then
    (cd "$root" && cargo build --release -q -p eomgen --no-default-features --features lsp --example server) || exit 1
    EOMGEN="${CARGO_TARGET_DIR:-$root/target}/release/examples/server"
fi
# The setups name `eomgen`.
bin=$(mktemp -d)
trap 'rm -rf "$bin"' EXIT
ln -s "$EOMGEN" "$bin/eomgen"
PATH="$bin:$PATH"
export PATH

try() {
    name=$1
    shift
    if "$@"; then
        echo "ok      $name"
    else
        echo "FAILED  $name"
        failed=1
    fi
}

skip() {
    echo "skipped $1: $2"
    missing=1
}

NVIM=${NVIM_PROGRAM:-nvim}
if ! command -v "$NVIM" >/dev/null; then
    skip "Neovim" "no nvim; NVIM_PROGRAM may name it"
elif ! "$NVIM" --clean --headless -c 'if has("nvim-0.11") | q | else | cq | endif' 2>/dev/null; then
    skip "Neovim" "the setup is for version 0.11 or later"
else
    try "Neovim" "$NVIM" --headless --clean -l "$here/neovim.lua"
fi

if ! command -v emacs >/dev/null; then
    skip "Emacs" "no emacs"
elif ! emacs --batch -l package -f package-initialize --eval "(require 'eglot)" 2>/dev/null; then
    skip "Emacs" "no eglot (in Emacs from version 29 on)"
else
    try "Emacs" emacs --batch -l "$here/emacs.el"
fi

if ! command -v node >/dev/null; then
    skip "VS Code" "no node"
elif [ ! -d "$root/editors/vscode/node_modules/vscode-languageclient" ]; then
    skip "VS Code" "run npm install in editors/vscode"
else
    try "VS Code's client" node "$here/vscode.js"
fi

if ! python3 -c 'import tomllib' 2>/dev/null; then
    skip "Helix" "no Python with tomllib"
else
    try "Helix's setup" python3 "$here/setups.py"
fi

if ! command -v cc >/dev/null; then
    skip "tree-sitter" "no C compiler"
else
    try "tree-sitter" sh -c "cd '$root/editors/tree-sitter-eom/check' && cargo test -q"
fi

[ "$failed" = 0 ] && { [ "$missing" = 0 ] || [ "${1:-}" != --all ]; }
