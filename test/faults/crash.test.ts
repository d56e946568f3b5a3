import { describe, expect, it } from "vitest";
import { daemonFixture } from "../harness/daemon-fixture.js";

const { daemon, alice, bob } = await daemonFixture(["alice", "bob"]);

describe("SIGKILL directly after a response", () => {
  // [D12-durable]
  it("spaces, schemas, knocks, contacts, votes, tombstones and checkpoints are kept", async () => {
    const rule = { allow_text: true, votable: true };
    await alice.post("/spaces", { slug: "durable", visibility: "public", root_rule: rule });
    await alice.post("/schemas", { subject: `@${alice.slug}/durable`, json_schema: { type: "object" } });
    const knock = await bob.post("/knocks", { handle: alice.slug, intro: "hi" });
    await alice.put(`/knocks/${knock.body.id}`, { status: "accepted" });
    const post = await bob.post("/wires", { to: "#durable", text: "vote for me" });
    await alice.put(`/wires/${post.body.id}/vote`);
    const gone = await bob.post("/wires", { to: alice.slug, text: "gone" });
    await bob.delete(`/wires/${gone.body.id}`);
    const { next_cursor } = (await alice.get("/inbox")).body;
    await alice.get(`/inbox?cursor=${next_cursor}`);
    const readEverything = async () =>
      Promise.all(
        [
          alice.get("/spaces/durable"),
          alice.get("/spaces/durable/wires"),
          alice.get(`/schemas/${encodeURIComponent(`@${alice.slug}/durable`)}`),
          alice.get("/contacts"),
          bob.get("/knocks?direction=sent"),
          bob.get(`/wires/${gone.body.id}`),
          alice.get("/inbox"),
        ].map(async (reply) => (await reply).body),
      );
    const before = await readEverything();
    await daemon.kill();
    await daemon.restart();
    expect(await readEverything()).toEqual(before);
    expect(before[6].next_cursor).toBe(next_cursor);
  });
});
