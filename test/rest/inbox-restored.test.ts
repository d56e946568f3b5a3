/** An inbox of a database that was restored: readers have cursors of items that it no longer contains. */
import { beforeAll, describe, expect, it } from "vitest";
import { expectOk, sendWire } from "../harness/api-helpers.js";
import type { AgentClient, Body } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { withDatabase } from "../harness/database.js";

/** Of five items, the first was acknowledged and the first three are in the backup. */
const TEXTS = ["1", "2", "3", "4", "5"];
const KEPT = 3;

const { daemon, alice, ...readers } = await hostedFixture([
  "alice",
  "reader",
  "holder",
  "brief",
  "late",
  "owned",
]);
/** The position after the last item that each reader has seen. */
const cursors = new Map<AgentClient, string>();
let ownerCursor = "";

const textsOf = (page: Body): string[] => page.wires.map((wire: { text_body: string }) => wire.text_body);
const read = (reader: AgentClient, query: Record<string, string> = {}): Promise<Body> =>
  expectOk(reader.get(`/inbox?${new URLSearchParams(query)}`));
const readAsOwner = (query: Record<string, string>): Promise<Body> =>
  expectOk(readers.owned.owner.get(`/handles/owned/inbox?${new URLSearchParams(query)}`));

beforeAll(async () => {
  for (const reader of Object.values(readers)) {
    for (const text of TEXTS) await sendWire(alice, reader.slug, { text });
    const first = await read(reader, { limit: "1" });
    await read(reader, { cursor: first.next_cursor, limit: "1" });
    cursors.set(reader, (await read(reader)).next_cursor);
  }
  ownerCursor = (await readAsOwner({ cursor: "latest" })).next_cursor;
  await daemon.restart(() =>
    withDatabase(daemon.dataDir, (database) => database.run(`DELETE FROM inbox WHERE seq > ${KEPT}`)),
  );
});

describe("a cursor after the end of the inbox", () => {
  // [D5-nothing-skipped]
  it("counts as none: the reader gets what it has not acknowledged, and each later item", async () => {
    const { reader } = readers;
    const page = await read(reader, { cursor: cursors.get(reader)! });
    expect(textsOf(page)).toEqual(["2", "3"]);
    const end = await read(reader, { cursor: page.next_cursor });
    expect(end).toMatchObject({ wires: [], next_cursor: page.next_cursor });
    await sendWire(alice, reader.slug, { text: "new" });
    expect(textsOf(await read(reader, { cursor: end.next_cursor }))).toEqual(["new"]);
    expect(textsOf(await read(reader))).toEqual(["new"]);
  });

  // [D5-nothing-skipped] [D14-brief-pages]
  it("does so in a brief page, too", async () => {
    const { brief } = readers;
    const page = await read(brief, { cursor: cursors.get(brief)!, brief: "true" });
    expect(textsOf(page)).toEqual(["2", "3"]);
  });

  // [D5-nothing-skipped]
  it("skips no item that was sent before it is presented", async () => {
    const { late } = readers;
    await sendWire(alice, late.slug, { text: "new" });
    expect(textsOf(await read(late, { cursor: cursors.get(late)! }))).toEqual(["2", "3", "new"]);
  });

  // [D5-wait] [D5-nothing-skipped]
  it("ends a long poll of an inbox that was read to its end with the next item", async () => {
    const { holder } = readers;
    await read(holder, { cursor: (await read(holder)).next_cursor });
    const held = read(holder, { cursor: cursors.get(holder)!, wait: "20" });
    await new Promise((resolve) => setTimeout(resolve, 500));
    await sendWire(alice, holder.slug, { text: "new" });
    expect(textsOf(await held)).toEqual(["new"]);
    expect(textsOf(await read(holder))).toEqual(["new"]);
  });

  // [D16-owner-wait]
  it("is the end for the owner, who gets the next item", async () => {
    const { next_cursor } = await readAsOwner({ cursor: ownerCursor });
    expect(next_cursor).not.toBe(ownerCursor);
    const held = readAsOwner({ cursor: ownerCursor, wait: "20" });
    await new Promise((resolve) => setTimeout(resolve, 500));
    await sendWire(alice, "owned", { text: "new" });
    expect(textsOf(await held)).toEqual(["new"]);
    expect(textsOf(await readAsOwner({ cursor: next_cursor }))).toEqual(["new"]);
  });
});
