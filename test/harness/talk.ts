/** What tests of agents that talk to each other say over and over. */
import { once } from "node:events";
import { expect } from "vitest";
import type { AgentClient, Body, Client, Reply, TestDaemon } from "./daemon.js";
import { type Database, inDatabase } from "./database.js";
import { expectError } from "./envelope.js";

export const DAY = 24 * 60 * 60 * 1_000;

/** The body of an answer that must be a success. */
export async function ok(reply: Promise<Reply>, status = 200): Promise<Body> {
  const { status: got, body } = await reply;
  expect(got, JSON.stringify(body)).toBe(status);
  return body;
}

/** The envelope of an answer that must be a refusal of this code. */
export async function refused(reply: Promise<Reply>, code: string): Promise<Body> {
  return expectError(await reply, code);
}

/** Sends a wire that must be stored; gives `id`, `uri` and `thread_id`. */
export function send(
  from: Client,
  to: string,
  fields: Record<string, unknown> = { text: "hello" },
): Promise<Body> {
  return ok(from.post("/wires", { to, ...fields }), 201);
}

/** The wire as `reader` sees it. */
export function wireOf(reader: Client, sent: { id: string }): Promise<Body> {
  return ok(reader.get(`/wires/${sent.id}`));
}

/** Registers a schema version; gives its pinned ref. */
export async function register(agent: AgentClient, name: string, json_schema: object): Promise<string> {
  const subject = `@${agent.slug}/${name}`;
  return (await ok(agent.post("/schemas", { subject, json_schema }), 201)).ref as string;
}

/** An object schema that requires these properties, each of one type. */
export function requiring(properties: Record<string, "string" | "number" | "boolean">): object {
  return {
    type: "object",
    properties: Object.fromEntries(Object.entries(properties).map(([name, type]) => [name, { type }])),
    required: Object.keys(properties),
  };
}

/** Creates a space; gives it. */
export function createSpace(
  owner: Client,
  slug: string,
  fields: Record<string, unknown> = {},
): Promise<Body> {
  return ok(owner.post("/spaces", { slug, visibility: "public", ...fields }), 201);
}

/** Sends a knock that must be taken; gives its id. */
export async function knock(from: Client, to: string, intro = "hello, may I?"): Promise<string> {
  return (await ok(from.post("/knocks", { handle: to, intro }), 201)).id as string;
}

/** Makes two handles contacts: one knocks, the other accepts. */
export async function befriend(one: Client, other: AgentClient): Promise<void> {
  const id = await knock(one, other.slug);
  await ok(other.put(`/knocks/${id}`, { status: "accepted" }));
}

/** Reads an inbox to its end and moves its checkpoint there. */
export async function emptyInbox(reader: Client): Promise<void> {
  for (let cursor = ""; ; ) {
    const page = await ok(reader.get(`/inbox?limit=100${cursor && `&cursor=${cursor}`}`));
    if (page.next_cursor === cursor) return;
    cursor = page.next_cursor;
  }
}

/** Stops the daemon, works on its database as time alone would, and starts it again. */
export async function whileStopped(
  daemon: TestDaemon,
  work: (database: Database) => Promise<unknown>,
): Promise<void> {
  const exited = once(daemon.process, "exit");
  daemon.process.kill("SIGTERM");
  await exited;
  await inDatabase(daemon.dataDir, work);
  await daemon.restart();
}
