// Starts `eomgen lsp` for models, and shows their equations. What a model means is the server's business.

"use strict";

const { execFile } = require("node:child_process");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

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
}

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
  );
  await start();
};

exports.deactivate = () => client?.stop();
