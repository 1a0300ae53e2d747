// Starts VS Code as a server (the package `code-server`) with the packed extension, opens it in Chromium, and lets VS Code's test runner run
// vscode-host.js. Run by vscode-server.sh: node vscode-server.mjs TOOLS EXTENSION PROGRAM

import { spawn } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [tools, extension, program] = process.argv.slice(2);
const require = createRequire(path.join(tools, "package.json"));
const load = async (name) => import(pathToFileURL(require.resolve(name)));
const here = path.dirname(fileURLToPath(import.meta.url));
const own = fs.mkdtempSync(path.join(os.tmpdir(), "eom-vscode-"));
const models = path.join(own, "models");

fs.mkdirSync(models);
const model = "model m\nparam m=1 : kg\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nforse on P: -k*x*N.x\nparam k = 1\nlet p = m*x'\n";
fs.writeFileSync(path.join(models, "model.eom"), model);
fs.writeFileSync(path.join(models, "plain.rs"), "mod nothing {}\n");
const inline = "model inline\nparam m : kg\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass q at P\n";
fs.writeFileSync(path.join(models, "held.rs"), `#[derive_eom(text = r#"${inline}"#)]\nmod held {}\n`);
// VS Code takes PATH from a login shell, which knows nothing of this program.
const settings = { User: { "security.workspace.trust.enabled": false }, Machine: { "eomgen.path": program } };
for (const [place, all] of Object.entries(settings)) {
  fs.mkdirSync(path.join(own, "data", place), { recursive: true });
  fs.writeFileSync(path.join(own, "data", place, "settings.json"), JSON.stringify(all));
}

const free = () => new Promise((resolve) => {
  const server = net.createServer().listen(0, "127.0.0.1", () => {
    const { port } = server.address();
    server.close(() => resolve(port));
  });
});

async function listening(port) {
  for (let i = 0; i < 600; i++) {
    if (await fetch(`http://127.0.0.1:${port}/healthz`).then(({ ok }) => ok, () => false)) {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("VS Code's server does not listen");
}

async function browser() {
  const puppeteer = (await load("puppeteer-core")).default;
  let executablePath = process.env.CHROMIUM;
  if (!executablePath) {
    executablePath = await (await load("@sparticuz/chromium")).default.executablePath();
  }
  const args = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-zygote"];
  return puppeteer.launch({ executablePath, args, headless: "shell", protocolTimeout: 300000 });
}

const port = await free();
const entry = require.resolve("code-server/out/node/entry.js");
const options = ["--bind-addr", `127.0.0.1:${port}`, "--auth", "none", "--disable-telemetry", "--disable-update-check", "--user-data-dir", path.join(own, "data"), "--extensions-dir", path.join(own, "extensions")];
const log = fs.openSync(path.join(own, "log"), "w");
const env = { ...process.env, HOME: own, EOMGEN_MODELS: models };
const server = spawn(process.execPath, [entry, ...options], { stdio: ["ignore", log, log], env, detached: true });
let chromium;
let failed = true;
const said = [];
try {
  await listening(port);
  chromium = await browser();
  const page = await chromium.newPage();
  const ended = new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error("the tests did not end in 4 minutes")), 240000).unref();
    page.exposeFunction("codeAutomationLog", (kind, args) => said.push([kind, ...args].join(" ")));
    page.exposeFunction("codeAutomationExit", (code) => resolve(code));
  });
  const inside = (file) => `vscode-remote://127.0.0.1:${port}${file}`;
  const payload = JSON.stringify([
    ["extensionDevelopmentPath", inside(extension)],
    ["extensionTestsPath", inside(path.join(here, "vscode-host.js"))],
    ["skipWelcome", "true"],
  ]);
  const query = new URLSearchParams({ folder: models, payload });
  await page.goto(`http://127.0.0.1:${port}/?${query}`);
  const code = await ended.catch(async (error) => {
    await page.screenshot({ path: path.join(own, "page.png") });
    throw error;
  });
  failed = code !== 0;
} finally {
  await chromium?.close();
  process.kill(-server.pid);
  if (failed) {
    console.error(said.join("\n"));
    console.error(`what VS Code wrote is in ${own}`);
  } else {
    fs.rmSync(own, { recursive: true, maxRetries: 10, retryDelay: 200 });
  }
}
console.log(failed ? "VS Code: FAILED" : "VS Code: ok");
process.exit(failed ? 1 : 0);
