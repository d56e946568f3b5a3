/**
 * Installs dependencies and builds the project if their sources have changed since the last run. It runs
 * before the dependencies are installed, so it uses only Node and npm.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
/**
 * Folders whose programs use packages of `test/package.json`, which has what only tests and checks need, so
 * that `npm start` installs less. Node finds packages only in folders above a file, so each gets a link.
 */
const USE_TEST_PACKAGES = ["attacks", "bench", "examples/frameworks", "faults", "scripts"];
/** The builds with their commands, output folders and sources. Only `npm run check` checks types. */
const BUILDS = {
  wireroom: {
    command: ["scripts/build.mjs"],
    out: "dist",
    sources: ["src", "daemon", "cli", "sdk/src", "scripts/build.mjs", "tsconfig.json", "package-lock.json"],
  },
  console: {
    command: ["scripts/build-console.mjs"],
    out: "dist/console",
    sources: [
      "daemon/console/page",
      "src/mcp-hosts",
      "sdk/src",
      "scripts/build-console.mjs",
      "scripts/console-settings.mjs",
      "package-lock.json",
    ],
  },
  sdk: {
    command: ["node_modules/typescript-native/bin/tsc", "-p", "sdk/tsconfig.json", "--noCheck"],
    out: "sdk/dist",
    sources: ["sdk/src", "sdk/tsconfig.json", "tsconfig.json", "package-lock.json"],
  },
};

/** The builds of the product. */
export const PRODUCT = /** @type {const} */ (["wireroom", "console", "sdk"]);

/**
 * Brings `node_modules` and the builds up to date. If a step fails, exits the process with its exit code.
 * @param {readonly (keyof typeof BUILDS | "tests" | "site")[]} [parts] the projects to build, and `tests` and `site` for
 *   the packages of `test/package.json` and `site/package.json`; default: all but `site`
 */
export async function installAndBuild(parts = [...PRODUCT, "tests"]) {
  await install(
    "",
    "installing dependencies, which takes half a minute, or three if npm has to compile the SQLite driver",
  );
  for (const name of PRODUCT) if (parts.includes(name)) await build(BUILDS[name]);
  if (parts.includes("wireroom")) makeRunnable();
  if (parts.includes("sdk")) linkFolder("examples/node_modules/@wireroom/sdk", "sdk");
  if (parts.includes("site"))
    await install("site", "installing what only the documentation site needs", ["--ignore-scripts"]);
  if (!parts.includes("tests")) return;
  await install("test", "installing what only the tests and checks need");
  for (const folder of USE_TEST_PACKAGES) linkFolder(`${folder}/node_modules`, "test/node_modules");
}

/** Installs the packages of the lock file in a folder, if it has changed since the last installation. */
async function install(folder, progress, flags = []) {
  if (stampOf(installedFrom(folder)) === hashOf([lockFile(folder)])) return;
  if (isLink(join(root, folder, "node_modules"))) return;
  say(progress);
  // `npm ci` deletes node_modules, so it would compile the SQLite driver again after each change of another
  // package.
  const isFirst = !existsSync(join(root, folder, "node_modules/.package-lock.json"));
  const signsOfLife = showSignsOfLife();
  await run(
    "npm",
    [
      ...(isFirst ? ["ci"] : ["install", "--no-save"]),
      "--no-fund",
      "--no-audit",
      "--loglevel=error",
      ...flags,
    ],
    { folder, hint: "npm could not install the dependencies; docs/troubleshooting.md says what helps" },
  );
  clearInterval(signsOfLife);
  markInstalled(folder);
}

/** npm prints nothing while it compiles the SQLite driver, for which it has no binary on some platforms. */
function showSignsOfLife() {
  const compiled = join(root, "node_modules/sqlite3/build/Makefile");
  const wasCompiled = existsSync(compiled);
  let isCompiling = false;
  let seconds = 0;
  return setInterval(() => {
    seconds++;
    if (!isCompiling && !wasCompiled && existsSync(compiled)) {
      isCompiling = true;
      say("npm found no binary of the SQLite driver, and compiles one");
    } else if (seconds % 15 === 0)
      say(`${isCompiling ? "compiling the SQLite driver" : "installing"}, ${seconds} s so far`);
  }, 1000);
}

/** Records that the packages of the lock file in a folder are installed. */
function markInstalled(folder) {
  writeFileSync(installedFrom(folder), hashOf([lockFile(folder)]));
}

function lockFile(folder) {
  return join(folder, "package-lock.json");
}

function installedFrom(folder) {
  return join(root, folder, "node_modules/.installed-from");
}

/** Creates a link to a folder of the repository, unless the path exists. */
function linkFolder(path, target) {
  if (lstatSync(join(root, path), { throwIfNoEntry: false })) return;
  const folder = dirname(path);
  mkdirSync(join(root, folder), { recursive: true });
  symlinkSync(relative(folder, target), join(root, path), "junction");
}

/** Makes the command executable for `npm link` and `npx wireroom`. */
function makeRunnable() {
  chmodSync(join(root, "dist/cli/main.js"), 0o755);
  // npx looks for this link first. Without it, npx creates its own link, which stays broken if the command is
  // not built yet.
  const link = join(root, "node_modules/.bin/wireroom");
  const target = "../../dist/cli/main.js";
  if (process.platform === "win32" || isLink(join(root, "node_modules"))) return;
  if (isLink(link) && readlinkSync(link) === target) return;
  // An older build may have left a link to another path.
  rmSync(link, { force: true });
  symlinkSync(target, link);
}

async function build({ command, out, sources }) {
  const stamp = join(root, out, ".built-from");
  const hash = hashOf(sources);
  if (stampOf(stamp) === hash) return;
  say(`building ${out}`);
  // Removes the output of deleted source files; otherwise it would be published.
  rmSync(join(root, out), { recursive: true, force: true });
  await run(process.execPath, command);
  writeFileSync(stamp, hash);
}

/**
 * Whether the path is a symbolic link. A linked node_modules belongs to another checkout and must not be
 * changed.
 */
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

/** Runs a command. If it fails, prints the hint and exits the process with its exit code. */
async function run(command, args, { folder = "", hint } = {}) {
  // Output goes to standard error, because standard output is reserved for the command that runs afterwards.
  const child = spawn(command, args, {
    cwd: join(root, folder),
    // Lets node-gyp use all processors if the SQLite driver must be compiled.
    env: { JOBS: "max", ...process.env },
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  const [status] = await once(child, "exit");
  if (status === 0) return;
  if (hint) process.stderr.write(`wireroom: ${hint}\n`);
  process.exit(status ?? 1);
}

function say(progress) {
  process.stderr.write(`wireroom: ${progress} …\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // `.ci/run` has just installed the packages.
  if (process.argv.includes("--installed")) for (const folder of ["", "test"]) markInstalled(folder);
  const named = process.argv.slice(2).filter((name) => name in BUILDS || ["tests", "site"].includes(name));
  await installAndBuild(named.length > 0 ? named : undefined);
}
