/**
 * `npm run dev`: runs a daemon, and builds and restarts it when its sources change. Vite serves the console
 * from its sources, updates it in the browser, and passes all other requests on to the daemon. Arguments are
 * flags of `wireroom daemon`. The data is in the folder `.dev`.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { watch } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createServer } from "vite";
import { CONSOLE } from "./console-settings.mjs";
import { installAndBuild, PRODUCT } from "./ready.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const CONSOLE_PORT = 5173;
const ORIGIN = `http://127.0.0.1:${CONSOLE_PORT}`;
const WATCHED = ["src", "daemon", "cli", "sdk/src"];
/** Pause before a build, because editors write a file in several steps and change several files at a time. */
const SETTLE_MS = 100;

/** Serves the page as the daemon does: also at the address without a slash, and with its values filled in. */
const LIKE_THE_DAEMON = {
  name: "like-the-daemon",
  configureServer: ({ middlewares }) =>
    void middlewares.use((request, _response, next) => {
      request.url = request.url.replace(/^\/console(?=\?|$)/, "/console/");
      next();
    }),
  transformIndexHtml: (html) => html.replace("%ORIGIN%", ORIGIN).replace("%IDENTITY%", "embedded"),
};

await installAndBuild(PRODUCT);

const flags = [
  ...["--port", "4747", "--public-url", ORIGIN, "--data-dir", join(root, ".dev")],
  ...process.argv.slice(2),
];
const daemonPort = flags[flags.lastIndexOf("--port") + 1];
let daemon = startDaemon();
const server = await createServer({
  ...CONSOLE,
  plugins: [LIKE_THE_DAEMON],
  server: {
    host: "127.0.0.1",
    port: CONSOLE_PORT,
    strictPort: true,
    proxy: { "^/(?!console(/|$))": `http://127.0.0.1:${daemonPort}` },
  },
});
await server.listen();
say(`the console is at ${ORIGIN}/console, the API at ${ORIGIN}/v1`);

let timer;
let isUpdating = false;
for (const folder of WATCHED)
  watch(join(root, folder), { recursive: true }, (_event, path) => {
    if (path === null || !/\.(ts|tsx)$/.test(path) || path.startsWith(join("console", "page"))) return;
    clearTimeout(timer);
    timer = setTimeout(update, SETTLE_MS);
  });
process.once("SIGINT", () => stop());
process.once("SIGTERM", () => stop());

/** Builds the daemon and starts it again. If the build fails, the next change tries again. */
async function update() {
  if (isUpdating) {
    timer = setTimeout(update, SETTLE_MS);
    return;
  }
  isUpdating = true;
  const build = spawn(process.execPath, [join(root, "scripts/ready.mjs"), "wireroom"], { stdio: "inherit" });
  const [code] = await once(build, "exit");
  if (code === 0) {
    await end(daemon);
    daemon = startDaemon();
    say("restarted the daemon");
  } else say("the build failed; it runs again after the next change");
  isUpdating = false;
}

function startDaemon() {
  return spawn(
    process.execPath,
    ["--enable-source-maps", join(root, "dist/cli/main.js"), "daemon", ...flags],
    {
      stdio: "inherit",
    },
  );
}

async function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  await exited;
}

async function stop() {
  await Promise.all([end(daemon), server.close()]);
  process.exit();
}

function say(text) {
  process.stderr.write(`wireroom dev: ${text}\n`);
}
