// The extension for VS Code with its real language client (vscode-languageclient) and the real server, without VS Code: the module
// `vscode` is a stand-in that has as much as the client asks of it. Run by test.sh: node vscode.js

"use strict";

const assert = require("node:assert");
const fs = require("node:fs");
const Module = require("node:module");
const os = require("node:os");
const path = require("node:path");

const extension = path.join(__dirname, "../vscode");
const waiting = [];
const published = new Map();
const commands = new Map();
const providers = {};
let rustHover;

class Uri {
  constructor(text) { this.text = text; this.scheme = text.split(":")[0]; this.path = this.fsPath = decodeURIComponent(text.replace("file://", "")); }
  static parse(text) { return new Uri(text); }
  static file(name) { return new Uri(`file://${encodeURI(name)}`); }
  toString() { return this.text; }
  with() { return this; }
}
class Position { constructor(line, character) { this.line = line; this.character = character; } }
class Range { constructor(a, b, c, d) { [this.start, this.end] = c === undefined ? [a, b] : [new Position(a, b), new Position(c, d)]; } }
class Event { constructor() { this.all = []; this.event = (f, self) => { this.all.push(f.bind(self)); return { dispose() {} }; }; } fire(x) { return Promise.all(this.all.map((f) => f(x))); } dispose() {} }
class Plain { constructor(...args) { this.args = args; } dispose() {} }
class Edit { constructor() { this.edits = []; } set(uri, edits) { this.edits.push([String(uri), edits]); } replace(uri, range, text) { this.set(uri, [{ range, newText: text }]); } }
class Message { constructor(range, message, severity) { Object.assign(this, { range, message, severity }); } }
class TextEdit { constructor(range, newText) { Object.assign(this, { range, newText }); } static replace(r, t) { return new TextEdit(r, t); } }

const nothing = () => ({ dispose() {} });
// What is not named here is an event, a function that registers something, or a class.
const rest = (known, name) => new Proxy(known, {
  get(target, key) {
    if (key in target || typeof key === "symbol") return target[key];
    const text = String(key);
    if (/^on(Did|Will)/.test(text)) return (target[key] = Object.assign(new Event().event, {}));
    if (/^register/.test(text)) return (target[key] = (selector, provider) => {
      if (selector?.language === "rust") rustHover = provider; else providers[text] = provider;
      return { dispose() {} };
    });
    if (/^create/.test(text)) return (target[key] = () => rest({}, text));
    if (/^[A-Z]/.test(text)) return (target[key] = class extends Plain {});
    return (target[key] = name === "vscode" ? rest({}, text) : nothing);
  },
});

const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "eom")), "model.eom");
const lines = ["model m", "param m:kg", "coord x : m", "point P = O + x*N.x", "particle A: mass m at P", "forse on P: -x*N.x", ""];
fs.writeFileSync(file, lines.join("\n"));
const document = {
  uri: Uri.file(file), fileName: file, languageId: "eom", version: 1, isDirty: false, isClosed: false, lineCount: lines.length,
  getText: () => lines.join("\n"), lineAt: (n) => ({ text: lines[n] }), save: async () => true,
};
const opened = new Event();
const changed = new Event();
const closed = new Event();
const vscode = rest({
  version: "1.82.0", Uri, Position, Range, EventEmitter: Event, WorkspaceEdit: Edit, Diagnostic: Message, TextEdit,
  Disposable: class { constructor(f) { this.dispose = f ?? (() => {}); } static from() { return new Plain(); } },
  CancellationTokenSource: class { constructor() { this.token = { isCancellationRequested: false, onCancellationRequested: nothing }; } cancel() {} dispose() {} },
  DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
  CodeActionKind: Object.assign(class { constructor(value) { this.value = value; } append(x) { return new this.constructor(x); } }, Object.fromEntries(
    ["Empty", "QuickFix", "Refactor", "RefactorExtract", "RefactorInline", "RefactorMove", "RefactorRewrite", "Source", "SourceOrganizeImports", "SourceFixAll", "Notebook"].map((k) => [k, { value: k }]))),
  env: rest({ language: "en", appName: "test", uriScheme: "vscode" }, "env"),
  l10n: { t: (text) => text },
  languages: rest({
    match: (selector, { languageId }) => ([selector].flat().some(({ language }) => language === languageId) ? 10 : 0),
    createDiagnosticCollection: () => ({
      set(uri, all) { published.set(String(uri), all); waiting.splice(0).forEach((f) => f(all)); },
      delete() {}, clear() {}, dispose() {}, has: () => false, get: () => [], forEach() {},
    }),
  }, "languages"),
  commands: rest({ registerCommand: (name, f) => { commands.set(name, f); return { dispose() {} }; } }, "commands"),
  window: rest({ tabGroups: rest({ all: [] }, "tabs"), visibleTextEditors: [], activeTextEditor: undefined, createOutputChannel: () => ({ append() {}, appendLine() {}, show() {}, dispose() {}, clear() {} }) }, "window"),
  workspace: rest({
    textDocuments: [document], notebookDocuments: [], workspaceFolders: undefined, isTrusted: true, fs: {},
    onDidOpenTextDocument: opened.event, onDidChangeTextDocument: changed.event, onDidCloseTextDocument: closed.event,
    getConfiguration: () => ({ get: (_, other) => other, has: () => false, inspect: () => undefined }),
    createFileSystemWatcher: () => rest({}, "watcher"),
    asRelativePath: String,
  }, "workspace"),
}, "vscode");

const load = Module._load;
Module._load = function (name, ...others) {
  return name === "vscode" ? vscode : load.call(this, name, ...others);
};
const messages = () => new Promise((resolve) => waiting.push(resolve));

async function main() {
  const first = messages();
  const { activate, deactivate } = require(path.join(extension, "client.js"));
  await activate({ subscriptions: [] });
  assert.ok(commands.has("eomgen.show") && commands.has("eomgen.restart"), [...commands.keys()].join());
  const [message] = await first;
  assert.strictEqual(message.range.start.line, 5);
  assert.match(message.message, /did you mean `force`/);

  const token = { isCancellationRequested: false, onCancellationRequested: nothing };
  // A change of a few letters, as the editor sends it.
  const second = messages();
  lines[5] = "force on P: -x*N.x";
  document.version = 2;
  const contentChanges = [{ range: new Range(5, 0, 5, 5), rangeOffset: 0, rangeLength: 5, text: "force" }];
  await changed.fire({ document, contentChanges });
  assert.ok((await second).every((m) => !/no statement/.test(m.message)));

  const hover = await providers.registerHoverProvider.provideHover(document, new Position(3, 6), token);
  assert.ok(JSON.stringify(hover).includes("point"), JSON.stringify(hover));
  const edit = await providers.registerRenameProvider.provideRenameEdits(document, new Position(3, 6), "Q", token);
  assert.strictEqual(edit.edits.flatMap(([, all]) => all).length, 3, JSON.stringify(edit));
  const laid = await providers.registerDocumentFormattingEditProvider.provideDocumentFormattingEdits(document, { tabSize: 4, insertSpaces: true }, token);
  assert.ok(laid.some((e) => e.newText.includes("m : kg") || e.newText === " "), JSON.stringify(laid));
  // Rust: nothing where no model is, messages and hover where one is.
  const rust = (name, text) => {
    const lines = text.split("\n");
    return {
      uri: Uri.file(path.join(path.dirname(file), name)), languageId: "rust", version: 1, isDirty: false, isClosed: false, lineCount: lines.length,
      getText: () => text, lineAt: (n) => ({ text: lines[n] }),
    };
  };
  const plain = rust("plain.rs", "mod nothing {}\n");
  await opened.fire(plain);
  const third = messages();
  const inline = "model m\\nparam m : kg\\ncoord x : m\\npoint P = O + x*N.x\\nparticle A: mass q at P\\n";
  const held = rust("held.rs", `#[derive_eom(text = "${inline}")]\nmod held {}\n`);
  await opened.fire(held);
  await third;
  for (let i = 0; i < 3 && !published.get(String(held.uri))?.length; i++) await messages();
  const inRust = published.get(String(held.uri));
  assert.ok(inRust.some((m) => /unknown name `q`/.test(m.message)), JSON.stringify(inRust));
  assert.ok(!published.has(String(plain.uri)));
  const onRust = rustHover;
  assert.strictEqual(await onRust.provideHover(plain, new Position(0, 4), token), undefined);
  const said = await onRust.provideHover(held, new Position(0, 4), token);
  assert.match(JSON.stringify(said), /model `m`.*module `held`/);
  assert.strictEqual(await onRust.provideHover(held, new Position(1, 4), token), undefined);
  // What closes has no messages any more.
  const fourth = messages();
  await closed.fire(held);
  await fourth;
  assert.deepStrictEqual(published.get(String(held.uri)) ?? [], []);
  await deactivate();
  fs.rmSync(path.dirname(file), { recursive: true });
  console.log("vscode-languageclient: ok");
}

main().then(() => process.exit(0), (error) => { console.error(error); process.exit(1); });
setTimeout(() => { console.error("nothing came for a minute"); process.exit(1); }, 60000).unref();
