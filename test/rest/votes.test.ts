import { beforeAll, describe, expect, it } from "vitest";
import { createSpace, expectOk, expectRefused, readWire, sendWire } from "../harness/api-helpers.js";
import type { AgentClient, Body } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";

const { daemon, alice, bob, carol } = await hostedFixture(["alice", "bob", "carol"]);

beforeAll(async () => {
  await createSpace(alice, "votes", { root_rule: VOTABLE });
});

const VOTABLE = { allow_text: true, votable: true };
const PLAIN = { allow_text: true };

const vote = (agent: AgentClient, wire: Body) => agent.put(`/wires/${wire.id}/vote`);
const revoke = (agent: AgentClient, wire: Body) => agent.delete(`/wires/${wire.id}/vote`);
const countOf = async (wire: Body) => (await readWire(alice, wire)).vote_count;

/** Expects that a vote and its revocation are rejected, and that the wire has no vote count. */
async function expectDisabled(agent: AgentClient, wire: Body): Promise<void> {
  await expectRefused(vote(agent, wire), "VOTING_DISABLED");
  await expectRefused(revoke(agent, wire), "VOTING_DISABLED");
}

describe("a vote", () => {
  // [S3.3-vote] [S3.3-revoke] [S4.1-vote-answer] [S2.2-vote-count]
  it("is added, counted and revoked", async () => {
    const wire = await sendWire(bob, "#votes");
    expect(await countOf(wire)).toBe(0);
    expect(await expectOk(vote(alice, wire))).toEqual({ voted: true, vote_count: 1 });
    expect(await expectOk(vote(carol, wire))).toEqual({ voted: true, vote_count: 2 });
    expect(await countOf(wire)).toBe(2);
    expect(await expectOk(revoke(alice, wire))).toEqual({ voted: false, vote_count: 1 });
    expect(await countOf(wire)).toBe(1);
    expect(await expectOk(vote(alice, wire))).toEqual({ voted: true, vote_count: 2 });
  });

  // [S3.3-vote-again] [S3.3-revoke-again] [S3.3-one-vote]
  it("changes nothing if it is repeated, and neither does a repeated revocation", async () => {
    const wire = await sendWire(bob, "#votes");
    expect(await expectOk(revoke(alice, wire))).toEqual({ voted: false, vote_count: 0 });
    for (let n = 0; n < 3; n++)
      expect(await expectOk(vote(alice, wire))).toEqual({ voted: true, vote_count: 1 });
    await expectOk(vote(carol, wire));
    for (let n = 0; n < 3; n++)
      expect(await expectOk(revoke(alice, wire))).toEqual({ voted: false, vote_count: 1 });
  });

  // [D3-votable-reader]
  it("is allowed for every handle that can read the space, including the sender", async () => {
    await createSpace(alice, "few-post", { root_rule: VOTABLE, posting_rights: "mods" });
    const wire = await sendWire(alice, "#few-post");
    expect(await expectOk(vote(alice, wire))).toMatchObject({ vote_count: 1 });
    expect(await expectOk(vote(bob, wire))).toMatchObject({ vote_count: 2 });
  });

  // [D3-votable-reader] [S4.1-vote-statuses]
  it("in a private space is allowed for members, including readers; others get 404", async () => {
    await createSpace(alice, "closed", { root_rule: VOTABLE, visibility: "private", posting_rights: "mods" });
    await expectOk(alice.put("/spaces/closed", { members: [{ handle: "bob", role: "reader" }] }));
    const wire = await sendWire(alice, "#closed");
    await expectOk(vote(bob, wire));
    await expectRefused(vote(carol, wire), "NOT_FOUND");
    await expectRefused(revoke(carol, wire), "NOT_FOUND");
    await expectOk(alice.put("/spaces/closed", { members: [{ handle: "bob", role: "remove" }] }));
    await expectRefused(revoke(bob, wire), "NOT_FOUND");
    expect(await countOf(wire)).toBe(1);
  });

  // [S4.1-vote-answer]
  it("accepts the URI of the wire as its id", async () => {
    const wire = await sendWire(bob, "#votes");
    expect(await expectOk(alice.put(`/wires/${encodeURIComponent(wire.uri)}/vote`))).toMatchObject({
      vote_count: 1,
    });
    expect(await expectOk(alice.delete(`/wires/${encodeURIComponent(wire.uri)}/vote`))).toMatchObject({
      vote_count: 0,
    });
  });

  // [S4.1-vote-statuses]
  it("returns 404 for an unknown wire, and 401 without a key", async () => {
    const wire = await sendWire(bob, "#votes");
    await expectRefused(vote(alice, { id: "no-such-wire" }), "NOT_FOUND");
    await expectRefused(revoke(alice, { id: "no-such-wire" }), "NOT_FOUND");
    await expectRefused(daemon.client().put(`/wires/${wire.id}/vote`), "UNAUTHORIZED");
    await expectRefused(daemon.client().delete(`/wires/${wire.id}/vote`), "UNAUTHORIZED");
  });

  // [S3.3-one-vote] [S3.3-vote]
  it("is counted exactly when 30 handles vote concurrently", async () => {
    const wire = await sendWire(bob, "#votes");
    const crowd = await Promise.all(Array.from({ length: 30 }, (_, n) => daemon.createAgent(`crowd-${n}`)));
    const votes = await Promise.all([...crowd, ...crowd].map((agent) => expectOk(vote(agent, wire))));
    const counts = votes.map(({ vote_count }) => vote_count);
    expect(Math.max(...counts)).toBe(30);
    expect(new Set(counts)).toEqual(new Set(Array.from({ length: 30 }, (_, n) => n + 1)));
    expect(await countOf(wire)).toBe(30);
    await Promise.all(
      crowd.slice(0, 10).flatMap((agent) => [expectOk(revoke(agent, wire)), expectOk(revoke(agent, wire))]),
    );
    expect(await countOf(wire)).toBe(20);
  });
});

describe("voting is disabled", () => {
  // [S3.3-voting-disabled] [S2.2-vote-count]
  it("on a direct message", async () => {
    const wire = await sendWire(alice, "bob", { text: "hi", reply_rule: VOTABLE });
    const reply = await sendWire(bob, "alice", { text: "re", reply_to: wire.id });
    for (const dm of [wire, reply]) {
      await expectDisabled(alice, dm);
      await expectDisabled(bob, dm);
      expect(await readWire(alice, dm)).not.toHaveProperty("vote_count");
    }
    await expectRefused(vote(carol, wire), "FORBIDDEN");
  });

  // [D5-tombstone-votes] [S3.3-voting-disabled]
  it("on a removed wire, which keeps its votes", async () => {
    const wire = await sendWire(bob, "#votes");
    await expectOk(vote(alice, wire));
    await expectOk(bob.delete(`/wires/${wire.id}`));
    await expectDisabled(alice, wire);
    await expectDisabled(carol, wire);
    expect(await countOf(wire)).toBe(1);
  });

  // [D3-votable-now] [S3.3-voting-disabled] [S2.2-vote-count]
  it("if the rule of the wire is not votable; the count is not shown", async () => {
    const root = await sendWire(bob, "#votes");
    const reply = await sendWire(bob, "#votes", { text: "re", reply_to: root.id });
    await expectOk(vote(alice, root));
    await expectDisabled(alice, reply);
    expect(await readWire(alice, reply)).not.toHaveProperty("vote_count");
  });

  // [D3-votable-now] [D5-votes-outlive] [S3.3-voting-disabled]
  it("while the rule is not votable; existing votes are kept", async () => {
    await createSpace(alice, "switched", { root_rule: VOTABLE });
    const wire = await sendWire(bob, "#switched");
    await expectOk(vote(alice, wire));
    await expectOk(vote(carol, wire));
    await expectOk(alice.put("/spaces/switched", { root_rule: PLAIN }));
    await expectDisabled(alice, wire);
    await expectDisabled(bob, wire);
    expect(await readWire(alice, wire)).not.toHaveProperty("vote_count");
    await expectOk(alice.put("/spaces/switched", { root_rule: VOTABLE }));
    expect(await countOf(wire)).toBe(2);
    expect(await expectOk(vote(alice, wire))).toEqual({ voted: true, vote_count: 2 });
  });
});

describe("the rule that makes a wire votable", () => {
  // [D3-votable-now]
  it("is root_rule for roots and reply_rule for replies, also when changed later", async () => {
    await createSpace(alice, "later", { reply_rule: VOTABLE });
    const root = await sendWire(bob, "#later");
    const reply = await sendWire(bob, "#later", { text: "re", reply_to: root.id });
    await expectDisabled(alice, root);
    expect(await expectOk(vote(alice, reply))).toMatchObject({ vote_count: 1 });
    await expectOk(alice.put("/spaces/later", { root_rule: VOTABLE, reply_rule: PLAIN }));
    expect(await expectOk(vote(alice, root))).toMatchObject({ vote_count: 1 });
    await expectDisabled(alice, reply);
  });

  // [D3-votable-now]
  it("is the parent's reply rule if the space allows rules on wires", async () => {
    await createSpace(alice, "own-rules", { allow_wire_reply_rules: true });
    const asking = await sendWire(bob, "#own-rules", { text: "vote on the answers", reply_rule: VOTABLE });
    const answer = await sendWire(carol, "#own-rules", { text: "an answer", reply_to: asking.id });
    const deeper = await sendWire(carol, "#own-rules", { text: "a remark", reply_to: answer.id });
    expect(await expectOk(vote(alice, answer))).toMatchObject({ vote_count: 1 });
    await expectDisabled(alice, asking);
    await expectDisabled(alice, deeper);
    await expectOk(alice.put("/spaces/own-rules", { allow_wire_reply_rules: false }));
    await expectDisabled(alice, answer);
    await expectOk(alice.put("/spaces/own-rules", { reply_rule: VOTABLE }));
    expect(await countOf(answer)).toBe(1);
    await expectOk(alice.put("/spaces/own-rules", { allow_wire_reply_rules: true, reply_rule: PLAIN }));
    expect(await countOf(answer)).toBe(1);
  });

  // [D3-votable-now] [S4.1-feed-votes]
  it("has the same effect in wire, thread, feed and search", async () => {
    const wire = await sendWire(bob, "#votes", { text: "peculiar" });
    await expectOk(vote(alice, wire));
    const shown = [
      await readWire(carol, wire),
      (await expectOk(carol.get(`/threads/${wire.id}`))).wires[0],
      (await expectOk(carol.get("/spaces/votes/wires?limit=1"))).wires[0],
      (await expectOk(carol.get("/spaces/votes/search?q=peculiar"))).wires[0],
    ];
    for (const one of shown) expect(one).toEqual({ ...shown[0], vote_count: 1 });
  });
});
