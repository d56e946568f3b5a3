import { beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../src/contract/index.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { expectError } from "../harness/envelope.js";

const { daemon, alice, bob } = await hostedFixture(["alice", "bob"]);
/** For each list, a cursor that the list issued to alice. */
const cursors: Record<string, string> = {};

const LISTS: Record<string, string> = {
  inbox: "/inbox?limit=1",
  thread: "/threads/{thread}?limit=1",
  feed: "/spaces/room-one/wires?limit=1",
  top: "/spaces/room-one/wires?limit=1&order=top",
  roots: "/spaces/room-one/wires?limit=1&roots_only=true",
  "other feed": "/spaces/room-two/wires?limit=1",
  search: "/spaces/room-one/search?q=word&limit=1",
  members: "/spaces/room-one/members?limit=1",
  spaces: "/spaces?limit=1",
  knocks: "/knocks?limit=1",
  sent: "/knocks?limit=1&direction=sent",
  contacts: "/contacts?limit=1",
  blocks: "/blocks?limit=1",
};

beforeAll(async () => {
  const others = await Promise.all(
    ["carol", "dave", "erin", "frank"].map((slug) => daemon.createAgent(slug)),
  );
  for (const slug of ["room-one", "room-two"]) {
    await alice.post("/spaces", { slug, visibility: "public" });
    await alice.put(`/spaces/${slug}`, { members: [{ handle: "bob", role: "poster" }] });
    for (const n of [1, 2, 3]) await alice.post("/wires", { to: `#${slug}`, text: `word ${n}` });
  }
  const root = await bob.post("/wires", { to: "alice", text: "root" });
  for (const n of [1, 2]) await bob.post("/wires", { to: "alice", text: `re ${n}`, reply_to: root.body.id });
  LISTS.thread = LISTS.thread!.replace("{thread}", root.body.id);
  for (const other of others) {
    await alice.put(`/blocks/${other.slug}`);
    await alice.post("/knocks", { handle: other.slug, intro: "hi" });
    await alice.delete(`/blocks/${other.slug}`);
    await other.post("/knocks", { handle: "alice", intro: "hi" });
  }
  for (const other of others.slice(0, 2)) await alice.post("/wires", { to: other.slug, text: "welcome" });
  for (const other of others.slice(2)) await alice.put(`/blocks/${other.slug}`);
  for (const [name, path] of Object.entries(LISTS)) {
    const { status, body } = await alice.get(path);
    expect({ name, status, cursor: body.next_cursor }).toEqual({
      name,
      status: 200,
      cursor: expect.any(String),
    });
    cursors[name] = body.next_cursor;
  }
});

const withCursor = (name: string, cursor: string) => `${LISTS[name]}&cursor=${encodeURIComponent(cursor)}`;

describe("a cursor", () => {
  // [D2-lists]
  it.each(Object.keys(LISTS))("is accepted by the list that issued it: %s", async (name) => {
    expect((await alice.get(withCursor(name, cursors[name]!))).status).toBe(200);
  });

  // [D2-cursor-bound] [D2-foreign-cursor]
  it.each(Object.keys(LISTS))("issued by another list is rejected by %s", async (name) => {
    // Search cursors contain only an offset, so only their format differs from other cursors.
    for (const [other, cursor] of Object.entries(cursors)) {
      if (other === name || cursor === cursors[name]) continue;
      const { errors } = expectError(await alice.get(withCursor(name, cursor)), "VALIDATION_ERROR");
      expect(errors).toMatchObject([{ instancePath: "/cursor" }]);
    }
  });

  // [D2-cursor-bound]
  it("issued to another handle is rejected", async () => {
    for (const name of ["inbox", "thread", "feed", "top", "members", "spaces", "knocks"]) {
      expectError(await bob.get(withCursor(name, cursors[name]!)), "VALIDATION_ERROR");
    }
  });

  // [D2-foreign-cursor]
  it("that was modified or invented is rejected", async () => {
    for (const name of Object.keys(LISTS)) {
      const real = cursors[name]!;
      const made = [
        "",
        "0",
        "x",
        "s:",
        "s:-1",
        "s:1.5",
        "s:x",
        "\u0000",
        "é",
        `${real}0`,
        `1${real}`,
        "a".repeat(600),
      ];
      for (const cursor of made) {
        // A search cursor is `s:` and an offset. Changing a digit makes another valid cursor.
        if (name === "search" && /^s:\d+$/.test(cursor)) continue;
        const reply = await alice.get(withCursor(name, cursor));
        expect({ name, cursor, status: reply.status }).toEqual({ name, cursor, status: 400 });
        expectError(reply, "VALIDATION_ERROR");
      }
    }
  });

  // [D2-lists]
  it("stays valid after a restart of the daemon", async () => {
    const { body } = await alice.get(withCursor("feed", cursors.feed!));
    await daemon.restart();
    expect((await alice.get(withCursor("feed", cursors.feed!))).body).toEqual(body);
  });
});

describe("every list", () => {
  // [D2-lists]
  it("returns each item once, with any page size", async () => {
    for (const [name, path] of Object.entries(LISTS)) {
      if (name === "inbox") continue;
      const items = async (limit: number) => {
        const found: unknown[] = [];
        let cursor: string | null = "";
        while (cursor !== null) {
          const sized = path.replace("limit=1", `limit=${limit}`);
          const { body } = await alice.get(cursor ? `${sized}&cursor=${encodeURIComponent(cursor)}` : sized);
          const page = Object.values(body).find(Array.isArray) as unknown[];
          expect(page.length).toBeLessThanOrEqual(limit);
          found.push(...page);
          cursor = body.next_cursor;
        }
        return found;
      };
      const all = await items(100);
      expect(all.length).toBeGreaterThan(1);
      for (const limit of [1, 2, 3]) expect(await items(limit)).toEqual(all);
    }
  });

  // [D2-lists]
  it("in the contract takes cursor and limit and returns next_cursor", () => {
    // These lists are bounded: the switchboard, the rate limits, an egress policy, the claims of a request,
    // the hours of a day, and the busiest handles.
    const exceptions = [
      ...["switchboard.search", "limits.get", "egress.get", "egress.update", "spaces.claim"],
      ...["handles.activity", "operator.getStatus"],
    ];
    for (const { id, output, fields, stream } of operations) {
      // A stream has no pages.
      if (stream) continue;
      const properties = (output as { properties?: Record<string, { type?: string; items?: unknown }> })
        .properties;
      const isList =
        !properties ||
        Object.values(properties).some(({ type, items }) => type === "array" && items !== undefined);
      const isResource = properties && "id" in properties;
      if (!isList || isResource || exceptions.includes(id)) continue;
      if (id === "profile.get" || id === "profile.update") continue;
      expect({ id, fields: Object.keys(fields), properties: Object.keys(properties ?? {}) }).toEqual({
        id,
        fields: expect.arrayContaining(["cursor", "limit"]),
        properties: expect.arrayContaining(["next_cursor"]),
      });
    }
  });

  // [D2-lists]
  it("returns 50 items by default", async () => {
    for (let n = 0; n < 51; n++) await alice.post("/wires", { to: "#room-two", text: "word again" });
    for (const path of ["/spaces/room-two/wires", "/spaces/room-two/search?q=word"]) {
      expect((await alice.get(path)).body.wires).toHaveLength(50);
    }
    for (let n = 0; n < 51; n++) await bob.post("/wires", { to: "bob", text: "note" });
    expect((await bob.get("/inbox")).body.wires).toHaveLength(50);
  });
});
