/** `npm start`: makes everything ready, runs the daemon in the foreground, and says what to do next. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const PARENT_CHECK_INTERVAL_MS = 250;

const at = (path) => new URL(`../${path}`, import.meta.url);
const parent = process.ppid;

// In a process of its own, since a build leaves hundreds of megabytes behind.
const { status } = spawnSync(process.execPath, [fileURLToPath(at("scripts/ready.mjs"))], {
  stdio: ["ignore", 2, 2],
});
if (status !== 0) process.exit(status ?? 1);

sayWhatNextAfterReadyLine();
if (process.env.npm_lifecycle_event === "start") endWithParent();

const { bin } = JSON.parse(readFileSync(at("package.json"), "utf8"));
process.argv.splice(2, 0, "daemon");
await import(at(bin.wireroom));

/** The daemon's first line on standard output says where it serves. */
function sayWhatNextAfterReadyLine() {
  const { stdout } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = (line, ...rest) => {
    stdout.write = write;
    const isFlushed = write(line, ...rest);
    if (line.startsWith("{")) {
      tolerateSecondSignal();
      sayWhatNext(JSON.parse(line));
    }
    return isFlushed;
  };
}

/** Ctrl-C and `kill` of the process group can arrive twice, since npm passes them on; a third signal ends the process. */
function tolerateSecondSignal() {
  let signals = 0;
  for (const signal of ["SIGINT", "SIGTERM"])
    process.on(signal, () => {
      if (++signals === 3) process.exit(1);
    });
}

/** npm sends SIGTERM to its shell alone, which ends without passing it on. */
function endWithParent() {
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, "SIGTERM");
  }, PARENT_CHECK_INTERVAL_MS);
  timer.unref();
}

function sayWhatNext({ base_url: baseUrl }) {
  process.stderr.write(`
  Wireroom is running at ${baseUrl}

  Next, in another terminal (after npm link; without it: npx wireroom …):
    wireroom signup                   an account; the code is shown here
    wireroom handle create alice      an address
    wireroom key issue alice --save   a key for it
    wireroom send @alice hello && wireroom inbox

  npm run demo                        two humans and two agents walk through everything
  ${baseUrl}/openapi.json lists every operation

  Ctrl-C stops it; nothing is lost.

`);
}
