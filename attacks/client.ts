/** Requests and connections of attackers. */
import { once } from "node:events";
import http from "node:http";
import { connect, type Socket } from "node:net";
import type { Attack, Target } from "./attack.js";

export interface AttackRequest {
  method?: string;
  path: string;
  /** API key or ID token. */
  token?: string;
  /** An object is sent as JSON, and a text as a form. */
  body?: object | string;
  /** IP address from which the request seems to come. */
  source?: string;
}

const agent = new http.Agent({ keepAlive: true });
/** After this time without a response, an attacker sends the next request. */
const TIMEOUT_MS = 20_000;

/** Sends a request. Returns the status of its response, or 0 if there was none. */
export function send(
  { origin }: Target,
  { method = "GET", path, token, body, source }: AttackRequest,
): Promise<number> {
  const text = typeof body === "object" ? JSON.stringify(body) : body;
  const type = typeof body === "object" ? "application/json" : "application/x-www-form-urlencoded";
  const headers = {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(source && { "x-forwarded-for": source }),
    ...(text !== undefined && { "content-type": type, "content-length": Buffer.byteLength(text) }),
  };
  return new Promise((resolve) => {
    const request = http.request(`${origin}${path}`, { method, agent, headers, timeout: TIMEOUT_MS });
    request.on("response", (response) => {
      response.resume().on("close", () => resolve(response.statusCode ?? 0));
    });
    request.on("timeout", () => request.destroy());
    request.on("error", () => resolve(0));
    request.end(text);
  });
}

/** Waits, but not longer than until `signal` is aborted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
  });
}

/**
 * Sends requests on several connections until `signal` is aborted, and counts the responses by status.
 * @param next returns the request of a connection
 */
export async function flood(
  target: Target,
  signal: AbortSignal,
  count: (name: string) => void,
  connections: number,
  next: (connection: number) => AttackRequest,
): Promise<void> {
  const client = async (connection: number) => {
    while (!signal.aborted) {
      const status = await send(target, next(connection));
      count(status === 0 ? "none" : String(status));
      // Pause, because a refused connection fails at once and would cause a busy loop.
      if (status === 0) await pause(50, signal);
    }
  };
  await Promise.race([
    Promise.all(Array.from({ length: connections }, (_, n) => client(n))),
    pause(2 ** 31 - 1, signal),
  ]);
}

/**
 * Returns the `run` of an attack that only floods.
 * @param next returns the request of a connection
 */
export function flooding(
  connections: number,
  next: (target: Target, connection: number) => AttackRequest,
): Attack["run"] {
  return (target, signal, count) => flood(target, signal, count, connections, (n) => next(target, n));
}

/** Opens a connection and sends bytes, which the daemon may stop reading. */
function open({ origin }: Target, bytes: Buffer): Promise<Socket> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes, () => resolve(socket)));
    socket.on("error", () => resolve(socket));
    setTimeout(() => resolve(socket), 200);
  });
}

/**
 * Connections per second that an attacker opens. Low, because these attackers hold many connections instead
 * of sending many requests.
 */
const OPENED_PER_SECOND = 50;

/**
 * Sends the same bytes on each of many connections, and keeps the connections open. If the daemon closes one,
 * opens another after a while.
 * @param reads false for a client that never reads its responses, and so does not notice that a connection
 *   was closed
 */
export async function occupy(
  target: Target,
  signal: AbortSignal,
  count: (name: string) => void,
  connections: number,
  text: string,
  { reads = true, perSecond = OPENED_PER_SECOND } = {},
): Promise<void> {
  // All connections share the bytes.
  const bytes = Buffer.from(text);
  const client = async (n: number) => {
    await pause((n * 1_000) / perSecond, signal);
    while (!signal.aborted) {
      const socket = await open(target, bytes);
      count("connections");
      if (reads) socket.resume();
      if (!socket.destroyed) await once(socket, "close", { signal }).catch(() => undefined);
      socket.destroy();
      await pause((connections * 1_000) / perSecond, signal);
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, n) => client(n)));
}

/** Returns the head of a request that is written as raw bytes. */
export function head(line: string, ...headers: string[]): string {
  return [`${line} HTTP/1.1`, "Host: localhost", ...headers, "", ""].join("\r\n");
}
