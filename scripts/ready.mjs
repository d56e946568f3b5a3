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
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const INSTALLED = join(root, "node_modules", ".installed-from");
/** TypeScript projects, where they are compiled to, and from what. Types are checked by `npm run check` alone. */
const BUILDS = {
  wireroom: {
    project: "tsconfig.json",
    out: "dist",
    sources: ["src", "daemon", "cli", "sdk/src", "tsconfig.json", "package-lock.json"],
  },
  sdk: {
    project: "sdk/tsconfig.json",
    out: "sdk/dist",
    sources: ["sdk/src", "sdk/tsconfig.json", "tsconfig.json", "package-lock.json"],
  },
};

/**
 * Brings `node_modules` and what is built up to date. Ends the process with the code of a step that fails.
 * @param {(keyof typeof BUILDS)[]} [builds] what is needed; the command and the SDK, unless told otherwise
 */
export function makeReady(builds = ["wireroom", "sdk"]) {
  const lock = hashOf(["package-lock.json"]);
  if (stampOf(INSTALLED) !== lock && !isLink(join(root, "node_modules"))) {
    say("installing dependencies (a few minutes where the SQLite driver has to be compiled)");
    // `npm ci` begins anew, and would compile the SQLite driver again for each change of another package.
    const isFirst = !existsSync(join(root, "node_modules/.package-lock.json"));
    run("npm", [...(isFirst ? ["ci"] : ["install", "--no-save"]), "--no-fund", "--no-audit"]);
    writeFileSync(INSTALLED, lock);
  }
  for (const name of builds) build(BUILDS[name]);
  if (builds.includes("wireroom")) makeRunnable();
}

/** So that `npm link` and `npx wireroom` can run it. */
function makeRunnable() {
  chmodSync(join(root, "dist/cli/main.js"), 0o755);
  // Where npx looks first. Elsewhere it keeps a link of its own, for good without the command where that was not built yet.
  const link = join(root, "node_modules/.bin/wireroom");
  const target = "../../dist/cli/main.js";
  if (process.platform === "win32" || isLink(join(root, "node_modules"))) return;
  if (isLink(link) && readlinkSync(link) === target) return;
  // An older build may have left a link to where its command was.
  rmSync(link, { force: true });
  symlinkSync(target, link);
}

function build({ project, out, sources }) {
  const stamp = join(root, out, ".built-from");
  const hash = hashOf(sources);
  if (stampOf(stamp) === hash) return;
  say(`building ${out}`);
  // What was compiled of files that are no more would be published.
  rmSync(join(root, out), { recursive: true, force: true });
  run(process.execPath, ["node_modules/typescript-native/bin/tsc", "-p", project, "--noCheck"]);
  writeFileSync(stamp, hash);
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
