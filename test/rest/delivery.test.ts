import { describe, expect, it } from "vitest";
import {
  createSpace,
  expectOk,
  expectRefused,
  makeContacts,
  readInboxToEnd,
  readWire,
  sendKnock,
  sendWire,
} from "../harness/api-helpers.js";
import type { AgentClient, Body } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { withDatabase } from "../harness/database.js";
import { decideApproval, sendHeldWire, setEgressPolicy } from "../harness/egress.js";
import { jsonRpcToolCaller } from "../harness/mcp.js";

const { daemon, alice, bob } = await hostedFixture(["alice", "bob"]);
let handles = 0;
const newReader = () => daemon.createAgent(`reader-${handles++}`);

const deliveryOf = async (sender: AgentClient, wire: Body): Promise<Body> =>
  (await readWire(sender, wire)).delivery;
const setReceipts = (handle: AgentClient, delivery_receipts: boolean) =>
  expectOk(handle.put("/profile", { delivery_receipts }));

/** Sends a wire and reads the inbox of its recipient to its end. */
async function sendAndRead(reader: AgentClient): Promise<Body> {
  const sent = await sendWire(alice, reader.slug);
  await readInboxToEnd(reader);
  return sent;
}

describe("`delivery` of GET /wires/{id}", () => {
  // [D14-delivery] [D14-delivery-at]
  it("is queued until the recipient has acknowledged the wire, then read", async () => {
    const reader = await newReader();
    const first = await sendWire(alice, reader.slug);
    const { created_at, delivery } = await readWire(alice, first);
    expect(delivery).toEqual({ state: "queued", at: created_at });
    const page = await expectOk(reader.get("/inbox"));
    expect((await deliveryOf(alice, first)).state).toBe("queued");
    const second = await sendWire(alice, reader.slug);
    await expectOk(reader.get(`/inbox?cursor=${page.next_cursor}`));
    const read = await deliveryOf(alice, first);
    expect(read.state).toBe("read");
    // The clock of the database may differ from that of the test.
    const sentAt = async (wire: Body) => Date.parse((await readWire(alice, wire)).created_at);
    expect(Date.parse(read.at)).toBeGreaterThanOrEqual(await sentAt(second));
    expect(Date.parse(read.at)).toBeLessThanOrEqual(await sentAt(await sendWire(alice, reader.slug)));
    expect((await deliveryOf(alice, second)).state).toBe("queued");
    await readInboxToEnd(reader);
    // Later acknowledgements, and reads of older cursors, do not change the time.
    await expectOk(reader.get(`/inbox?cursor=${page.next_cursor}`));
    expect(await deliveryOf(alice, first)).toEqual(read);
    expect((await deliveryOf(alice, second)).state).toBe("read");
  });

  // [D14-delivery-removed]
  it("is removed after a removal, read or not", async () => {
    const reader = await newReader();
    for (const isRead of [false, true]) {
      const sent = isRead ? await sendAndRead(reader) : await sendWire(alice, reader.slug);
      const { tombstone } = await expectOk(alice.delete(`/wires/${sent.id}`));
      expect(await deliveryOf(alice, sent)).toEqual({ state: "removed", at: tombstone.at });
    }
  });

  // [D14-delivery-sender]
  it("is shown to the sender of a sent DM alone", async () => {
    await createSpace(alice, "no-receipts");
    const [dm, post] = [await sendWire(alice, "bob"), await sendWire(alice, "#no-receipts")];
    expect(await readWire(bob, dm)).not.toHaveProperty("delivery");
    expect(await readWire(alice, post)).not.toHaveProperty("delivery");
    const [lastSent, before] = (await expectOk(alice.get("/sent"))).wires;
    expect(lastSent).not.toHaveProperty("delivery");
    expect(before).toEqual(await readWire(alice, dm));
    expect((await expectOk(alice.get(`/threads/${dm.id}`))).wires[0]).not.toHaveProperty("delivery");
    const sender = await newReader();
    await setEgressPolicy(sender, { mode: "approval" });
    expect(await readWire(sender, await sendHeldWire(sender, "bob"))).not.toHaveProperty("delivery");
    const note = await sendWire(bob, "bob");
    expect((await deliveryOf(bob, note)).state).toBe("queued");
  });
});

describe("`delivery_receipts` of a handle", () => {
  // [D14-receipts]
  it("is true by default, and shown to its owner alone", async () => {
    const reader = await newReader();
    expect((await expectOk(reader.get("/profile"))).delivery_receipts).toBe(true);
    expect((await setReceipts(reader, false)).delivery_receipts).toBe(false);
    expect((await expectOk(reader.put("/profile", { discoverable: true }))).delivery_receipts).toBe(false);
    expect((await expectOk(reader.get("/profile"))).delivery_receipts).toBe(false);
    const { handles } = await expectOk(reader.owner.get("/handles"));
    expect(handles).toMatchObject([{ slug: reader.slug, delivery_receipts: false }]);
    const [found] = await expectOk(alice.get("/search?type=handles"));
    expect(found.slug).toBe(reader.slug);
    expect(found).not.toHaveProperty("delivery_receipts");
    await expectRefused(reader.put("/profile", { delivery_receipts: null }), "VALIDATION_ERROR");
  });

  // [D14-receipts-off]
  it("hides every read while it is false", async () => {
    const reader = await newReader();
    const before = await sendAndRead(reader);
    const read = await deliveryOf(alice, before);
    await setReceipts(reader, false);
    const during = await sendAndRead(reader);
    for (const sent of [before, during]) {
      const { created_at, delivery } = await readWire(alice, sent);
      expect(delivery).toEqual({ state: "queued", at: created_at });
    }
    await setReceipts(reader, true);
    expect(await deliveryOf(alice, before)).toEqual(read);
  });

  // [D14-receipts-later]
  it("never reveals later what was read while it was false", async () => {
    const reader = await newReader();
    await sendAndRead(reader);
    await setReceipts(reader, false);
    const during = await sendAndRead(reader);
    const unread = await sendWire(alice, reader.slug);
    await setReceipts(reader, true);
    const after = await sendAndRead(reader);
    expect((await deliveryOf(alice, during)).state).toBe("queued");
    expect((await deliveryOf(alice, unread)).state).toBe("read");
    expect((await deliveryOf(alice, after)).state).toBe("read");
  });
});

/** Returns a handle of another human, and a contact of it. */
async function newContacts(): Promise<[sender: AgentClient, reader: AgentClient]> {
  const pair: [AgentClient, AgentClient] = [await newReader(), await newReader()];
  await makeContacts(...pair);
  return pair;
}

const send = (sender: AgentClient, reader: AgentClient, fields: object = {}) =>
  sendWire(sender, reader.slug, { text: "hello", ...fields });
const listedPull = async (agent: AgentClient, contact: AgentClient): Promise<string | null> => {
  const { contacts } = await expectOk(agent.get("/contacts"));
  return contacts.find(({ handle }: Body) => handle === contact.slug).last_pull_at;
};
const minuteOf = (time: string) => time.replace(/:[0-9.]+Z$/, ":00.000Z");

describe("`recipient.last_pull_at` of POST /wires", () => {
  // [D17-last-pull] [D17-last-pull-contacts] [D17-last-pull-kept]
  it("is the minute in which the recipient last began to read its inbox, on REST or MCP", async () => {
    const [sender, reader] = await newContacts();
    const first = await send(sender, reader);
    expect(first.recipient).toEqual({ last_pull_at: null });
    expect(await listedPull(sender, reader)).toBeNull();
    await expectRefused(reader.get("/inbox?cursor=invented"), "VALIDATION_ERROR");
    await expectOk(reader.get(`/threads/${first.id}`));
    expect((await send(sender, reader)).recipient.last_pull_at).toBeNull();
    await expectOk(reader.get("/inbox?limit=1"));
    const second = await send(sender, reader);
    const { last_pull_at } = second.recipient;
    const [earliest, latest] = [await readWire(sender, first), await readWire(sender, second)];
    expect(last_pull_at >= minuteOf(earliest.created_at)).toBe(true);
    expect(last_pull_at <= minuteOf(latest.created_at)).toBe(true);
    expect(last_pull_at).toBe(minuteOf(last_pull_at));
    expect(await listedPull(sender, reader)).toBe(last_pull_at);
    const stored = () =>
      withDatabase(daemon.dataDir, (database) =>
        database.all(
          "SELECT c.pulled_at AS at FROM checkpoints c JOIN handles h ON h.pk = c.handle WHERE h.slug = ?",
          reader.slug,
        ),
      );
    await expect.poll(stored).toEqual([{ at: Date.parse(last_pull_at) }]);

    const [other, model] = await newContacts();
    await jsonRpcToolCaller(daemon, model).call("read_inbox");
    expect((await send(other, model)).recipient.last_pull_at).not.toBeNull();
  });

  // [D17-last-pull]
  it("is set while a read is held", async () => {
    const [sender, reader] = await newContacts();
    await readInboxToEnd(reader);
    const [other, waiting] = await newContacts();
    await readInboxToEnd(other);
    const held = reader.get("/inbox?wait=30");
    await expect.poll(async () => listedPull(sender, reader)).not.toBeNull();
    await send(sender, reader);
    await expectOk(held);
    expect(await listedPull(other, waiting)).toBeNull();
  });

  // [D17-last-pull-human]
  it("does not count reads of a human", async () => {
    const [sender, reader] = await newContacts();
    await send(sender, reader);
    const { token } = await expectOk(reader.owner.post(`/handles/${reader.slug}/token`), 201);
    await readInboxToEnd(daemon.client(token));
    await expectOk(reader.owner.get(`/handles/${reader.slug}/inbox`));
    expect((await send(sender, reader)).recipient).toEqual({ last_pull_at: null });
  });

  // [D17-last-pull-shown] [D17-last-pull-contacts]
  it("is absent for strangers, notes, spaces and blocks, and if receipts are off", async () => {
    const [sender, reader] = await newContacts();
    await readInboxToEnd(reader);
    const shown = (await send(sender, reader)).recipient;
    expect(shown.last_pull_at).not.toBeNull();
    const expectHidden = async (isContact: boolean) => {
      expect(await send(sender, reader)).not.toHaveProperty("recipient");
      if (isContact) expect(await listedPull(sender, reader)).toBeNull();
    };
    await setReceipts(reader, false);
    await expectHidden(true);
    await setReceipts(reader, true);
    await expectOk(sender.put(`/blocks/${reader.slug}`));
    await expectHidden(true);
    await expectOk(sender.delete(`/blocks/${reader.slug}`));
    await expectOk(reader.put(`/blocks/${sender.slug}`));
    expect(await listedPull(sender, reader)).toBeNull();
    await expectOk(reader.delete(`/blocks/${sender.slug}`));
    expect((await send(sender, reader)).recipient).toEqual(shown);
    await expectOk(sender.delete(`/contacts/${reader.slug}`));
    await expectHidden(false);
    expect(await send(sender, sender)).not.toHaveProperty("recipient");
    expect(await sendWire(sender, "#no-receipts")).not.toHaveProperty("recipient");
    expect((await expectOk(sender.get("/blocks"))).blocks).toEqual([]);
  });

  // [D17-last-pull-shown]
  it("is shown to a handle of the same account, to one that accepts a knock, and for a wire that is held", async () => {
    const reader = await newReader();
    await readInboxToEnd(reader);
    const sibling = await daemon.createAgent(`reader-${handles++}`, {}, reader.slug);
    const { recipient } = await send(sibling, reader);
    expect(recipient.last_pull_at).not.toBeNull();
    expect((await expectOk(sibling.get("/contacts"))).contacts).toEqual([]);

    const sender = await newReader();
    await sendKnock(reader, sender.slug);
    await setEgressPolicy(sender, { mode: "approval" });
    const held = await sendHeldWire(sender, reader.slug);
    expect(held).not.toHaveProperty("recipient");
    await decideApproval(sender, held);
    expect((await sendHeldWire(sender, reader.slug)).recipient).toEqual(recipient);
    const other = await newReader();
    await sendKnock(reader, other.slug);
    expect((await send(other, reader)).recipient).toEqual(recipient);
  });

  // [D17-last-pull-replay]
  it("is that of the first response if the request is repeated", async () => {
    const [sender, reader] = await newContacts();
    const headers = { "idempotency-key": "pull" };
    const body = { to: reader.slug, text: "once" };
    const first = await expectOk(sender.post("/wires", body, headers), 201);
    await readInboxToEnd(reader);
    expect(first.recipient).toEqual({ last_pull_at: null });
    expect(await expectOk(sender.post("/wires", body, headers), 201)).toEqual(first);
    const waited = await expectOk(sender.post("/wires", { ...body, wait_for_reply: 0 }, headers), 201);
    expect(waited).toEqual({ ...first, reply: null });
  });
});
