/** Checks whether a daemon responds, locally and at its public URL, and whether its port is free. */
import { execFile } from "node:child_process";
import { createServer } from "node:net";
import { promisify } from "node:util";
import { type DaemonStatus, httpGet, isReady } from "../local/find.js";
import type { DaemonState } from "../local/folder.js";
import { type Check, fail, ok, reasonOf, warn } from "./check.js";

export async function checkDaemon(found: DaemonStatus, start: string, folderFlag: string): Promise<Check> {
  if (found.status === "absent") return warn("daemon", "the daemon is not running", start);
  if (found.status === "starting")
    return warn("daemon", "the daemon is starting", `wireroom logs${folderFlag}`);
  const { pid, base_url } = found.state;
  const ready = await isReady(found.state.listen);
  if (ready) return ok("daemon", `the daemon serves ${base_url} (pid ${pid})`);
  const restart = `wireroom down${folderFlag} && wireroom up${folderFlag}`;
  const logs = `read the log: wireroom logs${folderFlag}; then restart: ${restart}`;
  return ready === undefined
    ? fail("daemon", `the daemon (pid ${pid}) does not respond on ${found.state.listen}`, logs)
    : fail("daemon", `the daemon (pid ${pid}) cannot reach its database`, logs);
}

/** Checks that this machine reaches the daemon at its public URL, where all commands call it and sign in. */
export async function checkPublicUrl({ base_url, listen }: DaemonState): Promise<Check> {
  const { origin } = new URL(base_url);
  const problem = await connectionProblem(origin, 5_000);
  if (problem === undefined) return ok("public URL", `a Wireroom daemon responds at ${origin}`);
  return warn(
    "public URL",
    `this machine cannot use ${origin}: ${problem}`,
    `let its DNS name and the TLS proxy lead to ${listen}; until then, nobody can sign in, unless the daemon starts without --public-url (WIREROOM_PUBLIC_URL)`,
  );
}

/** Checks that the port is free, or names the process that uses it. */
export async function checkPort(host: string, port: number): Promise<Check> {
  const code = await tryListen(host, port);
  if (code === undefined) return ok("port", `port ${port} on ${host} is free`);
  if (code !== "EADDRINUSE")
    return fail(
      "port",
      `port ${port} on ${host} cannot be opened (${code})`,
      "choose another --host or --port",
    );
  const user = await describeListener(host, port);
  return fail(
    "port",
    `port ${port} on ${host} is in use${user}`,
    "stop that process, or choose another --port",
  );
}

function tryListen(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", ({ code = "unknown" }: NodeJS.ErrnoException) => resolve(code));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

async function describeListener(host: string, port: number): Promise<string> {
  const reachable = host.includes(":") ? `[${host}]` : host;
  if ((await connectionProblem(`http://${reachable}:${port}`, 2_000)) === undefined)
    return " by a Wireroom daemon with another data folder";
  try {
    const { stdout } = await promisify(execFile)("lsof", ["-nP", `-iTCP:${port}`, "-sTCP:LISTEN", "-Fpc"], {
      timeout: 3_000,
    });
    const [, pid] = /^p(\d+)$/m.exec(stdout) ?? [];
    const [, name] = /^c(.+)$/m.exec(stdout) ?? [];
    return pid ? ` by ${name ?? "a process"} (pid ${pid})` : "";
  } catch {
    return "";
  }
}

/** Returns undefined if a Wireroom daemon responds. */
async function connectionProblem(origin: string, timeoutMs: number): Promise<string | undefined> {
  try {
    const { status, text } = await httpGet(`${origin}/v1/openapi.json`, timeoutMs);
    return /"title":\s*"[^"]*Wireroom/.test(text) ? undefined : `another server responds (HTTP ${status})`;
  } catch (error) {
    return reasonOf(error);
  }
}
