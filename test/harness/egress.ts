/** What tests of egress policies and of the approval queue say over and over. */
import type { AgentClient, Body, Client } from "./daemon.js";
import { fileDaemon } from "./file-daemon.js";
import { createSpace, ok } from "./talk.js";

/** The daemon of a test file, and on it whom to send to: @bob, @carol, and Bob's space #ops. */
export async function fileWithTargets() {
  const file = await fileDaemon(["bob", "carol"]);
  await createSpace(file.bob, "ops");
  return file;
}

/** Sets what is given of a handle's policy, as its human; gives the whole. */
export function setEgress(agent: AgentClient, policy: Record<string, unknown>): Promise<Body> {
  return ok(agent.owner.put(`/handles/${agent.slug}/egress`, policy));
}

/** Sends a wire that must be held; gives `id`, `uri`, `thread_id` and `status`. */
export function sendHeld(
  from: Client,
  to: string,
  fields: Record<string, unknown> = { text: "may I?" },
): Promise<Body> {
  return ok(from.post("/wires", { to, ...fields }), 202);
}

/** A page of the human's approvals. */
export async function approvalsOf(agent: AgentClient, query = ""): Promise<Body[]> {
  return (await ok(agent.owner.get(`/approvals${query}`))).approvals;
}

/** The approval of a held wire or knock. */
export async function approvalOf(agent: AgentClient, held: { id: string }): Promise<Body> {
  const all = await approvalsOf(agent, "?limit=100");
  return all.find(({ wire, knock }) => (wire ?? knock).id === held.id);
}

/** The human's answer to what is held; gives the approval as it is then. */
export async function answer(
  agent: AgentClient,
  held: { id: string },
  body: Record<string, unknown> = { status: "approved" },
): Promise<Body> {
  const { id } = await approvalOf(agent, held);
  return ok(agent.owner.put(`/approvals/${id}`, body));
}

/** Refusals by the egress policy that the human's log holds, newest first. */
export async function blockedIn(agent: AgentClient): Promise<Body[]> {
  return (await ok(agent.owner.get("/audit?action=egress.blocked"))).entries;
}
