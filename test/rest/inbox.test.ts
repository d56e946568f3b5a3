import { describe, expect, it } from "vitest";
import {
  createSpace,
  expectOk,
  expectRefused,
  NO_ITEMS,
  sendKnock,
  sendWire,
} from "../harness/api-helpers.js";
import type { AgentClient, Body } from "../harness/daemon.js";
import { daemonFixture } from "../harness/daemon-fixture.js";

const { daemon, alice } = await daemonFixture(["alice"]);
let readers = 0;

/** Creates a handle with an empty inbox. */
const newReader = () => daemon.createAgent(`reader-${readers++}`);
const read = (reader: AgentClient, query = ""): Promise<Body> => expectOk(reader.get(`/inbox${query}`));
const textsOf = (page: Body): string[] => page.wires.map((wire: { text_body: string }) => wire.text_body);
const sendAll = async (to: AgentClient, ...texts: string[]) => {
  for (const text of texts) await sendWire(alice, to.slug, { text });
};

describe("GET /inbox", () => {
  // [D5-next-cursor] [S4.1-inbox-fields]
  it("returns an empty page with a string next_cursor for a new inbox", async () => {
    const reader = await newReader();
    const page = await read(reader);
    expect(page).toEqual({ ...NO_ITEMS, next_cursor: expect.any(String) });
    expect(await read(reader, `?cursor=${page.next_cursor}`)).toEqual(page);
  });

  // [S1-pull] [S6-dm-in-inbox] [S4.1-inbox-fields]
  it("returns wires until the reader has acknowledged them", async () => {
    const reader = await newReader();
    const sent = await sendWire(alice, reader.slug, { text: "hi", payload: [1] });
    const page = await read(reader);
    expect(page.wires).toEqual([await expectOk(reader.get(`/wires/${sent.id}`))]);
    expect(await read(reader)).toEqual(page);
    expect((await read(reader, `?cursor=${page.next_cursor}`)).wires).toEqual([]);
    expect((await read(reader)).wires).toEqual([]);
  });

  // [S6-knock-in-inbox] [S6-notice-in-inbox] [S4.1-inbox-notice]
  it("returns knocks and tombstone notices with the wires", async () => {
    const reader = await newReader();
    const id = await sendKnock(alice, reader.slug, "may I?");
    const sent = await sendWire(alice, reader.slug);
    const { tombstone } = await expectOk(alice.delete(`/wires/${sent.id}`));
    const page = await read(reader);
    expect(page.knocks).toEqual([
      {
        id,
        from_handle_id: alice.id,
        to_handle_id: reader.id,
        from: alice.slug,
        to: reader.slug,
        intro: "may I?",
        status: "pending",
        created_at: expect.any(String),
        decided_at: null,
      },
    ]);
    expect(page.tombstone_notices).toEqual([
      { wire_id: sent.id, thread_id: sent.thread_id, removed_by: "sender", removed_at: tombstone.at },
    ]);
    expect(page.wires).toHaveLength(1);
  });

  // [S6-space-in-feed]
  it("omits wires of spaces and the wires of the reader", async () => {
    const reader = await newReader();
    await createSpace(reader, "not-in-inbox");
    const root = await sendWire(reader, "#not-in-inbox");
    const reply = await sendWire(alice, "#not-in-inbox", { text: "reply", reply_to: root.id });
    await sendWire(reader, "alice");
    expect((await read(reader)).wires).toEqual([]);
    const feed = await expectOk(reader.get("/spaces/not-in-inbox/wires"));
    expect(feed.wires.map((wire: { id: string }) => wire.id)).toEqual([reply.id, root.id]);
  });

  // [D5-nothing-lost] [D5-from-checkpoint] [S4.1-inbox-since]
  it("returns items again until their cursor is presented, so that a crashed agent loses nothing", async () => {
    const reader = await newReader();
    await sendAll(reader, "1", "2");
    const first = await read(reader);
    expect(await read(reader)).toEqual(first);
    await read(reader, `?cursor=${first.next_cursor}`);
    expect(await read(reader)).toMatchObject({ wires: [], next_cursor: first.next_cursor });
    await sendAll(reader, "3");
    expect(textsOf(await read(reader))).toEqual(["3"]);
  });

  // [D5-never-twice] [S6-cursor-based]
  it("returns each item once to a reader that presents cursors", async () => {
    const reader = await newReader();
    const seen: string[] = [];
    let cursor = "";
    for (let round = 0; round < 6; round++) {
      await sendAll(reader, `${round}a`, `${round}b`);
      const page = await read(reader, `?limit=3${cursor && `&cursor=${cursor}`}`);
      seen.push(...textsOf(page));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(["0a", "0b", "1a", "1b", "2a", "2b", "3a", "3b", "4a", "4b", "5a", "5b"]);
  });

  // [D5-older-cursor] [D5-checkpoint-forward]
  it("reads again from an older cursor, and never moves the checkpoint back", async () => {
    const reader = await newReader();
    const start = (await read(reader)).next_cursor;
    await sendAll(reader, "1", "2", "3");
    const one = (await read(reader, "?limit=1")).next_cursor;
    const three = (await read(reader)).next_cursor;
    await read(reader, `?cursor=${three}`);
    expect(textsOf(await read(reader, `?cursor=${one}`))).toEqual(["2", "3"]);
    expect(textsOf(await read(reader, `?cursor=${start}`))).toEqual(["1", "2", "3"]);
    expect(await read(reader)).toMatchObject({ wires: [], next_cursor: three });
  });

  // [D5-checkpoint-forward]
  it("moves the checkpoint to the presented cursor, not to the end of the page", async () => {
    const reader = await newReader();
    await sendAll(reader, "1", "2", "3");
    const one = (await read(reader, "?limit=1")).next_cursor;
    const two = (await read(reader, `?limit=1&cursor=${one}`)).next_cursor;
    expect(textsOf(await read(reader))).toEqual(["2", "3"]);
    await read(reader, `?cursor=${two}`);
    expect(textsOf(await read(reader))).toEqual(["3"]);
  });

  // [D5-one-log] [S4.1-inbox-limit]
  it("counts wires, knocks and notices together, 50 by default, in one order", async () => {
    const reader = await newReader();
    const sent = await sendWire(alice, reader.slug, { text: "0" });
    await sendKnock(alice, reader.slug);
    await expectOk(alice.delete(`/wires/${sent.id}`));
    await Promise.all(Array.from({ length: 110 }, () => sendWire(alice, reader.slug)));
    const count = ({ wires, knocks, tombstone_notices }: Body) => [
      wires.length,
      knocks.length,
      tombstone_notices.length,
    ];
    expect(count(await read(reader))).toEqual([48, 1, 1]);
    expect(count(await read(reader, "?limit=1"))).toEqual([1, 0, 0]);
    expect(count(await read(reader, "?limit=2"))).toEqual([1, 1, 0]);
    expect(count(await read(reader, "?limit=3"))).toEqual([1, 1, 1]);
    expect(count(await read(reader, "?limit=100"))).toEqual([98, 1, 1]);
  });

  // [S6-cursor-based] [S4.1-inbox-limit]
  it.each([
    "limit=0",
    "limit=101",
    "limit=-1",
    "limit=x",
    "limit=1.5",
    "wait=-1",
    "wait=61",
    "wait=x",
    "cursor=",
    "cursor=x",
  ])("rejects %s", async (query) => {
    await expectRefused(alice.get(`/inbox?${query}`), "VALIDATION_ERROR");
  });

  // [S6-cursor-based]
  it("rejects a cursor of another inbox or another list", async () => {
    const [one, two] = [await newReader(), await newReader()];
    await sendAll(one, "1", "2");
    const { next_cursor } = await read(one, "?limit=1");
    await expectRefused(two.get(`/inbox?cursor=${next_cursor}`), "VALIDATION_ERROR");
    await expectRefused(one.get(`/knocks?cursor=${next_cursor}`), "VALIDATION_ERROR");
    await expectRefused(one.get(`/inbox?cursor=${next_cursor}0`), "VALIDATION_ERROR");
  });

  // [D5-checkpoint-forward] [D5-nothing-lost]
  it("keeps checkpoint and cursors after a restart and after SIGKILL", async () => {
    const reader = await newReader();
    await sendAll(reader, "1", "2", "3");
    const one = (await read(reader, "?limit=1")).next_cursor;
    const two = (await read(reader, `?limit=1&cursor=${one}`)).next_cursor;
    await daemon.restart();
    expect(textsOf(await read(reader))).toEqual(["2", "3"]);
    expect(textsOf(await read(reader, `?cursor=${two}`))).toEqual(["3"]);
    await daemon.kill();
    await daemon.restart();
    expect(textsOf(await read(reader))).toEqual(["3"]);
  });
});
