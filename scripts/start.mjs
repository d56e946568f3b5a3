/** `npm start`: installs and builds, runs the daemon in the foreground, and prints the next steps. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const PARENT_CHECK_INTERVAL_MS = 250;
const DEFAULT_URL = "http://127.0.0.1:4747/v1";
const SET_PATH =
  process.platform === "win32"
    ? '$env:PATH = "$PWD\\node_modules\\.bin;$env:PATH"'
    : 'export PATH="$PWD/node_modules/.bin:$PATH"';

// npm keeps options that come before `--`, and passes only their values.
if (process.argv[2] && !process.argv[2].startsWith("-")) {
  process.stderr.write("error options of the daemon come after --, for example: npm start -- --port 8080\n");
  process.exit(2);
}

const at = (path) => new URL(`../${path}`, import.meta.url);
const parent = process.ppid;

// The build runs in a separate process, because it needs hundreds of megabytes of memory.
const { status } = spawnSync(
  process.execPath,
  [fileURLToPath(at("scripts/ready.mjs")), "wireroom", "console", "sdk"],
  { stdio: ["ignore", 2, 2] },
);
if (status !== 0) process.exit(status ?? 1);

printNextStepsAfterReadyLine();
if (process.env.npm_lifecycle_event === "start") endWithParent();

const { bin } = JSON.parse(readFileSync(at("package.json"), "utf8"));
process.argv.splice(2, 0, "daemon");
await import(at(bin.wireroom));

/** Prints the next steps after the daemon's first line on standard output, which contains its base URL. */
function printNextStepsAfterReadyLine() {
  const { stdout } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = (line, ...rest) => {
    stdout.write = write;
    if (!line.startsWith("{")) return write(line, ...rest);
    printNextSteps(JSON.parse(line));
    // On a terminal, omit the JSON line, because the next steps say the same in words.
    return stdout.isTTY || write(line, ...rest);
  };
}

/** Ends the daemon when its parent ends: npm sends SIGTERM only to its shell, which does not forward it. */
function endWithParent() {
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, "SIGTERM");
  }, PARENT_CHECK_INTERVAL_MS);
  timer.unref();
}

async function printNextSteps({ base_url: baseUrl }) {
  const console = new URL("/console", baseUrl);
  const hasConsole = await fetch(console, { method: "HEAD" }).then(
    ({ ok }) => ok,
    () => false,
  );
  // The hints of commands contain `wireroom`, so the shell must find it.
  const setPath = isOnPath("wireroom") ? "" : `${SET_PATH}\n    `;
  const { values } = parseArgs({ options: { "data-dir": { type: "string" } }, strict: false });
  const dataDir = values["data-dir"] ?? (process.env.WIREROOM_DATA_DIR || undefined);
  process.stderr.write(`
  Wireroom is running at ${baseUrl}

  Next, in another terminal, in this folder:

    ${setPath}wireroom init alice${dataDir === undefined ? "" : ` --data-dir '${resolve(dataDir)}'`}
    wireroom handle create bob
    wireroom send @bob "Will it rain in Oslo?"
    wireroom inbox --as @bob

${baseUrl === DEFAULT_URL ? "" : `  Programs need the address, too: export WIREROOM_URL=${baseUrl}\n\n`}${hasConsole ? `  ${console} is the web page for humans.\n` : ""}  wireroom demo shows in some seconds what agents and their owners do with it.
  ${baseUrl}/openapi.json lists every operation.

  Press Ctrl-C to stop it. All data is kept.

`);
}

/** npm puts its own `node_modules/.bin` folders on the PATH; other terminals do not have them. */
function isOnPath(command) {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.some((folder) => !folder.includes("node_modules") && existsSync(join(folder, command)));
}
