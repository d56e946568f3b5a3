/**
 * `npm run check`: runs every script of package.json that begins with `check:`, several at a time, and reports
 * all failures. With `--quick`, it runs only what finds most mistakes before a commit: types, lint, generated
 * files, and the tests of the rules for code, documents and requirements.
 */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { installAndBuild } from "./ready.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const QUICK = ["check:types", "check:lint", "check:generated", "check:rules"];

const { scripts } = JSON.parse(readFileSync(`${root}/package.json`, "utf8"));
const isQuick = process.argv.includes("--quick");
// In the order of package.json, where the longest checks come first. Omits `check:rules`, because `npm test`
// runs its tests.
const all = Object.keys(scripts).filter((name) => name.startsWith("check:") && name !== "check:rules");
const waiting = isQuick ? QUICK : all;
const failed = [];

// Build before the parts run, because two of them would otherwise build at the same time.
await installAndBuild();
await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, runParts));
if (failed.length > 0) {
  process.stderr.write(`\nFailed: ${failed.map((name) => `npm run ${name}`).join(", ")}\n`);
  process.exitCode = 1;
}

/** Runs parts until none is left. */
async function runParts() {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    const startMs = performance.now();
    const { code, output } = await run(name);
    const seconds = ((performance.now() - startMs) / 1_000).toFixed(1);
    process.stdout.write(`${code === 0 ? "ok" : "FAILED"}  ${name}  ${seconds} s\n${output}`);
    if (code !== 0) failed.push(name);
  }
}

/** Runs a script of package.json. Resolves with its exit code and its output. */
function run(name) {
  const child = spawn("npm", ["run", "--silent", name], { cwd: root, shell: process.platform === "win32" });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, output }));
  });
}
