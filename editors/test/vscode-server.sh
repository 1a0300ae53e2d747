#!/bin/sh
# The packed extension in the real VS Code, without a screen: VS Code as a server and a Chromium come as packages of npm into a folder of
# tools, and VS Code's own test runner runs vscode-host.js. It takes minutes and 1 GB the first time, so that test.sh leaves it out.
#
#   sh editors/test/vscode-server.sh [FOLDER]
#
# `EOMGEN` may name the program, `CHROMIUM` a browser, FOLDER where the tools are kept (`target/vscode` without it). Needs Node 20, a C++
# compiler, make and Python.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
tools=${1:-$root/target/vscode}
mkdir -p "$tools"
tools=$(cd "$tools" && pwd)

if [ -z "${EOMGEN:-}" ]; then
    (cd "$root" && cargo build --release -q -p eomgen --no-default-features --features lsp --example server)
    EOMGEN="${CARGO_TARGET_DIR:-$root/target}/release/examples/server"
fi
# Of the native modules those without which VS Code's server does not start; terminals are not needed.
if [ ! -e "$tools/installed" ]; then
    cd "$tools"
    echo '{ "private": true }' > package.json
    npm install --no-audit --no-fund --ignore-scripts code-server@4.100.3 puppeteer-core@24
    [ -n "${CHROMIUM:-}" ] || npm install --no-audit --no-fund --ignore-scripts @sparticuz/chromium@133.0.0
    npm rebuild argon2
    cd node_modules/code-server/lib/vscode
    npm install --no-audit --no-fund --ignore-scripts --omit=dev
    npm rebuild @vscode/spdlog native-watchdog
    ln -sfn node_modules node_modules.asar
    touch "$tools/installed"
fi

cd "$root/editors/vscode"
[ -d node_modules/@vscode/vsce ] || npm install --no-audit --no-fund --ignore-scripts --no-package-lock
npm run -s package -- --out "$tools/eomgen.vsix" >/dev/null
rm -rf "$tools/vsix"
mkdir "$tools/vsix"
(cd "$tools/vsix" && python3 -m zipfile -e ../eomgen.vsix .)
exec node "$here/vscode-server.mjs" "$tools" "$tools/vsix/extension" "$EOMGEN"
