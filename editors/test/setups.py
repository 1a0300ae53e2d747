"""The setups of docs/editors.md that no editor here tries: they are of the form that the editors document."""

import json
import pathlib
import re
import subprocess
import tempfile
import tomllib
import urllib.parse

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

# Zed: its settings, and the extension as the script prepares it.
zed = root / "editors/zed"
settings = json.loads(blocks("Zed")[0])
assert list(settings["lsp"]) == ["eomgen"] and settings["lsp"]["eomgen"]["binary"]["path"], settings
tomllib.loads((zed / "Cargo.toml").read_text())
with tempfile.TemporaryDirectory() as folder:
    there = pathlib.Path(folder) / "with space"
    for _ in range(2):
        # A second time, as after a pull.
        subprocess.run(["sh", str(zed / "prepare.sh"), str(there)], check=True)
    extension = tomllib.loads((there / "extension.toml").read_text())
    head = subprocess.run(["git", "-C", str(root), "rev-parse", "HEAD"], check=True, capture_output=True, text=True)
    grammar = extension["grammars"]["eom"]
    assert grammar["rev"] == head.stdout.strip(), grammar
    clone = pathlib.Path(urllib.parse.unquote(urllib.parse.urlparse(grammar["repository"]).path))
    assert (clone / grammar["path"] / "src/parser.c").is_file(), grammar
    assert extension["id"] in settings["lsp"] and extension["schema_version"] == 1, extension
    own = tomllib.loads((there / "languages/eom/config.toml").read_text())
    assert own["grammar"] == "eom" and own["path_suffixes"] == ["eom"], own
    # The server is for the language by the name that it has there.
    assert extension["language_servers"]["eomgen"]["languages"] == [own["name"]], extension
    assert (there / "src/lib.rs").is_file() and (there / "Cargo.toml").is_file()
    queries = {path.name for path in (there / "languages/eom").glob("*.scm")}
    assert queries == {"highlights.scm", "brackets.scm", "indents.scm", "outline.scm"}, queries
    same = (root / "editors/tree-sitter-eom/queries/highlights.scm").read_bytes()
    assert (there / "languages/eom/highlights.scm").read_bytes() == same

package = json.loads((root / "editors/vscode/package.json").read_text())
for grammar in package["contributes"]["grammars"]:
    json.loads((root / "editors/vscode" / grammar["path"]).read_text())
print("setups: ok")
