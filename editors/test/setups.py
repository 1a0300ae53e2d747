"""The setups of docs/editors.md that no editor here tries: they are of the form that the editors document."""

import json
import pathlib
import re
import tomllib

root = pathlib.Path(__file__).resolve().parents[2]
page = (root / "docs/editors.md").read_text()


def blocks(editor):
    section = page.split(f"\n## {editor}\n")[1].split("\n## ")[0]
    return re.findall(r"```(?:text|toml|json)\n(.*?)```", section, re.S)


helix = tomllib.loads(blocks("Helix")[0])
assert helix["language-server"]["eomgen"] == {"command": "eomgen", "args": ["lsp"]}, helix
language = helix["language"][0]
assert language["language-servers"] == ["eomgen"] and language["file-types"] == ["eom"], language
grammar = helix["grammar"][0]
assert grammar["name"] == "eom" and grammar["source"]["path"].endswith("editors/tree-sitter-eom"), grammar

package = json.loads((root / "editors/vscode/package.json").read_text())
for grammar in package["contributes"]["grammars"]:
    json.loads((root / "editors/vscode" / grammar["path"]).read_text())
print("setups: ok")
