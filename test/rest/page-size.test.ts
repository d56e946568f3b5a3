import { beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../src/contract/index.js";
import { createSpace, expectOk, readInboxToEnd, sendKnock, sendWire } from "../harness/api-helpers.js";
import type { Body, Client } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { sendHeldWire, setEgressPolicy } from "../harness/egress.js";
import { jsonRpcToolCaller } from "../harness/mcp.js";
import { grantOperator } from "../harness/operator.js";

const MIB = 1024 * 1024;
const MAX_PAGE_BYTES = 4 * MIB;
/** A page also contains field names and a cursor, so it may end this many bytes early. */
const ENVELOPE_BYTES = 2_048;

const { daemon, alice, bob, carol, dave } = await hostedFixture(["alice", "bob", "carol", "dave"]);

/** Sizes of payloads: mostly the largest that a request can have, and some small and medium ones between. */
const SIZES = [
  ...Array.from({ length: 6 }, () => [261_000, 200, 140_000]).flat(),
  ...Array.from({ length: 8 }, () => 261_000),
  10,
];

const payloadOf = (size: number) => ({ padding: "é".repeat(size / 2) });
const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/**
 * Reads all pages of a list, and checks that each page ends where the limit on its size says. Returns the
 * items.
 */
async function readFullPages(reader: Client, path: string, items: string): Promise<Body[]> {
  const pages: Body[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const start = path.includes("limit=") ? path : `${path}${path.includes("?") ? "&" : "?"}limit=100`;
    const page: Body = await expectOk(
      reader.get(`${start}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`),
    );
    if (page[items].length === 0) break;
    expect(sizeOf(page)).toBeLessThanOrEqual(MAX_PAGE_BYTES);
    pages.push(page);
    cursor = page.next_cursor as string | null;
  }
  expect(pages.length).toBeGreaterThan(1);
  for (const [n, page] of pages.slice(0, -1).entries()) {
    const next = pages[n + 1]![items][0];
    expect(sizeOf(page) + sizeOf(next) + ENVELOPE_BYTES).toBeGreaterThan(MAX_PAGE_BYTES);
  }
  return pages.flatMap((page) => page[items]);
}

const idsOf = (items: Body[]) => items.map(({ id }) => id as string);

/** Lists of which a page can exceed 4 MiB. The tests below read each of them. */
const LARGE = [
  "inbox.read",
  "handles.inbox",
  "threads.get",
  "handles.thread",
  "spaces.feed",
  "spaces.search",
  "wires.search",
  "sent.list",
  "operator.listWires",
  "handles.list",
  "approvals.list",
  "spaces.list",
];
/** Lists of which the largest page is below 1 MiB, because their items have short fields only. */
const SMALL = [
  "knocks.list",
  "contacts.list",
  "blocks.list",
  "keys.list",
  "spaces.members",
  "audit.list",
  "connections.list",
  "operator.listHandles",
  "signIns.list",
];

// [D15-page-bytes]
it("every list with a cursor is known to this test", () => {
  const lists = operations.filter(({ output }) => {
    const { properties = {} } = output as { properties?: object };
    return "next_cursor" in properties;
  });
  expect(lists.map(({ id }) => id).sort()).toEqual([...LARGE, ...SMALL].sort());
});

// [D15-page-bytes]
describe("a page of large items ends before the item with which it would exceed 4 MiB", () => {
  const dms: string[] = [];
  const posts: string[] = [];

  beforeAll(async () => {
    await createSpace(alice, "large", { root_rule: { allow_text: true, votable: true } });
    for (const size of SIZES) {
      const reply_to = dms[0];
      const payload = payloadOf(size);
      dms.push((await sendWire(alice, "@bob", { payload, ...(reply_to && { reply_to }) })).id);
      posts.push((await sendWire(alice, "#large", { text: "word", payload })).id);
    }
  });

  it("brief pages have the same items, with cursors after the same ones", async () => {
    const search = `/spaces/large/search?limit=100&q=${encodeURIComponent('"word"')}`;
    const lists: [Client, string][] = [
      [bob, "/inbox?limit=100"],
      [bob, `/threads/${dms[3]}?limit=100`],
      [bob, "/spaces/large/wires?limit=100"],
      [bob, search],
      [alice, "/sent?to=%23large&limit=100"],
    ];
    for (const [reader, path] of lists) {
      const whole = await expectOk(reader.get(path));
      const brief = await expectOk(reader.get(`${path}&brief=true`));
      expect(idsOf(brief.wires)).toEqual(idsOf(whole.wires));
      expect(brief.next_cursor).toBe(whole.next_cursor);
      for (const [n, wire] of brief.wires.entries()) {
        expect(wire).toEqual({ ...whole.wires[n], payload: null, cut: true });
      }
    }
  });

  it("in an inbox, with knocks and notices, and the checkpoint skips nothing", async () => {
    await readInboxToEnd(carol);
    const expected: string[] = [];
    for (const [n, size] of SIZES.entries()) {
      expected.push((await sendWire(alice, "@carol", { payload: payloadOf(size) })).id);
      if (n === 3) expected.push(await sendKnock(dave, "@carol", "\u0001".repeat(500)));
    }
    await expectOk(alice.delete(`/wires/${expected[0]}`));
    const found: string[] = [];
    let pages = 0;
    for (let cursor = ""; ; pages++) {
      const page = await expectOk(carol.get(`/inbox?limit=100${cursor && `&cursor=${cursor}`}`));
      expect(sizeOf(page)).toBeLessThanOrEqual(MAX_PAGE_BYTES);
      if (page.next_cursor === cursor) break;
      cursor = page.next_cursor;
      found.push(...idsOf(page.wires), ...idsOf(page.knocks));
      found.push(...page.tombstone_notices.map(({ wire_id }: Body) => `removed ${wire_id}`));
    }
    expect(pages).toBeGreaterThan(1);
    expect(found.sort()).toEqual([...expected, `removed ${expected[0]}`].sort());
    // The inbox is read to its end, and a long poll without new items waits.
    const end = await expectOk(carol.get("/inbox?wait=0"));
    expect(end.wires).toEqual([]);
  });

  it("in an inbox of wires", async () => {
    expect(idsOf(await readFullPages(bob, "/inbox", "wires"))).toEqual(dms);
    expect(idsOf(await readFullPages(bob.owner, "/handles/bob/inbox", "wires"))).toEqual(dms);
  });

  it("after a wire that a long poll received", async () => {
    const waiting = expectOk(dave.get("/inbox?wait=30&limit=100"));
    const expected: string[] = [];
    for (const size of SIZES) {
      expected.push((await sendWire(alice, "@dave", { payload: payloadOf(size) })).id);
    }
    await waiting;
    expect(idsOf(await readFullPages(dave, "/inbox", "wires"))).toEqual(expected);
  });

  it("in a thread", async () => {
    expect(idsOf(await readFullPages(bob, `/threads/${dms[3]}`, "wires"))).toEqual(dms);
    expect(idsOf(await readFullPages(bob.owner, `/handles/bob/threads/${dms[3]}`, "wires"))).toEqual(dms);
  });

  it.each(["", "?order=top", "?roots_only=true", "?order=top&roots_only=true"])(
    "in a feed%s",
    async (query) => {
      const newest = [...posts].reverse();
      const wires = await readFullPages(bob, `/spaces/large/wires${query}`, "wires");
      expect(idsOf(wires)).toEqual(newest);
      expect(wires.every((wire) => wire.vote_count === 0)).toBe(true);
    },
  );

  it.each(["word", "-absent word", '"word"'])("in the results of the search %s", async (q) => {
    const path = `/spaces/large/search?q=${encodeURIComponent(q)}`;
    const wires = await readFullPages(bob, path, "wires");
    expect(idsOf(wires).sort()).toEqual([...posts].sort());
  });

  it("in the results of a search of direct messages", async () => {
    const wires = await readFullPages(bob, "/wires/search?q=-absent", "wires");
    expect(idsOf(wires).sort()).toEqual([...dms].sort());
  });

  it("in the wires that a handle has sent", async () => {
    const newest = [...posts].reverse();
    expect(idsOf(await readFullPages(alice, "/sent?to=%23large", "wires"))).toEqual(newest);
  });

  it("in the wires that an operator reads", async () => {
    const [sender, operator] = [await daemon.createAgent("sender"), await daemon.createAgent("operator")];
    await grantOperator(daemon, "operator");
    const sent: string[] = [];
    for (const size of SIZES)
      sent.unshift((await sendWire(sender, "@dave", { payload: payloadOf(size) })).id);
    expect(idsOf(await readFullPages(operator, "/operator/wires?sender=sender", "wires"))).toEqual(sent);
  });

  it("in the handles of an account", async () => {
    const many = await daemon.humanClient("many");
    const inbox_rule = {
      allow_text: true,
      inline_schema: { type: "object", description: "d".repeat(32_000) },
    };
    const create = (n: number) =>
      expectOk(many.post("/handles", { slug: `many-${n}`, bio: "b".repeat(1_000), inbox_rule }), 201);
    const made: Body[] = [];
    for (let n = 0; n < 130; n += 10)
      made.push(...(await Promise.all(Array.from({ length: 10 }, (_, i) => create(n + i)))));
    const listed = await readFullPages(many, "/handles?limit=1000", "handles");
    expect(idsOf(listed).sort()).toEqual(idsOf(made).sort());
  });

  it("over MCP", async () => {
    const erin = await daemon.createAgent("erin");
    const { call } = jsonRpcToolCaller(daemon, erin);
    const rest = await expectOk(erin.get("/spaces/large/wires?limit=100"));
    const { body } = await call("read_space", { slug: "large", limit: 100 });
    expect(body.wires).toEqual(rest.wires);
    const expected: string[] = [];
    for (const size of SIZES) {
      expected.push((await sendWire(alice, "@erin", { payload: payloadOf(size) })).id);
    }
    const found: string[] = [];
    for (let cursor: string | undefined; found.length < expected.length; ) {
      const page = (await call("read_inbox", { limit: 100, ...(cursor && { cursor }) })).body;
      expect(sizeOf(page)).toBeLessThanOrEqual(MAX_PAGE_BYTES);
      expect(page.wires.length).toBeGreaterThan(0);
      cursor = page.next_cursor;
      found.push(...idsOf(page.wires));
    }
    expect(found).toEqual(expected);
  });

  it("in the approvals of a human", async () => {
    const agent = await daemon.createAgent("agent");
    await setEgressPolicy(agent, { mode: "approval" });
    const held: string[] = [];
    for (const size of SIZES) held.push((await sendHeldWire(agent, "@bob", { payload: payloadOf(size) })).id);
    const approvals = async () =>
      (await readFullPages(agent.owner, "/approvals", "approvals")).map(({ wire }) => wire.id as string);
    expect(await approvals()).toEqual([...held].reverse());
    const { approvals: newest } = await expectOk(agent.owner.get("/approvals?limit=1"));
    await expectOk(agent.owner.put(`/approvals/${newest[0].id}`, { status: "approved" }));
    // A decided approval comes after the pending ones, with the wire that was sent.
    const [last, ...rest] = held.reverse();
    expect(await approvals()).toEqual([...rest, last]);
  });

  it("in the spaces of a handle", async () => {
    const owner = await daemon.createAgent("owner");
    const rule = { allow_text: true, inline_schema: { description: "é".repeat(16_000) } };
    const slugs = Array.from({ length: 70 }, (_, n) => `space-${n}`);
    for (const slug of slugs) await createSpace(owner, slug, { root_rule: rule, reply_rule: rule });
    const spaces = await readFullPages(owner, "/spaces", "spaces");
    expect(spaces.map(({ slug }) => slug).sort()).toEqual([...slugs].sort());
  });
});
