import { beforeAll, describe, expect, it } from "vitest";
import type { AgentClient, Body } from "../harness/daemon.js";
import { fileDaemon } from "../harness/file-daemon.js";
import { createSpace, ok, refused, send, wireOf } from "../harness/talk.js";

const { daemon, alice, bob, carol } = await fileDaemon(["alice", "bob", "carol"]);

beforeAll(async () => {
  await createSpace(alice, "votes", { root_rule: VOTABLE });
});

const VOTABLE = { allow_text: true, votable: true };
const PLAIN = { allow_text: true };

const vote = (agent: AgentClient, wire: Body) => agent.put(`/wires/${wire.id}/vote`);
const revoke = (agent: AgentClient, wire: Body) => agent.delete(`/wires/${wire.id}/vote`);
const countOf = async (wire: Body) => (await wireOf(alice, wire)).vote_count;

/** Expects that neither vote nor revocation is possible, nor seen. */
async function expectDisabled(agent: AgentClient, wire: Body): Promise<void> {
  await refused(vote(agent, wire), "VOTING_DISABLED");
  await refused(revoke(agent, wire), "VOTING_DISABLED");
}

describe("a vote", () => {
  it("is cast, counted and revoked [S3.3-vote] [S3.3-revoke] [S4.1-vote-answer] [S2.2-vote-count]", async () => {
    const wire = await send(bob, "#votes");
    expect(await countOf(wire)).toBe(0);
    expect(await ok(vote(alice, wire))).toEqual({ voted: true, vote_count: 1 });
    expect(await ok(vote(carol, wire))).toEqual({ voted: true, vote_count: 2 });
    expect(await countOf(wire)).toBe(2);
    expect(await ok(revoke(alice, wire))).toEqual({ voted: false, vote_count: 1 });
    expect(await countOf(wire)).toBe(1);
    expect(await ok(vote(alice, wire))).toEqual({ voted: true, vote_count: 2 });
  });

  it("cast again changes nothing, and so does one revoked again [S3.3-vote-again] [S3.3-revoke-again] [S3.3-one-vote]", async () => {
    const wire = await send(bob, "#votes");
    expect(await ok(revoke(alice, wire))).toEqual({ voted: false, vote_count: 0 });
    for (let n = 0; n < 3; n++) expect(await ok(vote(alice, wire))).toEqual({ voted: true, vote_count: 1 });
    await ok(vote(carol, wire));
    for (let n = 0; n < 3; n++)
      expect(await ok(revoke(alice, wire))).toEqual({ voted: false, vote_count: 1 });
  });

  it("is for anyone who can read the space, the sender included [D3-votable-reader]", async () => {
    await createSpace(alice, "few-post", { root_rule: VOTABLE, posting_rights: "mods" });
    const wire = await send(alice, "#few-post");
    expect(await ok(vote(alice, wire))).toMatchObject({ vote_count: 1 });
    expect(await ok(vote(bob, wire))).toMatchObject({ vote_count: 2 });
  });

  it("in a private space is for members, a reader included; others get 404 [D3-votable-reader] [S4.1-vote-statuses]", async () => {
    await createSpace(alice, "closed", { root_rule: VOTABLE, visibility: "private", posting_rights: "mods" });
    await ok(alice.put("/spaces/closed", { members: [{ handle: "bob", role: "reader" }] }));
    const wire = await send(alice, "#closed");
    await ok(vote(bob, wire));
    await refused(vote(carol, wire), "NOT_FOUND");
    await refused(revoke(carol, wire), "NOT_FOUND");
    await ok(alice.put("/spaces/closed", { members: [{ handle: "bob", role: "remove" }] }));
    await refused(revoke(bob, wire), "NOT_FOUND");
    expect(await countOf(wire)).toBe(1);
  });

  it("takes the wire's URI for its id [S4.1-vote-answer]", async () => {
    const wire = await send(bob, "#votes");
    expect(await ok(alice.put(`/wires/${encodeURIComponent(wire.uri)}/vote`))).toMatchObject({
      vote_count: 1,
    });
    expect(await ok(alice.delete(`/wires/${encodeURIComponent(wire.uri)}/vote`))).toMatchObject({
      vote_count: 0,
    });
  });

  it("on a wire that does not exist is 404, and without a key 401 [S4.1-vote-statuses]", async () => {
    const wire = await send(bob, "#votes");
    await refused(vote(alice, { id: "no-such-wire" }), "NOT_FOUND");
    await refused(revoke(alice, { id: "no-such-wire" }), "NOT_FOUND");
    await refused(daemon.client().put(`/wires/${wire.id}/vote`), "UNAUTHORIZED");
    await refused(daemon.client().delete(`/wires/${wire.id}/vote`), "UNAUTHORIZED");
  });

  it("of each of 30 handles at once is counted exactly [S3.3-one-vote] [S3.3-vote]", async () => {
    const wire = await send(bob, "#votes");
    const crowd = await Promise.all(Array.from({ length: 30 }, (_, n) => daemon.agent(`crowd-${n}`)));
    const votes = await Promise.all([...crowd, ...crowd].map((agent) => ok(vote(agent, wire))));
    const counts = votes.map(({ vote_count }) => vote_count);
    expect(Math.max(...counts)).toBe(30);
    expect(new Set(counts)).toEqual(new Set(Array.from({ length: 30 }, (_, n) => n + 1)));
    expect(await countOf(wire)).toBe(30);
    await Promise.all(
      crowd.slice(0, 10).flatMap((agent) => [ok(revoke(agent, wire)), ok(revoke(agent, wire))]),
    );
    expect(await countOf(wire)).toBe(20);
  });
});

describe("voting is disabled", () => {
  it("on a DM wire [S3.3-voting-disabled] [S2.2-vote-count]", async () => {
    const wire = await send(alice, "bob", { text: "hi", reply_rule: VOTABLE });
    const reply = await send(bob, "alice", { text: "re", reply_to: wire.id });
    for (const dm of [wire, reply]) {
      await expectDisabled(alice, dm);
      await expectDisabled(bob, dm);
      expect(await wireOf(alice, dm)).not.toHaveProperty("vote_count");
    }
    await refused(vote(carol, wire), "FORBIDDEN");
  });

  it("on a tombstoned wire, whose votes stay [S3.3-voting-disabled] [D5-tombstone-votes]", async () => {
    const wire = await send(bob, "#votes");
    await ok(vote(alice, wire));
    await ok(bob.delete(`/wires/${wire.id}`));
    await expectDisabled(alice, wire);
    await expectDisabled(carol, wire);
    expect(await countOf(wire)).toBe(1);
  });

  it("where the governing rule is not votable, and the count is not shown [S3.3-voting-disabled] [S2.2-vote-count] [D3-votable-now]", async () => {
    const root = await send(bob, "#votes");
    const reply = await send(bob, "#votes", { text: "re", reply_to: root.id });
    await ok(vote(alice, root));
    await expectDisabled(alice, reply);
    expect(await wireOf(alice, reply)).not.toHaveProperty("vote_count");
  });

  it("while the rule is not votable; votes outlive the change [D3-votable-now] [D5-votes-outlive] [S3.3-voting-disabled]", async () => {
    await createSpace(alice, "switched", { root_rule: VOTABLE });
    const wire = await send(bob, "#switched");
    await ok(vote(alice, wire));
    await ok(vote(carol, wire));
    await ok(alice.put("/spaces/switched", { root_rule: PLAIN }));
    await expectDisabled(alice, wire);
    await expectDisabled(bob, wire);
    expect(await wireOf(alice, wire)).not.toHaveProperty("vote_count");
    await ok(alice.put("/spaces/switched", { root_rule: VOTABLE }));
    expect(await countOf(wire)).toBe(2);
    expect(await ok(vote(alice, wire))).toEqual({ voted: true, vote_count: 2 });
  });
});

describe("which rule decides about votes", () => {
  it("is root_rule for roots and reply_rule for replies, also set later [D3-votable-now]", async () => {
    await createSpace(alice, "later", { reply_rule: VOTABLE });
    const root = await send(bob, "#later");
    const reply = await send(bob, "#later", { text: "re", reply_to: root.id });
    await expectDisabled(alice, root);
    expect(await ok(vote(alice, reply))).toMatchObject({ vote_count: 1 });
    await ok(alice.put("/spaces/later", { root_rule: VOTABLE, reply_rule: PLAIN }));
    expect(await ok(vote(alice, root))).toMatchObject({ vote_count: 1 });
    await expectDisabled(alice, reply);
  });

  it("is the parent's own reply rule where the space lets wires carry one [D3-votable-now]", async () => {
    await createSpace(alice, "own-rules", { allow_wire_reply_rules: true });
    const asking = await send(bob, "#own-rules", { text: "vote on the answers", reply_rule: VOTABLE });
    const answer = await send(carol, "#own-rules", { text: "an answer", reply_to: asking.id });
    const deeper = await send(carol, "#own-rules", { text: "a remark", reply_to: answer.id });
    expect(await ok(vote(alice, answer))).toMatchObject({ vote_count: 1 });
    await expectDisabled(alice, asking);
    await expectDisabled(alice, deeper);
    await ok(alice.put("/spaces/own-rules", { allow_wire_reply_rules: false }));
    await expectDisabled(alice, answer);
    await ok(alice.put("/spaces/own-rules", { reply_rule: VOTABLE }));
    expect(await countOf(answer)).toBe(1);
    await ok(alice.put("/spaces/own-rules", { allow_wire_reply_rules: true, reply_rule: PLAIN }));
    expect(await countOf(answer)).toBe(1);
  });

  it("is shown alike by wire, thread, feed and search [D3-votable-now] [S4.1-feed-votes]", async () => {
    const wire = await send(bob, "#votes", { text: "peculiar" });
    await ok(vote(alice, wire));
    const shown = [
      await wireOf(carol, wire),
      (await ok(carol.get(`/threads/${wire.id}`))).wires[0],
      (await ok(carol.get("/spaces/votes/wires?limit=1"))).wires[0],
      (await ok(carol.get("/spaces/votes/search?q=peculiar"))).wires[0],
    ];
    for (const one of shown) expect(one).toEqual({ ...shown[0], vote_count: 1 });
  });
});
