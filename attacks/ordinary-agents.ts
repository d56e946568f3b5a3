/** The load of ordinary agents and of a human who signs in, and how long their requests take. */
import http from "node:http";
import { percentile } from "../bench/measure/statistics.js";

export interface OrdinaryAgent {
  slug: string;
  key: string;
  /** The agent to which it sends DMs. */
  peer: string;
}

export interface Human {
  email: string;
  password: string;
  /** IP address from which the human signs in. */
  source: string;
}

export interface Latencies {
  requests: number;
  /** Requests without a response of 200 or 201 in time. */
  failed: number;
  /** Failed requests that got another response. */
  refused: number;
  /** 99th percentile in milliseconds; infinite if more than 1 % failed. */
  p99: number;
}

/**
 * Each agent sends a request when this time has passed since its last one, so that it stays below 60 wires a
 * minute.
 */
const INTERVAL_MS = 200;
const TIMEOUT_MS = 10_000;
const SIGN_IN_INTERVAL_MS = 2_000;

interface OrdinaryRequest {
  method: string;
  path: string;
  body?: object | string;
  headers?: Record<string, string>;
}

/** Returns the requests that an agent repeats. */
function requestsOf({ key, peer }: OrdinaryAgent, space: string): OrdinaryRequest[] {
  const headers = { authorization: `Bearer ${key}` };
  const get = (path: string): OrdinaryRequest => ({ method: "GET", path: `/v1${path}`, headers });
  const wire = (to: string): OrdinaryRequest => ({
    ...{ method: "POST", path: "/v1/wires", headers },
    body: { to, text: "the build of the morning is green" },
  });
  const tool = { name: "read_inbox", arguments: { limit: 5 } };
  const inbox = get("/inbox?limit=10");
  return [
    ...[wire(`@${peer}`), inbox, get(`/spaces/${space}/wires?limit=10`)],
    ...[{ method: "PUT", path: "/v1/profile", body: { bio: "builds and tests" }, headers }, inbox],
    ...[wire(`#${space}`), inbox, get(`/spaces/${space}/search?q=build&limit=10`)],
    ...[get("/search?type=spaces&q=room"), get("/sent?limit=10")],
    {
      ...{ method: "POST", path: "/mcp" },
      body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: tool },
      headers: { ...headers, accept: "application/json, text/event-stream" },
    },
    inbox,
  ];
}

/** Sends a request on a new connection. Returns the status, or 0 if there was no response in time. */
function send(origin: string, { method, path, body, headers = {} }: OrdinaryRequest): Promise<number> {
  const text = typeof body === "object" ? JSON.stringify(body) : body;
  const type = typeof body === "object" ? "application/json" : "application/x-www-form-urlencoded";
  return new Promise((resolve) => {
    const request = http.request(`${origin}${path}`, {
      method,
      agent: false,
      headers: { ...(text !== undefined && { "content-type": type }), ...headers },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    request.on("response", (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? 0));
      response.on("error", () => resolve(0));
    });
    request.on("error", () => resolve(0));
    request.end(text);
  });
}

/**
 * Runs the agents for a time. Measures each latency from the moment at which the request was due, so that it
 * includes a pause of the daemon.
 */
export async function runAgents(
  origin: string,
  agents: readonly OrdinaryAgent[],
  space: string,
  seconds: number,
): Promise<Latencies> {
  const latencies: number[] = [];
  let failed = 0;
  let refused = 0;
  const startedAt = performance.now();
  const run = async (agent: OrdinaryAgent, n: number) => {
    const requests = requestsOf(agent, space);
    // The agents take turns, and each begins with another request.
    const first = (n * INTERVAL_MS) / agents.length;
    for (let due = first, turn = n; due < seconds * 1_000; due += INTERVAL_MS, turn++) {
      await sleepUntil(startedAt + due);
      // Requests that are still due after the end count as failed. Earlier requests without a response have
      // delayed them.
      const isOver = performance.now() - startedAt > seconds * 1_000;
      const status = isOver ? 0 : await send(origin, requests[turn % requests.length]!);
      const isServed = status === 200 || status === 201;
      if (!isServed) failed++;
      if (!isServed && status !== 0) refused++;
      latencies.push(isServed ? performance.now() - startedAt - due : Number.POSITIVE_INFINITY);
    }
  };
  await Promise.all(agents.map(run));
  latencies.sort((a, b) => a - b);
  return { requests: latencies.length, failed, refused, p99: percentile(latencies, 0.99) };
}

/**
 * Signs a human in again and again for a time. Returns the longest time in milliseconds, which is infinite if
 * one sign-in failed.
 */
export async function runSignIns(origin: string, human: Human, seconds: number): Promise<number> {
  const body = new URLSearchParams({
    grant_type: "urn:wireroom:params:oauth:grant-type:password",
    ...{ client_id: "wireroom-cli", scope: "openid email offline_access" },
    ...{ username: human.email, password: human.password },
  }).toString();
  const end = performance.now() + seconds * 1_000;
  let longest = 0;
  while (performance.now() < end) {
    const sentAt = performance.now();
    const headers = { "x-forwarded-for": human.source };
    const status = await send(origin, { method: "POST", path: "/identity/token", body, headers });
    longest = Math.max(longest, status === 200 ? performance.now() - sentAt : Number.POSITIVE_INFINITY);
    await sleepUntil(sentAt + SIGN_IN_INTERVAL_MS);
  }
  return longest;
}

async function sleepUntil(atMs: number): Promise<void> {
  const ms = atMs - performance.now();
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
}
