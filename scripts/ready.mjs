/**
 * Installs and builds what has changed since the last time, and nothing else. It runs before anything is installed, so
 * it needs Node and npm alone.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const INSTALLED = join(root, "node_modules", ".installed-from");
/** What is compiled: where to, from what, and the stamp that says from what it last was. */
const BUILDS = {
  daemon: {
    project: "tsconfig.json",
    out: "dist",
    stamp: "dist/.built-from",
    sources: ["src", "daemon", "cli", "sdk/src", "tsconfig.json", "package-lock.json"],
  },
  sdk: {
    project: "sdk/tsconfig.json",
    out: "sdk/dist",
    stamp: "sdk/dist/.built-from",
    sources: ["sdk/src", "sdk/tsconfig.json", "tsconfig.json", "package-lock.json"],
  },
};

/**
 * Brings `node_modules`, `dist` and `sdk/dist` up to date. Ends the process with the code of a step that fails.
 * @param {{sdk?: boolean}} [what] whether to build the SDK as well; it is, unless told otherwise
 */
export function makeReady({ sdk = true } = {}) {
  const lock = hashOf(["package-lock.json"]);
  if (stampOf(INSTALLED) !== lock && !isLink(join(root, "node_modules"))) {
    say("installing dependencies (a few minutes where the SQLite driver has to be compiled)");
    run("npm", ["ci", "--no-fund", "--no-audit"]);
    writeFileSync(INSTALLED, lock);
  }
  build(BUILDS.daemon);
  // So that `npx wireroom` and `npm link` can run it.
  chmodSync(join(root, "dist/cli/main.js"), 0o755);
  if (sdk) build(BUILDS.sdk);
}

function build({ project, out, stamp, sources }) {
  const hash = hashOf(sources);
  if (stampOf(join(root, stamp)) === hash) return;
  say(`building ${out}`);
  rmSync(join(root, out), { recursive: true, force: true });
  run(process.execPath, [join(root, "node_modules/typescript-native/bin/tsc"), "-p", project]);
  mkdirSync(join(root, out), { recursive: true });
  writeFileSync(join(root, stamp), hash);
}

/** A linked folder belongs to another checkout, whose packages are not this one's to replace. */
function isLink(path) {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
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
    // All processors for node-gyp, where the SQLite driver has to be compiled.
    env: { JOBS: "max", ...process.env },
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
