import { execFile } from "node:child_process";
import { createServer } from "node:net";
import { promisify } from "node:util";
import { ask } from "../local/ask.js";
import { type Found, isReady } from "../local/find.js";
import { type Check, fail, ok, warn } from "./check.js";

/** Whether the daemon runs and answers. */
export async function checkDaemon(found: Found): Promise<Check> {
  if (found.is === "absent") return warn("daemon", "it does not run", "wireroom up");
  if (found.is === "starting") return warn("daemon", "it is starting", "look at it with: wireroom logs");
  const { pid, base_url } = found.state;
  const ready = await isReady(found.state.listen);
  if (ready) return ok("daemon", `it serves ${base_url} (pid ${pid})`);
  const logs = "look at: wireroom logs; restart it with: wireroom down && wireroom up";
  return ready === undefined
    ? fail("daemon", `it runs (pid ${pid}), but does not answer on ${found.state.listen}`, logs)
    : fail("daemon", `it runs (pid ${pid}), but its database does not answer`, logs);
}

/** Whether the port is free for a daemon that does not run yet; otherwise who has it. */
export async function checkPort(host: string, port: number): Promise<Check> {
  const code = await bindable(host, port);
  if (code === undefined) return ok("port", `${port} on ${host} is free`);
  if (code !== "EADDRINUSE")
    return fail("port", `${port} on ${host} cannot be opened (${code})`, "choose another --host or --port");
  const who = await listenerOf(host, port);
  return fail(
    "port",
    `${port} on ${host} is in use${who}`,
    "stop what listens there, or choose another --port",
  );
}

function bindable(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", ({ code = "unknown" }: NodeJS.ErrnoException) => resolve(code));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

/** In words; empty where it cannot be found out. */
async function listenerOf(host: string, port: number): Promise<string> {
  if (await isWireroom(host, port)) return ": a daemon of another data folder answers there";
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

async function isWireroom(host: string, port: number): Promise<boolean> {
  const reachable = host.includes(":") ? `[${host}]` : host;
  try {
    const { text } = await ask(`http://${reachable}:${port}/v1/openapi.json`, 2_000);
    const { info } = JSON.parse(text) as { info?: { title?: string } };
    return info?.title?.includes("Wireroom") === true;
  } catch {
    return false;
  }
}
