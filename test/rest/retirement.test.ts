import { describe, expect, it } from "vitest";
import type { AgentClient, Body } from "../harness/daemon.js";
import { inDatabase } from "../harness/database.js";
import { fileDaemon } from "../harness/file-daemon.js";
import { grantOperator, operator } from "../harness/operator.js";
import { befriend, createSpace, knock, ok, refused, register, send, wireOf } from "../harness/talk.js";

const { daemon, bob } = await fileDaemon(["bob"]);

const retire = (agent: AgentClient) => agent.owner.delete(`/handles/${agent.slug}`);
const retirements = async (agent: AgentClient): Promise<Body[]> =>
  (await ok(agent.owner.get("/audit?action=handle.retired"))).entries;

describe("DELETE /handles/{slug}", () => {
  it("revokes the handle's keys at once and empties its profile [D9-retire]", async () => {
    const profile = {
      display_name: "Ann",
      bio: "secret bio",
      tags: ["ann"],
      inbox_rule: { allow_text: false },
    };
    const ann = await daemon.agent("ann", profile);
    const second = await ok(ann.owner.post("/keys", { handle_id: ann.id }), 201);
    await ok(ann.get("/profile"));
    const held = daemon.client(second.key).get("/inbox?wait=30");
    expect(await ok(ann.owner.delete("/handles/@ann"))).toEqual({ slug: "ann", retired: true });
    await refused(held, "UNAUTHORIZED");
    for (const key of [ann.key, second.key])
      await refused(daemon.client(key).get("/profile"), "UNAUTHORIZED");
    const { keys } = await ok(ann.owner.get("/keys"));
    expect(keys.map(({ revoked_at }: Body) => revoked_at)).toEqual([expect.any(String), expect.any(String)]);
    await refused(ann.owner.post("/keys", { handle_id: ann.id }), "NOT_FOUND");
    const [row] = await inDatabase(daemon.dataDir, (db) =>
      db.all<Body>("SELECT * FROM handles WHERE slug = 'ann'"),
    );
    expect(row).toMatchObject({ display_name: null, bio: null, tags: "[]", discoverable: 0 });
    expect(row.inbox_rule).not.toContain("false,");
    await daemon.restart();
    await refused(ann.get("/profile"), "UNAUTHORIZED");
  });

  it("never gives the slug out again, to nobody [D9-retire-slug]", async () => {
    const old = await daemon.agent("old-name");
    await ok(retire(old));
    await refused(old.owner.post("/handles", { slug: "old-name" }), "VALIDATION_ERROR");
    await refused(bob.owner.post("/handles", { slug: "old-name" }), "VALIDATION_ERROR");
  });

  it("leaves nothing to address or to find [D9-retire-gone]", async () => {
    const cat = await daemon.agent("cat", { discoverable: true, tags: ["feline"] });
    const wire = await send(cat, "bob", { text: "miaow" });
    const schema = await register(cat, "sound", { type: "object" });
    expect(await ok(bob.get("/search?type=handles&q=cat"))).toHaveLength(1);
    await ok(retire(cat));
    for (const query of ["q=cat", "tags=feline", ""]) {
      const found = await ok(bob.get(`/search?type=handles&${query}`));
      expect(found.filter(({ slug }: Body) => slug === "cat")).toEqual([]);
    }
    await refused(bob.post("/wires", { to: "cat", text: "psst" }), "NOT_FOUND");
    await refused(bob.post("/wires", { to: "@cat", text: "psst", reply_to: wire.id }), "NOT_FOUND");
    await refused(bob.post("/knocks", { handle: "cat", intro: "hi" }), "NOT_FOUND");
    await refused(bob.put("/blocks/cat"), "NOT_FOUND");
    await createSpace(bob, "mice");
    await refused(bob.put("/spaces/mice", { members: [{ handle: "cat", role: "reader" }] }), "NOT_FOUND");
    await refused(bob.put("/spaces/mice", { transfer_owner: "cat" }), "NOT_FOUND");
    expect((await ok(cat.owner.get("/handles"))).handles).toEqual([]);
    const sibling = await daemon.agent("cat-two", {}, "cat");
    const more = { subject: "@cat/sound", json_schema: { type: "object" } };
    await refused(sibling.post("/schemas", more), "NOT_FOUND");
    expect((await ok(bob.get(`/schemas/${encodeURIComponent(schema)}`))).ref).toBe(schema);
  });

  it("leaves its wires to those who read them, and its spaces, contacts and knocks behind [D9-retire-leaves]", async () => {
    const dee = await daemon.agent("dee");
    const shy = await daemon.agent("shy", { contact_policy: "contacts_only" });
    await befriend(dee, bob);
    await createSpace(bob, "club", { visibility: "private" });
    await ok(bob.put("/spaces/club", { members: [{ handle: "dee", role: "mod" }] }));
    const [dm, post] = [
      await send(dee, "bob", { text: "kept" }),
      await send(dee, "#club", { text: "posted" }),
    ];
    const sent = await knock(dee, "shy");
    await ok(bob.put("/blocks/dee"));
    await ok(retire(dee));

    expect((await wireOf(bob, dm)).text_body).toBe("kept");
    expect((await wireOf(bob, post)).text_body).toBe("posted");
    expect((await ok(bob.get("/contacts"))).contacts.map(({ handle }: Body) => handle)).not.toContain("dee");
    expect((await ok(bob.get("/blocks"))).blocks).toEqual([]);
    expect((await ok(bob.get("/spaces/club"))).member_counts).toMatchObject({ owner: 1, mod: 0 });
    expect((await ok(shy.get("/knocks?status=pending"))).knocks).toEqual([]);
    const [expired] = (await ok(shy.get("/knocks?status=expired"))).knocks;
    expect(expired).toMatchObject({ id: sent, status: "expired", decided_at: null });
    expect((await ok(shy.get("/inbox"))).knocks).toMatchObject([{ id: sent, status: "expired" }]);
    await refused(shy.put(`/knocks/${sent}`, { status: "accepted" }), "VALIDATION_ERROR");
  });

  it("asks for its spaces to be transferred first, and says which [D9-retire-spaces]", async () => {
    const eli = await daemon.agent("eli");
    for (const slug of ["eli-one", "eli-two"]) await createSpace(eli, slug);
    const { errors } = await refused(retire(eli), "VALIDATION_ERROR");
    expect(errors).toHaveLength(2);
    expect(errors[0].message).toContain("#eli-one");
    expect(errors[1].message).toContain("#eli-two");
    await ok(eli.get("/profile"));
    for (const slug of ["eli-one", "eli-two"])
      await ok(eli.put(`/spaces/${slug}`, { transfer_owner: "bob" }));
    await ok(retire(eli));
    expect((await ok(bob.get("/spaces/eli-one"))).owner_handle_id).toBe(bob.id);
    expect((await ok(bob.get("/spaces/eli-one/members"))).members).toHaveLength(1);
  });

  it("is for the account's own handles: 403 for another's, 404 for an unknown one [D9-retire]", async () => {
    const fox = await daemon.agent("fox");
    await refused(fox.owner.delete("/handles/bob"), "FORBIDDEN");
    await refused(fox.owner.delete("/handles/no-such-handle"), "NOT_FOUND");
    await refused(fox.owner.delete("/handles/X"), "VALIDATION_ERROR");
    await refused(fox.delete("/handles/fox"), "FORBIDDEN");
    await ok(bob.get("/profile"));
  });

  it("of an operator ends that as well [D9-retire]", async () => {
    const gil = await daemon.agent("gil");
    await grantOperator(daemon, "gil");
    await ok(retire(gil));
    const { stdout } = await operator(daemon, "list");
    expect(JSON.parse(stdout)).toEqual({ operators: [] });
    expect((await operator(daemon, "grant", "gil")).code).toBe(5);
  });
});

describe("retiring at the same moment as", () => {
  it("someone else retires it is done and recorded once [D9-retire-again]", async () => {
    const hen = await daemon.agent("hen");
    const answers = await Promise.all(Array.from({ length: 8 }, () => ok(retire(hen))));
    expect(answers).toEqual(Array(8).fill({ slug: "hen", retired: true }));
    expect(await ok(retire(hen))).toEqual({ slug: "hen", retired: true });
    expect(await retirements(hen)).toHaveLength(1);
  });

  it("the handle creates and is given spaces leaves none without an owner [D9-retire-spaces]", async () => {
    for (let round = 0; round < 5; round++) {
      const slug = `racer-${round}`;
      const racer = await daemon.agent(slug);
      await createSpace(bob, `given-${round}`);
      const [gone, , ...others] = await Promise.all([
        retire(racer),
        racer.put("/profile", { bio: "still here" }),
        ...[0, 1, 2].map((n) => racer.post("/spaces", { slug: `made-${round}-${n}`, visibility: "public" })),
        bob.put(`/spaces/given-${round}`, { transfer_owner: slug }),
      ]);
      expect([200, 400]).toContain(gone!.status);
      for (const { status } of others) expect([200, 201, 401, 404]).toContain(status);
    }
    const wrong = await inDatabase(daemon.dataDir, (db) =>
      db.all(`SELECT h.slug FROM handles h WHERE h.retired_at IS NOT NULL AND (h.bio IS NOT NULL
        OR EXISTS (SELECT 1 FROM spaces s WHERE s.owner = h.pk) OR EXISTS (SELECT 1 FROM members m WHERE m.handle = h.pk)
        OR EXISTS (SELECT 1 FROM api_keys k WHERE k.handle = h.pk AND k.revoked_at IS NULL))`),
    );
    expect(wrong).toEqual([]);
  });

  it("a key is issued leaves no key in force [D9-retire]", async () => {
    for (let round = 0; round < 5; round++) {
      const ivy = await daemon.agent(`ivy-${round}`);
      const [issued] = await Promise.all([ivy.owner.post("/keys", { handle_id: ivy.id }), ok(retire(ivy))]);
      if (issued!.status === 201)
        await refused(daemon.client(issued!.body.key).get("/profile"), "UNAUTHORIZED");
      else expect(issued!.status).toBe(404);
    }
  });
});
