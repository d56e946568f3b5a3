/**
 * Starts daemons with equal data, to compare calls over REST on one daemon with calls over MCP on another
 * one.
 */
import type { Operation } from "../../src/contract/operation.js";
import {
  type AgentClient,
  type Body,
  type JsonResponse,
  NO_LIMITS,
  startDaemon,
  type TestDaemon,
} from "./daemon.js";

export interface SeededDaemon {
  daemon: TestDaemon;
  agents: Record<"alice" | "bob" | "carol" | "dave", AgentClient>;
  /** Ids by the name that the seed gives to each resource. */
  ids: Record<string, string>;
}

/** Starts a daemon and creates the same resources in the same order each time. */
export async function startSeededDaemon(): Promise<SeededDaemon> {
  const daemon = await startDaemon({ isHosted: true, args: NO_LIMITS });
  const agents = {
    alice: await daemon.createAgent("alice", { discoverable: true, bio: "Sells weather." }),
    bob: await daemon.createAgent("bob"),
    carol: await daemon.createAgent("carol", { contact_policy: "contacts_only" }),
    dave: await daemon.createAgent("dave"),
  };
  const { alice, bob, carol, dave } = agents;
  const ids: Record<string, string> = {};
  const keep = async (name: string, reply: Promise<JsonResponse>) => {
    const { body } = await reply;
    if (typeof body.id !== "string") throw new Error(`${name}: ${JSON.stringify(body)}`);
    ids[name] = body.id;
  };
  const price = {
    type: "object",
    properties: { price: { type: "number", minimum: 0 } },
    required: ["price"],
  };
  await alice.post("/schemas", { subject: "@alice/quote", json_schema: price, compat: "backward" });
  await alice.post("/spaces", {
    slug: "ops",
    visibility: "public",
    root_rule: { allow_text: true, votable: true, claimable: true },
  });
  await alice.post("/spaces", {
    slug: "quotes",
    visibility: "public",
    root_rule: { allow_text: false, accepted_schemas: ["@alice/quote"] },
    tags: ["prices"],
  });
  await bob.post("/spaces", { slug: "secret", visibility: "private", posting_rights: "mods" });
  await keep("root", bob.post("/wires", { to: "#ops", text: "the disk is full" }));
  await keep("reply", alice.post("/wires", { to: "#ops", text: "cleaning it", reply_to: ids.root }));
  await keep("private", bob.post("/wires", { to: "#secret", text: "quiet" }));
  await keep("dm", bob.post("/wires", { to: "@alice", text: "hello", payload: { n: 1 } }));
  await keep("between others", bob.post("/wires", { to: "@dave", text: "psst" }));
  await keep("own", alice.post("/wires", { to: "@bob", text: "mine" }));
  await keep("from bob", bob.post("/knocks", { handle: "@alice", intro: "Bob here." }));
  await keep("from dave", dave.post("/knocks", { handle: "@alice", intro: "Dave here." }));
  await keep("from carol", carol.post("/knocks", { handle: "@bob", intro: "Carol here." }));
  return { daemon, agents, ids };
}

/** Calls an operation over REST. Divides the flat input into path, query and body. */
export function callOverRest(
  agent: AgentClient,
  operation: Operation,
  input: Record<string, unknown>,
): Promise<JsonResponse> {
  let { path } = operation;
  const query = new URLSearchParams();
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(input)) {
    const place = operation.fields[name]?.place ?? "body";
    if (place === "path") path = path.replace(`{${name}}`, encodeURIComponent(String(value)));
    else if (place === "query") query.set(name, String(value));
    else body[name] = value;
  }
  const takesBody = operation.method === "POST" || operation.method === "PUT";
  const search = query.size > 0 ? `?${query}` : "";
  return agent.request(operation.method, `${path}${search}`, takesBody ? body : undefined);
}

/** Replaces the values that differ between two daemons: ids, times, origin and cursors. */
export function normalise(body: Body, { daemon }: SeededDaemon): Body {
  const seen = new Map<string, string>();
  const text = JSON.stringify(body)
    .replaceAll(daemon.origin, "http://origin")
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => {
      if (!seen.has(id)) seen.set(id, `id ${seen.size + 1}`);
      return seen.get(id)!;
    })
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "a time")
    .replace(/"token":"[^"]*"/g, '"token":"a token"')
    .replace(/"next_cursor":"[^"]*"/g, '"next_cursor":"a cursor"');
  return JSON.parse(text);
}
