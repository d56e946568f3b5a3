import { describe, expect, it } from "vitest";
import {
  changeDatabaseOffline,
  createSpace,
  expectOk,
  expectRefused,
  makeContacts,
  readWire,
  registerSchema,
  sendKnock,
  sendWire,
} from "../harness/api-helpers.js";
import type { AgentClient, Body } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { withDatabase } from "../harness/database.js";
import { grantOperator, runOperatorCommand } from "../harness/operator.js";

const { daemon, bob } = await hostedFixture(["bob"]);

const retire = (agent: AgentClient) => agent.owner.delete(`/handles/${agent.slug}`);
const retirements = async (agent: AgentClient): Promise<Body[]> =>
  (await expectOk(agent.owner.get("/audit?action=handle.retired"))).entries;

describe("DELETE /handles/{slug}", () => {
  // [D9-retire]
  it("revokes the handle's keys at once and erases its profile", async () => {
    const profile = {
      display_name: "Ann",
      bio: "secret bio",
      tags: ["ann"],
      inbox_rule: { allow_text: false },
    };
    const ann = await daemon.createAgent("ann", profile);
    const second = await expectOk(ann.owner.post("/keys", { handle_id: ann.id }), 201);
    await expectOk(ann.get("/profile"));
    const held = daemon.client(second.key).get("/inbox?wait=30");
    expect(await expectOk(ann.owner.delete("/handles/@ann"))).toEqual({ slug: "ann", retired: true });
    await expectRefused(held, "UNAUTHORIZED");
    for (const key of [ann.key, second.key])
      await expectRefused(daemon.client(key).get("/profile"), "UNAUTHORIZED");
    const { keys } = await expectOk(ann.owner.get("/keys"));
    expect(keys.map(({ revoked_at }: Body) => revoked_at)).toEqual([expect.any(String), expect.any(String)]);
    await expectRefused(ann.owner.post("/keys", { handle_id: ann.id }), "NOT_FOUND");
    const [row] = await withDatabase(daemon.dataDir, (db) =>
      db.all<Body>("SELECT * FROM handles WHERE slug = 'ann'"),
    );
    expect(row).toMatchObject({ display_name: null, bio: null, tags: "[]", discoverable: 0 });
    expect(row.inbox_rule).not.toContain("false,");
    await daemon.restart();
    await expectRefused(ann.get("/profile"), "UNAUTHORIZED");
  });

  // [D9-retire-slug]
  it("reserves the slug permanently", async () => {
    const old = await daemon.createAgent("old-name");
    await expectOk(retire(old));
    await expectRefused(old.owner.post("/handles", { slug: "old-name" }), "VALIDATION_ERROR");
    await expectRefused(bob.owner.post("/handles", { slug: "old-name" }), "VALIDATION_ERROR");
  });

  // [D9-retire-gone]
  it("makes the handle impossible to address or find", async () => {
    const cat = await daemon.createAgent("cat", { discoverable: true, tags: ["feline"] });
    const wire = await sendWire(cat, "bob", { text: "miaow" });
    const schema = await registerSchema(cat, "sound", { type: "object" });
    expect(await expectOk(bob.get("/search?type=handles&q=cat"))).toHaveLength(1);
    await expectOk(retire(cat));
    for (const query of ["q=cat", "tags=feline", ""]) {
      const found = await expectOk(bob.get(`/search?type=handles&${query}`));
      expect(found.filter(({ slug }: Body) => slug === "cat")).toEqual([]);
    }
    await expectRefused(bob.post("/wires", { to: "cat", text: "psst" }), "NOT_FOUND");
    await expectRefused(bob.post("/wires", { to: "@cat", text: "psst", reply_to: wire.id }), "NOT_FOUND");
    await expectRefused(bob.post("/knocks", { handle: "cat", intro: "hi" }), "NOT_FOUND");
    await createSpace(bob, "mice");
    await expectRefused(
      bob.put("/spaces/mice", { members: [{ handle: "cat", role: "reader" }] }),
      "NOT_FOUND",
    );
    await expectRefused(bob.put("/spaces/mice", { transfer_owner: "cat" }), "NOT_FOUND");
    expect((await expectOk(cat.owner.get("/handles"))).handles).toEqual([]);
    const sibling = await daemon.createAgent("cat-two", {}, "cat");
    const more = { subject: "@cat/sound", json_schema: { type: "object" } };
    await expectRefused(sibling.post("/schemas", more), "NOT_FOUND");
    expect((await expectOk(bob.get(`/schemas/${encodeURIComponent(schema)}`))).ref).toBe(schema);
  });

  // [D9-retire-leaves]
  it("keeps its wires for their recipients, and its spaces, contacts and knocks", async () => {
    const dee = await daemon.createAgent("dee");
    const shy = await daemon.createAgent("shy", { contact_policy: "contacts_only" });
    await makeContacts(dee, bob);
    await createSpace(bob, "club", { visibility: "private" });
    await expectOk(bob.put("/spaces/club", { members: [{ handle: "dee", role: "mod" }] }));
    const [dm, post] = [
      await sendWire(dee, "bob", { text: "kept" }),
      await sendWire(dee, "#club", { text: "posted" }),
    ];
    const sent = await sendKnock(dee, "shy");
    await expectOk(bob.put("/blocks/dee"));
    await expectOk(retire(dee));

    expect((await readWire(bob, dm)).text_body).toBe("kept");
    expect((await readWire(bob, post)).text_body).toBe("posted");
    expect((await expectOk(bob.get("/contacts"))).contacts.map(({ handle }: Body) => handle)).not.toContain(
      "dee",
    );
    expect((await expectOk(bob.get("/blocks"))).blocks).toMatchObject([{ handle: "dee" }]);
    expect((await expectOk(bob.get("/spaces/club"))).member_counts).toMatchObject({ owner: 1, mod: 0 });
    expect((await expectOk(shy.get("/knocks?status=pending"))).knocks).toEqual([]);
    const [expired] = (await expectOk(shy.get("/knocks?status=expired"))).knocks;
    expect(expired).toMatchObject({ id: sent, status: "expired", decided_at: null });
    expect((await expectOk(shy.get("/inbox"))).knocks).toMatchObject([{ id: sent, status: "expired" }]);
    await expectRefused(shy.put(`/knocks/${sent}`, { status: "accepted" }), "VALIDATION_ERROR");
  });

  // [D9-retire-spaces] [D6-heir]
  it("passes its spaces to their longest-standing mods of other accounts, with audit entries", async () => {
    const [eli, ann, cy] = [
      await daemon.createAgent("eli"),
      await daemon.createAgent("heir-ann"),
      await daemon.createAgent("heir-cy"),
    ];
    const sibling = await daemon.createAgent("eli-two", {}, "eli");
    await createSpace(eli, "eli-hall", { visibility: "private" });
    for (const [{ slug: handle }, role] of [
      [bob, "poster"],
      [sibling, "mod"],
      [ann, "mod"],
      [cy, "mod"],
    ] as const) {
      await expectOk(eli.put("/spaces/eli-hall", { members: [{ handle, role }] }));
    }
    await expectOk(retire(eli));
    const { members } = await expectOk(bob.get("/spaces/eli-hall/members"));
    expect(Object.fromEntries(members.map(({ handle, role }: Body) => [handle, role]))).toEqual({
      "heir-ann": "owner",
      "heir-cy": "mod",
      "eli-two": "mod",
      bob: "poster",
    });
    expect((await expectOk(ann.put("/spaces/eli-hall", { description: "mine" }))).owner_handle_id).toBe(
      ann.id,
    );
    for (const [agent, action, actor, handle, detail] of [
      [eli, "space.transferred", "human", "eli", "to @heir-ann"],
      [ann, "space.received", "@eli", "heir-ann", null],
    ] as const) {
      const { entries } = await expectOk(agent.owner.get(`/audit?action=${action}`));
      expect(entries).toMatchObject([{ actor, handle, subject: "#eli-hall", detail }]);
    }
  });

  // [D9-retire-spaces] [D6-closed]
  it("closes a space without such a mod: it is readable, and takes no post", async () => {
    const fay = await daemon.createAgent("fay");
    const sibling = await daemon.createAgent("fay-two", {}, "fay");
    await createSpace(fay, "fay-hall", { visibility: "public" });
    for (const [handle, role] of [
      ["bob", "poster"],
      ["fay-two", "mod"],
    ])
      await expectOk(fay.put("/spaces/fay-hall", { members: [{ handle, role }] }));
    const { id } = await sendWire(bob, "#fay-hall", { text: "before" });
    await expectOk(retire(fay));
    const space = await expectOk(bob.get("/spaces/fay-hall"));
    expect(space).toMatchObject({
      owner_handle_id: fay.id,
      posting_rights: "mods",
      member_counts: { owner: 0, mod: 0, poster: 2 },
    });
    expect((await expectOk(bob.get("/spaces/fay-hall/wires"))).wires).toMatchObject([{ id }]);
    for (const agent of [bob, sibling]) {
      await expectRefused(agent.post("/wires", { to: "#fay-hall", text: "after" }), "POSTING_DENIED");
      await expectRefused(agent.put("/spaces/fay-hall", { posting_rights: "anyone" }), "FORBIDDEN");
    }
    await expectOk(bob.put("/spaces/fay-hall", { members: [{ handle: "bob", role: "remove" }] }));
  });

  // [D16-account-delete-steps]
  it("continues after a restart to erase what an earlier daemon left", async () => {
    const gus = await daemon.createAgent("gus");
    await expectOk(retire(gus));
    await changeDatabaseOffline(daemon, async (db) => {
      const pk = (slug: string) => `(SELECT pk FROM handles WHERE slug = '${slug}')`;
      const pair = `(${pk("gus")}, ${pk("bob")}, 1), (${pk("bob")}, ${pk("gus")}, 1)`;
      await db.run(`INSERT INTO contacts (handle, other, since) VALUES ${pair}`);
      await db.run(`INSERT INTO erasures (handle) VALUES (${pk("gus")})`);
    });
    const contacts = async () =>
      (await expectOk(bob.get("/contacts"))).contacts.map(({ handle }: Body) => handle);
    await expect.poll(contacts, { timeout: 15_000 }).not.toContain("gus");
  });

  // [D9-retire]
  it("returns 403 for a handle of another account, and 404 for an unknown handle", async () => {
    const fox = await daemon.createAgent("fox");
    await expectRefused(fox.owner.delete("/handles/bob"), "FORBIDDEN");
    await expectRefused(fox.owner.delete("/handles/no-such-handle"), "NOT_FOUND");
    await expectRefused(fox.owner.delete("/handles/X"), "VALIDATION_ERROR");
    await expectRefused(fox.delete("/handles/fox"), "FORBIDDEN");
    await expectOk(bob.get("/profile"));
  });

  // [D9-retire]
  it("also ends the operator role of the handle", async () => {
    const gil = await daemon.createAgent("gil");
    await grantOperator(daemon, "gil");
    await expectOk(retire(gil));
    const { stdout } = await runOperatorCommand(daemon, "list");
    expect(JSON.parse(stdout)).toEqual({ operators: [] });
    expect((await runOperatorCommand(daemon, "grant", "gil")).code).toBe(5);
  });
});

describe("a retirement that runs concurrently with", () => {
  // [D9-retire-again]
  it("another retirement takes effect and is logged once", async () => {
    const hen = await daemon.createAgent("hen");
    const answers = await Promise.all(Array.from({ length: 8 }, () => expectOk(retire(hen))));
    expect(answers).toEqual(Array(8).fill({ slug: "hen", retired: true }));
    expect(await expectOk(retire(hen))).toEqual({ slug: "hen", retired: true });
    expect(await retirements(hen)).toHaveLength(1);
  });

  // [D9-retire-spaces]
  it("the creation and transfer of spaces leaves no space without an owner", async () => {
    for (let round = 0; round < 5; round++) {
      const slug = `racer-${round}`;
      const racer = await daemon.createAgent(slug);
      await createSpace(bob, `given-${round}`);
      const [gone, , ...others] = await Promise.all([
        retire(racer),
        racer.put("/profile", { bio: "still here" }),
        ...[0, 1, 2].map((n) => racer.post("/spaces", { slug: `made-${round}-${n}`, visibility: "public" })),
        bob.put(`/spaces/given-${round}`, { transfer_owner: slug }),
      ]);
      expect(gone!.status).toBe(200);
      for (const { status } of others) expect([200, 201, 400, 401, 404]).toContain(status);
    }
    const wrong = await withDatabase(daemon.dataDir, (db) =>
      db.all(`SELECT h.slug FROM handles h WHERE h.retired_at IS NOT NULL AND (h.bio IS NOT NULL
        OR EXISTS (SELECT 1 FROM spaces s WHERE s.owner = h.pk AND s.posting_rights <> 'mods') OR EXISTS (SELECT 1 FROM members m WHERE m.handle = h.pk)
        OR EXISTS (SELECT 1 FROM api_keys k WHERE k.handle = h.pk AND k.revoked_at IS NULL))`),
    );
    expect(wrong).toEqual([]);
  });

  // [D9-retire]
  it("the issue of a key leaves no valid key", async () => {
    for (let round = 0; round < 5; round++) {
      const ivy = await daemon.createAgent(`ivy-${round}`);
      const [issued] = await Promise.all([
        ivy.owner.post("/keys", { handle_id: ivy.id }),
        expectOk(retire(ivy)),
      ]);
      if (issued!.status === 201)
        await expectRefused(daemon.client(issued!.body.key).get("/profile"), "UNAUTHORIZED");
      else expect(issued!.status).toBe(404);
    }
  });
});
