/**
 * Installs and builds what has changed since the last time, and nothing else. It runs before anything is installed, so
 * it needs Node and npm alone.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const INSTALLED = join(root, "node_modules", ".installed-from");
const BUILT = join(root, "dist", ".built-from");
const SOURCES = ["src", "daemon", "cli", "tsconfig.json", "package-lock.json"];

/** Brings `node_modules` and `dist` up to date. Ends the process with the code of a step that fails. */
export function makeReady() {
  const lock = hashOf(["package-lock.json"]);
  if (stampOf(INSTALLED) !== lock) {
    say("installing dependencies (a few minutes where the SQLite driver has to be compiled)");
    run("npm", ["ci", "--no-fund", "--no-audit"]);
    writeFileSync(INSTALLED, lock);
  }
  const sources = hashOf(SOURCES);
  if (stampOf(BUILT) !== sources) {
    say("building");
    rmSync(join(root, "dist"), { recursive: true, force: true });
    run(process.execPath, [join(root, "node_modules/typescript-native/bin/tsc"), "-p", "tsconfig.json"]);
    mkdirSync(join(root, "dist"), { recursive: true });
    writeFileSync(BUILT, sources);
  }
}

function stampOf(file) {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

function hashOf(paths) {
  const hash = createHash("sha256");
  for (const path of paths.flatMap(filesOf)) hash.update(path).update(readFileSync(join(root, path)));
  return hash.digest("hex");
}

function filesOf(path) {
  if (/\.\w+$/.test(path)) return [path];
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath.slice(root.length), entry.name))
    .sort();
}

function run(command, args) {
  // Output goes to standard error: standard output belongs to what is run afterwards.
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

function say(what) {
  process.stderr.write(`wireroom: ${what} …\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) makeReady();
