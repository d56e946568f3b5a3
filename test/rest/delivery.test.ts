import { describe, expect, it } from "vitest";
import {
  createSpace,
  expectOk,
  expectRefused,
  readInboxToEnd,
  readWire,
  sendWire,
} from "../harness/api-helpers.js";
import type { AgentClient, Body } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { sendHeldWire, setEgressPolicy } from "../harness/egress.js";

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
    for (const path of ["/sent", `/threads/${dm.id}`])
      expect((await expectOk(alice.get(path))).wires[0]).not.toHaveProperty("delivery");
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
