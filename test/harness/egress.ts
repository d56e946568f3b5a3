/** Helpers for tests of egress policies and of the approval queue. */

import { createSpace, expectOk } from "./api-helpers.js";
import type { AgentClient, Body, Client } from "./daemon.js";
import { daemonFixture } from "./daemon-fixture.js";

/** Starts a daemon with targets for wires: @bob, @carol, and Bob's space #ops. */
export async function egressFixture() {
  const file = await daemonFixture(["bob", "carol"]);
  await createSpace(file.bob, "ops");
  return file;
}

/** Updates a handle's egress policy as its human. Returns the complete policy. */
export function setEgressPolicy(agent: AgentClient, policy: Record<string, unknown>): Promise<Body> {
  return expectOk(agent.owner.put(`/handles/${agent.slug}/egress`, policy));
}

/** Sends a wire and expects that it is held. Returns `id`, `uri`, `thread_id` and `status`. */
export function sendHeldWire(
  from: Client,
  to: string,
  fields: Record<string, unknown> = { text: "may I?" },
): Promise<Body> {
  return expectOk(from.post("/wires", { to, ...fields }), 202);
}

/** Returns a page of the human's approvals. */
export async function listApprovals(agent: AgentClient, query = ""): Promise<Body[]> {
  return (await expectOk(agent.owner.get(`/approvals${query}`))).approvals;
}

/** Returns the approval of a held wire or knock. */
export async function findApproval(agent: AgentClient, held: { id: string }): Promise<Body> {
  const all = await listApprovals(agent, "?limit=100");
  return all.find(({ wire, knock }) => (wire ?? knock).id === held.id);
}

/** Decides the approval of a held wire or knock as the human. Returns the approval. */
export async function decideApproval(
  agent: AgentClient,
  held: { id: string },
  body: Record<string, unknown> = { status: "approved" },
): Promise<Body> {
  const { id } = await findApproval(agent, held);
  return expectOk(agent.owner.put(`/approvals/${id}`, body));
}

/** Returns audit entries of wires and knocks that the egress policy blocked, newest first. */
export async function listBlockedAttempts(agent: AgentClient): Promise<Body[]> {
  return (await expectOk(agent.owner.get("/audit?action=egress.blocked"))).entries;
}
