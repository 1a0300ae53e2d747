// Starts `eomgen lsp` for models, and shows their equations. What a model means is the server's business.

"use strict";

const { execFile } = require("node:child_process");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;
// Rust files whose models the server follows, by address.
const followed = new Set();

function program() {
  return vscode.workspace.getConfiguration("eomgen").get("path", "eomgen");
}

async function start() {
  const run = { command: program(), args: ["lsp"] };
  client = new LanguageClient("eomgen", "eomgen", run, {
    documentSelector: [{ language: "eom" }],
    initializationOptions: { commands: ["eomgen.show"] },
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.eom") },
  });
  await client.start();
  followed.clear();
  vscode.workspace.textDocuments.forEach(follow);
}

// A Rust file without a model in it starts nothing.
const holdsModels = (document) => document.languageId === "rust" && document.uri.scheme === "file" && document.getText().includes("derive_eom");

async function opened(document) {
  if (!client && (document.languageId === "eom" || holdsModels(document))) {
    await start();
  } else {
    follow(document);
  }
}

// Rust is the business of other servers: of this one only what it says of models, and nothing that lays out or completes.
function follow(document) {
  const uri = String(document.uri);
  if (!client?.isRunning() || !(followed.has(uri) || holdsModels(document))) {
    return;
  }
  const { version, languageId } = document;
  const text = document.getText();
  if (followed.has(uri)) {
    client.sendNotification("textDocument/didChange", { textDocument: { uri, version }, contentChanges: [{ text }] });
  } else {
    followed.add(uri);
    client.sendNotification("textDocument/didOpen", { textDocument: { uri, languageId, version, text } });
  }
}

function closed(document) {
  const uri = String(document.uri);
  if (followed.delete(uri) && client?.isRunning()) {
    client.sendNotification("textDocument/didClose", { textDocument: { uri } });
  }
}

const hover = {
  async provideHover(document, { line, character }, token) {
    const uri = String(document.uri);
    if (!followed.has(uri) || !client?.isRunning()) {
      return undefined;
    }
    const found = await client.sendRequest("textDocument/hover", { textDocument: { uri }, position: { line, character } }, token);
    return found ? new vscode.Hover(new vscode.MarkdownString(found.contents.value ?? String(found.contents))) : undefined;
  },
};

// The equations of a saved model beside it. A derivation takes seconds; it runs as a process of its own.
async function show(address) {
  const uri = address ? vscode.Uri.parse(address) : vscode.window.activeTextEditor?.document.uri;
  if (!uri || uri.scheme !== "file") {
    vscode.window.showErrorMessage("eomgen: save the model first");
    return;
  }
  await vscode.workspace.openTextDocument(uri).then((document) => document.save());
  const title = "eomgen: deriving the equations of motion";
  const place = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  const text = await vscode.window.withProgress(place, (_, token) => new Promise((resolve) => {
    const limits = { maxBuffer: 64 << 20, windowsHide: true };
    const args = ["show", uri.fsPath, "--format", "markdown"];
    const child = execFile(program(), args, limits, (error, out, said) => {
      if (error && !token.isCancellationRequested) {
        vscode.window.showErrorMessage(`eomgen: ${said.trim() || error.message}`);
      }
      resolve(error ? undefined : out);
    });
    token.onCancellationRequested(() => child.kill());
  }));
  if (text !== undefined) {
    const document = await vscode.workspace.openTextDocument({ language: "markdown", content: text });
    await vscode.window.showTextDocument(document, vscode.ViewColumn.Beside);
  }
}

exports.activate = async (context) => {
  context.subscriptions.push(
    vscode.commands.registerCommand("eomgen.show", show),
    vscode.commands.registerCommand("eomgen.restart", async () => {
      await client?.stop().catch(() => undefined);
      await start();
    }),
    vscode.languages.registerHoverProvider({ language: "rust", scheme: "file" }, hover),
    vscode.workspace.onDidOpenTextDocument(opened),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document.languageId === "rust") {
        opened(document);
      }
    }),
    vscode.workspace.onDidCloseTextDocument(closed),
  );
  const first = vscode.workspace.textDocuments.find((document) => document.languageId === "eom" || holdsModels(document));
  if (first) {
    await opened(first);
  }
};

exports.deactivate = () => client?.stop();
