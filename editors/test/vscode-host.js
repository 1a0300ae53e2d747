// The extension inside the real VS Code: run by its own test runner in the extension host, with the whole interface. `EOMGEN_MODELS` is a folder
// with `model.eom`, `plain.rs` and `held.rs`, which vscode-server.mjs writes.

"use strict";

const assert = require("node:assert");
const path = require("node:path");
const vscode = require("vscode");

const folder = process.env.EOMGEN_MODELS;
const address = (name) => vscode.Uri.file(path.join(folder, name));
const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

async function until(what, ready) {
  for (let i = 0; i < 300; i++) {
    const found = await ready();
    if (found) {
      return found;
    }
    await pause(100);
  }
  throw new Error(`nothing came: ${what}`);
}

const open = async (name) => {
  const document = await vscode.workspace.openTextDocument(address(name));
  await vscode.window.showTextDocument(document);
  return document;
};
const ask = (command, ...args) => vscode.commands.executeCommand(`vscode.${command}`, ...args);
const messages = (name) => vscode.languages.getDiagnostics(address(name));

async function models() {
  const extension = vscode.extensions.getExtension("eomgen.eomgen");
  assert.ok(extension, "the extension is not there");
  assert.ok(!extension.isActive, "it is active before a model is open");
  const document = await open("model.eom");
  assert.strictEqual(document.languageId, "eom");
  const uri = document.uri;
  const [message] = await until("messages", () => messages("model.eom").length && messages("model.eom"));
  assert.ok(extension.isActive);
  assert.strictEqual(message.range.start.line, 5);
  assert.match(message.message, /did you mean `force`/);

  const fixes = await ask("executeCodeActionProvider", uri, message.range);
  const fix = fixes.find(({ title }) => title === "Write `force`");
  assert.ok(fix, JSON.stringify(fixes.map(({ title }) => title)));
  assert.ok(await vscode.workspace.applyEdit(fix.edit));
  assert.strictEqual(document.lineAt(5).text, "force on P: -k*x*N.x");
  await until("no messages", () => messages("model.eom").every(({ severity }) => severity !== vscode.DiagnosticSeverity.Error));

  const at = new vscode.Position(3, 6);
  const [hover] = await ask("executeHoverProvider", uri, at);
  assert.match(hover.contents.map(({ value }) => value).join(""), /point P = O/);
  const [defined] = await ask("executeDefinitionProvider", uri, new vscode.Position(4, document.lineAt(4).text.indexOf("P")));
  assert.strictEqual((defined.range ?? defined.targetRange).start.line, 3);
  const places = await ask("executeReferenceProvider", uri, at);
  assert.strictEqual(places.length, 3);
  const list = await ask("executeCompletionItemProvider", uri, new vscode.Position(5, "force on ".length));
  const label = (item) => item.label.label ?? item.label;
  const byRank = list.items.filter((item) => item.sortText).sort((a, b) => (a.sortText < b.sortText ? -1 : 1));
  assert.ok(["A", "O", "P"].includes(label(byRank[0])), JSON.stringify(byRank.slice(0, 3)));
  const outline = await ask("executeDocumentSymbolProvider", uri);
  assert.ok(outline.some(({ name }) => name === "A"));
  const whole = new vscode.Range(0, 0, document.lineCount, 0);
  const hints = await ask("executeInlayHintProvider", uri, whole);
  const shown = hints.map(({ label }) => (typeof label === "string" ? label : label.map(({ value }) => value).join("")));
  assert.ok(shown.includes(": kg*m/s"), JSON.stringify(shown));
  const lenses = await ask("executeCodeLensProvider", uri);
  assert.strictEqual(lenses[0].command.command, "eomgen.show");
  const tokens = await ask("provideDocumentSemanticTokens", uri);
  assert.ok(tokens.data.length > 20);

  const renamed = await ask("executeDocumentRenameProvider", uri, at, "Q");
  assert.ok(await vscode.workspace.applyEdit(renamed));
  assert.match(document.getText(), /point Q = [^]*at Q[^]*on Q:/);
  await assert.rejects(async () => ask("executeDocumentRenameProvider", uri, at, "x"), /taken/);
  const laid = await ask("executeFormatDocumentProvider", uri, { tabSize: 4, insertSpaces: true });
  const edit = new vscode.WorkspaceEdit();
  edit.set(uri, laid);
  assert.ok(await vscode.workspace.applyEdit(edit));
  assert.strictEqual(document.lineAt(1).text, "param m = 1 : kg");
}

async function rust() {
  await open("plain.rs");
  const held = await open("held.rs");
  assert.strictEqual(held.languageId, "rust");
  const [message] = await until("messages in Rust", () => messages("held.rs").length && messages("held.rs"));
  assert.match(message.message, /unknown name `q`/);
  assert.strictEqual(message.range.start.line, held.getText().split("\n").findIndex((line) => line.includes("mass q")));
  const [hover] = await ask("executeHoverProvider", held.uri, new vscode.Position(0, 4));
  assert.match(hover.contents.map(({ value }) => value).join(""), /model `inline`/);
  const elsewhere = await ask("executeHoverProvider", held.uri, new vscode.Position(held.lineCount - 2, 5));
  assert.deepStrictEqual(elsewhere, []);
  // What lays out and completes Rust is others' business.
  assert.ok(!(await ask("executeFormatDocumentProvider", held.uri, { tabSize: 4, insertSpaces: true }))?.length);
  assert.deepStrictEqual(messages("plain.rs"), []);
  const edit = new vscode.WorkspaceEdit();
  edit.replace(held.uri, message.range, "m");
  assert.ok(await vscode.workspace.applyEdit(edit));
  await until("no messages in Rust", () => messages("held.rs").every(({ severity }) => severity !== vscode.DiagnosticSeverity.Error));
}

exports.run = async () => {
  await models();
  await rust();
};
