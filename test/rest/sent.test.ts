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
import { decideApproval, sendHeldWire, setEgressPolicy } from "../harness/egress.js";
import { readAllPages } from "../harness/pagination.js";

const { daemon, alice, bob } = await hostedFixture(["alice", "bob"]);
let handles = 0;
const newHandle = () => daemon.createAgent(`sender-${handles++}`);

const sentBy = (agent: AgentClient, query = ""): Promise<Body> => expectOk(agent.get(`/sent${query}`));
const idsOf = (wires: Body[]): string[] => wires.map(({ id }) => id);

describe("GET /sent", () => {
  // [D14-sent]
  it("lists the wires of the caller, newest first, with the fields of a feed", async () => {
    const sender = await newHandle();
    expect(await sentBy(sender)).toEqual({ wires: [], next_cursor: null });
    await createSpace(alice, "votes", { root_rule: { allow_text: true, votable: true } });
    const dm = await sendWire(sender, "bob");
    const post = await sendWire(sender, "#votes");
    await sendWire(bob, sender.slug, { text: "an answer", reply_to: dm.id });
    const note = await sendWire(sender, sender.slug);
    await expectOk(bob.put(`/wires/${post.id}/vote`));
    const { wires, next_cursor } = await sentBy(sender);
    expect(idsOf(wires)).toEqual([note.id, post.id, dm.id]);
    expect(next_cursor).toBeNull();
    expect(wires[1]).toEqual(await readWire(sender, post));
    expect(wires[1].vote_count).toBe(1);
    expect(wires[2]).toEqual(await readWire(sender, dm));
  });

  // [D14-sent-pages]
  it("has stable pages", async () => {
    const sender = await newHandle();
    const sent: string[] = [];
    for (let n = 0; n < 5; n++) sent.push((await sendWire(sender, n % 2 ? "bob" : "alice")).id);
    expect(idsOf(await readAllPages(sender, "/sent", "wires", 2))).toEqual([...sent].reverse());
    const { next_cursor } = await sentBy(sender, "?limit=2");
    await sendWire(sender, "bob");
    expect(idsOf((await sentBy(sender, `?limit=2&cursor=${next_cursor}`)).wires)).toEqual([sent[2], sent[1]]);
    await expectRefused(alice.get(`/sent?cursor=${next_cursor}`), "VALIDATION_ERROR");
    await expectRefused(sender.get(`/sent?to=bob&cursor=${next_cursor}`), "VALIDATION_ERROR");
    await expectRefused(sender.get("/sent?limit=101"), "VALIDATION_ERROR");
  });

  // [D14-sent-to]
  it("selects the wires to one handle or space with `to`", async () => {
    const sender = await newHandle();
    await createSpace(alice, "filtered");
    const sent: Record<string, string[]> = { bob: [], alice: [], "#filtered": [] };
    for (let n = 0; n < 9; n++) {
      const to = ["bob", "alice", "#filtered"][n % 3]!;
      sent[to]!.unshift((await sendWire(sender, to)).id);
    }
    for (const [to, ids] of Object.entries(sent)) {
      const path = `/sent?to=${encodeURIComponent(to)}`;
      expect(idsOf(await readAllPages(sender, path, "wires", 2))).toEqual(ids);
    }
    expect(idsOf((await sentBy(sender, "?to=@bob")).wires)).toEqual(sent.bob);
    expect((await sentBy(bob, `?to=${sender.slug}`)).wires).toEqual([]);
  });

  // [D17-sent-delivery]
  it("gives each DM its delivery, and selects those in one state", async () => {
    const [sender, reader, silent] = [await newHandle(), await newHandle(), await newHandle()];
    await expectOk(silent.put("/profile", { delivery_receipts: false }));
    await createSpace(sender, "posts");
    await setEgressPolicy(sender, { mode: "approval", deny: [], allow: [`@${silent.slug}`, "#posts"] });
    const held = await sendHeldWire(sender, reader.slug);
    await decideApproval(sender, held);
    await setEgressPolicy(sender, { mode: "open" });
    const read = [held.id, (await sendWire(sender, reader.slug)).id];
    await readInboxToEnd(reader);
    const queued = (await sendWire(sender, reader.slug)).id;
    const hidden = (await sendWire(sender, silent.slug)).id;
    await readInboxToEnd(silent);
    const removed = (await sendWire(sender, reader.slug)).id;
    const post = await sendWire(sender, "#posts");
    const removedPost = await sendWire(sender, "#posts");
    for (const id of [removed, removedPost.id]) await expectOk(sender.delete(`/wires/${id}`));

    const { wires } = await sentBy(sender);
    expect(idsOf(wires)).toEqual([removedPost.id, post.id, removed, hidden, queued, ...read.toReversed()]);
    for (const wire of wires) expect(wire).toEqual(await readWire(sender, wire));
    const states = wires.map(({ delivery }: Body) => delivery?.state);
    expect(states).toEqual([undefined, undefined, "removed", "queued", "queued", "read", "read"]);
    const briefs = (await sentBy(sender, "?brief=true")).wires;
    expect(briefs.map(({ delivery }: Body) => delivery)).toEqual(wires.map(({ delivery }: Body) => delivery));

    for (const state of ["queued", "read", "removed"]) {
      const ids = idsOf(wires.filter(({ delivery }: Body) => delivery?.state === state));
      expect(idsOf(await readAllPages(sender, `/sent?delivery=${state}`, "wires", 1))).toEqual(ids);
      expect((await sentBy(sender, `?delivery=${state}&to=%23posts`)).wires).toEqual([]);
    }
    expect(idsOf((await sentBy(sender, `?delivery=queued&to=${silent.slug}`)).wires)).toEqual([hidden]);
    const { next_cursor } = await sentBy(sender, "?delivery=queued&limit=1");
    for (const query of ["delivery=read&", ""])
      await expectRefused(sender.get(`/sent?${query}cursor=${next_cursor}`), "VALIDATION_ERROR");
    await expectRefused(sender.get("/sent?delivery=held"), "VALIDATION_ERROR");
  });

  // [D14-sent-unknown]
  it("answers 404 for an unknown target, and 400 for what is no target", async () => {
    await createSpace(bob, "closed", { visibility: "private" });
    for (const to of ["nobody", "@nobody", "#nowhere", "#closed"])
      await expectRefused(alice.get(`/sent?to=${encodeURIComponent(to)}`), "NOT_FOUND");
    await expectRefused(alice.get("/sent?to=A"), "VALIDATION_ERROR");
  });

  // [D14-sent-private]
  it("omits wires in private spaces that the caller has left, and shows them again after it returns", async () => {
    const sender = await newHandle();
    await createSpace(alice, "secret", { visibility: "private" });
    const setRole = (role: string) =>
      expectOk(alice.put("/spaces/secret", { members: [{ handle: sender.slug, role }] }));
    await setRole("poster");
    const [post, dm] = [await sendWire(sender, "#secret"), await sendWire(sender, "bob")];
    expect(idsOf((await sentBy(sender)).wires)).toEqual([dm.id, post.id]);
    await setRole("remove");
    expect(idsOf((await sentBy(sender)).wires)).toEqual([dm.id]);
    await expectRefused(sender.get("/sent?to=%23secret"), "NOT_FOUND");
    await setRole("reader");
    expect(idsOf((await sentBy(sender, "?to=%23secret")).wires)).toEqual([post.id]);
  });

  // [D14-sent-tombstones]
  it("keeps tombstones", async () => {
    const sender = await newHandle();
    const { id } = await sendWire(sender, "bob");
    const { tombstone } = await expectOk(sender.delete(`/wires/${id}`));
    expect((await sentBy(sender)).wires).toMatchObject([{ id, text_body: null, tombstone }]);
  });

  // [D14-sent]
  it("lists an approved wire when it was sent, and wires to a retired handle", async () => {
    const [sender, gone] = [await newHandle(), await newHandle()];
    await setEgressPolicy(sender, { mode: "approval", allow: [`@${gone.slug}`] });
    const held = await sendHeldWire(sender, "bob");
    const sent = await sendWire(sender, gone.slug);
    expect(idsOf((await sentBy(sender)).wires)).toEqual([sent.id]);
    await decideApproval(sender, held);
    expect(idsOf((await sentBy(sender)).wires)).toEqual([held.id, sent.id]);
    await expectOk(gone.owner.delete(`/handles/${gone.slug}`));
    expect(idsOf((await sentBy(sender, `?to=${gone.slug}`)).wires)).toEqual([sent.id]);
  });

  // [D14-sent-pages]
  it("has stable pages of wires that were held and wires that were not, in the order in which they were sent", async () => {
    const [sender, other] = [await newHandle(), await newHandle()];
    await setEgressPolicy(sender, { mode: "approval", allow: [`@${other.slug}`] });
    const order: string[] = [];
    const held: Body[] = [];
    for (const step of "hhshsrshrrsrhsr") {
      if (step === "h") held.push(await sendHeldWire(sender, "bob"));
      else if (step === "s") order.unshift((await sendWire(sender, other.slug)).id);
      else {
        // The one that was held last is approved first.
        const released = held.pop();
        await decideApproval(sender, released);
        order.unshift(released.id);
      }
    }
    for (const limit of [1, 2, 3, 100])
      expect(idsOf(await readAllPages(sender, "/sent", "wires", limit))).toEqual(order);
    const toBob = await sentBy(sender, "?to=bob&limit=2");
    const rest = await sentBy(sender, `?to=bob&cursor=${encodeURIComponent(toBob.next_cursor)}`);
    const bobs = [...toBob.wires, ...rest.wires];
    expect(bobs).toHaveLength(order.length - idsOf((await sentBy(sender, `?to=${other.slug}`)).wires).length);
    expect(idsOf(bobs)).toEqual(order.filter((id) => idsOf(bobs).includes(id)));
  });
});
